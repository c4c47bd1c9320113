/* answer.c - what a server gave: an artifact, whole and checked, or a problem's diagnostics. */
#include "artifact.h"
#include "digest.h"
#include "error.h"
#include "fetch.h"

#include <stdlib.h>
#include <string.h>

struct sm_answer {
    unsigned char *body; /* owned; the artifact's parts are in it */
    size_t len;
    char signature[256];
    sm_artifact artifact;
    char *text[SM_PART_KINDS]; /* owned: parts that are texts, terminated */
    json_t *diagnostics;       /* array, or NULL */
    char key[SM_KEY_TEXT], cache[16];
    int more; /* boolean */
};

static const int is_text[SM_PART_KINDS] = {
    [SM_PART_META] = 1,   [SM_PART_STACKMAP] = 1, [SM_PART_IR] = 1,      [SM_PART_ASM] = 1,
    [SM_PART_DISASM] = 1, [SM_PART_REMARKS] = 1,  [SM_PART_EXPLAIN] = 1, [SM_PART_MODERN] = 1,
    [SM_PART_STAGES] = 1, [SM_PART_LINKS] = 1,    [SM_PART_LINES] = 1};

/* Copies the parts that are texts, to terminate them. 0 if out of memory. */
static int copy_texts(sm_answer *a) {
    for (int i = 0; i < SM_PART_KINDS; i++) {
        sm_slice s = a->artifact.part[i];
        if (!is_text[i] || !s.data)
            continue;
        a->text[i] = malloc(s.len + 1);
        if (!a->text[i])
            return 0;
        memcpy(a->text[i], s.data, s.len);
        a->text[i][s.len] = 0;
    }
    return 1;
}

/* Reads the artifact in the answer's body, with its diagnostics. Fails if it is damaged or of another version. */
static sm_result read_artifact(sm_answer *a, size_t len, sm_error *err) {
    enum { EMPTY_ARRAY = 2 };
    sm_status s = sm_artifact_read(a->body, len, &a->artifact);
    if (s == SM_INCOMPATIBLE)
        return fail(err, SM_ERR_INCOMPATIBLE, "The server's artifacts are of another version");
    if (s != SM_OK)
        return fail(err, SM_ERR_DAMAGED, "The artifact is damaged: %s", sm_status_text(s));
    sm_slice d = a->artifact.part[SM_PART_DIAGNOSTICS];
    if (d.len > SM_DIAGNOSTICS_MAX)
        return fail(err, SM_ERR_DAMAGED, "The artifact is damaged: its diagnostics have %zu bytes", d.len);
    int no_memory = 0;
    if (d.len > EMPTY_ARRAY)
        a->diagnostics = json_of(d.data, d.len, &no_memory);
    return !no_memory && copy_texts(a) ? SM_SUCCESS
                                       : fail(err, SM_ERR_NO_MEMORY, "Out of memory: no room for the answer");
}

int answer_is_signed(const sm_answer *a, sm_signing_key *const *keys, size_t count, const char *key) {
    unsigned char artifact[SM_DIGEST_BYTES], object[SM_DIGEST_BYTES];
    sm_slice o = a->artifact.part[SM_PART_OBJECT];
    struct sm_key k;
    return sm_key_read(key, strlen(key), &k) && sm_digest(a->body, a->len, artifact) == SM_OK &&
           sm_digest(o.data, o.len, object) == SM_OK &&
           sm_signature_check(keys, count, a->signature, k.byte, artifact, object);
}

sm_result answer_of_artifact(unsigned char *body, size_t len, const struct transfer *x, sm_answer **answer,
                             sm_status *status, sm_error *err) {
    const char *key = x->key;
    sm_answer *a = calloc(1, sizeof *a);
    *answer = NULL;
    if (!a) {
        free(body);
        return fail(err, SM_ERR_NO_MEMORY, "Out of memory: no room for the answer");
    }
    a->body = body;
    a->len = len;
    snprintf(a->signature, sizeof a->signature, "%s", x->signature);
    snprintf(a->key, sizeof a->key, "%.*s", SM_KEY_TEXT - 1, sm_key_valid(key, strlen(key)) ? key : "");
    snprintf(a->cache, sizeof a->cache, "%s", x->cache);
    sm_result r = read_artifact(a, len, err);
    if (r != SM_SUCCESS) {
        sm_answer_free(a);
        return r;
    }
    *status = a->artifact.status;
    *answer = a;
    return SM_SUCCESS;
}

sm_answer *answer_of_problem(json_t *problem, const char *key) {
    json_t *d = json_object_get(problem, "diagnostics");
    sm_answer *a = json_array_size(d) ? calloc(1, sizeof *a) : NULL;
    if (a) {
        a->diagnostics = json_incref(d);
        snprintf(a->key, sizeof a->key, "%s", sm_key_valid(key, strlen(key)) ? key : "");
    }
    return a;
}

void sm_answer_free(sm_answer *a) {
    if (!a)
        return;
    for (int i = 0; i < SM_PART_KINDS; i++)
        free(a->text[i]);
    json_decref(a->diagnostics);
    free(a->body);
    free(a);
}

/* ---- What is in it ------------------------------------------------------------------------------------------ */

const void *sm_answer_object(const sm_answer *a, size_t *len) {
    sm_slice s = a ? a->artifact.part[SM_PART_OBJECT] : (sm_slice){0};
    if (len)
        *len = s.len;
    return s.data;
}

/* A part's text and its length; NULL if the answer does not have it. */
static const char *part_text(const sm_answer *a, int part, size_t *len) {
    const char *t = a ? a->text[part] : NULL;
    if (len)
        *len = t ? a->artifact.part[part].len : 0;
    return t;
}

const char *sm_answer_stackmap(const sm_answer *a, size_t *len) {
    return part_text(a, SM_PART_STACKMAP, len);
}

const char *sm_answer_meta(const sm_answer *a, size_t *len) {
    return part_text(a, SM_PART_META, len);
}

const char *sm_answer_text(const sm_answer *a, const char *part, size_t *len) {
    for (int i = SM_PART_IR; i < SM_PART_KINDS; i++)
        if (strcmp(part, sm_part_name((unsigned)i)) == 0)
            return part_text(a, i, len);
    return part_text(NULL, 0, len);
}

const char *sm_answer_signature(const sm_answer *a) {
    return a ? a->signature : "";
}

const char *sm_answer_key(const sm_answer *a) {
    return a ? a->key : "";
}

const char *sm_answer_cache(const sm_answer *a) {
    return a ? a->cache : "";
}

void answer_set_more(sm_answer *a) {
    a->more = 1;
}

int sm_answer_more(const sm_answer *a) {
    return a && a->more;
}

size_t sm_answer_diagnostics(const sm_answer *a) {
    return a ? json_array_size(a->diagnostics) : 0;
}

/* A member as a number; 0 if there is none, or it does not fit. */
static uint32_t member_number(const json_t *o, const char *name) {
    json_int_t n = json_integer_value(json_object_get(o, name));
    return n > 0 && n <= UINT32_MAX ? (uint32_t)n : 0;
}

int sm_answer_diagnostic(const sm_answer *a, size_t i, sm_diagnostic *out) {
    const json_t *d = a ? json_array_get(a->diagnostics, i) : NULL;
    if (!d)
        return 0;
    *out = (sm_diagnostic){.severity = json_string_value(json_object_get(d, "severity")),
                           .message = json_string_value(json_object_get(d, "message")),
                           .function = json_string_value(json_object_get(d, "function")),
                           .source = json_string_value(json_object_get(d, "source")),
                           .line = member_number(d, "line"),
                           .column = member_number(d, "column")};
    return 1;
}

sm_result sm_load_answer(sm_loader *loader, const sm_answer *a, const char *name, sm_object **out, sm_error *err) {
    size_t len;
    const void *object = sm_answer_object(a, &len);
    if (out)
        *out = NULL;
    return object ? sm_load(loader, object, len, name, out, err)
                  : fail(err, SM_ERR_INVALID_ARGUMENT, "The answer has no object");
}
