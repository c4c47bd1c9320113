/* sandbox.c - what a worker may still do: compute, and talk on the descriptors that it has.
 *
 * Entered before the first job, it cannot be left. Layers: no_new_privs; resource limits; Landlock, where the kernel
 * has it, without a single path; seccomp, where any system call that is not listed kills the process. A warm compile
 * needs no others (LLVM is initialised, and opens no file). No memory can become executable.
 */
#include "sandbox.h"

#include "frame.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <seccomp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#define LOG_BYTES 65536 /* of stderr, which is a memory file of this size */

int limits_read(int argc, char **argv, struct limits *l) {
    for (int i = 2; i < argc; i++)
        if (sscanf(argv[i], "--memory-mib=%d", &l->memory_mib) != 1 &&
            sscanf(argv[i], "--cpu-seconds=%d", &l->cpu_seconds) != 1 &&
            sscanf(argv[i], "--threads=%d", &l->threads) != 1) {
            if (strncmp(argv[i], "--sandbox=", 10) != 0)
                return 0;
            l->sandbox = strcmp(argv[i] + 10, "off") != 0;
        }
    return 1;
}

void sandbox_end_with(pid_t parent) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) /* it has ended before: as if it ended now */
        raise(SIGKILL);
}

static int set_limit(int which, rlim_t value) {
    struct rlimit l;
    if (getrlimit(which, &l) != 0)
        return 0;
    l.rlim_cur = l.rlim_max == RLIM_INFINITY || value < l.rlim_max ? value : l.rlim_max;
    if (which != RLIMIT_CPU)
        l.rlim_max = l.rlim_cur;
    return setrlimit(which, &l) == 0;
}

/* The address space in use, bytes: proc(5), statm's first field. */
static rlim_t address_space(void) {
    unsigned long pages = 0;
    FILE *f = fopen("/proc/self/statm", "re");
    if (!f)
        return 0;
    if (fscanf(f, "%lu", &pages) != 1)
        pages = 0;
    fclose(f);
    return (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE);
}

/* What the process may take in all; the soft limit, of one job, is moved on below it. */
static int limit_life(const struct limits *limits) {
    struct rlimit l;
    if (getrlimit(RLIMIT_CPU, &l) != 0)
        return 0;
    rlim_t threads = limits->threads > 1 ? (rlim_t)limits->threads : 1; /* smd counts the time that its jobs run */
    rlim_t most = (rlim_t)SM_WORKER_LIFE * (rlim_t)limits->cpu_seconds * threads + 10;
    if (most < l.rlim_max)
        l.rlim_max = most;
    l.rlim_cur = l.rlim_cur < l.rlim_max ? l.rlim_cur : l.rlim_max;
    return setrlimit(RLIMIT_CPU, &l) == 0;
}

static int enter_limits(const struct limits *limits, rlim_t now) {
    return limit_life(limits) && now && set_limit(RLIMIT_AS, now + ((rlim_t)limits->memory_mib << 20)) &&
           set_limit(RLIMIT_CORE, 0) && set_limit(RLIMIT_FSIZE, LOG_BYTES) && set_limit(RLIMIT_NOFILE, 0);
}

int sandbox_has_landlock(void) {
    return syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION) >= 1;
}

/* The rights of Landlock's first version: all that can be done to files and folders by path. */
static int enter_landlock(void) {
    struct landlock_ruleset_attr all = {.handled_access_fs = (LANDLOCK_ACCESS_FS_MAKE_SYM << 1) - 1};
    int fd = (int)syscall(SYS_landlock_create_ruleset, &all, sizeof all, 0);
    if (fd < 0)
        return 0;
    int ok = syscall(SYS_landlock_restrict_self, fd, 0) == 0;
    close(fd);
    return ok;
}

static int add_rules(scmp_filter_ctx filter) {
    static const int plain[] = {
        SCMP_SYS(read),         SCMP_SYS(write),       SCMP_SYS(writev),        SCMP_SYS(readv),
        SCMP_SYS(pread64),      SCMP_SYS(lseek),       SCMP_SYS(sendmsg),       SCMP_SYS(brk),
        SCMP_SYS(munmap),       SCMP_SYS(mremap),      SCMP_SYS(madvise),       SCMP_SYS(futex),
        SCMP_SYS(exit),         SCMP_SYS(exit_group),  SCMP_SYS(rt_sigreturn),  SCMP_SYS(rt_sigprocmask),
        SCMP_SYS(rt_sigaction), SCMP_SYS(sigaltstack), SCMP_SYS(clock_gettime), SCMP_SYS(gettimeofday),
        SCMP_SYS(getrusage),    SCMP_SYS(times),       SCMP_SYS(getrandom),     SCMP_SYS(getpid),
        SCMP_SYS(gettid),       SCMP_SYS(getcpu),      SCMP_SYS(sched_yield),   SCMP_SYS(restart_syscall),
        SCMP_SYS(recvfrom)};
    static const int without_exec[] = {SCMP_SYS(mmap), SCMP_SYS(mprotect)};
    /* A module's assembly may ask for a file (.incbin, .include): it learns that there is none, and no more. */
    static const struct open {
        int call;
        unsigned flags; /* number of its argument */
    } opens[] = {{SCMP_SYS(open), 1}, {SCMP_SYS(openat), 2}};
    /* Asked out of habit, by C and C++ libraries; the answer does not matter. */
    static const int refused[] = {
        SCMP_SYS(ioctl), SCMP_SYS(fstat),    SCMP_SYS(newfstatat), SCMP_SYS(getcwd),
        SCMP_SYS(fcntl), SCMP_SYS(sysinfo),  SCMP_SYS(uname),      SCMP_SYS(sched_getaffinity),
        SCMP_SYS(alarm), SCMP_SYS(setitimer)}; /* LLVM's, while it says what it was at in a crash */
    int e = 0;
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
        e |= seccomp_rule_add(filter, SCMP_ACT_ALLOW, plain[i], 0);
    for (size_t i = 0; i < sizeof without_exec / sizeof *without_exec; i++)
        e |= seccomp_rule_add(filter, SCMP_ACT_ALLOW, without_exec[i], 1, SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0));
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        e |= seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), refused[i], 0);
    for (size_t i = 0; i < sizeof opens / sizeof *opens; i++)
        e |= seccomp_rule_add(filter, SCMP_ACT_ERRNO(EACCES), opens[i].call, 1,
                              SCMP_CMP(opens[i].flags, SCMP_CMP_MASKED_EQ, O_ACCMODE | O_CREAT | O_TRUNC, O_RDONLY));
    /* abort() signals its own thread, and a handler of crashes sends the signal again that it was called for. No other
     * signal is a worker's to send: one that ends by SIGKILL was killed by others. The CPU limit is moved on for each
     * job, of this process alone. */
    static const int crashes[] = {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP};
    for (size_t i = 0; i < sizeof crashes / sizeof *crashes; i++)
        e |= seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(tgkill), 2,
                              SCMP_A0(SCMP_CMP_EQ, (scmp_datum_t)getpid()),
                              SCMP_A2(SCMP_CMP_EQ, (scmp_datum_t)crashes[i]));
    e |= seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(prlimit64), 2, SCMP_A0(SCMP_CMP_EQ, 0),
                          SCMP_A1(SCMP_CMP_EQ, RLIMIT_CPU));
    return e == 0;
}

static int enter_seccomp(void) {
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_KILL_PROCESS);
    int ok = filter && seccomp_attr_set(filter, SCMP_FLTATR_CTL_TSYNC, 1) == 0 && add_rules(filter) &&
             seccomp_load(filter) == 0;
    if (filter)
        seccomp_release(filter);
    return ok;
}

static sm_status missing(const char *layer) {
    fprintf(stderr, "the sandbox cannot be entered: %s\n", layer);
    return SM_INTERNAL;
}

sm_status sandbox_enter(const struct limits *limits, void (*start)(int threads), size_t stacks) {
    rlim_t now = address_space(); /* read while there still is a file system */
    signal(SIGXFSZ, SIG_IGN);
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        return missing("no_new_privs");
    if (sandbox_has_landlock() && !enter_landlock())
        return missing("landlock");
    if (!enter_limits(limits, now ? now + stacks : 0))
        return missing("resource limits");
    if (start)
        start(limits->threads);
    if (!set_limit(RLIMIT_NPROC, 0))
        return missing("resource limits");
    return enter_seccomp() ? SM_OK : missing("seccomp");
}

void sandbox_open_files(int may) {
    struct rlimit l;
    if (getrlimit(RLIMIT_NOFILE, &l) != 0)
        return;
    l.rlim_cur = may ? l.rlim_max : 0;
    setrlimit(RLIMIT_NOFILE, &l);
}

void sandbox_begin_job(const struct limits *limits) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    set_limit(RLIMIT_CPU, (rlim_t)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec + 1 + limits->cpu_seconds));
}
