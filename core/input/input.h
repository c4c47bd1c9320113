/* input.h - bytes -> a module that LLVM 19 reads: text or bitcode, of LLVM 3.7 to today.
 *
 *   parse.c            text or bitcode -> module: its dialect, target and layout
 *   reading.h          the steps of parse.c that are in files of their own
 *   read.c             text or bitcode of today -> module, without what LLVM does to debug information
 *   parse_error.c      what is wrong with the input, its line and column, and what the text may be instead
 *   input_guess.c      inputs that are no module: what they seem to be
 *   dialect.c          which LLVM wrote the input; IR of LLVM 3.7 to 14 becomes text of today
 *   typed_pointers.c   calls in the notation of typed pointers, which LLVM 19 would misread
 *   old_statepoints.c  statepoints as LLVM's documents of 2015 and 2017 have them -> those of today
 *   upgrader.c         the worker's side of smd-upgrade
 *   final_ir.c         a module that smd has emitted and that is posted again: only code is generated
 *   peek.c             what has to be known of the input before LLVM reads it
 *   old_names.c        bitcode of LLVM 3.7 to 4.0, for peek.c: its intrinsics under other names
 *   nesting.c          what is nested deeper than LLVM can follow on the stack is refused
 *   admission.c        what LLVM's verifier lets through although no pass can handle it is refused by name
 */
#ifndef CORE_INPUT_H
#define CORE_INPUT_H

#include "memory.h"
#include "state.h"

#include <string.h>

/* ---- parse.c ---- */

/* Stages */
sm_status stage_parse(struct compile *c);
sm_status stage_verify_input(struct compile *c);

/* ---- input_guess.c ---- */

/* What the input is, if it begins as no module does: a sentence, static; NULL otherwise */
const char *foreign_format(const char *input, size_t len);

int ends_in_comment(const char *text, size_t len); /* 1 if the text's last line is a comment without an end */

static inline int is_one_line(const char *text, size_t len) {
    return !memchr(text, '\n', len) && !memchr(text, '\r', len);
}

/* ---- dialect.c ---- */

/* The input's text has typed pointers and is none of today's; then dialect_upgrade makes it modern text */
int dialect_may_be_old(const sm_options *options, const char *input, size_t len); /* before anything is read */

/* ---- upgrader.c ---- */

enum {
    UPGRADER_NONE = -1,
    UPGRADER_LOST = -2
}; /* instead of a socket: there is no smd-upgrade; there is no way to it */
void upgrader_use(int socket); /* by the worker */
int upgrader_is_lost(void);    /* the worker cannot reach it any more, and has to be replaced */

/* ---- final_ir.c ---- */

sm_status stage_final(struct compile *c);

void final_write(struct compile *c, LLVMModuleRef marked, sm_buf *out);

/* ---- admission.c ---- */

/* What a table of the object that cannot be read, by the failure S, is called: the module's fault if it may have put
 * something of its own there. */
static inline sm_status unreadable_table(const struct compile *c, sm_status s) {
    xstatus(s);
    return c->reading.names_tables ? SM_CODEGEN_FAILED : SM_INTERNAL;
}

#endif
