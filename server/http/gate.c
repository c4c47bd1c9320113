/* gate.c - see gate.h. */
#include "gate.h"

#include "clock.h"
#include "framing.h"
#include "session.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>

enum { SOCKETS = 1 << 20, ROOM = FRAMING_HEAD_MAX };
/* Bytes of an answer that are sent at a time: all other connections of the thread wait meanwhile. A client that reads as
 * fast as that would otherwise get all of it in one call. */
enum { TURN = 128 << 10, TURN_PIECES = 16 };

struct gate {
    int socket;
    struct session *session; /* owned; NULL: it is in clear */
    struct framing framing;
    unsigned char *held; /* owned, of ROOM bytes; NULL while nothing is held back */
    size_t held_len;
    int epoll; /* the set that libmicrohttpd waits on for the socket, and as what; -1: it is in none */
    struct epoll_event event;
    atomic_ullong moved_ns;
    atomic_int has_begun; /* boolean */
    atomic_int reading;   /* boolean: bytes may have left the socket that `passed` does not tell of yet */
    atomic_ulong passed;  /* requests: framing.requests, for other threads */
};

/* By socket; an entry is written and read by the thread that reads the socket. */
static _Atomic(struct gate *) gates[SOCKETS];

struct gate *gate_open(int socket, struct session *session) {
    struct gate *g = socket >= 0 && socket < SOCKETS ? calloc(1, sizeof *g) : NULL;
    if (!g) {
        session_close(session);
        return NULL;
    }
    g->socket = socket;
    g->session = session;
    g->epoll = -1;
    atomic_init(&g->moved_ns, sm_clock_coarse_ns());
    atomic_store_explicit(&gates[socket], g, memory_order_relaxed);
    return g;
}

void gate_close(struct gate *g) {
    if (!g)
        return;
    atomic_store_explicit(&gates[g->socket], NULL, memory_order_relaxed);
    session_close(g->session);
    free(g->held);
    free(g);
}

int gate_has_closed(const struct gate *g) {
    char byte;
    if (g->session)
        return session_has_closed(g->session);
    return recvfrom(g->socket, &byte, 1, MSG_PEEK | MSG_DONTWAIT, NULL, NULL) == 0;
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
        n = g->session ? session_receive(g->session, to, size) : recvfrom(g->socket, to, size, 0, NULL, NULL);
    while (n < 0 && errno == EINTR);
    *is_dry = g->session ? n < 0 : n < (ssize_t)size; /* TLS gives a record at a time */
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

/* ---- The C library's names ---------------------------------------------------------------------------------- */

/* The gate of a socket; NULL if it has none. */
static struct gate *gate_of(int fd) {
    return fd >= 0 && fd < SOCKETS ? atomic_load_explicit(&gates[fd], memory_order_relaxed) : NULL;
}

/* The session of a socket; NULL if it is in clear. */
static struct session *session_of(int fd) {
    const struct gate *g = gate_of(fd);
    return g ? g->session : NULL;
}

/* What these are for the whole program: recv(2), send(2), sendmsg(2), shutdown(2), epoll_ctl(2). */
#define FOR_ALL __attribute__((visibility("default")))
FOR_ALL ssize_t gate_receive(int fd, void *buf, size_t len, int flags) __asm__("recv");
FOR_ALL ssize_t gate_send(int fd, const void *buf, size_t len, int flags) __asm__("send");
FOR_ALL ssize_t gate_send_pieces(int fd, const struct msghdr *message, int flags) __asm__("sendmsg");
FOR_ALL int gate_shut(int fd, int how) __asm__("shutdown");
FOR_ALL int gate_wait(int epoll, int op, int fd, struct epoll_event *event) __asm__("epoll_ctl");

/* recv(2): checked bytes for sockets that have a gate. */
ssize_t gate_receive(int fd, void *buf, size_t len, int flags) {
    struct gate *g = flags == 0 ? gate_of(fd) : NULL;
    if (!g)
        return recvfrom(fd, buf, len, flags, NULL, NULL);
    atomic_store(&g->reading, 1);
    ssize_t n = pass(g, buf, len);
    atomic_store(&g->passed, g->framing.requests);
    atomic_store(&g->reading, 0);
    return n;
}

/* The C library's own; the same for whoever looks first. */
static void *library(const char *name, _Atomic(void *) *found) {
    void *theirs = *found;
    if (!theirs)
        *found = theirs = dlsym(RTLD_NEXT, name);
    return theirs;
}

/* epoll_ctl(2): notes where the socket is waited for. */
int gate_wait(int epoll, int op, int fd, struct epoll_event *event) {
    static _Atomic(void *) found;
    int (*theirs)(int, int, int, struct epoll_event *);
    struct gate *g = gate_of(fd);
    *(void **)&theirs = library("epoll_ctl", &found);
    if (g)
        g->epoll = op == EPOLL_CTL_DEL ? -1 : epoll;
    if (g && op != EPOLL_CTL_DEL)
        g->event = *event;
    return theirs(epoll, op, fd, event);
}

/* After LEN bytes, all that a turn was to send, while there are more. libmicrohttpd takes a socket that took less than
 * all for full, and waits for an edge of its epoll set, which there will be at once: modified, the set looks anew. */
static void end_turn(struct gate *g, size_t len, ssize_t sent) {
    if (sent == (ssize_t)len && g->epoll >= 0)
        gate_wait(g->epoll, EPOLL_CTL_MOD, g->socket, &g->event);
}

/* send(2): by TLS for sockets that have a session; a turn alone for those that have a gate. */
ssize_t gate_send(int fd, const void *buf, size_t len, int flags) {
    struct gate *g = gate_of(fd);
    size_t turn = g && len > TURN ? TURN : len;
    ssize_t n = g && g->session ? session_send(g->session, buf, turn) : sendto(fd, buf, turn, flags, NULL, 0);
    if (turn < len)
        end_turn(g, turn, n);
    return n;
}

/* Sends the pieces by TLS: those that fit into one record together, so that a small answer is one. */
static ssize_t send_pieces(struct session *s, const struct msghdr *message) {
    static _Thread_local unsigned char together[ROOM];
    ssize_t sent = 0, n = 0;
    for (size_t i = 0; i < message->msg_iovlen;) {
        const struct iovec *piece = &message->msg_iov[i];
        size_t len = 0, first = i;
        for (; i < message->msg_iovlen && piece[i - first].iov_len <= ROOM - len; i++) {
            if (piece[i - first].iov_len)
                memcpy(together + len, piece[i - first].iov_base, piece[i - first].iov_len);
            len += piece[i - first].iov_len;
        }
        const void *from = i == first ? piece->iov_base : together;
        if (i == first)
            len = message->msg_iov[i++].iov_len;
        n = len ? session_send(s, from, len) : 0;
        sent += n > 0 ? n : 0;
        if (n != (ssize_t)len)
            break;
    }
    return sent || n >= 0 ? sent : -1;
}

/* The first pieces of a message, TURN bytes at most. */
struct turn {
    struct iovec piece[TURN_PIECES];
    size_t pieces, bytes;
};

/* 1 if the message has more. */
static int take_turn(struct turn *t, const struct msghdr *message) {
    size_t i = 0;
    for (t->bytes = t->pieces = 0; i < message->msg_iovlen && t->pieces < TURN_PIECES && t->bytes < TURN; i++) {
        struct iovec piece = message->msg_iov[i];
        if (piece.iov_len > TURN - t->bytes)
            piece.iov_len = TURN - t->bytes;
        t->bytes += piece.iov_len;
        t->piece[t->pieces++] = piece;
    }
    return i < message->msg_iovlen || t->piece[i - 1].iov_len < message->msg_iov[i - 1].iov_len;
}

/* sendmsg(2), likewise. */
ssize_t gate_send_pieces(int fd, const struct msghdr *message, int flags) {
    static _Atomic(void *) found;
    ssize_t (*theirs)(int, const struct msghdr *, int);
    struct gate *g = gate_of(fd);
    struct turn turn;
    struct msghdr part = *message;
    *(void **)&theirs = library("sendmsg", &found);
    if (!g)
        return theirs(fd, message, flags);
    int has_more = take_turn(&turn, message);
    part.msg_iov = turn.piece;
    part.msg_iovlen = turn.pieces;
    ssize_t n = g->session ? send_pieces(g->session, &part) : theirs(fd, &part, flags);
    if (has_more)
        end_turn(g, turn.bytes, n);
    return n;
}

/* shutdown(2): libmicrohttpd ends a connection by TLS with a goodbye. Not those that shut down both sides: they may be
 * another thread, and wait for nothing. */
int gate_shut(int fd, int how) {
    static _Atomic(void *) found;
    int (*theirs)(int, int);
    struct session *s = how == SHUT_WR ? session_of(fd) : NULL;
    if (s)
        session_end(s);
    *(void **)&theirs = library("shutdown", &found);
    return theirs(fd, how);
}
