/* listen.c - see listen.h. */
#include "listen.h"

#include "access.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#define BACKLOG        1024
#define HANDED_OVER_FD 3 /* sd_listen_fds(3): SD_LISTEN_FDS_START */

/* Sets the listener's port, and whether only this machine reaches it. */
static void describe_listener(struct listener *l) {
    struct sockaddr_storage a;
    const struct sockaddr_in *in = (const struct sockaddr_in *)&a;
    const struct sockaddr_in6 *in6 = (const struct sockaddr_in6 *)&a;
    socklen_t len = sizeof a;
    if (getsockname(l->fd, (struct sockaddr *)&a, &len) != 0)
        return;
    switch (a.ss_family) {
    case AF_INET:
        l->port = ntohs(in->sin_port);
        l->is_local = ntohl(in->sin_addr.s_addr) >> 24 == IN_LOOPBACKNET;
        break;
    case AF_INET6:
        l->port = ntohs(in6->sin6_port);
        l->is_local = IN6_IS_ADDR_LOOPBACK(&in6->sin6_addr);
        break;
    case AF_UNIX:
        l->is_local = 1;
        break;
    default:
        break;
    }
}

/* The socket that a service manager has handed over; -1 if there is none. */
static int handed_over(void) {
    const char *pid = getenv("LISTEN_PID"), *fds = getenv("LISTEN_FDS");
    if (!pid || !fds || atol(pid) != (long)getpid() || atoi(fds) < 1)
        return -1;
    unsetenv("LISTEN_PID");
    unsetenv("LISTEN_FDS");
    fcntl(HANDED_OVER_FD, F_SETFD, FD_CLOEXEC);
    fcntl(HANDED_OVER_FD, F_SETFL, fcntl(HANDED_OVER_FD, F_GETFL) | O_NONBLOCK);
    return HANDED_OVER_FD;
}

/* 1 if A is an address of LIST. */
static int is_listed(const struct addrinfo *list, const struct sockaddr_storage *a, socklen_t len) {
    for (; list; list = list->ai_next)
        if (list->ai_addrlen == len && memcmp(list->ai_addr, a, len) == 0)
            return 1;
    return 0;
}

int listen_is(const struct listener *l, const char *address, int port) {
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE | AI_NUMERICSERV}, *list = NULL;
    struct sockaddr_storage a = {0};
    socklen_t len = sizeof a;
    char number[16];
    if (getsockname(l->fd, (struct sockaddr *)&a, &len) != 0)
        return 0;
    if (a.ss_family == AF_UNIX || strncmp(address, "unix:", 5) == 0)
        return a.ss_family == AF_UNIX && strncmp(address, "unix:", 5) == 0 &&
               strcmp(((struct sockaddr_un *)&a)->sun_path, address + 5) == 0;
    snprintf(number, sizeof number, "%d", port ? port : l->port);
    if (getaddrinfo(address, number, &hints, &list) != 0)
        return 0;
    int found = is_listed(list, &a, len);
    freeaddrinfo(list);
    return found;
}

/* Makes FD listen on the address and gives it; on failure closes it, and gives -1 and errno. */
static int bind_and_listen(int fd, const struct sockaddr *address, socklen_t len) {
    if (bind(fd, address, len) == 0 && listen(fd, BACKLOG) == 0)
        return fd;
    int e = errno;
    close(fd);
    errno = e;
    return -1;
}

/* Removes the socket file if nobody listens on it any more. */
static void remove_stale(const struct sockaddr_un *a) {
    struct stat st;
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd >= 0 && stat(a->sun_path, &st) == 0 && S_ISSOCK(st.st_mode) &&
        connect(fd, (const struct sockaddr *)a, sizeof *a) != 0 && errno == ECONNREFUSED)
        unlink(a->sun_path);
    if (fd >= 0)
        close(fd);
}

/* A socket that listens on PATH, which is copied to UNIX_PATH; -1 and ERR on failure. */
static int open_unix(const char *path, char *unix_path, size_t size, struct error *err) {
    struct sockaddr_un a = {.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof a.sun_path || strlen(path) >= size) {
        error_set(err, SM_IO, "cannot listen on unix:%s: the path is longer than %zu bytes", path,
                  sizeof a.sun_path - 1);
        errno = EINVAL;
        return -1;
    }
    strcpy(a.sun_path, path);
    remove_stale(&a);
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd >= 0)
        fd = bind_and_listen(fd, (struct sockaddr *)&a, sizeof a);
    if (fd < 0)
        error_set(err, SM_IO, "cannot listen on unix:%s: %s", path, strerror(errno));
    else
        strcpy(unix_path, path);
    return fd;
}

/* A socket that listens on the address and port; -1 and ERR on failure. */
static int open_inet(const char *address, int number, struct error *err) {
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE | AI_NUMERICSERV}, *list = NULL;
    char port[16];
    snprintf(port, sizeof port, "%d", number);
    int e = getaddrinfo(address, port, &hints, &list), fd = -1, on = 1;
    if (e != 0) {
        error_set(err, SM_IO, "cannot listen on '%s': %s", address, gai_strerror(e));
        errno = EINVAL;
        return -1;
    }
    for (struct addrinfo *a = list; a && fd < 0; a = a->ai_next) {
        fd = socket(a->ai_family, a->ai_socktype | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
        if (fd < 0)
            continue;
        setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
        fd = bind_and_listen(fd, a->ai_addr, a->ai_addrlen);
    }
    if (fd < 0)
        error_set(err, SM_IO, "cannot listen on %s port %d: %s%s", address, number, strerror(errno),
                  errno == EADDRINUSE ? "; choose another one" : "");
    e = errno;
    freeaddrinfo(list);
    errno = e;
    return fd;
}

sm_status listen_open(const char *address, int port, struct listener *l, struct error *err) {
    *l = (struct listener){.fd = -1};
    if (strncmp(address, "unix:", 5) == 0)
        l->fd = open_unix(address + 5, l->unix_path, sizeof l->unix_path, err);
    else
        l->fd = open_inet(address, port, err);
    if (l->fd >= 0)
        describe_listener(l);
    return l->fd >= 0 ? SM_OK : SM_IO;
}

sm_status listen_open_text(const char *text, struct listener *l, struct error *err) {
    char address[256], *end;
    const char *colon = strrchr(text, ':');
    long port = colon && colon[1] ? strtol(colon + 1, &end, 10) : -1;
    if (strncmp(text, "unix:", 5) == 0)
        return listen_open(text, 0, l, err);
    int bracket = text[0] == '[' && colon && colon > text + 1 && colon[-1] == ']';
    if (port < 0 || port > 65535 || *end || colon == text) {
        *l = (struct listener){.fd = -1};
        errno = EINVAL;
        return error_set(err, SM_IO, "cannot listen on '%s': it is not ADDRESS:PORT or unix:PATH", text);
    }
    snprintf(address, sizeof address, "%.*s", (int)(colon - text) - 2 * bracket, text + bracket);
    return listen_open(address, (int)port, l, err);
}

sm_status listen_check(const struct listener *l, const struct settings *s, const char *setting, int by_tls,
                       struct error *err) {
    int asks = s->tls_client_ca[0] || access_is_wanted(s);
    if (l->is_local || s->insecure || (by_tls && asks))
        return SM_OK;
    return error_set(err, SM_INVALID_OPTION,
                     "%s: other machines reach this address, and %s: set %s, or --insecure if none but friends do",
                     setting, by_tls ? "nobody asks who they are" : "they would come without TLS",
                     by_tls ? "tls_client_ca, tokens or jwt_keys"
                            : "tls_certificate, tls_key, and tls_client_ca, tokens or jwt_keys");
}

int listen_take_over(struct listener *l) {
    *l = (struct listener){.fd = handed_over(), .is_shared = 1};
    if (l->fd >= 0)
        describe_listener(l);
    return l->fd >= 0;
}
