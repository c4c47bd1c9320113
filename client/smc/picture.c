/* picture.c - a stackmap's JSON as text for a person: each function, each safepoint, and the frame as it lies in
 * memory, high addresses first, with what is live in its slots. */
#include "smc.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct ink {
    const char *name, *number, *live, *dim, *off;
};

/* Something in a slot of the frame, or in a register. */
struct item {
    const char *reg; /* "?" if the table leaves it open */
    int64_t offset;
    int64_t
        bytes; /* that it takes, a slot's unless it is more; UNTOLD of an alloca whose size the table does not have */
    int in_register;
    char text[96];
};

enum { ITEMS_MAX = 4096, SLOT = 8, INDENT = 11, UNTOLD = -1 };

struct drawing {
    FILE *to;
    struct ink ink;
    int is_x86;
    struct item item[ITEMS_MAX];
    int items, left_out;
    int64_t pointers;
};

/* A member as a number; 0 if it is none. */
static int64_t integer(const json_t *o, const char *name) {
    return json_integer_value(json_object_get(o, name));
}

static const char *member_text(const json_t *o, const char *name, const char *otherwise) {
    const char *s = json_string_value(json_object_get(o, name));
    return s ? s : otherwise;
}

/* ---- What is where ------------------------------------------------------------------------------------------ */

/* 1 if two values of JSON are equal. */
static int same(const json_t *a, const json_t *b) {
    return json_equal((json_t *)a, (json_t *)b);
}

/* Writes a location as text: "rbx", "rsp+8" or a constant. */
static void put_place(const json_t *location, char *to, size_t size) {
    const char *kind = member_text(location, "kind", ""), *reg = member_text(location, "register", "?");
    if (strcmp(kind, "constant") == 0)
        snprintf(to, size, "%" PRId64, integer(location, "value"));
    else if (strcmp(kind, "register") == 0)
        snprintf(to, size, "%s", reg);
    else
        snprintf(to, size, "%s%+" PRId64, reg, integer(location, "offset"));
}

/* Notes text about a place of so many BYTES; a place that is noted already gets it as an addition. */
static void note_at(struct drawing *d, const char *reg, int in_register, int64_t offset, int64_t bytes,
                    const char *what) {
    for (int i = 0; i < d->items; i++) {
        struct item *it = &d->item[i];
        if (it->in_register != in_register || it->offset != offset || strcmp(it->reg, reg) != 0)
            continue;
        size_t n = strlen(it->text);
        if (!strstr(it->text, what))
            snprintf(it->text + n, sizeof it->text - n, ", %s", what);
        clean_text(it->text);
        if (it->bytes != UNTOLD && (bytes == UNTOLD || bytes > it->bytes))
            it->bytes = bytes;
        return;
    }
    if (d->items == ITEMS_MAX) {
        d->left_out++;
        return;
    }
    struct item *it = &d->item[d->items++];
    *it = (struct item){.reg = reg, .offset = offset, .bytes = bytes, .in_register = in_register};
    snprintf(it->text, sizeof it->text, "%s", what);
    clean_text(it->text);
}

/* Notes text about a location. It must be no constant: those are in no place, and are listed under the frame. */
static void note(struct drawing *d, const json_t *location, const char *what) {
    int in_register = strcmp(member_text(location, "kind", ""), "register") == 0;
    note_at(d, member_text(location, "register", "?"), in_register, in_register ? 0 : integer(location, "offset"),
            SLOT, what);
}

static int is_constant(const json_t *location) {
    return strcmp(member_text(location, "kind", ""), "constant") == 0;
}

/* Notes the live pointers, and which are derived from which. */
static void note_roots(struct drawing *d, const json_t *roots) {
    size_t i;
    const json_t *root;
    char what[96], where[48];
    json_array_foreach(roots, i, root) {
        const json_t *base = json_object_get(root, "base"), *derived = json_object_get(root, "derived");
        d->pointers++;
        if (!is_constant(base))
            note(d, base, "pointer");
        if (same(base, derived))
            continue;
        put_place(base, where, sizeof where);
        snprintf(what, sizeof what, "derived from %s", where);
        if (!is_constant(derived))
            note(d, derived, what);
    }
}

/* Notes a list of values, WHAT they are, with number and size. */
static void note_list(struct drawing *d, const json_t *list, const char *what) {
    size_t i;
    const json_t *location;
    char line[64];
    json_array_foreach(list, i, location) {
        snprintf(line, sizeof line, "%s %zu, %" PRId64 " bytes", what, i, integer(location, "size"));
        if (!is_constant(location))
            note(d, location, line);
    }
}

/* Notes an alloca's references, the first at OFFSET from the register: a place for each; the rest of many is one. */
static void note_run(struct drawing *d, const char *reg, int64_t offset, const json_t *field, const char *alloca) {
    enum { SHOWN = 16 };
    const json_t *count_member = json_object_get(field, "count");
    int64_t count = count_member ? json_integer_value(count_member) : 1, stride = integer(field, "stride");
    char line[96];
    d->pointers += count;
    for (int64_t i = 0; i < count && i <= SHOWN; i++) {
        int is_rest = i == SHOWN && count > SHOWN + 1;
        if (is_rest)
            snprintf(line, sizeof line, "%" PRId64 " more, every %" PRId64 " bytes, in %s", count - i, stride,
                     alloca);
        else
            snprintf(line, sizeof line, "reference in %s", alloca);
        note_at(d, reg, 0, offset + i * stride, is_rest ? (count - i - 1) * stride + SLOT : SLOT, line);
    }
}

/* Notes allocas: the references in them where the table has these, otherwise the place, with its size if that is
 * known. */
static void note_regions(struct drawing *d, const json_t *regions) {
    size_t i, k;
    const json_t *region, *field;
    char line[96], name[40];
    json_array_foreach(regions, i, region) {
        const json_t *fields = json_object_get(region, "fields"), *bytes = json_object_get(region, "bytes");
        const char *reg = member_text(region, "register", "?");
        int64_t at = integer(region, "offset");
        snprintf(name, sizeof name, "alloca %zu%s", i,
                 json_is_true(json_object_get(region, "pinned")) ? ", pinned" : "");
        json_array_foreach(fields, k, field) note_run(d, reg, at + integer(field, "offset"), field, name);
        if (fields)
            continue;
        if (bytes)
            snprintf(line, sizeof line, "%s, %" PRId64 " bytes", name, integer(region, "bytes"));
        else
            snprintf(line, sizeof line, "%s, of unknown size", name);
        note_at(d, reg, 0, at, bytes ? json_integer_value(bytes) : UNTOLD, line);
    }
}

/* Orders stack slots before registers; by register, then downwards. */
static int by_register_and_place(const void *a, const void *b) {
    const struct item *x = a, *y = b;
    if (x->in_register != y->in_register)
        return x->in_register - y->in_register;
    int by_register = strcmp(x->reg, y->reg);
    return by_register ? by_register : (x->offset < y->offset) - (x->offset > y->offset);
}

/* ---- Drawing ------------------------------------------------------------------------------------------------ */

/* Prints one slot of a frame's box. */
static void row(struct drawing *d, const char *reg, int64_t offset, const char *what, int width, int is_live) {
    char where[48];
    snprintf(where, sizeof where, "%s%+" PRId64, reg, offset);
    clean_text(where);
    fprintf(d->to, "%*s%s%10s%s | %s%-*s%s |\n", INDENT, "", d->ink.number, where, d->ink.off,
            is_live ? d->ink.live : d->ink.dim, width, what, d->ink.off);
}

/* Prints the upper or lower edge of a box. */
static void rule(struct drawing *d, int width) {
    fprintf(d->to, "%*s%10s +-", INDENT, "", "");
    for (int i = 0; i < width; i++)
        fputc('-', d->to);
    fputs("-+\n", d->to);
}

/* Prints several slots without content as one row. */
static void gap(struct drawing *d, int64_t bytes, int width, int is_dead) {
    char line[48];
    snprintf(line, sizeof line, "(%" PRId64 " bytes, %s)", bytes, is_dead ? "nothing live" : "alloca or free");
    fprintf(d->to, "%*s%10s : %s%-*s%s :\n", INDENT, "", "", d->ink.dim, width, line, d->ink.off);
}

/* Prints the slots between FROM (the higher end) and TO; they are free unless BELOW, the item under them, may reach
 * into them. */
static void free_slots(struct drawing *d, const char *reg, int64_t from, int64_t to, int width,
                       const struct item *below) {
    enum { SHOWN = 2 };
    int is_dead = !below || below->bytes != UNTOLD;
    if (from - to > SHOWN * SLOT || (!is_dead && from > to)) {
        gap(d, from - to, width, is_dead);
        return;
    }
    for (int64_t at = from - SLOT; at >= to; at -= SLOT)
        row(d, reg, at, "", width, 0);
}

/* The width of the box's text. */
static int widest(const struct drawing *d) {
    int width = (int)strlen("(100000 bytes, nothing live)");
    for (int i = 0; i < d->items; i++)
        if (!d->item[i].in_register && (int)strlen(d->item[i].text) > width)
            width = (int)strlen(d->item[i].text);
    return width;
}

/* Draws one box of the items from FIRST on that count from the same register; gives the index of the next item.
 * FRAME: the frame's size; -1 if that is not known, or another register's matter. */
static int draw_box(struct drawing *d, int first, int64_t frame) {
    const char *reg = d->item[first].reg;
    int width = widest(d), i = first;
    int64_t above = frame >= 0 ? frame : d->item[first].offset + SLOT;
    if (frame >= 0 && d->is_x86)
        row(d, reg, frame, "return address", width, 0);
    rule(d, width);
    for (; i < d->items && !d->item[i].in_register && strcmp(d->item[i].reg, reg) == 0; i++) {
        const struct item *it = &d->item[i];
        int64_t end = it->offset + (it->bytes > SLOT ? (it->bytes + SLOT - 1) / SLOT * SLOT : SLOT);
        if (end <= above)
            free_slots(d, reg, above, end, width, it);
        row(d, reg, it->offset, it->text, width, 1);
        above = it->offset;
    }
    if (frame >= 0 && above > 0)
        free_slots(d, reg, above, 0, width, NULL);
    rule(d, width);
    return i;
}

static int is_stack_pointer(const char *reg) {
    return strcmp(reg, "rsp") == 0 || strcmp(reg, "sp") == 0;
}

/* Draws the noted slots as boxes, then the registers. */
static void draw_items(struct drawing *d, int64_t frame) {
    int i = 0;
    qsort(d->item, (size_t)d->items, sizeof *d->item, by_register_and_place);
    while (i < d->items && !d->item[i].in_register) {
        int whole = frame >= 0 && is_stack_pointer(d->item[i].reg) && d->item[i].offset < frame;
        i = draw_box(d, i, whole ? frame : -1);
    }
    for (; i < d->items; i++) {
        char reg[16];
        snprintf(reg, sizeof reg, "%s", d->item[i].reg);
        clean_text(reg);
        fprintf(d->to, "%*s%s%10s%s   %s%s%s\n", INDENT, "", d->ink.number, reg, d->ink.off, d->ink.live,
                d->item[i].text, d->ink.off);
    }
}

/* Prints the constants of a list. */
static void put_constants(struct drawing *d, const json_t *list, const char *what) {
    size_t i;
    const json_t *location;
    json_array_foreach(list, i, location) if (is_constant(location))
        fprintf(d->to, "%*s%10" PRId64 "   %s %zu\n", INDENT, "", integer(location, "value"), what, i);
}

/* Prints the registers that are live out. */
static void put_live_outs(struct drawing *d, const json_t *list) {
    size_t i;
    const json_t *l;
    json_array_foreach(list, i, l) {
        fprintf(d->to, "%*s", INDENT + 10 - (int)strnlen(member_text(l, "register", "?"), 10), "");
        put_text(d->to, member_text(l, "register", "?"));
        fprintf(d->to, "   live out, %" PRId64 " bytes\n", integer(l, "size"));
    }
}

/* Prints a safepoint's line: offset, reason, callee, id. */
static void put_heading(struct drawing *d, const json_t *s) {
    const char *callee = json_string_value(json_object_get(s, "callee"));
    const json_t *fault = json_object_get(s, "fault_offset"), *cc = json_object_get(s, "calling_convention");
    uint64_t id = (uint64_t)integer(s, "id");
    fprintf(d->to, "  %s+0x%04" PRIx64 "%s  ", d->ink.number, integer(s, "offset"), d->ink.off);
    put_text(d->to, member_text(s, "reason", member_text(s, "kind", "")));
    if (callee) {
        fprintf(d->to, " to %s", d->ink.name);
        put_text(d->to, callee);
        fputs(d->ink.off, d->to);
    }
    if (fault)
        fprintf(d->to, ", faults at +0x%04" PRIx64, (uint64_t)json_integer_value(fault));
    if (integer(cc, "id")) {
        fputs(", ", d->to);
        put_text(d->to, member_text(cc, "name", "?"));
    }
    if (json_is_true(json_object_get(s, "gc_transition")))
        fputs(", transition between managed and native code", d->to);
    if (strcmp(member_text(s, "kind", ""), "gcroot") != 0 && id != SM_DEFAULT_ID)
        fprintf(d->to, "  %sid %" PRIu64 "%s", d->ink.dim, id, d->ink.off);
    fputc('\n', d->to);
}

/* Prints where in the source a safepoint comes from, a line for each frame. */
static void put_sources(struct drawing *d, const json_t *frames) {
    size_t i;
    const json_t *f;
    json_array_foreach(frames, i, f) {
        fprintf(d->to, "%*s%s%s", INDENT, "", d->ink.dim, i ? "inlined into " : "in ");
        put_text(d->to, member_text(f, "function", "?"));
        fputs(", ", d->to);
        put_text(d->to, member_text(f, "file", "?"));
        fprintf(d->to, ":%" PRId64, integer(f, "line"));
        if (integer(f, "column"))
            fprintf(d->to, ":%" PRId64, integer(f, "column"));
        fprintf(d->to, "%s\n", d->ink.off);
    }
}

/* Draws one safepoint, which FRAMES of the source lead to; FRAME is its frame's size, -1 if that is not known. */
static void draw_safepoint(struct drawing *d, const json_t *s, const json_t *frames, int64_t frame) {
    const json_t *deopt = json_object_get(s, "deopt"), *values = json_object_get(s, "locations");
    d->items = d->left_out = 0;
    note_roots(d, json_object_get(s, "roots"));
    note_regions(d, json_object_get(s, "regions"));
    note_list(d, deopt, "deopt value");
    note_list(d, values, "value");
    put_heading(d, s);
    put_sources(d, frames);
    draw_items(d, frame);
    put_constants(d, deopt, "deopt value");
    put_constants(d, values, "value");
    put_live_outs(d, json_object_get(s, "live_outs"));
    if (d->left_out)
        fprintf(d->to, "%*s%d more are not shown\n", INDENT, "", d->left_out);
    if (d->items == 0 && !json_array_size(deopt) && !json_array_size(values))
        fprintf(d->to, "%*s%snothing is live%s\n", INDENT, "", d->ink.dim, d->ink.off);
    fputc('\n', d->to);
}

/* Prints a function's entry of the shadow stack. */
static void draw_frame_map(struct drawing *d, const json_t *map) {
    size_t i;
    const json_t *m;
    fprintf(d->to, "  %" PRId64 " roots in its entry of the shadow stack\n", integer(map, "roots"));
    json_array_foreach(json_object_get(map, "metadata"), i, m) {
        fprintf(d->to, "%*sroot %zu: metadata ", INDENT, "", i);
        put_text(d->to, member_text(m, "symbol", ""));
        fprintf(d->to, json_is_string(json_object_get(m, "symbol")) ? "%+" PRId64 "\n" : "%" PRId64 "\n",
                integer(m, "addend"));
    }
    fputc('\n', d->to);
}

/* Draws a function with all its safepoints; gives their number. */
static size_t draw_function(struct drawing *d, const json_t *f, const json_t *lines) {
    const json_t *address = json_object_get(f, "address"), *frame = json_object_get(f, "frame_size"),
                 *map = json_object_get(f, "frame_map"), *list = json_object_get(f, "safepoints"), *s;
    size_t i;
    fputs(d->ink.name, d->to);
    put_text(d->to, member_text(f, "name", "(no name)"));
    fprintf(d->to, "%s  %s", d->ink.off, d->ink.dim);
    put_text(d->to, member_text(address, "section", ""));
    fprintf(d->to, "+0x%" PRIx64, (uint64_t)integer(address, "offset"));
    if (integer(f, "size"))
        fprintf(d->to, ", %" PRId64 " bytes", integer(f, "size"));
    if (json_is_integer(frame))
        fprintf(d->to, ", frame of %" PRId64 " bytes", integer(f, "frame_size"));
    else if (!map)
        fputs(", frame of dynamic size", d->to);
    fprintf(d->to, "%s\n\n", d->ink.off);
    json_array_foreach(list, i, s)
        draw_safepoint(d, s, json_array_get(lines, i), json_is_integer(frame) ? json_integer_value(frame) : -1);
    if (map)
        draw_frame_map(d, map);
    return i;
}

int picture(const json_t *stackmap, const json_t *lines, FILE *to) {
    static const struct ink plain = {"", "", "", "", ""},
                            colors = {"\033[1;36m", "\033[33m", "\033[32m", "\033[2m", "\033[0m"};
    const json_t *functions = json_object_get(stackmap, "functions"), *f;
    struct drawing *d = json_is_array(functions) ? calloc(1, sizeof *d) : NULL;
    size_t i, safepoints = 0;
    if (!d) {
        complain(json_is_array(functions) ? "out of memory" : "the stackmap has no list of functions");
        return 0;
    }
    d->to = to;
    d->ink = color_on(to) ? colors : plain;
    d->is_x86 = strcmp(member_text(stackmap, "arch", ""), "x86_64") == 0;
    json_array_foreach(functions, i, f) safepoints += draw_function(d, f, json_array_get(lines, i));
    fprintf(to, "%zu function%s, %zu safepoint%s, %" PRId64 " live pointer%s (", i, i == 1 ? "" : "s", safepoints,
            safepoints == 1 ? "" : "s", d->pointers, d->pointers == 1 ? "" : "s");
    put_text(to, member_text(stackmap, "arch", "?"));
    fputs(", ", to);
    put_text(to, member_text(stackmap, "format", "?"));
    fputs(")\n", to);
    free(d);
    return 1;
}
