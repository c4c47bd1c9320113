/* Modules that were made wrong at random, from those that are right: each gets an answer that says what it is, and the
 * daemon lives. The seed is fixed; TEST_MUTANTS_SEED and TEST_MUTANTS (how many of each kind) make another run of it. */
#include "http.h"

#include <criterion/criterion.h>
#include <glob.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MUTANTS = 300, DEADLINE_MS = 20000, LONGEST = 1 << 16 };

static uint64_t state;

/* xorshift64 */
static size_t below(size_t n) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (size_t)(state >> 11) % n;
}

static long number_of(const char *variable, long otherwise) {
    const char *text = getenv(variable);
    return text ? atol(text) : otherwise;
}

/* Puts LEN bytes of TEXT in the place of OLD bytes at AT. */
static void splice(struct bytes *m, size_t at, size_t old, const char *text, size_t len) {
    if (at + old > m->len || m->len - old + len >= LONGEST)
        return;
    memmove(m->data + at + len, m->data + at + old, m->len - at - old);
    memcpy(m->data + at, text, len);
    m->len += len - old;
}

/* The line, or the word, that has this byte: where it begins, and its length. */
static size_t piece(const struct bytes *m, size_t at, const char *ends, size_t *len) {
    size_t from = at, to = at;
    while (from > 0 && !memchr(ends, m->data[from - 1], strlen(ends)))
        from--;
    while (to < m->len && !memchr(ends, m->data[to], strlen(ends)))
        to++;
    *len = to - from;
    return from;
}

static const char between_words[] = " \t\n,()[]{}<>";

static void lose_line(struct bytes *m, size_t at) {
    size_t len, from = piece(m, at, "\n", &len);
    splice(m, from, len, "", 0);
}

static void copy_line(struct bytes *m, size_t at) {
    size_t len, from = piece(m, below(m->len), "\n", &len), to_len, to = piece(m, at, "\n", &to_len);
    char line[1024];
    int n = snprintf(line, sizeof line, "%.*s\n", len < 1000 ? (int)len : 1000, m->data + from);
    splice(m, to, 0, line, (size_t)n);
}

static void swap_words(struct bytes *m, size_t at) {
    size_t len, from = piece(m, below(m->len), between_words, &len), to_len,
                to = piece(m, at, between_words, &to_len);
    char word[256];
    len = len < sizeof word ? len : sizeof word;
    memcpy(word, m->data + from, len);
    splice(m, to, to_len, word, len);
}

static void other_word(struct bytes *m, size_t at) {
    static const char *const words[] = {"i1",
                                        "i64",
                                        "i65",
                                        "i128",
                                        "ptr",
                                        "ptr addrspace(1)",
                                        "void",
                                        "float",
                                        "<4 x i32>",
                                        "{i8, i8}",
                                        "[9 x i8]",
                                        "null",
                                        "undef",
                                        "poison",
                                        "zeroinitializer",
                                        "0",
                                        "-1",
                                        "4294967296",
                                        "18446744073709551616",
                                        "%0",
                                        "@f",
                                        "gc",
                                        "\"statepoint-example\"",
                                        "\"ocaml\"",
                                        "\"no-such\"",
                                        "musttail",
                                        "invoke",
                                        "landingpad cleanup",
                                        "unreachable",
                                        "token",
                                        "metadata",
                                        "\"deopt\"()",
                                        "align 4294967296"};
    const char *word = words[below(sizeof words / sizeof *words)];
    size_t len, from = piece(m, at, between_words, &len);
    splice(m, from, len, word, strlen(word));
}

static void other_byte(struct bytes *m, size_t at) {
    m->data[at] = (unsigned char)below(256);
}

static void cut(struct bytes *m, size_t at) {
    m->len = at;
}

static struct bytes mutant_of(struct bytes original, void (*const *ways)(struct bytes *m, size_t at), size_t count) {
    struct bytes m = {malloc(LONGEST), original.len};
    cr_assert_lt(original.len, LONGEST);
    memcpy(m.data, original.data, original.len);
    for (size_t n = 1 + below(3); n-- && m.len > 1;)
        ways[below(count)](&m, below(m.len));
    return m;
}

/* What a compile may end with. LLVM's own fatal errors are crashes with its words; a death without any is none that is
 * known. */
static int is_typed(const struct answer *a) {
    if (a->http == 200)
        return json_string_length(json_object_get(a->json, "key")) == 64;
    if (a->http >= 500) /* of an alignment of 4 GiB LLVM makes an object of that size */
        return strcmp(member(a, "code"), "compile_timeout") == 0 || strcmp(member(a, "code"), "out_of_memory") == 0 ||
               (strcmp(member(a, "code"), "compiler_crashed") == 0 && strstr(member(a, "detail"), "LLVM ERROR:"));
    return a->http >= 400 && *member(a, "code") && *member(a, "detail");
}

/* LLVM's reader of bitcode may die of what is damaged, without a word. */
static int is_typed_of_bitcode(const struct answer *a) {
    return is_typed(a) || strcmp(member(a, "code"), "compiler_crashed") == 0;
}

struct kind {
    const char *media_type;
    int (*is_typed)(const struct answer *a);
};

static const struct kind texts = {"Content-Type: text/plain", is_typed},
                         bitcodes = {"Content-Type: application/x-llvm-bitcode", is_typed_of_bitcode};

static void post_mutant(const struct daemon *d, const struct bytes *m, const struct kind *kind, const char *origin,
                        long number) {
    static const char *const target[] = {"x86_64-linux-gnu", "aarch64-linux-gnu"};
    static const char *const options[] = {"",
                                          "&safepoints=none",
                                          "&gc_registers=4",
                                          "&stackmap_format=compact&emit=obj,asm,remarks,explain",
                                          "&poll=page:polling_page&null_checks=implicit",
                                          "&split=functions&frame_pointer=all",
                                          "&poll=flag:wanted:collect&safepoints=entry,backedge"};
    const char *option = options[below(sizeof options / sizeof *options)];
    for (int t = 0; t < 2; t++) {
        char path[256];
        snprintf(path, sizeof path, "/v1/compile?target=%s&opt=%d&deadline_ms=%d%s", target[t], (int)(number % 3),
                 DEADLINE_MS, option);
        struct answer a = ask(d, (struct ask){.path = path,
                                              .body = m->len ? m->data : (const void *)" ",
                                              .len = m->len ? m->len : 1,
                                              .headers = {kind->media_type}});
        if (!kind->is_typed(&a)) {
            char name[64];
            snprintf(name, sizeof name, "/tmp/smd-mutant-%d-%ld", (int)getpid(), number);
            write_file(name, m->data, m->len);
            cr_expect(0, "mutant %ld of %s, kept as %s, %s: %d %.600s", number, origin, name, path, a.http,
                      a.body.data ? (char *)a.body.data : "");
        }
        answer_free(a);
    }
}

/* The modules that are right. */
static glob_t originals(void) {
    static const char *const patterns[] = {"/tests/corpus/*.ll", "/docs/examples/*.ll",
                                           "/docs/examples/documents/*.ll", /* old IR */
                                           "/tests/compiler/*/*.ll"};
    glob_t files;
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
        char pattern[512];
        snprintf(pattern, sizeof pattern, SOURCE_DIR "%s", patterns[i]);
        cr_assert_eq(glob(pattern, i ? GLOB_APPEND : 0, NULL, &files), 0, "%s", pattern);
    }
    cr_assert_geq(files.gl_pathc, 100);
    return files;
}

static void begin(long salt) {
    state = ((uint64_t)number_of("TEST_MUTANTS_SEED", 1) * 2 + (uint64_t)salt) * 0x9e3779b97f4a7c15u | 1;
}

static void end(struct daemon *d) {
    static const char good[] = "define void @f() {\n  ret void\n}\n";
    struct answer a = ask(d, (struct ask){.path = "/v1/compile", .body = good, .len = sizeof good - 1});
    cr_assert_eq(a.http, 200, "a good module is not compiled any more: %d", a.http);
    answer_free(a);
    cr_assert_eq(kill(d->pid, 0), 0);
    daemon_stop(d);
}

TestSuite(mutants, .timeout = 900);

Test(mutants, each_is_answered_with_what_it_is) {
    static void (*const ways[])(struct bytes *m, size_t at) = {lose_line,  copy_line,  swap_words, swap_words,
                                                               other_word, other_word, other_byte, cut};
    struct daemon d = daemon_start(NULL);
    glob_t files = originals();
    begin(0);
    for (long i = 0; i < number_of("TEST_MUTANTS", MUTANTS); i++) {
        const char *origin = files.gl_pathv[below(files.gl_pathc)];
        struct bytes original = read_file(origin), m = mutant_of(original, ways, sizeof ways / sizeof *ways);
        post_mutant(&d, &m, &texts, origin, i);
        bytes_free(m);
        bytes_free(original);
    }
    globfree(&files);
    end(&d);
}

static void flip_bit(struct bytes *m, size_t at) {
    m->data[at] ^= 1u << below(8);
}

/* Another word of 32 bits, as a length or a number of a record. */
static void other_number(struct bytes *m, size_t at) {
    static const uint32_t numbers[] = {0, 1, 0x7fffffff, 0x80000000, 0xffffffff};
    uint32_t n = numbers[below(sizeof numbers / sizeof *numbers)];
    at &= ~(size_t)3;
    if (at + sizeof n <= m->len)
        memcpy(m->data + at, &n, sizeof n);
}

static void copy_words(struct bytes *m, size_t at) {
    size_t from = below(m->len) & ~(size_t)3, len = 4 + 4 * below(16);
    at &= ~(size_t)3;
    if (from + len <= m->len && at + len <= m->len)
        memmove(m->data + at, m->data + from, len);
}

enum { MANY_MUTANTS = 16 };

/* Each module's bitcode a few times. What is no module by itself, as old IR, has none. */
Test(mutants, of_bitcode_too) {
    static void (*const ways[])(struct bytes *m, size_t at) = {flip_bit,     flip_bit,   flip_bit, other_byte,
                                                               other_number, copy_words, cut};
    struct daemon d = daemon_start(NULL);
    glob_t files = originals();
    long left = number_of("TEST_MUTANTS", MUTANTS);
    begin(1);
    for (int without = 0; left > 0; without++) {
        int status;
        char command[512];
        const char *origin = files.gl_pathv[below(files.gl_pathc)];
        snprintf(command, sizeof command, "llvm-as-19 -o - %s 2>/dev/null", origin);
        struct bytes original = run_command(command, NULL, 0, &status);
        cr_assert_lt(without, 1000, "there is no bitcode");
        for (int i = 0; status == 0 && original.len < LONGEST && i < MANY_MUTANTS && left > 0; i++, without = 0) {
            struct bytes m = mutant_of(original, ways, sizeof ways / sizeof *ways);
            post_mutant(&d, &m, &bitcodes, origin, --left);
            bytes_free(m);
        }
        bytes_free(original);
    }
    globfree(&files);
    end(&d);
}
