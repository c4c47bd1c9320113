/* module_text.c - see module_text.h. */
#include "module_text.h"
#include "base.h"
#include "memory.h"

#include <llvm-c/IRReader.h>

struct copying {
    const char *at;
    sm_buf out;
    int changed; /* boolean: a word was replaced */
};

/* Copies LEN bytes. */
static void copy(struct copying *t, size_t len) {
    sm_buf_put(&t->out, t->at, len);
    t->at += len;
}

/* Copies a string in quotes; quotes inside are written as numbers. */
static void copy_string(struct copying *t) {
    const char *end = strchr(t->at + 1, '"');
    copy(t, end ? (size_t)(end + 1 - t->at) : strlen(t->at));
}

/* The length of the word at P. */
static size_t word_length(const char *p) {
    size_t len = 0;
    while (text_is_word(p[len]))
        len++;
    return len;
}

/* Copies a name, which begins with %, @, $ or !, as it is: it may look like a word. */
static void copy_name(struct copying *t) {
    copy(t, 1);
    if (*t->at == '"')
        copy_string(t);
    else
        copy(t, word_length(t->at));
}

/* Copies a word or the end of a line, or what takes its place. */
static void copy_word(struct copying *t, text_word *word, void *user) {
    size_t len = *t->at == '\n' ? 1 : word_length(t->at), taken = word(user, t->at, len, &t->out);
    if (!taken)
        copy(t, len);
    t->at += taken;
    t->changed |= taken != 0;
}

/* Copies all of the text. */
static void copy_all(struct copying *t, text_word *word, void *user) {
    while (*t->at) {
        if (*t->at == '"')
            copy_string(t);
        else if (*t->at == ';')
            copy(t, strcspn(t->at, "\n"));
        else if (strchr("%@$!", *t->at))
            copy_name(t);
        else if (*t->at == '\n' || text_is_word(*t->at))
            copy_word(t, word, user);
        else
            copy(t, 1);
    }
}

/* Parses TEXT and makes it the compile's module in the place of the old one. */
static sm_status read_again(struct compile *c, const sm_buf *text) {
    char *message = NULL;
    LLVMModuleRef module;
    LLVMMemoryBufferRef buffer =
        LLVMCreateMemoryBufferWithMemoryRangeCopy((const char *)text->data, text->len, c->options->name);
    if (LLVMParseIRInContext(c->context, buffer, &module, &message)) {
        sm_status s =
            fail(c, SM_CANNOT_REWRITE, NULL, "The references cannot be given another address space: %s", message);
        LLVMDisposeMessage(message);
        return s;
    }
    LLVMDisposeModule(c->module);
    c->module = module;
    return SM_OK;
}

sm_status module_reread(struct compile *c, text_word *word, void *user, int *changed) {
    char *text = LLVMPrintModuleToString(c->module);
    struct copying t = {.at = text};
    sm_buf_init(&t.out, 2 * strlen(text) + 4096);
    copy_all(&t, word, user);
    xstatus(t.out.status);
    sm_status s = t.changed ? read_again(c, &t.out) : SM_OK;
    *changed = t.changed;
    LLVMDisposeMessage(text);
    sm_buf_free(&t.out);
    return s;
}
