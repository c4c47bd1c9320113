/* usage.c - see usage.h. */
#include "usage.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { DAY_S = 86400 };

struct usage {
    atomic_int refs, jobs;
    pthread_mutex_t lock; /* of what follows */
    double credit;        /* requests that may come now */
    uint64_t credited_ns; /* 0: none has come yet */
    time_t day;           /* since 1970 */
    uint64_t used[DAILIES];
};

struct usage *usage_new(void) {
    struct usage *u = calloc(1, sizeof *u);
    if (!u)
        return NULL;
    atomic_init(&u->refs, 1);
    pthread_mutex_init(&u->lock, NULL);
    return u;
}

struct usage *usage_ref(struct usage *u) {
    atomic_fetch_add(&u->refs, 1);
    return u;
}

void usage_unref(struct usage *u) {
    if (atomic_fetch_sub(&u->refs, 1) != 1)
        return;
    pthread_mutex_destroy(&u->lock);
    free(u);
}

int usage_admit(struct usage *u, int rate, uint64_t now_ns) {
    pthread_mutex_lock(&u->lock);
    u->credit += (double)(now_ns - u->credited_ns) * rate / 1e9;
    u->credited_ns = now_ns;
    if (u->credit > rate)
        u->credit = rate;
    int fits = u->credit >= 1;
    u->credit -= fits;
    pthread_mutex_unlock(&u->lock);
    return fits;
}

int usage_begin(struct usage *u, int most) {
    int before = atomic_fetch_add(&u->jobs, 1);
    if (!most || before < most)
        return 1;
    usage_end(u);
    return 0;
}

void usage_end(struct usage *u) {
    atomic_fetch_sub(&u->jobs, 1);
}

/* Begins anew if the day is another. Not if the clock was set back: nobody gets a day twice. Under the lock. */
static void turn_day(struct usage *u, time_t now) {
    if (now / DAY_S <= u->day)
        return;
    u->day = now / DAY_S;
    for (int i = 0; i < DAILIES; i++)
        u->used[i] = 0;
}

void usage_add(struct usage *u, enum daily what, uint64_t n, time_t now) {
    pthread_mutex_lock(&u->lock);
    turn_day(u, now);
    if (__builtin_add_overflow(u->used[what], n, &u->used[what]))
        u->used[what] = UINT64_MAX;
    pthread_mutex_unlock(&u->lock);
}

uint64_t usage_of_day(struct usage *u, enum daily what, time_t now) {
    pthread_mutex_lock(&u->lock);
    turn_day(u, now);
    uint64_t used = u->used[what];
    pthread_mutex_unlock(&u->lock);
    return used;
}

int usage_day_left(time_t now) {
    return DAY_S - (int)(now % DAY_S);
}
