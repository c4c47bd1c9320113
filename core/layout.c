/* layout.c - references are no integers, and the data layout says so.
 *
 * LLVM's optimiser may load or carry a pointer as an integer of its size, unless the layout calls the address space
 * non-integral ("ni", LangRef). An integer that is a reference is no root. So modules with statepoints get the
 * address space of their strategies, beside others of their own. Code generation sets the target's layout again.
 */
#include "core.h"

#include <assert.h>
#include <llvm-c/Target.h>
#include <stdlib.h>
#include <string.h>

#define NON_INTEGRAL "-ni:1" /* the references of statepoint-example and coreclr are in address space 1 */

/* "…-ni:4:1-…": lists of address spaces, each list behind its "ni". */
static int says_non_integral(const char *layout) {
    for (const char *spec = layout; spec; spec = strchr(spec, '-'), spec = spec ? spec + 1 : NULL) {
        size_t len = strcspn(spec, "-");
        if (strncmp(spec, "ni:", 3) != 0)
            continue;
        for (const char *space = spec + 2; space && space < spec + len; space = strchr(space + 1, ':'))
            if (strtoul(space + 1, NULL, 10) == 1)
                return 1;
    }
    return 0;
}

/* Code generation goes by the target's layout, and what was computed by another before would be wrong in it. */
static sm_status check_layout(struct compile *c) {
    LLVMTargetDataRef own = LLVMGetModuleDataLayout(c->module), target = LLVMCreateTargetDataLayout(c->machine);
    sm_status s = SM_OK;
    if (LLVMByteOrder(own) != LLVMByteOrder(target))
        s = fail(c, SM_INVALID_MODULE, NULL, "The data layout has another order of bytes than the target");
    for (unsigned space = 0; s == SM_OK && space < 2; space++)
        if (LLVMPointerSizeForAS(own, space) != LLVMPointerSizeForAS(target, space))
            s = fail(c, SM_INVALID_MODULE, NULL,
                     "By the data layout pointers of address space %u have %u bytes; on the target they have %u",
                     space, LLVMPointerSizeForAS(own, space), LLVMPointerSizeForAS(target, space));
    LLVMDisposeTargetData(target);
    return s;
}

/* Requires strategies. */
sm_status stage_layout(struct compile *c) {
    assert(c->form == FORM_VERIFIED);
    const char *layout = LLVMGetDataLayoutStr(c->module);
    sm_status s = has_statepoints(c) ? check_layout(c) : SM_OK;
    if (s != SM_OK || !has_statepoints(c) || says_non_integral(layout))
        return s;
    size_t size = strlen(layout) + sizeof NON_INTEGRAL;
    c->layout = malloc(size);
    if (!c->layout)
        return fail(c, SM_NOMEM, NULL, "Out of memory");
    snprintf(c->layout, size, "%s%s", layout, &NON_INTEGRAL[layout[0] == 0]);
    LLVMSetDataLayout(c->module, c->layout);
    return SM_OK;
}
