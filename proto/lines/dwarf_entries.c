/* dwarf_entries.c - units, abbreviations and the values of attributes (DWARF 5, chapter 7.5). */
#include "dwarf.h"

#include <string.h>

enum {
    AT_STMT_LIST = 0x10,
    AT_LOW_PC = 0x11,
    AT_COMP_DIR = 0x1b,
    AT_STR_OFFSETS_BASE = 0x72,
    AT_ADDR_BASE = 0x73,
    AT_RNGLISTS_BASE = 0x74,
    UNIT_TYPE = 2,
    UNIT_SKELETON = 4,
    UNIT_SPLIT_COMPILE = 5,
    UNIT_SPLIT_TYPE = 6,
};

enum form {
    FORM_ADDR = 0x01,
    FORM_BLOCK2 = 0x03,
    FORM_BLOCK4,
    FORM_DATA2,
    FORM_DATA4,
    FORM_DATA8,
    FORM_STRING,
    FORM_BLOCK,
    FORM_BLOCK1,
    FORM_DATA1,
    FORM_FLAG,
    FORM_SDATA,
    FORM_STRP,
    FORM_UDATA,
    FORM_REF_ADDR,
    FORM_REF1,
    FORM_REF2,
    FORM_REF4,
    FORM_REF8,
    FORM_REF_UDATA,
    FORM_INDIRECT,
    FORM_SEC_OFFSET,
    FORM_EXPRLOC,
    FORM_FLAG_PRESENT,
    FORM_STRX,
    FORM_ADDRX,
    FORM_REF_SUP4,
    FORM_STRP_SUP,
    FORM_DATA16,
    FORM_LINE_STRP,
    FORM_REF_SIG8,
    FORM_IMPLICIT_CONST,
    FORM_LOCLISTX,
    FORM_RNGLISTX,
    FORM_REF_SUP8,
    FORM_STRX1,
    FORM_STRX2,
    FORM_STRX3,
    FORM_STRX4,
    FORM_ADDRX1,
    FORM_ADDRX2,
    FORM_ADDRX3,
    FORM_ADDRX4,
};

/* ---- Values ------------------------------------------------------------------------------------------------------ */

static uint64_t get_number(sm_cursor *c, size_t n) {
    const unsigned char *p = sm_get_bytes(c, n);
    return p ? sm_load_le(p, n) : 0;
}

static struct dwarf_value number(uint64_t v) {
    return (struct dwarf_value){.kind = VALUE_NUMBER, .number = v};
}

static struct dwarf_value text(const char *s) {
    return (struct dwarf_value){.kind = s ? VALUE_TEXT : VALUE_NONE, .text = s};
}

static struct dwarf_value reference(uint64_t at) {
    return (struct dwarf_value){.kind = VALUE_REFERENCE, .number = at};
}

static struct dwarf_value address(uint64_t at) {
    return (struct dwarf_value){.kind = VALUE_ADDRESS, .number = at};
}

/* The text behind number I of .debug_str_offsets. */
static struct dwarf_value indexed_text(const struct dwarf *d, uint64_t i) {
    sm_cursor c = dwarf_cursor(d, DWARF_STR_OFFSETS, d->unit.str_offsets + i * 4);
    uint32_t at = i < UINT32_MAX ? sm_get_u32(&c) : 0;
    return text(i < UINT32_MAX && c.status == SM_OK ? dwarf_string(d, DWARF_STR, at) : NULL);
}

uint64_t dwarf_indexed_address(const struct dwarf *d, uint64_t i) {
    sm_cursor c = dwarf_cursor(d, DWARF_ADDR, d->unit.addr + (i < UINT32_MAX ? i * 8 : UINT32_MAX));
    return sm_get_u64(&c);
}

/* Skips N bytes. */
static struct dwarf_value skip(sm_cursor *c, uint64_t n) {
    if (n > sm_cursor_left(c))
        c->status = SM_TRUNCATED;
    else
        c->pos += (size_t)n;
    return (struct dwarf_value){0};
}

/* Values that are numbers of so many bytes, and what they number. */
static struct dwarf_value sized_value(const struct dwarf *d, sm_cursor *c, unsigned form) {
    switch (form) {
    case FORM_DATA1:
    case FORM_FLAG:
        return number(get_number(c, 1));
    case FORM_DATA2:
        return number(get_number(c, 2));
    case FORM_DATA4:
    case FORM_SEC_OFFSET:
        return number(get_number(c, 4));
    case FORM_DATA8:
        return number(get_number(c, 8));
    case FORM_REF1:
        return reference(d->unit.offset + get_number(c, 1));
    case FORM_REF2:
        return reference(d->unit.offset + get_number(c, 2));
    case FORM_REF4:
        return reference(d->unit.offset + get_number(c, 4));
    case FORM_REF8:
        return reference(d->unit.offset + get_number(c, 8));
    case FORM_STRX1:
    case FORM_STRX2:
    case FORM_STRX3:
    case FORM_STRX4:
        return indexed_text(d, get_number(c, form - FORM_STRX1 + 1));
    case FORM_ADDRX1:
    case FORM_ADDRX2:
    case FORM_ADDRX3:
    case FORM_ADDRX4:
        return address(dwarf_indexed_address(d, get_number(c, form - FORM_ADDRX1 + 1)));
    default:
        c->status = SM_MALFORMED;
        return (struct dwarf_value){0};
    }
}

/* Values that nobody here asks for. */
static struct dwarf_value skipped_value(const struct dwarf *d, sm_cursor *c, unsigned form) {
    switch (form) {
    case FORM_BLOCK1:
        return skip(c, get_number(c, 1));
    case FORM_BLOCK2:
        return skip(c, get_number(c, 2));
    case FORM_BLOCK4:
        return skip(c, get_number(c, 4));
    case FORM_BLOCK:
    case FORM_EXPRLOC:
        return skip(c, get_uleb(c));
    case FORM_DATA16:
        return skip(c, 16);
    case FORM_REF_SIG8:
    case FORM_REF_SUP8:
        return skip(c, 8);
    case FORM_REF_SUP4:
    case FORM_STRP_SUP:
        return skip(c, 4);
    case FORM_LOCLISTX:
        get_uleb(c);
        return (struct dwarf_value){0};
    default:
        return sized_value(d, c, form);
    }
}

struct dwarf_value dwarf_value(const struct dwarf *d, sm_cursor *c, const struct dwarf_attribute *a) {
    uint64_t form = a->form;
    for (int i = 0; form == FORM_INDIRECT && i < 4; i++)
        form = get_uleb(c);
    switch (form) {
    case FORM_ADDR:
        return address(get_number(c, 8));
    case FORM_STRING:
        return text(get_string(c));
    case FORM_STRP:
        return text(dwarf_string(d, DWARF_STR, get_number(c, 4)));
    case FORM_LINE_STRP:
        return text(dwarf_string(d, DWARF_LINE_STR, get_number(c, 4)));
    case FORM_STRX:
        return indexed_text(d, get_uleb(c));
    case FORM_ADDRX:
        return address(dwarf_indexed_address(d, get_uleb(c)));
    case FORM_SDATA:
        return number((uint64_t)get_sleb(c));
    case FORM_UDATA:
        return number(get_uleb(c));
    case FORM_FLAG_PRESENT:
        return number(1);
    case FORM_IMPLICIT_CONST:
        return number((uint64_t)a->constant);
    case FORM_REF_UDATA:
        return reference(d->unit.offset + get_uleb(c));
    case FORM_REF_ADDR:
        return reference(get_number(c, d->unit.version == 2 ? 8 : 4));
    case FORM_RNGLISTX:
        return (struct dwarf_value){.kind = VALUE_LIST_INDEX, .number = get_uleb(c)};
    default:
        return skipped_value(d, c, form > UINT16_MAX ? 0 : (unsigned)form);
    }
}

/* ---- Abbreviations ----------------------------------------------------------------------------------------------- */

/* Reads the attributes of the abbreviation B. */
static void read_attributes(struct dwarf *d, sm_cursor *c, struct dwarf_abbrev *b) {
    while (c->status == SM_OK && d->status == SM_OK) {
        struct dwarf_attribute a = {.name = (uint16_t)get_uleb(c)};
        uint64_t form = get_uleb(c);
        a.form = form > UINT16_MAX ? 0 : (uint16_t)form;
        if (a.form == FORM_IMPLICIT_CONST)
            a.constant = get_sleb(c);
        if (c->status != SM_OK || (!a.name && !a.form))
            return;
        struct dwarf_attribute *grown =
            dwarf_grow(d, d->attribute, d->attributes, &d->attribute_cap, sizeof *d->attribute);
        if (!grown)
            return;
        d->attribute = grown;
        d->attribute[d->attributes++] = a;
        b->count++;
    }
}

/* Reads the unit's table of abbreviations, unless it is the last one read. */
static void read_abbrevs(struct dwarf *d) {
    if (d->abbrev_at == d->unit.abbrev)
        return;
    sm_cursor c = dwarf_cursor(d, DWARF_ABBREV, d->unit.abbrev);
    d->abbrev_at = d->unit.abbrev;
    d->abbrevs = d->attributes = 0;
    while (c.status == SM_OK && d->status == SM_OK) {
        struct dwarf_abbrev b = {.code = get_uleb(&c), .first = (uint32_t)d->attributes};
        if (!b.code)
            return;
        b.tag = (uint16_t)get_uleb(&c);
        b.has_children = sm_get_u8(&c) != 0;
        read_attributes(d, &c, &b);
        struct dwarf_abbrev *grown = dwarf_grow(d, d->abbrev, d->abbrevs, &d->abbrev_cap, sizeof *d->abbrev);
        if (!grown)
            return;
        d->abbrev = grown;
        d->abbrev[d->abbrevs++] = b;
    }
}

/* The abbreviation of a code: mostly they are numbered from 1. */
static const struct dwarf_abbrev *find_abbrev(const struct dwarf *d, uint64_t code) {
    if (code <= d->abbrevs && d->abbrev[code - 1].code == code)
        return &d->abbrev[code - 1];
    for (size_t i = 0; i < d->abbrevs; i++)
        if (d->abbrev[i].code == code)
            return &d->abbrev[i];
    return NULL;
}

const struct dwarf_abbrev *dwarf_entry(struct dwarf *d, sm_cursor *c) {
    uint64_t code = get_uleb(c);
    const struct dwarf_abbrev *b = code && c->status == SM_OK ? find_abbrev(d, code) : NULL;
    if (code && !b)
        c->status = SM_MALFORMED;
    return b;
}

/* ---- Units ------------------------------------------------------------------------------------------------------- */

/* Takes what an attribute of the unit's first entry says of the unit. */
static void take_attribute(struct dwarf_unit *u, unsigned name, const struct dwarf_value *v) {
    switch (name) {
    case AT_STMT_LIST:
        u->line = v->number;
        u->has_line = 1;
        break;
    case AT_LOW_PC:
        u->low_pc = v->number;
        break;
    case AT_COMP_DIR:
        u->comp_dir = v->text;
        break;
    case AT_STR_OFFSETS_BASE:
        u->str_offsets = v->number;
        break;
    case AT_ADDR_BASE:
        u->addr = v->number;
        break;
    case AT_RNGLISTS_BASE:
        u->rnglists = v->number;
        break;
    default:
        break;
    }
}

/* Reads the unit's first entry. Twice, as a value may come before the base that it is counted from. */
static void read_first_entry(struct dwarf *d) {
    for (int i = 0; i < 2; i++) {
        sm_cursor c = dwarf_cursor(d, DWARF_INFO, d->unit.entries);
        const struct dwarf_abbrev *b = dwarf_entry(d, &c);
        for (uint32_t k = 0; b && k < b->count && c.status == SM_OK; k++) {
            const struct dwarf_attribute *a = &d->attribute[b->first + k];
            struct dwarf_value v = dwarf_value(d, &c, a);
            take_attribute(&d->unit, a->name, &v);
        }
    }
}

int dwarf_unit_at(struct dwarf *d, size_t at) {
    sm_cursor c = dwarf_cursor(d, DWARF_INFO, at);
    struct dwarf_unit u = {.offset = at};
    uint32_t length = sm_get_u32(&c);
    if (c.status != SM_OK || length > sm_cursor_left(&c)) /* all ones, of 64-bit DWARF, too */
        return 0;
    u.end = c.pos + length;
    u.version = sm_get_u16(&c);
    u.str_offsets = 8; /* where a unit does not say: after the header of the section */
    u.addr = 8;
    u.rnglists = 12;
    if (u.version >= 5) {
        u.type = sm_get_u8(&c);
        u.address_size = sm_get_u8(&c);
        u.abbrev = sm_get_u32(&c);
        skip(&c, u.type == UNIT_SKELETON || u.type == UNIT_SPLIT_COMPILE ? 8
                 : u.type == UNIT_TYPE || u.type == UNIT_SPLIT_TYPE      ? 12
                                                                         : 0);
    } else {
        u.abbrev = sm_get_u32(&c);
        u.address_size = sm_get_u8(&c);
    }
    u.entries = c.pos;
    d->unit = u;
    if (c.status != SM_OK || u.version < 2 || u.version > 5 || u.address_size != 8 || u.entries > u.end)
        d->unit.entries = u.end; /* one that is not read */
    else
        read_abbrevs(d);
    if (d->unit.entries < u.end)
        read_first_entry(d);
    return 1;
}
