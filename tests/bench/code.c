/* code.c - what a program pays for being collectable: its code with safepoints against the same code without GC.
 *
 * Each program of tests/bench/programs is compiled by clang to IR that is not optimised, and by smd in all variants.
 * First all of them run under a collector that moves everything, and have to give one result. Then they are timed, in
 * turns, without a collection; and their instructions are counted under qemu, on both targets. */
#include "bench.h"
#include "check.h"
#include "count.h"
#include "elffile.h"
#include "record.h"
#include "variants.h"

#include <dirent.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { PROGRAMS = 16, TARGETS = 2, TURNS = 25, PATH = 256, COMMAND = 8000 };

static const char *const archs[TARGETS] = {"x86_64", "aarch64"};
static const char *const runners[TARGETS] = {BIN_DIR "/code-runner", BIN_DIR "/code-runner-aarch64"};

struct measured {
    double us, instructions[TARGETS], code[TARGETS], table[TARGETS], unwind[TARGETS];
};

static struct program {
    char name[32];
    long size[3]; /* its argument where it is timed, checked, counted */
    struct measured of[VARIANTS];
    unsigned long collections;
} program[PROGRAMS];
static int programs;

static struct bytes run_or_die(const char *command, const void *input, size_t len) {
    int status;
    struct bytes out = run_command(command, input, len, &status);
    check(status == 0, "%.300s: exit %d", command, status);
    return out;
}

/* ---- Compiling ------------------------------------------------------------------------------------------------ */

static void object_path(char path[PATH], const struct program *p, int target, int variant) {
    snprintf(path, PATH, "%s/code/%s-%s-%d.o", BIN_DIR, p->name, archs[target], variant);
}

/* The program as its frontend gives it. *new* */
static struct bytes front_end(const struct program *p, int target) {
    char command[COMMAND];
    snprintf(command, sizeof command,
             "clang-19 -target %s-linux-gnu -S -emit-llvm -O2 -Xclang -disable-llvm-passes -fPIC -fno-math-errno "
             "-fomit-frame-pointer -fno-asynchronous-unwind-tables -o - " SOURCE_DIR "/tests/bench/programs/%s.c",
             archs[target], p->name);
    return run_or_die(command, "", 0);
}

static double section_bytes(const sm_elf *e, const char *name) {
    size_t i = sm_elf_find(e, name, 0);
    return i ? (double)e->section[i].size : 0;
}

/* Compiles a variant into its file, and notes its sizes. */
static void compile(struct program *p, int target, int variant, struct bytes ir) {
    char command[COMMAND], path[PATH];
    sm_artifact a;
    sm_elf e;
    struct bytes module = module_in_form(ir, variants[variant].form);
    snprintf(command, sizeof command, BIN_DIR "/smd-worker --compile - opt=2 %s", variants[variant].options);
    struct bytes out = run_or_die(command, module.data, module.len);
    check(sm_artifact_read(out.data, out.len, &a) == SM_OK && a.status == SM_OK, "%s of %s is not compiled: %.*s",
          variants[variant].name, p->name, (int)a.part[SM_PART_DIAGNOSTICS].len,
          (const char *)a.part[SM_PART_DIAGNOSTICS].data);
    sm_slice object = a.part[SM_PART_OBJECT];
    check(sm_elf_open(&e, object.data, object.len, NULL, 0) == SM_OK, "%s gives no object", p->name);
    object_path(path, p, target, variant);
    write_file(path, object.data, object.len);
    p->of[variant].code[target] = section_bytes(&e, ".text");
    p->of[variant].table[target] = section_bytes(&e, ".llvm_stackmaps") + section_bytes(&e, ".smd_maps");
    p->of[variant].unwind[target] = section_bytes(&e, ".eh_frame");
    sm_elf_close(&e);
    bytes_free(out);
    bytes_free(module);
}

/* ---- Running -------------------------------------------------------------------------------------------------- */

/* What the runner prints of a variant. */
struct line {
    int64_t result;
    unsigned long collections;
    double us;
    uint64_t code, bytes;
};

static struct line next_line(char **at) {
    struct line l;
    int n = 0;
    check(sscanf(*at, "%" SCNd64 " %lu %*u %lf %" SCNx64 " %" SCNu64 "%n", &l.result, &l.collections, &l.us, &l.code,
                 &l.bytes, &n) == 5,
          "the runner's output is not understood: %s", *at);
    *at += n;
    return l;
}

/* Appends a runner's command with all variants' objects. */
static void add_objects(char command[COMMAND], const struct program *p, int target) {
    char path[PATH];
    for (int v = 0; v < VARIANTS; v++) {
        object_path(path, p, target, v);
        size_t n = strlen(command);
        snprintf(command + n, COMMAND - n, " %s", path);
    }
}

/* All variants under the collector, which has to have run in each but the first. */
static void check_program(struct program *p, int target) {
    char command[COMMAND];
    snprintf(command, sizeof command, "%s%s check %ld", target ? QEMU_AARCH64 " " : "", runners[target], p->size[1]);
    add_objects(command, p, target);
    struct bytes out = run_or_die(command, "", 0);
    char *at = (char *)out.data;
    for (int v = 0; v < VARIANTS; v++)
        p->collections += next_line(&at).collections;
    bytes_free(out);
}

static void time_program(struct program *p) {
    char command[COMMAND];
    snprintf(command, sizeof command, "%s time %ld %d", runners[0], p->size[0], TURNS);
    add_objects(command, p, 0);
    struct bytes out = run_or_die(command, "", 0);
    char *at = (char *)out.data;
    for (int v = 0; v < VARIANTS; v++)
        p->of[v].us = next_line(&at).us;
    bytes_free(out);
}

static void count_program(struct program *p, int target) {
    char command[COMMAND];
    snprintf(command, sizeof command, "%s time %ld 1", runners[target], p->size[2]);
    add_objects(command, p, target);
    struct blocks *b = blocks_of(target ? QEMU_AARCH64 : QEMU_X86_64, command, BIN_DIR "/code/counted");
    struct bytes out = read_file(BIN_DIR "/code/counted");
    char *at = (char *)out.data;
    for (int v = 0; v < VARIANTS; v++) {
        struct line l = next_line(&at);
        p->of[v].instructions[target] = (double)blocks_within(b, l.code, l.bytes);
        check(p->of[v].instructions[target] > 0, "no instruction of %s was counted", p->name);
    }
    blocks_free(b);
    bytes_free(out);
}

/* ---- Tables --------------------------------------------------------------------------------------------------- */

typedef double figure(const struct measured *m);

static double time_of(const struct measured *m) {
    return m->us;
}
static double x86_of(const struct measured *m) {
    return m->instructions[0];
}
static double arm_of(const struct measured *m) {
    return m->instructions[1];
}
static double code_of(const struct measured *m) {
    return m->code[0];
}

static double ratio(const struct program *p, int variant, figure *f) {
    return f(&p->of[variant]) / f(&p->of[0]);
}

/* The geometric mean over all programs; *WORST gets the largest ratio. */
static double mean(int variant, figure *f, double *worst) {
    double sum = 0;
    *worst = 0;
    for (int i = 0; i < programs; i++) {
        double r = ratio(&program[i], variant, f);
        sum += log(r);
        *worst = r > *worst ? r : *worst;
    }
    return exp(sum / programs);
}

static void record_mean(const char *column, const char *worst_column, int variant, figure *f) {
    double worst, m = mean(variant, f, &worst);
    record_number(column, m, 3);
    record_number(worst_column, worst, 2);
}

static void record_variants(void) {
    record_table(
        "code", "Programs over the same without GC, geometric means and the worst: processor time and "
                "instructions, x86-64; instructions, AArch64; bytes of code, of tables and of unwind tables, x86-64");
    for (int v = 0; v < VARIANTS; v++) {
        double table = 0, unwind = 0, code = 0, worst;
        for (int i = 0; i < programs; i++) {
            table += program[i].of[v].table[0];
            unwind += program[i].of[v].unwind[0];
            code += program[i].of[v].code[0];
        }
        record_text("polls, gc_registers", variants[v].name);
        record_mean("time", "worst", v, time_of);
        record_mean("x86-64", "worst of it", v, x86_of);
        record_mean("AArch64", "worst there", v, arm_of);
        record_number("code", mean(v, code_of, &worst), 2);
        record_number("table/code", table / code, 2);
        record_number("unwind/code", unwind / code, 2);
        record_row();
    }
}

/* A table of programs by variants. */
static void record_programs(const char *name, const char *title, figure *f) {
    static const char *const columns[] = {"shadow stack", "no polls, 0", "no polls, 32", "flag, 0", "flag, 32",
                                          "page, 0",      "page, 32",    "call, 0",      "default"};
    record_table(name, title);
    for (int i = 0; i < programs; i++) {
        record_text("the program", program[i].name);
        for (size_t k = 0; k < sizeof columns / sizeof *columns; k++)
            record_number(columns[k], ratio(&program[i], variant_number(columns[k]), f), 3);
        record_row();
    }
}

/* ---------------------------------------------------------------------------------------------------------------- */

static int by_name(const void *a, const void *b) {
    return strcmp(((const struct program *)a)->name, ((const struct program *)b)->name);
}

/* Finds the programs, and the sizes in their first lines. Those that ONLY names, or all. */
static void find_programs(const char *only) {
    DIR *dir = opendir(SOURCE_DIR "/tests/bench/programs");
    check(dir, "there are no programs");
    for (struct dirent *e; (e = readdir(dir)) != NULL && programs < PROGRAMS;) {
        struct program *p = &program[programs];
        char path[PATH + 64];
        if (sscanf(e->d_name, "%31[a-z].c", p->name) != 1 || !strstr(e->d_name, ".c") ||
            (only && !strstr(only, p->name)))
            continue;
        snprintf(path, sizeof path, SOURCE_DIR "/tests/bench/programs/%s.c", p->name);
        struct bytes text = read_file(path);
        const char *sizes = strstr((char *)text.data, "sizes: ");
        check(sizes && sscanf(sizes, "sizes: %ld %ld %ld", &p->size[0], &p->size[1], &p->size[2]) == 3,
              "%s says no sizes", path);
        bytes_free(text);
        programs++;
    }
    closedir(dir);
    qsort(program, (size_t)programs, sizeof *program, by_name);
}

static void measure(struct program *p) {
    for (int target = 0; target < TARGETS; target++) {
        struct bytes ir = front_end(p, target);
        for (int v = 0; v < VARIANTS; v++)
            compile(p, target, v, ir);
        bytes_free(ir);
        check_program(p, target);
        count_program(p, target);
    }
    time_program(p);
    fprintf(stderr, "%s: %.1f ms, %lu collections\n", p->name, p->of[0].us / 1e3, p->collections);
}

void bench_code(const char *only) {
    mkdir(BIN_DIR "/code", 0777);
    find_programs(only);
    for (int i = 0; i < programs; i++)
        measure(&program[i]);
    record_variants();
    record_programs("code-time", "Processor time over that without GC, x86-64", time_of);
    record_programs("code-instructions", "Instructions over those without GC, x86-64", x86_of);
    record_programs("code-instructions-arm", "Instructions over those without GC, AArch64", arm_of);
}
