/* growth.c - what one function costs, against the bare LLVM C API: by safepoints, by what lives across them, and by its
 * blocks. */
#include "bench.h"
#include "client.h"
#include "matrix.h"
#include "record.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A function of CALLS calls that may collect, one behind another, with LIVE references that live across all of them.
 * *new* */
static struct bytes make_calls(int calls, int live) {
    size_t room = (size_t)(calls + live) * 200 + 1000, at = 0;
    char *text = malloc(room);
    at += (size_t)snprintf(text, room,
                           "declare void @work()\ndeclare void @use(ptr addrspace(1))\ndeclare void @collect()\n"
                           "define void @gc.safepoint_poll() {\n  call void @collect()\n  ret void\n}\n"
                           "define void @f(ptr addrspace(1) %%p) gc \"statepoint-example\" {\n");
    for (int i = 0; i < live; i++)
        at += (size_t)snprintf(text + at, room - at,
                               "  %%a%d = getelementptr i8, ptr addrspace(1) %%p, i64 %d\n"
                               "  %%r%d = load ptr addrspace(1), ptr addrspace(1) %%a%d\n",
                               i, 8 * i, i, i);
    for (int i = 0; i < calls; i++)
        at += (size_t)snprintf(text + at, room - at, "  call void @work()\n");
    for (int i = 0; i < live; i++)
        at += (size_t)snprintf(text + at, room - at, "  call void @use(ptr addrspace(1) %%r%d)\n", i);
    at += (size_t)snprintf(text + at, room - at, "  ret void\n}\n");
    return (struct bytes){(unsigned char *)text, at};
}

#define POLL "declare void @collect()\ndefine void @gc.safepoint_poll() {\n  call void @collect()\n  ret void\n}\n"

/* What lives over all of a function. (Structs with references the bare API leaves without their relocations.) */
enum kind { REFERENCE, SLOT, INTEGER, KINDS };
static const char *const kinds[] = {"references", "slots", "integers"};

/* A function of 2 BLOCKS blocks, none with a call, with VALUES of a KIND that are alive over all of it. *new* */
static struct bytes make_blocks(int blocks, int values, enum kind kind) {
    static const char *const use[] = {"  call void @use(ptr addrspace(1) %%p%d)\n", "  call void @out(ptr %%s%d)\n",
                                      "  call void @number(i64 %%s%d)\n"};
    struct bytes b;
    FILE *f = open_memstream((char **)&b.data, &b.len);
    fputs(POLL "declare void @g()\ndeclare void @out(ptr)\ndeclare void @use(ptr addrspace(1)) \"gc-leaf-function\"\n"
               "declare void @number(i64) \"gc-leaf-function\"\ndefine void @f(i64 %n",
          f);
    for (int i = 0; i < values; i++)
        fprintf(f, ", ptr addrspace(1) %%p%d", i);
    fputs(") gc \"statepoint-example\" {\nentry:\n", f);
    for (int i = 0; i < values; i++)
        if (kind == SLOT)
            fprintf(f, "  %%s%d = alloca ptr addrspace(1)\n  store ptr addrspace(1) %%p%d, ptr %%s%d\n", i, i, i);
        else if (kind == INTEGER)
            fprintf(f, "  %%s%d = ptrtoint ptr addrspace(1) %%p%d to i64\n", i, i);
    fputs("  br label %b0\n", f);
    for (int i = 0; i < blocks; i++)
        fprintf(f,
                "b%d:\n  %%c%d = icmp eq i64 %%n, %d\n  br i1 %%c%d, label %%t%d, label %%b%d\n"
                "t%d:\n  %%x%d = mul i64 %%n, %d\n  store volatile i64 %%x%d, ptr null\n  br label %%b%d\n",
                i, i, i, i, i, i + 1, i, i, i + 3, i, i + 1);
    fprintf(f, "b%d:\n", blocks);
    for (int i = 0; i < values; i++)
        fprintf(f, use[kind], i);
    fputs("  call void @g()\n  ret void\n}\n", f);
    fclose(f);
    return b;
}

/* An interpreter's loop: a switch with OPCODES arms, each with two calls, over LIVE references and slots. *new* */
static struct bytes make_interpreter(int opcodes, int live) {
    struct bytes b;
    FILE *f = open_memstream((char **)&b.data, &b.len);
    fputs(POLL "declare void @out(ptr)\ndeclare ptr addrspace(1) @run(ptr addrspace(1), i64)\n"
               "declare void @use(ptr addrspace(1)) \"gc-leaf-function\"\ndefine void @f(ptr %code",
          f);
    for (int i = 0; i < live; i++)
        fprintf(f, ", ptr addrspace(1) %%p%d", i);
    fputs(") gc \"statepoint-example\" {\nentry:\n", f);
    for (int i = 0; i < live; i++)
        fprintf(f, "  %%s%d = alloca ptr addrspace(1)\n  store ptr addrspace(1) %%p%d, ptr %%s%d\n", i, i, i);
    fputs("  br label %loop\nloop:\n  %pc = phi i64 [ 0, %entry ], [ %next, %latch ]\n"
          "  %at = getelementptr i32, ptr %code, i64 %pc\n  %op = load i32, ptr %at\n  switch i32 %op, label %end [",
          f);
    for (int i = 0; i < opcodes; i++)
        fprintf(f, " i32 %d, label %%op%d", i, i);
    fputs(" ]\n", f);
    for (int i = 0; i < opcodes; i++)
        fprintf(f,
                "op%d:\n  %%a%d = call ptr addrspace(1) @run(ptr addrspace(1) %%p%d, i64 %d)\n"
                "  store ptr addrspace(1) %%a%d, ptr %%s%d\n  call void @out(ptr %%s%d)\n  br label %%latch\n",
                i, i, i % live, i, i, i % live, i * 7 % live);
    fputs("latch:\n  %next = add i64 %pc, 1\n  br label %loop\nend:\n", f);
    for (int i = 0; i < live; i++)
        fprintf(f, "  call void @use(ptr addrspace(1) %%p%d)\n", i);
    fputs("  ret void\n}\n", f);
    fclose(f);
    return b;
}

/* A function of ARMS arms in a row, each with a call that passes one of LIVE references. *new* */
static struct bytes make_arms(int arms, int live) {
    struct bytes b;
    FILE *f = open_memstream((char **)&b.data, &b.len);
    fputs(POLL "declare void @g(ptr addrspace(1))\ndefine void @f(i64 %n", f);
    for (int i = 0; i < live; i++)
        fprintf(f, ", ptr addrspace(1) %%p%d", i);
    fputs(") gc \"statepoint-example\" {\nentry:\n  br label %b0\n", f);
    for (int i = 0; i < arms; i++)
        fprintf(f,
                "b%d:\n  %%c%d = icmp eq i64 %%n, %d\n  br i1 %%c%d, label %%t%d, label %%b%d\n"
                "t%d:\n  call void @g(ptr addrspace(1) %%p%d)\n  br label %%b%d\n",
                i, i, i, i, i, i + 1, i, i % live, i + 1);
    fprintf(f, "b%d:\n", arms);
    for (int i = 0; i < live; i++)
        fprintf(f, "  call void @g(ptr addrspace(1) %%p%d)\n", i);
    fputs("  ret void\n}\n", f);
    fclose(f);
    return b;
}

static void measure_calls(struct client *c, const struct daemon *d) {
    static const int shapes[][2] = {{25, 8},  {50, 8},   {100, 8},  {200, 8}, {400, 8},
                                    {100, 2}, {100, 16}, {100, 32}, {100, 64}};
    static struct turns t;
    record_table("safepoints", "One function of so many calls and references that live across them all, x86-64, O2: "
                               "what LLVM's rewrite and code "
                               "generation take grows faster than either");
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        struct bytes module = make_calls(shapes[i][0], shapes[i][1]);
        take_turns(c, d, bench_triples[0], 2, module, 600, 3, 1, 1, &t);
        record_number("calls", shapes[i][0], 0);
        record_number("live", shapes[i][1], 0);
        record_number("us a relocation", quantile(t.service, t.n, 0.5) * 1e3 / (shapes[i][0] * shapes[i][1]), 2);
        record_turns(&t);
        bytes_free(module);
    }
}

/* What is measured of MODULE, a function of so many BLOCKS. */
static void measure_function(struct client *c, const struct daemon *d, const char *what, int blocks,
                             struct bytes module) {
    static struct turns t;
    for (int level = 0; level <= 2; level += 2) {
        char name[8];
        if (level && blocks > 4000) /* minutes, of LLVM's optimiser */
            continue;
        snprintf(name, sizeof name, "O%d", level);
        take_turns(c, d, bench_triples[0], level, module, 0, 3, 1, strcmp(what, kinds[REFERENCE]) == 0, &t);
        record_text("over all of it", what);
        record_number("blocks", blocks, 0);
        record_text("level", name);
        record_turns(&t);
    }
    bytes_free(module);
}

static void measure_blocks(struct client *c, const struct daemon *d) {
    enum { VALUES = 20, LIVE = 40, OPCODES = 500, PASSED = 8 };
    static const int sizes[] = {1000, 2000, 4000, 8000, 16000};
    record_table("blocks",
                 "One function of so many blocks, with 20 values of a kind that are alive over all of it; "
                 "arms with calls that pass 8 references; and an interpreter's loop of 500 opcodes, x86-64");
    for (int kind = 0; kind < KINDS; kind++)
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
            measure_function(c, d, kinds[kind], sizes[i], make_blocks(sizes[i] / 2, VALUES, (enum kind)kind));
    for (size_t i = 0; i < 3; i++)
        measure_function(c, d, "arms with calls", sizes[i], make_arms(sizes[i] / 2, PASSED));
    measure_function(c, d, "interpreter", OPCODES, make_interpreter(OPCODES, LIVE));
}

void bench_growth(void) {
    struct daemon d = daemon_start(NULL);
    struct client c = client_open();
    bare_init();
    measure_calls(&c, &d);
    measure_blocks(&c, &d);
    client_close(&c);
    daemon_stop(&d);
}
