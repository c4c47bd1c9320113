/* merges.c - could numbering statepoints by their reason have changed the code?
 *
 * LLVM's branch folder merges the ends of blocks that are equal, instruction by instruction, and lead to the same
 * place (llvm/lib/CodeGen/BranchFolding.cpp). It sees a statepoint's number. Two statepoints of the object that
 * differ in nothing that it sees but the number are merge candidates; it would have merged them if all that follows
 * them up to a common place were equal too. So both are followed in lockstep: the first difference shows that it
 * would not; where they meet, or the search gets long, it might have.
 */
#include "emitting.h"
#include "state.h"
#include "values.h"

#include <llvm-c/Disassembler.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS_MAX = 400, TEXT = 128 };

struct walk {
    const struct compile *c;
    LLVMDisasmContextRef disassembler;
    const sm_elf_section *section;
    size_t index; /* of the section */
    int steps;    /* left */
};

struct instruction {
    char text[TEXT]; /* without its target if it is a branch */
    size_t size;
    enum { PLAIN, JUMP, BRANCH, END } kind;
    uint64_t target; /* of a jump or branch within the section */
    int relocated;   /* boolean: a relocation fills its operand */
};

/* Finds a relocation of the section within [FROM, TO), in *OUT; 0 if there is none. */
static int has_merge_relocation(const struct walk *w, uint64_t from, uint64_t to, sm_elf_reloc *out) {
    const sm_elf *e = &w->c->object.elf;
    for (size_t r = sm_elf_relocs_of(e, w->index, 0); r; r = sm_elf_relocs_of(e, w->index, r))
        for (size_t i = 0; i < sm_elf_reloc_count(e, r); i++)
            if (sm_elf_reloc_at(e, r, i, out) == SM_OK && out->offset >= from && out->offset < to)
                return 1;
    return 0;
}

/* What an instruction does to control, by its mnemonic, on both targets. */
static int merge_kind_of(const char *text) {
    size_t n = strcspn(text, " \t");
    if (list_has("ud2,brk,br,hlt", text, n) || starts_with(text, "ret"))
        return END;
    if (list_has("jmp,b", text, n))
        return JUMP;
    return list_begins("j,b.,cbz,cbnz,tbz,tbnz", text) ? BRANCH : PLAIN;
}

/* Disassembles the instruction at AT into *IN, a branch's target apart from its text. 0 if there is none. */
static int read_instruction(const struct walk *w, uint64_t at, struct instruction *in) {
    char text[TEXT];
    const unsigned char *code = w->section->bytes.data;
    if (at >= w->section->bytes.len)
        return 0;
    memset(in, 0, sizeof *in);
    in->size = LLVMDisasmInstruction(w->disassembler, (uint8_t *)code + at, w->section->bytes.len - at, at, text,
                                     sizeof text);
    if (in->size == 0)
        return 0;
    sm_elf_reloc reloc;
    const char *trimmed = text + strspn(text, " \t");
    in->kind = merge_kind_of(trimmed);
    in->relocated = has_merge_relocation(w, at, at + in->size, &reloc);
    snprintf(in->text, sizeof in->text, "%s", trimmed);
    if (in->kind == JUMP || in->kind == BRANCH) {
        /* The target is the last operand: a displacement, from the next instruction's address on x86-64, from this
         * one's on AArch64. */
        char *last = in->text + strlen(in->text);
        while (last > in->text && !strchr(" ,\t#", last[-1]))
            last--;
        in->target = (uint64_t)strtoll(last, NULL, 0) + at + (w->c->elf_machine == EM_X86_64 ? in->size : 0);
        *last = 0;
    }
    return 1;
}

/* 1 if the operands of the SIZE bytes at A and at B are filled by relocations of the same kind, symbol and
 * addend. */
static int same_relocation(const struct walk *w, uint64_t a, uint64_t b, size_t size) {
    sm_elf_reloc x, y;
    return has_merge_relocation(w, a, a + size, &x) && has_merge_relocation(w, b, b + size, &y) && x.type == y.type &&
           x.symbol == y.symbol && x.addend == y.addend && x.offset - a == y.offset - b;
}

/* 1 if the instruction only fills space. */
static int is_padding(const struct instruction *in) {
    return strncmp(in->text, "nop", 3) == 0 || strncmp(in->text, "data16", 6) == 0;
}

/* Moves *AT past padding and unconditional jumps, which only the layout of blocks brings about, and reads the next
 * instruction. 0 if there is none, or no step is left. */
static int skip_layout(struct walk *w, uint64_t *at, struct instruction *in) {
    while (w->steps-- > 0 && read_instruction(w, *at, in)) {
        if (is_padding(in))
            *at += in->size;
        else if (in->kind == JUMP && !in->relocated)
            *at = in->target;
        else
            return 1;
    }
    return 0;
}

/* 0 as soon as the code at A and at B is seen to differ; 1 if it meets, ends alike, or cannot be followed to a
 * difference. */
static int equal_from(struct walk *w, uint64_t a, uint64_t b) {
    struct instruction x, y;
    while (a != b) {
        if (!skip_layout(w, &a, &x) || !skip_layout(w, &b, &y) || w->steps <= 0)
            return 1;
        if (a == b)
            return 1;
        if (x.kind != y.kind || x.size != y.size || strcmp(x.text, y.text) != 0 || x.relocated != y.relocated)
            return x.kind == BRANCH && y.kind == BRANCH; /* a condition may stand inverted */
        if (x.relocated && !same_relocation(w, a, b, x.size))
            return 0;
        if (x.kind == END || x.kind == JUMP)
            return 1;
        if (x.kind == BRANCH && !equal_from(w, x.target, y.target))
            return 0;
        a += x.size;
        b += y.size;
    }
    return 1;
}

/* 1 if LLVM might have merged the code after the records A and B of F had their numbers been equal; also if that
 * is not known. */
static int may_have_merged(const struct compile *c, const sm_function *f, const sm_record *a, const sm_record *b) {
    struct walk w = {.c = c, .steps = STEPS_MAX};
    w.index = f->section ? sm_elf_find(&c->object.elf, f->section, 0) : 0;
    w.section = &c->object.elf.section[w.index];
    w.disassembler = LLVMCreateDisasm(c->triple, NULL, 0, NULL, NULL);
    if (!w.index || !w.disassembler)
        return 1;
    LLVMSetDisasmOptions(w.disassembler, LLVMDisassembler_Option_PrintImmHex);
    int may = equal_from(&w, f->offset + a->offset, f->offset + b->offset);
    LLVMDisasmDispose(w.disassembler);
    return may;
}

/* 1 if the two records are of statepoints that differ, for LLVM, only in their number. */
static int are_merge_candidates(const struct compile *c, const sm_stackmap *m, const sm_record *a,
                                const sm_record *b) {
    return a->site != b->site && a->site < c->sites && b->site < c->sites &&
           c->site[a->site].alike == c->site[b->site].alike && a->locations == b->locations &&
           memcmp(&m->location[a->location], &m->location[b->location], a->locations * sizeof(sm_location)) == 0;
}

/* 1 if two statepoints of the object might have been merged but for the numbers that smd gave them, which have
 * then changed the code. */
int merge_candidates_exist(const struct compile *c) {
    const sm_stackmap *m = &c->object.map;
    for (uint32_t i = 0; i < m->functions; i++) {
        const sm_function *f = &m->function[i];
        const sm_record *r = &m->record[f->record];
        for (uint32_t a = 0; a < f->records; a++)
            for (uint32_t b = a + 1; b < f->records; b++)
                if (are_merge_candidates(c, m, &r[a], &r[b]) && may_have_merged(c, f, &r[a], &r[b]))
                    return 1;
    }
    return 0;
}
