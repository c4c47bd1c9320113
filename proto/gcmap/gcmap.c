/* gcmap.c - see gcmap.h. The tables of safepoints: erlang and ocaml. Frame maps are in framemap.c.
 *
 * Neither table names its functions: a safepoint's return address does, through the symbol whose code ends there or
 * goes on. Nor do they say what a root's offset counts from; slotbase.h tells.
 */
#include "gcmap.h"

#include "framemap.h"
#include "places.h"
#include "slotbase.h"
#include "stackmap_build.h"

#include <stdlib.h>
#include <string.h>

enum { WORD = 8, ADDRESS32 = 4, ADDRESS64 = 8, OFFSET = 2, DYNAMIC_WORDS = 0xffff };

struct reader {
    sm_stackmap *m;
    const sm_elf *e;
    sm_stackmap_error *err;
    const sm_places *functions;
    sm_fields fields; /* of the section that is read */
    sm_cursor c;      /* in it */
    const char *format;
    uint32_t open;        /* section of M's last function, which may get more records; 0 if it may not */
    sm_frame_shape shape; /* of that function */
};

/* What a safepoint's record has beside its return address. */
struct live {
    uint64_t frame_size;
    int32_t unit;                 /* bytes */
    uint32_t arity;               /* erlang: words of arguments on the stack */
    uint32_t location, locations; /* range in M's */
    uint64_t at;                  /* where the roots stand in the file */
    int shared;                   /* with the row's other safepoints */
};

#define refuse(r, ...) sm_stackmap_refuse((r)->err, (r)->c.pos, __VA_ARGS__)

/* Appends COUNT roots, whose offsets from the frame's reference come next, in units. Their base register is set later. */
static sm_status read_roots(struct reader *r, uint32_t count, struct live *out) {
    if (count > sm_cursor_left(&r->c) / OFFSET)
        return refuse(r, "%u live roots do not fit in the section", count);
    sm_status s = sm_stackmap_more_locations(r->m, count);
    out->location = r->m->locations;
    out->locations = count;
    out->at = (uint64_t)(r->c.data + r->c.pos - (const unsigned char *)r->e->file.data);
    for (uint32_t i = 0; s == SM_OK && i < count; i++) {
        sm_location *l = &r->m->location[r->m->locations++];
        memset(l, 0, sizeof *l);
        l->kind = SM_LOCATION_INDIRECT;
        l->size = WORD;
        uint16_t units = sm_get_u16(&r->c);
        l->offset = (sm_slot_is_unsigned(out->frame_size, out->unit) ? units : (int16_t)units) * out->unit;
    }
    return s;
}

/* The function of the call before a return address, which may itself be the code's end. */
static sm_function function_of(const struct reader *r, const sm_target *address) {
    const sm_place *place = sm_place_around(r->functions, address->section, address->offset - 1);
    sm_function f = {.section = r->e->section[address->section].name, .frame_size = UINT64_MAX, .format = r->format};
    f.offset = r->e->type == ET_REL ? 0 : r->e->section[address->section].address;
    if (place) {
        f.name = place->name;
        f.offset = place->offset;
        f.size = place->size;
    }
    return f;
}

/* 1 if the safepoint's function is the last one, so that it gets another record. */
static int is_open(const struct reader *r, const sm_function *f, uint32_t section) {
    const sm_function *last = r->open ? &r->m->function[r->m->functions - 1] : NULL;
    return last && r->open == section && last->offset == f->offset && last->frame_size == f->frame_size;
}

/* The function's code, as far as the file has it; empty if it does not. */
static sm_slice code_of(const struct reader *r, const sm_function *f, uint32_t section) {
    const sm_elf_section *in = &r->e->section[section];
    uint64_t at = f->offset - (r->e->type == ET_REL ? 0 : in->address);
    if (!f->name || at > in->bytes.len || f->size > in->bytes.len - at)
        return (sm_slice){0};
    return (sm_slice){in->bytes.data + at, (size_t)f->size};
}

/* Adds a function, and reads from its code how its frame is laid out. */
static void open_function(struct reader *r, const sm_function *f, uint32_t section) {
    r->m->function[r->m->functions++] = *f;
    r->open = section;
    r->shape = sm_frame_shape_of(r->m->machine, code_of(r, f, section));
}

/* Sets the register that each root's offset counts from. A row's safepoints, all of one function as a rule, share
 * their locations: what is unknown for one is unknown for all. */
static void set_bases(struct reader *r, const struct live *live) {
    for (uint32_t i = 0; i < live->locations; i++) {
        sm_location *l = &r->m->location[live->location + i];
        if (l->dwarf != SM_REGISTER_UNKNOWN)
            l->dwarf = sm_slot_base(r->m->machine, &r->shape, live->frame_size, l->offset, live->unit);
    }
}

/* Adds a safepoint's record to its function, which is added if it is new. */
static sm_status add_safepoint(struct reader *r, const sm_target *address, const struct live *live) {
    sm_stackmap *m = r->m;
    sm_function f = function_of(r, address);
    f.frame_size = live->frame_size;
    f.stack_arity = live->arity;
    f.has_stack_arity = strcmp(r->format, "erlang") == 0;
    f.record = m->records;
    if (address->offset - f.offset > UINT32_MAX)
        return refuse(r, "A safepoint is too far from its function");
    sm_status s = sm_stackmap_more_functions(m, 1);
    if (s == SM_OK)
        s = sm_stackmap_more_records(m, 1);
    if (s != SM_OK)
        return s;
    int opened = !is_open(r, &f, address->section);
    if (opened)
        open_function(r, &f, address->section);
    if (opened || !live->shared)
        set_bases(r, live);
    m->function[m->functions - 1].records++;
    m->record[m->records++] = (sm_record){.at = live->at,
                                          .offset = (uint32_t)(address->offset - f.offset),
                                          .kind = SM_RECORD_GCROOT,
                                          .fault_offset = UINT32_MAX,
                                          .location = live->location,
                                          .locations = live->locations};
    return SM_OK;
}

/* Finds what the return address in the field at AT points to; refuses the table if that is in no section. */
static sm_status resolve(struct reader *r, size_t at, uint64_t stored, sm_target *out) {
    int known = sm_field_target(&r->fields, at, stored, out) && out->offset != 0;
    if (known && r->e->type != ET_REL)
        out->section = sm_section_around(&r->fields, out->offset - 1);
    return known && out->section ? SM_OK
                                 : sm_stackmap_refuse(r->err, at, "The address of a safepoint is in no section");
}

/* Adds the safepoints of one function, whose addresses stand at AT. */
static sm_status read_erlang_points(struct reader *r, size_t at, uint32_t points, const struct live *live) {
    sm_status s = SM_OK;
    sm_cursor c = sm_cursor_of(r->c.data, r->c.len);
    c.pos = at;
    for (uint32_t i = 0; s == SM_OK && i < points; i++) {
        sm_target address;
        size_t field = c.pos;
        s = resolve(r, field, sm_get_u32(&c), &address);
        if (s == SM_OK)
            s = add_safepoint(r, &address, live);
    }
    return s;
}

/* The number of arguments on the stack. LLVM's printer writes for every target by how much they are more than six,
 * the registers of x86-64 for them (ErlangGCPrinter.cpp); AArch64 has eight. */
static uint32_t stack_arity(uint16_t machine, uint32_t written) {
    enum { X86_REGISTERS = 6, ARM_REGISTERS = 8, MORE = ARM_REGISTERS - X86_REGISTERS };
    if (machine != EM_AARCH64)
        return written;
    return written > MORE ? written - MORE : 0;
}

/* Reads one function: count of safepoints, their addresses, frame size in words, arity on the stack, the roots that
 * are live at each. A function without safepoints is in the table as well; it adds nothing. */
static sm_status read_erlang_function(struct reader *r) {
    struct live live;
    uint32_t points = sm_get_u16(&r->c);
    size_t at = r->c.pos;
    if (points > sm_cursor_left(&r->c) / ADDRESS32)
        return refuse(r, "%u safepoints do not fit in the section", points);
    sm_get_bytes(&r->c, points * ADDRESS32);
    uint32_t words = sm_get_u16(&r->c);
    live.arity = stack_arity(r->m->machine, sm_get_u16(&r->c));
    uint32_t count = sm_get_u16(&r->c);
    if (r->c.status != SM_OK)
        return refuse(r, "A function ends beyond the section");
    live.shared = 1;
    live.frame_size = words == DYNAMIC_WORDS ? UINT64_MAX : words * WORD;
    live.unit = WORD;
    sm_status s = read_roots(r, count, &live);
    r->open = 0;
    return s == SM_OK ? read_erlang_points(r, at, points, &live) : s;
}

/* Reads one section .note.gc. */
static sm_status read_erlang(struct reader *r, size_t section) {
    sm_slice bytes = r->e->section[section].bytes;
    sm_status s = sm_fields_of(&r->fields, r->e, section);
    r->format = "erlang";
    r->c = sm_cursor_of(bytes.data, bytes.len);
    while (s == SM_OK && sm_cursor_left(&r->c)) {
        s = read_erlang_function(r);
        if (sm_cursor_left(&r->c) >= WORD) /* the last is not padded */
            sm_get_align(&r->c, WORD);
    }
    sm_fields_free(&r->fields);
    return s;
}

/* Reads all tables of the erlang strategy. */
static sm_status read_all_erlang(struct reader *r) {
    sm_status s = SM_OK;
    for (size_t i = sm_elf_find(r->e, ".note.gc", 0); i && s == SM_OK; i = sm_elf_find(r->e, ".note.gc", i))
        s = read_erlang(r, i);
    return s;
}

/* Reads one descriptor of the ocaml strategy: address, frame size, live roots, padding. LLVM's frames are whole
 * words; refuses the OCaml compiler's own tables, which keep flags in a size's low bits. */
static sm_status read_descriptor(struct reader *r) {
    struct live live;
    sm_target address;
    size_t field = r->c.pos;
    uint64_t stored = sm_get_u64(&r->c);
    uint32_t size = sm_get_u16(&r->c), count = sm_get_u16(&r->c);
    live.shared = 0;
    live.frame_size = size;
    live.unit = 1;
    live.arity = 0;
    if (r->c.status != SM_OK)
        return refuse(r, "A frame descriptor ends beyond the section");
    if (size % WORD != 0)
        return refuse(r, "A frame of %u bytes is no whole number of words; is the table of the OCaml compiler?",
                      size);
    sm_status s = read_roots(r, count, &live);
    if (s == SM_OK)
        s = resolve(r, field, stored, &address);
    if (s == SM_OK)
        s = add_safepoint(r, &address, &live);
    sm_get_align(&r->c, WORD);
    return s;
}

/* Reads one table, which begins at a symbol: the count of its descriptors, and these. */
static sm_status read_table(struct reader *r) {
    sm_status s = SM_OK;
    uint32_t count = sm_get_u16(&r->c);
    sm_get_align(&r->c, WORD);
    if (r->c.status != SM_OK)
        return refuse(r, "A frame table ends beyond the section");
    r->open = 0;
    for (uint32_t i = 0; s == SM_OK && i < count; i++)
        s = read_descriptor(r);
    return s;
}

/* 1 if the symbol is called caml...__frametable. */
static int is_frametable(const sm_place *p) {
    static const char end[] = "__frametable";
    size_t len = strlen(p->name);
    return strncmp(p->name, "caml", 4) == 0 && len > 4 + sizeof end - 1 &&
           strcmp(p->name + len - (sizeof end - 1), end) == 0;
}

/* Reads the tables of one section, whose symbols stand from *I on in ascending order. Two symbols at one place are
 * one table; refuses two that overlap. */
static sm_status read_tables(struct reader *r, const sm_places *symbols, size_t *i) {
    uint32_t section = symbols->place[*i].section;
    const sm_elf_section *in = &r->e->section[section];
    uint64_t base = r->e->type == ET_REL ? 0 : in->address, last = UINT64_MAX;
    sm_status s = sm_fields_of(&r->fields, r->e, section);
    r->format = "ocaml";
    r->c = sm_cursor_of(in->bytes.data, in->bytes.len);
    for (; s == SM_OK && *i < symbols->places && symbols->place[*i].section == section; ++*i) {
        uint64_t offset = symbols->place[*i].offset - base;
        if (offset == last)
            continue;
        if (offset < r->c.pos || offset > r->c.len || offset % WORD != 0)
            s = refuse(r, "A frame table begins at byte %llu, which is inside another or outside its section",
                       (unsigned long long)offset);
        if (s != SM_OK)
            break;
        r->c.pos = last = offset;
        s = read_table(r);
    }
    sm_fields_free(&r->fields);
    return s;
}

/* Reads all tables of the ocaml strategy. */
static sm_status read_all_ocaml(struct reader *r) {
    sm_places symbols;
    size_t kept = 0, i = 0;
    sm_status s = sm_places_of(&symbols, r->e, 1u << STT_NOTYPE | 1u << STT_OBJECT);
    if (s != SM_OK)
        return s;
    for (size_t j = 0; j < symbols.places; j++)
        if (is_frametable(&symbols.place[j]))
            symbols.place[kept++] = symbols.place[j];
    symbols.places = kept;
    while (s == SM_OK && i < symbols.places)
        s = read_tables(r, &symbols, &i);
    sm_places_free(&symbols);
    return s;
}

/* Sets the format of the whole: that of its functions, if they agree; else each function keeps its own. */
static void choose_format(sm_stackmap *m) {
    const char *format = m->functions ? m->function[0].format : "none";
    for (uint32_t i = 1; i < m->functions; i++)
        if (strcmp(m->function[i].format, format) != 0)
            format = "mixed";
    m->format = format;
    for (uint32_t i = 0; i < m->functions; i++)
        if (strcmp(format, "mixed") != 0)
            m->function[i].format = NULL;
}

sm_status sm_gcmap_of_object(sm_stackmap *m, const sm_elf *e, sm_stackmap_error *err) {
    sm_places functions;
    struct reader r = {.m = m, .e = e, .err = err, .functions = &functions};
    sm_status s = sm_places_of(&functions, e, SM_FUNCTION_SYMBOLS);
    for (uint32_t i = 0; i < m->functions; i++)
        if (!m->function[i].format)
            m->function[i].format = m->format;
    if (s == SM_OK)
        s = read_all_erlang(&r);
    if (s == SM_OK)
        s = read_all_ocaml(&r);
    if (s == SM_OK)
        s = sm_framemaps_of_object(m, e);
    if (s == SM_OK)
        choose_format(m);
    if (s == SM_INVALID_OBJECT && err)
        sm_stackmap_refuse(err, 0, "The object's symbols or relocations are damaged");
    sm_places_free(&functions);
    return s;
}
