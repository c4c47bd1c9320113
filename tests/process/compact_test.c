/* Compact tables of what the worker makes: nothing is lost, and what they cost. */
#include "compact.h"
#include "files.h"
#include "maps.h"
#include "stackmap_object.h"
#include "worker.h"

#include <criterion/criterion.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct {
    unsigned maps, records;
    size_t compact, llvm;
} sum;

static void round_trip(const char *what, const sm_stackmap *m, size_t llvm) {
    sm_buf bytes;
    sm_compact_field *fields;
    sm_stackmap_error err;
    sm_stackmap again = {.machine = m->machine};
    sm_buf_init(&bytes, 1 << 28);
    cr_assert_eq(sm_compact_encode(m, &bytes, &fields), SM_OK, "%s", what);
    cr_assert_eq(sm_compact_decode(&again, bytes.data, bytes.len, &err), SM_OK, "%s: %s", what, err.message);
    for (uint32_t i = 0; i < again.functions; i++) { /* as the linker would */
        again.function[i].section_index = m->function[fields[i].function].section_index;
        again.function[i].offset = m->function[fields[i].function].offset;
        cr_assert_eq(again.function[i].at, fields[i].at);
    }
    const char *difference = maps_differ(m, &again);
    cr_assert_null(difference, "%s: %s", what, difference);
    sum.maps++;
    sum.records += m->records;
    sum.compact += bytes.len;
    sum.llvm += llvm;
    if (m->records >= 1000)
        printf("%-60s %6u safepoints %7.2f %7.2f bytes each, %.1f %%\n", what, m->records, (double)llvm / m->records,
               (double)bytes.len / m->records, 100.0 * (double)bytes.len / (double)llvm);
    sm_stackmap_free(&again);
    free(fields);
    sm_buf_free(&bytes);
}

static void try(const char *file, const char *options, const char *target) {
    struct bytes ir = read_file(file);
    char what[512], why[200];
    sm_elf e;
    sm_stackmap m;
    snprintf(what, sizeof what, "%s %s %s", strrchr(file, '/') + 1, target, options);
    struct compiled c = compile((const char *)ir.data, options, target);
    if (c.artifact.status == SM_OK) {
        sm_slice object = c.artifact.part[SM_PART_OBJECT];
        cr_assert_eq(sm_elf_open(&e, object.data, object.len, why, sizeof why), SM_OK, "%s: %s", what, why);
        cr_assert_eq(sm_stackmap_of_object(&m, &e, NULL), SM_OK, "%s", what);
        sm_stackmap_guess_kinds(&m);
        size_t section = sm_elf_find(&e, SM_STACKMAP_SECTION, 0);
        round_trip(what, &m, section ? e.section[section].bytes.len : 0);
        sm_stackmap_free(&m);
        sm_elf_close(&e);
    }
    drop(&c);
    bytes_free(ir);
}

Test(compact, nothing_is_lost, .timeout = 600) {
    static const char *const options[] = {"gc=statepoint-example poll=call:arrive",
                                          "opt=0 poll=flag:wanted:arrive gc=statepoint-example",
                                          "opt=3 safepoints=none gc_registers=4", "safepoints=none"};
    glob_t files;
    glob(SOURCE_DIR "/tests/corpus/*.ll", 0, NULL, &files);
    glob(SOURCE_DIR "/tests/corpus/random/*.ll", GLOB_APPEND, NULL, &files);
    glob(SOURCE_DIR "/docs/examples/*.ll", GLOB_APPEND, NULL, &files);
    if (getenv("COMPACT_FILES"))
        glob(getenv("COMPACT_FILES"), GLOB_APPEND, NULL, &files);
    for (size_t i = 0; i < files.gl_pathc; i++)
        for (size_t k = 0; k < sizeof options / sizeof *options; k++)
            for (int t = 0; t < 2; t++)
                try(files.gl_pathv[i], options[k], targets[t]);
    globfree(&files);
    cr_assert(sum.maps > 40 && sum.records > 200, "%u maps, %u records", sum.maps, sum.records);
    printf("%u maps, %u records: %zu of %zu bytes\n", sum.maps, sum.records, sum.compact, sum.llvm);
}
