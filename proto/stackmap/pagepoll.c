/* pagepoll.c - see pagepoll.h.
 *
 * Encodings: Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2 (TEST); Arm Architecture Reference
 * Manual for A-profile, C6.2 (LDR). */
#include "pagepoll.h"

#include <stdlib.h>
#include <string.h>

struct load {
    unsigned bytes;
    unsigned char code[4];
    const char *attribute; /* that names the register */
};

static const struct load x86 = {3, {0x41, 0x85, 0x02}, "nest"};            /* test dword ptr [r10], eax */
static const struct load arm = {4, {0x9f, 0x02, 0x40, 0xb9}, "swiftself"}; /* ldr wzr, [x20] */

static const struct load *load_of(uint16_t machine) {
    return machine == EM_AARCH64 ? &arm : &x86;
}

unsigned sm_page_poll_bytes(uint16_t machine) {
    return load_of(machine)->bytes;
}

const char *sm_page_poll_attribute(uint16_t machine) {
    return load_of(machine)->attribute;
}

/* Writes one load into the copy of the object's file, over the nops that end at P. SM_INVALID_OBJECT if there is no
 * room for it. */
static sm_status write_load(const sm_elf *e, const sm_page_place *p, unsigned char *file) {
    const struct load *l = load_of(e->machine);
    const sm_elf_section *s = &e->section[p->section < e->sections ? p->section : 0];
    if (s->type != SHT_PROGBITS || p->end < l->bytes || p->end > s->bytes.len)
        return SM_INVALID_OBJECT;
    memcpy(file + (s->bytes.data - e->file.data) + p->end - l->bytes, l->code, l->bytes);
    return SM_OK;
}

sm_status sm_page_write(const sm_elf *e, const sm_page_place *place, size_t places, unsigned char **bytes) {
    unsigned char *file = malloc(e->file.len);
    sm_status s = file ? SM_OK : SM_NOMEM;
    if (file)
        memcpy(file, e->file.data, e->file.len);
    for (size_t i = 0; s == SM_OK && i < places; i++)
        s = write_load(e, &place[i], file);
    if (s == SM_OK)
        *bytes = file;
    else
        free(file);
    return s;
}
