/* error.h - what went wrong, in words.
 *
 * A function that can fail for several reasons gives an sm_status, or NULL or -1 where it gives a thing, and fills in
 * a struct error that the caller owns. One that can fail for a single reason (out of memory, not found) gives that
 * alone. */
#ifndef SMD_ERROR_H
#define SMD_ERROR_H

#include "status.h"

enum { ERROR_TEXT = 4608, ERROR_OPTION = 64 }; /* bytes: a path and a sentence; the name of an option */

/* Begins as {0}, which is some kilobytes: where requests come by, only once something is wrong. */
struct error {
    char text[ERROR_TEXT];     /* one sentence, or a line for each fault; "" if nothing is wrong */
    char option[ERROR_OPTION]; /* that is wrong; "" if it is none */
    int line, column;          /* that are wrong, of the text that came; 0 if it is not a place */
};

/* Gives S. Option and place stay as they are. ERR may be NULL: nobody wants the words. */
sm_status error_set(struct error *err, sm_status s, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

/* Adds a line, where everything that is wrong is named; what has no room is left out. Gives 0. */
int error_add(struct error *err, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Writes the lines of WHY, an error's text, to stderr. Gives 1, the process's exit status. */
int error_report(const char *why);

#endif
