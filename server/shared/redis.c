/* redis.c - see redis.h. */
#include "redis.h"

#include "buf.h"

#include <errno.h>
#include <hiredis/hiredis.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#define DEFAULT_PORT "6379"

enum { AT_ONCE = 1 << 20, DATABASES = 10000 }; /* bytes that are received before replies are looked for */

struct redis {
    int fd, is_connected;
    size_t largest;
    redisReader *reader;
    sm_buf out;
    size_t sent; /* bytes of `out` */
};

/* ---- Addresses ---------------------------------------------------------------------------------------------- */

/* Copies LEN bytes into a text of SIZE; 0 if there are none, or too many. */
static int copy_text(char *to, size_t size, const char *from, size_t len) {
    if (!len || len >= size)
        return 0;
    memcpy(to, from, len);
    to[len] = 0;
    return 1;
}

/* Reads [USER@]HOST[:PORT][/DATABASE] up to END; HOST may be an IPv6 address in brackets. */
static int read_host(const char *at, const char *end, struct redis_address *a) {
    const char *slash = memchr(at, '/', (size_t)(end - at)), *name_end = slash ? slash : end;
    const char *sign = memchr(at, '@', (size_t)(name_end - at));
    if (sign && !copy_text(a->user, sizeof a->user, at, (size_t)(sign - at)))
        return 0;
    at = sign ? sign + 1 : at;
    const char *bracket = *at == '[' ? memchr(at, ']', (size_t)(name_end - at)) : NULL;
    const char *after = bracket ? bracket + 1 : at;
    const char *colon = memchr(after, ':', (size_t)(name_end - after));
    const char *host_end = bracket ? bracket : colon ? colon : name_end;
    at += bracket != NULL;
    strcpy(a->port, DEFAULT_PORT);
    if (!copy_text(a->host, sizeof a->host, at, (size_t)(host_end - at)))
        return 0;
    if (colon && !copy_text(a->port, sizeof a->port, colon + 1, (size_t)(name_end - colon - 1)))
        return 0;
    long port = strtol(a->port, NULL, 10);
    if (strspn(a->port, "0123456789") != strlen(a->port) || port < 1 || port > 65535)
        return 0;
    if (slash && slash + 1 < end) {
        char *stop;
        a->database = (int)strtol(slash + 1, &stop, 10);
        return stop == end && a->database >= 0 && a->database < DATABASES;
    }
    return 1;
}

static int read_address(const char *at, size_t len, struct redis_address *a) {
    static const char tcp[] = "redis://", local[] = "unix:";
    *a = (struct redis_address){.database = 0};
    if (len > sizeof local - 1 && strncmp(at, local, sizeof local - 1) == 0)
        return len - (sizeof local - 1) < sizeof((struct sockaddr_un *)0)->sun_path &&
               copy_text(a->host, sizeof a->host, at + sizeof local - 1, len - (sizeof local - 1));
    return len > sizeof tcp - 1 && strncmp(at, tcp, sizeof tcp - 1) == 0 &&
           read_host(at + sizeof tcp - 1, at + len, a);
}

int redis_addresses_read(const char *setting, const char *text, struct redis_address out[REDIS_ADDRESSES],
                         struct error *err) {
    int n = 0;
    for (const char *at = text; *at;) {
        size_t len = strcspn(at, ",");
        if (n == REDIS_ADDRESSES) {
            error_set(err, SM_INVALID_OPTION, "%s: more than %d addresses", setting, REDIS_ADDRESSES);
            return 0;
        }
        if (!read_address(at, len, &out[n++])) {
            error_set(err, SM_INVALID_OPTION,
                      "%s: '%.*s' is not redis://[USER@]HOST[:PORT][/DATABASE] and not unix:PATH", setting, (int)len,
                      at);
            return 0;
        }
        at += len;
        at += *at == ',';
    }
    if (!n)
        error_set(err, SM_INVALID_OPTION, "%s: there is no address", setting);
    return n;
}

void redis_address_text(const struct redis_address *a, char *out, size_t size) {
    if (!a->port[0])
        snprintf(out, size, "unix:%s", a->host);
    else
        snprintf(out, size, strchr(a->host, ':') ? "redis://[%s]:%s" : "redis://%s:%s", a->host, a->port);
}

/* ---- Replies ------------------------------------------------------------------------------------------------ */

static struct redis_reply *new_reply(enum redis_type type, const char *bytes, size_t len) {
    struct redis_reply *reply = calloc(1, sizeof *reply);
    if (!reply)
        return NULL;
    reply->type = type;
    reply->bytes = malloc(len + 1);
    if (!reply->bytes) {
        free(reply);
        return NULL;
    }
    if (len)
        memcpy(reply->bytes, bytes, len);
    reply->bytes[len] = 0;
    reply->len = len;
    return reply;
}

void redis_reply_free(struct redis_reply *reply) {
    if (reply)
        free(reply->bytes);
    free(reply);
}

void redis_info_read(const struct redis_reply *reply, const char *name, char *out, size_t size) {
    const char *at = strstr((const char *)reply->bytes, name);
    at = at ? at + strlen(name) : "";
    snprintf(out, size, "%.*s", (int)strcspn(at, "\r\n"), at);
}

static void *make_string(const redisReadTask *task, char *bytes, size_t len) {
    return new_reply(task->type == REDIS_REPLY_ERROR    ? REDIS_IS_ERROR
                     : task->type == REDIS_REPLY_STATUS ? REDIS_IS_WORD
                                                        : REDIS_IS_BYTES,
                     bytes, len);
}

/* An array is refused before there is room for its members, however many it says that there are. */
static void *make_array(const redisReadTask *task, int members) {
    (void)task, (void)members;
    return NULL;
}

static void *make_number(const redisReadTask *task, long long value) {
    (void)task, (void)value;
    return new_reply(REDIS_IS_NUMBER, "", 0);
}

static void *make_nil(const redisReadTask *task) {
    (void)task;
    return new_reply(REDIS_IS_NIL, "", 0);
}

static void free_made(void *reply) {
    redis_reply_free(reply);
}

static redisReplyObjectFunctions makers = {make_string, make_array, make_number, make_nil, free_made};

struct redis_reply *redis_next(struct redis *r, int *bad) {
    void *reply = NULL;
    *bad = redisReaderGetReply(r->reader, &reply) != REDIS_OK;
    if (!reply && r->reader->len - r->reader->pos > r->largest + AT_ONCE)
        *bad = 1; /* it is longer than any that was asked for */
    return reply;
}

/* ---- The connection ----------------------------------------------------------------------------------------- */

/* A socket that is being connected; -1 and errno. */
static int begin_connect(int family, const struct sockaddr *address, socklen_t len) {
    int fd = socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0), yes = 1;
    if (fd < 0)
        return -1;
    if (family != AF_UNIX)
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    if (connect(fd, address, len) == 0 || errno == EINPROGRESS)
        return fd;
    int why = errno;
    close(fd);
    errno = why;
    return -1;
}

static int connect_local(const char *path, struct error *err) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    snprintf(address.sun_path, sizeof address.sun_path, "%.*s", (int)sizeof address.sun_path - 1, path);
    int fd = begin_connect(AF_UNIX, (const struct sockaddr *)&address, sizeof address);
    if (fd < 0)
        error_set(err, SM_IO, "%s", strerror(errno));
    return fd;
}

static int connect_host(const struct redis_address *a, struct error *err) {
    const struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_ADDRCONFIG};
    struct addrinfo *found = NULL;
    int why = getaddrinfo(a->host, a->port, &hints, &found), fd = -1;
    if (why)
        error_set(err, SM_IO, "%s", gai_strerror(why));
    for (const struct addrinfo *i = found; i && fd < 0; i = i->ai_next)
        if ((fd = begin_connect(i->ai_family, i->ai_addr, i->ai_addrlen)) < 0)
            error_set(err, SM_IO, "%s", strerror(errno));
    if (found)
        freeaddrinfo(found);
    return fd;
}

struct redis *redis_connect(const struct redis_address *a, size_t largest, struct error *err) {
    struct redis *r = calloc(1, sizeof *r);
    if (!r) {
        error_set(err, SM_NOMEM, "out of memory");
        return NULL;
    }
    r->largest = largest;
    sm_buf_init(&r->out, SIZE_MAX / 2);
    r->reader = redisReaderCreateWithFunctions(&makers);
    if (!r->reader)
        error_set(err, SM_NOMEM, "out of memory");
    r->fd = !r->reader ? -1 : a->port[0] ? connect_host(a, err) : connect_local(a->host, err);
    if (r->fd >= 0)
        return r;
    redis_close(r);
    return NULL;
}

void redis_close(struct redis *r) {
    if (!r)
        return;
    if (r->fd >= 0)
        close(r->fd);
    if (r->reader)
        redisReaderFree(r->reader);
    sm_buf_free(&r->out);
    free(r);
}

int redis_fd(const struct redis *r) {
    return r->fd;
}

size_t redis_unsent(const struct redis *r) {
    return r->out.len - r->sent;
}

short redis_events(const struct redis *r) {
    return (short)(POLLIN | (!r->is_connected || redis_unsent(r) ? POLLOUT : 0));
}

int redis_send(struct redis *r, int count, const char **words, const size_t *lengths) {
    char *text;
    int len = redisFormatCommandArgv(&text, count, words, lengths);
    if (len < 0)
        return 0;
    sm_status s = sm_buf_put(&r->out, text, (size_t)len);
    redisFreeCommand(text);
    return s == SM_OK;
}

/* Sends what there is to send, as far as it goes at once. 0 and errno if the connection is over. */
static int send_some(struct redis *r) {
    while (r->sent < r->out.len) {
        ssize_t n = send(r->fd, r->out.data + r->sent, r->out.len - r->sent, MSG_NOSIGNAL);
        if (n < 0)
            return errno == EAGAIN || errno == EINTR;
        r->sent += (size_t)n;
    }
    sm_buf_free(&r->out);
    sm_buf_init(&r->out, SIZE_MAX / 2);
    r->sent = 0;
    return 1;
}

/* Receives what has come, some of it if it is much. 0 if the connection is over: errno says why, or is 0 after its
 * end. */
static int receive_some(struct redis *r, int *moved) {
    char bytes[64 << 10];
    size_t came = 0;
    for (;;) {
        ssize_t n = recv(r->fd, bytes, sizeof bytes, 0);
        if (n < 0)
            return errno == EAGAIN || errno == EINTR;
        errno = 0;
        if (n == 0)
            return 0;
        *moved = 1;
        if (redisReaderFeed(r->reader, bytes, (size_t)n) != REDIS_OK) {
            errno = ENOMEM;
            return 0;
        }
        if ((size_t)n < sizeof bytes || (came += (size_t)n) >= AT_ONCE)
            return 1;
    }
}

/* 1 if the connection stands; 0 while it does not yet; -1 and errno. */
static int has_connected(struct redis *r) {
    struct pollfd p = {.fd = r->fd, .events = POLLOUT};
    int why = 0;
    socklen_t len = sizeof why;
    if (poll(&p, 1, 0) <= 0)
        return 0;
    if (getsockopt(r->fd, SOL_SOCKET, SO_ERROR, &why, &len) != 0 || why) {
        errno = why ? why : errno;
        return -1;
    }
    return 1;
}

sm_status redis_step(struct redis *r, int *moved, struct error *err) {
    *moved = 0;
    if (!r->is_connected) {
        int now = has_connected(r);
        if (now < 0)
            return error_set(err, SM_IO, "%s", strerror(errno));
        if (!now)
            return SM_OK;
        r->is_connected = 1;
    }
    if (send_some(r) && receive_some(r, moved))
        return SM_OK;
    return error_set(err, SM_IO, "%s", errno ? strerror(errno) : "the server has closed the connection");
}
