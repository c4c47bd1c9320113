/* elfjoin_maps.c - LLVM's stackmaps and fault maps of several objects as one, with one header. Functions, constants
 * and records stand in the order of the parts; what is alike is not looked for. */
#include "elfjoin_parts.h"
#include "faultmap.h"
#include "stackmap.h"

#include <string.h>

/* StackMaps.rst of LLVM 19, version 3; FaultMaps.rst. */
enum {
    HEADER = 16,
    FUNCTION = 24,
    CONSTANT = 8,
    RECORD = 16,
    LOCATION = 12,
    LOCATION_VALUE = 8,
    LIVEOUT = 4,
    CONSTANT_INDEX = 5,
    VERSION = 3,
    FAULT_HEADER = 8,
    FAULT_VERSION = 1
};

struct counts {
    uint64_t functions, constants, records;
};

/* Reads the counts of a stackmap of LLVM 19; 0 if it is none, or damaged. */
static int read_counts(sm_slice table, struct counts *n) {
    sm_cursor c = sm_cursor_of(table.data, table.len);
    uint8_t version = sm_get_u8(&c);
    sm_get_bytes(&c, 3);
    *n = (struct counts){sm_get_u32(&c), sm_get_u32(&c), sm_get_u32(&c)};
    return c.status == SM_OK && version == VERSION &&
           n->functions * FUNCTION + n->constants * CONSTANT <= sm_cursor_left(&c);
}

int join_is_field(enum join_kind kind, sm_slice table, uint64_t offset) {
    struct counts n;
    if (kind == JOIN_FAULTMAP)
        return offset >= FAULT_HEADER;
    return read_counts(table, &n) && offset >= HEADER && (offset - HEADER) % FUNCTION == 0 &&
           (offset - HEADER) / FUNCTION < n.functions;
}

/* Adds to a little-endian number in place. */
static void add_to_u32(unsigned char *at, uint32_t more) {
    sm_store_le(at, sm_load_le(at, 4) + more, 4);
}

/* Copies N records; their indexes of constants grow by BEFORE, the number of earlier parts' constants. */
static sm_status put_records(struct join *j, sm_slice from, uint64_t n, uint32_t before, sm_buf *out) {
    sm_cursor c = sm_cursor_of(from.data, from.len);
    for (uint64_t i = 0; i < n && c.status == SM_OK; i++) {
        size_t start = c.pos;
        sm_get_bytes(&c, RECORD - 2);
        uint16_t locations = sm_get_u16(&c);
        sm_get_bytes(&c, (size_t)locations * LOCATION);
        sm_get_align(&c, 8);
        sm_get_u16(&c);
        sm_get_bytes(&c, (size_t)sm_get_u16(&c) * LIVEOUT);
        sm_get_align(&c, 8);
        if (c.status != SM_OK)
            break;
        unsigned char *to = sm_buf_extend(out, c.pos - start);
        if (!to)
            return out->status;
        memcpy(to, from.data + start, c.pos - start);
        for (unsigned l = 0; l < locations; l++)
            if (to[RECORD + l * LOCATION] == CONSTANT_INDEX)
                add_to_u32(to + RECORD + l * LOCATION + LOCATION_VALUE, before);
    }
    return c.status == SM_OK && sm_cursor_left(&c) == 0 ? SM_OK : join_refuse(j, "A part's stackmap is damaged");
}

/* The parts' tables: in part P section[P], 0 if it has none. */
struct tables {
    struct join *j;
    uint32_t to;
};

/* The part's table that goes into section TO; {NULL, 0} if it has none. *AT, if not NULL, is where it has gone. */
static sm_slice table_of(const struct tables *t, size_t part, struct join_place **at) {
    const sm_elf *e = &t->j->part[part];
    for (size_t i = 1; i < e->sections; i++)
        if (t->j->place[part][i].section == t->to) {
            if (at)
                *at = &t->j->place[part][i];
            return e->section[i].bytes;
        }
    return (sm_slice){NULL, 0};
}

/* Adds up the parts' counts, and notes where each one's functions go. Refuses tables of other versions. */
static sm_status sum_up(const struct tables *t, struct counts *sum) {
    for (size_t p = 0; p < t->j->parts; p++) {
        struct counts n;
        struct join_place *place;
        sm_slice table = table_of(t, p, &place);
        if (!table.data)
            continue;
        if (!read_counts(table, &n))
            return join_refuse(t->j, "A part's stackmap is none of version 3");
        place->at = sum->functions * FUNCTION;
        sum->functions += n.functions;
        sum->constants += n.constants;
        sum->records += n.records;
    }
    return sum->functions <= UINT32_MAX && sum->constants <= UINT32_MAX && sum->records <= UINT32_MAX
               ? SM_OK
               : join_refuse(t->j, "The stackmaps are too large");
}

sm_status join_stackmap(struct join *j, uint32_t to) {
    struct tables t = {j, to};
    struct counts sum = {0}, n;
    sm_buf *out = &j->section[to].bytes;
    uint32_t before = 0;
    sm_status s = sum_up(&t, &sum);
    if (s != SM_OK)
        return s;
    sm_buf_put_u32(out, VERSION);
    sm_buf_put_u32(out, (uint32_t)sum.functions);
    sm_buf_put_u32(out, (uint32_t)sum.constants);
    sm_buf_put_u32(out, (uint32_t)sum.records);
    for (size_t p = 0; p < j->parts; p++) {
        sm_slice table = table_of(&t, p, NULL);
        if (table.data && read_counts(table, &n))
            sm_buf_put(out, table.data + HEADER, (size_t)n.functions * FUNCTION);
    }
    for (size_t p = 0; p < j->parts; p++) {
        sm_slice table = table_of(&t, p, NULL);
        if (table.data && read_counts(table, &n))
            sm_buf_put(out, table.data + HEADER + n.functions * FUNCTION, (size_t)n.constants * CONSTANT);
    }
    for (size_t p = 0; p < j->parts && s == SM_OK; p++) {
        sm_slice table = table_of(&t, p, NULL);
        if (!table.data || !read_counts(table, &n))
            continue;
        size_t head = (size_t)(HEADER + n.functions * FUNCTION + n.constants * CONSTANT);
        s = put_records(j, (sm_slice){table.data + head, table.len - head}, n.records, before, out);
        before += (uint32_t)n.constants;
    }
    j->section[to].size = out->len;
    return s == SM_OK ? out->status : s;
}

/* Joins the parts' fault maps into section TO. Fails if one is of another version. */
sm_status join_faultmap(struct join *j, uint32_t to) {
    struct tables t = {j, to};
    sm_buf *out = &j->section[to].bytes;
    uint64_t functions = 0;
    sm_buf_put_u64(out, FAULT_VERSION);
    for (size_t p = 0; p < j->parts; p++) {
        struct join_place *place;
        sm_slice table = table_of(&t, p, &place);
        sm_cursor c = sm_cursor_of(table.data, table.len);
        if (!table.data)
            continue;
        uint32_t version = sm_get_u32(&c);
        functions += sm_get_u32(&c);
        if (c.status != SM_OK || version != FAULT_VERSION || functions > UINT32_MAX)
            return join_refuse(j, "A part's fault map is none of version 1");
        place->at = out->len - FAULT_HEADER;
        sm_buf_put(out, table.data + FAULT_HEADER, table.len - FAULT_HEADER);
    }
    if (out->status == SM_OK)
        add_to_u32(out->data + FAULT_HEADER / 2, (uint32_t)functions);
    j->section[to].size = out->len;
    return out->status;
}
