/* text.h - what is in a text, whose blanks count as one space. */
#ifndef COMPILER_TEXT_H
#define COMPILER_TEXT_H

#include "artifact.h"

/* How often PATTERN, or what a /regular expression/ fits, is in TEXT; -1 if it is no regular expression. */
long text_count(const char *text, const char *pattern);

/* Of FIRST and the texts of THEN, MOST or up to NULL, the first that is not behind those before it in TEXT; NULL if they
 * are there in this order. */
const char *text_out_of_order(const char *text, const char *first, const char *const *then, size_t most);

/* The part of a text that is about one function, as each kind of text shows where that begins and ends. *New*; NULL if
 * it has no such function. */
char *text_of_function(enum sm_part part, const char *text, const char *name);

#endif
