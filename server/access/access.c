/* access.c - see access.h. */
#include "access.h"

#include "container.h"
#include "digest.h"
#include "hash.h"
#include "issued.h"
#include "ownfile.h"

#include <openssl/crypto.h>
#include <pthread.h>
#include <stdlib.h>
#include <strings.h>

enum { GUESTS = 4096, ALL_SCOPES = SM_SCOPE_COMPILE | SM_SCOPE_READ | SM_SCOPE_METRICS | SM_SCOPE_ADMIN };

/* A tenant that an identity provider names, and that no row is for. */
struct guest {
    struct hash_node node; /* by its name */
    struct holder *holder;
    unsigned generation; /* of the table by which the holder was made */
    unsigned long used;  /* when it came last */
};

struct access {
    const struct settings *settings;
    struct tenants *tenants;
    struct issued *issued; /* NULL: no JWT is a token */
    pthread_mutex_t lock;  /* of all that follows */
    struct holder **holders;
    int count;
    struct ownfile_stamp stamp;
    struct hash guests;
    unsigned generation;
    unsigned long uses;
};

int access_is_wanted(const struct settings *s) {
    return s->tokens[0] || s->jwt_keys[0];
}

/* ---- The table ------------------------------------------------------------------------------------------------ */

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
            before = strcmp(holder_row(a->holders[k])->name, rows[i].name) == 0 ? a->holders[k] : NULL;
        made[i] = holder_new(a->tenants, &rows[i], before);
        if (!made[i]) {
            drop_holders(made, i);
            return NULL;
        }
    }
    return made;
}

/* Reads the token file. */
static sm_status read_tokens(struct access *a, struct error *err) {
    struct access_row *rows;
    const char *path = a->settings->tokens;
    struct ownfile_stamp stamp =
        ownfile_stamp(path); /* before it is read: a change meanwhile is seen the next time */
    int count = rows_read(path, &rows, err);
    pthread_mutex_lock(&a->lock);
    a->stamp = stamp;
    struct holder **made = count >= 0 ? make_holders(a, rows, count) : NULL, **old = a->holders;
    int old_count = a->count;
    if (made) {
        a->holders = made;
        a->count = count;
        a->generation++;
    }
    pthread_mutex_unlock(&a->lock);
    free(rows);
    if (made)
        drop_holders(old, old_count);
    else if (count >= 0)
        return error_set(err, SM_NOMEM, "out of memory");
    return made ? SM_OK : SM_INVALID_OPTION;
}

sm_status access_reload(struct access *a, enum access_file file, struct error *err) {
    return file == ACCESS_TOKENS ? read_tokens(a, err) : issued_reload(a->issued, err);
}

int access_has(const struct access *a, enum access_file file) {
    return file == ACCESS_TOKENS ? a->settings->tokens[0] != 0 : a->issued != NULL;
}

int access_has_changed(const struct access *a, enum access_file file) {
    return access_has(a, file) && (file == ACCESS_TOKENS ? ownfile_has_changed(a->settings->tokens, &a->stamp)
                                                         : issued_has_changed(a->issued));
}

struct access *access_new(const struct settings *s, struct error *err) {
    struct access *a = calloc(1, sizeof *a);
    if (!a || !(a->tenants = tenants_new())) {
        free(a);
        error_set(err, SM_NOMEM, "out of memory");
        return NULL;
    }
    a->settings = s;
    pthread_mutex_init(&a->lock, NULL);
    if ((!s->tokens[0] || read_tokens(a, err) == SM_OK) && (!s->jwt_keys[0] || (a->issued = issued_new(s, err))))
        return a;
    access_free(a);
    return NULL;
}

static void free_guest(struct access *a, struct guest *g) {
    hash_remove(&a->guests, &g->node);
    holder_unref(g->holder);
    free(g);
}

void access_free(struct access *a) {
    if (!a)
        return;
    for (struct hash_node *n = hash_first(&a->guests), *next; n; n = next) {
        next = hash_next(&a->guests, n);
        free_guest(a, container_of(n, struct guest, node));
    }
    hash_free(&a->guests);
    drop_holders(a->holders, a->count);
    issued_free(a->issued);
    tenants_free(a->tenants);
    pthread_mutex_destroy(&a->lock);
    free(a);
}

/* ---- Tenants of an identity provider -------------------------------------------------------------------------- */

/* The row's holder for JWTs of this subject; NULL if there is none. Under the lock. */
static struct holder *holder_of_subject(const struct access *a, const char *subject) {
    for (int i = 0; i < a->count; i++) {
        const struct access_row *row = holder_row(a->holders[i]);
        if (row->proof == PROOF_JWT && strcmp(row->subject, subject) == 0)
            return a->holders[i];
    }
    return NULL;
}

/* What a tenant of this name may, that has no row: as the row for all others, if there is one. Under the lock. */
static sm_status row_of_guest(const struct access *a, const char *name, struct access_row *row) {
    const struct holder *others = holder_of_subject(a, "*");
    if (others)
        *row = *holder_row(others);
    else
        *row = (struct access_row){.proof = PROOF_JWT, .scopes = ALL_SCOPES};
    strcpy(row->name, name);
    strcpy(row->tenant, name);
    return row->shares ? SM_OK : rows_space(name, &row->space);
}

/* FNV-1a. What an identity provider calls its tenants is no attack on it. */
static uint64_t hash_name(const char *name) {
    uint64_t h = UINT64_C(0xcbf29ce484222325);
    for (; *name; name++)
        h = (h ^ (unsigned char)*name) * UINT64_C(0x100000001b3);
    return h;
}

/* Forgets the guest that came least recently, of those that ask for nothing now; and what it has used. */
static void forget_guest(struct access *a) {
    struct guest *oldest = NULL;
    for (struct hash_node *n = hash_first(&a->guests); n; n = hash_next(&a->guests, n)) {
        struct guest *g = container_of(n, struct guest, node);
        if (holder_is_idle(g->holder) && (!oldest || g->used < oldest->used))
            oldest = g;
    }
    if (oldest)
        free_guest(a, oldest);
}

/* The guest of this name; NULL if there is none. Under the lock. */
static struct guest *find_guest(const struct access *a, const char *name) {
    struct hash_node *n = hash_find(&a->guests, hash_name(name));
    while (n && strcmp(holder_row(container_of(n, struct guest, node)->holder)->name, name) != 0)
        n = hash_find_next(n);
    return n ? container_of(n, struct guest, node) : NULL;
}

/* Adds a guest without a holder. NULL if out of memory, or all others ask for something. Under the lock. */
static struct guest *add_guest(struct access *a, const char *name) {
    if (a->guests.count >= GUESTS)
        forget_guest(a);
    struct guest *g = a->guests.count < GUESTS ? calloc(1, sizeof *g) : NULL;
    if (g && hash_add(&a->guests, &g->node, hash_name(name))) {
        g->used = a->uses++;
        return g;
    }
    free(g);
    return NULL;
}

/* The holder for a tenant without a row, by the table in force; NULL if out of memory. Under the lock. */
static struct holder *holder_of_guest(struct access *a, const char *name) {
    struct access_row row;
    struct guest *g = find_guest(a, name);
    if (g)
        g->used = a->uses++;
    if (g && g->generation == a->generation)
        return g->holder;
    struct holder *made =
        row_of_guest(a, name, &row) == SM_OK ? holder_new(a->tenants, &row, g ? g->holder : NULL) : NULL;
    if (made && !g)
        g = add_guest(a, name);
    if (!made || !g) {
        holder_unref(made);
        return NULL;
    }
    holder_unref(g->holder);
    g->holder = made;
    g->generation = a->generation;
    return made;
}

/* ---- Who asks ------------------------------------------------------------------------------------------------- */

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
        if (is_shown(holder_row(a->holders[i]), proof, digest, user))
            found = a->holders[i];
    if (found)
        holder_ref(found);
    pthread_mutex_unlock(&a->lock);
    return found;
}

static struct holder *refuse(struct verdict *v, sm_status status, const char *why) {
    v->status = status;
    v->why = why;
    return NULL;
}

/* The holder for the tenant that a JWT names. *new* */
static struct holder *find_tenant(struct access *a, const char *subject, struct verdict *v) {
    int is_name = sm_tenant_valid(subject);
    pthread_mutex_lock(&a->lock);
    struct holder *found = strcmp(subject, "*") == 0 ? NULL : holder_of_subject(a, subject);
    if (!found && is_name)
        found = holder_of_guest(a, subject);
    if (found)
        holder_ref(found);
    pthread_mutex_unlock(&a->lock);
    if (found)
        return found;
    return is_name ? refuse(v, SM_OVERLOADED, "Too many tenants ask at once")
                   : refuse(v, SM_UNAUTHORISED, jwt_fault_text(JWT_WRONG_SUBJECT));
}

/* The holder of an Authorization header's token. *new* */
static struct holder *find_by_token(struct access *a, const char *header, uint64_t client, struct verdict *v) {
    static const char scheme[] = "Bearer ";
    unsigned char digest[SM_DIGEST_BYTES];
    struct jwt_claims c;
    if (strncasecmp(header, scheme, sizeof scheme - 1) != 0)
        return refuse(v, SM_UNAUTHORISED, "The Authorization is not 'Bearer TOKEN'");
    const char *token = header + sizeof scheme - 1;
    if (sm_digest(token, strlen(token), digest) != SM_OK)
        return refuse(v, SM_NOMEM, NULL);
    struct holder *h = find_holder(a, PROOF_TOKEN, digest, 0);
    if (h)
        return h;
    if (!a->issued || !strchr(token, '.'))
        return refuse(v, SM_UNAUTHORISED, "The token is not one of this server's");
    enum jwt_fault f = issued_check(a->issued, token, digest, client, time(NULL), &c);
    if (f != JWT_FINE)
        return refuse(v, f == JWT_TOO_MANY ? SM_TOO_MANY_REQUESTS : SM_UNAUTHORISED, jwt_fault_text(f));
    v->scopes = c.scopes;
    return find_tenant(a, c.subject, v);
}

struct holder *access_find(struct access *a, const struct shown *shown, struct verdict *v) {
    struct holder *h = NULL;
    *v = (struct verdict){.status = SM_UNAUTHORISED,
                          .scopes = ALL_SCOPES,
                          .why = "This server asks who you are: send 'Authorization: Bearer TOKEN'"};
    if (shown->authorization) {
        h = find_by_token(a, shown->authorization, shown->client, v);
    } else if (shown->certificate) {
        h = find_holder(a, PROOF_CERTIFICATE, shown->certificate, 0);
        v->why = "Nobody is known by this certificate";
    } else if (shown->has_user) {
        h = find_holder(a, PROOF_USER, NULL, shown->user);
    }
    if (!h)
        return NULL;
    const struct access_row *row = holder_row(h);
    if (row->expires && time(NULL) >= row->expires) {
        holder_unref(h);
        return refuse(v, SM_UNAUTHORISED, "What you show has expired");
    }
    v->status = SM_OK;
    v->scopes &= row->scopes;
    return h;
}

/* 1 if no row is for the holder. */
static int is_guest(const struct access_row *row) {
    return row->proof == PROOF_JWT && (!row->subject[0] || strcmp(row->subject, "*") == 0);
}

void access_name(const struct holder *h, char name[ACCESS_NAME]) {
    const struct access_row *row = holder_row(h);
    snprintf(name, ACCESS_NAME, "%s%s", is_guest(row) ? "jwt:" : "", row->name);
}

struct holder *access_named(struct access *a, const char *name) {
    struct holder *found = NULL;
    pthread_mutex_lock(&a->lock);
    for (int i = 0; i < a->count && !found; i++)
        found = strcmp(holder_row(a->holders[i])->name, name) == 0 ? a->holders[i] : NULL;
    if (!found && a->issued && strncmp(name, "jwt:", 4) == 0 && sm_tenant_valid(name + 4))
        found = holder_of_guest(a, name + 4);
    if (found)
        holder_ref(found);
    pthread_mutex_unlock(&a->lock);
    return found;
}

void access_metrics(struct access *a, sm_buf *out) {
    tenants_metrics(a->tenants, out);
}
