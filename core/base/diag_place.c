/* diag_place.c - the place in the posted text that a diagnostic is about, where that is certain.
 *
 * What is refused after the parser is an instruction of a module that the optimiser has changed, and LLVM remembers no
 * lines. But names stay. So within the function's text this looks for the definition of a value that the message names
 * (also without what LLVM appends to a name: digits, .relocated, .lcssa), then for the one call of what it says is
 * called, and at last for the function's own line. A message on no function is about the symbol that it has in
 * quotes. What is there more than once is no place. Nothing of this changes what is compiled.
 */
#include "diag_place.h"
#include "state.h"

#include <ctype.h>
#include <string.h>

enum { LONGEST = 1000 }; /* bytes of a line that are shown */

struct span {
    const char *at, *end;
};

/* The text from AT to the end of its line, or to END. */
static struct span line_at(const char *at, const char *end) {
    const char *stop = memchr(at, '\n', (size_t)(end - at));
    return (struct span){at, stop ? stop : end};
}

/* 1 if the text from AT to END begins with WORD. */
static int begins(const char *at, const char *end, const char *word) {
    size_t n = strlen(word);
    return (size_t)(end - at) >= n && memcmp(at, word, n) == 0;
}

/* The place of @NAME, plain or in quotes, before a parenthesis in the line; NULL if there is none. */
static const char *find_symbol(struct span line, const char *name, size_t len) {
    for (const char *at = line.at; (at = memchr(at, '@', (size_t)(line.end - at))) != NULL;) {
        const char *symbol = at++;
        int quoted = at < line.end && *at == '"';
        at += quoted;
        if ((size_t)(line.end - at) > len + (size_t)quoted && memcmp(at, name, len) == 0 &&
            (!quoted || at[len] == '"') && at[len + (size_t)quoted] == '(')
            return symbol;
    }
    return NULL;
}

/* Finds in the input the lines from the function's "define" to its closing brace. 0 if there is not exactly one. */
static int find_body(const struct compile *c, const char *function, struct span *body) {
    const char *end = c->input + c->input_len;
    int result = 0, open = 0;
    for (const char *at = c->input; at < end;) {
        struct span line = line_at(at, end);
        if (begins(line.at, line.end, "define") && find_symbol(line, function, strlen(function))) {
            body->at = line.at;
            open = 1;
            result++;
        }
        if (open && (*line.at == '}' || (line.at == body->at && line.end > line.at && line.end[-1] == '}'))) {
            body->end = line.end;
            open = 0;
        }
        at = line.end + 1;
    }
    return result == 1 && body->end > body->at;
}

/* The first place in the line that is no space. */
static const char *first_word(struct span line) {
    const char *at = line.at;
    while (at < line.end && (*at == ' ' || *at == '\t'))
        at++;
    return at;
}

/* The only place in BODY where a line begins with "%NAME ="; NULL if there is none, or more than one. */
static const char *find_definition(struct span body, const char *name, size_t len) {
    const char *result = NULL;
    for (const char *at = body.at; at < body.end;) {
        struct span line = line_at(at, body.end);
        const char *word = first_word(line), *behind = word + 1 + len;
        if (behind + 2 < line.end && *word == '%' && memcmp(word + 1, name, len) == 0 &&
            begins(behind, line.end, " =")) {
            if (result)
                return NULL;
            result = word;
        }
        at = line.end + 1;
    }
    return result;
}

/* The length of NAME without what LLVM appended to it: an ending such as .relocated, or digits. */
static size_t shorten(const char *name, size_t len) {
    static const char *const endings[] = {".relocated", ".lcssa", ".base", ".remat", ".split"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        size_t n = strlen(endings[i]);
        if (len > n && memcmp(name + len - n, endings[i], n) == 0)
            return len - n;
    }
    while (len > 1 && isdigit((unsigned char)name[len - 1]))
        len--;
    return len;
}

/* 1 if NAME is digits only: such names are numbers, which change. */
static int is_text_number(const char *name, size_t len) {
    while (len && isdigit((unsigned char)name[len - 1]))
        len--;
    return len == 0;
}

/* The definition in BODY of the first value that MESSAGE names with a %; NULL if there is none. */
static const char *find_value(struct span body, const char *message) {
    for (const char *at = message; (at = strchr(at, '%')) != NULL;) {
        size_t len = 0;
        at++;
        while (text_is_word(at[len]))
            len++;
        for (size_t n = len, before = 0; n && n != before && !is_text_number(at, n); before = n, n = shorten(at, n)) {
            const char *result = find_definition(body, at, n);
            if (result)
                return result;
        }
        at += len;
    }
    return NULL;
}

/* The only line in BODY that calls what MESSAGE has after "call of"; NULL if there is none, or more than one. */
static const char *find_call(struct span body, const char *message) {
    const char *name = strstr(message, "call of "), *result = NULL;
    size_t len = 0;
    if (!name)
        return NULL;
    name += strlen("call of ");
    while (text_is_word(name[len]))
        len++;
    while (len && name[len - 1] == '.')
        len--; /* the sentence's */
    for (const char *at = line_at(body.at, body.end).end + 1; len && at < body.end;) {
        struct span line = line_at(at, body.end);
        if (find_symbol(line, name, len) && *first_word(line) != ';') {
            if (result)
                return NULL;
            result = first_word(line);
        }
        at = line.end + 1;
    }
    return result;
}

/* 1 if the line defines or declares the global variable NAME. */
static int is_variable(struct span line, const char *name, size_t len) {
    return (size_t)(line.end - line.at) > len + 2 && *line.at == '@' && memcmp(line.at + 1, name, len) == 0 &&
           begins(line.at + 1 + len, line.end, " =");
}

/* The only line of the input that defines or declares the symbol; NULL if there is none, or more than one. */
static const char *find_global(const struct compile *c, const char *name, size_t len) {
    const char *end = c->input + c->input_len, *result = NULL;
    for (const char *at = c->input; len && at < end;) {
        struct span line = line_at(at, end);
        int is_function = begins(line.at, line.end, "define") || begins(line.at, line.end, "declare");
        if (is_variable(line, name, len) || (is_function && find_symbol(line, name, len))) {
            if (result)
                return NULL;
            result = line.at;
        }
        at = line.end + 1;
    }
    return result;
}

/* The line of FUNCTION or, if that is NULL, of the symbol that MESSAGE has in quotes; NULL if there is none. */
static const char *find_subject(const struct compile *c, const char *function, const char *message) {
    const char *quote = function ? NULL : strchr(message, '\'');
    const char *name = function ? function : quote ? quote + 1 : "";
    return find_global(c, name, function ? strlen(name) : strcspn(name, "'"));
}

/* 1 if the input is text and not bitcode. */
static int is_text_text(const struct compile *c) {
    return c->input_len && !begins(c->input, c->input + c->input_len, "BC") &&
           !memchr(c->input, 0, c->input_len < 64 ? c->input_len : 64);
}

/* Finds the place in the input that MESSAGE, about FUNCTION or NULL, is about. 0 if there is no certain one. */
int where_find(const struct compile *c, const char *function, const char *message, struct text_place *place) {
    struct span body = {NULL, NULL};
    const char *at = NULL;
    if (!is_text_text(c))
        return 0;
    if (!function || !find_body(c, function, &body)) {
        at = find_subject(c, function, message);
    } else {
        at = find_value(body, message);
        if (!at)
            at = find_call(body, message);
        if (!at)
            at = body.at;
    }
    if (!at)
        return 0;
    place->line = 1;
    place->source = c->input;
    for (const char *l = c->input; (l = memchr(l, '\n', (size_t)(at - l))) != NULL;) {
        place->line++;
        place->source = ++l;
    }
    place->column = (int)(at - place->source) + 1;
    place->len = (size_t)(line_at(place->source, c->input + c->input_len).end - place->source);
    place->len -= place->len && place->source[place->len - 1] == '\r';
    place->len = place->len < LONGEST ? place->len : LONGEST;
    return 1;
}
