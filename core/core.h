/* core.h - the map of smd-worker, the program that uses LLVM 19, through its C API only.
 *
 * A compile is a list of stages: compile.c. What the stages do lies in rooms. Each room is a folder with a header of
 * the same name, which is its map, and a library that may use the rooms above it in this list:
 *
 *   base/        one compile's state, its diagnostics and what they name, and sets: what every room uses.
 *   ir/          questions to one value, type, call or block of LLVM's, and the walks over them.
 *   target/      LLVM as a process has it: set up once, its flags, target machines that are kept.
 *   analysis/    facts about a function's values; nothing here changes the module.
 *   llvm19/      what LLVM 19 gets wrong, a file each.
 *   input/       bytes -> a module that LLVM 19 reads: text or bitcode, of LLVM 3.7 to today.
 *   aggregates/  structs and arrays with references: taken apart, or refused.
 *   slots/       references in stack slots: what is in a slot, and how its safepoints report it.
 *   roots/       roots that a frontend declares: slots, values, pins and their types.
 *   encoded/     references that are no plain pointers: tagged, boxed in doubles, compressed.
 *   safepoints/  where a thread can stop: polls, and which calls are no safepoints.
 *   optimize/    LLVM's optimiser, and what must stay as it is meanwhile.
 *   barriers/    read and write barriers, and what is done around native calls.
 *   strategy/    which function has which GC strategy; what goes with it.
 *   gcroot/      functions whose roots llvm.gcroot marks: shadow-stack, erlang, ocaml, and plugins.
 *   rewrite/     calls become statepoints.
 *   emit/        the module as object, assembly and text, unsplit or in parts on several threads; which call each record came from.
 *   report/      what is reported of the object: tables as JSON and text, and advice.
 *
 * Beside them:
 *
 *   compile.c        one compile: the list of its stages, and its end as an artifact
 *   warm_up.c        a process compiles small modules once, so that no request pays for what LLVM sets up lazily
 *   plugin_trial.c   what kind a strategy of a plugin is, by what becomes of a small module
 *   process/         the processes that run compiles (process.h): main.c, forkserver.c, serve.c, upgrade_server.c,
 *                    about.c, allocator.c
 *   sandbox/         sandbox.c: what a worker may still do
 *   upgrade/         smd-upgrade, which reads IR of LLVM 3.7 to 14 (upgrade.h)
 *
 * Each stage takes the struct compile, gives SM_OK or the compile's final status, and has added a diagnostic in the
 * second case. Memory that runs out ends the process (base/memory.h). A worker compiles one job at a time; only code
 * generation in parts uses other threads. LLVM's flags are the process's.
 */
#ifndef CORE_CORE_H
#define CORE_CORE_H

#include "reuse.h"
#include "state.h"

/* Compiles INPUT, whose strategies may be those of PROFILES (proto/options/profile.h), and appends the artifact, of
 * success or failure, to OUT. Fails itself with SM_TOO_LARGE if OUT has no room for it. What is left of the compile
 * is the caller's to free, when the answer is on its way: *REST. REUSE: what is taken over and left; NULL if
 * split=functions is not asked for. */
sm_status compile_run(const sm_options *options, sm_slice profiles, const char *input, size_t len,
                      struct reuse *reuse, sm_buf *out, sm_timings *timings, struct compile **rest);
void compile_free(struct compile *c); /* NULL is fine */

/* Decodes an object file's tables and appends the artifact to OUT. */
sm_status stackmap_run(const char *input, size_t len, sm_buf *out, sm_timings *timings);

/* Once in a process, after compiler_init. */
void compiler_warm_up(void);

/* For plugins_load. */
int plugin_try_strategy(const char *name, unsigned char *spaces);

#endif
