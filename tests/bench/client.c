/* client.c - see client.h. */
#include "client.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

double now_ms(void) {
    struct timespec ts;
    clock_gettime(CLOCK_MONOTONIC, &ts);
    return (double)ts.tv_sec * 1e3 + (double)ts.tv_nsec / 1e6;
}

static size_t discard(char *data, size_t size, size_t n, void *arg) {
    (void)data;
    *(size_t *)arg += size * n;
    return size * n;
}

/* CURLOPT_HEADERFUNCTION: keeps the line if there is room. */
static size_t keep_line(char *line, size_t size, size_t n, void *arg) {
    struct client *c = arg;
    size_t len = size * n;
    if (len < sizeof c->head - c->head_len) {
        memcpy(c->head + c->head_len, line, len);
        c->head_len += len;
        c->head[c->head_len] = 0;
    }
    return len;
}

void client_header(const struct client *c, const char *name, char *value, size_t size) {
    size_t len = strlen(name);
    value[0] = 0;
    for (const char *line = c->head; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (strncasecmp(line, name, len) == 0 && line[len] == ':')
            snprintf(value, size, "%.*s", (int)strcspn(line + len + 2, "\r\n"), line + len + 2);
    }
}

/* Sends the request that is set up; the program ends if the answer is not 200. Gives the answer's size. */
static size_t perform(struct client *client, const char *url) {
    CURL *c = client->curl;
    size_t got = 0;
    long http = 0;
    client->head_len = 0;
    client->head[0] = 0;
    curl_easy_setopt(c, CURLOPT_URL, url);
    curl_easy_setopt(c, CURLOPT_WRITEFUNCTION, discard);
    curl_easy_setopt(c, CURLOPT_WRITEDATA, &got);
    curl_easy_setopt(c, CURLOPT_HEADERFUNCTION, keep_line);
    curl_easy_setopt(c, CURLOPT_HEADERDATA, client);
    CURLcode e = curl_easy_perform(c);
    curl_easy_getinfo(c, CURLINFO_RESPONSE_CODE, &http);
    if (e != CURLE_OK || http != 200) {
        fprintf(stderr, "the service answered %ld (%s)\n", http, curl_easy_strerror(e));
        exit(1);
    }
    return got;
}

size_t client_compile(struct client *client, const char *url, struct bytes module) {
    curl_easy_setopt(client->curl, CURLOPT_POSTFIELDS, module.data);
    curl_easy_setopt(client->curl, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)module.len);
    return perform(client, url);
}

void client_await(struct client *client, const char *url) {
    curl_easy_setopt(client->curl, CURLOPT_HTTPGET, 1L);
    perform(client, url);
}

struct client client_open(void) {
    struct client c = {.curl = curl_easy_init()};
    c.headers = curl_slist_append(NULL, "Accept: application/octet-stream");
    c.headers = curl_slist_append(c.headers, "Expect:");
    curl_easy_setopt(c.curl, CURLOPT_HTTPHEADER, c.headers);
    curl_easy_setopt(c.curl, CURLOPT_NOSIGNAL, 1L);
    return c;
}

void client_close(struct client *c) {
    curl_slist_free_all(c->headers);
    curl_easy_cleanup(c->curl);
}

static int by_value(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double quantile(double *v, int n, double q) {
    qsort(v, (size_t)n, sizeof *v, by_value);
    return v[(int)(q * (n - 1))];
}

struct bytes with_comment(struct bytes module, int number) {
    struct bytes b = {malloc(module.len + 32), 0};
    memcpy(b.data, module.data, module.len);
    b.len = module.len + (size_t)sprintf((char *)b.data + module.len, "; number %08d\n", number);
    return b;
}
