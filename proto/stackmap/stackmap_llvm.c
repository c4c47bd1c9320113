/* stackmap_llvm.c - the bytes of a section .llvm_stackmaps, read into structs. */
#include "stackmap_build.h"

#include <string.h>

/* Sizes on the wire (StackMaps.rst of LLVM 3.9, 4.0 and 5.0, where versions 1, 2 and 3 are written down). Version
 * 1 does not say how many records a function has; in 1 and 2 a location has no reserved fields and a size of one
 * byte. */
enum { HEADER = 16, CONSTANT = 8, RECORD = 16, LIVEOUT = 4, FIRST_VERSION = 1, LAST_VERSION = 3 };
static const struct layout {
    uint8_t function, location;
} layouts[] = {[1] = {16, 8}, [2] = {24, 8}, [3] = {24, 12}};

struct reader {
    sm_stackmap *m;
    uint8_t version; /* of the blob that is read */
    sm_cursor c;
    sm_stackmap_error *err;
};

#define refuse(r, ...) sm_stackmap_refuse((r)->err, (r)->c.pos, __VA_ARGS__)

/* Reads COUNT functions. Version 1 does not say how many records each has. */
static sm_status read_functions(struct reader *r, uint32_t count) {
    sm_stackmap *m = r->m;
    sm_status s = sm_stackmap_more_functions(m, count);
    for (uint32_t i = 0; s == SM_OK && i < count; i++) {
        sm_function *f = &m->function[m->functions];
        *f = (sm_function){.at = r->c.pos};
        f->offset = sm_get_u64(&r->c);
        f->frame_size = sm_get_u64(&r->c);
        uint64_t records = r->version == 1 ? 0 : sm_get_u64(&r->c);
        if (records > UINT32_MAX)
            return refuse(r, "Function %u has %llu records", i, (unsigned long long)records);
        f->records = (uint32_t)records;
        m->functions++;
    }
    return s;
}

/* Reads one location; an index into the POOL of constants becomes the constant. */
static sm_status read_location(struct reader *r, const unsigned char *pool, uint32_t constants) {
    enum { CONSTANT_INDEX = 5 };
    sm_location *l = &r->m->location[r->m->locations];
    memset(l, 0, sizeof *l); /* its padding as well, so that locations can be compared as bytes */
    l->kind = sm_get_u8(&r->c);
    if (r->version >= 3) {
        sm_get_u8(&r->c); /* reserved */
        l->size = sm_get_u16(&r->c);
        l->dwarf = sm_get_u16(&r->c);
        sm_get_u16(&r->c); /* reserved */
    } else {
        l->size = sm_get_u8(&r->c);
        l->dwarf = sm_get_u16(&r->c);
    }
    int32_t value = (int32_t)sm_get_u32(&r->c);
    if (l->kind < SM_LOCATION_REGISTER || l->kind > CONSTANT_INDEX)
        return refuse(r, "There is no location kind %u", l->kind);
    if (l->kind == CONSTANT_INDEX && (uint32_t)value >= constants)
        return refuse(r, "There is no constant %u; there are %u", (uint32_t)value, constants);
    if (l->kind == CONSTANT_INDEX) {
        sm_cursor c = sm_cursor_of(pool + (size_t)(uint32_t)value * CONSTANT, CONSTANT);
        l->constant = (int64_t)sm_get_u64(&c);
        l->kind = SM_LOCATION_CONSTANT;
        l->from_pool = 1;
    } else if (l->kind == SM_LOCATION_CONSTANT) {
        l->constant = value;
    } else {
        l->offset = value;
    }
    r->m->locations++;
    return SM_OK;
}

/* Reads a record's COUNT locations. */
static sm_status read_locations(struct reader *r, sm_record *record, uint32_t count, const unsigned char *pool,
                                uint32_t constants) {
    sm_stackmap *m = r->m;
    if (count > sm_cursor_left(&r->c) / layouts[r->version].location)
        return refuse(r, "%u locations do not fit in the section", count);
    sm_status s = sm_stackmap_more_locations(m, count);
    record->location = m->locations;
    record->locations = count;
    for (uint32_t i = 0; s == SM_OK && i < count; i++)
        s = read_location(r, pool, constants);
    return s;
}

/* Reads a record's live-out registers. */
static sm_status read_liveouts(struct reader *r, sm_record *record) {
    sm_stackmap *m = r->m;
    sm_get_u16(&r->c); /* padding */
    uint32_t count = sm_get_u16(&r->c);
    if (count > sm_cursor_left(&r->c) / LIVEOUT)
        return refuse(r, "%u live-outs do not fit in the section", count);
    sm_status s = sm_stackmap_more_liveouts(m, count);
    record->liveout = m->liveouts;
    record->liveouts = count;
    for (uint32_t i = 0; s == SM_OK && i < count; i++) {
        sm_liveout *l = &m->liveout[m->liveouts++];
        l->dwarf = sm_get_u16(&r->c);
        sm_get_u8(&r->c); /* reserved */
        l->size = sm_get_u8(&r->c);
    }
    return s;
}

/* Reads one record with its locations and live-outs. */
static sm_status read_record(struct reader *r, const unsigned char *pool, uint32_t constants) {
    sm_record *record = &r->m->record[r->m->records];
    *record = (sm_record){.at = r->c.pos, .fault_offset = UINT32_MAX};
    record->id = sm_get_u64(&r->c);
    record->offset = sm_get_u32(&r->c);
    sm_get_u16(&r->c); /* reserved */
    uint32_t count = sm_get_u16(&r->c);
    sm_status s = read_locations(r, record, count, pool, constants);
    if (s != SM_OK)
        return s;
    sm_get_align(&r->c, 8);
    s = read_liveouts(r, record);
    sm_get_align(&r->c, 8);
    if (s == SM_OK && r->c.status != SM_OK)
        s = refuse(r, "Record %u ends beyond the section", r->m->records);
    r->m->records++;
    return s;
}

/* Counts the records of each function in version 1, which does not say: records are in the order of the code, so a
 * smaller offset than the one before begins another function. Refuses the table if that does not find all
 * functions. */
static sm_status count_records(struct reader *r, uint32_t first_function, uint32_t first_record) {
    sm_stackmap *m = r->m;
    uint32_t functions = m->functions - first_function, records = m->records - first_record, begins = records ? 1 : 0;
    for (uint32_t i = first_record + 1; i < m->records; i++)
        begins += m->record[i].offset < m->record[i - 1].offset;
    if (begins != functions && records != functions)
        return refuse(r, "Version 1 does not say which of %u functions each of %u records belongs to", functions,
                      records);
    for (uint32_t i = first_record, f = first_function; i < m->records; i++) {
        if (i > first_record && (records == functions || m->record[i].offset < m->record[i - 1].offset))
            f++;
        m->function[f].records++;
    }
    return SM_OK;
}

/* Sets where each function's records begin: they stand in the order of their functions. Refuses counts that do not
 * add up. */
static sm_status assign_records(struct reader *r, uint32_t first_function, uint32_t first_record) {
    uint64_t next = first_record;
    for (uint32_t i = first_function; i < r->m->functions; i++) {
        sm_function *f = &r->m->function[i];
        if (f->records > r->m->records - next)
            return refuse(r, "The functions have more records than there are");
        f->record = (uint32_t)next;
        next += f->records;
    }
    return next == r->m->records ? SM_OK : refuse(r, "There are more records than the functions have");
}

/* Reads one table; a section may have several, one for each input of the linker. */
static sm_status read_blob(struct reader *r) {
    sm_stackmap *m = r->m;
    uint8_t version = sm_get_u8(&r->c), reserved = sm_get_u8(&r->c);
    uint16_t reserved2 = sm_get_u16(&r->c);
    uint32_t functions = sm_get_u32(&r->c), constants = sm_get_u32(&r->c), records = sm_get_u32(&r->c);
    uint32_t first_function = m->functions, first_record = m->records;
    if (r->c.status != SM_OK)
        return refuse(r, "The header ends beyond the section");
    if (version < FIRST_VERSION || version > LAST_VERSION || reserved || reserved2)
        return refuse(r, "Version %u (reserved %u, %u) is not version 1, 2 or 3", version, reserved, reserved2);
    r->version = version;
    m->version = version;
    uint64_t left = sm_cursor_left(&r->c);
    if ((uint64_t)functions * layouts[version].function + (uint64_t)constants * CONSTANT +
            (uint64_t)records * RECORD >
        left)
        return refuse(r, "%u functions, %u constants and %u records do not fit in %llu bytes; is it big-endian?",
                      functions, constants, records, (unsigned long long)left);
    sm_status s = read_functions(r, functions);
    if (s != SM_OK)
        return s;
    const unsigned char *pool = sm_get_bytes(&r->c, (size_t)constants * CONSTANT);
    s = sm_stackmap_more_records(m, records);
    for (uint32_t i = 0; s == SM_OK && i < records; i++)
        s = read_record(r, pool, constants);
    if (s == SM_OK && version == 1)
        s = count_records(r, first_function, first_record);
    if (s == SM_OK && version < LAST_VERSION)
        s = sm_stackmap_old_records(m, first_record, version, r->err);
    return s == SM_OK ? assign_records(r, first_function, first_record) : s;
}

/* Skips zero bytes between two blobs, or after the last: a linker aligns its inputs, and a blob's first byte is its
 * version, never zero. */
static void skip_padding(sm_cursor *c) {
    while (c->pos < c->len && c->data[c->pos] == 0)
        c->pos++;
}

sm_status sm_stackmap_read_llvm(sm_stackmap *m, const void *bytes, size_t len, sm_stackmap_error *err) {
    struct reader r = {.m = m, .c = sm_cursor_of(bytes, len), .err = err};
    sm_status s = SM_OK;
    skip_padding(&r.c);
    while (s == SM_OK && sm_cursor_left(&r.c)) {
        if (r.c.pos % 8 != 0)
            return refuse(&r, "A stackmap begins at a place that is not a multiple of 8");
        s = read_blob(&r);
        skip_padding(&r.c);
    }
    return s;
}

sm_status sm_stackmap_decode(sm_stackmap *m, uint16_t machine, const void *bytes, size_t len,
                             sm_stackmap_error *err) {
    sm_stackmap_begin(m, machine);
    sm_status s = sm_stackmap_read_llvm(m, bytes, len, err);
    if (s != SM_OK)
        sm_stackmap_free(m);
    return s;
}
