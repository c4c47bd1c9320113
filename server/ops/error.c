/* error.c - see error.h. */
#include "error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

sm_status error_set(struct error *err, sm_status s, const char *fmt, ...) {
    va_list ap;
    if (!err)
        return s;
    va_start(ap, fmt);
    vsnprintf(err->text, sizeof err->text, fmt, ap);
    va_end(ap);
    return s;
}

int error_add(struct error *err, const char *fmt, ...) {
    va_list ap;
    size_t used = strlen(err->text), size = sizeof err->text;
    if (used && used + 1 < size)
        err->text[used++] = '\n';
    va_start(ap, fmt);
    vsnprintf(err->text + used, size - used, fmt, ap);
    va_end(ap);
    return 0;
}

int error_report(const char *why) {
    for (; *why; why += strspn(why, "\n")) {
        int len = (int)strcspn(why, "\n");
        fprintf(stderr, "smd: %.*s\n", len, why);
        why += len;
    }
    return 1;
}
