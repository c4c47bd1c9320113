/* What smd believes of what its fork server sends: frames in their order, of their size, with their descriptors. */
#include "forkserver.h"

#include "artifact.h"
#include "frame.h"

#include <criterion/criterion.h>
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static struct forkserver n;
static int other; /* the fork server's end */
static int fds_before;

static int open_fds(void) {
    int count = 0;
    DIR *d = opendir("/proc/self/fd");
    while (readdir(d))
        count++;
    closedir(d);
    return count;
}

static void begin(void) {
    int pair[2];
    fds_before = open_fds();
    cr_assert_eq(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair), 0);
    forkserver_init(&n);
    n.socket = pair[0];
    other = pair[1];
}

/* Whatever came: no descriptor stays. */
static void end(void) {
    forkserver_stop(&n);
    free(n.about);
    close(other);
    cr_assert_eq(open_fds(), fds_before);
}

TestSuite(forkserver, .init = begin, .fini = end);

/* A frame of this payload, with COUNT descriptors. */
static void say(int type, const void *payload, size_t len, int count) {
    unsigned char bytes[SM_FRAME_HEADER + 256];
    union {
        char space[CMSG_SPACE(16 * sizeof(int))];
        struct cmsghdr align;
    } control;
    sm_frame_encode(bytes, type, len);
    memcpy(bytes + SM_FRAME_HEADER, payload, len);
    struct iovec iov = {bytes, SM_FRAME_HEADER + len};
    struct msghdr msg = {.msg_iov = &iov, .msg_iovlen = 1};
    if (count) {
        memset(&control, 0, sizeof control);
        msg.msg_control = &control;
        msg.msg_controllen = CMSG_SPACE((size_t)count * sizeof(int));
        struct cmsghdr *c = CMSG_FIRSTHDR(&msg);
        c->cmsg_level = SOL_SOCKET;
        c->cmsg_type = SCM_RIGHTS;
        c->cmsg_len = CMSG_LEN((size_t)count * sizeof(int));
        for (int i = 0; i < count; i++)
            memcpy(CMSG_DATA(c) + (size_t)i * sizeof other, &other, sizeof other);
    }
    cr_assert_eq(sendmsg(other, &msg, 0), (ssize_t)iov.iov_len);
}

static void hello(uint32_t protocol, uint32_t artifact) {
    sm_buf b;
    sm_buf_init(&b, 100);
    sm_buf_put_u32(&b, protocol);
    sm_buf_put_u32(&b, artifact);
    sm_buf_put_str(&b, "{}", 2);
    say(SM_FRAME_HELLO, b.data, b.len, 0);
    sm_buf_free(&b);
}

static void greet(void) {
    hello(SM_PROTOCOL_VERSION, SM_ARTIFACT_VERSION);
    cr_assert_eq(forkserver_next(&n).kind, FORKSERVER_READY);
}

static const uint32_t two[4] = {1234, 9, 5000, 0};

static void is_believed_no_more(void) {
    cr_assert_eq(forkserver_next(&n).kind, FORKSERVER_GONE);
}

Test(forkserver, says_hello_and_tells_of_workers) {
    greet();
    say(SM_FRAME_SPAWNED, two, 4, 3);
    struct forkserver_event e = forkserver_next(&n);
    cr_assert(e.kind == FORKSERVER_SPAWNED && e.pid == 1234);
    close(e.socket);
    close(e.pidfd);
    close(e.log);
    say(SM_FRAME_EXITED, two, 16, 0);
    e = forkserver_next(&n);
    cr_assert(e.kind == FORKSERVER_EXITED && e.pid == 1234 && e.wait_status == 9 && e.cpu_ns == 5000);
    cr_assert_eq(forkserver_next(&n).kind, FORKSERVER_NOTHING);
}

Test(forkserver, of_another_version) {
    hello(SM_PROTOCOL_VERSION + 1, SM_ARTIFACT_VERSION);
    is_believed_no_more();
}

Test(forkserver, tells_of_workers_before_its_hello) {
    say(SM_FRAME_SPAWNED, two, 4, 3);
    is_believed_no_more();
}

Test(forkserver, says_hello_twice) {
    greet();
    hello(SM_PROTOCOL_VERSION, SM_ARTIFACT_VERSION);
    is_believed_no_more();
}

Test(forkserver, speaks_as_a_worker) {
    greet();
    say(SM_FRAME_RESULT, two, 8, 0);
    is_believed_no_more();
}

Test(forkserver, a_worker_without_its_descriptors) {
    greet();
    say(SM_FRAME_SPAWNED, two, 4, 2);
    is_believed_no_more();
}

/* The fourth and what comes after it are closed: end() counts. */
Test(forkserver, more_descriptors_than_a_worker_has) {
    greet();
    say(SM_FRAME_SPAWNED, two, 4, 8);
    struct forkserver_event e = forkserver_next(&n);
    cr_assert_eq(e.kind, FORKSERVER_SPAWNED);
    close(e.socket);
    close(e.pidfd);
    close(e.log);
}

Test(forkserver, descriptors_of_nobody_are_closed) {
    greet();
    say(SM_FRAME_EXITED, two, 16, 3);
    forkserver_next(&n);
}

Test(forkserver, an_event_too_short) {
    greet();
    say(SM_FRAME_EXITED, two, 12, 0);
    is_believed_no_more();
}

/* Refused by its header: nothing is waited for, and nothing is held. */
Test(forkserver, frames_that_claim_to_be_long) {
    static const uint64_t lengths[] = {17, 1 << 20, UINT32_MAX, UINT64_MAX};
    unsigned char header[SM_FRAME_HEADER];
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        n.ready = 1;
        n.in.len = 0;
        sm_frame_encode(header, SM_FRAME_EXITED, (size_t)lengths[i]);
        cr_assert_eq(write(other, header, sizeof header), (ssize_t)sizeof header);
        is_believed_no_more();
    }
    n.ready = 0;
    n.in.len = 0;
    sm_frame_encode(header, SM_FRAME_HELLO, (size_t)1 << 20);
    cr_assert_eq(write(other, header, sizeof header), (ssize_t)sizeof header);
    is_believed_no_more();
}

Test(forkserver, no_frame_at_all) {
    cr_assert_eq(write(other, "HTTP/1.1 200 OK\r\n\r\n", 19), 19);
    is_believed_no_more();
}

Test(forkserver, a_frame_that_comes_in_pieces) {
    unsigned char bytes[SM_FRAME_HEADER + 16];
    greet();
    sm_frame_encode(bytes, SM_FRAME_EXITED, 16);
    memcpy(bytes + SM_FRAME_HEADER, two, 16);
    for (size_t i = 0; i < sizeof bytes; i++) {
        cr_assert_eq(forkserver_next(&n).kind, FORKSERVER_NOTHING);
        cr_assert_eq(write(other, bytes + i, 1), 1);
    }
    cr_assert_eq(forkserver_next(&n).kind, FORKSERVER_EXITED);
}
