/* redisserver.c - see redisserver.h. */
#include "redisserver.h"

#include "check.h"
#include "daemon.h"

#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

char redis_folder[64], redis_address[128], redis_key_file[128], redis_other_key_file[128];
pid_t redis_pid;

int shell(const char *fmt, ...) {
    char command[1024];
    int status;
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(command, sizeof command, fmt, ap);
    va_end(ap);
    bytes_free(run_command(command, "", 0, &status));
    return status;
}

char *redis_cli(const char *fmt, ...) {
    char command[1024];
    int status, n = snprintf(command, sizeof command, "exec 2>/dev/null; redis-cli -s %s/redis ", redis_folder);
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(command + n, sizeof command - (size_t)n, fmt, ap);
    va_end(ap);
    struct bytes b = run_command(command, "", 0, &status);
    char *text = strndup(b.data ? (const char *)b.data : "", b.len);
    bytes_free(b);
    text[strcspn(text, "\n")] = 0;
    return text;
}

static int redis_answers(void *arg) {
    (void)arg;
    char *pong = redis_cli("ping");
    int ok = strcmp(pong, "PONG") == 0 || strstr(pong, "NOAUTH");
    free(pong);
    return ok;
}

void redis_start(const char *name, const char *value) {
    char socket_path[128];
    snprintf(socket_path, sizeof socket_path, "%s/redis", redis_folder);
    redis_pid = fork();
    if (redis_pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL); /* a test that fails leaves nothing behind */
        execlp("redis-server", "redis-server", "--port", "0", "--save", "", "--dir", redis_folder, "--logfile",
               "redis.log", "--unixsocket", socket_path, name, value, NULL);
        _exit(127);
    }
    await(redis_answers, NULL, 60, "Redis");
}

void redis_kill(void) {
    if (redis_pid > 0) {
        kill(redis_pid, SIGKILL);
        waitpid(redis_pid, NULL, 0);
    }
    redis_pid = 0;
}

void redis_prepare(void) {
    strcpy(redis_folder, "/tmp/smd-redis-XXXXXX");
    check(mkdtemp(redis_folder), "no folder for Redis");
    snprintf(redis_address, sizeof redis_address, "unix:%s/redis", redis_folder);
    snprintf(redis_key_file, sizeof redis_key_file, "%s/key", redis_folder);
    snprintf(redis_other_key_file, sizeof redis_other_key_file, "%s/other-key", redis_folder);
    check(shell("umask 077; openssl rand -hex 32 >%s; openssl rand -hex 32 >%s", redis_key_file,
                redis_other_key_file) == 0,
          "no keys for Redis");
}

void redis_clean(void) {
    redis_kill();
    shell("rm -rf %s", redis_folder);
}

static void *run_liar(void *arg) {
    struct liar *l = arg;
    char bytes[4096];
    while (!atomic_load(&l->stop)) {
        struct pollfd p = {.fd = l->listener, .events = POLLIN};
        int fd = poll(&p, 1, 50) > 0 ? accept(l->listener, NULL, NULL) : -1;
        if (fd < 0)
            continue;
        ssize_t n = recv(fd, bytes, sizeof bytes, 0); /* PING */
        int ok = n > 0 && send(fd, "+PONG\r\n", 7, MSG_NOSIGNAL) == 7;
        while (ok && (n = recv(fd, bytes, sizeof bytes, 0)) > 0 && memmem(bytes, (size_t)n, "INFO", 4) &&
               !memmem(bytes, (size_t)n, "EVAL", 4) && !memmem(bytes, (size_t)n, "GET", 3))
            ok = send(fd, "$0\r\n\r\n", 6, MSG_NOSIGNAL) == 6;
        ok = ok && n > 0;
        for (size_t i = 0; ok && i < l->repeat; i++) {
            n = send(fd, l->reply, strlen(l->reply), MSG_NOSIGNAL);
            atomic_fetch_add(&l->sent, n > 0 ? n : 0);
            ok = n > 0;
        }
        close(fd);
    }
    close(l->listener);
    return NULL;
}

/* A socket that listens on a port of its own on loopback. */
static int listen_anywhere(int *port) {
    struct sockaddr_in a = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t len = sizeof a;
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    check(bind(fd, (struct sockaddr *)&a, len) == 0 && listen(fd, 16) == 0, "no port");
    check(getsockname(fd, (struct sockaddr *)&a, &len) == 0, "no port");
    *port = ntohs(a.sin_port);
    return fd;
}

void liar_begin(struct liar *l) {
    l->listener = listen_anywhere(&l->port);
    check(pthread_create(&l->thread, NULL, run_liar, l) == 0, "no thread");
}

void liar_end(struct liar *l) {
    atomic_store(&l->stop, 1);
    pthread_join(l->thread, NULL);
}

/* ---- A way that can be cut ---------------------------------------------------------------------------------- */

static int connect_to_redis(void) {
    struct sockaddr_un a = {.sun_family = AF_UNIX};
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    snprintf(a.sun_path, sizeof a.sun_path, "%s/redis", redis_folder);
    if (connect(fd, (struct sockaddr *)&a, sizeof a) == 0)
        return fd;
    close(fd);
    return -1;
}

/* Passes on what has come on one to the other. 0 after its end. */
static int pass(int from, int to) {
    char bytes[64 << 10];
    ssize_t n = recv(from, bytes, sizeof bytes, 0);
    for (ssize_t sent = 0, m; sent < n; sent += m)
        if ((m = send(to, bytes + sent, (size_t)(n - sent), MSG_NOSIGNAL)) <= 0)
            return 0;
    return n > 0;
}

/* One connection at a time; one that comes while it lasts takes its place. */
static void *run_relay(void *arg) {
    struct relay *r = arg;
    int server = -1, redis = -1;
    while (!atomic_load(&r->stop)) {
        struct pollfd p[] = {
            {.fd = r->listener, .events = POLLIN}, {.fd = server, .events = POLLIN}, {.fd = redis, .events = POLLIN}};
        if (atomic_load(&r->is_cut)) {
            usleep(10000);
            continue;
        }
        if (poll(p, 3, 20) <= 0)
            continue;
        int is_over = (p[1].revents && !pass(server, redis)) || (p[2].revents && !pass(redis, server));
        if (is_over || p[0].revents) {
            close(server);
            close(redis);
            server = p[0].revents ? accept(r->listener, NULL, NULL) : -1;
            redis = p[0].revents ? connect_to_redis() : -1;
        }
    }
    close(server);
    close(redis);
    close(r->listener);
    return NULL;
}

void relay_begin(struct relay *r) {
    atomic_init(&r->is_cut, 0);
    atomic_init(&r->stop, 0);
    r->listener = listen_anywhere(&r->port);
    check(pthread_create(&r->thread, NULL, run_relay, r) == 0, "no thread");
}

void relay_end(struct relay *r) {
    atomic_store(&r->stop, 1);
    pthread_join(r->thread, NULL);
}
