/* core.h - the map of smd-worker, the program that uses LLVM 19, through its C API only.
 *
 * process/       the processes that run the stages (process.h)
 *   main.c         smd-worker --fork-server, --compile FILE, --stackmap FILE
 *   forkserver.c   forks workers out of a warm process                (proto/frame.h: what it speaks with smd)
 *   serve.c        a worker: job in, result out, again and again
 *   about.c        what this compiler is: version, build, targets, strategies
 *   allocator.c    where memory comes from
 * sandbox/
 *   sandbox.c      what a worker may still do
 *
 *   state.h      one compile's state: options, module, results
 *   compiler.c   LLVM in a process: set up once, warmed up, and its fatal errors
 *   compile.c    one compile: the list of its stages, which are, in this order
 *   parse.c        text or bitcode -> module (parse_error.c: what is wrong, and where)
 *                  (dialect.c: which LLVM's IR it is; upgrader.c: what asks smd-upgrade, see upgrade/upgrade.h;
 *                  statepoints.c: those of 2015 and 2017 -> those of today; typed.c: calls that LLVM would misread)
 *   machines.c     target machines that are kept
 *   target.c       triple, CPU, features -> target machine; code-shaping function attributes
 *   foreign.c      what an input is that is no module
 *   profiles.c     strategies that are described in files -> builtin ones, and options
 *   strategy.c     which functions have which GC (gcs.c; plugins.c: of shared libraries); what does not go together is refused
 *                  (gcroots.c: slots that llvm.gcroot marks, after the optimiser)
 *   phis.c         values in slots that come from after invokes
 *   layout.c       references are no integers: the data layout says so
 *   spaces.c       compressed references: what is done by way of them  (compressed.c: across safepoints; narrow.c: made integers; puns.c;
 *                                                                      spaces_check.c; spaces.h)
 *   advice.c       warnings: what may not have been meant  (advice_values.c: values that the collector is not told of)
 *   lists.c        live lists of the module's own statepoints stay whole
 *   scopes.c       scoped roots -> lists of live slots, or llvm.gcroot      (values.c: values; pins.c: pins; scopes.h:
 *                  scope_marks.c, scope_flow.c, scope_attach.c, scope_share.c; graph.c)
 *   rootpolls.c    polls in functions with llvm.gcroot      (rootfacts.c, rootmemory.c: what is in roots there)
 *   customroots.c  llvm.gcroot -> the module's gc.root_enter and gc.root_leave
 *   flags.c        LLVM's process-wide flags, all of them set for every job
 *   slots.c        references in stack slots become values; what is left is refused      (slots.h: slot.c, slot_contents.c;
 *                  optnone.c)
 *   passes.c       LLVM's passes, by name
 *   leafcalls.c    calls that cannot collect are no safepoints
 *   place.c        polls: at entries, backedges, returns, before calls    (poll.c: what a poll is; loops.c;
 *                  elisions.c: where there is none, and why;
 *                  interval.c: after so many iterations; deopt.c: none after a deoptimization)
 *   barriers.c     llvm.gcread and llvm.gcwrite -> barriers    (barrier_kinds.c: ready-made ones; barrier_auto.c: barriers
 *                  that smd inserts, with barrier_rules.c, barrier_facts.c: those that may be left out; hooks.c: functions of the
 *                  module's or ours that are inlined late; effects.c: may the optimiser do without them?)
 *   transitions.c  what is done around calls of native code        (handover.c: references that it is told)
 *   rewrite.c      calls -> statepoints; the verifier's findings      (split.c: aggregates into parts, with leaves.c;
 *                  aggregates.c, bases.c: what cannot be rewritten; nobases.c: derived pointers alone; opaque.c: what it does not look through;
 *                  misfits.c: what does not go together with statepoints;
 *                  library.c: what is called like C's functions;
 *                  copies.c: copies within the heap stay bytes; live.c: is it alive across a safepoint?;
 *                  pads.c: landing pads;
 *                  aliases.c: references that live on as something else; made.c: integers that become references; addresses.c: and
 *                  before that, where references become something else;
 *                  vectors.c: what AArch64 must not fold; complete.c: statepoints without a list;
 *                  stacks.c: stack slots that hold references become regions (contents.c: what is in them; layouts.c;
 *                  record_facts.c, types.c, gctypes.c: what records say of them);
 *                  tags.c: references with tags, as integers, tagslots.c: in stack slots, boxed.c: as doubles;
 *                  regions.c: lists on ordinary calls, relocations.c; results.c: results too large for registers;
 *                  calls.c: calls built anew; edges.c, lanes.c, splats.c, swaps.c: what it would get wrong;
 *                  undefined.c: what slots may get;
 *                  deopt_state.c: references among deoptimisation values)
 *   sites.c        numbers for statepoints, to know each record's reason and callee
 *   page.c         page polls: a load over the room that LLVM left for it
 *   emit.c         object, assembly, IR         (merges.c: could the numbers have changed it?
 *                  builtins.c: calls of C's functions that become instructions;
 *                  parts.c: code generation in parts, on several threads, part.c, with helpers.c; groups.c: which; whole.c: what
 *                  has to stay whole (parts.h, helpers.h); unit.c: parts that can be taken over, reuse.c: from where (reuse.h);
 *                  spare.c: passes that would find nothing;
 *                  lowering.c: what LLVM would end the process over; uses.c: the order of uses, as llc reads them)
 *   table.c        the object's table in another format
 *   decode.c       the object's tables -> JSON and text
 *                  (links.c: which call and values each record came from; rootsites.c: those of erlang and ocaml; rootmeta.c: what llvm.gcroot says of roots)
 *   disasm.c       the object's code as text
 *   stages.c       the module after each stage, as text
 *   globals.c      which globals hold references
 *   meta.c         what was done, and the command line that does the same      (deviations.h: why none of LLVM's does; deviate.c)
 *   diag.c         diagnostics;  where.c: their place in the text;  capture.c: what LLVM writes to stderr;
 *   visit.c        walks over calls and values
 *   ir.c           what is asked of one value or type  (attributes.c; ir.h);  set.c;  memory.c
 *
 * Each stage takes the struct compile, gives SM_OK or the compile's final status, and has added a diagnostic in the
 * second case. A worker compiles one job at a time; only code generation in parts uses other threads (helpers.c).
 * LLVM's flags are the process's.
 */
#ifndef CORE_H
#define CORE_H

#include "deviations.h"
#include "ir.h"
#include "state.h"

struct limits; /* sandbox.h */

#define EXIT_LLVM_ERROR 70 /* how a worker ends when LLVM gives up; the log has its words */

/* compiler.c: once for each process, before the first compile */
void compiler_init(void);
void compiler_warm_up(void); /* so that no request pays for what LLVM sets up lazily */

void compiler_leave(int status); /* the process ends with it, whatever LLVM finds wrong from here on */

/* Stages */
sm_status stage_parse(struct compile *c);
sm_status stage_target(struct compile *c);
sm_status stage_profiles(struct compile *c);
sm_status stage_strategy(struct compile *c);
sm_status stage_hooks(struct compile *c);
sm_status stage_verify_input(struct compile *c);
sm_status stage_layout(struct compile *c);
sm_status stage_spaces(struct compile *c);
sm_status stage_advice(struct compile *c);
sm_status stage_scopes(struct compile *c);
sm_status stage_root_polls(struct compile *c);
sm_status stage_custom_roots(struct compile *c);
sm_status stage_optimize(struct compile *c);
sm_status stage_promote(struct compile *c);
sm_status stage_gcroots(struct compile *c);
sm_status stage_leaf_calls(struct compile *c);
sm_status stage_place(struct compile *c);
sm_status stage_barriers(struct compile *c);
sm_status stage_transitions(struct compile *c);
sm_status stage_leaf_check(struct compile *c);
sm_status stage_rewrite(struct compile *c);
sm_status stage_emit(struct compile *c);
sm_status stage_table(struct compile *c);
sm_status stage_decode(struct compile *c);
sm_status stage_disasm(struct compile *c);
sm_status stage_meta(struct compile *c);

/* deviate.c: see deviations.h */
void deviate(struct compile *c, enum deviation d);
int has_deviated(const struct compile *c, enum deviation d);
const char *beyond_opt(const struct compile *c); /* a sentence, static; NULL if opt makes the same module */

/* diag.c: adds a diagnostic; FUNCTION may be NULL. fail_* give S back, so that a stage can return them. */
sm_status fail(struct compile *c, sm_status s, LLVMValueRef function, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
sm_status unless_nomem(sm_status s,
                       sm_status otherwise); /* what a failure is called, if it is not for want of memory */
void diag_add(struct compile *c, const char *severity, const char *function, const char *message);
void diag_add_place(struct compile *c, const char *message, int line, int column, const char *source);
void remark(struct compile *c, const char *pass, LLVMValueRef function, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
void diag_warnings(const struct compile *c, sm_buf *out); /* as lines of text */
void diag_install(struct compile *c);                     /* LLVM's diagnostics of the context become the compile's */
json_t *json_utf8(const char *text, size_t len);          /* a JSON string; bytes that are not UTF-8 become U+FFFD */
sm_status json_append(const json_t *value, sm_buf *out);

/* where.c: the place in the posted text that MESSAGE, of FUNCTION (or NULL), is about; 0 if it is not certain */
struct text_place {
    int line, column;
    const char *source; /* borrowed: the line, of LEN bytes */
    size_t len;
};
int where_find(const struct compile *c, const char *function, const char *message, struct text_place *place);

/* capture.c: what LLVM writes to stderr while it runs. */
void capture_init(void);                      /* stderr becomes a bounded memory file if it is not one already */
void capture_share(void);                     /* from here on smd learns the stage from the log; see frame.h */
void capture_stage(int stage);                /* enum sm_stage; -1 for none */
void capture_reset(void);                     /* forgets what was written */
size_t capture_text(char *text, size_t size); /* what was written since, terminated; gives its length */

/* parse_error.c: adds the diagnostic; gives SM_PARSE_ERROR */
sm_status parse_error_at(struct compile *c, const char *message, int line, int column);

/* lists.c: around the optimiser, which drops nothing from the module's own live lists; the rule for statepoints that
 * relocate nothing; then all that is listed will be recorded */
sm_status lists_keep(struct compile *c);
void lists_release(struct compile *c);
int lists_alone(LLVMValueRef function); /* 1 if a statepoint of it relocates nothing of what it lists */
sm_status lists_check(struct compile *c);
sm_status lists_record(struct compile *c);

/* complete.c: statepoints that list nothing, marked as they come, become calls before the rewrite */
void statepoints_mark_unlisted(struct compile *c);
sm_status statepoints_complete(struct compile *c);

/* addresses.c: runs passes that may move and fold casts, but those of references they leave in their places */
sm_status run_folding_passes(struct compile *c, const char *passes);

/* library.c: before the rewrite, which takes calls of C's names for leaves */
void library_keep(struct compile *c);

/* copies.c: before the optimiser, copies of references within the heap are kept from becoming integers */
void copies_keep(struct compile *c);

/* misfits.c: what does not go together with statepoints; before the optimiser, and before the rewrite */
sm_status misfits_check_input(struct compile *c);
sm_status misfits_check(struct compile *c);

/* opaque.c: before the rewrite, what gives back what it was given, in a way that the rewrite does not look through, is
 * replaced; of what is left, 1 if it may be a derived pointer */
sm_status opaque_mend(struct compile *c);
int is_opaque_derived(struct compile *c, LLVMValueRef v);

/* stacks.c: stack slots that hold references across safepoints are in the lists of these. Requires polls */
sm_status stacks_report(struct compile *c);
sm_status stacks_unmark(struct compile *c); /* when slots were checked: regions share their place with nothing */

/* boxed.c: doubles that are integers as well, and alive across a safepoint, become integers */
sm_status boxed_to_words(struct compile *c, LLVMValueRef f);

/* tags.c: references that are integers for a while; before the optimiser, and before the rewrite */
sm_status tags_declare(struct compile *c);
int tags_are_used(const struct compile *c); /* 1 if the module calls what makes integers of references */
sm_status tags_to_slots(struct compile *c);
int is_tagged_slot(const struct compile *c, LLVMValueRef slot); /* it is reported to the collector, with its mask */

/* gctypes.c: types of slots and values; around the optimiser, and when the slots that are regions are known */
void gctypes_keep(struct compile *c);
LLVMValueRef gctype_of(LLVMValueRef v); /* the first that a "gc-type" bundle says; NULL if none does */
int gctypes_differ(LLVMValueRef v);     /* boolean: two of them say something else */
sm_status gctypes_take(struct compile *c);
sm_status gctypes_apply(struct compile *c);

/* relocations.c: those of the statepoint's function that nobody uses are recorded; after the rewrite */
void relocations_keep(struct compile *c, LLVMValueRef statepoint);

/* regions.c: around the rewrite, which forgets the lists of ordinary calls */
sm_status regions_mark(struct compile *c);
sm_status regions_take(struct compile *c);
LLVMValueRef behind_call(LLVMValueRef call); /* what comes next; NULL if others lead there as well */

/* lanes.c: vectors of references that are taken out of structs go through slots; what cannot is refused */
sm_status lanes_reload(struct compile *c);

/* results.c: after the rewrite, calls whose results are too large for registers get a slot for them. Requires
 * statepoints */
sm_status results_to_slots(struct compile *c);

/* calls.c: a call built anew before the one that it is LIKE, with what is no operand of that */
struct call_parts {
    LLVMTypeRef type;
    LLVMValueRef callee, *args;
    unsigned arg_count;
    LLVMOperandBundleRef *bundles;
    unsigned bundle_count;
};
LLVMValueRef call_build(struct compile *c, LLVMValueRef like, const struct call_parts *parts);
void call_replace(LLVMValueRef old, LLVMValueRef made); /* in all its uses, and in its name */
void call_copy_attributes(LLVMValueRef from, unsigned from_index, LLVMValueRef to, unsigned to_index);
LLVMOperandBundleRef call_bundle(LLVMValueRef call, const char *tag); /* *new*; NULL if there is none */
/* The call again, with COUNT more values in this bundle; NULL if memory is out. */
LLVMValueRef call_extend(struct compile *c, LLVMValueRef call, const char *tag, LLVMValueRef *more, unsigned count);
LLVMValueRef call_without(struct compile *c, LLVMValueRef call, const char *tag); /* the call again, without one */
unsigned call_bundle_size(LLVMValueRef call, const char *tag);
int call_bundle_has(LLVMValueRef call, const char *tag, LLVMValueRef v);
/* *New* ones, all but TAG, into room for as many as the call has. How many they are. */
unsigned call_other_bundles(LLVMValueRef call, const char *tag, LLVMOperandBundleRef *bundles);

/* dialect.c: the input's text has typed pointers and is none of today's; then dialect_upgrade makes it modern text */
int dialect_may_be_old(const sm_options *options, const char *input, size_t len); /* before anything is read */
int dialect_is_old_text(const struct compile *c);
int dialect_is_old_module(const struct compile *c); /* statepoints whose callee's type only LLVM 14 knows */
sm_status dialect_upgrade(struct compile *c, const char *ir, size_t len);

/* statepoints.c: those with inline lists become those with bundles; what cannot is a diagnostic */
int statepoint_lacks_type(LLVMValueRef call); /* 1 if it is a statepoint without its callee's type */
sm_status statepoints_modernize(struct compile *c);

/* upgrader.c: smd-upgrade, beside smd-worker */
void upgrader_start(const struct limits *limits); /* by the fork server; again after it has ended */
int upgrader_is(pid_t pid);
int upgrader_exists(void);
int upgrader_socket(void);     /* *new* descriptor: a worker's way to it; -1 if there is none */
void upgrader_use(int socket); /* by the worker */
int upgrader_is_lost(void);    /* the worker cannot reach it any more, and has to be replaced */
sm_status upgrader_run(struct compile *c, const char *ir, size_t len, LLVMMemoryBufferRef *bitcode); /* *new* */
/* typed.c: no call of the input's text is in the notation of typed pointers */
sm_status typed_calls_check(struct compile *c);
/* foreign.c */
int is_bitcode(const char *p, size_t len);
/* What the input is, if it begins as no module does: a sentence, static; NULL otherwise */
const char *foreign_format(const char *input, size_t len);
/* Adds a note to a parse error: what the text seems to be. SOURCE is the line at fault, or NULL. */
void foreign_note(struct compile *c, const char *text, size_t len, const char *message, const char *source);
int is_one_line(const char *text, size_t len);

/* passes.c: runs passes by LLVM's names for them */
sm_status run_passes(struct compile *c, const char *passes);
void note_passes(struct compile *c, const char *passes); /* they become part of the pipeline that the answer names */

/* machines.c: *new* or kept; NULL if there is none like the one that the options and the triple describe */
LLVMTargetMachineRef machines_take(struct compile *c);
void machines_give_back(struct compile *c); /* before the module goes */

/* parts.c: 1 if the module's code was generated in parts; then *BYTES, *new*, is its object, and the module is as it
 * was */
int parts_emit(struct compile *c, unsigned char **bytes, size_t *len);

/* target.c */
LLVMTargetMachineRef machine_new(const struct compile *c); /* *new*; NULL if there is none. On any thread */
void target_attributes(struct compile *c);
void unwind_tables(struct compile *c); /* requires the module as it will be emitted */

/* globals.c: appends the member global_roots, if there are any */
sm_status globals_put(struct compile *c, sm_buf *out);

/* hooks.c: 1 if smd calls F of its own accord: no polls are in it, and no option gives it a strategy */
int is_hook(LLVMValueRef f);

/* transitions.c: gc.transition_enter and gc.transition_leave are functions */
sm_status transitions_check(struct compile *c);

/* spaces.c, compressed.c, narrow.c: references of 32 bits. The option; before scopes are attached; after the rewrite */
sm_status spaces_read(struct compile *c);
sm_status spaces_to_slots(struct compile *c);
sm_status spaces_narrow(struct compile *c);

/* split.c: structs and arrays with references that are alive across a safepoint are split into parts */
sm_status aggregates_split(struct compile *c);
sm_status words_split(struct compile *c, LLVMValueRef f); /* those with integers or doubles of 64 bits */

/* aggregates.c: nothing that the rewrite would leave unrelocated is alive across a safepoint */
sm_status aggregates_check(struct compile *c);

/* slots.c: no reference is in a stack slot across a safepoint; nor, before the optimiser, as bytes copied through
 * one */
sm_status slots_check(struct compile *c);
sm_status slots_check_copies(struct compile *c);

/* optnone.c: functions with statepoints lose the attribute, and have it again */
void optnone_hide(struct compile *c);
void optnone_show(struct compile *c);

/* bases.c: nor a pointer whose base the rewrite cannot find */
sm_status bases_check(struct compile *c);

/* advice.c: adds a warning to the compile's advice; none beyond a hundred */
void advise(struct compile *c, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* advice_values.c: warns of live pointers that no collector is told of, and of pointers into objects that another
 * function takes for objects. Requires polls */
sm_status advise_spaces(struct compile *c);
sm_status advise_derived(struct compile *c);

/* pads.c: after the rewrite, the relocations on landing pads that are no tokens become calls that can be written and
 * read; LLVM's verifier takes them as long as they are hidden. */
void pads_retype(struct compile *c);
void pads_hide(struct compile *c);
void pads_show(struct compile *c);

/* vectors.c: after the rewrite, relocations on AArch64 are kept apart from what vectors fold. Requires statepoints */
void vectors_freeze(struct compile *c);

/* edges.c: no landing pad uses what only the way after the call defines */
void edges_set_apart(struct compile *c);

/* swaps.c: at level 0 on AArch64 nothing is compared across a cmpxchg */
sm_status swaps_set_apart(struct compile *c);

/* nobases.c: by option, relocations are of derived pointers alone. Requires statepoints */
sm_status bases_drop(struct compile *c);

/* undefined.c: before anything is kept in slots, what is undefined in references is null */
sm_status undefined_to_null(struct compile *c);

/* splats.c: shuffles whose bases the rewrite gets wrong become ones for which it is right */
void splats_swap(struct compile *c);

/* live.c: *CALL is a call of F that will be a statepoint and that V is alive across; NULL if there is none */
sm_status live_across(struct compile *c, LLVMValueRef f, LLVMValueRef v, LLVMValueRef *call);

/* live.c: *FOUND is an instruction that V is alive across and of which IS_WANTED(V, instruction) says 1; NULL if
 * there is none */
sm_status live_across_such(struct compile *c, LLVMValueRef f, LLVMValueRef v,
                           int (*is_wanted)(LLVMValueRef v, LLVMValueRef i), LLVMValueRef *found);

/* live.c: *CALL is a safepoint that V crosses on a path to one USER of it; NULL if there is none */
sm_status crosses(struct compile *c, LLVMValueRef f, LLVMValueRef v, LLVMValueRef user, LLVMValueRef *call);

/* aliases.c: what a reference was cast to is not used after a safepoint. Requires statepoints */
sm_status aliases_check(struct compile *c);
sm_status made_check(struct compile *c);  /* made.c: likewise, references made of integers that crossed a safepoint */
int aliases_are_sound(struct compile *c); /* before the optimiser; then aliases_mend undoes what that did to them */
sm_status aliases_mend(struct compile *c);
int is_alias_source(const struct compile *c, LLVMValueRef v); /* 1 if V is such a cast */

/* flags.c */
int gc_registers_of(const struct compile *c); /* none where they would be lost, whatever the option says */
void flags_set(const struct compile *c, int entry, int backedge);
void flags_text(const struct compile *c, int for_llc,
                sm_buf *out); /* as command line flags, only those that are not LLVM's defaults */

/* spare.c: code generation of the module as it stands goes without passes that would find nothing */
void spare_passes(const struct compile *c);

/* gcroots.c: slots that llvm.gcroot marks, put right after the optimiser */
sm_status gcroots_settle(struct compile *c);
uint64_t alloca_count(LLVMValueRef slot); /* of how many values of its type it is; 0 if that varies */
void root_clear(struct compile *c, LLVMValueRef slot, LLVMValueRef before); /* all of an alloca becomes 0 */

/* gcs.c */
enum { GC_STATEPOINTS = 1, GC_ROOTS = 2 };
int gc_features(const char *gc); /* one of these; 0 if there is no such strategy */
int is_statepoint_gc(const char *gc);
int is_plugin_gc(const char *gc);                                 /* LLVM knows it from a library (plugins.c) */
void gcs_add(const char *name, int features);                     /* there is one more, or one is of another kind */
const char *const *known_strategies(void);                        /* NULL-terminated */
enum { NAMES_MAX = 1600 };                                        /* bytes of all their names */
const char *strategies_of(int features, char *text, size_t size); /* their names, for a sentence: TEXT */

/* strategy.c */
#define SP_TAIL 256 /* beside the bits SM_SP_…: before musttail calls */
int function_polls(const struct compile *c, LLVMValueRef function); /* bits SM_SP_…; after stage_strategy */

/* poll.c */
sm_status poll_check(struct compile *c);               /* the option fits the module */
sm_status poll_check_roots(struct compile *c);         /* it may write to slots of its caller */
sm_status poll_prepare(struct compile *c);             /* gc.safepoint_poll is there, ours or the module's */
sm_status poll_finish(struct compile *c);              /* removes what was ours; SM_MISSING_POLL if it was needed */
void poll_mark(struct compile *c, const char *reason); /* calls in the poll's body carry this reason from now on */
void branch_is_cold(struct compile *c, LLVMValueRef branch);            /* its first way is hardly ever taken */
enum { POLL_TEXT = 256 };                                               /* bytes of the option, at most */
const char *poll_callee(const struct compile *c, char text[POLL_TEXT]); /* whom poll=call or poll=flag calls; NULL */
const char *poll_declared(const struct compile *c); /* the name of the module's own poll that has no body; NULL */
int poll_is_plain(const struct compile *c);         /* a call of it lies in a loop if and only if its place does */

/* deopt.c */
int is_deoptimize(LLVMValueRef call);
int is_derived(struct compile *c, LLVMValueRef v); /* 1 if it may be no object's own address */
sm_status deopt_check(struct compile *c);          /* deoptimizations are what the rewrite can handle */
void deopt_keep(struct compile *c);                /* around the optimiser: deoptimizations keep their returns */
void deopt_release(struct compile *c);
void deopt_mend(struct compile *c); /* after polls were placed: what they have torn apart is whole again */

/* deopt_state.c: around the rewrite, derived pointers among deoptimisation values are hidden from it; of what was
 * recorded, all references among them are where the collector updates them. deopt_state_text: see there; 0 if memory
 * is out */
sm_status deopt_state_hide(struct compile *c);
sm_status deopt_state_show(struct compile *c);
int deopt_state_text(struct compile *c, LLVMValueRef statepoint, char **text);
sm_status deopt_state_check(struct compile *c);

/* sites.c */
#define REASON_ATTRIBUTE                                                                                             \
    "smd-reason" /* of a call; survives inlining and the rewrite, and is gone before emission                        \
                  */
#define TRANSITION_ATTRIBUTE "smd-transition" /* of a call: a GC transition, to the function of this name; likewise */
#define FRAME_ATTRIBUTE      "smd-frame-of"   /* of a function of ours (transitions.c): the one that calls it */
int call_has_reason(LLVMValueRef call, const char *reason);
void sites_mark_explicit(struct compile *c);
void sites_unmark(LLVMModuleRef module);
sm_status sites_number(struct compile *c);
uint64_t sites_number_from_0(LLVMModuleRef module); /* numbers begin at 0; gives what was taken from each */
void sites_restore(struct compile *c, unsigned char *section, sm_stackmap *m);

void sites_free(struct compile *c);
int sites_is_record(LLVMValueRef call); /* 1 if it leaves a record in the stackmap */

/* stages.c: the module as it stands becomes the text of a stage of this name */
void stages_show(struct compile *c, const char *name);

/* links.c: before sites_number; when the object is there; and as JSON */
void links_prepare(struct compile *c);
void links_read(struct compile *c);
void links_json(struct compile *c, sm_buf *out);
void links_free(struct compile *c);

/* merges.c: 1 if numbers may have kept LLVM from merging two statepoints of the object */
int merge_candidates_exist(const struct compile *c);

/* decode.c */
sm_status decode_foreign(struct compile *c); /* the input is an object */
/* rootsites.c: what is called at records of erlang and ocaml, and why. Before the calls are numbered, and with the
 * map */
void root_sites_prepare(struct compile *c);
void root_sites_read(struct compile *c);
void root_sites_free(struct compile *c);
const char *site_reason(LLVMValueRef call); /* by its mark, a static text; NULL: none */
sm_status root_metadata(struct compile *c); /* rootmeta.c: the records of erlang and ocaml have that of their roots */

/* builtins.c: the optimiser makes no memset, memcpy or memmove of loops; from there to stage_barriers */
void builtins_forbid(struct compile *c);
void builtins_allow(struct compile *c);

/* builtins.c: calls that llc would lower inline become intrinsics. Of a module that is emitted next */
sm_status builtins_lower(struct compile *c, LLVMModuleRef module);

/* lowering.c: nothing is left that code generation ends the process over */
sm_status scalable_check(struct compile *c); /* before the rewrite, which looks at how results are lowered */
sm_status lowering_check(struct compile *c);
int convention_has_rules(const struct compile *c, unsigned convention); /* for arguments and results, on the target */

/* uses.c: values list their uses as in a module that was read from the text of this one. SM_NOMEM, with a diagnostic */
sm_status uses_as_read(struct compile *c, LLVMModuleRef module);

/* emit.c */
void emit_free(struct compile *c);
int emit_same(const struct emitted *a, const struct emitted *b);

/* visit.c: iteration over all calls (call, invoke, callbr) of a module or function. */
typedef void call_visitor(void *arg, LLVMValueRef function, LLVMValueRef call);
void visit_calls(LLVMValueRef function, call_visitor *visit, void *arg);
int has_statepoints(const struct compile *c); /* boolean: a function with a body has a strategy of them */
void visit_module_calls(LLVMModuleRef module, call_visitor *visit, void *arg);

/* Of every parameter and instruction of functions with statepoints, until one is wrong. */
typedef sm_status value_check(struct compile *c, LLVMValueRef function, LLVMValueRef value);
sm_status check_values(struct compile *c, value_check *check);
sm_status aliases_visit(struct compile *c, value_check *check); /* for those that ask is_alias_source; aliases.c */
sm_status check_function_values(struct compile *c, LLVMValueRef function, value_check *check);
typedef sm_status function_check(struct compile *c, LLVMValueRef function, value_check *check);
sm_status check_functions(struct compile *c, function_check *each, value_check *check);

int calls_safepoint(
    LLVMValueRef call); /* 1 if it will be a statepoint: no intrinsic, assembly, leaf function or musttail call */
/* 1 if it is a safepoint in the module as it stands: a statepoint; before the rewrite, what will be one too. */
int is_safepoint(const struct compile *c, LLVMValueRef call);
const char *safepoint_name(LLVMValueRef call); /* for messages: what it calls. Borrowed */
int has_references(LLVMValueRef function);     /* 1 if a parameter or an instruction holds one; advice.c */
/* spaces.c: 1 if it is or contains a compressed one, which the data layout tells from others; or any of both */
int holds_compressed(LLVMTargetDataRef data, LLVMTypeRef type);
int holds_root(LLVMTargetDataRef data, LLVMTypeRef type);

#endif
