/* moved_spaces.c - references of a library's strategy that are pointers of other address spaces than 1.
 *
 * All of smd, and what it knows of LLVM, has references in space 1. So where the strategy of a module has them elsewhere,
 * the spaces change places, before anything else looks at them: each of the strategy's becomes 1, and if 1 is none of
 * them, it becomes the strategy's first one. After the rewrite 1 and that one change back, for code generation, which
 * asks the strategy, and for the IR that is emitted. A cast from one of the spaces to another one is none in between.
 *
 * LLVM's rewrite asks the function's strategy which pointers are references. So functions have a built-in one
 * meanwhile. All that have statepoints have to be of one strategy.
 */
#include "deviations.h"
#include "encoded.h"
#include "ir.h"
#include "llvm19.h"
#include "module_text.h"
#include "reference_layout.h"

enum { REFERENCES = 1 };

/* 1 if pointers of the space are references by the module's strategy. */
static int is_moved(const struct compile *c, unsigned long number) {
    return number <= SPACE_MAX && c->moved.spaces[number / 8] >> number % 8 & 1;
}

/* The number of the space that takes the place of this one. */
static unsigned long moved_number(const struct compile *c, unsigned long number) {
    if (number == REFERENCES)
        return c->moved.home;
    if (c->moved.is_back)
        return number == c->moved.home ? REFERENCES : number;
    return is_moved(c, number) ? REFERENCES : number;
}

/* The address space of the type at P, "ptr addrspace(3)" or a vector of these; 0 if it is none. */
static unsigned long space_at(const char *p) {
    static const char pointer[] = "ptr addrspace(";
    p += strspn(p, " (<0123456789xvscale");
    return strncmp(p, pointer, sizeof pointer - 1) == 0 ? strtoul(p + sizeof pointer - 1, NULL, 10) : 0;
}

/* The type behind the " to " of the cast whose operand begins at P; NULL if there is none. Casts among the operands have
 * one of their own, in parentheses. */
static const char *cast_type(const char *p) {
    int depth = 0;
    for (p += *p == ' ', p += *p == '('; *p && *p != '\n'; p++) {
        const char *end = *p == '"' ? strchr(p + 1, '"') : NULL;
        p = end ? end : p;
        depth += *p == '(' ? 1 : *p == ')' ? -1 : 0;
        if (depth == 0 && strncmp(p, " to ", 4) == 0)
            return p + 4;
    }
    return NULL;
}

/* Writes the number that takes the place of an address space's, and bitcast for a cast between two that become one. */
static size_t move_word(void *user, const char *word, size_t len, sm_buf *out) {
    const struct compile *c = user;
    if (text_word_is(word, len, "addrspace") && word[len] == '(') {
        char *end;
        unsigned long number = strtoul(word + len + 1, &end, 10);
        if (*end != ')' || moved_number(c, number) == number)
            return 0;
        sm_buf_printf(out, "addrspace(%lu)", moved_number(c, number));
        return (size_t)(end + 1 - word);
    }
    const char *to = text_word_is(word, len, "addrspacecast") && !c->moved.is_back ? cast_type(word + len) : NULL;
    if (!to || !is_moved(c, space_at(word + len)) || !is_moved(c, space_at(to)))
        return 0;
    sm_buf_puts(out, "bitcast");
    return len;
}

/* Writes the parts "pN:...", "ni:N:..." and the like of the data layout with the numbers that take the places of
 * theirs. */
static void move_layout(struct compile *c) {
    const char *layout = LLVMGetDataLayoutStr(c->module);
    sm_buf out;
    sm_buf_init(&out, 2 * strlen(layout) + 64);
    for (const char *at = layout; *at;) {
        size_t len = strcspn(at, "-"), has_numbers = strncmp(at, "ni:", 3) == 0;
        const char *end = at + len;
        int one = (*at == 'p' || *at == 'A' || *at == 'P' || *at == 'G') && at[1] >= '0' && at[1] <= '9';
        size_t head = has_numbers ? 2 : 1;
        sm_buf_put(&out, at, one || has_numbers ? head : len);
        for (at += one || has_numbers ? head : len; at < end && (has_numbers || one);) {
            char *rest;
            if (has_numbers)
                sm_buf_put(&out, at++, 1);
            sm_buf_printf(&out, "%lu", moved_number(c, strtoul(at, &rest, 10)));
            at = rest;
            one = 0;
        }
        sm_buf_put(&out, at, (size_t)(end - at));
        at = end;
        if (*at)
            sm_buf_put(&out, at++, 1);
    }
    LLVMSetDataLayout(c->module, sm_buf_cstr(&out));
    sm_buf_free(&out);
}

/* Gives all functions whose strategy has statepoints the strategy NAME. */
static void rename_strategy(struct compile *c, const char *name) {
    for (LLVMValueRef f = LLVMGetFirstFunction(c->module); f; f = LLVMGetNextFunction(f))
        if (function_has_statepoints(f))
            LLVMSetGC(f, name);
}

/* Notes in C->moved the strategy whose references are elsewhere, if there is one. Fails if another one has
 * statepoints, too. */
static sm_status find_strategy_moved(struct compile *c) {
    LLVMValueRef other = NULL;
    for (LLVMValueRef f = LLVMGetFirstFunction(c->module); f; f = LLVMGetNextFunction(f)) {
        const char *gc = LLVMIsDeclaration(f) ? NULL : LLVMGetGC(f);
        if (!is_statepoint_gc(gc))
            continue;
        if (gc_spaces(gc) && !c->moved.spaces) {
            c->moved.spaces = gc_spaces(gc);
            snprintf(c->moved.gc, sizeof c->moved.gc, "%s", gc);
        }
    }
    for (LLVMValueRef f = c->moved.spaces ? LLVMGetFirstFunction(c->module) : NULL; f && !other;
         f = LLVMGetNextFunction(f)) {
        const char *gc = LLVMIsDeclaration(f) ? NULL : LLVMGetGC(f);
        other = is_statepoint_gc(gc) && strcmp(gc, c->moved.gc) != 0 ? f : NULL;
    }
    return other ? fail(c, SM_GC_MISMATCH, other,
                        "Strategy \"%s\" has references in other address spaces than strategy \"%s\" of this "
                        "function, or not in space 1 alone: compile them in modules of their own",
                        c->moved.gc, LLVMGetGC(other))
                 : SM_OK;
}

/* Fails if a space of the strategy, or 1 where that is none of them, is one of compressed references. */
static sm_status check_compressed(struct compile *c) {
    for (size_t i = 0; i < c->spaces; i++)
        if (is_moved(c, c->space[i].number))
            return fail_option(c, SM_INVALID_OPTION, "spaces", NULL,
                               "spaces: pointers of address space %u are whole references of strategy \"%s\"",
                               c->space[i].number, c->moved.gc);
    return SM_OK;
}

sm_status spaces_move(struct compile *c) {
    int changed;
    sm_status s = find_strategy_moved(c);
    if (s != SM_OK || !c->moved.spaces)
        return s;
    c->moved.home = REFERENCES;
    for (unsigned n = SPACE_MAX; n && !is_moved(c, REFERENCES); n--)
        c->moved.home = is_moved(c, n) ? n : c->moved.home;
    s = check_compressed(c);
    if (s != SM_OK)
        return s;
    if (c->final) { /* all is behind the rewrite */
        reference_space = c->moved.home;
        return SM_OK;
    }
    deviate(c, DEVIATION_MOVES_SPACES);
    move_layout(c);
    s = module_reread(c, move_word, c, &changed);
    if (s == SM_OK)
        rename_strategy(c, "statepoint-example");
    return s;
}

sm_status spaces_move_back(struct compile *c) {
    int changed;
    if (!c->moved.spaces)
        return SM_OK;
    char *page_name = c->page ? xstrdup(value_name(c->page)) : NULL;
    c->moved.is_back = 1;
    pads_hide(c, 1);
    move_layout(c);
    sm_status s = module_reread(c, move_word, c, &changed);
    pads_hide(c, 0);
    if (s == SM_OK) {
        rename_strategy(c, c->moved.gc);
        reference_space = c->moved.home;
        c->page = page_name ? LLVMGetNamedGlobal(c->module, page_name) : NULL;
        regions_forget(c);
    }
    free(page_name);
    return s;
}
