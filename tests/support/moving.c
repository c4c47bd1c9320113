/* moving.c - see moving.h. */
#include "moving.h"

#include "check.h"
#include "files.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { CPU_SECONDS = 120 }; /* of one run: a program that does not end is killed */

static struct runner {
    pid_t pid; /* 0 while there is none */
    FILE *to, *from;
} runners[2]; /* of AArch64, of this machine */

static void become_runner(int is_native, int in, int out) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    dup2(in, STDIN_FILENO);
    dup2(out, STDOUT_FILENO);
    dup2(out, STDERR_FILENO);
    if (is_native)
        execl(BIN_DIR "/moving-server", "moving-server", (char *)NULL);
    else
        execl(QEMU, QEMU, BIN_DIR "/moving-server-aarch64", (char *)NULL);
    _exit(127);
}

static void start_runner(struct runner *r, int is_native) {
    int in[2], out[2];
    signal(SIGPIPE, SIG_IGN);
    check(pipe2(in, O_CLOEXEC) == 0 && pipe2(out, O_CLOEXEC) == 0, "there is no pipe");
    r->pid = fork();
    if (r->pid == 0)
        become_runner(is_native, in[0], out[1]);
    check(r->pid > 0, "there is no process");
    close(in[0]);
    close(out[1]);
    r->to = fdopen(in[1], "we");
    r->from = fdopen(out[0], "re");
    check(r->to && r->from, "there is no stream");
}

/* Its exit status, or 128 + the signal. */
static int end_runner(struct runner *r) {
    int status;
    fclose(r->to);
    fclose(r->from);
    check(waitpid(r->pid, &status, 0) == r->pid, "the runner is lost");
    r->pid = 0;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* The limit counts from here. */
static void limit_time(pid_t pid) {
    clockid_t clock;
    struct timespec used = {0};
    if (clock_getcpuclockid(pid, &clock) != 0 || clock_gettime(clock, &used) != 0)
        return; /* it has ended, which shows when its answer is read */
    rlim_t end = (rlim_t)used.tv_sec + CPU_SECONDS;
    prlimit(pid, RLIMIT_CPU, &(struct rlimit){end, end + CPU_SECONDS * 1000}, NULL);
}

int moving_run(int is_native, const char *arguments, char *said, int room) {
    struct runner *r = &runners[is_native != 0];
    char line[512];
    int status, n = 0;
    if (!r->pid)
        start_runner(r, is_native);
    limit_time(r->pid);
    said[0] = 0;
    fprintf(r->to, "%s\n", arguments);
    fflush(r->to); /* a broken pipe shows when the answer is read */
    while (fgets(line, sizeof line, r->from)) {
        if (sscanf(line, "ended %d", &status) == 1)
            return status;
        n += snprintf(said + n, (size_t)(room - n), "%s", line);
        n = n < room ? n : room - 1;
    }
    return end_runner(r);
}

int moving_run_alone(int is_native, const char *arguments, char *said, int room) {
    char command[1200];
    int status;
    snprintf(command, sizeof command, "%s %s/moving%s %s 2>&1", is_native ? "" : QEMU, BIN_DIR,
             is_native ? "" : "-aarch64", arguments);
    struct bytes out = run_command(command, NULL, 0, &status);
    snprintf(said, (size_t)room, "%.*s", (int)out.len, (char *)out.data);
    bytes_free(out);
    return status;
}

long number_before(const char *line, const char *word) {
    const char *end = strstr(line, word), *at = end ? end - 1 : NULL;
    while (at && at > line && at[-1] >= '0' && at[-1] <= '9')
        at--;
    return at ? strtol(at, NULL, 10) : -1;
}
