/* Stackmap bytes, built here field by field: everything of the format is read, nothing damaged is. */
#include "explain.h"
#include "stackmap.h"
#include "stackmap_json.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static sm_buf b;
static sm_stackmap m;
static sm_stackmap_error err;

static void init(void) {
    sm_buf_init(&b, 100000);
    memset(&m, 0, sizeof m);
    memset(&err, 0, sizeof err);
}

static void fini(void) {
    sm_stackmap_free(&m);
    sm_buf_free(&b);
}

TestSuite(stackmap, .init = init, .fini = fini);

static void header(uint32_t functions, uint32_t constants, uint32_t records) {
    sm_buf_put_u8(&b, 3);
    sm_buf_put_u8(&b, 0);
    sm_buf_put_u16(&b, 0);
    sm_buf_put_u32(&b, functions);
    sm_buf_put_u32(&b, constants);
    sm_buf_put_u32(&b, records);
}

static void function(uint64_t address, uint64_t frame_size, uint64_t records) {
    sm_buf_put_u64(&b, address);
    sm_buf_put_u64(&b, frame_size);
    sm_buf_put_u64(&b, records);
}

static void record(uint64_t id, uint32_t offset, uint16_t locations) {
    sm_buf_put_u64(&b, id);
    sm_buf_put_u32(&b, offset);
    sm_buf_put_u16(&b, 0);
    sm_buf_put_u16(&b, locations);
}

static void location(uint8_t kind, uint16_t size, uint16_t dwarf, int32_t value) {
    sm_buf_put_u8(&b, kind);
    sm_buf_put_u8(&b, 0);
    sm_buf_put_u16(&b, size);
    sm_buf_put_u16(&b, dwarf);
    sm_buf_put_u16(&b, 0);
    sm_buf_put_u32(&b, (uint32_t)value);
}

static void liveouts(uint16_t count) {
    sm_buf_align(&b, 8);
    sm_buf_put_u16(&b, 0);
    sm_buf_put_u16(&b, count);
    for (uint16_t i = 0; i < count; i++) {
        sm_buf_put_u16(&b, (uint16_t)(3 + i));
        sm_buf_put_u8(&b, 0);
        sm_buf_put_u8(&b, 8);
    }
    sm_buf_align(&b, 8);
}

static void constants(int64_t cc, int64_t flags, int64_t deopts) {
    location(4, 8, 0, (int32_t)cc);
    location(4, 8, 0, (int32_t)flags);
    location(4, 8, 0, (int32_t)deopts);
}

/* One function, one statepoint: two deopt values (one from the pool), two pairs, a pair of vectors, one region. */
static void rich_blob(void) {
    header(1, 1, 1);
    function(0x1000, 56, 1);
    sm_buf_put_u64(&b, 0x1122334455667788);
    record(2882400000, 10, 12);
    constants(9, 1, 2);
    location(4, 8, 0, -7);
    location(5, 8, 0, 0);
    location(3, 8, 7, 24);
    location(3, 8, 7, 24);
    location(1, 8, 3, 0);
    location(3, 8, 7, 8);
    location(3, 16, 7, 32);
    location(3, 16, 7, 32);
    location(2, 8, 7, 16);
    liveouts(0);
}

static sm_status decode(void) {
    return sm_stackmap_decode(&m, EM_X86_64, b.data, b.len, &err);
}

Test(stackmap, all_of_a_statepoint) {
    rich_blob();
    cr_assert_eq(decode(), SM_OK, "%s", err.message);
    cr_assert_eq(m.functions, 1);
    cr_assert_eq(m.function[0].offset, 0x1000);
    cr_assert_eq(m.function[0].frame_size, 56);
    cr_assert_eq(m.record[0].id, 2882400000);
    cr_assert_eq(m.record[0].offset, 10);
    m.record[0].kind = SM_RECORD_STATEPOINT;
    sm_statepoint s;
    cr_assert_eq(sm_statepoint_split(&m, &m.record[0], &s), SM_OK);
    cr_assert_eq(s.calling_convention, 9);
    cr_assert_eq(s.flags, 1);
    cr_assert_eq(s.deopts, 2);
    cr_assert_eq(m.location[s.deopt].constant, -7);
    cr_assert_eq(m.location[s.deopt + 1].constant, 0x1122334455667788);
    cr_assert_eq(m.location[s.deopt + 1].from_pool, 1);
    cr_assert_eq(s.roots, 4, "a pair of two pointers each counts twice");
    cr_assert_eq(s.root[1].base.kind, SM_LOCATION_REGISTER);
    cr_assert_eq(s.root[1].derived.offset, 8);
    cr_assert_eq(s.root[2].derived.offset, 32);
    cr_assert_eq(s.root[3].derived.offset, 40);
    cr_assert_eq(s.root[3].base.offset, 40);
    cr_assert_eq(s.root[3].derived.size, 8);
    cr_assert_eq(s.regions, 1);
    cr_assert_eq(m.location[s.region].kind, SM_LOCATION_DIRECT);
    sm_statepoint_free(&s);
}

Test(stackmap, live_outs_and_odd_location_counts) {
    for (uint16_t n = 0; n < 4; n++) {
        sm_buf_clear(&b);
        header(1, 0, 1);
        function(0, 0, 1);
        record(1, 2, n);
        for (uint16_t i = 0; i < n; i++)
            location(1, 8, i, 0);
        liveouts(n);
        cr_assert_eq(decode(), SM_OK, "%u locations: %s", n, err.message);
        cr_assert_eq(m.record[0].locations, n);
        cr_assert_eq(m.record[0].liveouts, n);
        if (n)
            cr_assert_eq(m.liveout[0].dwarf, 3);
        sm_stackmap_free(&m);
    }
}

Test(stackmap, several_blobs_with_padding_between) {
    rich_blob();
    sm_buf_put_u64(&b, 0); /* a linker's padding */
    header(2, 0, 3);
    function(0x2000, UINT64_MAX, 1);
    function(0x3000, 8, 2);
    for (int i = 0; i < 3; i++) {
        record((uint64_t)i, 1, 0);
        liveouts(0);
    }
    cr_assert_eq(decode(), SM_OK, "%s", err.message);
    cr_assert_eq(m.functions, 3);
    cr_assert_eq(m.records, 4);
    cr_assert_eq(m.function[2].record, 2);
    cr_assert_eq(m.function[2].records, 2);
    cr_assert_eq(m.function[1].frame_size, UINT64_MAX);
}

Test(stackmap, empty_section) {
    cr_assert_eq(sm_stackmap_decode(&m, EM_X86_64, NULL, 0, &err), SM_OK);
    cr_assert_eq(m.functions, 0);
}

Test(stackmap, every_truncation_is_seen) {
    rich_blob();
    for (size_t len = 1; len < b.len; len++) {
        unsigned char *copy = malloc(len); /* of this size exactly, for the sanitizer */
        memcpy(copy, b.data, len);
        cr_assert_eq(sm_stackmap_decode(&m, EM_X86_64, copy, len, &err), SM_INVALID_STACKMAP, "cut to %zu bytes",
                     len);
        free(copy);
    }
}

Test(stackmap, no_flipped_bit_harms) {
    rich_blob();
    for (size_t bit = 0; bit < b.len * 8; bit++) {
        b.data[bit / 8] ^= (unsigned char)(1u << bit % 8);
        sm_buf out;
        sm_buf_init(&out, 1 << 20);
        if (decode() == SM_OK) {
            sm_stackmap_guess_kinds(&m);
            sm_stackmap_to_json(&m, &out);
            sm_explain(&m, NULL, 1, &out);
            sm_stackmap_free(&m);
        }
        sm_buf_free(&out);
        b.data[bit / 8] ^= (unsigned char)(1u << bit % 8);
    }
}

static void refused(const char *hint) {
    cr_assert_eq(decode(), SM_INVALID_STACKMAP);
    cr_assert(strstr(err.message, hint), "'%s' does not say '%s'", err.message, hint);
}

Test(stackmap, another_version) {
    rich_blob();
    b.data[0] = 4;
    refused("not version 1, 2 or 3");
}

Test(stackmap, counts_that_do_not_fit) {
    header(UINT32_MAX, UINT32_MAX, UINT32_MAX);
    refused("do not fit");
}

Test(stackmap, locations_that_do_not_fit) {
    header(1, 0, 1);
    function(0, 0, 1);
    record(1, 1, UINT16_MAX);
    location(1, 8, 0, 0);
    refused("65535 locations do not fit");
}

Test(stackmap, live_outs_that_do_not_fit) {
    header(1, 0, 1);
    function(0, 0, 1);
    record(1, 1, 0);
    sm_buf_put_u16(&b, 0);
    sm_buf_put_u16(&b, UINT16_MAX);
    sm_buf_align(&b, 8);
    refused("65535 live-outs do not fit");
}

Test(stackmap, a_blob_at_an_odd_place) {
    sm_buf_put_u32(&b, 0);
    rich_blob();
    refused("multiple of 8");
}

Test(stackmap, big_endian) {
    sm_buf_put(&b, "\x03\x00\x00\x00\x00\x00\x00\x01\x00\x00\x00\x00\x00\x00\x00\x00", 16);
    refused("big-endian");
}

Test(stackmap, a_constant_that_is_not_there) {
    header(1, 1, 1);
    function(0, 0, 1);
    sm_buf_put_u64(&b, 1);
    record(1, 1, 1);
    location(5, 8, 0, 1);
    liveouts(0);
    refused("no constant 1");
}

Test(stackmap, a_location_kind_that_is_not_there) {
    header(1, 0, 1);
    function(0, 0, 1);
    record(1, 1, 1);
    location(6, 8, 0, 1);
    liveouts(0);
    refused("location kind 6");
}

Test(stackmap, more_records_than_functions_have) {
    header(1, 0, 1);
    function(0, 0, 0);
    record(1, 1, 0);
    liveouts(0);
    refused("more records than the functions");
}

Test(stackmap, functions_with_more_records_than_there_are) {
    header(1, 0, 1);
    function(0, 0, 2);
    record(1, 1, 0);
    liveouts(0);
    refused("more records than there are");
}

Test(stackmap, what_is_no_statepoint_does_not_split) {
    header(1, 0, 1);
    function(0, 0, 1);
    record(1, 1, 3);
    constants(0, 0, 5); /* five deopt values, and none follow */
    liveouts(0);
    cr_assert_eq(decode(), SM_OK);
    sm_statepoint s;
    m.record[0].kind = SM_RECORD_STATEPOINT;
    cr_assert_eq(sm_statepoint_split(&m, &m.record[0], &s), SM_INVALID_STACKMAP);
    m.record[0].kind = SM_RECORD_UNKNOWN;
    sm_stackmap_guess_kinds(&m);
    cr_assert_eq(m.record[0].kind, SM_RECORD_STACKMAP);
}

/* Splits a record of the three constants and the N locations that are put next. */
static sm_status split_of(uint16_t n, void (*put)(void), sm_statepoint *s) {
    header(1, 0, 1);
    function(0, 0, 1);
    record(1, 1, (uint16_t)(3 + n));
    constants(0, 0, 0);
    put();
    liveouts(0);
    cr_assert_eq(decode(), SM_OK, "%s", err.message);
    m.record[0].kind = SM_RECORD_STATEPOINT;
    return sm_statepoint_split(&m, &m.record[0], s);
}

static void allocas_only(void) {
    location(2, 8, 7, 0);
    location(2, 8, 7, 8);
    location(2, 8, 7, 16);
}

static void a_pointer_into_an_alloca(void) {
    location(2, 8, 7, 0);
    location(3, 8, 7, 8);
    location(2, 8, 7, 16);
}

static void an_odd_pointer(void) {
    location(3, 8, 7, 0);
    location(3, 8, 7, 8);
    location(3, 8, 7, 16);
}

static void vectors_of_different_width(void) {
    location(3, 8, 7, 0);
    location(3, 24, 7, 8);
    location(1, 16, 17, 0);
    location(1, 16, 17, 0);
}

enum { WIDE = 600 };

static void vectors_as_wide_as_can_be(void) {
    for (int i = 0; i < WIDE; i++)
        location(3, 65528, 7, 0);
}

/* 8191 pointers in each of twelve bytes: no frame has room for so many, and no reader for all that came of them. */
Test(stackmap, more_roots_than_a_frame_has_room_for) {
    sm_statepoint s;
    cr_assert_eq(split_of(WIDE, vectors_as_wide_as_can_be, &s), SM_INVALID_STACKMAP);
    m.record[0].kind = SM_RECORD_UNKNOWN;
    sm_stackmap_guess_kinds(&m);
    cr_assert_eq(m.record[0].kind, SM_RECORD_STACKMAP);
}

Test(stackmap, pairs_end_where_only_allocas_follow) {
    sm_statepoint s;
    cr_assert_eq(split_of(3, allocas_only, &s), SM_OK);
    cr_assert(s.roots == 0 && s.regions == 3);
    sm_statepoint_free(&s);
    fini();
    init();
    cr_assert_eq(split_of(3, a_pointer_into_an_alloca, &s), SM_OK);
    cr_assert(s.roots == 1 && s.regions == 1);
    cr_assert_eq(s.root[0].base.kind, SM_LOCATION_DIRECT);
    cr_assert_eq(s.root[0].derived.kind, SM_LOCATION_INDIRECT);
    cr_assert_eq(m.location[s.region].offset, 16);
    sm_statepoint_free(&s);
    fini();
    init();
    cr_assert_eq(split_of(3, an_odd_pointer, &s), SM_INVALID_STACKMAP, "half a pair is none");
}

static void a_vector_past_all_offsets(void) {
    location(3, 16, 7, INT32_MAX - 4);
    location(3, 16, 7, INT32_MAX - 4);
}

Test(stackmap, a_wide_location_that_would_overflow_is_left_whole) {
    sm_statepoint s;
    cr_assert_eq(split_of(2, a_vector_past_all_offsets, &s), SM_OK);
    cr_assert_eq(s.roots, 1);
    cr_assert_eq(s.root[0].derived.size, 16);
    sm_statepoint_free(&s);
}

Test(stackmap, a_wide_location_is_several_pointers) {
    sm_statepoint s;
    cr_assert_eq(split_of(4, vectors_of_different_width, &s), SM_OK);
    cr_assert_eq(s.roots, 4);
    for (int i = 0; i < 3; i++) {
        cr_assert_eq(s.root[i].base.offset, 0, "a base of one pointer is the base of each");
        cr_assert_eq(s.root[i].derived.offset, 8 + 8 * i);
        cr_assert_eq(s.root[i].derived.size, 8);
    }
    cr_assert_eq(s.root[3].derived.size, 16, "a register is not taken apart");
    sm_statepoint_free(&s);
}

Test(stackmap, live_outs_make_it_no_statepoint) {
    for (uint16_t n = 0; n < 2; n++) {
        sm_buf_clear(&b);
        header(1, 0, 1);
        function(0, 0, 1);
        record(1, 1, 3);
        constants(0, 0, 0);
        liveouts(n);
        cr_assert_eq(decode(), SM_OK, "%s", err.message);
        sm_stackmap_guess_kinds(&m);
        cr_assert_eq(m.record[0].kind, n ? SM_RECORD_STACKMAP : SM_RECORD_STATEPOINT);
        sm_stackmap_free(&m);
    }
}

Test(stackmap, json) {
    rich_blob();
    sm_buf out;
    sm_buf_init(&out, 10000);
    cr_assert_eq(decode(), SM_OK);
    m.record[0].kind = SM_RECORD_STATEPOINT;
    m.record[0].reason = "call";
    m.record[0].callee = "f";
    cr_assert_eq(sm_stackmap_to_json(&m, &out), SM_OK);
    const char *json = sm_buf_cstr(&out);
    static const char *const parts[] = {
        "{\"format\":\"llvm-v3\",\"arch\":\"x86_64\",\"functions\":[{",
        "\"address\":{\"section\":null,\"offset\":4096},\"size\":0,\"frame_size\":56",
        "{\"id\":2882400000,\"offset\":10,\"kind\":\"statepoint\",\"reason\":\"call\",\"callee\":\"f\"",
        "\"calling_convention\":{\"id\":9,\"name\":\"coldcc\"},\"gc_transition\":true",
        "\"deopt\":[{\"kind\":\"constant\",\"value\":-7,\"size\":8},{\"kind\":\"constant\",\"value\":"
        "1234605616436508552,\"size\":8}]",
        "{\"base\":{\"kind\":\"register\",\"register\":\"rbx\",\"dwarf\":3,\"size\":8},\"derived\":{\"kind\":"
        "\"indirect\",\"register\":\"rsp\",\"dwarf\":7,\"offset\":8,\"size\":8}}",
        "\"regions\":[{\"kind\":\"direct\",\"register\":\"rsp\",\"dwarf\":7,\"offset\":16,\"size\":8}]"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        cr_assert(strstr(json, parts[i]), "%s is not in %s", parts[i], json);
    sm_buf_free(&out);
}

Test(stackmap, register_names) {
    cr_assert_str_eq(sm_register_name(EM_X86_64, 7), "rsp");
    cr_assert_str_eq(sm_register_name(EM_X86_64, 6), "rbp");
    cr_assert_str_eq(sm_register_name(EM_AARCH64, 31), "sp");
    cr_assert_str_eq(sm_register_name(EM_AARCH64, 29), "x29");
    cr_assert_null(sm_register_name(EM_X86_64, 500));
}

/* ---- Older versions ------------------------------------------------------------------------------------------ */

static void old_header(uint8_t version, uint32_t functions, uint32_t records) {
    sm_buf_put_u8(&b, version);
    sm_buf_put_u8(&b, 0);
    sm_buf_put_u16(&b, 0);
    sm_buf_put_u32(&b, functions);
    sm_buf_put_u32(&b, 1);
    sm_buf_put_u32(&b, records);
}

static void old_function(uint8_t version, uint64_t address, uint64_t frame_size, uint64_t records) {
    sm_buf_put_u64(&b, address);
    sm_buf_put_u64(&b, frame_size);
    if (version > 1)
        sm_buf_put_u64(&b, records);
}

/* A register, a pool's constant, a slot; two live-outs. */
static void old_record(uint64_t id, uint32_t offset) {
    static const unsigned char locations[3][8] = {
        {1, 8, 3, 0, 0, 0, 0, 0}, {5, 8, 0, 0, 0, 0, 0, 0}, {3, 16, 7, 0, 0xf8, 0xff, 0xff, 0xff}};
    record(id, offset, 3);
    sm_buf_put(&b, locations, sizeof locations);
    liveouts(2);
}

Test(stackmap, versions_1_and_2) {
    for (uint8_t version = 1; version <= 2; version++) {
        sm_buf_clear(&b);
        old_header(version, 2, 3);
        old_function(version, 0x1000, 24, 2);
        old_function(version, 0x2000, UINT64_MAX, 1);
        sm_buf_put_u64(&b, 10000000000);
        old_record(7, 4);
        old_record(8, 40);
        old_record(9, 12); /* behind 40, so of the next function */
        size_t len = b.len;
        cr_assert_eq(sm_stackmap_decode(&m, EM_X86_64, b.data, len, &err), SM_OK, "%u: %s", version, err.message);
        cr_expect_eq(m.version, version);
        cr_assert(m.functions == 2 && m.records == 3 && m.locations == 9 && m.liveouts == 6);
        cr_expect(m.function[0].records == 2 && m.function[1].record == 2 && m.function[1].records == 1);
        cr_expect(m.function[0].frame_size == 24 && m.function[1].offset == 0x2000);
        cr_expect(m.record[2].id == 9 && m.record[2].offset == 12);
        cr_expect(m.location[0].kind == SM_LOCATION_REGISTER && m.location[0].dwarf == 3 && m.location[0].size == 8);
        cr_expect(m.location[1].kind == SM_LOCATION_CONSTANT && m.location[1].constant == 10000000000);
        cr_expect(m.location[2].kind == SM_LOCATION_INDIRECT && m.location[2].size == 16 &&
                  m.location[2].offset == -8 && m.location[2].dwarf == 7);
        cr_expect(m.liveout[1].dwarf == 4 && m.liveout[1].size == 8);
        sm_stackmap_free(&m);
        for (size_t cut = 1; cut < len; cut++) { /* less than all of it is refused, in bounds */
            unsigned char *part = malloc(cut);
            memcpy(part, b.data, cut);
            cr_expect_eq(sm_stackmap_decode(&m, EM_X86_64, part, cut, &err), SM_INVALID_STACKMAP, "%zu", cut);
            sm_stackmap_free(&m);
            free(part);
        }
    }
}

/* Version 1 tells no counts: what is not certain is refused, never guessed. */
Test(stackmap, version_1_whose_records) {
    static const struct {
        uint32_t functions, records, offset[4];
        int certain;
    } cases[] = {
        {1, 3, {4, 8, 12}, 1},   {2, 2, {4, 8}, 1},       {2, 3, {4, 8, 12}, 0},
        {2, 3, {4, 8, 8}, 0},    {3, 4, {4, 3, 2, 9}, 1}, {2, 4, {9, 4, 3, 2}, 0},
        {4, 4, {9, 4, 3, 2}, 1}, {1, 2, {9, 4}, 0},       {3, 2, {9, 4}, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sm_buf_clear(&b);
        old_header(1, cases[i].functions, cases[i].records);
        for (uint32_t f = 0; f < cases[i].functions; f++)
            old_function(1, 0x1000 * (f + 1), 8, 0);
        sm_buf_put_u64(&b, 1);
        for (uint32_t r = 0; r < cases[i].records; r++)
            old_record(r, cases[i].offset[r]);
        cr_expect_eq(sm_stackmap_decode(&m, EM_X86_64, b.data, b.len, &err),
                     cases[i].certain ? SM_OK : SM_INVALID_STACKMAP, "case %zu: %s", i, err.message);
        sm_stackmap_free(&m);
    }
}

/* One location of a record of versions 1 and 2: a slot "direct" at rsp + VALUE, or a constant. */
struct old_location {
    uint8_t kind;
    int32_t value;
};

#define D(offset) {2, offset}
#define C(value)  {4, value}
#define I(offset) {3, offset}

enum { OLD_MAX = 12 };

static void put_statepoint(uint64_t id, uint32_t offset, const struct old_location *l) {
    uint16_t n = 0;
    while (n < OLD_MAX && l[n].kind)
        n++;
    record(id, offset, n);
    for (uint16_t i = 0; i < n; i++) {
        sm_buf_put_u8(&b, l[i].kind);
        sm_buf_put_u8(&b, 8);
        sm_buf_put_u16(&b, l[i].kind == 4 ? 0 : 7);
        sm_buf_put_u32(&b, (uint32_t)l[i].value);
    }
    liveouts(0);
}

/* Statepoints of the LLVMs before 2017: SAYS is what is read, roots as base and derived, allocas in brackets. */
Test(stackmap, old_statepoints) {
    static const struct {
        uint8_t version;
        uint64_t id;
        struct old_location first[OLD_MAX], second[OLD_MAX];
        const char *says;
    } cases[] = {
        /* the document of 2015: the number of deopt values alone */
        {1, SM_DEFAULT_ID, {C(0), D(8), D(8)}, {C(1), D(8), D(8), D(8), D(8), D(16)}, "0/0: 8,8; 0/0: +8 8,8 8,16;"},
        {1, SM_DEFAULT_ID, {C(0), D(8), D(16)}, {{0}}, "0/0: 8,16;"},
        {1, SM_DEFAULT_ID, {C(0)}, {C(0), C(0), C(0)}, "0/0:; 0/0: 0,0;"},
        {1, SM_DEFAULT_ID, {C(2), C(7), D(24), I(8), I(8)}, {{0}}, "0/0: =7 @24 8,8;"},
        /* LLVM 3.6: statepoint-stackmap-format.ll; fastcc is 8 */
        {1, SM_DEFAULT_ID, {C(0), C(2), D(0), C(0), C(0), C(0), D(0), D(0)}, {{0}}, "0/0: +0 =0 0,0 0,0;"},
        {1, SM_DEFAULT_ID, {C(17), C(0), D(8), D(24)}, {C(0), C(0)}, "8/1: 8,24; 0/0:;"},
        /* LLVM 3.7 and later: the same test, and statepoint-allocas.ll */
        {1,
         0,
         {C(0), C(0), C(2), D(16), C(0), C(0), C(0), D(16), D(8), D(16), D(16)},
         {{0}},
         "0/0: +16 =0 0,0 16,8 16,16;"},
        {1, 0, {C(0), C(0), C(0), D(0)}, {C(0), C(0), C(1), D(0)}, "0/0: [0]; 0/0: @0;"},
        {2, 7, {C(0), C(0), C(0), D(8), D(8), D(16)}, {{0}}, "0/0: 8,8 [16];"},
        {2, 7, {C(0), C(0), C(0), I(8), I(8), D(16), D(24)}, {{0}}, "0/0: 8,8 [16] [24];"},
        /* what is not certain is refused */
        {1, 0, {C(0), C(0), C(0), D(8), D(16)}, {{0}}, NULL},
        {2, 0, {C(0), C(0), C(0), D(8), D(8), D(16), D(24)}, {{0}}, NULL},
        {1, SM_DEFAULT_ID, {C(8), C(1), C(2), C(3), C(4), C(5), C(5), C(6), C(6), D(8), D(8)}, {{0}}, NULL},
        {1, SM_DEFAULT_ID, {C(0), D(8), D(8)}, {C(0), C(1), D(8), D(8), D(8)}, NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint32_t n = cases[i].second[0].kind ? 2 : 1;
        char said[200] = "";
        size_t at = 0;
        sm_buf_clear(&b);
        old_header(cases[i].version, 1, n);
        old_function(cases[i].version, 0x1000, 24, n);
        sm_buf_put_u64(&b, 1);
        put_statepoint(cases[i].id, 4, cases[i].first);
        if (n == 2)
            put_statepoint(cases[i].id, 8, cases[i].second);
        sm_status status = sm_stackmap_decode(&m, EM_X86_64, b.data, b.len, &err);
        cr_expect_eq(status, cases[i].says ? SM_OK : SM_INVALID_STACKMAP, "case %zu: %s", i, err.message);
        sm_stackmap_guess_kinds(&m);
        for (uint32_t r = 0; status == SM_OK && r < m.records; r++) {
            sm_statepoint s;
            cr_assert_eq(sm_statepoint_split(&m, &m.record[r], &s), SM_OK, "case %zu", i);
            at += (size_t)sprintf(said + at, "%s%u/%u:", r ? " " : "", s.calling_convention, s.flags);
            for (uint32_t d = 0; d < s.deopts; d++) {
                const sm_location *l = &m.location[s.deopt + d];
                at += (size_t)sprintf(said + at, " %c%d",
                                      l->kind == 4   ? '='
                                      : l->kind == 3 ? '+'
                                                     : '@',
                                      l->kind == 4 ? (int)l->constant : l->offset);
            }
            for (uint32_t k = 0; k < s.roots; k++) {
                cr_expect(s.root[k].base.kind >= 3 && s.root[k].derived.kind == s.root[k].base.kind);
                at += (size_t)sprintf(said + at, " %d,%d", s.root[k].base.offset, s.root[k].derived.offset);
            }
            for (uint32_t k = 0; k < s.regions; k++)
                at += (size_t)sprintf(said + at, " [%d]", m.location[s.region + k].offset);
            at += (size_t)sprintf(said + at, ";");
            sm_statepoint_free(&s);
        }
        if (cases[i].says)
            cr_expect_str_eq(said, cases[i].says, "case %zu", i);
        sm_stackmap_free(&m);
    }
}
