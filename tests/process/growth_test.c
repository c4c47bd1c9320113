/* A compile's own work grows with the module, and not with its square. What is counted are calls of LLVM's and looks into
 * sets, in core alone: the linker puts the functions below in their place. So no machine's speed matters. */
#include "artifact.h"
#include "core.h"
#include "files.h"
#include "growth.h"
#include "set.h"
#include "target.h"

#include <criterion/criterion.h>
#include <llvm-c/Core.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned long long counted;

#define COUNTED(type, name, parameters, arguments)                                                                   \
    type __real_##name parameters;                                                                                   \
    type __wrap_##name parameters;                                                                                   \
    type __wrap_##name parameters {                                                                                  \
        counted++;                                                                                                   \
        return __real_##name arguments;                                                                              \
    }
COUNTED(LLVMValueRef, LLVMGetNextInstruction, (LLVMValueRef i), (i))
COUNTED(LLVMValueRef, LLVMGetPreviousInstruction, (LLVMValueRef i), (i))
COUNTED(LLVMBasicBlockRef, LLVMGetNextBasicBlock, (LLVMBasicBlockRef b), (b))
COUNTED(LLVMBasicBlockRef, LLVMGetSuccessor, (LLVMValueRef i, unsigned n), (i, n))
COUNTED(LLVMValueRef, LLVMGetOperand, (LLVMValueRef v, unsigned n), (v, n))
COUNTED(LLVMValueRef, LLVMGetIncomingValue, (LLVMValueRef v, unsigned n), (v, n))
COUNTED(LLVMBasicBlockRef, LLVMGetIncomingBlock, (LLVMValueRef v, unsigned n), (v, n))
COUNTED(LLVMValueRef, LLVMGetOperandBundleArgAtIndex, (LLVMOperandBundleRef b, unsigned n), (b, n))
COUNTED(LLVMUseRef, LLVMGetNextUse, (LLVMUseRef u), (u))
COUNTED(LLVMValueRef, LLVMGetUser, (LLVMUseRef u), (u))
COUNTED(LLVMTypeRef, LLVMTypeOf, (LLVMValueRef v), (v))
COUNTED(const char *, LLVMGetValueName2, (LLVMValueRef v, size_t *len), (v, len))
COUNTED(size_t, set_number, (const struct set *s, const void *item), (s, item))

/* How much is counted of a compile of so many ARMS. */
static unsigned long long count_for(const struct growth_shape *s, int arms) {
    static const sm_slice none = {(const unsigned char *)"", 0};
    char settings[200];
    sm_options options;
    sm_buf out;
    sm_timings timings;
    struct compile *rest;
    struct reuse reuse;
    sm_artifact a;
    struct bytes module = growth_module(s, arms);
    snprintf(settings, sizeof settings, "opt=0\n%s", s->options ? s->options : "");
    cr_assert_eq(sm_options_parse(&options, settings, strlen(settings), NULL), SM_OK);
    sm_buf_init(&out, (size_t)1 << 28);
    reuse_begin(&reuse, none, none);
    counted = 0;
    sm_status status =
        compile_run(&options, none, (const char *)module.data, module.len, &reuse, &out, &timings, &rest);
    unsigned long long count = counted;
    cr_assert_eq(status, SM_OK);
    cr_assert_eq(sm_artifact_read(out.data, out.len, &a), SM_OK);
    cr_assert_eq(a.status, SM_OK, "%s: %.*s", s->what, (int)a.part[SM_PART_DIAGNOSTICS].len,
                 (const char *)a.part[SM_PART_DIAGNOSTICS].data);
    compile_free(rest);
    sm_buf_free(&out);
    bytes_free(module);
    return count;
}

/* How much is counted of so many ARMS, over all of which so many values are alive. */
static unsigned long long count_alive(const struct growth_shape *s, int arms, int live) {
    struct growth_shape shape = *s;
    shape.live = live;
    return count_for(&shape, arms);
}

/* What is written of each safepoint grows with the values, and the work no faster. */
Test(growth, twice_the_values_are_twice_the_work, .timeout = 600) {
    enum { ARMS = 40, LIVE = 50 };
    compiler_init();
    compiler_warm_up();
    for (const struct growth_shape *s = growth_shapes; s < growth_shapes + growth_shape_count; s++) {
        if (s->form == GROWTH_QUIET || s->form == GROWTH_BLOCK) /* they have one value, or a safepoint for each */
            continue;
        unsigned long long one = count_alive(s, ARMS, LIVE), two = count_alive(s, ARMS, 2 * LIVE);
        cr_expect(two * 10 <= one * 21, "%s: %llu of %d values, %llu of twice as many", s->what, one, LIVE, two);
    }
}

Test(growth, twice_the_function_is_twice_the_work, .timeout = 600) {
    enum { ARMS = 200 };
    compiler_init();
    compiler_warm_up();
    for (const struct growth_shape *s = growth_shapes; s < growth_shapes + growth_shape_count; s++) {
        unsigned long long one = count_for(s, ARMS), two = count_for(s, 2 * ARMS);
        cr_expect(two * 10 <= one * 21, "%s: %llu of %d arms, %llu of twice as many", s->what, one, ARMS, two);
    }
}
