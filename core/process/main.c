/* main.c - smd-worker's ways to start: as smd's fork server, or for one compile by hand.
 *
 *     smd-worker --fork-server [--memory-mib=N] [--cpu-seconds=N] [--threads=N] [--sandbox=on|off] [--gc-plugins=LIST]    smd starts it so
 *     smd-worker --compile FILE [--cold] [--threads=N] [--kept=FILE] [--keep=FILE] [OPTION=VALUE ...]
 *                                                      one compile in this process, the artifact to stdout; with split=functions
 *                                                      parts are taken over from one file, and written to the other. LLVM is warm as
 *                                                      in a worker of smd; with --cold it is not, which is sooner done
 *     smd-worker --stackmap FILE                       the tables of an object file, the artifact to stdout
 *
 * FILE may be "-". Exit status: 0 if the artifact is a success, 1 if it is a failure, 2 for wrong usage.
 */
#include "core.h"
#include "fatal_errors.h"
#include "helpers.h"
#include "input.h"
#include "plugins.h"
#include "process.h"
#include "reuse.h"
#include "state.h"
#include "target.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static int usage(void) {
    fputs("usage: smd-worker --compile FILE [--cold] [--threads=N] [--kept=FILE] [--keep=FILE] [OPTION=VALUE ...]\n"
          "       smd-worker --stackmap FILE\n"
          "       smd-worker --fork-server [--memory-mib=N] [--cpu-seconds=N] [--threads=N] [--sandbox=on|off] "
          "[--gc-plugins=LIST]   (smd starts it so)\n"
          "       smd-worker --check [--gc-plugins=LIST]   (are the libraries in order?)\n",
          stderr);
    return 2;
}

/* Removes the argument that begins with FLAG from the list, and gives the text after FLAG; NULL if there is none. */
static const char *find_flag(int *argc, char **argv, const char *flag) {
    for (int i = 2; i < *argc; i++) {
        if (strncmp(argv[i], flag, strlen(flag)) != 0)
            continue;
        const char *value = argv[i] + strlen(flag);
        memmove(argv + i, argv + i + 1, (size_t)(*argc - i) * sizeof *argv);
        --*argc;
        return value;
    }
    return NULL;
}

/* The text after FLAG in the argument that begins with it, which goes from the list; "" if there is none. */
static const char *take_flag(int *argc, char **argv, const char *flag) {
    const char *value = find_flag(argc, argv, flag);
    return value ? value : "";
}

static const char profiles_name[] = "profiles=";

/* Reads the file of an argument "profiles=FILE" into PROFILES: what a daemon would send with a job. 0, with a
 * message, if it cannot. */
static int read_profiles(const char *argument, sm_buf *profiles) {
    sm_buf_free(profiles);
    if (sm_buf_read_file(profiles, argument + sizeof profiles_name - 1) == SM_OK)
        return 1;
    fprintf(stderr, "smd-worker: %s: %s\n", argument, strerror(errno));
    return 0;
}

/* Reads arguments OPTION=VALUE from the third on into *O, and profiles. 0, with a message, if one is wrong. */
static int read_options(int argc, char **argv, sm_options *o, sm_buf *profiles) {
    sm_options_init(o);
    for (int i = 3; i < argc; i++) {
        char name[64];
        sm_option_error err;
        const char *equals = strchr(argv[i], '=');
        if (strncmp(argv[i], profiles_name, sizeof profiles_name - 1) == 0) {
            if (!read_profiles(argv[i], profiles))
                return 0;
            continue;
        }
        if (!equals || (size_t)(equals - argv[i]) >= sizeof name) {
            fprintf(stderr, "smd-worker: '%s' is not OPTION=VALUE\n", argv[i]);
            return 0;
        }
        memcpy(name, argv[i], (size_t)(equals - argv[i]));
        name[equals - argv[i]] = 0;
        if (sm_options_set(o, name, equals + 1, strlen(equals + 1), &err) != SM_OK) {
            fprintf(stderr, "smd-worker: %s\n", err.message);
            return 0;
        }
    }
    return 1;
}

/* Starts LLVM, warms it up if WARM, and loads the libraries of strategies. 0 if one cannot be loaded, with a message
 * on the stderr that was there before LLVM's was captured. */
static int start_compiler(const char *plugins, int warm) {
    const char *why;
    int messages = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 10);
    compiler_init();
    if (warm)
        compiler_warm_up();
    int ok = plugins_load(plugins, plugin_try_strategy, &why);
    if (!ok && messages >= 0)
        dprintf(messages, "smd-worker: gc_plugins: %s\n", why);
    if (messages >= 0)
        close(messages);
    return ok;
}

/* One compile, or one reading of a stackmap, by hand. */
struct once {
    int compile, warm;            /* booleans; warm: LLVM is warmed up before it */
    const char *plugins;          /* libraries of strategies; "" for none */
    const char *kept_from, *keep; /* files of kept parts; "" for none */
};

/* Reads the kept parts of an earlier compile, if a file is given, and starts the table of parts with them. 0, with
 * a message, if it cannot. */
static int read_kept(const struct once *o, sm_buf *kept, struct reuse *reuse) {
    sm_status s = o->kept_from[0] ? sm_buf_read_file(kept, o->kept_from) : SM_OK;
    if (s != SM_OK)
        fprintf(stderr, "smd-worker: --kept=%s: %s\n", o->kept_from, strerror(errno));
    reuse_begin(reuse, (sm_slice){(const unsigned char *)"", 0}, (sm_slice){kept->data, kept->len});
    return s == SM_OK;
}

/* Writes this compile's parts to the file, if one is given. 0, with a message, if it cannot. */
static int write_kept(const struct once *o, struct reuse *reuse) {
    sm_buf kept;
    sm_buf_init(&kept, SIZE_MAX / 4);
    FILE *f = o->keep[0] ? fopen(o->keep, "wb") : NULL;
    int ok = !o->keep[0] || (f && reuse_write(reuse, SIZE_MAX / 4, &kept) == SM_OK);
    if (ok && f)
        ok = fwrite(kept.data, 1, kept.len, f) == kept.len;
    if (f && fclose(f))
        ok = 0;
    if (!ok)
        fprintf(stderr, "smd-worker: --keep=%s: %s\n", o->keep, strerror(errno));
    sm_buf_free(&kept);
    return ok;
}

/* Compiles a file in this process, or reads its stackmap, and writes the artifact to stdout. The exit status. */
static int run_once(int argc, char **argv, const struct once *o, const struct limits *limits) {
    sm_options options;
    sm_timings timings;
    sm_buf input, artifact, profiles, kept;
    sm_artifact a;
    struct compile *rest = NULL;
    struct reuse reuse = {0};
    sm_buf_init(&kept, 0);
    sm_buf_init(&profiles, 0);
    int status = 2;
    sm_buf_init(&input, 0);
    sm_buf_init(&artifact, (size_t)1 << 31);
    if (argc < 3 || !read_options(argc, argv, &options, &profiles)) {
        status = usage();
        goto out;
    }
    if (!read_kept(o, &kept, &reuse))
        goto out;
    if (sm_buf_read_file(&input, argv[2]) != SM_OK) {
        fprintf(stderr, "smd-worker: %s: %s\n", argv[2], strerror(errno));
        goto out;
    }
    if (!start_compiler(o->plugins, o->warm))
        goto out;
    if (o->compile && dialect_may_be_old(&options, sm_buf_cstr(&input), input.len))
        upgrader_use(upgrader_socket(limits));
    helpers_start(limits->threads);
    helpers_allow(limits->threads);
    sandbox_open_files(0); /* as in a worker, so that the same comes out */
    sm_status s = o->compile ? compile_run(&options, (sm_slice){profiles.data, profiles.len}, sm_buf_cstr(&input),
                                           input.len, &reuse, &artifact, &timings, &rest)
                             : stackmap_run(sm_buf_cstr(&input), input.len, &artifact, &timings);
    if (s == SM_OK)
        s = fwrite(artifact.data, 1, artifact.len, stdout) == artifact.len && fflush(stdout) == 0 ? SM_OK : SM_IO;
    if (s == SM_OK)
        s = sm_artifact_read(artifact.data, artifact.len, &a);
    status = s == SM_OK && a.status == SM_OK ? 0 : 1;
    sandbox_open_files(1);
    if (s == SM_OK && !write_kept(o, &reuse))
        status = 2;
    compile_free(rest);
    reuse_end(&reuse);
    if (fatal_happened()) /* LLVM would free what the error has left behind */
        _exit(status);
    compiler_leave(status);
out:
    sm_buf_free(&kept);
    sm_buf_free(&profiles);
    sm_buf_free(&input);
    sm_buf_free(&artifact);
    return status;
}

/* The stack may grow to what LLVM's recursion needs; it is taken from the system as it grows. */
static void enlarge_stack(void) {
    struct rlimit l;
    if (getrlimit(RLIMIT_STACK, &l) != 0 || l.rlim_cur >= HELPER_STACK)
        return;
    l.rlim_cur = l.rlim_max < HELPER_STACK ? l.rlim_max : HELPER_STACK;
    setrlimit(RLIMIT_STACK, &l);
}

/* Starts as the command line says: one compile, one stackmap, a check of the libraries, or the fork server. The
 * exit status. */
int main(int argc, char **argv) {
    struct limits limits = {.memory_mib = 2048, .cpu_seconds = 300, .sandbox = 1};
    const char *mode = argc > 1 ? argv[1] : "";
    const char *plugins = take_flag(&argc, argv, "--gc-plugins=");
    const char *threads = strcmp(mode, "--compile") == 0 ? take_flag(&argc, argv, "--threads=") : "";
    struct once once = {.compile = strcmp(mode, "--compile") == 0, .plugins = plugins};
    once.warm = once.compile && !find_flag(&argc, argv, "--cold");
    once.kept_from = take_flag(&argc, argv, "--kept=");
    once.keep = take_flag(&argc, argv, "--keep=");
    limits.threads = atoi(threads);
    allocator_init();
    enlarge_stack();
    if (once.compile || strcmp(mode, "--stackmap") == 0)
        return run_once(argc, argv, &once, &limits);
    if (strcmp(mode, "--check") == 0)
        return argc > 2 ? usage() : start_compiler(plugins, 0) ? 0 : 2;
    if (strcmp(mode, "--fork-server") != 0 || !limits_read(argc, argv, &limits))
        return usage();
    if (!start_compiler(plugins, 1))
        return 2;
    return forkserver_run(&limits);
}
