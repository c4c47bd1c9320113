/* input.h - bytes -> a module that LLVM 19 reads: text or bitcode, of LLVM 3.7 to today.
 *
 *   parse.c            text or bitcode -> module: its dialect, target and layout
 *   read.c             text or bitcode of today -> module, without what LLVM does to debug information
 *   parse_error.c      what is wrong with the input, its line and column, and what the text may be instead
 *   input_guess.c      inputs that are no module: what they seem to be
 *   dialect.c          which LLVM wrote the input; IR of LLVM 3.7 to 14 becomes text of today
 *   typed_pointers.c   calls in the notation of typed pointers, which LLVM 19 would misread
 *   old_statepoints.c  statepoints as LLVM's documents of 2015 and 2017 have them -> those of today
 *   upgrader.c         the worker's and the fork server's side of smd-upgrade
 *   final_ir.c         a module that smd has emitted and that is posted again: only code is generated
 *   nesting.c          what is nested deeper than LLVM can follow on the stack is refused
 *   admission.c        what LLVM's verifier lets through although no pass can handle it is refused by name
 */
#ifndef CORE_INPUT_H
#define CORE_INPUT_H

#include "state.h"

/* ---- parse.c ---- */

/* Stages */
sm_status stage_parse(struct compile *c);
sm_status stage_verify_input(struct compile *c);

/* ---- read.c ---- */

/* Reads BUFFER, which it frees, into C->module, which is NULL. SM_PARSE_ERROR, and LLVM's complaint in *MESSAGE, *new*
 * or NULL; another failure has a diagnostic. */
sm_status module_read(struct compile *c, LLVMMemoryBufferRef buffer, char **message);

/* ---- parse_error.c ---- */

/* Adds the diagnostic; gives SM_PARSE_ERROR */
sm_status parse_error_at(struct compile *c, const char *message, int line, int column);

/* ---- input_guess.c ---- */

int is_bitcode(const char *p, size_t len);

/* What the input is, if it begins as no module does: a sentence, static; NULL otherwise */
const char *foreign_format(const char *input, size_t len);

/* Adds a note to a parse error: what the text seems to be. SOURCE is the line at fault, or NULL. */
void foreign_note(struct compile *c, const char *text, size_t len, const char *message, const char *source,
                  int column);
int is_one_line(const char *text, size_t len);

/* ---- dialect.c ---- */

/* The input's text has typed pointers and is none of today's; then dialect_upgrade makes it modern text */
int dialect_may_be_old(const sm_options *options, const char *input, size_t len); /* before anything is read */
int dialect_is_old_text(const struct compile *c);
int dialect_is_old_module(const struct compile *c); /* statepoints whose callee's type only LLVM 14 knows */
sm_status dialect_upgrade(struct compile *c, const char *ir, size_t len);

/* ---- typed_pointers.c ---- */

/* No call of the input's text is in the notation of typed pointers */
sm_status typed_calls_check(struct compile *c);

/* ---- old_statepoints.c ---- */

/* Those with inline lists become those with bundles; what cannot is a diagnostic */
int statepoint_lacks_type(LLVMValueRef call); /* 1 if it is a statepoint without its callee's type */
sm_status statepoints_modernize(struct compile *c);

/* ---- upgrader.c ---- */

struct limits; /* sandbox.h */

/* Smd-upgrade, beside smd-worker */
void upgrader_start(const struct limits *limits); /* by the fork server; again after it has ended */
int upgrader_is(pid_t pid);
int upgrader_exists(void);
int upgrader_socket(const struct limits *limits); /* *new* descriptor: a worker's way to it; -1 if there is none */
void upgrader_use(int socket);                    /* by the worker */
int upgrader_is_lost(void);                       /* the worker cannot reach it any more, and has to be replaced */
sm_status upgrader_run(struct compile *c, const char *ir, size_t len, LLVMMemoryBufferRef *bitcode); /* *new* */

/* ---- final_ir.c ---- */

sm_status stage_final(struct compile *c);

/* Is the input a module that smd has emitted?; and the end of the text of such a one */
sm_status final_find(struct compile *c);
void final_write(struct compile *c, LLVMModuleRef marked, sm_buf *out);

/* ---- nesting.c ---- */

/* Nothing is nested deeper than LLVM can follow: the input as text, and the module that was read */
sm_status nesting_check_text(struct compile *c);
sm_status nesting_check(struct compile *c);

/* ---- admission.c ---- */

/* Of the verified module; what LLVM's verifier lets through, and no pass of LLVM's can handle */
sm_status admission_check(struct compile *c);
sm_status unreadable_table(const struct compile *c, sm_status s); /* whose fault it is that one cannot be read */

#endif
