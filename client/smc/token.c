/* token.c - smc token: the file by which smd knows who may ask (docs/operations.md). It holds no token, only digests. */
#include "digest.h"
#include "key.h"
#include "scope.h"
#include "smc.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

static const char prefix[] = "smd_";
enum { TOKEN = sizeof prefix - 1 + SM_KEY_TEXT }; /* bytes of its text */

static const char *file, *scopes = "compile", *tenant, *expires, *cache, *subject;
static int requests_per_s, jobs, deadline_ms, mib_per_day, cpu_s_per_day, untrusted, input_text;

static const struct flag flags[] = {
    {"file", 'f', FLAG_TEXT, &file, "FILE", "the token file, smd's setting tokens; new makes it if it is not there"},
    {"scopes", 0, FLAG_TEXT, &scopes, "SCOPE,...",
     "compile, read, metrics, admin (default: compile, which reads, too)"},
    {"tenant", 0, FLAG_TEXT, &tenant, "NAME", "on whose behalf (default: the token's name)"},
    {"cache", 0, FLAG_TEXT, &cache, "NAME",
     "the part of the cache; \"\": the one of servers without tokens (default: the tenant)"},
    {"expires", 0, FLAG_TEXT, &expires, "DATE", "2027-01-31 or 2027-01-31T12:00:00Z, in UTC (default: never)"},
    {"requests-per-s", 0, FLAG_NUMBER, &requests_per_s, "N", "requests a second (default: as many as come)"},
    {"jobs", 0, FLAG_NUMBER, &jobs, "N", "requests for compiles at once (default: likewise)"},
    {"max-deadline", 0, FLAG_NUMBER, &deadline_ms, "MS", "the largest deadline_ms (default: the server's)"},
    {"mib-per-day", 0, FLAG_NUMBER, &mib_per_day, "N", "MiB of bodies a day, UTC (default: as many as come)"},
    {"cpu-s-per-day", 0, FLAG_NUMBER, &cpu_s_per_day, "N", "CPU seconds of workers a day, UTC (default: likewise)"},
    {"jwt", 0, FLAG_TEXT, &subject, "CLAIM",
     "new: no token, but a row for JWTs whose claim for the tenant this is; *: for all that have no row"},
    {"untrusted", 0, FLAG_SWITCH, &untrusted, NULL,
     "each compile has a process of its own, which serves no one else"},
    {"input-text", 0, FLAG_SWITCH, &input_text, NULL, "modules may come as text alone, not as bitcode"},
    {0}};

/* The file as JSON, with its list in *LIST (borrowed); a new one if MAY_BE_NEW and there is none. NULL: it is reported.
 * *new* */
static json_t *load(int may_be_new, json_t **list) {
    json_error_t e;
    json_t *root;
    if (may_be_new && access(file, F_OK) != 0)
        root = json_pack("{s:[]}", "tokens");
    else
        root = json_load_file(file, JSON_REJECT_DUPLICATES, &e);
    *list = json_object_get(root, "tokens");
    if (json_is_array(*list))
        return root;
    complain_of(file, "%s", root ? "it has no list 'tokens'" : e.text);
    json_decref(root);
    return NULL;
}

/* Writes the file beside itself and renames it, so that smd reads the whole of it; only its owner may read it. */
static int save(const json_t *root) {
    char beside[4096];
    snprintf(beside, sizeof beside, "%s.XXXXXX", file);
    int fd = mkostemp(beside, O_CLOEXEC); /* with mode 0600 */
    struct stat st;
    int ok = fd >= 0 && (stat(file, &st) != 0 || fchmod(fd, st.st_mode & 0777) == 0) &&
             json_dumpfd(root, fd, JSON_INDENT(2)) == 0 && write(fd, "\n", 1) == 1 && fsync(fd) == 0;
    if (fd >= 0)
        ok &= close(fd) == 0;
    ok = ok && rename(beside, file) == 0;
    if (!ok)
        complain_of(file, "%s", strerror(errno));
    if (!ok && fd >= 0)
        unlink(beside);
    return ok ? EXIT_FINE : EXIT_MACHINE;
}

/* The place of the row of this name in the list; -1 if there is none. */
static long find(const json_t *list, const char *name) {
    size_t i;
    const json_t *row;
    json_array_foreach(list, i, row) {
        const char *its = json_string_value(json_object_get(row, "name"));
        if (its && strcmp(its, name) == 0)
            return (long)i;
    }
    return -1;
}

/* Makes a token of 256 random bits. 0 on failure. */
static int make_token(char text[TOKEN]) {
    struct sm_key bits;
    if (getrandom(bits.byte, sizeof bits.byte, 0) != (ssize_t)sizeof bits.byte)
        return 0;
    memcpy(text, prefix, sizeof prefix - 1);
    sm_key_text(&bits, text + sizeof prefix - 1);
    return 1;
}

/* The scopes of the flag as a list; NULL: a wrong one is reported. *new* */
static json_t *scope_list(void) {
    json_t *list = json_array();
    for (const char *at = scopes; *at;) {
        size_t len = strcspn(at, ",");
        if (!sm_scope_of(at, len)) {
            complain("'%.*s' is no scope; there are compile, read, metrics, admin", (int)len, at);
            json_decref(list);
            return NULL;
        }
        json_array_append_new(list, json_stringn(at, len));
        at += len;
        at += *at == ',';
    }
    return list;
}

/* The row of a new token; NULL instead of a token: for JWTs. NULL: what is wrong is reported. *new* */
static json_t *new_row(const char *name, const char *token) {
    struct sm_key digest;
    char hex[SM_KEY_TEXT] = "";
    const struct {
        const char *name, *text;
        int number;
    } members[] = {{"tenant", tenant, 0},
                   {"cache", cache, 0},
                   {"expires", expires, 0},
                   {"requests_per_s", NULL, requests_per_s},
                   {"jobs", NULL, jobs},
                   {"deadline_ms", NULL, deadline_ms},
                   {"mib_per_day", NULL, mib_per_day},
                   {"cpu_s_per_day", NULL, cpu_s_per_day}};
    json_t *list = scope_list();
    if (!list || (token && sm_digest(token, strlen(token), digest.byte) != SM_OK))
        return NULL;
    if (token)
        sm_key_text(&digest, hex);
    json_t *row =
        json_pack("{s:s, s:s, s:o}", "name", name, token ? "sha256" : "jwt", token ? hex : subject, "scopes", list);
    for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
        if (members[i].text)
            json_object_set_new(row, members[i].name, json_string(members[i].text));
        if (members[i].number)
            json_object_set_new(row, members[i].name, json_integer(members[i].number));
    }
    if (untrusted)
        json_object_set_new(row, "untrusted", json_true());
    if (input_text)
        json_object_set_new(row, "input_text", json_true());
    return row;
}

/* smc token new NAME: adds a row, and prints the token, which nobody can print again. A row for JWTs has none. */
static int add(json_t *root, json_t *list, const char *name) {
    char token[TOKEN];
    if (!sm_tenant_valid(name)) {
        complain("'%s' is no name: it is made of 1 to 63 letters, digits, '-', '_' and '.'", name);
        return EXIT_USAGE;
    }
    time_t end;
    if (expires && !sm_expiry_read(expires, &end)) {
        complain("'%s' is no date; --expires takes 2027-01-31 or 2027-01-31T12:00:00Z, in UTC", expires);
        return EXIT_USAGE;
    }
    if (find(list, name) >= 0) {
        complain_of(file, "there is a row '%s' already", name);
        return EXIT_INPUT;
    }
    if (!make_token(token))
        return EXIT_MACHINE;
    json_t *row = new_row(name, subject ? NULL : token);
    if (!row)
        return EXIT_USAGE;
    json_array_append_new(list, row);
    int status = save(root);
    if (status == EXIT_FINE && !subject)
        puts(token);
    return status;
}

/* smc token revoke NAME: removes the row. */
static int remove_row(json_t *root, json_t *list, const char *name) {
    long at = find(list, name);
    if (at < 0) {
        complain_of(file, "there is no row '%s'", name);
        return EXIT_INPUT;
    }
    json_array_remove(list, (size_t)at);
    return save(root);
}

/* Prints the limits and marks of a row, separated by commas; "-" if it has none. */
static void print_limits(const json_t *row) {
    static const char *const names[] = {"requests_per_s", "jobs", "deadline_ms", "mib_per_day", "cpu_s_per_day"};
    const char *comma = "";
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const json_t *limit = json_object_get(row, names[i]);
        if (!json_is_integer(limit))
            continue;
        printf("%s%s=%lld", comma, names[i], (long long)json_integer_value(limit));
        comma = ",";
    }
    static const char *const marks[] = {"untrusted", "input_text"};
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (json_is_true(json_object_get(row, marks[i]))) {
            printf("%s%s", comma, marks[i]);
            comma = ",";
        }
    printf("%s", *comma ? "" : "-");
}

/* smc token list: a line for each row. */
static int print_rows(const json_t *list) {
    size_t i, k;
    const json_t *row, *scope;
    json_array_foreach(list, i, row) {
        const char *name = json_string_value(json_object_get(row, "name"));
        const char *its = json_string_value(json_object_get(row, "tenant"));
        const char *until = json_string_value(json_object_get(row, "expires"));
        put_text(stdout, name ? name : "?");
        printf("\t");
        put_text(stdout, its ? its : name ? name : "?");
        printf("\t%s\t", json_object_get(row, "sha256") ? "token"
                         : json_object_get(row, "user") ? "user"
                         : json_object_get(row, "jwt")  ? "jwt"
                                                        : "certificate");
        json_array_foreach(json_object_get(row, "scopes"), k, scope) {
            printf("%s", k ? "," : "");
            put_text(stdout, json_string_value(scope) ? json_string_value(scope) : "?");
        }
        printf("\t");
        put_text(stdout, until ? until : "never");
        printf("\t");
        print_limits(row);
        printf("\n");
    }
    return EXIT_FINE;
}

/* Does what the operands say; gives the exit status. */
static int act(const struct args *args) {
    const char *what = args->files ? args->file[0] : "";
    int is_new = strcmp(what, "new") == 0, is_list = strcmp(what, "list") == 0, is_end = strcmp(what, "revoke") == 0;
    if (!(is_list && args->files == 1) && !((is_new || is_end) && args->files == 2)) {
        complain("there has to be 'new NAME', 'list' or 'revoke NAME'; see smc help token");
        return EXIT_USAGE;
    }
    if (!file) {
        complain("--file FILE has to name the token file");
        return EXIT_USAGE;
    }
    json_t *list, *root = load(is_new, &list);
    if (!root)
        return EXIT_FILE;
    int status = is_list ? print_rows(list) : (is_new ? add : remove_row)(root, list, args->file[1]);
    json_decref(root);
    return status;
}

/* Runs smc token; gives the exit status. */
static int run_token(int argc, char **argv) {
    struct args args;
    int status;
    if (!args_read(&token_command, argc, argv, &args, &status))
        return status;
    status = act(&args);
    args_free(&args);
    return status;
}

const struct command token_command = {
    .name = "token",
    .operands = "new NAME | list | revoke NAME",
    .help = "say who may ask a server that has a token file\n"
            "new prints the token, which only its digest is kept of. smd sees a changed file within a second.",
    .run = run_token,
    .flags = flags};
