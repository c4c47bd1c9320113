/* crashes.h - the memory of crashes: a module that crashed the compiler a moment ago is answered without running it
 * again.
 *
 * Bounded: the newest CRASHES_MAX keys, each for a limited time. Not thread-safe: the board's lock covers it.
 */
#ifndef SMD_CRASHES_H
#define SMD_CRASHES_H

#include "job.h"

#define CRASHES_MAX 256

struct crashes {
    struct {
        char key[JOB_KEY_TEXT];
        uint64_t until_ns;
        struct result *result; /* owned reference */
    } entry[CRASHES_MAX];
    size_t next;
};

void crashes_add(struct crashes *c, const char *key, struct result *r, uint64_t until_ns);

/* The result of a crash that is still remembered, *borrowed*; NULL otherwise. */
struct result *crashes_find(struct crashes *c, const char *key, uint64_t now_ns);

void crashes_clear(struct crashes *c);

/* Keeps input, options and log of a crash as three files in DIR, named by the key; at most MAX crashes stay there,
 * the oldest go first. Failures are logged and otherwise ignored. Called without the lock. */
void crash_keep(const char *dir, int max, const struct job *job, const char *log);

#endif
