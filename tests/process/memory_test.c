/* Memory that runs out in the compiler ends the process, with words by which smd knows the ending: never an answer that
 * lacks something. The linker puts the allocators below in the place of malloc and its like in core and proto; LLVM has
 * its own. Compiles are made in children of this process, where the n-th allocation fails. */
#include "base.h"
#include "core.h"
#include "files.h"
#include "memory.h"
#include "target.h"

#include <criterion/criterion.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void *__real_reallocarray(void *old, size_t count, size_t size);
char *__real_strdup(const char *s);
char *__real_strndup(const char *s, size_t n);
int __real_vasprintf(char **out, const char *fmt, va_list ap);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);
void *__wrap_reallocarray(void *old, size_t count, size_t size);
char *__wrap_strdup(const char *s);
char *__wrap_strndup(const char *s, size_t n);
int __wrap_vasprintf(char **out, const char *fmt, va_list ap);

static long left = -1; /* allocations until one fails; negative: none does */
static long made;

static int fails(void) {
    made++;
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

void *__wrap_reallocarray(void *old, size_t count, size_t size) {
    return fails() ? NULL : __real_reallocarray(old, count, size);
}

char *__wrap_strdup(const char *s) {
    return fails() ? NULL : __real_strdup(s);
}

char *__wrap_strndup(const char *s, size_t n) {
    return fails() ? NULL : __real_strndup(s, n);
}

int __wrap_vasprintf(char **out, const char *fmt, va_list ap) {
    return fails() ? -1 : __real_vasprintf(out, fmt, ap);
}

/* What a child leaves behind. */
struct outcome {
    long made;
    sm_status status;
    size_t len;
    unsigned char digest[8];
};

static struct outcome *outcome; /* shared with the children */

/* A sum of the artifact's bytes. */
static void sum(const sm_buf *b, unsigned char out[8]) {
    uint64_t h = 1469598103934665603u;
    for (size_t i = 0; i < b->len; i++)
        h = (h ^ b->data[i]) * 1099511628211u;
    memcpy(out, &h, sizeof h);
}

/* Compiles in a child in which allocation N fails (-1: none does); its wait status. */
static int compile_with(const sm_options *options, struct bytes module, long n) {
    *outcome = (struct outcome){0};
    capture_reset();
    dprintf(STDERR_FILENO, "%040d", 0);
    capture_reset();
    pid_t child = fork();
    cr_assert_geq(child, 0);
    if (child == 0) {
        sm_buf out;
        sm_timings timings;
        struct compile *rest;
        struct reuse reuse;
        sm_buf_init(&out, (size_t)1 << 28);
        reuse_begin(&reuse, (sm_slice){(const unsigned char *)"", 0}, (sm_slice){(const unsigned char *)"", 0});
        left = n;
        made = 0;
        outcome->status = compile_run(options, (sm_slice){(const unsigned char *)"", 0}, (const char *)module.data,
                                      module.len, &reuse, &out, &timings, &rest);
        left = -1;
        outcome->made = made;
        outcome->len = out.len;
        sum(&out, outcome->digest);
        _exit(0);
    }
    int status;
    cr_assert_eq(waitpid(child, &status, 0), child);
    return status;
}

#define EXAMPLE(name) SOURCE_DIR "/docs/examples/" name ".ll"

static const struct {
    const char *file, *options;
} cases[] = {
    {EXAMPLE("scoped"), "safepoints=none\nemit=obj,ir,asm,disasm,stages,remarks,links\n"},
    {EXAMPLE("tags"), "safepoints=none\nopt=2\n"},
    {EXAMPLE("compressed"), "safepoints=none\nopt=2\n"},
    {EXAMPLE("transitions"), "safepoints=none\nopt=2\n"},
    {EXAMPLE("stacks"), "safepoints=none\nopt=2\n"},
    {EXAMPLE("barriers"), "safepoints=none\nopt=2\n"},
};

/* With each of its allocations failing, the compile ends the process and says why. */
static void ends_where_memory_ends(const char *name, const char *settings) {
    static const char words[] = "LLVM ERROR: out of memory\n";
    char said[sizeof words] = "";
    sm_options options;
    struct bytes module = read_file(name);
    cr_assert_eq(sm_options_parse(&options, settings, strlen(settings), NULL), SM_OK);
    cr_assert_eq(compile_with(&options, module, -1), 0);
    struct outcome all = *outcome;
    cr_assert_eq(all.status, SM_OK);
    cr_assert_gt(all.len, 1000, "%s is no success: %zu bytes", name, all.len);
    cr_assert_gt(all.made, 50, "%s: %ld allocations", name, all.made);
    for (long n = 0; n < all.made; n++) {
        int status = compile_with(&options, module, n);
        cr_assert(WIFEXITED(status) && WEXITSTATUS(status) == EXIT_LLVM_ERROR,
                  "%s, allocation %ld of %ld: wait status %d, an artifact of %zu bytes instead of %zu", name, n,
                  all.made, status, outcome->len, all.len);
        cr_assert_eq(pread(STDERR_FILENO, said, sizeof words - 1, 0), (ssize_t)sizeof words - 1);
        cr_assert_str_eq(said, words);
    }
    bytes_free(module);
}

Test(memory, that_runs_out_ends_the_process, .timeout = 600) {
    outcome = mmap(NULL, sizeof *outcome, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    cr_assert_neq(outcome, MAP_FAILED);
    compiler_init();
    compiler_warm_up();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        ends_where_memory_ends(cases[i].file, cases[i].options);
}
