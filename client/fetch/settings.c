/* settings.c - a client's options as it keeps them: its own copy, with the defaults filled in. */
#include "error.h"
#include "fetch.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_SERVER "http://127.0.0.1:8199"

static void fill_u32(uint32_t *field, uint32_t otherwise) {
    if (*field == 0)
        *field = otherwise;
}

static void fill_size(size_t *field, size_t otherwise) {
    if (*field == 0)
        *field = otherwise;
}

static void fill_defaults(sm_client_options *o) {
    if (o->policy == SM_POLICY_DEFAULT)
        o->policy = SM_PREFER_REMOTE;
    fill_u32(&o->connect_ms, 1000);
    fill_u32(&o->deadline_ms, 30000);
    fill_u32(&o->retries, 8);
    fill_u32(&o->backoff_ms, 50);
    fill_u32(&o->backoff_max_ms, 2000);
    fill_u32(&o->breaker_failures, 5);
    fill_u32(&o->breaker_ms, 5000);
    fill_u32(&o->connections, 32);
    fill_size(&o->compress_from, (size_t)16 << 10);
    fill_size(&o->lookup_from, (size_t)64 << 10);
    fill_size(&o->answer_max, (size_t)1 << 30);
    fill_size(&o->bundle_max, (size_t)256 << 20);
}

/* Replaces the options' texts by copies; 0 if out of memory. */
static int own_texts(sm_client_options *o) {
    const char **const fields[] = {&o->ca_file, &o->cert_file, &o->key_file, &o->token};
    int whole = 1;
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        const char *given = *fields[i];
        *fields[i] = given ? strdup(given) : NULL;
        whole &= !given || *fields[i];
    }
    return whole;
}

/* Makes the servers of a list with commas; empty places are passed over. NULL, with *ERR filled, if that fails. */
static struct server *split_servers(const char *list, size_t *count, sm_error *err) {
    char *copy = strdup(list), *state = NULL;
    const char **url = copy ? calloc(strlen(list) / 2 + 2, sizeof *url) : NULL;
    struct server *s = NULL;
    if (url) {
        size_t n = 0;
        for (char *u = strtok_r(copy, ", ", &state); u; u = strtok_r(NULL, ", ", &state))
            url[n++] = u;
        s = servers_new(url, count, err);
    } else {
        fail(err, SM_ERR_NO_MEMORY, "Out of memory: no room for a client");
    }
    free(url);
    free(copy);
    return s;
}

/* Fails if an option's value cannot be right. */
static sm_result check_options(const sm_client_options *o, sm_error *err) {
    if (o->policy < SM_POLICY_DEFAULT || o->policy > SM_CACHE_ONLY)
        return fail(err, SM_ERR_INVALID_ARGUMENT, "policy is %d, which is none", (int)o->policy);
    if (!o->cert_file != !o->key_file)
        return fail(err, SM_ERR_INVALID_ARGUMENT, "cert_file and key_file belong together");
    if (o->token && o->token[strcspn(o->token, "\r\n")])
        return fail(err, SM_ERR_INVALID_ARGUMENT, "The token has a line break in it");
    return SM_SUCCESS;
}

/* Reads the keys that are trusted. */
static sm_result read_trusted(sm_client *c, const char *const *paths, sm_error *err) {
    if (paths && !*paths)
        return fail(err, SM_ERR_INVALID_ARGUMENT, "trusted_keys has no key: nothing could be an answer");
    for (; paths && *paths; paths++) {
        if (c->trusted_count == TRUSTED_MAX)
            return fail(err, SM_ERR_INVALID_ARGUMENT, "There are more than %d trusted_keys", TRUSTED_MAX);
        sm_signing_key *k = sm_signing_key_read(*paths, 0);
        if (!k && errno == ENOMEM)
            return fail(err, SM_ERR_NO_MEMORY, "Out of memory: no room for a key");
        if (!k && errno && errno != ENOENT)
            return fail(err, SM_ERR_SYSTEM, "trusted_keys: %s: %s", *paths, strerror(errno));
        if (!k)
            return fail(err, SM_ERR_INVALID_ARGUMENT, "trusted_keys: %s is no public key of Ed25519 (PEM)", *paths);
        c->trusted[c->trusted_count++] = k;
    }
    return SM_SUCCESS;
}

sm_result settings_take(sm_client *c, const sm_client_options *given, sm_error *err) {
    sm_client_options *o = &c->options;
    sm_result r = take_struct(o, sizeof *o, given, "sm_client_options", err);
    if (r != SM_SUCCESS)
        return r;
    r = check_options(o, err);
    if (r == SM_SUCCESS)
        r = read_trusted(c, o->trusted_keys, err);
    o->trusted_keys = NULL; /* the caller's; c->trusted has them */
    int whole = own_texts(o);
    const char *list = getenv("SMD_SERVER");
    const char *const *urls = o->servers;
    o->servers = NULL; /* the caller's; c->server has them */
    fill_defaults(o);
    if (r == SM_SUCCESS && !whole)
        r = fail(err, SM_ERR_NO_MEMORY, "Out of memory: no room for a client");
    if (r != SM_SUCCESS)
        return r;
    sm_error why = {.result = SM_SUCCESS};
    c->server = urls ? servers_new(urls, &c->servers, &why)
                     : split_servers(list && *list ? list : DEFAULT_SERVER, &c->servers, &why);
    if (!c->server && err)
        *err = why;
    return why.result;
}

void settings_free(sm_client *c) {
    free((char *)c->options.ca_file);
    free((char *)c->options.cert_file);
    free((char *)c->options.key_file);
    free((char *)c->options.token);
    for (size_t i = 0; i < c->trusted_count; i++)
        sm_signing_key_free(c->trusted[i]);
    servers_free(c->server, c->servers);
}
