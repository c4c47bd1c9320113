/* accept.c - see accept.h. */
#include "accept.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct range {
    const char *type;
    size_t len;
    double q;
};

static const char *skip_space(const char *p) {
    while (*p == ' ' || *p == '\t')
        p++;
    return p;
}

/* LEN without trailing spaces and tabs at P. */
static size_t trimmed(const char *p, size_t len) {
    while (len && (p[len - 1] == ' ' || p[len - 1] == '\t'))
        len--;
    return len;
}

/* The q parameter among a media range's parameters; 1 if there is none, 0 if it is invalid. */
static double quality(const char *params, size_t len) {
    for (size_t i = 0; i < len; i++) {
        if (params[i] != ';')
            continue;
        const char *p = skip_space(params + i + 1);
        if ((p[0] == 'q' || p[0] == 'Q') && p[1] == '=') {
            double q = strtod(p + 2, NULL);
            return q >= 0 && q <= 1 ? q : 0;
        }
    }
    return 1;
}

/* Takes the next media range off the header; 0 at its end. */
static int next_range(const char **at, struct range *r) {
    const char *p = *at;
    while (*p == ',' || *p == ' ' || *p == '\t')
        p++;
    if (!*p)
        return 0;
    size_t len = strcspn(p, ","), type = strcspn(p, ",;");
    r->type = p;
    r->len = trimmed(p, type);
    r->q = quality(p + type, len - type);
    *at = p + len;
    return 1;
}

/* How closely a range names an offer: 0 not at all, 1 by "*" in both parts, 2 by its type, 3 by type and subtype. */
static int closeness(const struct range *r, const char *offer) {
    size_t type = strcspn(offer, "/");
    if (r->len == strlen(offer) && strncasecmp(r->type, offer, r->len) == 0)
        return 3;
    if (r->len == type + 2 && strncasecmp(r->type, offer, type + 1) == 0 && r->type[type + 1] == '*')
        return 2;
    return r->len == 3 && memcmp(r->type, "*/*", 3) == 0;
}

int accept_choose(const char *accept, const char *const *offers) {
    int best = -1;
    double best_q = 0;
    if (!accept || !*skip_space(accept))
        return 0;
    for (int i = 0; offers[i]; i++)
        if (strcmp(accept, offers[i]) == 0)
            return i;
    for (int i = 0; offers[i]; i++) {
        struct range r;
        const char *at = accept;
        int closest = 0;
        double q = 0;
        while (next_range(&at, &r)) {
            int c = closeness(&r, offers[i]);
            if (c > closest) {
                closest = c;
                q = r.q;
            }
        }
        if (q > best_q) {
            best_q = q;
            best = i;
        }
    }
    return best;
}

const char *const coding_names[CODINGS] = {NULL, "gzip", "zstd"};

/* How much the Accept-Encoding header wants the coding, from 0 to 1. */
static double wanted_quality(const char *header, enum coding coding) {
    const char *name = coding_names[coding];
    struct range r;
    while (header && next_range(&header, &r))
        if (r.len == strlen(name) && strncasecmp(r.type, name, r.len) == 0)
            return r.q;
    return 0;
}

int accept_takes(const char *header, enum coding coding) {
    return wanted_quality(header, coding) > 0;
}

enum coding accept_coding(const char *header) {
    double gzip = wanted_quality(header, CODING_GZIP), zstd = wanted_quality(header, CODING_ZSTD);
    if (zstd > 0 && zstd >= gzip)
        return CODING_ZSTD;
    return gzip > 0 ? CODING_GZIP : CODING_NONE;
}
