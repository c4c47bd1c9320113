/* peaks_test.c - the memory of a worker, and of smd-upgrade's process for it, over modules that are made to take much,
 * under the settings of every day: never more than worker_memory_mib beyond what the worker maps before its first job.
 *
 *     TEST_PEAK_SECONDS=N     the deadline of each compile (2)
 *
 * What it prints is the table of docs/operations.md (Memory of a worker). */
#include "http.h"
#include "modules.h"
#include "processes.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MEMORY_MIB = 2048, LARGE = 60 << 20 }; /* the default; a body that is nearly as large as may be */

/* ---- Modules ---------------------------------------------------------------------------------------------------- */

__attribute__((format(printf, 2, 3))) static void put(struct bytes *b, const char *fmt, ...) {
    enum { PIECE = 4096 };
    if (!b->data)
        b->data = malloc((size_t)LARGE + PIECE);
    va_list ap;
    va_start(ap, fmt);
    b->len += (size_t)vsnprintf((char *)b->data + b->len, PIECE, fmt, ap);
    va_end(ap);
    cr_assert_leq(b->len, LARGE);
}

static int has_room(const struct bytes *b) {
    enum { LAST = 8192 };
    return b->len + LAST < LARGE;
}

static struct bytes division(void) {
    struct bytes b = {0};
    put(&b, "define i65536 @f(i65536 %%a, i65536 %%b) {\n  %%c = udiv i65536 %%a, %%b\n  ret i65536 %%c\n}\n");
    return b;
}

static struct bytes constant(void) {
    struct bytes b = {0};
    put(&b, "@x = constant [200000000 x i8] zeroinitializer\n");
    return b;
}

static struct bytes assembly_zero(void) {
    struct bytes b = {0};
    put(&b, "module asm \".zero 200000000\"\n");
    return b;
}

static struct bytes assembly_repeat(void) {
    struct bytes b = {0};
    put(&b, "module asm \".rept 400000000\"\nmodule asm \".quad 1\"\nmodule asm \".endr\"\n");
    return b;
}

static struct bytes assembly_macro(void) {
    struct bytes b = {0};
    put(&b,
        "module asm \".macro m n\"\nmodule asm \".if \\\\n\"\nmodule asm \"m \\\\n-1\"\nmodule asm \"m \\\\n-1\"\n"
        "module asm \".endif\"\nmodule asm \".endm\"\nmodule asm \"m 60\"\n");
    return b;
}

static struct bytes vectors(void) {
    struct bytes b = {0};
    put(&b, "define void @f(ptr %%p) {\n");
    for (int i = 0; i < 400; i++)
        put(&b,
            "  %%v%1$d = load <4096 x i64>, ptr %%p\n  %%w%1$d = mul <4096 x i64> %%v%1$d, %%v%1$d\n  "
            "store volatile <4096 x i64> %%w%1$d, ptr %%p\n",
            i);
    put(&b, "  ret void\n}\n");
    return b;
}

static struct bytes roots(void) {
    enum { ROOTS = 2000 };
    struct bytes b = {0};
    put(&b, "declare void @g()\ndeclare ptr addrspace(1) @a()\ndeclare void @use(ptr addrspace(1))\n"
            "define void @f() gc \"statepoint-example\" {\n");
    for (int i = 0; i < ROOTS; i++)
        put(&b, "  %%r%d = call ptr addrspace(1) @a()\n", i);
    for (int i = 0; i < ROOTS; i++)
        put(&b, "  call void @g()\n");
    for (int i = 0; i < ROOTS; i++)
        put(&b, "  call void @use(ptr addrspace(1) %%r%d)\n", i);
    put(&b, "  ret void\n}\n");
    return b;
}

static struct bytes inlining(void) {
    enum { LEVELS = 24 };
    struct bytes b = {0};
    put(&b, "declare void @g(i32)\ndefine internal void @f0(i32 %%x) alwaysinline {\n  call void @g(i32 %%x)\n  ret "
            "void\n}\n");
    for (int i = 1; i <= LEVELS; i++)
        put(&b,
            "define %s void @f%d(i32 %%x) alwaysinline {\n  %%y = mul i32 %%x, %d\n  call void @f%d(i32 %%x)\n"
            "  call void @f%d(i32 %%y)\n  ret void\n}\n",
            i < LEVELS ? "internal" : "", i, 2 * i + 1, i - 1, i - 1);
    return b;
}

static struct bytes unrolling(void) {
    enum { DEPTH = 5, TRIPS = 12 };
    struct bytes b = {0};
    put(&b, "declare void @g(i32)\ndefine void @f() {\n  br label %%l0\n");
    for (int i = 0; i < DEPTH; i++)
        put(&b, "l%1$d:\n  %%i%1$d = phi i32 [ 0, %%%2$s%3$d ], [ %%n%1$d, %%e%1$d ]\n  br label %%l%4$d\n", i,
            i ? "l" : "", i ? i - 1 : 0, i + 1);
    put(&b, "l%d:\n  call void @g(i32 %%i0)\n  br label %%e%d\n", DEPTH, DEPTH - 1);
    for (int i = DEPTH - 1; i >= 0; i--)
        put(&b,
            "e%1$d:\n  %%n%1$d = add i32 %%i%1$d, 1\n  %%c%1$d = icmp eq i32 %%n%1$d, %2$d\n  br i1 %%c%1$d, label "
            "%%%3$s%4$d, label %%l%1$d, !llvm.loop !0\n",
            i, TRIPS, i ? "e" : "x", i ? i - 1 : 0);
    put(&b, "x0:\n  ret void\n}\n!0 = distinct !{!0, !1}\n!1 = !{!\"llvm.loop.unroll.full\"}\n");
    return b;
}

static struct bytes phis(void) {
    enum { BLOCKS = 700, VALUES = 700 };
    struct bytes b = {0};
    put(&b, "declare i1 @c()\ndefine void @f(ptr %%p) {\n  br label %%b0\n");
    for (int i = 0; i < BLOCKS; i++) {
        put(&b, "b%d:\n", i);
        for (int v = 0; v < VALUES; v++) {
            if (i)
                put(&b, "  %%v%d.%d = phi i64 [ %%v%d.%d, %%b%d ]\n", i, v, i - 1, (v + 1) % VALUES, i - 1);
            else
                put(&b, "  %%v0.%d = phi i64 [ %d, %%0 ]\n", v, v);
        }
        put(&b, "  %%c%1$d = call i1 @c()\n  br i1 %%c%1$d, label %%b%2$d, label %%x\n", i, i + 1);
    }
    put(&b, "b%d:\n  br label %%x\nx:\n  ret void\n}\n", BLOCKS);
    return b;
}

static struct bytes functions(void) {
    struct bytes b = {0};
    for (int i = 0; has_room(&b); i++)
        put(&b, "define void @f%d(){ret void}\n", i);
    return b;
}

static struct bytes instructions(void) {
    struct bytes b = {0};
    put(&b, "define i64 @f(i64 %%a0) {\n");
    int i = 1;
    for (; has_room(&b); i++)
        put(&b, "%%a%d=mul i64 %%a%d,%%a%d\n", i, i - 1, i / 2);
    put(&b, "ret i64 %%a%d\n}\n", i - 1);
    return b;
}

static struct bytes numbers(void) {
    enum { COUNT = 10000000 };
    struct bytes b = {0};
    put(&b, "@x = constant [%d x i8] [", COUNT);
    for (int i = 0; i < COUNT; i++)
        put(&b, "%si8 %d", i ? "," : "", i % 10);
    put(&b, "]\n");
    return b;
}

static struct bytes metadata(void) {
    struct bytes b = {0};
    put(&b, "!x = !{!0}\n!0 = !{}\n");
    for (int i = 1; has_room(&b); i++)
        put(&b, "!%d = distinct !{!%d}\n", i, i - 1);
    return b;
}

static struct bytes typed_functions(void) {
    struct bytes b = {0};
    for (int i = 0; has_room(&b); i++)
        put(&b, "define i8* @f%d(i8* %%p){ret i8* %%p}\n", i);
    return b;
}

static struct bytes safepoints(void) {
    struct bytes b = {0};
    put(&b, "declare void @g(ptr addrspace(1))\n");
    for (int i = 0; i < 20000; i++)
        put(&b,
            "define ptr addrspace(1) @f%d(ptr addrspace(1) %%p) gc \"statepoint-example\" {\n"
            "  call void @g(ptr addrspace(1) %%p)\n  ret ptr addrspace(1) %%p\n}\n",
            i);
    return b;
}

static const struct class {
    const char *what, *options;
    struct bytes (*module)(void);
} classes[] = {
    {"`udiv i65536`", "opt=2", division},
    {"a constant of 200,000,000 bytes", "opt=2", constant},
    {"assembly: `.zero 200000000`", "opt=2", assembly_zero},
    {"assembly: `.rept 400000000`", "opt=2", assembly_repeat},
    {"assembly: a macro that calls itself twice, 60 deep", "opt=2", assembly_macro},
    {"400 products of vectors of 4096 lanes", "opt=2", vectors},
    {"2000 roots over 2000 safepoints", "opt=2", roots},
    {"24 functions, each inlines the one before it twice", "opt=2", inlining},
    {"5 nested loops of 12 trips, to be unrolled", "opt=3", unrolling},
    {"700 blocks of 700 phis", "opt=2", phis},
    {"60 MiB of functions", "opt=2", functions},
    {"60 MiB of instructions in a function", "opt=2", instructions},
    {"10,000,000 numbers in an array", "opt=2", numbers},
    {"60 MiB of metadata", "opt=2", metadata},
    {"60 MiB of functions with typed pointers", "opt=2", typed_functions},
    {"20,000 safepoints, all that `emit` gives", "opt=2&emit=obj,ir,asm,disasm,remarks,stages,links", safepoints},
};

/* ---- Peaks ------------------------------------------------------------------------------------------------------ */

struct compile {
    const struct daemon *d;
    const struct class *class;
    int deadline_ms;
    atomic_int is_over;
    struct answer answer;
};

static void *compile(void *arg) {
    struct compile *c = arg;
    struct bytes module = c->class->module();
    char path[200];
    snprintf(path, sizeof path, "/v1/compile?safepoints=none&cache=bypass&deadline_ms=%d&%s", c->deadline_ms,
             c->class->options);
    c->answer = ask(c->d, (struct ask){.path = path, .body = module.data, .len = module.len});
    bytes_free(module);
    atomic_store(&c->is_over, 1);
    return NULL;
}

static long most(const struct daemon *d, const char *name, const char *line) {
    pid_t pid[64];
    long kib = 0;
    int n = processes_below(d->pid, name, pid, 64);
    for (int i = 0; i < n; i++) {
        long its = process_kib(pid[i], line);
        kib = its > kib ? its : kib;
    }
    return kib;
}

/* What the module before has left is gone. */
static int is_ready(void *arg) {
    const struct daemon *d = arg;
    pid_t pid[64];
    return processes_below(d->pid, "smd-upgrade", pid, 64) <= 1 && metric(arg, "smd_workers{state=\"idle\"}") > 1 &&
           metric(arg, "smd_workers{state=\"starting\"}") == 0;
}

static void measure(const struct daemon *d, const struct class *class, int seconds) {
    pthread_t thread;
    struct compile c = {.d = d, .class = class, .deadline_ms = seconds * 1000};
    long worker = 0, reader = 0;
    await(is_ready, (void *)d, 60, "workers");
    long bound = most(d, "smd-worker", "VmSize") + ((long)MEMORY_MIB << 10);
    pthread_create(&thread, NULL, compile, &c);
    while (!atomic_load(&c.is_over)) {
        long now = most(d, "smd-worker", "VmHWM"), other = most(d, "smd-upgrade", "VmHWM");
        worker = now > worker ? now : worker;
        reader = other > reader ? other : reader;
        usleep(20000);
    }
    pthread_join(thread, NULL);
    printf("[figures] peaks: | %s | %ld | %ld | %s |\n", class->what, worker >> 10, reader >> 10,
           c.answer.http == 200 ? "compiled" : member(&c.answer, "code"));
    fflush(stdout);
    cr_expect(c.answer.http == 200 || *member(&c.answer, "code"), "%s", class->what);
    cr_expect_leq(worker, bound, "%s", class->what);
    cr_expect_leq(reader, bound, "%s", class->what);
    answer_free(c.answer);
}

Test(peaks, no_module_takes_more_than_a_worker_may, .timeout = 36000) {
    const char *longer = getenv("TEST_PEAK_SECONDS");
    struct daemon d = daemon_start((const char *const[]){"--workers", "1", "--jobs-per-worker", "1", NULL});
    printf("[figures] peaks: a worker that has done nothing: %ld MiB\n", most(&d, "smd-worker", "VmHWM") >> 10);
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
        measure(&d, &classes[i], longer ? atoi(longer) : 2);
    daemon_stop(&d);
}
