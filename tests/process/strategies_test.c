/* The builtin strategies: their tables, roots, polls and refusals. Each compiles a module for both targets and says
 * what has to be in the answer. */
#include "compiler.h"
#include "gc_inputs.h"
#include "worker.h"

#include "status.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROOTED(name, gc)                                                                                             \
    "define void @" name "() gc \"" gc                                                                               \
    "\" {\n  %a = alloca ptr\n  %b = alloca ptr\n  call void @llvm.gcroot(ptr %a, ptr null)\n"                       \
    "  call void @llvm.gcroot(ptr %b, ptr @meta)\n  store ptr null, ptr %a\n  store ptr null, ptr %b\n  call void "  \
    "@g()\n  call void @g()\n  ret void\n}\n"
#define ROOTS "declare void @llvm.gcroot(ptr, ptr)\ndeclare void @g()\n@meta = constant i32 5\n"

Test(strategies, erlang_and_ocaml_tables) {
    has(ROOTS ROOTED("one", "erlang") ROOTED("two", "erlang"), "", SM_PART_STACKMAP, "\"format\":\"erlang\"", 1);
    has(ROOTS ROOTED("one", "erlang") ROOTED("two", "erlang"), "", SM_PART_STACKMAP, "\"kind\":\"gcroot\"", 4);
    has(ROOTS ROOTED("one", "ocaml") ROOTED("two", "ocaml"), "", SM_PART_STACKMAP, "\"format\":\"ocaml\"", 1);
    has(ROOTS ROOTED("one", "ocaml") ROOTED("two", "ocaml"), "", SM_PART_STACKMAP, "\"kind\":\"gcroot\"", 4);
    has(ROOTS ROOTED("one", "ocaml"), "", SM_PART_STACKMAP, "\"base\"", 4);
}

/* Where LLVM tells which root is whose: always where all have the same, and from opt=1 on. */
Test(strategies, metadata_of_roots) {
    static const char
        *const gcs[] = {ROOTS ROOTED("f", "erlang"), ROOTS ROOTED("f", "ocaml")},
               same[] = ROOTS
               "define void @f() gc \"erlang\" {\n  %a = alloca ptr\n  %b = alloca ptr\n"
               "  call void @llvm.gcroot(ptr %a, ptr getelementptr (i8, ptr @meta, i64 2))\n"
               "  call void @llvm.gcroot(ptr %b, ptr getelementptr (i8, ptr @meta, i64 2))\n  call void @g()\n"
               "  ret void\n}\n",
               number[] = ROOTS
               "define void @f() gc \"erlang\" {\n  %a = alloca ptr\n"
               "  call void @llvm.gcroot(ptr %a, ptr inttoptr (i64 77 to ptr))\n  call void @g()\n  ret void\n}\n";
    for (size_t i = 0; i < 2; i++) {
        has(gcs[i], "", SM_PART_STACKMAP, "}},{\"base\"", 2); /* the first of the two roots has none */
        has(gcs[i], "", SM_PART_STACKMAP, "\"metadata\":{\"symbol\":\"meta\",\"addend\":0}}]", 2);
        has(gcs[i], "opt=0", SM_PART_STACKMAP, "\"metadata\":{\"symbol\":\"meta\",\"addend\":0}", 2);
    }
    has(same, "opt=0", SM_PART_STACKMAP, "\"metadata\":{\"symbol\":\"meta\",\"addend\":2}", 2);
    has(number, "opt=0", SM_PART_STACKMAP, "\"metadata\":{\"symbol\":null,\"addend\":77}", 1);
}

Test(strategies, shadow_stack_frame_maps) {
    has(ROOTS ROOTED("one", "shadow-stack"), "", SM_PART_STACKMAP, "\"format\":\"shadow-stack\"", 1);
    has(ROOTS ROOTED("one", "shadow-stack"), "", SM_PART_STACKMAP, "\"symbol\":\"meta\"", 1);
}

#define MANY(gc, slot)                                                                                               \
    "@meta = external global i8\ndeclare void @llvm.gcroot(ptr, ptr)\ndeclare void @g(ptr)\n"                        \
    "define void @f(ptr %p) gc \"" gc "\" {\n  %a = alloca " slot "\n  call void @llvm.gcroot(ptr %a, ptr @meta)\n"  \
    "  call void @g(ptr %p)\n  store ptr %p, ptr %a\n  call void @g(ptr %p)\n  ret void\n}\n"

/* A root of the shadow stack may be any alloca of fixed size, and is null throughout when the frame is pushed. The
 * tables of the others have one pointer for each. */
Test(strategies, roots_of_several_pointers) {
    for (int level = 0; level < 4; level++) {
        char options[64];
        snprintf(options, sizeof options, NONE "opt=%d emit=obj,ir", level);
        has(MANY("shadow-stack", "ptr, i32 4"), options, SM_PART_IR, "alloca [4 x ptr]", 1);
        has(MANY("shadow-stack", "ptr, i32 4"), options, SM_PART_IR, "store [4 x ptr] zeroinitializer, ptr %a", 1);
        has(MANY("shadow-stack", "{i64, ptr, ptr}"), options, SM_PART_IR, "ptr } zeroinitializer, ptr %a", 1);
        has(MANY("shadow-stack", "[4000 x ptr]"), options, SM_PART_IR, "i8 0, i64 32000, i1 false)", 1);
        refuses(MANY("ocaml", "ptr, i32 4"), options, SM_INVALID_GCROOT, "one pointer");
        refuses(MANY("erlang", "[2 x ptr]"), options, SM_INVALID_GCROOT, "one pointer");
    }
}

/* An allocator that says to write memory which nobody sees still moves what the caller's roots hold. */
Test(strategies, allocators_write_to_roots) {
    static const char *const gcs[] = {"shadow-stack", "erlang", "ocaml"};
    for (size_t i = 0; i < sizeof gcs / sizeof *gcs; i++)
        for (int at_call = 0; at_call < 2; at_call++)
            for (int level = 0; level < 4; level++) {
                static const char hidden[] = "memory(inaccessiblemem: readwrite)";
                char ir[2048], options[64];
                snprintf(ir, sizeof ir,
                         "declare ptr @alloc(i64) nounwind willreturn %s\ndeclare void @llvm.gcroot(ptr, ptr)\n"
                         "define ptr @f(ptr %%v) gc \"%s\" {\n  %%s = alloca ptr\n"
                         "  call void @llvm.gcroot(ptr %%s, ptr null)\n  store ptr %%v, ptr %%s\n"
                         "  %%n = call ptr @alloc(i64 8) %s\n  %%r = load ptr, ptr %%s\n  store ptr null, ptr %%s\n"
                         "  ret ptr %%r\n}\n",
                         at_call ? "" : hidden, gcs[i], at_call ? hidden : "");
                snprintf(options, sizeof options, NONE "opt=%d emit=obj,ir", level);
                has(ir, options, SM_PART_IR, "store ptr %v, ptr %s", 1);
                has(ir, options, SM_PART_IR, "%r = load ptr, ptr %s", 1);
                has(ir, options, SM_PART_IR, "ret ptr %r", 1);
                has(ir, options, SM_PART_IR, "call ptr @alloc(i64 8)", 1);
            }
}

/* So does one that has the name of C's or C++'s, of which LLVM knows the same. */
Test(strategies, allocators_by_name_write_to_roots) {
    static const char *const calls[] = {"malloc(i64 8)", "_Znwm(i64 8) builtin"};
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        for (int level = 1; level < 4; level++) {
            char ir[2048], options[64];
            snprintf(ir, sizeof ir,
                     "declare ptr @malloc(i64)\ndeclare ptr @_Znwm(i64) nobuiltin\n"
                     "declare void @llvm.gcroot(ptr, ptr)\ndeclare void @use(ptr, ptr)\n"
                     "define ptr @f(ptr %%v) gc \"ocaml\" {\n  %%s = alloca ptr\n"
                     "  call void @llvm.gcroot(ptr %%s, ptr null)\n  store ptr %%v, ptr %%s\n"
                     "  %%n = call ptr @%s\n  %%r = load ptr, ptr %%s\n  call void @use(ptr %%r, ptr %%n)\n"
                     "  ret ptr %%r\n}\n",
                     calls[i]);
            snprintf(options, sizeof options, NONE "opt=%d emit=obj,ir", level);
            has(ir, options, SM_PART_IR, "%r = load ptr, ptr %s", 1);
        }
}

Test(strategies, functions_may_differ_and_an_option_fills_in) {
    has(CALLEE TWO_CALLS
        "declare void @llvm.gcroot(ptr, ptr)\n@meta = constant i32 5\n" ROOTED("two", "shadow-stack"),
        NONE, SM_PART_STACKMAP, "\"name\":\"f\"", 1);
    has("declare void @g()\ndefine ptr addrspace(1) @f(ptr addrspace(1) %p) {\n  call void @g()\n  ret ptr "
        "addrspace(1) %p\n}\n",
        NONE "gc=coreclr", SM_PART_STACKMAP, "\"kind\":\"statepoint\"", 1);
    has("declare void @g()\ndefine ptr addrspace(1) @f(ptr addrspace(1) %p) {\n  call void @g()\n  ret ptr "
        "addrspace(1) %p\n}\n",
        NONE, SM_PART_STACKMAP, "\"kind\"", 0);
}

/* Two roots of one function that became part of another, one life behind the other: two slots, throughout. */
Test(strategies, roots_of_what_was_inlined) {
    static const char ir[] =
        "declare void @llvm.gcroot(ptr, ptr)\ndeclare ptr @make()\ndeclare void @use(ptr)\n"
        "define internal void @inner() gc \"%s\" {\n  %%s = alloca ptr, align 32\n  call void @llvm.gcroot(ptr %%s, "
        "ptr null)\n  %%p = call ptr @make()\n  store ptr %%p, ptr %%s, align 32\n  call void @use(ptr null)\n"
        "  %%q = load ptr, ptr %%s, align 32\n  call void @use(ptr %%q)\n  ret void\n}\n"
        "define void @f(i1 %%c) gc \"%s\" {\n  br i1 %%c, label %%a, label %%b\na:\n  call void @inner()\n"
        "  call void @inner()\n  br label %%b\nb:\n  ret void\n}\n";
    static const char *const strategies[] = {"shadow-stack", "erlang", "ocaml"};
    for (int i = 0; i < 3; i++) {
        char text[1200];
        snprintf(text, sizeof text, ir, strategies[i], strategies[i]);
        has(text, "opt=2 emit=ir", SM_PART_IR, "call void @llvm.gcroot(ptr nonnull %s", 2);
        has(text, "opt=2 emit=ir", SM_PART_IR, "call void @llvm.lifetime.", 0);
        has(text, "opt=2 emit=ir", SM_PART_IR, ", align 32", 0);
    }
}

Test(strategies, what_does_not_go_together) {
    refuses(ROOTS ROOTED("f", "coreclr"), NONE, SM_GC_MISMATCH, "llvm.gcroot");
    refuses("declare void @g()\ndeclare token @llvm.experimental.gc.statepoint.p0(i64, i32, ptr, i32, i32, ...)\n"
            "define void @f() gc \"erlang\" {\n  %t = call token (i64, i32, ptr, i32, i32, ...) "
            "@llvm.experimental.gc.statepoint.p0(i64 0, i32 0, ptr "
            "elementtype(void ()) @g, i32 0, i32 0, i32 0, i32 0)\n  ret void\n}\n",
            NONE, SM_GC_MISMATCH, "gc.statepoint");
    refuses("declare void @llvm.gcroot(ptr, ptr)\ndefine void @f(ptr %p) gc \"shadow-stack\" {\n  call void "
            "@llvm.gcroot(ptr %p, ptr null)\n  ret void\n}\n",
            "opt=0", SM_INVALID_MODULE, "gcroot");
}

/* LLVM 19 ends the process over these. */
Test(gcroot, what_llvm_would_die_of_is_refused) {
    refuses("declare void @foo()\ndeclare void @llvm.gcroot(ptr, ptr)\n@meta = constant i32 1\n"
            "define void @t() gc \"ocaml\" {\n  %a = alloca { ptr, i32, ptr }\n"
            "  call void @llvm.gcroot(ptr %a, ptr @meta)\n  call void @foo()\n  ret void\n}\n",
            "", SM_INVALID_GCROOT, "does not hold one pointer");
    refuses("declare void @foo(ptr)\ndefine void @t(i64 %n) gc \"ocaml\" {\n  %a = alloca i8, i64 %n\n"
            "  call void @foo(ptr %a)\n  ret void\n}\n",
            "", SM_CODEGEN_FAILED, "no fixed size");
    refuses("declare void @foo(ptr addrspace(1))\n"
            "declare ptr addrspace(1) @llvm.experimental.gc.get.pointer.base.p1.p1(ptr addrspace(1))\n"
            "define void @t(ptr addrspace(1) %p) {\n"
            "  %b = call ptr addrspace(1) @llvm.experimental.gc.get.pointer.base.p1.p1(ptr addrspace(1) %p)\n"
            "  call void @foo(ptr addrspace(1) %b)\n  ret void\n}\n",
            "", SM_GC_MISMATCH, "no GC strategy");
}

/* ---- What the documents say of the builtin strategies --------------------------------------------------------- */
Test(strategies, coreclr_polls_backedges) {
    static const char ir[] = POLL "define void @f(ptr %p) gc \"coreclr\" {\nentry:\n  br label %loop\nloop:\n"
                                  "  %v = load volatile i8, ptr %p\n  %c = icmp eq i8 %v, 0\n"
                                  "  br i1 %c, label %loop, label %done\ndone:\n  ret void\n}\n";
    has(ir, "", SM_PART_STACKMAP, "\"reason\":\"backedge-poll\"", 1);
    has(ir, "", SM_PART_STACKMAP, "\"reason\"", 1);
    has(ir, "safepoints=entry", SM_PART_STACKMAP, "\"reason\":\"entry-poll\"", 1);
}

/* Before tail calls as well, where they are sure to be made as such. */
Test(strategies, coreclr_polls_tail_calls) {
    static const char ir[] = POLL "declare void @g()\ndefine void @f() gc \"coreclr\" {\n  call void @g()\n"
                                  "  musttail call void @g()\n  ret void\n}\n";
    has(ir, "", SM_PART_STACKMAP, "\"reason\":\"precall-poll\"", 1);
    has(ir, "", SM_PART_STACKMAP, "\"reason\"", 2);
    has(ir, "safepoints=backedge emit=ir", SM_PART_IR, "@stop()", 2); /* the declaration, and gc.safepoint_poll */
}

/* One spill slot, in which the derived pointer is, instead of two; the object's own is there where it is used again. */
Test(strategies, bases_may_be_left_out) {
#define DERIVED_LOOP(gc, use)                                                                                        \
    CALLEE "define i64 @f(ptr addrspace(1) %p, i64 %i) gc \"" gc "\" {\n"                                            \
           "  %d = getelementptr i64, ptr addrspace(1) %p, i64 %i\n  call void @g()\n"                               \
           "  %v = load i64, ptr addrspace(1) %d\n" use "  ret i64 %v\n}\n"
#define AGAIN "  call ptr addrspace(1) @h(ptr addrspace(1) %p)\n"
    static const char *const gcs[] = {DERIVED_LOOP("coreclr", ""), DERIVED_LOOP("statepoint-example", "")};
    for (size_t i = 0; i < 2; i++) {
        has(gcs[i], NONE "remat=false opt=0", SM_PART_STACKMAP, "\"base\"", 2);
        has(gcs[i], NONE "remat=false opt=0 bases=none", SM_PART_STACKMAP, "\"base\"", 1);
        has(gcs[i], NONE "remat=false bases=none emit=ir", SM_PART_IR, "; (%d, %d)", 1);
        has(gcs[i], NONE "remat=false bases=none", SM_PART_META, "smc compile --quiet --ir=- ", 1);
    }
    has(DERIVED_LOOP("coreclr", AGAIN), NONE "remat=false bases=none opt=0", SM_PART_STACKMAP, "\"base\"", 3);
    has(CALLEE "define void @f(ptr addrspace(1) %p)" GC "{\n  call void @g() [\"gc-live\"(ptr addrspace(1) %p)]\n"
               "  ret void\n}\n",
        NONE "bases=none", SM_PART_STACKMAP, "\"base\"", 1);
}

#define CHAINED                                                                                                      \
    "declare void @g()\ndefine void @f() gc \"shadow-stack\" {\n  %a = alloca ptr\n"                                 \
    "  call void @llvm.gcroot(ptr %a, ptr null)\n  store ptr null, ptr %a\n  call void @g()\n  ret void\n}\n"        \
    "declare void @llvm.gcroot(ptr, ptr)\n"

Test(strategies, the_shadow_chain_may_be_of_a_thread) {
    has(CHAINED, "shadow_chain=thread_local emit=obj,ir", SM_PART_IR,
        "@llvm_gc_root_chain = linkonce thread_local global ptr null", 1);
    has("@llvm_gc_root_chain = external global ptr\n" CHAINED, "shadow_chain=thread_local emit=obj,ir opt=0",
        SM_PART_IR, "@llvm_gc_root_chain = external thread_local global ptr", 1);
    has(CHAINED, "emit=obj,ir", SM_PART_IR, "thread_local", 0);
    refuses("@llvm_gc_root_chain = global i8 0\n" CHAINED, "shadow_chain=thread_local", SM_GC_MISMATCH,
            "llvm_gc_root_chain");
}

/* Words of arguments beyond the registers: six of x86-64, eight of AArch64. */
static void stack_arity(int arguments) {
    char ir[1024], said[64], params[256] = "i64 %a0";
    static const int registers[] = {6, 8};
    for (int i = 1; i < arguments; i++)
        snprintf(params + strlen(params), sizeof params - strlen(params), ", i64 %%a%d", i);
    snprintf(ir, sizeof ir,
             "declare void @llvm.gcroot(ptr, ptr)\ndeclare void @g()\ndefine void @f(%s) gc \"erlang\" {\n"
             "  %%a = alloca ptr\n  call void @llvm.gcroot(ptr %%a, ptr null)\n  store ptr null, ptr %%a\n"
             "  call void @g()\n  ret void\n}\n",
             params);
    for (int t = 0; t < 2; t++) {
        struct compiled c = compile(ir, "", targets[t]);
        snprintf(said, sizeof said, "\"stack_arity\":%d,", arguments > registers[t] ? arguments - registers[t] : 0);
        cr_assert_eq(c.artifact.status, SM_OK, "%s", c.text[SM_PART_DIAGNOSTICS]);
        cr_expect(strstr(c.text[SM_PART_STACKMAP], said), "%s, %d: %s", targets[t], arguments,
                  c.text[SM_PART_STACKMAP]);
        drop(&c);
    }
}

Test(strategies, erlang_says_its_arity) {
    has(ROOTS ROOTED("f", "erlang"), "", SM_PART_STACKMAP, "\"stack_arity\":0", 1);
    has(ROOTS ROOTED("f", "ocaml"), "", SM_PART_STACKMAP, "\"stack_arity\"", 0);
    for (int arguments = 6; arguments <= 11; arguments++)
        stack_arity(arguments);
}

#define ROOT_HEAD     "declare void @llvm.gcroot(ptr, ptr)\ndeclare ptr @alloc()\ndeclare void @use(ptr)\n"
#define ROOT_LOOP(gc) ROOT_LOOP_OF(gc, "")
#define ROOT_LOOP_OF(gc, attributes)                                                                                 \
    ROOT_HEAD "define ptr @f(ptr %arg, i32 %n) " attributes "gc \"" gc "\" {\nentry:\n  %root = alloca ptr\n"        \
              "  call void @llvm.gcroot(ptr %root, ptr null)\n  store ptr %arg, ptr %root\n"                         \
              "  %x = load ptr, ptr %root\n  %d = getelementptr i8, ptr %x, i64 8\n  br label %loop\nloop:\n"        \
              "  %i = phi i32 [ 0, %entry ], [ %j, %loop ]\n  store volatile i32 %i, ptr %d\n"                       \
              "  %j = add i32 %i, 1\n  %c = icmp slt i32 %j, %n\n  br i1 %c, label %loop, label %out\nout:\n"        \
              "  %o = call ptr @alloc()\n  store ptr %o, ptr %root\n  call void @use(ptr %o)\n"                      \
              "  %r = load ptr, ptr %root\n  ret ptr %r\n}\n"

/* ---- Polls in functions with llvm.gcroot ---- */

/* The object and a pointer into it are alive through the loop. */
Test(strategies, polls_where_roots_are) {
    static const char *const gcs[] = {ROOT_LOOP("erlang"), ROOT_LOOP("ocaml"), ROOT_LOOP("shadow-stack")};
    static const struct {
        const char *kinds;
        int polls;
    } rows[] = {{"none", 0},   {"entry", 1},   {"backedge", 1}, {"entry,backedge", 2},
                {"return", 1}, {"precall", 2}, {"postcall", 2}, {"entry,loop,return,precall,postcall", 6}};
    for (size_t g = 0; g < 3; g++)
        for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
            for (int opt = 0; opt <= 2; opt += 2) {
                char options[200];
                snprintf(options, sizeof options, "poll=call:stop opt=%d emit=obj,ir safepoints=%s", opt,
                         rows[i].kinds);
                has(gcs[g], options, SM_PART_IR, "call void @stop()", rows[i].polls);
                has(gcs[g], options, SM_PART_DIAGNOSTICS, "alive there", 0);
            }
    /* each is a record, with the root; and behind it the root is read again, the pointer derived again */
    has(ROOT_LOOP("erlang"), "poll=call:stop", SM_PART_STACKMAP, "\"kind\":\"gcroot\"", 4);
    has(ROOT_LOOP("erlang"), "poll=call:stop safepoints=none", SM_PART_STACKMAP, "\"kind\":\"gcroot\"", 2);
    has(ROOT_LOOP("erlang"), "poll=call:stop safepoints=backedge emit=ir opt=0", SM_PART_IR,
        "load ptr, ptr %root, align 8\n  store ptr", 2);
    has(ROOT_LOOP("erlang"), "poll=flag:wanted:stop emit=ir", SM_PART_IR, "load volatile i8, ptr @wanted", 2);
}

#define MANY_POLLS(gc)                                                                                               \
    "declare void @stop()\ndeclare void @llvm.gcroot(ptr, ptr)\ndeclare void @use(i64)\n@code = external global "    \
    "ptr\n"                                                                                                          \
    "define internal void @near(i64 %i) noinline {\n  call void @use(i64 %i)\n  ret void\n}\n"                       \
    "define void @f(ptr %a, i64 %n) gc \"" gc "\" {\nentry:\n  %root = alloca ptr\n"                                 \
    "  call void @llvm.gcroot(ptr %root, ptr null)\n  store ptr %a, ptr %root\n  br label %loop\nloop:\n"            \
    "  %i = phi i64 [ 0, %entry ], [ %j, %loop ]\n  call void @use(i64 %i)\n  call void @near(i64 %i)\n"             \
    "  %to = load ptr, ptr @code\n  call void %to(i64 %i)\n  %j = add i64 %i, 1\n"                                   \
    "  %c = icmp ult i64 %j, %n\n  br i1 %c, label %loop, label %out\nout:\n  ret void\n}\n"

/* Each record says why it is there and what is called, though one function polls for several reasons. */
Test(strategies, records_of_roots_have_reasons) {
    static const char *const modules[] = {MANY_POLLS("ocaml"), MANY_POLLS("erlang")};
    static const char *const records[] = {
        "\"reason\":\"entry-poll\",\"callee\":\"stop\"",  "\"reason\":\"backedge-poll\",\"callee\":\"stop\"",
        "\"reason\":\"return-poll\",\"callee\":\"stop\"", "\"reason\":\"call\",\"callee\":\"use\"",
        "\"reason\":\"call\",\"callee\":\"near\"",        "\"reason\":\"call\",\"callee\":\"indirect\""};
    for (size_t m = 0; m < sizeof modules / sizeof *modules; m++)
        for (int level = 0; level < 4; level++) {
            char options[200];
            snprintf(options, sizeof options, "opt=%d poll=call:stop safepoints=entry,backedge,return", level);
            for (size_t i = 0; i < sizeof records / sizeof *records; i++)
                has(modules[m], options, SM_PART_STACKMAP, records[i], 1);
            has(modules[m], options, SM_PART_STACKMAP, "\"kind\":\"gcroot\"", 6);
            snprintf(options, sizeof options, "opt=%d poll=flag:wanted:stop safepoints=precall", level);
            has(modules[m], options, SM_PART_STACKMAP, "\"reason\":\"precall-poll\",\"callee\":\"stop\"", 3);
            has(modules[m], options, SM_PART_STACKMAP, "\"reason\":\"call\"", 3);
            snprintf(options, sizeof options, "opt=%d poll=call:stop safepoints=postcall reloc=static", level);
            has(modules[m], options, SM_PART_STACKMAP, "\"reason\":\"postcall-poll\",\"callee\":\"stop\"", 3);
            snprintf(options, sizeof options, "opt=%d safepoints=none code_model=large", level);
            has(modules[m], options, SM_PART_STACKMAP, "\"reason\":\"call\"", 3);
        }
}

/* The module, the option and the attribute say what a poll is, and which there are; by default nobody has to. */
Test(strategies, who_asks_for_polls_where_roots_are) {
    static const char own[] = POLL ROOT_LOOP("ocaml");
    has(own, "", SM_PART_STACKMAP, "\"kind\":\"gcroot\"", 4);
    has(ROOT_LOOP("ocaml"), "", SM_PART_STACKMAP, "\"kind\":\"gcroot\"", 2);
    has(ROOT_LOOP("ocaml"), "safepoints=entry", SM_PART_STACKMAP, "\"kind\":\"gcroot\"", 2);
    has(ROOT_LOOP("ocaml"), "safepoints=entry", SM_PART_DIAGNOSTICS, "has to say what a poll is", 1);
    refuses(ROOT_LOOP_OF("ocaml", "\"smd-safepoints\"=\"entry\" "), "", SM_MISSING_POLL, "gc.safepoint_poll");
    has(ROOT_LOOP_OF("ocaml", "\"smd-safepoints\"=\"none\" "), "poll=call:stop", SM_PART_STACKMAP, "gcroot", 2);
    has(ROOT_LOOP("ocaml"), "poll=page:page safepoints=entry", SM_PART_DIAGNOSTICS, "No polls: page polls", 1);
    has(ROOT_LOOP("ocaml"), "poll=call:stop emit=obj,remarks", SM_PART_REMARKS, "1 backedge-poll(s) placed", 1);
}

/* What is alive and in no root would be lost: there is no poll, and a warning. */
Test(strategies, no_polls_where_objects_would_be_lost) {
    static const char
        argument[] = "define ptr @f(ptr %a) gc \"erlang\" {\n  ret ptr %a\n}\n",
        chased[] = ROOT_HEAD
        "define void @f(ptr %a) gc \"erlang\" {\nentry:\n  %root = alloca ptr\n"
        "  call void @llvm.gcroot(ptr %root, ptr null)\n  store ptr %a, ptr %root\n  br label %loop\nloop:\n"
        "  %p = phi ptr [ %a, %entry ], [ %next, %loop ]\n  %next = load ptr, ptr %p\n"
        "  %c = icmp eq ptr %next, null\n  br i1 %c, label %out, label %loop\nout:\n  ret void\n}\n",
        overwritten[] = ROOT_HEAD
        "define void @f(ptr %a) gc \"erlang\" {\n  %root = alloca ptr\n"
        "  call void @llvm.gcroot(ptr %root, ptr null)\n  store ptr %a, ptr %root\n  %o = call ptr @alloc()\n"
        "  store ptr %o, ptr %root\n  store i64 1, ptr %a\n  ret void\n}\n",
        result[] = ROOT_HEAD "define ptr @f() gc \"erlang\" {\n  %o = call ptr @alloc()\n  ret ptr %o\n}\n";
    /* in memory that is no root, or as a number */
#define HIDDEN(BODY)                                                                                                 \
    ROOT_HEAD "declare void @out(ptr)\ndefine i64 @f(ptr %a) gc \"erlang\" {\n  %root = alloca ptr\n  %slot = "      \
              "alloca ptr\n"                                                                                         \
              "  call void @llvm.gcroot(ptr %root, ptr null)\n  store ptr %a, ptr %root\n" BODY "}\n"
    static const char *const hidden[] = {
        HIDDEN("  store ptr %a, ptr %slot\n  %b = load ptr, ptr %slot\n  %v = load i64, ptr %b\n  ret i64 %v\n"),
        HIDDEN("  store volatile ptr %a, ptr %slot\n  ret i64 0\n"),
        HIDDEN("  call void @out(ptr %slot)\n  ret i64 0\n"),
        HIDDEN("  call void @llvm.memcpy.p0.p0.i64(ptr %slot, ptr %root, i64 8, i1 false)\n  ret i64 0\n"),
        HIDDEN("  %n = ptrtoint ptr %a to i64\n  %m = add i64 %n, 8\n  ret i64 %m\n"),
        HIDDEN("  %n = load i64, ptr %root\n  ret i64 %n\n"),
    };
    static const char open_to_all[] = HIDDEN("  store ptr null, ptr %slot\n  %b = load ptr, ptr %slot\n"
                                             "  %v = ptrtoint ptr %b to i64\n  ret i64 0\n");
    for (size_t i = 0; i < sizeof hidden / sizeof *hidden; i++)
        for (int opt = 0; opt <= 2; opt += 2) {
            char options[80];
            snprintf(options, sizeof options, "poll=call:stop emit=obj,ir opt=%d", opt);
            has(hidden[i], options, SM_PART_DIAGNOSTICS, "may keep an object's address, and is no root", 1);
            has(hidden[i], options, SM_PART_IR, "call void @stop()", 0);
        }
    has(open_to_all, "poll=call:stop emit=obj,ir opt=0", SM_PART_IR, "call void @stop()", 1);
    has(argument, "poll=call:stop", SM_PART_DIAGNOSTICS, "No entry poll at the function's begin: %a is alive", 1);
    has(argument, "poll=call:stop emit=ir", SM_PART_IR, "@stop", 0);
    has(chased, "poll=call:stop emit=obj,ir opt=0", SM_PART_IR, "call void @stop()", 1);
    has(chased, "poll=call:stop", SM_PART_DIAGNOSTICS, "No backedge poll at the end of a loop's turn: %next", 1);
    has(overwritten, "poll=call:stop safepoints=postcall", SM_PART_DIAGNOSTICS,
        "No postcall poll at the call of alloc: %o", 0);
    has(overwritten, "poll=call:stop safepoints=postcall emit=ir opt=0", SM_PART_IR,
        "store i64 1, ptr %a, align 8\n  call void @stop()", 1); /* as %a was in the root no more */
    has(result, "poll=call:stop safepoints=return", SM_PART_DIAGNOSTICS, "No return poll before a return: %o", 1);
}

/* In a block that is never reached a value may be made of itself. */
Test(strategies, values_that_are_made_of_themselves) {
    for (int opt = 0; opt <= 2; opt += 2) {
        char options[80];
        snprintf(options, sizeof options, "poll=call:stop opt=%d", opt);
        has(ROOT_HEAD "define void @f(ptr %a) gc \"erlang\" {\n  %root = alloca ptr\n"
                      "  call void @llvm.gcroot(ptr %root, ptr null)\n  store ptr %a, ptr %root\n  ret void\nnever:\n"
                      "  %q = getelementptr i8, ptr %q, i64 8\n  %b = bitcast ptr %b to ptr\n  store ptr %a, ptr %q\n"
                      "  store ptr %b, ptr %q\n  br label %never\n}\n",
            options, SM_PART_STACKMAP, "\"kind\":\"gcroot\"", 1);
        snprintf(options, sizeof options, "safepoints=none opt=%d", opt);
        has("declare void @g()\ndefine void @f(ptr addrspace(1) %a)" GC "{\n  call void @g()\n  ret void\nnever:\n"
            "  %q = getelementptr i8, ptr addrspace(1) %q, i64 8\n  call void @g()\n  store i8 1, ptr addrspace(1) "
            "%q\n"
            "  br label %never\n}\n",
            options, SM_PART_STACKMAP, "\"name\":\"f\"", 1);
    }
}

/* The module of two functions with COUNT calls, each of another function; processor time in seconds that it takes to
 * compile with this STRATEGY and mark of a root. */
static double seconds_for(size_t count, const char *strategy, const char *mark) {
    char *ir = NULL;
    size_t size;
    FILE *text = open_memstream(&ir, &size);
    cr_assert(text);
    fputs("declare void @llvm.gcroot(ptr, ptr)\n", text);
    for (size_t i = 0; i < count; i++)
        fprintf(text, "declare void @one_of_many_%zu(ptr)\n", i);
    for (int f = 0; f < 2; f++) {
        fprintf(text, "define void @f%d(ptr %%p) %s {\n  %%s = alloca ptr\n%s  store ptr %%p, ptr %%s\n", f, strategy,
                mark);
        for (size_t i = 0; i < count; i++)
            fprintf(text, "  call void @one_of_many_%zu(ptr %%p)\n", i);
        fputs("  ret void\n}\n", text);
    }
    fclose(text);
    double before = compiler_seconds();
    has(ir, NONE "opt=0", SM_PART_STACKMAP, "\"reason\":\"call\",\"callee\":\"one_of_many_7\"", *mark ? 2 : 0);
    free(ir);
    return compiler_seconds() - before;
}

/* What records are there for is looked up, not searched for: twenty thousand calls cost their functions a few times
 * what they cost without records (with linear searches, fifteen times). */
Test(strategies, reasons_of_many_calls_are_found_fast) {
    double plain = seconds_for(10000, "", ""),
           rooted = seconds_for(10000, "gc \"ocaml\"", "  call void @llvm.gcroot(ptr %s, ptr null)\n");
    cr_assert_lt(rooted, 6 * plain, "%f s with records, %f s without", rooted, plain);
}
