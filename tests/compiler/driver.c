/* driver.c - runs the tests of the compiler that are texts.
 *
 *     compiler_test [--jobs=N] [--filter=TEXT] [FILE or FOLDER ...]
 *
 * Each file whose path has TEXT in it, of those that are named or of tests/compiler. README.md tells how they are
 * written. Several processes take one file after the other, each with a worker of its own that it keeps; one that dies
 * costs the file it was at. */
#include "check.h"
#include "expect.h"

#include <ftw.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { JOBS_MAX = 64, FILES_MAX = 100000, SECONDS = 2600, NONE = -1 };

/* What the processes share. */
struct shared {
    atomic_int next, failed, runs;
    atomic_int at[JOBS_MAX]; /* the file that each is at; NONE between two */
};

static struct shared *shared;
static char *files[FILES_MAX]; /* owned */
static int count;
static const char *filter = "";
static pid_t job[JOBS_MAX];
static int jobs = 1;
static char folder[] = "/tmp/smd-compiler-XXXXXX"; /* with one of each process in it */

/* ---- Files ---- */

static int add_file(const char *path, const struct stat *info, int type, struct FTW *place) {
    size_t len = strlen(path);
    (void)info, (void)place;
    if (type == FTW_F && len > 3 && strcmp(path + len - 3, ".ll") == 0 && strstr(path, filter)) {
        check(count < FILES_MAX, "too many files");
        files[count++] = strdup(path);
    }
    return 0;
}

static int by_name(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* ---- One file ---- */

static void run_script(const struct script *s, const char *own, sm_buf *report) {
    for (size_t g = 0; g < s->groups; g++)
        for (size_t i = 0; i < s->group[g].runs; i++) {
            expect_run(s, &s->group[g], s->group[g].run[i], own, report);
            atomic_fetch_add(&shared->runs, 1);
        }
}

static void run_file(const char *path, const char *own) {
    struct bytes text = read_file(path);
    struct script s;
    sm_buf report;
    size_t at = 0;
    sm_buf_init(&report, (size_t)1 << 28);
    while (script_next(path, (const char *)text.data, &at, &s, &report)) {
        if (report.len == 0)
            run_script(&s, own, &report);
        script_free(&s);
    }
    if (report.len) {
        printf("%s%s: failed\n", sm_buf_cstr(&report), path);
        fflush(stdout);
        atomic_fetch_add(&shared->failed, 1);
    }
    sm_buf_free(&report);
    bytes_free(text);
}

/* ---- Processes ---- */

static void become_job(int number) {
    char own[100];
    snprintf(own, sizeof own, "%s/%d", folder, number);
    mkdir(own, 0700); /* there may be one of a process that has died */
    for (int i; (i = atomic_fetch_add(&shared->next, 1)) < count;) {
        atomic_store(&shared->at[number], i);
        run_file(files[i], own);
    }
    atomic_store(&shared->at[number], NONE);
    _exit(0);
}

static void start_job(int number) {
    fflush(stdout);
    atomic_store(&shared->at[number], NONE);
    job[number] = fork();
    check(job[number] >= 0, "there is no process");
    if (job[number] == 0)
        become_job(number);
}

/* A process has ended. Before its time: that is the fault of the file it was at, and another one takes its place. */
static void end_job(int number, int status) {
    int at = atomic_load(&shared->at[number]);
    job[number] = 0;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return;
    printf("%s: failed: the process that compiled it has ended by signal %d, status %d\n",
           at == NONE ? "?" : files[at], WIFSIGNALED(status) ? WTERMSIG(status) : 0, WEXITSTATUS(status));
    atomic_fetch_add(&shared->failed, 1);
    if (atomic_load(&shared->next) < count)
        start_job(number);
}

/* Says what it still waits for, and gives up. */
static void on_alarm(int signal_number) {
    (void)signal_number;
    for (int i = 0; i < jobs; i++)
        if (job[i] > 0) {
            dprintf(STDERR_FILENO, "no end after %d seconds: %s\n", SECONDS, files[atomic_load(&shared->at[i])]);
            kill(job[i], SIGKILL);
        }
    _exit(1);
}

static void wait_for_all(void) {
    int status;
    for (pid_t pid; (pid = wait(&status)) > 0;)
        for (int i = 0; i < jobs; i++)
            if (job[i] == pid)
                end_job(i, status);
}

int main(int argc, char **argv) {
    char command[100];
    int named = 0, status;
    for (int i = 1; i < argc; i++)
        if (strncmp(argv[i], "--filter=", 9) == 0)
            filter = argv[i] + 9;
        else if (strncmp(argv[i], "--jobs=", 7) == 0)
            jobs = atoi(argv[i] + 7);
        else
            named = 1;
    check(jobs >= 1 && jobs <= JOBS_MAX, "there are 1 to %d jobs", JOBS_MAX);
    for (int i = 1; i < argc; i++)
        if (strncmp(argv[i], "--", 2) != 0)
            check(nftw(argv[i], add_file, 16, FTW_PHYS) == 0, "%s cannot be read", argv[i]);
    if (!named)
        check(nftw(SOURCE_DIR "/tests/compiler", add_file, 16, FTW_PHYS) == 0, "there are no tests");
    check(count > 0, "there is no such test");
    qsort(files, (size_t)count, sizeof *files, by_name);
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    check(shared != MAP_FAILED, "no memory");
    check(mkdtemp(folder), "there is no folder");
    signal(SIGALRM, on_alarm);
    alarm(SECONDS);
    for (int i = 0; i < jobs; i++)
        start_job(i);
    wait_for_all();
    snprintf(command, sizeof command, "rm -r %s", folder);
    bytes_free(run_command(command, NULL, 0, &status));
    int failed = atomic_load(&shared->failed);
    /* In the words of the other tests, which deploy/test counts. */
    printf("Synthesis: Tested: %d | Passing: %d | Failing: %d (%d runs)\n", count, count - failed, failed,
           atomic_load(&shared->runs));
    return failed != 0;
}
