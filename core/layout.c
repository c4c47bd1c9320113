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

/* 1 if address space NUMBER is in one of the layout's lists of non-integral spaces, "ni:4:1". */
static int says_non_integral(const char *layout, unsigned number) {
    for (const char *spec = layout; spec; spec = strchr(spec, '-'), spec = spec ? spec + 1 : NULL) {
        size_t len = strcspn(spec, "-");
        if (strncmp(spec, "ni:", 3) != 0)
            continue;
        for (const char *space = spec + 2; space && space < spec + len; space = strchr(space + 1, ':'))
            if (strtoul(space + 1, NULL, 10) == number)
                return 1;
    }
    return 0;
}

/* 1 if the layout gives pointers of address space NUMBER a size, by a part "pN:...". */
static int says_width(const char *layout, unsigned number) {
    char word[16];
    int n = snprintf(word, sizeof word, "p%u:", number);
    for (const char *spec = layout; spec; spec = strchr(spec, '-'), spec = spec ? spec + 1 : NULL)
        if (strncmp(spec, word, (size_t)n) == 0)
            return 1;
    return 0;
}

/* 1 if address space NUMBER is one of compressed references. */
static int is_named(const struct compile *c, unsigned number) {
    for (size_t i = 0; i < c->spaces; i++)
        if (c->space[i].number == number)
            return 1;
    return 0;
}

/* Fails if the module's data layout differs from the target's in byte order or in a pointer size: code generation
 * goes by the target's, and what was computed by another would be wrong. Spaces of compressed references have 4
 * bytes. */
static sm_status check_layout(struct compile *c) {
    enum { SPACES = 255, COMPRESSED = 4 };
    const char *layout = LLVMGetDataLayoutStr(c->module);
    LLVMTargetDataRef own = LLVMGetModuleDataLayout(c->module), target = LLVMCreateTargetDataLayout(c->machine);
    sm_status s = SM_OK;
    if (LLVMByteOrder(own) != LLVMByteOrder(target))
        s = fail(c, SM_INVALID_MODULE, NULL, "The data layout has another order of bytes than the target");
    for (unsigned space = 0; s == SM_OK && space < SPACES; space++) {
        unsigned wanted = is_named(c, space) ? COMPRESSED : LLVMPointerSizeForAS(target, space);
        if (LLVMPointerSizeForAS(own, space) != wanted && (!is_named(c, space) || says_width(layout, space)))
            s = fail(c, SM_INVALID_MODULE, NULL,
                     "By the data layout pointers of address space %u have %u bytes; %s they have %u%s", space,
                     LLVMPointerSizeForAS(own, space), is_named(c, space) ? "by the option spaces" : "on the target",
                     wanted,
                     wanted == 8 && LLVMPointerSizeForAS(own, space) == COMPRESSED && space > 1
                         ? ", unless they are compressed references (the option spaces, or a profile's)"
                         : "");
    }
    LLVMDisposeTargetData(target);
    return s;
}

/* Reads the compile's address spaces, checks the module's data layout, and makes spaces of references non-integral
 * and those of compressed ones 32 bits wide. Requires strategies; the new layout, if it differs, is in C->layout. */
sm_status stage_layout(struct compile *c) {
    assert(c->form == FORM_VERIFIED);
    const char *layout = LLVMGetDataLayoutStr(c->module);
    int references = has_statepoints(c);
    sm_buf all;
    sm_status s = spaces_read(c);
    if (s == SM_OK && (c->module_layout || c->spaces) && (references || c->spaces))
        s = check_layout(c); /* a module without a layout has got the target's */
    if (s != SM_OK)
        return s;
    sm_buf_init(&all, strlen(layout) + 256);
    sm_buf_puts(&all, layout);
    if (references && !says_non_integral(layout, 1))
        sm_buf_puts(&all, all.len ? "-ni:1" : "ni:1");
    for (size_t i = 0; i < c->spaces; i++) {
        unsigned number = c->space[i].number;
        if (!says_width(layout, number))
            sm_buf_printf(&all, "%sp%u:32:32", all.len ? "-" : "", number);
        if (!says_non_integral(layout, number))
            sm_buf_printf(&all, "-ni:%u", number);
    }
    if (all.status != SM_OK)
        s = fail(c, SM_NOMEM, NULL, "Out of memory");
    else if (strcmp(sm_buf_cstr(&all), layout) != 0 && (c->layout = strdup(sm_buf_cstr(&all))) == NULL)
        s = fail(c, SM_NOMEM, NULL, "Out of memory");
    if (s == SM_OK && c->layout)
        LLVMSetDataLayout(c->module, c->layout);
    sm_buf_free(&all);
    return s;
}
