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
#include "base.h"
#include "compressed_input.h"
#include "deviations.h"
#include "encoded.h"
#include "ir.h"
#include "llvm19.h"
#include "memory.h"
#include "reference_layout.h"
#include "roots.h"

#include <assert.h>
#include <llvm-c/IRReader.h>
#include <llvm-c/Target.h>
#include <stdlib.h>
#include <string.h>

struct narrowing {
    struct compile *c;
    const char *at;
    sm_buf out;
    int nulls;   /* boolean: "null" on this line is one of them */
    int changed; /* boolean: there was one */
};

/* 1 if the character can be in a word or unquoted name of IR text. */
static int is_narrowed_word(char ch) {
    return (ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z') || (ch >= '0' && ch <= '9') || ch == '_' ||
           ch == '.' || ch == '$' || ch == '-';
}

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

/* Copies a string in quotes; quotes inside are written as numbers. */
static void copy_string(struct narrowing *n) {
    const char *end = strchr(n->at + 1, '"');
    size_t len = end ? (size_t)(end + 1 - n->at) : strlen(n->at);
    sm_buf_put(&n->out, n->at, len);
    n->at += len;
}

/* Copies the rest of the line, a comment. */
static void copy_line(struct narrowing *n) {
    size_t len = strcspn(n->at, "\n");
    sm_buf_put(&n->out, n->at, len);
    n->at += len;
}

/* 1 if the LEN bytes at WORD are OTHER. */
static int word_is(const char *word, size_t len, const char *other) {
    return len == strlen(other) && memcmp(word, other, len) == 0;
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

/* Copies one word, or writes what takes its place: i32 for a compressed reference's type, 0 for its null, bitcast
 * for its ptrtoint and inttoptr. */
static void copy_word(struct narrowing *n) {
    const char *word = n->at;
    size_t type = narrowed_type_at(n->c, word), len = 0;
    if (type) {
        n->changed = 1;
        sm_buf_puts(&n->out, "i32");
        n->at += type;
        if (strncmp(n->at, " null", 5) == 0 && !is_narrowed_word(n->at[5])) {
            sm_buf_puts(&n->out, " 0");
            n->at += 5;
        }
        return;
    }
    while (is_narrowed_word(word[len]))
        len++;
    n->at += len;
    if (word_is(word, len, "phi"))
        n->nulls = narrowed_type_of_pointer(n->c, n->at, 0) != 0;
    else if (word_is(word, len, "icmp"))
        n->nulls = narrowed_type_of_pointer(n->c, n->at, 1) != 0;
    if (word_is(word, len, "null") && n->nulls)
        sm_buf_puts(&n->out, "0");
    else if ((word_is(word, len, "ptrtoint") && narrowed_type_of_pointer(n->c, n->at, 0)) ||
             (word_is(word, len, "inttoptr") && casts_to_one(n->c, n->at)))
        sm_buf_puts(&n->out, "bitcast");
    else
        sm_buf_put(&n->out, word, len);
}

/* Copies a name, which begins with %, @, $ or !, as it is: it may look like a word. */
static void copy_name(struct narrowing *n) {
    sm_buf_put(&n->out, n->at++, 1);
    if (*n->at == '"')
        copy_string(n);
    else
        for (; is_narrowed_word(*n->at); n->at++)
            sm_buf_put(&n->out, n->at, 1);
}

/* Copies the module's text, with integers in the place of compressed references. */
static void copy_all(struct narrowing *n) {
    while (*n->at) {
        switch (*n->at) {
        case '"':
            copy_string(n);
            break;
        case ';':
            copy_line(n);
            break;
        case '%':
        case '@':
        case '$':
        case '!':
            copy_name(n);
            break;
        case '\n':
            n->nulls = 0;
            sm_buf_put(&n->out, n->at++, 1);
            break;
        default:
            if (is_narrowed_word(*n->at))
                copy_word(n);
            else
                sm_buf_put(&n->out, n->at++, 1);
        }
    }
}

/* Parses TEXT and makes it the compile's module in the place of the old one. SM_CANNOT_REWRITE if LLVM does not
 * read it. */
static sm_status read_again_narrowed(struct compile *c, const sm_buf *text) {
    char *message = NULL;
    LLVMModuleRef module;
    LLVMMemoryBufferRef buffer =
        LLVMCreateMemoryBufferWithMemoryRangeCopy((const char *)text->data, text->len, c->options->name);
    if (LLVMParseIRInContext(c->context, buffer, &module, &message)) {
        sm_status s =
            fail(c, SM_CANNOT_REWRITE, NULL, "The compressed references cannot be made integers: %s", message);
        LLVMDisposeMessage(message);
        return s;
    }
    LLVMDisposeModule(c->module);
    c->module = module;
    return SM_OK;
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

/* Prints the module, replaces compressed references by i32, and reads it again if that changed anything. Globals'
 * roots are noted before, as only types say which those are. */
static sm_status narrow(struct compile *c) {
    char *text = LLVMPrintModuleToString(c->module);
    struct narrowing n = {.c = c, .at = text};
    sm_buf_init(&n.out, strlen(text) + 4096);
    copy_all(&n);
    xstatus(n.out.status); /* the text only becomes shorter */
    sm_status s = SM_OK;
    if (!n.changed || (s = globals_put(c, &c->global_roots)) != SM_OK ||
        (s = read_again_narrowed(c, &n.out)) != SM_OK)
        goto out;
    deviate(c, DEVIATION_NARROWS);
out:
    LLVMDisposeMessage(text);
    sm_buf_free(&n.out);
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
    pads_hide(c);
    s = narrow(c);
    pads_show(c);
    set_layout(c);
    if (has_deviated(c, DEVIATION_NARROWS)) {
        c->page = page_name ? LLVMGetNamedGlobal(c->module, page_name) : NULL;
        regions_forget(c);
    }
    free(page_name);
    return s;
}
