/* Parts of an earlier compile: after every kind of edit the answer is the one of a compile without them, byte for
 * byte, and what the edit did not touch is taken over. Damaged parts are none; parts that lie are not joined. */
#include "digest.h"
#include "folder.h"
#include "kept.h"
#include "worker.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

TestSuite(incremental, .init = folder_make, .fini = folder_remove, .timeout = 800);

#define GC       " gc \"statepoint-example\" "
#define COUNT(a) (sizeof(a) / sizeof *(a))

/* ---- Modules and their edits ------------------------------------------------------------------------------------- */

enum { FUNCTIONS = 30, TEXT_MAX = 100000 };

/* What may be other than usual. */
struct edit {
    const char *what;
    const char *head;    /* before the functions */
    const char *inlined; /* the body of what all odd functions call, which is inlined; NULL: as usual */
    const char *callee;  /* attributes of what all even ones call, which is not; NULL: as usual */
    int constant;        /* a function with another constant; 0: none */
    int renamed, left, added,
        first;      /* functions: of another name, not there, there as well in the middle or before all others */
    unsigned again; /* parts that may be compiled again, at most */
};

static void put_function(char *text, int i, const char *name, int constant) {
    sprintf(text + strlen(text),
            "define i64 @%s(ptr addrspace(1) %%list, i64 %%n)" GC "{\nentry:\n"
            "  %%cell = call ptr addrspace(1) @allocate(i64 %d)\n  %%m = call i64 @%s(i64 %%n)\n  br label %%loop\n"
            "loop:\n  %%at = phi ptr addrspace(1) [ %%list, %%entry ], [ %%next, %%more ]\n"
            "  %%sum = phi i64 [ %%m, %%entry ], [ %%added, %%more ]\n  %%end = icmp eq ptr addrspace(1) %%at, null\n"
            "  br i1 %%end, label %%done, label %%more\n"
            "more:\n  %%field = getelementptr i8, ptr addrspace(1) %%at, i64 16\n"
            "  %%value = load i64, ptr addrspace(1) %%field\n  %%times = mul i64 %%value, %d\n"
            "  %%added = add i64 %%sum, %%times\n  %%link = getelementptr i8, ptr addrspace(1) %%at, i64 8\n"
            "  %%next = load ptr addrspace(1), ptr addrspace(1) %%link\n  br label %%loop\n"
            "done:\n  store i64 %%sum, ptr addrspace(1) %%cell\n  ret i64 %%sum\n}\n",
            name, i, i % 2 ? "inlined" : "callee", constant);
}

static char *module_of(const struct edit *e) {
    char *text = calloc(1, TEXT_MAX), name[40];
    sprintf(text,
            "declare ptr addrspace(1) @allocate(i64)\ndeclare void @collect()\n@wanted = external global i8\n"
            "@.hidden = private constant [4 x i8] c\"abc\\00\"\n%s"
            "define void @gc.safepoint_poll() {\n  %%w = load volatile i8, ptr @wanted\n"
            "  %%q = icmp eq i8 %%w, 0\n  br i1 %%q, label %%on, label %%stop\nstop:\n  call void @collect()\n"
            "  br label %%on\non:\n  ret void\n}\n"
            "define internal i64 @inlined(i64 %%x) alwaysinline {\n%s}\n"
            "define i64 @callee(i64 %%x) noinline %s {\n  %%p = ptrtoint ptr @.hidden to i64\n  %%y = xor i64 %%x, "
            "%%p\n  ret i64 "
            "%%y\n}\n",
            e->head ? e->head : "", e->inlined ? e->inlined : "  %y = add i64 %x, 7\n  ret i64 %y\n",
            e->callee ? e->callee : "");
    if (e->first)
        put_function(text, 1000, "first", 1000);
    for (int i = 1; i <= FUNCTIONS; i++) {
        snprintf(name, sizeof name, i == e->renamed ? "other%d" : "f%d", i);
        if (i != e->left)
            put_function(text, i, name, i == e->constant ? 5000 : i);
        if (i == e->added)
            put_function(text, 2000, "added", 2000);
    }
    return text;
}

/* Parts of the second file that are not in the first; *ALL is how many are in the second. */
static size_t count_new(const char *first, const char *second, size_t *all) {
    enum { ENTRY = SM_KEPT_KEY + 16 };
    char path[300];
    sm_buf a, b;
    sm_kept k, l;
    size_t n = 0;
    snprintf(path, sizeof path, "%s/%s", folder, first);
    cr_assert_eq(sm_buf_read_file(&a, path), SM_OK);
    snprintf(path, sizeof path, "%s/%s", folder, second);
    cr_assert_eq(sm_buf_read_file(&b, path), SM_OK);
    cr_assert_eq(sm_kept_read(a.data, a.len, &k), SM_OK);
    cr_assert_eq(sm_kept_read(b.data, b.len, &l), SM_OK);
    for (size_t i = 0; i < l.parts; i++)
        n += sm_kept_find(&k, l.bytes + SM_KEPT_HEADER + i * ENTRY).data == NULL;
    *all = l.parts;
    sm_buf_free(&a);
    sm_buf_free(&b);
    return n;
}

static struct compiled compile_with(const char *ir, const char *options, const char *target, const char *kept,
                                    const char *keep) {
    char with[800];
    int n = snprintf(with, sizeof with, "split=functions %s", options);
    if (kept)
        n += snprintf(with + n, sizeof with - (size_t)n, " --kept=%s/%s", folder, kept);
    if (keep)
        snprintf(with + n, sizeof with - (size_t)n, " --keep=%s/%s", folder, keep);
    struct compiled c = compile(ir, with, target);
    cr_assert_eq(c.artifact.status, SM_OK, "%s: %s", with, c.text[SM_PART_DIAGNOSTICS]);
    return c;
}

static void are_same(const struct compiled *a, const struct compiled *b, const char *what) {
    cr_assert(a->bytes.len == b->bytes.len && memcmp(a->bytes.data, b->bytes.data, a->bytes.len) == 0, "%s", what);
}

enum { LEVELS = 4 };
static const char *const levels[LEVELS] = {"opt=0", "opt=1", "opt=2", "opt=3"};

/* A module's compile without another's parts, and the file of its own. */
struct made {
    struct compiled compiled;
    char file[32];
};

static struct made make(const char *ir, const char *name, int level, int target) {
    struct made m;
    snprintf(m.file, sizeof m.file, "%s.%d.%d", name, level, target);
    m.compiled = compile_with(ir, levels[level], targets[target], NULL, m.file);
    return m;
}

/* From one module to the other, COLD: the same as without, and no more parts than that are compiled. */
static void goes_over(const char *before, const char *to, const struct made *cold, int level, int target,
                      const struct edit *e) {
    size_t all;
    struct compiled warm = compile_with(to, levels[level], targets[target], before, "warm");
    are_same(&cold->compiled, &warm, e->what);
    size_t again = count_new(before, "warm", &all);
    cr_assert(all > 5 && again <= e->again, "%s, %s: %zu of %zu parts are new", e->what, levels[level], again, all);
    cr_assert_eq(count_new(cold->file, "warm", &all), 0, "%s", e->what);
    drop(&warm);
}

/* There at one level, and back at another. */
static void goes_there_and_back(const char *usual, struct made made[LEVELS], const struct edit *e, int there,
                                int back, int target) {
    char *other = module_of(e);
    struct made cold = make(other, "there", there, target), before = make(other, "back", back, target);
    goes_over(made[there].file, other, &cold, there, target, e);
    goes_over(before.file, usual, &made[back], back, target, e);
    drop(&before.compiled);
    drop(&cold.compiled);
    free(other);
}

Test(incremental, edits_give_what_a_compile_without_gives) {
    static const struct edit edits[] = {
        {.what = "nothing"},
        {.what = "a constant", .constant = 17, .again = 1},
        {.what = "a name", .renamed = 17, .again = 4},
        {.what = "one more", .added = 17, .again = 4},
        {.what = "one more before all others", .first = 1, .again = 4},
        {.what = "one less", .left = 17, .again = 4},
        {.what = "a variable", .head = "@more = global i64 5\n", .again = 1},
        {.what = "a nameless variable before others",
         .head = "@0 = internal global i64 5\n@user = global ptr @0\n",
         .again = 1},
        {.what = "what is inlined", .inlined = "  %y = mul i64 %x, 9\n  ret i64 %y\n", .again = 1000},
        {.what = "attributes of a callee", .callee = "nounwind", .again = 1000},
        {.what = "the type of a variable", .head = "@wide = global [7 x i64] zeroinitializer\n", .again = 1},
        {.what = "metadata", .head = "!words = !{!0}\n!0 = !{!\"words\"}\n", .again = 1000},
        {.what = "sections that are kept",
         .head = "@llvm.used = appending global [1 x ptr] [ptr @f9]\n",
         .again = 1000},
    };
    static const struct edit none = {0};
    char *usual = module_of(&none);
    for (int t = 0; t < 2; t++) {
        struct made made[LEVELS];
        for (int level = 0; level < LEVELS; level++)
            made[level] = make(usual, "usual", level, t);
        for (int i = 0; i < (int)COUNT(edits); i++)
            goes_there_and_back(usual, made, &edits[i], i % LEVELS, (i + 2) % LEVELS, t);
        for (int level = 0; level < LEVELS; level++)
            drop(&made[level].compiled);
    }
    free(usual);
}

/* What code depends on beside the module: other options take nothing over. */
Test(incremental, other_options_take_nothing_over) {
    static const char *const options[] = {"opt=2",
                                          "opt=1",
                                          "cpu=x86-64-v3",
                                          "reloc=static",
                                          "gc_registers=4",
                                          "frame_pointer=all",
                                          "null_checks=implicit",
                                          "code_model=large",
                                          "safepoints=none"};
    static const struct edit none = {0};
    char *usual = module_of(&none);
    size_t all;
    for (int t = 0; t < 2; t++) {
        struct compiled first = compile_with(usual, options[0], targets[t], NULL, t ? "before.1" : "before.0");
        drop(&first);
    }
    for (size_t i = 1; i < COUNT(options); i++) {
        int t = strncmp(options[i], "cpu=", 4) != 0 && i % 2;
        const char *before = t ? "before.1" : "before.0";
        struct compiled cold = compile_with(usual, options[i], targets[t], NULL, "cold"),
                        warm = compile_with(usual, options[i], targets[t], before, "warm");
        are_same(&cold, &warm, options[i]);
        size_t again = count_new(before, "warm", &all);
        cr_assert_eq(again, all, "%s: %zu of %zu", options[i], again, all);
        drop(&cold);
        drop(&warm);
    }
    free(usual);
}

/* The one for other processors takes nothing from this one. */
Test(incremental, other_targets_take_nothing_over) {
    static const struct edit none = {0};
    char *usual = module_of(&none);
    size_t all;
    struct compiled first = compile_with(usual, "", targets[0], NULL, "before"),
                    cold = compile_with(usual, "", targets[1], NULL, NULL),
                    warm = compile_with(usual, "", targets[1], "before", "warm");
    are_same(&cold, &warm, "targets");
    size_t again = count_new("before", "warm", &all);
    cr_assert_eq(again, all);
    drop(&first);
    drop(&cold);
    drop(&warm);
    free(usual);
}

/* ---- Parts that are not what they were --------------------------------------------------------------------------- */

static sm_buf file_of(const char *name) {
    char path[300];
    sm_buf b;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    cr_assert_eq(sm_buf_read_file(&b, path), SM_OK);
    return b;
}

static void write_folder_file(const char *name, const sm_buf *b) {
    char path[300];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    write_file(path, b->data, b->len);
}

Test(incremental, damaged_parts_are_none) {
    static const struct edit none = {0};
    char *usual = module_of(&none);
    struct compiled cold = compile_with(usual, "", targets[0], NULL, "before");
    sm_buf b = file_of("before");
    for (size_t i = 0; i < 12; i++) {
        size_t at = b.len * i / 12;
        b.data[at] ^= 0x10;
        write_folder_file("damaged", &b);
        b.data[at] ^= 0x10;
        struct compiled warm = compile_with(usual, "", targets[0], "damaged", NULL);
        are_same(&cold, &warm, "damaged");
        drop(&warm);
    }
    drop(&cold);
    sm_buf_free(&b);
    free(usual);
}

/* Rewrites all objects of a file by LIE, with digests that are right. */
static void rewrite(const char *from, const char *to, size_t (*lie)(unsigned char *object, size_t len, size_t n)) {
    enum { ENTRY = SM_KEPT_KEY + 16 };
    sm_buf b = file_of(from), out;
    sm_kept k;
    cr_assert_eq(sm_kept_read(b.data, b.len, &k), SM_OK);
    sm_kept_part *part = calloc(k.parts, sizeof *part);
    for (size_t i = 0; i < k.parts; i++) {
        const unsigned char *key = k.bytes + SM_KEPT_HEADER + i * ENTRY;
        sm_slice object = sm_kept_find(&k, key);
        memcpy(part[i].key, key, SM_KEPT_KEY);
        part[i].object = (sm_slice){object.data, lie((unsigned char *)object.data, object.len, i)};
    }
    sm_buf_init(&out, b.len * 2);
    cr_assert_eq(sm_kept_write(&out, part, k.parts), SM_OK);
    write_folder_file(to, &out);
    sm_buf_free(&out);
    sm_buf_free(&b);
    free(part);
}

static size_t cut(unsigned char *object, size_t len, size_t n) {
    (void)object;
    return len * (n % 4) / 4;
}

static size_t zeros(unsigned char *object, size_t len, size_t n) {
    memset(object + (n % 2 ? 64 : 0), 0, len / 2);
    return len;
}

static size_t tables_cut(unsigned char *object, size_t len, size_t n) {
    (void)n;
    memset(object + len - 64 * 4, 0xff, (size_t)64 * 4); /* the last headers of sections */
    return len;
}

static size_t noise(unsigned char *object, size_t len, size_t n) {
    uint64_t state = n + 1;
    for (size_t i = 64; i < len; i += 1 + state % 97) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        object[i] ^= (unsigned char)(state >> 33);
    }
    return len;
}

/* A worker that has lied gets no more than a refusal, or its lie back; the compiler does not die of it. (Who may name
 * its artifact: docs/security.md.) */
Test(incremental, parts_that_lie_harm_nobody) {
    static size_t (*const lies[])(unsigned char *, size_t, size_t) = {cut, zeros, tables_cut, noise};
    static const struct edit none = {0};
    char *usual = module_of(&none), with[300];
    for (int t = 0; t < 2; t++) {
        struct compiled honest = compile_with(usual, "", targets[t], NULL, "before");
        for (size_t i = 0; i < COUNT(lies); i++) {
            rewrite("before", "lie", lies[i]);
            snprintf(with, sizeof with, "split=functions --kept=%s/lie", folder);
            struct compiled c = compile(usual, with, targets[t]); /* which asserts that it has not died */
            if (lies[i] != noise) {
                cr_assert_eq(c.artifact.status, SM_OK);
                cr_assert(strstr(c.text[SM_PART_META], "\"parts\":1,\"whole_because\":"), "%s", c.text[SM_PART_META]);
            }
            drop(&c);
        }
        drop(&honest);
    }
    free(usual);
}

/* ---- What is told ------------------------------------------------------------------------------------------------ */

/* The answer says how it is made again, and not what it was taken from. */
Test(incremental, the_answer_is_the_same_with_the_name_of_another) {
    static const struct edit none = {0};
    char *usual = module_of(&none);
    struct compiled plain = compile_with(usual, "", targets[0], NULL, NULL),
                    named = compile_with(
                        usual, "incremental=00ff1a2b3c4d5e6f708192a3b4c5d6e7f8090a1b2c3d4e5f60718293a4b5c6d7",
                        targets[0], NULL, NULL);
    are_same(&plain, &named, "named");
    cr_assert(strstr(plain.text[SM_PART_META], "--split=functions"));
    drop(&plain);
    drop(&named);
    free(usual);
}
