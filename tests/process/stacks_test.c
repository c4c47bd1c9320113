/* Stack slots that hold references across safepoints: regions, with the layout of what is in them, from where they
 * are written to where they are read for the last time. That they are right is shown by
 * client/examples/programs/stacks.ll and by random programs, which run under a collector that moves everything. */
#include "worker.h"

#include "status.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#define NONE "safepoints=none "
#define REF  "ptr addrspace(1)"

#define HEAD                                                                                                         \
    "declare void @g()\ndeclare void @out(ptr)\ndeclare i64 @peek(ptr nocapture) \"gc-leaf-function\"\n"             \
    "declare void @llvm.lifetime.start.p0(i64, ptr)\ndeclare void @llvm.lifetime.end.p0(i64, ptr)\n"                 \
    "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)\n"                                                       \
    "declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)\n@where = global ptr null\n@more = global i1 0\n"
#define F_WITH(attribute, body)                                                                                      \
    HEAD "define " REF " @f(" REF " %p, i64 %i, i1 %c) " attribute " gc \"statepoint-example\" {\n" body "}\n"
#define F(body) F_WITH("", body)
#define CALL    "  call void @g()\n"
#define END     "  ret " REF " %p\n"

static const char *const levels[] = {NONE "opt=0", NONE "opt=1", NONE "opt=2", NONE "opt=3", NONE "opt=z"};
enum { LEVELS = sizeof levels / sizeof *levels };

static void regions(const char *ir, size_t times) {
    for (size_t i = 0; i < LEVELS; i++)
        has(ir, levels[i], SM_PART_STACKMAP, "\"kind\":\"direct\"", times);
}

static void fields(const char *type, const char *expected) {
    char ir[4096];
    for (size_t i = 0; i < LEVELS; i++) {
        snprintf(ir, sizeof ir, "%s  %%s = alloca %s\n  call void @out(ptr %%s)\n%s}\n",
                 HEAD "define " REF " @f(" REF " %p) gc \"statepoint-example\" {\n", type, END);
        has(ir, levels[i], SM_PART_STACKMAP, expected, 1);
    }
}

static void refused(const char *ir, const char *why) {
    for (size_t i = 0; i < LEVELS; i++)
        refuses(ir, levels[i], SM_CANNOT_REWRITE, why);
}

Test(stacks, have_the_layout_of_their_type, .timeout = 600) {
    fields(REF, "\"fields\":[{\"offset\":0,\"size\":8,\"space\":1}]");
    fields("{ i64, " REF " }", "\"fields\":[{\"offset\":8,\"size\":8,\"space\":1}]");
    fields("<{ i8, " REF ", i8, " REF " }>",
           "\"fields\":[{\"offset\":1,\"size\":8,\"space\":1},{\"offset\":10,\"size\":8,\"space\":1}]");
    fields("[4 x { i64, " REF " }]", "\"fields\":[{\"offset\":8,\"size\":8,\"space\":1,\"count\":4,\"stride\":16}]");
    fields("[3 x [5 x " REF "]]", "\"fields\":[{\"offset\":0,\"size\":8,\"space\":1,\"count\":15,\"stride\":8}]");
    fields("{ i32, [2 x { [3 x " REF "], double }] }",
           "\"fields\":[{\"offset\":8,\"size\":8,\"space\":1,\"count\":3,\"stride\":8},"
           "{\"offset\":40,\"size\":8,\"space\":1,\"count\":3,\"stride\":8}]");
    fields("{ <2 x " REF ">, i64 }", "\"fields\":[{\"offset\":0,\"size\":8,\"space\":1,\"count\":2,\"stride\":8}]");
    fields(REF ", i32 3", "\"fields\":[{\"offset\":0,\"size\":8,\"space\":1,\"count\":3,\"stride\":8}]");
    regions(F("  %s = alloca { [0 x " REF "], i64 }\n  call void @out(ptr %s)\n" END), 0);
}

Test(stacks, take_what_a_struct_has_beside_a_derived_pointer, .timeout = 600) {
    regions(F("  %s = alloca " REF "\n  %d = getelementptr i8, " REF " %p, i64 8\n"
              "  %a = insertvalue { " REF ", " REF " } poison, " REF " %p, 0\n"
              "  %b = insertvalue { " REF ", " REF " } %a, " REF " %d, 1\n" CALL "  %o = extractvalue { " REF ", " REF
              " } %b, 0\n  store " REF " %o, ptr %s\n"
              "  call void @out(ptr %s)\n" END),
            1);
}

/* Its type tells nothing: what is stored and loaded does. */
Test(stacks, have_the_layout_of_what_is_in_them, .timeout = 600) {
    static const char ir[] =
        F("  %s = alloca [4 x i64]\n  %u = getelementptr { i64, i64 }, ptr %s, i64 %i, i32 1\n  store volatile " REF
          " %p, ptr %u\n" CALL "  %v = load volatile " REF ", ptr %u\n  ret " REF " %v\n");
    static const char expected[] = "\"fields\":[{\"offset\":8,\"size\":8,\"space\":1,\"count\":2,\"stride\":16}]";
    has(ir, NONE "opt=0", SM_PART_STACKMAP, expected, 1);
    has(ir, NONE "opt=2", SM_PART_STACKMAP, expected, 1);
}

Test(stacks, are_regions_while_they_are_alive, .timeout = 600) {
    regions(F("  %s = alloca " REF "\n" CALL "  store volatile " REF " %p, ptr %s\n" CALL CALL
              "  %v = load volatile " REF ", ptr %s\n" CALL "  ret " REF " %v\n"),
            2);
    /* Known to others: from then on. */
    regions(F("  %s = alloca " REF "\n" CALL "  call void @out(ptr %s)\n" CALL END), 2 + 1);
    regions(F("  %s = alloca " REF "\n  store ptr %s, ptr @where\n" CALL CALL END), 2);
    /* Its lifetime. */
    regions(F("  %s = alloca " REF "\n" CALL "  call void @llvm.lifetime.start.p0(i64 8, ptr %s)\n"
              "  call void @out(ptr %s)\n" CALL "  call void @llvm.lifetime.end.p0(i64 8, ptr %s)\n" CALL END),
            2);
    regions(F("  %s = alloca " REF "\n  br label %loop\nloop:\n" CALL
              "  call void @llvm.lifetime.start.p0(i64 8, ptr %s)\n  call void @out(ptr %s)\n"
              "  call void @llvm.lifetime.end.p0(i64 8, ptr %s)\n" CALL
              "  %t = load volatile i1, ptr @more\n  br i1 %t, label %loop, label %end\nend:\n" END),
            1);
    /* By way of a choice. */
    regions(F("  %s = alloca " REF "\n  %t = alloca " REF "\n  %u = select i1 %c, ptr %s, ptr %t\n"
              "  store volatile " REF " %p, ptr %u\n" CALL "  %v = load volatile " REF ", ptr %u\n  ret " REF
              " %v\n"),
            2);
}

/* Of the call before it escapes the slot is told as well where it is read first: one that nothing fills is null. */
Test(stacks, are_null_at_first, .timeout = 600) {
    static const char ir[] = F("  %s = alloca [2 x " REF "]\n  call void @out(ptr %s)\n" END);
    has(ir, NONE "opt=0 emit=ir,obj", SM_PART_IR, "store " REF " null", 2);
    has(ir, NONE "opt=2 emit=ir,obj", SM_PART_IR, "store " REF " null", 2);
    has(F("  %s = alloca [200 x " REF "]\n  call void @out(ptr %s)\n" END), NONE "opt=2 emit=ir,obj", SM_PART_IR,
        "call void @smd.clear(ptr %s, i64 200)", 1);
    has(F("  %s = alloca " REF "\n  store " REF " %p, ptr %s\n  call void @out(ptr %s)\n" END),
        NONE "opt=2 emit=ir,obj", SM_PART_IR, "store " REF " null", 0);
}

Test(stacks, arguments_by_value_are_copied, .timeout = 600) {
    static const char ir[] =
        HEAD "define " REF " @f(ptr byval({ i64, " REF " }) %s) gc \"statepoint-example\" {\n" CALL
             "  %a = getelementptr i8, ptr %s, i64 8\n  %v = load " REF ", ptr %a\n  ret " REF " %v\n}\n";
    has(ir, NONE "opt=0", SM_PART_STACKMAP, "\"fields\":[{\"offset\":8,\"size\":8,\"space\":1}]", 1);
    has(ir, NONE "opt=2", SM_PART_STACKMAP, "\"fields\":[{\"offset\":8,\"size\":8,\"space\":1}]", 1);
}

Test(stacks, in_another_block_are_moved_into_the_first, .timeout = 600) {
    regions(F("  br i1 %c, label %a, label %b\na:\n  %s = alloca " REF "\n  call void @out(ptr %s)\n" END "b:\n" END),
            1);
    refused(F("  br label %loop\nloop:\n  %s = alloca " REF "\n  call void @out(ptr %s)\n"
              "  br i1 %c, label %loop, label %end\nend:\n" END),
            "function's first block");
}

Test(stacks, what_no_collector_could_be_told, .timeout = 600) {
    refused(F("  %s = alloca " REF ", i64 %i\n  call void @out(ptr %s)\n" END), "has no fixed size");
    refused(F("  %s = alloca " REF "\n  %d = getelementptr i8, " REF " %p, i64 8\n  store volatile " REF
              " %d, ptr %s\n" CALL "  %v = load volatile " REF ", ptr %s\n  ret " REF " %v\n"),
            "store the object's address, and the distance beside it");
    refused(F("  %s = alloca " REF "\n  call void @out(ptr %s)\n  store i64 %i, ptr %s\n" CALL END),
            "slots of their own");
    refused(F("  %s = alloca { i64, " REF " }\n  call void @out(ptr %s)\n"
              "  call void @llvm.memset.p0.i64(ptr %s, i8 1, i64 16, i1 0)\n" CALL END),
            "store null");
    refused(
        F("  %s = alloca { i64, " REF " }\n  %t = alloca { i64, " REF " }\n  call void @out(ptr %s)\n"
          "  call void @out(ptr %t)\n  call void @llvm.memcpy.p0.p0.i64(ptr %s, ptr %t, i64 12, i1 0)\n" CALL END),
        "copy whole ones");
    refused(F("  %s = alloca [16 x i8], align 8\n  store " REF " %p, ptr %s\n  call void @out(ptr %s)\n" END),
            "the type of what is in it");
    refused(F("  %s = alloca [20000 x " REF "]\n  call void @out(ptr %s)\n" END), "more than 64 KiB");
    refused(F_WITH("safestack", "  %s = alloca " REF "\n  call void @out(ptr %s)\n" END), "leave safestack");
}
