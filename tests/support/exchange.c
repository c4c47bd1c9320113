/* exchange.c - see exchange.h. */
#include "exchange.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <sys/time.h>

enum { HEAD_MAX = 32 << 10, PATIENCE_S = 600 };

struct bytes exchange_request(const char *line, const char *headers, struct bytes body) {
    size_t room = strlen(line) + (headers ? strlen(headers) : 0) + body.len + 200;
    struct bytes b = {malloc(room), 0};
    b.len =
        (size_t)snprintf((char *)b.data, room, "%s HTTP/1.1\r\nHost: localhost\r\n%s", line, headers ? headers : "");
    if (body.data)
        b.len += (size_t)snprintf((char *)b.data + b.len, room - b.len, "Content-Length: %zu\r\n", body.len);
    b.len += (size_t)snprintf((char *)b.data + b.len, room - b.len, "\r\n");
    if (body.data)
        memcpy(b.data + b.len, body.data, body.len);
    b.len += body.len;
    b.data[b.len] = 0;
    return b;
}

/* Sends all of it, or as much as the other side takes: it may have answered already. */
static void send_all(int fd, struct bytes b) {
    for (ssize_t n = 1; b.len && n > 0; b.data += n, b.len -= (size_t)n)
        if ((n = send(fd, b.data, b.len, MSG_NOSIGNAL)) < 0)
            return;
}

/* Reads to the empty line, and not a byte more. 0 if there was none. */
static int read_head(int fd, struct bytes *head) {
    head->data = malloc(HEAD_MAX + 1);
    head->len = 0;
    for (;;) {
        ssize_t n = recv(fd, head->data + head->len, HEAD_MAX - head->len, MSG_PEEK);
        if (n <= 0 || head->len == HEAD_MAX)
            return 0;
        head->data[head->len + (size_t)n] = 0;
        size_t from = head->len > 3 ? head->len - 3 : 0;
        char *end = strstr((char *)head->data + from, "\r\n\r\n");
        size_t take = end ? (size_t)(end + 4 - (char *)head->data) - head->len : (size_t)n;
        if (recv(fd, head->data + head->len, take, MSG_WAITALL) != (ssize_t)take)
            return 0;
        head->len += take;
        head->data[head->len] = 0;
        if (end)
            return 1;
    }
}

static int read_body(int fd, struct bytes *body, size_t len) {
    if (!(body->data = malloc(len + 1)))
        return 0;
    while (body->len < len) {
        ssize_t n = recv(fd, body->data + body->len, len - body->len, 0);
        if (n <= 0)
            return 0;
        body->len += (size_t)n;
    }
    body->data[len] = 0;
    return 1;
}

char *exchanged_header(const struct exchanged *r, const char *name) {
    size_t n = strlen(name);
    for (char *line = (char *)r->head.data; line && *line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL)
        if (strncasecmp(line, name, n) == 0 && line[n] == ':')
            return strndup(line + n + 2, strcspn(line + n + 2, "\r\n"));
    return NULL;
}

static int header_is(const struct exchanged *r, const char *name, const char *value) {
    char *is = exchanged_header(r, name);
    int same = is && strcasecmp(is, value) == 0;
    free(is);
    return same;
}

/* 1 if nothing comes behind the answer; where the connection is closed, until it is. */
static int ends_here(int fd, int is_last) {
    char byte;
    ssize_t n = recv(fd, &byte, 1, is_last ? 0 : MSG_DONTWAIT | MSG_PEEK);
    return n == 0 || (n < 0 && (is_last ? errno == ECONNRESET : errno == EAGAIN));
}

static const char *read_reply(int fd, struct exchanged *r, int is_head) {
    char *end;
    if (!read_head(fd, &r->head))
        return r->head.len ? "its head does not end" : "there is no answer";
    if (sscanf((char *)r->head.data, "HTTP/1.1 %3d ", &r->http) != 1 || r->http < 200 || r->http > 599)
        return "its first line is none";
    r->is_last = header_is(r, "Connection", "close");
    char *type = exchanged_header(r, "Content-Type"), *length = exchanged_header(r, "Content-Length");
    snprintf(r->type, sizeof r->type, "%.*s", (int)strcspn(type ? type : "", ";"), type ? type : "");
    size_t len = length ? strtoull(length, &end, 10) : 0;
    int has_length = length && *length && !*end;
    free(type);
    free(length);
    if (!has_length && r->http != 304)
        return "it has no Content-Length";
    if (!is_head && r->http != 304 && !read_body(fd, &r->body, len))
        return "its body ends early";
    return ends_here(fd, r->is_last) ? NULL : "bytes follow it";
}

struct exchanged exchange(int fd, struct bytes request, int is_head) {
    struct exchanged r = {0};
    struct timeval patience = {.tv_sec = PATIENCE_S};
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    send_all(fd, request);
    r.fault = read_reply(fd, &r, is_head);
    return r;
}

void exchanged_free(struct exchanged r) {
    bytes_free(r.head);
    bytes_free(r.body);
}
