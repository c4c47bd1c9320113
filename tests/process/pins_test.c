/* Pins and types: objects that must not move while raw pointers lead into them, and what a frontend says of each
 * root. What they give a collector is shown by client/examples/programs/pins.ll and types.ll, which run under one
 * that moves everything. */
#include "worker.h"

#include "status.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#define NONE "safepoints=none "
#define REF  "ptr addrspace(1)"
#define HEAD                                                                                                         \
    "declare void @g()\ndeclare void @out(ptr)\ndeclare ptr @smd.gc.pin(" REF ")\ndeclare void @smd.gc.unpin(ptr)\n" \
    "declare i64 @smd.gc.to_int(" REF ")\ndeclare " REF " @smd.gc.from_int(i64)\n"                                   \
    "@t = constant i64 1\n@own = internal constant i64 2\n"
#define F(body)                                                                                                      \
    HEAD "define i64 @f(" REF " %p, " REF " %q, i64 %i, i1 %c) gc \"statepoint-example\" {\nentry:\n" body "}\n"
#define CALL        "  call void @g()\n"
#define END         "  ret i64 %i\n"
#define TYPED(what) "  call void @g() [ \"gc-type\"(" what ") ]\n"

static void gives(const char *ir, const char *expected, size_t times) {
    for (int opt = 0; opt < 4; opt++) {
        char options[80];
        snprintf(options, sizeof options, NONE "opt=%d", opt);
        has(ir, options, SM_PART_STACKMAP, expected, times);
        snprintf(options, sizeof options, NONE "opt=%d stackmap_format=compact", opt);
        has(ir, options, SM_PART_STACKMAP, expected, times);
    }
}

static void refused(const char *ir, sm_status status, const char *why) {
    refuses(ir, NONE "opt=0", status, why);
    refuses(ir, NONE "opt=2", status, why);
}

/* ---- Types ---- */

Test(types, of_values, .timeout = 600) {
    gives(F(TYPED(REF " %p, i64 7") "  %v = load i64, " REF " %p\n  ret i64 %v\n"), "\"type\":7", 1);
    gives(F(TYPED(REF " %p, ptr @t, " REF " %q, ptr @own") CALL "  %v = load i64, " REF " %p\n  %w = load i64, " REF
                                                                " %q\n  %s = add i64 %v, %w\n  ret i64 %s\n"),
          "\"type\":{\"symbol\":\"t\",\"addend\":0}", 2);
    gives(F(TYPED(REF " %p, ptr @own") "  %v = load i64, " REF " %p\n  ret i64 %v\n"),
          "{\"symbol\":\"own\",\"addend\":0}", 1);
    /* One that nobody uses any more is no root. */
    gives(F(TYPED(REF " %p, i64 7") END), "\"type\"", 0);
    refused(F(TYPED(REF " %p, i64 7") TYPED(REF " %p, i64 8") END), SM_INVALID_GCROOT, "%p has two types");
    refused(F(TYPED(REF " %p") END), SM_INVALID_GCROOT, "followed by its type");
    refused(F(TYPED(REF " %p, i64 %i") END), SM_INVALID_GCROOT, "a number or the address of a global");
    refused(F("  %d = getelementptr i8, " REF " %p, i64 8\n" TYPED(REF " %d, i64 7") "  %v = load i64, " REF
                                                                                     " %d\n  ret i64 %v\n"),
            SM_INVALID_GCROOT, "derived");
}

Test(types, are_one_each, .timeout = 600) {
    refused(F("  call void @llvm.gc.value.p1(" REF " %p, ptr @t)\n  call void @llvm.gc.value.p1(" REF
              " %p, ptr @own)\n" CALL "  %v = load i64, " REF
              " %p\n  ret i64 %v\n") "declare void @llvm.gc.value.p1(" REF ", ptr)\n",
            SM_INVALID_GCROOT, "has two types");
}

/* What is told apart by its place in a table. */
Test(types, are_steps_from_a_symbol, .timeout = 600) {
    static const char table[] = "@table = constant [4 x { i64, [2 x i32] }] zeroinitializer\n";
    char ir[2048];
    snprintf(
        ir, sizeof ir, "%s%s", table,
        F(TYPED(REF " %p, ptr getelementptr ([4 x { i64, [2 x i32] }], ptr @table, i64 0, i64 2, i32 1, i64 1)")
              TYPED(REF
                    " %q, ptr getelementptr (i64, ptr @table, i64 2)") "  %v = load i64, " REF
                                                                       " %p\n  %w = load i64, " REF
                                                                       " %q\n  %s = add i64 %v, %w\n  ret i64 %s\n"));
    gives(ir, "\"type\":{\"symbol\":\"table\",\"addend\":44}", 2);
    gives(ir, "\"type\":{\"symbol\":\"table\",\"addend\":16}", 2);
}

/* ---- Tags ---- */

#define TO       "  %n = call i64 @smd.gc.to_int(" REF " %p)\n"
#define READ(v)  "  %o = call " REF " @smd.gc.from_int(i64 " v ")\n  %l = load i64, " REF " %o\n  ret i64 %l\n"
#define VALUE    "declare void @llvm.gc.value.i64(i64, ptr)\n"
#define READ2(v) "  %o = call " REF " @smd.gc.from_int(i64 " v ")\n  %z = load i64, " REF " %o\n  ret i64 %z\n"
#define DECLARE  "declare void @llvm.gc.declare(ptr, ptr)\n"
#define F_OPEN   HEAD "define i64 @f(" REF " %p, " REF " %q, i64 %i, i1 %c) gc \"statepoint-example\" {\nentry:\n"
#define MASKED   "\"tag_mask\":-281474976710649"

Test(tags, are_references_all_the_while, .timeout = 600) {
    gives(F(TO "  %m = or i64 %n, 1\n" CALL CALL READ("%m")), MASKED, 2);
    gives(F(TO CALL "  %m = add i64 %n, 2\n" CALL "  %k = xor i64 %m, 2\n" CALL READ("%k")), MASKED, 3);
    /* Tags that are chosen by branches; and a reference again at once, with no safepoint between. */
    gives(F(TO "  br i1 %c, label %a, label %b\na:\n  br label %b\n"
               "b:\n  %t = phi i64 [ 1, %entry ], [ 3, %a ]\n  %m = or i64 %n, %t\n" CALL READ("%m")),
          MASKED, 1);
    gives(F(TO "  %m = or i64 %n, 1\n  %o = call " REF " @smd.gc.from_int(i64 %m)\n" CALL "  %l = load i64, " REF
               " %o\n  ret i64 %l\n"),
          MASKED, 0);
    /* Wherever it came from, if it becomes one. */
    gives(F(CALL READ("%i")), MASKED, 1);
    gives(F("  %m = load volatile i64, " REF " %p\n" CALL READ("%m")), MASKED, 1);
    /* Numbers join it, and are told by their tags. */
    gives(F("  br i1 %c, label %a, label %b\na:\n" TO "  br label %b\n"
            "b:\n  %m = phi i64 [ %n, %a ], [ 9222246136947933191, %entry ]\n" CALL READ("%m")),
          MASKED, 1);
    /* A declared slot of a word may hold it. */
    gives("declare void @llvm.gc.declare(ptr, ptr)\n" F(
              "  %s = alloca i64\n  call void @llvm.gc.declare(ptr %s, ptr null)\n" TO "  store i64 %n, ptr %s\n" CALL
              "  %m = load i64, ptr %s\n" READ("%m")),
          MASKED, 1);
    /* A hash is none. */
    gives(F(TO "  %h = lshr i64 %n, 4\n  %k = mul i64 %h, 31\n" CALL "  ret i64 %k\n"), MASKED, 0);
    /* A type is carried along. */
    gives(F(TO "  call void @llvm.gc.value.i64(i64 %n, ptr @t)\n" CALL READ("%n")) VALUE,
          "\"type\":{\"symbol\":\"t\",\"addend\":0},\"tag_mask\"", 1);
    gives(F(TO TYPED("i64 %n, i64 7") READ("%n")), "\"type\":7,\"tag_mask\"", 1);
    has(F(TO "  %m = or i64 %n, 1\n" CALL READ("%m")), NONE "tag_mask=7", SM_PART_STACKMAP, "\"tag_mask\":7", 1);
}

#define INSIDE(t) HEAD "define i64 @f(" t " %x, " t " %y, i1 %c) gc \"statepoint-example\" {\n"

Test(tags, have_one_type_each, .timeout = 600) {
    gives(F(TO TYPED("i64 %n, i64 7") READ("%n")), "\"type\":7", 1);
    refused(F(TO TYPED("i64 %n, i64 7") TYPED("i64 %n, i64 8") READ("%n")), SM_INVALID_GCROOT, "%n has two types");
}

Test(tags, inside_of_other_values, .timeout = 600) {
    gives(INSIDE("{ i64, i64 }") CALL "  %n = extractvalue { i64, i64 } %x, 1\n" READ("%n") "}\n", MASKED, 1);
    gives(INSIDE("[2 x i64]") "  %s = select i1 %c, [2 x i64] %x, [2 x i64] %y\n" CALL
                              "  %n = extractvalue [2 x i64] %s, 0\n" READ("%n") "}\n",
          MASKED, 1);
    gives(INSIDE("ptr") "  %s = load volatile { i32, { i64, i8 } }, ptr %x\n" CALL
                        "  %n = extractvalue { i32, { i64, i8 } } %s, 1, 0\n" READ("%n") "}\n",
          MASKED, 1);
    gives(INSIDE("ptr") "  %s = cmpxchg ptr %x, i64 0, i64 1 seq_cst seq_cst\n" CALL
                        "  %n = extractvalue { i64, i1 } %s, 0\n" READ("%n") "}\n",
          MASKED, 1);
    gives(INSIDE("double") CALL "  %n = bitcast double %x to i64\n" READ("%n") "}\n", MASKED, 1);
    gives(INSIDE("{ double, i64 }") CALL "  %d = extractvalue { double, i64 } %x, 0\n"
                                         "  %n = bitcast double %d to i64\n" READ("%n") "}\n",
          MASKED, 1);
    gives(INSIDE("double") "  br i1 %c, label %a, label %b\na:\n" CALL
                           "  br label %b\nb:\n  %d = phi double [ %x, %0 ], [ %y, %a ]\n" CALL
                           "  %n = bitcast double %d to i64\n" READ("%n") "}\n",
          MASKED, 2);
    /* What is made of numbers joins them. */
    gives(INSIDE("i64") "  %l = and i64 %y, 4294967295\n  %k = or i64 %l, 9222246136947933184\n"
                        "  %n = select i1 %c, i64 %x, i64 %k\n" CALL READ2("%n") "}\n",
          MASKED, 1);
    refused(INSIDE("i64") CALL
            "  %n = call i64 @llvm.bswap.i64(i64 %x)\n" READ("%n") "}\n"
                                                                   "declare i64 @llvm.bswap.i64(i64)\n",
            SM_INVALID_GCROOT, "changes other bits");
    refused(INSIDE("<2 x i64>") CALL "  %n = extractelement <2 x i64> %x, i32 0\n" READ("%n") "}\n",
            SM_INVALID_GCROOT, "is taken out of a vector");
    refused(F("  %n = ptrtoint " REF " %p to i64\n" CALL READ("%n")), SM_INVALID_GCROOT, "smd.gc.to_int");
}

/* What is said to be one is one wherever it goes, also where the function makes no reference of it. */
Test(tags, are_what_is_said_to_be_one, .timeout = 600) {
    static const char get[] = "declare i64 @get()\ndeclare i64 @take(i64)\n"
                              "define i64 @tag(" REF " %p) gc \"statepoint-example\" {\n" TO "  ret i64 %n\n}\n",
                      use[] = "  %l = call i64 @take(i64 %m)\n  ret i64 %l\n";
    char ir[2048];
#define SAID(body) (snprintf(ir, sizeof ir, "%s%s%s}\n%s", VALUE DECLARE, F_OPEN body, use, get), ir)
    gives(SAID("  call void @llvm.gc.value.i64(i64 %i, ptr null)\n  %m = xor i64 %i, 4\n" CALL), MASKED, 1);
    gives(SAID("  %v = call i64 @get()\n  call void @llvm.gc.value.i64(i64 %v, ptr null)\n"
               "  %m = select i1 %c, i64 %v, i64 %i\n" CALL),
          MASKED, 1);
    gives(
        SAID("  call void @llvm.gc.value.i64(i64 %i, ptr null)\n  %a = insertvalue { i64, i64 } zeroinitializer, i64 "
             "%i, 1\n  %m = extractvalue { i64, i64 } %a, 1\n" CALL),
        MASKED, 1);
    gives(SAID("  %s = alloca i64\n  call void @llvm.gc.declare(ptr %s, ptr null)\n  store i64 %i, ptr %s\n" CALL
               "  %m = load i64, ptr %s\n" CALL),
          MASKED, 4); /* the slot at three calls, what is loaded from it at one */
    gives(SAID("  %s = alloca i64\n  call void @llvm.gc.declare(ptr %s, ptr null)\n  %x = bitcast i64 %i to double\n"
               "  store double %x, ptr %s\n" CALL
               "  %d = load double, ptr %s\n  %m = bitcast double %d to i64\n" CALL),
          MASKED, 4);
}

/* Slots that can be values are, with no reference in any. */
Test(tags, in_locals_of_an_unoptimised_frontend, .timeout = 600) {
    gives(HEAD
          "define i64 @f(i64 %i, i1 %c) gc \"statepoint-example\" {\n  %s = alloca i64\n  store i64 %i, ptr %s\n" CALL
          "  %m = load i64, ptr %s\n" READ("%m") "}\n",
          MASKED, 1);
    gives(HEAD "define i64 @f(i64 %i) gc \"statepoint-example\" {\n  %s = alloca { i64, [2 x double] }\n"
               "  %e = getelementptr i8, ptr %s, i64 16\n  store i64 %i, ptr %e\n" CALL
               "  %d = load double, ptr %e\n  %m = bitcast double %d to i64\n" READ("%m") "}\n",
          MASKED, 1);
    /* A tag that is taken off by subtraction, which the optimiser makes an addition. */
    gives(F(TO "  %m = or i64 %n, 1\n" CALL "  %k = sub i64 %m, 1\n" CALL READ("%k")), MASKED, 2);
}

#define COPY   "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)\n"
#define SLOT   "  %s = alloca i64\n"
#define SLOTS  SLOT "  %u = alloca i64\n"
#define MEMCPY "  call void @llvm.memcpy.p0.p0.i64(ptr %u, ptr %s, i64 8, i1 true)\n"
#define GET(a) "  %m = load volatile i64, ptr " a "\n" READ("%m")

/* An address may be of either slot; a copy brings what nobody stored; numbers join a reference in one slot. */
Test(tags, in_slots_of_which_nobody_is_told, .timeout = 600) {
    static const char why[] = "stored into a stack slot where no collector is told of it";
    refused(F(SLOTS TO "  %w = select i1 %c, ptr %u, ptr %s\n  store volatile i64 %n, ptr %w\n" CALL GET("%s")),
            SM_INVALID_GCROOT, why);
    refused(F(SLOTS TO "  %w = select i1 %c, ptr %s, ptr %u\n  store volatile i64 %n, ptr %w\n" CALL GET("%s")),
            SM_INVALID_GCROOT, why);
    refused(F(SLOTS TO
              "  br i1 %c, label %a, label %b\na:\n  br label %b\n"
              "b:\n  %w = phi ptr [ %u, %a ], [ %s, %entry ]\n  store volatile i64 %n, ptr %w\n" CALL GET("%s")),
            SM_INVALID_GCROOT, why);
    refused(F(SLOT "  %a = alloca ptr\n  store volatile ptr %s, ptr %a\n" TO
                   "  %w = load volatile ptr, ptr %a\n  store volatile i64 %n, ptr %w\n" CALL GET("%s")),
            SM_INVALID_GCROOT, why);
    refused(COPY F(SLOTS TO "  store volatile i64 %n, ptr %s\n" MEMCPY CALL GET("%u")), SM_INVALID_GCROOT, why);
    refused(COPY F(SLOTS "  store volatile i64 %i, ptr %s\n" MEMCPY CALL GET("%u")), SM_INVALID_GCROOT, why);
    refused("declare void @llvm.memcpy.p0.p1.i64(ptr, " REF ", i64, i1)\n" F(
                SLOT "  call void @llvm.memcpy.p0.p1.i64(ptr %s, " REF " %p, i64 8, i1 true)\n" CALL GET("%s")),
            SM_INVALID_GCROOT, why);
    refused(F(SLOT "  store volatile i64 %i, ptr %s\n" CALL GET("%s")), SM_INVALID_GCROOT, why);
    /* One part after the other. */
    refused(F(SLOT "  %t = trunc i64 %i to i32\n  %h = getelementptr i8, ptr %s, i64 4\n"
                   "  store volatile i32 %t, ptr %s\n  store volatile i32 %t, ptr %h\n" CALL GET("%s")),
            SM_INVALID_GCROOT, why);
    /* A part that is written behind the safepoint leaves the rest old. */
    refused(F(SLOT "  store volatile i64 %i, ptr %s\n" CALL "  store volatile i8 5, ptr %s\n" GET("%s")),
            SM_INVALID_GCROOT, why);
    refused(COPY F(SLOT "  store volatile i64 %i, ptr %s\n" CALL
                        "  call void @llvm.memcpy.p0.p0.i64(ptr %s, ptr @t, i64 4, i1 true)\n" GET("%s")),
            SM_INVALID_GCROOT, why);
    gives(COPY F(SLOT "  store volatile i64 %i, ptr %s\n" CALL
                      "  call void @llvm.memcpy.p0.p0.i64(ptr %s, ptr @t, i64 8, i1 true)\n" GET("%s")),
          MASKED, 0);
    /* Where no safepoint comes between, and where nothing is but numbers, nobody has to be told. */
    gives("declare void @get(ptr)\n" F(SLOT CALL "  call void @get(ptr %s)\n" GET("%s")), MASKED, 0);
    gives(F(SLOT CALL "  store volatile i64 %i, ptr %s\n" GET("%s")), MASKED, 0);
    gives(F(SLOT "  store volatile i64 9222246136947933191, ptr %s\n" CALL GET("%s")), MASKED, 0);
    /* A declared word is told with its mask whatever is stored, and by whatever address. */
    gives(DECLARE F(SLOT "  call void @llvm.gc.declare(ptr %s, ptr null)\n"
                         "  store volatile i64 9222246136947933191, ptr %s\n" CALL GET("%s")),
          MASKED, 1);
    gives(DECLARE F(SLOTS "  call void @llvm.gc.declare(ptr %s, ptr null)\n  store volatile i64 0, ptr %s\n"
                          "  call void @llvm.gc.declare(ptr %u, ptr null)\n  store volatile i64 0, ptr %u\n" TO
                          "  %w = select i1 %c, ptr %u, ptr %s\n  store volatile i64 %n, ptr %w\n" CALL GET("%s")),
          MASKED, 2);
}

Test(tags, that_no_collector_could_take_off, .timeout = 600) {
    refused(F(TO "  %m = mul i64 %n, 3\n" CALL READ("%m")), SM_INVALID_GCROOT,
            "changes other bits than those of tag_mask");
    refused(F(TO "  %m = add i64 %n, 16\n" CALL READ("%m")), SM_INVALID_GCROOT, "changes other bits");
    refused(F(TO "  call void @g() [ \"deopt\"(i64 %n) ]\n" READ("%n")), SM_INVALID_GCROOT, "a deoptimisation value");
    refused(F("  %s = alloca i64\n" TO "  store volatile i64 %n, ptr %s\n  call void @g()\n"
              "  %m = load volatile i64, ptr %s\n" READ("%m")),
            SM_INVALID_GCROOT, "stored into a stack slot where no collector is told of it");
    refused(F("  %s = alloca [4 x i64]\n  %e = getelementptr i64, ptr %s, i64 %i\n" TO
              "  store volatile i64 %n, ptr %e\n  call void @g()\n  %m = load volatile i64, ptr %e\n" READ("%m")),
            SM_INVALID_GCROOT, "stored into a stack slot where no collector is told of it");
    refused(F("  %s = alloca double\n" TO "  %d = bitcast i64 %n to double\n  store volatile double %d, ptr %s\n"
              "  call void @g()\n  %y = load volatile double, ptr %s\n  %m = bitcast double %y to i64\n" READ("%m")),
            SM_INVALID_GCROOT, "stored into a stack slot where no collector is told of it");
    refused("declare void @llvm.gc.declare(ptr, ptr)\n" F(
                "  %s = alloca " REF "\n  call void @llvm.gc.declare(ptr %s, ptr null)\n" TO
                "  store i64 %n, ptr %s\n  call void @g()\n  %m = load i64, ptr %s\n" READ("%m")),
            SM_INVALID_GCROOT, "stored into a stack slot where no collector is told of it");
    refused(F("  %v = load <2 x i64>, " REF " %p\n" CALL "  %m = extractelement <2 x i64> %v, i32 1\n" READ("%m")),
            SM_INVALID_GCROOT, "is taken out of a vector");
    refused(
        F("  %d = getelementptr i8, " REF " %p, i64 8\n  %n = call i64 @smd.gc.to_int(" REF " %d)\n" CALL READ("%n")),
        SM_INVALID_GCROOT, "derived pointer");
    refuses(F(TO CALL READ("%n")), NONE "tag_mask=x", SM_INVALID_GCROOT, "is no mask");
    refused(HEAD "define i64 @f(" REF " %p) gc \"erlang\" {\n" TO "  ret i64 %n\n}\n", SM_GC_MISMATCH, "statepoints");
}
