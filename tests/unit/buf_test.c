/* Buffers never pass their maximum, cursors never pass their end. */
#include "buf.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

Test(buf, integers_come_back) {
    sm_buf b;
    sm_buf_init(&b, 100);
    sm_buf_put_u8(&b, 0x12);
    sm_buf_put_u16(&b, 0x3456);
    sm_buf_put_u32(&b, 0x789abcde);
    sm_buf_put_u64(&b, 0x1122334455667788);
    sm_buf_put_str(&b, "text", 4);
    sm_cursor c = sm_cursor_of(b.data, b.len);
    size_t n;
    cr_assert_eq(sm_get_u8(&c), 0x12);
    cr_assert_eq(sm_get_u16(&c), 0x3456);
    cr_assert_eq(sm_get_u32(&c), 0x789abcde);
    cr_assert_eq(sm_get_u64(&c), 0x1122334455667788);
    cr_assert_arr_eq(sm_get_str(&c, &n), "text", 4);
    cr_assert_eq(n, 4);
    cr_assert_eq(sm_cursor_left(&c), 0);
    cr_assert_eq(c.status, SM_OK);
    sm_buf_free(&b);
}

Test(buf, little_endian_on_the_wire) {
    sm_buf b;
    sm_buf_init(&b, 4);
    sm_buf_put_u32(&b, 0x01020304);
    cr_assert_arr_eq(b.data, "\x04\x03\x02\x01", 4);
    sm_buf_free(&b);
}

Test(buf, maximum_holds_and_failure_sticks) {
    sm_buf b;
    sm_buf_init(&b, 10);
    cr_assert_eq(sm_buf_put(&b, "0123456789", 10), SM_OK);
    cr_assert_eq(sm_buf_put_u8(&b, 1), SM_TOO_LARGE);
    cr_assert_eq(b.len, 10);
    sm_buf_clear(&b);
    cr_assert_eq(sm_buf_put(&b, "01234567890", 11), SM_TOO_LARGE);
    cr_assert_eq(b.len, 0);
    cr_assert_eq(sm_buf_put_u8(&b, 1), SM_TOO_LARGE, "a failed buffer takes nothing more");
    sm_buf_free(&b);
}

Test(buf, added_pieces_are_what_put_ones_are) {
    sm_buf b;
    sm_buf_init(&b, 300);
    for (size_t i = 0; i < 100; i++) {
        sm_buf_adds(&b, "ab");
        sm_buf_add(&b, "c", 1);
    }
    cr_assert(b.status == SM_OK && b.len == 300);
    for (size_t i = 0; i < b.len; i++)
        cr_assert_eq(b.data[i], "abc"[i % 3]);
    sm_buf_adds(&b, "");
    cr_assert_eq(b.status, SM_OK);
    sm_buf_adds(&b, "d");
    cr_assert_eq(b.status, SM_TOO_LARGE);
    sm_buf_adds(&b, "");
    cr_assert(b.status == SM_TOO_LARGE && b.len == 300);
    sm_buf_free(&b);
}

Test(buf, printf_and_alignment) {
    sm_buf b;
    sm_buf_init(&b, 100);
    sm_buf_printf(&b, "%d-%s", 42, "x");
    cr_assert_str_eq(sm_buf_cstr(&b), "42-x");
    sm_buf_align(&b, 8);
    cr_assert_eq(b.len, 8);
    cr_assert_eq(b.data[7], 0);
    sm_buf_free(&b);
}

Test(buf, taken_bytes_are_the_callers) {
    sm_buf b;
    size_t len;
    sm_buf_init(&b, 100);
    sm_buf_puts(&b, "abc");
    unsigned char *data = sm_buf_take(&b, &len);
    cr_assert_eq(len, 3);
    cr_assert_eq(b.len, 0);
    cr_assert_null(b.data);
    free(data);
}

Test(cursor, reading_past_the_end_fails_and_sticks) {
    sm_cursor c = sm_cursor_of("abc", 3);
    cr_assert_eq(sm_get_u32(&c), 0);
    cr_assert_eq(c.status, SM_TRUNCATED);
    cr_assert_eq(sm_get_u8(&c), 0, "nothing is read after a failure");
}

Test(cursor, a_string_longer_than_what_is_left) {
    size_t n;
    sm_cursor c = sm_cursor_of("\xff\xff\xff\xff"
                               "abc",
                               7);
    cr_assert_null(sm_get_str(&c, &n));
    cr_assert_eq(n, 0);
    cr_assert_eq(c.status, SM_TRUNCATED);
}

Test(buf, decimals_and_printf_agree) {
    static const unsigned long long values[] = {0, 7, 10, 99, 1234567890, ~0ull};
    sm_buf a, b;
    sm_buf_init(&a, 4000);
    sm_buf_init(&b, 4000);
    for (int i = 0; i < 180; i++) { /* across several reallocations */
        sm_buf_put_decimal(&a, values[i % 6]);
        sm_buf_printf(&b, "%llu", values[i % 6]);
    }
    cr_assert_eq(a.len, b.len);
    cr_assert_arr_eq(a.data, b.data, a.len);
    sm_buf_free(&a);
    sm_buf_free(&b);
}

/* Whatever the directives: those that are written here, and those that are left to the C library. */
Test(buf, printf_is_the_c_librarys) {
#define AGREES(...)                                                                                                  \
    do {                                                                                                             \
        char expected[200];                                                                                          \
        sm_buf b;                                                                                                    \
        sm_buf_init(&b, 1000);                                                                                       \
        snprintf(expected, sizeof expected, __VA_ARGS__);                                                            \
        sm_buf_printf(&b, "%s", "before ");                                                                          \
        cr_assert_eq(sm_buf_printf(&b, __VA_ARGS__), SM_OK);                                                         \
        cr_expect_str_eq(sm_buf_cstr(&b) + 7, expected);                                                             \
        sm_buf_free(&b);                                                                                             \
    } while (0)
    AGREES("%d %d %d %d", 0, -1, INT_MIN, INT_MAX);
    AGREES("%ld %ld %lld %lld", LONG_MIN, LONG_MAX, LLONG_MIN, LLONG_MAX);
    AGREES("%u %lu %llu %zu", UINT_MAX, ULONG_MAX, ULLONG_MAX, SIZE_MAX);
    AGREES("%" PRIu32 "%" PRId32 "%" PRIu64 "%" PRId64, UINT32_MAX, INT32_MIN, UINT64_MAX, INT64_MIN);
    AGREES("%s|%s|%s", "a", "", "%d");
    AGREES("%s %d %5d %s", "a", 1, 2, "b"); /* the third is found after two are written */
    AGREES("%-4s|%.2s|%x|%c|%%|%+d|%04u", "a", "abc", 255u, 'c', 1, 2u);
    AGREES("nothing");
}

Test(buf, printf_keeps_to_the_maximum) {
    sm_buf b;
    sm_buf_init(&b, 10);
    cr_assert_eq(sm_buf_printf(&b, "%s", "0123456789"), SM_OK);
    cr_assert_eq(sm_buf_printf(&b, "%d", 1), SM_TOO_LARGE);
    cr_assert_eq(b.len, 10);
    cr_assert_str_eq(sm_buf_cstr(&b), "");
    cr_assert_arr_eq(b.data, "0123456789", 10);
    sm_buf_free(&b);
}
