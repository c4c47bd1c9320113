/* scripted.c - see scripted.h. */
#include "scripted.h"

#include "check.h"

#include <arpa/inet.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <strings.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

struct scripted {
    scripted_answer *answer;
    void *user;
    int listener, stop, port; /* stop: an eventfd, readable for good once the server stops */
    atomic_int requests, open;
    pthread_t thread;
};

struct connection {
    struct scripted *server;
    int fd;
};

/* 1 if FD is readable, 0 if the server stops. */
static int readable(struct scripted *s, int fd) {
    struct pollfd p[2] = {{.fd = fd, .events = POLLIN}, {.fd = s->stop, .events = POLLIN}};
    poll(p, 2, -1);
    return !p[1].revents;
}

/* Reads head and body; 0 if the client has gone. */
static int read_request(struct scripted *s, int fd, char *head, size_t room) {
    size_t len = 0, body = 0;
    char *end = NULL, rest[16384];
    while (!end) {
        ssize_t n = readable(s, fd) ? read(fd, head + len, room - 1 - len) : 0;
        if (n <= 0)
            return 0;
        len += (size_t)n;
        head[len] = 0;
        end = strstr(head, "\r\n\r\n");
    }
    const char *length = strcasestr(head, "\r\nContent-Length:");
    size_t wanted = length ? strtoul(length + 17, NULL, 10) : 0;
    for (body = len - (size_t)(end + 4 - head); body < wanted;) {
        ssize_t n = readable(s, fd) ? read(fd, rest, sizeof rest) : 0;
        if (n <= 0)
            return 0;
        body += (size_t)n;
    }
    end[4] = 0;
    return 1;
}

static void *serve(void *arg) {
    struct connection c = *(struct connection *)arg;
    char head[16384], gone[64];
    free(arg);
    if (read_request(c.server, c.fd, head, sizeof head)) {
        atomic_fetch_add(&c.server->requests, 1);
        struct reply r = c.server->answer(c.server->user, head);
        for (size_t sent = 0; sent < r.len;) {
            ssize_t n = send(c.fd, r.data + sent, r.len - sent, MSG_NOSIGNAL);
            if (n <= 0)
                break;
            sent += (size_t)n;
        }
        while (r.hangs && readable(c.server, c.fd) && read(c.fd, gone, sizeof gone) > 0)
            ;
        free(r.data);
    }
    close(c.fd);
    atomic_fetch_sub(&c.server->open, 1);
    return NULL;
}

static void *accept_all(void *arg) {
    struct scripted *s = arg;
    while (readable(s, s->listener)) {
        pthread_t thread;
        struct connection *c = malloc(sizeof *c);
        *c = (struct connection){s, accept4(s->listener, NULL, NULL, SOCK_CLOEXEC)};
        atomic_fetch_add(&s->open, 1);
        check(c->fd >= 0 && pthread_create(&thread, NULL, serve, c) == 0, "no connection");
        pthread_detach(thread);
    }
    return NULL;
}

struct scripted *scripted_start(scripted_answer *answer, void *user) {
    struct scripted *s = calloc(1, sizeof *s);
    struct sockaddr_in a = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t len = sizeof a;
    s->answer = answer;
    s->user = user;
    s->stop = eventfd(0, EFD_CLOEXEC);
    s->listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    check(bind(s->listener, (struct sockaddr *)&a, sizeof a) == 0 && listen(s->listener, 512) == 0, "no port");
    getsockname(s->listener, (struct sockaddr *)&a, &len);
    s->port = ntohs(a.sin_port);
    check(pthread_create(&s->thread, NULL, accept_all, s) == 0, "no thread");
    return s;
}

void scripted_stop(struct scripted *s) {
    eventfd_write(s->stop, 1);
    pthread_join(s->thread, NULL);
    while (atomic_load(&s->open))
        usleep(1000);
    close(s->listener);
    close(s->stop);
    free(s);
}

int scripted_port(const struct scripted *s) {
    return s->port;
}

int scripted_requests(struct scripted *s) {
    return atomic_load(&s->requests);
}

struct reply reply(const char *status, const char *headers, const void *body, size_t len) {
    struct reply r = {NULL, 0, 0};
    int n =
        asprintf(&r.data, "HTTP/1.1 %s\r\n%sContent-Length: %zu\r\nConnection: close\r\n\r\n", status, headers, len);
    check(n > 0 && (r.data = realloc(r.data, (size_t)n + len + 1)), "no memory");
    memcpy(r.data + n, body, len);
    r.len = (size_t)n + len;
    return r;
}
