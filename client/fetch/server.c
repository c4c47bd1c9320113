/* server.c - see server.h. */
#include "server.h"

#include "error.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

static int begins_with(const char *text, const char *with) {
    return strncasecmp(text, with, strlen(with)) == 0;
}

/* 1 if the URL's host is this machine, by one of its usual names. */
static int is_loopback(const char *url) {
    static const char *const hosts[] = {"localhost", "127.", "[::1]"};
    const char *host = strstr(url, "://");
    for (size_t i = 0; host && i < sizeof hosts / sizeof *hosts; i++)
        if (begins_with(host + 3, hosts[i]))
            return 1;
    return 0;
}

/* Fills a server from its URL; "unix:/path" is a socket. Fails if it is no URL. */
static sm_result fill_server(struct server *s, const char *url, sm_error *err) {
    s->name = strdup(url);
    if (!s->name)
        return fail(err, SM_ERR_NO_MEMORY, "Out of memory: no room for a client");
    if (begins_with(url, "unix:") && url[5] == '/') {
        s->url = strdup("http://localhost");
        s->socket = strdup(url + 5);
        s->is_near = 1;
        return s->url && s->socket ? SM_SUCCESS : fail(err, SM_ERR_NO_MEMORY, "Out of memory: no room for a client");
    }
    if (!begins_with(url, "http://") && !begins_with(url, "https://"))
        return fail(err, SM_ERR_INVALID_ARGUMENT,
                    "'%s' is no server's URL; those begin with http://, https:// or unix:/", url);
    s->url = strdup(url);
    if (!s->url)
        return fail(err, SM_ERR_NO_MEMORY, "Out of memory: no room for a client");
    for (size_t n = strlen(s->url); n && s->url[n - 1] == '/'; n--)
        s->url[n - 1] = 0;
    s->is_near = is_loopback(url);
    return SM_SUCCESS;
}

struct server *servers_new(const char *const *urls, size_t *count, sm_error *err) {
    size_t n = 0;
    while (urls[n])
        n++;
    struct server *s = calloc(n ? n : 1, sizeof *s);
    if (!s || !n) {
        free(s);
        fail(err, n ? SM_ERR_NO_MEMORY : SM_ERR_INVALID_ARGUMENT,
             n ? "Out of memory: no room for a client" : "There is no server");
        return NULL;
    }
    *count = n;
    for (size_t i = 0; i < n; i++)
        if (fill_server(&s[i], urls[i], err) != SM_SUCCESS) {
            servers_free(s, n);
            return NULL;
        }
    return s;
}

void servers_free(struct server *s, size_t count) {
    for (size_t i = 0; s && i < count; i++) {
        free(s[i].name);
        free(s[i].url);
        free(s[i].socket);
    }
    free(s);
}

int breaker_admits(struct server *s, uint64_t now) {
    if (now < s->shut_until_us || s->is_tried)
        return 0;
    s->is_tried = s->shut_until_us != 0 && s->failures != 0; /* the time is over: one may see */
    return 1;
}

/* Notes that the server works: closes its breaker. */
void breaker_success(struct server *s) {
    s->failures = 0;
    s->shut_until_us = 0;
    s->is_tried = 0;
}

int breaker_failure(struct server *s, const sm_client_options *o, uint64_t now) {
    s->failures += s->failures < UINT32_MAX;
    s->is_tried = 0;
    if (s->failures < o->breaker_failures)
        return 0;
    int opened = s->shut_until_us == 0;
    s->shut_until_us = now + (uint64_t)o->breaker_ms * 1000;
    return opened;
}

void breaker_keep_open(struct server *s, uint64_t until_us) {
    s->is_tried = 0;
    if (s->shut_until_us < until_us)
        s->shut_until_us = until_us;
}

void breaker_release(struct server *s) {
    s->is_tried = 0;
}

/* Puts a waiting call into the server's queue by priority; its turn decides among equals. */
static void put_in_queue(struct server *s, struct heap_node *call, int32_t priority) {
    call->key = (uint64_t)((int64_t)INT32_MAX - priority);
    heap_put(&s->waiting, call);
}

void server_enqueue(struct server *s, struct heap_node *call, int32_t priority) {
    call->turn = s->turns++;
    put_in_queue(s, call, priority);
}

/* Removes a call from those that wait for the server, if it is one. */
void server_dequeue(struct server *s, struct heap_node *call) {
    heap_remove(&s->waiting, call);
}

/* 1 if the call waits for a connection to the server. */
int server_has_waiting(const struct server *s, const struct heap_node *call) {
    return heap_has(s->waiting, call);
}

/* Gives a call that waits another priority; others are left as they are. */
void server_reorder(struct server *s, struct heap_node *call, int32_t priority) {
    if (!server_has_waiting(s, call))
        return;
    server_dequeue(s, call);
    put_in_queue(s, call, priority);
}
