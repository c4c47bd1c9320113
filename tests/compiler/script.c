/* script.c - see script.h. */
#include "script.h"

#include "check.h"
#include "expect.h"

#include <ctype.h>
#include <stdarg.h>
#include <string.h>
#include <strings.h>

#define SECTION "\n;---"

/* What is being read. */
struct reader {
    struct script *s;
    sm_buf *wrong;
    int line;
    int is_run;   /* boolean: the directive before was a RUN */
    int prologue; /* lines that all modules of the file share */
};

__attribute__((format(printf, 2, 3))) static void complain(struct reader *r, const char *format, ...) {
    char why[400];
    va_list list;
    va_start(list, format);
    vsnprintf(why, sizeof why, format, list);
    va_end(list);
    sm_buf_printf(r->wrong, "%s:%d: %s\n", r->s->path, r->line, why);
}

/* ---- RUN ---- */

static void add_run(struct reader *r, const char *words) {
    struct group *g = &r->s->group[r->s->groups - 1];
    if (g->runs == RUNS_MAX) {
        complain(r, "these are more than %d runs", RUNS_MAX);
        return;
    }
    g->run[g->runs++] = strdup(words);
}

/* One run for each choice of the words in braces: opt={0,2} target={a,b} are four. */
static void add_runs(struct reader *r, const char *words) {
    const char *open = strchr(words, '{'), *close = open ? strchr(open, '}') : NULL;
    if (!open) {
        add_run(r, words);
        return;
    }
    if (!close) {
        complain(r, "a brace is not closed");
        return;
    }
    for (const char *at = open + 1; at <= close;) {
        size_t n = strcspn(at, ",}");
        char *one = NULL;
        check(asprintf(&one, "%.*s%.*s%s", (int)(open - words), words, (int)n, at, close + 1) >= 0, "no memory");
        add_runs(r, one);
        free(one);
        at += n + 1;
    }
}

/* A RUN that names no target is for both; target=module leaves it to the module. */
static void read_run(struct reader *r, const char *words) {
    char all[1024];
    int is_named = strncmp(words, "target=", 7) == 0 || strstr(words, " target=");
    struct group *g = r->s->groups ? &r->s->group[r->s->groups - 1] : NULL;
    if (g && g->line <= r->prologue && r->line > r->prologue && !g->expectations) {
        for (size_t i = 0; i < g->runs; i++) /* what all modules of the file share is for those without a RUN */
            free(g->run[i]);
        g->runs = 0;
        g->line = r->line;
    } else if (!r->is_run) {
        if (r->s->groups == GROUPS_MAX) {
            complain(r, "these are more than %d groups of RUN lines", GROUPS_MAX);
            return;
        }
        g = &r->s->group[r->s->groups++];
        *g = (struct group){.line = r->line,
                            .run = calloc(RUNS_MAX, sizeof *g->run),
                            .expectation = calloc(EXPECTATIONS_MAX, sizeof *g->expectation)};
    }
    snprintf(all, sizeof all, "%s%s", words, is_named ? "" : " target={x86_64-linux-gnu,aarch64-linux-gnu}");
    add_runs(r, all);
}

/* ---- Expectations ---- */

/* Reads a word of a selector; 0 if it is none. */
static int read_selector(struct selector *of, const char *word) {
    char *end;
    if (word[0] == '@' && word[1])
        return snprintf(of->function, sizeof of->function, "%s", word + 1) < (int)sizeof of->function;
    if (strncmp(word, "callee=", 7) == 0)
        return snprintf(of->callee, sizeof of->callee, "%s", word + 7) < (int)sizeof of->callee;
    if (strncmp(word, "reason=", 7) == 0)
        return snprintf(of->reason, sizeof of->reason, "%s", word + 7) < (int)sizeof of->reason;
    if (word[0] != '#' || !isdigit((unsigned char)word[1]))
        return 0;
    of->index = strtol(word + 1, &end, 10);
    return *end == 0;
}

/* What stands between a keyword and its colon: "=2" or ">=2", then selectors. 0 if it is something else. */
static int read_head(struct directive *d, char *head) {
    char *end = head, *rest;
    if (head[0] == '=' || strncmp(head, ">=", 2) == 0) {
        d->at_least = head[0] == '>';
        d->times = strtol(head + 1 + d->at_least, &end, 10);
        if (end == head + 1 + d->at_least)
            return 0;
    }
    if (*end && *end != ' ')
        return 0;
    rest = end;
    for (char *word; (word = strsep(&rest, " ")) != NULL;)
        if (word[0] && !read_selector(&d->of, word))
            return 0;
    return 1;
}

static void add_expectation(struct reader *r, const struct directive *d) {
    const struct keyword *k = d->keyword;
    struct group *g = r->s->groups ? &r->s->group[r->s->groups - 1] : NULL;
    const struct selector *of = &d->of;
    if (!g)
        complain(r, "%s stands before the first RUN", k->name);
    else if (g->expectations == EXPECTATIONS_MAX)
        complain(r, "these are more than %d expectations", EXPECTATIONS_MAX);
    else if (!d->text[0] && !(k->uses & MAY_BE_EMPTY))
        complain(r, "%s needs a text", k->name);
    else if (d->times >= 0 && !(k->uses & TAKES_TIMES))
        complain(r, "%s takes no number of times", k->name);
    else if (of->function[0] && !(k->uses & TAKES_FUNCTION))
        complain(r, "%s takes no function", k->name);
    else if ((of->callee[0] || of->reason[0] || of->index >= 0) && !(k->uses & TAKES_SAFEPOINTS))
        complain(r, "%s takes no safepoints", k->name);
    else
        g->expectation[g->expectations++] = *d;
}

/* AT belongs to the expectation before it; AT=8 is column 8. */
static void add_place(struct reader *r, const char *text, long column) {
    struct group *g = r->s->groups ? &r->s->group[r->s->groups - 1] : NULL;
    struct directive *before = g && g->expectations ? &g->expectation[g->expectations - 1] : NULL;
    if (!before || !(before->keyword->uses & TAKES_PLACE))
        complain(r, "AT stands behind an ERROR, WARNING or NOTE");
    else
        before->at = text, before->column = column > 0 ? column : 0;
}

/* THEN belongs to the expectation before it, too. */
static void add_then(struct reader *r, const char *text) {
    struct group *g = r->s->groups ? &r->s->group[r->s->groups - 1] : NULL;
    struct directive *before = g && g->expectations ? &g->expectation[g->expectations - 1] : NULL;
    size_t n = 0;
    while (before && n < THENS_MAX && before->then[n])
        n++;
    if (!before || !(before->keyword->uses & TAKES_THEN) || before->times >= 0)
        complain(r, "THEN stands behind a text that is expected once or more often");
    else if (n == THENS_MAX || !text[0])
        complain(r, "THEN needs a text, and there are at most %d in a row", THENS_MAX);
    else
        before->then[n] = text;
}

/* The length of the keyword that a comment begins with: capitals and hyphens; 0 if it begins with something else. */
static size_t keyword_length(const char *text) {
    size_t n = strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ-");
    return n >= 2 && isupper((unsigned char)text[0]) && strchr(":=> ", text[n]) ? n : 0;
}

/* "Run:" is no prose. */
static void find_misspelt(struct reader *r, const char *text) {
    char word[32];
    size_t n = strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-");
    if (n == 0 || n >= sizeof word || text[n] != ':')
        return;
    for (size_t i = 0; i <= n; i++)
        word[i] = i < n ? (char)toupper((unsigned char)text[i]) : 0;
    if (keyword_find(word, n) || strcmp(word, "RUN") == 0 || strcmp(word, "AT") == 0 || strcmp(word, "THEN") == 0)
        complain(r, "directives are written in capitals: %s", word);
}

/* TEXT is what stands behind the semicolon; it is changed. */
static void read_comment(struct reader *r, char *text) {
    size_t n = keyword_length(text);
    char *colon = text + n;
    struct directive d = {.line = r->line, .times = -1, .of.index = -1};
    while (n && colon[0] && !(colon[0] == ':' && (colon[1] == ' ' || !colon[1])))
        colon++;
    if (!n || !colon[0]) {
        find_misspelt(r, text);
        return;
    }
    *colon = 0;
    d.text = colon + 1 + strspn(colon + 1, " ");
    int is_head = read_head(&d, strdupa(text + n)), is_not = n > 4 && strncmp(text + n - 4, "-NOT", 4) == 0;
    int is_run = n == 3 && strncmp(text, "RUN", 3) == 0, is_at = n == 2 && strncmp(text, "AT", 2) == 0,
        is_then = n == 4 && strncmp(text, "THEN", 4) == 0;
    if (is_not) {
        n -= 4;
        is_head &= d.times < 0;
        d.times = 0;
    }
    d.keyword = keyword_find(text, n);
    if (is_run)
        read_run(r, d.text);
    else if (is_at)
        add_place(r, d.text, d.times);
    else if (is_then)
        add_then(r, d.text);
    else if (!d.keyword)
        complain(r, "there is no directive %.*s", (int)n, text);
    else if (!is_head)
        complain(r, "'%s' is neither how often nor where", text + n);
    else
        add_expectation(r, &d);
    r->is_run = is_run;
}

static void read_lines(struct reader *r) {
    char *rest = r->s->lines;
    for (char *line; (line = strsep(&rest, "\n")) != NULL;) {
        r->line++;
        for (size_t n = strlen(line); n && isspace((unsigned char)line[n - 1]);)
            line[--n] = 0;
        line += strspn(line, " ");
        if (line[0] == ';')
            read_comment(r, line + 1 + strspn(line + 1, " "));
    }
    r->line = 1;
    if (!r->s->groups)
        complain(r, "there is no RUN");
    for (size_t i = 0; i < r->s->groups; i++) {
        r->line = r->s->group[i].line;
        if (!r->s->group[i].expectations)
            complain(r, "nothing is expected of this RUN");
    }
}

/* ---- Modules ---- */

static int count_lines(const char *begin, const char *end) {
    int n = 0;
    for (const char *p = begin; p < end; p++)
        n += *p == '\n';
    return n;
}

/* The module from BEGIN to END, with what stands before all modules; what stands between is left empty. */
static void take_module(struct script *s, const char *text, size_t prologue, const char *begin, const char *end) {
    sm_buf b;
    sm_buf_init(&b, (size_t)1 << 28);
    sm_buf_put(&b, text, prologue);
    for (int i = count_lines(text + prologue, begin); i > 0; i--)
        sm_buf_puts(&b, "\n");
    sm_buf_put(&b, begin, (size_t)(end - begin));
    s->module = strdup(sm_buf_cstr(&b));
    s->lines = strdup(s->module);
    sm_buf_free(&b);
}

int script_next(const char *path, const char *text, size_t *at, struct script *out, sm_buf *wrong) {
    size_t len = strlen(text);
    const char *first = strstr(text, SECTION), *begin, *end;
    struct reader r = {.s = out, .wrong = wrong};
    if (*at >= len)
        return 0;
    *out = (struct script){.path = path};
    if (first) {
        begin = *at ? text + *at : first + 1;
        end = strstr(begin, SECTION);
        end = end ? end + 1 : text + len;
        r.prologue = count_lines(text, first + 1);
        take_module(out, text, (size_t)(first + 1 - text), begin, end);
    } else {
        end = text + len;
        take_module(out, text, 0, text, end);
    }
    *at = (size_t)(end - text);
    read_lines(&r);
    return 1;
}

void script_free(struct script *s) {
    for (size_t g = 0; g < s->groups; g++) {
        for (size_t i = 0; i < s->group[g].runs; i++)
            free(s->group[g].run[i]);
        free(s->group[g].run);
        free(s->group[g].expectation);
    }
    free(s->module);
    free(s->lines);
}
