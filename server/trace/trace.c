/* trace.c - see trace.h. */
#include "trace.h"

#include "hex.h"

#include <string.h>
#include <sys/random.h>

/* Reads N bytes, and the character AFTER behind them (0: the end, or a hyphen). Gives where it goes on; NULL if that
 * is not there. */
static const char *read_bytes(const char *at, unsigned char *bytes, size_t n, char after) {
    at = at ? sm_hex_get(at, bytes, n) : NULL;
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
    *sm_hex_put(text, place->trace, sizeof place->trace) = 0;
}
