/* kinds.c - what is of another kind than the program's functions: barriers, functions of the shadow stack among the
 * others, native code, and a slot that is declared late. See gen.h.
 *
 * The runtime checks that each reference that is overwritten in an object was reported, if the program has the variable
 * @has_barriers, and that a thread says that it is native (@thread_state) where it is. */
#include "gen.h"

#include <stdio.h>

#define POINTER "ptr addrspace(1)"

void kinds_declare(struct gen *g) {
    if (has(g, FEATURE(BARRIERS)))
        sm_buf_puts(g->out, "@has_barriers = constant i8 1\n");
    if (has(g, FEATURE(SHADOW)))
        sm_buf_puts(g->out, "declare void @llvm.gcroot(ptr, ptr)\n");
    if (has(g, FEATURE(TRANSITIONS)))
        sm_buf_puts(g->out, "@thread_state = external global i32\ndeclare i64 @native(i64)\n"
                            "declare void @calm() nounwind \"gc-leaf-function\"\n");
}

/* An object that leads to its argument, by way of roots of the shadow stack. */
static const char rooted[] =
    "\ndefine internal " POINTER " @rooted(" POINTER " %o, i64 %n) noinline nounwind gc \"shadow-stack\" {\n"
    "  %kept = alloca " POINTER "\n  %made = alloca " POINTER "\n"
    "  call void @llvm.gcroot(ptr %kept, ptr null)\n"
    "  call void @llvm.gcroot(ptr %made, ptr null)\n"
    "  store " POINTER " null, ptr %made\n  store " POINTER " %o, ptr %kept\n"
    "  call void @collect() nounwind\n  %a = load " POINTER ", ptr %kept\n"
    "  %m = call " POINTER " @make(i64 %n, " POINTER " %a) nounwind\n"
    "  store " POINTER " %m, ptr %made\n  call void @collect() nounwind\n"
    "  %b = load " POINTER ", ptr %kept\n  %c = load " POINTER ", ptr %made\n"
    "  %slot = getelementptr i8, " POINTER " %c, i64 16\n"
    "  call void @llvm.gcwrite(" POINTER " %b, " POINTER " %c, " POINTER " %slot)\n"
    "  ret " POINTER " %c\n}\n";

/* Something with a branch is inlined before the slot. */
static const char late[] =
    "\ndefine internal i64 @branched(i64 %%n) alwaysinline gc \"%s\" {\n  %%odd = trunc i64 %%n to i1\n"
    "  br i1 %%odd, label %%yes, label %%no\nyes:\n  call void @collect()\n  ret i64 1\nno:\n  ret i64 0\n}\n"
    "\ndefine internal " POINTER " @late(" POINTER " %%o, i64 %%n) gc \"%s\" {\n"
    "  %%w = call i64 @branched(i64 %%n)\n  %%slot = alloca " POINTER "\n"
    "  call void @llvm.gc.declare(ptr %%slot, ptr null)\n  store " POINTER " %%o, ptr %%slot\n"
    "  call void @collect()\n  %%v = load " POINTER ", ptr %%slot\n  call void @llvm.gc.undeclare(ptr %%slot)\n"
    "  ret " POINTER " %%v\n}\n";

void kinds_define(struct gen *g, const char *gc) {
    if (has(g, FEATURE(SHADOW)))
        sm_buf_puts(g->out, rooted);
    if (has(g, FEATURE(SCOPES)))
        sm_buf_printf(g->out, late, gc, gc);
}

/* A call of FUNCTION, of an object and a number, which gives an object. */
static void call_of_object(struct gen *g, const char *function) {
    struct value v = value_new(g, REF), object = pick_object(g), word = pick(g, WORD);
    line(g, "%s = call " POINTER " @%s(" POINTER " %s, i64 %s)", v.text, function, object.text, word.text);
    v.nonnull = 1;
    value_add(g, v);
}

void s_rooted(struct gen *g) {
    call_of_object(g, "rooted");
}

void s_late(struct gen *g) {
    call_of_object(g, "late");
}

const char *no_references(const struct gen *g) {
    return has(g, FEATURE(BARRIERS)) ? " \"smd-no-references\"" : "";
}

/* ---- Transitions ---- */

int is_transition(struct gen *g) {
    return has(g, FEATURE(TRANSITIONS)) && chance(g, 30);
}

void transition_text(struct gen *g, sm_buf *out) {
    sm_buf bundle;
    sm_buf_init(&bundle, ROOM);
    deopt_text(g, &bundle);
    if (bundle.len)
        sm_buf_printf(out, "%.*s, ", (int)bundle.len - 2, sm_buf_cstr(&bundle)); /* without its bracket */
    else
        sm_buf_puts(out, " [ ");
    sm_buf_puts(out, "\"gc-transition\"(ptr @thread_state) ]");
    sm_buf_free(&bundle);
}

/* Native code that finds the thread native, and managed code behind it that finds it managed. */
void s_native(struct gen *g) {
    struct value v = value_new(g, WORD), word = pick(g, WORD);
    sm_buf bundle;
    sm_buf_init(&bundle, ROOM);
    transition_text(g, &bundle);
    line(g, "%s = call i64 @native(i64 %s)%s", v.text, word.text, sm_buf_cstr(&bundle));
    line(g, "call void @calm()");
    sm_buf_free(&bundle);
    value_add(g, v);
}
