/* diag_place.h - the place in the posted text that a message is about (diag_place.c), and what its words are of. */
#ifndef CORE_DIAG_PLACE_H
#define CORE_DIAG_PLACE_H

#include "state.h"

/* The place in the posted text that MESSAGE, of FUNCTION (or NULL), is about; 0 if it is not certain */
struct text_place {
    int line, column;
    const char *source; /* borrowed: the line, of LEN bytes */
    size_t len;
};
int where_find(const struct compile *c, const char *function, const char *message, struct text_place *place);

/* 1 if the character can be in a word or unquoted name of IR text. */
static inline int text_is_word(char ch) {
    return (ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z') || (ch >= '0' && ch <= '9') || ch == '_' ||
           ch == '.' || ch == '$' || ch == '-';
}

#endif
