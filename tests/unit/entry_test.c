/* The head of a file of the cache: what is written is read, and no bit of it can change unseen. */
#include "entry.h"

#include <criterion/criterion.h>
#include <string.h>

static struct origin origin;
static sm_buf head;

static void init(void) {
    memset(origin.key.byte, 1, sizeof origin.key.byte);
    memset(origin.input, 2, sizeof origin.input);
    memset(origin.context, 3, sizeof origin.context);
    strcpy(origin.options, "opt=2\ngc=\n");
    sm_buf_init(&head, 1 << 16);
    cr_assert_eq(entry_write(&head, &origin, 900, 100), SM_OK);
}

static void fini(void) {
    sm_buf_free(&head);
}

TestSuite(entry, .init = init, .fini = fini);

Test(entry, round_trip) {
    struct entry e;
    cr_assert_eq(head.len, ENTRY_FIXED + strlen(origin.options));
    cr_assert_eq(entry_read(head.data, head.len, head.len + 1000, &e), SM_OK);
    cr_assert_eq(e.artifact, head.len);
    cr_assert_eq(e.artifact_len, 900);
    cr_assert_eq(e.module, head.len + 900);
    cr_assert_eq(e.module_len, 100);
    cr_assert_eq(memcmp(&e.origin, &origin, offsetof(struct origin, options)), 0);
    cr_assert_str_eq(e.origin.options, origin.options);
}

Test(entry, every_bit_counts) {
    struct entry e;
    for (size_t bit = 0; bit < 8 * head.len; bit++) {
        head.data[bit / 8] ^= (unsigned char)(1 << bit % 8);
        cr_assert_neq(entry_read(head.data, head.len, head.len + 1000, &e), SM_OK, "bit %zu", bit);
        head.data[bit / 8] ^= (unsigned char)(1 << bit % 8);
    }
}

Test(entry, every_length_but_one_is_wrong) {
    struct entry e;
    for (size_t len = 0; len < head.len; len++)
        cr_assert_neq(entry_read(head.data, len, len, &e), SM_OK, "%zu bytes", len);
    cr_assert_eq(entry_read(head.data, head.len, head.len + 999, &e), SM_TRUNCATED);
    cr_assert_eq(entry_read(head.data, head.len, head.len + 1001, &e), SM_TRUNCATED);
    cr_assert_eq(entry_read(head.data, head.len, 0, &e), SM_TRUNCATED);
}

Test(entry, another_version) {
    struct entry e;
    head.data[8] = 2;
    cr_assert_eq(entry_read(head.data, head.len, head.len + 1000, &e), SM_INCOMPATIBLE);
}
