/* Scoped roots: llvm.gc.declare, undeclare and value become regions at the safepoints inside a scope, or llvm.gcroot.
 * What they give a collector is shown by client/examples/programs/scoped.ll, which runs under one that moves
 * everything. */
#include "worker.h"

#include "status.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#define NONE   "safepoints=none "
#define REF    "ptr addrspace(1)"
#define REGION "\"kind\":\"direct\""

#define HEAD                                                                                                         \
    "declare void @llvm.gc.declare(ptr, ptr)\ndeclare void @llvm.gc.undeclare(ptr)\n"                                \
    "declare void @llvm.gc.value.p1(" REF ", ptr)\ndeclare void @llvm.gc.value.i64(i64, ptr)\n"                      \
    "declare void @llvm.gc.value.s({ " REF ", i32, [2 x " REF "] }, ptr)\n"                                          \
    "declare void @llvm.gc.value.v(<2 x " REF ">, ptr)\ndeclare void @llvm.gc.value.f(float, ptr)\n"                 \
    "declare void @g()\ndeclare void @use(ptr)\ndeclare void @pay()\n@meta = constant i32 1\n@count = global i32 "   \
    "0\n"
#define F(gc, body)       HEAD "define void @f(ptr %p, " REF " %r, i64 %n, i1 %c) gc \"" gc "\" {\nentry:\n" body "}\n"
#define STATEPOINTS(body) F("statepoint-example", "  %a = alloca " REF "\n  %b = alloca " REF "\n" body)

#define DECLARE(slot)   "  call void @llvm.gc.declare(ptr " slot ", ptr @meta)\n"
#define UNDECLARE(slot) "  call void @llvm.gc.undeclare(ptr " slot ")\n"
#define CALL            "  call void @g()\n"
#define END             "  ret void\n"

static void regions(const char *ir, size_t times) {
    static const char *const levels[] = {NONE "opt=0", NONE "opt=1", NONE "opt=2", NONE "opt=3", NONE "opt=z"};
    for (size_t i = 0; i < sizeof levels / sizeof *levels; i++)
        has(ir, levels[i], SM_PART_STACKMAP, REGION, times);
}

Test(scopes, a_slot_is_a_root_between_declare_and_undeclare, .timeout = 600) {
    regions(STATEPOINTS(CALL DECLARE("%a") CALL CALL UNDECLARE("%a") CALL END), 2);
    regions(STATEPOINTS(DECLARE("%a") CALL DECLARE("%b") CALL UNDECLARE("%a") CALL UNDECLARE("%b") CALL END), 4);
    regions(STATEPOINTS(CALL DECLARE("%a") CALL END), 1); /* to the function's end */
    regions(STATEPOINTS("  br label %loop\nloop:\n" CALL DECLARE("%a") CALL UNDECLARE("%a") CALL
                        "  br i1 %c, label %loop, label %out\nout:\n" END),
            1);
    regions(STATEPOINTS(DECLARE("%a") UNDECLARE("%a") DECLARE("%a") CALL UNDECLARE("%a") CALL END), 1);
}

/* A slot is read by the collector, whatever it was given. */
Test(scopes, what_is_undefined_is_null, .timeout = 600) {
    static const char ir[] =
        F("statepoint-example",
          "  %v = insertvalue { " REF ", i32, [2 x " REF "] } undef, " REF " %r, 2, 0\n"
          "  call void @llvm.gc.value.s({ " REF ", i32, [2 x " REF "] } %v, ptr @meta)\n" CALL
          "  %w = extractvalue { " REF ", i32, [2 x " REF "] } %v, 2, 1\n  store i8 0, " REF " %w\n" END);
    has(ir, NONE "opt=0", SM_PART_STACKMAP, REGION, 3);
    has(ir, NONE "opt=0 emit=ir", SM_PART_IR, "undef", 0);
}

/* A reference that is kept in it from before is one all the same. */
Test(scopes, what_a_slot_holds_outside_of_its_scope, .timeout = 600) {
    regions(STATEPOINTS("  store " REF " %r, ptr %a\n" CALL DECLARE("%a") CALL "  %v = load " REF ", ptr %a\n"
                                                                               "  store i8 0, " REF
                                                                               " %v\n" UNDECLARE("%a") CALL END),
            2);
}

Test(scopes, polls_are_safepoints_too, .timeout = 600) {
    has(STATEPOINTS(DECLARE("%a") "  br label %loop\nloop:\n  %v = load volatile i32, ptr @count\n"
                                  "  br i1 %c, label %loop, label %out\nout:\n" UNDECLARE("%a") END),
        "safepoints=backedge,return poll=call:pay", SM_PART_STACKMAP, REGION, 1);
}

Test(scopes, a_value_is_a_root_while_it_is_used, .timeout = 600) {
    regions(STATEPOINTS("  call void @llvm.gc.value.i64(i64 %n, ptr @meta)\n" CALL
                        "  %q = inttoptr i64 %n to ptr\n  store i8 0, ptr %q\n" CALL END),
            1);
    regions(STATEPOINTS("  call void @llvm.gc.value.p1(" REF " %r, ptr null)\n" CALL CALL "  store i8 0, " REF
                        " %r\n" CALL END),
            2);
    regions(STATEPOINTS("  call void @llvm.gc.value.p1(" REF " %r, ptr null)\n"
                        "  br i1 %c, label %x, label %y\nx:\n" CALL "  store i8 0, " REF " %r\n" END "y:\n" CALL END),
            1);
    regions(STATEPOINTS("  call void @llvm.gc.value.p1(" REF " null, ptr null)\n" CALL END), 0);
}

/* Each pointer inside has a slot of its own; what is no pointer stays what it was. */
Test(scopes, values_of_any_type, .timeout = 600) {
    regions(HEAD "define { " REF ", i32, [2 x " REF "] } @f({ " REF ", i32, [2 x " REF "] } %s) gc \"coreclr\" {\n"
                 "  call void @llvm.gc.value.s({ " REF ", i32, [2 x " REF "] } %s, ptr null)\n" CALL "  ret { " REF
                 ", i32, [2 x " REF "] } %s\n}\n",
            3);
    regions(HEAD "define <2 x " REF "> @f(<2 x " REF "> %v) gc \"coreclr\" {\n"
                 "  call void @llvm.gc.value.v(<2 x " REF "> %v, ptr null)\n" CALL "  ret <2 x " REF "> %v\n}\n",
            2);
    /* What has no pointer is told of as it is: its bytes, and what the frontend says of it. */
    for (int opt = 0; opt < 4; opt++) {
        char options[64];
        snprintf(options, sizeof options, NONE "opt=%d", opt);
        has(STATEPOINTS("  %i = sitofp i64 %n to float\n  call void @llvm.gc.value.f(float %i, ptr @meta)\n" CALL
                        "  store float %i, ptr %p\n" END),
            options, SM_PART_STACKMAP, "\"bytes\":4,\"type\":{\"symbol\":\"meta\",\"addend\":0}", 1);
    }
    refuses(F("erlang", "  %i = sitofp i64 %n to float\n  call void @llvm.gc.value.f(float %i, ptr null)\n" CALL
                        "  store float %i, ptr %p\n" END),
            NONE, SM_INVALID_GCROOT, "a root is a pointer or 64 bits");
    refuses(STATEPOINTS("  %d = getelementptr i8, " REF " %r, i64 8\n  call void @llvm.gc.value.p1(" REF
                        " %d, ptr null)\n" CALL "  store i8 0, " REF " %d\n" END),
            NONE, SM_INVALID_GCROOT, "only the address of an object is one");
}

/* Slots of any type, with what the declaration says of them. */
Test(scopes, declared_slots_of_any_type, .timeout = 600) {
    for (int opt = 0; opt < 4; opt++) {
        char options[64];
        snprintf(options, sizeof options, NONE "opt=%d", opt);
        has(STATEPOINTS("  %d = alloca { i64, [3 x " REF "] }\n" DECLARE("%d") CALL UNDECLARE("%d") CALL END),
            options, SM_PART_STACKMAP,
            "\"fields\":[{\"offset\":8,\"size\":8,\"space\":1,\"count\":3,\"stride\":8}],"
            "\"type\":{\"symbol\":\"meta\",\"addend\":0}",
            1);
        has(STATEPOINTS(
                "  %d = alloca ptr\n  call void @llvm.gc.declare(ptr %d, ptr inttoptr (i64 7 to ptr))\n" CALL END),
            options, SM_PART_STACKMAP, "\"fields\":[{\"offset\":0,\"size\":8,\"space\":0}],\"type\":7", 1);
        has(STATEPOINTS("  %d = alloca [20 x i8]\n" DECLARE("%d") CALL END), options, SM_PART_STACKMAP,
            "\"bytes\":20", 1);
    }
    refuses(STATEPOINTS("  call void @llvm.gc.declare(ptr %a, ptr inttoptr (i64 7 to ptr))\n" UNDECLARE("%a")
                            DECLARE("%a") CALL END),
            NONE, SM_INVALID_GCROOT, "%a has two types");
}

/* What is in a slot is nobody's business but the program's when its scope has ended. */
Test(scopes, ends_store_nothing, .timeout = 600) {
    has(STATEPOINTS("  store " REF " %r, ptr %a\n" DECLARE("%a")
                        CALL UNDECLARE("%a") "  %v = load " REF ", ptr %a\n  store i8 0, " REF " %v\n" CALL END),
        NONE "opt=2 emit=ir,obj", SM_PART_IR, REF " null", 0);
    /* Declared again without being filled, it has nothing old in it. */
    has(STATEPOINTS("  br label %loop\nloop:\n" DECLARE("%a") CALL "  store " REF " %r, ptr %a\n" CALL UNDECLARE("%a")
                        CALL "  %m = load volatile i1, ptr %p\n  br i1 %m, label %loop, label %out\nout:\n" END),
        NONE "opt=2 emit=ir,obj", SM_PART_IR, REF " null", 2);
    has(F("erlang", "  %s = alloca ptr\n  store ptr %p, ptr %s\n" DECLARE("%s")
                        CALL UNDECLARE("%s") "  %v = load ptr, ptr %s\n  store i8 0, ptr %v\n" CALL END),
        "opt=0 emit=ir,obj", SM_PART_IR, "store ptr null", 1);
}

Test(scopes, blocks_are_inside_or_outside, .timeout = 600) {
    static const char some[] = STATEPOINTS(
        "  br i1 %c, label %with, label %join\nwith:\n" DECLARE("%a") "  br label %join\njoin:\n" CALL END);
    refuses(some, NONE, SM_INVALID_GCROOT,
            "%join is reached from %with with %a declared a root, and from %entry without");
    refuses(STATEPOINTS(UNDECLARE("%a") DECLARE("%a") END), NONE, SM_INVALID_GCROOT, "%a is undeclared in %entry");
    refuses(STATEPOINTS(DECLARE("%a") DECLARE("%a") END), NONE, SM_INVALID_GCROOT, "%a is declared a root in %entry");
    refuses(
        STATEPOINTS("  br label %loop\nloop:\n" DECLARE("%a") CALL "  br i1 %c, label %loop, label %out\nout:\n" END),
        NONE, SM_INVALID_GCROOT, "declared");
    /* Or it is null at first, and a root throughout. */
    has(some, NONE "scoped_roots=null_init", SM_PART_STACKMAP, REGION, 1);
    has(STATEPOINTS(CALL UNDECLARE("%a") DECLARE("%a") CALL END), NONE "scoped_roots=null_init", SM_PART_STACKMAP,
        REGION, 2);
    has(some, NONE "scoped_roots=null_init opt=2 emit=ir,obj", SM_PART_IR, "store " REF " null, ptr %a", 1);
}

Test(scopes, what_no_collector_could_be_told, .timeout = 600) {
    refuses(STATEPOINTS(DECLARE("%p") END), NONE, SM_INVALID_GCROOT, "an alloca of fixed size");
    refuses(STATEPOINTS("  %d = alloca i8, i64 %n\n" DECLARE("%d") END), NONE, SM_INVALID_GCROOT,
            "an alloca of fixed size");
    refuses(STATEPOINTS("  call void @llvm.gc.declare(ptr %a, ptr %p)\n" END), NONE, SM_INVALID_GCROOT,
            "constant pointer");
    refuses(HEAD "define void @f() {\n  %a = alloca ptr\n" DECLARE("%a") END "}\n", NONE, SM_INVALID_GCROOT,
            "need a function with a GC strategy");
    refuses(HEAD "define void @f() alwaysinline gc \"coreclr\" {\n  %a = alloca ptr\n" DECLARE("%a") CALL END "}\n",
            NONE, SM_CANNOT_REWRITE, "inlined always");
}

/* In tables of roots a slot is one throughout, and null outside its scope. */
Test(scopes, in_functions_with_gcroot, .timeout = 600) {
    static const char *const strategies[] = {"shadow-stack", "erlang", "ocaml"};
    for (size_t i = 0; i < sizeof strategies / sizeof *strategies; i++) {
        char ir[4096];
        snprintf(ir, sizeof ir, "%s",
                 HEAD "define void @f(ptr %p) gc \"########\" {\n  %a = alloca ptr\n  store ptr %p, ptr %a\n" DECLARE(
                     "%a") "  call void @use(ptr %a)\n" UNDECLARE("%a") CALL END "}\n");
        char *at = strstr(ir, "########"), rest[2048];
        snprintf(rest, sizeof rest, "%s", at + 8);
        snprintf(at, sizeof ir - (size_t)(at - ir), "%s%s", strategies[i], rest);
        has(ir, "opt=0 emit=ir,obj", SM_PART_IR, "call void @llvm.gcroot(ptr %a, ptr @meta)", 1);
        has(ir, "opt=0 emit=ir,obj", SM_PART_IR, "store ptr null, ptr %a", 2);
    }
    refuses(F("erlang", "  %s = alloca [8 x i8]\n" DECLARE("%s") CALL END), "", SM_INVALID_GCROOT, "pointer type");
}

/* The object is the root of a pointer that was stepped from it; it is stepped again where it is used. */
Test(scopes, of_derived_pointers_with_gcroot, .timeout = 600) {
    static const char ir[] =
        "declare void @g()\ndeclare void @llvm.gc.value.p0(ptr, ptr)\n"
        "define i64 @f(ptr %p, i1 %c) gc \"erlang\" {\nentry:\n  %d = getelementptr i8, ptr %p, i64 8\n"
        "  %e = getelementptr i8, ptr %d, i64 8\n  call void @llvm.gc.value.p0(ptr %e, ptr null)\n"
        "  call void @g()\n  br i1 %c, label %a, label %b\na:\n  call void @g()\n  br label %b\n"
        "b:\n  %at = phi ptr [ %e, %entry ], [ %d, %a ]\n  %v = load i64, ptr %at\n  ret i64 %v\n}\n";
    has(ir, "opt=0 emit=ir,obj", SM_PART_IR, "call void @llvm.gcroot(", 1);
    has(ir, "opt=2 emit=ir,obj", SM_PART_IR, "call void @llvm.gcroot(", 1);
    refuses("declare void @llvm.gc.value.p0(ptr, ptr)\ndefine void @f(ptr %p, ptr %q, i1 %c) gc \"erlang\" {\n"
            "  %d = getelementptr i8, ptr %p, i64 8\n  %s = select i1 %c, ptr %d, ptr %q\n"
            "  call void @llvm.gc.value.p0(ptr %s, ptr null)\n  ret void\n}\n",
            "", SM_INVALID_GCROOT, "choose between objects");
}

Test(scopes, markers_are_gone, .timeout = 600) {
    static const char ir[] = STATEPOINTS(DECLARE("%a") CALL UNDECLARE(
        "%a") "  call void @llvm.gc.value.p1(" REF " %r, ptr null)\n" CALL "  store i8 0, " REF " %r\n" END);
    has(ir, NONE "opt=2 emit=ir,obj", SM_PART_IR, "smd.scope", 0);
    has(ir, NONE "opt=2 emit=ir,obj", SM_PART_IR, "llvm.gc.", 0);
    has(ir, NONE "opt=2 emit=ir,obj", SM_PART_IR, "optnone", 0);
    has(ir, NONE "opt=2", SM_PART_META, "scoped roots", 1);
}

/* It would be told as its own base. */
Test(scopes, take_no_derived_pointers) {
    static const char ir[] = STATEPOINTS("  %d = getelementptr i8, " REF " %r, i64 8\n  store " REF
                                         " %d, ptr %a\n" DECLARE("%a") CALL END);
    refuses(ir, NONE "opt=0", SM_INVALID_GCROOT, "is derived from another pointer, and stored into a root");
    refuses(ir, NONE "opt=2", SM_INVALID_GCROOT, "is derived from another pointer, and stored into a root");
}
