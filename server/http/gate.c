/* gate.c - see gate.h. */
#include "gate.h"

#include "clock.h"
#include "framing.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

enum { SOCKETS = 1 << 20, ROOM = FRAMING_HEAD_MAX };

struct gate {
    int socket;
    struct framing framing;
    unsigned char *held; /* owned, of ROOM bytes; NULL while nothing is held back */
    size_t held_len;
    atomic_ullong moved_ns;
    atomic_int has_begun; /* boolean */
    atomic_int reading;   /* boolean: bytes may have left the socket that `passed` does not tell of yet */
    atomic_ulong passed;  /* requests: framing.requests, for other threads */
};

/* By socket; an entry is written and read by the thread that reads the socket. */
static _Atomic(struct gate *) gates[SOCKETS];

typedef ssize_t receive(int fd, void *buf, size_t len, int flags);

/* The C library's own recv. */
static receive *library(void) {
    static _Atomic(receive *) found; /* the C library's; the same for whoever looks first */
    receive *theirs = found;
    if (!theirs) {
        *(void **)&theirs = dlsym(RTLD_NEXT, "recv");
        found = theirs;
    }
    return theirs;
}

struct gate *gate_open(int socket) {
    struct gate *g = socket >= 0 && socket < SOCKETS ? calloc(1, sizeof *g) : NULL;
    if (!g)
        return NULL;
    g->socket = socket;
    atomic_init(&g->moved_ns, sm_clock_coarse_ns());
    atomic_store_explicit(&gates[socket], g, memory_order_relaxed);
    return g;
}

void gate_close(struct gate *g) {
    if (!g)
        return;
    atomic_store_explicit(&gates[g->socket], NULL, memory_order_relaxed);
    free(g->held);
    free(g);
}

sm_status gate_refusal(const struct gate *g, unsigned long serial, struct error *err) {
    if (g->framing.status == SM_OK || g->framing.requests != serial)
        return SM_OK;
    return error_set(err, g->framing.status, "%s", g->framing.detail);
}

uint64_t gate_moved_ns(const struct gate *g) {
    return atomic_load_explicit(&g->moved_ns, memory_order_relaxed);
}

int gate_has_begun(const struct gate *g) {
    return atomic_load_explicit(&g->has_begun, memory_order_relaxed);
}

unsigned long gate_passed(const struct gate *g) {
    return atomic_load(&g->passed);
}

int gate_is_reading(const struct gate *g) {
    return atomic_load(&g->reading);
}

/* Keeps the LEN bytes at IN, which were not used, for the next time. 0 if out of memory. */
static int hold(struct gate *g, const unsigned char *in, size_t len) {
    if (len && !g->held)
        g->held = malloc(ROOM);
    if (len && !g->held)
        return 0;
    if (len)
        memmove(g->held, in, len);
    else {
        free(g->held);
        g->held = NULL;
    }
    g->held_len = len;
    atomic_store_explicit(&g->has_begun, g->framing.state == FRAMING_HEAD && len > 0, memory_order_relaxed);
    return 1;
}

/* Receives up to SIZE bytes; gives how many. *IS_DRY: there are no more now; *HAS_ENDED: there never will be. */
static size_t receive_more(struct gate *g, unsigned char *to, size_t size, int *is_dry, int *has_ended) {
    ssize_t n;
    do
        n = library()(g->socket, to, size, 0);
    while (n < 0 && errno == EINTR);
    *is_dry = n < (ssize_t)size;
    *has_ended = n == 0 || (n < 0 && errno != EAGAIN);
    if (n > 0)
        atomic_store_explicit(&g->moved_ns, sm_clock_coarse_ns(), memory_order_relaxed);
    return n > 0 ? (size_t)n : 0;
}

/* Receives bytes of a body directly into OUT, since they need no check. */
static size_t receive_body(struct gate *g, unsigned char *out, size_t size, int *is_dry, int *has_ended) {
    size_t most = framing_straight(&g->framing);
    size_t n = receive_more(g, out, most < size ? most : size, is_dry, has_ended);
    framing_passed(&g->framing, n);
    return n;
}

/* What recv(2) gives of the checked bytes. libmicrohttpd waits for an edge of its epoll set after it got less than it
 * asked for, so less is given only when the socket has no more. */
static ssize_t pass(struct gate *g, unsigned char *out, size_t size) {
    static _Thread_local unsigned char fresh[ROOM];
    enum {
        SWALLOWED = 64
    }; /* pieces of what a refused client still sends: closing before they are read loses the answer */
    unsigned char *in = g->held ? g->held : fresh;
    size_t len = g->held_len, made = 0, used;
    int is_dry = 0, has_ended = 0, turns = 0;
    for (;;) {
        made += framing_move(&g->framing, in, len, &used, out + made, size - made);
        len -= used;
        if (used && len)
            memmove(in, in + used, len);
        int wants_more = made == 0 || (g->framing.state == FRAMING_REFUSED && turns++ < SWALLOWED);
        if (made == size || has_ended || (is_dry && !wants_more))
            break;
        int is_body = len == 0 && framing_straight(&g->framing) > 0;
        size_t n = is_body ? receive_body(g, out + made, size - made, &is_dry, &has_ended)
                           : receive_more(g, in + len, ROOM - len, &is_dry, &has_ended);
        *(is_body ? &made : &len) += n;
        if (has_ended)
            framing_end(&g->framing, len);
        else if (n == 0)
            break;
    }
    if (!hold(g, in, len))
        return errno = ENOMEM, -1;
    if (made || has_ended)
        return (ssize_t)made;
    return errno = EAGAIN, -1;
}

/* recv(2), for the whole program. */
__attribute__((visibility("default"))) receive gate_receive __asm__("recv");

/* recv(2) for the whole program: checked bytes for sockets that have a gate. */
ssize_t gate_receive(int fd, void *buf, size_t len, int flags) {
    struct gate *g =
        flags == 0 && fd >= 0 && fd < SOCKETS ? atomic_load_explicit(&gates[fd], memory_order_relaxed) : NULL;
    if (!g)
        return library()(fd, buf, len, flags);
    atomic_store(&g->reading, 1);
    ssize_t n = pass(g, buf, len);
    atomic_store(&g->passed, g->framing.requests);
    atomic_store(&g->reading, 0);
    return n;
}
