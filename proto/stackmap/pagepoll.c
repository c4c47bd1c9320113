/* pagepoll.c - see pagepoll.h. The object is changed by adding at its end: grown copies of the tables that get
 * entries (symbols, strings, relocations, section headers) and a header that points to them; what was there stays
 * where it was.
 *
 * Encodings: Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2 (TEST, MOV); Arm Architecture
 * Reference Manual for A-profile, C6.2 (ADRP, LDR). Relocations: System V ABI, AMD64 supplement, 4.4; ELF for the Arm
 * 64-bit Architecture, 5.7. */
#include "pagepoll.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef R_X86_64_REX_GOTPCRELX
#define R_X86_64_REX_GOTPCRELX 42
#endif

struct load_reloc {
    unsigned at;
    uint32_t type;
    int64_t addend;
};

/* A way to load from the page. */
struct load {
    sm_page_shape shape;
    unsigned char code[16];
    struct load_reloc reloc[2];
    unsigned relocs;
};

static const struct load
    /* test dword ptr [rip + page], eax */
    x86_near = {{6, 6}, {0x85, 0x05}, {{2, R_X86_64_PC32, -4}}, 1},
    /* mov r11, [rip + page@GOTPCREL]; test dword ptr [r11], eax */
    x86_got = {{10, 3}, {0x4c, 0x8b, 0x1d, 0, 0, 0, 0, 0x41, 0x85, 0x03}, {{3, R_X86_64_REX_GOTPCRELX, -4}}, 1},
    /* movabs r11, page; test dword ptr [r11], eax */
    x86_far = {{13, 3}, {0x49, 0xbb, 0, 0, 0, 0, 0, 0, 0, 0, 0x41, 0x85, 0x03}, {{2, R_X86_64_64, 0}}, 1},
    /* adrp x16, page; ldr wzr, [x16, :lo12:page] */
    arm_near = {{8, 4},
                {0x10, 0x00, 0x00, 0x90, 0x1f, 0x02, 0x40, 0xb9},
                {{0, R_AARCH64_ADR_PREL_PG_HI21, 0}, {4, R_AARCH64_LDST32_ABS_LO12_NC, 0}},
                2},
    /* adrp x16, :got:page; ldr x16, [x16, :got_lo12:page]; ldr wzr, [x16] */
    arm_got = {{12, 4},
               {0x10, 0x00, 0x00, 0x90, 0x10, 0x02, 0x40, 0xf9, 0x1f, 0x02, 0x40, 0xb9},
               {{0, R_AARCH64_ADR_GOT_PAGE, 0}, {4, R_AARCH64_LD64_GOT_LO12_NC, 0}},
               2};

/* How a page is loaded from on this machine, relocation model and code model. */
static const struct load *load_of(uint16_t machine, const sm_options *o) {
    int is_pic = o->reloc == SM_RELOC_PIC, is_large = o->code_model == SM_CM_LARGE;
    if (machine == EM_AARCH64)
        return is_pic || is_large ? &arm_got : &arm_near;
    return is_large ? &x86_far : is_pic ? &x86_got : &x86_near;
}

/* The size of a page poll on this machine with these options, and of the load that faults. */
sm_page_shape sm_page_shape_of(uint16_t machine, const sm_options *o) {
    return load_of(machine, o)->shape;
}

/* ---- The object's tables ------------------------------------------------------------------------------------- */

struct patch {
    const struct load *load;
    sm_buf out;       /* the new object */
    Elf64_Shdr *shdr; /* owned: the new section headers */
    size_t shnum, room;
    size_t symtab;   /* section numbers */
    uint64_t symbol; /* the page's number in it */
    size_t *rela_of; /* owned: by section, the one that relocates it; 0 for none */
    sm_buf *rela;    /* owned: by section, what its relocations are to be; empty if they do not change */
};

/* The new object's header, valid until the object grows. */
static Elf64_Ehdr *header(struct patch *p) {
    return (Elf64_Ehdr *)(void *)p->out.data;
}

/* A section's bytes, valid until the object grows. */
static const unsigned char *section_bytes(const struct patch *p, size_t i) {
    return p->out.data + p->shdr[i].sh_offset;
}

/* Puts a section's new bytes at the object's end. */
static void move_section(struct patch *p, size_t i, const void *bytes, size_t len) {
    sm_buf_align(&p->out, 8);
    p->shdr[i].sh_offset = p->out.len;
    p->shdr[i].sh_size = len;
    sm_buf_put(&p->out, bytes, len);
}

/* Adds bytes to a section, which moves to the object's end; gives their offset in it. */
static size_t append_to_section(struct patch *p, size_t i, const void *bytes, size_t len) {
    sm_buf grown;
    size_t at = p->shdr[i].sh_size;
    sm_buf_init(&grown, at + len);
    sm_buf_put(&grown, section_bytes(p, i), at);
    if (sm_buf_put(&grown, bytes, len) == SM_OK)
        move_section(p, i, grown.data, grown.len);
    else
        p->out.status = grown.status;
    sm_buf_free(&grown);
    return at;
}

/* Adds a string to a string table; gives its offset. */
static uint32_t add_string(struct patch *p, size_t table, const char *text) {
    return (uint32_t)append_to_section(p, table, text, strlen(text) + 1);
}

/* Finds the page's symbol; adds it as an undefined one if it is not there. */
static void find_symbol(struct patch *p, const char *name) {
    const Elf64_Shdr *table = &p->shdr[p->symtab];
    uint64_t n = table->sh_size / sizeof(Elf64_Sym);
    size_t strings = table->sh_link;
    for (uint64_t i = 1; i < n; i++) {
        Elf64_Sym sym;
        memcpy(&sym, section_bytes(p, p->symtab) + i * sizeof sym, sizeof sym);
        if (sym.st_name < p->shdr[strings].sh_size &&
            strcmp((const char *)section_bytes(p, strings) + sym.st_name, name) == 0) {
            p->symbol = i;
            return;
        }
    }
    Elf64_Sym added = {.st_name = add_string(p, strings, name), .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_NOTYPE)};
    append_to_section(p, p->symtab, &added, sizeof added);
    p->symbol = n;
}

/* The relocations of a section of code, as a copy that can grow; the section for them is made if there is none. */
static sm_buf *relocations_of(struct patch *p, size_t code) {
    size_t rela = p->rela_of[code];
    if (!rela && p->shnum < p->room) {
        char name[300];
        size_t strings = header(p)->e_shstrndx;
        snprintf(name, sizeof name, ".rela%.280s", (const char *)section_bytes(p, strings) + p->shdr[code].sh_name);
        rela = p->rela_of[code] = p->shnum++;
        p->shdr[rela] = (Elf64_Shdr){.sh_name = add_string(p, strings, name),
                                     .sh_type = SHT_RELA,
                                     .sh_flags = SHF_INFO_LINK,
                                     .sh_link = (Elf64_Word)p->symtab,
                                     .sh_info = (Elf64_Word)code,
                                     .sh_addralign = 8,
                                     .sh_entsize = sizeof(Elf64_Rela)};
    }
    sm_buf *b = &p->rela[rela];
    if (!b->max) {
        sm_buf_init(b, (size_t)1 << 30);
        sm_buf_put(b, section_bytes(p, rela), p->shdr[rela].sh_size);
    }
    return b;
}

/* Writes one poll over the nops that end at END of the section. SM_INVALID_OBJECT if there is no room for it. */
static sm_status write_poll(struct patch *p, size_t code, uint64_t end) {
    const struct load *l = p->load;
    if (!code || code >= p->shnum || p->shdr[code].sh_type != SHT_PROGBITS || end < l->shape.bytes ||
        end > p->shdr[code].sh_size)
        return SM_INVALID_OBJECT;
    uint64_t at = end - l->shape.bytes;
    memcpy(p->out.data + p->shdr[code].sh_offset + at, l->code, l->shape.bytes);
    sm_buf *b = relocations_of(p, code);
    for (unsigned i = 0; i < l->relocs; i++) {
        Elf64_Rela r = {at + l->reloc[i].at, ELF64_R_INFO(p->symbol, l->reloc[i].type), l->reloc[i].addend};
        sm_buf_put(b, &r, sizeof r);
    }
    return b->status;
}

/* Copies the section headers, with room for more. Requires that they lie in the file, as sm_elf_open has checked;
 * their number is not of the extended kind. */
static sm_status read_headers(struct patch *p) {
    const Elf64_Ehdr *h = header(p);
    p->shnum = h->e_shnum;
    if (p->shnum == 0 || h->e_shstrndx >= p->shnum)
        return SM_INVALID_OBJECT;
    p->room = 2 * p->shnum;
    p->shdr = calloc(p->room, sizeof *p->shdr);
    p->rela_of = calloc(p->room, sizeof *p->rela_of);
    p->rela = calloc(p->room, sizeof *p->rela);
    if (!p->shdr || !p->rela_of || !p->rela)
        return SM_NOMEM;
    memcpy(p->shdr, p->out.data + h->e_shoff, p->shnum * sizeof *p->shdr);
    for (size_t i = 1; i < p->shnum; i++) {
        if (p->shdr[i].sh_type == SHT_SYMTAB)
            p->symtab = i;
        if (p->shdr[i].sh_type == SHT_RELA && p->shdr[i].sh_info < p->shnum)
            p->rela_of[p->shdr[i].sh_info] = i;
    }
    if (!p->symtab || p->shdr[p->symtab].sh_link >= p->shnum)
        return SM_INVALID_OBJECT;
    const Elf64_Shdr *strings = &p->shdr[p->shdr[p->symtab].sh_link];
    return strings->sh_type == SHT_STRTAB && strings->sh_size &&
                   p->out.data[strings->sh_offset + strings->sh_size - 1] == 0
               ? SM_OK
               : SM_INVALID_OBJECT;
}

/* Appends the relocations that changed and the new section headers, and points the file's header to these. */
static sm_status finish_object(struct patch *p) {
    for (size_t i = 0; i < p->shnum; i++)
        if (p->rela[i].max)
            move_section(p, i, p->rela[i].data, p->rela[i].len);
    sm_buf_align(&p->out, 8);
    uint64_t at = p->out.len;
    if (sm_buf_put(&p->out, p->shdr, p->shnum * sizeof *p->shdr) != SM_OK)
        return p->out.status;
    header(p)->e_shoff = at;
    header(p)->e_shnum = (Elf64_Half)p->shnum;
    return SM_OK;
}

sm_status sm_page_write(const sm_elf *e, const sm_options *o, const char *symbol, const sm_page_place *place,
                        size_t places, unsigned char **bytes, size_t *len) {
    struct patch p = {.load = load_of(e->machine, o)};
    sm_buf_init(&p.out, SIZE_MAX / 2);
    sm_buf_put(&p.out, e->file.data, e->file.len);
    sm_status s = p.out.status == SM_OK ? read_headers(&p) : p.out.status;
    if (s == SM_OK) {
        find_symbol(&p, symbol);
        s = p.out.status;
    }
    for (size_t i = 0; s == SM_OK && i < places; i++)
        s = write_poll(&p, place[i].section, place[i].end);
    if (s == SM_OK)
        s = finish_object(&p);
    if (s == SM_OK)
        *bytes = sm_buf_take(&p.out, len);
    for (size_t i = 0; p.rela && i < p.room; i++)
        if (p.rela[i].max)
            sm_buf_free(&p.rela[i]);
    free(p.rela);
    free(p.rela_of);
    free(p.shdr);
    sm_buf_free(&p.out);
    return s;
}
