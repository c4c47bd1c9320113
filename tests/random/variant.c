/* variant.c - see variant.h. */
#include "variant.h"

#include <stdio.h>
#include <string.h>

/* One word of each row is drawn; words stand as often as they are likely. "-" is the default. */
static const struct {
    const char *name, *words;
} rows[] = {
    {"poll", "module|call:collect|flag:poll_flag:collect|page:poll_page|module|call:collect|flag:poll_flag:collect|"
             "tls:poll_thread:8"},
    {"safepoints", "-|-|none|entry,backedge,return,precall|entry|return|postcall|entry,backedge,postcall"},
    {"gc_registers", "-|-|1|4|8|auto"},
    {"frame_pointer", "-|none|none|non-leaf|all"},
    {"reloc", "-|-|static"},
    {"code_model", "-|-|-|small|large"},
    {"remat", "-|-|false"},
    {"all_backedges", "-|true"},
    {"split_backedges", "-|-|true"},
    {"counted_loop_bits", "-|-|0|64"},
    {"stackmap_format", "-|compact"},
    {"poll_interval", "-|-|-|1|9|300"},
    {"elide", "-|-|none|leaf"},
    {"split", "-|-|functions"},
    {"counted_loop_turns", "-|-|1|3|16"},
    {"as", "-|-|-|library|profile"},
};

static uint64_t next(uint64_t *state) {
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

static void draw(uint64_t *state, const char *words, char *to, size_t size) {
    size_t count = 1;
    for (const char *c = words; *c; c++)
        count += *c == '|';
    for (uint64_t n = next(state) % count; n; n--)
        words = strchr(words, '|') + 1;
    snprintf(to, size, "%.*s", (int)strcspn(words, "|"), words);
}

int variant_parse(const char *text, struct variant *v) {
    int n = 0;
    char *rest = v->split;
    size_t len = 0;
    v->as = "";
    v->plain[0] = 0;
    snprintf(v->text, sizeof v->text, "%s", text);
    snprintf(v->split, sizeof v->split, "%s", text);
    for (char *word; (word = strtok_r(rest, " \n", &rest)) != NULL;) {
        if (strncmp(word, "as=", 3) == 0) {
            v->as = word + 3;
            continue;
        }
        if (n == VARIANT_OPTIONS - 1)
            return 0;
        v->option[n++] = word;
        len += (size_t)snprintf(v->plain + len, sizeof v->plain - len, "%s%s", len ? " " : "", word);
    }
    v->option[n] = NULL;
    v->aarch64 = strncmp(variant_value(v, "target"), "aarch64", 7) == 0;
    return 1;
}

const char *variant_value(const struct variant *v, const char *name) {
    size_t len = strlen(name);
    for (int i = 0; v->option[i]; i++)
        if (strncmp(v->option[i], name, len) == 0 && v->option[i][len] == '=')
            return v->option[i] + len + 1;
    return "";
}

void variant_draw(uint64_t seed, int n, struct variant *v) {
    static const char levels[] = "0123";
    char text[512], word[64];
    uint64_t state = seed * VARIANTS + (uint64_t)n;
    char level = levels[n % 4];
    if (level > '1' && next(&state) % 6 == 0)
        level = next(&state) % 2 ? 's' : 'z';
    int len = snprintf(text, sizeof text, "target=%s-unknown-linux-gnu opt=%c", n < 4 ? "x86_64" : "aarch64", level);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        draw(&state, rows[i].words, word, sizeof word);
        if (strcmp(word, "-") != 0 && (level != '0' || strcmp(rows[i].name, "gc_registers") != 0))
            len += snprintf(text + len, sizeof text - (size_t)len, " %s=%s", rows[i].name, word);
    }
    variant_parse(text, v);
}
