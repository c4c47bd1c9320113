/* prewarm.c - smc prewarm: what one server has compiled lately is compiled by another, before anybody asks it to. */
#include "base64.h"
#include "key.h"
#include "smc.h"

#include <inttypes.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>

static const char *from;
static int since, at_once = 8;

static const struct flag flags[] = {
    {"from", 'f', FLAG_TEXT, &from, "URL", "the server that has a cache on disk"},
    {"since", 0, FLAG_NUMBER, &since, "SECONDS", "only what was used since then, counted from 1970 (default: all)"},
    {"jobs", 'j', FLAG_NUMBER, &at_once, "N", "modules under way at once (default 8)"},
    {0}};

struct state {
    sm_client *source, *client;
    json_t *keys;
    size_t next, done, compiled, there, missing;
    int running, status;
};

static void free_options(char **list) {
    for (char **o = list; o && *o; o++)
        free(*o);
    free(list);
}

/* "name=value" of each of a form's options, NULL-terminated; *new*, like its texts. NULL if out of memory: without
 * one of them it would be another compile. */
static char **options_of(json_t *form) {
    const char *name;
    json_t *value, *options = json_object_get(form, "options");
    char **list = calloc(json_object_size(options) + 1, sizeof *list);
    int n = 0, ok = list != NULL;
    json_object_foreach(options, name, value) {
        if (!ok || !json_is_string(value))
            continue;
        ok = asprintf(&list[n], "%s=%s", name, json_string_value(value)) >= 0;
        if (ok)
            n++;
        else
            list[n] = NULL;
    }
    if (ok)
        return list;
    free_options(list);
    return NULL;
}

/* Begins the compile of a form; its key stands for it in messages. */
static void submit(struct state *s, const char *key, json_t *form) {
    sm_error err;
    size_t len = 0;
    const json_t *text = json_object_get(form, "bitcode");
    unsigned char *module = NULL;
    if (json_is_string(text))
        sm_base64_get(json_string_value(text), json_string_length(text), &module, &len);
    char **options = options_of(form);
    json_t *own = json_object_get(form, "profile");
    char *profile = own ? json_dumps(own, JSON_COMPACT) : NULL;
    sm_request r = {.size = sizeof r,
                    .module = module,
                    .module_len = len,
                    .options = (const char *const *)options,
                    .profile = profile};
    sm_result result = SM_ERR_DAMAGED;
    if (!module || !options || (own && !profile))
        complain_of(key, module ? "out of memory" : "the server's form cannot be read");
    else if ((result = sm_submit(s->client, &r, NULL, (void *)key, NULL, &err)) != SM_SUCCESS)
        complain_of(key, "%s", err.message);
    if (result == SM_SUCCESS)
        s->running++;
    else
        s->done++;
    worst(&s->status, server_status(result));
    free(module);
    free(profile);
    free_options(options);
}

/* Gets the module of a key and begins its compile. One that is no longer there, or was not kept, is counted as
 * missing. */
static void fetch_module(struct state *s, const char *key) {
    char path[128], *text = NULL;
    sm_error err;
    snprintf(path, sizeof path, "/v1/modules/%s", key);
    sm_result result = sm_get(s->source, path, &text, &err);
    json_t *form = text ? json_loads(text, JSON_REJECT_DUPLICATES, NULL) : NULL;
    if (form) {
        submit(s, key, form);
    } else {
        s->done++;
        s->missing++;
        if (result != SM_ERR_NOT_CACHED)
            worst(&s->status, EXIT_SERVER);
        if (result != SM_ERR_NOT_CACHED && result != SM_SUCCESS)
            report(key, result, NULL, &err);
    }
    json_decref(form);
    sm_text_free(text);
}

/* Counts and reports one compile's end. */
static void finish_entry(struct state *s, const sm_completion *c) {
    const char *key = c->user;
    if (c->result != SM_SUCCESS)
        report(key, c->result, c->answer, &c->error);
    else if (strcmp(sm_answer_cache(c->answer), "compiled") == 0)
        s->compiled++;
    else
        s->there++;
    worst(&s->status, server_status(c->result));
    sm_answer_free(c->answer);
    s->running--;
    s->done++;
}

/* Fetches and compiles all keys' modules, so many at once, and prints the counts. */
static void compile_all(struct state *s) {
    sm_completion c;
    size_t keys = json_array_size(s->keys);
    struct pollfd p = {.fd = sm_client_fd(s->client), .events = POLLIN};
    while (s->done < keys) {
        while (s->next < keys && s->running < at_once) {
            const char *key = json_string_value(json_array_get(s->keys, s->next++));
            fetch_module(s, key);
        }
        if (s->running)
            poll(&p, 1, -1);
        while (sm_client_next(s->client, &c))
            finish_entry(s, &c);
        progress((int)s->done, (int)keys, "");
    }
    progress_end();
    if (!common.quiet)
        printf("%zu keys: %zu compiled, %zu were there, %zu have no module\n", keys, s->compiled, s->there,
               s->missing);
}

/* 1 if this is a list of keys and of nothing else. */
static int are_keys(const json_t *list) {
    size_t i;
    const json_t *one;
    json_array_foreach(list, i, one) {
        if (!json_is_string(one) || !sm_key_valid(json_string_value(one), json_string_length(one)))
            return 0;
    }
    return json_is_array(list);
}

/* The keys that the other server has; NULL, after a message, if it does not say. */
static json_t *manifest(struct state *s) {
    char path[64], *text = NULL;
    sm_error err;
    snprintf(path, sizeof path, "/v1/manifest?since=%d", since);
    sm_result result = sm_get(s->source, path, &text, &err);
    json_t *list = text ? json_loads(text, JSON_REJECT_DUPLICATES, NULL) : NULL, *keys = NULL;
    if (result != SM_SUCCESS)
        report("smc", result, NULL, &err);
    else if (!are_keys(json_object_get(list, "keys")))
        complain("the server's manifest cannot be read");
    else
        keys = json_incref(json_object_get(list, "keys"));
    json_decref(list);
    sm_text_free(text);
    return keys;
}

/* Runs smc prewarm; gives the exit status. */
static int run_prewarm(int argc, char **argv) {
    struct args args;
    sm_error err;
    struct state s = {.status = EXIT_USAGE};
    int status;
    if (!args_read(&prewarm_command, argc, argv, &args, &status))
        return status;
    const char *const servers[] = {from, NULL};
    if (!from)
        complain("say with --from which server's modules are to be compiled");
    s.source = from ? sm_client_new(&(sm_client_options){.size = sizeof(sm_client_options), .servers = servers}, &err)
                    : NULL;
    if (from && !s.source)
        complain("%s", err.message);
    s.client = s.source ? server_client(&s.status) : NULL;
    if (s.client) {
        s.keys = manifest(&s);
        s.status = s.keys ? EXIT_FINE : EXIT_SERVER;
    }
    if (s.keys)
        compile_all(&s);
    json_decref(s.keys);
    sm_client_free(s.client);
    sm_client_free(s.source);
    args_free(&args);
    return s.status;
}

const struct command prewarm_command = {.name = "prewarm",
                                        .operands = "",
                                        .help = "have a server compile what another one has compiled lately",
                                        .run = run_prewarm,
                                        .flags = flags,
                                        .is_remote = 1};
