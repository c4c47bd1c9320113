/* access.c - see access.h. */
#include "access.h"

#include "clock.h"
#include "digest.h"

#include <limits.h>
#include <openssl/crypto.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>
#include <sys/stat.h>

enum { TENANTS = 64 }; /* with counters of their own; the rest are "other" */

/* A tenant's counters, which never go: a name that comes back goes on counting. */
struct tenant {
    char name[SM_TENANT_NAME];
    atomic_llong requests, refused;
};

struct holder {
    struct access_row row;
    struct tenant *tenant; /* the access's */
    atomic_int refs;
    atomic_int *jobs; /* owned by the last of all tables' rows of this name: see take_over */
    pthread_mutex_t lock;
    double credit; /* requests that it may make now; under the lock, as what follows */
    uint64_t credited_ns;
};

struct access {
    char path[PATH_MAX];
    pthread_mutex_t lock; /* of all below but counters */
    struct holder **holders;
    int count;
    struct timespec changed; /* the file's, when it was read, as what follows */
    ino_t inode;
    off_t size;
    struct tenant tenants[TENANTS + 1]; /* the last: all others */
    int tenant_count;
};

/* ---- Holders ------------------------------------------------------------------------------------------------ */

/* The counters of a tenant's name. Under the lock. */
static struct tenant *tenant_of(struct access *a, const char *name) {
    for (int i = 0; i < a->tenant_count; i++)
        if (strcmp(a->tenants[i].name, name) == 0)
            return &a->tenants[i];
    if (a->tenant_count == TENANTS)
        return &a->tenants[TENANTS];
    strcpy(a->tenants[a->tenant_count].name, name);
    return &a->tenants[a->tenant_count++];
}

void holder_unref(struct holder *h) {
    if (!h || atomic_fetch_sub(&h->refs, 1) != 1)
        return;
    if (atomic_fetch_sub(&h->jobs[1], 1) == 1)
        free(h->jobs);
    pthread_mutex_destroy(&h->lock);
    free(h);
}

const struct access_row *holder_row(const struct holder *h) {
    return &h->row;
}

/* A holder of the row. What the one that it replaces (may be NULL) has running counts on: jobs[0] counts it, jobs[1]
 * who shares this count. NULL if out of memory. *new* */
static struct holder *new_holder(struct access *a, const struct access_row *row, struct holder *before) {
    struct holder *h = calloc(1, sizeof *h);
    if (!h)
        return NULL;
    h->jobs = before ? before->jobs : calloc(2, sizeof *h->jobs);
    if (!h->jobs) {
        free(h);
        return NULL;
    }
    atomic_fetch_add(&h->jobs[1], 1);
    h->row = *row;
    h->tenant = tenant_of(a, row->tenant);
    atomic_init(&h->refs, 1);
    pthread_mutex_init(&h->lock, NULL);
    h->credit = row->requests_per_s;
    h->credited_ns = sm_clock_ns();
    return h;
}

sm_status holder_admit(struct holder *h) {
    int rate = h->row.requests_per_s, fits = 1;
    atomic_fetch_add_explicit(&h->tenant->requests, 1, memory_order_relaxed);
    if (rate) {
        pthread_mutex_lock(&h->lock);
        uint64_t now = sm_clock_ns();
        h->credit += (double)(now - h->credited_ns) * rate / 1e9;
        h->credited_ns = now;
        if (h->credit > rate)
            h->credit = rate;
        fits = h->credit >= 1;
        h->credit -= fits;
        pthread_mutex_unlock(&h->lock);
    }
    if (!fits)
        atomic_fetch_add_explicit(&h->tenant->refused, 1, memory_order_relaxed);
    return fits ? SM_OK : SM_TOO_MANY_REQUESTS;
}

sm_status holder_begin(struct holder *h) {
    int before = atomic_fetch_add(&h->jobs[0], 1);
    if (!h->row.jobs || before < h->row.jobs)
        return SM_OK;
    atomic_fetch_sub(&h->jobs[0], 1);
    atomic_fetch_add_explicit(&h->tenant->refused, 1, memory_order_relaxed);
    return SM_TOO_MANY_REQUESTS;
}

void holder_end(struct holder *h) {
    atomic_fetch_sub(&h->jobs[0], 1);
}

/* ---- The table ---------------------------------------------------------------------------------------------- */

static void drop_holders(struct holder **holders, int count) {
    for (int i = 0; i < count; i++)
        holder_unref(holders[i]);
    free(holders);
}

/* Makes holders of the rows. NULL if out of memory. Under the lock. *new* */
static struct holder **make_holders(struct access *a, const struct access_row *rows, int count) {
    struct holder **made = calloc((size_t)count + 1, sizeof(struct holder *));
    for (int i = 0; made && i < count; i++) {
        struct holder *before = NULL;
        for (int k = 0; k < a->count && !before; k++)
            before = strcmp(a->holders[k]->row.name, rows[i].name) == 0 ? a->holders[k] : NULL;
        made[i] = new_holder(a, &rows[i], before);
        if (!made[i]) {
            drop_holders(made, i);
            return NULL;
        }
    }
    return made;
}

sm_status access_reload(struct access *a, struct error *err) {
    struct access_row *rows;
    struct stat st = {0};
    stat(a->path, &st); /* before it is read: a change meanwhile is seen the next time */
    int count = rows_read(a->path, &rows, err);
    pthread_mutex_lock(&a->lock);
    a->changed = st.st_mtim;
    a->inode = st.st_ino;
    a->size = st.st_size;
    struct holder **made = count >= 0 ? make_holders(a, rows, count) : NULL, **old = a->holders;
    int old_count = a->count;
    if (made) {
        a->holders = made;
        a->count = count;
    }
    pthread_mutex_unlock(&a->lock);
    free(rows);
    if (made)
        drop_holders(old, old_count);
    else if (count >= 0)
        return error_set(err, SM_NOMEM, "out of memory");
    return made ? SM_OK : SM_INVALID_OPTION;
}

int access_has_changed(const struct access *a) {
    struct stat st;
    return stat(a->path, &st) == 0 &&
           (st.st_mtim.tv_sec != a->changed.tv_sec || st.st_mtim.tv_nsec != a->changed.tv_nsec ||
            st.st_ino != a->inode || st.st_size != a->size);
}

struct access *access_new(const char *path, struct error *err) {
    struct access *a = calloc(1, sizeof *a);
    if (!a) {
        error_set(err, SM_NOMEM, "out of memory");
        return NULL;
    }
    snprintf(a->path, sizeof a->path, "%s", path);
    pthread_mutex_init(&a->lock, NULL);
    strcpy(a->tenants[TENANTS].name, "other");
    if (access_reload(a, err) == SM_OK)
        return a;
    access_free(a);
    return NULL;
}

void access_free(struct access *a) {
    if (!a)
        return;
    drop_holders(a->holders, a->count);
    pthread_mutex_destroy(&a->lock);
    free(a);
}

/* ---- Who asks ----------------------------------------------------------------------------------------------- */

/* 1 if the row is the holder's of what is shown. DIGEST is compared in constant time. */
static int is_shown(const struct access_row *row, enum proof proof, const unsigned char *digest, uid_t user) {
    if (row->proof != proof)
        return 0;
    return proof == PROOF_USER ? row->user == user : CRYPTO_memcmp(row->sha256, digest, sizeof row->sha256) == 0;
}

/* The holder who shows this by PROOF; NULL if there is none. All rows are compared. *new* */
static struct holder *find_holder(struct access *a, enum proof proof, const unsigned char *digest, uid_t user) {
    struct holder *found = NULL;
    pthread_mutex_lock(&a->lock);
    for (int i = 0; i < a->count; i++)
        if (is_shown(&a->holders[i]->row, proof, digest, user))
            found = a->holders[i];
    if (found)
        atomic_fetch_add(&found->refs, 1);
    pthread_mutex_unlock(&a->lock);
    return found;
}

/* The holder of an Authorization header's token. *new* */
static struct holder *find_by_token(struct access *a, const char *header, const char **why) {
    static const char scheme[] = "Bearer ";
    unsigned char digest[SM_DIGEST_BYTES];
    *why = "The Authorization is not 'Bearer TOKEN'";
    if (strncasecmp(header, scheme, sizeof scheme - 1) != 0)
        return NULL;
    const char *token = header + sizeof scheme - 1;
    *why = "The token is not one of this server's";
    return sm_digest(token, strlen(token), digest) == SM_OK ? find_holder(a, PROOF_TOKEN, digest, 0) : NULL;
}

struct holder *access_find(struct access *a, const struct shown *shown, const char **why) {
    struct holder *h = NULL;
    *why = "This server asks who you are: send 'Authorization: Bearer TOKEN'";
    if (shown->authorization) {
        h = find_by_token(a, shown->authorization, why);
    } else if (shown->certificate) {
        h = find_holder(a, PROOF_CERTIFICATE, shown->certificate, 0);
        *why = "Nobody is known by this certificate";
    } else if (shown->has_user) {
        h = find_holder(a, PROOF_USER, NULL, shown->user);
    }
    if (!h || !h->row.expires || time(NULL) < h->row.expires)
        return h;
    holder_unref(h);
    *why = "What you show has expired";
    return NULL;
}

/* ---- Metrics ------------------------------------------------------------------------------------------------ */

/* Appends a counter of all tenants. */
static void put_counter(const struct access *a, int count, const char *name, const char *help, size_t offset,
                        sm_buf *out) {
    sm_buf_printf(out, "# HELP %s %s\n# TYPE %s counter\n", name, help, name);
    for (int i = 0; i <= TENANTS; i++) {
        const struct tenant *t = &a->tenants[i];
        long long n = atomic_load((const atomic_llong *)(const void *)((const char *)t + offset));
        if (i < count || (i == TENANTS && n))
            sm_buf_printf(out, "%s{tenant=\"%s\"} %lld\n", name, t->name, n);
    }
}

void access_metrics(struct access *a, sm_buf *out) {
    pthread_mutex_lock(&a->lock);
    int count = a->tenant_count;
    pthread_mutex_unlock(&a->lock);
    put_counter(a, count, "smd_tenant_requests_total", "Requests by tenant; over 64 tenants count as \"other\".",
                offsetof(struct tenant, requests), out);
    put_counter(a, count, "smd_tenant_refused_total", "Requests over a limit of their token, by tenant.",
                offsetof(struct tenant, refused), out);
}
