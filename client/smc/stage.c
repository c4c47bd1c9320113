/* stage.c - which stage the compile is in that smc waits for, as its server says by the compile's key. */
#include "digest.h"
#include "key.h"
#include "smc.h"

#include <stdlib.h>
#include <string.h>

enum { ASK_MS = 1000 };

static struct {
    int is_on; /* boolean: a compile is watched */
    sm_options options;
    unsigned char digest[SM_DIGEST_BYTES];
    /* Any of the servers may have the compile: the first that is not overloaded, or one behind another one. */
    struct server *servers;             /* *owned* */
    char key[SERVERS_MAX][SM_KEY_TEXT]; /* with each one's context; "": not known yet */
    int count, at;                      /* at: the one that knew last */
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

void stage_watch(const sm_request *r) {
    stage_end();
    watched.is_on = progress_ms() >= 0 && !r->profile && read_options(r) && !watched.options.tiers &&
                    sm_digest(r->module, r->module_len, watched.digest) == SM_OK;
}

void stage_end(void) {
    servers_free(watched.servers, watched.count);
    watched.servers = NULL;
    memset(watched.key, 0, sizeof watched.key);
    watched.is_on = watched.count = watched.at = 0;
}

/* The answer to GET as JSON, *new*; NULL if there is none. A server that cannot be reached is not asked again. */
static json_t *get_json(struct server *s, const char *path) {
    char *text;
    sm_error err;
    sm_result result = s->client ? sm_get(s->client, path, &text, &err) : SM_ERR_SYSTEM;
    if (result != SM_SUCCESS) {
        if (s->client && !err.http) {
            sm_client_free(s->client);
            s->client = NULL;
        }
        return NULL;
    }
    json_t *json = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
    sm_text_free(text);
    return json;
}

/* Computes the compile's key with the server's context. 0 if it says none. */
static int find_key(struct server *s, char key[SM_KEY_TEXT]) {
    json_t *about = get_json(s, "/v1/capabilities");
    const char *context = json_string_value(json_object_get(about, "key_context"));
    int ok = context && sm_key_valid(context, strlen(context)) &&
             sm_key(context, SM_JOB_COMPILE, &watched.options, watched.digest, key) == SM_OK;
    json_decref(about);
    return ok;
}

/* The servers of the flags, each with a client of its own. 0 if there is none. */
static int find_servers(void) {
    const struct args none = {.files = 0};
    sm_error err;
    if (watched.servers)
        return 1;
    watched.is_on = servers_of(&none, &watched.servers, &watched.count) && watched.count;
    for (int i = 0; i < watched.count; i++)
        watched.servers[i].client = server_client_of(watched.servers[i].url, ASK_MS, &err);
    return watched.is_on;
}

/* What the server of this number says of the compile, *new*; NULL if it does not have it. */
static json_t *ask(int i) {
    char path[sizeof "/v1/progress/" + SM_KEY_TEXT];
    if (!watched.key[i][0] && !find_key(&watched.servers[i], watched.key[i]))
        return NULL;
    snprintf(path, sizeof path, "/v1/progress/%s", watched.key[i]);
    return get_json(&watched.servers[i], path);
}

const char *stage_now(void) {
    static char word[32];
    json_t *about = NULL;
    word[0] = 0;
    if (!watched.is_on || !find_servers())
        return word;
    for (int i = 0; !about && i < watched.count; i++) {
        about = ask(watched.at);
        if (!about)
            watched.at = (watched.at + 1) % watched.count;
    }
    const char *stage = json_string_value(json_object_get(about, "stage"));
    const char *state = json_string_value(json_object_get(about, "state"));
    snprintf(word, sizeof word, "%s", stage ? stage : state ? state : "");
    clean_text(word);
    json_decref(about);
    return word;
}
