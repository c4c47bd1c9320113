/* worker.c - see worker.h. */
#include "worker.h"

#include "compiler.h"
#include "status.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const targets[] = {"x86_64-linux-gnu", "aarch64-linux-gnu"};

struct compiled compile(const char *ir, const char *options, const char *target) {
    char words[1024];
    struct compiled c;
    snprintf(words, sizeof words, "target=%s %s", target, options);
    c.bytes = compiler_run(words, ir, strlen(ir));
    cr_assert_eq(sm_artifact_read(c.bytes.data, c.bytes.len, &c.artifact), SM_OK);
    for (int i = 0; i < SM_PART_KINDS; i++)
        c.text[i] = strndup(c.artifact.part[i].data ? (char *)c.artifact.part[i].data : "", c.artifact.part[i].len);
    return c;
}

void drop(struct compiled *c) {
    for (int i = 0; i < SM_PART_KINDS; i++)
        free(c->text[i]);
    bytes_free(c->bytes);
}

size_t count(const char *text, const char *what) {
    size_t n = 0;
    for (const char *p = text; (p = strstr(p, what)); p++)
        n++;
    return n;
}

void has(const char *ir, const char *options, enum sm_part part, const char *what, size_t times) {
    for (int i = 0; i < 2; i++) {
        struct compiled c = compile(ir, options, targets[i]);
        cr_assert_eq(c.artifact.status, SM_OK, "%s %s: %s", targets[i], options, c.text[SM_PART_DIAGNOSTICS]);
        size_t found = count(c.text[part], what);
        cr_assert_eq(found, times, "%s %s: %s is there %zu times, not %zu, in\n%s", targets[i], options, what, found,
                     times, c.text[part]);
        drop(&c);
    }
}

void refuses(const char *ir, const char *options, sm_status status, const char *hint) {
    for (int i = 0; i < 2; i++) {
        struct compiled c = compile(ir, options, targets[i]);
        cr_assert_eq(c.artifact.status, status, "%s %s: %s", options, sm_status_name(c.artifact.status),
                     c.text[SM_PART_DIAGNOSTICS]);
        cr_assert(strstr(c.text[SM_PART_DIAGNOSTICS], hint), "'%s' is not in %s", hint, c.text[SM_PART_DIAGNOSTICS]);
        drop(&c);
    }
}
