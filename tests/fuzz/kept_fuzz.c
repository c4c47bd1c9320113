/* Kept parts' bytes. The digest is set right first: what is behind it is to be reached. Each part that the table
 * names is found, within the bytes; what is read can be written again, and holds the same. */
#include "fuzz.h"

#include "kept.h"

#include <openssl/evp.h>
#include <string.h>

enum { DIGEST_AT = 32, ENTRY = SM_KEPT_KEY + 16 };

static void set_digest(uint8_t *bytes, size_t len) {
    EVP_MD_CTX *hash = EVP_MD_CTX_new();
    EVP_DigestInit_ex(hash, EVP_sha256(), NULL);
    EVP_DigestUpdate(hash, bytes, DIGEST_AT);
    EVP_DigestUpdate(hash, bytes + SM_KEPT_HEADER, len - SM_KEPT_HEADER);
    EVP_DigestFinal_ex(hash, bytes + DIGEST_AT, NULL);
    EVP_MD_CTX_free(hash);
}

/* The part of each entry of the table, found by its key; each byte of it is read. *New*. */
static sm_kept_part *found_parts(const uint8_t *bytes, size_t size, const sm_kept *k) {
    sm_kept_part *part = calloc(k->parts + 1, sizeof *part);
    must(part && k->parts <= (size - SM_KEPT_HEADER) / ENTRY);
    for (size_t i = 0; i < k->parts; i++) {
        memcpy(part[i].key, bytes + SM_KEPT_HEADER + i * ENTRY, SM_KEPT_KEY);
        part[i].object = sm_kept_find(k, part[i].key);
        must(part[i].object.data >= bytes + SM_KEPT_HEADER + k->parts * ENTRY);
        must(part[i].object.len <= (size_t)(bytes + size - part[i].object.data));
    }
    return part;
}

/* Writes the parts anew: as many bytes as was said, in which each is found as it was. */
static void write_again(sm_kept_part *part, size_t parts, size_t size) {
    sm_buf out;
    sm_kept again;
    must(sm_kept_size(part, parts) <= size + 8); /* an object's end may be without its padding */
    sm_buf_init(&out, size + 8);
    must(sm_kept_write(&out, part, parts) == SM_OK && out.len == sm_kept_size(part, parts));
    must(sm_kept_read(out.data, out.len, &again) == SM_OK && again.parts == parts);
    for (size_t i = 0; i < parts; i++) {
        sm_slice object = sm_kept_find(&again, part[i].key);
        must(object.data && object.len == part[i].object.len);
        must(object.len == 0 || memcmp(object.data, part[i].object.data, object.len) == 0);
    }
    sm_buf_free(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const unsigned char nobodys[SM_KEPT_KEY] = {1};
    sm_kept k;
    uint8_t *bytes = malloc(size ? size : 1);
    must(bytes);
    if (size)
        memcpy(bytes, data, size);
    if (size >= SM_KEPT_HEADER)
        set_digest(bytes, size);
    if (sm_kept_read(bytes, size, &k) == SM_OK) {
        sm_kept_part *part = found_parts(bytes, size, &k);
        sm_kept_find(&k, nobodys);
        write_again(part, k.parts, size);
        free(part);
    } else {
        must(k.parts == 0 && !sm_kept_find(&k, nobodys).data);
    }
    free(bytes);
    return 0;
}
