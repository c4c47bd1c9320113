/* holder.c - see holder.h. */
#include "holder.h"

#include "clock.h"
#include "usage.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

enum { TENANTS = 64 }; /* with counters of their own; the rest are "other" */

/* A tenant's counters, which never go: a name that comes back goes on counting. */
struct tenant {
    char name[SM_TENANT_NAME];
    atomic_llong requests, refused, bytes, cpu_ns;
};

struct tenants {
    pthread_mutex_t lock;
    struct tenant tenant[TENANTS + 1]; /* the last: all others */
    int count;
};

struct holder {
    struct access_row row;
    struct tenant *tenant;
    atomic_int refs;
    struct usage *usage; /* a reference: shared with who stood in the row before */
};

/* ---- Tenants -------------------------------------------------------------------------------------------------- */

struct tenants *tenants_new(void) {
    struct tenants *t = calloc(1, sizeof *t);
    if (!t)
        return NULL;
    pthread_mutex_init(&t->lock, NULL);
    strcpy(t->tenant[TENANTS].name, "other");
    return t;
}

void tenants_free(struct tenants *t) {
    if (!t)
        return;
    pthread_mutex_destroy(&t->lock);
    free(t);
}

/* The counters of a tenant's name. */
static struct tenant *tenant_of(struct tenants *t, const char *name) {
    struct tenant *found = NULL;
    pthread_mutex_lock(&t->lock);
    for (int i = 0; i < t->count && !found; i++)
        found = strcmp(t->tenant[i].name, name) == 0 ? &t->tenant[i] : NULL;
    if (!found && t->count == TENANTS) {
        found = &t->tenant[TENANTS];
    } else if (!found) {
        found = &t->tenant[t->count++];
        strcpy(found->name, name);
    }
    pthread_mutex_unlock(&t->lock);
    return found;
}

/* Appends a counter of all tenants, in units of which UNIT are one of what is counted. */
static void put_counter(const struct tenants *t, int count, const char *name, const char *help, size_t offset,
                        double unit, sm_buf *out) {
    sm_buf_printf(out, "# HELP %s %s\n# TYPE %s counter\n", name, help, name);
    for (int i = 0; i <= TENANTS; i++) {
        const struct tenant *one = &t->tenant[i];
        long long n = atomic_load((const atomic_llong *)(const void *)((const char *)one + offset));
        if (i < count || (i == TENANTS && n))
            sm_buf_printf(out, "%s{tenant=\"%s\"} %.*f\n", name, one->name, unit > 1 ? 6 : 0, (double)n / unit);
    }
}

void tenants_metrics(struct tenants *t, sm_buf *out) {
    pthread_mutex_lock(&t->lock);
    int count = t->count;
    pthread_mutex_unlock(&t->lock);
    put_counter(t, count, "smd_tenant_requests_total", "Requests by tenant; over 64 tenants count as \"other\".",
                offsetof(struct tenant, requests), 1, out);
    put_counter(t, count, "smd_tenant_refused_total", "Requests over a limit of their token, by tenant.",
                offsetof(struct tenant, refused), 1, out);
    put_counter(t, count, "smd_tenant_body_bytes_total", "Bytes of bodies as they came, by tenant.",
                offsetof(struct tenant, bytes), 1, out);
    put_counter(t, count, "smd_tenant_cpu_seconds_total", "Time of workers that jobs took, by tenant.",
                offsetof(struct tenant, cpu_ns), 1e9, out);
}

/* ---- Holders -------------------------------------------------------------------------------------------------- */

struct holder *holder_new(struct tenants *t, const struct access_row *row, const struct holder *before) {
    struct holder *h = calloc(1, sizeof *h);
    if (!h)
        return NULL;
    h->usage = before ? usage_ref(before->usage) : usage_new();
    if (!h->usage) {
        free(h);
        return NULL;
    }
    h->row = *row;
    h->tenant = tenant_of(t, row->tenant);
    atomic_init(&h->refs, 1);
    return h;
}

struct holder *holder_ref(struct holder *h) {
    atomic_fetch_add(&h->refs, 1);
    return h;
}

void holder_unref(struct holder *h) {
    if (!h || atomic_fetch_sub(&h->refs, 1) != 1)
        return;
    usage_unref(h->usage);
    free(h);
}

int holder_is_idle(const struct holder *h) {
    return atomic_load(&h->refs) == 1;
}

const struct access_row *holder_row(const struct holder *h) {
    return &h->row;
}

/* ---- Limits --------------------------------------------------------------------------------------------------- */

/* Counts a request that is refused. */
static void count_refused(struct holder *h) {
    atomic_fetch_add_explicit(&h->tenant->refused, 1, memory_order_relaxed);
}

sm_status holder_admit(struct holder *h) {
    int rate = h->row.requests_per_s;
    atomic_fetch_add_explicit(&h->tenant->requests, 1, memory_order_relaxed);
    if (!rate || usage_admit(h->usage, rate, sm_clock_ns()))
        return SM_OK;
    count_refused(h);
    return SM_TOO_MANY_REQUESTS;
}

sm_status holder_begin(struct holder *h) {
    if (usage_begin(h->usage, h->row.jobs))
        return SM_OK;
    count_refused(h);
    return SM_TOO_MANY_REQUESTS;
}

void holder_end(struct holder *h) {
    usage_end(h->usage);
}

/* Seconds until so much of WHAT may be used; 0 if it may be now. MOST is 0 if there is no limit. */
static int await_day(struct holder *h, enum daily what, uint64_t most, uint64_t more) {
    time_t now = time(NULL);
    uint64_t used = most ? usage_of_day(h->usage, what, now) : 0;
    if (!most || (used <= most && more <= most - used))
        return 0;
    count_refused(h);
    return usage_day_left(now);
}

int holder_await_bytes(struct holder *h, uint64_t bytes) {
    return await_day(h, DAILY_BYTES, (uint64_t)h->row.mib_per_day << 20, bytes);
}

int holder_take_bytes(struct holder *h, size_t bytes) {
    atomic_fetch_add_explicit(&h->tenant->bytes, (long long)bytes, memory_order_relaxed);
    usage_add(h->usage, DAILY_BYTES, bytes, time(NULL));
    return holder_await_bytes(h, 0);
}

int holder_await_cpu(struct holder *h) {
    return await_day(h, DAILY_CPU_NS, (uint64_t)h->row.cpu_s_per_day * 1000000000u, 1);
}

void holder_spend(void *holder, uint64_t ns) {
    struct holder *h = holder;
    atomic_fetch_add_explicit(&h->tenant->cpu_ns, (long long)ns, memory_order_relaxed);
    usage_add(h->usage, DAILY_CPU_NS, ns, time(NULL));
}
