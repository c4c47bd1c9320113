/* Random programs and random edits of them: with the parts of the program before the edit, the compiler gives what it
 * gives without, byte for byte, for every level and both targets. (That parts keep the meaning random_programs shows,
 * by running them.) */
#include "compiler.h"
#include "folder.h"
#include "generate.h"
#include "kept.h"
#include "variant.h"

#include <criterion/criterion.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SEEDS = 16, TEXT_MAX = 1 << 22 };

/* A module with functions of the shadow stack is compiled whole: all of them share its chain. */
#define DIVISIBLE (FEATURES_ALL & ~FEATURE(SHADOW))

TestSuite(edits, .init = folder_make, .fini = folder_remove, .timeout = 900);

static uint64_t next(uint64_t *state) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 33;
}

/* The beginning of a drawn function's line "define …"; NULL if there is none. */
static char *draw_function(char *text, uint64_t *state) {
    size_t n = 0, wanted;
    for (char *at = text; (at = strstr(at, "\ndefine ")); at++)
        n++;
    wanted = n ? next(state) % n : 0;
    char *at = strstr(text, "\ndefine ");
    for (size_t i = 0; at && i < wanted; i++)
        at = strstr(at + 1, "\ndefine ");
    return at ? at + 1 : NULL;
}

static void insert(char *text, char *at, const char *what) {
    size_t len = strlen(what);
    cr_assert(strlen(text) + len < TEXT_MAX);
    memmove(at + len, at, strlen(at) + 1);
    memcpy(at, what, len);
}

/* A number in an addition, exclusive or or multiplication of the function, or behind it, is another one. */
static int change_constant(char *text, uint64_t *state) {
    static const char *const operations[] = {" = add i64 ", " = xor i64 ", " = mul i64 ", " = sub i64 "};
    char *at = draw_function(text, state);
    at = at ? strstr(at, operations[next(state) % 4]) : NULL;
    char *end = at ? strchr(at, '\n') : NULL, *comma = end ? memchr(at, ',', (size_t)(end - at)) : NULL;
    if (!comma || !isdigit((unsigned char)comma[2]))
        return 0;
    insert(text, comma + 2, "1");
    return 1;
}

static int add_function(char *text, uint64_t *state) {
    char *at = draw_function(text, state), name[200];
    snprintf(name, sizeof name, "define i64 @edit.added%d(i64 %%x) {\n  %%y = mul i64 %%x, %d\n  ret i64 %%y\n}\n\n",
             (int)(next(state) % 50), (int)(next(state) % 1000) + 2);
    if (at)
        insert(text, at, name);
    return at != NULL;
}

static int add_variable(char *text, uint64_t *state) {
    char *at = draw_function(text, state);
    if (at)
        insert(text, at,
               next(state) % 2 ? "@edit.variable = global i64 7\n\n"
                               : "@edit.hidden = private constant i64 7\n"
                                 "@edit.shown = global ptr @edit.hidden\n\n");
    return at != NULL;
}

/* "noinline" before the strategy or the body: what callers know of it, and inline, is another thing. */
static int change_attribute(char *text, uint64_t *state) {
    static const char *const attributes[] = {"noinline ", "cold ", "nounwind ", "minsize optsize "};
    char *at = draw_function(text, state), *end = at ? strchr(at, '\n') : NULL;
    char *gc = at ? strstr(at, "gc \"") : NULL;
    const char *attribute = attributes[next(state) % 4];
    if (!gc || gc > end || memmem(at, (size_t)(end - at), attribute, strlen(attribute)) ||
        (*attribute == 'n' && memmem(at, (size_t)(end - at), "alwaysinline", 12)))
        return 0;
    insert(text, gc, attribute);
    return 1;
}

/* Everywhere: @NAME becomes @NAME.renamed. */
static int rename_function(char *text, uint64_t *state) {
    char *at = draw_function(text, state), name[100];
    at = at ? strchr(at, '@') : NULL;
    size_t len = at ? strcspn(at, "(\n") : 0;
    if (!len || len >= sizeof name || at[1] == '"' || at[len] != '(' || strncmp(at, "@gc.", 4) == 0)
        return 0;
    memcpy(name, at, len);
    name[len] = 0;
    for (char *use = text; (use = strstr(use, name)); use += len)
        if (!isalnum((unsigned char)use[len]) && !strchr("._-$\"", use[len]))
            insert(text, use + len, ".renamed");
    return 1;
}

static char *edit(const char *text, uint64_t *state, const char **what) {
    static const struct {
        const char *what;
        int (*make)(char *text, uint64_t *state);
    } kinds[] = {{"constant", change_constant}, {"constant", change_constant},   {"function", add_function},
                 {"variable", add_variable},    {"attribute", change_attribute}, {"name", rename_function}};
    char *edited = calloc(1, TEXT_MAX);
    cr_assert(edited && strlen(text) < TEXT_MAX / 2);
    strcpy(edited, text);
    for (size_t n;;) {
        n = next(state) % (sizeof kinds / sizeof *kinds);
        *what = kinds[n].what;
        if (kinds[n].make(edited, state))
            return edited;
    }
}

/* The artifact, of success or failure. PARTS: "--kept=FILE", "--keep=FILE" or both, with the folder's path for %s. */
static struct bytes compile(const char *text, const struct variant *v, const char *parts) {
    char words[1000], files[300];
    snprintf(files, sizeof files, parts, folder, folder);
    snprintf(words, sizeof words, "%s split=functions %s", files, v->plain);
    return compiler_run(words, text, strlen(text));
}

/* How many parts of the file "warm" are in the file "before". */
static size_t count_taken(size_t *all) {
    enum { ENTRY = SM_KEPT_KEY + 16 };
    char path[2][100];
    sm_buf b[2];
    sm_kept k[2];
    size_t n = 0;
    *all = 0;
    snprintf(path[0], sizeof path[0], "%s/before", folder);
    snprintf(path[1], sizeof path[1], "%s/warm", folder);
    for (int i = 0; i < 2; i++) {
        cr_assert_eq(sm_buf_read_file(&b[i], path[i]), SM_OK);
        if (sm_kept_read(b[i].data, b[i].len, &k[i]) != SM_OK)
            k[i] = (sm_kept){NULL, 0}; /* it was compiled whole */
    }
    for (size_t i = 0; i < k[1].parts; i++)
        n += sm_kept_find(&k[0], k[1].bytes + SM_KEPT_HEADER + i * ENTRY).data != NULL;
    *all = k[1].parts;
    sm_buf_free(&b[0]);
    sm_buf_free(&b[1]);
    return n;
}

/* A variant says split itself, now and then; every compile here is of one kind. */
static void without_split(struct variant *v) {
    static const char word[] = " split=functions";
    char *at = strstr(v->plain, word);
    if (at)
        memmove(at, at + sizeof word - 1, strlen(at + sizeof word - 1) + 1);
}

Test(edits, give_what_a_compile_without_parts_gives) {
    size_t taken = 0, parts = 0, divided = 0;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        uint64_t state = seed * 7919;
        sm_buf program;
        sm_buf_init(&program, TEXT_MAX / 4);
        generate(seed + 900, DIVISIBLE, &program, NULL);
        const char *what, *before = sm_buf_cstr(&program);
        char *after = edit(before, &state, &what);
        for (int n = (int)(seed % 2); n < VARIANTS; n += 2) {
            struct variant v;
            size_t all;
            variant_draw(seed, n, &v);
            without_split(&v);
            struct bytes first = compile(before, &v, "--keep=%s/before"), cold = compile(after, &v, ""),
                         warm = compile(after, &v, "--kept=%s/before --keep=%s/warm");
            cr_assert(cold.len == warm.len && memcmp(cold.data, warm.data, cold.len) == 0, "seed %d, %s, %s",
                      (int)seed, what, v.plain);
            taken += count_taken(&all);
            parts += all;
            divided += all != 0;
            bytes_free(first);
            bytes_free(cold);
            bytes_free(warm);
        }
        free(after);
        sm_buf_free(&program);
    }
    cr_assert(divided > SEEDS && taken > parts / 3, "%zu of %zu parts, in %zu compiles", taken, parts, divided);
}
