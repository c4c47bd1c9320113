/* disasm.c - the object's code as text: functions, instructions whose targets are named, and a mark at every
 * safepoint.
 *
 *     0000000000000020 <cons>:
 *           20:  callq allocate                       <- safepoint, call
 *           25:  jne 0x3c <cons+0x1c>
 *
 * A jump within the section has its target's address, as the lines have it, and place; one that the linker completes
 * has the symbol. LLVM asks for the name of each target, and says where that is by doing so (note_branch).
 */
#include "base.h"
#include "memory.h"
#include "report.h"

#include <assert.h>
#include <llvm-c/Disassembler.h>
#include <stdlib.h>
#include <string.h>

/* A function's begin, or a safepoint's return address. */
struct place {
    uint64_t offset; /* in the section */
    size_t order;    /* of what is at the same place */
    const char *name;
    const sm_record *record;
};

struct places {
    struct place *item;
    size_t count;
};

struct listing {
    struct compile *c;
    LLVMDisasmContextRef disassembler;
    const sm_elf_section *section;
    size_t index; /* of the section */
    /* What is in the section, by offset. */
    struct places functions, safepoints;
    sm_elf_reloc *reloc;
    size_t relocs, next_reloc;
    /* Of the instruction that was read last. */
    int is_branch;
    uint64_t target;
};

enum { COLUMN = 46 }; /* where remarks on an instruction begin */

/* ---- What is in a section ----------------------------------------------------------------------------------- */

static int places_by_offset(const void *a, const void *b) {
    const struct place *x = a, *y = b;
    return x->offset != y->offset ? (x->offset > y->offset) - (x->offset < y->offset)
                                  : (x->order > y->order) - (x->order < y->order);
}

static int relocs_by_offset(const void *a, const void *b) {
    const sm_elf_reloc *x = a, *y = b;
    return (x->offset > y->offset) - (x->offset < y->offset);
}

/* Appends a place, whose order becomes its index; the caller has reserved room. */
static void add_place_line(struct places *p, struct place place) {
    place.order = p->count;
    p->item[p->count++] = place;
}

/* Lists the functions of the section, by offset. */
static void find_functions(struct listing *l) {
    const sm_elf *e = &l->c->object.elf;
    sm_elf_symbol s;
    l->functions.count = 0;
    for (size_t i = 1; i < e->symbols; i++)
        if (sm_elf_symbol_at(e, i, &s) == SM_OK && s.section == l->index && s.type == STT_FUNC)
            add_place_line(&l->functions, (struct place){.offset = s.value, .name = s.name});
    qsort(l->functions.item, l->functions.count, sizeof *l->functions.item, places_by_offset);
}

/* Lists the safepoints of the section, by their return addresses. */
static void find_safepoints(struct listing *l) {
    const sm_stackmap *m = &l->c->object.map;
    l->safepoints.count = 0;
    for (uint32_t f = 0; f < m->functions; f++) {
        const sm_function *fn = &m->function[f];
        if (!fn->section || strcmp(fn->section, l->section->name) != 0)
            continue;
        for (uint32_t i = 0; i < fn->records; i++) {
            const sm_record *r = &m->record[fn->record + i];
            add_place_line(&l->safepoints, (struct place){.offset = fn->offset + r->offset, .record = r});
        }
    }
    qsort(l->safepoints.item, l->safepoints.count, sizeof *l->safepoints.item, places_by_offset);
}

/* Lists the relocations of the section, by offset. */
static void find_relocs(struct listing *l) {
    const sm_elf *e = &l->c->object.elf;
    size_t most = 0;
    for (size_t r = sm_elf_relocs_of(e, l->index, 0); r; r = sm_elf_relocs_of(e, l->index, r))
        most += sm_elf_reloc_count(e, r);
    free(l->reloc);
    l->relocs = l->next_reloc = 0;
    l->reloc = xcalloc(most + 1, sizeof *l->reloc);
    for (size_t r = sm_elf_relocs_of(e, l->index, 0); r; r = sm_elf_relocs_of(e, l->index, r))
        for (size_t i = 0; i < sm_elf_reloc_count(e, r) && l->relocs < most; i++)
            l->relocs += sm_elf_reloc_at(e, r, i, &l->reloc[l->relocs]) == SM_OK;
    qsort(l->reloc, l->relocs, sizeof *l->reloc, relocs_by_offset);
}

/* The last place at or before OFFSET, of several at one offset the first; NULL if there is none. */
static const struct place *place_before(const struct places *p, uint64_t offset) {
    size_t low = 0, high = p->count;
    while (low < high) {
        size_t mid = low + (high - low) / 2;
        if (p->item[mid].offset <= offset)
            low = mid + 1;
        else
            high = mid;
    }
    if (!low)
        return NULL;
    for (low--; low && p->item[low - 1].offset == p->item[low].offset; low--)
        ;
    return &p->item[low];
}

/* The first place at OFFSET; NULL if there is none. */
static const struct place *line_place_at(const struct places *p, uint64_t offset) {
    const struct place *result = place_before(p, offset);
    return result && result->offset == offset ? result : NULL;
}

/* The first relocation of the bytes from FROM to TO; NULL if there is none. Ranges have to be asked for in ascending
 * order. */
static const sm_elf_reloc *reloc_in(struct listing *l, uint64_t from, uint64_t to) {
    while (l->next_reloc < l->relocs && l->reloc[l->next_reloc].offset < from)
        l->next_reloc++;
    const sm_elf_reloc *r = &l->reloc[l->next_reloc];
    return l->next_reloc < l->relocs && r->offset < to ? r : NULL;
}

/* ---- Lines -------------------------------------------------------------------------------------------------- */

/* LLVM's callback for symbols: notes the target VALUE of a branch in the listing, and gives no symbol, as smd writes
 * the name after the address. */
static const char *note_branch(void *data, uint64_t value, uint64_t *type, uint64_t pc, const char **name) {
    struct listing *l = data;
    (void)pc;
    if (*type == LLVMDisassembler_ReferenceType_In_Branch) {
        l->is_branch = 1;
        l->target = value;
    }
    *type = LLVMDisassembler_ReferenceType_InOut_None;
    *name = NULL;
    return NULL;
}

/* Writes a name; control characters, which could break the line or steer a terminal, become "?". */
static void put_name_line(sm_buf *out, const char *name) {
    for (; *name && out->status == SM_OK; name++)
        sm_buf_put_u8(out, (unsigned char)*name < 0x20 || *name == 0x7f ? '?' : (unsigned char)*name);
}

/* Writes a symbol and a distance: "f", "f+0x10", "f-0x4". */
static void put_symbol(sm_buf *out, const char *name, int64_t distance) {
    put_name_line(out, name);
    if (distance)
        sm_buf_printf(out, "%c0x%llx", distance < 0 ? '-' : '+',
                      distance < 0 ? 0 - (unsigned long long)distance : (unsigned long long)distance);
}

/* Writes the instruction TEXT, which ends at END, with SYMBOL in place of its target, which the relocation R fills
 * in. */
static void put_call(const struct listing *l, const char *text, const char *symbol, const sm_elf_reloc *r,
                     uint64_t end) {
    const char *space = strrchr(text, ' ');
    size_t kept = space ? (size_t)(space + 1 - text) : strlen(text);
    /* x86's distances count from the end of the instruction, AArch64's from the instruction. */
    int64_t bias = l->c->object.elf.machine == EM_X86_64 ? (int64_t)(end - r->offset) : 0;
    sm_buf_printf(&l->c->disassembly, "%.*s", (int)kept, text);
    put_symbol(&l->c->disassembly, symbol, r->addend + bias);
}

/* Writes the instruction TEXT, and after its target's address the function and the distance, if it is in the
 * section. */
static void put_jump(const struct listing *l, const char *text) {
    sm_buf *out = &l->c->disassembly;
    const struct place *f = place_before(&l->functions, l->target);
    sm_buf_puts(out, text);
    if (!f || l->target > l->section->bytes.len)
        return;
    sm_buf_puts(out, " <");
    put_symbol(out, f->name, (int64_t)(l->target - f->offset));
    sm_buf_puts(out, ">");
}

/* Fills the line that begins at FROM with spaces up to the column of remarks, unless FROM is 0. Gives 0, as the next
 * remark of the line needs no padding. */
static size_t pad(sm_buf *out, size_t from) {
    size_t used = out->len - from;
    if (from)
        sm_buf_printf(out, "%*s", used < COLUMN ? (int)(COLUMN - used) : 0, "");
    return 0;
}

/* Writes the instruction of N bytes at AT, with the name of a function that begins there, its relocation, and the
 * safepoint that it ends at. */
static void put_line(struct listing *l, uint64_t at, size_t n, const char *text) {
    sm_buf *out = &l->c->disassembly;
    const struct place *function = line_place_at(&l->functions, at),
                       *safepoint = line_place_at(&l->safepoints, at + n);
    const sm_elf_reloc *r = reloc_in(l, at, at + n);
    sm_elf_symbol symbol;
    if (r && sm_elf_symbol_at(&l->c->object.elf, r->symbol, &symbol) != SM_OK)
        r = NULL;
    if (function) {
        sm_buf_printf(out, "\n%016llx <", (unsigned long long)at);
        put_name_line(out, function->name);
        sm_buf_puts(out, ">:\n");
    }
    size_t line = out->len;
    sm_buf_printf(out, "%8llx: ", (unsigned long long)at);
    if (l->is_branch && r)
        put_call(l, text, symbol.name, r, at + n);
    else if (l->is_branch)
        put_jump(l, text);
    else
        sm_buf_puts(out, text);
    if (r && !l->is_branch) {
        line = pad(out, line);
        sm_buf_puts(out, "  # ");
        put_name_line(out, symbol.name);
    }
    if (safepoint) {
        const sm_record *s = safepoint->record;
        pad(out, line);
        sm_buf_puts(out, "  <- safepoint");
        if (s->id != SM_DEFAULT_ID)
            sm_buf_printf(out, " %llu", (unsigned long long)s->id);
        if (s->reason)
            sm_buf_printf(out, ", %s", s->reason);
    }
    sm_buf_puts(out, "\n");
}

/* Disassembles and writes the instruction at AT, and gives its length in *N; a byte that is none is written as
 * data. */
static void put_instruction(struct listing *l, uint64_t at, size_t *n) {
    const unsigned char *code = l->section->bytes.data;
    char text[256];
    l->is_branch = 0;
    *n = LLVMDisasmInstruction(l->disassembler, (uint8_t *)code + at, l->section->bytes.len - at, at, text,
                               sizeof text);
    if (*n == 0) {
        snprintf(text, sizeof text, "\t.byte\t0x%02x", code[at]);
        l->is_branch = 0;
        *n = 1;
    }
    for (char *p = text; *p; p++)
        if (*p == '\t')
            *p = ' ';
    put_line(l, at, *n, text);
}

/* Writes the listing's current section. */
static void put_section(struct listing *l) {
    size_t n;
    find_functions(l);
    find_safepoints(l);
    find_relocs(l);
    sm_buf_printf(&l->c->disassembly, "section %s:\n", l->section->name);
    for (uint64_t at = 0; at < l->section->bytes.len && l->c->disassembly.status == SM_OK; at += n)
        put_instruction(l, at, &n);
}

/* Writes the disassembly of the object's code, if it was asked for. Requires the object. */
sm_status stage_disasm(struct compile *c) {
    assert(c->form == FORM_OBJECT);
    const sm_elf *e = &c->object.elf;
    struct listing l = {.c = c};
    sm_status s = SM_OK;
    if (!(c->options->emit & (SM_EMIT_DISASM | SM_EMIT_INTEL)))
        return SM_OK;
    l.disassembler =
        LLVMCreateDisasmCPUFeatures(c->triple, c->options->cpu, c->options->features, &l, 0, NULL, note_branch);
    if (!l.disassembler)
        return fail(c, SM_INTERNAL, NULL, "There is no disassembler for '%s'", c->triple);
    LLVMSetDisasmOptions(l.disassembler, LLVMDisassembler_Option_PrintImmHex);
    if (c->options->emit & SM_EMIT_INTEL && e->machine == EM_X86_64)
        LLVMSetDisasmOptions(l.disassembler, LLVMDisassembler_Option_AsmPrinterVariant);
    l.functions.item = xcalloc(e->symbols + 1, sizeof *l.functions.item);
    l.safepoints.item = xcalloc((size_t)c->object.map.records + 1, sizeof *l.safepoints.item);
    for (l.index = 1; l.index < e->sections; l.index++) {
        l.section = &e->section[l.index];
        if (l.section->flags & SHF_EXECINSTR && l.section->bytes.len)
            put_section(&l);
    }
    if (xstatus(c->disassembly.status) != SM_OK)
        s = fail(c, SM_OUTPUT_TOO_LARGE, NULL, "The disassembly is larger than the limit");
    free(l.functions.item);
    free(l.safepoints.item);
    free(l.reloc);
    LLVMDisasmDispose(l.disassembler);
    return s;
}
