/* map.c - see map.h. */
#include "map.h"

#include "compact.h"
#include "error.h"
#include "gcmap.h"
#include "loader.h"

#include <stdlib.h>
#include <string.h>

#define MAP_MAX ((size_t)1 << 34) /* bytes of any array: a bound, not an aim */

/* A map in the making. */
struct build {
    struct image *im;
    const sm_object *object;
    const struct frames *frames;
    struct map *map;
    sm_stackmap m;
    sm_buf code, site, pair, slot, row, strings;
    struct pair_key *scratch;
    size_t scratch_pairs;
};

static sm_result no_memory(struct build *b) {
    return fail(b->im->err, SM_ERR_NO_MEMORY, "Out of memory: no room for the object's safepoints");
}

/* ---- Functions ---------------------------------------------------------------------------------------------- */

static int is_function(const struct image *im, const sm_elf_symbol *s) {
    return s->type == STT_FUNC && s->in_section && s->name[0] && im->section[s->section].placed &&
           im->section[s->section].area == AREA_CODE && s->value <= im->elf.section[s->section].size;
}

/* Names are offsets until all strings have their place; 0 is no name. */
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

/* By address; of several names of one place the longest function, then the first. Those without a name come last. */
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

static void add_functions(struct build *b) {
    const struct image *im = b->im;
    sm_buf_put_u8(&b->strings, 0);
    for (size_t i = 1; i < im->elf.symbols; i++) {
        sm_elf_symbol s;
        if (sm_elf_symbol_at(&im->elf, i, &s) == SM_OK && is_function(im, &s))
            add_code(b, s.name, im->section[s.section].address + s.value, s.size);
    }
    for (uint32_t i = 0; i < b->m.functions; i++)
        if (b->m.function[i].offset - im->span[AREA_CODE].start < im->span[AREA_CODE].bytes)
            add_code(b, NULL, b->m.function[i].offset, 0);
    if (b->code.status == SM_OK)
        sort_codes(b);
}

const sm_code *map_find_code(const struct map *m, uintptr_t address) {
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

/* ---- Sites -------------------------------------------------------------------------------------------------- */

static sm_slot slot_of(const sm_location *l) {
    int64_t value = l->kind == SM_LOCATION_CONSTANT ? l->constant : l->offset;
    return (sm_slot){.kind = l->kind, .reg = l->dwarf, .bytes = l->size, .value = value};
}

static void put_slots(struct build *b, uint32_t first, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        sm_slot s = slot_of(&b->m.location[first + i]);
        sm_buf_put(&b->slot, &s, sizeof s);
    }
}

static sm_result put_pairs(struct build *b, const sm_root *root, uint32_t n) {
    sm_pair *pair = (sm_pair *)sm_buf_extend(&b->pair, n * sizeof *pair);
    if (n > b->scratch_pairs) {
        free(b->scratch);
        b->scratch = malloc(2 * (size_t)n * sizeof *b->scratch);
        b->scratch_pairs = b->scratch ? n : 0;
    }
    if (n && (!pair || !b->scratch))
        return no_memory(b);
    for (uint32_t i = 0; i < n; i++)
        pair[i] = (sm_pair){slot_of(&root[i].base), slot_of(&root[i].derived)};
    mark_pairs(pair, n, b->scratch);
    return SM_SUCCESS;
}

/* A record is a statepoint's if it has the shape of one: the bytes do not say. */
static sm_result put_site(struct build *b, const sm_record *r, const sm_code *code, uintptr_t address) {
    sm_statepoint p = {0};
    sm_record copy = *r;
    copy.kind = r->kind == SM_RECORD_GCROOT ? SM_RECORD_GCROOT : SM_RECORD_STATEPOINT;
    sm_status s = sm_statepoint_split(&b->m, &copy, &p);
    int is_point = s == SM_OK && r->liveouts == 0;
    /* Offsets until the arrays are complete. */
    sm_site site = {.address = address,
                    .id = r->id,
                    .code = code,
                    .pairs = (const sm_pair *)(uintptr_t)(b->pair.len / sizeof(sm_pair)),
                    .kind = copy.kind == SM_RECORD_GCROOT ? SM_SITE_GCROOT
                            : is_point                    ? SM_SITE_STATEPOINT
                                                          : SM_SITE_STACKMAP};
    sm_result result = s == SM_NOMEM ? no_memory(b) : SM_SUCCESS;
    site.deopt = (const sm_slot *)(uintptr_t)(b->slot.len / sizeof(sm_slot));
    if (is_point) {
        site.calling_convention = (uint16_t)p.calling_convention;
        site.flags = (uint8_t)p.flags;
        site.n_pairs = p.roots;
        site.n_deopt = p.deopts;
        site.n_regions = p.regions;
        result = put_pairs(b, p.root, p.roots);
        put_slots(b, p.deopt, p.deopts);
    } else {
        site.n_deopt = r->locations;
        put_slots(b, r->location, r->locations);
    }
    site.regions = (const sm_slot *)(uintptr_t)(b->slot.len / sizeof(sm_slot));
    if (is_point)
        put_slots(b, p.region, p.regions);
    sm_buf_put(&b->site, &site, sizeof site);
    sm_statepoint_free(&p);
    return result;
}

static sm_result put_function(struct build *b, const sm_function *f) {
    const struct span *code = &b->im->span[AREA_CODE];
    sm_code *c = (sm_code *)map_find_code(b->map, f->offset);
    if (c)
        c->frame_size = f->frame_size > SIZE_MAX ? SIZE_MAX : (size_t)f->frame_size;
    for (uint32_t i = 0; i < f->records; i++) {
        const sm_record *r = &b->m.record[f->record + i];
        uintptr_t address = f->offset + r->offset;
        if (f->offset < code->start || address <= code->start || address - code->start >= code->bytes)
            return fail(b->im->err, SM_ERR_INVALID_STACKMAP, "A safepoint lies outside the object's code");
        sm_result result = put_site(b, r, c, address);
        if (result != SM_SUCCESS)
            return result;
    }
    return SM_SUCCESS;
}

static int by_return_address(const void *a, const void *b) {
    const sm_site *x = a, *y = b;
    if (x->address != y->address)
        return x->address < y->address ? -1 : 1;
    return x->kind - y->kind;
}

/* Sorts, unless they are in order already, and drops what has a return address again: a stackmap and a call may end
 * at the same place, and the call's record is the one that frames wait at. */
static void sort_sites(struct build *b) {
    sm_site *s = (sm_site *)b->site.data;
    size_t n = b->site.len / sizeof *s, kept = 0, i = 1;
    while (i < n && s[i - 1].address < s[i].address)
        i++;
    if (i < n)
        qsort(s, n, sizeof *s, by_return_address);
    for (i = 0; i < n; i++)
        if (!kept || s[kept - 1].address != s[i].address)
            s[kept++] = s[i];
    b->map->site = s;
    b->map->sites = kept;
}

/* ---- Unwinding rules ---------------------------------------------------------------------------------------- */

/* Neighbours often share a rule. Bytes between members may differ: then it is kept twice. */
static void put_row(struct build *b, sm_site *s, struct row row) {
    size_t n = b->row.len / sizeof row;
    /* NOLINTNEXTLINE(bugprone-suspicious-memory-comparison) */
    if (!n || memcmp(b->row.data + (n - 1) * sizeof row, &row, sizeof row) != 0) {
        sm_buf_put(&b->row, &row, sizeof row);
        n++;
    }
    s->reserved[0] = (uint32_t)(n - 1);
}

static void add_rows(struct build *b) {
    struct run run = {0};
    for (size_t i = 0; i < b->map->sites; i++) {
        sm_site *s = &b->map->site[i];
        uintptr_t call = s->address - 1;
        if (!run.fde || call < run.fde->start || call >= run.fde->end) {
            const struct fde *fde = frames_find(b->frames, call);
            run.fde = NULL;
            if (fde)
                run_begin(&run, b->frames, fde);
        }
        put_row(b, s, run.fde ? run_to(&run, call) : (struct row){0}); /* without an entry nothing is known */
    }
}

/* ---- The whole ---------------------------------------------------------------------------------------------- */

/* Where the decoder names a section, an address takes its place. */
static void locate_functions(struct build *b, uint32_t first) {
    for (uint32_t i = first; i < b->m.functions; i++) {
        sm_function *f = &b->m.function[i];
        size_t s = f->section ? sm_elf_find(&b->im->elf, f->section, 0) : 0;
        f->offset = s && b->im->section[s].placed ? b->im->section[s].address + f->offset : 0;
    }
}

/* Its fields tell how far functions are from them. */
static sm_status decode_compact(struct build *b, sm_stackmap_error *why) {
    const struct section *table = &b->im->section[b->im->compact];
    uint32_t first = b->m.functions;
    sm_status s = sm_compact_decode(&b->m, table->host, b->im->elf.section[b->im->compact].bytes.len, why);
    for (uint32_t i = first; i < b->m.functions; i++)
        b->m.function[i].offset += table->address + b->m.function[i].at;
    return s;
}

static sm_result decode(struct build *b) {
    sm_stackmap_error why = {.message = "Out of memory"};
    struct image *im = b->im;
    size_t len = im->stackmap ? im->elf.section[im->stackmap].bytes.len : 0;
    sm_status s = sm_stackmap_decode(&b->m, im->elf.machine, im->stackmap_bytes, len, &why);
    if (s == SM_OK && im->compact)
        s = decode_compact(b, &why);
    uint32_t first = b->m.functions;
    if (s == SM_OK)
        s = sm_gcmap_of_object(&b->m, &im->elf, &why);
    if (s == SM_NOMEM)
        return no_memory(b);
    if (s != SM_OK)
        return fail(im->err, SM_ERR_INVALID_STACKMAP, "The stackmap is damaged at byte %llu: %s",
                    (unsigned long long)why.offset, why.message);
    locate_functions(b, first);
    return SM_SUCCESS;
}

static sm_result add_sites(struct build *b) {
    sm_result result = SM_SUCCESS;
    for (uint32_t i = 0; result == SM_SUCCESS && i < b->m.functions; i++)
        if (b->m.function[i].records)
            result = put_function(b, &b->m.function[i]);
    if (b->pair.status != SM_OK || b->slot.status != SM_OK || b->site.status != SM_OK)
        return no_memory(b);
    if (result == SM_SUCCESS) {
        sort_sites(b);
        add_rows(b);
    }
    return result == SM_SUCCESS && b->row.status != SM_OK ? no_memory(b) : result;
}

/* Copies what a buffer has, or the first LEN bytes of it, behind what is there. */
static void *put_behind(char **at, const sm_buf *from, size_t len) {
    void *here = *at;
    if (len)
        memcpy(here, from->data, len);
    *at += (len + 7) & ~(size_t)7;
    return here;
}

/* One piece of memory for all, as most objects are small. Numbers become pointers. NULL if there is no memory. */
static struct map *finish(const struct build *b) {
    const struct map *made = b->map;
    size_t codes = made->codes * sizeof *made->code, sites = made->sites * sizeof *made->site;
    size_t room = 6 * 8 + codes + sites + b->pair.len + b->slot.len + b->row.len + b->strings.len;
    struct map *m = malloc(sizeof *m + room);
    if (!m)
        return NULL;
    char *at = (char *)(m + 1);
    *m = (struct map){.object = b->object, .codes = made->codes, .sites = made->sites};
    m->code = put_behind(&at, &b->code, codes);
    m->site = put_behind(&at, &b->site, sites);
    m->pair = put_behind(&at, &b->pair, b->pair.len);
    m->slot = put_behind(&at, &b->slot, b->slot.len);
    m->row = put_behind(&at, &b->row, b->row.len);
    m->strings = put_behind(&at, &b->strings, b->strings.len);
    for (size_t i = 0; i < m->codes; i++)
        m->code[i].name = m->code[i].name ? m->strings + (uintptr_t)m->code[i].name : NULL;
    for (size_t i = 0; i < m->sites; i++) {
        sm_site *s = &m->site[i];
        s->code = s->code ? m->code + (s->code - made->code) : NULL;
        s->pairs = m->pair + (uintptr_t)s->pairs;
        s->deopt = m->slot + (uintptr_t)s->deopt;
        s->regions = m->slot + (uintptr_t)s->regions;
    }
    return m;
}

sm_result map_build(struct image *im, const sm_object *object, const struct frames *frames, struct map **map) {
    struct build b = {.im = im, .object = object, .frames = frames};
    sm_buf *const bufs[] = {&b.code, &b.site, &b.pair, &b.slot, &b.row, &b.strings};
    for (size_t i = 0; i < sizeof bufs / sizeof *bufs; i++)
        sm_buf_init(bufs[i], MAP_MAX);
    *map = NULL;
    b.map = calloc(1, sizeof *b.map);
    sm_result result = b.map ? decode(&b) : no_memory(&b);
    if (result == SM_SUCCESS) {
        add_functions(&b);
        result = b.code.status == SM_OK && b.strings.status == SM_OK ? add_sites(&b) : no_memory(&b);
    }
    if (result == SM_SUCCESS)
        *map = finish(&b);
    if (result == SM_SUCCESS && !*map)
        result = no_memory(&b);
    free(b.map);
    for (size_t i = 0; i < sizeof bufs / sizeof *bufs; i++)
        sm_buf_free(bufs[i]);
    sm_stackmap_free(&b.m);
    free(b.scratch);
    return result;
}

void map_free(struct map *m) {
    free(m);
}
