/* A descriptor that has left its set already may be taken out again; every other error stays one. */
#include <criterion/criterion.h>
#include <errno.h>
#include <sys/epoll.h>
#include <unistd.h>

Test(epoll, only_what_is_gone_may_go) {
    int set = epoll_create1(EPOLL_CLOEXEC), ends[2];
    struct epoll_event e = {.events = EPOLLIN};
    cr_assert_eq(pipe(ends), 0);
    cr_assert_eq(epoll_ctl(set, EPOLL_CTL_DEL, ends[0], NULL), 0);
    cr_assert_eq(epoll_ctl(set, EPOLL_CTL_ADD, ends[0], &e), 0);
    cr_assert_neq(epoll_ctl(set, EPOLL_CTL_ADD, ends[0], &e), 0);
    cr_assert_eq(errno, EEXIST);
    cr_assert_eq(epoll_ctl(set, EPOLL_CTL_DEL, ends[0], NULL), 0);
    cr_assert_eq(epoll_ctl(set, EPOLL_CTL_DEL, ends[0], NULL), 0);
    cr_assert_neq(epoll_ctl(set, EPOLL_CTL_MOD, ends[0], &e), 0);
    cr_assert_eq(errno, ENOENT);
    close(ends[0]);
    cr_assert_neq(epoll_ctl(set, EPOLL_CTL_DEL, ends[0], NULL), 0);
    cr_assert_eq(errno, EBADF);
    close(ends[1]);
    close(set);
}
