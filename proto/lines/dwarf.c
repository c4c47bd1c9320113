/* dwarf.c - DWARF sections of an object, relocated in copies; texts, each of them once; see lines.h. */
#include "dwarf.h"

#include <stdlib.h>
#include <string.h>

/* ---- Bytes ------------------------------------------------------------------------------------------------------- */

sm_cursor dwarf_cursor(const struct dwarf *d, enum dwarf_section s, uint64_t from) {
    sm_slice bytes = d->section[s];
    sm_cursor c = sm_cursor_of(bytes.data, bytes.len);
    if (from > bytes.len)
        c.status = SM_TRUNCATED;
    else
        c.pos = (size_t)from;
    return c;
}

uint64_t get_uleb(sm_cursor *c) {
    uint64_t v = 0;
    for (unsigned shift = 0; c->status == SM_OK; shift += 7) {
        uint8_t b = sm_get_u8(c);
        v |= shift < 64 ? (uint64_t)(b & 0x7f) << shift : 0;
        if (!(b & 0x80))
            break;
    }
    return v;
}

int64_t get_sleb(sm_cursor *c) {
    uint64_t v = 0;
    unsigned shift = 0;
    uint8_t b = 0x80;
    while (b & 0x80 && c->status == SM_OK) {
        b = sm_get_u8(c);
        v |= shift < 64 ? (uint64_t)(b & 0x7f) << shift : 0;
        shift += 7;
    }
    if (shift < 64 && b & 0x40)
        v |= UINT64_MAX << shift;
    return (int64_t)v;
}

const char *get_string(sm_cursor *c) {
    const unsigned char *from = c->data + c->pos;
    const unsigned char *end = c->status == SM_OK ? memchr(from, 0, c->len - c->pos) : NULL;
    if (!end) {
        c->status = SM_TRUNCATED;
        return "";
    }
    c->pos += (size_t)(end - from) + 1;
    return (const char *)from;
}

const char *dwarf_string(const struct dwarf *d, enum dwarf_section s, uint64_t at) {
    sm_cursor c = dwarf_cursor(d, s, at);
    const char *text = c.data && c.status == SM_OK ? get_string(&c) : NULL;
    return c.status == SM_OK ? text : NULL;
}

void *dwarf_grow(struct dwarf *d, void *array, size_t n, size_t *cap, size_t size) {
    if (n < *cap)
        return array;
    size_t more = *cap ? *cap * 2 : 64;
    void *grown = realloc(array, more * size);
    if (grown)
        *cap = more;
    else
        d->status = SM_NOMEM;
    return grown;
}

/* ---- Sections ---------------------------------------------------------------------------------------------------- */

static const char *const names[DWARF_SECTIONS] = {".debug_info", ".debug_abbrev",   ".debug_line",
                                                  ".debug_str",  ".debug_line_str", ".debug_str_offsets",
                                                  ".debug_addr", ".debug_ranges",   ".debug_rnglists"};

/* What stands for an address in a relocatable object, where each section begins at 0. */
uint64_t dwarf_address(const struct dwarf *d, uint32_t section, uint64_t offset) {
    return d->elf->type == ET_REL ? ((uint64_t)section + 1) << 40 | (offset & 0xffffffffff) : offset;
}

/* How many bytes a relocation writes that is a symbol's address or offset; 0 of any other. */
static size_t reloc_bytes(uint16_t machine, uint32_t type) {
    if (machine == EM_X86_64)
        return type == R_X86_64_64 ? 8 : type == R_X86_64_32 || type == R_X86_64_32S ? 4 : 0;
    return type == R_AARCH64_ABS64 ? 8 : type == R_AARCH64_ABS32 ? 4 : 0;
}

/* Applies the relocations in a section RELOCS to the copy of a section. */
static void relocate(const struct dwarf *d, size_t relocs, unsigned char *bytes, size_t len) {
    const sm_elf *e = d->elf;
    sm_elf_reloc r;
    sm_elf_symbol s;
    for (size_t i = 0; i < sm_elf_reloc_count(e, relocs); i++) {
        if (sm_elf_reloc_at(e, relocs, i, &r) != SM_OK || sm_elf_symbol_at(e, r.symbol, &s) != SM_OK)
            return;
        size_t n = reloc_bytes(e->machine, r.type);
        if (!n || r.offset > len || n > len - r.offset || !s.in_section)
            continue;
        uint64_t to = s.value + (uint64_t)r.addend;
        if (e->section[s.section].flags & SHF_ALLOC)
            to = dwarf_address(d, s.section, to);
        sm_store_le(bytes + r.offset, to, n);
    }
}

/* Takes a section's bytes; with relocations applied, in a copy. */
static sm_status take_section(struct dwarf *d, enum dwarf_section s, size_t i) {
    const sm_elf *e = d->elf;
    d->section[s] = e->section[i].bytes;
    size_t relocs = e->type == ET_REL ? sm_elf_relocs_of(e, i, 0) : 0;
    if (!relocs || !d->section[s].len)
        return SM_OK;
    d->copy[s] = malloc(d->section[s].len);
    if (!d->copy[s])
        return SM_NOMEM;
    memcpy(d->copy[s], d->section[s].data, d->section[s].len);
    for (; relocs; relocs = sm_elf_relocs_of(e, i, relocs))
        relocate(d, relocs, d->copy[s], d->section[s].len);
    d->section[s].data = d->copy[s];
    return SM_OK;
}

int sm_lines_exist(const sm_elf *e) {
    size_t i = sm_elf_find(e, names[DWARF_LINE], 0);
    return i && e->section[i].bytes.len && !(e->section[i].flags & SHF_COMPRESSED);
}

sm_status dwarf_open(struct dwarf *d, const sm_elf *e) {
    sm_status s = SM_OK;
    d->elf = e;
    d->abbrev_at = UINT64_MAX;
    for (int k = 0; k < DWARF_SECTIONS && s == SM_OK; k++) {
        size_t i = sm_elf_find(e, names[k], 0);
        if (i && !(e->section[i].flags & SHF_COMPRESSED))
            s = take_section(d, (enum dwarf_section)k, i);
    }
    sm_buf_init(&d->text, SM_LINES_NONE - 1);
    return s;
}

void dwarf_close(struct dwarf *d) {
    for (int k = 0; k < DWARF_SECTIONS; k++)
        free(d->copy[k]);
    free(d->abbrev);
    free(d->attribute);
    free(d->query);
    free(d->texts);
    free(d->file);
    sm_buf_free(&d->text);
}

/* ---- Texts ------------------------------------------------------------------------------------------------------- */

static size_t hash(const char *text) {
    uint64_t h = 14695981039346656037u; /* FNV-1a */
    for (const unsigned char *p = (const unsigned char *)text; *p; p++)
        h = (h ^ *p) * 1099511628211u;
    return (size_t)(h ^ h >> 32);
}

/* The place of a text in the table: where it is, or the free one where it belongs. */
static uint32_t *slot_of(const struct dwarf *d, const char *text) {
    size_t i = hash(text);
    for (;; i++) {
        uint32_t *slot = &d->texts[i & (d->text_slots - 1)];
        if (*slot == SM_LINES_NONE || strcmp((const char *)d->text.data + *slot, text) == 0)
            return slot;
    }
}

/* Makes the table larger. 0 if there is no memory. */
static int widen(struct dwarf *d) {
    size_t slots = d->text_slots ? d->text_slots * 2 : 256, old = d->text_slots;
    uint32_t *was = d->texts, *table = malloc(slots * sizeof *table);
    if (!table)
        return 0;
    memset(table, 0xff, slots * sizeof *table);
    d->texts = table;
    d->text_slots = slots;
    for (size_t i = 0; i < old; i++)
        if (was[i] != SM_LINES_NONE)
            *slot_of(d, (const char *)d->text.data + was[i]) = was[i];
    free(was);
    return 1;
}

uint32_t dwarf_text(struct dwarf *d, const char *text) {
    if (!text || d->status != SM_OK)
        return SM_LINES_NONE;
    if (d->texts_len * 2 >= d->text_slots && !widen(d)) {
        d->status = SM_NOMEM;
        return SM_LINES_NONE;
    }
    uint32_t *slot = slot_of(d, text), at = (uint32_t)d->text.len;
    if (*slot != SM_LINES_NONE)
        return *slot;
    d->status = sm_buf_put(&d->text, text, strlen(text) + 1);
    if (d->status != SM_OK)
        return SM_LINES_NONE;
    d->texts_len++;
    return *slot = at;
}

size_t dwarf_queries(const struct dwarf *d, uint64_t from, uint64_t to, size_t *first) {
    size_t low = 0, high = d->queries;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (d->query[middle].address < from)
            low = middle + 1;
        else
            high = middle;
    }
    *first = low;
    while (high < d->queries && d->query[high].address < to)
        high++;
    return high - low;
}
