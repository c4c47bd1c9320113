/* The sandbox bites: whoever tries what it forbids dies of it, and what a compile needs still works. */
#include "helpers.h"
#include "sandbox.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { THREADS = 3 };

static const struct limits limits = {.memory_mib = 64, .cpu_seconds = 1, .sandbox = 1, .threads = THREADS};

/* How a process ends that enters the sandbox and then does THIS: its signal, or 0 if it came through. */
static int ends_by(void (*this)(void)) {
    int status;
    pid_t pid = fork();
    if (pid == 0) {
        if (sandbox_enter(&limits, helpers_start, (THREADS - 1) * (HELPER_STACK + HELPER_ROOM)) != SM_OK)
            _exit(99);
        sandbox_begin_job(&limits);
        this();
        _exit(0);
    }
    cr_assert_eq(waitpid(pid, &status, 0), pid);
    cr_assert(!WIFEXITED(status) || WEXITSTATUS(status) == 0, "the sandbox could not be entered");
    return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

/* What a module's assembly may ask for is refused, as LLVM has words for that. */
static void open_file_in_vain(void) {
    if (open("/etc/passwd", O_RDONLY) >= 0 || syscall(SYS_open, "/etc/passwd", O_RDONLY | O_CLOEXEC) >= 0 ||
        openat(AT_FDCWD, "/dev/null", O_RDONLY) >= 0)
        abort();
}

static void open_file_to_write(void) {
    open("/dev/null", O_RDWR);
}

static void truncate_file(void) {
    open("/dev/null", O_RDONLY | O_TRUNC);
}

static void create_file(void) {
    open("/tmp/sandbox-was-here", O_CREAT | O_WRONLY, 0600);
}

static void make_socket(void) {
    socket(AF_INET, SOCK_STREAM, 0);
}

static void connect_somewhere(void) {
    struct sockaddr_in a = {.sin_family = AF_INET};
    connect(0, (struct sockaddr *)&a, sizeof a);
}

static void execute(void) {
    execl("/bin/true", "true", NULL);
}

static void fork_child(void) {
    fork();
}

static void trace_parent(void) {
    ptrace(PTRACE_ATTACH, getppid(), NULL, NULL);
}

static void kill_parent(void) {
    kill(1, SIGTERM);
}

static void map_executable(void) {
    mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

static void make_executable(void) {
    void *p = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    mprotect(p, 4096, PROT_READ | PROT_EXEC);
}

static void raise_memory_limit(void) {
    struct rlimit l = {RLIM_INFINITY, RLIM_INFINITY};
    setrlimit(RLIMIT_AS, &l);
}

static void compute(void) {
    char *p = malloc(1 << 20);
    for (int i = 0; i < 1 << 20; i++)
        p[i] = (char)i;
    free(p);
}

static void spin(void) {
    for (volatile unsigned long i = 0;; i++)
        ;
}

/* Its end must not look like one that others have brought about. */
static void kill_self(void) {
    syscall(SYS_tgkill, getpid(), syscall(SYS_gettid), SIGKILL);
}

/* One job's limit moves, the process's own does not. */
static void raise_cpu_limit(void) {
    struct rlimit now, l = {RLIM_INFINITY, RLIM_INFINITY};
    if (getrlimit(RLIMIT_CPU, &now) != 0 || now.rlim_max > 60 || setrlimit(RLIMIT_CPU, &l) == 0)
        abort();
}

static void allocate_more_than_allowed(void) {
    if (!malloc(((size_t)65 << 20) +
                (THREADS - 1) * (HELPER_STACK + HELPER_ROOM))) /* some stacks may have been there */
        abort();
}

Test(sandbox, forbidden_things_kill) {
    static void (*const forbidden[])(void) = {
        open_file_to_write, truncate_file, create_file,    make_socket,     connect_somewhere,  execute,  fork_child,
        trace_parent,       kill_parent,   map_executable, make_executable, raise_memory_limit, kill_self};
    for (size_t i = 0; i < sizeof forbidden / sizeof *forbidden; i++)
        cr_assert_eq(ends_by(forbidden[i]), SIGSYS, "number %zu", i);
}

Test(sandbox, computing_is_allowed) {
    cr_assert_eq(ends_by(compute), 0);
    cr_assert_eq(ends_by(open_file_in_vain), 0);
}

Test(sandbox, limits_hold, .timeout = 600) {
    cr_assert_eq(ends_by(spin), SIGXCPU);
    cr_assert_eq(ends_by(raise_cpu_limit), 0);
    cr_assert_eq(ends_by(allocate_more_than_allowed), SIGABRT, "and abort() works");
}

/* ---- Helpers: threads that were made before ---------------------------------------------------------------------- */

static atomic_int working;

/* Returns when so many are in it at the same time as there are threads. */
static void meet(void *arg) {
    atomic_fetch_add(&working, 1);
    while (atomic_load(&working) % *(int *)arg)
        sched_yield();
}

static void run_on_all(void) {
    int threads = THREADS, one = 1;
    helpers_allow(THREADS + 5); /* more than there are */
    for (int i = 0; i < 100; i++)
        helpers_run(meet, &threads);
    if (working != 100 * THREADS)
        abort();
    helpers_allow(1);
    helpers_run(meet, &one);
    if (working != 100 * THREADS + 1)
        abort();
}

static pthread_t first;

static void fork_on_helper(void *arg) {
    while (pthread_equal(pthread_self(), first)) /* until the other has done it */
        sched_yield();
    *(volatile int *)arg = fork();
}

static void helper_forks(void) {
    int pid;
    first = pthread_self();
    helpers_allow(2);
    helpers_run(fork_on_helper, &pid);
}

static void *nothing(void *arg) {
    return arg;
}

static void make_thread(void) {
    pthread_t t;
    pthread_create(&t, NULL, nothing, NULL);
}

static void spin_on(void *arg) {
    (void)arg;
    spin();
}

/* For each less than what the process may have, together more. */
static void spin_on_all(void) {
    helpers_allow(THREADS);
    helpers_run(spin_on, NULL);
}

static void fault(void *arg) {
    while (pthread_equal(pthread_self(), first))
        sched_yield();
    *(volatile int *)arg = 1;
}

static void helper_faults(void) {
    first = pthread_self();
    helpers_allow(2);
    helpers_run(fault, NULL);
}

Test(helpers, work_in_the_sandbox) {
    cr_assert_eq(ends_by(run_on_all), 0);
}

Test(helpers, are_in_the_sandbox, .timeout = 600) {
    cr_assert_eq(ends_by(helper_forks), SIGSYS);
    cr_assert_eq(ends_by(make_thread), SIGSYS, "there are no others");
    cr_assert_eq(ends_by(spin_on_all), SIGXCPU);
    cr_assert_eq(ends_by(helper_faults), SIGSEGV, "and what one ends by is the process's end");
}
