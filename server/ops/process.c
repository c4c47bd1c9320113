/* process.c - see process.h. The workers are processes of their own, and are not in these figures. */
#include "process.h"

#include <dirent.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

/* Writes a metric with its HELP and TYPE lines. */
static void put_metric(sm_buf *out, const char *name, const char *type, const char *help, double value) {
    sm_buf_printf(out, "# HELP %s %s\n# TYPE %s %s\n%s %.17g\n", name, help, name, type, name, value);
}

/* The clock's time in seconds. */
static double seconds_of(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* The number of open descriptors, without the one that reads the folder; -1 if it is unknown. */
static int count_descriptors(void) {
    DIR *d = opendir("/proc/self/fd");
    int n = -3; /* ".", ".." and the folder's own */
    while (d && readdir(d))
        n++;
    if (d)
        closedir(d);
    return d ? n : -1;
}

/* Fields 22 to 24 of /proc/PID/stat (proc(5)). */
struct stat_fields {
    unsigned long long start; /* ticks since the boot */
    unsigned long long size;  /* bytes of address space */
    long pages;               /* resident */
};

/* Reads fields 22 to 24 of this process's stat. 0 on failure. */
static int read_stat(struct stat_fields *to) {
    char text[1024] = "";
    FILE *f = fopen("/proc/self/stat", "re");
    size_t n = f ? fread(text, 1, sizeof text - 1, f) : 0;
    if (f)
        fclose(f);
    text[n] = 0;
    const char *at = strrchr(text, ')'); /* the name may hold anything */
    return at && sscanf(at + 1,
                        " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %*d %*d %llu %llu %ld",
                        &to->start, &to->size, &to->pages) == 3;
}

/* Writes when the process started. Two clocks are read one after the other, so each call may give another result. */
void process_start_text(sm_buf *out) {
    struct stat_fields stat;
    if (!read_stat(&stat))
        return;
    double uptime = seconds_of(CLOCK_BOOTTIME) - (double)stat.start / (double)sysconf(_SC_CLK_TCK);
    put_metric(out, "process_start_time_seconds", "gauge", "When the process started, in seconds since 1970",
               seconds_of(CLOCK_REALTIME) - uptime);
}

/* Writes the process's address space and resident memory. */
static void put_memory(sm_buf *out) {
    struct stat_fields stat;
    if (!read_stat(&stat))
        return;
    put_metric(out, "process_virtual_memory_bytes", "gauge", "Address space", (double)stat.size);
    put_metric(out, "process_resident_memory_bytes", "gauge", "Memory in use",
               (double)stat.pages * (double)sysconf(_SC_PAGESIZE));
}

sm_status process_text(sm_buf *out) {
    struct rlimit files;
    int open = count_descriptors();
    put_metric(out, "process_cpu_seconds_total", "counter", "CPU time of the daemon, without its workers",
               seconds_of(CLOCK_PROCESS_CPUTIME_ID));
    put_memory(out);
    if (open >= 0)
        put_metric(out, "process_open_fds", "gauge", "Open descriptors", open);
    if (getrlimit(RLIMIT_NOFILE, &files) == 0)
        put_metric(out, "process_max_fds", "gauge", "Descriptors that may be open", (double)files.rlim_cur);
    return out->status;
}

void process_raise_descriptors(void) {
    struct rlimit files;
    if (getrlimit(RLIMIT_NOFILE, &files) != 0)
        return;
    files.rlim_cur = files.rlim_max;
    setrlimit(RLIMIT_NOFILE, &files);
}

long process_room(int workers) {
    /* a worker has a socket, a pidfd and a log, and there are as many again while others take their places */
    enum { OTHERS = 192, OF_A_WORKER = 8 }; /* 64 connections of operators are among the others */
    struct rlimit files;
    long kept = OTHERS + OF_A_WORKER * (workers + 1L);
    if (getrlimit(RLIMIT_NOFILE, &files) != 0 || files.rlim_cur > LONG_MAX)
        return LONG_MAX;
    return (long)files.rlim_cur - kept;
}

uint64_t process_cpu_ns(int pid) {
    clockid_t clock;
    struct timespec t;
    if (clock_getcpuclockid(pid, &clock) != 0 || clock_gettime(clock, &t) != 0)
        return 0;
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

int process_is_stopping(void) {
    sigset_t pending;
    return sigpending(&pending) == 0 && (sigismember(&pending, SIGTERM) || sigismember(&pending, SIGINT));
}
