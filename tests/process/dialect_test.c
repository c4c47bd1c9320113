/* IR of LLVM 3.7 to 14: typed pointers and the statepoints of 2015 and 2017. What it gives is compared with what its
 * modern form gives, byte for byte, for both targets. */
#include "files.h"

#include "artifact.h"
#include "status.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct compiled {
    struct bytes bytes;
    sm_artifact artifact;
    char *diagnostics; /* owned */
};

static struct compiled compile_by(const char *worker, const void *ir, size_t len, const char *options) {
    char command[1024];
    int status;
    struct compiled c;
    snprintf(command, sizeof command, "%s --compile - --cold %s", worker, options);
    c.bytes = run_command(command, ir, len, &status);
    cr_assert_leq(status, 1, "the compiler died (%d) of: %s", status, options);
    cr_assert_eq(sm_artifact_read(c.bytes.data, c.bytes.len, &c.artifact), SM_OK);
    sm_slice text = c.artifact.part[SM_PART_DIAGNOSTICS];
    c.diagnostics = strndup(text.data ? (const char *)text.data : "", text.len);
    return c;
}

static struct compiled compile(const char *ir, const char *options) {
    return compile_by(BIN_DIR "/smd-worker", ir, strlen(ir), options);
}

static void drop(struct compiled *c) {
    free(c->diagnostics);
    bytes_free(c->bytes);
}

/* The old text and the modern one give the same object and the same map. */
static void same(const char *old, const char *modern) {
    static const char *const options[] = {"target=x86_64-linux-gnu opt=0", "target=x86_64-linux-gnu opt=2",
                                          "target=aarch64-linux-gnu opt=0", "target=aarch64-linux-gnu opt=2"};
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        char all[256];
        snprintf(all, sizeof all, "safepoints=none %s", options[i]);
        struct compiled a = compile(old, all), b = compile(modern, all);
        cr_assert_eq(a.artifact.status, SM_OK, "%s: %s\n%s", all, a.diagnostics, old);
        cr_assert_eq(b.artifact.status, SM_OK, "%s: %s\n%s", all, b.diagnostics, modern);
        const enum sm_part parts[] = {SM_PART_OBJECT, SM_PART_STACKMAP};
        for (int p = 0; p < 2; p++) {
            sm_slice x = a.artifact.part[parts[p]], y = b.artifact.part[parts[p]];
            cr_assert(x.len == y.len && memcmp(x.data, y.data, x.len) == 0, "%s: %s differs for\n%s", all,
                      sm_part_name(parts[p]), old);
        }
        drop(&a);
        drop(&b);
    }
}

static void refused(const char *ir, sm_status status, const char *hint) {
    struct compiled c = compile(ir, "safepoints=none");
    cr_assert_eq(c.artifact.status, status, "%s: %s\n%s", sm_status_name(c.artifact.status), c.diagnostics, ir);
    cr_assert(strstr(c.diagnostics, hint), "'%s' is not in %s", hint, c.diagnostics);
    drop(&c);
}

#define GC      " gc \"statepoint-example\" "
#define PERSONA "declare i32 @persona(...)\n"

/* What the modern forms need. */
#define TODAY                                                                                                        \
    "declare token @llvm.experimental.gc.statepoint.p0(i64, i32, ptr, i32, i32, ...)\n"                              \
    "declare ptr addrspace(1) @llvm.experimental.gc.relocate.p1(token, i32, i32)\n"                                  \
    "declare i64 @llvm.experimental.gc.result.i64(token)\n"

#define OF_2017                                                                                                      \
    "declare token @llvm.experimental.gc.statepoint.p0f_isVoidf(i64, i32, void ()*, i32, i32, ...)\n"                \
    "declare token @llvm.experimental.gc.statepoint.p0f_i64i64f(i64, i32, i64 (i64)*, i32, i32, ...)\n"              \
    "declare i8 addrspace(1)* @llvm.experimental.gc.relocate.p1i8(token, i32, i32)\n"                                \
    "declare i64 @llvm.experimental.gc.result.i64(token)\n"
#define CALL_2017      "call token (i64, i32, void ()*, i32, i32, ...) @llvm.experimental.gc.statepoint.p0f_isVoidf("
#define RELOCATED_2017 "call i8 addrspace(1)* @llvm.experimental.gc.relocate.p1i8(token "

#define OF_2015                                                                                                      \
    "declare i32 @llvm.experimental.gc.statepoint.p0f_isVoidf(void ()*, i32, i32, ...)\n"                            \
    "declare i8 addrspace(1)* @llvm.experimental.gc.relocate.p1i8(i32, i32, i32)\n"                                  \
    "declare i64 @llvm.experimental.gc.result.int.i64(i32)\n"                                                        \
    "declare i32 @llvm.experimental.gc.statepoint.p0f_i64i64f(i64 (i64)*, i32, i32, ...)\n"

#define TYPED_F          "define i8 addrspace(1)* @f(i8 addrspace(1)* %p)" GC "{\n"
#define MODERN_F         "define ptr addrspace(1) @f(ptr addrspace(1) %p)" GC "{\n"
#define MODERN_RELOCATED "call ptr addrspace(1) @llvm.experimental.gc.relocate.p1(token "

static const char modern_plain[] =
    TODAY "declare void @g()\n" MODERN_F
          "  %t = call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 %s, i32 0, "
          "ptr elementtype(void ()) @g, i32 0, i32 0, i32 0, i32 0) [ %s\"gc-live\"(ptr addrspace(1) %%p) ]\n"
          "  %%q = " MODERN_RELOCATED "%%t, i32 0, i32 0)\n  ret ptr addrspace(1) %%q\n}\n";

/* The plain module with an id, and bundles before "gc-live". */
static char *modern(const char *id, const char *bundles) {
    char *text = NULL;
    const char *format = modern_plain;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    for (const char *c = format; *c; c++) {
        if (strncmp(c, "i64 %s", 6) == 0) {
            fprintf(f, "i64 %s", id);
            c += 5;
        } else if (strncmp(c, "%s\"", 3) == 0) {
            fputs(bundles, f);
            c += 1;
        } else if (strncmp(c, "%%", 2) == 0) {
            fputc('%', f);
            c += 1;
        } else {
            fputc(*c, f);
        }
    }
    fclose(f);
    return text;
}

static void same_as_plain(const char *old, const char *id, const char *bundles) {
    char *today = modern(id, bundles);
    same(old, today);
    free(today);
}

Test(dialect, statepoints_of_2017, .timeout = 600) {
    same_as_plain(OF_2017 "declare void @g()\n" TYPED_F "  %t = " CALL_2017
                          "i64 7, i32 0, void ()* @g, i32 0, i32 0, i32 0, i32 0, i8 addrspace(1)* %p)\n"
                          "  %q = " RELOCATED_2017 "%t, i32 7, i32 7)\n  ret i8 addrspace(1)* %q\n}\n",
                  "7", "");
    same_as_plain(OF_2017 "declare void @g()\n" TYPED_F "  %t = " CALL_2017
                          "i64 7, i32 0, void ()* @g, i32 0, i32 0, i32 0, i32 3, i32 1, i64 -2, i8* null, "
                          "i8 addrspace(1)* %p)\n  %q = " RELOCATED_2017
                          "%t, i32 10, i32 10)\n  ret i8 addrspace(1)* %q\n}\n",
                  "7", "\"deopt\"(i32 1, i64 -2, ptr null), ");
}

Test(dialect, the_callee_may_be_written_as_a_pointer, .timeout = 600) {
    same_as_plain(OF_2017 "declare void @g()\n" TYPED_F "  %t = call token (i64, i32, void ()*, i32, i32, ...)* "
                          "@llvm.experimental.gc.statepoint.p0f_isVoidf("
                          "i64 7, i32 0, void ()* @g, i32 0, i32 0, i32 0, i32 0, i8 addrspace(1)* %p)\n"
                          "  %q = " RELOCATED_2017 "%t, i32 7, i32 7)\n  ret i8 addrspace(1)* %q\n}\n",
                  "7", "");
    same("declare void ()* @pick()\ndeclare i32 @printf(i8*, ...)\ndefine void ()* @f(i8* %p) {\n"
         "  %x = call i32 (i8*, ...)* @printf(i8* %p, i32 1)\n  ret void ()* null\n}\n",
         "declare ptr @pick()\ndeclare i32 @printf(ptr, ...)\ndefine ptr @f(ptr %p) {\n"
         "  %x = call i32 (ptr, ...) @printf(ptr %p, i32 1)\n  ret ptr null\n}\n");
    same("declare void ()* @pick()\ndefine void ()* @f(i8* %p) {\n  %x = call void ()* @pick()\n  ret void ()* "
         "%x\n}\n",
         "declare ptr @pick()\ndefine ptr @f(ptr %p) {\n  %x = call ptr @pick()\n  ret ptr %x\n}\n");
}

Test(dialect, statepoints_of_2015, .timeout = 600) {
    static const char *const tails[] = {"i32 0, i32 0, i32 0, i8 addrspace(1)* %p)\n", /* no transition count */
                                        "i32 0, i32 0, i32 0, i32 0, i8 addrspace(1)* %p)\n"};
    for (int i = 0; i < 2; i++) {
        char old[4096];
        snprintf(old, sizeof old,
                 OF_2015
                 "declare void @g()\n%s  %%t = call i32 (void ()*, i32, i32, ...) "
                 "@llvm.experimental.gc.statepoint.p0f_isVoidf(void ()* @g, %s"
                 "  %%q = call i8 addrspace(1)* @llvm.experimental.gc.relocate.p1i8(i32 %%t, i32 %d, i32 %d)\n"
                 "  ret i8 addrspace(1)* %%q\n}\n",
                 TYPED_F, tails[i], 4 + i, 4 + i);
        same_as_plain(old, "2882400000", "");
    }
}

Test(dialect, results_and_indirect_callees, .timeout = 600) {
    static const char today[] = TODAY
        "define i64 @f(ptr %g, ptr addrspace(1) %p)" GC "{\n"
        "  %t = call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 2882400000, "
        "i32 0, ptr elementtype(i64 (i64)) %g, i32 1, i32 0, i64 5, i32 0, i32 0) [ \"gc-live\"(ptr addrspace(1) "
        "%p) ]\n  %r = call i64 @llvm.experimental.gc.result.i64(token %t)\n"
        "  %q = " MODERN_RELOCATED "%t, i32 0, i32 0)\n  %v = load i64, ptr addrspace(1) %q\n"
        "  %s = add i64 %r, %v\n  ret i64 %s\n}\n";
    same(OF_2017 "define i64 @f(i64 (i64)* %g, i64 addrspace(1)* %p)" GC "{\n"
                 "  %c = bitcast i64 addrspace(1)* %p to i8 addrspace(1)*\n"
                 "  %t = call token (i64, i32, i64 (i64)*, i32, i32, ...) "
                 "@llvm.experimental.gc.statepoint.p0f_i64i64f(i64 2882400000, i32 0, i64 (i64)* %g, i32 1, i32 0, "
                 "i64 5, i32 0, i32 0, i8 addrspace(1)* %c)\n"
                 "  %r = call i64 @llvm.experimental.gc.result.i64(token %t)\n"
                 "  %q = " RELOCATED_2017 "%t, i32 8, i32 8)\n"
                 "  %b = bitcast i8 addrspace(1)* %q to i64 addrspace(1)*\n"
                 "  %v = load i64, i64 addrspace(1)* %b\n  %s = add i64 %r, %v\n  ret i64 %s\n}\n",
         today);
    same(OF_2015 "define i64 @f(i64 (i64)* %g, i64 addrspace(1)* %p)" GC "{\n"
                 "  %c = bitcast i64 addrspace(1)* %p to i8 addrspace(1)*\n"
                 "  %t = call i32 (i64 (i64)*, i32, i32, ...) "
                 "@llvm.experimental.gc.statepoint.p0f_i64i64f(i64 (i64)* %g, i32 1, i32 0, i64 5, i32 0, i32 0, "
                 "i8 addrspace(1)* %c)\n"
                 "  %r = call i64 @llvm.experimental.gc.result.int.i64(i32 %t)\n"
                 "  %q = call i8 addrspace(1)* @llvm.experimental.gc.relocate.p1i8(i32 %t, i32 6, i32 6)\n"
                 "  %b = bitcast i8 addrspace(1)* %q to i64 addrspace(1)*\n"
                 "  %v = load i64, i64 addrspace(1)* %b\n  %s = add i64 %r, %v\n  ret i64 %s\n}\n",
         today);
}

/* LLVM 3.8: all operands of 2017, and a number for a token; without lists it looks like today's. What is said of a
 * result (zeroext) stays. */
Test(dialect, numbers_for_tokens_with_an_id_and_attributes_of_results, .timeout = 600) {
    static const char today[] =
        "declare token @llvm.experimental.gc.statepoint.p0(i64, i32, ptr, i32, i32, ...)\n"
        "declare i1 @llvm.experimental.gc.result.i1(token)\ndeclare zeroext i1 @g()\n"
        "define zeroext i1 @f()" GC "{\n  %t = call token (i64, i32, ptr, i32, i32, ...) "
        "@llvm.experimental.gc.statepoint.p0(i64 7, i32 0, ptr elementtype(i1 ()) @g, i32 0, i32 0, i32 0, i32 0)\n"
        "  %r = call zeroext i1 @llvm.experimental.gc.result.i1(token %t)\n  ret i1 %r\n}\n";
    same("declare i32 @llvm.experimental.gc.statepoint.p0f_i1f(i64, i32, i1 ()*, i32, i32, ...)\n"
         "declare i1 @llvm.experimental.gc.result.i1(i32)\ndeclare zeroext i1 @g()\n"
         "define zeroext i1 @f()" GC "{\n  %t = call i32 (i64, i32, i1 ()*, i32, i32, ...) "
         "@llvm.experimental.gc.statepoint.p0f_i1f(i64 7, i32 0, i1 ()* @g, i32 0, i32 0, i32 0, i32 0)\n"
         "  %r = call zeroext i1 @llvm.experimental.gc.result.i1(i32 %t)\n  ret i1 %r\n}\n",
         today);
}

/* Until LLVM 3.9 frontends left the live pointers to the rewrite: what comes out is what calls give. */
Test(dialect, statepoints_without_lists_are_completed, .timeout = 600) {
    same(OF_2017 "define i64 @f(i64 (i64)* %g, i64 addrspace(1)* %p)" GC "{\n"
                 "  %t = call token (i64, i32, i64 (i64)*, i32, i32, ...) "
                 "@llvm.experimental.gc.statepoint.p0f_i64i64f(i64 7, i32 4, i64 (i64)* %g, i32 1, i32 0, "
                 "i64 5, i32 0, i32 2, i64 -1, i64 addrspace(1)* %p)\n"
                 "  %r = call i64 @llvm.experimental.gc.result.i64(token %t)\n"
                 "  %v = load i64, i64 addrspace(1)* %p\n  %s = add i64 %r, %v\n  ret i64 %s\n}\n",
         "define i64 @f(ptr %g, ptr addrspace(1) %p)" GC "{\n"
         "  %r = call i64 %g(i64 5) \"statepoint-id\"=\"7\" \"statepoint-num-patch-bytes\"=\"4\" "
         "\"smd-reason\"=\"explicit\" [ \"deopt\"(i64 -1, ptr addrspace(1) %p) ]\n"
         "  %v = load i64, ptr addrspace(1) %p\n  %s = add i64 %r, %v\n  ret i64 %s\n}\n");
    /* Nothing is alive across it, or it has a list, which is the frontend's to get right. */
    refused(OF_2017 "declare void @g()\ndefine i64 @f(i64 addrspace(1)* %p, i8 addrspace(1)* %q)" GC
                    "{\n  %t = " CALL_2017 "i64 7, i32 0, void ()* @g, i32 0, i32 0, i32 0, i32 0, "
                    "i8 addrspace(1)* %q)\n  %v = load i64, i64 addrspace(1)* %p\n  ret i64 %v\n}\n",
            SM_SAFEPOINT_VIOLATION, "does not list it");
}

#define OLD_INVOKE(call, pad, relocate)                                                                              \
    PERSONA "declare void @g()\ndefine i8 addrspace(1)* @f(i8 addrspace(1)* %p)" GC                                  \
            "personality i32 (...)* @persona {\nentry:\n  %t = " call                                                \
            "\n          to label %ok unwind label %bad\nok:\n  %a = " relocate(                                     \
                "%t") "\n  ret i8 addrspace(1)* %a\nbad:\n" pad                                                      \
                      "  %b = " relocate("%u") "\n  ret i8 addrspace(1)* %b\n}\n"
#define RELOCATE_TOKEN(t)  RELOCATED_2017 t ", i32 7, i32 7)"
#define RELOCATE_NUMBER(t) "call i8 addrspace(1)* @llvm.experimental.gc.relocate.p1i8(i32 " t ", i32 5, i32 5)"

Test(dialect, landing_pads_of_both_ages, .timeout = 600) {
    static const char today[] = TODAY PERSONA
        "declare void @g()\ndefine ptr addrspace(1) @f(ptr addrspace(1) %p)" GC
        "personality ptr @persona {\nentry:\n  %t = invoke token (i64, i32, ptr, i32, i32, ...) "
        "@llvm.experimental.gc.statepoint.p0(i64 2882400000, i32 0, ptr elementtype(void ()) @g, i32 0, "
        "i32 0, i32 0, i32 0) [ \"gc-live\"(ptr addrspace(1) %p) ]\n"
        "          to label %ok unwind label %bad\nok:\n  %a = " MODERN_RELOCATED
        "%t, i32 0, i32 0)\n  ret ptr addrspace(1) %a\nbad:\n  %u = landingpad token\n          cleanup\n"
        "  %b = " MODERN_RELOCATED "%u, i32 0, i32 0)\n  ret ptr addrspace(1) %b\n}\n";
    same(OF_2017 OLD_INVOKE("invoke token (i64, i32, void ()*, i32, i32, ...) "
                            "@llvm.experimental.gc.statepoint.p0f_isVoidf(i64 2882400000, i32 0, void ()* @g, i32 0, "
                            "i32 0, i32 0, i32 0, i8 addrspace(1)* %p)",
                            "  %u = landingpad token\n          cleanup\n", RELOCATE_TOKEN),
         today);
    same(OF_2015 OLD_INVOKE("invoke i32 (void ()*, i32, i32, ...) "
                            "@llvm.experimental.gc.statepoint.p0f_isVoidf(void ()* @g, i32 0, i32 0, i32 0, i32 0, "
                            "i8 addrspace(1)* %p)",
                            "  %pad = landingpad { i8*, i32 }\n          cleanup\n"
                            "  %u = extractvalue { i8*, i32 } %pad, 1\n",
                            RELOCATE_NUMBER),
         today);
}

/* What a handler of today cannot have both of. */
Test(dialect, a_pads_token_beside_its_exception, .timeout = 600) {
    refused(
        OF_2015 "declare void @out(i8*)\n" OLD_INVOKE(
            "invoke i32 (void ()*, i32, i32, ...) @llvm.experimental.gc.statepoint.p0f_isVoidf(void ()* @g, i32 0, "
            "i32 0, i32 0, i32 0, i8 addrspace(1)* %p)",
            "  %pad = landingpad { i8*, i32 }\n          cleanup\n  %e = extractvalue { i8*, i32 } %pad, 0\n"
            "  call void @out(i8* %e)\n  %u = extractvalue { i8*, i32 } %pad, 1\n",
            RELOCATE_NUMBER),
        SM_INVALID_MODULE, "whose exception is used as well");
    refused(OF_2015 "define i8 addrspace(1)* @f(i32 %t)" GC
                    "{\n  %q = call i8 addrspace(1)* @llvm.experimental.gc.relocate.p1i8(i32 %t, i32 5, i32 5)\n"
                    "  ret i8 addrspace(1)* %q\n}\n",
            SM_INVALID_MODULE, "not what a gc.statepoint gives");
}

#define VECTORS_OLD(token)                                                                                           \
    "declare <2 x i8 addrspace(1)*> @g()\ndeclare " token                                                            \
    " @llvm.experimental.gc.statepoint.p0f_v2p1i8f(i64, i32, <2 x i8 addrspace(1)*> ()*, i32, i32, ...)\n"           \
    "declare <2 x i8 addrspace(1)*> @llvm.experimental.gc.result.v2p1i8(" token ")\n"                                \
    "declare <2 x i8 addrspace(1)*> @llvm.experimental.gc.relocate.v2p1i8(" token ", i32, i32)\n"                    \
    "define <2 x i8 addrspace(1)*> @f(<2 x i8 addrspace(1)*> %p, i1 %c)" GC "{\n  %t = call " token                  \
    " (i64, i32, <2 x i8 addrspace(1)*> ()*, i32, i32, ...) @llvm.experimental.gc.statepoint.p0f_v2p1i8f(i64 7, "    \
    "i32 0, <2 x i8 addrspace(1)*> ()* @g, i32 0, i32 0, i32 0, i32 0, <2 x i8 addrspace(1)*> %p)\n"                 \
    "  %r = call <2 x i8 addrspace(1)*> @llvm.experimental.gc.result.v2p1i8(" token " %t)\n"                         \
    "  %q = call <2 x i8 addrspace(1)*> @llvm.experimental.gc.relocate.v2p1i8(" token " %t, i32 7, i32 7)\n"         \
    "  %s = select i1 %c, <2 x i8 addrspace(1)*> %r, <2 x i8 addrspace(1)*> %q\n"                                    \
    "  ret <2 x i8 addrspace(1)*> %s\n}\n"

Test(dialect, vectors_are_results_and_relocated, .timeout = 600) {
    static const char today[] =
        "declare <2 x ptr addrspace(1)> @g()\n"
        "declare token @llvm.experimental.gc.statepoint.p0(i64, i32, ptr, i32, i32, ...)\n"
        "declare <2 x ptr addrspace(1)> @llvm.experimental.gc.result.v2p1(token)\n"
        "declare <2 x ptr addrspace(1)> @llvm.experimental.gc.relocate.v2p1(token, i32, i32)\n"
        "define <2 x ptr addrspace(1)> @f(<2 x ptr addrspace(1)> %p, i1 %c)" GC
        "{\n  %t = call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 7, i32 0, ptr "
        "elementtype(<2 x ptr addrspace(1)> ()) @g, i32 0, i32 0, i32 0, i32 0) "
        "[ \"gc-live\"(<2 x ptr addrspace(1)> %p) ]\n"
        "  %r = call <2 x ptr addrspace(1)> @llvm.experimental.gc.result.v2p1(token %t)\n"
        "  %q = call <2 x ptr addrspace(1)> @llvm.experimental.gc.relocate.v2p1(token %t, i32 0, i32 0)\n"
        "  %s = select i1 %c, <2 x ptr addrspace(1)> %r, <2 x ptr addrspace(1)> %q\n"
        "  ret <2 x ptr addrspace(1)> %s\n}\n";
    same(VECTORS_OLD("token"), today);
    same(VECTORS_OLD("i32"), today);
}

/* The text of before LLVM 3.7, and attributes without their types. */
Test(dialect, text_that_llvm_14_no_longer_takes, .timeout = 600) {
    same("%pair = type { i64, [4 x i32]* }\n@table = global [2 x i64] zeroinitializer\n"
         "define i32 @f(%pair* byval %p, i64* %q, <2 x i32*> %v) {\n"
         "  %a = getelementptr inbounds %pair* %p, i32 0, i32 1 ; load i32* %comment\n"
         "  %b = load [4 x i32]** %a\n  %c = getelementptr [4 x i32]* %b, i64 0, i64 2\n"
         "  %d = load volatile i32* %c, align 4\n"
         "  %e = load i64* getelementptr inbounds ([2 x i64]* @table, i64 0, i64 1)\n"
         "  %g = getelementptr <2 x i32*> %v, <2 x i64> <i64 1, i64 1>\n"
         "  %h = extractelement <2 x i32*> %g, i32 0\n  %i = load i32* %h\n"
         "  store i64 %e, i64* %q\n  %r = add i32 %d, %i\n  ret i32 %r\n}\n",
         "%pair = type { i64, ptr }\n@table = global [2 x i64] zeroinitializer\n"
         "define i32 @f(ptr byval(%pair) %p, ptr %q, <2 x ptr> %v) {\n"
         "  %a = getelementptr inbounds %pair, ptr %p, i32 0, i32 1\n"
         "  %b = load ptr, ptr %a\n  %c = getelementptr [4 x i32], ptr %b, i64 0, i64 2\n"
         "  %d = load volatile i32, ptr %c, align 4\n"
         "  %e = load i64, ptr getelementptr inbounds ([2 x i64], ptr @table, i64 0, i64 1)\n"
         "  %g = getelementptr i32, <2 x ptr> %v, <2 x i64> <i64 1, i64 1>\n"
         "  %h = extractelement <2 x ptr> %g, i32 0\n  %i = load i32, ptr %h\n"
         "  store i64 %e, ptr %q\n  %r = add i32 %d, %i\n  ret i32 %r\n}\n");
}

/* LLVM 14 ends its process over this one. */
Test(dialect, a_data_layout_that_is_none, .timeout = 600) {
    refused("target datalayout = \"e-p:1x\"\ndefine i8* @f(i8* %p) {\n  ret i8* %p\n}\n", SM_PARSE_ERROR, "number");
}

/* Lines and columns are those of the text as it was posted, whatever was put in before them. */
Test(dialect, errors_have_their_place, .timeout = 600) {
    refused("define i32 @f(i32* %p) {\n  %a = load i32* %p, align oops\n  ret i32 %a\n}\n", SM_PARSE_ERROR,
            "\"line\":2,\"column\":28");
    refused("define i32 @f(i32* %p) { oops }", SM_PARSE_ERROR, "\"line\":1,\"column\":26");
    refused("define i32 @f(i32* %p) {\n  %a = load i32* %p, align oops\n  ret i32 %a\n}\n", SM_PARSE_ERROR,
            "\"source\":\"  %a = load i32* %p, align oops\"");
}

#define WRONG(count, index)                                                                                          \
    OF_2017 "declare void @g()\n" TYPED_F "  %t = " CALL_2017                                                        \
            "i64 7, i32 0, void ()* @g, i32 0, i32 0, i32 0, " count                                                 \
            ", i8 addrspace(1)* %p)\n  %q = " RELOCATED_2017 "%t, " index ")\n  ret i8 addrspace(1)* %q\n}\n"

Test(dialect, malformed_statepoints_are_diagnostics, .timeout = 600) {
    refused(WRONG("i32 0", "i32 6, i32 7"), SM_INVALID_MODULE, "indexes are not those of gc arguments");
    refused(WRONG("i32 0", "i32 8, i32 8"), SM_INVALID_MODULE, "indexes are not those of gc arguments");
    refused(WRONG("i32 9", "i32 7, i32 7"), SM_INVALID_MODULE, "counts of transition and deopt arguments");
    refused(WRONG("i32 -1", "i32 7, i32 7"), SM_INVALID_MODULE, "counts of transition and deopt arguments");
    refused(OF_2017 "declare void @g()\ndefine void @f()" GC "{\n  %t = " CALL_2017
                    "i64 7, i32 0, void ()* @g, i32 4, i32 0, i32 0, i32 0)\n  ret void\n}\n",
            SM_INVALID_MODULE, "fewer arguments than its count");
    refused(OF_2015 "declare void @g()\ndefine i32 @f(i1 %c)" GC
                    "{\nentry:\n  %t = call i32 (void ()*, i32, i32, ...) "
                    "@llvm.experimental.gc.statepoint.p0f_isVoidf(void ()* @g, i32 0, i32 0, i32 0, i32 0)\n"
                    "  br i1 %c, label %a, label %b\na:\n  br label %b\nb:\n"
                    "  %x = phi i32 [ %t, %entry ], [ %t, %a ]\n  ret i32 %x\n}\n",
            SM_INVALID_MODULE, "token is used by something else");
}

Test(dialect, which_dialect_can_be_said, .timeout = 600) {
    struct compiled c = compile("define void @f(i8* %p) {\n  ret void\n}\n", "dialect=modern");
    cr_assert_eq(c.artifact.status, SM_OK, "%s", c.diagnostics); /* LLVM 19 reads stars, too */
    drop(&c);
    c = compile("define void @f(ptr %p) {\n  ret void\n}\n", "dialect=typed");
    cr_assert_eq(c.artifact.status, SM_PARSE_ERROR, "%s", c.diagnostics);
    drop(&c);
}

Test(dialect, the_module_as_it_was_read_can_be_had, .timeout = 600) {
    struct compiled c = compile(
        "define i8* @f(i8** %p) gc \"none such\" {\n  %v = load i8*, i8** %p\n  ret i8* %v\n}\n", "emit=modern");
    cr_assert_eq(c.artifact.status, SM_OK, "%s", c.diagnostics);
    sm_slice text = c.artifact.part[SM_PART_MODERN];
    cr_assert(text.data && memmem(text.data, text.len, "load ptr, ptr %p", 16));
    cr_assert_null(c.artifact.part[SM_PART_OBJECT].data);
    drop(&c);
}

/* A worker without smd-upgrade beside it says what is missing; modern input it compiles. */
Test(dialect, without_smd_upgrade_typed_input_is_refused, .timeout = 600) {
    char folder[] = "/tmp/smd-test-XXXXXX", worker[64], command[256];
    int status;
    cr_assert(mkdtemp(folder));
    snprintf(worker, sizeof worker, "%s/smd-worker", folder);
    snprintf(command, sizeof command, "cp " BIN_DIR "/smd-worker %s", worker);
    bytes_free(run_command(command, "", 0, &status));
    const char typed[] = "define void @f(i8* %p) {\n  ret void\n}\n", plain[] = "define void @f() {\n  ret void\n}\n";
    struct compiled c = compile_by(worker, typed, sizeof typed - 1, ""),
                    d = compile_by(worker, plain, sizeof plain - 1, "");
    snprintf(command, sizeof command, "rm -r %s", folder);
    bytes_free(run_command(command, "", 0, &status));
    cr_expect_eq(c.artifact.status, SM_NO_UPGRADE);
    cr_expect(strstr(c.diagnostics, "smd-upgrade"), "%s", c.diagnostics);
    cr_expect_eq(d.artifact.status, SM_OK);
    drop(&c);
    drop(&d);
}
