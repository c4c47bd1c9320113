/* module_text.h - the module is printed, changed as a text, and read again: LLVM's C API changes no type of anything. */
#ifndef CORE_MODULE_TEXT_H
#define CORE_MODULE_TEXT_H

#include "diag_place.h"

#include <string.h>

/* Called at each word outside of names, strings and comments, of LEN bytes, and at each end of a line. Writes to OUT what
 * takes its place, and gives the number of bytes that it took; 0: the word stays. The text ends with a NUL. */
typedef size_t text_word(void *user, const char *word, size_t len, sm_buf *out);

/* Values and blocks are others afterwards, if anything changed. SM_CANNOT_REWRITE if LLVM does not read the text. */
sm_status module_reread(struct compile *c, text_word *word, void *user, int *changed);

/* 1 if the LEN bytes at WORD are OTHER. */
static inline int text_word_is(const char *word, size_t len, const char *other) {
    return len == strlen(other) && memcmp(word, other, len) == 0;
}

#endif
