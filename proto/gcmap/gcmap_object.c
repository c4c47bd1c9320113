/* gcmap_object.c - see gcmap_object.h.
 *
 * The layout has one set of roots for all safepoints of a function, as gcroot has it. Statepoints have their own, so a
 * function has as many tables as there are sets, each with the safepoints that have it. */
#include "gcmap_object.h"

#include "layout.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORD = 8, REGISTER_ARGUMENTS = 6 }; /* of the document's formula for the arity */

struct writer {
    struct layout l;
    const sm_stackmap *m;
    char *why;
    size_t why_size;
    int32_t **roots; /* owned, each of them too: by record of the map, how many and their offsets */
};

/* Fails, saying what the table's layout has no place for, and at which safepoint. */
__attribute__((format(printf, 4, 5))) static sm_status refuse(struct writer *w, const sm_function *f,
                                                              const sm_record *r, const char *fmt, ...) {
    char text[160];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    snprintf(w->why, w->why_size, "%s+0x%x: %s, which the layout of __gcmap_ tables has no place for",
             f->name ? f->name : "a function", r->offset, text);
    return SM_INVALID_STACKMAP;
}

static int is_safepoint(const sm_record *r) {
    return r->kind == SM_RECORD_STATEPOINT || r->kind == SM_RECORD_GCROOT;
}

/* 1 if two locations are the same place. */
static int is_same(const sm_location *a, const sm_location *b) {
    return a->kind == b->kind && a->dwarf == b->dwarf && a->offset == b->offset && a->size == b->size;
}

static int by_value(const void *a, const void *b) {
    const int32_t *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

/* Reads a safepoint's roots as offsets from the stack pointer. *ROOTS is *new*: ascending, each once, after their
 * number. Refuses roots in registers, derived pointers and regions. */
static sm_status read_roots(struct writer *w, const sm_function *f, const sm_record *r, int32_t **roots) {
    uint16_t sp = w->m->machine == EM_X86_64 ? 7 : 31;
    sm_statepoint p;
    int32_t n = 0;
    sm_status s = sm_statepoint_split(w->m, r, &p);
    if (s != SM_OK)
        return s;
    int32_t *list = malloc((p.roots + 1) * sizeof *list);
    if (!list)
        s = SM_NOMEM;
    else if (p.regions)
        s = refuse(w, f, r, "an alloca with pointers is live");
    for (uint32_t i = 0; s == SM_OK && i < p.roots; i++) {
        const sm_location *base = &p.root[i].base, *derived = &p.root[i].derived;
        if (base->kind == SM_LOCATION_CONSTANT && derived->kind == SM_LOCATION_CONSTANT)
            continue;
        if (!is_same(base, derived))
            s = refuse(w, f, r, "a pointer is derived from another one");
        else if (base->kind != SM_LOCATION_INDIRECT || base->size != WORD)
            s = refuse(w, f, r, "a root is in a register");
        else if (base->dwarf != sp)
            s = refuse(w, f, r, "a root's slot is counted from register %u, not from the stack pointer", base->dwarf);
        else
            list[++n] = base->offset;
    }
    sm_statepoint_free(&p);
    if (s != SM_OK) {
        free(list);
        return s;
    }
    qsort(list + 1, (size_t)n, sizeof *list, by_value);
    list[0] = 0;
    for (int32_t i = 1; i <= n; i++)
        if (!list[0] || list[list[0]] != list[i])
            list[++list[0]] = list[i];
    *roots = list;
    return SM_OK;
}

/* Finds the symbol and its value that addresses in a function's section are counted from. In a group, of which the
 * linker may drop all but one copy, it is the function's own, which is not local; else any of the section. */
static sm_status find_symbol(const struct writer *w, const sm_function *f, size_t *symbol, uint64_t *value) {
    const sm_elf *e = w->l.e;
    size_t section = f->section_index ? f->section_index : f->section ? sm_elf_find(e, f->section, 0) : 0;
    int in_group = section < e->sections && e->section[section].flags & SHF_GROUP;
    *value = 0;
    *symbol = section < e->sections && !in_group ? w->l.symbol_of[section] : 0;
    for (size_t i = 1; !*symbol && i < e->symbols; i++) {
        sm_elf_symbol s;
        if (sm_elf_symbol_at(e, i, &s) != SM_OK || !s.in_section || s.section != section ||
            (in_group && (s.bind == STB_LOCAL || s.value != f->offset)))
            continue;
        *symbol = i;
        *value = s.value;
    }
    return *symbol ? SM_OK : SM_INVALID_OBJECT;
}

/* Writes the table of the safepoints, from record FIRST on, that have its roots, and marks them as done by freeing
 * their roots. */
static sm_status put_table(struct writer *w, const sm_function *f, uint32_t first, uint32_t arity, size_t *start) {
    sm_buf *b = &w->l.change[TABLE].bytes;
    uint32_t count = 0, absolute = w->m->machine == EM_X86_64 ? R_X86_64_64 : R_AARCH64_ABS64;
    int32_t *roots = w->roots[first];
    size_t symbol;
    uint64_t value;
    sm_status s = find_symbol(w, f, &symbol, &value);
    sm_buf_align(b, WORD);
    *start = b->len;
    sm_buf_put_u32(b, 0);
    sm_buf_put_u32(b, 0); /* addresses are aligned, as in the document's struct */
    for (uint32_t i = first; s == SM_OK && i < f->record + f->records; i++) {
        int32_t *other = w->roots[i];
        if (!other || other[0] != roots[0] || memcmp(other, roots, (size_t)(roots[0] + 1) * sizeof *roots) != 0)
            continue;
        s = layout_add_relocation(&w->l, b->len, absolute, symbol,
                                  (int64_t)(f->offset - value + w->m->record[i].offset));
        sm_buf_put_u64(b, 0);
        count++;
        if (i != first) {
            free(other);
            w->roots[i] = NULL;
        }
    }
    if (s == SM_OK && b->status == SM_OK)
        memcpy(b->data + *start, &count, sizeof count);
    sm_buf_put_u32(b, (uint32_t)(f->frame_size / WORD));
    sm_buf_put_u32(b, arity > REGISTER_ARGUMENTS ? arity - REGISTER_ARGUMENTS : 0);
    for (int32_t i = 0; i <= roots[0]; i++)
        sm_buf_put_u32(b, (uint32_t)roots[i]);
    free(roots);
    w->roots[first] = NULL;
    return s == SM_OK ? b->status : s;
}

/* 1, with the function's own symbol, if other objects can name it; 0 otherwise. */
static int is_named(const struct writer *w, const sm_function *f, sm_elf_symbol *found) {
    for (size_t i = 1; f->name && i < w->l.e->symbols; i++)
        if (sm_elf_symbol_at(w->l.e, i, found) == SM_OK && found->in_section && found->bind != STB_LOCAL &&
            strcmp(found->name, f->name) == 0)
            return 1;
    return 0;
}

/* Gives a table its symbol, __gcmap_FUNCTION, with a number if it is not the first. Functions that are local get
 * none. */
static sm_status name_table(struct writer *w, const sm_function *f, uint32_t number, size_t start) {
    sm_elf_symbol own;
    sm_buf name;
    if (!is_named(w, f, &own))
        return SM_OK;
    sm_buf_init(&name, 1 << 20);
    sm_buf_printf(&name, "__gcmap_%s", f->name);
    if (number)
        sm_buf_printf(&name, ".%u", number);
    sm_status s = name.status;
    if (s == SM_OK)
        layout_add_symbol(&w->l, sm_buf_cstr(&name), own.bind, own.visibility, start,
                          w->l.change[TABLE].bytes.len - start);
    sm_buf_free(&name);
    return s;
}

/* Writes a function's tables: one for each set of roots. Refuses what they cannot express. */
static sm_status put_function_table(struct writer *w, const sm_function *f, uint32_t arity) {
    uint32_t number = 0;
    sm_status s = SM_OK;
    for (uint32_t i = f->record; s == SM_OK && i < f->record + f->records; i++) {
        const sm_record *r = &w->m->record[i];
        if (is_safepoint(r) && f->frame_size == UINT64_MAX)
            s = refuse(w, f, r, "the frame's size is not known before it runs");
        else if (is_safepoint(r))
            s = read_roots(w, f, r, &w->roots[i]);
    }
    for (uint32_t i = f->record; s == SM_OK && i < f->record + f->records; i++) {
        size_t start;
        if (!w->roots[i])
            continue;
        s = put_table(w, f, i, arity, &start);
        if (s == SM_OK)
            s = name_table(w, f, number++, start);
    }
    return s;
}

sm_status sm_gcmap_object(const sm_elf *e, const sm_stackmap *m, const uint32_t *arity, sm_buf *out, char *why,
                          size_t why_size) {
    struct writer w = {.m = m, .why = why, .why_size = why_size};
    size_t table = sm_elf_find(e, SM_STACKMAP_SECTION, 0);
    snprintf(why, why_size, "The object's headers are of another kind");
    w.roots = calloc(m->records + 1, sizeof *w.roots);
    sm_status s = layout_begin(&w.l, e, table && sm_elf_relocs_of(e, table, 0) ? table : 0, out);
    if (s == SM_OK && !w.roots)
        s = SM_NOMEM;
    for (uint32_t i = 0; s == SM_OK && i < m->functions; i++)
        s = put_function_table(&w, &m->function[i], arity[i]);
    if (s == SM_OK) {
        layout_name(&w.l, SM_GCMAP_SECTION, ".rela" SM_GCMAP_SECTION, SHF_ALLOC | SHF_WRITE | SHF_GNU_RETAIN, WORD);
        layout_rename(&w.l, "__LLVM_StackMaps", "__smd_gcmaps");
    }
    for (uint32_t i = 0; w.roots && i < m->records; i++)
        free(w.roots[i]);
    free(w.roots);
    return layout_end(&w.l, s);
}
