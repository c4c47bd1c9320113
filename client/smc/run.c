/* run.c - smc run: compiles a module for this machine, loads it, and calls a function of it. */
#include "smc.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

static const char *entry = "main", *libraries;
static int print, gdb, perf;

static const struct flag flags[] = {
    {"entry", 'e', FLAG_TEXT, &entry, "FUNCTION", "called as int (int argc, char **argv) (default main)"},
    {"load", 'l', FLAG_TEXT, &libraries, "FILE.so,...", "shared libraries that have what the module calls"},
    {"print", 'p', FLAG_SWITCH, &print, NULL, "print the result as a 64-bit number; else it is the exit status"},
    {"gdb", 0, FLAG_SWITCH, &gdb, NULL, "register the code with gdb"},
    {"perf", 0, FLAG_SWITCH, &perf, NULL, "write /tmp/perf-PID.map"},
    {0}};

/* Finds what the module calls in this process and its libraries. */
static void *resolve(void *user, const char *name) {
    (void)user;
    return dlsym(RTLD_DEFAULT, name);
}

/* Opens the libraries of --load; they stay open, as code refers to them. 0, after a message, if one cannot be. */
static int open_libraries(void) {
    char *list = libraries ? strdup(libraries) : NULL, *state = NULL;
    int ok = 1;
    for (char *file = list ? strtok_r(list, ",", &state) : NULL; file && ok; file = strtok_r(NULL, ",", &state))
        if (!dlopen(file, RTLD_NOW | RTLD_GLOBAL)) {
            complain("%s", dlerror());
            ok = 0;
        }
    free(list);
    return ok;
}

/* Maps smc's own failures to 125, 126 and 127, as a shell would: any other status is the program's own. */
static int status_of_run(int status) {
    switch (status) {
    case EXIT_FINE:
        return EXIT_FINE;
    case EXIT_INPUT:
    case EXIT_COMPILER:
        return EXIT_RUN_MODULE;
    case EXIT_FILE:
        return EXIT_RUN_FILE;
    default:
        return EXIT_RUN_SELF;
    }
}

/* Calls the entry function. Gives EXIT_FINE, with *RESULT the program's exit status, or EXIT_INPUT if there is no
 * such function. */
static int call_function(sm_loader *loader, const char *file, int argc, char **argv, int *result) {
    void *address = sm_loader_symbol(loader, entry);
    if (!address) {
        complain_of(file_name(file), "has no function '%s'", entry);
        return EXIT_INPUT;
    }
    if (print) {
        printf("%lld\n", ((long long (*)(int, char **))address)(argc, argv));
        return EXIT_FINE;
    }
    *result = ((int (*)(int, char **))address)(argc, argv) & 0xff;
    return EXIT_FINE;
}

/* Compiles the module; NULL, after a message and with *STATUS set, if that fails. */
static sm_answer *compile_module(struct args *args, const char *module, size_t len, int *status) {
    sm_error err;
    sm_answer *a = NULL;
    sm_client *client = server_client(status);
    sm_request r = {.size = sizeof r,
                    .module = module,
                    .module_len = len,
                    .options = args_request(args, args->file[0]),
                    .profile = common.profile};
    if (!client)
        return NULL;
    sm_result result = server_compile(client, &r, file_name(args->file[0]), &a, &err);
    report(file_name(args->file[0]), result, a, &err);
    *status = server_status(result);
    sm_client_free(client);
    if (result == SM_SUCCESS)
        return a;
    sm_answer_free(a);
    return NULL;
}

/* Loads the bytes, which are compiled first unless they are an object, and calls the entry function. Gives the exit
 * status of smc; *RESULT is the program's. */
static int load_and_call(sm_loader *loader, struct args *args, const char *bytes, size_t len, int *result) {
    const char *file = args->file[0];
    int status = EXIT_INPUT, is_object = file_is_object(bytes, len);
    if (!is_object && !file_may_be_module(file, bytes, len))
        return status;
    sm_answer *a = is_object ? NULL : compile_module(args, bytes, len, &status);
    sm_error err;
    if (!is_object && !a)
        return status;
    sm_result r = a ? sm_load_answer(loader, a, file_name(file), NULL, &err)
                    : sm_load(loader, bytes, len, file_name(file), NULL, &err);
    sm_answer_free(a);
    if (r != SM_SUCCESS) {
        complain_of(file_name(file), "%s", err.message);
        return r == SM_ERR_NO_MEMORY || r == SM_ERR_SYSTEM ? EXIT_MACHINE : EXIT_INPUT;
    }
    return call_function(loader, file, args->files, args->file, result);
}

/* Runs smc run; gives the exit status. */
static int run_run(int argc, char **argv) {
    struct args args;
    sm_error err;
    size_t len;
    int status, result = EXIT_FINE;
    if (!args_read(&run_command, argc, argv, &args, &status))
        return status_of_run(status);
    status = EXIT_USAGE;
    if (args.files == 0)
        complain("there is no module to run; see smc help run");
    char *bytes = args.files ? file_read(args.file[0], &len) : NULL;
    if (args.files && !bytes)
        status = EXIT_FILE;
    if (bytes && open_libraries()) {
        sm_loader_options o = {
            .size = sizeof o, .resolve = resolve, .flags = (gdb ? SM_LOAD_GDB : 0u) | (perf ? SM_LOAD_PERF_MAP : 0u)};
        sm_loader *loader = sm_loader_new(&o, &err);
        if (loader)
            status = load_and_call(loader, &args, bytes, len, &result);
        else
            complain("%s", err.message);
        sm_loader_free(loader);
    }
    free(bytes);
    args_free(&args);
    return status == EXIT_FINE ? result : status_of_run(status);
}

const struct command run_command = {
    .name = "run",
    .operands = "MODULE|OBJECT [-- ARGUMENT...]",
    .help = "compile a module for this machine, load it here, and call a function of it\n"
            "The function's result is the exit status. It gets the module's name and the arguments after \"--\".\n"
            "What fails before it is called: 125 smc itself, 126 the module, 127 there is no such file.",
    .run = run_run,
    .flags = flags,
    .is_remote = 1,
    .has_options = 1,
    .is_native = 1};
