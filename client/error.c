/* error.c - results as text, and the caller's sm_error. */
#include "error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int sm_version(void) {
    return SM_VERSION;
}

static const struct {
    sm_result result;
    const char *name, *text;
} rows[] = {
#define ROW(number, name, text) {SM_##name, #name, text},
    SM_RESULT_MAP(ROW)
#undef ROW
};

const char *sm_result_name(sm_result result) {
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].result == result)
            return rows[i].name;
    return "ERR_UNKNOWN";
}

/* What a result means, as a sentence. */
const char *sm_result_text(sm_result result) {
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].result == result)
            return rows[i].text;
    return "Unknown result";
}

sm_result fail(sm_error *err, sm_result result, const char *fmt, ...) {
    va_list ap;
    if (!err)
        return result;
    memset(err, 0, sizeof *err);
    err->result = result;
    va_start(ap, fmt);
    vsnprintf(err->message, sizeof err->message, fmt, ap);
    va_end(ap);
    return result;
}

sm_result take_struct(void *to, size_t to_size, const void *from, const char *name, sm_error *err) {
    size_t size;
    memset(to, 0, to_size);
    if (!from)
        return SM_SUCCESS;
    memcpy(&size, from, sizeof size);
    if (size < sizeof size)
        return fail(err, SM_ERR_INVALID_ARGUMENT, "The size of the %s is %zu; it is sizeof(%s)", name, size, name);
    memcpy(to, from, size < to_size ? size : to_size);
    return SM_SUCCESS;
}
