/* The head of a file of the daemon's cache. Its digest is set right first: what is behind it is to be reached. What is
 * read can be written again, as the same bytes. */
#include "fuzz.h"

#include "entry.h"

#include <openssl/sha.h>
#include <string.h>

enum { TEXT_LEN_AT = 12, TEXT_AT = 128 };

/* The digest stands behind the options' text, if the text's length leaves it in the file. */
static void set_digest(uint8_t *bytes, size_t size) {
    if (size < ENTRY_FIXED)
        return;
    size_t text = (size_t)bytes[TEXT_LEN_AT] | (size_t)bytes[TEXT_LEN_AT + 1] << 8;
    if (TEXT_AT + text + SHA256_DIGEST_LENGTH <= size)
        SHA256(bytes, TEXT_AT + text, bytes + TEXT_AT + text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static struct entry e;
    sm_artifact a;
    sm_buf out;
    uint8_t *bytes = malloc(size ? size : 1);
    must(bytes);
    if (size)
        memcpy(bytes, data, size);
    set_digest(bytes, size);
    if (entry_read(bytes, size, size, &e) == SM_OK) {
        must(e.artifact + e.artifact_len == e.module && e.module + e.module_len == size);
        sm_buf_init(&out, size + 1);
        must(entry_write(&out, &e.origin, e.artifact_len, e.module_len) == SM_OK);
        must(out.len == e.artifact && memcmp(out.data, bytes, out.len) == 0);
        sm_buf_free(&out);
        sm_artifact_read(bytes + e.artifact, e.artifact_len, &a);
    }
    free(bytes);
    return 0;
}
