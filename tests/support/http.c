/* http.c - see http.h. */
#include "http.h"

#include <curl/curl.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

/* What LEN bytes and a terminator have room in. In powers of two: to grow large answers by what curl gives is slow where
 * realloc copies, as with AddressSanitizer. */
static size_t room_for(size_t len) {
    size_t room = 4096;
    while (room <= len)
        room *= 2;
    return room;
}

static size_t collect(char *data, size_t size, size_t n, void *arg) {
    struct bytes *b = arg;
    size_t wanted = room_for(b->len + size * n);
    if (!b->data || wanted > room_for(b->len))
        b->data = realloc(b->data, wanted);
    memcpy(b->data + b->len, data, size * n);
    b->len += size * n;
    b->data[b->len] = 0;
    return size * n;
}

struct upload {
    const char *data;
    size_t left;
};

static size_t give(char *to, size_t size, size_t n, void *arg) {
    struct upload *u = arg;
    size_t take = u->left < size * n ? u->left : size * n;
    memcpy(to, u->data, take);
    u->data += take;
    u->left -= take;
    return take;
}

static struct curl_slist *header_list(const struct ask *a) {
    struct curl_slist *list = NULL;
    int has_type = 0;
    for (int i = 0; i < 8 && a->headers[i]; i++) {
        has_type |= strncasecmp(a->headers[i], "Content-Type:", 13) == 0;
        list = curl_slist_append(list, a->headers[i]);
    }
    if (a->body && !has_type)
        list = curl_slist_append(list, "Content-Type: text/plain");
    if (a->chunked)
        list = curl_slist_append(list, "Transfer-Encoding: chunked");
    return curl_slist_append(list, a->expect ? "Expect: 100-continue" : "Expect:");
}

/* FNV-1a. */
static unsigned hash_text(unsigned h, const char *text) {
    for (; *text; text++)
        h = (h ^ (unsigned char)*text) * 16777619u;
    return h;
}

/* Of answers of one kind the first few are enough. */
static int is_seen(const char *method, const char *path, const struct answer *answer) {
    enum { ENOUGH = 4 };
    static unsigned char seen[1 << 12];
    unsigned h = hash_text(2166136261u, method) + (unsigned)answer->http;
    char plain[64];
    snprintf(plain, sizeof plain, "%.*s", (int)strcspn(path, "?"), path);
    h = hash_text(hash_text(h, answer->http == 200 ? path : plain), answer->type);
    h = hash_text(h, member(answer, "code")) % sizeof seen;
    return seen[h] == ENOUGH || (seen[h]++, 0);
}

/* Where TEST_ANSWERS names a folder, answers are written down in it, for openapi_test.py. */
static void write_down_alone(const struct ask *a, const struct answer *answer) {
    enum { LARGE = 1 << 20 };
    const char *folder = getenv("TEST_ANSWERS"), *method = a->method ? a->method : a->body ? "POST" : "GET";
    if (!folder || !answer->http || answer->body.len > LARGE || is_seen(method, a->path, answer))
        return;
    char path[512];
    snprintf(path, sizeof path, "%s/%s-%d", folder, program_invocation_short_name, (int)getpid());
    int is_json = strstr(answer->type, "json") != NULL;
    json_t *line = json_pack("{ss ss si ss ss% so}", "method", method, "path", a->path, "status", answer->http,
                             "type", answer->type, "header", (char *)answer->header.data, answer->header.len, "body",
                             is_json ? json_stringn((char *)answer->body.data, answer->body.len) : json_null());
    FILE *f = line ? fopen(path, "a") : NULL; /* none: what was asked or answered is no text */
    if (f) {
        json_dumpf(line, f, JSON_COMPACT);
        fputc('\n', f);
        fclose(f);
    }
    json_decref(line);
}

static void write_down(const struct ask *a, const struct answer *answer) {
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&lock);
    write_down_alone(a, answer);
    pthread_mutex_unlock(&lock);
}

struct answer ask(const struct daemon *d, struct ask a) {
    struct answer answer = {0};
    struct upload upload = {a.body, a.len};
    char url[4096], interface[64];
    CURL *c = curl_easy_init();
    struct curl_slist *headers = header_list(&a);
    snprintf(url, sizeof url, "%s%s", d->url, a.path);
    curl_easy_setopt(c, CURLOPT_URL, url);
    curl_easy_setopt(c, CURLOPT_HTTPHEADER, headers);
    curl_easy_setopt(c, CURLOPT_WRITEFUNCTION, collect);
    curl_easy_setopt(c, CURLOPT_WRITEDATA, &answer.body);
    curl_easy_setopt(c, CURLOPT_HEADERFUNCTION, collect);
    curl_easy_setopt(c, CURLOPT_HEADERDATA, &answer.header);
    curl_easy_setopt(c, CURLOPT_TIMEOUT_MS, a.timeout_ms ? a.timeout_ms : 600000L);
    curl_easy_setopt(c, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(c, CURLOPT_SSL_VERIFYPEER, 0L); /* a daemon by TLS has a certificate of its test's own */
    if (d->socket[0])
        curl_easy_setopt(c, CURLOPT_UNIX_SOCKET_PATH, d->socket);
    if (a.from && !d->socket[0]) {
        snprintf(interface, sizeof interface, "host!%s", a.from);
        curl_easy_setopt(c, CURLOPT_INTERFACE, interface);
    }
    if (a.body) {
        curl_easy_setopt(c, CURLOPT_POST, 1L);
        curl_easy_setopt(c, CURLOPT_READFUNCTION, give);
        curl_easy_setopt(c, CURLOPT_READDATA, &upload);
        if (!a.chunked)
            curl_easy_setopt(c, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)a.len);
    }
    if (a.method)
        curl_easy_setopt(c, CURLOPT_CUSTOMREQUEST, a.method);
    if (a.method && strcmp(a.method, "HEAD") == 0)
        curl_easy_setopt(c, CURLOPT_NOBODY, 1L);
    if (curl_easy_perform(c) == CURLE_OK) {
        long http;
        char *type = NULL;
        curl_easy_getinfo(c, CURLINFO_RESPONSE_CODE, &http);
        curl_easy_getinfo(c, CURLINFO_CONTENT_TYPE, &type);
        answer.http = (int)http;
        snprintf(answer.type, sizeof answer.type, "%s", type ? type : "");
    }
    curl_slist_free_all(headers);
    curl_easy_cleanup(c);
    if (strstr(answer.type, "json") && answer.body.data)
        answer.json =
            json_loadb((char *)answer.body.data, answer.body.len, JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL, NULL);
    write_down(&a, &answer);
    return answer;
}

struct answer get(const struct daemon *d, const char *path) {
    return ask(d, (struct ask){.path = path});
}

struct answer post(const struct daemon *d, const char *path, const char *text) {
    return ask(d, (struct ask){.path = path, .body = text, .len = strlen(text)});
}

void answer_free(struct answer a) {
    bytes_free(a.body);
    bytes_free(a.header);
    json_decref(a.json);
}

char *answer_header(const struct answer *a, const char *name) {
    size_t n = strlen(name);
    for (char *line = (char *)a->header.data; line && *line;
         line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL)
        if (strncasecmp(line, name, n) == 0 && line[n] == ':')
            return strndup(line + n + 2, strcspn(line + n + 2, "\r\n"));
    return NULL;
}

static const char *text_of(const json_t *object, const char *name) {
    const char *s = json_string_value(json_object_get(object, name));
    return s ? s : "";
}

const char *member(const struct answer *a, const char *name) {
    return text_of(a->json, name);
}

static const json_t *first_diagnostic(const struct answer *a) {
    return json_array_get(json_object_get(a->json, "diagnostics"), 0);
}

const char *diagnostic(const struct answer *a, const char *name) {
    return text_of(first_diagnostic(a), name);
}

int diagnostic_number(const struct answer *a, const char *name) {
    return (int)json_integer_value(json_object_get(first_diagnostic(a), name));
}

long metric(const struct daemon *d, const char *name) {
    struct answer a = get(d, "/metrics");
    size_t n = strlen(name);
    long value = -1;
    for (char *line = (char *)a.body.data; line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL)
        if (strncmp(line, name, n) == 0 && line[n] == ' ')
            value = atol(line + n);
    answer_free(a);
    return value;
}

struct count {
    const struct daemon *d;
    const char *name;
    long least;
};

static int has_counted(void *arg) {
    const struct count *c = arg;
    return metric(c->d, c->name) >= c->least;
}

void await_count(const struct daemon *d, const char *name, long least) {
    struct count c = {d, name, least};
    await(has_counted, &c, 60, name);
}
