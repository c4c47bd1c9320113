/* vouch.c - see vouch.h. */
#include "vouch.h"

#include "digest.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER; /* held while somebody signs */
static sm_signing_key *own;                                /* under the lock */
static atomic_uint generation; /* of the key, from 1 on; 0: nothing is signed. Written under the lock */
static pthread_mutex_t stores = PTHREAD_MUTEX_INITIALIZER; /* of the signatures in results, for the time of a copy */

sm_status vouch_read(const struct settings *s, struct error *err) {
    const char *path = s->sign_key;
    if (!path[0])
        return SM_OK;
    if (s->cache_dir[0] && !s->mac_key[0])
        return error_set(err, SM_INVALID_OPTION,
                         "sign_key: what lies in cache_dir would be signed, whoever wrote it: set mac_key, too");
    sm_signing_key *fresh = sm_signing_key_read(path, 1);
    if (!fresh)
        return error_set(err, SM_INVALID_OPTION,
                         "sign_key: %s: this is no private key of Ed25519, as 'openssl genpkey -algorithm ed25519' "
                         "makes it",
                         path);
    pthread_rwlock_wrlock(&lock);
    sm_signing_key_free(own);
    own = fresh;
    atomic_fetch_add(&generation, 1);
    pthread_rwlock_unlock(&lock);
    return SM_OK;
}

void vouch_end(void) {
    sm_signing_key_free(own);
    own = NULL;
    atomic_store(&generation, 0);
}

/* Signs the result. 0 if that fails. */
static int sign(const struct result *r, const struct sm_key *name, char text[SM_SIGNATURE_TEXT]) {
    unsigned char artifact[SM_DIGEST_BYTES], object[SM_DIGEST_BYTES];
    sm_slice o = r->artifact.part[SM_PART_OBJECT];
    return sm_digest(r->bytes.data, r->bytes.len, artifact) == SM_OK && sm_digest(o.data, o.len, object) == SM_OK &&
           sm_signature_make(own, name->byte, artifact, object, text) == SM_OK;
}

/* Copies the signature that the result has, if it is of this generation's key. */
static int copy_stored(struct result *r, unsigned by, char text[SM_SIGNATURE_TEXT]) {
    pthread_mutex_lock(&stores);
    int fits = r->signed_by == by;
    if (fits)
        memcpy(text, r->signature, sizeof r->signature);
    pthread_mutex_unlock(&stores);
    return fits;
}

/* Signs with the key of now, and stores it for those who ask later. */
static unsigned sign_and_store(struct result *r, const struct sm_key *name, char text[SM_SIGNATURE_TEXT]) {
    pthread_rwlock_rdlock(&lock);
    unsigned by = atomic_load(&generation);
    int ok = sign(r, name, text);
    pthread_rwlock_unlock(&lock);
    if (!ok)
        return 0;
    pthread_mutex_lock(&stores);
    memcpy(r->signature, text, sizeof r->signature);
    r->signed_by = by;
    pthread_mutex_unlock(&stores);
    return by;
}

unsigned vouch_generation(void) {
    return atomic_load(&generation);
}

unsigned vouch_for(struct result *r, const struct sm_key *name, char text[SM_SIGNATURE_TEXT]) {
    unsigned by = atomic_load(&generation);
    if (!by || !r || r->status != SM_OK)
        return 0;
    return copy_stored(r, by, text) ? by : sign_and_store(r, name, text);
}
