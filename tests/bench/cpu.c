/* cpu.c - see cpu.h. The kernel's own account of each thread, in nanoseconds
 * (Documentation/scheduler/sched-stats.rst). */
#include "cpu.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

double own_cpu_ms(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static double process_cpu_ms(pid_t pid) {
    char path[300];
    double sum = 0;
    snprintf(path, sizeof path, "/proc/%d/task", (int)pid);
    DIR *tasks = opendir(path);
    for (struct dirent *e; tasks && (e = readdir(tasks));) {
        unsigned long long ns = 0;
        snprintf(path, sizeof path, "/proc/%d/task/%s/schedstat", (int)pid, e->d_name);
        FILE *f = e->d_name[0] == '.' ? NULL : fopen(path, "re");
        if (f && fscanf(f, "%llu", &ns) == 1)
            sum += (double)ns / 1e6;
        if (f)
            fclose(f);
    }
    if (tasks)
        closedir(tasks);
    return sum;
}

struct cpu cpu_of(const struct daemon *d) {
    struct cpu c;
    c.n = daemon_workers(d, c.pid, CPU_PROCESSES - 1);
    c.pid[c.n++] = d->pid;
    for (int i = 0; i < c.n; i++)
        c.ms[i] = process_cpu_ms(c.pid[i]);
    return c;
}

double cpu_between(const struct cpu *before, const struct cpu *after) {
    double sum = 0;
    for (int i = 0; i < after->n; i++)
        for (int k = 0; k < before->n; k++)
            if (after->pid[i] == before->pid[k])
                sum += after->ms[i] - before->ms[k];
    return sum;
}

int threads_named(pid_t pid, const char *name, pid_t *tid, int max) {
    char path[300], line[32];
    int n = 0;
    snprintf(path, sizeof path, "/proc/%d/task", (int)pid);
    DIR *tasks = opendir(path);
    for (struct dirent *e; tasks && n < max && (e = readdir(tasks));) {
        snprintf(path, sizeof path, "/proc/%d/task/%s/comm", (int)pid, e->d_name);
        FILE *f = e->d_name[0] == '.' ? NULL : fopen(path, "re");
        if (f && fgets(line, sizeof line, f) && strcspn(line, "\n") == strlen(name) &&
            strncmp(line, name, strlen(name)) == 0)
            tid[n++] = (pid_t)atoi(e->d_name);
        if (f)
            fclose(f);
    }
    if (tasks)
        closedir(tasks);
    return n;
}

double waited_ms(pid_t pid, pid_t tid) {
    char path[80];
    unsigned long long ran, ns = 0;
    snprintf(path, sizeof path, "/proc/%d/task/%d/schedstat", (int)pid, (int)tid);
    FILE *f = fopen(path, "re");
    if (f && fscanf(f, "%llu %llu", &ran, &ns) != 2)
        ns = 0;
    if (f)
        fclose(f);
    return (double)ns / 1e6;
}
