/* conns_test.c - who is given up as late: a slow client, never one that waits for a daemon that was held up. */
#include "conns.h"

#include <criterion/criterion.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static struct {
    struct settings settings; /* every limit is 0 seconds: all that takes longer than a moment is late */
    struct conns conns;
    struct conn *conn;
    int ours, client;
} t;

static void setup(void) {
    struct peer peer = {.is_local = 1};
    int pair[2];
    t.settings.min_answer_kib_s = 1 << 20;
    t.settings.request_timeout_s = 60;
    conns_init(&t.conns, &t.settings);
    cr_assert_eq(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, pair), 0);
    t.ours = pair[0];
    t.client = pair[1];
    t.conn = conns_add(&t.conns, t.ours, &peer, 0);
    cr_assert_not_null(t.conn);
}

static void teardown(void) {
    conns_remove(&t.conns, t.conn);
    conns_end(&t.conns);
    close(t.ours);
    close(t.client);
}

TestSuite(conns, .init = setup, .fini = teardown);

static void a_moment(void) {
    nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL); /* the coarse clock's steps are shorter */
}

static void begin(enum conn_phase phase) {
    cr_assert(conns_phase(&t.conns, t.conn, phase, 0));
    a_moment();
}

static int is_given_up_after(int ticks) {
    char bytes[16];
    for (int i = 0; i < ticks; i++)
        conns_tick(&t.conns);
    while (recv(t.client, bytes, sizeof bytes, 0) > 0)
        ;
    return recv(t.client, bytes, sizeof bytes, 0) == 0;
}

static void send_from(int fd) {
    cr_assert_eq(send(fd, "bytes", 5, MSG_NOSIGNAL), 5);
}

static void silence_is_late_when_seen_twice(enum conn_phase phase) {
    begin(phase);
    cr_expect_not(is_given_up_after(1), "the thread may just have read what had come");
    cr_expect(is_given_up_after(1));
}

static void what_waits_to_be_read_is_in_time(enum conn_phase phase) {
    begin(phase);
    send_from(t.client);
    cr_expect_not(is_given_up_after(5));
}

Test(conns, an_idle_client_is_late) {
    silence_is_late_when_seen_twice(CONN_IDLE);
}

Test(conns, a_silent_body_is_late) {
    silence_is_late_when_seen_twice(CONN_BODY);
}

Test(conns, a_request_that_has_come_is_in_time) {
    what_waits_to_be_read_is_in_time(CONN_IDLE);
}

Test(conns, a_body_that_has_come_is_in_time) {
    what_waits_to_be_read_is_in_time(CONN_BODY);
}

Test(conns, a_whole_body_has_its_limit) {
    t.settings.request_timeout_s = 0;
    begin(CONN_BODY);
    send_from(t.client);
    cr_expect(is_given_up_after(1));
}

Test(conns, who_has_read_all_is_in_time) {
    begin(CONN_ANSWER);
    cr_expect_not(is_given_up_after(5));
}

Test(conns, who_does_not_read_is_late) {
    begin(CONN_ANSWER);
    send_from(t.ours);
    cr_expect(is_given_up_after(1));
    cr_expect_not(conns_phase(&t.conns, t.conn, CONN_IDLE, 0), "nothing more is sent");
}

Test(conns, who_waits_for_a_job_is_in_time) {
    begin(CONN_WAIT);
    cr_expect_not(is_given_up_after(5));
}
