/* Deoptimisation values that are references: each is at a place that the collector updates. */
#include "gc_inputs.h"
#include "worker.h"

#include "status.h"

#include <criterion/criterion.h>
#include <jansson.h>
#include <string.h>

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
