/* scope.h - what a credential lets its holder do: the words of a token file, for smd, which reads it, and smc, which
 * writes it. docs/operations.md says it in words. */
#ifndef SM_SCOPE_H
#define SM_SCOPE_H

#include <string.h>
#include <time.h>

/* Bits. */
enum sm_scope { SM_SCOPE_COMPILE = 1, SM_SCOPE_READ = 2, SM_SCOPE_METRICS = 4, SM_SCOPE_ADMIN = 8 };

static const char *const sm_scope_names[] = {"compile", "read", "metrics", "admin"};
enum { SM_SCOPES = sizeof sm_scope_names / sizeof *sm_scope_names };

/* The scope of a name, LEN characters long; 0 if there is none. */
static inline unsigned sm_scope_of(const char *name, size_t len) {
    for (unsigned i = 0; i < SM_SCOPES; i++)
        if (strlen(sm_scope_names[i]) == len && memcmp(sm_scope_names[i], name, len) == 0)
            return 1u << i;
    return 0;
}

/* Bytes of a name of a credential, of a tenant or of a part of the cache, with the end. */
enum { SM_TENANT_NAME = 64 };

/* 1 if the text is such a name, which is harmless in logs and metrics. */
static inline int sm_tenant_valid(const char *text) {
    size_t len = strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.");
    return len && !text[len] && len < SM_TENANT_NAME;
}

/* Reads the date at which a credential expires: 2027-01-31 or 2027-01-31T12:00:00Z, in UTC. 0 if it is no such date. */
static inline int sm_expiry_read(const char *text, time_t *to) {
    struct tm t = {0};
    const char *end = strptime(text, strchr(text, 'T') ? "%Y-%m-%dT%H:%M:%SZ" : "%Y-%m-%d", &t);
    *to = end ? timegm(&t) : 0;
    return end && !*end;
}

#endif
