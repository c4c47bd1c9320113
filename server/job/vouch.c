/* vouch.c - see vouch.h. */
#include "vouch.h"

#include "digest.h"

#include <string.h>

static sm_signing_key *own; /* set by vouch_start, constant after it */

sm_status vouch_start(const struct settings *s, struct error *err) {
    const char *path = s->sign_key;
    if (!path[0])
        return SM_OK;
    if (s->cache_dir[0] && !s->mac_key[0])
        return error_set(err, SM_INVALID_OPTION,
                         "sign_key: what lies in cache_dir would be signed, whoever wrote it: set mac_key, too");
    own = sm_signing_key_read(path, 1);
    return own ? SM_OK
               : error_set(err, SM_INVALID_OPTION,
                           "sign_key: %s: this is no private key of Ed25519, as 'openssl genpkey -algorithm ed25519' "
                           "makes it",
                           path);
}

void vouch_end(void) {
    sm_signing_key_free(own);
    own = NULL;
}

/* Signs the result. 0 if that fails. */
static int sign(const struct result *r, const struct sm_key *name, char text[SM_SIGNATURE_TEXT]) {
    unsigned char artifact[SM_DIGEST_BYTES], object[SM_DIGEST_BYTES];
    sm_slice o = r->artifact.part[SM_PART_OBJECT];
    return sm_digest(r->bytes.data, r->bytes.len, artifact) == SM_OK && sm_digest(o.data, o.len, object) == SM_OK &&
           sm_signature_make(own, name->byte, artifact, object, text) == SM_OK;
}

int vouch_for(struct result *r, const struct sm_key *name, char text[SM_SIGNATURE_TEXT]) {
    enum { NONE, BEING_SET, SET };
    int none = NONE;
    if (!own || !r || r->status != SM_OK)
        return 0;
    if (atomic_load(&r->has_signature) == SET) {
        memcpy(text, r->signature, sizeof r->signature);
        return 1;
    }
    if (!sign(r, name, text))
        return 0;
    if (atomic_compare_exchange_strong(&r->has_signature, &none, BEING_SET)) {
        memcpy(r->signature, text, sizeof r->signature);
        atomic_store(&r->has_signature, SET);
    }
    return 1;
}
