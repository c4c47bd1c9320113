/* issued.c - see issued.h. */
#include "issued.h"

#include "jwtkeys.h"
#include "ownfile.h"

#include <openssl/crypto.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { SETS = 256, WAYS = 4 };          /* tokens that are remembered: so many of the same place, the oldest goes */
enum { CLIENTS = 1024, FAILURES = 10 }; /* refused after a signature was checked, a second, of clients of one place */

struct seen {
    unsigned char digest[SM_DIGEST_BYTES];
    struct jwt_claims claims; /* expires is 0 where there is none */
};

struct issued {
    const struct settings *settings;
    pthread_mutex_t lock; /* of what follows */
    struct jwtkeys *keys;
    struct ownfile_stamp stamp;
    struct seen seen[SETS][WAYS];
    unsigned char next[SETS]; /* the way that goes next */
    struct {
        time_t second;
        int count;
    } failures[CLIENTS];
};

/* The set that a digest is remembered in. */
static unsigned set_of(const unsigned char *digest) {
    return digest[0] % SETS;
}

/* Copies the claims of a token that was checked before and has not expired. All ways are compared, each in constant
 * time. 0 if it is not remembered. Under the lock. */
static int find_seen(const struct issued *i, const unsigned char *digest, time_t now, struct jwt_claims *c) {
    const struct seen *found = NULL, *set = i->seen[set_of(digest)];
    for (int way = 0; way < WAYS; way++)
        if (CRYPTO_memcmp(set[way].digest, digest, SM_DIGEST_BYTES) == 0)
            found = &set[way];
    if (!found || now >= found->claims.expires + i->settings->jwt_leeway_s)
        return 0;
    *c = found->claims;
    return 1;
}

/* Remembers a token. Under the lock. */
static void remember(struct issued *i, const unsigned char *digest, const struct jwt_claims *c) {
    unsigned set = set_of(digest);
    struct seen *to = &i->seen[set][i->next[set]++ % WAYS];
    memcpy(to->digest, digest, sizeof to->digest);
    to->claims = *c;
}

/* Counts MORE signatures that were checked in vain for the client. 1 if there may be no further ones in this second. Under
 * the lock. */
static int count_failures(struct issued *i, uint64_t client, time_t now, int more) {
    unsigned place = client % CLIENTS;
    if (i->failures[place].second != now)
        i->failures[place].count = 0;
    i->failures[place].second = now;
    i->failures[place].count += more;
    return i->failures[place].count >= FAILURES;
}

enum jwt_fault issued_check(struct issued *i, const char *token, const unsigned char digest[SM_DIGEST_BYTES],
                            uint64_t client, time_t now, struct jwt_claims *c) {
    const struct settings *s = i->settings;
    const struct jwt_rules rules = {s->jwt_issuer, s->jwt_audience, s->jwt_tenant_claim, s->jwt_leeway_s};
    struct jwt t;
    pthread_mutex_lock(&i->lock);
    int is_seen = find_seen(i, digest, now, c);
    int has_failed = !is_seen && count_failures(i, client, now, 0);
    struct jwtkeys *keys = is_seen || has_failed ? NULL : jwtkeys_ref(i->keys);
    pthread_mutex_unlock(&i->lock);
    if (!keys)
        return is_seen ? JWT_FINE : JWT_TOO_MANY;
    enum jwt_fault f = jwt_read(token, &t);
    int is_read = f == JWT_FINE;
    if (is_read)
        f = jwtkeys_verify(keys, token, &t);
    if (f == JWT_FINE)
        f = jwt_read_claims(t.claims, &rules, now, c);
    pthread_mutex_lock(&i->lock);
    if (f == JWT_FINE && keys == i->keys) /* else the key may have been revoked meanwhile */
        remember(i, digest, c);
    if (is_read && f != JWT_FINE && f != JWT_UNKNOWN_KEY && f != JWT_WRONG_ALG)
        count_failures(i, client, now, 1);
    pthread_mutex_unlock(&i->lock);
    jwtkeys_unref(keys);
    return f;
}

sm_status issued_reload(struct issued *i, struct error *err) {
    struct ownfile_stamp stamp = ownfile_stamp(i->settings->jwt_keys); /* before it is read */
    struct jwtkeys *fresh = jwtkeys_read(i->settings->jwt_keys, err), *old = NULL;
    pthread_mutex_lock(&i->lock);
    i->stamp = stamp;
    if (fresh) {
        old = i->keys;
        i->keys = fresh;
        memset(i->seen, 0, sizeof i->seen);
    }
    pthread_mutex_unlock(&i->lock);
    jwtkeys_unref(old);
    return fresh ? SM_OK : SM_INVALID_OPTION;
}

int issued_has_changed(const struct issued *i) {
    return ownfile_has_changed(i->settings->jwt_keys, &i->stamp);
}

struct issued *issued_new(const struct settings *s, struct error *err) {
    struct issued *i = NULL;
    if (!s->jwt_issuer[0] || !s->jwt_audience[0] || !s->jwt_tenant_claim[0])
        error_set(err, SM_INVALID_OPTION, "jwt_keys: it needs jwt_issuer, jwt_audience and jwt_tenant_claim");
    else if (!(i = calloc(1, sizeof *i)))
        error_set(err, SM_NOMEM, "out of memory");
    if (!i)
        return NULL;
    i->settings = s;
    pthread_mutex_init(&i->lock, NULL);
    if (issued_reload(i, err) == SM_OK)
        return i;
    issued_free(i);
    return NULL;
}

void issued_free(struct issued *i) {
    if (!i)
        return;
    jwtkeys_unref(i->keys);
    pthread_mutex_destroy(&i->lock);
    free(i);
}
