/* upgrade.c - smc upgrade: a module as LLVM of today writes it, whatever LLVM wrote it. */
#include "smc.h"

#include <stdlib.h>

static const char *output;

static const struct flag flags[] = {
    {"output", 'o', FLAG_TEXT, &output, "FILE", "where the text goes (default: standard output)"}, {0}};

/* Writes the upgraded module; gives the exit status. */
static int write_text(const sm_answer *a) {
    size_t len;
    const char *text = sm_answer_text(a, "modern", &len);
    return text && file_write(output ? output : "-", text, len) ? EXIT_FINE : EXIT_MACHINE;
}

/* Has the server upgrade the module, and writes it; gives the exit status. */
static int upgrade(sm_client *client, struct args *args) {
    sm_error err;
    size_t len;
    sm_answer *answer = NULL;
    char *module = file_read(args->file[0], &len);
    if (!module)
        return EXIT_FILE;
    if (!file_may_be_module(args->file[0], module, len)) {
        free(module);
        return EXIT_INPUT;
    }
    sm_request r = {
        .size = sizeof r, .module = module, .module_len = len, .options = args_request(args, args->file[0])};
    sm_result result = server_compile(client, &r, file_name(args->file[0]), &answer, &err);
    report(file_name(args->file[0]), result, answer, &err);
    int status = result == SM_SUCCESS ? write_text(answer) : server_status(result);
    sm_answer_free(answer);
    free(module);
    return status;
}

/* Runs smc upgrade; gives the exit status. */
static int run_upgrade(int argc, char **argv) {
    struct args args;
    int status;
    if (!args_read(&upgrade_command, argc, argv, &args, &status))
        return status;
    status = EXIT_USAGE;
    sm_client *client = NULL;
    if (args.files != 1)
        complain("there has to be one module; see smc help upgrade");
    else if (args_option(&args, "emit", "modern"))
        client = server_client(&status);
    if (client)
        status = upgrade(client, &args);
    sm_client_free(client);
    args_free(&args);
    return status;
}

const struct command upgrade_command = {
    .name = "upgrade",
    .operands = "MODULE",
    .help = "print a module as text of today's LLVM\n"
            "Typed pointers become ptr, and statepoints with inline lists get operand bundles. Nothing is compiled.",
    .run = run_upgrade,
    .flags = flags,
    .is_remote = 1,
    .has_options = 1};
