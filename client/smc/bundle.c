/* bundle.c - smc bundle: what was recorded under a startup's name, as a file that a container image can hold. */
#include "smc.h"

static const char *output;

static const struct flag flags[] = {{"output", 'o', FLAG_TEXT, &output, "FILE", "the file"}, {0}};

/* Writes the bundle; gives the exit status. */
static int save(sm_client *client, const char *name) {
    sm_error err;
    sm_bundle_info info;
    sm_result r = sm_bundle_save(client, name, output, &info, &err);
    if (r != SM_SUCCESS) {
        complain("%s", err.message);
        return server_status(r);
    }
    printf("%s: %llu artifact%s, %llu bytes\n", output, (unsigned long long)info.artifacts,
           info.artifacts == 1 ? "" : "s", (unsigned long long)info.bytes);
    if (info.missing)
        complain("%llu that were recorded are no longer there", (unsigned long long)info.missing);
    return EXIT_FINE;
}

/* Runs smc bundle; gives the exit status. */
static int run_bundle(int argc, char **argv) {
    struct args args;
    int status;
    if (!args_read(&bundle_command, argc, argv, &args, &status))
        return status;
    sm_client *client = NULL;
    if (args.files != 1 || !output) {
        complain("bundle takes one name, and a file with -o");
        status = EXIT_USAGE;
    } else {
        client = server_client(&status);
    }
    if (client)
        status = save(client, args.file[0]);
    sm_client_free(client);
    args_free(&args);
    return status;
}

const struct command bundle_command = {.name = "bundle",
                                       .operands = "NAME",
                                       .help = "write what was recorded under a startup's name to a file",
                                       .run = run_bundle,
                                       .flags = flags,
                                       .is_remote = 1};
