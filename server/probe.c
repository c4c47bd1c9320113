/* probe.c - see probe.h. */
#include "probe.h"

#include "ask.h"
#include "certificates.h"

#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

/* A connection to the unix socket PATH; -1 on failure. */
static int connect_unix(const char *path) {
    struct sockaddr_un a = {.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof a.sun_path)
        return -1;
    strcpy(a.sun_path, path);
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd >= 0 && connect(fd, (struct sockaddr *)&a, sizeof a) == 0)
        return fd;
    if (fd >= 0)
        close(fd);
    return -1;
}

/* A connection to HOST and PORT; -1 on failure. Of a daemon that listens on every address the loopback one is asked:
 * Linux takes 0.0.0.0 and :: for that. */
static int connect_inet(const char *host, int port) {
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM}, *list = NULL;
    char number[16];
    int fd = -1;
    snprintf(number, sizeof number, "%d", port);
    if (getaddrinfo(host, number, &hints, &list) != 0)
        return -1;
    for (struct addrinfo *a = list; a && fd < 0; a = a->ai_next) {
        fd = socket(a->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
        if (fd >= 0 && connect(fd, a->ai_addr, a->ai_addrlen) != 0) {
            close(fd);
            fd = -1;
        }
    }
    freeaddrinfo(list);
    return fd;
}

/* A connection to the daemon of these settings; -1 on failure. To the operators' listener if there is one, as it
 * answers whatever clients do. */
static int connect_to(const struct settings *s) {
    const char *text = s->admin_listen[0] ? s->admin_listen : s->listen, *colon = strrchr(text, ':');
    char address[sizeof s->admin_listen];
    if (strncmp(text, "unix:", 5) == 0)
        return connect_unix(text + 5);
    if (!s->admin_listen[0])
        return connect_inet(text, s->port);
    int bracket = text[0] == '[';
    if (!colon || colon == text)
        return -1;
    snprintf(address, sizeof address, "%.*s", (int)(colon - text) - 2 * bracket, text + bracket);
    return connect_inet(address, atoi(colon + 1));
}

/* 1 if that daemon speaks TLS there. */
static int speaks_tls(const struct settings *s) {
    const char *where = s->admin_listen[0] ? s->admin_listen : s->listen;
    return certificates_wanted(s) && strncmp(where, "unix:", 5) != 0 && (!s->admin_listen[0] || s->admin_tls);
}

/* Asks in clear; receives up to SIZE bytes of the answer, to the end of its first line. Gives how many. */
static size_t ask_in_clear(int fd, const char *request, char *answer, size_t size) {
    size_t got = 0;
    ssize_t n = send(fd, request, strlen(request), MSG_NOSIGNAL);
    while (n > 0 && got < size && !memchr(answer, '\n', got)) {
        n = recv(fd, answer + got, size - got, 0);
        got += n > 0 ? (size_t)n : 0;
    }
    return got;
}

int probe(const struct settings *s) {
    static const char request[] = "GET /readyz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    enum { TIMEOUT_S = 3 };
    char answer[64] = "";
    int fd = connect_to(s);
    if (fd < 0) {
        const char *where = s->admin_listen[0] ? s->admin_listen : s->listen;
        if (s->admin_listen[0] || strncmp(where, "unix:", 5) == 0)
            printf("nobody listens on %s\n", where);
        else
            printf("nobody listens on %s port %d\n", where, s->port);
        return 1;
    }
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &(struct timeval){.tv_sec = TIMEOUT_S}, sizeof(struct timeval));
    size_t got = (speaks_tls(s) ? ask_by_tls : ask_in_clear)(fd, request, answer, sizeof answer - 1);
    close(fd);
    answer[strcspn(answer, "\r\n")] = 0;
    puts(got ? answer : "no answer");
    return strncmp(answer, "HTTP/1.1 200", 12) != 0;
}
