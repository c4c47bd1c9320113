/* typed_pointers.c - calls in the notation of typed pointers, "call T (args)* @f", which LLVM 19 misreads.
 *
 * With typed pointers that named the callee's entire type; today it is read as a call that returns a pointer, with
 * the types of its arguments as they stand. What is called is then wrong, without a word. So it is refused, with its
 * place.
 */
#include "base.h"
#include "input.h"
#include "memory.h"
#include "reading.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct text {
    const char *at, *end;
};

/* Moves over a string or a comment that begins here. 1 if there was one. */
static int skip_quiet_typed_pointer(struct text *t) {
    if (*t->at == '"') {
        const char *close = memchr(t->at + 1, '"', (size_t)(t->end - t->at - 1));
        t->at = close ? close + 1 : t->end;
        return 1;
    }
    if (*t->at == ';') {
        const char *line = memchr(t->at, '\n', (size_t)(t->end - t->at));
        t->at = line ? line : t->end;
        return 1;
    }
    return 0;
}

static void skip_spaces(struct text *t) {
    while (t->at < t->end && isspace((unsigned char)*t->at))
        t->at++;
}

static int is_name_char(char c) {
    return isalnum((unsigned char)c) || strchr("-$._", c);
}

/* The length of "call", "invoke" or "callbr" if it stands at T as a word of its own; 0 otherwise. */
static size_t call_word(const char *start, struct text t) {
    static const char *const words[] = {"call", "invoke", "callbr"};
    if (t.at > start && !isspace((unsigned char)t.at[-1]))
        return 0;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t n = strlen(words[i]);
        if ((size_t)(t.end - t.at) > n && memcmp(t.at, words[i], n) == 0 && isspace((unsigned char)t.at[n]))
            return n;
    }
    return 0;
}

/* Moves over a local name. 1 if an argument list follows: it is the callee, otherwise a type. */
static int is_local_callee(struct text *t) {
    t->at++;
    while (t->at < t->end && (is_name_char(*t->at) || *t->at == '"'))
        t->at++;
    return t->at < t->end && *t->at == '(';
}

/* 1 if, between the word "call" (T is right after it) and the callee, a function type with a star stands. */
static int is_typed(struct text t) {
    enum { LONGEST = 10000 };
    int depth = 0;
    if (t.end - t.at > LONGEST)
        t.end = t.at + LONGEST;
    while (t.at < t.end) {
        if (skip_quiet_typed_pointer(&t))
            continue;
        char c = *t.at;
        if (!depth && (c == '@' || (c == '%' && is_local_callee(&t))))
            return 0;
        if (!depth && c == '%')
            continue;
        t.at++;
        depth += (c == '(' || c == '{' || c == '[' || c == '<') - (c == ')' || c == '}' || c == ']' || c == '>');
        if (c != ')' || depth)
            continue;
        skip_spaces(&t);
        if (t.at == t.end || *t.at != '*')
            continue;
        while (t.at < t.end && *t.at == '*')
            t.at++;
        skip_spaces(&t);
        if (t.at < t.end && (*t.at == '@' || *t.at == '%'))
            return 1;
    }
    return 0;
}

/* Adds the diagnostic of such a call, with line, column and source line of AT. */
static void report_place(struct compile *c, const char *at) {
    int line = 1, column = 1;
    const char *begin = c->input;
    for (const char *p = c->input; p < at; p++)
        if (*p == '\n') {
            line++;
            begin = p + 1;
        }
    column += (int)(at - begin);
    size_t left = c->input_len - (size_t)(begin - c->input);
    const char *stop = memchr(begin, '\n', left);
    char *source = xstrndup(begin, stop ? (size_t)(stop - begin) : left);
    diag_add_place(
        c,
        "This call names its callee's type as typed pointers did, 'T (args)*', which LLVM 19 reads as a call "
        "that returns a pointer; write 'T (args)' without the star",
        line, column, source);
    free(source);
}

/* Refuses the module's first call in the notation of typed pointers. */
sm_status typed_calls_check(struct compile *c) {
    struct text t = {c->input, c->input + c->input_len};
    if (!memchr(c->input, '*', c->input_len))
        return SM_OK; /* as in nearly all modules: nothing else of IR has a star */
    while (t.at < t.end) {
        if (skip_quiet_typed_pointer(&t))
            continue;
        size_t n = call_word(c->input, t);
        if (n && is_typed((struct text){t.at + n, t.end})) {
            report_place(c, t.at);
            return SM_PARSE_ERROR;
        }
        t.at += n ? n : 1;
    }
    return SM_OK;
}
