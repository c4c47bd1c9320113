/* parse_error.c - what is wrong with the input, its place and its line, and what the text may be instead. */
#include "base.h"
#include "input.h"
#include "memory.h"
#include "reading.h"

#include <stdlib.h>
#include <string.h>

/* Line number LINE of the input, *new*, without its end, cut at a length; NULL if there is none. LLVM's own copy
 * of it has spaces for tabs. */
static char *line_of(const char *text, size_t len, int line) {
    enum { LONGEST = 1000 };
    const char *at = text, *end = text + len;
    for (int i = 1; at && i < line; i++) {
        at = memchr(at, '\n', (size_t)(end - at));
        at = at ? at + 1 : NULL;
    }
    if (line < 1 || !at)
        return NULL;
    const char *stop = memchr(at, '\n', (size_t)(end - at));
    size_t n = (size_t)((stop ? stop : end) - at);
    n -= n && at[n - 1] == '\r';
    return xstrndup(at, n < LONGEST ? n : LONGEST);
}

/* Adds an error at this line and column, with the line and a note on what the input may be instead.
 * SM_PARSE_ERROR. */
sm_status parse_error_at(struct compile *c, const char *message, int line, int column) {
    char *source = line_of((const char *)c->input, c->input_len, line);
    if (line == 1)
        column -= (int)c->reading.header;
    diag_add_place(c, message, line, column, source && *source ? source : NULL);
    foreign_note(c, c->input, c->input_len, message, source, column);
    free(source);
    return SM_PARSE_ERROR;
}
