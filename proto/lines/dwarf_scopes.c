/* dwarf_scopes.c - which function an instruction is of, and which calls were inlined around it (DWARF 5, chapter 3.3).
 *
 * A unit's entries are read one after another. An inner function's instructions are the outer one's, too, and come
 * after it: the last that has them is theirs. */
#include "dwarf.h"

#include <stdlib.h>
#include <string.h>

enum {
    TAG_INLINED = 0x1d,
    TAG_FUNCTION = 0x2e,
    AT_NAME = 0x03,
    AT_LOW_PC = 0x11,
    AT_HIGH_PC = 0x12,
    AT_ABSTRACT_ORIGIN = 0x31,
    AT_SPECIFICATION = 0x47,
    AT_RANGES = 0x55,
    AT_CALL_COLUMN = 0x57,
    AT_CALL_FILE = 0x58,
    AT_CALL_LINE = 0x59,
    AT_LINKAGE_NAME = 0x6e,
    AT_OLD_LINKAGE_NAME = 0x2007,
    ORIGINS = 8, /* steps from one entry to another on the way to a name */
    DEPTH = 512, /* of entries in entries */
};

/* What is read of an entry. */
struct entry {
    const char *name, *linkage_name;
    struct dwarf_value low, high, ranges;
    uint64_t origin; /* in .debug_info; UINT64_MAX: none */
    uint64_t file, line, column;
};

static void take_attribute(struct entry *e, unsigned name, const struct dwarf_value *v) {
    switch (name) {
    case AT_NAME:
        e->name = v->text;
        break;
    case AT_LINKAGE_NAME:
    case AT_OLD_LINKAGE_NAME:
        e->linkage_name = v->text;
        break;
    case AT_LOW_PC:
        e->low = *v;
        break;
    case AT_HIGH_PC:
        e->high = *v;
        break;
    case AT_RANGES:
        e->ranges = *v;
        break;
    case AT_ABSTRACT_ORIGIN:
    case AT_SPECIFICATION:
        e->origin = v->kind == VALUE_REFERENCE ? v->number : UINT64_MAX;
        break;
    case AT_CALL_FILE:
        e->file = v->number;
        break;
    case AT_CALL_LINE:
        e->line = v->number;
        break;
    case AT_CALL_COLUMN:
        e->column = v->number;
        break;
    default:
        break;
    }
}

/* Reads the attributes of an entry of the abbreviation B. */
static struct entry read_entry(const struct dwarf *d, sm_cursor *c, const struct dwarf_abbrev *b) {
    struct entry e = {.origin = UINT64_MAX, .file = UINT64_MAX};
    for (uint32_t k = 0; k < b->count && c->status == SM_OK; k++) {
        const struct dwarf_attribute *a = &d->attribute[b->first + k];
        struct dwarf_value v = dwarf_value(d, c, a);
        take_attribute(&e, a->name, &v);
    }
    return e;
}

/* ---- Names ------------------------------------------------------------------------------------------------------- */

/* Goes to the unit that has an offset of .debug_info. 0 if none has. */
static int seek_unit(struct dwarf *d, uint64_t at) {
    size_t unit = 0;
    if (at >= d->unit.offset && at < d->unit.end)
        return 1;
    while (dwarf_unit_at(d, unit) && d->unit.end <= at)
        unit = d->unit.end;
    return at >= d->unit.entries && at < d->unit.end;
}

/* The name that an entry has, or the one that it stands for. Leaves the unit as it was. */
static const char *name_of(struct dwarf *d, const struct entry *e) {
    struct entry at = *e;
    struct dwarf_unit unit = d->unit;
    for (int i = 0; i < ORIGINS && !at.linkage_name && at.origin != UINT64_MAX; i++) {
        const char *name = at.name;
        if (!seek_unit(d, at.origin))
            break;
        sm_cursor c = dwarf_cursor(d, DWARF_INFO, at.origin);
        const struct dwarf_abbrev *b = dwarf_entry(d, &c);
        if (!b)
            break;
        at = read_entry(d, &c, b);
        at.name = at.name ? at.name : name;
    }
    if (unit.offset != d->unit.offset)
        dwarf_unit_at(d, unit.offset);
    return at.linkage_name ? at.linkage_name : at.name;
}

/* ---- Ranges ------------------------------------------------------------------------------------------------------ */

/* Gives the instructions from LOW up to HIGH the scope. */
static size_t cover(struct dwarf *d, uint64_t low, uint64_t high, uint32_t scope) {
    size_t first, n = low < high ? dwarf_queries(d, low, high, &first) : 0;
    for (size_t i = 0; i < n; i++)
        d->out->line[d->query[first + i].index].scope = scope;
    return n;
}

/* Covers a list of .debug_ranges. */
static size_t cover_old_list(struct dwarf *d, uint64_t at, uint32_t scope) {
    sm_cursor c = dwarf_cursor(d, DWARF_RANGES, at);
    uint64_t base = d->unit.low_pc;
    size_t n = 0;
    while (c.status == SM_OK) {
        uint64_t low = sm_get_u64(&c), high = sm_get_u64(&c);
        if (c.status != SM_OK || (!low && !high))
            break;
        if (low == UINT64_MAX)
            base = high;
        else
            n += cover(d, base + low, base + high, scope);
    }
    return n;
}

enum {
    RLE_END,
    RLE_BASE_ADDRESSX,
    RLE_STARTX_ENDX,
    RLE_STARTX_LENGTH,
    RLE_OFFSET_PAIR,
    RLE_BASE_ADDRESS,
    RLE_START_END,
    RLE_START_LENGTH
};

/* Covers a list of .debug_rnglists. */
static size_t cover_list(struct dwarf *d, uint64_t at, uint32_t scope) {
    sm_cursor c = dwarf_cursor(d, DWARF_RNGLISTS, at);
    uint64_t base = d->unit.low_pc, low, high;
    size_t n = 0;
    while (c.status == SM_OK) {
        uint8_t kind = sm_get_u8(&c);
        if (kind == RLE_END || kind > RLE_START_LENGTH)
            break;
        if (kind == RLE_BASE_ADDRESSX || kind == RLE_BASE_ADDRESS) {
            base = kind == RLE_BASE_ADDRESS ? sm_get_u64(&c) : dwarf_indexed_address(d, get_uleb(&c));
            continue;
        }
        if (kind == RLE_OFFSET_PAIR)
            low = base + get_uleb(&c);
        else if (kind == RLE_START_END || kind == RLE_START_LENGTH)
            low = sm_get_u64(&c);
        else
            low = dwarf_indexed_address(d, get_uleb(&c));
        if (kind == RLE_OFFSET_PAIR)
            high = base + get_uleb(&c);
        else if (kind == RLE_START_END)
            high = sm_get_u64(&c);
        else if (kind == RLE_STARTX_ENDX)
            high = dwarf_indexed_address(d, get_uleb(&c));
        else
            high = low + get_uleb(&c);
        if (c.status == SM_OK)
            n += cover(d, low, high, scope);
    }
    return n;
}

/* Covers all of an entry's instructions; gives how many were asked for. */
static size_t cover_entry(struct dwarf *d, const struct entry *e, uint32_t scope) {
    if (e->ranges.kind == VALUE_LIST_INDEX) {
        sm_cursor c = dwarf_cursor(d, DWARF_RNGLISTS, d->unit.rnglists + (e->ranges.number & UINT32_MAX) * 4);
        uint32_t at = sm_get_u32(&c);
        return c.status == SM_OK ? cover_list(d, d->unit.rnglists + at, scope) : 0;
    }
    if (e->ranges.kind == VALUE_NUMBER)
        return d->unit.version >= 5 ? cover_list(d, e->ranges.number, scope)
                                    : cover_old_list(d, e->ranges.number, scope);
    if (e->low.kind != VALUE_ADDRESS || e->high.kind == VALUE_NONE)
        return 0;
    uint64_t high = e->high.kind == VALUE_ADDRESS ? e->high.number : e->low.number + e->high.number;
    return cover(d, e->low.number, high, scope);
}

/* ---- Scopes ------------------------------------------------------------------------------------------------------ */

/* Makes a scope of an entry, if instructions that are asked for are in it; gives it, or OUTER. */
static uint32_t add_scope(struct dwarf *d, const struct entry *e, int is_inlined, uint32_t outer) {
    uint32_t scope = (uint32_t)d->out->scopes;
    sm_scope *grown = dwarf_grow(d, d->out->scope, d->out->scopes, &d->scope_cap, sizeof *d->out->scope);
    if (!grown || scope == SM_LINES_NONE)
        return outer;
    d->out->scope = grown;
    if (!cover_entry(d, e, scope))
        return outer;
    d->out->scope[scope] = (sm_scope){.outer = is_inlined ? outer : SM_LINES_NONE,
                                      .function = dwarf_text(d, name_of(d, e)),
                                      .file = e->file < d->files ? d->file[e->file] : SM_LINES_NONE,
                                      .line = (uint32_t)e->line,
                                      .column = (uint32_t)e->column};
    d->out->scopes++;
    return scope;
}

void dwarf_read_scopes(struct dwarf *d) {
    uint32_t scope[DEPTH];
    unsigned depth = 0;
    sm_cursor c = dwarf_cursor(d, DWARF_INFO, d->unit.entries);
    scope[0] = SM_LINES_NONE;
    while (c.status == SM_OK && c.pos < d->unit.end && d->status == SM_OK) {
        const struct dwarf_abbrev *b = dwarf_entry(d, &c);
        if (!b) {
            if (depth <= 1)
                break;
            depth--;
            continue;
        }
        uint16_t tag = b->tag;
        int has_children = b->has_children;
        struct entry e = read_entry(d, &c, b);
        uint32_t at = scope[depth];
        if (c.status == SM_OK && (tag == TAG_FUNCTION || tag == TAG_INLINED))
            at = add_scope(d, &e, tag == TAG_INLINED, at);
        if (has_children && ++depth == DEPTH)
            break;
        if (has_children)
            scope[depth] = at;
        else if (depth == 0)
            break;
    }
}
