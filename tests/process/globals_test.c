/* Which of the module's globals hold references, and where: "global_roots" of the answer. */
#include "worker.h"

#include "status.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#define GC   " gc \"statepoint-example\" "
#define NONE "safepoints=none "
#define REF  "ptr addrspace(1)"

/* The global's runs are told as RUNS, whether functions have strategies or not. */
static void are(const char *type, const char *runs) {
    char ir[1024], expected[1024];
    snprintf(expected, sizeof expected, "{\"name\":\"g\",\"roots\":[%s]}", runs);
    snprintf(ir, sizeof ir, "@g = global %s zeroinitializer\n", type);
    has(ir, NONE, SM_PART_META, expected, 1);
    snprintf(ir, sizeof ir, "@g = global %s zeroinitializer\ndefine void @f()" GC "{\n  ret void\n}\n", type);
    has(ir, NONE, SM_PART_META, expected, 1);
}

/* Globals whose types have references, and those that @smd.globals names. */
Test(globals, which) {
    static const char ir[] =
        "@one = global ptr addrspace(1) null\n@none = global i64 7\n"
        "@many = thread_local global { i64, [4 x ptr addrspace(1)], { i8, ptr addrspace(1) } } zeroinitializer\n"
        "@table = internal global [3 x { i64, ptr addrspace(1) }] zeroinitializer\n@plain = global [2 x ptr] "
        "zeroinitializer\n"
        "@elsewhere = external global ptr addrspace(1)\n@smd.globals = global [1 x ptr] [ptr @plain]\n"
        "define ptr addrspace(1) @f(i64 %i)" GC
        "{\n  %p = getelementptr [3 x { i64, ptr addrspace(1) }], ptr @table, i64 0, "
        "i64 %i, i32 1\n  %v = load ptr addrspace(1), ptr %p\n  store ptr addrspace(1) null, ptr %p\n"
        "  ret ptr addrspace(1) %v\n}\n";
    has(ir, NONE "opt=0", SM_PART_META, "{\"name\":\"one\",\"roots\":[{\"offset\":0,\"space\":1}]}", 1);
    has(ir, NONE "opt=0", SM_PART_META,
        "{\"name\":\"many\",\"thread_local\":true,\"roots\":[{\"offset\":8,\"space\":1,\"count\":4,\"stride\":8},"
        "{\"offset\":48,\"space\":1}]}",
        1);
    has(ir, NONE "opt=0", SM_PART_META,
        "{\"name\":\"table\",\"roots\":[{\"offset\":8,\"space\":1,\"count\":3,\"stride\":16}]}", 1);
    has(ir, NONE "opt=0", SM_PART_META,
        "{\"name\":\"plain\",\"roots\":[{\"offset\":0,\"space\":0,\"count\":2,\"stride\":8}]}", 1);
    has(ir, NONE, SM_PART_META, "\"name\":\"none\"", 0);
    has(ir, NONE, SM_PART_META, "\"name\":\"elsewhere\"", 0);
    has("define void @f()" GC "{\n  ret void\n}\n", NONE, SM_PART_META, "global_roots", 0);
    refuses("@smd.globals = global [2 x i64] [i64 1, i64 2]\ndefine void @f()" GC "{\n  ret void\n}\n", NONE,
            SM_INVALID_MODULE, "smd.globals");
}

/* A table has as many runs as its struct has fields, whatever its length. */
Test(globals, tables) {
    are("[100000 x " REF "]", "{\"offset\":0,\"space\":1,\"count\":100000,\"stride\":8}");
    are("[100000 x { i64, " REF " }]", "{\"offset\":8,\"space\":1,\"count\":100000,\"stride\":16}");
    are("[100000 x { i64, " REF ", i64, i64, " REF ", { i32, " REF " } }]",
        "{\"offset\":8,\"space\":1,\"count\":100000,\"stride\":56},{\"offset\":32,\"space\":1,\"count\":100000,"
        "\"stride\":56},{\"offset\":48,\"space\":1,\"count\":100000,\"stride\":56}");
    are("[100000 x { " REF ", " REF " }]", "{\"offset\":0,\"space\":1,\"count\":200000,\"stride\":8}");
    are("[20000 x [5 x " REF "]]", "{\"offset\":0,\"space\":1,\"count\":100000,\"stride\":8}");
    are("[2 x { i64, [50000 x " REF "] }]",
        "{\"offset\":8,\"space\":1,\"count\":50000,\"stride\":8},{\"offset\":400016,\"space\":1,\"count\":50000,"
        "\"stride\":8}");
    are("[50000 x { i64, [2 x " REF "] }]",
        "{\"offset\":8,\"space\":1,\"count\":50000,\"stride\":24},{\"offset\":16,\"space\":1,\"count\":50000,"
        "\"stride\":24}");
    are("[3 x { i8, [3 x { i8, " REF " }] }]",
        "{\"offset\":16,\"space\":1,\"count\":3,\"stride\":56},{\"offset\":32,\"space\":1,\"count\":3,\"stride\":56},"
        "{\"offset\":48,\"space\":1,\"count\":3,\"stride\":56}");
    are("[70000 x <2 x " REF ">]", "{\"offset\":0,\"space\":1,\"count\":140000,\"stride\":8}");
    are("{ " REF ", " REF ", i32, " REF " }",
        "{\"offset\":0,\"space\":1,\"count\":2,\"stride\":8},{\"offset\":24,\"space\":1}");
    are("{ [0 x " REF "], i64, [1 x " REF "] }", "{\"offset\":8,\"space\":1}");
}

Test(globals, other_spaces_and_names) {
    has("@g = global [9000 x { i32, ptr addrspace(2), " REF " }] zeroinitializer\n", NONE "spaces=2:32:3",
        SM_PART_META,
        "{\"offset\":4,\"space\":2,\"size\":4,\"count\":9000,\"stride\":16},{\"offset\":8,\"space\":1,"
        "\"count\":9000,\"stride\":16}",
        1);
    has("@g = internal global [90000 x { i64, ptr, i64, i64, ptr }] zeroinitializer\n"
        "@smd.globals = global [1 x ptr] [ptr @g]\n",
        NONE, SM_PART_META,
        "{\"offset\":8,\"space\":0,\"count\":90000,\"stride\":40},{\"offset\":32,\"space\":0,\"count\":90000,"
        "\"stride\":40}",
        1);
}

/* What is told is bounded, and so is the way to it. */
Test(globals, bounded) {
    refuses("@g = global [300 x { [300 x { [300 x { i64, " REF " }], i64 }], i64 }] zeroinitializer\n", NONE,
            SM_OUTPUT_TOO_LARGE, "The global 'g' holds references at too many places");
    char types[4096] = "%t0 = type { i8, i8 }\n";
    for (int i = 1; i < 40; i++)
        snprintf(types + strlen(types), sizeof types - strlen(types), "%%t%d = type { %%t%d, %%t%d }\n", i, i - 1,
                 i - 1);
    strcat(types, "@g = external global %t39\n@smd.globals = global [1 x ptr] [ptr @g]\n");
    refuses(types, NONE, SM_OUTPUT_TOO_LARGE, "too many places");
}
