/* Frames over a socketpair: whole, empty, cut off, too large, not frames at all. */
#include "frame.h"

#include <criterion/criterion.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static int pair[2];
static sm_buf payload;
static uint16_t type;

static void open_pair(void) {
    cr_assert_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
    sm_buf_init(&payload, 1000);
}

static void close_pair(void) {
    sm_buf_free(&payload);
    close(pair[0]);
    close(pair[1]);
}

TestSuite(frame, .init = open_pair, .fini = close_pair);

Test(frame, head_and_tail_arrive_as_one) {
    cr_assert_eq(sm_frame_write(pair[0], SM_FRAME_JOB, "head", 4, "tail!", 5), SM_OK);
    cr_assert_eq(sm_frame_read(pair[1], &type, &payload), SM_OK);
    cr_assert_eq(type, SM_FRAME_JOB);
    cr_assert_eq(payload.len, 9);
    cr_assert_arr_eq(payload.data, "headtail!", 9);
}

Test(frame, empty_payload) {
    cr_assert_eq(sm_frame_write(pair[0], SM_FRAME_SPAWN, NULL, 0, NULL, 0), SM_OK);
    cr_assert_eq(sm_frame_read(pair[1], &type, &payload), SM_OK);
    cr_assert_eq(type, SM_FRAME_SPAWN);
    cr_assert_eq(payload.len, 0);
}

static sm_status read_raw(const void *bytes, size_t len) {
    cr_assert_eq(write(pair[0], bytes, len), (ssize_t)len);
    shutdown(pair[0], SHUT_WR);
    return sm_frame_read(pair[1], &type, &payload);
}

Test(frame, orderly_end) {
    cr_assert_eq(read_raw("", 0), SM_CLOSED);
}

Test(frame, end_inside_the_header) {
    cr_assert_eq(read_raw("SMF1", 4), SM_TRUNCATED);
}

Test(frame, end_inside_the_payload) {
    unsigned char bytes[SM_FRAME_HEADER + 3];
    sm_frame_encode(bytes, SM_FRAME_JOB, 4);
    cr_assert_eq(read_raw(bytes, sizeof bytes), SM_TRUNCATED);
}

Test(frame, payload_over_the_maximum) {
    unsigned char bytes[SM_FRAME_HEADER];
    sm_frame_encode(bytes, SM_FRAME_JOB, 1001);
    cr_assert_eq(read_raw(bytes, sizeof bytes), SM_TOO_LARGE);
}

Test(frame, length_of_all_ones) {
    unsigned char bytes[SM_FRAME_HEADER];
    sm_frame_encode(bytes, SM_FRAME_JOB, UINT64_MAX);
    cr_assert_eq(read_raw(bytes, sizeof bytes), SM_TOO_LARGE);
}

Test(frame, garbage) {
    cr_assert_eq(read_raw("GET / HTTP/1.1\r\n", 16), SM_MALFORMED);
}

Test(frame, nonzero_reserved_field) {
    unsigned char bytes[SM_FRAME_HEADER];
    sm_frame_encode(bytes, SM_FRAME_JOB, 0);
    bytes[6] = 1;
    cr_assert_eq(read_raw(bytes, sizeof bytes), SM_MALFORMED);
}

Test(frame, writing_to_a_closed_side) {
    close(pair[1]);
    cr_assert_eq(sm_frame_write(pair[0], SM_FRAME_JOB, "x", 1, NULL, 0), SM_CLOSED);
    pair[1] = dup(pair[0]);
}

Test(timings, come_back) {
    sm_timings in = {.stage_us = {1, 2, 3, 4, 5, 6}, .peak_rss_kib = 7}, out;
    sm_buf b;
    sm_buf_init(&b, 100);
    sm_put_timings(&b, &in);
    cr_assert_eq(b.len, SM_TIMINGS_SIZE);
    sm_cursor c = sm_cursor_of(b.data, b.len);
    cr_assert_eq(sm_get_timings(&c, &out), SM_OK);
    cr_assert_eq(memcmp(&in, &out, sizeof in), 0);
    sm_buf_free(&b);
}
