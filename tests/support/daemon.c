/* daemon.c - see daemon.h. */
#include "daemon.h"

#include "check.h"
#include "files.h"
#include "http.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double seconds_now(void) {
    struct timespec ts;
    clock_gettime(CLOCK_MONOTONIC, &ts);
    return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

enum { MOST_S = 300 };

void await(int (*condition)(void *arg), void *arg, double seconds, const char *what) {
    double end = seconds_now() + (seconds < MOST_S ? MOST_S : seconds);
    while (!condition(arg)) {
        check(seconds_now() < end, "waited in vain for %s", what);
        usleep(2000);
    }
}

static void become_daemon(const struct daemon *d, const char *const *flags) {
    const char *other =
        getenv("TEST_BIN_DIR"); /* a daemon of another build: one with a sanitizer that these tests cannot have */
    char log[160], port_file[160], program[512];
    snprintf(program, sizeof program, "%s/smd", other ? other : BIN_DIR);
    const char *argv[64] = {program, "--port", "0", "--port-file", port_file, "--workers", "2", "--cache-memory-mib",
                            "0", "--diagnostic-ttl-s", "0",
                            /* clients take as long as they take on any machine */
                            "--tls-handshake-s", "600", "--request-timeout-s", "600", "--idle-timeout-s", "600"};
    int argc = 0;
    while (argv[argc])
        argc++;
    for (int i = 0; flags && flags[i] && argc < 63; i++)
        argv[argc++] = flags[i];
    snprintf(log, sizeof log, "%s/log", d->folder);
    snprintf(port_file, sizeof port_file, "%s/port", d->folder);
    int fd = open(log, O_WRONLY | O_CREAT | O_APPEND, 0600);
    dup2(fd, STDOUT_FILENO);
    dup2(fd, STDERR_FILENO);
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* a test that aborts leaves no daemon behind */
    execv(argv[0], (char *const *)argv);
    _exit(127);
}

static int is_ready(void *arg) {
    struct daemon *d = arg;
    char path[160];
    int status;
    snprintf(path, sizeof path, "%s/port", d->folder);
    check(waitpid(d->pid, &status, WNOHANG) == 0, "smd ended at once; see %s/log", d->folder);
    FILE *f = fopen(path, "re");
    int ok = f && fscanf(f, "%d", &d->port) == 1;
    if (f)
        fclose(f);
    return ok;
}

struct daemon daemon_start(const char *const *flags) {
    struct daemon d = {.folder = "/tmp/smd-test-XXXXXX"};
    check(mkdtemp(d.folder), "no folder can be made");
    d.pid = fork();
    if (d.pid == 0)
        become_daemon(&d, flags);
    await(is_ready, &d, 60, "the daemon to serve");
    snprintf(d.url, sizeof d.url, "http://127.0.0.1:%d", d.port);
    return d;
}

static int has_ended(void *arg) {
    struct daemon *d = arg;
    int status;
    pid_t pid = waitpid(d->pid, &status, WNOHANG);
    check(pid >= 0, "process %d is no daemon of this test's, or has ended before", (int)d->pid);
    if (pid == 0)
        return 0;
    d->ended = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    d->is_over = 1;
    return 1;
}

int daemon_wait(struct daemon *d) {
    check(!d->is_over, "the daemon has ended before, with status %d", d->ended);
    await(has_ended, d, 60, "the daemon's end");
    return d->ended;
}

void daemon_stop(struct daemon *d) {
    if (d->is_over) /* the test has failed between its end and the next one's start, and said why */
        return;
    kill(d->pid, SIGTERM);
    int exit_status = daemon_wait(d);
    struct bytes log = daemon_log(d);
    remove_tree(d->folder);
    check(exit_status == 0, "smd ended with status %d\n%s", exit_status, (char *)log.data);
    bytes_free(log);
}

int daemon_connect_from(const struct daemon *d, const char *address) {
    struct sockaddr_in from = {.sin_family = AF_INET, .sin_addr.s_addr = inet_addr(address)},
                       to = {.sin_family = AF_INET,
                             .sin_port = htons((uint16_t)d->port),
                             .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    check(fd >= 0 && bind(fd, (struct sockaddr *)&from, sizeof from) == 0 &&
              connect(fd, (struct sockaddr *)&to, sizeof to) == 0,
          "the daemon takes no connection");
    return fd;
}

int daemon_connect(const struct daemon *d) {
    return daemon_connect_from(d, "127.0.0.1");
}

struct bytes daemon_log(const struct daemon *d) {
    char path[128];
    snprintf(path, sizeof path, "%s/log", d->folder);
    return read_file(path);
}

int daemon_has_logged(const struct daemon *d, const char *words) {
    struct bytes log = daemon_log(d);
    int there = strstr((char *)log.data, words) != NULL;
    bytes_free(log);
    return there;
}

struct expected_log {
    const struct daemon *daemon;
    const char *words;
};

static int is_logged(void *arg) {
    const struct expected_log *e = arg;
    return daemon_has_logged(e->daemon, e->words);
}

void daemon_await_log(const struct daemon *d, const char *words) {
    await(is_logged, &(struct expected_log){d, words}, 60, words);
}

void daemon_refuses(const char *flags, const char *says) {
    for (int checks = 0; checks < 2; checks++) {
        char command[512];
        int status;
        snprintf(command, sizeof command, BIN_DIR "/smd --port 0 %s %s 2>&1", flags, checks ? "--check-config" : "");
        struct bytes said = run_command(command, "", 0, &status);
        check(status == 1 && strstr((const char *)said.data, says), "%s: status %d, %s", command, status,
              (const char *)said.data);
        bytes_free(said);
    }
}

/* The processes of this name whose parent is one of two, by proc(5). */
static int find_processes(const char *name, pid_t parent, pid_t other_parent, pid_t *pids, int max) {
    int n = 0;
    DIR *proc = opendir("/proc");
    for (struct dirent *e; (e = readdir(proc)) && n < max;) {
        char path[300], comm[64] = "", state = 0;
        int its_parent = 0, pid = atoi(e->d_name);
        snprintf(path, sizeof path, "/proc/%s/stat", e->d_name);
        FILE *f = pid ? fopen(path, "re") : NULL;
        if (f && fscanf(f, "%*d (%63[^)]) %c %d", comm, &state, &its_parent) == 3 && strcmp(comm, name) == 0 &&
            state != 'Z' && (its_parent == parent || its_parent == other_parent))
            pids[n++] = pid;
        if (f)
            fclose(f);
    }
    closedir(proc);
    return n;
}

pid_t daemon_forkserver(const struct daemon *d) {
    pid_t pid;
    return find_processes("smd-fork-server", d->pid, d->pid, &pid, 1) ? pid : 0;
}

int daemon_workers(const struct daemon *d, pid_t *pids, int max) {
    return find_processes("smd-worker", daemon_forkserver(d), d->pid, pids, max);
}

/* ---- Held processes ------------------------------------------------------------------------------------------ */

void process_hold(pid_t pid) {
    int status;
    check(ptrace(PTRACE_SEIZE, pid, NULL, NULL) == 0 && ptrace(PTRACE_INTERRUPT, pid, NULL, NULL) == 0,
          "process %d cannot be held", (int)pid);
    check(waitpid(pid, &status, __WALL) == pid, "process %d does not stop", (int)pid);
}

/* Nobody else learns of the end of one that was killed before its tracer has. */
void process_release(pid_t pid) {
    int status;
    if (ptrace(PTRACE_DETACH, pid, NULL, NULL) != 0)
        check(waitpid(pid, &status, __WALL) == pid, "process %d cannot be released", (int)pid);
}

struct expected_workers {
    const struct daemon *daemon;
    struct held *held;
    int count;
};

/* They have said HELLO, and wait for jobs. There are more where each has one job alone: another stands ready for it. */
static int are_idle(void *arg) {
    struct expected_workers *e = arg;
    e->held->count = daemon_workers(e->daemon, e->held->pid, 16);
    return e->held->count >= e->count && metric(e->daemon, "smd_workers{state=\"starting\"}") == 0 &&
           metric(e->daemon, "smd_workers{state=\"idle\"}") == e->held->count;
}

struct held daemon_hold_workers(struct daemon *d, int count) {
    struct held h;
    await(are_idle, &(struct expected_workers){d, &h, count}, 60, "all workers to be there");
    for (int i = 0; i < h.count; i++)
        process_hold(h.pid[i]);
    return h;
}

void daemon_release(const struct held *h) {
    for (int i = 0; i < h->count; i++)
        process_release(h->pid[i]);
}
