/* job.c - see job.h. */
#include "job.h"

#include <openssl/sha.h>
#include <stdio.h>
#include <stdlib.h>

struct job *job_new(enum sm_job_kind kind) {
    struct job *j = calloc(1, sizeof *j);
    if (j) {
        j->kind = kind;
        sm_options_init(&j->options);
    }
    return j;
}

void job_free(struct job *j) {
    if (j)
        free(j->input);
    free(j);
}

static void hex(const unsigned char digest[SHA256_DIGEST_LENGTH], char *text) {
    for (int i = 0; i < SHA256_DIGEST_LENGTH; i++)
        sprintf(text + 2 * i, "%02x", digest[i]);
}

sm_status job_key(struct job *j, const unsigned char digest[32], const char *compiler_build) {
    char input[JOB_KEY_TEXT];
    unsigned char key[SHA256_DIGEST_LENGTH];
    sm_buf text;
    hex(digest, input);
    sm_buf_init(&text, 16384);
    sm_buf_printf(&text, "smd-key-1\nkind=%s\nartifact=%u\ncompiler=%s\n",
                  j->kind == SM_JOB_COMPILE ? "compile" : "stackmap", SM_ARTIFACT_VERSION, compiler_build);
    if (j->kind == SM_JOB_COMPILE)
        sm_options_text(&j->options, 1, &text);
    sm_buf_printf(&text, "input=%s\n", input);
    if (text.status == SM_OK) {
        SHA256(text.data, text.len, key);
        hex(key, j->key);
    }
    sm_status s = text.status;
    sm_buf_free(&text);
    return s;
}
