/* tables.c - see tables.h. */
#include "tables.h"

#include "artifact.h"
#include "compact.h"
#include "daemon.h"
#include "files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { FUNCTIONS = 60, MOST_ALIVE = 8, ROOM = 1 << 20, LOOKUPS = 200000 };

static uint32_t state;

static uint32_t below(uint32_t n) {
    state = state * 1664525u + 1013904223u;
    return (state >> 8) % n;
}

/* Functions of 4 to 40 calls, with up to MOST_ALIVE references alive across each. *new* */
static char *many_calls(void) {
    static const uint32_t calls[] = {4, 10, 20, 40};
    char *text = malloc(ROOM), *at = text, alive[MOST_ALIVE + 1][16];
    state = 3;
    at += sprintf(at, "declare ptr addrspace(1) @allocate(i64)\ndeclare void @take(ptr addrspace(1))\n");
    for (int f = 0; f < FUNCTIONS; f++) {
        uint32_t n = calls[below(4)], live = 2;
        strcpy(alive[0], "%a");
        strcpy(alive[1], "%b");
        at += sprintf(at,
                      "define ptr addrspace(1) @f%d(ptr addrspace(1) %%a, ptr addrspace(1) %%b) gc "
                      "\"statepoint-example\" {\n",
                      f);
        for (uint32_t i = 0; i < n; i++) {
            if (below(10) < 4)
                at += sprintf(at, "  %%v%u = call ptr addrspace(1) @allocate(i64 %u)\n", i, 8 + 8 * below(3));
            else
                at += sprintf(at,
                              "  %%v%u = getelementptr i8, ptr addrspace(1) %s, i64 8\n  call void @take(ptr "
                              "addrspace(1) %%v%u)\n",
                              i, alive[below(live)], i);
            snprintf(alive[live++], sizeof alive[0], "%%v%u", i);
            if (live > MOST_ALIVE) {
                uint32_t gone = below(live);
                memmove(alive[gone], alive[--live], sizeof alive[0]);
            }
        }
        at += sprintf(at, "  ret ptr addrspace(1) %s\n}\n", alive[below(live)]);
    }
    return text;
}

static double now_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* A table as if it lay beside its code in memory, COPIES times; a lookup in it, in place, in random order. */
static double lookup_ns(const sm_stackmap *m, const sm_buf *table, const sm_compact_field *fields) {
    sm_compact c;
    unsigned char *bytes = malloc(table->len);
    uintptr_t code = (uintptr_t)bytes + (1 << 20);
    memcpy(bytes, table->data, table->len);
    for (uint32_t i = 0; i < m->functions; i++) {
        int32_t distance =
            (int32_t)(code + m->function[fields[i].function].offset - ((uintptr_t)bytes + fields[i].at));
        memcpy(bytes + fields[i].at, &distance, sizeof distance);
    }
    if (sm_compact_open(&c, bytes, table->len) != SM_OK)
        exit(1);
    double start = now_ns();
    for (int i = 0; i < LOOKUPS; i++) {
        const sm_function *f = &m->function[below(m->functions)];
        const sm_record *r = &m->record[f->record + below(f->records)];
        sm_stackmap one;
        if (sm_compact_find(&c, code + f->offset + r->offset, &one) != SM_OK || one.records != 1)
            exit(1);
        sm_stackmap_free(&one);
    }
    double each = (now_ns() - start) / LOOKUPS;
    free(bytes);
    return each;
}

static void measure(const char *what, const char *options) {
    char command[512];
    int status;
    sm_artifact a;
    sm_elf e;
    sm_stackmap m;
    sm_buf table;
    sm_compact_field *fields;
    char *module = many_calls();
    snprintf(command, sizeof command, BIN_DIR "/smd-worker --compile - %s", options);
    struct bytes out = run_command(command, module, strlen(module), &status);
    sm_buf_init(&table, 1 << 28);
    if (status != 0 || sm_artifact_read(out.data, out.len, &a) != SM_OK ||
        sm_elf_open(&e, a.part[SM_PART_OBJECT].data, a.part[SM_PART_OBJECT].len, NULL, 0) != SM_OK ||
        sm_stackmap_of_object(&m, &e, NULL) != SM_OK)
        exit(1);
    sm_stackmap_guess_kinds(&m);
    if (sm_compact_encode(&m, &table, &fields) != SM_OK)
        exit(1);
    double n = m.records, llvm = (double)e.section[sm_elf_find(&e, SM_STACKMAP_SECTION, 0)].size;
    printf("%-44s %10u %12.1f %12.2f %8.1f %% %10.0f\n", what, m.records, llvm / n, (double)table.len / n,
           100 * (double)table.len / llvm, lookup_ns(&m, &table, fields));
    free(fields);
    sm_buf_free(&table);
    sm_stackmap_free(&m);
    sm_elf_close(&e);
    bytes_free(out);
    free(module);
}

void bench_maps(void) {
    printf("Stackmaps of %d functions of 4 to 40 calls, up to %d references alive: bytes a safepoint, and\n"
           "nanoseconds to find and decode one in the compact table as it stands\n\n"
           "%-44s %10s %12s %12s %10s %10s\n",
           FUNCTIONS, MOST_ALIVE, "", "safepoints", "LLVM's", "compact", "", "ns");
    measure("x86-64, opt=2, polls", "target=x86_64-linux-gnu poll=call:arrive");
    measure("AArch64, opt=2, polls", "target=aarch64-linux-gnu poll=call:arrive");
    measure("x86-64, opt=0, polls", "target=x86_64-linux-gnu poll=call:arrive opt=0");
    measure("x86-64, opt=3, gc_registers=4", "target=x86_64-linux-gnu safepoints=none opt=3 gc_registers=4");
}
