/* relocate.c - relocations: what they need, and what they write. */
#include "error.h"
#include "image.h"
#include "lazy.h"
#include "reloc.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>

#define PAGE ((uintptr_t)0xfff)

/* The relocations of the object's machine. */
static const struct machine *machine_of(const struct image *im) {
    return im->elf.machine == EM_AARCH64 ? &machine_aarch64 : &machine_x86_64;
}

/* Fails with a message like "R_X86_64_PC32 at .text+0x12 against 'f'", followed by what is wrong with it. */
__attribute__((format(printf, 7, 8))) static sm_result refuse(const struct image *im, sm_result result,
                                                              size_t section, const struct reloc *row,
                                                              const sm_elf_reloc *r, const char *symbol,
                                                              const char *fmt, ...) {
    char what[256];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(what, sizeof what, fmt, ap);
    va_end(ap);
    return fail(im->err, result, "%s at %s+0x%llx against '%s' %s", row->name, im->elf.section[section].name,
                (unsigned long long)r->offset, symbol, what);
}

/* The row of a relocation type; NULL if it is not known. */
static const struct reloc *find_row(const struct machine *m, uint32_t type) {
    for (size_t i = 0; i < m->rows; i++)
        if (m->row[i].type == type)
            return &m->row[i];
    return NULL;
}

typedef sm_result visit_reloc(struct image *im, size_t section, const struct reloc *row, const sm_elf_reloc *r);

/* Calls VISIT for every relocation of one SHT_RELA section, until one fails; fails itself if a type is not known. */
static sm_result each_of_table(struct image *im, size_t table, visit_reloc *visit) {
    const struct machine *m = machine_of(im);
    size_t section = im->elf.section[table].info, count = sm_elf_reloc_count(&im->elf, table);
    const struct reloc *row = NULL;
    sm_result result = SM_SUCCESS;
    for (size_t i = 0; result == SM_SUCCESS && i < count; i++) {
        sm_elf_reloc r;
        sm_elf_reloc_at(&im->elf, table, i, &r);
        if (!row || row->type != r.type)
            row = find_row(m, r.type);
        if (!row)
            return fail(im->err, SM_ERR_UNSUPPORTED, "The relocation of type %u at %s+0x%llx is not known", r.type,
                        im->elf.section[section].name, (unsigned long long)r.offset);
        result = visit(im, section, row, &r);
    }
    return result;
}

/* Calls VISIT for every relocation of sections that are loaded. Headers may claim the same relocations again and
 * again: fails if there are more than fit in the file. */
static sm_result each_relocation(struct image *im, visit_reloc *visit) {
    size_t claimed = 0;
    sm_result result = SM_SUCCESS;
    for (size_t i = 1; result == SM_SUCCESS && i < im->elf.sections; i++) {
        const sm_elf_section *t = &im->elf.section[i];
        int applies = t->type == SHT_RELA && t->info < im->elf.sections && t->info != 0 &&
                      (im->section[t->info].placed || t->info == im->stackmap);
        claimed += applies ? t->bytes.len : 0;
        if (claimed > im->elf.file.len)
            return fail(im->err, SM_ERR_INVALID_OBJECT, "Relocation sections overlap in the file");
        if (applies)
            result = each_of_table(im, i, visit);
    }
    return result;
}

/* 1 if the formula needs the GOT's address, or an entry of it. */
static int uses_got(enum formula f) {
    return f >= RELOC_G_A && f <= RELOC_G_A_PAGE_GOT && f != RELOC_Z_A && f != RELOC_PAGE_S_A_P;
}

/* 1 if the formula needs the symbol's entry in the GOT. */
static int uses_entry(enum formula f) {
    return f == RELOC_G_A || f == RELOC_G_A_P || f == RELOC_G_A_GOT || f == RELOC_PAGE_G_A_P ||
           f == RELOC_G_A_PAGE_GOT;
}

/* 1 if the relocation is of a thread-local variable. */
static int is_thread(const struct reloc *row) {
    return row->formula == RELOC_T_A || row->formula == RELOC_D_A || row->entry != ENTRY_ADDRESS;
}

/* The number of the entry that the relocation uses; NOWHERE if it has none yet. */
static uint32_t *entry_number(struct image *im, const struct reloc *row, struct symbol *s) {
    return row->entry == ENTRY_ADDRESS  ? &s->got
           : row->entry == ENTRY_MODULE ? &im->module_entry
                                        : &s->thread_got[row->entry];
}

/* Reserves the entry that the relocation uses. */
static void need_entry(struct image *im, const struct reloc *row, struct symbol *s) {
    static const unsigned char words[] = {
        [ENTRY_ADDRESS] = 1, [ENTRY_OFFSET] = 1, [ENTRY_PAIR] = 2, [ENTRY_DESCRIPTOR] = 4, [ENTRY_MODULE] = 2};
    uint32_t *number = entry_number(im, row, s);
    if (*number != NOWHERE)
        return;
    *number = im->gots;
    im->gots += words[row->entry];
    if (row->entry == ENTRY_DESCRIPTOR)
        lazy_find_state();
}

/* Notes what a relocation of a thread-local variable needs. Fails if the variable is none, or the relocation is none of
 * such a one. */
static sm_result scan_thread(struct image *im, size_t section, const struct reloc *row, const sm_elf_reloc *r,
                             struct symbol *s) {
    if (is_thread(row) != (s->state == SYMBOL_THREAD))
        return refuse(im, SM_ERR_UNSUPPORTED, section, row, r, s->name,
                      is_thread(row) ? "is of a thread-local variable, which that is not"
                                     : "is of no thread-local variable, which that is");
    if (row->formula == RELOC_D_A && s->module != im->tls)
        return refuse(im, SM_ERR_UNSUPPORTED, section, row, r, s->name, "is of a variable of another object");
    if (row->formula == RELOC_T_A || row->entry == ENTRY_OFFSET) {
        s->needs_offset = 1;
        im->tls_needs_offset |= im->tls && s->module == im->tls;
    }
    return SM_SUCCESS;
}

/* 1 if the place is a branch's, which may go through a stub. */
static int is_branch(const struct image *im, size_t section, const struct reloc *row, const sm_elf_reloc *r) {
    sm_slice bytes = im->elf.section[section].bytes;
    return row->formula == RELOC_L_A_P || row->formula == RELOC_L_A_GOT ||
           machine_of(im)->is_branch(row, bytes.data, r->offset);
}

/* Reserves the symbol a stub and GOT entry, if a branch to it may turn out to be too far. Whether it is, is known
 * only when all has its place. */
static void need_stub(struct image *im, struct symbol *s) {
    int inside = s->state == SYMBOL_LOCAL && im->demand.bytes[AREA_CODE] < machine_of(im)->branch_reach;
    if (inside || s->stub != NOWHERE)
        return;
    s->stub = im->stubs++;
    if (s->got == NOWHERE)
        s->got = im->gots++;
}

/* 1 if the place holds an address as 32 bits, so that the object needs low addresses. */
static int absolute_in_32_bits(const struct reloc *row) {
    return row->formula == RELOC_S_A && row->field == FIELD_DATA && row->bytes == 4;
}

/* 1 if an instruction has to reach data within 1 MiB, as in the tiny code model of AArch64. */
static int is_tiny(const struct image *im, const struct reloc *row, const struct symbol *s) {
    int is_code = s->state == SYMBOL_LOCAL && im->section[s->section].placed &&
                  im->section[s->section].area == AREA_CODE && !uses_entry(row->formula);
    return row->field != FIELD_DATA && row->bits == 21 && !is_code;
}

/* Fails if the place lies outside its section. */
static sm_result check_place(struct image *im, size_t section, const struct reloc *row, const sm_elf_reloc *r) {
    const sm_elf_section *s = &im->elf.section[section];
    if (r->offset > s->bytes.len || s->bytes.len - r->offset < row->bytes)
        return fail(im->err, SM_ERR_INVALID_OBJECT, "%s at %s+0x%llx lies outside its section", row->name, s->name,
                    (unsigned long long)r->offset);
    return SM_SUCCESS;
}

/* Notes a reference of code to the shadow stack's chain: its function keeps roots there. */
static void note_chain(struct image *im, size_t section, const struct symbol *s, const sm_elf_reloc *r) {
    if (im->section[section].area == AREA_CODE && strcmp(s->name, "llvm_gc_root_chain") == 0)
        sm_buf_put(&im->chain_uses, &(struct place){section, r->offset}, sizeof(struct place));
}

/* Checks one relocation, and reserves what it needs: GOT entry, stub, low addresses, a small region. Fails if its
 * symbol is found nowhere. */
static sm_result scan_one(struct image *im, size_t section, const struct reloc *row, const sm_elf_reloc *r) {
    struct symbol *s = NULL;
    if (row->formula == RELOC_NONE)
        return SM_SUCCESS;
    sm_result result = check_place(im, section, row, r);
    if (result == SM_SUCCESS && row->formula == RELOC_REFUSED) {
        sm_elf_symbol e = {.name = "?"};
        sm_elf_symbol_at(&im->elf, r->symbol, &e);
        return refuse(im, SM_ERR_UNSUPPORTED, section, row, r, e.name, "is not done by the loader");
    }
    if (result == SM_SUCCESS)
        result = image_symbol(im, r->symbol, &s);
    if (result == SM_SUCCESS)
        result = scan_thread(im, section, row, r, s);
    if (result != SM_SUCCESS)
        return result;
    if (im->section[section].is_thread)
        im->tls_is_zero = 0;
    if (s->state == SYMBOL_LOCAL && !im->section[s->section].placed && im->elf.section[s->section].size)
        return refuse(im, SM_ERR_UNSUPPORTED, section, row, r, s->name, "refers to section %s, which is not loaded",
                      im->elf.section[s->section].name);
    if (im->section[section].placed)
        note_chain(im, section, s, r);
    im->needs_got |= uses_got(row->formula) || s->state == SYMBOL_GOT;
    if (uses_entry(row->formula))
        need_entry(im, row, s);
    if (is_branch(im, section, row, r))
        need_stub(im, s);
    im->needs_tiny |= is_tiny(im, row, s);
    im->needs_low |= absolute_in_32_bits(row) && s->state != SYMBOL_ABSOLUTE && s->state != SYMBOL_EXTERNAL;
    return SM_SUCCESS;
}

sm_result scan_relocations(struct image *im) {
    return each_relocation(im, scan_one);
}

/* The address of entry NUMBER of the GOT. */
static uintptr_t entry_of(const struct image *im, uint32_t number) {
    return im->got + 8 * (uintptr_t)number;
}

/* 1 if a value is in the range of the relocation. */
static int fits(const struct reloc *row, int64_t v) {
    unsigned bits = row->bits;
    if (row->range == RANGE_ANY || bits >= 64)
        return 1;
    int as_signed = v >= -((int64_t)1 << (bits - 1)) && v < (int64_t)1 << (bits - 1);
    int as_unsigned = v >= 0 && v < (int64_t)1 << bits;
    return row->range == RANGE_SIGNED     ? as_signed
           : row->range == RANGE_UNSIGNED ? as_unsigned
                                          : as_signed || as_unsigned;
}

/* Computes the relocation's formula, with TO for S or L. */
static int64_t value_of(const struct image *im, const struct reloc *row, const struct symbol *s, uintptr_t to,
                        uintptr_t entry, uint64_t addend, uintptr_t place) {
    switch (row->formula) {
    case RELOC_S_A:
        return (int64_t)(to + addend);
    case RELOC_S_A_P:
    case RELOC_L_A_P:
        return (int64_t)(to + addend - place);
    case RELOC_G_A:
        return (int64_t)(entry + addend);
    case RELOC_G_A_P:
        return (int64_t)(entry + addend - place);
    case RELOC_G_A_GOT:
        return (int64_t)(entry + addend - im->got);
    case RELOC_S_A_GOT:
    case RELOC_L_A_GOT:
        return (int64_t)(to + addend - im->got);
    case RELOC_GOT_A_P:
        return (int64_t)(im->got + addend - place);
    case RELOC_Z_A:
        return (int64_t)(s->size + addend);
    case RELOC_PAGE_S_A_P:
        return (int64_t)(((to + addend) & ~PAGE) - (place & ~PAGE));
    case RELOC_PAGE_G_A_P:
        return (int64_t)(((entry + addend) & ~PAGE) - (place & ~PAGE));
    case RELOC_G_A_PAGE_GOT:
        return (int64_t)(entry + addend - (im->got & ~PAGE));
    case RELOC_T_A:
        return (int64_t)(tls_index_of(s->module, s->value).offset + addend);
    case RELOC_D_A:
        return (int64_t)(s->value + addend);
    case RELOC_NONE:
    case RELOC_REFUSED:
        break;
    }
    return 0;
}

/* Writes the symbol's stub; gives its address. A chosen function's stub uses the entry of what is chosen. */
static uintptr_t write_stub(struct image *im, const struct symbol *s) {
    const struct machine *m = machine_of(im);
    uintptr_t address = im->stub + s->stub * (uintptr_t)STUB_ROOM;
    m->stub(image_host(im, AREA_CODE, address), address,
            s->chosen == NOWHERE ? entry_of(im, s->got) : im->got + 8 * (uintptr_t)s->chosen);
    return address;
}

/* Writes the entry at ADDRESS that the relocation uses, with TO for S. */
static void write_entry(const struct image *im, const struct reloc *row, const struct symbol *s, uintptr_t address,
                        uintptr_t to) {
    struct tls_module *m = row->entry == ENTRY_MODULE ? im->tls : s->module;
    struct tls_index x = tls_index_of(m, row->entry == ENTRY_MODULE ? 0 : s->value);
    unsigned char *at = image_host(im, AREA_CONST, address);
    uintptr_t index = address + 2 * sizeof index;
    uintptr_t descriptor[2] = {(uintptr_t)(x.module ? tls_descriptor : tls_static_descriptor),
                               x.module ? index : x.offset};
    switch ((enum entry)row->entry) {
    case ENTRY_ADDRESS:
        memcpy(at, &to, sizeof to);
        break;
    case ENTRY_OFFSET:
        memcpy(at, &x.offset, sizeof x.offset);
        break;
    case ENTRY_DESCRIPTOR:
        memcpy(at, descriptor, sizeof descriptor);
        memcpy(at + sizeof descriptor, &x, sizeof x);
        break;
    case ENTRY_PAIR:
    case ENTRY_MODULE:
        memcpy(at, &x, sizeof x);
        break;
    case ENTRIES:
        break;
    }
}

/* Writes one relocation and its symbol's GOT entry; through a stub if a branch does not reach. Fails if the value
 * does not fit. */
static sm_result apply_one(struct image *im, size_t section, const struct reloc *row, const sm_elf_reloc *r) {
    struct section *in = &im->section[section];
    if (row->formula == RELOC_NONE)
        return SM_SUCCESS;
    struct symbol *s = &im->symbol[r->symbol];
    uintptr_t to = image_address(im, s), place = in->address + r->offset;
    uint32_t number = *entry_number(im, row, s);
    uintptr_t entry = number == NOWHERE ? 0 : entry_of(im, number);
    if (s->needs_offset && tls_index_of(s->module, 0).module)
        return refuse(im, SM_ERR_UNSUPPORTED, section, row, r, s->name,
                      "is reached at a fixed offset (initial or local exec), and is in an object that was loaded for "
                      "general dynamic alone: compile one of them otherwise");
    if (number != NOWHERE)
        write_entry(im, row, s, entry, to);
    int64_t v = value_of(im, row, s, to, entry, (uint64_t)r->addend, place);
    /* An addend to a local symbol would get lost on the way through a stub. */
    if (!fits(row, v) && s->stub != NOWHERE && (s->state != SYMBOL_LOCAL || r->addend == 0))
        v = value_of(im, row, s, write_stub(im, s), entry, (uint64_t)r->addend, place);
    if (!fits(row, v))
        return refuse(im, SM_ERR_OUT_OF_RANGE, section, row, r, s->name,
                      "is out of range: it would have to hold %lld", (long long)v);
    if (!machine_of(im)->write(in->host + r->offset, row, v))
        return refuse(im, SM_ERR_OUT_OF_RANGE, section, row, r, s->name,
                      "is not aligned as its instruction needs it");
    return SM_SUCCESS;
}

/* 1 if a function in the object chooses what the symbol is (STT_GNU_IFUNC). */
static int is_chosen(const struct symbol *s) {
    return s->state == SYMBOL_LOCAL && s->chosen != NOWHERE;
}

/* Writes all relocations, and the stubs of chosen functions. Requires that sections have their addresses. */
sm_result apply_relocations(struct image *im) {
    for (size_t i = 1; i < im->elf.symbols; i++)
        if (is_chosen(&im->symbol[i]))
            write_stub(im, &im->symbol[i]);
    return each_relocation(im, apply_one);
}

/* Calls an ifunc's resolver and gives the function that it chose. The arguments are what glibc passes on AArch64;
 * on x86-64 there are none. */
static uintptr_t choose(uintptr_t chooser) {
#if defined(__aarch64__)
    const struct {
        unsigned long size, hwcap, hwcap2;
    } more = {sizeof more, getauxval(AT_HWCAP), getauxval(AT_HWCAP2)};
    return ((uintptr_t (*)(uint64_t, const void *))chooser)(more.hwcap | 1ull << 62, &more);
#else
    return ((uintptr_t (*)(void))chooser)();
#endif
}

sm_result choose_functions(struct image *im) {
    for (size_t i = 1; i < im->elf.symbols; i++) {
        const struct symbol *s = &im->symbol[i];
        if (!is_chosen(s))
            continue;
        uintptr_t to = choose(im->section[s->section].address + s->value);
        if (!to)
            return fail(im->err, SM_ERR_UNDEFINED_SYMBOL, "'%s' is chosen by a function, which chose none", s->name);
        if (!image_patch(im, im->got + 8 * (uintptr_t)s->chosen, &to, sizeof to))
            return fail(im->err, SM_ERR_SYSTEM, "Memory cannot be written");
    }
    return SM_SUCCESS;
}
