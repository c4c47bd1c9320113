/* entry.c - see entry.h. */
#include "entry.h"

#include "digest.h"

#include <string.h>

static const char magic[8] = "SMDENTR1";

enum { BEFORE_TEXT = ENTRY_FIXED - SM_DIGEST_BYTES };

sm_status entry_write(sm_buf *out, const struct origin *o, size_t artifact_len, size_t module_len) {
    unsigned char digest[SM_DIGEST_BYTES];
    size_t at = out->len, text_len = strlen(o->options);
    sm_buf_put(out, magic, sizeof magic);
    sm_buf_put_u32(out, ENTRY_VERSION);
    sm_buf_put_u32(out, (uint32_t)text_len);
    sm_buf_put_u64(out, artifact_len);
    sm_buf_put_u64(out, module_len);
    sm_buf_put(out, o->key.byte, sizeof o->key.byte);
    sm_buf_put(out, o->input, sizeof o->input);
    sm_buf_put(out, o->context, sizeof o->context);
    if (sm_buf_put(out, o->options, text_len) != SM_OK)
        return out->status;
    if (sm_digest(out->data + at, out->len - at, digest) != SM_OK)
        return out->status = SM_NOMEM;
    return sm_buf_put(out, digest, sizeof digest);
}

/* Copies 32 bytes from the cursor to TO, if there are as many. */
static void take_bytes(sm_cursor *c, unsigned char to[32]) {
    const unsigned char *bytes = sm_get_bytes(c, 32);
    if (bytes)
        memcpy(to, bytes, 32);
}

sm_status entry_read(const void *bytes, size_t len, size_t file_len, struct entry *e) {
    unsigned char digest[SM_DIGEST_BYTES];
    if (len < ENTRY_FIXED)
        return SM_TRUNCATED;
    sm_cursor c = sm_cursor_of(bytes, len);
    const unsigned char *begin = sm_get_bytes(&c, sizeof magic);
    if (memcmp(begin, magic, sizeof magic) != 0)
        return SM_MALFORMED;
    if (sm_get_u32(&c) != ENTRY_VERSION)
        return SM_INCOMPATIBLE;
    uint32_t text_len = sm_get_u32(&c);
    uint64_t artifact_len = sm_get_u64(&c), module_len = sm_get_u64(&c);
    take_bytes(&c, e->origin.key.byte);
    take_bytes(&c, e->origin.input);
    take_bytes(&c, e->origin.context);
    if (text_len >= ENTRY_TEXT_MAX)
        return SM_MALFORMED;
    const unsigned char *text = sm_get_bytes(&c, text_len), *stored = sm_get_bytes(&c, sizeof digest);
    if (!stored)
        return SM_TRUNCATED;
    if (sm_digest(bytes, BEFORE_TEXT + text_len, digest) != SM_OK)
        return SM_NOMEM;
    if (memcmp(digest, stored, sizeof digest) != 0)
        return SM_DAMAGED;
    if (memchr(text, 0, text_len))
        return SM_MALFORMED;
    memcpy(e->origin.options, text, text_len);
    e->origin.options[text_len] = 0;
    e->artifact = ENTRY_FIXED + text_len;
    if (file_len < e->artifact || file_len - e->artifact < artifact_len ||
        file_len - e->artifact - artifact_len != module_len)
        return SM_TRUNCATED;
    e->artifact_len = (size_t)artifact_len;
    e->module = e->artifact + e->artifact_len;
    e->module_len = (size_t)module_len;
    return SM_OK;
}
