/* data_layout.c - references are no integers, and the data layout says so.
 *
 * LLVM's optimiser may load or carry a pointer as an integer of its size, unless the layout calls the address space
 * non-integral ("ni", LangRef). An integer that is a reference is no root. So modules with statepoints get the
 * address space of their strategies, beside others of their own. Code generation sets the target's layout again.
 */
#include "ir.h"
#include "strategy.h"

#include <llvm-c/Target.h>

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

/* 1 if something in the module is a pointer of address space NUMBER, which is not 0. Every type that the module uses
 * stands in its text. */
static int is_in_use(const struct compile *c, unsigned number) {
    char word[32];
    snprintf(word, sizeof word, "addrspace(%u)", number);
    char *text = LLVMPrintModuleToString(c->module);
    int result = strstr(text, word) != NULL;
    LLVMDisposeMessage(text);
    return result;
}

/* Fails if pointers of address space NUMBER have another size by the module's data layout OWN than they have in the
 * object: 4 bytes if they are compressed references, else the TARGET's. A space that nothing uses may have any. */
static sm_status check_width(struct compile *c, LLVMTargetDataRef own, LLVMTargetDataRef target, unsigned number) {
    enum { COMPRESSED = 4 };
    unsigned width = LLVMPointerSizeForAS(own, number), named = (unsigned)names_space(c, number);
    unsigned needed = named ? COMPRESSED : LLVMPointerSizeForAS(target, number);
    if (width == needed || (named && !says_width(LLVMGetDataLayoutStr(c->module), number)))
        return SM_OK;
    if (!named && number > 1 && !is_in_use(c, number))
        return SM_OK;
    return fail(c, SM_INVALID_MODULE, NULL,
                "By the data layout pointers of address space %u have %u bytes; %s they have %u%s", number, width,
                named ? "by the option spaces" : "on the target", needed,
                needed == 8 && width == COMPRESSED && number > 1
                    ? ", unless they are compressed references (the option spaces, or a profile's)"
                    : "");
}

/* Checks the address spaces whose pointers LAYOUT gives a size, by parts "pN:..." ("p:..." is space 0). */
static sm_status check_widths(struct compile *c, LLVMTargetDataRef own, LLVMTargetDataRef target,
                              const char *layout) {
    sm_status s = SM_OK;
    for (const char *spec = layout; s == SM_OK && spec; spec = strchr(spec, '-'), spec = spec ? spec + 1 : NULL)
        if (*spec == 'p')
            s = check_width(c, own, target, (unsigned)strtoul(spec + 1, NULL, 10));
    return s;
}

/* Fails if the module's data layout differs from the target's in byte order or in the size of a pointer: code
 * generation goes by the target's, and what was computed by another would be wrong. Spaces of compressed references
 * have 4 bytes. A space that neither layout names has the pointers of space 0. */
static sm_status check_layout(struct compile *c) {
    LLVMTargetDataRef own = LLVMGetModuleDataLayout(c->module), target = LLVMCreateTargetDataLayout(c->machine);
    char *text = LLVMCopyStringRepOfTargetData(target);
    sm_status s;
    if (LLVMByteOrder(own) != LLVMByteOrder(target))
        s = fail(c, SM_INVALID_MODULE, NULL, "The data layout has another order of bytes than the target");
    else if ((s = check_width(c, own, target, 0)) == SM_OK &&
             (s = check_widths(c, own, target, LLVMGetDataLayoutStr(c->module))) == SM_OK)
        s = check_widths(c, own, target, text);
    LLVMDisposeMessage(text);
    LLVMDisposeTargetData(target);
    return s;
}

/* Checks the module's data layout, and makes spaces of references non-integral
 * and those of compressed ones 32 bits wide. Requires strategies; the new layout, if it differs, is in C->layout. */
sm_status stage_layout(struct compile *c) {
    assert(c->form == FORM_VERIFIED);
    const char *layout = LLVMGetDataLayoutStr(c->module);
    int references = has_statepoints(c);
    sm_buf all;
    sm_status s = SM_OK;
    if ((c->module_layout || c->spaces) && (references || c->spaces))
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
    const char *complete = sm_buf_cstr(&all);
    xstatus(all.status);
    if (strcmp(complete, layout) != 0) {
        c->layout = xstrdup(complete);
        LLVMSetDataLayout(c->module, c->layout);
    }
    sm_buf_free(&all);
    return SM_OK;
}
