/* frames_test.c - frames of every kind, by the walk and by others: libgcc's unwinder (frames_check.c) and gdb
 * (gdb_frames.py), on both architectures. */
#include "buf.h"
#include "folder.h"
#include "worker.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

TestSuite(frames, .init = folder_make, .fini = folder_remove, .timeout = 900);

enum { FUNCTIONS = 64 };

/* What a function has in its frame; a function may have several. */
enum {
    LARGE = 1,       /* more than a page */
    ALIGNED = 2,     /* a variable of a larger alignment than the stack's */
    DYNAMIC = 4,     /* a variable of a size that is not known */
    WRAPPED = 8,     /* a way out before anything is saved */
    INTEGERS = 16,   /* values in registers that calls preserve */
    FLOATS = 32,     /* likewise floating-point ones, which AArch64 preserves */
    POINTERS = 64,   /* references, and others derived from them */
    BY_C = 128,      /* it calls on through C code */
    TAIL = 256,      /* it calls on in its own place */
    POLLS = 512,     /* its end is a loop with a poll and no call */
    LEAF = 1024,     /* it calls nothing */
    SCALABLE = 2048, /* a vector of a size that the processor has */
};

static const unsigned kinds[] = {0,
                                 LARGE,
                                 ALIGNED,
                                 DYNAMIC,
                                 WRAPPED,
                                 INTEGERS,
                                 FLOATS,
                                 POINTERS,
                                 BY_C,
                                 TAIL,
                                 POLLS,
                                 ALIGNED | DYNAMIC,
                                 LARGE | INTEGERS | POINTERS,
                                 ALIGNED | DYNAMIC | INTEGERS | POINTERS,
                                 WRAPPED | INTEGERS | POINTERS | FLOATS,
                                 LARGE | ALIGNED | DYNAMIC | INTEGERS | FLOATS | POINTERS | BY_C,
                                 DYNAMIC | POINTERS,
                                 WRAPPED | LARGE | POINTERS | BY_C,
                                 WRAPPED | DYNAMIC | POLLS,
                                 LARGE | POLLS | INTEGERS,
                                 LEAF | POLLS,
                                 LEAF | POLLS | LARGE};

static uint64_t state;

static unsigned draw(unsigned below) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(state >> 33) % below;
}

/* Variables in the frame. */
static void put_variables(sm_buf *b, unsigned kind) {
    if (kind & LARGE)
        sm_buf_printf(b, "  %%large = alloca [%u x i64]\n  call void @touch(ptr %%large)\n", 600 + draw(5000));
    if (kind & SCALABLE)
        sm_buf_puts(b, "  %scalable = alloca <vscale x 4 x i32>\n  call void @touch(ptr %scalable)\n");
    if (kind & ALIGNED)
        sm_buf_printf(b, "  %%aligned = alloca i64, align %u\n  call void @touch(ptr %%aligned)\n", 32u << draw(7));
    if (kind & DYNAMIC)
        sm_buf_printf(b,
                      "  %%few = and i64 %%seed, %u\n  %%dynamic = alloca i64, i64 %%few\n"
                      "  call void @touch(ptr %%dynamic)\n",
                      7u << draw(6));
}

/* Values that the call in between has to leave alone. */
static void put_values(sm_buf *b, unsigned kind, unsigned values) {
    for (unsigned i = 0; i < values; i++) {
        if (kind & INTEGERS)
            sm_buf_printf(b, "  %%i%u = xor i64 %%seed, %u\n", i, draw(1u << 30));
        if (kind & FLOATS)
            sm_buf_printf(b, "  %%x%u = xor i64 %%seed, %u\n  %%d%u = sitofp i64 %%x%u to double\n", i,
                          draw(1u << 30), i, i);
        if (kind & POINTERS)
            sm_buf_printf(b,
                          "  %%g%u = getelementptr i8, ptr addrspace(1) %%p, i64 %u\n"
                          "  %%r%u = load ptr addrspace(1), ptr addrspace(1) %%g%u\n",
                          i, 8 * draw(8), i, i);
    }
}

/* Uses what put_values made; the result is %sum. */
static void put_uses(sm_buf *b, unsigned kind, unsigned values) {
    sm_buf_puts(b, "  %s0 = add i64 %result, 0\n");
    unsigned n = 0;
    for (unsigned i = 0; i < values; i++) {
        if (kind & INTEGERS) {
            sm_buf_printf(b, "  %%s%u = add i64 %%s%u, %%i%u\n", n + 1, n, i);
            n++;
        }
        if (kind & FLOATS) {
            sm_buf_printf(b, "  %%t%u = fptosi double %%d%u to i64\n  %%s%u = xor i64 %%s%u, %%t%u\n", i, i, n + 1, n,
                          i);
            n++;
        }
        if (kind & POINTERS) {
            sm_buf_printf(b,
                          "  %%u%u = load i64, ptr addrspace(1) %%r%u\n  %%v%u = load i64, ptr addrspace(1) %%g%u\n"
                          "  %%w%u = add i64 %%u%u, %%v%u\n  %%s%u = xor i64 %%s%u, %%w%u\n",
                          i, i, i, i, i, i, i, n + 1, n, i);
            n++;
        }
    }
    sm_buf_printf(b, "  %%sum = add i64 %%s%u, 1\n", n);
    if (kind & SCALABLE)
        sm_buf_puts(b, "  call void @touch(ptr %scalable)\n");
    if (kind & LARGE)
        sm_buf_puts(b, "  call void @touch(ptr %large)\n");
    if (kind & ALIGNED)
        sm_buf_puts(b, "  call void @touch(ptr %aligned)\n");
    if (kind & DYNAMIC)
        sm_buf_puts(b, "  call void @touch(ptr %dynamic)\n");
}

/* How a chain ends: in the runtime, or in a loop that polls. */
static void put_end(sm_buf *b, unsigned kind) {
    if (!(kind & POLLS)) {
        sm_buf_puts(b, "  %ended = call i64 @bottom(ptr addrspace(1) %p)\n  br label %out\n");
        return;
    }
    sm_buf_puts(
        b, "  br label %loop\nloop:\n  %k = phi i64 [ 0, %end ], [ %more, %loop ]\n"
           "  %at = getelementptr i8, ptr addrspace(1) %p, i64 %k\n  %load = load volatile i8, ptr addrspace(1) %at\n"
           "  %more = add i64 %k, 1\n  %last = icmp eq i64 %more, 3\n"
           "  br i1 %last, label %looped, label %loop\nlooped:\n  %ended = zext i8 %load to i64\n  br label %out\n");
}

/* How a chain goes on. */
static void put_call(sm_buf *b, unsigned kind) {
    sm_buf_printf(
        b,
        "on:\n  %%which = urem i64 %%seed, %d\n  %%slot = getelementptr ptr, ptr @table, i64 %%which\n"
        "  %%next = load ptr, ptr %%slot\n  %%n1 = sub i64 %%n, 1\n  %%a = mul i64 %%seed, 2862933555777941757\n"
        "  %%b = add i64 %%a, 3037000493\n  %%seed1 = lshr i64 %%b, 7\n",
        FUNCTIONS);
    if (kind == TAIL)
        sm_buf_puts(b,
                    "  %went = musttail call i64 %next(i64 %n1, i64 %seed1, ptr addrspace(1) %p)\n  ret i64 %went\n");
    else
        sm_buf_printf(b, "  %%went = call i64 %s(%si64 %%n1, i64 %%seed1, ptr addrspace(1) %%p)\n  br label %%out\n",
                      kind & BY_C ? "@through_c" : "%next", kind & BY_C ? "ptr %next, " : "");
}

static void put_function(sm_buf *b, int i, unsigned kind) {
    unsigned values = 1 + draw(9);
    sm_buf_printf(
        b, "define i64 @f%d(i64 %%n, i64 %%seed, ptr addrspace(1) %%p) gc \"statepoint-example\" {\nentry:\n", i);
    if (kind & WRAPPED)
        sm_buf_puts(b, "  %never = icmp slt i64 %n, 0\n  br i1 %never, label %early, label %begin\nearly:\n"
                       "  ret i64 %seed\nbegin:\n");
    put_variables(b, kind);
    put_values(b, kind, values);
    sm_buf_puts(b, kind & LEAF ? "  br label %end\nend:\n"
                               : "  %stop = icmp eq i64 %n, 0\n  br i1 %stop, label %end, label %on\nend:\n");
    put_end(b, kind);
    if (!(kind & LEAF))
        put_call(b, kind);
    sm_buf_printf(b, "out:\n  %%result = phi i64 [ %%ended, %%%s ]%s\n", kind & POLLS ? "looped" : "end",
                  kind == TAIL || kind & LEAF ? "" : ", [ %went, %on ]");
    put_uses(b, kind, values);
    sm_buf_puts(b, "  ret i64 %sum\n}\n");
}

/* Makes the object "frames.o" of functions that a seed draws. */
static void make(uint64_t seed, const char *options, int t) {
    char path[128], all[256];
    sm_buf b;
    sm_buf_init(&b, 1 << 20);
    state = seed;
    sm_buf_puts(&b, "@table = external global [64 x ptr]\ndeclare i64 @bottom(ptr addrspace(1))\n"
                    "declare void @touch(ptr) \"gc-leaf-function\"\n"
                    "declare i64 @through_c(ptr, i64, i64, ptr addrspace(1))\n");
    for (int i = 0; i < FUNCTIONS; i++) {
        unsigned kind = i < (int)(sizeof kinds / sizeof *kinds) ? kinds[i] : draw(TAIL) | (draw(4) ? 0 : POLLS);
        int takes = strstr(options, "+sve") && kind != TAIL && !(kind & (DYNAMIC | WRAPPED));
        put_function(&b, i, takes && draw(4) ? kind | SCALABLE : kind);
    }
    char *ir = sm_buf_take_text(&b);
    snprintf(path, sizeof path, "%s/frames.ll", folder);
    write_file(path, ir, strlen(ir));
    snprintf(all, sizeof all, "poll=page:poll_page safepoints=backedge all_backedges=1 %s", options);
    struct compiled c = compile(ir, all, targets[t]);
    cr_assert_eq(c.artifact.status, SM_OK, "%s", c.text[SM_PART_DIAGNOSTICS]);
    snprintf(path, sizeof path, "%s/frames.o", folder);
    write_file(path, c.artifact.part[SM_PART_OBJECT].data, c.artifact.part[SM_PART_OBJECT].len);
    drop(&c);
    free(ir);
}

static const char *const sets[] = {"opt=0 frame_pointer=none",
                                   "opt=0 frame_pointer=all gc_registers=4",
                                   "opt=1 frame_pointer=none gc_registers=2",
                                   "opt=2 frame_pointer=none",
                                   "opt=2 frame_pointer=all gc_registers=8",
                                   "opt=3 frame_pointer=all stackmap_format=compact",
                                   "opt=3 frame_pointer=none gc_registers=8 stackmap_format=compact",
                                   "opt=s frame_pointer=none gc_registers=4"};
enum { SETS = sizeof sets / sizeof *sets };

/* 100,000 frames in eight sets of options. */
static void as_the_unwinder_sees(int t) {
    static const char *const programs[] = {BIN_DIR "/frames_check", QEMU " " BIN_DIR "/frames_check-aarch64"};
    char command[512];
    for (int i = 0; i < SETS; i++) {
        make((uint64_t)i + 1, sets[i], t);
        snprintf(command, sizeof command, "%s %d %s/frames.o 2>&1", programs[t], 100000 / SETS, folder);
        succeeds(command);
    }
}

Test(frames, unwinder) {
    as_the_unwinder_sees(0);
}
Test(frames, unwinder_aarch64) {
    as_the_unwinder_sees(1);
}

/* Frames with scalable vectors, at two lengths of these. */
Test(frames, scalable_vectors) {
    char command[512], options[128];
    for (int i = 0; i < SETS; i++) {
        snprintf(options, sizeof options, "%s features=+sve", sets[i]);
        make((uint64_t)i + 51, options, 1);
        snprintf(command, sizeof command,
                 QEMU " -cpu max,sve-default-vector-length=%d " BIN_DIR "/frames_check-aarch64 %d %s/frames.o 2>&1",
                 i % 2 ? 64 : 16, 10000, folder);
        succeeds(command);
    }
}

/* Lets gdb compare some chains of a program, which it begins with START. */
static void gdb_compares(const char *before, const char *program, const char *start, const char *options) {
    char command[2048];
    int status;
    snprintf(command, sizeof command,
             "%s gdb-multiarch -batch -nx -ex \"python DUMP='%s/dump'; CHAINS=12; ROOTS='%s/client/gdb/roots.py'; "
             "START='%s'\" -x %s/tests/client/gdb_frames.py --args %s 1000000 %s/frames.o %s/dump 2>&1",
             before, folder, SOURCE_DIR, start, SOURCE_DIR, program, folder, folder);
    struct bytes out = run_command(command, NULL, 0, &status);
    cr_assert(status == 0 && strstr((char *)out.data, "EQUAL: "), "%s: %s", options, (char *)out.data);
    bytes_free(out);
}

/* The same frames and their roots in gdb. */
Test(frames, gdb) {
    for (int i = 0; i < SETS; i += 2) {
        make((uint64_t)i + 101, sets[i], 0);
        gdb_compares("", BIN_DIR "/frames_check", "run", sets[i]);
    }
}

/* On AArch64 in the emulator, without vectors of any length: gdb does not get past their part of a signal's frame. */
Test(frames, gdb_aarch64) {
    char before[1024], start[128];
    snprintf(before, sizeof before,
             QEMU " -cpu cortex-a72 -g %s/socket %s/frames_check-aarch64 1000000 %s/frames.o %s/dump >%s/out 2>&1 & "
                  "while [ ! -S %s/socket ]; do sleep 0.1; done;",
             folder, BIN_DIR, folder, folder, folder, folder);
    snprintf(start, sizeof start, "target remote %s/socket", folder);
    for (int i = 1; i < SETS; i += 2) {
        make((uint64_t)i + 101, sets[i], 1);
        gdb_compares(before, BIN_DIR "/frames_check-aarch64", start, sets[i]);
    }
}

/* A linked program's table. */
Test(frames, gdb_linked) {
    char command[1024];
    make(7, "opt=2 safepoints=none gc_registers=4 stackmap_format=compact", 0);
    snprintf(
        command, sizeof command,
        "cd %s && for i in $(seq 0 %d); do echo \"void f$i(void);\"; done >functions.c && "
        "(echo 'void *functions[] = {'; for i in $(seq 0 %d); do echo \"f$i,\"; done; echo '};') >>functions.c && "
        "gcc -g -O1 -D_GNU_SOURCE -DLINKED -fexceptions -I%s/tests/support -I%s/client/include -o linked functions.c "
        "%s/tests/client/frames_check.c frames.o -L%s -lsmclient -Wl,-rpath,%s -lpthread 2>&1",
        folder, FUNCTIONS - 1, FUNCTIONS - 1, SOURCE_DIR, SOURCE_DIR, SOURCE_DIR, LIBRARY_DIR, LIBRARY_DIR);
    succeeds(command);
    snprintf(command, sizeof command, "%s/linked", folder);
    gdb_compares("", command, "run", "linked");
}
