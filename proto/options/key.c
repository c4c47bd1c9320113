/* key.c - see key.h. */
#include "key.h"

#include "artifact.h"
#include "digest.h"
#include "hex.h"

void sm_key_text(const struct sm_key *key, char text[SM_KEY_TEXT]) {
    *sm_hex_put(text, key->byte, SM_KEY_BYTES) = 0;
}

int sm_key_read(const char *text, size_t len, struct sm_key *key) {
    return len == SM_KEY_TEXT - 1 && sm_hex_get(text, key->byte, SM_KEY_BYTES);
}

/* Computes the SHA-256 of TEXT, and frees it. */
static sm_status digest(sm_buf *text, struct sm_key *out) {
    sm_status s = text->status;
    if (s == SM_OK)
        s = sm_digest(text->data, text->len, out->byte);
    sm_buf_free(text);
    return s;
}

sm_status sm_key_context(const char *compiler_build, const char *salt, char context[SM_KEY_TEXT]) {
    struct sm_key key;
    sm_buf text;
    sm_buf_init(&text, 16384);
    sm_buf_printf(&text, "smd-key-1\nartifact=%u\ncompiler=%s\nsalt=%s\n", SM_ARTIFACT_VERSION, compiler_build, salt);
    sm_status s = digest(&text, &key);
    if (s == SM_OK)
        sm_key_text(&key, context);
    return s;
}

sm_status sm_key_make(const char *context, enum sm_job_kind kind, const sm_options *options,
                      const unsigned char input_digest[32], struct sm_key *key) {
    struct sm_key input;
    char input_text[SM_KEY_TEXT];
    sm_buf text;
    sm_buf_init(&text, 16384);
    memcpy(input.byte, input_digest, sizeof input.byte);
    sm_key_text(&input, input_text);
    sm_buf_puts(&text, "context=");
    sm_buf_puts(&text, context);
    sm_buf_puts(&text, kind == SM_JOB_COMPILE ? "\nkind=compile\n" : "\nkind=stackmap\n");
    if (kind == SM_JOB_COMPILE)
        sm_options_text(options, 1, &text);
    sm_buf_puts(&text, "input=");
    sm_buf_puts(&text, input_text);
    sm_buf_puts(&text, "\n");
    return digest(&text, key);
}

sm_status sm_key(const char *context, enum sm_job_kind kind, const sm_options *options,
                 const unsigned char input_digest[32], char key[SM_KEY_TEXT]) {
    struct sm_key raw;
    sm_status s = sm_key_make(context, kind, options, input_digest, &raw);
    if (s == SM_OK)
        sm_key_text(&raw, key);
    return s;
}

int sm_key_valid(const char *text, size_t len) {
    if (len != SM_KEY_TEXT - 1)
        return 0;
    int valid = 1; /* of all of them: without a branch for each */
    for (size_t i = 0; i < SM_KEY_TEXT - 1; i++)
        valid &= ((text[i] >= '0') & (text[i] <= '9')) | ((text[i] >= 'a') & (text[i] <= 'f'));
    return valid;
}
