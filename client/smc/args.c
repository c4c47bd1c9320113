/* args.c - a command's flags, and the compile options, which come from the table that the server uses too. */
#include "options.h"
#include "smc.h"

#include <getopt.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

struct common common = {.color = "auto"};

static const struct flag shared_flags[] = {
    {"help", 'h', FLAG_MAYBE, &common.help, "all", "this text; with =all every flag"},
    {"quiet", 'q', FLAG_SWITCH, &common.quiet, NULL, "errors alone"},
    {0}};

static const struct flag remote_flags[] = {
    {"server", 's', FLAG_TEXT, &common.server, "URL,...",
     "http://host:port, https://... or unix:/path, tried in this order (default: $SMD_SERVER, or "
     "http://127.0.0.1:8199)"},
    {"deadline", 0, FLAG_NUMBER, &common.deadline_ms, "MS",
     "milliseconds for each module or answer, at most 600000 (default: the server's, 60000)"},
    {0}};

/* Of commands that compile. */
static const struct flag option_flags[] = {
    {"retry", 0, FLAG_SWITCH, &common.retry, NULL, "ask again until the deadline if no server has capacity"},
    {"cache-only", 0, FLAG_SWITCH, &common.cache_only, NULL, "take what was compiled before; compile nothing"},
    {"profile-file", 0, FLAG_TEXT, &common.profile_file, "FILE",
     "a strategy of the request's own, described in JSON; it hides the server's of its name"},
    {0}};

/* Likewise, of each of these; only --help=all tells of them. */
static const struct flag rare_shared_flags[] = {
    {"color", 0, FLAG_TEXT, &common.color, "WHEN", "auto, always or never"}, {0}};

static const struct flag rare_remote_flags[] = {
    {"ca-file", 0, FLAG_TEXT, &common.ca_file, "PEM", "whom to trust (default: the system's)"},
    {"cert-file", 0, FLAG_TEXT, &common.cert_file, "PEM", "who you are, with --key-file"},
    {"key-file", 0, FLAG_TEXT, &common.key_file, "PEM", "its key"},
    {"trusted-keys", 0, FLAG_TEXT, &common.trusted_keys, "PEM,...",
     "public keys of Ed25519: only what one of them has signed is an answer"},
    {"token-file", 0, FLAG_TEXT, &common.token_file, "FILE", "its first line is sent as bearer token"},
    {0}};

static const struct flag rare_option_flags[] = {
    {"profile", 0, FLAG_TEXT, &common.profile_text, "JSON", "as --profile-file, the JSON itself"}, {0}};

enum { FLAGS_MAX = 40, OPTIONS_MAX = 64, FIRST_OPTION = 1000 };

/* Lists the flags of a command: its own, the shared ones, those of a server and of compiling; the rare ones last.
 * Gives their number, and in *RARE that of the rare ones. */
static int gather(const struct command *c, const struct flag *out[FLAGS_MAX], int *rare) {
    enum { USUAL = 4 };
    const struct flag *const lists[] = {c->flags,
                                        shared_flags,
                                        c->is_remote ? remote_flags : NULL,
                                        c->has_options ? option_flags : NULL,
                                        rare_shared_flags,
                                        c->is_remote ? rare_remote_flags : NULL,
                                        c->has_options ? rare_option_flags : NULL};
    int n = 0;
    *rare = 0;
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        for (const struct flag *f = lists[i]; f && f->name; f++) {
            out[n++] = f;
            *rare += i >= USUAL;
        }
    return n;
}

/* Writes an option's name as a flag's: "code_model" as "code-model". Both spellings are taken. */
static const char *dashed(const char *name, char *to, size_t size) {
    snprintf(to, size, "%s", name);
    for (char *p = to; *p; p++)
        *p = *p == '_' ? '-' : *p;
    return to;
}

/* Prints a flag's line of help. */
static void put_flag(FILE *to, const struct flag *f) {
    char text[64];
    const char *between = !f->metavar             ? ""
                          : f->kind == FLAG_MAYBE ? "[="
                                                  : " ",
               *end = f->kind == FLAG_MAYBE ? "]" : "";
    int n = snprintf(text, sizeof text, "--%s%s%s%s", f->name, between, f->metavar ? f->metavar : "", end);
    if (f->letter)
        snprintf(text + n, sizeof text - (size_t)n, ", -%c", f->letter);
    fprintf(to, "  %-26s %s\n", text, f->help);
}

/* Prints a compile option's line of help. */
static void put_option(FILE *to, const sm_option_row *row) {
    char name[64];
    fprintf(to, "  --%-24s %s", dashed(row->name, name, sizeof name), row->help);
    if (row->type == SM_OPTION_INT)
        fprintf(to, " (%d to %d%s%s, default %s)\n", row->min, row->max, row->words ? ", or " : "",
                row->words ? row->words : "", row->dflt);
    else if (row->words)
        fprintf(to, " (%s; default %s)\n", row->words, row->dflt);
    else
        fprintf(to, row->dflt[0] ? " (default %s)\n" : "\n", row->dflt);
}

/* 1 for options that flags stand for: -o and others for emit, --deadline. They are taken by their own names as
 * well. */
static int is_elsewhere(const char *option) {
    return strcmp(option, "emit") == 0 || strcmp(option, "deadline_ms") == 0;
}

/* Prints the help of all compile options. */
static void put_options(FILE *to) {
    size_t rows;
    const sm_option_row *table = sm_option_table(&rows);
    fprintf(to, "\nCompile options; a server's bounds may be narrower (smc capabilities):\n"
                "  -O0 to -O3, -Os, -Oz       --opt\n");
    for (size_t i = 0; i < rows; i++)
        if (!is_elsewhere(table[i].name))
            put_option(to, &table[i]);
}

void args_help(const struct command *c, int all, FILE *to) {
    const struct flag *flag[FLAGS_MAX];
    int rare, flags = gather(c, flag, &rare);
    fprintf(to, "usage: smc %s [FLAGS]%s%s\n%s\n\n", c->name, c->operands[0] ? " " : "", c->operands, c->help);
    for (int i = 0; i < (all ? flags : flags - rare); i++)
        put_flag(to, flag[i]);
    if (all && c->has_options)
        put_options(to);
    if (!all && c->has_options)
        fputs("  -O0 to -O3, -Os, -Oz       optimisation level; likewise --target, --cpu, --gc, --safepoints, --poll "
              "and others\n",
              to);
    if (!all)
        fprintf(to, "\nAll %s: smc %s --help=all\n", c->has_options ? "flags and compile options" : "flags", c->name);
}

/* ---- Reading ------------------------------------------------------------------------------------------------ */

/* Sets a flag that takes a number; 0, after a message, if the value is none. */
static int take_number(const struct flag *f, const char *value) {
    char *end;
    long n = strtol(value, &end, 10);
    if (*end || end == value || n < 1 || n > 1000000000) {
        complain("--%s takes a whole number from 1, not '%s'", f->name, value);
        return 0;
    }
    *(int *)f->to = (int)n;
    return 1;
}

/* Sets a flag from its value, if it takes one. 0 if that is wrong. */
static int take_flag(const struct flag *f, const char *value) {
    switch (f->kind) {
    case FLAG_SWITCH:
        *(int *)f->to = 1;
        return 1;
    case FLAG_NUMBER:
        return take_number(f, value);
    case FLAG_MAYBE:
        *(const char **)f->to = value ? value : "";
        return 1;
    default:
        *(const char **)f->to = value;
        return 1;
    }
}

/* The flag --deadline, which the option deadline_ms sets, too. */
static const struct flag *deadline_flag(void) {
    const struct flag *f = remote_flags;
    while (strcmp(f->name, "deadline") != 0)
        f++;
    return f;
}

/* Sets a compile option. It is checked here, by the table, so that a wrong one costs no connection; 0, after a
 * message, if it is wrong. */
int args_option(struct args *out, const char *name, const char *value) {
    sm_options checked;
    sm_option_error why;
    char *text = NULL;
    if (sm_options_set(&checked, name, value, strlen(value), &why) != SM_OK) {
        complain("%s", why.message);
        return 0;
    }
    for (int i = 1; i < out->options; i++) /* the last one counts, as in other compilers */
        if (strncmp(out->option[i], name, strlen(name)) == 0 && out->option[i][strlen(name)] == '=') {
            free(out->option[i]);
            out->option[i] = out->option[--out->options];
            out->option[out->options] = NULL;
        }
    if (out->options == OPTIONS_MAX - 1 || asprintf(&text, "%s=%s", name, value) < 0) {
        complain("there are too many options");
        return 0;
    }
    out->has_name |= strcmp(name, "name") == 0;
    out->has_target |= strcmp(name, "target") == 0;
    out->option[out->options++] = text;
    return 1;
}

/* Sets the level of -O; plain -O is -O2. */
static int take_level(struct args *out, const char *level) {
    return args_option(out, "opt", level ? level : "2");
}

/* What to use in place of a flag of other compilers; NULL if nothing is known. */
static const char *meant_by(int letter) {
    switch (letter) {
    case 'S':
        return "assembly is --emit=asm";
    case 'm':
        return "there are --target, --cpu and --features";
    case 'c':
        return "nothing is linked anyway";
    default:
        return NULL;
    }
}

/* Reports an unknown flag, with the nearest one that exists, or a value for a flag that takes none. Always 0.
 * REST is the word that getopt is in or comes to next: a long flag with one dash is read as letters. */
static int say_unknown(const struct command *c, const struct option *known, const char *given, const char *rest) {
    const char *names[FLAGS_MAX + OPTIONS_MAX + 1] = {NULL};
    char name[64];
    int n = 0;
    for (; known[n].name && n < FLAGS_MAX + OPTIONS_MAX; n++)
        names[n] = known[n].name;
    if (optopt) {
        const char *nearest = NULL;
        if (rest && rest[0] == '-' && rest[1] == optopt && rest[2]) {
            snprintf(name, sizeof name, "%.*s", (int)strcspn(rest + 1, "="), rest + 1);
            nearest = sm_nearest(name, names);
        }
        if (optopt > FLAGS_MAX && optopt < FIRST_OPTION && nearest)
            complain("there is no flag -%s; did you mean --%s?", name, nearest);
        else if (optopt > FLAGS_MAX && optopt < FIRST_OPTION && c->has_options && meant_by(optopt))
            complain("there is no flag -%c; %s", optopt, meant_by(optopt));
        else if (optopt > FLAGS_MAX && optopt < FIRST_OPTION)
            complain("there is no flag -%c; see smc help %s", optopt, c->name);
        else
            complain("%s: this flag takes no value", given);
        return 0;
    }
    given += strspn(given, "-");
    snprintf(name, sizeof name, "%.*s", (int)strcspn(given, "="), given);
    const char *nearest = sm_nearest(name, names);
    if (nearest)
        complain("there is no flag --%s; did you mean --%s?", name, nearest);
    else
        complain("there is no flag --%s; see smc help %s", name, c->name);
    return 0;
}

/* What a flag of this kind takes, in getopt's terms. */
static int getopt_takes(enum flag_kind kind) {
    return kind == FLAG_SWITCH ? no_argument : kind == FLAG_MAYBE ? optional_argument : required_argument;
}

/* Reads all flags and options; the operands are left in OUT. 0, after a message, if one is wrong. */
static int read_all(const struct command *c, int argc, char **argv, struct args *out) {
    const struct flag *flag[FLAGS_MAX];
    static char dashes[OPTIONS_MAX][64];
    struct option known[FLAGS_MAX + OPTIONS_MAX + 1] = {{0}};
    char letters[2 * FLAGS_MAX + 8] = ":";
    size_t rows, n = 0, l = 1;
    const sm_option_row *table = sm_option_table(&rows);
    int rare, flags = gather(c, flag, &rare);
    for (int i = 0; i < flags; i++) {
        int takes = getopt_takes(flag[i]->kind);
        known[n++] = (struct option){flag[i]->name, takes, NULL, i};
        if (flag[i]->letter) {
            letters[l++] = flag[i]->letter;
            if (takes == required_argument)
                letters[l++] = ':';
        }
    }
    for (size_t i = 0; c->has_options && i < rows && i < OPTIONS_MAX; i++) {
        known[n++] = (struct option){dashed(table[i].name, dashes[i], sizeof dashes[i]), required_argument, NULL,
                                     FIRST_OPTION + (int)i};
        if (strchr(table[i].name, '_'))
            known[n++] = (struct option){table[i].name, required_argument, NULL, FIRST_OPTION + (int)i};
    }
    strcpy(letters + l, c->has_options ? "O::" : "");
    opterr = 0;
    optind = 1;
    for (int got; (got = getopt_long(argc, argv, letters, known, NULL)) != -1;) {
        int ok = 0;
        if (got == '?')
            return say_unknown(c, known, argv[optind - 1], argv[optind]);
        if (got == ':') {
            complain("%s needs a value", argv[optind - 1]);
            return 0;
        }
        if (got == 'O' && c->has_options)
            ok = take_level(out, optarg);
        else if (got >= FIRST_OPTION && strcmp(table[got - FIRST_OPTION].name, "deadline_ms") == 0)
            ok = take_number(deadline_flag(), optarg);
        else if (got >= FIRST_OPTION)
            ok = args_option(out, table[got - FIRST_OPTION].name, optarg);
        else if (got < flags)
            ok = take_flag(flag[got], optarg);
        else
            for (int i = 0; i < flags && !ok; i++)
                if (flag[i]->letter == got)
                    ok = take_flag(flag[i], optarg);
        if (!ok)
            return 0;
    }
    out->file = argv + optind;
    out->files = argc - optind;
    return 1;
}

/* 0, after a message, if --color has a wrong value. */
static int color_is_known(void) {
    static const char *const whens[] = {"auto", "always", "never"};
    for (size_t i = 0; i < sizeof whens / sizeof *whens; i++)
        if (strcmp(common.color, whens[i]) == 0)
            return 1;
    complain("--color is auto, always or never, not '%s'", common.color);
    return 0;
}

/* 0, after a message, if a command that takes no operand got one: probably a flag whose dashes were forgotten. */
static int operands_fit(const struct command *c, const struct args *a) {
    if (c->operands[0] || a->files == 0)
        return 1;
    complain("smc %s takes no '%s'; see smc help %s", c->name, a->file[0], c->name);
    return 0;
}

/* Passes the deadline on as a compile option, so that the server's error says what took so long. 0 if that fails. */
static int tell_deadline(struct args *out) {
    char value[16];
    snprintf(value, sizeof value, "%d", common.deadline_ms);
    return common.deadline_ms == 0 || args_option(out, "deadline_ms", value);
}

const char *args_profile_place(void) {
    return common.profile_file ? file_name(common.profile_file) : "--profile";
}

/* Reads --profile or --profile-file, if given. What is no JSON costs no connection; what the profile says is
 * checked by the server. 0, after a message and with *STATUS set, if it cannot be read. */
static int read_profile(int *status) {
    json_error_t why;
    size_t len;
    if (!common.profile_file && !common.profile_text)
        return 1;
    if (common.profile_file && common.profile_text) {
        complain("--profile and --profile-file exclude each other");
        return 0;
    }
    char *text = common.profile_file ? file_read(common.profile_file, &len) : strdup(common.profile_text);
    *status = common.profile_file ? EXIT_FILE : EXIT_USAGE;
    json_t *profile = text ? json_loads(text, JSON_REJECT_DUPLICATES, &why) : NULL;
    if (text && !json_is_object(profile))
        complain("%s:%d: %s", args_profile_place(), profile || why.line < 1 ? 1 : why.line,
                 profile ? "a profile is an object" : why.text);
    common.profile = json_is_object(profile) ? json_dumps(profile, JSON_COMPACT) : NULL;
    common.profile_source = text;
    json_decref(profile);
    return common.profile != NULL;
}

int args_read(const struct command *c, int argc, char **argv, struct args *out, int *status) {
    *status = EXIT_USAGE;
    *out = (struct args){.option = calloc(OPTIONS_MAX, sizeof *out->option), .options = 1};
    if (!out->option) {
        complain("out of memory");
        *status = EXIT_MACHINE;
    }
    int ok = out->option && read_all(c, argc, argv, out) && color_is_known();
    if (ok && common.help) {
        int all = strcmp(common.help, "all") == 0;
        if (all || !common.help[0])
            args_help(c, all, stdout);
        else
            complain("--help takes all, not '%s'", common.help);
        *status = all || !common.help[0] ? EXIT_FINE : EXIT_USAGE;
        ok = 0;
    }
    if (ok && c->has_options && !c->is_native && !out->has_target)
        ok = args_option(out, "target", ""); /* the module's own */
    ok = ok && operands_fit(c, out) && tell_deadline(out) && read_profile(status);
    if (!ok)
        args_free(out);
    return ok;
}

/* The flag that an argument is, of those that any command or that of a server takes; NULL if it is none. *HAS_VALUE: the
 * value is in the argument. */
static const struct flag *flag_of(const char *argument, int *has_value) {
    const struct flag *const lists[] = {shared_flags, remote_flags, rare_shared_flags, rare_remote_flags};
    int is_long = argument[1] == '-';
    size_t n = is_long ? strcspn(argument + 2, "=") : 1;
    *has_value = argument[n + (is_long ? 2 : 1)] != 0;
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        for (const struct flag *f = lists[i]; f->name; f++)
            if (is_long ? strlen(f->name) == n && strncmp(f->name, argument + 2, n) == 0 : f->letter == argument[1])
                return f;
    return NULL;
}

int args_command_first(int argc, char **argv) {
    int at = 1, has_value;
    while (at < argc && argv[at][0] == '-' && argv[at][1]) {
        const struct flag *f = flag_of(argv[at], &has_value);
        if (!f) {
            complain("there is no flag %s before the command; a command's own flags follow it", argv[at]);
            return 0;
        }
        at += getopt_takes(f->kind) == required_argument && !has_value ? 2 : 1;
    }
    if (at >= argc) {
        complain("there is no command; see smc help");
        return 0;
    }
    char *command = argv[at];
    memmove(argv + 2, argv + 1, (size_t)(at - 1) * sizeof *argv);
    argv[1] = command;
    return 1;
}

/* The request's options, with the name of the file as module name, as opt and llc do, but without its folder, so
 * that the key is the same everywhere. */
const char *const *args_request(struct args *a, const char *file) {
    const char *slash = strrchr(file, '/');
    char *name = NULL;
    if (!a->has_name && asprintf(&name, "name=%.200s", file_name(slash ? slash + 1 : file)) < 0) {
        complain("out of memory");
        exit(EXIT_MACHINE); /* without its name it would be another object */
    }
    if (name) {
        free(a->option[0]);
        a->option[0] = name;
    }
    return (const char *const *)(a->option[0] ? a->option : a->option + 1);
}

void args_free(struct args *a) {
    free(common.profile);
    free(common.profile_source);
    common.profile = common.profile_source = NULL;
    for (int i = 0; a->option && i < a->options; i++)
        free(a->option[i]);
    free(a->option);
    *a = (struct args){0};
}
