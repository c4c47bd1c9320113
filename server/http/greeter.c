/* greeter.c - see greeter.h. */
#include "greeter.h"

#include "clock.h"
#include "log.h"
#include "refusal.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

enum {
    AT_ONCE = 32,    /* events */
    TICK_MS = 200,   /* between two looks at who is late */
    PARTING_MS = 900 /* for a refused client to read why: closing while it still sends would lose the answer */
};

enum guest_state { NEW, SHAKING, PARTING };

/* A connection that has not come in yet. */
struct guest {
    struct guest *prev, *next;
    int fd;
    struct sockaddr_storage address;
    socklen_t len;
    enum guest_state state;
    struct session *session; /* owned; NULL while it is NEW */
    uint64_t until_ns;
    uint32_t events; /* that it waits for */
};

struct greeter {
    struct certificates *certificates;
    const struct settings *settings;
    struct greeter_ends ends;
    int epoll, wake;
    pthread_t thread;
    pthread_mutex_t lock;
    struct guest *guests; /* under the lock; changed by the thread, but for greeter_add */
    atomic_int busy;      /* how many of them are SHAKING */
    atomic_int stopping;  /* boolean */
};

/* Waits for EVENTS of the guest. 0 on failure. */
static int await(struct greeter *g, struct guest *guest, uint32_t events) {
    struct epoll_event e = {.events = events, .data.ptr = guest};
    if (guest->events == events)
        return 1;
    int how = guest->events ? EPOLL_CTL_MOD : EPOLL_CTL_ADD;
    guest->events = events;
    return epoll_ctl(g->epoll, how, guest->fd, &e) == 0;
}

/* Forgets a guest whose socket and session are somebody else's now, or closed. */
static void remove_guest(struct greeter *g, struct guest *guest) {
    pthread_mutex_lock(&g->lock);
    if (guest->prev)
        guest->prev->next = guest->next;
    else
        g->guests = guest->next;
    if (guest->next)
        guest->next->prev = guest->prev;
    pthread_mutex_unlock(&g->lock);
    if (guest->state == SHAKING)
        atomic_fetch_sub(&g->busy, 1);
    free(guest);
}

static void lose(struct greeter *g, struct guest *guest) {
    session_close(guest->session);
    close(guest->fd);
    g->ends.lose(g->ends.arg, (struct sockaddr *)&guest->address, guest->len);
    remove_guest(g, guest);
}

static void give(struct greeter *g, struct guest *guest) {
    epoll_ctl(g->epoll, EPOLL_CTL_DEL, guest->fd, NULL);
    g->ends.give(g->ends.arg, guest->fd, (struct sockaddr *)&guest->address, guest->len, guest->session);
    remove_guest(g, guest);
}

/* The guest was told why it may not come in: nothing more is sent, and what it still sends is thrown away. */
static void part(struct greeter *g, struct guest *guest) {
    if (guest->state == SHAKING)
        atomic_fetch_sub(&g->busy, 1);
    guest->state = PARTING;
    guest->until_ns = sm_clock_ns() + (uint64_t)PARTING_MS * 1000000u;
    shutdown(guest->fd, SHUT_WR);
    if (!await(g, guest, EPOLLIN))
        lose(g, guest);
}

/* Throws away what a guest that parts still sends. */
static void see_off(struct greeter *g, struct guest *guest) {
    enum { PIECES = 16 };
    char bytes[16384];
    ssize_t n = 1;
    for (int i = 0; i < PIECES && n > 0; i++)
        n = recvfrom(guest->fd, bytes, sizeof bytes, 0, NULL, NULL);
    if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR))
        lose(g, guest);
}

/* Goes on with the handshake. */
static void shake(struct greeter *g, struct guest *guest) {
    struct error err = {0};
    switch (session_shake(guest->session, &err)) {
    case SESSION_STANDS:
        give(g, guest);
        break;
    case SESSION_WANTS_READ:
        if (!await(g, guest, EPOLLIN))
            lose(g, guest);
        break;
    case SESSION_WANTS_WRITE:
        if (!await(g, guest, EPOLLOUT))
            lose(g, guest);
        break;
    case SESSION_FAILED:
        log_event(LOG_LEVEL_INFO, "tls_refused", "{s:s}", "detail", err.text);
        part(g, guest);
        break;
    }
}

/* Looks at a guest's first byte: a handshake, or a request in clear, which is refused. */
static void look(struct greeter *g, struct guest *guest) {
    enum { HANDSHAKE = 22 };
    unsigned char first;
    int on = 1;
    ssize_t n = recvfrom(guest->fd, &first, 1, MSG_PEEK, NULL, NULL);
    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (n <= 0) {
        lose(g, guest);
    } else if (first != HANDSHAKE) {
        refusal_send(guest->fd, SM_BAD_REQUEST, "This port speaks HTTP by TLS alone: ask it by https://");
        part(g, guest);
    } else if (!(guest->session = session_open(g->certificates, guest->fd))) {
        lose(g, guest);
    } else {
        setsockopt(guest->fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        guest->state = SHAKING;
        atomic_fetch_add(&g->busy, 1);
        shake(g, guest);
    }
}

/* Loses the guests whose time is over; with ALL, every one. */
static void end_late(struct greeter *g, int all) {
    uint64_t now = sm_clock_ns();
    pthread_mutex_lock(&g->lock);
    struct guest *guest = g->guests;
    pthread_mutex_unlock(&g->lock);
    for (struct guest *next; guest; guest = next) { /* new ones come at the front */
        next = guest->next;
        if (all || now > guest->until_ns)
            lose(g, guest);
    }
}

/* 1 if nobody is here. */
static int is_empty(struct greeter *g) {
    pthread_mutex_lock(&g->lock);
    int empty = !g->guests;
    pthread_mutex_unlock(&g->lock);
    return empty;
}

/* The greeter's thread. */
static void *run_greeter(void *arg) {
    struct greeter *g = arg;
    struct epoll_event events[AT_ONCE];
    uint64_t count, looked_ns = 0;
    pthread_setname_np(pthread_self(), "smd-greet");
    while (!atomic_load(&g->stopping)) {
        int n = epoll_wait(g->epoll, events, AT_ONCE, is_empty(g) ? -1 : TICK_MS);
        for (int i = 0; i < n; i++) {
            struct guest *guest = events[i].data.ptr;
            if (!guest)
                while (read(g->wake, &count, sizeof count) > 0)
                    ;
            else
                (guest->state == NEW ? look : guest->state == SHAKING ? shake : see_off)(g, guest);
        }
        if (sm_clock_ns() - looked_ns < (uint64_t)TICK_MS * 1000000u)
            continue;
        end_late(g, 0);
        looked_ns = sm_clock_ns();
    }
    end_late(g, 1);
    return NULL;
}

/* Frees what greeter_start has made, but for the thread. */
static void free_greeter(struct greeter *g) {
    if (g->epoll >= 0)
        close(g->epoll);
    if (g->wake >= 0)
        close(g->wake);
    pthread_mutex_destroy(&g->lock);
    free(g);
}

struct greeter *greeter_start(struct certificates *c, const struct settings *s, struct greeter_ends ends) {
    struct greeter *g = calloc(1, sizeof *g);
    if (!g)
        return NULL;
    *g = (struct greeter){.certificates = c, .settings = s, .ends = ends};
    pthread_mutex_init(&g->lock, NULL);
    g->epoll = epoll_create1(EPOLL_CLOEXEC);
    g->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (g->epoll >= 0 && g->wake >= 0 &&
        epoll_ctl(g->epoll, EPOLL_CTL_ADD, g->wake, &(struct epoll_event){.events = EPOLLIN}) == 0 &&
        pthread_create(&g->thread, NULL, run_greeter, g) == 0)
        return g;
    free_greeter(g);
    return NULL;
}

/* Makes the thread look at its guests' times, or end. */
static void wake_up(struct greeter *g) {
    uint64_t one = 1;
    ssize_t n = write(g->wake, &one, sizeof one);
    (void)n; /* a full counter wakes as well */
}

void greeter_add(struct greeter *g, int fd, const struct sockaddr *address, socklen_t len) {
    struct guest *guest = calloc(1, sizeof *guest);
    if (!guest) {
        close(fd);
        g->ends.lose(g->ends.arg, address, len);
        return;
    }
    guest->fd = fd;
    guest->len = len;
    memcpy(&guest->address, address, len);
    guest->until_ns = sm_clock_ns() + (uint64_t)g->settings->tls_handshake_s * 1000000000u;
    pthread_mutex_lock(&g->lock);
    int was_empty = !g->guests;
    guest->next = g->guests;
    if (guest->next)
        guest->next->prev = guest;
    g->guests = guest;
    int is_watched = await(g, guest, EPOLLIN);
    pthread_mutex_unlock(&g->lock);
    if (was_empty || !is_watched)
        wake_up(g); /* one that is not watched is only found to be late */
}

int greeter_busy(const struct greeter *g) {
    return atomic_load(&g->busy);
}

void greeter_stop(struct greeter *g) {
    if (!g)
        return;
    atomic_store(&g->stopping, 1);
    wake_up(g);
    pthread_join(g->thread, NULL);
    free_greeter(g);
}
