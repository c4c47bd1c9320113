/* announcer.c - see announcer.h. */
#include "announcer.h"

#include "clock.h"
#include "log.h"
#include "proxyline.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

struct guest {
    int fd;
    socklen_t len;
    struct sockaddr_storage address; /* the proxy's, then the client's */
    uint64_t until_ns;
    size_t have, skip; /* of the head; bytes after it that are still to be read */
    int is_known;      /* boolean: the head was read */
    unsigned char head[PROXYLINE_HEAD];
};

struct announcer {
    unsigned most;
    uint64_t timeout_ns;
    acceptor_give *give;
    void (*ended)(void *arg);
    void *arg;
    int wake; /* readable when the thread has to look anew */
    pthread_t thread;
    pthread_mutex_t lock; /* of what is below */
    int stopping;         /* boolean */
    struct guest **guest; /* owned, with those in it: `most` places */
    unsigned guests;
    struct pollfd *polls; /* owned, the thread's own: one more */
};

/* ---- One connection --------------------------------------------------------------------------------------------- */

enum step { WAIT, KNOWN, CLOSE };

/* Makes the address that of the client. */
static void become(struct guest *g, const struct proxyline *line) {
    struct sockaddr_in6 *v6 = (struct sockaddr_in6 *)&g->address;
    struct sockaddr_in *v4 = (struct sockaddr_in *)&g->address;
    memset(&g->address, 0, sizeof g->address);
    if (IN6_IS_ADDR_V4MAPPED(&line->client)) {
        v4->sin_family = AF_INET;
        v4->sin_port = htons(line->port);
        memcpy(&v4->sin_addr, line->client.s6_addr + 12, sizeof v4->sin_addr);
        g->len = sizeof *v4;
    } else {
        v6->sin6_family = AF_INET6;
        v6->sin6_port = htons(line->port);
        v6->sin6_addr = line->client;
        g->len = sizeof *v6;
    }
}

/* Takes N bytes off the connection, which are there. */
static int drop(int fd, size_t n) {
    unsigned char room[PROXYLINE_HEAD];
    return recv(fd, room, n < sizeof room ? n : sizeof room, 0) == (ssize_t)n;
}

/* Reads on in the head, and not a byte behind it. */
static enum step read_head(struct guest *g) {
    struct proxyline line;
    ssize_t n = recv(g->fd, g->head + g->have, sizeof g->head - g->have, MSG_PEEK);
    if (n <= 0)
        return n < 0 && (errno == EAGAIN || errno == EINTR) ? WAIT : CLOSE;
    long size = proxyline_read(g->head, g->have + (size_t)n, &line);
    size_t here = size > 0 && (size_t)size < g->have + (size_t)n ? (size_t)size - g->have : (size_t)n;
    if (size < 0 || (size == 0 && g->have + (size_t)n == sizeof g->head) || !drop(g->fd, here))
        return CLOSE;
    g->have += here;
    if (size == 0)
        return WAIT;
    g->is_known = 1;
    g->skip = (size_t)size - g->have;
    if (line.has_client)
        become(g, &line);
    return g->skip ? WAIT : KNOWN;
}

/* Reads over what follows the head and does not count. */
static enum step read_rest(struct guest *g) {
    unsigned char room[1024];
    ssize_t n = recv(g->fd, room, g->skip < sizeof room ? g->skip : sizeof room, 0);
    if (n <= 0)
        return n < 0 && (errno == EAGAIN || errno == EINTR) ? WAIT : CLOSE;
    g->skip -= (size_t)n;
    return g->skip ? WAIT : KNOWN;
}

/* ---- The thread ------------------------------------------------------------------------------------------------- */

/* Ends the wait of number I: it is given away or closed. */
static void dismiss(struct announcer *g, unsigned i, enum step step) {
    pthread_mutex_lock(&g->lock);
    struct guest *guest = g->guest[i];
    g->guest[i] = g->guest[--g->guests];
    pthread_mutex_unlock(&g->lock);
    if (step == KNOWN) {
        g->give(g->arg, guest->fd, (struct sockaddr *)&guest->address, guest->len);
    } else {
        close(guest->fd);
        g->ended(g->arg);
    }
    free(guest);
}

/* Looks after the first N, which were polled; from the end, as the last one takes the place of one that goes. */
static void attend(struct announcer *g, unsigned n) {
    uint64_t now = sm_clock_ns();
    for (unsigned i = n; i-- > 0;) {
        struct guest *guest = g->guest[i];
        enum step step = WAIT;
        if (g->polls[i].revents)
            step = guest->is_known ? read_rest(guest) : read_head(guest);
        if (step == WAIT && now >= guest->until_ns)
            step = CLOSE;
        if (step == CLOSE)
            log_event(LOG_LEVEL_WARNING, "proxy_protocol", "{s:s}", "detail",
                      "a connection of a trusted proxy does not begin with the PROXY protocol, and was closed");
        if (step != WAIT)
            dismiss(g, i, step);
    }
}

static void *run_announcer(void *arg) {
    enum { LOOK_MS = 1000 };
    struct announcer *g = arg;
    for (;;) {
        uint64_t count;
        pthread_mutex_lock(&g->lock);
        unsigned n = g->guests;
        int stopping = g->stopping;
        for (unsigned i = 0; i < n; i++)
            g->polls[i] = (struct pollfd){.fd = g->guest[i]->fd, .events = POLLIN};
        pthread_mutex_unlock(&g->lock);
        if (stopping)
            return NULL;
        g->polls[n] = (struct pollfd){.fd = g->wake, .events = POLLIN};
        poll(g->polls, n + 1, n ? LOOK_MS : -1);
        while (read(g->wake, &count, sizeof count) > 0)
            ;
        attend(g, n);
    }
}

static void wake(struct announcer *g) {
    uint64_t one = 1;
    ssize_t n = write(g->wake, &one, sizeof one);
    (void)n; /* a full counter wakes as well */
}

/* ---- For all others --------------------------------------------------------------------------------------------- */

/* Frees what announcer_new made, the thread aside. */
static void free_parts(struct announcer *g) {
    if (g->wake >= 0)
        close(g->wake);
    free(g->guest);
    free(g->polls);
    free(g);
}

struct announcer *announcer_new(unsigned most, int timeout_ms, acceptor_give *give, void (*ended)(void *arg),
                                void *arg) {
    struct announcer *g = calloc(1, sizeof *g);
    if (!g)
        return NULL;
    *g = (struct announcer){.most = most, .timeout_ns = (uint64_t)timeout_ms * 1000000, .give = give, .ended = ended};
    g->arg = arg;
    g->guest = calloc(most, sizeof *g->guest);
    g->polls = calloc((size_t)most + 1, sizeof *g->polls);
    g->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    pthread_mutex_init(&g->lock, NULL);
    if (g->guest && g->polls && g->wake >= 0 && pthread_create(&g->thread, NULL, run_announcer, g) == 0)
        return g;
    free_parts(g);
    return NULL;
}

void announcer_add(struct announcer *g, int fd, const struct sockaddr *address, socklen_t len) {
    struct guest *guest = calloc(1, sizeof *guest);
    int fits = 0;
    if (guest) {
        *guest = (struct guest){.fd = fd, .len = len, .until_ns = sm_clock_ns() + g->timeout_ns};
        memcpy(&guest->address, address, len < sizeof guest->address ? len : sizeof guest->address);
        pthread_mutex_lock(&g->lock);
        fits = g->guests < g->most;
        if (fits)
            g->guest[g->guests++] = guest;
        pthread_mutex_unlock(&g->lock);
    }
    if (fits) {
        wake(g);
        return;
    }
    free(guest);
    close(fd);
    g->ended(g->arg);
}

void announcer_free(struct announcer *g) {
    if (!g)
        return;
    pthread_mutex_lock(&g->lock);
    g->stopping = 1;
    pthread_mutex_unlock(&g->lock);
    wake(g);
    pthread_join(g->thread, NULL);
    while (g->guests)
        dismiss(g, g->guests - 1, CLOSE);
    pthread_mutex_destroy(&g->lock);
    free_parts(g);
}
