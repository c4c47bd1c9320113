/* programs.c - makes programs, has each compiled in many ways, and runs what comes out in a still world and in a moving
 * one. See usage(). */
#include "daemon.h"
#include "generate.h"
#include "reduce.h"
#include "trial.h"

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static int usage(void) {
    fputs("usage: random-programs [--seed N] [--count N] [--jobs N] [--features LIST] [--options \"NAME=VALUE …\"]\n"
          "                       [--out FOLDER] [--reduce] [--leave-out N] [--census] [--refusals]\n"
          "                       [--target x86_64|aarch64]\n"
          "       random-programs --print SEED [--features LIST]\n"
          "       random-programs --check FAULT FILE       does it end like the fault?\n"
          "       random-programs --replay FILE ...\n"
          "The daemon is one of its own, or the one at $SMD_SERVER.\n",
          stderr);
    return 2;
}

enum { FAULTS_MAX = 20 };

static struct settings {
    uint64_t seed, count;
    int jobs, reduce, census, refusals;
    uint64_t features;
    const char *options, *out, *leave_out, *check, *print, *target;
} set = {.seed = 1, .count = 100, .jobs = 3, .features = FEATURES_ALL, .out = "fuzz"};

static struct total {
    pthread_mutex_t lock;
    uint64_t next, programs, compiles, ending[ENDINGS], of_target[2], faults;
    struct world_figures figures;
    struct census census;
    sm_client *client;
} all = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* ---- Faults ---- */

static void write_fault(const char *path, const sm_buf *module, const struct variant *v, uint64_t seed,
                        const struct outcome *o) {
    FILE *f = fopen(path, "w");
    if (!f) {
        fprintf(stderr, "%s: %s\n", path, strerror(errno));
        return;
    }
    fprintf(f, "; random: %s\n; %s: %s\n; seed %" PRIu64 "\n", v->text, ending_name(o->ending), o->text, seed);
    fwrite(module->data, 1, module->len, f);
    fclose(f);
}

static void fault(const sm_buf *module, const struct variant *v, uint64_t seed, const struct outcome *o) {
    char path[512], reduced[540];
    pthread_mutex_lock(&all.lock);
    uint64_t n = all.faults++;
    pthread_mutex_unlock(&all.lock);
    if (n >= FAULTS_MAX)
        return;
    mkdir(set.out, 0777);
    snprintf(path, sizeof path, "%s/%" PRIu64 "-%s-%.60s.ll", set.out, seed, v->aarch64 ? "aarch64" : "x86_64",
             variant_value(v, "opt"));
    write_fault(path, module, v, seed, o);
    printf("FAULT seed %" PRIu64 ": %s: %s\n  with %s\n  again: deploy/fuzz programs --seed %" PRIu64
           " --count 1\n  %s\n",
           seed, ending_name(o->ending), o->text, v->text, seed, path);
    fflush(stdout);
    if (set.reduce && reduce(path, reduced, sizeof reduced))
        printf("  reduced: %s\n", reduced);
    fflush(stdout);
}

/* ---- A program ---- */

static void count(const struct variant *v, const struct outcome *o) {
    const uint64_t *from = (const uint64_t *)&o->figures;
    pthread_mutex_lock(&all.lock);
    uint64_t *to = (uint64_t *)&all.figures;
    for (size_t i = 0; i < sizeof all.figures / sizeof *to; i++)
        to[i] += from[i];
    all.compiles++;
    all.ending[o->ending]++;
    all.of_target[v->aarch64] += o->ending == ENDING_RIGHT;
    pthread_mutex_unlock(&all.lock);
}

static void one_variant(struct runners *r, const sm_buf *text, uint64_t seed, const struct variant *v,
                        uint64_t *digest, int *known) {
    struct outcome o;
    sm_buf module;
    sm_buf_init(&module, (size_t)1 << 26);
    sm_buf_put(&module, text->data, text->len);
    append_poll(&module, v);
    trial(all.client, r, sm_buf_cstr(&module), module.len, v, &o);
    int ran = o.ending == ENDING_RIGHT || o.ending == ENDING_UNEQUAL || o.ending == ENDING_DIFFERENT ||
              o.ending == ENDING_MOVING;
    if (ran && *known && o.digest != *digest)
        o.ending = ENDING_UNSTEADY;
    if (ran) {
        *digest = o.digest;
        *known = 1;
    }
    count(v, &o);
    if (o.ending == ENDING_REFUSED && set.refusals)
        printf("refused %" PRIu64 ": %s [%s]\n", seed, o.text, v->text);
    if (o.ending > ENDING_REFUSED)
        fault(&module, v, seed, &o);
    sm_buf_free(&module);
}

/* The options that were given, for x86-64 (N 0) and AArch64 (N 1). 0 if they name a target, which is another one. */
static int variant_given(int n, struct variant *v) {
    static const char *const targets[] = {"x86_64-unknown-linux-gnu", "aarch64-unknown-linux-gnu"};
    char text[600];
    variant_parse(set.options, v);
    if (variant_value(v, "target")[0])
        return v->aarch64 == n;
    snprintf(text, sizeof text, "target=%s %s", targets[n], set.options);
    variant_parse(text, v);
    return 1;
}

static void one_program(struct runners *r, uint64_t seed, struct census *census) {
    struct variant v;
    uint64_t digest = 0;
    int known = 0;
    sm_buf text;
    sm_buf_init(&text, (size_t)1 << 26);
    generate(seed, set.features, &text, census);
    for (int i = 0; i < (set.options ? 2 : VARIANTS); i++) {
        if (!set.options)
            variant_draw(seed, i, &v);
        else if (!variant_given(i, &v))
            continue;
        if (!set.target || strcmp(set.target, v.aarch64 ? "aarch64" : "x86_64") == 0)
            one_variant(r, &text, seed, &v, &digest, &known);
    }
    sm_buf_free(&text);
}

static void add_census(const struct census *c) {
    const uint64_t *from = (const uint64_t *)c;
    uint64_t *to = (uint64_t *)&all.census;
    for (size_t i = 0; i < sizeof *c / sizeof *to; i++)
        to[i] += from[i];
}

static void *work(void *arg) {
    struct runners r = {.leave_out = set.leave_out};
    struct census census = {0};
    (void)arg;
    for (;;) {
        pthread_mutex_lock(&all.lock);
        uint64_t n = all.faults < FAULTS_MAX ? all.next++ : set.count;
        all.programs += n < set.count;
        pthread_mutex_unlock(&all.lock);
        if (n >= set.count)
            break;
        if (n && n % 1000 == 0)
            fprintf(stderr, "  %" PRIu64 "/%" PRIu64 " programs\n", n, set.count);
        one_program(&r, set.seed + n, &census);
    }
    runners_stop(&r);
    pthread_mutex_lock(&all.lock);
    add_census(&census);
    pthread_mutex_unlock(&all.lock);
    return NULL;
}

/* ---- All of them ---- */

static void tell(double seconds) {
    const struct world_figures *f = &all.figures;
    printf("[figures] random programs: %" PRIu64 " from seed %" PRIu64 ", %" PRIu64 " compiles: %" PRIu64
           " right on x86-64, %" PRIu64 " right on AArch64, %" PRIu64 " refused, %" PRIu64 " faults; %" PRIu64
           " collections, %" PRIu64 " frames, %" PRIu64 " roots, %" PRIu64 " objects moved, %" PRIu64
           " page polls hit, %" PRIu64 " deoptimisation values; %.0f s\n",
           all.programs, set.seed, all.compiles, all.of_target[0], all.of_target[1], all.ending[ENDING_REFUSED],
           all.faults, f->collections, f->frames, f->roots, f->moved, f->signals, f->deopts, seconds);
    for (int row = 0; row_name(row); row++)
        for (int kind = 0; kind < ROW_KINDS; kind++)
            if (row_takes(row, kind) && (set.census || !all.census.of_row[row][kind]))
                printf("row %s of %s %" PRIu64 "\n", row_name(row), row_kind_name(kind),
                       all.census.of_row[row][kind]);
    if (!set.census)
        return;
    for (int i = 0; i < FEATURES; i++)
        printf("feature %s %" PRIu64 "\n", feature_name(i), all.census.of_feature[i]);
    for (int i = 0; statement_name(i); i++)
        printf("statement %s %" PRIu64 "\n", statement_name(i), all.census.of_statement[i]);
}

/* Most of what is compiled has to run, and nothing may be at fault. */
static int verdict(void) {
    uint64_t right = all.ending[ENDING_RIGHT];
    if (!set.options && right * 100 < all.compiles * 80) {
        printf("only %" PRIu64 " of %" PRIu64 " compiles ran\n", right, all.compiles);
        return 1;
    }
    return all.faults ? 1 : 0;
}

static double now(void) {
    struct timespec ts;
    clock_gettime(CLOCK_MONOTONIC, &ts);
    return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

static int run_all(void) {
    pthread_t thread[64];
    double start = now();
    for (int i = 0; i < set.jobs; i++)
        if (pthread_create(&thread[i], NULL, work, NULL) != 0)
            return 1;
    for (int i = 0; i < set.jobs; i++)
        pthread_join(thread[i], NULL);
    tell(now() - start);
    return verdict();
}

/* ---- Files ---- */

/* The digest of a file's program in the still world, if it is the same at all levels at which the file is compiled. */
static int steady(struct runners *r, const struct bytes *file, uint64_t *digest) {
    const char *poll = strstr((char *)file->data, "@gc.safepoint_poll()") ? "module" : "call:collect";
    int ran = 0;
    for (const char *level = "013"; *level; level++) {
        struct variant v;
        struct outcome o;
        char text[200];
        snprintf(text, sizeof text, "target=x86_64-unknown-linux-gnu safepoints=none poll=%s opt=%c", poll, *level);
        variant_parse(text, &v);
        trial(all.client, r, (char *)file->data, file->len, &v, &o);
        if (o.ending == ENDING_COMPILE || o.ending == ENDING_LOAD ||
            (ran && o.ending != ENDING_REFUSED && o.digest != *digest))
            return 0;
        if (o.ending != ENDING_REFUSED) {
            *digest = o.digest;
            ran++;
        }
    }
    return ran;
}

/* The first lines of a fault's file, as write_fault has them. 0 if they are not there. */
static int read_fault(const struct bytes *file, struct variant *v, int *ending, char text[400]) {
    char options[512] = "", name[32] = "";
    text[0] = 0;
    if (sscanf((char *)file->data, "; random: %511[^\n]\n; %31[^:]: %399[^\n]", options, name, text) < 1)
        return 0;
    *ending = ending_from(name);
    return variant_parse(options, v);
}

/* Failures are alike if their words are the same up to a number. A stale pointer may be found in many ways. */
static int alike(const char *a, const char *b) {
    static const char *const stale[] = {"heap: ", "failed: memory is touched", "signal ", "qemu: "};
    int kinds[2] = {0, 0};
    for (size_t i = 0; i < sizeof stale / sizeof *stale; i++) {
        kinds[0] |= strncmp(a, stale[i], strlen(stale[i])) == 0;
        kinds[1] |= strncmp(b, stale[i], strlen(stale[i])) == 0;
    }
    return (kinds[0] && kinds[1]) || strncmp(a, b, strcspn(a, "0123456789")) == 0;
}

/* 0 if the file ends as the fault does, and is still a program. */
static int check_file(const char *fault, const char *path) {
    struct runners r = {.impatient = 1};
    struct variant v;
    struct outcome o;
    char text[400];
    uint64_t digest;
    struct bytes first = read_file(fault), file = read_file(path);
    int wanted, same = 0;
    if (read_fault(&first, &v, &wanted, text) && !strstr((char *)file.data, " undef")) {
        trial(all.client, &r, (char *)file.data, file.len, &v, &o);
        if (wanted == ENDING_UNSTEADY)
            same = o.ending == ENDING_RIGHT && steady(&r, &file, &digest) && o.digest != digest;
        else
            same = (int)o.ending == wanted && (wanted == ENDING_DIFFERENT || alike(text, o.text)) &&
                   (wanted == ENDING_COMPILE || wanted == ENDING_LOAD || steady(&r, &file, &digest));
    }
    runners_stop(&r);
    bytes_free(first);
    bytes_free(file);
    return !same;
}

/* Files that begin as write_fault has it were faults once; they are right now, or refused where they say so. */
static int replay(char **paths) {
    struct runners r = {0};
    int files = 0, bad = 0;
    for (; *paths; paths++) {
        struct bytes file = read_file(*paths);
        struct variant v;
        struct outcome o;
        char text[400];
        int ending;
        if (read_fault(&file, &v, &ending, text)) {
            trial(all.client, &r, (char *)file.data, file.len, &v, &o);
            files++;
            if (o.ending != (strstr((char *)file.data, "; now: refused") ? ENDING_REFUSED : ENDING_RIGHT)) {
                bad++;
                printf("%s: %s: %s\n", *paths, ending_name(o.ending), o.text);
            }
        }
        bytes_free(file);
    }
    runners_stop(&r);
    printf("[figures] random programs: %d that were faults once, %d are\n", files, bad);
    return bad || !files;
}

static int print(void) {
    sm_buf text;
    sm_buf_init(&text, (size_t)1 << 26);
    generate(strtoull(set.print, NULL, 10), set.features, &text, NULL);
    fwrite(text.data, 1, text.len, stdout);
    sm_buf_free(&text);
    return 0;
}

/* ---- */

static int number(const char *text, uint64_t *out) {
    char *end;
    *out = strtoull(text, &end, 10);
    return *text && !*end;
}

/* Gives the index behind the flags; 0 if they are wrong. */
static int read_flags(int argc, char **argv, int *replays) {
    uint64_t n;
    int i = 1;
    for (; i < argc && strncmp(argv[i], "--", 2) == 0; i++) {
        const char *flag = argv[i] + 2, *value = i + 1 < argc ? argv[i + 1] : NULL;
        if (strcmp(flag, "reduce") == 0) {
            set.reduce = 1;
        } else if (strcmp(flag, "census") == 0) {
            set.census = 1;
        } else if (strcmp(flag, "refusals") == 0) {
            set.refusals = 1;
        } else if (strcmp(flag, "replay") == 0) {
            *replays = 1;
        } else if (!value) {
            return 0;
        } else if (strcmp(flag, "seed") == 0 && number(value, &n)) {
            set.seed = n, i++;
        } else if (strcmp(flag, "count") == 0 && number(value, &n)) {
            set.count = n, i++;
        } else if (strcmp(flag, "jobs") == 0 && number(value, &n) && n > 0 && n <= 64) {
            set.jobs = (int)n, i++;
        } else if (strcmp(flag, "features") == 0 && (set.features = features_parse(value)) != 0) {
            i++;
        } else if (strcmp(flag, "target") == 0) {
            set.target = value, i++;
        } else if (strcmp(flag, "options") == 0) {
            set.options = value, i++;
        } else if (strcmp(flag, "out") == 0) {
            set.out = value, i++;
        } else if (strcmp(flag, "leave-out") == 0) {
            set.leave_out = value, i++;
        } else if (strcmp(flag, "check") == 0) {
            set.check = value, i++; /* FAULT; FILE is what remains */
        } else if (strcmp(flag, "print") == 0) {
            set.print = value, i++;
        } else {
            return 0;
        }
    }
    return i;
}

int main(int argc, char **argv) {
    static const char library[] = BIN_DIR "/mygc-far.so:mystatepoints";
    static const char *const flags[] = {"--workers", "0", "--crash-ttl-s", "0", "--gc-plugins", library, NULL};
    const char *server = getenv("SMD_SERVER"), *servers[2] = {NULL, NULL};
    int replays = 0, first = read_flags(argc, argv, &replays), status;
    struct daemon d = {0};
    sm_error err;
    if (!first || (set.check && first + 1 != argc) || (!set.check && !replays && first != argc))
        return usage();
    if (set.print)
        return print();
    signal(SIGPIPE, SIG_IGN); /* a runner may have ended */
    if (!server) {
        d = daemon_start(flags);
        setenv("SMD_SERVER", d.url, 1);
        server = d.url;
    }
    servers[0] = server;
    sm_client_options options = {
        .size = sizeof options, .servers = servers, .policy = SM_REQUIRE_REMOTE, .breaker_failures = UINT32_MAX};
    options.deadline_ms = 120000;
    options.lookup_from = SIZE_MAX;
    all.client = sm_client_new(&options, &err);
    if (!all.client) {
        fprintf(stderr, "random-programs: %s\n", err.message);
        return 2;
    }
    status = set.check ? check_file(set.check, argv[first]) : replays ? replay(argv + first) : run_all();
    sm_client_free(all.client);
    if (d.pid)
        daemon_stop(&d);
    return status;
}
