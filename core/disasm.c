/* disasm.c - the object's code as text: functions, instructions, and a mark at every safepoint. */
#include "core.h"

#include <assert.h>
#include <llvm-c/Disassembler.h>
#include <stdlib.h>
#include <string.h>

struct listing {
    struct compile *c;
    LLVMDisasmContextRef disassembler;
    const sm_elf_section *section;
    size_t index; /* of the section */
};

static const char *name_at(const sm_elf *e, size_t section, uint64_t offset) {
    sm_elf_symbol s;
    for (size_t i = 1; i < e->symbols; i++)
        if (sm_elf_symbol_at(e, i, &s) == SM_OK && s.section == section && s.type == STT_FUNC && s.value == offset)
            return s.name;
    return NULL;
}

/* The safepoint that returns to OFFSET of the section. */
static const sm_record *record_at(const sm_stackmap *m, const char *section, uint64_t offset) {
    for (uint32_t f = 0; f < m->functions; f++) {
        const sm_function *fn = &m->function[f];
        if (!fn->section || strcmp(fn->section, section) != 0 || offset < fn->offset)
            continue;
        for (uint32_t i = 0; i < fn->records; i++)
            if (fn->offset + m->record[fn->record + i].offset == offset)
                return &m->record[fn->record + i];
    }
    return NULL;
}

/* The symbol that a relocation in this instruction names. */
static const char *target_in(const struct listing *l, uint64_t from, uint64_t to, char *buf, size_t size) {
    const sm_elf *e = &l->c->object.elf;
    for (size_t r = sm_elf_relocs_of(e, l->index, 0); r; r = sm_elf_relocs_of(e, l->index, r))
        for (size_t i = 0; i < sm_elf_reloc_count(e, r); i++) {
            sm_elf_reloc reloc;
            sm_elf_symbol symbol;
            if (sm_elf_reloc_at(e, r, i, &reloc) != SM_OK || reloc.offset < from || reloc.offset >= to ||
                sm_elf_symbol_at(e, reloc.symbol, &symbol) != SM_OK)
                continue;
            snprintf(buf, size, "%s", symbol.name);
            return buf;
        }
    return NULL;
}

static void put_line(struct listing *l, uint64_t at, size_t n, const char *text) {
    sm_buf *out = &l->c->disassembly;
    const char *name = name_at(&l->c->object.elf, l->index, at);
    char symbol[256];
    if (name)
        sm_buf_printf(out, "\n%016llx <%s>:\n", (unsigned long long)at, name);
    sm_buf_printf(out, "%8llx: %-44s", (unsigned long long)at, text);
    const char *target = target_in(l, at, at + n, symbol, sizeof symbol);
    if (target)
        sm_buf_printf(out, "  # %s", target);
    const sm_record *r = record_at(&l->c->object.map, l->section->name, at + n);
    if (r)
        sm_buf_printf(out, "  <- safepoint %llu%s%s", (unsigned long long)r->id, r->reason ? ", " : "",
                      r->reason ? r->reason : "");
    sm_buf_puts(out, "\n");
}

static void put_section(struct listing *l) {
    const unsigned char *code = l->section->bytes.data;
    char text[256];
    sm_buf_printf(&l->c->disassembly, "section %s:\n", l->section->name);
    for (uint64_t at = 0, left = l->section->bytes.len; left;) {
        size_t n = LLVMDisasmInstruction(l->disassembler, (uint8_t *)code + at, left, at, text, sizeof text);
        if (n == 0) {
            snprintf(text, sizeof text, "\t.byte\t0x%02x", code[at]);
            n = 1;
        }
        for (char *p = text; *p; p++)
            if (*p == '\t')
                *p = ' ';
        put_line(l, at, n, text);
        at += n;
        left -= n;
    }
}

/* Requires the object; gives its disassembly if it was asked for. */
sm_status stage_disasm(struct compile *c) {
    assert(c->form == FORM_OBJECT);
    if (!(c->options->emit & SM_EMIT_DISASM))
        return SM_OK;
    struct listing l = {.c = c,
                        .disassembler = LLVMCreateDisasmCPUFeatures(c->triple, c->options->cpu, c->options->features,
                                                                    NULL, 0, NULL, NULL)};
    if (!l.disassembler)
        return fail(c, SM_INTERNAL, NULL, "There is no disassembler for '%s'", c->triple);
    LLVMSetDisasmOptions(l.disassembler, LLVMDisassembler_Option_PrintImmHex);
    const sm_elf *e = &c->object.elf;
    for (l.index = 1; l.index < e->sections; l.index++) {
        l.section = &e->section[l.index];
        if (l.section->flags & SHF_EXECINSTR && l.section->bytes.len)
            put_section(&l);
    }
    LLVMDisasmDispose(l.disassembler);
    return c->disassembly.status == SM_OK
               ? SM_OK
               : fail(c, SM_OUTPUT_TOO_LARGE, NULL, "The disassembly is larger than the limit");
}
