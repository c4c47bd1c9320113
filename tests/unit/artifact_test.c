/* Artifacts: what was written is read; no damage goes unseen. */
#include "artifact.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static sm_buf written(void) {
    sm_buf b;
    sm_artifact a = {.status = SM_OK};
    a.part[SM_PART_META] = (sm_slice){(const unsigned char *)"{}", 2};
    a.part[SM_PART_OBJECT] = (sm_slice){(const unsigned char *)"object bytes", 12};
    a.part[SM_PART_EXPLAIN] = (sm_slice){(const unsigned char *)"", 0};
    sm_buf_init(&b, 10000);
    cr_assert_eq(sm_artifact_write(&b, &a), SM_OK);
    return b;
}

Test(artifact, comes_back) {
    sm_buf b = written();
    sm_artifact a;
    cr_assert_eq(sm_artifact_read(b.data, b.len, &a), SM_OK);
    cr_assert_eq(a.status, SM_OK);
    cr_assert_eq(a.part[SM_PART_OBJECT].len, 12);
    cr_assert_arr_eq(a.part[SM_PART_OBJECT].data, "object bytes", 12);
    cr_assert_null(a.part[SM_PART_IR].data);
    cr_assert_not_null(a.part[SM_PART_EXPLAIN].data, "an empty part is there");
    sm_buf_free(&b);
}

Test(artifact, every_truncation_is_seen) {
    sm_buf b = written();
    sm_artifact a;
    for (size_t len = 0; len < b.len; len++) {
        unsigned char *copy = malloc(len ? len : 1); /* of this size exactly, for the sanitizer */
        memcpy(copy, b.data, len);
        cr_assert_neq(sm_artifact_read(copy, len, &a), SM_OK, "cut to %zu bytes", len);
        free(copy);
    }
    sm_buf_free(&b);
}

Test(artifact, every_flipped_bit_is_seen) {
    sm_buf b = written();
    sm_artifact a;
    for (size_t bit = 0; bit < b.len * 8; bit++) {
        b.data[bit / 8] ^= (unsigned char)(1u << bit % 8);
        cr_assert_neq(sm_artifact_read(b.data, b.len, &a), SM_OK, "bit %zu", bit);
        b.data[bit / 8] ^= (unsigned char)(1u << bit % 8);
    }
    sm_buf_free(&b);
}

Test(artifact, one_byte_too_many) {
    sm_buf b = written();
    sm_artifact a;
    sm_buf_put_u8(&b, 0);
    cr_assert_eq(sm_artifact_read(b.data, b.len, &a), SM_MALFORMED);
    sm_buf_free(&b);
}
