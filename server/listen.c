/* listen.c - see listen.h. */
#include "listen.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#define BACKLOG        1024
#define HANDED_OVER_FD 3 /* sd_listen_fds(3): SD_LISTEN_FDS_START */

static int port_of(int fd) {
    struct sockaddr_storage a;
    socklen_t len = sizeof a;
    if (getsockname(fd, (struct sockaddr *)&a, &len) != 0)
        return 0;
    if (a.ss_family == AF_INET)
        return ntohs(((struct sockaddr_in *)&a)->sin_port);
    return a.ss_family == AF_INET6 ? ntohs(((struct sockaddr_in6 *)&a)->sin6_port) : 0;
}

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

static int bind_and_listen(int fd, const struct sockaddr *address, socklen_t len) {
    if (bind(fd, address, len) == 0 && listen(fd, BACKLOG) == 0)
        return fd;
    int e = errno;
    close(fd);
    errno = e;
    return -1;
}

/* A socket file that nobody listens on any more is removed; one that somebody does is left alone. */
static void remove_stale(const struct sockaddr_un *a) {
    struct stat st;
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd >= 0 && stat(a->sun_path, &st) == 0 && S_ISSOCK(st.st_mode) &&
        connect(fd, (const struct sockaddr *)a, sizeof *a) != 0 && errno == ECONNREFUSED)
        unlink(a->sun_path);
    if (fd >= 0)
        close(fd);
}

static int open_unix(const char *path, char *unix_path, size_t size, char *why, size_t why_size) {
    struct sockaddr_un a = {.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof a.sun_path || strlen(path) >= size) {
        snprintf(why, why_size, "cannot listen on unix:%s: the path is longer than %zu bytes", path,
                 sizeof a.sun_path - 1);
        return -1;
    }
    strcpy(a.sun_path, path);
    remove_stale(&a);
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd >= 0)
        fd = bind_and_listen(fd, (struct sockaddr *)&a, sizeof a);
    if (fd < 0)
        snprintf(why, why_size, "cannot listen on unix:%s: %s", path, strerror(errno));
    else
        strcpy(unix_path, path);
    return fd;
}

static int open_inet(const struct settings *s, char *why, size_t why_size) {
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE | AI_NUMERICSERV}, *list = NULL;
    char port[16];
    snprintf(port, sizeof port, "%d", s->port);
    int e = getaddrinfo(s->listen, port, &hints, &list), fd = -1, on = 1;
    if (e != 0) {
        snprintf(why, why_size, "cannot listen on '%s': %s", s->listen, gai_strerror(e));
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
        snprintf(why, why_size, "cannot listen on %s port %d: %s%s", s->listen, s->port, strerror(errno),
                 errno == EADDRINUSE ? "; choose another one with --port" : "");
    freeaddrinfo(list);
    return fd;
}

int listen_open(const struct settings *s, int *port, int *shared, char *unix_path, size_t size, char *why,
                size_t why_size) {
    int fd = handed_over();
    *shared = fd >= 0;
    unix_path[0] = 0;
    if (fd < 0 && strncmp(s->listen, "unix:", 5) == 0)
        fd = open_unix(s->listen + 5, unix_path, size, why, why_size);
    else if (fd < 0)
        fd = open_inet(s, why, why_size);
    *port = fd >= 0 ? port_of(fd) : 0;
    return fd;
}
