/* options.c - the option table, and the only code that reads or spells an option. */
#include "options.h"

#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TEXT(field)                       SM_OPTION_TEXT, offsetof(sm_options, field), sizeof(((sm_options *)0)->field), 0, 0, NULL
#define CHOICE(field, words)              SM_OPTION_CHOICE, offsetof(sm_options, field), 0, 0, 0, words
#define SET(field, empty_is_error, words) SM_OPTION_SET, offsetof(sm_options, field), 0, empty_is_error, 0, words
#define INT(field, min, max)              SM_OPTION_INT, offsetof(sm_options, field), 0, min, max, NULL
#define INT_OR(field, min, max, word)     SM_OPTION_INT, offsetof(sm_options, field), 0, min, max, word
#define BOOL(field)                       SM_OPTION_BOOL, offsetof(sm_options, field), 0, 0, 1, NULL

/* clang-format off */
static const sm_option_row table[] = {
    {"name", TEXT(name), "<stdin>", 1, "the module's name; it goes into the object if the module has no source_filename"},
    {"target", TEXT(target), "", 1,
     "target triple; empty: the module's own, or x86_64-unknown-linux-gnu if it names none"},
    {"cpu", TEXT(cpu), "", 1, "CPU or level (x86-64-v3, cortex-a72); empty: the target's generic one"},
    {"features", TEXT(features), "", 1, "target features in LLVM's form: +avx2,-bmi"},
    {"opt", CHOICE(opt, "0,1,2,3,s,z"), "2", 1, "optimisation level of the IR pipeline and of code generation"},
    {"reloc", CHOICE(reloc, "pic,static"), "pic", 1, "relocation model"},
    {"code_model", CHOICE(code_model, "default,tiny,small,kernel,medium,large"), "default", 1, "code model"},
    {"safepoints", SET(safepoints, 0, "entry,backedge,return,precall,postcall"), "entry,backedge", 1,
     "where smd places safepoint polls; none: nowhere"},
    {"poll", TEXT(poll), "module", 1,
     "the code of a poll: module (the module's gc.safepoint_poll), call:SYMBOL, flag:SYMBOL:SLOW, page:SYMBOL or tls:SYMBOL:OFFSET"},
    {"barrier", TEXT(barrier), "module", 1,
     "the code of a barrier: module (the module's gc.read_barrier and gc.write_barrier), or any of card:BASE:SHIFT, satb:SYMBOL:FLAG, load:SLOW:MASK"},
    {"shadow_chain", CHOICE(shadow_chain, "global,thread_local"), "global", 1,
     "where the list of shadow-stack frames begins; global: one list for the process; thread_local: one for each thread"},
    {"bases", CHOICE(bases, "exact,none"), "exact", 1,
     "what a record has for a pointer into an object; exact: the object's address too; none: only the pointer, for collectors that find objects by it"},
    {"barriers", CHOICE(barriers, "off,auto"), "off", 1,
     "where barriers are; off: only at llvm.gcread and llvm.gcwrite; auto: also at stores and loads of references"},
    {"allocate", TEXT(allocate), "", 1,
     "name of the module's function that allocates objects; smd inlines it when it places polls, as one with \"smd-allocate\""},
    {"transition", CHOICE(transition, "module,flag"), "module", 1,
     "the code around calls with \"gc-transition\"; module: the module's gc.transition_enter and gc.transition_leave; flag: sets the i32 at the first operand's address to 1 during the call"},
    {"gc", TEXT(gc), "", 1, "GC strategy for functions that name none; empty: they have no GC"},
    {"gc_registers", INT_OR(gc_registers, 0, 32, "auto"), "0", 1,
     "how many references may stay in callee-saved registers across a statepoint; auto: 32, or 0 in modules where a walk could not find them"},
    {"frame_pointer", CHOICE(frame_pointer, "module,none,non-leaf,all"), "module", 1,
     "which functions keep a frame pointer; module: as their attributes say"},
    {"unwind", CHOICE(unwind, "always,module"), "always", 1,
     "which functions have unwind tables; always: all, exact at every instruction; module: as their attributes say"},
    {"stackmap_format", CHOICE(stackmap_format, "llvm,compact,gcmap"), "llvm", 1,
     "the object's table; llvm: .llvm_stackmaps; compact: .smd_maps, a few bytes a safepoint, read-only; gcmap: __gcmap_FUNCTION, as in LLVM's GarbageCollection document"},
    {"null_checks", CHOICE(null_checks, "explicit,implicit"), "explicit", 1,
     "what branches with !make.implicit become; explicit: nothing else; implicit: a load or store that faults, with its handler in the stackmap (from opt=1 on)"},
    {"split", CHOICE(split, "never,auto,functions"), "never", 1,
     "how code is generated; never: in one piece; auto: a large module in parts, on idle cores; functions: in parts of few functions, which the server keeps for the option incremental"},
    {"incremental", TEXT(incremental), "", 1,
     "with split=functions: the key of an earlier artifact; smd uses its parts again where they would be the same"},
    {"remat", BOOL(remat), "true", 1, "compute cheap derived pointers again after a safepoint, instead of relocating them"},
    {"all_backedges", BOOL(all_backedges), "false", 1, "poll every backedge, even where LLVM would leave it out"},
    {"counted_loop_bits", INT(counted_loop_bits, 0, 64), "32", 1,
     "a loop needs no poll if its trip count fits in this many bits"},
    {"poll_interval", INT(poll_interval, 0, 1000000000), "0", 1,
     "at most this many iterations run between polls at backedges, also of counted loops; 0: LLVM polls the loops that it cannot count"},
    {"counted_loop_turns", INT(counted_loop_turns, 0, 1000000000), "0", 1,
     "a counted loop polls after this many iterations; a loop of fewer does not poll; 0: counted_loop_bits decides"},
    {"split_backedges", BOOL(split_backedges), "false", 1, "give every polled backedge a block of its own"},
    {"verify", CHOICE(verify, "off,ir,safepoints"), "safepoints", 1,
     "what smd verifies after the rewrite; off: nothing; ir: the IR; safepoints: also that no pointer is used unrelocated"},
    {"dialect", CHOICE(dialect, "auto,modern,typed"), "auto", 1,
     "which LLVM wrote the module; modern: LLVM 15 or later; typed: LLVM 3.7 to 14, with typed pointers; auto: smd finds out"},
    {"scoped_roots", CHOICE(scoped_roots, "strict,null_init"), "strict", 1,
     "a root that llvm.gc.declare declares on some paths only; strict: an error; null_init: it is null at first, and a root throughout"},
    {"tag_mask", TEXT(tag_mask), "0xffff000000000007", 1,
     "the bits that are tags in a reference as an integer (smd.gc.to_int): a number, decimal or hexadecimal"},
    {"spaces", TEXT(spaces), "", 1,
     "address spaces of compressed references: SPACE:32[:SHIFT[:BASE]], separated by commas; an address is the value of the symbol BASE (or 0) plus the pointer shifted left"},
    {"elide", SET(elide, 0, "leaf,readnone,noreturn,arguments"), "leaf,readnone,noreturn,arguments", 1,
     "which calls have no statepoint; leaf: calls of the module's functions that cannot collect; readnone: of functions that touch no memory; noreturn: of cold functions that never return; arguments: no root of an argument that only the callee uses, a function of the module"},
    {"leaf", TEXT(leaf), "", 1, "names of functions that never collect, separated by commas; calls of them are no safepoints"},
    {"emit", SET(emit, 1, "obj,ir,asm,disasm,remarks,modern,stages,links,intel,lines"), "obj", 1, "what the answer has beside the stackmap"},
    {"after", TEXT(after), "", 1,
     "with emit=stages: names of steps of the rewrite, separated by commas (capabilities list them); the answer has the module after each; passes: the changes of each pass of the optimiser"},
    {"deadline_ms", INT(deadline_ms, 1, 600000), "60000", 0, "milliseconds after which smd gives the compile up"},
    {"priority", CHOICE(priority, "interactive,batch"), "interactive", 0, "which queue the compile waits in"},
    {"cache", CHOICE(cache, "use,bypass,refresh,only"), "use", 0,
     "use what was compiled before; bypass: neither read nor keep; refresh: compile and keep; only: do not compile"},
    {"tiers", SET(tiers, 0, "0,1,2,3"), "none", 0,
     "levels to compile at, instead of opt; the answer is the lowest; X-Smd-Tiers says where the others will be"},
    {"startup", TEXT(startup), "", 0,
     "a name (letters, digits and ._-) under which the server records this request; GET /v1/stream?startup=NAME gives all that was recorded in one answer"},
    {"explain", BOOL(explain), "false", 0, "the header X-Smd-Miss says how the key differs from the nearest one in the cache"},
};
/* clang-format on */

#define ROWS (sizeof table / sizeof *table)

const sm_option_row *sm_option_table(size_t *rows) {
    *rows = ROWS;
    return table;
}

const sm_option_row *sm_option_find(const char *name) {
    size_t i = 0;
    while (i < ROWS && strcmp(table[i].name, name) != 0)
        i++;
    return i < ROWS ? &table[i] : NULL;
}

/* Where a text option's value is. */
static char *text_of(const sm_options *o, const sm_option_row *row) {
    return (char *)o + row->offset;
}

/* Where the value of an option that is no text is. */
static int *int_of(const sm_options *o, const sm_option_row *row) {
    return (int *)((char *)o + row->offset);
}

/* The length of a word that ends at a comma or at the text's end. */
static size_t word_len(const char *word) {
    size_t n = 0;
    while (word[n] && word[n] != ',')
        n++;
    return n;
}

/* The index of a word in a comma-separated list; -1 if it is not there. */
static int word_index(const char *words, const char *word, size_t len) {
    for (int i = 0;; i++) {
        size_t n = word_len(words);
        if (n == len && memcmp(words, word, n) == 0)
            return i;
        if (words[n] == 0)
            return -1;
        words += n + 1;
    }
}

/* The Levenshtein distance of two words; 63 if the second is longer than that. */
static size_t edit_distance(const char *a, const char *b) {
    enum { LONGEST = 63 };
    size_t n = strlen(b), row[LONGEST + 1];
    if (n > LONGEST)
        return LONGEST;
    for (size_t j = 0; j <= n; j++)
        row[j] = j;
    for (size_t i = 1; *a; a++, i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= n; j++) {
            size_t above = row[j], best = diagonal + (*a != b[j - 1]);
            if (above + 1 < best)
                best = above + 1;
            if (row[j - 1] + 1 < best)
                best = row[j - 1] + 1;
            row[j] = best;
            diagonal = above;
        }
    }
    return row[n];
}

/* The one entry that begins with NAME, or that NAME begins with ("statepoint", "optimize"); NULL if there are several,
 * or none. */
static const char *only_with_beginning(const char *name, const char *const *list) {
    enum { LEAST = 3 }; /* bytes that say something */
    const char *result = NULL;
    for (; *list; list++) {
        size_t n = strlen(name) < strlen(*list) ? strlen(name) : strlen(*list);
        if (n < LEAST || strncmp(name, *list, n) != 0)
            continue;
        if (result)
            return NULL;
        result = *list;
    }
    return result;
}

const char *sm_nearest(const char *name, const char *const *list) {
    size_t length = strlen(name), best = length / 3 + 2;
    const char *const *all = list;
    const char *nearest = NULL;
    if (length > 63)
        return NULL;
    for (; *list; list++) {
        size_t d = edit_distance(name, *list);
        if (d < best) {
            best = d;
            nearest = *list;
        }
    }
    return nearest ? nearest : only_with_beginning(name, all);
}

/* What other compilers call an option. */
static const struct {
    const char *theirs, *ours;
} synonyms[] = {{"O", "opt"},       {"level", "opt"},           {"triple", "target"}, {"mtriple", "target"},
                {"arch", "target"}, {"march", "cpu"},           {"mcpu", "cpu"},      {"mattr", "features"},
                {"strategy", "gc"}, {"timeout", "deadline_ms"}, {"filename", "name"}};

/* The option that NAME means; NULL if nobody knows. */
static const char *meant_by(const char *name) {
    const char *names[ROWS + 1] = {NULL};
    for (size_t i = 0; i < ROWS; i++)
        names[i] = table[i].name;
    for (size_t i = 0; i < sizeof synonyms / sizeof *synonyms; i++)
        if (strcmp(synonyms[i].theirs, name) == 0)
            return synonyms[i].ours;
    return sm_nearest(name, names);
}

/* Fails: there is no option of that name; suggests the nearest one. */
static sm_status unknown(const char *name, sm_option_error *err) {
    const char *nearest = meant_by(name);
    if (err) {
        snprintf(err->option, sizeof err->option, "%.60s", name);
        if (nearest)
            snprintf(err->message, sizeof err->message, "There is no option '%.60s'; did you mean '%s'?", name,
                     nearest);
        else
            snprintf(err->message, sizeof err->message, "There is no option '%.60s'", name);
    }
    return SM_UNKNOWN_OPTION;
}

/* 1 if the word is "loop", another name for the safepoints at backedges. */
static int is_loop(const sm_option_row *row, const char *word, size_t len) {
    return row->offset == offsetof(sm_options, safepoints) && len == 4 && memcmp(word, "loop", 4) == 0;
}

/* The first of the value's words (a choice has one) that is none of the row's: *LEN is its length. */
static const char *wrong_word(const sm_option_row *row, const char *value, size_t *len) {
    const char *end = value + *len;
    if (row->type == SM_OPTION_CHOICE)
        return value;
    for (const char *at = value;; at += *len + 1) {
        const char *comma = memchr(at, ',', (size_t)(end - at));
        *len = (size_t)((comma ? comma : end) - at);
        if (!comma || (word_index(row->words, at, *len) < 0 && !is_loop(row, at, *len)))
            return at;
    }
}

/* Writes into TO "; did you mean 'WORD'?", the row's word that is nearest to the wrong one of the value, whatever its
 * case; ";" if none is near. Gives TO. */
static const char *meant_value(const sm_option_row *row, const char *value, size_t len, char to[64]) {
    enum { WORDS = 16 };
    char words[128], wrong[32];
    const char *list[WORDS + 1] = {NULL};
    const char *word = wrong_word(row, value, &len);
    strcpy(to, ";");
    if (len >= sizeof wrong || strlen(row->words) >= sizeof words)
        return to;
    for (size_t i = 0; i < len; i++)
        wrong[i] = word[i] >= 'A' && word[i] <= 'Z' ? (char)(word[i] + 'a' - 'A') : word[i];
    wrong[len] = 0;
    strcpy(words, row->words);
    char *rest = NULL, *w = strtok_r(words, ",", &rest);
    for (size_t i = 0; w && i < WORDS; i++, w = strtok_r(NULL, ",", &rest))
        list[i] = w;
    const char *nearest = sm_nearest(wrong, list);
    /* These words are short: nearer than it takes of names. */
    if (nearest && (edit_distance(wrong, nearest) <= len / 4 + (len > 1) || only_with_beginning(wrong, list)))
        snprintf(to, 64, "; did you mean '%s'?", nearest);
    return to;
}

/* Fails: the value is not allowed; says what is. */
static sm_status invalid(const sm_option_row *row, const char *value, size_t len, sm_option_error *err) {
    if (!err)
        return SM_INVALID_OPTION;
    int shown = len > 60 ? 60 : (int)len;
    char meant[64];
    snprintf(err->option, sizeof err->option, "%s", row->name);
    char *to = err->message;
    size_t size = sizeof err->message;
    switch (row->type) {
    case SM_OPTION_TEXT:
        if (row->offset == offsetof(sm_options, incremental))
            snprintf(to, size, "'%.*s' is not a value of '%s'; it takes a key: 64 hexadecimal digits in lower case",
                     shown, value, row->name);
        else if (row->offset == offsetof(sm_options, startup))
            snprintf(to, size, "'%.*s' is not a value of '%s'; it takes letters, digits and ._-, at most %zu", shown,
                     value, row->name, row->size - 1);
        else
            snprintf(to, size, "'%s' takes printable text of at most %zu bytes", row->name, row->size - 1);
        break;
    case SM_OPTION_CHOICE:
        snprintf(to, size, "'%.*s' is not a value of '%s'%s it takes one of %s", shown, value, row->name,
                 meant_value(row, value, len, meant), row->words);
        break;
    case SM_OPTION_SET:
        snprintf(to, size, "'%.*s' is not a value of '%s'%s it takes any of %s, separated by commas%s", shown, value,
                 row->name, meant_value(row, value, len, meant), row->words, row->min ? "" : ", or none");
        break;
    case SM_OPTION_INT:
        snprintf(to, size, "'%.*s' is not a value of '%s'; it takes an integer from %d to %d%s%s", shown, value,
                 row->name, row->min, row->max, row->words ? ", or " : "", row->words ? row->words : "");
        break;
    case SM_OPTION_BOOL:
        snprintf(to, size, "'%.*s' is not a value of '%s'; it takes true or false", shown, value, row->name);
        break;
    }
    return SM_INVALID_OPTION;
}

/* 1 if the text is an artifact's key: 64 hexadecimal digits. */
static int is_key(const char *value, size_t len) {
    size_t digits = 0;
    while (digits < len &&
           ((value[digits] >= '0' && value[digits] <= '9') || (value[digits] >= 'a' && value[digits] <= 'f')))
        digits++;
    return len == 64 && digits == len;
}

int sm_startup_valid(const char *name, size_t len) {
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";
    size_t fine = 0;
    while (fine < len && name[fine] && strchr(letters, name[fine]))
        fine++;
    return len && fine == len && len < SM_STARTUP_TEXT;
}

/* Sets an option that is text; 0 if it is too long, not printable, or should be a key and is none. */
static int set_text(sm_options *o, const sm_option_row *row, const char *value, size_t len) {
    if (len >= row->size)
        return 0;
    if (row->offset == offsetof(sm_options, incremental) && len && !is_key(value, len))
        return 0;
    if (row->offset == offsetof(sm_options, startup) && len && !sm_startup_valid(value, len))
        return 0;
    for (size_t i = 0; i < len; i++)
        if ((unsigned char)value[i] < 0x20 || (unsigned char)value[i] >= 0x7f)
            return 0;
    memcpy(text_of(o, row), value, len);
    text_of(o, row)[len] = 0;
    return 1;
}

/* Sets an option that is one of its row's words; 0 if the value is none of them. */
static int set_choice(sm_options *o, const sm_option_row *row, const char *value, size_t len) {
    int i = len ? word_index(row->words, value, len) : -1;
    if (i >= 0)
        *int_of(o, row) = i;
    return i >= 0;
}

/* Sets an option that is a set of its row's words; 0 if a word is not allowed. */
static int set_words(sm_options *o, const sm_option_row *row, const char *value, size_t len) {
    unsigned bits = 0;
    int none_allowed = row->min == 0;
    if (none_allowed && len == 4 && memcmp(value, "none", 4) == 0)
        len = 0;
    else if (len == 0)
        return 0;
    for (size_t at = 0; at < len;) {
        const char *comma = memchr(value + at, ',', len - at);
        size_t n = comma ? (size_t)(comma - value) - at : len - at;
        int i = n == 0 ? -1 : is_loop(row, value + at, n) ? 1 : word_index(row->words, value + at, n);
        if (i < 0 || (comma && at + n + 1 == len))
            return 0;
        bits |= 1u << i;
        at += n + 1;
    }
    *(unsigned *)int_of(o, row) = bits;
    return 1;
}

/* Sets an option that is an integer; 0 if it is none, or out of the row's range, and not the row's word. */
static int set_int(sm_options *o, const sm_option_row *row, const char *value, size_t len) {
    char digits[12], *end;
    if (row->words && len && word_index(row->words, value, len) == 0) {
        *int_of(o, row) = row->min - 1;
        return 1;
    }
    if (len == 0 || len >= sizeof digits || value[0] < '0' || value[0] > '9')
        return 0;
    memcpy(digits, value, len);
    digits[len] = 0;
    long long v = strtoll(digits, &end, 10);
    if (*end || v < row->min || v > row->max)
        return 0;
    *int_of(o, row) = (int)v;
    return 1;
}

/* Sets an option that is a truth value; 0 if it is none. */
static int set_bool(sm_options *o, const sm_option_row *row, const char *value, size_t len) {
    int truth = len ? word_index("true,1,on,yes", value, len) : -1;
    int falsehood = len ? word_index("false,0,off,no", value, len) : -1;
    if (truth < 0 && falsehood < 0)
        return 0;
    *int_of(o, row) = truth >= 0;
    return 1;
}

/* Sets the option of ROW from text, by the row's type; 0 if the value is not allowed. */
static int set_row(sm_options *o, const sm_option_row *row, const char *value, size_t len) {
    switch (row->type) {
    case SM_OPTION_TEXT:
        return set_text(o, row, value, len);
    case SM_OPTION_CHOICE:
        return set_choice(o, row, value, len);
    case SM_OPTION_SET:
        return set_words(o, row, value, len);
    case SM_OPTION_INT:
        return set_int(o, row, value, len);
    case SM_OPTION_BOOL:
        return set_bool(o, row, value, len);
    }
    return 0;
}

/* Each row's line of the canonical text with its default: most options of most compiles have theirs, which is then
 * copied, and skipped when it is read. */
static sm_options defaults;
static char default_text[4096];
static struct {
    const char *text;
    size_t len, name_len; /* with the newline; with the equals sign */
} line[ROWS];
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* Fills in the defaults, and their lines. Called once, so it must not fail: it takes no memory. */
static void read_defaults(void) {
    sm_buf text = {.data = (unsigned char *)default_text, .cap = sizeof default_text, .max = sizeof default_text - 1};
    for (size_t i = 0; i < ROWS; i++) {
        size_t at = text.len;
        set_row(&defaults, &table[i], table[i].dflt, strlen(table[i].dflt));
        sm_buf_printf(&text, "%s=", table[i].name);
        line[i].text = default_text + at;
        line[i].name_len = text.len - at;
        sm_option_value(&defaults, &table[i], &text);
        sm_buf_puts(&text, "\n");
        line[i].len = text.len - at;
    }
    assert(text.status == SM_OK);
}

void sm_options_init(sm_options *o) {
    pthread_once(&once, read_defaults);
    *o = defaults;
}

/* The row of an option's name; NULL if there is none. */
static const sm_option_row *row_of(const char *name, size_t len) {
    for (size_t i = 0; i < ROWS; i++)
        if (strlen(table[i].name) == len && memcmp(table[i].name, name, len) == 0)
            return &table[i];
    return NULL;
}

sm_status sm_options_set(sm_options *o, const char *name, const char *value, size_t value_len, sm_option_error *err) {
    const sm_option_row *row = row_of(name, strlen(name));
    if (!row)
        return unknown(name, err);
    return set_row(o, row, value, value_len) ? SM_OK : invalid(row, value, value_len, err);
}

/* Writes the words of a set, separated by commas, or "none". */
static void put_words(const sm_option_row *row, unsigned bits, sm_buf *out) {
    const char *words = row->words, *separator = "";
    if (bits == 0)
        sm_buf_puts(out, "none");
    for (unsigned i = 0; bits >> i; i++) {
        size_t n = word_len(words);
        if (bits >> i & 1) {
            sm_buf_puts(out, separator);
            sm_buf_put(out, words, n);
            separator = ",";
        }
        words += words[n] ? n + 1 : n;
    }
}

sm_status sm_option_value(const sm_options *o, const sm_option_row *row, sm_buf *out) {
    switch (row->type) {
    case SM_OPTION_TEXT:
        return sm_buf_puts(out, text_of(o, row));
    case SM_OPTION_CHOICE: {
        const char *word = row->words;
        for (int i = *int_of(o, row); i > 0; i--)
            word += word_len(word) + 1;
        return sm_buf_put(out, word, word_len(word));
    }
    case SM_OPTION_SET:
        put_words(row, *(unsigned *)int_of(o, row), out);
        return out->status;
    case SM_OPTION_INT:
        if (*int_of(o, row) < row->min)
            return sm_buf_puts(out, row->words);
        return sm_buf_put_decimal(out, (unsigned)*int_of(o, row)); /* no row has numbers below zero */
    case SM_OPTION_BOOL:
        return sm_buf_puts(out, *int_of(o, row) ? "true" : "false");
    }
    return SM_INTERNAL;
}

/* 1 if the row's option has its default. */
static int is_default(const sm_options *o, const sm_option_row *row) {
    return row->type == SM_OPTION_TEXT ? strcmp(text_of(o, row), text_of(&defaults, row)) == 0
                                       : *int_of(o, row) == *int_of(&defaults, row);
}

sm_status sm_options_text(const sm_options *o, int keyed_only, sm_buf *out) {
    pthread_once(&once, read_defaults);
    for (size_t i = 0; i < ROWS; i++) {
        if (keyed_only && !table[i].keyed)
            continue;
        if (is_default(o, &table[i])) {
            sm_buf_put(out, line[i].text, line[i].len);
            continue;
        }
        sm_buf_put(out, line[i].text, line[i].name_len);
        sm_option_value(o, &table[i], out);
        sm_buf_puts(out, "\n");
    }
    return out->status;
}

/* 1 if the text begins with the row's line of its default, which O has. */
static int stays_default(const sm_options *o, size_t row, const char *text, size_t len) {
    return row < ROWS && len >= line[row].len && memcmp(text, line[row].text, line[row].len) == 0 &&
           is_default(o, &table[row]);
}

sm_status sm_options_parse(sm_options *o, const char *text, size_t len, sm_option_error *err) {
    size_t row = 0; /* that is due, if the text is canonical */
    sm_options_init(o);
    for (; len; row++) {
        if (stays_default(o, row, text, len)) {
            len -= line[row].len;
            text += line[row].len;
            continue;
        }
        const char *newline = memchr(text, '\n', len);
        const char *equals = newline ? memchr(text, '=', (size_t)(newline - text)) : NULL;
        if (!equals)
            return SM_MALFORMED;
        char name[64];
        snprintf(name, sizeof name, "%.*s", (int)(equals - text < 63 ? equals - text : 63), text);
        sm_status s = sm_options_set(o, name, equals + 1, (size_t)(newline - equals - 1), err);
        if (s != SM_OK)
            return s;
        len -= (size_t)(newline + 1 - text);
        text = newline + 1;
    }
    return SM_OK;
}
