/* The gcroot strategies' tables, built byte by byte, and as llc-19 leaves them, for both targets. */
#include "elfbytes.h"
#include "explain.h"
#include "files.h"
#include "gcmap.h"
#include "stackmap_json.h"
#include "stackmap_object.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct elfbytes b;
static sm_buf file, json;
static sm_elf e;
static sm_stackmap m;
static sm_stackmap_error err;

static void init(void) {
    sm_buf_init(&json, 1 << 20);
}

static void fini(void) {
    sm_stackmap_free(&m);
    sm_elf_close(&e);
    sm_buf_free(&file);
    sm_buf_free(&json);
}

TestSuite(gcmap, .init = init, .fini = fini, .timeout = 600);

enum { GLOBAL = STB_GLOBAL << 4, GLOBAL_FUNC = STB_GLOBAL << 4 | STT_FUNC, TEXT = 1 };

/* Functions f (bytes 0 to 16) and g (16 to 48) in .text. */
static uint32_t start(uint16_t machine, uint16_t type, uint64_t address) {
    static const char code[48];
    elf_start(&b, machine, type);
    elf_section(&b, ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, address, code, sizeof code);
    uint32_t text = elf_symbol(&b, "", STT_SECTION, TEXT, address, 0);
    elf_symbol(&b, "f", GLOBAL_FUNC, TEXT, address, 16);
    elf_symbol(&b, "g", GLOBAL_FUNC, TEXT, address + 16, 32);
    return text;
}

static sm_status decode_bytes(const void *bytes, size_t len) {
    char why[200];
    sm_status s = sm_elf_open(&e, bytes, len, why, sizeof why);
    if (s == SM_OK)
        s = sm_stackmap_of_object(&m, &e, &err);
    return s == SM_OK ? sm_gcmap_of_object(&m, &e, &err) : s;
}

static void decodes(void) {
    elf_finish(&b, &file);
    sm_status s = decode_bytes(file.data, file.len);
    cr_assert_eq(s, SM_OK, "%s: byte %llu: %s", sm_status_name(s), (unsigned long long)err.offset, err.message);
    cr_assert_eq(sm_stackmap_to_json(&m, &json), SM_OK);
}

static void refused(const char *hint) {
    elf_finish(&b, &file);
    cr_assert_eq(decode_bytes(file.data, file.len), SM_INVALID_STACKMAP);
    cr_assert(strstr(err.message, hint), "'%s' does not say '%s'", err.message, hint);
}

/* Expected JSON is written with ' for ". */
static void says(const char *expected) {
    char *text = strdup(expected);
    for (char *p = text; (p = strchr(p, '\''));)
        *p = '"';
    cr_assert(strstr(sm_buf_cstr(&json), text), "%s\nis not in\n%s", text, sm_buf_cstr(&json));
    free(text);
}

#define ROOT(reg, dwarf, offset)                                                                                     \
    "{'base':{'kind':'indirect','register':'" reg "','dwarf':" dwarf ",'offset':" offset ",'size':8},"               \
    "'derived':{'kind':'indirect','register':'" reg "','dwarf':" dwarf ",'offset':" offset ",'size':8}}"
#define GCROOT(offset, roots)                                                                                        \
    "{'id':0,'offset':" offset ",'kind':'gcroot','reason':null,'callee':null,'roots':[" roots "]}"

static void put_u16s(sm_buf *out, const int *values, size_t count) {
    for (size_t i = 0; i < count; i++)
        sm_buf_put_u16(out, (uint16_t)values[i]);
}

#define U16S(out, ...) put_u16s(out, (const int[]){__VA_ARGS__}, sizeof((const int[]){__VA_ARGS__}) / sizeof(int))

/* One function of erlang's table: count, addresses (left to relocations), then the rest as given. */
static void erlang_function(unsigned section, uint32_t text, const int *addresses, int count) {
    sm_buf *out = elf_bytes_of(&b, section);
    sm_buf_align(out, 8);
    sm_buf_put_u16(out, (uint16_t)count);
    for (int i = 0; i < count; i++) {
        elf_relocate(&b, section, out->len, R_X86_64_32, text, addresses[i]);
        sm_buf_put_u32(out, 0);
    }
}

Test(gcmap, erlang) {
    uint32_t text = start(EM_X86_64, ET_REL, 0);
    unsigned notes = elf_section(&b, ".note.gc", SHT_PROGBITS, 0, 0, NULL, 0);
    sm_buf *out = elf_bytes_of(&b, notes);
    erlang_function(notes, text, (int[]){5, 16}, 2);
    U16S(out, 3, 1, 2, 0, 1); /* 24 bytes of frame, one argument on the stack, two roots */
    erlang_function(notes, text, NULL, 0);
    U16S(out, 0, 0, 0); /* a function that nothing stops in */
    erlang_function(notes, text, (int[]){48}, 1);
    U16S(out, 0xffff, 0, 1, -2);
    decodes();
    says("{'format':'erlang','arch':'x86_64','functions':["
         "{'name':'f','address':{'section':'.text','offset':0},'size':16,'frame_size':24,'stack_arity':1,'safepoints'"
         ":[" GCROOT("5", ROOT("rsp", "7", "0") "," ROOT("rsp", "7", "8")) "," GCROOT(
             "16", ROOT("rsp", "7", "0") "," ROOT(
                       "rsp", "7", "8")) "]},"
                                         "{'name':'g','address':{'section':'.text','offset':16},'"
                                         "size':32,'frame_size':null,'stack_arity':0,'safepoints':[" GCROOT(
                                             "32", ROOT("rbp", "6", "-16")) "]}]}");
}

static unsigned frametable(uint64_t address, int count) {
    unsigned data = elf_section(&b, ".data", SHT_PROGBITS, SHF_ALLOC | SHF_WRITE, address, NULL, 0);
    elf_symbol(&b, "camlTest__data_end", GLOBAL, (uint16_t)data, address, 0);
    elf_symbol(&b, "camlTest__frametable", GLOBAL, (uint16_t)data, address + 8, 0);
    sm_buf_put_u64(elf_bytes_of(&b, data), 0);
    U16S(elf_bytes_of(&b, data), count);
    sm_buf_align(elf_bytes_of(&b, data), 8);
    return data;
}

static void descriptor(unsigned data, uint32_t text, int address, const int *rest, size_t count) {
    sm_buf *out = elf_bytes_of(&b, data);
    elf_relocate(&b, data, out->len, R_AARCH64_ABS64, text, address);
    sm_buf_put_u64(out, 0);
    put_u16s(out, rest, count);
    sm_buf_align(out, 8);
}

Test(gcmap, ocaml) {
    uint32_t text = start(EM_AARCH64, ET_REL, 0);
    unsigned data = frametable(0, 3);
    descriptor(data, text, 16, (int[]){32, 2, 8, 24}, 4);
    descriptor(data, text, 20, (int[]){48, 0}, 2);
    descriptor(data, text, 40, (int[]){48, 1, -8}, 3);
    decodes();
    says("{'format':'ocaml','arch':'aarch64','functions':["
         "{'name':'f','address':{'section':'.text','offset':0},'size':16,'frame_size':32,'safepoints':[" GCROOT(
             "16", ROOT("sp", "31", "8") "," ROOT(
                       "sp", "31", "24")) "]},"
                                          "{'name':'g','address':{'section':'.text','offset':16},'size':32,'frame_"
                                          "size':48,'safepoints':[" GCROOT("4", "") "," GCROOT(
                                              "24", ROOT("x29", "29", "-8")) "]}]}");
}

Test(gcmap, ocaml_in_a_linked_file) {
    start(EM_X86_64, ET_EXEC, 0x401000);
    unsigned data = frametable(0x402000, 1);
    sm_buf *out = elf_bytes_of(&b, data);
    sm_buf_put_u64(out, 0x401030); /* the very end of g */
    U16S(out, 8, 0);
    sm_buf_align(out, 8);
    decodes();
    says("'functions':[{'name':'g','address':{'section':'.text','offset':4198416},'size':32,'frame_size':8,"
         "'safepoints':[" GCROOT("32", "") "]}]");
}

Test(gcmap, a_safepoint_of_no_function) {
    uint32_t text;
    elf_start(&b, EM_X86_64, ET_REL);
    elf_section(&b, ".text", SHT_PROGBITS, SHF_ALLOC, 0, "0123456789abcdef", 16);
    text = elf_symbol(&b, "", STT_SECTION, TEXT, 0, 0);
    unsigned data = frametable(0, 1);
    descriptor(data, text, 9, (int[]){8, 0}, 2);
    decodes();
    says("{'name':null,'address':{'section':'.text','offset':0},'size':0,'frame_size':8,'safepoints':[" GCROOT(
        "9", "") "]}");
}

static uint32_t frame_map(unsigned section, const char *name, unsigned info, int roots, int metadata) {
    sm_buf *out = elf_bytes_of(&b, section);
    uint32_t symbol = elf_symbol(&b, name, info, (uint16_t)section, out->len, 8 + 8 * (uint64_t)metadata);
    sm_buf_put_u32(out, (uint32_t)roots);
    sm_buf_put_u32(out, (uint32_t)metadata);
    return symbol;
}

Test(gcmap, shadow_stack) {
    start(EM_X86_64, ET_REL, 0);
    unsigned data = elf_section(&b, ".rodata", SHT_PROGBITS, SHF_ALLOC, 0, "tabletab", 8);
    sm_buf *out = elf_bytes_of(&b, data);
    uint32_t section = elf_symbol(&b, "", STT_SECTION, (uint16_t)data, 0, 0);
    elf_symbol(&b, "table", STT_OBJECT, (uint16_t)data, 0, 8);
    uint32_t elsewhere = elf_symbol(&b, "elsewhere", GLOBAL, SHN_UNDEF, 0, 0);
    frame_map(data, "__gc_f", STT_OBJECT, 5, 4);
    elf_relocate(&b, data, out->len, R_X86_64_64, section, 4);
    sm_buf_put_u64(out, 0);
    elf_relocate(&b, data, out->len, R_X86_64_64, elsewhere, 0);
    sm_buf_put_u64(out, 0);
    sm_buf_put_u64(out, 77);
    elf_relocate(&b, data, out->len, R_X86_64_64, section, 9);
    sm_buf_put_u64(out, 0);
    frame_map(data, "__gc_g.1", STT_OBJECT, 1, 0);
    decodes();
    says("{'format':'shadow-stack','arch':'x86_64','functions':["
         "{'name':'f','address':{'section':'.text','offset':0},'size':16,'frame_size':null,'safepoints':[],"
         "'frame_map':{'address':{'section':'.rodata','offset':8},'roots':5,'metadata':["
         "{'symbol':'table','addend':4},{'symbol':'elsewhere','addend':0},{'symbol':null,'addend':77},"
         "{'symbol':'__gc_f','addend':1}]}},"
         "{'name':'g','address':{'section':'.text','offset':16},'size':32,'frame_size':null,'safepoints':[],"
         "'frame_map':{'address':{'section':'.rodata','offset':48},'roots':1,'metadata':[]}}]}");
}

Test(gcmap, what_only_has_a_frame_maps_name) {
    start(EM_X86_64, ET_REL, 0);
    unsigned data = elf_section(&b, ".rodata", SHT_PROGBITS, SHF_ALLOC, 0, NULL, 0);
    frame_map(data, "__gc_nobody", STT_OBJECT, 1, 0); /* no such function */
    frame_map(data, "__gc_g", GLOBAL | STT_OBJECT, 1, 0);
    frame_map(data, "__gc_f", STT_OBJECT, 0, 0); /* a frame without roots has no map */
    frame_map(data, "__gc_f", STT_OBJECT, 1, 2); /* more metadata than roots */
    sm_buf_put_u64(elf_bytes_of(&b, data), 0);
    sm_buf_put_u64(elf_bytes_of(&b, data), 0);
    elf_symbol(&b, "__gc_f", STT_OBJECT, (uint16_t)data, 0, 16);
    unsigned zeroes = elf_section(&b, ".bss", SHT_NOBITS, SHF_ALLOC | SHF_WRITE, 0, "16 bytes of zero", 16);
    elf_symbol(&b, "__gc_f", STT_OBJECT, (uint16_t)zeroes, 0, 16); /* a variable */
    decodes();
    says("{'format':'none','arch':'x86_64','functions':[]}");
}

/* To leave it out would lose its roots without a word. */
Test(gcmap, a_frame_map_that_ends_behind_its_section) {
    static const uint64_t place[][2] = {{0, 24}, {8, 16}, {16, 8}, {4096, 8}, {UINT64_MAX - 3, 8}, {8, UINT64_MAX}};
    for (size_t i = 0; i < sizeof place / sizeof *place; i++) {
        start(EM_X86_64, ET_REL, 0);
        unsigned data =
            elf_section(&b, ".rodata", SHT_PROGBITS, SHF_ALLOC, 0, "\2\0\0\0\2\0\0\0\0\0\0\0\0\0\0\0", 16);
        elf_symbol(&b, "__gc_f", STT_OBJECT, (uint16_t)data, place[i][0], place[i][1]);
        elf_finish(&b, &file);
        cr_assert_eq(decode_bytes(file.data, file.len), SM_INVALID_OBJECT, "place %zu", i);
        sm_stackmap_free(&m);
        sm_elf_close(&e);
        sm_buf_free(&file);
    }
}

/* Two sources with a static function of the same name, linked into one file. */
Test(gcmap, frame_maps_of_local_functions) {
    elf_start(&b, EM_X86_64, ET_EXEC);
    elf_section(&b, ".text", SHT_PROGBITS, SHF_ALLOC, 0x1000, "0123456789abcdef", 16);
    unsigned data = elf_section(&b, ".rodata", SHT_PROGBITS, SHF_ALLOC, 0x2000, NULL, 0);
    for (int i = 0; i < 2; i++) {
        elf_symbol(&b, i ? "b.ll" : "a.ll", STT_FILE, SHN_ABS, 0, 0);
        elf_symbol(&b, "f", STT_FUNC, TEXT, 0x1000 + 8 * (uint64_t)i, 8);
        elf_symbol(&b, "__gc_f", STT_OBJECT, (uint16_t)data, 0x2000 + 8 * (uint64_t)i, 8);
        sm_buf_put_u32(elf_bytes_of(&b, data), (uint32_t)(i + 1));
        sm_buf_put_u32(elf_bytes_of(&b, data), 0);
    }
    decodes();
    says("'address':{'section':'.text','offset':4096},'size':8,'frame_size':null,'safepoints':[],'frame_map':{"
         "'address':{'section':'.rodata','offset':8192},'roots':1,");
    says("'address':{'section':'.text','offset':4104},'size':8,'frame_size':null,'safepoints':[],'frame_map':{"
         "'address':{'section':'.rodata','offset':8200},'roots':2,");
}

Test(gcmap, several_tables_in_one_object) {
    uint32_t text = start(EM_X86_64, ET_REL, 0);
    unsigned data = frametable(0, 1);
    descriptor(data, text, 5, (int[]){8, 0}, 2);
    unsigned notes = elf_section(&b, ".note.gc", SHT_PROGBITS, 0, 0, NULL, 0);
    erlang_function(notes, text, (int[]){20}, 1);
    U16S(elf_bytes_of(&b, notes), 1, 0, 0);
    decodes();
    says("{'format':'mixed',");
    says("{'name':'f','address':{'section':'.text','offset':0},'size':16,'frame_size':8,'format':'ocaml',");
    says("{'name':'g','address':{'section':'.text','offset':16},'size':32,'frame_size':8,'format':'erlang',");
}

Test(gcmap, more_roots_than_bytes) {
    uint32_t text = start(EM_X86_64, ET_REL, 0);
    unsigned notes = elf_section(&b, ".note.gc", SHT_PROGBITS, 0, 0, NULL, 0);
    erlang_function(notes, text, (int[]){5}, 1);
    U16S(elf_bytes_of(&b, notes), 1, 0, 2, 0);
    refused("2 live roots do not fit");
}

Test(gcmap, more_safepoints_than_bytes) {
    start(EM_X86_64, ET_REL, 0);
    unsigned notes = elf_section(&b, ".note.gc", SHT_PROGBITS, 0, 0, NULL, 0);
    U16S(elf_bytes_of(&b, notes), 2, 0, 0, 0);
    refused("2 safepoints do not fit");
}

Test(gcmap, an_address_without_a_relocation) {
    start(EM_X86_64, ET_REL, 0);
    unsigned notes = elf_section(&b, ".note.gc", SHT_PROGBITS, 0, 0, NULL, 0);
    U16S(elf_bytes_of(&b, notes), 1, 5, 0, 1, 0, 0);
    refused("in no section");
}

Test(gcmap, fewer_descriptors_than_counted) {
    uint32_t text = start(EM_X86_64, ET_REL, 0);
    unsigned data = frametable(0, 2);
    descriptor(data, text, 5, (int[]){8, 0}, 2);
    refused("ends beyond the section");
}

Test(gcmap, a_table_of_the_ocaml_compiler) {
    uint32_t text = start(EM_X86_64, ET_REL, 0);
    unsigned data = frametable(0, 1);
    descriptor(data, text, 5, (int[]){17, 0}, 2);
    refused("OCaml compiler");
}

Test(gcmap, tables_that_overlap) {
    uint32_t text = start(EM_X86_64, ET_REL, 0);
    unsigned data = frametable(0, 1);
    descriptor(data, text, 5, (int[]){8, 0}, 2);
    elf_symbol(&b, "camlOther__frametable", GLOBAL, (uint16_t)data, 16, 0);
    refused("inside another");
}

/* The same, as LLVM leaves it: one, fp and (erlang only) dyn have safepoints. */
static void compile(const char *name, const char *triple, const char *options) {
    char command[300];
    int status;
    snprintf(command, sizeof command,
             "llc-19 -mtriple=%s -relocation-model=pic -filetype=obj %s -o - " SOURCE_DIR "/tests/corpus/%s.ll",
             triple, options, name);
    struct bytes out = run_command(command, "", 0, &status);
    cr_assert_eq(status, 0, "%s", command);
    sm_buf_init(&file, 1 << 20);
    sm_buf_put(&file, out.data, out.len);
    bytes_free(out);
    sm_status s = decode_bytes(file.data, file.len);
    cr_assert_eq(s, SM_OK, "%s: %s", command, err.message);
    cr_assert_eq(sm_stackmap_to_json(&m, &json), SM_OK);
}

/* The n-th function has this name, frame size and number of safepoints, each with ROOTS roots, the first at OFFSET
 * from REG. */
static void function(uint32_t n, const char *name, uint64_t frame_size, uint32_t points, uint32_t roots,
                     const char *reg, int offset) {
    cr_assert_lt(n, m.functions);
    const sm_function *f = &m.function[n];
    cr_assert_str_eq(f->name, name);
    cr_assert_eq(f->frame_size, frame_size, "%s: %llu", name, (unsigned long long)f->frame_size);
    cr_assert_eq(f->records, points, "%s: %u", name, f->records);
    for (uint32_t i = 0; i < points; i++) {
        const sm_record *r = &m.record[f->record + i];
        cr_assert_gt(r->offset, 0);
        cr_assert_leq(r->offset, f->size);
        cr_assert_eq(r->locations, roots);
        const char *base = sm_register_name(m.machine, m.location[r->location].dwarf);
        cr_assert(reg ? base && strcmp(base, reg) == 0 : !base, "%s: %s", name, base);
        cr_assert_eq(m.location[r->location].offset, offset);
    }
}

Test(gcmap, erlang_of_llvm) {
    compile("erlang", "x86_64-linux-gnu", "");
    cr_assert_str_eq(m.format, "erlang");
    cr_assert_eq(m.functions, 3);
    function(0, "one", 24, 3, 2, "rsp", 0);
    function(1, "fp", 24, 1, 1, "rbp", -8);
    function(2, "dyn", UINT64_MAX, 1, 1, "rbp", -8);
    fini();
    init();
    compile("erlang", "aarch64-linux-gnu", "");
    cr_assert_eq(m.functions, 3);
    function(0, "one", 32, 3, 2, "sp", 8);
    function(1, "fp", 32, 1, 1, "sp", 8);
    function(2, "dyn", UINT64_MAX, 1, 1, "x29", -8);
}

/* NULL: the register is not known, rather than guessed. */
Test(gcmap, frames_whose_base_the_table_does_not_tell) {
    compile("erlang-frames", "x86_64-linux-gnu", "");
    cr_assert_eq(m.functions, 3);
    function(0, "both", UINT64_MAX, 2, 1, NULL, 32);
    function(1, "realigned", UINT64_MAX, 1, 1, "rsp", 40);
    function(2, "gap", 88, 2, 2, "rbp", -32);
    says("'register':null,'dwarf':65535,'offset':32");
    fini();
    init();
    compile("erlang-frames", "aarch64-linux-gnu", "");
    function(0, "both", UINT64_MAX, 2, 1, NULL, 24);
    function(1, "realigned", UINT64_MAX, 1, 1, "sp", 40);
    function(2, "gap", 96, 2, 2, NULL, 24);
    cr_assert_eq(m.location[m.record[m.function[2].record].location + 1].offset, -8);
}

Test(gcmap, ocaml_of_llvm) {
    compile("ocaml", "x86_64-linux-gnu", "");
    cr_assert_str_eq(m.format, "ocaml");
    cr_assert_eq(m.functions, 2);
    function(0, "one", 24, 3, 2, "rsp", 0);
    function(1, "fp", 24, 1, 1, "rbp", -8);
    fini();
    init();
    compile("ocaml", "aarch64-linux-gnu", "-function-sections");
    cr_assert_eq(m.functions, 2);
    function(0, "one", 32, 3, 2, "sp", 8);
    function(1, "fp", 32, 1, 1, "sp", 8);
}

Test(gcmap, shadow_stack_of_llvm) {
    static const char *const triples[] = {"x86_64-linux-gnu", "aarch64-linux-gnu"};
    for (int i = 0; i < 2; i++) {
        compile("shadow-stack", triples[i], i ? "-O0" : "");
        says("'name':'one'");
        says("'roots':3,'metadata':[{'symbol':'meta','addend':0},{'symbol':'tab','addend':8}]}");
        says("'name':'two'");
        says("'roots':1,'metadata':[]}");
        says("'name':'three'");
        says("'roots':1,'metadata':[{'symbol':null,'addend':77}]}");
        fini();
        init();
    }
}

/* Whatever single byte is damaged, the reader answers or refuses. */
Test(gcmap, no_damaged_byte_harms) {
    static const char *const names[] = {"erlang", "ocaml", "shadow-stack"};
    for (int n = 0; n < 3; n++) {
        compile(names[n], "x86_64-linux-gnu", "");
        for (size_t at = 0; at < file.len; at++)
            for (int i = 0; i < 2; i++) {
                unsigned char good = file.data[at];
                sm_stackmap_free(&m);
                sm_elf_close(&e);
                file.data[at] = i ? 0xff : (unsigned char)(good ^ 1u << at % 8);
                if (decode_bytes(file.data, file.len) == SM_OK) {
                    sm_buf_clear(&json);
                    sm_stackmap_to_json(&m, &json);
                    sm_explain(&m, NULL, 0, &json);
                }
                file.data[at] = good;
            }
        fini();
        init();
    }
}
