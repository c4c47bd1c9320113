/* compact_read.c - see compact.h: reads bytes that nobody has checked into a map, or into one record of it. */
#include "compact_format.h"

#include "stackmap_build.h"

#include <string.h>

/* Shapes are shared, so that few bytes can stand for many locations. More than this many for each byte are refused. */
enum { LOCATIONS_PER_BYTE = 128, LOCATIONS_FREE = 4096, LOCATIONS_MAX = 1 << 25 };

struct reader {
    sm_stackmap *m;
    const sm_compact *c;
    sm_stackmap_error *err;
    uint64_t at;        /* of the blob in the section, bytes: for messages */
    uint64_t locations; /* how many more are believed */
};

#define refuse(r, pos, ...) sm_stackmap_refuse((r)->err, (r)->at + (pos), __VA_ARGS__)

/* Reads a varint of 7 bits a byte; fails the cursor if it does not end. */
static uint64_t get_uvarint(sm_cursor *c) {
    uint64_t v = 0;
    for (unsigned shift = 0; shift < 64 && c->status == SM_OK && c->pos < c->len; shift += 7) {
        uint8_t byte = c->data[c->pos++];
        v |= (uint64_t)(byte & 0x7f) << shift;
        if (!(byte & 0x80))
            return v;
    }
    c->status = SM_TRUNCATED;
    return 0;
}

/* Reads a signed, zigzag-encoded varint. */
static int64_t get_svarint(sm_cursor *c) {
    uint64_t v = get_uvarint(c);
    return (int64_t)(v >> 1 ^ (0 - (v & 1)));
}

static uint32_t u32_at(const sm_compact *c, uint64_t at) {
    return (uint32_t)sm_load_le(c->blob + at, 4);
}

/* N divided by OF, rounded up. */
static uint64_t groups(uint32_t n, uint32_t of) {
    return ((uint64_t)n + of - 1) / of;
}

/* Where the directory of the functions' streams begins. */
static uint64_t streams_at(const sm_compact *c) {
    return COMPACT_HEADER + (uint64_t)c->functions * 4;
}

sm_status sm_compact_open(sm_compact *c, const void *bytes, size_t len) {
    sm_cursor in = sm_cursor_of(bytes, len);
    *c = (sm_compact){.blob = bytes, .base = (uintptr_t)bytes};
    uint32_t magic = sm_get_u32(&in);
    uint8_t version = sm_get_u8(&in), flags = sm_get_u8(&in);
    c->machine = sm_get_u16(&in);
    c->size = sm_get_u32(&in);
    c->functions = sm_get_u32(&in);
    c->shapes = sm_get_u32(&in);
    c->shapes_at = sm_get_u32(&in);
    c->first_id = sm_get_u64(&in);
    c->has_ids = flags & COMPACT_HAS_IDS;
    c->scale = c->machine == EM_AARCH64 ? 2 : 0;
    if (in.status != SM_OK || magic != COMPACT_MAGIC || version != COMPACT_VERSION || flags & ~COMPACT_HAS_IDS ||
        (c->machine != EM_X86_64 && c->machine != EM_AARCH64) || c->size > len || c->size % SM_COMPACT_ALIGN)
        return SM_INVALID_STACKMAP;
    if (streams_at(c) + groups(c->functions, COMPACT_STREAM_GROUP) * 4 > c->size ||
        c->shapes_at + groups(c->shapes, COMPACT_SHAPE_GROUP) * 4 > c->size)
        return SM_INVALID_STACKMAP;
    return SM_OK;
}

/* A cursor over element I of a list, in which a length comes before each element and a directory says where every
 * GROUPth begins. The cursor has failed if it is not there. */
static sm_cursor element(const sm_compact *c, uint64_t directory, uint32_t group, uint32_t i) {
    sm_cursor in = sm_cursor_of(c->blob, c->size);
    in.pos = u32_at(c, directory + i / group * UINT64_C(4));
    if (in.pos > in.len)
        in.status = SM_TRUNCATED;
    for (uint32_t skip = i % group; in.status == SM_OK; skip--) {
        uint64_t n = get_uvarint(&in);
        if (in.status != SM_OK || n > sm_cursor_left(&in)) {
            in.status = SM_TRUNCATED;
        } else if (skip == 0) {
            in.len = in.pos + (size_t)n;
            return in;
        } else {
            in.pos += (size_t)n;
        }
    }
    return in;
}

/* The records of a function, as a cursor. */
static sm_cursor stream_of(const sm_compact *c, uint32_t function) {
    return element(c, streams_at(c), COMPACT_STREAM_GROUP, function);
}

/* The bytes of a shape, as a cursor. */
static sm_cursor shape_of(const sm_compact *c, uint32_t shape) {
    return element(c, c->shapes_at, COMPACT_SHAPE_GROUP, shape);
}

/* The size of a frame from its code in the table; UINT64_MAX if it is dynamic. */
static uint64_t frame_size(uint64_t code) {
    return code == 0 ? UINT64_MAX : code & 1 ? code / 2 * 8 : code / 2 - 1;
}

/* ---- Records ------------------------------------------------------------------------------------------------- */

/* Adds a location, all zero. NULL, with *S set, if there is no room, or there are more than the table's size
 * warrants. */
static sm_location *new_location(struct reader *r, sm_status *s) {
    if (*s == SM_OK && r->locations-- == 0)
        *s = SM_TOO_LARGE;
    if (*s == SM_OK)
        *s = sm_stackmap_more_locations(r->m, 1);
    if (*s != SM_OK) {
        r->locations = 0;
        return NULL;
    }
    sm_location *l = &r->m->location[r->m->locations++];
    memset(l, 0, sizeof *l);
    return l;
}

/* Adds a constant of 8 bytes, as LLVM's records have it. */
static void add_constant(struct reader *r, int64_t value, sm_status *s) {
    sm_location *l = new_location(r, s);
    if (l) {
        l->kind = SM_LOCATION_CONSTANT;
        l->size = 8;
        l->constant = value;
    }
}

/* Adds a stack slot, by its number from the frame register. */
static void add_slot(struct reader *r, uint64_t slot, sm_status *s) {
    sm_location *l = *s == SM_OK && slot > INT32_MAX / COMPACT_SLOT ? NULL : new_location(r, s);
    if (!l) {
        *s = *s == SM_OK ? SM_INVALID_STACKMAP : *s;
        return;
    }
    l->kind = SM_LOCATION_INDIRECT;
    l->size = COMPACT_SLOT;
    l->dwarf = compact_frame_register(r->c->machine);
    l->offset = (int32_t)(slot * COMPACT_SLOT);
}

/* Reads a location in its general encoding and adds it. */
static void read_location(struct reader *r, sm_cursor *in, sm_status *s) {
    static const uint16_t sizes[] = {8, 4, 16};
    uint64_t head = get_uvarint(in);
    uint64_t size = (head >> 2 & 3) < 3 ? sizes[head >> 2 & 3] : get_uvarint(in);
    int64_t value = (head & 3) + 1 == SM_LOCATION_REGISTER ? 0 : get_svarint(in);
    sm_location *l = in->status == SM_OK ? new_location(r, s) : NULL;
    if (!l)
        return;
    l->kind = (uint8_t)((head & 3) + 1);
    l->size = (uint16_t)size;
    l->dwarf = (uint16_t)(head >> 4);
    if (l->kind == SM_LOCATION_CONSTANT)
        l->constant = value;
    else
        l->offset = (int32_t)value;
    if (size > UINT16_MAX || head >> 4 > UINT16_MAX ||
        (l->kind != SM_LOCATION_CONSTANT && (value < INT32_MIN || value > INT32_MAX)))
        *s = SM_INVALID_STACKMAP;
}

/* Reads N locations; stops at the first that is damaged. */
static void read_locations(struct reader *r, sm_cursor *in, uint64_t n, sm_status *s) {
    for (uint64_t i = 0; i < n && *s == SM_OK && in->status == SM_OK; i++)
        read_location(r, in, s);
}

/* Adds the last location once more, as a pointer that is its own base. */
static void repeat_last(struct reader *r, sm_status *s) {
    sm_location *l = *s == SM_OK ? new_location(r, s) : NULL;
    if (l)
        *l = l[-1];
}

/* Reads one (base, derived) pair and adds both. */
static void read_root(struct reader *r, sm_cursor *in, sm_status *s) {
    uint64_t code = get_uvarint(in);
    if (!(code & 1)) {
        add_slot(r, code >> 1, s);
        repeat_last(r, s);
    } else if ((code & 3) == COMPACT_DERIVED_SLOT) {
        add_slot(r, get_uvarint(in), s);
        add_slot(r, code >> 2, s);
    } else {
        read_location(r, in, s);
        if (code >> 2 == 1 && in->status == SM_OK)
            repeat_last(r, s);
        else if (code >> 2 == 0)
            read_location(r, in, s);
        else
            *s = SM_INVALID_STACKMAP;
    }
}

/* Reads all pairs: a bitmap of slots that are their own bases, or a list. */
static void read_roots(struct reader *r, sm_cursor *in, sm_status *s) {
    uint64_t v = get_uvarint(in);
    if (v & 1)
        for (unsigned slot = 0; slot < COMPACT_BITMAP_SLOTS; slot++) {
            if (v >> (slot + 1) & 1) {
                add_slot(r, slot, s);
                repeat_last(r, s);
            }
        }
    else
        for (uint64_t i = 0; i < v >> 1 && *s == SM_OK && in->status == SM_OK; i++)
            read_root(r, in, s);
}

/* Reads a statepoint's shape into the locations that LLVM's record has. */
static void read_statepoint(struct reader *r, sm_cursor *in, unsigned flags, sm_status *s) {
    uint64_t convention = flags & COMPACT_CONVENTION ? get_uvarint(in) : 0;
    uint64_t own_flags = flags & COMPACT_CONVENTION ? get_uvarint(in) : 0;
    uint64_t deopts = flags & COMPACT_DEOPT ? get_uvarint(in) : 0;
    add_constant(r, (int64_t)convention, s);
    add_constant(r, (int64_t)own_flags, s);
    add_constant(r, (int64_t)deopts, s);
    read_locations(r, in, deopts, s);
    read_roots(r, in, s);
    if (flags & COMPACT_REGIONS)
        read_locations(r, in, get_uvarint(in), s);
}

/* Reads the live-out registers of a record. */
static void read_liveouts(struct reader *r, sm_cursor *in, sm_record *record, sm_status *s) {
    uint64_t n = get_uvarint(in);
    if (n > sm_cursor_left(in) / 2)
        *s = SM_INVALID_STACKMAP;
    if (*s == SM_OK)
        *s = sm_stackmap_more_liveouts(r->m, (uint32_t)n);
    for (uint64_t i = 0; *s == SM_OK && i < n; i++) {
        uint64_t dwarf = get_uvarint(in);
        r->m->liveout[r->m->liveouts++] = (sm_liveout){(uint16_t)dwarf, sm_get_u8(in)};
        if (dwarf > UINT16_MAX)
            *s = SM_INVALID_STACKMAP;
    }
    record->liveouts = *s == SM_OK ? (uint32_t)n : 0;
}

/* Gives the record what its shape says: kind, locations, live-outs, fault and patch. SM_INVALID_STACKMAP if it is
 * damaged. */
static sm_status read_shape(struct reader *r, uint32_t shape, sm_record *record) {
    sm_cursor in = shape_of(r->c, shape);
    sm_status s = SM_OK;
    unsigned head = sm_get_u8(&in), flags = head & COMPACT_MORE ? sm_get_u8(&in) : 0;
    record->kind = head & COMPACT_KIND;
    record->reason = compact_reason(head >> COMPACT_REASON_SHIFT & COMPACT_REASON);
    record->location = r->m->locations;
    record->liveout = r->m->liveouts;
    if (record->kind == SM_RECORD_STATEPOINT)
        read_statepoint(r, &in, flags, &s);
    else
        read_locations(r, &in, get_uvarint(&in), &s);
    record->locations = r->m->locations - record->location;
    if (flags & COMPACT_LIVEOUTS)
        read_liveouts(r, &in, record, &s);
    uint64_t distance = flags & COMPACT_FAULT ? get_uvarint(&in) : 0;
    record->fault_offset = flags & COMPACT_FAULT ? record->offset - (uint32_t)distance : UINT32_MAX;
    uint64_t patch = flags & COMPACT_PATCH ? get_uvarint(&in) : 0;
    record->patch_bytes = (uint32_t)patch;
    if (s == SM_OK && patch > (record->kind == SM_RECORD_STATEPOINT ? record->offset : UINT32_MAX))
        s = SM_INVALID_STACKMAP;
    if (s == SM_OK &&
        (in.status != SM_OK || sm_cursor_left(&in) || record->kind > SM_RECORD_GCROOT || distance > record->offset))
        s = SM_INVALID_STACKMAP;
    return s;
}

sm_compact_walk sm_compact_begin(const sm_compact *c, uint32_t function) {
    sm_compact_walk w = {.in = stream_of(c, function), .at = {.function = function, .id = c->first_id}};
    w.at.frame_size = frame_size(get_uvarint(&w.in));
    return w;
}

int sm_compact_next(sm_compact_walk *w, const sm_compact *c) {
    if (w->in.status != SM_OK || sm_cursor_left(&w->in) == 0)
        return 0;
    uint64_t distance = get_uvarint(&w->in), ref = get_uvarint(&w->in);
    if (c->has_ids)
        w->at.id += (uint64_t)get_svarint(&w->in);
    uint64_t offset = distance > UINT32_MAX ? UINT64_MAX : w->at.offset + (distance << c->scale);
    if (offset > UINT32_MAX || ref > c->shapes || (ref == 0 && c->shapes == 0))
        w->in.status = SM_TRUNCATED;
    w->at.offset = (uint32_t)offset;
    w->at.shape = ref ? (uint32_t)(ref - 1) : w->at.shape;
    return w->in.status == SM_OK;
}

/* Bounds on what a shape decodes to, by its bytes: a bitmap of k bytes has fewer than 14 k locations, and nothing
 * else says more in a byte. */
void sm_compact_room(const sm_compact *c, uint32_t shape, uint32_t *locations, uint32_t *liveouts) {
    enum { HEAD = 8, EACH = 14 };
    sm_cursor in = shape < c->shapes ? shape_of(c, shape) : (sm_cursor){.status = SM_TRUNCATED};
    uint64_t bytes = in.status == SM_OK ? sm_cursor_left(&in) : 0, room = bytes ? HEAD + EACH * bytes : 0;
    *locations = room < LOCATIONS_MAX ? (uint32_t)room : LOCATIONS_MAX;
    *liveouts = bytes / 2 < LOCATIONS_MAX ? (uint32_t)(bytes / 2) : LOCATIONS_MAX;
}

/* Adds a record with the offset and shape of a hit; refuses damaged shapes. */
static sm_status add_record(struct reader *r, const sm_compact_hit *at) {
    sm_status s = sm_stackmap_more_records(r->m, 1);
    if (s != SM_OK)
        return s;
    sm_record *record = &r->m->record[r->m->records];
    *record = (sm_record){.id = at->id, .offset = at->offset};
    s = read_shape(r, at->shape, record);
    if (s == SM_INVALID_STACKMAP)
        return refuse(r, 0, "Shape %u is damaged", at->shape);
    if (s == SM_TOO_LARGE)
        return refuse(r, 0, "There are more locations than a table of this size has");
    r->m->records++;
    return s;
}

sm_status sm_compact_read(const sm_compact *c, const sm_compact_hit *hit, sm_stackmap *m) {
    uint32_t locations, liveouts;
    sm_compact_room(c, hit->shape, &locations, &liveouts);
    struct reader r = {.m = m, .c = c, .locations = locations};
    return add_record(&r, hit);
}

/* ---- All functions ------------------------------------------------------------------------------------------- */

/* Adds function I of the blob with all its records. */
static sm_status read_function(struct reader *r, uint32_t i) {
    sm_stackmap *m = r->m;
    uint64_t field = COMPACT_HEADER + (uint64_t)i * 4;
    sm_compact_walk w = sm_compact_begin(r->c, i);
    sm_function *f = &m->function[m->functions];
    *f = (sm_function){.at = r->at + field, .offset = (uint64_t)(int64_t)(int32_t)u32_at(r->c, field)};
    f->frame_size = w.at.frame_size;
    f->record = m->records;
    sm_status s = SM_OK;
    while (s == SM_OK && sm_compact_next(&w, r->c))
        s = add_record(r, &w.at);
    if (s == SM_OK && w.in.status != SM_OK)
        s = refuse(r, field, "The records of function %u are damaged", i);
    f->records = m->records - f->record;
    m->functions += s == SM_OK;
    return s;
}

/* Adds all functions of a blob. */
static sm_status read_blob(struct reader *r) {
    sm_status s = sm_stackmap_more_functions(r->m, r->c->functions);
    for (uint32_t i = 0; s == SM_OK && i < r->c->functions; i++)
        s = read_function(r, i);
    return s;
}

sm_status sm_compact_decode(sm_stackmap *m, const void *bytes, size_t len, sm_stackmap_error *err) {
    const unsigned char *p = bytes;
    struct reader r = {.m = m, .err = err, .locations = LOCATIONS_FREE};
    uint64_t warranted = LOCATIONS_FREE + (uint64_t)len * LOCATIONS_PER_BYTE;
    r.locations = warranted < LOCATIONS_MAX ? warranted : LOCATIONS_MAX;
    sm_status s = SM_OK;
    while (s == SM_OK && r.at < len) {
        sm_compact c;
        if (p[r.at] == 0) { /* between two blobs, or after the last: a linker aligns its inputs */
            r.at++;
            continue;
        }
        if (sm_compact_open(&c, p + r.at, len - r.at) != SM_OK || c.machine != m->machine)
            return refuse(&r, 0, "This is no table of version 1, or not all of one");
        r.c = &c;
        s = read_blob(&r);
        r.at += c.size;
    }
    return s;
}

/* ---- One record, in place -------------------------------------------------------------------------------------- */

uintptr_t sm_compact_function(const sm_compact *c, uint32_t i) {
    uint64_t field = COMPACT_HEADER + (uint64_t)i * 4;
    return c->base + field + (uintptr_t)(intptr_t)(int32_t)u32_at(c, field);
}

uint32_t sm_compact_functions_before(const sm_compact *c, uintptr_t pc) {
    uint32_t low = 0, high = c->functions;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (sm_compact_function(c, middle) <= pc)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* 1 if the shape is a statepoint's. */
static int is_statepoint(const sm_compact *c, uint32_t shape) {
    sm_cursor in = shape_of(c, shape);
    return (sm_get_u8(&in) & COMPACT_KIND) == SM_RECORD_STATEPOINT && in.status == SM_OK;
}

int sm_compact_next_address(sm_compact_walk *w, const sm_compact *c, sm_compact_hit *hit) {
    if (!sm_compact_next(w, c))
        return 0;
    *hit = w->at;
    for (;;) {
        sm_compact_walk ahead = *w;
        if (!sm_compact_next(&ahead, c) || ahead.at.offset != hit->offset)
            return 1;
        *w = ahead;
        if (!is_statepoint(c, hit->shape) && is_statepoint(c, w->at.shape))
            *hit = w->at;
    }
}

int sm_compact_seek(const sm_compact *c, uint32_t function, uint64_t offset, sm_compact_hit *hit) {
    sm_compact_walk w = sm_compact_begin(c, function), before = w;
    while (sm_compact_next(&w, c) && w.at.offset < offset)
        before = w;
    if (w.in.status != SM_OK)
        return -1;
    return sm_compact_next_address(&before, c, hit) && hit->offset == offset;
}

/* Looks in the function of the byte before, which is the call's: what comes next may begin right after a call that
 * does not return. Only a stackmap may be at a function's first byte, which is looked at next. */
int sm_compact_search(const sm_compact *c, uintptr_t pc, sm_compact_hit *hit) {
    uint32_t before = pc ? sm_compact_functions_before(c, pc - 1) : 0;
    uint32_t at = sm_compact_functions_before(c, pc);
    int found = before ? sm_compact_seek(c, before - 1, pc - sm_compact_function(c, before - 1), hit) : 0;
    if (found == 0 && at > before)
        found = sm_compact_seek(c, at - 1, 0, hit);
    return found;
}

sm_status sm_compact_find(const sm_compact *c, uintptr_t pc, sm_stackmap *m) {
    sm_compact_hit hit;
    *m = (sm_stackmap){.format = "compact", .machine = c->machine, .linked = 1};
    int found = sm_compact_search(c, pc, &hit);
    sm_status s = found < 0 ? SM_INVALID_STACKMAP : found ? sm_compact_read(c, &hit, m) : SM_OK;
    if (found > 0 && s == SM_OK)
        s = sm_stackmap_more_functions(m, 1);
    if (found > 0 && s == SM_OK)
        m->function[m->functions++] =
            (sm_function){.offset = sm_compact_function(c, hit.function), .frame_size = hit.frame_size, .records = 1};
    if (s != SM_OK)
        sm_stackmap_free(m);
    return s;
}
