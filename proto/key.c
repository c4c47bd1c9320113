/* key.c - see key.h. */
#include "key.h"

#include "artifact.h"
#include "digest.h"

static void hex(const unsigned char digest[SM_DIGEST_BYTES], char text[SM_KEY_TEXT]) {
    static const char digits[] = "0123456789abcdef";
    for (int i = 0; i < SM_DIGEST_BYTES; i++) {
        text[2 * i] = digits[digest[i] >> 4];
        text[2 * i + 1] = digits[digest[i] & 15];
    }
    text[2 * SM_DIGEST_BYTES] = 0;
}

/* The digest of TEXT, which is freed. */
static sm_status digest(sm_buf *text, char out[SM_KEY_TEXT]) {
    unsigned char bytes[SM_DIGEST_BYTES];
    sm_status s = text->status;
    if (s == SM_OK)
        s = sm_digest(text->data, text->len, bytes);
    if (s == SM_OK)
        hex(bytes, out);
    sm_buf_free(text);
    return s;
}

sm_status sm_key_context(const char *compiler_build, const char *salt, char context[SM_KEY_TEXT]) {
    sm_buf text;
    sm_buf_init(&text, 16384);
    sm_buf_printf(&text, "smd-key-1\nartifact=%u\ncompiler=%s\nsalt=%s\n", SM_ARTIFACT_VERSION, compiler_build, salt);
    return digest(&text, context);
}

sm_status sm_key(const char *context, enum sm_job_kind kind, const sm_options *options,
                 const unsigned char input_digest[32], char key[SM_KEY_TEXT]) {
    char input[SM_KEY_TEXT];
    sm_buf text;
    sm_buf_init(&text, 16384);
    hex(input_digest, input);
    sm_buf_puts(&text, "context=");
    sm_buf_puts(&text, context);
    sm_buf_puts(&text, kind == SM_JOB_COMPILE ? "\nkind=compile\n" : "\nkind=stackmap\n");
    if (kind == SM_JOB_COMPILE)
        sm_options_text(options, 1, &text);
    sm_buf_puts(&text, "input=");
    sm_buf_puts(&text, input);
    sm_buf_puts(&text, "\n");
    return digest(&text, key);
}

int sm_key_valid(const char *text, size_t len) {
    if (len != SM_KEY_TEXT - 1)
        return 0;
    int valid = 1; /* of all of them: without a branch for each */
    for (size_t i = 0; i < SM_KEY_TEXT - 1; i++)
        valid &= ((text[i] >= '0') & (text[i] <= '9')) | ((text[i] >= 'a') & (text[i] <= 'f'));
    return valid;
}
