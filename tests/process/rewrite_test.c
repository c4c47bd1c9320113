/* What the rewrite would get wrong: split, given bases, set apart, or refused. Each compiles a module for both
 * targets and says what has to be in the answer. */
#include "gc_inputs.h"
#include "worker.h"

#include "status.h"

#include <criterion/criterion.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define AGGREGATE(body)                                                                                              \
    CALLEE "declare { ptr addrspace(1), i64 } @two()\ndeclare void @take({ ptr addrspace(1), i64 })\n"               \
           "declare i32 @personality(...)\n" body
static void splits(const char *ir, size_t roots) {
    has(ir, NONE "opt=0", SM_PART_STACKMAP, "\"base\":", roots);
    has(ir, NONE "opt=2", SM_PART_STACKMAP, "\"base\":", roots);
}

/* A pointer inside an aggregate that is alive across a safepoint would keep its old value, as LLVM has it. So the
 * aggregate is split into parts: what is alive then is the pointer. */
Test(aggregates, are_split_where_they_cross_safepoints, .timeout = 600) {
    splits(AGGREGATE("define ptr addrspace(1) @f({ ptr addrspace(1), i64 } %a)" GC
                     "{\n  call void @g()\n  %p = extractvalue { ptr addrspace(1), i64 } %a, 0\n"
                     "  ret ptr addrspace(1) %p\n}\n"),
           1);
    splits(AGGREGATE("define { ptr addrspace(1), i64 } @f(i1 %c, { ptr addrspace(1), i64 } %b)" GC
                     "{\n  %a = call { ptr addrspace(1), i64 } @two()\n"
                     "  %s = select i1 %c, { ptr addrspace(1), i64 } %a, { ptr addrspace(1), i64 } %b\n"
                     "  call void @g()\n  ret { ptr addrspace(1), i64 } %s\n}\n"),
           2); /* of b across two, and of s across g */
    splits(AGGREGATE("define { ptr addrspace(1), i64 } @f()" GC "personality ptr @personality {\n"
                     "  %a = invoke { ptr addrspace(1), i64 } @two() to label %on unwind label %off\non:\n"
                     "  invoke void @g() to label %out unwind label %off\nout:\n"
                     "  ret { ptr addrspace(1), i64 } %a\noff:\n  %l = landingpad { ptr, i32 } cleanup\n"
                     "  resume { ptr, i32 } %l\n}\n"),
           1);
    splits(AGGREGATE("define [2 x { i8, ptr addrspace(1) }] @f([2 x { i8, ptr addrspace(1) }] %a)" GC
                     "{\n  call void @g()\n  ret [2 x { i8, ptr addrspace(1) }] %a\n}\n"),
           2);
    /* A derived pointer that was put in has its base. */
    has(AGGREGATE("define { ptr addrspace(1), i64 } @f(ptr addrspace(1) %p, i1 %c)" GC "{\nentry:\n"
                  "  %d = getelementptr i8, ptr addrspace(1) %p, i64 8\n"
                  "  %a = insertvalue { ptr addrspace(1), i64 } undef, ptr addrspace(1) %d, 0\n"
                  "  br i1 %c, label %x, label %y\nx:\n  br label %y\ny:\n"
                  "  %b = phi { ptr addrspace(1), i64 } [ %a, %entry ], [ zeroinitializer, %x ]\n"
                  "  call void @g()\n  ret { ptr addrspace(1), i64 } %b\n}\n"),
        NONE "opt=0 emit=ir,obj", SM_PART_IR, "%p", 3);
    has(AGGREGATE("define void @f()" GC "{\n  %a = call { ptr addrspace(1), i64 } @two()\n"
                  "  call void @take({ ptr addrspace(1), i64 } %a)\n  ret void\n}\n"),
        NONE "opt=0", SM_PART_STACKMAP, "\"reason\":\"call\"", 2);
}

/* What has too many parts is refused by name; one that is taken apart before, or put together after, is as it was. */
Test(misuse, aggregates_across_safepoints) {
    refuses(AGGREGATE("define [65 x ptr addrspace(1)] @f([65 x ptr addrspace(1)] %a)" GC
                      "{\n  call void @g()\n  ret [65 x ptr addrspace(1)] %a\n}\n"),
            NONE "opt=0", SM_CANNOT_REWRITE, "%a of type [65 x ptr addrspace(1)]");
    has(AGGREGATE("define ptr addrspace(1) @f()" GC "{\n  %a = call { ptr addrspace(1), i64 } @two()\n"
                  "  %p = extractvalue { ptr addrspace(1), i64 } %a, 0\n  call void @g()\n"
                  "  ret ptr addrspace(1) %p\n}\n"),
        NONE "opt=0", SM_PART_STACKMAP, "\"reason\":\"call\"", 2);
    has(AGGREGATE("define { ptr addrspace(1), i64 } @f(ptr addrspace(1) %p)" GC
                  "{\n  call void @g()\n  %a = insertvalue { ptr addrspace(1), i64 } undef, ptr addrspace(1) %p, 0\n"
                  "  ret { ptr addrspace(1), i64 } %a\n}\n"),
        NONE "opt=0", SM_PART_STACKMAP, "\"reason\":\"call\"", 1);
}

/* 1 if a root's derived pointer is at the place: a slot of the frame or a register. */
static int is_updated(const json_t *roots, const char *register_name, json_int_t offset) {
    size_t i;
    json_t *root;
    json_array_foreach(roots, i, root) {
        const json_t *d = json_object_get(root, "derived");
        const char *name = json_string_value(json_object_get(d, "register"));
        if (name && strcmp(name, register_name) == 0 && json_integer_value(json_object_get(d, "offset")) == offset)
            return 1;
    }
    return 0;
}

/* Of safepoints with deoptimisation values that are no constants, all pointers among them are what the collector
 * updates, and at least DERIVED of the roots have another base. */
static void state_is_updated(const char *ir, const char *options, int derived) {
    for (int arm = 0; arm < 2; arm++) {
        struct compiled c = compile(ir, options, targets[arm]);
        const char *text = c.text[SM_PART_STACKMAP] ? c.text[SM_PART_STACKMAP] : c.text[SM_PART_DIAGNOSTICS];
        json_t *map = json_loads(text, 0, NULL), *f, *s, *v, *root;
        size_t i, k, n, states = 0;
        int all = 0;
        json_array_foreach(json_object_get(map, "functions"), i, f)
            json_array_foreach(json_object_get(f, "safepoints"), k, s) {
            const json_t *roots = json_object_get(s, "roots");
            int others = 0, values = 0;
            json_array_foreach(json_object_get(s, "deopt"), n, v) {
                const char *name = json_string_value(json_object_get(v, "register"));
                for (json_int_t at = 0; name && at < json_integer_value(json_object_get(v, "size"));
                     at += 8, values++)
                    cr_expect(is_updated(roots, name, json_integer_value(json_object_get(v, "offset")) + at),
                              "%s\n%s", ir, text);
            }
            json_array_foreach(roots, n, root) others +=
                !json_equal(json_object_get(root, "base"), json_object_get(root, "derived"));
            states += values != 0;
            all += values ? others : 0;
        }
        cr_expect(states >= 1 && all >= derived, "%s: %s\n%s", options, ir, text);
        json_decref(map);
        drop(&c);
    }
}

/* LLVM takes the pointers among deoptimisation values for objects' addresses, at every safepoint of the function. */
Test(rewrite, derived_pointers_as_deoptimisation_values, .timeout = 600) {
#define STATE(before, v, more)                                                                                       \
    CALLEE "declare i64 @llvm.experimental.deoptimize.i64(...)\ndeclare i32 @personality(...)\n"                     \
           "define i64 @f(ptr addrspace(1) %o, ptr addrspace(1) %r, i1 %c, i64 %i)" GC                               \
           "personality ptr @personality {\nentry:\n" before "  call void @g() [ \"deopt\"(i32 1, " v ") ]\n" more   \
           "  ret i64 0\n}\n"
#define FIELD "  %d = getelementptr i8, ptr addrspace(1) %o, i64 8\n"
    static const char *const levels[] = {NONE "opt=0", NONE "opt=1", NONE "opt=2 remat=false", NONE "opt=3",
                                         NONE "opt=2 gc_registers=8"};
    for (size_t l = 0; l < sizeof levels / sizeof *levels; l++) {
        state_is_updated(STATE(FIELD, "ptr addrspace(1) %d, ptr addrspace(1) %d", ""), levels[l], 1);
        state_is_updated(STATE(FIELD, "ptr addrspace(1) %d, ptr addrspace(1) %o",
                               "  call void @g()\n  %v = load i64, ptr addrspace(1) %d\n  ret i64 %v\nother:\n"),
                         levels[l], 1);
        state_is_updated(STATE("  %d = getelementptr i8, ptr addrspace(1) %o, i64 %i\n"
                               "  %s = select i1 %c, ptr addrspace(1) %d, ptr addrspace(1) %r\n",
                               "ptr addrspace(1) %s", ""),
                         levels[l], 1);
        state_is_updated(STATE("  %v = getelementptr i8, ptr addrspace(1) %o, <2 x i64> <i64 0, i64 8>\n",
                               "<2 x ptr addrspace(1)> %v", ""),
                         levels[l], 2);
        state_is_updated(STATE("  br label %loop\nloop:\n  %d = phi ptr addrspace(1) [ %o, %entry ], [ %n, %loop ]\n"
                               "  %n = getelementptr i8, ptr addrspace(1) %d, i64 8\n",
                               "ptr addrspace(1) %d", "  br i1 %c, label %loop, label %out\nout:\n"),
                         levels[l], 1);
        state_is_updated(STATE("  %k = call ptr addrspace(1) @h(ptr addrspace(1) %o)\n" /* is no other pointer */
                               "  %d = freeze ptr addrspace(1) %k\n  call void @g()\n",
                               "ptr addrspace(1) %d, ptr addrspace(1) %k", ""),
                         levels[l], 0);
        state_is_updated(STATE(FIELD, "ptr addrspace(1) null", "") /* and across an invoke whose ways meet */
                         "define i64 @k(ptr addrspace(1) %o)" GC "personality ptr @personality {\n" FIELD
                         "  invoke void @g() [ \"deopt\"(ptr addrspace(1) %d) ] to label %out unwind label %pad\n"
                         "pad:\n  %l = landingpad { ptr, i32 } cleanup\n  br label %out\nout:\n"
                         "  %v = load i64, ptr addrspace(1) %d\n  ret i64 %v\n}\n",
                         levels[l], 1);
        state_is_updated(CALLEE "declare i64 @llvm.experimental.deoptimize.i64(...)\n"
                                "define i64 @f(ptr addrspace(1) %o)" GC "{\n" FIELD
                                "  %r = call i64 (...) @llvm.experimental.deoptimize.i64() [ \"deopt\"(ptr "
                                "addrspace(1) %d) ]\n  ret i64 %r\n}\n",
                         levels[l], 1);
    }
    has(STATE("  %s = select i1 %c, ptr addrspace(1) %o, ptr addrspace(1) %r\n"
              "  %z = getelementptr i8, ptr addrspace(1) %s, i64 0\n",
              "ptr addrspace(1) %z, ptr addrspace(1) null", ""),
        NONE "opt=0", SM_PART_STACKMAP, "\"kind\":\"statepoint\"", 1);
    has(STATE(FIELD, "ptr addrspace(1) %d", ""), NONE "opt=2", SM_PART_META,
        "derived pointers among deoptimisation values", 1);
}

/* A statepoint of the module's own says itself what is relocated: what is not, would be old in its state. */
Test(rewrite, states_of_own_statepoints) {
#define OWN_STATE(list, body)                                                                                        \
    CALLEE "declare token @llvm.experimental.gc.statepoint.p0(i64, i32, ptr, i32, i32, ...)\n"                       \
           "declare ptr addrspace(1) @llvm.experimental.gc.relocate.p1(token, i32, i32)\n"                           \
           "define ptr addrspace(1) @f(ptr addrspace(1) %o)" GC "{\n" FIELD                                          \
           "  %t = call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 0, i32 0, ptr " \
           "elementtype(void ()) @g, i32 0, i32 0, i32 0, i32 0) [\"deopt\"(ptr addrspace(1) %d), \"gc-live\"(ptr "  \
           "addrspace(1) " list ")]\n" body "}\n"
#define BASE "  %b = call ptr addrspace(1) @llvm.experimental.gc.relocate.p1(token %t, i32 0, i32 0)\n"
    static const char both[] = OWN_STATE("%o, ptr addrspace(1) %d", BASE
                                         "  %r = call ptr addrspace(1) @llvm.experimental.gc.relocate.p1(token %t, "
                                         "i32 0, i32 1)\n  %i = icmp eq ptr addrspace(1) %r, null\n  %v = select i1 "
                                         "%i, ptr addrspace(1) %b, ptr addrspace(1) %r\n  ret ptr addrspace(1) %v\n");
    state_is_updated(both, NONE "opt=0", 1);
    state_is_updated(both, NONE "opt=2", 1);
    refuses(OWN_STATE("%o", BASE "  ret ptr addrspace(1) %b\n"), NONE "opt=2", SM_CANNOT_REWRITE,
            "Deoptimisation value 1 of the call of g is a pointer derived from another one");
}

/* A deoptimization is a safepoint: the collector is told of slots that others know, of declared ones and of pins. */
Test(rewrite, deoptimizations_report_slots) {
#define DEOPTIMIZES(before, state)                                                                                   \
    "declare i64 @llvm.experimental.deoptimize.i64(...)\ndeclare void @llvm.gc.declare(ptr, ptr)\n"                  \
    "declare ptr @smd.gc.pin(ptr addrspace(1))\ndeclare void @known(ptr) \"gc-leaf-function\"\n"                     \
    "define i64 @f(ptr addrspace(1) %o)" GC "{\n" before                                                             \
    "  %r = call i64 (...) @llvm.experimental.deoptimize.i64() [ \"deopt\"(" state ") ]\n  ret i64 %r\n}\n"
    static const char *const levels[] = {NONE "opt=0", NONE "opt=2"};
    for (int l = 0; l < 2; l++) {
        has(DEOPTIMIZES("  %s = alloca [2 x ptr addrspace(1)]\n  store ptr addrspace(1) %o, ptr %s\n"
                        "  call void @known(ptr %s)\n",
                        "i32 1"),
            levels[l], SM_PART_STACKMAP, "\"count\":2", 1);
        has(DEOPTIMIZES("  %s = alloca ptr addrspace(1)\n  call void @llvm.gc.declare(ptr %s, ptr null)\n"
                        "  store ptr addrspace(1) %o, ptr %s\n",
                        "i32 1"),
            levels[l], SM_PART_STACKMAP, "\"fields\":", 1);
        has(DEOPTIMIZES("  %raw = call ptr @smd.gc.pin(ptr addrspace(1) %o)\n", "ptr %raw"), levels[l],
            SM_PART_STACKMAP, "\"pinned\":true", 1);
    }
}

/* Nothing comes behind such a call, and AArch64's code generation drops what has no effect before an unreachable:
 * relocations. */
Test(rewrite, lists_of_calls_that_do_not_come_back) {
#define THROWS(way)                                                                                                  \
    CALLEE "declare token @llvm.experimental.gc.statepoint.p0(i64, i32, ptr, i32, i32, ...)\n"                       \
           "define i64 @f(ptr addrspace(1) %o)" GC "{\n" way "}\n"
#define OWN_LIST                                                                                                     \
    "  %t = call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 0, i32 0, ptr "        \
    "elementtype(void ()) @g, i32 0, i32 0, i32 0, i32 0) [\"gc-live\"(ptr addrspace(1) %o)]\n"
    static const char *const levels[] = {NONE "opt=0", NONE "opt=2", NONE "opt=3"};
    for (int l = 0; l < 3; l++) {
        has(THROWS("  call void @g() [ \"gc-live\"(ptr addrspace(1) %o) ]\n  unreachable\n"), levels[l],
            SM_PART_STACKMAP, "\"base\":", 1);
        has(THROWS(OWN_LIST "  unreachable\n"), levels[l], SM_PART_STACKMAP, "\"base\":", 1);
        has(THROWS(OWN_LIST "  br label %never\nnever:\n  unreachable\n"), levels[l], SM_PART_STACKMAP,
            "\"base\":", 1);
    }
}

/* Of a vector that repeats an element of a shuffle's second operand LLVM's rewrite takes poison for the bases. */
Test(rewrite, splats_have_bases) {
#define SPLAT(mask)                                                                                                  \
    CALLEE "define <2 x ptr addrspace(1)> @f(<2 x ptr addrspace(1)> %a, <2 x ptr addrspace(1)> %b)" GC               \
           "{\n  %s = shufflevector <2 x ptr addrspace(1)> %a, <2 x ptr addrspace(1)> %b, <2 x i32> " mask           \
           "\n  call void @g()\n  ret <2 x ptr addrspace(1)> %s\n}\n"
    has(SPLAT("<i32 2, i32 2>"), NONE "opt=0 emit=obj,ir", SM_PART_IR,
        "shufflevector <2 x ptr addrspace(1)> %b, <2 x ptr addrspace(1)> poison, <2 x i32> zeroinitializer", 1);
    has(SPLAT("<i32 2, i32 2>"), NONE "opt=0", SM_PART_META, "the bases of vectors that repeat an element", 1);
    has(SPLAT("<i32 0, i32 0>"), NONE "opt=0 emit=obj,ir", SM_PART_IR,
        "shufflevector <2 x ptr addrspace(1)> %a, <2 x ptr addrspace(1)> %b, <2 x i32> zeroinitializer", 1);
    has(SPLAT("<i32 2, i32 3>"), NONE "opt=0", SM_PART_META, "repeat an element", 0);
}

/* A reference that code generation finds to be a constant is not defined on an unwind edge, unless another block has
 * it. */
Test(rewrite, invokes_stand_apart_from_constants) {
#define EDGE(value, attribute)                                                                                       \
    "declare void @g()\ndeclare i32 @p(...)\ndefine ptr addrspace(1) @f(ptr addrspace(1) %o, ptr addrspace(1) %r)"   \
    " " attribute                                                                                                    \
    " gc \"statepoint-example\" personality ptr @p {\n  %same = icmp eq ptr addrspace(1) %o, %o\n  %v = " value      \
    "\n  invoke void @g() to label %on unwind label %pad\npad:\n  %l = landingpad token cleanup\n"                   \
    "  call void @g()\n  br label %on\non:\n  ret ptr addrspace(1) %v\n}\n"
#define KNOWN "select i1 %same, ptr addrspace(1) %o, ptr addrspace(1) null"
    has(EDGE(KNOWN, ""), NONE "opt=0", SM_PART_META, "no blocks of their own", 1);
    has(EDGE(KNOWN, "noinline optnone"), NONE "opt=2", SM_PART_META, "no blocks of their own", 1);
    has(EDGE(KNOWN, ""), NONE "opt=2", SM_PART_META, "no blocks of their own", 0);
    has(EDGE("getelementptr i8, ptr addrspace(1) %o, i64 8", ""), NONE "opt=0", SM_PART_META,
        "no blocks of their own", 0);
}

Test(misuse, stack_slots_as_gc_pointers) {
#define SLOT(after)                                                                                                  \
    CALLEE "define ptr addrspace(1) @f()" GC                                                                         \
           "{\n  %a = alloca i64\n  %s = addrspacecast ptr %a to ptr addrspace(1)\n" after "}\n"
    refuses(SLOT("  call void @g()\n  ret ptr addrspace(1) %s\n"), NONE "opt=0", SM_CANNOT_REWRITE,
            "%s is the address of a stack slot");
    refuses(
        SLOT("  %q = getelementptr i8, ptr addrspace(1) %s, i64 4\n  call void @g()\n  ret ptr addrspace(1) %q\n"),
        NONE "opt=0", SM_CANNOT_REWRITE, "%s is the address of a stack slot");
    has(SLOT("  store i64 1, ptr addrspace(1) %s\n  ret ptr addrspace(1) null\nnever:\n  %x = getelementptr i8, ptr "
             "%x, i64 1\n"
             "  %y = addrspacecast ptr %x to ptr addrspace(1)\n  call void @g()\n  ret ptr addrspace(1) %y\n"),
        NONE "opt=0", SM_PART_STACKMAP, "\"functions\"", 1);
    has(SLOT("  store i64 1, ptr addrspace(1) %s\n  call void @g()\n  ret ptr addrspace(1) null\n"), NONE "opt=0",
        SM_PART_STACKMAP, "\"kind\":\"statepoint\"", 1);
}

/* LLVM's rewrite finds no base of them, and dies of some: the address of a slot, the result of an atomicrmw. */
Test(misuse, other_pointers_as_gc_pointers) {
#define CAST(from, after)                                                                                            \
    CALLEE "declare void @take(ptr addrspace(1))\ndeclare ptr @make()\n"                                             \
           "define ptr addrspace(1) @f(ptr %p, ptr addrspace(3) %q, ptr addrspace(1) %r)" GC "{\n  %x = " from       \
           "\n  %s = addrspacecast ptr %x to ptr addrspace(1)\n" after "}\n"
#define GIVEN  "  call void @take(ptr addrspace(1) %s)\n  ret ptr addrspace(1) null\n"
#define ACROSS "  call void @g()\n  ret ptr addrspace(1) %s\n"
    static const char other[] = "%s is a pointer of another address space, cast into a GC pointer, and ";
    char given[160], across[160];
    snprintf(given, sizeof given, "%sis given to the call of take", other);
    snprintf(across, sizeof across, "%sstays alive across the call of g", other);
    for (const char *const *o = (const char *const[]){NONE "opt=0", NONE "opt=2", NULL}; *o; o++) {
        refuses(CAST("load ptr, ptr %p", GIVEN), *o, SM_CANNOT_REWRITE, given);
        refuses(CAST("call ptr @make()", ACROSS), *o, SM_CANNOT_REWRITE, across);
        refuses(CAST("atomicrmw xchg ptr %p, ptr %p seq_cst", GIVEN), *o, SM_CANNOT_REWRITE, given);
        refuses(CAST("atomicrmw xchg ptr %p, ptr %p seq_cst", ACROSS), *o, SM_CANNOT_REWRITE, across);
        refuses(CAST("alloca i64", GIVEN), *o, SM_CANNOT_REWRITE, "%s is the address of a stack slot");
        has(CAST("addrspacecast ptr addrspace(1) %r to ptr", ACROSS), *o, SM_PART_STACKMAP, "\"statepoint\"", 1);
        has(CAST("load ptr, ptr %p", "  store i64 1, ptr addrspace(1) %s\n  call void @g()\n"
                                     "  ret ptr addrspace(1) null\n"),
            *o, SM_PART_STACKMAP, "\"statepoint\"", 1);
    }
    refuses(CALLEE "define ptr addrspace(1) @f(ptr %p, ptr addrspace(3) %q)" GC
                   "{\n  %x = atomicrmw xchg ptr %p, ptr addrspace(3) %q seq_cst\n"
                   "  %s = addrspacecast ptr addrspace(3) %x to ptr addrspace(1)\n" ACROSS "}\n",
            NONE "opt=0", SM_CANNOT_REWRITE, across);
}

/* What ends LLVM's own tools is named before it can. */
Test(misuse, what_llvm_dies_of) {
    refuses(
        "declare void @g()\ndeclare token @llvm.experimental.gc.statepoint.p0(i64, i32, ptr, i32, i32, ...)\n"
        "declare ptr addrspace(1) @llvm.experimental.gc.relocate.p1(token, i32, i32)\n"
        "define ptr addrspace(1) @f(ptr addrspace(1) %p) gc \"statepoint-example\" {\n"
        "  %t = call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 0, i32 0, ptr @g, "
        "i32 0, i32 0, i32 0, i32 0) [\"gc-live\"(ptr addrspace(1) %p)]\n"
        "  %r = call ptr addrspace(1) @llvm.experimental.gc.relocate.p1(token %t, i32 0, i32 0)\n"
        "  ret ptr addrspace(1) %r\n}\n",
        NONE, SM_INVALID_MODULE, "elementtype");
    refuses("declare void @g()\ndefine void @f() personality ptr @g {\n  invoke void @g() to label %on unwind label "
            "%off\n"
            "on:\n  ret void\noff:\n  %l = landingpad token cleanup\n  resume token undef\n}\n",
            NONE "emit=obj,asm", SM_CODEGEN_FAILED, "resume");
}

/* LLVM makes loops of recursion, and would choose between what rounds return behind a deoptimization. */
Test(deopt, recursion_keeps_its_returns) {
    static const char recursion[] =
        "declare i64 @llvm.experimental.deoptimize.i64(...)\n"
        "declare i64 @other(i64)\n"
        "define i64 @f(i64 %n) gc \"statepoint-example\" {\n"
        "  %end = icmp eq i64 %n, 0\n  br i1 %end, label %stop, label %on\n"
        "on:\n  %m = sub i64 %n, 1\n  %r = call i64 @f(i64 %m)\n  ret i64 0\n"
        "stop:\n  %v = call i64 (...) @llvm.experimental.deoptimize.i64(i64 1) [ \"deopt\"(i64 %n) ]\n"
        "  ret i64 %v\n}\n";
    for (const char *const *o = (const char *const[]){"opt=1", "opt=2", "opt=3", "opt=s", NULL}; *o; o++) {
        char options[64];
        snprintf(options, sizeof options, "%s safepoints=none emit=obj,ir", *o);
        has(recursion, options, SM_PART_IR, "elementtype(void (i64)) @__llvm_deoptimize", 1);
        has(recursion, options, SM_PART_IR, "disable-tail-calls", 0);
    }
}
