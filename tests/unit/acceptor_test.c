/* acceptor_test.c - as many connections as there is room for, and when it stops, those that had come. */
#include "acceptor.h"

#include <criterion/criterion.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

static struct {
    int listener;
    struct sockaddr_un address;
    socklen_t len;
    struct acceptor *acceptor;
    sem_t came;
    atomic_int given;
    int end[16];
} t;

static void give(void *arg, int fd, const struct sockaddr *address, socklen_t len) {
    cr_assert_eq(arg, &t);
    cr_assert_eq(address->sa_family, AF_UNIX);
    cr_assert_gt(len, 0);
    t.end[atomic_fetch_add(&t.given, 1)] = fd;
    sem_post(&t.came);
}

static void setup(void) {
    t.listener = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    t.address.sun_family = AF_UNIX; /* the kernel names it */
    cr_assert_eq(bind(t.listener, (struct sockaddr *)&t.address, sizeof(sa_family_t)), 0);
    t.len = sizeof t.address;
    cr_assert_eq(getsockname(t.listener, (struct sockaddr *)&t.address, &t.len), 0);
    cr_assert_eq(listen(t.listener, 16), 0);
    sem_init(&t.came, 0, 0);
    t.acceptor = acceptor_new(t.listener, 2, give, &t);
    cr_assert_not_null(t.acceptor);
}

static void teardown(void) {
    acceptor_free(t.acceptor);
    close(t.listener);
    for (int i = 0; i < t.given; i++)
        close(t.end[i]);
}

static void come(void) {
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    cr_assert_eq(connect(fd, (struct sockaddr *)&t.address, t.len), 0);
}

static void await_given(void) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 300;
    cr_assert_eq(sem_timedwait(&t.came, &until), 0);
}

TestSuite(acceptor, .init = setup, .fini = teardown, .timeout = 600);

Test(acceptor, others_wait_until_there_is_room) {
    cr_assert(acceptor_start(t.acceptor));
    for (int i = 0; i < 4; i++)
        come();
    await_given();
    await_given();
    cr_assert_eq(t.given, 2);
    acceptor_ended(t.acceptor);
    await_given();
    acceptor_stop(t.acceptor, 0);
    cr_assert_eq(t.given, 3);
}

Test(acceptor, those_that_had_come_are_given_at_the_end) {
    cr_assert(acceptor_start(t.acceptor));
    for (int i = 0; i < 5; i++)
        come();
    await_given();
    await_given();
    acceptor_stop(t.acceptor, 1);
    cr_assert_eq(t.given, 5);
}

Test(acceptor, what_ends_at_once_makes_room) {
    cr_assert(acceptor_start(t.acceptor));
    for (int i = 0; i < 10; i++) {
        come();
        await_given();
        acceptor_ended(t.acceptor);
    }
    acceptor_stop(t.acceptor, 1);
    cr_assert_eq(t.given, 10);
}
