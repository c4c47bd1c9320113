/* map.c - see map.h. */
#include "map.h"

#include "error.h"
#include "facts.h"
#include "faultmap.h"
#include "gcmap.h"

#include <stdlib.h>
#include <string.h>

#define MAP_MAX ((size_t)1 << 34) /* bytes of any array: a bound, not an aim */

/* A map in the making. */
struct build {
    struct image *im;
    const sm_object *object;
    struct map *map;
    sm_stackmap m; /* of other tables than a compact one that is read in place */
    sm_buf code, strings, part, fault;
    sm_buf table;    /* what M becomes */
    sm_slice in_use; /* the table that is read, wherever it is */
    uintptr_t shift; /* from there to where it stands for its fields */
};

/* Fails: out of memory for the object's safepoints. */
static sm_result no_memory(struct build *b) {
    return fail(b->im->err, SM_ERR_NO_MEMORY, "Out of memory: no room for the object's safepoints");
}

/* ---- Functions ---------------------------------------------------------------------------------------------- */

/* 1 if the symbol is a named function that lies in a section of code that has a place. */
static int is_function(const struct image *im, const sm_elf_symbol *s) {
    return s->type == STT_FUNC && s->in_section && s->name[0] && im->section[s->section].placed &&
           im->section[s->section].area == AREA_CODE && s->value <= im->elf.section[s->section].size;
}

/* Adds a function. Its name is an offset into the strings until they have their final place; 0 is no name. */
static void add_code(struct build *b, const char *name, uintptr_t address, size_t bytes) {
    size_t at = b->strings.len;
    if (name)
        sm_buf_put(&b->strings, name, strlen(name) + 1);
    sm_code c = {.name = name ? (const char *)(uintptr_t)at : NULL,
                 .address = address,
                 .bytes = bytes,
                 .frame_size = SIZE_MAX,
                 .object = b->object};
    sm_buf_put(&b->code, &c, sizeof c);
}

/* Orders functions by address; of several at one place first the named ones, of these the longest, then by name. */
static int by_address(const void *a, const void *b) {
    const sm_code *x = a, *y = b;
    if (x->address != y->address)
        return x->address < y->address ? -1 : 1;
    if (!x->name != !y->name)
        return !x->name - !y->name;
    if (x->bytes != y->bytes)
        return x->bytes > y->bytes ? -1 : 1;
    return (uintptr_t)x->name<(uintptr_t)y->name ? -1 : (uintptr_t)x->name>(uintptr_t) y->name;
}

/* Sorts the functions and keeps one of each address. */
static void sort_codes(struct build *b) {
    sm_code *c = (sm_code *)b->code.data;
    size_t n = b->code.len / sizeof *c, kept = 0;
    if (n)
        qsort(c, n, sizeof *c, by_address);
    for (size_t i = 0; i < n; i++)
        if (!kept || c[kept - 1].address != c[i].address)
            c[kept++] = c[i];
    b->map->code = c;
    b->map->codes = kept;
    b->code.len = kept * sizeof *c;
}

/* Adds the functions that the symbols name, and those that only the stackmap has. */
static void add_functions(struct build *b) {
    const struct image *im = b->im;
    sm_buf_put_u8(&b->strings, 0);
    for (size_t i = 1; i < im->elf.symbols; i++) {
        sm_elf_symbol s;
        if (sm_elf_symbol_at(&im->elf, i, &s) == SM_OK && is_function(im, &s))
            add_code(b, s.name, im->section[s.section].address + s.value, s.size);
    }
    for (uint32_t i = 0; i < b->m.functions; i++) /* before those without records are left out */
        if (b->m.function[i].offset - im->span[AREA_CODE].start < im->span[AREA_CODE].bytes)
            add_code(b, NULL, b->m.function[i].offset, 0);
}

const sm_code *map_find_code(const struct map *m, uintptr_t address) {
    if (m->linked)
        return linked_find_code(m, address);
    size_t low = 0, high = m->codes;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (m->code[middle].address <= address)
            low = middle + 1;
        else
            high = middle;
    }
    const sm_code *c = low ? &m->code[low - 1] : NULL;
    return c && (c->bytes == 0 || address - c->address < c->bytes) ? c : NULL;
}

/* ---- The table ---------------------------------------------------------------------------------------------- */

/* Fails: the stackmap cannot be decoded, for the reason in WHY. */
static sm_result damaged(struct build *b, const sm_stackmap_error *why) {
    return fail(b->im->err, SM_ERR_INVALID_STACKMAP, "The stackmap is damaged at byte %llu: %s",
                (unsigned long long)why->offset, why->message);
}

/* Turns the functions from FIRST on, which the decoder gives as section and offset, into addresses; 0 if the
 * section has no place. */
static void locate_functions(struct build *b, uint32_t first) {
    for (uint32_t i = first; i < b->m.functions; i++) {
        sm_function *f = &b->m.function[i];
        size_t s = f->section ? sm_elf_find(&b->im->elf, f->section, 0) : 0;
        f->offset = s && b->im->section[s].placed ? b->im->section[s].address + f->offset : 0;
    }
}

/* Decodes the compact table into the stackmap; its functions, which it gives as distances from their fields, become
 * addresses. */
static sm_status decode_compact(struct build *b, sm_stackmap_error *why) {
    const struct section *table = &b->im->section[b->im->compact];
    uint32_t first = b->m.functions;
    sm_status s = sm_compact_decode(&b->m, table->host, b->im->elf.section[b->im->compact].bytes.len, why);
    for (uint32_t i = first; i < b->m.functions; i++)
        b->m.function[i].offset += table->address + b->m.function[i].at;
    return s;
}

/* Decodes all tables into one stackmap, except for a compact one that is the only one: it is read in place. */
static sm_result decode(struct build *b) {
    sm_stackmap_error why = {.message = "Out of memory"};
    struct image *im = b->im;
    size_t len = im->stackmap ? im->elf.section[im->stackmap].bytes.len : 0;
    sm_status s = sm_stackmap_decode(&b->m, im->elf.machine, im->stackmap_bytes, len, &why);
    uint32_t first = b->m.functions;
    if (s == SM_OK)
        s = sm_gcmap_of_object(&b->m, &im->elf, &why);
    if (s == SM_OK)
        locate_functions(b, first);
    if (s == SM_OK && im->compact && b->m.records)
        s = decode_compact(b, &why);
    return s == SM_OK ? SM_SUCCESS : s == SM_NOMEM ? no_memory(b) : damaged(b, &why);
}

/* Orders records by offset, then as they stand in the table. */
static int by_offset(const void *a, const void *b) {
    const sm_record *x = a, *y = b;
    if (x->offset != y->offset)
        return x->offset < y->offset ? -1 : 1;
    return x->at < y->at ? -1 : x->at > y->at;
}

/* Normalises tables that may be of older writers before they are encoded: functions without records go, records are
 * in order of their offsets, sizes of a statepoint's constants are 8. */
static void tidy(sm_stackmap *m) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < m->functions; i++) {
        sm_function *f = &m->function[i];
        sm_record *r = f->records ? &m->record[f->record] : NULL;
        int in_order = 1;
        f->section_index = 0;
        for (uint32_t k = 0; k < f->records; k++) {
            in_order &= k == 0 || r[k - 1].offset <= r[k].offset;
            for (uint32_t l = 0; r[k].kind == SM_RECORD_STATEPOINT && l < 3; l++)
                m->location[r[k].location + l].size = 8;
        }
        if (!in_order)
            qsort(r, f->records, sizeof *r, by_offset);
        if (f->records)
            m->function[kept++] = *f;
    }
    m->functions = kept;
}

/* Encodes the stackmap as a compact table, in a buffer. Its functions are at distances from where the code begins,
 * wherever the table is. Fails if one is not in reach. */
static sm_result encode(struct build *b) {
    sm_compact_field *field;
    uintptr_t base = b->im->span[AREA_CODE].start;
    sm_stackmap_guess_kinds(&b->m);
    tidy(&b->m);
    if (!b->m.functions)
        return SM_SUCCESS;
    sm_status s = sm_compact_encode(&b->m, &b->table, &field);
    for (uint32_t i = 0; s == SM_OK && i < b->m.functions; i++) {
        uint64_t distance = b->m.function[field[i].function].offset - (base + field[i].at);
        int32_t near = (int32_t)distance;
        if ((uint64_t)(int64_t)near != distance)
            s = SM_INVALID_STACKMAP;
        memcpy(b->table.data + field[i].at, &near, sizeof near);
    }
    free(field);
    b->in_use = (sm_slice){b->table.data, b->table.len};
    b->shift = base - (uintptr_t)b->table.data;
    if (s == SM_OK || s == SM_NOMEM)
        return s == SM_OK ? SM_SUCCESS : no_memory(b);
    return fail(b->im->err, SM_ERR_INVALID_STACKMAP, "A safepoint lies outside the object's code");
}

/* Sets the table that will be read: the object's own in place, or an encoding of what was decoded. */
static sm_result take_table(struct build *b) {
    const struct image *im = b->im;
    if (!im->compact || b->m.records)
        return encode(b);
    b->in_use = (sm_slice){im->section[im->compact].host, im->elf.section[im->compact].bytes.len};
    return SM_SUCCESS;
}

/* ---- A look at all of it -------------------------------------------------------------------------------------- */

/* Fails: function or shape I of a part is damaged; WHAT says how. */
static sm_result bad_part(struct build *b, const sm_compact *c, const char *what, uint32_t i) {
    size_t at = (size_t)(c->blob - (const unsigned char *)b->in_use.data);
    return fail(b->im->err, SM_ERR_INVALID_STACKMAP, "The stackmap is damaged at byte %zu: %s %u", at, what, i);
}

/* The address where what follows function I begins, up to which its safepoints may reach; its own start if two
 * tables have it. */
static uintptr_t next_start(const struct build *b, const sm_compact *c, uint32_t i) {
    uintptr_t start = sm_compact_function(c, i);
    const struct part *part = (const struct part *)b->part.data;
    size_t low = 0, high = b->part.len / sizeof *part, parts = high;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (part[middle].start <= start)
            low = middle + 1;
        else
            high = middle;
    }
    if (low > 1 && part[low - 2].start == start) /* two tables have it */
        return start;
    uintptr_t next = low < parts ? part[low].start : UINTPTR_MAX;
    uintptr_t own = i + 1 < c->functions ? sm_compact_function(c, i + 1) : UINTPTR_MAX;
    return own < next ? own : next;
}

/* Checks that a function and its safepoints lie in the code, in order, and not in the next one; sets its frame's
 * size. */
static sm_result check_function(struct build *b, const sm_compact *c, uint32_t i) {
    const struct span *code = &b->im->span[AREA_CODE];
    uintptr_t start = sm_compact_function(c, i);
    sm_compact_walk w = sm_compact_begin(c, i);
    uint64_t frame_size = w.at.frame_size;
    uintptr_t next = next_start(b, c, i);
    if (i && start < sm_compact_function(c, i - 1))
        return bad_part(b, c, "no order at function", i);
    while (sm_compact_next(&w, c)) {
        uintptr_t address = start + w.at.offset;
        if (start < code->start || address <= code->start || address - code->start >= code->bytes)
            return fail(b->im->err, SM_ERR_INVALID_STACKMAP, "A safepoint lies outside the object's code");
        if (address > next || start == next)
            return bad_part(b, c, "safepoints of another one in function", i);
    }
    if (w.in.status != SM_OK)
        return bad_part(b, c, "the records of function", i);
    sm_code *known = start - code->start < code->bytes ? (sm_code *)map_find_code(b->map, start) : NULL;
    if (known && known->address == start)
        known->frame_size = frame_size > SIZE_MAX ? SIZE_MAX : (size_t)frame_size;
    return SM_SUCCESS;
}

/* Decodes every shape of a part once; fails if one is damaged. */
static sm_result check_shapes(struct build *b, const sm_compact *c) {
    sm_stackmap m = {.machine = c->machine};
    sm_result result = SM_SUCCESS;
    for (uint32_t i = 0; result == SM_SUCCESS && i < c->shapes; i++) {
        m.records = m.locations = m.liveouts = 0;
        sm_status s = sm_compact_read(c, &(sm_compact_hit){.shape = i, .offset = UINT32_MAX}, &m);
        if (s != SM_OK)
            result = s == SM_NOMEM ? no_memory(b) : bad_part(b, c, "shape", i);
    }
    free(m.record);
    free(m.location);
    free(m.liveout);
    return result;
}

/* Calls EACH for every blob. */
static sm_result each_part(struct build *b, sm_result (*each)(struct build *b, const sm_compact *c)) {
    const unsigned char *at = b->in_use.data, *end = at ? at + b->in_use.len : NULL;
    sm_result result = SM_SUCCESS;
    while (result == SM_SUCCESS && at < end) {
        sm_compact c;
        if (*at == 0) { /* between two, or after the last */
            at++;
            continue;
        }
        if (sm_compact_open(&c, at, (size_t)(end - at)) != SM_OK || c.machine != HOST_MACHINE)
            return fail(b->im->err, SM_ERR_INVALID_STACKMAP,
                        "The stackmap is damaged at byte %zu: no table of version 1",
                        (size_t)(at - (const unsigned char *)b->in_use.data));
        c.base += b->shift;
        result = each(b, &c);
        at += c.size;
    }
    return result;
}

/* Notes a part, with a nameless function for each that it describes. Fails only when out of memory. */
static sm_result note_part(struct build *b, const sm_compact *c) {
    struct part part = {.start = c->functions ? sm_compact_function(c, 0) : 0, .blob = c->blob};
    for (uint32_t i = 0; i < c->functions; i++) {
        uintptr_t address = sm_compact_function(c, i);
        if (address - b->im->span[AREA_CODE].start < b->im->span[AREA_CODE].bytes)
            add_code(b, NULL, address, 0);
    }
    if (c->functions)
        sm_buf_put(&b->part, &part, sizeof part);
    return b->part.status == SM_OK && b->code.status == SM_OK ? SM_SUCCESS : no_memory(b);
}

/* Checks a part's shapes and functions; fails if one is damaged. */
static sm_result check_part(struct build *b, const sm_compact *c) {
    sm_result result = check_shapes(b, c);
    for (uint32_t i = 0; result == SM_SUCCESS && i < c->functions; i++)
        result = check_function(b, c, i);
    return result;
}

/* Orders parts by their first function's address. */
static int by_start(const void *a, const void *b) {
    const struct part *x = a, *y = b;
    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    return x->blob < y->blob ? -1 : x->blob > y->blob;
}

/* Sorts parts by their first function's address, unless they are in order already. */
void part_sort(struct part *part, size_t parts) {
    size_t i = 1;
    while (i < parts && by_start(&part[i - 1], &part[i]) <= 0)
        i++;
    if (i < parts)
        qsort(part, parts, sizeof *part, by_start);
}

/* ---- Implicit null checks ------------------------------------------------------------------------------------- */

/* Orders null checks by the instruction that faults. */
static int by_at(const void *a, const void *b) {
    const struct fault *x = a, *y = b;
    return x->at < y->at ? -1 : x->at > y->at;
}

int map_put_faults(sm_buf *out, const sm_stackmap *m, const sm_function *f, uintptr_t code, size_t bytes) {
    uint64_t at = f->offset - code;
    for (uint32_t i = 0; i < f->faults; i++) {
        const sm_fault *fault = &m->fault[f->fault + i];
        if (f->offset < code || at >= bytes || bytes - at <= fault->offset || bytes - at <= fault->handler ||
            bytes > UINT32_MAX)
            return 0;
        struct fault one = {(uint32_t)(at + fault->offset), (uint32_t)(at + fault->handler)};
        sm_buf_put(out, &one, sizeof one);
    }
    return 1;
}

void map_sort_faults(sm_buf *faults) {
    if (faults->len)
        qsort(faults->data, faults->len / sizeof(struct fault), sizeof(struct fault), by_at);
}

/* Adds a function's null checks to the map; fails if one lies outside the code. */
static sm_result put_faults(struct build *b, const sm_stackmap *m, const sm_function *f) {
    const struct span *code = &b->im->span[AREA_CODE];
    if (!map_put_faults(&b->fault, m, f, code->start, code->bytes))
        return fail(b->im->err, SM_ERR_INVALID_STACKMAP, "A null check lies outside the object's code");
    return b->fault.status == SM_OK ? SM_SUCCESS : no_memory(b);
}

/* Reads the object's implicit null checks. Requires that its sections are in their place: the functions' addresses
 * are relocated there. */
static sm_result read_faults(struct build *b) {
    const struct image *im = b->im;
    sm_stackmap m = {.machine = HOST_MACHINE};
    sm_stackmap_error why = {.message = "Out of memory"};
    sm_status s = SM_OK;
    for (size_t i = 1; s == SM_OK && i < im->elf.sections; i++)
        if (im->section[i].placed && strcmp(im->elf.section[i].name, SM_FAULTMAP_SECTION) == 0)
            s = sm_faultmap_decode(&m, im->section[i].host, im->elf.section[i].bytes.len, &why);
    sm_result result = s == SM_OK ? SM_SUCCESS : s == SM_NOMEM ? no_memory(b) : damaged(b, &why);
    for (uint32_t i = 0; result == SM_SUCCESS && i < m.functions; i++)
        result = put_faults(b, &m, &m.function[i]);
    if (result == SM_SUCCESS)
        map_sort_faults(&b->fault);
    sm_stackmap_free(&m);
    return result;
}

/* ---- The whole ---------------------------------------------------------------------------------------------- */

/* Copies LEN bytes of a buffer to *AT, which moves past them to the next multiple of 8; gives where they are. */
static void *put_behind(char **at, const sm_buf *from, size_t len) {
    void *here = *at;
    if (len)
        memcpy(here, from->data, len);
    *at += (len + 7) & ~(size_t)7;
    return here;
}

/* Sets where the object's table of types is, if it has one. */
static void find_types(const struct build *b, struct map *m) {
    size_t section = sm_elf_find(&b->im->elf, SM_TYPES_SECTION, 0);
    if (!section || !b->im->section[section].placed)
        return;
    m->type = (const struct type_symbol *)b->im->section[section].address;
    m->types = b->im->elf.section[section].bytes.len / sizeof *m->type;
}

/* Makes the map of what was built: one piece of memory for all, as most objects are small, with offsets turned into
 * pointers. NULL when out of memory. */
static struct map *finish(const struct build *b) {
    const struct map *made = b->map;
    size_t codes = made->codes * sizeof *made->code;
    size_t room = 5 * 8 + codes + b->part.len + b->fault.len + b->table.len + b->strings.len;
    struct map *m = malloc(sizeof *m + room);
    if (!m)
        return NULL;
    char *at = (char *)(m + 1);
    *m = (struct map){.object = b->object, .codes = made->codes, .shift = b->shift};
    find_types(b, m);
    m->code = put_behind(&at, &b->code, codes);
    m->part = put_behind(&at, &b->part, b->part.len);
    m->parts = b->part.len / sizeof *m->part;
    m->fault = put_behind(&at, &b->fault, b->fault.len);
    m->faults = b->fault.len / sizeof *m->fault;
    const unsigned char *table = put_behind(&at, &b->table, b->table.len), *made_at = b->in_use.data;
    m->strings = put_behind(&at, &b->strings, b->strings.len);
    m->end = made_at ? made_at + b->in_use.len : NULL;
    for (size_t i = 0; i < m->codes; i++)
        m->code[i].name = m->code[i].name ? m->strings + (uintptr_t)m->code[i].name : NULL;
    if (b->table.len) {
        m->end = table + b->table.len;
        m->shift += (uintptr_t)made_at - (uintptr_t)table;
        for (size_t i = 0; i < m->parts; i++)
            m->part[i].blob = table + (m->part[i].blob - made_at);
    }
    return m;
}

sm_result map_build(struct image *im, const sm_object *object, struct map **map) {
    struct build b = {.im = im, .object = object};
    sm_buf *const bufs[] = {&b.code, &b.strings, &b.part, &b.fault, &b.table};
    for (size_t i = 0; i < sizeof bufs / sizeof *bufs; i++)
        sm_buf_init(bufs[i], MAP_MAX);
    *map = NULL;
    b.map = calloc(1, sizeof *b.map);
    sm_result result = b.map ? decode(&b) : no_memory(&b);
    if (result == SM_SUCCESS) {
        add_functions(&b);
        result = take_table(&b);
    }
    if (result == SM_SUCCESS)
        result = each_part(&b, note_part);
    if (result == SM_SUCCESS && (b.code.status != SM_OK || b.strings.status != SM_OK))
        result = no_memory(&b);
    if (result == SM_SUCCESS) {
        sort_codes(&b);
        part_sort((struct part *)b.part.data, b.part.len / sizeof(struct part));
        result = each_part(&b, check_part);
    }
    if (result == SM_SUCCESS)
        result = read_faults(&b);
    if (result == SM_SUCCESS) {
        *map = finish(&b);
        result = *map ? SM_SUCCESS : no_memory(&b);
    }
    free(b.map);
    for (size_t i = 0; i < sizeof bufs / sizeof *bufs; i++)
        sm_buf_free(bufs[i]);
    sm_stackmap_free(&b.m);
    return result;
}

void map_free(struct map *m) {
    if (m && m->linked)
        linked_free(m);
    free(m);
}
