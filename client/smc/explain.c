/* explain.c - smc explain: what is live where, as a picture of each frame. */
#include "smc.h"

#include <stdlib.h>

static int as_json;

static const struct flag flags[] = {{"json", 'J', FLAG_SWITCH, &as_json, NULL, "the stackmap's JSON instead"}, {0}};

/* Has the server compile the module, and gives the stackmap; NULL, with *STATUS set, if that fails. *LINES is *new*. */
static json_t *ask_for_map(sm_client *client, struct args *args, const char *file, const char *module, size_t len,
                           json_t **lines, int *status) {
    sm_error err;
    sm_answer *a;
    sm_request r = {.size = sizeof r,
                    .module = module,
                    .module_len = len,
                    .options = args_request(args, file),
                    .profile = common.profile};
    sm_result result = server_compile(client, &r, file_name(file), &a, &err);
    report(file_name(file), result, a, &err);
    const char *text = result == SM_SUCCESS ? sm_answer_stackmap(a, &len) : NULL;
    json_t *map = text ? json_loadb(text, len, JSON_ALLOW_NUL, NULL) : NULL;
    text = map && !as_json ? sm_answer_text(a, "lines", &len) : NULL;
    *lines = text ? json_loadb(text, len, JSON_ALLOW_NUL, NULL) : NULL;
    *status = server_status(result);
    if (!map && result == SM_SUCCESS) {
        complain_of(file_name(file), "the answer has no stackmap");
        *status = EXIT_SERVER;
    }
    sm_answer_free(a);
    return map;
}

/* Prints a stackmap as a picture, with lines, or as JSON; gives the exit status. */
static int show_map(const json_t *map, const json_t *lines) {
    if (!as_json)
        return picture(map, lines, stdout) ? EXIT_FINE : EXIT_SERVER;
    int ok = put_json(stdout, map, JSON_INDENT(2));
    putchar('\n');
    return ok ? EXIT_FINE : EXIT_MACHINE;
}

/* Shows one file: objects are read here, modules compiled by *CLIENT, made at its first use. Gives exit status. */
static int explain(sm_client **client, struct args *args, const char *file) {
    size_t len;
    int status = EXIT_INPUT;
    json_t *map = NULL, *lines = NULL;
    char *bytes = file_read(file, &len);
    if (!bytes)
        status = EXIT_FILE;
    if (bytes && file_is_object(bytes, len)) {
        map = stackmap_of_object(file_name(file), bytes, len, as_json ? NULL : &lines);
    } else if (bytes && file_may_be_module(file, bytes, len)) {
        *client = *client ? *client : server_client(&status);
        map = *client ? ask_for_map(*client, args, file, bytes, len, &lines, &status) : NULL;
    }
    if (map)
        status = show_map(map, lines);
    json_decref(map);
    json_decref(lines);
    free(bytes);
    return status;
}

/* Runs smc explain; gives the exit status. */
static int run_explain(int argc, char **argv) {
    struct args args;
    sm_client *client = NULL;
    int status;
    if (!args_read(&explain_command, argc, argv, &args, &status))
        return status;
    status = EXIT_FINE;
    if (!as_json && !args_option(&args, "emit", "lines"))
        status = EXIT_USAGE;
    if (args.files == 0) {
        complain("there is no module to explain; see smc help explain");
        status = EXIT_USAGE;
    }
    for (int i = 0; i < args.files; i++)
        worst(&status, explain(&client, &args, args.file[i]));
    sm_client_free(client);
    args_free(&args);
    return status;
}

const struct command explain_command = {.name = "explain",
                                        .operands = "MODULE|OBJECT...",
                                        .help =
                                            "show every safepoint of modules, and what is live in the frame there\n"
                                            "Modules are compiled by the server, objects are read here.",
                                        .run = run_explain,
                                        .flags = flags,
                                        .is_remote = 1,
                                        .has_options = 1};
