/* capabilities.c - smc capabilities: what a server can do. */
#include "smc.h"

#include <string.h>

static int as_json;

static const struct flag flags[] = {{"json", 'J', FLAG_SWITCH, &as_json, NULL, "as the server sends it"}, {0}};

static const char *member_text(const json_t *o, const char *name) {
    const char *s = json_string_value(json_object_get(o, name));
    return s ? s : "";
}

/* Prints a member's text. */
static void put_member(const json_t *o, const char *name) {
    put_text(stdout, member_text(o, name));
}

/* Prints "a, b, c" of an array of strings, or of objects by their "name"; of an object, its members with values. 0 if a
 * value could not be printed. */
static int put_list(const char *title, const json_t *list) {
    size_t i;
    const json_t *one;
    const char *key;
    const char *comma = "";
    int ok = 1;
    printf("%-14s ", title);
    json_array_foreach(list, i, one) {
        fputs(comma, stdout);
        put_text(stdout, json_is_string(one) ? json_string_value(one) : member_text(one, "name"));
        comma = ", ";
    }
    json_object_foreach((json_t *)list, key, one) {
        fputs(comma, stdout);
        put_text(stdout, key);
        fputc(' ', stdout);
        ok &= put_json(stdout, one, JSON_ENCODE_ANY | JSON_COMPACT);
        comma = ", ";
    }
    putchar('\n');
    return ok;
}

/* Prints an option, with its range or values and its default. */
static void put_option(const json_t *o) {
    size_t i;
    const json_t *value;
    char name[40];
    snprintf(name, sizeof name, "%s", member_text(o, "name"));
    clean_text(name);
    printf("  %-18s ", name);
    put_member(o, "help");
    if (json_object_get(o, "min"))
        printf(" (%lld to %lld)", (long long)json_integer_value(json_object_get(o, "min")),
               (long long)json_integer_value(json_object_get(o, "max")));
    json_array_foreach(json_object_get(o, "values"), i, value) {
        fputs(i ? "," : " (", stdout);
        put_text(stdout, json_string_value(value) ? json_string_value(value) : "");
    }
    fputs(i ? ")" : "", stdout);
    if (member_text(o, "default")[0]) {
        fputs(" [", stdout);
        put_member(o, "default");
        fputc(']', stdout);
    }
    putchar('\n');
}

/* Prints what a server can do, for people to read. 0 if something could not be printed. */
static int show_capabilities(const json_t *c) {
    const json_t *smd = json_object_get(c, "smd"), *llvm = json_object_get(c, "llvm"), *o;
    size_t i;
    printf("%-14s ", "smd");
    put_member(smd, "version");
    printf("\n%-14s ", "LLVM");
    put_member(llvm, "version");
    fputs(" (", stdout);
    put_member(llvm, "build");
    puts(")");
    int ok = put_list("targets", json_object_get(c, "targets"));
    ok &= put_list("strategies", json_object_get(c, "gc_strategies"));
    ok &= put_list("profiles", json_object_get(c, "profiles"));
    ok &= put_list("answers", json_object_get(c, "answers"));
    ok &= put_list("sandbox", json_object_get(c, "sandbox_layers"));
    ok &= put_list("steps", json_object_get(c, "steps"));
    ok &= put_list("limits", json_object_get(c, "limits"));
    puts("\noptions:");
    json_array_foreach(json_object_get(c, "options"), i, o) put_option(o);
    return ok;
}

/* Runs smc capabilities; gives the exit status. */
static int run_capabilities(int argc, char **argv) {
    struct args args;
    sm_error err;
    char *about = NULL;
    int status;
    if (!args_read(&capabilities_command, argc, argv, &args, &status))
        return status;
    sm_client *client = server_client(&status);
    sm_result r = client ? sm_get(client, "/v1/capabilities", &about, &err) : SM_SUCCESS;
    json_t *c = about ? json_loads(about, JSON_REJECT_DUPLICATES, NULL) : NULL;
    if (r != SM_SUCCESS) {
        report("smc", r, NULL, &err);
        status = server_status(r);
    } else if (client && !json_is_object(c)) {
        complain("the server's answer is no JSON");
        status = EXIT_SERVER;
    } else if (client) {
        int ok = as_json ? file_write("-", about, strlen(about)) && puts("") >= 0 : show_capabilities(c);
        status = ok ? EXIT_FINE : EXIT_MACHINE;
    }
    json_decref(c);
    sm_text_free(about);
    sm_client_free(client);
    args_free(&args);
    return status;
}

const struct command capabilities_command = {.name = "capabilities",
                                             .operands = "",
                                             .help =
                                                 "show what the server can do: targets, strategies, options, limits",
                                             .run = run_capabilities,
                                             .flags = flags,
                                             .is_remote = 1};
