/* Functions of a stackmap get names and places from the object around it, relocatable or linked. */
#include "elfbytes.h"
#include "stackmap.h"
#include "stackmap_object.h"

#include <criterion/criterion.h>
#include <string.h>

static struct elfbytes b;
static sm_buf file;
static sm_elf e;
static sm_stackmap m;
static sm_stackmap_error err;

static void fini(void) {
    sm_stackmap_free(&m);
    sm_elf_close(&e);
    sm_buf_free(&file);
}

TestSuite(stackmap_names, .fini = fini);

enum { GLOBAL = STB_GLOBAL << 4, GLOBAL_FUNC = STB_GLOBAL << 4 | STT_FUNC, TEXT = 1, FIRST = 16, NEXT = 24 };

/* Functions f at 0 and g at 16 of .text. Gives the section's symbol. */
static uint32_t start(uint16_t type, uint64_t address) {
    static const char code[48];
    elf_start(&b, EM_X86_64, type);
    elf_section(&b, ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, address, code, sizeof code);
    uint32_t text = elf_symbol(&b, "", STT_SECTION, TEXT, address, 0);
    elf_symbol(&b, "f", GLOBAL_FUNC, TEXT, address, 16);
    elf_symbol(&b, "g", GLOBAL_FUNC, TEXT, address + 16, 32);
    return text;
}

/* Appends a stackmap of functions without records. */
static void put_map(sm_buf *out, const uint64_t *addresses, uint32_t count) {
    static const unsigned char version[4] = {3};
    sm_buf_put(out, version, 4);
    sm_buf_put_u32(out, count);
    sm_buf_put_u64(out, 0);
    for (uint32_t i = 0; i < count; i++) {
        sm_buf_put_u64(out, addresses[i]);
        sm_buf_put_u64(out, 8);
        sm_buf_put_u64(out, 0);
    }
}

static unsigned map_section(uint64_t address, const uint64_t *addresses, uint32_t count) {
    unsigned section = elf_section(&b, ".llvm_stackmaps", SHT_PROGBITS, SHF_ALLOC, address, NULL, 0);
    put_map(elf_bytes_of(&b, section), addresses, count);
    return section;
}

static sm_status decode(void) {
    char why[200];
    elf_finish(&b, &file);
    cr_assert_eq(sm_elf_open(&e, file.data, file.len, why, sizeof why), SM_OK, "%s", why);
    return sm_stackmap_of_object(&m, &e, &err);
}

static void decodes(uint32_t functions) {
    sm_status s = decode();
    cr_assert_eq(s, SM_OK, "%s: %s", sm_status_name(s), err.message);
    cr_assert_eq(m.functions, functions);
}

static void is(uint32_t i, const char *name, const char *section, uint64_t offset, uint64_t size) {
    const sm_function *f = &m.function[i];
    cr_assert(name ? f->name && strcmp(f->name, name) == 0 : !f->name, "%s", f->name);
    cr_assert(section ? f->section && strcmp(f->section, section) == 0 : !f->section, "%s", f->section);
    cr_assert_eq(f->offset, offset, "%#llx", (unsigned long long)f->offset);
    cr_assert_eq(f->size, size);
}

Test(stackmap_names, by_relocation_not_by_order) {
    uint32_t text = start(ET_REL, 0), outside = elf_symbol(&b, "outside", GLOBAL, SHN_UNDEF, 0, 0);
    unsigned maps = map_section(0, (uint64_t[]){0, 0, 0, 0}, 4);
    elf_relocate(&b, maps, FIRST, R_X86_64_64, text, 16);
    elf_relocate(&b, maps, FIRST + 2 * NEXT, R_X86_64_64, text, 20);
    elf_relocate(&b, maps, FIRST + NEXT, R_X86_64_64, text + 1, 0);
    elf_relocate(&b, maps, FIRST + 3 * NEXT, R_X86_64_64, outside, 0);
    decodes(4);
    is(0, "g", ".text", 16, 32);
    is(1, "f", ".text", 0, 16);
    is(2, NULL, ".text", 20, 0);
    is(3, "outside", NULL, 0, 0);
}

/* LLVM gives a function whose body is unreachable no code: it stands where the next one does. */
Test(stackmap_names, functions_at_one_place) {
    uint32_t text = start(ET_REL, 0);
    elf_symbol(&b, "empty", GLOBAL_FUNC, TEXT, 16, 0);
    uint32_t twin = elf_symbol(&b, "twin", GLOBAL_FUNC, TEXT, 16, 32);
    unsigned maps = map_section(0, (uint64_t[]){0, 0}, 2);
    elf_relocate(&b, maps, FIRST, R_X86_64_64, twin, 0);
    elf_relocate(&b, maps, FIRST + NEXT, R_X86_64_64, text, 16);
    decodes(2);
    is(0, "twin", ".text", 16, 32);
    is(1, "g", ".text", 16, 32);
}

Test(stackmap_names, several_sections) {
    uint32_t text = start(ET_REL, 0);
    unsigned first = map_section(0, (uint64_t[]){0}, 1), second = map_section(0, (uint64_t[]){0}, 1);
    elf_relocate(&b, first, FIRST, R_X86_64_64, text, 0);
    elf_relocate(&b, second, FIRST, R_X86_64_64, text, 16);
    decodes(2);
    is(0, "f", ".text", 0, 16);
    is(1, "g", ".text", 16, 32);
}

Test(stackmap_names, nothing_says_where_a_function_is) {
    start(ET_REL, 0);
    map_section(0, (uint64_t[]){0}, 1);
    cr_assert_eq(decode(), SM_INVALID_STACKMAP);
    cr_assert_str_eq(err.message, "No relocation says where function 0 is");
    cr_assert_eq(err.offset, FIRST);
}

Test(stackmap_names, a_relocation_of_a_symbol_that_is_not_there) {
    start(ET_REL, 0);
    unsigned maps = map_section(0, (uint64_t[]){0}, 1);
    elf_relocate(&b, maps, FIRST, R_X86_64_64, 99, 0);
    cr_assert_eq(decode(), SM_INVALID_OBJECT);
}

Test(stackmap_names, by_address_in_a_linked_file) {
    start(ET_EXEC, 0x401000);
    unsigned maps = map_section(0x402000, (uint64_t[]){0x401010}, 1);
    put_map(elf_bytes_of(&b, maps), (uint64_t[]){0x401000, 0x500000}, 2); /* of a second input */
    decodes(3);
    is(0, "g", ".text", 0x401010, 32);
    is(1, "f", ".text", 0x401000, 16);
    is(2, NULL, NULL, 0x500000, 0);
}

Test(stackmap_names, by_the_loaders_relocations) {
    start(ET_DYN, 0x1000);
    map_section(0x2000, (uint64_t[]){0, 0}, 2);
    elf_relocate(&b, 0, 0x2000 + FIRST, R_X86_64_RELATIVE, 0, 0x1010);
    elf_relocate(&b, 0, 0x2000 + FIRST + NEXT, R_X86_64_64, 2, 0); /* f, which may be replaced */
    decodes(2);
    is(0, "g", ".text", 0x1010, 32);
    is(1, "f", ".text", 0x1000, 16);
}

Test(stackmap_names, a_stripped_file) {
    elf_start(&b, EM_AARCH64, ET_EXEC);
    elf_section(&b, ".text", SHT_PROGBITS, SHF_ALLOC, 0x1000, "01234567", 8);
    map_section(0x2000, (uint64_t[]){0x1004}, 1);
    decodes(1);
    is(0, NULL, ".text", 0x1004, 0);
}

Test(stackmap_names, an_object_without_a_stackmap) {
    start(ET_REL, 0);
    decodes(0);
    cr_assert_str_eq(m.format, "none");
}
