/* error.c - see error.h. */
#include "error.h"

#include <stdarg.h>
#include <stdio.h>

sm_status error_set(struct error *err, sm_status s, const char *fmt, ...) {
    va_list ap;
    if (!err)
        return s;
    va_start(ap, fmt);
    vsnprintf(err->text, sizeof err->text, fmt, ap);
    va_end(ap);
    return s;
}
