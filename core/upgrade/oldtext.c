/* oldtext.c - see upgrade.h. A scanner of IR text that knows types, strings and comments, and nothing else: what it
 * does not understand it leaves as it is, for LLVM to judge. */
#include "upgrade.h"

#include <assert.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Where the scanner is. Whatever is between `copied` and `at` has not been put out yet. */
struct scan {
    const char *at, *end, *copied;
    struct oldtext *out;
    int line;               /* of the text put out */
    size_t line_start;      /* of that line, in what was put out */
    const char *parameters; /* where the last parameter began; NULL before the first */
};

/* 1 if the character can be in a word or an unquoted name. */
static int is_word(char c) {
    return isalnum((unsigned char)c) || c == '_' || c == '.' || c == '$' || c == '-';
}

/* The first character from P on that is no white space, or END. */
static const char *skip_space(const char *p, const char *end) {
    while (p < end && isspace((unsigned char)*p))
        p++;
    return p;
}

/* After the string in quotes at P. */
static const char *skip_string(const char *p, const char *end) {
    assert(*p == '"');
    const char *close = memchr(p + 1, '"', (size_t)(end - p - 1));
    return close ? close + 1 : end;
}

/* The end of the line, for a comment at P. */
static const char *skip_comment(const char *p, const char *end) {
    const char *newline = memchr(p, '\n', (size_t)(end - p));
    return newline ? newline : end;
}

/* After the bracket that closes the one at P, or END; brackets in strings and comments do not count. */
static const char *skip_brackets(const char *p, const char *end) {
    int depth = 0;
    while (p < end) {
        char c = *p;
        if (c == '"') {
            p = skip_string(p, end);
            continue;
        }
        if (c == ';') {
            p = skip_comment(p, end);
            continue;
        }
        depth += c == '(' || c == '[' || c == '{' || c == '<';
        depth -= c == ')' || c == ']' || c == '}' || c == '>';
        p++;
        if (depth == 0)
            return p;
    }
    return end;
}

/* After the word or quoted name at P, which follows a sigil such as %. */
static const char *skip_name(const char *p, const char *end) {
    if (p < end && *p == '"')
        return skip_string(p, end);
    while (p < end && is_word(*p))
        p++;
    return p;
}

/* 1 if the word at P is WORD, and no longer. */
static int word_is(const char *p, const char *end, const char *word) {
    size_t n = strlen(word);
    return (size_t)(end - p) >= n && memcmp(p, word, n) == 0 && (p + n == end || !is_word(p[n]));
}

/* 1 if a type that is no pointer begins at P (LangRef, "Type System"). */
static int begins_type(const char *p, const char *end) {
    static const char *const names[] = {"void",     "half",      "bfloat",  "float", "double",   "fp128",
                                        "x86_fp80", "ppc_fp128", "x86_mmx", "token", "metadata", "label"};
    if (p >= end)
        return 0;
    if (*p == '%' || *p == '{' || *p == '[' || *p == '<')
        return 1;
    if (*p == 'i' && p + 1 < end && isdigit((unsigned char)p[1]))
        return 1;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (word_is(p, end, names[i]))
            return 1;
    return 0;
}

/* After the type at P, with all its stars and parameter lists; NULL if there is none, or only "ptr", which old
 * text does not have. */
static const char *skip_type(const char *p, const char *end) {
    if (!begins_type(p, end))
        return NULL;
    p = *p == '%' ? skip_name(p + 1, end) : is_word(*p) ? skip_name(p, end) : skip_brackets(p, end);
    for (;;) {
        const char *next = skip_space(p, end);
        if (next < end && *next == '*') {
            p = next + 1;
        } else if (next < end && *next == '(') {
            p = skip_brackets(next, end);
        } else if (word_is(next, end, "addrspace")) {
            p = skip_brackets(skip_space(next + 9, end), end);
        } else {
            return p;
        }
    }
}

/* The end of the type that the pointer type [FROM, TO) points to, its last star and address space taken off; NULL
 * if it is no pointer. */
static const char *pointee_end(const char *from, const char *to) {
    if (to == from || to[-1] != '*')
        return NULL;
    const char *p = to - 1;
    while (p > from && isspace((unsigned char)p[-1]))
        p--;
    if (p == from || p[-1] != ')')
        return p;
    const char *open = p - 1;
    for (int depth = 1; open > from && depth;) {
        open--;
        depth += (*open == ')') - (*open == '(');
    }
    while (open > from && isspace((unsigned char)open[-1]))
        open--;
    if (open - from < 9 || memcmp(open - 9, "addrspace", 9) != 0)
        return p; /* a function's parameters */
    for (p = open - 9; p > from && isspace((unsigned char)p[-1]);)
        p--;
    return p;
}

/* Puts out the text from COPIED up to P, and counts its lines. */
static void copy_to(struct scan *s, const char *p) {
    sm_buf *text = &s->out->text;
    for (const char *c = s->copied, *newline; (newline = memchr(c, '\n', (size_t)(p - c))) != NULL; c = newline + 1) {
        s->line++;
        s->line_start = text->len + (size_t)(newline + 1 - s->copied);
    }
    sm_buf_put(text, s->copied, (size_t)(p - s->copied));
    s->copied = p;
}

/* Notes that LENGTH bytes are put in at the end of what was put out, so that columns can be corrected. */
static void note_insertion(struct scan *s, size_t length) {
    struct oldtext *o = s->out;
    if (o->insertions == o->capacity) {
        size_t capacity = o->capacity ? 2 * o->capacity : 64;
        struct insertion *more = realloc(o->insertion, capacity * sizeof *more);
        if (!more) {
            o->text.status = SM_NOMEM;
            return;
        }
        o->insertion = more;
        o->capacity = capacity;
    }
    o->insertion[o->insertions++] = (struct insertion){s->line, (int)(o->text.len - s->line_start) + 1, (int)length};
}

/* Puts out all text up to P, and then BEFORE, the bytes [FROM, TO) and AFTER, on one line; nothing if P was put out with
 * a callee's type. */
static void insert_line(struct scan *s, const char *p, const char *before, const char *from, const char *to,
                        const char *after) {
    if (p < s->copied)
        return;
    copy_to(s, p);
    note_insertion(s, strlen(before) + (size_t)(to - from) + strlen(after));
    sm_buf_puts(&s->out->text, before);
    for (const char *c = from; c < to; c++)
        sm_buf_put_u8(&s->out->text, *c == '\n' ? ' ' : (uint8_t)*c);
    sm_buf_puts(&s->out->text, after);
}

/* "load [atomic] [volatile] T* %p": puts the loaded type before the pointer's. P is after the word. */
static void rewrite_load(struct scan *s, const char *p) {
    p = skip_space(p, s->end);
    while (word_is(p, s->end, "atomic") || word_is(p, s->end, "volatile"))
        p = skip_space(skip_name(p, s->end), s->end);
    const char *to = skip_type(p, s->end);
    const char *pointee = to ? pointee_end(p, to) : NULL;
    const char *next = to ? skip_space(to, s->end) : s->end;
    if (pointee && next < s->end && *next != ',')
        insert_line(s, p, "", p, pointee, ", ");
}

/* "getelementptr [inbounds] [(] T* %p": puts the type that is indexed before the pointer's; for a vector of
 * pointers, what they point to. P is after the word. */
static void rewrite_gep(struct scan *s, const char *p) {
    p = skip_space(p, s->end);
    if (word_is(p, s->end, "inbounds"))
        p = skip_space(skip_name(p, s->end), s->end);
    if (p < s->end && *p == '(')
        p = skip_space(p + 1, s->end);
    const char *to = skip_type(p, s->end), *from = p, *last = to;
    const char *next = to ? skip_space(to, s->end) : s->end;
    if (!to || next >= s->end || *next == ',')
        return;
    if (*p == '<' && to[-1] == '>') {
        const char *x = memchr(p, 'x', (size_t)(to - p));
        from = x ? skip_space(x + 1, s->end) : to;
        last = skip_type(from, s->end);
    }
    const char *pointee = last ? pointee_end(from, last) : NULL;
    if (pointee)
        insert_line(s, p, "", from, pointee, ", ");
}

/* "T (A, B)* callee": takes the star from a callee's type that was written as a pointer. It may be a result type
 * instead (a function that gives a pointer to a function): LLVM, which knows the callee's type, tells which. */
static void rewrite_call(struct scan *s, const char *p) {
    p = skip_space(p, s->end);
    while (p < s->end && !begins_type(p, s->end)) { /* calling conventions, attributes */
        if (!is_word(*p))
            return;
        p = skip_space(skip_name(p, s->end), s->end);
        if (p < s->end && *p == '(')
            p = skip_space(skip_brackets(p, s->end), s->end);
    }
    const char *to = skip_type(p, s->end);
    const char *pointee = to ? pointee_end(p, to) : NULL;
    if (!pointee || pointee == p || pointee[-1] != ')' || p < s->copied)
        return;
    copy_to(s, pointee);
    for (; s->copied < to; s->copied++)
        sm_buf_put_u8(&s->out->text, *s->copied == '*' ? ' ' : (uint8_t)*s->copied);
    s->out->callees = 1;
}

/* "T* ... byval": repeats the parameter's type in brackets after the word, unless brackets are there. P is after
 * the word. */
static void rewrite_attribute(struct scan *s, const char *p) {
    const char *next = skip_space(p, s->end);
    if (!s->parameters || (next < s->end && *next == '('))
        return;
    const char *from = s->parameters, *to = skip_type(from, s->end);
    const char *pointee = to && to <= p ? pointee_end(from, to) : NULL;
    if (pointee)
        insert_line(s, p, "(", from, pointee, ")");
}

/* Rewrites what follows a word that the old dialect wrote otherwise, and passes the word. CALLEES: calls as
 * well. */
static void take_word(struct scan *s, int callees) {
    const char *p = s->at, *behind = skip_name(p, s->end);
    if (word_is(p, s->end, "load"))
        rewrite_load(s, behind);
    else if (word_is(p, s->end, "getelementptr"))
        rewrite_gep(s, behind);
    else if (callees && (word_is(p, s->end, "call") || word_is(p, s->end, "invoke")))
        rewrite_call(s, behind);
    else if (word_is(p, s->end, "byval") || word_is(p, s->end, "sret") || word_is(p, s->end, "inalloca"))
        rewrite_attribute(s, behind);
    s->at = behind;
}

/* After a bracket or comma: notes where a parameter may begin, and passes its type, in which there is nothing to
 * rewrite. */
static void take_parameter(struct scan *s) {
    const char *type = skip_space(s->at, s->end), *behind = skip_type(type, s->end);
    s->parameters = type;
    if (behind)
        s->at = behind;
}

/* Passes one token of any kind, rewriting what follows words of the old dialect. */
static void scan_token(struct scan *s, int callees) {
    char c = *s->at;
    if (c == '"') {
        s->at = skip_string(s->at, s->end);
    } else if (c == ';') {
        s->at = skip_comment(s->at, s->end);
    } else if (c == '%' || c == '@' || c == '!' || c == '#') {
        s->at = skip_name(s->at + 1, s->end);
    } else if (is_word(c)) {
        take_word(s, callees);
    } else {
        s->at++;
        if (c == '(' || c == ',')
            take_parameter(s);
    }
}

/* Rewrites typed-pointer IR text to what LLVM 14 reads, into *OUT; with CALLEES, the types of called pointers too.
 * SM_NOMEM, or SM_OK; oldtext_free in both cases. */
sm_status oldtext_rewrite(const char *text, size_t len, int callees, struct oldtext *out) {
    memset(out, 0, sizeof *out);
    sm_buf_init(&out->text, 4 * len + 4096);
    struct scan s = {.at = text, .end = text + len, .copied = text, .out = out, .line = 1};
    while (s.at < s.end && out->text.status == SM_OK)
        scan_token(&s, callees);
    copy_to(&s, s.end);
    return out->text.status;
}

/* The column in the text as given, for one in the rewritten text: less what was put in before it on the line. */
int oldtext_column(const struct oldtext *o, int line, int column) {
    int moved = 0;
    for (size_t i = 0; i < o->insertions && o->insertion[i].line <= line; i++) {
        const struct insertion *in = &o->insertion[i];
        if (in->line == line && in->column < column)
            moved += column < in->column + in->length ? column - in->column : in->length;
    }
    return column - moved;
}

void oldtext_free(struct oldtext *o) {
    sm_buf_free(&o->text);
    free(o->insertion);
    o->insertion = NULL;
}
