/* Landing pads that give the exception, beside what llc makes of the answer's IR. */
#include "gc_inputs.h"
#include "worker.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#define PADS                                                                                                         \
    CALLEE "declare i32 @personality(...)\n"                                                                         \
           "define ptr addrspace(1) @f(ptr addrspace(1) %p, i1 %c)" GC "personality ptr @personality {\n"            \
           "entry:\n  br i1 %c, label %a, label %b\na:\n  invoke void @g() to label %x unwind label %pa\n"           \
           "b:\n  invoke void @g() to label %y unwind label %pb\nx:\n"                                               \
           "  invoke void @g() to label %y unwind label %shared\ny:\n"                                               \
           "  invoke void @g() to label %z unwind label %shared\nz:\n  ret ptr addrspace(1) %p\n"                    \
           "pa:\n  %l = landingpad { ptr, i32 } cleanup\n  br label %out\n"                                          \
           "pb:\n  %m = landingpad { ptr, i32 } cleanup\n  br label %out\nout:\n"                                    \
           "  %r = call ptr addrspace(1) @h(ptr addrspace(1) %p)\n  ret ptr addrspace(1) %p\n"                       \
           "shared:\n  %s = landingpad { ptr, i32 } cleanup\n"                                                       \
           "  %t = call ptr addrspace(1) @h(ptr addrspace(1) %p)\n  store i64 1, ptr addrspace(1) %p\n"              \
           "  resume { ptr, i32 } %s\n}\n"

/* What llc-19 makes of the answer's IR is the answer's object. */
static void is_what_llc_makes(const char *ir, const char *options, const char *target, const char *llc) {
    char all[512], line[1024];
    int status;
    snprintf(all, sizeof all, "%s emit=obj,ir", options);
    struct compiled c = compile(ir, all, target);
    cr_assert_eq(c.artifact.status, SM_OK, "%s %s: %s", target, options, c.text[SM_PART_DIAGNOSTICS]);
    sm_slice object = c.artifact.part[SM_PART_OBJECT];
    snprintf(line, sizeof line, "llc-19 -disable-verify -relocation-model=pic -filetype=obj %s", llc);
    struct bytes made = run_command(line, c.text[SM_PART_IR], strlen(c.text[SM_PART_IR]), &status);
    cr_assert_eq(status, 0, "%s", line);
    cr_expect(made.len == object.len && memcmp(made.data, object.data, made.len) == 0, "%s %s: %s", target, options,
              line);
    bytes_free(made);
    drop(&c);
}

/* Two pads with the same relocations, which AArch64's code generation would like to make one; a handler of two calls,
 * whose pads are joined; a resume. */
Test(statepoints, landing_pads_that_give_the_exception) {
    static const char *const options[] = {NONE "opt=0",
                                          NONE "opt=1",
                                          NONE "opt=2",
                                          NONE "opt=3",
                                          NONE "opt=2 verify=ir",
                                          NONE "opt=2 verify=off",
                                          NONE "opt=1 gc_registers=4"};
    static const char *const llc[] = {
        "-O0",
        "-O1",
        "-O2",
        "-O3",
        "-O2",
        "-O2",
        "-O1 -max-registers-for-gc-values=4 -fixup-allow-gcptr-in-csr -use-registers-for-gc-values-in-landing-pad"};
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        for (int t = 0; t < 2; t++)
            is_what_llc_makes(PADS, options[i], targets[t], llc[i]);
    has(PADS, NONE "opt=0", SM_PART_STACKMAP, "\"callee\":\"h\"", 2);
    has(PADS, NONE "opt=0", SM_PART_STACKMAP, "\"derived\":{", 6);
}
