/* rounds.c - what smd emits as IR it takes back, and gives the same object and stackmap.
 *
 *     rounds [--keep FOLDER] [FOLDER ...]
 *
 * Each module of the project is compiled with the options of its RUN lines, those of the FOLDERs with a poll, at two
 * levels, for both targets; so are random programs, in parts and unsplit. Its final IR is posted with the same options.
 * There is no reason for which the object may differ.
 */
#include "artifact.h"
#include "check.h"
#include "compiler.h"
#include "generate.h"
#include "inputs.h"
#include "variant.h"

#include <stdio.h>
#include <string.h>

enum { PROGRAMS = 30 };

static const char *keep; /* a folder where objects that differ go, and their IR; NULL */

static struct {
    size_t modules, compiled, same, wrong;
} sum;

/* One module. */
struct round {
    const char *name;
    const char *module;
    size_t len;
    int number; /* in its file; 0: it is alone */
};

/* The answer's part as a string: *new*. */
static char *text_of(const sm_artifact *a, enum sm_part part) {
    return strndup(a->part[part].data ? (const char *)a->part[part].data : "", a->part[part].len);
}

static int is_same(sm_slice a, sm_slice b) {
    return a.len == b.len && (a.len == 0 || memcmp(a.data, b.data, a.len) == 0);
}

/* Writes the part to the folder, as the fault's number and this word. */
static void keep_part(sm_slice part, const char *word) {
    char path[1000];
    if (!keep || !part.data)
        return;
    snprintf(path, sizeof path, "%s/%zu-%s", keep, sum.wrong, word);
    write_file(path, part.data, part.len);
}

/* Compares the answers to a module and to its final IR. */
static void compare(const struct round *r, const char *words, const sm_artifact *first, const sm_artifact *second) {
    const char *what = second->status != SM_OK                                                   ? "status"
                       : !is_same(first->part[SM_PART_OBJECT], second->part[SM_PART_OBJECT])     ? "object"
                       : !is_same(first->part[SM_PART_STACKMAP], second->part[SM_PART_STACKMAP]) ? "stackmap"
                                                                                                 : NULL;
    if (!what) {
        sum.same++;
        return;
    }
    char *text = text_of(second, SM_PART_DIAGNOSTICS);
    printf("%s #%d %s: another %s %.600s\n", r->name, r->number, words, what, second->status == SM_OK ? "" : text);
    free(text);
    keep_part(first->part[SM_PART_IR], "final.ll");
    keep_part(first->part[SM_PART_OBJECT], "first.o");
    keep_part(second->part[SM_PART_OBJECT], "second.o");
    sum.wrong++;
}

/* Compiles the module and, if there is an object, its final IR. */
static void go_round(const struct round *r, const char *words) {
    char with_ir[1200];
    snprintf(with_ir, sizeof with_ir, "%s emit=obj,ir", words);
    struct bytes b = compiler_run(with_ir, r->module, r->len);
    sm_artifact first, second;
    check(sm_artifact_read(b.data, b.len, &first) == SM_OK, "%s: the answer is no artifact", r->name);
    if (first.status == SM_OK && first.part[SM_PART_IR].len) {
        struct bytes again = compiler_run(words, first.part[SM_PART_IR].data, first.part[SM_PART_IR].len);
        check(sm_artifact_read(again.data, again.len, &second) == SM_OK, "%s: the answer is no artifact", r->name);
        sum.compiled++;
        compare(r, words, &first, &second);
        bytes_free(again);
    }
    bytes_free(b);
}

/* Appends the words of a RUN line, braces by their first alternative, without target, level and what is emitted. */
static void add_words(const char *line, const char *end, char *to, size_t size) {
    size_t n = 0;
    for (const char *at = line; at < end && n + 1 < size;) {
        const char *stop = at + strcspn(at, " \n");
        int left_out = strncmp(at, "target=", 7) == 0 || strncmp(at, "opt=", 4) == 0 ||
                       strncmp(at, "emit=", 5) == 0 || strncmp(at, "after=", 6) == 0 || strncmp(at, "--", 2) == 0;
        for (int in = 0, second = 0; at < stop && n + 1 < size && !left_out; at++) {
            in += *at == '{';
            second = in && (second || *at == ',');
            if (*at == '}')
                in = second = 0;
            else if (*at != '{' && !second)
                to[n++] = *at;
        }
        at = stop + (stop < end);
        if (!left_out && n + 1 < size)
            to[n++] = ' ';
    }
    to[n] = 0;
}

/* Compiles the module at two levels for both targets, with these words beside. */
static void go_rounds(const struct round *r, const char *own) {
    static const char *const targets[] = {"x86_64-linux-gnu", "aarch64-linux-gnu"};
    static const char levels[] = "02";
    char words[1100];
    for (size_t t = 0; t < sizeof targets / sizeof *targets; t++)
        for (const char *level = levels; *level; level++) {
            snprintf(words, sizeof words, "target=%s opt=%c %s", targets[t], *level, own);
            go_round(r, words);
        }
}

/* Visitor of modules: compiles it as its RUN lines say, each time another, or with a poll if there is none. */
static void visit(void *arg, const char *module, size_t len, int number) {
    static const char run[] = "; RUN:";
    struct round r = {arg, module, len, number};
    char words[1000], before[1000] = "?";
    const char *end = module + len;
    int any = 0, is_ours = strncmp(arg, "tests/compiler/", 15) == 0;
    sum.modules++;
    for (const char *at = module; is_ours && (at = memmem(at, (size_t)(end - at), run, sizeof run - 1)); at++) {
        const char *line = at + sizeof run - 1, *stop = memchr(line, '\n', (size_t)(end - line));
        line += strspn(line, " ");
        add_words(line, stop ? stop : end, words, sizeof words);
        any = 1;
        if (strcmp(words, before) == 0)
            continue;
        memcpy(before, words, sizeof before);
        go_rounds(&r, words);
    }
    if (!any)
        go_rounds(&r, memmem(module, len, "@gc.safepoint_poll(", 19) ? "" : "poll=call:poll ");
}

/* Compiles the program of this seed in all variants, each unsplit, in parts and in units. */
static void visit_program(uint64_t seed) {
    static const char *const splits[] = {"never", "auto", "functions"};
    char name[40], words[1100];
    struct variant v;
    sm_buf text;
    sm_buf_init(&text, (size_t)1 << 24);
    snprintf(name, sizeof name, "program-%d", (int)seed);
    generate(seed, FEATURES_ALL, &text, NULL);
    struct round r = {name, sm_buf_cstr(&text), text.len, 0};
    sum.modules++;
    for (int n = 0; n < VARIANTS; n++) {
        variant_draw(seed, n, &v);
        snprintf(words, sizeof words, "%s spaces=3:32:3:heap_base split=%s", v.plain, splits[n % 3]);
        if (strcmp(variant_value(&v, "poll"), "module") != 0)
            go_round(&r, words);
    }
    sm_buf_free(&text);
}

int main(int argc, char **argv) {
    size_t count;
    int named = 0;
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "--keep") == 0 && i + 1 < argc)
            keep = argv[++i];
        else
            named += inputs_add(argv[i]);
    if (!named)
        inputs_add_own();
    char *const *files = inputs(&count);
    for (size_t i = 0; i < count; i++) {
        struct bytes text = read_file(files[i]);
        input_each((const char *)text.data, text.len, visit, (void *)input_name(files[i]));
        bytes_free(text);
    }
    for (uint64_t seed = 1; !named && seed <= PROGRAMS; seed++)
        visit_program(seed);
    printf("%zu modules, %zu compiles: %zu the same, %zu not\n", sum.modules, sum.compiled, sum.same, sum.wrong);
    printf("Synthesis: Tested: 1 | Passing: %d | Failing: %d\n", !sum.wrong, sum.wrong != 0);
    return sum.wrong != 0 || !sum.compiled;
}
