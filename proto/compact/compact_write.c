/* compact_write.c - see compact.h: a map becomes bytes. */
#include "compact_format.h"

#include <stdlib.h>
#include <string.h>

/* What records have in common, each once. */
struct shape {
    size_t at, len;  /* in struct shapes.bytes */
    uint32_t count;  /* records that have it */
    uint32_t number; /* the most frequent first */
};

struct shapes {
    sm_buf bytes;
    struct shape *shape; /* owned */
    uint32_t shapes, room;
    uint32_t *bucket; /* owned: index + 1, by open addressing; 0 for none */
    uint32_t buckets; /* a power of two */
};

struct writer {
    const sm_stackmap *m;
    const uint32_t *order; /* the blob's functions by address */
    uint32_t functions;
    struct shapes shapes;
    uint32_t *shape_of; /* owned: by record of the map */
    sm_buf *out;
    size_t start; /* of the blob, in out */
};

/* Writes a varint of 7 bits a byte, the low ones first. */
static void put_uvarint(sm_buf *b, uint64_t v) {
    for (; v >= 0x80; v >>= 7)
        sm_buf_put_u8(b, (uint8_t)(v | 0x80));
    sm_buf_put_u8(b, (uint8_t)v);
}

/* Writes a signed varint, zigzag-encoded. */
static void put_svarint(sm_buf *b, int64_t v) {
    put_uvarint(b, (uint64_t)v << 1 ^ (uint64_t)(v >> 63));
}

/* Writes a location in its general encoding. */
static void put_location(sm_buf *b, const sm_location *l) {
    enum { OTHER_SIZE = 3 };
    unsigned size = l->size == 8 ? 0 : l->size == 4 ? 1 : l->size == 16 ? 2 : OTHER_SIZE;
    unsigned dwarf = l->kind == SM_LOCATION_CONSTANT ? 0 : l->dwarf;
    put_uvarint(b, (l->kind - 1u) | size << 2 | dwarf << 4);
    if (size == OTHER_SIZE)
        put_uvarint(b, l->size);
    if (l->kind == SM_LOCATION_CONSTANT)
        put_svarint(b, l->constant);
    else if (l->kind != SM_LOCATION_REGISTER)
        put_svarint(b, l->offset);
}

/* Writes the number of locations, and these. */
static void put_locations(sm_buf *b, const sm_location *l, uint32_t n) {
    put_uvarint(b, n);
    for (uint32_t i = 0; i < n; i++)
        put_location(b, &l[i]);
}

/* 1 if two locations are the same, by the fields that their kind has. */
static int same_location(const sm_location *a, const sm_location *b) {
    int is_constant = a->kind == SM_LOCATION_CONSTANT, is_register = a->kind == SM_LOCATION_REGISTER;
    return a->kind == b->kind && a->size == b->size && (is_constant || a->dwarf == b->dwarf) &&
           (is_constant || is_register || a->offset == b->offset) && (!is_constant || a->constant == b->constant);
}

/* The bitmap of N (base, derived) pairs if all are stack slots, each its own base, in ascending order; else 0. */
static uint64_t bitmap_of(const sm_location *l, uint32_t n, uint16_t machine) {
    uint64_t bits = 0;
    for (uint32_t i = 0; i < n; i++) {
        const sm_location *base = &l[2 * i], *derived = base + 1;
        if (!compact_is_slot(derived, machine) || !same_location(base, derived) ||
            derived->offset >= COMPACT_BITMAP_SLOTS * COMPACT_SLOT)
            return 0;
        uint64_t bit = UINT64_C(1) << derived->offset / COMPACT_SLOT;
        if (bits >= bit)
            return 0;
        bits |= bit;
    }
    return bits;
}

/* Writes one pair in the shortest encoding that it fits in. */
static void put_root(sm_buf *b, const sm_location *base, const sm_location *derived, uint16_t machine) {
    int same = same_location(base, derived);
    uint64_t slot = compact_is_slot(derived, machine) ? (uint64_t)derived->offset / COMPACT_SLOT : 0;
    if (compact_is_slot(derived, machine) && same) {
        put_uvarint(b, slot << 1);
    } else if (compact_is_slot(derived, machine) && compact_is_slot(base, machine)) {
        put_uvarint(b, slot << 2 | COMPACT_DERIVED_SLOT);
        put_uvarint(b, (uint64_t)base->offset / COMPACT_SLOT);
    } else {
        put_uvarint(b, (uint64_t)same << 2 | COMPACT_ANYWHERE);
        put_location(b, base);
        if (!same)
            put_location(b, derived);
    }
}

/* Writes N pairs as a bitmap if they fit in one, else as a list. */
static void put_roots(sm_buf *b, const sm_location *l, uint32_t n, uint16_t machine) {
    uint64_t bits = bitmap_of(l, n, machine);
    put_uvarint(b, bits ? bits << 1 | 1 : (uint64_t)n << 1);
    for (uint32_t i = 0; !bits && i < n; i++)
        put_root(b, &l[2 * i], &l[2 * i + 1], machine);
}

/* The number that the table has for a reason; 0 if it has none. */
static unsigned reason_number(const char *reason) {
    unsigned number = 0;
    for (unsigned i = 1; reason && compact_reason(i); i++)
        if (strcmp(reason, compact_reason(i)) == 0)
            number = i;
    return number;
}

/* 1 for a constant of 8 bytes. */
static int is_plain_constant(const sm_location *l) {
    return l->kind == SM_LOCATION_CONSTANT && l->size == 8;
}

/* 1 if the record begins with a statepoint's three constants, as LLVM writes them. */
static int has_head(const sm_stackmap *m, const sm_record *r) {
    const sm_location *l = r->locations >= 3 ? &m->location[r->location] : NULL;
    return l && is_plain_constant(&l[0]) && is_plain_constant(&l[1]) && is_plain_constant(&l[2]);
}

/* Writes a statepoint's parts; FLAGS says which there are. */
static sm_status put_statepoint(sm_buf *b, const sm_stackmap *m, const sm_record *r, const sm_statepoint *s,
                                unsigned flags) {
    const sm_location *deopt = &m->location[r->location] + 3;
    uint32_t pairs = (r->locations - 3 - s->deopts_all - s->regions) / 2;
    if (flags & COMPACT_CONVENTION) {
        put_uvarint(b, s->calling_convention);
        put_uvarint(b, s->flags);
    }
    if (flags & COMPACT_DEOPT)
        put_locations(b, deopt, s->deopts_all);
    put_roots(b, deopt + s->deopts_all, pairs, m->machine);
    if (flags & COMPACT_REGIONS)
        put_locations(b, &m->location[s->region], s->regions);
    return b->status;
}

static void put_liveouts(sm_buf *b, const sm_stackmap *m, const sm_record *r) {
    put_uvarint(b, r->liveouts);
    for (uint32_t i = 0; i < r->liveouts; i++) {
        put_uvarint(b, m->liveout[r->liveout + i].dwarf);
        sm_buf_put_u8(b, m->liveout[r->liveout + i].size);
    }
}

/* Appends the shape of a record: all but its offset and id. SM_INVALID_STACKMAP if it has no such form. */
static sm_status put_shape(sm_buf *b, const sm_stackmap *m, const sm_record *r) {
    sm_statepoint s = {0};
    int is_statepoint = r->kind == SM_RECORD_STATEPOINT;
    sm_status status = is_statepoint && has_head(m, r) ? sm_statepoint_split(m, r, &s) : SM_OK;
    if (status == SM_OK && is_statepoint && !has_head(m, r))
        status = SM_INVALID_STACKMAP;
    if (status != SM_OK)
        return status;
    unsigned flags = (s.calling_convention || s.flags ? COMPACT_CONVENTION : 0) | (s.deopts_all ? COMPACT_DEOPT : 0) |
                     (s.regions ? COMPACT_REGIONS : 0) | (r->liveouts ? COMPACT_LIVEOUTS : 0) |
                     (r->fault_offset != UINT32_MAX ? COMPACT_FAULT : 0) | (r->patch_bytes ? COMPACT_PATCH : 0);
    sm_buf_put_u8(b,
                  (uint8_t)(r->kind | reason_number(r->reason) << COMPACT_REASON_SHIFT | (flags ? COMPACT_MORE : 0)));
    if (flags)
        sm_buf_put_u8(b, (uint8_t)flags);
    if (is_statepoint)
        put_statepoint(b, m, r, &s, flags);
    else
        put_locations(b, r->locations ? &m->location[r->location] : NULL, r->locations);
    if (flags & COMPACT_LIVEOUTS)
        put_liveouts(b, m, r);
    if (flags & COMPACT_FAULT)
        put_uvarint(b, r->offset - r->fault_offset);
    if (flags & COMPACT_PATCH)
        put_uvarint(b, r->patch_bytes);
    sm_statepoint_free(&s);
    return b->status;
}

/* ---- Shapes, each once --------------------------------------------------------------------------------------- */

static uint64_t hash_of(const unsigned char *p, size_t n) {
    uint64_t h = UINT64_C(0xcbf29ce484222325); /* FNV-1a: what is hashed is our own */
    for (size_t i = 0; i < n; i++)
        h = (h ^ p[i]) * UINT64_C(0x100000001b3);
    return h;
}

/* Makes an empty table of shapes with room for one of each record. Fails only when out of memory. */
static sm_status shapes_begin(struct shapes *s, uint32_t records) {
    *s = (struct shapes){.room = records, .buckets = 16};
    while (s->buckets < 2 * (uint64_t)records && s->buckets < UINT32_C(1) << 31)
        s->buckets *= 2;
    sm_buf_init(&s->bytes, UINT32_MAX);
    s->shape = malloc((records ? records : 1) * sizeof *s->shape);
    s->bucket = calloc(s->buckets, sizeof *s->bucket);
    return s->shape && s->bucket ? SM_OK : SM_NOMEM;
}

static void shapes_end(struct shapes *s) {
    sm_buf_free(&s->bytes);
    free(s->shape);
    free(s->bucket);
}

/* The number of the shape whose bytes are the last of the buffer, from AT; removes them if the shape is known
 * already. */
static uint32_t intern(struct shapes *s, size_t at) {
    size_t len = s->bytes.len - at;
    uint32_t i = (uint32_t)hash_of(s->bytes.data + at, len) & (s->buckets - 1);
    for (; s->bucket[i]; i = (i + 1) & (s->buckets - 1)) {
        struct shape *known = &s->shape[s->bucket[i] - 1];
        if (known->len == len && memcmp(s->bytes.data + known->at, s->bytes.data + at, len) == 0) {
            s->bytes.len = at;
            known->count++;
            return s->bucket[i] - 1;
        }
    }
    s->shape[s->shapes] = (struct shape){.at = at, .len = len, .count = 1};
    s->bucket[i] = ++s->shapes;
    return s->shapes - 1;
}

/* Orders shapes by falling number of records, then by first use. */
static int by_count(const void *a, const void *b) {
    const struct shape *x = *(struct shape *const *)a, *y = *(struct shape *const *)b;
    if (x->count != y->count)
        return x->count > y->count ? -1 : 1;
    return x->at < y->at ? -1 : x->at > y->at;
}

/* Numbers the shapes, the most frequent first. *SORTED is *new*: the shapes by number. */
static sm_status number_shapes(struct shapes *s, struct shape ***sorted) {
    struct shape **list = malloc((s->shapes ? s->shapes : 1) * sizeof *list);
    if (!list)
        return SM_NOMEM;
    for (uint32_t i = 0; i < s->shapes; i++)
        list[i] = &s->shape[i];
    qsort(list, s->shapes, sizeof *list, by_count);
    for (uint32_t i = 0; i < s->shapes; i++)
        list[i]->number = i;
    *sorted = list;
    return SM_OK;
}

/* ---- A blob -------------------------------------------------------------------------------------------------- */

/* Function I of the blob, by address. */
static const sm_function *function_at(const struct writer *w, uint32_t i) {
    return &w->m->function[w->order[i]];
}

/* The offset in the blob at which the next byte goes. */
static uint32_t place_in_blob(const struct writer *w) {
    return (uint32_t)(w->out->len - w->start);
}

/* Overwrites four bytes AT bytes from the blob's start. */
static void store_u32(struct writer *w, size_t at, uint32_t v) {
    unsigned char *p = w->out->data + w->start + at;
    for (int i = 0; i < 4; i++)
        p[i] = (unsigned char)(v >> 8 * i);
}

/* Finds the shape of each of the blob's records. */
static sm_status find_shapes(struct writer *w, uint32_t records) {
    sm_status s = shapes_begin(&w->shapes, records);
    for (uint32_t f = 0; s == SM_OK && f < w->functions; f++)
        for (uint32_t i = 0; s == SM_OK && i < function_at(w, f)->records; i++) {
            uint32_t r = function_at(w, f)->record + i;
            size_t at = w->shapes.bytes.len;
            s = put_shape(&w->shapes.bytes, w->m, &w->m->record[r]);
            if (s == SM_OK)
                w->shape_of[r] = intern(&w->shapes, at);
        }
    return s;
}

/* The code in the table of a frame's size; 0 if it is dynamic. */
static uint64_t frame_code(uint64_t size) {
    return size == UINT64_MAX ? 0 : size % 8 == 0 ? 1 + size / 8 * 2 : 2 + size * 2;
}

/* Writes a function's records: distances of offsets, shapes, and ids if they differ. SM_INVALID_STACKMAP if they
 * are out of order. */
static sm_status put_records(const struct writer *w, const sm_function *f, int has_ids, uint64_t first_id,
                             sm_buf *b) {
    unsigned scale = w->m->machine == EM_AARCH64 ? 2 : 0;
    uint32_t before = 0, shape = 0;
    uint64_t id = first_id;
    for (uint32_t i = 0; i < f->records; i++) {
        const sm_record *r = &w->m->record[f->record + i];
        uint32_t number = w->shapes.shape[w->shape_of[f->record + i]].number;
        if (r->offset < before || (r->offset - before) & ((1u << scale) - 1))
            return SM_INVALID_STACKMAP;
        put_uvarint(b, (r->offset - before) >> scale);
        put_uvarint(b, number == shape ? 0 : (uint64_t)number + 1);
        if (has_ids)
            put_svarint(b, (int64_t)(r->id - id));
        before = r->offset;
        shape = number;
        id = r->id;
    }
    return b->status;
}

/* Writes a function's stream: its length, the frame's size, and the records. */
static sm_status put_stream(struct writer *w, const sm_function *f, int has_ids, uint64_t first_id) {
    enum { FRAME_BITS = 62 };
    sm_buf b;
    if (f->frame_size != UINT64_MAX && f->frame_size >> FRAME_BITS)
        return SM_INVALID_STACKMAP;
    sm_buf_init(&b, UINT32_MAX);
    put_uvarint(&b, frame_code(f->frame_size));
    sm_status s = put_records(w, f, has_ids, first_id, &b);
    if (s == SM_OK) {
        put_uvarint(w->out, b.len);
        s = sm_buf_put(w->out, b.data, b.len);
    }
    sm_buf_free(&b);
    return s;
}

/* Writes the directory of streams, and these. */
static sm_status put_streams(struct writer *w, int has_ids, uint64_t first_id) {
    size_t directory = place_in_blob(w);
    sm_status s = SM_OK;
    for (uint32_t f = 0; f < w->functions; f += COMPACT_STREAM_GROUP)
        sm_buf_put_u32(w->out, 0);
    for (uint32_t f = 0; s == SM_OK && f < w->functions; f++) {
        if (w->out->status == SM_OK && f % COMPACT_STREAM_GROUP == 0)
            store_u32(w, directory + f / COMPACT_STREAM_GROUP * 4u, place_in_blob(w));
        s = put_stream(w, function_at(w, f), has_ids, first_id);
    }
    return s == SM_OK ? w->out->status : s;
}

/* Writes the directory of shapes, and these. */
static sm_status put_shapes(struct writer *w, struct shape *const *sorted) {
    size_t directory = place_in_blob(w);
    for (uint32_t i = 0; i < w->shapes.shapes; i += COMPACT_SHAPE_GROUP)
        sm_buf_put_u32(w->out, 0);
    for (uint32_t i = 0; w->out->status == SM_OK && i < w->shapes.shapes; i++) {
        if (i % COMPACT_SHAPE_GROUP == 0)
            store_u32(w, directory + i / COMPACT_SHAPE_GROUP * 4u, place_in_blob(w));
        put_uvarint(w->out, sorted[i]->len);
        sm_buf_put(w->out, w->shapes.bytes.data + sorted[i]->at, sorted[i]->len);
    }
    return w->out->status;
}

/* 1 if not all records have the same id; *FIRST is that of the first. */
static int ids_differ(const struct writer *w, uint64_t *first) {
    int any = 0, differ = 0;
    for (uint32_t f = 0; f < w->functions; f++)
        for (uint32_t i = 0; i < function_at(w, f)->records; i++) {
            uint64_t id = w->m->record[function_at(w, f)->record + i].id;
            *first = any ? *first : id;
            any = 1;
            differ |= id != *first;
        }
    return differ;
}

/* Writes the blob's header; put_parts fills in its sizes. */
static sm_status put_header(struct writer *w, int has_ids, uint64_t first_id) {
    sm_buf_put_u32(w->out, COMPACT_MAGIC);
    sm_buf_put_u8(w->out, COMPACT_VERSION);
    sm_buf_put_u8(w->out, has_ids ? COMPACT_HAS_IDS : 0);
    sm_buf_put_u16(w->out, w->m->machine);
    sm_buf_put_u32(w->out, 0); /* the size, the shapes' place: see below */
    sm_buf_put_u32(w->out, w->functions);
    sm_buf_put_u32(w->out, w->shapes.shapes);
    sm_buf_put_u32(w->out, 0);
    return sm_buf_put_u64(w->out, first_id);
}

/* Writes a blob whose shapes are known; FIELD gets where each function's address has to be relocated. */
static sm_status put_parts(struct writer *w, struct shape *const *sorted, sm_compact_field *field) {
    uint64_t first_id = 0;
    int has_ids = ids_differ(w, &first_id);
    sm_status s = put_header(w, has_ids, first_id);
    for (uint32_t f = 0; f < w->functions; f++) {
        field[f] = (sm_compact_field){(uint32_t)w->out->len, w->order[f]};
        sm_buf_put_u32(w->out, 0);
    }
    if (s == SM_OK)
        s = put_streams(w, has_ids, first_id);
    sm_buf_align(w->out, SM_COMPACT_ALIGN);
    uint32_t shapes_at = place_in_blob(w);
    if (s == SM_OK)
        s = put_shapes(w, sorted);
    sm_buf_align(w->out, SM_COMPACT_ALIGN);
    if (s != SM_OK || w->out->status != SM_OK)
        return s != SM_OK ? s : w->out->status;
    store_u32(w, 8, place_in_blob(w));
    store_u32(w, 20, shapes_at);
    return SM_OK;
}

/* Writes the blob of the writer's functions, which are of one section. */
static sm_status put_blob(struct writer *w, sm_compact_field *field) {
    struct shape **sorted = NULL;
    uint64_t records = 0;
    for (uint32_t f = 0; f < w->functions; f++)
        records += function_at(w, f)->records;
    w->start = w->out->len;
    sm_status s = records > UINT32_MAX ? SM_TOO_LARGE : find_shapes(w, (uint32_t)records);
    if (s == SM_OK)
        s = number_shapes(&w->shapes, &sorted);
    if (s == SM_OK)
        s = put_parts(w, sorted, field);
    free(sorted);
    shapes_end(&w->shapes);
    return s;
}

/* ---- All of them --------------------------------------------------------------------------------------------- */

struct placed {
    uint32_t section, function;
    uint64_t offset;
};

/* Orders functions by section and offset. */
static int by_place(const void *a, const void *b) {
    const struct placed *x = a, *y = b;
    if (x->section != y->section)
        return x->section < y->section ? -1 : 1;
    if (x->offset != y->offset)
        return x->offset < y->offset ? -1 : 1;
    return x->function < y->function ? -1 : x->function > y->function;
}

/* Sorts the functions by section and address: their numbers in ORDER, their sections in SECTION. */
static sm_status sort_functions(const sm_stackmap *m, uint32_t *order, uint32_t *section) {
    struct placed *p = malloc((m->functions ? m->functions : 1) * sizeof *p);
    if (!p)
        return SM_NOMEM;
    for (uint32_t i = 0; i < m->functions; i++)
        p[i] = (struct placed){m->function[i].section_index, i, m->function[i].offset};
    qsort(p, m->functions, sizeof *p, by_place);
    for (uint32_t i = 0; i < m->functions; i++) {
        order[i] = p[i].function;
        section[i] = p[i].section;
    }
    free(p);
    return SM_OK;
}

sm_status sm_compact_encode(const sm_stackmap *m, sm_buf *out, sm_compact_field **fields) {
    size_t functions = m->functions ? m->functions : 1, records = m->records ? m->records : 1;
    uint32_t *order = malloc(functions * sizeof *order), *section = malloc(functions * sizeof *section);
    sm_compact_field *field = malloc(functions * sizeof *field);
    struct writer w = {.m = m, .out = out, .shape_of = malloc(records * sizeof *w.shape_of)};
    sm_status s = order && section && field && w.shape_of ? sort_functions(m, order, section) : SM_NOMEM;
    for (uint32_t first = 0, next; s == SM_OK && first < m->functions; first = next) {
        for (next = first + 1; next < m->functions && section[next] == section[first];)
            next++;
        w.order = order + first;
        w.functions = next - first;
        s = put_blob(&w, field + first);
    }
    free(w.shape_of);
    free(section);
    free(order);
    if (s != SM_OK) {
        free(field);
        field = NULL;
    }
    *fields = field;
    return s;
}
