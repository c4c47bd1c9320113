/* linetable.c - see linetable.h: reads a table. */
#include "linetable.h"

#include "lineformat.h"

#include "map.h"

#include <stdlib.h>
#include <string.h>

/* Bits that are read; AT is the next one's number. Those of a table are its writer's, and padded. */
struct bits {
    const unsigned char *bytes;
    size_t at;
};

static uint64_t window(const struct bits *b) {
    uint64_t w;
    memcpy(&w, b->bytes + b->at / 8, sizeof w);
    return w >> b->at % 8;
}

/* Reads a number of at most 33 bits. */
static uint64_t get_bits(struct bits *b, unsigned n) {
    uint64_t v = window(b) & ((UINT64_C(1) << n) - 1);
    b->at += n;
    return v;
}

static uint64_t get_golomb(struct bits *b, unsigned k) {
    uint64_t w = window(b);
    unsigned zeros = w ? (unsigned)__builtin_ctzll(w) : 0;
    b->at += zeros + 1;
    uint64_t v = (get_bits(b, zeros) | UINT64_C(1) << zeros) - 1;
    return v << k | get_bits(b, k);
}

static int64_t get_signed(struct bits *b, unsigned k) {
    uint64_t v = get_golomb(b, k);
    return v & 1 ? (int64_t)~(v >> 1) : (int64_t)(v >> 1);
}

static void next_byte(struct bits *b) {
    b->at = (b->at + 7) / 8 * 8;
}

/* Where a group begins. */
static uint32_t group_at(const uint32_t *directory, size_t group) {
    return group ? directory[group - 1] : 0;
}

/* The text that SKIP others stand before. */
static const char *skip_texts(const char *text, size_t skip) {
    for (; skip; skip--)
        text += strlen(text) + 1;
    return text;
}

/* ---- Scopes ------------------------------------------------------------------------------------------------------- */

/* Places of a scope: all its leaves, or all its calls. */
struct places {
    uint32_t count;
    unsigned line_bits, call_bits;
    struct bits first;
};

struct scope {
    uint32_t number, lowest;
    uint64_t file;
    struct places leaves, calls;
};

/* A place of a scope. */
struct line_place {
    uint32_t line;
    uint32_t called; /* scope; of a leaf any */
};

static void get_places(struct bits *b, struct places *p, int calls) {
    if (p->count == 0)
        return;
    p->line_bits = (unsigned)get_golomb(b, LINES_WIDTH_BITS);
    p->call_bits = calls ? (unsigned)get_golomb(b, LINES_WIDTH_BITS) : 0;
    p->first = *b;
    b->at += (size_t)p->count * (p->line_bits + p->call_bits);
}

static struct scope get_scope(struct bits *b, uint32_t number) {
    struct scope s = {.number = number};
    s.leaves.count = (uint32_t)get_golomb(b, LINES_COUNT_BITS);
    s.calls.count = (uint32_t)get_golomb(b, LINES_COUNT_BITS);
    s.file = get_golomb(b, 0);
    s.lowest = (uint32_t)get_golomb(b, LINES_LINE_BITS);
    get_places(b, &s.leaves, 0);
    get_places(b, &s.calls, 1);
    return s;
}

static struct bits group_of(const struct line_table *t, uint32_t number) {
    return (struct bits){t->scope + group_at(t->scope_at, number / LINES_GROUP), 0};
}

static struct scope scope_at(const struct line_table *t, uint32_t number) {
    struct bits b = group_of(t, number);
    struct scope s = {0};
    for (uint32_t i = number - number % LINES_GROUP; i <= number; i++)
        s = get_scope(&b, i);
    return s;
}

/* NULL: not known. */
static const char *name_of(const struct line_table *t, const struct scope *s) {
    struct bits b = group_of(t, s->number);
    uint32_t first = s->number - s->number % LINES_GROUP, skip = s->number % LINES_GROUP;
    for (uint32_t i = first; i < t->scopes && i < first + LINES_GROUP; i++)
        get_scope(&b, i);
    next_byte(&b);
    const char *name = skip_texts((const char *)b.bytes + b.at / 8, skip);
    return *name ? name : NULL;
}

static const char *file_of(const struct line_table *t, const struct scope *s) {
    if (s->file >= t->files)
        return NULL;
    return skip_texts(t->file + group_at(t->file_at, s->file / LINES_GROUP), s->file % LINES_GROUP);
}

static int is_hidden(const struct line_table *t, const struct scope *s) {
    return s->file > t->files;
}

static struct line_place place_at(const struct scope *s, uint32_t number) {
    int is_leaf = number < s->leaves.count;
    const struct places *p = is_leaf ? &s->leaves : &s->calls;
    number -= is_leaf ? 0 : s->leaves.count;
    struct bits b = p->first;
    b.at += (size_t)number * (p->line_bits + p->call_bits);
    uint64_t line = get_bits(&b, p->line_bits);
    line = line ? s->lowest + line - 1 + (is_leaf ? number : 0) : 0;
    return (struct line_place){(uint32_t)line, (uint32_t)get_bits(&b, p->call_bits)};
}

/* ---- Paths -------------------------------------------------------------------------------------------------------- */

/* A function's stream as it is read. */
struct path_reader {
    const struct line_table *table;
    struct bits bits;
    size_t end; /* of the bits; there may be up to 7 more of 0 */
    uintptr_t address;
    struct scope first;
    int64_t place;     /* in the first scope */
    struct bits steps; /* of the path read last: its further places */
    struct scope last; /* likewise: where it ends */
    uint32_t leaf;
    size_t scopes; /* likewise: how many it goes through */
};

/* Begins the stream of function NUMBER. 0 if nothing is known of it. */
static int begin_stream(struct path_reader *r, const struct line_table *t, size_t number, uintptr_t address) {
    struct bits b = {t->stream + group_at(t->stream_at, number / LINES_GROUP), 0};
    size_t bytes = 0;
    for (size_t skip = number % LINES_GROUP + 1; skip; skip--) {
        b.at += 8 * bytes;
        bytes = get_golomb(&b, LINES_BYTES_BITS);
        next_byte(&b);
    }
    *r = (struct path_reader){.table = t, .bits = b, .end = b.at + 8 * bytes, .address = address};
    if (bytes)
        r->first = scope_at(t, (uint32_t)get_bits(&r->bits, bits_for(t->scopes - 1)));
    return bytes != 0;
}

/* The place in a scope that a path goes to next. */
static uint32_t next_place(struct bits *b, const struct scope *s) {
    return (uint32_t)get_bits(b, bits_for(s->leaves.count + s->calls.count - UINT64_C(1)));
}

/* Reads the next path. */
static void next_path(struct path_reader *r) {
    if (r->table->has_all)
        r->address += get_golomb(&r->bits, LINES_STEP_BITS) * LINES_STEP;
    r->place += get_signed(&r->bits, 0);
    r->steps = r->bits;
    r->last = r->first;
    r->leaf = (uint32_t)r->place;
    for (r->scopes = 1; r->leaf >= r->last.leaves.count; r->scopes++) {
        r->last = scope_at(r->table, place_at(&r->last, r->leaf).called);
        r->leaf = next_place(&r->bits, &r->last);
    }
}

/* 1 if a stream of a table of all lines has another path. What is left over of its last byte is 0, which no path is. */
static int has_path(const struct path_reader *r) {
    if (r->bits.at >= r->end)
        return 0;
    size_t left = r->end - r->bits.at;
    return left >= 8 || window(&r->bits) & ((UINT64_C(1) << left) - 1);
}

/* ------------------------------------------------------------------------------------------------------------------- */

void lines_free(struct line_table *t) {
    if (!t)
        return;
    free(t->stream);
    free(t->stream_at);
    free(t->scope);
    free(t->scope_at);
    free(t->file);
    free(t->file_at);
    free(t);
}

void lines_bytes(const struct line_table *t, size_t *streams, size_t *all) {
    *streams = t->stream_len;
    *all = t->stream_len + t->scope_len - t->name_len + t->directories_len;
}

/* How many safepoints its function has before the one whose call ends at an instruction; -1 if there is none. */
static int64_t number_of(const sm_object *o, uintptr_t function, uintptr_t instruction) {
    const struct part *p = map_part(o->map, function);
    sm_compact c;
    uint32_t before = p && map_open_part(o->map, p, &c) ? sm_compact_functions_before(&c, function) : 0;
    if (!before || sm_compact_function(&c, before - 1) != function)
        return -1;
    sm_compact_walk w = sm_compact_begin(&c, before - 1);
    sm_compact_hit hit;
    for (int64_t n = 0; sm_compact_next_address(&w, &c, &hit); n++)
        if (hit.offset == instruction + 1 - function)
            return n;
    return -1;
}

/* Reads the path of an instruction. 0 if there is none. */
static int seek(struct path_reader *r, const sm_object *o, const sm_code *code, uintptr_t instruction) {
    const struct line_table *t = o->lines;
    if (!begin_stream(r, t, (size_t)(code - o->map->code), code->address))
        return 0;
    if (!t->has_all) {
        int64_t number = number_of(o, code->address, instruction);
        for (int64_t i = 0; i <= number; i++)
            next_path(r);
        return number >= 0;
    }
    struct path_reader next = *r;
    while (has_path(&next)) {
        next_path(&next);
        if (next.address > instruction)
            break;
        *r = next;
    }
    return r->scopes != 0;
}

/* Fills FRAME with the innermost frames of the path read last, at most ROOM; gives their number. */
static size_t fill_frames(const struct path_reader *r, sm_source_frame *frame, size_t room) {
    struct bits steps = r->steps;
    struct scope s = r->first;
    uint32_t number = (uint32_t)r->place;
    int hidden = is_hidden(r->table, &s);
    size_t frames = r->scopes - (size_t)hidden, n = frames < room ? frames : room;
    for (size_t i = r->scopes; i; i--) { /* I - 1 scopes are in this one */
        struct line_place p = place_at(&s, number);
        if (i <= n)
            frame[i - 1] = (sm_source_frame){.function = name_of(r->table, &s),
                                             .file = file_of(r->table, &s),
                                             .line = p.line,
                                             .is_inlined = i < frames};
        if (i > 1) {
            s = scope_at(r->table, p.called);
            number = next_place(&steps, &s);
        }
    }
    return n;
}

void lines_each(const sm_object *o, const sm_code *code,
                void (*each)(void *user, uintptr_t address, const char *file, uint32_t line), void *user) {
    struct path_reader r;
    if (!o->lines || !o->lines->has_all || !begin_stream(&r, o->lines, (size_t)(code - o->map->code), code->address))
        return;
    while (has_path(&r)) {
        next_path(&r);
        each(user, r.address, file_of(r.table, &r.last), place_at(&r.last, r.leaf).line);
    }
}

size_t lines_at(const sm_object *o, uintptr_t instruction, sm_source_frame *frame, size_t room) {
    const sm_code *code = o->lines ? map_find_code(o->map, instruction) : NULL;
    struct path_reader r;
    return code && seek(&r, o, code, instruction) ? fill_frames(&r, frame, room) : 0;
}
