/* What workers have of smd's: nothing, so that a module that takes its worker over finds nothing. */
#include "daemon.h"
#include "files.h"
#include "http.h"

#include <criterion/criterion.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST = 8 };

/* None of them is only just being made: two, and the one that stands ready. */
static int all_are_ready(void *d) {
    return metric(d, "smd_workers{state=\"idle\"}") == 3;
}

/* The workers and their fork server. */
static int processes(struct daemon *d, pid_t pids[MOST]) {
    await(all_are_ready, d, 20, "the workers");
    int n = daemon_workers(d, pids, MOST - 1);
    cr_assert_gt(n, 0);
    pids[n++] = daemon_forkserver(d);
    return n;
}

static void target_of(pid_t pid, int fd, char *to, size_t size) {
    char link[64];
    snprintf(link, sizeof link, "/proc/%d/fd/%d", (int)pid, fd);
    ssize_t n = readlink(link, to, size - 1);
    to[n > 0 ? n : 0] = 0;
}

static int count_descriptors(pid_t pid) {
    char path[64];
    int n = 0;
    snprintf(path, sizeof path, "/proc/%d/fd", (int)pid);
    DIR *fds = opendir(path);
    for (struct dirent *e; (e = readdir(fds));)
        n += e->d_name[0] != '.';
    closedir(fds);
    return n;
}

/* Input, output, their own log, their socket, the one to smd-upgrade; the log of smd is none of them. */
Test(isolation, descriptors) {
    struct daemon d = daemon_start(NULL);
    pid_t pids[MOST];
    int n = processes(&d, pids);
    char to[300];
    for (int i = 0; i < n; i++) {
        for (int fd = 0; fd < 2; fd++) {
            target_of(pids[i], fd, to, sizeof to);
            cr_assert_str_eq(to, "/dev/null");
        }
        target_of(pids[i], 2, to, sizeof to);
        cr_assert(strncmp(to, "/memfd:", 7) == 0, "%s", to);
        if (i < n - 1)
            cr_assert_eq(count_descriptors(pids[i]), access(BIN_DIR "/smd-upgrade", X_OK) == 0 ? 5 : 4);
    }
    daemon_stop(&d);
}

/* The environment of a service often holds secrets. */
Test(isolation, environment) {
    setenv("SMD_CACHE_SALT", "secret-salt", 1);
    setenv("DATABASE_PASSWORD", "secret-word", 1);
    struct daemon d = daemon_start(NULL);
    pid_t pids[MOST];
    int n = processes(&d, pids), status;
    for (int i = 0; i < n; i++) {
        char command[100];
        snprintf(command, sizeof command, "tr '\\0' '\\n' </proc/%d/environ", (int)pids[i]);
        struct bytes environment = run_command(command, "", 0, &status);
        cr_assert_eq(status, 0);
        cr_assert_not(strstr((char *)environment.data, "secret"), "%s", (char *)environment.data);
        bytes_free(environment);
    }
    daemon_stop(&d);
}

/* 1 if all threads of the process have this line in their status. */
static int all_threads_say(pid_t pid, const char *line) {
    char command[200];
    int status;
    snprintf(command, sizeof command, "! grep -L -x -P '%s' /proc/%d/task/*/status | grep .", line, (int)pid);
    bytes_free(run_command(command, "", 0, &status));
    return status == 0;
}

/* smd, its fork server and workers have given up what smd does not need: in every thread. */
Test(isolation, smd_is_confined) {
    struct daemon d = daemon_start(NULL);
    pid_t pids[MOST];
    int n = processes(&d, pids);
    pids[n++] = d.pid;
    for (int i = 0; i < n; i++) {
        cr_expect(all_threads_say(pids[i], "NoNewPrivs:\t1"), "%d", i);
        cr_expect(all_threads_say(pids[i], "CapEff:\t0+"), "%d", i);
        cr_expect(all_threads_say(pids[i], "CapPrm:\t0+"), "%d", i);
        cr_expect(all_threads_say(pids[i], "Seccomp:\t2"), "%d", i);
    }
    cr_expect_eq(metric(&d, "smd_confinement_layer{layer=\"no_new_privs\"}"), 1);
    cr_expect_eq(metric(&d, "smd_confinement_layer{layer=\"capabilities\"}"), 1);
    cr_expect_eq(metric(&d, "smd_confinement_layer{layer=\"seccomp\"}"), 1);
    daemon_stop(&d);
}

Test(isolation, smd_is_confined_unless_it_is_told) {
    struct daemon d = daemon_start((const char *const[]){"--confinement", "off", NULL});
    cr_expect(all_threads_say(d.pid, "Seccomp:\t0") || all_threads_say(getpid(), "Seccomp:\t2"));
    cr_expect_eq(metric(&d, "smd_confinement_layer{layer=\"seccomp\"}"), 0);
    daemon_stop(&d);
}
