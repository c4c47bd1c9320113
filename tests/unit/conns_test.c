/* conns_test.c - who is given up as late: a slow client, never one that waits for a daemon that was held up. Who has
 * sent a request that a drain has to wait for: one that is whole, wherever it is. */
#include "conns.h"

#include <criterion/criterion.h>
#include <limits.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static struct {
    struct settings settings; /* every limit is 0 seconds: all that takes longer than a moment is late */
    struct metrics metrics;
    struct budget *budget;
    struct conns conns;
    struct conn *conn;
    int ours, client;
} t;

static void setup(void) {
    struct peer peer = {.is_local = 1};
    int pair[2];
    t.settings.min_answer_kib_s = 1 << 20;
    t.settings.request_timeout_s = 60;
    t.budget = budget_new(&t.settings, &t.metrics);
    conns_init(&t.conns, &t.settings, t.budget, LONG_MAX);
    cr_assert_eq(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, pair), 0);
    t.ours = pair[0];
    t.client = pair[1];
    t.conn = conns_add(&t.conns, t.ours, NULL, &peer, 0);
    cr_assert_not_null(t.conn);
}

static void teardown(void) {
    conns_remove(&t.conns, t.conn);
    conns_end(&t.conns);
    cr_expect_eq(metric_get(&t.metrics, METRIC_HELD_CONNECTION), 0);
    budget_free(t.budget);
    close(t.ours);
    close(t.client);
}

TestSuite(conns, .init = setup, .fini = teardown);

Test(conns, each_is_in_the_account) {
    struct peer peer = {.number = 7};
    int pair[2];
    t.settings.client_connections = t.settings.connections = 2;
    cr_assert_eq(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, pair), 0);
    struct conn *second = conns_add(&t.conns, pair[0], NULL, &peer, 1);
    cr_assert_not_null(second);
    cr_expect_eq(metric_get(&t.metrics, METRIC_HELD_CONNECTION), 2 * CONN_BYTES);
    conns_remove(&t.conns, second);
    t.settings.client_connections = 0;
    cr_expect_null(conns_add(&t.conns, pair[0], NULL, &peer, 1), "the address has as many as it may");
    cr_expect_eq(metric_get(&t.metrics, METRIC_HELD_CONNECTION), CONN_BYTES);
    close(pair[0]);
    close(pair[1]);
}

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

/* ---- What a drain waits for --------------------------------------------------------------------------------- */

static void client_sends(const char *text) {
    cr_assert_eq(send(t.client, text, strlen(text), MSG_NOSIGNAL), (ssize_t)strlen(text));
}

/* As libmicrohttpd does it; the bytes pass the gate. */
static void thread_reads(void) {
    char bytes[1000];
    while (recv(t.ours, bytes, sizeof bytes, 0) > 0)
        ;
}

Test(conns, a_client_that_says_nothing_is_not_waited_for) {
    cr_expect_eq(conns_unread(&t.conns), 0);
}

Test(conns, a_request_is_waited_for_until_it_begins) {
    client_sends("GET /livez HTTP/1.1\r\nHost: a\r\n\r\n");
    cr_expect_eq(conns_unread(&t.conns), 1, "nobody has read it");
    thread_reads();
    cr_expect_eq(conns_unread(&t.conns), 1, "nobody has told of it");
    conns_request(t.conn);
    cr_expect_eq(conns_unread(&t.conns), 0);
}

Test(conns, the_second_of_two_is_waited_for) {
    client_sends("GET /a HTTP/1.1\r\nHost: a\r\n\r\nGET /b HTTP/1.1\r\nHost: a\r\n\r\n");
    thread_reads();
    conns_request(t.conn);
    cr_expect_eq(conns_unread(&t.conns), 1);
    conns_request(t.conn);
    cr_expect_eq(conns_unread(&t.conns), 0);
}

Test(conns, what_is_refused_is_waited_for_too) {
    client_sends("no HTTP\n\n");
    thread_reads();
    cr_expect_eq(conns_unread(&t.conns), 1, "its answer says so");
    conns_request(t.conn);
    cr_expect_eq(conns_unread(&t.conns), 0);
}

Test(conns, the_beginning_of_a_head_is_not_waited_for) {
    client_sends("GET /livez HTTP/1.1\r\nHo");
    cr_expect_eq(conns_unread(&t.conns), 1, "it could be a whole one");
    thread_reads();
    cr_expect_eq(conns_unread(&t.conns), 0);
}

Test(conns, who_was_given_up_is_not_waited_for) {
    t.settings.request_timeout_s = 0;
    begin(CONN_BODY);
    send_from(t.client);
    cr_expect(is_given_up_after(1));
    cr_expect_eq(conns_unread(&t.conns), 0);
}

/* How many connections one address may have open with ROOM for so many in all. */
static int most_with(long room) {
    struct settings settings = {.connections = 400, .client_connections = 40};
    struct peer peer = {.number = 1}, other = {.number = 2};
    struct conns conns;
    int n = 0;
    conns_init(&conns, &settings, NULL, room);
    while (conns_enter(&conns, &peer))
        n++;
    cr_expect(conns_enter(&conns, &other), "another address has its own");
    conns_leave(&conns, &other);
    for (int i = 0; i < n; i++)
        conns_leave(&conns, &peer);
    conns_end(&conns);
    return n;
}

/* One address does not get all that few descriptors allow. */
Test(bounds, of_an_address_follow_the_descriptors) {
    cr_expect_eq(most_with(LONG_MAX), 40);
    cr_expect_eq(most_with(400), 40);
    cr_expect_eq(most_with(100), 10);
    cr_expect_eq(most_with(3), 1);
}
