/* expect.c - see expect.h. Parts: what came out, as text; texts in it; the decoded stackmap; diagnostics; the object;
 * other compiles; programs that are run. */
#include "expect.h"
#include "stackmap_object.h"

#include "check.h"
#include "compiler.h"
#include "elffile.h"
#include "moving.h"
#include "readobj.h"
#include "status.h"
#include "text.h"

#include <stdarg.h>
#include <string.h>
#include <unistd.h>

/* ---- What one run gave ---------------------------------------------------------------------------------------- */

static void outcome_init(struct outcome *o, const char *words, const char *module) {
    o->bytes = compiler_run(words, module, strlen(module));
    check(sm_artifact_read(o->bytes.data, o->bytes.len, &o->artifact) == SM_OK, "the artifact is damaged");
    for (int i = 0; i < SM_PART_KINDS; i++) {
        sm_slice part = o->artifact.part[i];
        o->text[i] = strndup(part.data ? (const char *)part.data : "", part.len);
    }
    o->map = json_loads(o->text[SM_PART_STACKMAP], JSON_ALLOW_NUL, NULL);
    o->diagnostics = json_loads(o->text[SM_PART_DIAGNOSTICS], JSON_ALLOW_NUL, NULL);
}

static void outcome_free(struct outcome *o) {
    for (int i = 0; i < SM_PART_KINDS; i++)
        free(o->text[i]);
    free(o->objdump);
    json_decref(o->map);
    json_decref(o->diagnostics);
    bytes_free(o->bytes);
}

static sm_slice object_of(const struct outcome *o) {
    return o->artifact.part[SM_PART_OBJECT];
}

/* The path of a file in the folder with the object in it. */
static void write_object(const struct outcome *o, char *path, size_t room) {
    sm_slice object = object_of(o);
    snprintf(path, room, "%s/program.o", o->folder);
    write_file(path, object.data, object.len);
}

/* An expectation is not met: where it stands, which run, and what came instead, which is shown of the first such run. */
__attribute__((format(printf, 3, 4))) static void fail(struct outcome *o, const struct directive *d,
                                                       const char *format, ...) {
    enum { SHOWN = 6000 };
    char place[1000], *why = NULL;
    va_list list;
    va_start(list, format);
    check(vasprintf(&why, format, list) >= 0, "no memory");
    va_end(list);
    snprintf(place, sizeof place, "%s:%d: ", o->script->path, d->line);
    if (strstr(sm_buf_cstr(o->report), place))
        sm_buf_printf(o->report, "%slikewise with %s\n", place, o->words);
    else
        sm_buf_printf(o->report, "%s%s%s%s: %s\n  with %s\n  %.*s%s\n", place, d->keyword->name,
                      d->of.function[0] ? " @" : "", d->of.function, d->text, o->words, SHOWN, why,
                      strlen(why) > SHOWN ? "…" : "");
    free(why);
}

/* ---- Texts ---------------------------------------------------------------------------------------------------- */

/* How often the directive's text is in TEXT; -1, after a failure, if it is no regular expression. */
static long count_text(struct outcome *o, const struct directive *d, const char *text) {
    long n = text_count(text, d->text);
    if (n < 0)
        fail(o, d, "this is no regular expression");
    return n;
}

/* 1 if N is as often as the directive asks, which is at least once if it does not say. */
static int is_enough(const struct directive *d, long n) {
    if (d->times < 0)
        return n > 0;
    return d->at_least ? n >= d->times : n == d->times;
}

static void expect_in(struct outcome *o, const struct directive *d, const char *text) {
    char *some = NULL;
    if (d->of.function[0]) {
        some = text_of_function(d->keyword->part, text, d->of.function);
        if (!some) {
            fail(o, d, "there is no function %s in\n%s", d->of.function, text);
            return;
        }
        text = some;
    }
    const char *missing = d->then[0] ? text_out_of_order(text, d->text, d->then, THENS_MAX) : NULL;
    long n = d->then[0] ? -1 : count_text(o, d, text);
    if (missing)
        fail(o, d, "'%s' is not behind the others, in\n%s", missing, text);
    else if (n >= 0 && !is_enough(d, n))
        fail(o, d, "it is there %ld times, in\n%s", n, text);
    free(some);
}

static void expect_text(struct outcome *o, const struct directive *d) {
    expect_in(o, d, o->text[d->keyword->part]);
}

static void expect_objdump(struct outcome *o, const struct directive *d) {
    char path[200], command[300];
    int status = 0;
    if (!o->objdump && object_of(o).len) {
        write_object(o, path, sizeof path);
        snprintf(command, sizeof command, "llvm-objdump-19 -dr --no-show-raw-insn %s", path);
        o->objdump = (char *)run_command(command, NULL, 0, &status).data;
        check(status == 0, "%s: %d", command, status);
    }
    expect_in(o, d, o->objdump ? o->objdump : "");
}

/* ---- The decoded stackmap ------------------------------------------------------------------------------------- */

static int is_named(json_t *object, const char *member, const char *name) {
    const char *text = json_string_value(json_object_get(object, member));
    return !name[0] || (text && strcmp(text, name) == 0);
}

/* The safepoints that a directive selects, in the map's order: a new array of them. */
static json_t *selected(const struct outcome *o, const struct directive *d) {
    json_t *found = json_array(), *function, *safepoint;
    size_t f, i;
    json_array_foreach(json_object_get(o->map, "functions"), f, function) {
        if (!is_named(function, "name", d->of.function))
            continue;
        json_array_foreach(json_object_get(function, "safepoints"), i,
                           safepoint) if ((d->of.index < 0 || d->of.index == (long)i) &&
                                          is_named(safepoint, "callee", d->of.callee) &&
                                          is_named(safepoint, "reason", d->of.reason))
            json_array_append(found, safepoint);
    }
    return found;
}

static void expect_safepoints(struct outcome *o, const struct directive *d) {
    json_t *found = selected(o, d);
    if ((long)json_array_size(found) != strtol(d->text, NULL, 10))
        fail(o, d, "there are %zu, in\n%s", json_array_size(found), o->text[SM_PART_EXPLAIN]);
    json_decref(found);
}

/* How many each selected safepoint has of what the directive counts: one number for all, or one for each. */
static void expect_counts(struct outcome *o, const struct directive *d, const char *member) {
    json_t *found = selected(o, d), *safepoint;
    const char *rest = d->text;
    size_t i;
    int is_list = strchr(d->text, ' ') != NULL;
    if (json_array_size(found) == 0)
        fail(o, d, "there is no such safepoint, in\n%s", o->text[SM_PART_EXPLAIN]);
    json_array_foreach(found, i, safepoint) {
        long n = (long)json_array_size(json_object_get(safepoint, member));
        char *end;
        long wanted = strtol(rest, &end, 10);
        if (end == rest || wanted != n)
            fail(o, d, "number %zu of them has %ld, in\n%s", i, n, o->text[SM_PART_EXPLAIN]);
        rest = is_list ? end : rest;
    }
    if (is_list && rest[strspn(rest, " ")])
        fail(o, d, "there are no more than %zu of them, in\n%s", json_array_size(found), o->text[SM_PART_EXPLAIN]);
    json_decref(found);
}

static void expect_roots(struct outcome *o, const struct directive *d) {
    expect_counts(o, d, "roots");
}
static void expect_regions(struct outcome *o, const struct directive *d) {
    expect_counts(o, d, "regions");
}
static void expect_deopts(struct outcome *o, const struct directive *d) {
    expect_counts(o, d, "deopt");
}
static void expect_locations(struct outcome *o, const struct directive *d) {
    expect_counts(o, d, "locations");
}

/* A text in the JSON of the selected safepoints. */
static void expect_safepoint(struct outcome *o, const struct directive *d) {
    json_t *found = selected(o, d);
    char *text = json_dumps(found, JSON_COMPACT | JSON_ENSURE_ASCII);
    long n = count_text(o, d, text);
    if (json_array_size(found) == 0)
        fail(o, d, "there is no such safepoint, in\n%s", o->text[SM_PART_EXPLAIN]);
    else if (n >= 0 && !is_enough(d, n))
        fail(o, d, "it is there %ld times, in\n%s", n, text);
    free(text);
    json_decref(found);
}

/* ---- Statuses and diagnostics --------------------------------------------------------------------------------- */

static void expect_status(struct outcome *o, const struct directive *d) {
    const char *name = sm_status_name(o->artifact.status);
    if (sm_status_from_name(d->text) < 0)
        fail(o, d, "there is no such status");
    else if (strcmp(name, d->text) != 0)
        fail(o, d, "it is %s: %s", name, o->text[SM_PART_DIAGNOSTICS]);
}

/* Line N of the module. Owned. */
static char *line_of(const struct outcome *o, long n) {
    const char *at = o->script->module;
    for (long i = 1; at && i < n; i++)
        at = (at = strchr(at, '\n')) ? at + 1 : NULL;
    return at && n > 0 ? strndup(at, strcspn(at, "\n")) : strdup("");
}

/* 1 if the diagnostic is about the line that the directive's AT names: it says so, by number and with the line. */
static int is_at(const struct outcome *o, const struct directive *d, json_t *diagnostic) {
    const char *source = json_string_value(json_object_get(diagnostic, "source"));
    char *line = line_of(o, (long)json_integer_value(json_object_get(diagnostic, "line")));
    int is_there = source && strstr(source, d->at) && strcmp(line, source) == 0 &&
                   (!d->column || d->column == (long)json_integer_value(json_object_get(diagnostic, "column")));
    free(line);
    return is_there;
}

/* Diagnostics of a severity that contain the text, and are where the directive says. */
static void expect_diagnostic(struct outcome *o, const struct directive *d, const char *severity) {
    json_t *diagnostic;
    size_t i;
    long n = 0;
    json_array_foreach(o->diagnostics, i, diagnostic) {
        const char *message = json_string_value(json_object_get(diagnostic, "message"));
        if (is_named(diagnostic, "severity", severity) && is_named(diagnostic, "function", d->of.function) &&
            (!d->text[0] || (message && count_text(o, d, message) > 0)) && (!d->at || is_at(o, d, diagnostic)))
            n++;
    }
    if (!is_enough(d, n))
        fail(o, d, "%s%s%s%ld such, in\n%s", d->at ? "at " : "", d->at ? d->at : "",
             d->at ? " there are " : "there are ", n, o->text[SM_PART_DIAGNOSTICS]);
}

static void expect_error(struct outcome *o, const struct directive *d) {
    expect_diagnostic(o, d, "error");
}
static void expect_warning(struct outcome *o, const struct directive *d) {
    expect_diagnostic(o, d, "warning");
}
static void expect_note(struct outcome *o, const struct directive *d) {
    expect_diagnostic(o, d, "note");
}

/* ---- The object ----------------------------------------------------------------------------------------------- */

enum names { SYMBOLS, DEFINED, UNDEFINED, SECTIONS };

/* The object's names of a kind, a line each. Owned. */
static char *names_in(const struct outcome *o, enum names kind) {
    sm_elf e;
    sm_elf_symbol symbol;
    sm_buf list;
    char why[200] = "";
    sm_slice object = object_of(o);
    check(sm_elf_open(&e, object.data, object.len, why, sizeof why) == SM_OK, "the object cannot be read: %s", why);
    sm_buf_init(&list, (size_t)1 << 28);
    sm_buf_puts(&list, "\n");
    for (size_t i = 1; kind == SECTIONS && i < e.sections; i++)
        sm_buf_printf(&list, "%s\n", e.section[i].name);
    for (size_t i = 1; kind != SECTIONS && i < e.symbols; i++) {
        check(sm_elf_symbol_at(&e, i, &symbol) == SM_OK, "a symbol cannot be read");
        int is_defined = symbol.section != SHN_UNDEF;
        if (symbol.type != STT_SECTION && (kind == SYMBOLS || is_defined == (kind == DEFINED)))
            sm_buf_printf(&list, "%s\n", symbol.name);
    }
    char *text = strdup(sm_buf_cstr(&list));
    sm_buf_free(&list);
    sm_elf_close(&e);
    return text;
}

/* A name is the whole of a line, unless it is a regular expression. */
static void expect_name(struct outcome *o, const struct directive *d, enum names kind) {
    char *all = names_in(o, kind), line[1024];
    long n = 0;
    snprintf(line, sizeof line, "\n%s\n", d->text);
    if (d->text[0] == '/')
        n = count_text(o, d, all);
    else
        n = strstr(all, line) != NULL;
    if (n >= 0 && !is_enough(d, n))
        fail(o, d, "there are %ld, among%s", n, all);
    free(all);
}

static void expect_symbol(struct outcome *o, const struct directive *d) {
    expect_name(o, d, SYMBOLS);
}
static void expect_defined(struct outcome *o, const struct directive *d) {
    expect_name(o, d, DEFINED);
}
static void expect_undefined(struct outcome *o, const struct directive *d) {
    expect_name(o, d, UNDEFINED);
}
static void expect_section(struct outcome *o, const struct directive *d) {
    expect_name(o, d, SECTIONS);
}

/* llvm-readobj reads the same in the object's own table. */
static void expect_readobj(struct outcome *o, const struct directive *d) {
    sm_elf e;
    sm_stackmap m = {0};
    sm_stackmap_error err = {0};
    sm_slice object = object_of(o);
    if (strcmp(d->text, "agrees") != 0) {
        fail(o, d, "it says: agrees");
        return;
    }
    check(sm_elf_open(&e, object.data, object.len, NULL, 0) == SM_OK, "the object cannot be read");
    check(sm_stackmap_of_object(&m, &e, &err) == SM_OK, "the table cannot be read: %s", err.message);
    if (m.records == 0)
        fail(o, d, "there is no record to compare");
    compare_with_readobj(o->words, &m, object.data, object.len);
    sm_stackmap_free(&m);
    sm_elf_close(&e);
}

/* A text in the stackmap that the object decodes to when it is posted. */
static void expect_decoded(struct outcome *o, const struct directive *d) {
    char path[200], command[300];
    int status;
    sm_artifact a;
    write_object(o, path, sizeof path);
    snprintf(command, sizeof command, BIN_DIR "/smd-worker --stackmap %s", path);
    struct bytes out = run_command(command, NULL, 0, &status);
    check(sm_artifact_read(out.data, out.len, &a) == SM_OK, "%s: %d", command, status);
    sm_slice map = a.part[SM_PART_STACKMAP];
    char *text = strndup(map.data ? (const char *)map.data : "", map.len);
    expect_in(o, d, text);
    free(text);
    bytes_free(out);
}

/* ---- Other compiles ------------------------------------------------------------------------------------------- */

/* The other compile of SAME-AS: what it compiles, how, and where. */
struct other {
    char words[1024], file[600], module[100];
    int is_ir, is_fresh; /* booleans: the IR that the first gave; in a process of its own */
};

/* Adds a word, instead of that which sets the same option. */
static void set_word(char *words, size_t room, const char *word) {
    char kept[1024] = "", *copy = strdupa(words);
    size_t name = strcspn(word, "=") + 1;
    for (char *w; (w = strsep(&copy, " ")) != NULL;)
        if (w[0] && strncmp(w, word, name) != 0) {
            strcat(kept, w);
            strcat(kept, " ");
        }
    check(snprintf(words, room, "%s%s", kept, word) < (int)room, "too many words: %s", kept);
}

static struct other read_other(const struct outcome *o, const struct directive *d) {
    struct other other = {0};
    char *rest = strdupa(d->text);
    const char *slash = strrchr(o->script->path, '/');
    snprintf(other.words, sizeof other.words, "%s", o->words);
    for (char *word; (word = strsep(&rest, " ")) != NULL;)
        if (strncmp(word, "file=", 5) == 0)
            snprintf(other.file, sizeof other.file, "%.*s/%s", slash ? (int)(slash - o->script->path) : 1,
                     slash ? o->script->path : ".", word + 5);
        else if (strncmp(word, "module=", 7) == 0)
            snprintf(other.module, sizeof other.module, "%s", word + 7);
        else if (strcmp(word, "ir") == 0)
            other.is_ir = 1;
        else if (strcmp(word, "fresh") == 0)
            other.is_fresh = 1;
        else if (word[0])
            set_word(other.words, sizeof other.words, word);
    return other;
}

/* The artifact of a compile in a process of its own, where everything has other addresses. */
static struct bytes compile_fresh(const struct outcome *o, const char *words, const char *module) {
    char path[200], command[1600];
    int status;
    snprintf(path, sizeof path, "%s/module.ll", o->folder);
    write_file(path, module, strlen(module));
    snprintf(command, sizeof command, BIN_DIR "/smd-worker --compile %s %s", path, words);
    struct bytes b = run_command(command, NULL, 0, &status);
    check(b.len > 0, "%s: %d", command, status);
    return b;
}

/* The module of the file behind the line ";--- TITLE", with what stands before all of them. *New*. */
static char *module_titled(const char *path, const char *title) {
    char line[120], *module;
    struct bytes file = read_file(path);
    const char *text = (const char *)file.data, *first = strstr(text, "\n;---");
    snprintf(line, sizeof line, "\n;--- %s\n", title);
    const char *begin = strstr(text, line), *end = begin ? strstr(begin + strlen(line) - 1, "\n;---") : NULL;
    check(begin, "%s: there is no module '%s'", path, title);
    size_t len = end ? (size_t)(end - begin) : strlen(begin);
    check(asprintf(&module, "%.*s%.*s\n", (int)(first - text), text, (int)len, begin) >= 0, "no memory");
    bytes_free(file);
    return module;
}

static int is_equal(sm_slice a, sm_slice b) {
    return a.len == b.len && (a.len == 0 || memcmp(a.data, b.data, a.len) == 0);
}

/* 1 if both objects are the same, 0 if they are not, -1 if there is no other. */
static int is_same(struct outcome *o, const struct directive *d) {
    struct other other = read_other(o, d);
    struct outcome ir = {0};
    struct bytes file = {0}, bytes;
    const char *module = o->script->module;
    char *titled = NULL;
    sm_artifact a;
    if (other.file[0]) {
        file = read_file(other.file);
        module = (const char *)file.data;
    }
    if (other.module[0])
        module = titled = module_titled(o->script->path, other.module);
    if (other.is_ir) {
        char words[1100];
        snprintf(words, sizeof words, "%s", o->words);
        set_word(words, sizeof words, "emit=ir,obj");
        outcome_init(&ir, words, module);
        module = ir.text[SM_PART_IR];
    }
    bytes =
        other.is_fresh ? compile_fresh(o, other.words, module) : compiler_run(other.words, module, strlen(module));
    check(sm_artifact_read(bytes.data, bytes.len, &a) == SM_OK, "the other artifact is damaged");
    sm_slice map = a.part[SM_PART_STACKMAP], why = a.part[SM_PART_DIAGNOSTICS];
    int same = object_of(o).len > 0 && is_equal(object_of(o), a.part[SM_PART_OBJECT]);
    if (same && !is_equal(o->artifact.part[SM_PART_STACKMAP], map)) {
        fail(o, d, "the objects are the same, and the other's stackmap is %.*s", (int)map.len,
             (const char *)map.data);
        same = -1;
    }
    if (a.status != SM_OK) {
        fail(o, d, "the other compile is %s: %.*s", sm_status_name(a.status), (int)why.len, (const char *)why.data);
        same = -1;
    }
    if (other.is_ir)
        outcome_free(&ir);
    bytes_free(bytes);
    free(file.data);
    free(titled);
    return same;
}

static void expect_same(struct outcome *o, const struct directive *d) {
    int wanted = d->times != 0, same = is_same(o, d);
    if (same >= 0 && same != wanted)
        fail(o, d, "the objects %s", same ? "are the same" : "differ");
}

/* ---- Runs ----------------------------------------------------------------------------------------------------- */

/* "[FLAGS] ARGUMENT = RESULT": the program is run, and objects move meanwhile; "!=" with a root left out. */
static void expect_result(struct outcome *o, const struct directive *d) {
    const char *equals = strstr(d->text, "= "), *machine = "";
    int is_not = equals && equals > d->text && equals[-1] == '!';
    char path[200], flags[300], said[2000], arguments[900];
    if (!equals || equals == d->text) {
        fail(o, d, "it says [FLAGS] ARGUMENT = RESULT");
        return;
    }
    snprintf(flags, sizeof flags, "%.*s", (int)(equals - is_not - d->text), d->text);
    for (size_t n = strlen(flags); n && flags[n - 1] == ' ';)
        flags[--n] = 0;
    char *argument = strrchr(flags, ' ') ? strrchr(flags, ' ') + 1 : flags;
    write_object(o, path, sizeof path);
    snprintf(arguments, sizeof arguments, "%.*s --expect %s %s %s", (int)(argument - flags), flags, equals + 2, path,
             argument);
    machine = json_string_value(json_object_get(o->map, "arch"));
    int is_alone = strstr(flags, "--base") || strstr(flags, "--leave-out");
    int status = (is_alone ? moving_run_alone : moving_run)(machine && strcmp(machine, "x86_64") == 0, arguments,
                                                            said, sizeof said);
    if ((status == 0) == is_not)
        fail(o, d, "exit status %d: %s\n%s", status, said, o->text[SM_PART_EXPLAIN]);
    else if (!is_not && number_before(said, "collections") < 1)
        fail(o, d, "it was never collected, which proves nothing: %s", said);
}

/* --------------------------------------------------------------------------------------------------------------- */

static const struct keyword keywords[] = {
    {"STATUS", expect_status, 0, 0, ""},
    {"ERROR", expect_error, TAKES_TIMES | TAKES_FUNCTION | TAKES_PLACE | MAY_BE_EMPTY, 0, ""},
    {"WARNING", expect_warning, TAKES_TIMES | TAKES_FUNCTION | TAKES_PLACE | MAY_BE_EMPTY, 0, ""},
    {"NOTE", expect_note, TAKES_TIMES | TAKES_FUNCTION | TAKES_PLACE | MAY_BE_EMPTY, 0, ""},
    {"SAFEPOINTS", expect_safepoints, TAKES_FUNCTION | TAKES_SAFEPOINTS, 0, ""},
    {"SAFEPOINT", expect_safepoint, TAKES_TIMES | TAKES_FUNCTION | TAKES_SAFEPOINTS, 0, ""},
    {"ROOTS", expect_roots, TAKES_FUNCTION | TAKES_SAFEPOINTS, 0, ""},
    {"REGIONS", expect_regions, TAKES_FUNCTION | TAKES_SAFEPOINTS, 0, ""},
    {"DEOPTS", expect_deopts, TAKES_FUNCTION | TAKES_SAFEPOINTS, 0, ""},
    {"LOCATIONS", expect_locations, TAKES_FUNCTION | TAKES_SAFEPOINTS, 0, ""},
    {"STACKMAP", expect_text, TAKES_TIMES, SM_PART_STACKMAP, ""},
    {"EXPLAIN", expect_text, TAKES_TIMES | TAKES_FUNCTION | TAKES_THEN, SM_PART_EXPLAIN, ""},
    {"META", expect_text, TAKES_TIMES, SM_PART_META, ""},
    {"IR", expect_text, TAKES_TIMES | TAKES_FUNCTION | TAKES_THEN, SM_PART_IR, "ir"},
    {"MODERN", expect_text, TAKES_TIMES | TAKES_FUNCTION | TAKES_THEN, SM_PART_MODERN, "modern"},
    {"ASM", expect_text, TAKES_TIMES | TAKES_FUNCTION | TAKES_THEN, SM_PART_ASM, "asm"},
    {"DISASM", expect_text, TAKES_TIMES | TAKES_FUNCTION | TAKES_THEN, SM_PART_DISASM, "disasm"},
    {"REMARKS", expect_text, TAKES_TIMES, SM_PART_REMARKS, "remarks"},
    {"STAGES", expect_text, TAKES_TIMES, SM_PART_STAGES, "stages"},
    {"LINKS", expect_text, TAKES_TIMES, SM_PART_LINKS, "links"},
    {"OBJDUMP", expect_objdump, TAKES_TIMES | TAKES_FUNCTION | TAKES_THEN, SM_PART_OBJECT, ""},
    {"SYMBOL", expect_symbol, TAKES_TIMES, 0, ""},
    {"DEFINED", expect_defined, TAKES_TIMES, 0, ""},
    {"UNDEFINED", expect_undefined, TAKES_TIMES, 0, ""},
    {"SECTION", expect_section, TAKES_TIMES, 0, ""},
    {"READOBJ", expect_readobj, 0, 0, ""},
    {"DECODED", expect_decoded, TAKES_TIMES, 0, ""},
    {"SAME-AS", expect_same, TAKES_TIMES | MAY_BE_EMPTY, 0, ""},
    {"RESULT", expect_result, 0, 0, ""},
};

const struct keyword *keyword_find(const char *name, size_t len) {
    for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++)
        if (strlen(keywords[i].name) == len && memcmp(keywords[i].name, name, len) == 0)
            return &keywords[i];
    return NULL;
}

/* Appends a word to a list with commas, unless it is there. */
static void add_word(sm_buf *list, const char *word) {
    char all[300], wanted[40];
    snprintf(all, sizeof all, ",%s,", sm_buf_cstr(list));
    snprintf(wanted, sizeof wanted, ",%s,", word);
    if (!strstr(all, wanted))
        sm_buf_printf(list, ",%s", word);
}

/* The run's words; with what its expectations need to be emitted, if they do not say; and target=module is none. */
static void complete_words(const struct group *g, const char *words, char *all, size_t room) {
    sm_buf emit;
    sm_buf_init(&emit, 200);
    sm_buf_puts(&emit, "emit=obj");
    for (size_t i = 0; i < g->expectations; i++)
        if (g->expectation[i].keyword->emit[0])
            add_word(&emit, g->expectation[i].keyword->emit);
    snprintf(all, room, "%s", words);
    if (!strstr(words, "emit="))
        set_word(all, room, sm_buf_cstr(&emit));
    char *module = strstr(all, "target=module");
    if (module)
        memset(module, ' ', strlen("target=module"));
    sm_buf_free(&emit);
}

/* One that needs no object. */
static int is_of_failures(const struct directive *d) {
    return d->keyword->expect == expect_status || d->keyword->uses & TAKES_PLACE;
}

void expect_run(const struct script *s, const struct group *g, const char *words, const char *folder,
                sm_buf *report) {
    struct directive status = {.keyword = keyword_find("STATUS", 6), .line = g->line, .text = "ok"};
    char all[1024];
    struct outcome o = {.script = s, .words = all, .folder = folder, .report = report};
    size_t before = report->len;
    complete_words(g, words, all, sizeof all);
    outcome_init(&o, all, s->module);
    for (size_t i = 0; i < g->expectations; i++)
        if (g->expectation[i].keyword->expect == expect_status)
            status = g->expectation[i];
    if (o.artifact.status == SM_NO_UPGRADE && !HAS_UPGRADE) { /* a build without smd-upgrade has nothing to show */
        outcome_free(&o);
        return;
    }
    expect_status(&o, &status);
    for (size_t i = 0; report->len == before && i < g->expectations; i++)
        if (o.artifact.status != SM_OK && !is_of_failures(&g->expectation[i]))
            fail(&o, &g->expectation[i], "there is no object");
    for (size_t i = 0; report->len == before && i < g->expectations; i++)
        g->expectation[i].keyword->expect(&o, &g->expectation[i]);
    outcome_free(&o);
}
