/* Kept parts: what is written is found again, and nothing that is damaged is. */
#include "digest.h"
#include "kept.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

enum { PARTS = 5 };

static sm_buf written(size_t parts) {
    static const char *const objects[PARTS] = {"one", "", "three three", "four4444", "5"};
    sm_kept_part part[PARTS];
    sm_buf b;
    sm_buf_init(&b, 1 << 16);
    for (size_t i = 0; i < parts; i++) {
        memset(part[i].key, (int)(0x90 - 0x10 * i), sizeof part[i].key);
        part[i].object = (sm_slice){(const unsigned char *)objects[i], strlen(objects[i])};
    }
    size_t size = sm_kept_size(part, parts);
    cr_assert_eq(sm_kept_write(&b, part, parts), SM_OK);
    cr_assert_eq(b.len, size);
    return b;
}

static sm_slice find(const sm_kept *k, int byte) {
    unsigned char key[SM_KEPT_KEY];
    memset(key, byte, sizeof key);
    return sm_kept_find(k, key);
}

Test(kept, come_back_by_key) {
    for (size_t parts = 0; parts <= PARTS; parts++) {
        sm_buf b = written(parts);
        sm_kept k;
        cr_assert_eq(sm_kept_read(b.data, b.len, &k), SM_OK);
        cr_assert_eq(k.parts, parts);
        for (size_t i = 0; i < PARTS; i++)
            cr_assert_eq(find(&k, (int)(0x90 - 0x10 * i)).data != NULL, i < parts);
        cr_assert_null(find(&k, 0x91).data);
        cr_assert_null(find(&k, 0).data);
        cr_assert_null(find(&k, 0xff).data);
        sm_buf_free(&b);
    }
}

Test(kept, objects_are_their_own) {
    sm_buf b = written(PARTS);
    sm_kept k;
    cr_assert_eq(sm_kept_read(b.data, b.len, &k), SM_OK);
    sm_slice three = find(&k, 0x70), none = find(&k, 0x80);
    cr_assert(three.len == 11 && memcmp(three.data, "three three", 11) == 0);
    cr_assert(none.len == 0 && none.data);
    sm_buf_free(&b);
}

Test(kept, every_flipped_bit_and_missing_byte_is_seen) {
    sm_buf b = written(PARTS);
    sm_kept k;
    for (size_t bit = 0; bit < b.len * 8; bit++) {
        b.data[bit / 8] ^= (unsigned char)(1u << bit % 8);
        cr_assert_neq(sm_kept_read(b.data, b.len, &k), SM_OK, "bit %zu", bit);
        cr_assert(k.parts == 0);
        b.data[bit / 8] ^= (unsigned char)(1u << bit % 8);
    }
    for (size_t len = 0; len < b.len; len++)
        cr_assert_neq(sm_kept_read(b.data, len, &k), SM_OK, "%zu bytes", len);
    sm_buf_put_u8(&b, 0);
    cr_assert_eq(sm_kept_read(b.data, b.len, &k), SM_MALFORMED);
    sm_buf_free(&b);
}

/* A digest that is right makes no table right: whoever wrote it may lie. */
static void lies(size_t at, uint64_t value, int bytes) {
    sm_buf b = written(PARTS);
    sm_kept k;
    for (int i = 0; i < bytes; i++)
        b.data[at + (size_t)i] = (unsigned char)(value >> (8 * i));
    sm_digester *d = sm_digester_new();
    sm_digester_add(d, b.data, 32);
    sm_digester_add(d, b.data + SM_KEPT_HEADER, b.len - SM_KEPT_HEADER);
    sm_digester_end(d, b.data + 32);
    sm_digester_free(d);
    cr_assert_neq(sm_kept_read(b.data, b.len, &k), SM_OK, "%llx at %zu", (unsigned long long)value, at);
    sm_buf_free(&b);
}

Test(kept, tables_that_lie_are_refused) {
    enum { FIRST = SM_KEPT_HEADER, OFFSET = FIRST + SM_KEPT_KEY, LENGTH = OFFSET + 8 };
    lies(12, PARTS + 100, 4); /* more parts than bytes */
    lies(12, UINT32_MAX, 4);
    lies(16, 64, 8);                 /* another length */
    lies(24, 1, 8);                  /* what is reserved */
    lies(FIRST, 0xff, 1);            /* keys that do not ascend */
    lies(OFFSET, 0, 8);              /* in the header */
    lies(OFFSET, FIRST, 8);          /* in the table */
    lies(OFFSET, UINT64_MAX - 7, 8); /* outside */
    lies(LENGTH, UINT64_MAX, 8);
    lies(LENGTH, 1000, 8); /* over what follows */
}
