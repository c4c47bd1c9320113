/* Compressed references: what the record says of them, and what is refused. That they are right is shown by
 * client/examples/programs/compressed.ll, which runs under a collector that moves everything. */
#include "worker.h"

#include "status.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#define NONE "safepoints=none spaces=2:32:0:heap,3:32:3 "
#define C    "ptr addrspace(2)"
#define REF  "ptr addrspace(1)"
#define HEAD                                                                                                         \
    "declare void @g()\ndeclare void @out(ptr)\ndeclare " C " @made(" C ")\ndeclare i32 "                            \
    "@__gcc_personality_v0(...)\n"
#define G(gc, body)                                                                                                  \
    HEAD "define " C " @f(" C " %p, " C " %q, " REF " %o, i64 %i, i1 %c) gc \"" gc                                   \
         "\" personality ptr @__gcc_personality_v0 {\nentry:\n" body "}\n"
#define F(body)      G("statepoint-example", body)
#define CALL         "  call void @g()\n"
#define END          "  ret " C " %p\n"
#define ROOT         "\"fields\":[{\"offset\":0,\"size\":4,\"space\":2}]"
#define ROOT_AT(off) "{\"offset\":" #off ",\"size\":4,\"space\":2"

static void gives(const char *ir, const char *expected, size_t times) {
    static const char *const formats[] = {"llvm", "compact"}, *const archs[] = {"x86_64-linux-gnu",
                                                                                "aarch64-linux-gnu"};
    for (int opt = 0; opt < 4; opt++)
        for (int i = 0; i < 2; i++) {
            char options[200];
            snprintf(options, sizeof options, NONE "opt=%d stackmap_format=%s target=%s", opt, formats[i], archs[i]);
            has(ir, options, SM_PART_STACKMAP, expected, times);
        }
}

static void refused(const char *ir, sm_status status, const char *why) {
    refuses(ir, NONE "opt=0", status, why);
    refuses(ir, NONE "opt=2", status, why);
}

Test(spaces, values_are_roots_of_four_bytes, .timeout = 600) {
    gives(F(CALL CALL END), ROOT, 2);
    gives(F("  %r = call " C " @made(" C " %p)\n  ret " C " %r\n"), ROOT, 0); /* of nobody behind the call */
    gives(
        F(CALL "  %e = icmp eq " C " %p, null\n  %s = select i1 %e, " C " null, " C " %q\n" CALL "  ret " C " %s\n"),
        ROOT, 3);
    /* By way of it: what it leads to is a reference like others. */
    gives(F("  %a = getelementptr i8, " C " %p, i64 8\n  store i64 %i, " C " %a\n" CALL "  store i64 %i, " C
            " %a\n" END),
          ROOT, 1);
    /* Compressed and whole again at once; whole across the safepoint. */
    gives(F("  %s = addrspacecast " REF " %o to " C "\n  %w = addrspacecast " C " %s to " REF "\n" CALL
            "  store i64 %i, " REF " %w\n" END),
          ROOT, 1);
    /* Of both widths in one value. */
    gives(HEAD "define { " C ", ptr, i64 } @f({ " C ", ptr, i64 } %v) gc \"statepoint-example\" {\n" CALL "  ret { " C
               ", ptr, i64 } %v\n}\n",
          ROOT, 1);
    gives(HEAD "define <2 x " C "> @f(<2 x " C "> %v) gc \"statepoint-example\" {\n" CALL "  ret <2 x " C "> %v\n}\n",
          ROOT, 2);
    gives(HEAD "define ptr addrspace(3) @f(" C " %v) gc \"statepoint-example\" {\n  %o = addrspacecast " C
               " %v to " REF "\n  %w = addrspacecast " REF " %o to ptr addrspace(3)\n" CALL
               "  ret ptr addrspace(3) %w\n}\n",
          "{\"offset\":0,\"size\":4,\"space\":3}", 1);
    /* A result on an edge that others come by as well. */
    has(F("  br i1 %c, label %a, label %b\na:\n  %r = invoke " C " @made(" C " %p) to label %b unwind label %pad\n"
          "b:\n  %v = phi " C " [ %r, %a ], [ null, %entry ]\n" CALL "  ret " C " %v\n"
          "pad:\n  %l = landingpad { ptr, i32 } cleanup\n  resume { ptr, i32 } %l\n"),
        NONE "opt=0", SM_PART_STACKMAP, ROOT, 1);
}

Test(spaces, slots_have_fields_of_four_bytes, .timeout = 600) {
    gives(F("  %s = alloca { i64, " C ", i32, [3 x " C "] }\n  call void @out(ptr %s)\n" END),
          ROOT_AT(8) "}," ROOT_AT(16) ",\"count\":3,\"stride\":4}", 1);
    gives(F("  %s = alloca [8 x i32]\n  %j = and i64 %i, 7\n  %e = getelementptr [8 x i32], ptr %s, i64 0, i64 %j\n"
            "  store volatile " C " %p, ptr %e\n" CALL "  %v = load volatile " C ", ptr %e\n  ret " C " %v\n"),
          ROOT_AT(0) ",\"count\":8,\"stride\":4}", 1);
    gives(F("  %s = alloca " C ", !smd.type !0\n  call void @out(ptr %s) [ \"gc-type\"(" C
            " %p, i64 3) ]\n" END) "!0 = !{i64 9}\n",
          "\"space\":2}],\"type\":9", 1);
    gives("declare void @llvm.gc.declare(ptr, ptr)\ndeclare void @llvm.gc.value.p2(" C ", ptr)\n" F(
              "  %s = alloca " C "\n  call void @llvm.gc.declare(ptr %s, ptr inttoptr (i64 5 to ptr))\n  store " C
              " %q, ptr %s\n  call void @llvm.gc.value.p2(" C " %p, ptr inttoptr (i64 6 to ptr))\n" CALL END),
          "\"space\":2}],\"type\":", 2);
    refused(F("  %s = alloca { " C ", i32 }\n  store i32 7, ptr %s\n  call void @out(ptr %s)\n" END),
            SM_CANNOT_REWRITE, "accesses something else where there may be a reference");
    refused(F("  %s = alloca { " C ", i32 }\n  call void @out(ptr %s)\n  %r = load " REF
              ", ptr %s\n  store volatile " REF " %r, " REF " %o\n" END),
            SM_CANNOT_REWRITE, "accesses a reference where there may be something else");
    refused(F("  %s = alloca " C
              "\n  call void @out(ptr %s)\n  %r = load ptr addrspace(3), ptr %s\n  store volatile ptr "
              "addrspace(3) %r, " REF " %o\n" END),
            SM_CANNOT_REWRITE, "accesses a reference where there may be something else");
}

Test(spaces, globals_are_listed, .timeout = 600) {
    static const char ir[] = "@a = global " C " null\n@b = global [2 x { i64, " C " }] zeroinitializer\n"
                             "@c = constant [25 x i8] c\"ptr addrspace(2) null; \\22x\"\n" F(
                                 "  %v = load " C ", ptr @a\n  store " C " %p, ptr @a\n"
                                 "  %e = getelementptr [2 x { i64, " C " }], ptr @b, i64 0, i64 %i, i32 1\n  store " C
                                 " %q, ptr %e\n" CALL "  ret " C " %v\n");
    for (int opt = 0; opt < 4; opt++) {
        char options[80];
        snprintf(options, sizeof options, NONE "opt=%d", opt);
        has(ir, options, SM_PART_META, "{\"offset\":0,\"space\":2,\"size\":4}", 1);
        has(ir, options, SM_PART_META, "{\"offset\":8,\"space\":2,\"size\":4,\"count\":2,\"stride\":16}", 1);
    }
    has(ir, NONE "emit=ir", SM_PART_IR, "c\"ptr addrspace(2) null; \\22x\"", 1);
    has(ir, NONE "emit=ir", SM_PART_IR, "global [2 x { i64, i32 }] zeroinitializer", 1);
}

/* Four bytes that are copied within the heap are a reference, perhaps: no register has them across a safepoint. */
Test(spaces, copies_stay_copies, .timeout = 600) {
    has("declare void @llvm.memcpy.p1.p1.i64(" REF ", " REF
        ", i64, i1)\n" F("  %a = getelementptr i8, " REF " %o, i64 8\n  call void @llvm.memcpy.p1.p1.i64(" REF
                         " %a, " REF " %o, i64 4, i1 false)\n" CALL END),
        NONE "opt=2 emit=ir", SM_PART_IR, "i64 4, i1 true", 1);
}

/* A slot that is filled as a whole, eight bytes, and copied out again. */
Test(spaces, copies_through_slots_stay_references, .timeout = 600) {
    gives("declare void @llvm.memcpy.p0.p1.i64(ptr, " REF ", i64, i1)\ndeclare void @llvm.memcpy.p1.p0.i64(" REF
          ", ptr, i64, i1)\n" F("  %s = alloca [2 x " C "]\n  call void @llvm.memcpy.p0.p1.i64(ptr %s, " REF
                                " %o, i64 8, i1 false)\n" CALL "  call void @llvm.memcpy.p1.p0.i64(" REF
                                " %o, ptr %s, i64 8, i1 false)\n  ret " C " null\n"),
          ROOT_AT(0) ",\"count\":2,\"stride\":4}", 1);
}

/* What nobody has set is null, as the collector looks at it. */
Test(spaces, undefined_parts_are_null, .timeout = 600) {
    static const char undefined[] =
        F("  %a = insertvalue [3 x " C "] undef, " C " %p, 1\n  %v = insertelement <2 x " C "> poison, " C
          " %q, i64 0\n  %w = shufflevector <2 x " C "> %v, <2 x " C
          "> poison, <4 x i32> <i32 0, i32 poison, i32 1, i32 3>\n"
          "  br i1 %c, label %then, label %on\nthen:\n" CALL "  br label %on\non:\n  %x = phi " C
          " [ poison, %entry ], [ %p, %then ]\n" CALL "  call void @two([3 x " C "] %a, <4 x " C "> %w)\n  ret " C
          " %x\n") "declare void @two([3 x " C "], <4 x " C ">)\n";
    has(undefined, NONE "opt=0 emit=ir", SM_PART_IR, "undef", 0);
    has(undefined, NONE "opt=0 emit=ir", SM_PART_IR, "store i32 poison", 0);
    has(undefined, NONE "opt=0 emit=ir", SM_PART_IR, "[ poison", 0);
    has(undefined, NONE "opt=0 emit=ir", SM_PART_IR, "store i32 0,", 2); /* two of the array's three */
}

/* Behind invokes, of structs and vectors as of single ones. */
Test(spaces, joined_where_invokes_unwind, .timeout = 600) {
    has(F("  %v = insertelement <2 x " C "> zeroinitializer, " C
          " %q, i64 0\n  invoke void @g() to label %n unwind label %pad\nn:\n"
          "  invoke void @g() to label %m unwind label %pad\nm:\n" END "pad:\n  %x = phi { " C
          ", i32 } [ zeroinitializer, %entry ], [ { " C " null, i32 1 }, %n ]\n  %y = phi <2 x " C
          "> [ %v, %entry ], [ zeroinitializer, %n ]\n  %l = landingpad { ptr, i32 } cleanup\n" CALL
          "  %e = extractelement <2 x " C "> %y, i64 %i\n  ret " C " %e\n"),
        NONE "opt=0", SM_PART_STACKMAP, ROOT, 8); /* of %p, of the phis, and of %y */
}

Test(spaces, what_cannot_be_right_is_refused, .timeout = 600) {
    refused(F("  %n = ptrtoint " C " %p to i64\n  store i64 %n, " REF " %o\n" END), SM_CANNOT_REWRITE,
            "makes an integer");
    refused(F("  %n = trunc i64 %i to i32\n  %v = inttoptr i32 %n to " C "\n  ret " C " %v\n"), SM_CANNOT_REWRITE,
            "makes an integer");
    refused(F("  %s = alloca " C "\n  store " C " %p, ptr %s\n  br i1 %c, label %a, label %b\na:\n  br label %b\nb:\n"
              "  %n = load i32, ptr %s\n" CALL "  store i32 %n, " REF " %o\n" END),
            SM_CANNOT_REWRITE, "reads a compressed reference as something else");
    refused(F("  ret " C " inttoptr (i32 64 to " C ")\n"), SM_CANNOT_REWRITE, "that is a constant and not null");
    refused(F("  %v = addrspacecast " C " %p to ptr\n  call void @out(ptr %v)\n" END), SM_CANNOT_REWRITE,
            "to and from address space 1");
    refused(F("  %e = icmp ult " C " %p, %q\n  %v = select i1 %e, " C " %p, " C " %q\n  ret " C " %v\n"),
            SM_CANNOT_REWRITE, "orders compressed references");
    refused(F("  %v = getelementptr i8, " C " %p, i64 8\n  ret " C " %v\n"), SM_CANNOT_REWRITE,
            "derives a compressed");
    refused(
        F("  %v = getelementptr i8, " REF " %o, i64 8\n  %w = addrspacecast " REF " %v to " C "\n  ret " C " %w\n"),
        SM_CANNOT_REWRITE, "is derived from another pointer");
    refused(F("  call void @g() [ \"deopt\"(" C " %p) ]\n" END), SM_CANNOT_REWRITE, "in an operand bundle");
    refused(F("  call void @g() [ \"gc-live\"(" C " %p) ]\n" END), SM_CANNOT_REWRITE, "in an operand bundle");
    refused("declare void @llvm.memset.p2.i64(" C
            ", i8, i64, i1)\n" F("  call void @llvm.memset.p2.i64(" C " %p, i8 0, i64 8, i1 false)\n" END),
            SM_CANNOT_REWRITE, "knows no compressed references");
    refused(F("  call void asm \"\", \"r\"(" C " %p)\n" END), SM_CANNOT_REWRITE, "to assembly");
    refused("@x = addrspace(2) global i64 0\n" F(END), SM_CANNOT_REWRITE, "lies in an address space");
    refused(G("erlang", CALL END), SM_GC_MISMATCH, "need a strategy with statepoints");
    refused("target datalayout = \"e-m:e-p2:64:64-i64:64-f80:128-n8:16:32:64-S128\"\n" F(END), SM_INVALID_MODULE,
            "by the option spaces they have 4");
    refuses("target datalayout = \"e-m:e-p2:32:32-i64:64-f80:128-n8:16:32:64-S128\"\n" F(END), "opt=2",
            SM_INVALID_MODULE, "unless they are compressed references");
    refuses(F(END), NONE "barriers=auto", SM_INVALID_OPTION, "knows no compressed references");
    refuses(F(END) "define void @asks() \"smd-barriers\"=\"auto\" gc \"statepoint-example\" {\n  ret void\n}\n", NONE,
            SM_INVALID_OPTION, "knows no compressed references");
}

Test(spaces, option_is_checked, .timeout = 600) {
    static const char *const wrong[] = {"2",
                                        "2:64",
                                        "1:32",
                                        "256:32",
                                        "271:32",
                                        "16777216:32",
                                        "2:32:9",
                                        "2:32:",
                                        "2:32,2:32",
                                        "2:32:0:",
                                        "2:32,3:32,4:32,5:32,6:32",
                                        "x:32"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char option[80];
        snprintf(option, sizeof option, "spaces=%s", wrong[i]);
        refuses(F(END), option, SM_INVALID_OPTION, "is written SPACE:32[:SHIFT[:BASE]]");
    }
}
