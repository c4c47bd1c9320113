/* What a worker may use at most: memory, processor time, output. Each limit has a code of its own, and the next
 * request is well. The limits are the sandbox's, in which a sanitizer's runtime cannot live. */
#include "http.h"
#include "modules.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

TestSuite(limits, .timeout = 600);

static const char fine[] = "define i32 @f(i32 %x) {\n  ret i32 %x\n}\n";

/* Vectors that are split into thousands of instructions each, in so many functions, with so many of them in each. */
static struct bytes hungry_module(int functions, int vectors, int lanes) {
    struct bytes b = {malloc((size_t)functions * ((size_t)vectors * 200 + 60) + 1), 0};
    cr_assert_not_null(b.data);
    for (int f = 0; f < functions; f++) {
        b.len += (size_t)sprintf((char *)b.data + b.len, "define void @f%d(ptr %%p) {\n", f);
        for (int i = 0; i < vectors; i++)
            b.len += (size_t)sprintf(
                (char *)b.data + b.len,
                "  %%v%1$d = load <%2$d x i64>, ptr %%p\n  %%w%1$d = mul <%2$d x i64> %%v%1$d, %%v%1$d\n  "
                "store volatile <%2$d x i64> %%w%1$d, ptr %%p\n",
                i, lanes);
        b.len += (size_t)sprintf((char *)b.data + b.len, "  ret void\n}\n");
    }
    return b;
}

/* A module that reaches a limit is refused with this code and these words, and the daemon serves on. */
static void assert_limit(const char *const *flags, const char *path, struct bytes module, int http, const char *code,
                         const char *words) {
    struct daemon d = daemon_start(flags);
    struct answer a = ask(&d, (struct ask){.path = path, .body = module.data, .len = module.len});
    assert_problem(&a, http, code);
    cr_assert(strstr(member(&a, "detail"), words), "%s", member(&a, "detail"));
    answer_free(a);
    a = post(&d, "/v1/compile", fine);
    cr_assert_eq(a.http, 200, "%d %s", a.http, a.body.data ? (char *)a.body.data : "");
    answer_free(a);
    daemon_stop(&d);
}

Test(limits, memory_has_a_code) {
    struct bytes hungry = hungry_module(1, 400, 4096);
    assert_limit((const char *const[]){"--worker-memory-mib", "128", NULL}, "/v1/compile?opt=1&deadline_ms=600000",
                 hungry, 500, "out_of_memory", "more than the 128 MiB of memory that it may have in the stage '");
    bytes_free(hungry);
}

/* What the compiler itself allocates ends the process as LLVM's allocations do: here the copy of the text with a data
 * layout before it. */
Test(limits, memory_for_the_input_has_the_same_code) {
    struct bytes large = {malloc(48u << 20), 48u << 20};
    cr_assert_not_null(large.data);
    memset(large.data, '\n', large.len);
    assert_limit((const char *const[]){"--worker-memory-mib", "96", NULL}, "/v1/compile?deadline_ms=600000", large,
                 500, "out_of_memory", "more than the 96 MiB of memory that it may have");
    bytes_free(large);
}

/* The limit is the process's, whichever of its threads reaches it. */
Test(limits, memory_that_ends_in_a_part_has_its_code) {
    struct bytes hungry = hungry_module(200, 6, 2048);
    assert_limit((const char *const[]){"--workers", "2", "--worker-memory-mib", "160", NULL},
                 "/v1/compile?split=auto&deadline_ms=600000", hungry, 500, "out_of_memory",
                 "can raise worker_memory_mib");
    bytes_free(hungry);
}

Test(limits, processor_time_has_a_code) {
    struct bytes endless = module_endless_large();
    assert_limit((const char *const[]){"--worker-cpu-s", "1", NULL}, "/v1/compile?opt=1&deadline_ms=600000", endless,
                 500, "cpu_limit", "more than the 1 s of CPU time");
    bytes_free(endless);
}

Test(limits, output_has_a_code) {
    static char large[] = "define void @f() {\n  call void asm sideeffect \".zero 3000000\", \"\"()\n  ret void\n}\n";
    assert_limit((const char *const[]){"--max-output-mib", "1", NULL}, "/v1/compile?opt=1",
                 (struct bytes){(unsigned char *)large, sizeof large - 1}, 422, "output_too_large", "larger");
}
