/* compressed_to_i32.c - compressed references become integers of 32 bits, in the entire module: what code generation
 * knows.
 *
 * Their types are everywhere (in functions' types, in structs, in constants), and LLVM's C API changes no type of
 * anything. So the module is printed, and read again with i32 in the place of each such pointer; LLVM's reader
 * renames the intrinsics. What LLVM says of pointers only has been taken away before (compressed_input.c), so that
 * the words below are all that differ:
 *
 *     ptr addrspace(2)                        i32
 *     null, of such a type                    0
 *     ptrtoint, inttoptr from and to i32      bitcast from i32 to i32
 *
 * Requires the rewritten module, with nothing of compressed_slots.c left to do; values and blocks are others after
 * it.
 */
#include "compressed_input.h"
#include "deviations.h"
#include "encoded.h"
#include "ir.h"
#include "llvm19.h"
#include "module_text.h"
#include "reference_layout.h"
#include "roots.h"

#include <llvm-c/Target.h>

/* Of one line of the module's text. */
struct narrowing {
    struct compile *c;
    int nulls; /* boolean: "null" on this line is one of them */
};

/* The length of the text of a compressed reference's type at P; 0 if P is at anything else. */
static size_t narrowed_type_at(const struct compile *c, const char *p) {
    static const char word[] = "ptr addrspace(";
    char *end;
    if (strncmp(p, word, sizeof word - 1) != 0)
        return 0;
    unsigned long number = strtoul(p + sizeof word - 1, &end, 10);
    for (size_t i = 0; i < c->spaces; i++)
        if (c->space[i].number == number && *end == ')')
            return (size_t)(end + 1 - p);
    return 0;
}

/* The length of a compressed reference's type, on this line, after the word that ends at P and WORDS further
 * words; 0 if there is none. */
static size_t narrowed_type_of_pointer(const struct compile *c, const char *p, int words) {
    for (p += *p == ' '; words; words--) {
        p += strcspn(p, " \n");
        p += *p == ' ';
    }
    return narrowed_type_at(c, p);
}

/* 1 if the rest of the line has " to " and then a compressed reference's type. */
static int casts_to_one(const struct compile *c, const char *p) {
    const char *end = p + strcspn(p, "\n");
    for (; p < end; p++)
        if (strncmp(p, " to ", 4) == 0)
            return narrowed_type_at(c, p + 4) != 0;
    return 0;
}

/* Writes what takes the place of a word: i32 for a compressed reference's type, 0 for its null, bitcast for its
 * ptrtoint and inttoptr. */
static size_t narrow_word(void *user, const char *word, size_t len, sm_buf *out) {
    struct narrowing *n = user;
    const char *end = word + len;
    size_t type = narrowed_type_at(n->c, word);
    if (*word == '\n') {
        n->nulls = 0;
    } else if (type) {
        sm_buf_puts(out, "i32");
        if (strncmp(word + type, " null", 5) != 0 || text_is_word(word[type + 5]))
            return type;
        sm_buf_puts(out, " 0");
        return type + 5;
    }
    if (text_word_is(word, len, "phi"))
        n->nulls = narrowed_type_of_pointer(n->c, end, 0) != 0;
    else if (text_word_is(word, len, "icmp"))
        n->nulls = narrowed_type_of_pointer(n->c, end, 1) != 0;
    if (text_word_is(word, len, "null") && n->nulls)
        sm_buf_puts(out, "0");
    else if ((text_word_is(word, len, "ptrtoint") && narrowed_type_of_pointer(n->c, end, 0)) ||
             (text_word_is(word, len, "inttoptr") && casts_to_one(n->c, end)))
        sm_buf_puts(out, "bitcast");
    else
        return 0;
    return len;
}

/* Gives the module the target's own data layout, with references non-integral, now that the spaces of compressed
 * references are gone. */
static void set_layout(struct compile *c) {
    LLVMTargetDataRef target = LLVMCreateTargetDataLayout(c->machine);
    char *layout = LLVMCopyStringRepOfTargetData(target), all[1024];
    snprintf(all, sizeof all, "%s-ni:1", layout);
    LLVMSetDataLayout(c->module, all);
    LLVMDisposeMessage(layout);
    LLVMDisposeTargetData(target);
}

/* Replaces compressed references by i32. Globals' roots are noted before, as only types say which those are. */
static sm_status narrow(struct compile *c) {
    struct narrowing n = {.c = c};
    sm_status s = globals_put(c, &c->global_roots);
    int changed = 0;
    if (s == SM_OK)
        s = module_reread(c, narrow_word, &n, &changed);
    if (changed)
        deviate(c, DEVIATION_NARROWS);
    else
        c->global_roots.len = 0;
    return s;
}

/* Makes integers of all compressed references, if there are such spaces. Module, values and blocks may be new
 * afterwards. Requires the rewritten module. */
sm_status spaces_narrow(struct compile *c) {
    assert(c->form == FORM_REWRITTEN);
    if (!c->spaces)
        return SM_OK;
    spaces_strip(c);
    sm_status s = spaces_check(c);
    if (s != SM_OK)
        return s;
    char *page_name = c->page ? xstrdup(value_name(c->page)) : NULL;
    pads_hide(c, 1);
    s = narrow(c);
    pads_hide(c, 0);
    set_layout(c);
    if (has_deviated(c, DEVIATION_NARROWS)) {
        c->page = page_name ? LLVMGetNamedGlobal(c->module, page_name) : NULL;
        regions_forget(c);
    }
    free(page_name);
    return s;
}
