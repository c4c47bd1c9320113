/* The text for a person, line by line. */
#include "explain.h"

#include <criterion/criterion.h>
#include <string.h>

static sm_buf out;

static void init(void) {
    sm_buf_init(&out, 1 << 16);
}

static void fini(void) {
    sm_buf_free(&out);
}

TestSuite(explain, .init = init, .fini = fini);

static void explains(const sm_stackmap *m, int color, const char *expected) {
    cr_assert_eq(sm_explain(m, NULL, color, &out), SM_OK);
    cr_assert_str_eq(sm_buf_cstr(&out), expected);
    sm_buf_clear(&out);
}

Test(explain, statepoints) {
    sm_location l[] = {{.kind = SM_LOCATION_CONSTANT, .size = 8, .constant = 9},
                       {.kind = SM_LOCATION_CONSTANT, .size = 8, .constant = 1},
                       {.kind = SM_LOCATION_CONSTANT, .size = 8, .constant = 1},
                       {.kind = SM_LOCATION_INDIRECT, .size = 1, .dwarf = 7, .offset = 40},
                       {.kind = SM_LOCATION_INDIRECT, .size = 8, .dwarf = 7, .offset = 24},
                       {.kind = SM_LOCATION_INDIRECT, .size = 8, .dwarf = 7, .offset = 8},
                       {.kind = SM_LOCATION_REGISTER, .size = 8, .dwarf = 3},
                       {.kind = SM_LOCATION_REGISTER, .size = 8, .dwarf = 3},
                       {.kind = SM_LOCATION_CONSTANT, .size = 8},
                       {.kind = SM_LOCATION_CONSTANT, .size = 8},
                       {.kind = SM_LOCATION_DIRECT, .size = 8, .dwarf = 7, .offset = 16},
                       {.kind = SM_LOCATION_CONSTANT, .size = 8},
                       {.kind = SM_LOCATION_CONSTANT, .size = 8},
                       {.kind = SM_LOCATION_CONSTANT, .size = 8}};
    sm_record r[] = {{.id = 7,
                      .offset = 10,
                      .kind = SM_RECORD_STATEPOINT,
                      .reason = "entry-poll",
                      .callee = "do_safepoint",
                      .fault_offset = UINT32_MAX,
                      .locations = 11},
                     {.id = 8,
                      .offset = 4096,
                      .kind = SM_RECORD_STATEPOINT,
                      .fault_offset = 4090,
                      .location = 11,
                      .locations = 3}};
    sm_function f = {.name = "walk", .section = ".text", .offset = 16, .size = 41, .frame_size = 56, .records = 2};
    sm_stackmap m = {.format = "llvm-v3",
                     .machine = EM_X86_64,
                     .function = &f,
                     .functions = 1,
                     .record = r,
                     .records = 2,
                     .location = l,
                     .locations = 14};
    explains(&m, 0,
             "walk  .text+0x10, 41 bytes, frame of 56 bytes\n"
             "  +0x000a  entry-poll to do_safepoint  id 7\n"
             "           calling convention coldcc\n"
             "           transition between managed and native code\n"
             "           [rsp+8]      live pointer, derived from [rsp+24]\n"
             "           rbx          live pointer\n"
             "           0            constant pointer\n"
             "           rsp+16       stack region; its size and contents are unknown\n"
             "           [rsp+40]     deopt value, 1 byte\n"
             "  +0x1000  safepoint, faults at +0x0ffa  id 8\n"
             "           nothing is live\n"
             "\n"
             "1 function, 2 safepoints, 3 live pointers (x86-64, llvm-v3)\n");
}

static sm_location constant(uint64_t value) {
    return (sm_location){.kind = SM_LOCATION_CONSTANT, .size = 8, .constant = (int64_t)value};
}

Test(explain, references_in_regions) {
    /* Two regions: two references from 8 on, and 100 of four bytes, every 16. */
    sm_location l[] = {constant(0),
                       constant(0),
                       constant(6),
                       constant(1 << SM_FACT_FIELDS_SHIFT),
                       constant(UINT64_C(2) << 32 | 8),
                       constant(1 << SM_FACT_FIELDS_SHIFT | SM_FACT_LONG),
                       constant(UINT64_C(100) << 32),
                       constant(UINT64_C(4) << SM_FIELD_WIDTH_SHIFT | 16),
                       constant(SM_FACTS_MARK | 5),
                       {.kind = SM_LOCATION_DIRECT, .size = 8, .dwarf = 7, .offset = 0},
                       {.kind = SM_LOCATION_DIRECT, .size = 8, .dwarf = 7, .offset = 64}};
    sm_record r = {
        .id = 7, .kind = SM_RECORD_STATEPOINT, .fault_offset = UINT32_MAX, .locations = sizeof l / sizeof *l};
    sm_function f = {.name = "f", .section = ".text", .frame_size = 2048, .records = 1};
    sm_stackmap m = {.format = "llvm-v3",
                     .machine = EM_X86_64,
                     .function = &f,
                     .functions = 1,
                     .record = &r,
                     .records = 1,
                     .location = l,
                     .locations = sizeof l / sizeof *l};
    cr_assert_eq(sm_explain(&m, NULL, 0, &out), SM_OK);
    const char *text = sm_buf_cstr(&out);
    cr_assert(strstr(text, "           rsp+0        stack region, 2 references\n"
                           "           [rsp+8]      reference in it\n"
                           "           [rsp+16]     reference in it\n"
                           "           rsp+64       stack region, 100 references\n"
                           "           [rsp+64]     reference in it, 4 bytes\n"),
              "%s", text);
    cr_assert(strstr(text, "           [rsp+304]    reference in it, 4 bytes\n"
                           "           [rsp+320]    84 more references in it, each 16 bytes after the last\n"
                           "\n1 function, 1 safepoint, 102 live pointers (x86-64, llvm-v3)\n"),
              "%s", text);
}

Test(explain, stackmaps_and_live_outs) {
    sm_location l[] = {{.kind = SM_LOCATION_REGISTER, .size = 4, .dwarf = 200}};
    sm_liveout o[] = {{.dwarf = 31, .size = 8}};
    sm_record r = {.id = 7,
                   .offset = 4,
                   .kind = SM_RECORD_PATCHPOINT,
                   .callee = "indirect",
                   .fault_offset = UINT32_MAX,
                   .locations = 1,
                   .liveouts = 1};
    sm_function f = {.offset = 0x401000, .section = ".text", .frame_size = UINT64_MAX, .records = 1};
    sm_stackmap m = {.format = "llvm-v3",
                     .machine = EM_AARCH64,
                     .linked = 1,
                     .function = &f,
                     .functions = 1,
                     .record = &r,
                     .records = 1,
                     .location = l,
                     .locations = 1,
                     .liveout = o,
                     .liveouts = 1};
    explains(&m, 0,
             "(no name)  .text 0x401000, frame of dynamic size\n"
             "  +0x0004  patchpoint to indirect  id 7\n"
             "           dwarf200     value, 4 bytes\n"
             "           sp           live out, 8 bytes\n"
             "\n"
             "1 function, 1 safepoint, 0 live pointers (AArch64, llvm-v3)\n");
}

Test(explain, frame_maps) {
    sm_metadatum d[] = {{"meta", 0}, {"table", 16}, {NULL, 77}};
    sm_function f[] = {{.name = "f",
                        .section = ".text",
                        .frame_size = UINT64_MAX,
                        .has_frame_map = 1,
                        .frame_map = {.section = ".rodata", .roots = 4, .metadata = 3}},
                       {.name = "g",
                        .section = ".text",
                        .offset = 8,
                        .frame_size = UINT64_MAX,
                        .has_frame_map = 1,
                        .frame_map = {.section = ".rodata", .roots = 1}}};
    sm_stackmap m = {
        .format = "shadow-stack", .machine = EM_X86_64, .function = f, .functions = 2, .metadatum = d, .metadata = 3};
    explains(&m, 0,
             "f  .text+0x0\n"
             "  frame of 4 roots on the shadow stack\n"
             "           root 0       metadata meta\n"
             "           root 1       metadata table+16\n"
             "           root 2       metadata 77\n"
             "\n"
             "g  .text+0x8\n"
             "  frame of 1 root on the shadow stack\n"
             "\n"
             "2 functions, 0 safepoints, 0 live pointers, 5 roots in frames (x86-64, shadow-stack)\n");
}

Test(explain, colours_by_option_and_names_that_do_not_steer_the_terminal) {
    sm_function f = {.name = "\033[2Jf\n", .section = ".text", .frame_size = 8};
    sm_stackmap m = {.format = "llvm-v3", .machine = EM_X86_64, .function = &f, .functions = 1};
    explains(&m, 0,
             "?[2Jf?  .text+0x0, frame of 8 bytes\n  no safepoint\n\n1 function, 0 safepoints, 0 live pointers "
             "(x86-64, llvm-v3)\n");
    cr_assert_eq(sm_explain(&m, NULL, 1, &out), SM_OK);
    cr_assert(strstr(sm_buf_cstr(&out), "\033[1;36m?[2Jf?\033[0m"));
}

Test(explain, what_does_not_fit_is_a_failure) {
    sm_function f = {.name = "f", .section = ".text", .frame_size = 8};
    sm_stackmap m = {.format = "llvm-v3", .machine = EM_X86_64, .function = &f, .functions = 1};
    sm_buf small;
    sm_buf_init(&small, 30);
    cr_assert_eq(sm_explain(&m, NULL, 0, &small), SM_TOO_LARGE);
    sm_buf_free(&small);
}
