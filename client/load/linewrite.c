/* linewrite.c - see linetable.h: writes a table. */
#include "linetable.h"

#include "lineformat.h"

#include "error.h"
#include "lines.h"
#include "map.h"

#include <stdlib.h>
#include <string.h>

#define NONE   SM_LINES_NONE
#define HIDDEN (NONE - 1) /* file of a scope that is no frame */

/* A place whose line is asked for. */
struct point {
    uintptr_t address;
    size_t code; /* number of its function */
};

/* A scope of the DWARF with the file of its lines, as it was inlined. */
struct context {
    uint32_t inlined, file; /* as struct sm_lines has them; NONE */
    uint32_t scope;
    uint32_t outer, call; /* context that it was inlined into, NONE: into none; line of the call */
    uint32_t next;        /* context of the same scope of the DWARF; NONE */
};

struct scope {
    uint32_t name, file; /* texts; NONE: not known */
    uint32_t next;       /* scope of the same name; NONE */
    uint32_t first;      /* of its places, which are sorted */
    uint32_t leaves, calls, lowest;
};

struct line_place {
    uint32_t scope, line;
    uint32_t called; /* 1 + scope; 0: a leaf */
};

struct writer {
    struct image *im;
    const sm_object *object;
    struct line_table *table;
    sm_lines lines;
    sm_buf point, context, scope, place; /* of the structs of these names */
    uint32_t *of_inlined;                /* owned: the first context of a scope of the DWARF */
    uint32_t *of_name, *of_file;         /* owned: by text, the first scope of a name, the number of a file; NONE */
    uint32_t *first; /* owned: by function, the scope that its paths begin in; NONE: nothing is known */
    sm_buf stream, stream_at, scopes, scope_at, file, file_at;
};

static sm_result no_memory(const struct writer *w) {
    return fail(w->im->err, SM_ERR_NO_MEMORY, "Out of memory: no room for the object's lines");
}

/* ---- Asking for lines --------------------------------------------------------------------------------------------- */

/* Adds a place of a function. */
static void add_point(struct writer *w, const sm_code *code, uintptr_t address) {
    struct point p = {address, (size_t)(code - w->object->map->code)};
    sm_buf_put(&w->point, &p, sizeof p);
}

/* Visitor of safepoints: a statepoint is the call before its address. */
static int add_site(void *user, const sm_site *site) {
    struct writer *w = user;
    int is_before = site->kind != SM_SITE_STACKMAP && site->address > site->code->address;
    add_point(w, site->code, site->address - (uintptr_t)is_before);
    return w->point.status != SM_OK;
}

/* Lists what is asked for: safepoints, or every place where an instruction may begin. */
static void list_points(struct writer *w, int all) {
    const struct map *m = w->object->map;
    if (!all)
        sm_object_sites(w->object, add_site, w);
    for (size_t i = 0; all && i < m->codes; i++)
        for (uintptr_t at = 0; at < m->code[i].bytes && w->point.status == SM_OK; at += LINES_STEP)
            add_point(w, &m->code[i], m->code[i].address + at);
}

static const struct point *points(const struct writer *w, size_t *n) {
    *n = w->point.len / sizeof(struct point);
    return (const struct point *)(const void *)w->point.data;
}

/* The instruction at an address, as the file has it. */
static sm_instruction instruction_at(const struct image *im, uintptr_t address, size_t *section) {
    const struct section *s = &im->section[*section];
    if (!s->placed || address - s->address >= s->bytes)
        for (size_t i = 1; i < im->elf.sections; i++)
            if (im->section[i].placed && im->section[i].area == AREA_CODE &&
                address - im->section[i].address < im->section[i].bytes) {
                *section = i;
                break;
            }
    return (sm_instruction){(uint32_t)*section, address - im->section[*section].address};
}

/* An array of N numbers, all NONE; *new*, NULL if memory is short. */
static uint32_t *none_of(size_t n) {
    uint32_t *array = n < SIZE_MAX / sizeof *array ? malloc((n + 1) * sizeof *array) : NULL;
    if (array)
        memset(array, 0xff, (n + 1) * sizeof *array);
    return array;
}

/* Asks for the lines of all points, and makes the indexes by what they have. 0 if memory was short. */
static int ask(struct writer *w) {
    size_t n, section = 0;
    const struct point *p = points(w, &n);
    sm_instruction *at = w->point.status == SM_OK ? calloc(n + 1, sizeof *at) : NULL;
    for (size_t i = 0; at && i < n; i++)
        at[i] = instruction_at(w->im, p[i].address, &section);
    sm_status s = at ? sm_lines_of(&w->lines, &w->im->elf, at, n) : SM_NOMEM;
    free(at);
    if (s != SM_OK)
        return 0;
    w->of_inlined = none_of(w->lines.scopes + 1);
    w->of_name = none_of(w->lines.text_len + 1);
    w->of_file = none_of(w->lines.text_len + 1);
    w->first = none_of(w->object->map->codes);
    return w->of_inlined && w->of_name && w->of_file && w->first;
}

/* ---- Scopes and places -------------------------------------------------------------------------------------------- */

static struct scope *scope_at(const struct writer *w, uint32_t i) {
    return (struct scope *)(void *)w->scope.data + i;
}

static const struct context *context_at(const struct writer *w, uint32_t i) {
    return (const struct context *)(const void *)w->context.data + i;
}

/* Adds an element to an array of those of a size; gives its number, which is NONE if memory is short. */
static uint32_t add(sm_buf *array, const void *element, size_t size) {
    size_t number = array->len / size;
    return number < HIDDEN && sm_buf_put(array, element, size) == SM_OK ? (uint32_t)number : NONE;
}

static void add_place(struct writer *w, uint32_t scope, uint32_t line, uint32_t called) {
    struct line_place p = {scope, line, called};
    add(&w->place, &p, sizeof p);
}

static uint32_t scope_of(struct writer *w, uint32_t name, uint32_t file) {
    uint32_t *first = &w->of_name[name == NONE ? w->lines.text_len : name];
    for (uint32_t i = *first; i != NONE; i = scope_at(w, i)->next)
        if (scope_at(w, i)->file == file)
            return i;
    struct scope s = {.name = name, .file = file, .next = *first};
    return *first = add(&w->scope, &s, sizeof s);
}

/* The context of a scope of the DWARF whose lines are in a file; added if it is new, after those outside of it; NONE
 * if memory is short. It calls itself as deep as functions are inlined into one another, which the reader of DWARF
 * bounds. */
static uint32_t context_of(struct writer *w, uint32_t inlined, uint32_t file) {
    uint32_t *first = &w->of_inlined[inlined == NONE ? w->lines.scopes : inlined];
    for (uint32_t i = *first; i != NONE; i = context_at(w, i)->next)
        if (context_at(w, i)->file == file)
            return i;
    const sm_scope *s = inlined == NONE ? NULL : &w->lines.scope[inlined];
    struct context c = {.inlined = inlined, .file = file, .outer = NONE, .next = *first};
    c.scope = scope_of(w, s ? s->function : NONE, file);
    if (s && s->outer != NONE) {
        c.outer = context_of(w, s->outer, s->file);
        c.call = s->line;
        if (c.outer == NONE || c.scope == NONE)
            return NONE;
        add_place(w, context_at(w, c.outer)->scope, c.call, c.scope + 1);
    }
    return c.scope == NONE ? NONE : (*first = add(&w->context, &c, sizeof c));
}

/* 1 if nothing is known of a point's line. */
static int is_unknown(const sm_line *l) {
    return l->scope == NONE && l->file == NONE;
}

/* The scope that a context's path begins in. */
static uint32_t outermost(const struct writer *w, uint32_t context) {
    while (context_at(w, context)->outer != NONE)
        context = context_at(w, context)->outer;
    return context_at(w, context)->scope;
}

/* Adds all contexts, and the leaves; notes where paths of functions begin, HIDDEN if not all in one scope that is known.
 * 0 if memory was short. */
static int add_leaves(struct writer *w) {
    size_t n;
    const struct point *p = points(w, &n);
    for (size_t i = 0; i < n; i++) {
        const sm_line *l = &w->lines.line[i];
        uint32_t *first = &w->first[p[i].code];
        int is_new = i == 0 || p[i].code != p[i - 1].code;
        if (is_unknown(l)) {
            *first = is_new || *first == NONE ? NONE : HIDDEN;
            continue;
        }
        uint32_t context = context_of(w, l->scope, l->file);
        if (context == NONE)
            return 0;
        uint32_t begin = outermost(w, context);
        *first = is_new || *first == begin ? begin : HIDDEN;
        add_place(w, context_at(w, context)->scope, l->line, 0);
    }
    return w->place.status == SM_OK;
}

/* Gives the functions whose paths do not all begin in one scope a hidden one. 0 if memory was short. */
static int add_hidden(struct writer *w) {
    size_t n, last = SIZE_MAX;
    uint32_t hidden = NONE;
    const struct point *p = points(w, &n);
    for (size_t i = 0; i < n; i++) {
        if (p[i].code != last && w->first[p[i].code] == HIDDEN) {
            hidden = w->first[last = p[i].code] =
                add(&w->scope, &(struct scope){.name = NONE, .file = HIDDEN}, sizeof(struct scope));
            if (hidden == NONE)
                return 0;
        }
        const sm_line *l = &w->lines.line[i];
        if (p[i].code == last)
            add_place(w, hidden, 0, is_unknown(l) ? 0 : outermost(w, context_of(w, l->scope, l->file)) + 1);
    }
    return w->place.status == SM_OK;
}

/* By scope; leaves before calls; lines that are not known last. */
static int by_scope(const void *x, const void *y) {
    const struct line_place *a = x, *b = y;
    if (a->scope != b->scope)
        return a->scope < b->scope ? -1 : 1;
    if (!a->called != !b->called)
        return a->called ? 1 : -1;
    if (a->line != b->line)
        return a->line - 1 < b->line - 1 ? -1 : 1;
    return (a->called > b->called) - (a->called < b->called);
}

static void count_place(struct scope *s, const struct line_place *p, uint32_t number) {
    if (s->leaves + s->calls == 0)
        s->first = number;
    if (p->line && (!s->lowest || p->line < s->lowest))
        s->lowest = p->line;
    s->leaves += !p->called;
    s->calls += p->called != 0;
}

/* Sorts the places, each once, and counts those of each scope. */
static void sort_places(struct writer *w) {
    struct line_place *p = (struct line_place *)(void *)w->place.data;
    size_t n = w->place.len / sizeof *p, kept = 0;
    if (n)
        qsort(p, n, sizeof *p, by_scope);
    for (size_t i = 0; i < n; i++)
        if (!kept || by_scope(&p[kept - 1], &p[i]) != 0) {
            p[kept] = p[i];
            count_place(scope_at(w, p[i].scope), &p[kept], (uint32_t)kept);
            kept++;
        }
    w->place.len = kept * sizeof *p;
}

/* The number of a place among those of its scope. */
static uint32_t number_of(const struct writer *w, uint32_t scope, uint32_t line, uint32_t called) {
    const struct line_place *all = (const struct line_place *)(const void *)w->place.data,
                            key = {scope, line, called};
    size_t first = scope_at(w, scope)->first, low = first, high = w->place.len / sizeof *all;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (by_scope(&all[middle], &key) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return (uint32_t)(low - first);
}

/* ---- Bits --------------------------------------------------------------------------------------------------------- */

/* Bits that are written; fewer than 8 wait for their byte. */
struct bits {
    sm_buf *out;
    uint64_t waiting;
    unsigned count;
};

static void put_bits(struct bits *b, uint64_t v, unsigned n) {
    b->waiting |= v << b->count;
    for (b->count += n; b->count >= 8; b->count -= 8) {
        sm_buf_put_u8(b->out, (uint8_t)b->waiting);
        b->waiting >>= 8;
    }
}

static void put_golomb(struct bits *b, uint64_t v, unsigned k) {
    uint64_t high = (v >> k) + 1;
    unsigned n = bits_for(high);
    put_bits(b, 0, n - 1);
    put_bits(b, 1, 1);
    put_bits(b, high & ~(UINT64_C(1) << (n - 1)), n - 1);
    put_bits(b, v & ((UINT64_C(1) << k) - 1), k);
}

static void put_signed(struct bits *b, int64_t v, unsigned k) {
    put_golomb(b, v < 0 ? 2 * ~(uint64_t)v + 1 : 2 * (uint64_t)v, k);
}

static void fill_byte(struct bits *b) {
    if (b->count)
        put_bits(b, 0, 8 - b->count);
}

/* ---- Writing ------------------------------------------------------------------------------------------------------ */

/* Notes where element NUMBER begins, if a group does, but the first. */
static void begin_element(sm_buf *directory, size_t number, const sm_buf *bytes) {
    uint32_t at = (uint32_t)bytes->len;
    if (number && number % LINES_GROUP == 0)
        sm_buf_put(directory, &at, sizeof at);
}

/* Numbers the files, and puts their names into the table. */
static void put_files(struct writer *w) {
    for (uint32_t i = 0; i < w->scope.len / sizeof(struct scope); i++) {
        uint32_t file = scope_at(w, i)->file;
        if (file == NONE || file == HIDDEN || w->of_file[file] != NONE)
            continue;
        const char *name = w->lines.text + file;
        begin_element(&w->file_at, w->table->files, &w->file);
        w->of_file[file] = w->table->files++;
        sm_buf_put(&w->file, name, strlen(name) + 1);
    }
}

static uint64_t file_number(const struct writer *w, uint32_t file) {
    return file == HIDDEN ? w->table->files + UINT64_C(1) : file == NONE ? w->table->files : w->of_file[file];
}

/* The line of place NUMBER of its scope, or of its calls, as it is written. */
static uint32_t line_code(const struct scope *s, const struct line_place *p, uint32_t number) {
    return p->line == 0 ? 0 : p->line - s->lowest + 1 - (p->called ? 0 : number);
}

/* Writes N places of a scope, all leaves or all calls. */
static void put_places(struct bits *b, const struct scope *s, const struct line_place *p, uint32_t n) {
    uint32_t line = 0, called = 0;
    for (uint32_t i = 0; i < n; i++) {
        line |= line_code(s, &p[i], i);
        called |= p[i].called ? p[i].called - 1 : 0;
    }
    put_golomb(b, bits_for(line), LINES_WIDTH_BITS);
    if (p->called)
        put_golomb(b, bits_for(called), LINES_WIDTH_BITS);
    for (uint32_t i = 0; i < n; i++) {
        put_bits(b, line_code(s, &p[i], i), bits_for(line));
        if (p[i].called)
            put_bits(b, p[i].called - 1, bits_for(called));
    }
}

static void put_scope(const struct writer *w, struct bits *b, const struct scope *s) {
    const struct line_place *p = (const struct line_place *)(const void *)w->place.data + s->first;
    put_golomb(b, s->leaves, LINES_COUNT_BITS);
    put_golomb(b, s->calls, LINES_COUNT_BITS);
    put_golomb(b, file_number(w, s->file), 0);
    put_golomb(b, s->lowest, LINES_LINE_BITS);
    if (s->leaves)
        put_places(b, s, p, s->leaves);
    if (s->calls)
        put_places(b, s, p + s->leaves, s->calls);
}

static void put_scopes(struct writer *w) {
    uint32_t n = w->table->scopes = (uint32_t)(w->scope.len / sizeof(struct scope));
    for (uint32_t first = 0; first < n; first += LINES_GROUP) {
        uint32_t end = n - first < LINES_GROUP ? n : first + LINES_GROUP;
        struct bits b = {&w->scopes, 0, 0};
        begin_element(&w->scope_at, first, &w->scopes);
        for (uint32_t i = first; i < end; i++)
            put_scope(w, &b, scope_at(w, i));
        fill_byte(&b);
        for (uint32_t i = first; i < end; i++) {
            const char *name = scope_at(w, i)->name == NONE ? "" : w->lines.text + scope_at(w, i)->name;
            sm_buf_put(&w->scopes, name, strlen(name) + 1);
            w->table->name_len += strlen(name) + 1;
        }
    }
}

/* Where a stream is. */
struct state {
    struct bits bits;
    uint32_t first; /* scope */
    int64_t place;  /* in it */
    uintptr_t address;
};

static void put_first(struct state *s, uint32_t place) {
    put_signed(&s->bits, place - s->place, 0);
    s->place = place;
}

/* Writes a path up to a place in a context; calls itself as context_of does. */
static void put_path(const struct writer *w, struct state *s, const struct context *c, uint32_t line,
                     uint32_t called) {
    const struct scope *scope = scope_at(w, c->scope);
    uint32_t number = number_of(w, c->scope, line, called);
    if (c->outer != NONE)
        put_path(w, s, context_at(w, c->outer), c->call, c->scope + 1);
    else if (c->scope != s->first)
        put_first(s, number_of(w, s->first, 0, c->scope + 1));
    if (c->outer != NONE || c->scope != s->first)
        put_bits(&s->bits, number, bits_for(scope->leaves + scope->calls - UINT64_C(1)));
    else
        put_first(s, number);
}

/* 1 if two points have the same line of one context. */
static int is_same(const sm_line *a, const sm_line *b) {
    return a->scope == b->scope && a->file == b->file && a->line == b->line;
}

/* Writes the stream of function CODE, whose points begin at number *I; moves it on. */
static void put_stream(struct writer *w, size_t code, size_t *i, sm_buf *out) {
    size_t n;
    const struct point *p = points(w, &n);
    struct state s = {{out, 0, 0}, w->first[code], 0, w->object->map->code[code].address};
    if (s.first != NONE)
        put_bits(&s.bits, s.first, bits_for(w->table->scopes - UINT64_C(1)));
    for (size_t begin = *i; *i < n && p[*i].code == code; ++*i) {
        const sm_line *l = &w->lines.line[*i];
        if (s.first == NONE || (w->table->has_all && *i > begin && is_same(l, l - 1)))
            continue;
        if (w->table->has_all)
            put_golomb(&s.bits, (p[*i].address - s.address) / LINES_STEP, LINES_STEP_BITS);
        s.address = p[*i].address;
        if (is_unknown(l))
            put_first(&s, number_of(w, s.first, 0, 0));
        else
            put_path(w, &s, context_at(w, context_of(w, l->scope, l->file)), l->line, 0);
    }
    fill_byte(&s.bits);
}

static void put_streams(struct writer *w) {
    sm_buf one;
    size_t i = 0;
    sm_buf_init(&one, UINT32_MAX);
    w->table->codes = w->object->map->codes;
    for (size_t code = 0; code < w->table->codes && w->stream.status == SM_OK; code++) {
        begin_element(&w->stream_at, code, &w->stream);
        sm_buf_clear(&one);
        put_stream(w, code, &i, &one);
        struct bits b = {&w->stream, 0, 0};
        put_golomb(&b, one.len, LINES_BYTES_BITS);
        fill_byte(&b);
        if (sm_buf_put(&w->stream, one.data, one.len) != SM_OK || one.status != SM_OK)
            w->stream.status = SM_NOMEM;
    }
    sm_buf_free(&one);
}

/* ------------------------------------------------------------------------------------------------------------------- */

static const unsigned char padding[LINES_PADDING];

/* Gives the table what was written. 0 if memory was short. */
static int take_all(struct writer *w) {
    struct line_table *t = w->table;
    sm_buf *written[] = {&w->stream, &w->stream_at, &w->scopes, &w->scope_at, &w->file, &w->file_at};
    size_t len;
    t->stream_len = w->stream.len;
    t->scope_len = w->scopes.len;
    t->directories_len = w->stream_at.len + w->scope_at.len + w->file_at.len;
    sm_buf_put(&w->stream, padding, sizeof padding);
    sm_buf_put(&w->scopes, padding, sizeof padding);
    for (size_t i = 0; i < sizeof written / sizeof *written; i++)
        if (written[i]->status != SM_OK)
            return 0;
    t->stream = sm_buf_take(&w->stream, &len);
    t->stream_at = (uint32_t *)(void *)sm_buf_take(&w->stream_at, &len);
    t->scope = sm_buf_take(&w->scopes, &len);
    t->scope_at = (uint32_t *)(void *)sm_buf_take(&w->scope_at, &len);
    t->file = (char *)sm_buf_take(&w->file, &len);
    t->file_at = (uint32_t *)(void *)sm_buf_take(&w->file_at, &len);
    return 1;
}

/* Writes the whole table. 0 if memory was short. */
static int write_table(struct writer *w, int all) {
    list_points(w, all);
    if (!ask(w) || !add_leaves(w) || !add_hidden(w))
        return 0;
    sort_places(w);
    put_files(w);
    put_scopes(w);
    put_streams(w);
    return take_all(w);
}

sm_result lines_read(struct image *im, const sm_object *o, int all, struct line_table **table) {
    struct writer w = {.im = im, .object = o};
    sm_buf *lists[] = {&w.point, &w.context, &w.scope, &w.place};
    sm_buf *written[] = {&w.stream, &w.stream_at, &w.scopes, &w.scope_at, &w.file, &w.file_at};
    *table = NULL;
    if (!o->map || !sm_lines_exist(&im->elf))
        return SM_SUCCESS;
    w.table = calloc(1, sizeof *w.table);
    if (!w.table)
        return no_memory(&w);
    w.table->has_all = all;
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        sm_buf_init(lists[i], (size_t)1 << 34);
    for (size_t i = 0; i < sizeof written / sizeof *written; i++)
        sm_buf_init(written[i], UINT32_MAX);
    int ok = write_table(&w, all);
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        sm_buf_free(lists[i]);
    for (size_t i = 0; i < sizeof written / sizeof *written; i++)
        sm_buf_free(written[i]);
    sm_lines_free(&w.lines);
    free(w.of_inlined);
    free(w.of_name);
    free(w.of_file);
    free(w.first);
    if (ok)
        *table = w.table;
    else
        lines_free(w.table);
    return ok ? SM_SUCCESS : no_memory(&w);
}
