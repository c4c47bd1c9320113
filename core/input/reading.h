/* reading.h - the steps of parse.c and upgrader.c that are in files of their own. */
#ifndef CORE_READING_H
#define CORE_READING_H

#include "state.h"

#include <string.h>

/* Reads BUFFER, which it frees, into C->module, which is NULL. SM_PARSE_ERROR, and LLVM's complaint in *MESSAGE, *new*
 * or NULL; another failure has a diagnostic. */
sm_status module_read(struct compile *c, LLVMMemoryBufferRef buffer, char **message);

/* Adds the diagnostic; gives SM_PARSE_ERROR */
sm_status parse_error_at(struct compile *c, const char *message, int line, int column);

/* A parse error at AT, in the text */
static inline sm_status text_error(struct compile *c, const char *at, const char *message) {
    const char *line = c->input;
    int number = 1;
    for (const char *p = c->input; p < at && (p = memchr(p, '\n', (size_t)(at - p))); line = ++p)
        number++;
    return parse_error_at(c, message, number, (int)(at - line) + 1 + (number == 1 ? (int)c->reading.header : 0));
}

/* 1 if the bytes begin as bitcode, raw or wrapped. */
static inline int is_bitcode(const char *p, size_t len) {
    static const unsigned char raw[4] = {'B', 'C', 0xc0, 0xde}, wrapped[4] = {0xde, 0xc0, 0x17, 0x0b};
    return len >= 4 && (memcmp(p, raw, 4) == 0 || memcmp(p, wrapped, 4) == 0);
}

/* Adds a note to a parse error: what the text seems to be. SOURCE is the line at fault, or NULL. */
void foreign_note(struct compile *c, const char *text, size_t len, const char *message, const char *source,
                  int column);
/* Refuses a text without its line breaks, most of which is one comment. Requires that LLVM has taken it */
sm_status lost_lines_check(struct compile *c);
int dialect_is_old_text(const struct compile *c);
int dialect_is_old_module(const struct compile *c); /* statepoints whose callee's type only LLVM 14 knows */
sm_status dialect_upgrade(struct compile *c, const char *ir, size_t len);

/* No call of the input's text is in the notation of typed pointers */
sm_status typed_calls_check(struct compile *c);

/* Those with inline lists become those with bundles; what cannot is a diagnostic */
int statepoint_lacks_type(LLVMValueRef call); /* 1 if it is a statepoint without its callee's type */
sm_status statepoints_modernize(struct compile *c);
sm_status upgrader_run(struct compile *c, const char *ir, size_t len, LLVMMemoryBufferRef *bitcode); /* *new* */

/* Is the input a module that smd has emitted?; and the end of the text of such a one */
sm_status final_find(struct compile *c);

/* Nothing is nested deeper than LLVM can follow: the input as text, and the module that was read */
sm_status nesting_check_text(struct compile *c);
sm_status nesting_check(struct compile *c);

/* Before the input is read. Refuses what LLVM's readers would crash of */
sm_status peek(struct compile *c);
#define LARGEST_ALIGNMENT " align 4294967296" /* as a function's text has it */

/* old_names.c: in bitcode without a string table, intrinsics' names begin with "llvmX" then */
void old_names_hide(char *bitcode, size_t len);

/* Of the verified module; what LLVM's verifier lets through, and no pass of LLVM's can handle */
sm_status admission_check(struct compile *c);

#endif
