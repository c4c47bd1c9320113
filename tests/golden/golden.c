/* golden.c - what the compiler gives for many inputs, as digests: a change that is to change nothing has this net.
 *
 *     golden --compare FILE [--all] [FOLDER ...]     are the digests those of FILE?
 *     golden --record FILE [--all] [FOLDER ...]      writes them
 *
 * Inputs are the modules in the FOLDERs (those of the project where none is named) and random programs. A line is
 * the digest of status, object, stackmap, diagnostics and key, the input, and the options. With --all: at every level,
 * with each format of the table. A change that changes digests on purpose records them anew, and its commit says why.
 */
#include "artifact.h"
#include "check.h"
#include "compiler.h"
#include "digest.h"
#include "files.h"
#include "generate.h"
#include "inputs.h"
#include "key.h"
#include "variant.h"

#include <string.h>

enum { RANDOM = 40, RANDOM_ALL = 500, SHOWN_MAX = 20, DIGEST_TEXT = 16 };

static const char *const targets[] = {"x86_64-unknown-linux-gnu", "aarch64-unknown-linux-gnu"};
static const char *const few[] = {"opt=0", "opt=2", NULL};
static const char *const many[] = {
    "opt=0", "opt=1", "opt=2", "opt=3", "opt=2 stackmap_format=compact", "opt=2 stackmap_format=gcmap", NULL};

static sm_buf lines;

static void add_part(sm_digester *d, sm_slice part) {
    uint64_t len = part.data ? part.len : UINT64_MAX;
    sm_digester_add(d, &len, sizeof len);
    if (part.data)
        sm_digester_add(d, part.data, part.len);
}

/* The key of a server whose context is 64 zeros. */
static struct sm_key key_of(const char *words, const void *ir, size_t len) {
    char context[SM_KEY_TEXT], copy[1000], *rest = copy;
    unsigned char digest[SM_DIGEST_BYTES];
    struct sm_key key;
    sm_options o;
    memset(context, '0', sizeof context - 1);
    context[sizeof context - 1] = 0;
    snprintf(copy, sizeof copy, "%s", words);
    sm_options_init(&o);
    for (char *word; (word = strsep(&rest, " ")) != NULL;) {
        char *value = strchr(word, '=');
        if (!value)
            continue;
        *value++ = 0;
        check(sm_options_set(&o, word, value, strlen(value), NULL) == SM_OK, "%s=%s", word, value);
    }
    check(sm_digest(ir, len, digest) == SM_OK, "no digest");
    check(sm_key_make(context, SM_JOB_COMPILE, &o, digest, &key) == SM_OK, "no key");
    return key;
}

/* Adds the line of one compile. */
static void add_line(const char *name, const char *words, const void *ir, size_t len) {
    static const enum sm_part parts[] = {SM_PART_OBJECT, SM_PART_STACKMAP, SM_PART_DIAGNOSTICS};
    struct bytes b = compiler_run(words, ir, len);
    unsigned char digest[SM_DIGEST_BYTES];
    struct sm_key key = key_of(words, ir, len);
    sm_digester *d = sm_digester_new();
    sm_artifact a;
    check(d && sm_artifact_read(b.data, b.len, &a) == SM_OK, "%s: the answer is no artifact", name);
    uint32_t status = a.status;
    sm_digester_add(d, &status, sizeof status);
    sm_digester_add(d, key.byte, sizeof key.byte);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        add_part(d, a.part[parts[i]]);
    check(sm_digester_end(d, digest) == SM_OK, "no digest");
    for (size_t i = 0; i < DIGEST_TEXT / 2; i++)
        sm_buf_printf(&lines, "%02x", digest[i]);
    sm_buf_printf(&lines, " %s %s\n", name, words);
    sm_digester_free(d);
    bytes_free(b);
}

static void add_input(const char *name, const void *ir, size_t len, const char *const *options) {
    char words[300];
    for (size_t t = 0; t < sizeof targets / sizeof *targets; t++)
        for (size_t i = 0; options[i]; i++) {
            snprintf(words, sizeof words, "target=%s %s", targets[t], options[i]);
            add_line(name, words, ir, len);
        }
}

static void add_files(const char *const *options) {
    size_t count;
    char *const *files = inputs(&count);
    for (size_t i = 0; i < count; i++) {
        struct bytes text = read_file(files[i]);
        if (!input_is_several((const char *)text.data, text.len))
            add_input(input_name(files[i]), text.data, text.len, options);
        bytes_free(text);
    }
}

static void add_programs(uint64_t programs) {
    for (uint64_t seed = 1; seed <= programs; seed++) {
        sm_buf text;
        char name[40];
        struct variant v;
        sm_buf_init(&text, (size_t)1 << 24);
        generate(seed, FEATURES_ALL, &text, NULL);
        snprintf(name, sizeof name, "program-%d", (int)seed);
        for (int n = 0; n < VARIANTS; n += 3) {
            variant_draw(seed, n, &v);
            add_line(name, v.plain, text.data, text.len);
        }
        sm_buf_free(&text);
    }
}

/* Prints the lines of A that are not in B, with SIGN before each; how many they are. Both are texts of whole lines. */
static size_t show_missing(char sign, const char *a, const char *b) {
    size_t missing = 0;
    for (const char *at = a, *end; (end = strchr(at, '\n')) != NULL; at = end + 1) {
        size_t len = (size_t)(end - at) + 1;
        if (memmem(b, strlen(b), at, len))
            continue;
        if (missing++ < SHOWN_MAX)
            printf("%c %.*s", sign, (int)len, at);
    }
    return missing;
}

int main(int argc, char **argv) {
    const char *compare = NULL, *record = NULL;
    int all = 0, named = 0;
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "--all") == 0)
            all = 1;
        else if (strcmp(argv[i], "--compare") == 0 && i + 1 < argc)
            compare = argv[++i];
        else if (strcmp(argv[i], "--record") == 0 && i + 1 < argc)
            record = argv[++i];
        else
            named += inputs_add(argv[i]);
    check((compare || record) && !(compare && record), "golden --compare FILE | --record FILE [--all] [FOLDER ...]");
    if (!named)
        inputs_add_own();
    sm_buf_init(&lines, (size_t)1 << 28);
    add_files(all ? many : few);
    if (!named)
        add_programs(all ? RANDOM_ALL : RANDOM);
    check(lines.len > 0, "there is no input");
    if (record) {
        write_file(record, lines.data, lines.len);
        return 0;
    }
    struct bytes before = read_file(compare);
    size_t changed = show_missing('+', sm_buf_cstr(&lines), (const char *)before.data);
    changed += show_missing('-', (const char *)before.data, sm_buf_cstr(&lines));
    if (changed)
        printf("%zu lines differ from %s. If they are meant to: golden --record %s\n", changed, compare, compare);
    printf("Synthesis: Tested: 1 | Passing: %d | Failing: %d\n", !changed, changed != 0);
    return changed != 0;
}
