/* An artifact's bytes. The digest is set right first: what is behind it is to be reached. What is read can be written
 * again, and reads as the same. */
#include "fuzz.h"

#include "artifact.h"

#include <openssl/evp.h>
#include <string.h>

enum { DIGEST_AT = 32 };

static void set_digest(uint8_t *bytes, size_t len) {
    EVP_MD_CTX *hash = EVP_MD_CTX_new();
    EVP_DigestInit_ex(hash, EVP_sha256(), NULL);
    EVP_DigestUpdate(hash, bytes, DIGEST_AT);
    EVP_DigestUpdate(hash, bytes + SM_ARTIFACT_HEADER, len - SM_ARTIFACT_HEADER);
    EVP_DigestFinal_ex(hash, bytes + DIGEST_AT, NULL);
    EVP_MD_CTX_free(hash);
}

static void same(const sm_artifact *a, const sm_artifact *b) {
    must(a->status == b->status);
    for (unsigned i = 0; i < SM_PART_KINDS; i++) {
        must(!a->part[i].data == !b->part[i].data && a->part[i].len == b->part[i].len);
        must(a->part[i].len == 0 || memcmp(a->part[i].data, b->part[i].data, a->part[i].len) == 0);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    sm_artifact a, again;
    sm_buf out;
    uint8_t *bytes = malloc(size ? size : 1);
    must(bytes);
    if (size)
        memcpy(bytes, data, size);
    if (size >= SM_ARTIFACT_HEADER)
        set_digest(bytes, size);
    sm_buf_init(&out, 4 * size + 4096);
    if (sm_artifact_read(bytes, size, &a) == SM_OK) {
        must(sm_artifact_write(&out, &a) == SM_OK);
        must(sm_artifact_read(out.data, out.len, &again) == SM_OK);
        same(&a, &again);
    }
    sm_buf_free(&out);
    free(bytes);
    return 0;
}
