/* trace.c - see trace.h. */
#include "trace.h"

#include <string.h>
#include <sys/random.h>

/* The value of a hexadecimal digit in lower case; -1 if it is none. */
static int digit_of(char c) {
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Reads N bytes, and the character AFTER behind them (0: the end, or a hyphen). Gives where it goes on; NULL if that
 * is not there. */
static const char *read_bytes(const char *at, unsigned char *bytes, size_t n, char after) {
    for (size_t i = 0; at && i < n; i++, at += 2) {
        int high = digit_of(at[0]), low = high < 0 ? -1 : digit_of(at[1]);
        if (low < 0)
            return NULL;
        bytes[i] = (unsigned char)(high << 4 | low);
    }
    return at && *at == after ? at + (after != 0) : NULL;
}

static int is_zero(const unsigned char *bytes, size_t n) {
    unsigned char any = 0;
    for (size_t i = 0; i < n; i++)
        any |= bytes[i];
    return !any;
}

int trace_begin_span(struct trace_place *place) {
    int ok = getrandom(place->span, sizeof place->span, 0) == (ssize_t)sizeof place->span;
    place->span[0] |= 1; /* no id is zero */
    return ok;
}

int trace_read(const char *header, struct trace_place *place) {
    enum { SAMPLED = 1, INVALID = 0xff };
    unsigned char version, flags;
    const char *at = read_bytes(header, &version, 1, '-');
    at = read_bytes(at, place->trace, sizeof place->trace, '-');
    at = read_bytes(at, place->parent, sizeof place->parent, '-');
    const char *end = at ? read_bytes(at, &flags, 1, 0) : NULL;
    if (at && !end && version > 0) /* a later version may have more fields */
        end = read_bytes(at, &flags, 1, '-');
    int is_valid = end && version != INVALID && !is_zero(place->trace, sizeof place->trace) &&
                   !is_zero(place->parent, sizeof place->parent);
    if (!is_valid)
        memset(place, 0, sizeof *place);
    else
        place->is_sampled = flags & SAMPLED;
    return is_valid;
}

int trace_new(struct trace_place *place) {
    memset(place, 0, sizeof *place);
    return getrandom(place->trace, sizeof place->trace, 0) == (ssize_t)sizeof place->trace;
}

void trace_text(const struct trace_place *place, char text[TRACE_TEXT]) {
    static const char digits[] = "0123456789abcdef";
    for (size_t i = 0; i < sizeof place->trace; i++) {
        text[2 * i] = digits[place->trace[i] >> 4];
        text[2 * i + 1] = digits[place->trace[i] & 15];
    }
    text[TRACE_TEXT - 1] = 0;
}
