/* Objects that are parts of one module, built section by section: joined, they are what a linker would make of them,
 * with one table; what is no such part is refused. (Real ones: parts_test.) */
#include "elfbytes.h"
#include "elfjoin.h"
#include "stackmap.h"
#include "stackmap_object.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

enum {
    PARTS = 2,
    LOCAL = STB_LOCAL << 4,
    GLOBAL = STB_GLOBAL << 4,
    GLOBAL_FUNC = STB_GLOBAL << 4 | STT_FUNC,
    CODE = SHF_ALLOC | SHF_EXECINSTR,
    HEADER = 16,
    FUNCTION = 24
};

static struct elfbytes b;
static sm_buf file[PARTS], joined;
static sm_elf part[PARTS], e;
static char why[200];

static void init(void) {
    sm_buf_init(&joined, 1 << 20);
}

static void fini(void) {
    sm_elf_close(&e);
    for (int i = 0; i < PARTS; i++) {
        sm_elf_close(&part[i]);
        sm_buf_free(&file[i]);
    }
    sm_buf_free(&joined);
}

TestSuite(elfjoin, .init = init, .fini = fini, .timeout = 600);

/* The object that has been built becomes part N. */
static void finish(int n) {
    elf_finish(&b, &file[n]);
    cr_assert_eq(sm_elf_open(&part[n], file[n].data, file[n].len, why, sizeof why), SM_OK, "%s", why);
}

static unsigned text(const char *bytes) {
    return elf_section(&b, ".text", SHT_PROGBITS, CODE, 0, bytes, strlen(bytes));
}

static void joins(const sm_join_local *local, size_t locals) {
    cr_assert_eq(sm_elf_join(part, PARTS, local, locals, &joined, why, sizeof why), SM_OK, "%s", why);
    cr_assert_eq(sm_elf_open(&e, joined.data, joined.len, why, sizeof why), SM_OK, "%s", why);
}

static void refused(const char *because) {
    cr_assert_eq(sm_elf_join(part, PARTS, NULL, 0, &joined, why, sizeof why), SM_INVALID_OBJECT);
    cr_assert(strstr(why, because), "'%s' is not in '%s'", because, why);
}

/* The symbol of this name, which is there once; its number is *N. */
static sm_elf_symbol symbol(const char *name, size_t *n) {
    sm_elf_symbol found = {0};
    size_t times = 0;
    for (size_t i = 1; i < e.symbols; i++) {
        sm_elf_symbol s;
        cr_assert_eq(sm_elf_symbol_at(&e, i, &s), SM_OK);
        if (s.type == STT_SECTION || strcmp(s.name, name) != 0)
            continue;
        found = s;
        times++;
        if (n)
            *n = i;
    }
    cr_assert_eq(times, 1, "%s is there %zu times", name, times);
    return found;
}

static sm_elf_reloc relocation(const char *section, size_t n) {
    sm_elf_reloc r;
    size_t of = sm_elf_find(&e, section, 0), in = sm_elf_relocs_of(&e, of, 0);
    cr_assert(of && in, "%s has no relocations", section);
    cr_assert_eq(sm_elf_relocs_of(&e, of, in), 0, "all are in one section");
    cr_assert_eq(sm_elf_reloc_at(&e, in, n, &r), SM_OK);
    return r;
}

Test(elfjoin, sections_follow_each_other_aligned) {
    elf_start(&b, EM_X86_64, ET_REL);
    text("abc");
    elf_section(&b, ".bss", SHT_NOBITS, SHF_ALLOC | SHF_WRITE, 0, NULL, 12);
    finish(0);
    elf_start(&b, EM_X86_64, ET_REL);
    text("xyz");
    elf_section(&b, ".bss", SHT_NOBITS, SHF_ALLOC | SHF_WRITE, 0, NULL, 4);
    elf_section(&b, ".text", SHT_PROGBITS, CODE | SHF_WRITE, 0, "w", 1);
    finish(1);
    joins(NULL, 0);
    size_t code = sm_elf_find(&e, ".text", 0), bss = sm_elf_find(&e, ".bss", 0),
           other = sm_elf_find(&e, ".text", code);
    cr_assert_eq(e.section[code].bytes.len, 11);
    cr_assert_arr_eq(e.section[code].bytes.data, "abc\x90\x90\x90\x90\x90xyz", 11,
                     "code is padded with what may run");
    cr_assert(e.section[bss].size == 20 && e.section[bss].type == SHT_NOBITS);
    cr_assert(other && e.section[other].bytes.len == 1, "other flags, another section");
}

/* f of the first part calls g of the second, which is the module's own; both refer to what is elsewhere. */
static void two_that_call(void) {
    elf_start(&b, EM_X86_64, ET_REL);
    unsigned code = text("01234567");
    elf_symbol(&b, "f", GLOBAL_FUNC, (uint16_t)code, 0, 8);
    elf_relocate(&b, code, 1, R_X86_64_PLT32, elf_symbol(&b, "g", GLOBAL, SHN_UNDEF, 0, 0), -4);
    elf_relocate(&b, code, 4, R_X86_64_PLT32, elf_symbol(&b, "out", GLOBAL, SHN_UNDEF, 0, 0), -4);
    finish(0);
    elf_start(&b, EM_X86_64, ET_REL);
    code = text("89abcdef");
    uint32_t section = elf_symbol(&b, "", STT_SECTION, (uint16_t)code, 0, 0);
    uint32_t label = elf_symbol(&b, ".L", LOCAL, (uint16_t)code, 3, 0);
    elf_symbol(&b, "g", GLOBAL_FUNC, (uint16_t)code, 2, 6);
    elf_relocate(&b, code, 0, R_X86_64_PC32, section, 5);
    elf_relocate(&b, code, 2, R_X86_64_PC32, label, 7);
    elf_relocate(&b, code, 4, R_X86_64_PLT32, elf_symbol(&b, "out", GLOBAL, SHN_UNDEF, 0, 0), -4);
    finish(1);
}

Test(elfjoin, references_find_what_they_mean) {
    static const sm_join_local local = {"g", "g"};
    size_t f, g, out, label;
    two_that_call();
    joins(&local, 1);
    sm_elf_symbol found = symbol("g", &g);
    cr_assert(found.bind == STB_LOCAL && found.value == 10 && found.size == 6 && found.type == STT_FUNC);
    cr_assert_eq(symbol("f", &f).bind, STB_GLOBAL);
    cr_assert(!symbol("out", &out).in_section, "the other modules' is one symbol");
    cr_assert_eq(symbol(".L", &label).value, 11);
    cr_assert(g < e.section[e.symtab].info && f >= e.section[e.symtab].info, "local ones come first");
    cr_assert(relocation(".text", 0).symbol == g && relocation(".text", 0).offset == 1);
    cr_assert(relocation(".text", 1).symbol == out);
    sm_elf_reloc by_section = relocation(".text", 2), by_label = relocation(".text", 3);
    cr_assert(by_section.offset == 8 && by_section.addend == 13, "the section's bytes have moved");
    cr_assert(by_label.symbol == label && by_label.addend == 7);
    cr_assert(relocation(".text", 4).symbol == out && relocation(".text", 4).offset == 12);
}

Test(elfjoin, private_code_is_found_by_its_place) {
    static const sm_join_local local = {"g", NULL};
    two_that_call();
    joins(&local, 1);
    sm_elf_symbol s;
    sm_elf_reloc r = relocation(".text", 0);
    for (size_t i = 1; i < e.symbols; i++)
        cr_assert(sm_elf_symbol_at(&e, i, &s) == SM_OK && strcmp(s.name, "g") != 0);
    cr_assert_eq(sm_elf_symbol_at(&e, r.symbol, &s), SM_OK);
    cr_assert(s.type == STT_SECTION && r.addend == 10 - 4);
}

Test(elfjoin, the_same_parts_give_the_same_bytes) {
    sm_buf again;
    two_that_call();
    sm_buf_init(&again, 1 << 20);
    cr_assert_eq(sm_elf_join(part, PARTS, NULL, 0, &again, why, sizeof why), SM_OK);
    joins(NULL, 0);
    cr_assert_eq(joined.len, again.len);
    cr_assert_arr_eq(joined.data, again.data, again.len);
    sm_buf_free(&again);
}

/* A group of one section with the symbol NAME, on which data depends. */
static void part_with_group(int n, const char *name, const char *bytes) {
    elf_start(&b, EM_X86_64, ET_REL);
    unsigned group = elf_section(&b, ".group", SHT_GROUP, 0, 0, NULL, 0);
    unsigned member =
        elf_section(&b, ".data.own", SHT_PROGBITS, SHF_ALLOC | SHF_WRITE | SHF_GROUP, 0, bytes, strlen(bytes));
    unsigned data = elf_section(&b, ".data", SHT_PROGBITS, SHF_ALLOC | SHF_WRITE, 0, "\0\0\0\0\0\0\0\0", 8);
    uint32_t signature = elf_symbol(&b, name, STB_WEAK << 4 | STT_OBJECT, (uint16_t)member, 0, 8);
    sm_buf_put_u32(elf_bytes_of(&b, group), GRP_COMDAT);
    sm_buf_put_u32(elf_bytes_of(&b, group), member);
    b.section[group].header.sh_info = signature;
    elf_relocate(&b, data, 0, R_X86_64_64, signature, 0);
    finish(n);
}

Test(elfjoin, of_equal_groups_one_is_kept) {
    size_t n;
    part_with_group(0, "own", "01234567");
    part_with_group(1, "own", "01234567");
    joins(NULL, 0);
    size_t kept = sm_elf_find(&e, ".data.own", 0), group = sm_elf_find(&e, ".group", 0);
    cr_assert(kept && !sm_elf_find(&e, ".data.own", kept) && group && !sm_elf_find(&e, ".group", group));
    cr_assert(symbol("own", &n).section == kept && e.section[group].info == n);
    cr_assert(relocation(".data", 0).symbol == n && relocation(".data", 1).symbol == n);
    uint32_t list[2];
    cr_assert_eq(e.section[group].bytes.len, sizeof list);
    memcpy(list, e.section[group].bytes.data, sizeof list);
    cr_assert(list[0] == GRP_COMDAT && list[1] == kept && group < kept);
}

Test(elfjoin, other_groups_stay_apart) {
    part_with_group(0, "own", "01234567");
    part_with_group(1, "other", "01234567");
    joins(NULL, 0);
    size_t first = sm_elf_find(&e, ".data.own", 0);
    cr_assert(first && sm_elf_find(&e, ".data.own", first), "sections of groups are not joined");
}

/* As LLVM writes a comdat that has another name than its functions: the name is a local symbol in the group's section. */
static void part_with_named_group(int n, const char *name, const char *bytes) {
    elf_start(&b, EM_X86_64, ET_REL);
    unsigned group = elf_section(&b, ".group", SHT_GROUP, 0, 0, NULL, 0);
    unsigned member =
        elf_section(&b, ".data.own", SHT_PROGBITS, SHF_ALLOC | SHF_WRITE | SHF_GROUP, 0, bytes, strlen(bytes));
    b.section[group].header.sh_info = elf_symbol(&b, name, LOCAL, (uint16_t)group, 0, 0);
    elf_symbol(&b, bytes, STB_WEAK << 4 | STT_OBJECT, (uint16_t)member, 0, 8);
    sm_buf_put_u32(elf_bytes_of(&b, group), GRP_COMDAT);
    sm_buf_put_u32(elf_bytes_of(&b, group), member);
    finish(n);
}

Test(elfjoin, groups_keep_names_that_no_other_symbol_has) {
    part_with_named_group(0, "first", "01234567");
    part_with_named_group(1, "other", "89abcdef");
    joins(NULL, 0);
    size_t group = 0;
    for (int i = 0; i < 2; i++) {
        sm_elf_symbol name;
        group = sm_elf_find(&e, ".group", group);
        cr_assert(group && sm_elf_symbol_at(&e, e.section[group].info, &name) == SM_OK);
        cr_assert_str_eq(name.name, i ? "other" : "first");
        cr_assert(name.bind == STB_LOCAL && name.section == group);
    }
}

Test(elfjoin, of_groups_with_one_such_name_one_is_kept) {
    part_with_named_group(0, "first", "01234567");
    part_with_named_group(1, "first", "01234567");
    joins(NULL, 0);
    size_t group = sm_elf_find(&e, ".group", 0);
    cr_assert(group && !sm_elf_find(&e, ".group", group));
}

/* ---- Tables ----------------------------------------------------------------------------------------------------- */

/* One function with a record of two locations: a constant of the pool, and one that is not. */
static void part_with_table(int n, const char *name, uint64_t id, int64_t constant) {
    elf_start(&b, EM_X86_64, ET_REL);
    unsigned code = text("0123456789abcdef"),
             table = elf_section(&b, SM_STACKMAP_SECTION, SHT_PROGBITS, SHF_ALLOC, 0, NULL, 0);
    uint32_t f = elf_symbol(&b, name, GLOBAL_FUNC, (uint16_t)code, 0, 16);
    elf_symbol(&b, "__LLVM_StackMaps", LOCAL, (uint16_t)table, 0, 0);
    sm_buf *to = elf_bytes_of(&b, table);
    sm_buf_put_u32(to, 3);
    for (int i = 0; i < 3; i++)
        sm_buf_put_u32(to, 1);
    sm_buf_put_u64(to, 0);
    sm_buf_put_u64(to, 24);
    sm_buf_put_u64(to, 1);
    sm_buf_put_u64(to, (uint64_t)constant);
    sm_buf_put_u64(to, id);
    sm_buf_put_u32(to, 8);
    sm_buf_put_u32(to, 2u << 16);
    for (int kind = 5; kind >= 4; kind--) {
        sm_buf_put_u32(to, (uint32_t)kind | 8u << 16);
        sm_buf_put_u32(to, 0);
        sm_buf_put_u32(to, kind == 5 ? 0 : 7);
    }
    sm_buf_put_u64(to, 0);
    elf_relocate(&b, table, HEADER, R_X86_64_64, f, 0);
    finish(n);
}

Test(elfjoin, stackmaps_become_one) {
    sm_stackmap m = {0};
    sm_stackmap_error err;
    part_with_table(0, "f", 11, 1000000000000);
    part_with_table(1, "g", 22, 2000000000000);
    joins(NULL, 0);
    size_t table = sm_elf_find(&e, SM_STACKMAP_SECTION, 0);
    const unsigned char *bytes = e.section[table].bytes.data;
    cr_assert_eq(sm_elf_find(&e, SM_STACKMAP_SECTION, table), 0);
    cr_assert(bytes[0] == 3 && bytes[4] == 2 && bytes[8] == 2 && bytes[12] == 2, "one header counts all");
    cr_assert_eq(relocation(SM_STACKMAP_SECTION, 1).offset, HEADER + FUNCTION);
    cr_assert_eq(symbol("__LLVM_StackMaps", NULL).value, 0);
    cr_assert_eq(sm_stackmap_of_object(&m, &e, &err), SM_OK);
    cr_assert(m.functions == 2 && m.records == 2);
    cr_assert(strcmp(m.function[0].name, "f") == 0 && strcmp(m.function[1].name, "g") == 0);
    cr_assert(m.record[0].id == 11 && m.record[1].id == 22 && m.function[1].record == 1);
    cr_assert_eq(m.location[m.record[0].location].constant, 1000000000000);
    cr_assert_eq(m.location[m.record[1].location].constant, 2000000000000, "its own, of the pool");
    cr_assert_eq(m.location[m.record[1].location + 1].constant, 7);
    sm_stackmap_free(&m);
}

Test(elfjoin, damaged_tables_are_refused) {
    static const size_t at[] = {0, 4, 8, 12, HEADER + FUNCTION + 8 + 14};
    for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
        part_with_table(0, "f", 11, 1);
        part_with_table(1, "g", 22, 2);
        size_t table = sm_elf_find(&part[1], SM_STACKMAP_SECTION, 0);
        file[1].data[part[1].section[table].bytes.data - file[1].data + (ptrdiff_t)at[i]] = 77;
        refused("stackmap");
        fini();
        init();
    }
}

/* ---- What is no part of a module ------------------------------------------------------------------------------- */

Test(elfjoin, what_is_not_known_is_refused) {
    static const struct {
        uint32_t type;
        uint64_t flags;
        const char *why;
    } other[] = {{SHT_PROGBITS, SHF_LINK_ORDER, "flags"}, {0x6fff4c03, 0, "type"}, {SHT_REL, 0, "type"}};
    for (size_t i = 0; i < sizeof other / sizeof *other; i++) {
        for (int p = 0; p < PARTS; p++) {
            elf_start(&b, EM_X86_64, ET_REL);
            text("abc");
            elf_section(&b, "other", other[i].type, other[i].flags, 0, "x", 1);
            finish(p);
        }
        refused(other[i].why);
        fini();
        init();
    }
}

static void part_with_symbol(int n, uint16_t machine, unsigned info, int defined) {
    elf_start(&b, machine, ET_REL);
    unsigned code = text("01234567");
    uint32_t s = elf_symbol(&b, "s", info, (uint16_t)(defined ? code : SHN_UNDEF), 0, 0);
    elf_relocate(&b, code, 0, R_X86_64_PC32, s, 0);
    finish(n);
}

Test(elfjoin, two_definitions_are_refused) {
    part_with_symbol(0, EM_X86_64, GLOBAL_FUNC, 1);
    part_with_symbol(1, EM_X86_64, GLOBAL_FUNC, 1);
    refused("Two parts define s");
}

/* In the text of one module the one would have found the other. */
Test(elfjoin, a_local_name_that_another_part_asks_for_is_refused) {
    part_with_symbol(0, EM_X86_64, LOCAL, 1);
    part_with_symbol(1, EM_X86_64, GLOBAL, 0);
    refused("s is local to one part");
}

Test(elfjoin, other_machines_are_refused) {
    part_with_symbol(0, EM_X86_64, GLOBAL_FUNC, 1);
    part_with_symbol(1, EM_AARCH64, GLOBAL, 0);
    refused("one machine");
}

Test(elfjoin, what_no_part_defines_is_refused) {
    static const sm_join_local local = {"s", "s"};
    part_with_symbol(0, EM_X86_64, GLOBAL, 0);
    part_with_symbol(1, EM_X86_64, GLOBAL, 0);
    cr_assert_eq(sm_elf_join(part, PARTS, &local, 1, &joined, why, sizeof why), SM_INVALID_OBJECT);
    cr_assert(strstr(why, "No part defines s"), "%s", why);
}

/* Zeros would end the table for who reads it. */
Test(elfjoin, unwind_tables_are_not_padded) {
    for (int p = 0; p < PARTS; p++) {
        elf_start(&b, EM_X86_64, ET_REL);
        elf_section(&b, ".eh_frame", SHT_X86_64_UNWIND, SHF_ALLOC, 0, "0123456", 7);
        finish(p);
    }
    refused(".eh_frame");
}
