/* Modules that are too large to be written down. */
#include "compiler.h"
#include "gc_inputs.h"
#include "worker.h"

#include "status.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

/* The module of two functions with COUNT calls, each of another function; processor time in seconds that it takes to
 * compile with this STRATEGY and mark of a root. */
static double seconds_for(size_t count, const char *strategy, const char *mark) {
    char *ir = NULL;
    size_t size;
    FILE *text = open_memstream(&ir, &size);
    cr_assert(text);
    fputs("declare void @llvm.gcroot(ptr, ptr)\n", text);
    for (size_t i = 0; i < count; i++)
        fprintf(text, "declare void @one_of_many_%zu(ptr)\n", i);
    for (int f = 0; f < 2; f++) {
        fprintf(text, "define void @f%d(ptr %%p) %s {\n  %%s = alloca ptr\n%s  store ptr %%p, ptr %%s\n", f, strategy,
                mark);
        for (size_t i = 0; i < count; i++)
            fprintf(text, "  call void @one_of_many_%zu(ptr %%p)\n", i);
        fputs("  ret void\n}\n", text);
    }
    fclose(text);
    double before = compiler_seconds();
    has(ir, NONE "opt=0", SM_PART_STACKMAP, "\"reason\":\"call\",\"callee\":\"one_of_many_7\"", *mark ? 2 : 0);
    free(ir);
    return compiler_seconds() - before;
}

/* What records are there for is looked up, not searched for: twenty thousand calls cost their functions a few times
 * what they cost without records (with linear searches, fifteen times). */
Test(large, reasons_of_many_calls_are_found_fast) {
    double plain = seconds_for(10000, "", ""),
           rooted = seconds_for(10000, "gc \"ocaml\"", "  call void @llvm.gcroot(ptr %s, ptr null)\n");
    cr_assert_lt(rooted, 6 * plain, "%f s with records, %f s without", rooted, plain);
}

/* A chain of calls as deep as this is compiled: nothing goes down it by recursion without an end. */
Test(large, deep_chains_of_calls) {
    enum { DEPTH = 3000 };
    sm_buf ir;
    sm_buf_init(&ir, 1 << 20);
    sm_buf_puts(&ir, "declare void @f3000()\n");
    for (int i = 0; i < DEPTH; i++)
        sm_buf_printf(&ir, "define void @f%d()" GC "{\n  call void @f%d()\n  ret void\n}\n", i, i + 1);
    struct compiled c = compile(sm_buf_cstr(&ir), NONE "opt=0", targets[0]);
    cr_expect_eq(c.artifact.status, SM_OK, "%s", c.text[SM_PART_DIAGNOSTICS]);
    drop(&c);
    sm_buf_free(&ir);
}
