/* acceptor.c - see acceptor.h. */
#include "acceptor.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

enum { PAUSE_MS = 50 }; /* when descriptors have run out: somebody has to close one */

struct acceptor {
    int fd, wake; /* wake: readable when the thread has to look anew */
    unsigned most;
    acceptor_give *give;
    void *arg;
    pthread_t thread;
    atomic_uint open;
    atomic_int stopping; /* boolean */
};

/* Accepts the connections that wait while there is room; with ALL, regardless of room. 1 if descriptors have run out.
 * */
static int let_in(struct acceptor *a, int all) {
    while (all || atomic_load(&a->open) < a->most) {
        struct sockaddr_storage address;
        socklen_t len = sizeof address;
        int fd = accept4(a->fd, (struct sockaddr *)&address, &len, SOCK_CLOEXEC | SOCK_NONBLOCK);
        if (fd >= 0) {
            atomic_fetch_add(&a->open, 1);
            a->give(a->arg, fd, (struct sockaddr *)&address, len);
        } else if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM) {
            return 1;
        } else if (errno != EINTR && errno != ECONNABORTED) {
            return 0;
        }
    }
    return 0;
}

/* The acceptor's thread: accepts connections while there is room, and pauses when descriptors have run out. */
static void *run_acceptor(void *arg) {
    struct acceptor *a = arg;
    int pauses = 0;
    pthread_setname_np(pthread_self(), "smd-accept");
    while (!atomic_load(&a->stopping)) {
        int is_full = pauses || atomic_load(&a->open) >= a->most;
        struct pollfd wait[] = {{.fd = a->wake, .events = POLLIN}, {.fd = is_full ? -1 : a->fd, .events = POLLIN}};
        uint64_t count;
        poll(wait, 2, pauses ? PAUSE_MS : -1);
        while (read(a->wake, &count, sizeof count) > 0)
            ;
        pauses = !atomic_load(&a->stopping) && let_in(a, 0);
    }
    return NULL;
}

struct acceptor *acceptor_new(int fd, unsigned most, acceptor_give *give, void *arg) {
    struct acceptor *a = calloc(1, sizeof *a);
    if (!a)
        return NULL;
    *a = (struct acceptor){.fd = fd, .most = most, .give = give, .arg = arg};
    a->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (a->wake >= 0)
        return a;
    free(a);
    return NULL;
}

int acceptor_start(struct acceptor *a) {
    return pthread_create(&a->thread, NULL, run_acceptor, a) == 0;
}

/* Makes the thread look again. */
static void wake(struct acceptor *a) {
    uint64_t one = 1;
    ssize_t n = write(a->wake, &one, sizeof one);
    (void)n; /* a full counter wakes as well */
}

void acceptor_ended(struct acceptor *a) {
    if (atomic_fetch_sub(&a->open, 1) == a->most)
        wake(a);
}

void acceptor_stop(struct acceptor *a, int all) {
    atomic_store(&a->stopping, 1);
    wake(a);
    pthread_join(a->thread, NULL);
    if (all)
        let_in(a, 1);
}

void acceptor_free(struct acceptor *a) {
    if (a)
        close(a->wake);
    free(a);
}
