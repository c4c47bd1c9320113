/* ELF files, built here section by section: what is in them is found, nothing outside of them is read. */
#include "elfbytes.h"
#include "elffile.h"
#include "places.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static struct elfbytes b;
static sm_buf file;
static sm_elf e;
static char why[200];

static void fini(void) {
    sm_elf_close(&e);
    sm_buf_free(&file);
}

TestSuite(elf, .fini = fini);
TestSuite(places, .fini = fini);

enum { LOCAL_FUNC = STT_FUNC, GLOBAL_FUNC = STB_GLOBAL << 4 | STT_FUNC, GLOBAL = STB_GLOBAL << 4 };

/* .text (1) with two functions, .data (2) with a field that points at the second, and one at an undefined symbol. */
static void small_object(uint16_t machine) {
    elf_start(&b, machine, ET_REL);
    unsigned text = elf_section(&b, ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, 0, "0123456789abcdef", 16);
    unsigned data = elf_section(&b, ".data", SHT_PROGBITS, SHF_ALLOC | SHF_WRITE, 0,
                                "\0\0\0\0\0\0\0\0"
                                "\0\0\0\0\0\0\0\0",
                                16);
    uint32_t section = elf_symbol(&b, "", STT_SECTION, (uint16_t)text, 0, 0);
    elf_symbol(&b, "first", GLOBAL_FUNC, (uint16_t)text, 0, 8);
    elf_symbol(&b, "second", GLOBAL_FUNC, (uint16_t)text, 8, 8);
    uint32_t other = elf_symbol(&b, "other", GLOBAL, SHN_UNDEF, 0, 0);
    elf_relocate(&b, data, 0, R_X86_64_64, section, 8);
    elf_relocate(&b, data, 8, R_X86_64_64, other, 4);
    elf_finish(&b, &file);
}

static void open_small(void) {
    small_object(EM_X86_64);
    cr_assert_eq(sm_elf_open(&e, file.data, file.len, why, sizeof why), SM_OK, "%s", why);
}

Test(elf, sections_and_symbols_are_found) {
    open_small();
    cr_assert_eq(e.machine, EM_X86_64);
    cr_assert_eq(e.type, ET_REL);
    size_t text = sm_elf_find(&e, ".text", 0);
    cr_assert_eq(text, 1);
    cr_assert_eq(sm_elf_find(&e, ".text", text), 0, "there is one");
    cr_assert_eq(sm_elf_find(&e, ".bss", 0), 0);
    cr_assert_arr_eq(e.section[text].bytes.data, "0123456789abcdef", 16);
    sm_elf_symbol s;
    cr_assert_eq(sm_elf_symbol_at(&e, 1, &s), SM_OK);
    cr_assert_str_eq(s.name, ".text", "a section symbol has its section's name");
    cr_assert_eq(sm_elf_symbol_at(&e, 3, &s), SM_OK);
    cr_assert_str_eq(s.name, "second");
    cr_assert_eq(s.value, 8);
    cr_assert_eq(s.size, 8);
    cr_assert(s.in_section && s.section == text && s.type == STT_FUNC && s.bind == STB_GLOBAL);
    cr_assert_eq(sm_elf_symbol_at(&e, 4, &s), SM_OK);
    cr_assert(!s.in_section && s.section == SHN_UNDEF);
    cr_assert_eq(sm_elf_symbol_at(&e, 5, &s), SM_INVALID_OBJECT, "there are five, with the null symbol");
}

/* Two sections that are the whole file each: readers of many such would read it as many times. */
Test(elf, sections_that_overlap_are_refused) {
    Elf64_Ehdr h;
    small_object(EM_X86_64);
    memcpy(&h, file.data, sizeof h);
    for (size_t i = 1; i < 3; i++) {
        Elf64_Shdr s;
        memcpy(&s, file.data + h.e_shoff + i * sizeof s, sizeof s);
        s.sh_offset = 0;
        s.sh_size = file.len;
        memcpy(file.data + h.e_shoff + i * sizeof s, &s, sizeof s);
    }
    cr_assert_eq(sm_elf_open(&e, file.data, file.len, why, sizeof why), SM_INVALID_OBJECT);
    cr_assert_str_eq(why, "The sections overlap");
}

Test(elf, relocations_are_found) {
    open_small();
    size_t data = sm_elf_find(&e, ".data", 0), relocations = sm_elf_relocs_of(&e, data, 0);
    cr_assert_neq(relocations, 0);
    cr_assert_eq(sm_elf_relocs_of(&e, data, relocations), 0);
    cr_assert_eq(sm_elf_reloc_count(&e, relocations), 2);
    sm_elf_reloc r;
    cr_assert_eq(sm_elf_reloc_at(&e, relocations, 1, &r), SM_OK);
    cr_assert(r.offset == 8 && r.type == R_X86_64_64 && r.symbol == 4 && r.addend == 4);
    cr_assert_eq(sm_elf_reloc_at(&e, relocations, 2, &r), SM_INVALID_OBJECT);
}

/* Changes bytes of a good file; it is refused with a sentence that has HINT in it. */
static void refused(size_t at, const void *bytes, size_t len, const char *hint) {
    small_object(EM_X86_64);
    memcpy(file.data + at, bytes, len);
    cr_assert_eq(sm_elf_open(&e, file.data, file.len, why, sizeof why), SM_INVALID_OBJECT, "%s", hint);
    cr_assert(strstr(why, hint), "'%s' does not say '%s'", why, hint);
    cr_assert_eq(sm_elf_open(&e, file.data, file.len, NULL, 0), SM_INVALID_OBJECT, "the sentence may be unwanted");
    sm_buf_free(&file);
}

Test(elf, what_is_not_read_says_so) {
    refused(0, "\177elf", 4, "no ELF file");
    refused(EI_CLASS, "\1", 1, "32-bit");
    refused(EI_DATA, "\2", 1, "big-endian");
    refused(offsetof(Elf64_Ehdr, e_machine), "\3\0", 2, "machine 3");
    refused(offsetof(Elf64_Ehdr, e_type), "\4\0", 2, "type 4");
    refused(offsetof(Elf64_Ehdr, e_shentsize), "\x28\0", 2, "40 bytes each");
    refused(offsetof(Elf64_Ehdr, e_shoff), "\xff\xff\xff\xff\xff\xff\xff\xff", 8, "outside the file");
    refused(offsetof(Elf64_Ehdr, e_shnum), "\xff\xfe", 2, "outside the file");
    refused(offsetof(Elf64_Ehdr, e_shstrndx), "\xff\0", 2, "name of section");
}

Test(elf, a_section_outside_the_file) {
    small_object(EM_AARCH64);
    Elf64_Ehdr h;
    memcpy(&h, file.data, sizeof h);
    uint64_t far = file.len;
    memcpy(file.data + h.e_shoff + sizeof(Elf64_Shdr) + offsetof(Elf64_Shdr, sh_offset), &far, sizeof far);
    cr_assert_eq(sm_elf_open(&e, file.data, file.len, why, sizeof why), SM_INVALID_OBJECT);
    cr_assert_str_eq(why, "Section 1 lies outside the file");
}

Test(elf, a_string_table_without_its_end) {
    open_small();
    size_t strings = sm_elf_find(&e, ".strtab", 0);
    ((unsigned char *)e.section[strings].bytes.data)[e.section[strings].bytes.len - 1] = 'x';
    sm_elf_symbol s;
    cr_assert_eq(sm_elf_symbol_at(&e, 2, &s), SM_INVALID_OBJECT);
}

Test(elf, every_truncation_is_harmless) {
    small_object(EM_X86_64);
    for (size_t len = 0; len < file.len; len++) {
        unsigned char *copy = malloc(len + !len); /* of this size exactly, for the sanitizer */
        memcpy(copy, file.data, len);
        cr_assert_eq(sm_elf_open(&e, copy, len, why, sizeof why), SM_INVALID_OBJECT, "cut to %zu bytes", len);
        free(copy);
    }
}

Test(elf, section_numbers_of_symbols_past_16_bits) {
    elf_start(&b, EM_X86_64, ET_REL);
    unsigned text = elf_section(&b, ".text", SHT_PROGBITS, SHF_ALLOC, 0, "x", 1);
    elf_symbol(&b, "plain", GLOBAL_FUNC, (uint16_t)text, 0, 1);
    elf_symbol(&b, "far", GLOBAL_FUNC, SHN_XINDEX, 0, 1);
    elf_symbol(&b, "absolute", GLOBAL_FUNC, SHN_ABS, 5, 1);
    uint32_t indices[] = {0, 0, text, 0};
    elf_section(&b, ".symtab_shndx", SHT_SYMTAB_SHNDX, 0, 0, indices, sizeof indices);
    elf_finish(&b, &file);
    cr_assert_eq(sm_elf_open(&e, file.data, file.len, why, sizeof why), SM_OK, "%s", why);
    sm_elf_symbol s;
    cr_assert_eq(sm_elf_symbol_at(&e, 2, &s), SM_OK);
    cr_assert(s.in_section && s.section == text);
    cr_assert_eq(sm_elf_symbol_at(&e, 3, &s), SM_OK);
    cr_assert(!s.in_section && s.section == SHN_ABS);
}

static void assert_name(const sm_place *p, const char *name) {
    if (name)
        cr_assert(p && strcmp(p->name, name) == 0, "%s, not %s", p ? p->name : "nothing", name);
    else
        cr_assert_null(p);
}

Test(places, functions_by_place) {
    sm_places p;
    open_small();
    cr_assert_eq(sm_places_of(&p, &e, SM_FUNCTION_SYMBOLS), SM_OK);
    cr_assert_eq(p.places, 2);
    assert_name(sm_place_at(&p, 1, 0), "first");
    assert_name(sm_place_at(&p, 1, 8), "second");
    assert_name(sm_place_at(&p, 1, 4), NULL);
    assert_name(sm_place_at(&p, 2, 0), NULL);
    assert_name(sm_place_around(&p, 1, 0), "first");
    assert_name(sm_place_around(&p, 1, 7), "first");
    assert_name(sm_place_around(&p, 1, 8), "second");
    assert_name(sm_place_around(&p, 1, 15), "second");
    assert_name(sm_place_around(&p, 1, 16), NULL);
    assert_name(sm_place_around(&p, 0, 0), NULL);
    sm_places_free(&p);
}

Test(places, of_two_names_the_better) {
    sm_places p;
    elf_start(&b, EM_AARCH64, ET_REL);
    uint16_t text = (uint16_t)elf_section(&b, ".text", SHT_PROGBITS, SHF_ALLOC, 0, "01234567", 8);
    elf_symbol(&b, "$x", STT_NOTYPE, text, 0, 0);
    elf_symbol(&b, "label", STT_NOTYPE, text, 0, 0);
    elf_symbol(&b, "local", LOCAL_FUNC, text, 0, 8);
    elf_symbol(&b, "global", GLOBAL_FUNC, text, 0, 8);
    elf_symbol(&b, "camlM__code_begin", GLOBAL, text, 0, 0);
    elf_finish(&b, &file);
    cr_assert_eq(sm_elf_open(&e, file.data, file.len, why, sizeof why), SM_OK, "%s", why);
    cr_assert_eq(sm_places_of(&p, &e, SM_CODE_SYMBOLS), SM_OK);
    assert_name(sm_place_at(&p, 1, 0), "global");
    assert_name(sm_place_around(&p, 1, 5), "global");
    sm_places_free(&p);
}

Test(places, fields_of_a_relocatable_object) {
    sm_fields f;
    sm_target t;
    open_small();
    cr_assert_eq(sm_fields_of(&f, &e, 2), SM_OK);
    cr_assert(sm_field_target(&f, 0, 0, &t));
    cr_assert(t.section == 1 && t.offset == 8 && strcmp(t.symbol, ".text") == 0 && t.addend == 8);
    cr_assert(sm_field_target(&f, 8, 0, &t));
    cr_assert(t.section == 0 && strcmp(t.symbol, "other") == 0 && t.addend == 4);
    cr_assert(!sm_field_target(&f, 4, 1234, &t), "what no relocation names is no address");
    sm_fields_free(&f);
}

/* .data at 0x2000 of a shared object: a plain address, one that the loader puts in, one of a symbol from elsewhere.
 */
Test(places, fields_of_a_linked_file) {
    sm_fields f;
    sm_target t;
    elf_start(&b, EM_X86_64, ET_DYN);
    elf_section(&b, ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, 0x1000, "0123456789abcdef", 16);
    unsigned data = elf_section(&b, ".data", SHT_PROGBITS, SHF_ALLOC | SHF_WRITE, 0x2000,
                                "0123456701234567"
                                "0123456701234567",
                                32);
    uint32_t other = elf_symbol(&b, "other", GLOBAL, SHN_UNDEF, 0, 0);
    elf_relocate(&b, 0, 0x2008, R_X86_64_RELATIVE, 0, 0x1004);
    elf_relocate(&b, 0, 0x2010, R_X86_64_64, other, 4);
    elf_relocate(&b, 0, 0x2018, R_X86_64_64, other, 0);
    elf_relocate(&b, 0, 0x3000, R_X86_64_RELATIVE, 0, 0x1008);
    elf_finish(&b, &file);
    cr_assert_eq(sm_elf_open(&e, file.data, file.len, why, sizeof why), SM_OK, "%s", why);
    cr_assert_eq(sm_fields_of(&f, &e, data), SM_OK);
    cr_assert(sm_field_target(&f, 0, 0x100f, &t));
    cr_assert(t.section == 1 && t.offset == 0x100f && !t.symbol);
    cr_assert(sm_field_target(&f, 8, 0, &t));
    cr_assert(t.section == 1 && t.offset == 0x1004);
    cr_assert(sm_field_target(&f, 16, 0, &t));
    cr_assert(t.section == 0 && strcmp(t.symbol, "other") == 0 && t.addend == 4);
    cr_assert(sm_field_target(&f, 24, 0, &t));
    cr_assert(t.section == 0 && strcmp(t.symbol, "other") == 0 && t.addend == 0);
    cr_assert(!sm_field_target(&f, 0, 0, &t), "nothing is at address 0");
    cr_assert(sm_field_target(&f, 0, 77, &t));
    cr_assert(t.section == 0 && t.offset == 77, "a number that is no address");
    cr_assert_eq(sm_section_around(&f, 0x1010), 0);
    cr_assert_eq(sm_section_around(&f, 0x2000), data);
    sm_fields_free(&f);
}

Test(places, a_relocation_of_a_symbol_that_is_not_there) {
    sm_fields f;
    elf_start(&b, EM_X86_64, ET_REL);
    unsigned data = elf_section(&b, ".data", SHT_PROGBITS, SHF_ALLOC, 0, "01234567", 8);
    elf_relocate(&b, data, 0, R_X86_64_64, 99, 0);
    elf_finish(&b, &file);
    cr_assert_eq(sm_elf_open(&e, file.data, file.len, why, sizeof why), SM_OK, "%s", why);
    cr_assert_eq(sm_fields_of(&f, &e, data), SM_INVALID_OBJECT);
}
