/* Memory that runs out at any allocation is a status, never a map that lacks something, and nothing leaks. The linker
 * puts the allocator below in the place of malloc, calloc and realloc in all of smproto. */
#include "explain.h"
#include "files.h"
#include "gcmap.h"
#include "options.h"
#include "stackmap_json.h"
#include "stackmap_lines.h"
#include "stackmap_object.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);

static long left = -1; /* allocations until one fails; negative: none does */

static int fails(void) {
    return left >= 0 && left-- == 0;
}

void *__wrap_malloc(size_t size) {
    return fails() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size) {
    return fails() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *old, size_t size) {
    return fails() ? NULL : __real_realloc(old, size);
}

/* All that is read of an object, and written of it. */
static sm_status read_and_write(struct bytes object, sm_buf *out) {
    sm_elf e;
    sm_stackmap m = {0};
    sm_lines lines = {0};
    sm_stackmap_error err;
    sm_status s = sm_elf_open(&e, object.data, object.len, NULL, 0);
    if (s == SM_OK)
        s = sm_stackmap_of_object(&m, &e, &err);
    if (s == SM_OK)
        s = sm_gcmap_of_object(&m, &e, &err);
    if (s == SM_OK) {
        sm_stackmap_guess_kinds(&m);
        s = sm_stackmap_to_json(&m, out);
    }
    if (s == SM_OK)
        s = sm_stackmap_lines(&lines, &m, &e);
    if (s == SM_OK)
        s = sm_explain(&m, &lines, 0, out);
    sm_lines_free(&lines);
    sm_stackmap_free(&m);
    sm_elf_close(&e);
    return s;
}

static void survives(const char *name) {
    sm_buf all, out;
    struct bytes object = read_file(name);
    sm_buf_init(&all, 1 << 20);
    cr_assert_eq(read_and_write(object, &all), SM_OK);
    long n = 0;
    sm_status s = SM_NOMEM;
    for (; s != SM_OK; n++) {
        sm_buf_init(&out, 1 << 20);
        left = n;
        s = read_and_write(object, &out);
        left = -1;
        cr_assert(s == SM_OK || s == SM_NOMEM, "%s, allocation %ld: %s", name, n, sm_status_name(s));
        cr_assert(s != SM_OK || (out.len == all.len && memcmp(out.data, all.data, all.len) == 0),
                  "%s, allocation %ld: something is missing", name, n);
        sm_buf_free(&out);
    }
    cr_assert_gt(n, 3, "%s has allocations that can fail", name);
    sm_buf_free(&all);
    bytes_free(object);
}

Test(nomem, objects_of_every_kind) {
    survives(SOURCE_DIR "/tests/fuzz/corpus/object/list.x86_64.o");
    survives(SOURCE_DIR "/tests/fuzz/corpus/object/list.so");
    survives(SOURCE_DIR "/tests/fuzz/corpus/object/lines.x86_64.o");
    survives(SOURCE_DIR "/tests/fuzz/corpus/object/lines.aarch64.o");
    survives(SOURCE_DIR "/tests/fuzz/corpus/object/statepoint-operands.aarch64.o");
    survives(SOURCE_DIR "/tests/fuzz/corpus/object/erlang.x86_64.o");
    survives(SOURCE_DIR "/tests/fuzz/corpus/object/ocaml.so");
    survives(SOURCE_DIR "/tests/fuzz/corpus/object/shadow-stack.aarch64.o");
    survives(SOURCE_DIR "/tests/fuzz/corpus/object/shadow-stack.so");
}

/* The defaults of options are read once, whatever memory there is then: every compile begins with them. */
Test(nomem, defaults_of_options) {
    sm_options o;
    sm_buf text;
    left = 0;
    sm_options_init(&o);
    left = -1;
    sm_buf_init(&text, 8192);
    cr_assert_eq(sm_options_text(&o, 1, &text), SM_OK);
    size_t rows;
    const sm_option_row *table = sm_option_table(&rows);
    for (size_t i = 0; i < rows; i++) {
        char line[200];
        snprintf(line, sizeof line, "%s=%s\n", table[i].name, table[i].dflt);
        cr_expect(!table[i].keyed || strstr(sm_buf_cstr(&text), line), "%s", line);
    }
    sm_buf_free(&text);
}
