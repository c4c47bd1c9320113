/* linetable.c - see linetable.h. */
#include "linetable.h"

#include "error.h"
#include "lines.h"
#include "map.h"

#include <stdlib.h>
#include <string.h>

enum { EVERY = 8 }; /* contexts between two that are found at once */

/* A function's stream; both are distances. */
struct line_function {
    uint32_t code;   /* from where the object's code begins */
    uint32_t stream; /* from the table's first byte */
};

struct line_table {
    struct line_function *function; /* owned, ascending */
    size_t functions;
    unsigned char *stream; /* owned */
    size_t stream_len;
    unsigned char *context; /* owned */
    size_t context_len;
    uint32_t *directory; /* owned: where context 0, EVERY, 2 * EVERY … is */
    uint32_t contexts;
    char *text; /* owned */
    size_t text_len;
    int has_all; /* boolean: of all code */
};

/* ---- Numbers ----------------------------------------------------------------------------------------------------- */

static void put_uv(sm_buf *b, uint64_t v) {
    for (; v >= 0x80; v >>= 7)
        sm_buf_put_u8(b, (uint8_t)(v | 0x80));
    sm_buf_put_u8(b, (uint8_t)v);
}

static uint64_t fold(int64_t v) {
    return v < 0 ? 2 * ~(uint64_t)v + 1 : 2 * (uint64_t)v;
}

static int64_t unfold(uint64_t v) {
    return v & 1 ? (int64_t)~(v >> 1) : (int64_t)(v >> 1);
}

static uint64_t get_uv(sm_cursor *c) {
    uint64_t v = 0;
    for (unsigned shift = 0; c->status == SM_OK; shift += 7) {
        uint8_t b = sm_get_u8(c);
        v |= shift < 64 ? (uint64_t)(b & 0x7f) << shift : 0;
        if (!(b & 0x80))
            break;
    }
    return v;
}

/* ---- Writing ------------------------------------------------------------------------------------------------------ */

/* A context while the table is made. */
struct draft {
    uint32_t scope, file; /* what it is of, as struct sm_lines has it */
    uint32_t number, line;
    uint32_t next; /* draft of the same scope; SM_LINES_NONE */
};

/* A place whose line is asked for. */
struct point {
    uintptr_t address;
    uint32_t function; /* number of its function in the table */
};

struct writer {
    struct image *im;
    const sm_object *object;
    struct line_table *table;
    sm_buf point;        /* struct point: ascending addresses of each function */
    sm_buf function;     /* struct line_function */
    const sm_code *last; /* function of the last point */
    sm_lines lines;
    uint32_t *of_scope; /* owned: the first draft of a scope */
    sm_buf draft;       /* struct draft */
    sm_buf stream, context, directory;
};

static sm_result no_memory(const struct writer *w) {
    return fail(w->im->err, SM_ERR_NO_MEMORY, "Out of memory: no room for the object's lines");
}

/* Adds a place of a function. */
static void add_point(struct writer *w, const sm_code *code, uintptr_t address) {
    uintptr_t start = w->object->span[AREA_CODE].start;
    if (code != w->last) {
        struct line_function f = {.code = (uint32_t)(code->address - start)};
        sm_buf_put(&w->function, &f, sizeof f);
        w->last = code;
    }
    struct point p = {address, (uint32_t)(w->function.len / sizeof(struct line_function)) - 1};
    sm_buf_put(&w->point, &p, sizeof p);
}

/* Visitor of safepoints: a statepoint is the call before its address. */
static int add_site(void *user, const sm_site *site) {
    struct writer *w = user;
    int is_before = site->kind != SM_SITE_STACKMAP && site->address > site->code->address;
    add_point(w, site->code, site->address - (uintptr_t)is_before);
    return w->point.status != SM_OK || w->function.status != SM_OK;
}

/* Lists what is asked for: safepoints, or every place where an instruction may begin. */
static void list_points(struct writer *w, int all) {
    static const uintptr_t step = HOST_MACHINE == EM_AARCH64 ? 4 : 1;
    const struct map *m = w->object->map;
    if (!all)
        sm_object_sites(w->object, add_site, w);
    for (size_t i = 0; all && i < m->codes; i++)
        for (uintptr_t at = 0; at < m->code[i].bytes && w->point.status == SM_OK; at += step)
            add_point(w, &m->code[i], m->code[i].address + at);
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

/* Asks for the lines of all points. */
static sm_status ask(struct writer *w) {
    const struct point *p = (const struct point *)(const void *)w->point.data;
    size_t n = w->point.len / sizeof *p, section = 0;
    sm_instruction *at = calloc(n + 1, sizeof *at);
    for (size_t i = 0; at && i < n; i++)
        at[i] = instruction_at(w->im, p[i].address, &section);
    sm_status s = at ? sm_lines_of(&w->lines, &w->im->elf, at, n) : SM_NOMEM;
    free(at);
    w->of_scope = s == SM_OK ? malloc((w->lines.scopes + 1) * sizeof *w->of_scope) : NULL;
    if (w->of_scope)
        memset(w->of_scope, 0xff, (w->lines.scopes + 1) * sizeof *w->of_scope);
    return w->of_scope ? SM_OK : SM_NOMEM;
}

static const struct draft *draft_at(const struct writer *w, uint32_t i) {
    return (const struct draft *)(const void *)w->draft.data + i;
}

/* Begins a context: notes where it is, if it is found at once. */
static uint32_t begin_context(struct writer *w) {
    uint32_t number = w->table->contexts++;
    if (number % EVERY == 0) {
        uint32_t at = (uint32_t)w->context.len;
        sm_buf_put(&w->directory, &at, sizeof at);
    }
    return number;
}

/* The draft of a scope whose lines are in a file, the first of them LINE; added if it is new, after those outside of it.
 * It calls itself as deep as functions are inlined into one another, which the reader of DWARF bounds. */
static struct draft context_of(struct writer *w, uint32_t scope, uint32_t file, uint32_t line) {
    uint32_t *first = &w->of_scope[scope == SM_LINES_NONE ? w->lines.scopes : scope];
    for (uint32_t i = *first; i != SM_LINES_NONE; i = draft_at(w, i)->next)
        if (draft_at(w, i)->file == file)
            return *draft_at(w, i);
    const sm_scope *s = scope == SM_LINES_NONE ? NULL : &w->lines.scope[scope];
    struct draft outer = {0};
    int is_inlined = s && s->outer != SM_LINES_NONE;
    if (is_inlined)
        outer = context_of(w, s->outer, s->file, s->line);
    struct draft d = {.scope = scope, .file = file, .number = begin_context(w), .line = line, .next = *first};
    put_uv(&w->context, is_inlined ? d.number - outer.number : 0);
    put_uv(&w->context, s && s->function != SM_LINES_NONE ? s->function + (uint64_t)1 : 0);
    put_uv(&w->context, file != SM_LINES_NONE ? file + (uint64_t)1 : 0);
    put_uv(&w->context, line);
    if (is_inlined)
        put_uv(&w->context, fold((int64_t)s->line - outer.line));
    *first = (uint32_t)(w->draft.len / sizeof d);
    sm_buf_put(&w->draft, &d, sizeof d);
    if (w->draft.status != SM_OK)
        *first = SM_LINES_NONE;
    return d;
}

/* Where a stream is. */
struct state {
    uintptr_t address;
    uint32_t context;
    int64_t line;
};

/* Writes a point, unless it is of a table of all lines, and the one before has the same line. */
static void write_point(struct writer *w, struct state *s, uintptr_t address, const sm_line *l) {
    struct draft to = {0};
    if (l->scope != SM_LINES_NONE || l->file != SM_LINES_NONE)
        to = context_of(w, l->scope, l->file, l->line);
    int changes = to.number != s->context;
    if (w->table->has_all && !changes && l->line == s->line)
        return;
    if (w->table->has_all)
        put_uv(&w->stream, address - s->address);
    int64_t from = changes ? (int64_t)to.line : s->line;
    put_uv(&w->stream, fold(to.number ? (int64_t)l->line - from : 0) << 1 | (unsigned)changes);
    if (changes)
        put_uv(&w->stream, fold((int64_t)to.number - s->context));
    *s = (struct state){address, to.number, to.number ? l->line : 0};
}

/* Writes the streams of all functions. */
static void write_streams(struct writer *w) {
    const struct point *p = (const struct point *)(const void *)w->point.data;
    struct line_function *f = (struct line_function *)(void *)w->function.data;
    uintptr_t start = w->object->span[AREA_CODE].start;
    uint32_t function = UINT32_MAX;
    struct state s = {0};
    begin_context(w);
    for (int i = 0; i < 4; i++)
        put_uv(&w->context, 0);
    for (size_t i = 0; i < w->point.len / sizeof *p && w->draft.status == SM_OK; i++) {
        if (p[i].function != function) {
            function = p[i].function;
            f[function].stream = (uint32_t)w->stream.len;
            s = (struct state){.address = start + f[function].code};
        }
        write_point(w, &s, p[i].address, &w->lines.line[i]);
    }
}

/* Gives the table what was written. 0 if memory was short. */
static int take_all(struct writer *w) {
    struct line_table *t = w->table;
    size_t len;
    if (w->stream.status != SM_OK || w->context.status != SM_OK || w->directory.status != SM_OK ||
        w->draft.status != SM_OK || w->stream.len > UINT32_MAX || w->context.len > UINT32_MAX)
        return 0;
    t->function = (struct line_function *)(void *)sm_buf_take(&w->function, &len);
    t->functions = len / sizeof *t->function;
    t->stream = sm_buf_take(&w->stream, &t->stream_len);
    t->context = sm_buf_take(&w->context, &t->context_len);
    t->directory = (uint32_t *)(void *)sm_buf_take(&w->directory, &len);
    t->text = w->lines.text;
    t->text_len = w->lines.text_len;
    w->lines.text = NULL;
    return 1;
}

sm_result lines_read(struct image *im, const sm_object *o, int all, struct line_table **table) {
    struct writer w = {.im = im, .object = o};
    sm_buf *buffers[] = {&w.point, &w.function, &w.draft, &w.stream, &w.context, &w.directory};
    *table = NULL;
    if (!o->map || !sm_lines_exist(&im->elf))
        return SM_SUCCESS;
    w.table = calloc(1, sizeof *w.table);
    if (!w.table)
        return no_memory(&w);
    w.table->has_all = all;
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++)
        sm_buf_init(buffers[i], (size_t)1 << 34);
    list_points(&w, all);
    int ok = w.point.status == SM_OK && w.function.status == SM_OK && ask(&w) == SM_OK;
    if (ok)
        write_streams(&w);
    ok = ok && take_all(&w);
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++)
        sm_buf_free(buffers[i]);
    sm_lines_free(&w.lines);
    free(w.of_scope);
    if (ok)
        *table = w.table;
    else
        lines_free(w.table);
    return ok ? SM_SUCCESS : no_memory(&w);
}

void lines_free(struct line_table *t) {
    if (!t)
        return;
    free(t->function);
    free(t->stream);
    free(t->context);
    free(t->directory);
    free(t->text);
    free(t);
}

void lines_bytes(const struct line_table *t, size_t *streams, size_t *all) {
    *streams = t->stream_len;
    *all = t->stream_len + t->context_len + t->functions * sizeof *t->function +
           (t->contexts + EVERY - 1) / EVERY * sizeof *t->directory;
}

/* ---- Reading ------------------------------------------------------------------------------------------------------ */

/* A context as it is read. */
struct context {
    uint32_t outer; /* its number; 0: it was not inlined */
    const char *function, *file;
    uint32_t line;
    int64_t call; /* the call's line, less the outer context's */
};

static const char *text_at(const struct line_table *t, uint64_t at) {
    return at && at <= t->text_len ? t->text + (at - 1) : NULL;
}

static struct context get_context(const struct line_table *t, sm_cursor *c, uint32_t number) {
    uint64_t outer = get_uv(c);
    struct context to = {.outer = outer ? number - (uint32_t)outer : 0};
    to.function = text_at(t, get_uv(c));
    to.file = text_at(t, get_uv(c));
    to.line = (uint32_t)get_uv(c);
    to.call = outer ? unfold(get_uv(c)) : 0;
    return to;
}

/* Context NUMBER; that of nothing if there is none. */
static struct context context_at(const struct line_table *t, uint32_t number) {
    struct context to = {0};
    if (number >= t->contexts)
        return to;
    sm_cursor c = sm_cursor_of(t->context, t->context_len);
    c.pos = t->directory[number / EVERY];
    for (uint32_t i = number - number % EVERY; i <= number; i++)
        to = get_context(t, &c, i);
    return to;
}

/* The last function that begins at or before a distance; NULL if there is none. */
static const struct line_function *function_at(const struct line_table *t, uintptr_t distance) {
    size_t low = 0, high = t->functions;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (t->function[middle].code <= distance)
            low = middle + 1;
        else
            high = middle;
    }
    return low ? &t->function[low - 1] : NULL;
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

/* Reads the next point of a stream. */
static void next_point(const struct line_table *t, sm_cursor *c, struct state *s) {
    s->address += t->has_all ? get_uv(c) : 0;
    uint64_t v = get_uv(c);
    if (v & 1) {
        s->context = (uint32_t)((int64_t)s->context + unfold(get_uv(c)));
        s->line = context_at(t, s->context).line;
    }
    s->line += unfold(v >> 1);
}

/* The stream of a function. */
static sm_cursor stream_of(const struct line_table *t, const struct line_function *f) {
    sm_cursor c = sm_cursor_of(t->stream, f + 1 < t->function + t->functions ? f[1].stream : t->stream_len);
    c.pos = f->stream;
    return c;
}

/* Reads points of a function's stream: that of number N of its safepoints, or, if all lines are there, the last one at or
 * before an address. */
static struct state seek(const struct line_table *t, const struct line_function *f, uintptr_t distance, int64_t n) {
    sm_cursor c = stream_of(t, f);
    struct state s = {.address = f->code}, next = s;
    for (int64_t i = 0; sm_cursor_left(&c) && (t->has_all || i <= n); i++) {
        next_point(t, &c, &next);
        if (t->has_all && next.address > distance)
            break;
        s = next;
    }
    return s;
}

void lines_each(const sm_object *o, const sm_code *code,
                void (*each)(void *user, uintptr_t address, const char *file, uint32_t line), void *user) {
    const struct line_table *t = o->lines && o->lines->has_all ? o->lines : NULL;
    uintptr_t start = o->span[AREA_CODE].start;
    const struct line_function *f = t ? function_at(t, code->address - start) : NULL;
    if (!f || f->code != code->address - start)
        return;
    sm_cursor c = stream_of(t, f);
    struct state s = {.address = f->code};
    while (sm_cursor_left(&c)) {
        next_point(t, &c, &s);
        each(user, start + s.address, context_at(t, s.context).file, (uint32_t)s.line);
    }
}

size_t lines_at(const sm_object *o, uintptr_t instruction, sm_source_frame *frame, size_t room) {
    const struct line_table *t = o->lines;
    const sm_code *code = t ? map_find_code(o->map, instruction) : NULL;
    uintptr_t start = o->span[AREA_CODE].start;
    const struct line_function *f = code ? function_at(t, code->address - start) : NULL;
    if (!f || f->code != code->address - start)
        return 0;
    int64_t number = t->has_all ? 0 : number_of(o, code->address, instruction);
    if (number < 0)
        return 0;
    struct state s = seek(t, f, instruction - start, number);
    size_t n = 0;
    for (uint32_t at = s.context; at && n < room; n++) {
        struct context c = context_at(t, at);
        frame[n] = (sm_source_frame){
            .function = c.function, .file = c.file, .line = (uint32_t)s.line, .is_inlined = c.outer != 0};
        s.line = c.outer ? context_at(t, c.outer).line + c.call : 0;
        at = c.outer;
    }
    return n;
}
