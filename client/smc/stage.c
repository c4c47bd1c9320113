/* stage.c - which stage the compile is in that smc waits for, as its server says by the compile's key. */
#include "digest.h"
#include "key.h"
#include "smc.h"

#include <stdlib.h>
#include <string.h>

static struct {
    sm_client *client; /* borrowed; NULL: nobody asks, or nobody knows */
    sm_options options;
    unsigned char digest[SM_DIGEST_BYTES];
    char key[SM_KEY_TEXT]; /* "": not known yet */
} watched;

/* Sets the options that the key has, as libsmclient sends them. 0 if this program does not know one. */
static int read_options(const sm_request *r) {
    int has_target = 0;
    sm_options_init(&watched.options);
    for (const char *const *o = r->options; o && *o; o++) {
        char name[64];
        size_t n = strcspn(*o, "=");
        if (n >= sizeof name || (*o)[n] != '=')
            return 0;
        snprintf(name, sizeof name, "%.*s", (int)n, *o);
        has_target |= strcmp(name, "target") == 0;
        if (sm_options_set(&watched.options, name, *o + n + 1, strlen(*o + n + 1), NULL) != SM_OK)
            return 0;
    }
    const char *target = r->target ? r->target : sm_target_host()->triple;
    return has_target || sm_options_set(&watched.options, "target", target, strlen(target), NULL) == SM_OK;
}

void stage_watch(sm_client *client, const sm_request *r) {
    watched.client = NULL;
    watched.key[0] = 0;
    if (progress_ms() >= 0 && !r->profile && read_options(r) && !watched.options.tiers &&
        sm_digest(r->module, r->module_len, watched.digest) == SM_OK)
        watched.client = client;
}

/* The answer to GET as JSON, *new*; NULL if there is none. */
static json_t *get_json(const char *path) {
    char *text;
    if (sm_get(watched.client, path, &text, NULL) != SM_SUCCESS)
        return NULL;
    json_t *json = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
    sm_text_free(text);
    return json;
}

/* Computes the key with the server's context. 0 if it says none. */
static int find_key(void) {
    json_t *about = get_json("/v1/capabilities");
    const char *context = json_string_value(json_object_get(about, "key_context"));
    int ok = context && sm_key_valid(context, strlen(context)) &&
             sm_key(context, SM_JOB_COMPILE, &watched.options, watched.digest, watched.key) == SM_OK;
    json_decref(about);
    return ok;
}

const char *stage_now(void) {
    static char word[32];
    char path[sizeof "/v1/progress/" + SM_KEY_TEXT];
    word[0] = 0;
    if (watched.client && !watched.key[0] && !find_key())
        watched.client = NULL;
    if (!watched.client)
        return word;
    snprintf(path, sizeof path, "/v1/progress/%s", watched.key);
    json_t *about = get_json(path);
    const char *stage = json_string_value(json_object_get(about, "stage"));
    const char *state = json_string_value(json_object_get(about, "state"));
    snprintf(word, sizeof word, "%s", stage ? stage : state ? state : "");
    clean_text(word);
    json_decref(about);
    return word;
}
