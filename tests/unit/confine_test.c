/* What smd gives up is refused, each thing in a process of its own. */
#include "confine.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/keyctl.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static char folder[] = "/tmp/smd-confine-XXXXXX", inside[64], beside[64];

static void init(void) {
    cr_assert(mkdtemp(folder));
    snprintf(inside, sizeof inside, "%s/in", folder);
    snprintf(beside, sizeof beside, "%s/beside", folder);
    cr_assert_eq(mkdir(inside, 0700), 0);
    cr_assert_eq(mkdir(beside, 0700), 0);
}

static void fini(void) {
    char command[80];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    cr_assert_eq(system(command), 0);
}

TestSuite(confine, .init = init, .fini = fini, .timeout = 600);

/* 0, or errno, of what was done in a process that may read /usr and write INSIDE, bind PORT and connect to none. -1: the
 * layer is not there. */
static int refused(enum confine_layer layer, long (*attempt)(void)) {
    int status;
    pid_t pid = fork();
    if (pid == 0) {
        struct confine c;
        struct error err = {0};
        confine_begin(&c);
        confine_allow(&c, "/usr", CONFINE_READ);
        confine_allow(&c, inside, CONFINE_WRITE);
        confine_allow_bind(&c, 0);
        if (confine_enter(&c, &err) != SM_OK)
            _exit(255);
        if (!(c.layers >> layer & 1))
            _exit(254);
        errno = 0;
        _exit(attempt() < 0 ? errno : 0);
    }
    cr_assert_eq(waitpid(pid, &status, 0), pid);
    cr_assert(WIFEXITED(status) && WEXITSTATUS(status) != 255, "%x", status);
    return WEXITSTATUS(status) == 254 ? -1 : WEXITSTATUS(status);
}

static long write_in(const char *where) {
    char path[96];
    snprintf(path, sizeof path, "%s/file", where);
    return open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
}

static long write_inside(void) {
    return write_in(inside);
}

static long write_beside(void) {
    return write_in(beside);
}

static long read_beside(void) {
    return open(beside, O_RDONLY | O_CLOEXEC);
}

static long read_system(void) {
    return open("/usr/bin/env", O_RDONLY | O_CLOEXEC);
}

static long execute(void) {
    return execl("/usr/bin/env", "env", NULL);
}

/* Moves a file between folders inside. */
static long move_inside(void) {
    char from[96], folder_to[96], to[128];
    snprintf(from, sizeof from, "%s/file", inside);
    snprintf(folder_to, sizeof folder_to, "%s/sub", inside);
    snprintf(to, sizeof to, "%s/file", folder_to);
    return write_inside() < 0 || mkdir(folder_to, 0700) != 0 || rename(from, to) != 0 ? -1 : 0;
}

static int use_port(int (*use)(int, const struct sockaddr *, socklen_t), int port) {
    const struct sockaddr_in a = {
        .sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr = {htonl(INADDR_LOOPBACK)}};
    return use(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), (const struct sockaddr *)&a, sizeof a);
}

static long bind_any(void) {
    return use_port(bind, 0);
}

static long bind_other(void) {
    return use_port(bind, 45999);
}

static long connect_other(void) {
    return use_port(connect, 45999);
}

static long signal_parent(void) {
    return kill(getppid(), SIGCONT);
}

#ifdef SMD_INSTRUMENTED /* all paths are open, and a sanitizer traces */
enum { INSTRUMENTED = 1 };
#else
enum { INSTRUMENTED = 0 };
#endif

Test(confine, paths) {
    const int expected = INSTRUMENTED ? 0 : EACCES;
    int first = refused(CONFINE_LANDLOCK, write_beside);
    if (first < 0)
        cr_skip_test("this kernel has no Landlock");
    cr_expect_eq(first, expected);
    cr_expect_eq(refused(CONFINE_LANDLOCK, read_beside), expected);
    cr_expect_eq(refused(CONFINE_LANDLOCK, execute), expected);
    cr_expect_eq(refused(CONFINE_LANDLOCK, read_system), 0);
    cr_expect_eq(refused(CONFINE_LANDLOCK, write_inside), 0);
    cr_expect_eq(refused(CONFINE_LANDLOCK, move_inside), 0);
}

Test(confine, ports_and_signals) {
    struct confine c;
    confine_begin(&c);
    if (c.version < 6)
        cr_skip_test("this kernel's Landlock knows no ports or no signals");
    cr_expect_eq(refused(CONFINE_LANDLOCK, bind_any), 0);
    cr_expect_eq(refused(CONFINE_LANDLOCK, bind_other), EACCES);
    cr_expect_eq(refused(CONFINE_LANDLOCK, connect_other), EACCES);
    cr_expect_eq(refused(CONFINE_LANDLOCK, signal_parent), EPERM);
    close(c.rules);
}

static long mount_it(void) {
    return mount("none", inside, "tmpfs", 0, NULL);
}

static long trace_parent(void) {
    return ptrace(PTRACE_SEIZE, getppid(), NULL, NULL);
}

static long use_bpf(void) {
    return syscall(SYS_bpf, 0, NULL, 0);
}

static long use_keys(void) {
    return syscall(SYS_keyctl, KEYCTL_GET_KEYRING_ID, KEY_SPEC_PROCESS_KEYRING, 0);
}

static long write_and_execute(void) {
    return mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED ? -1
                                                                                                                  : 0;
}

static long then_execute(void) {
    void *p = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return mprotect(p, 4096, PROT_READ | PROT_EXEC);
}

static long raw_packets(void) {
    return socket(AF_PACKET, SOCK_RAW, 0);
}

static long by_other_bits(void) {
    return syscall(SYS_socket, (1L << 32) | AF_VSOCK, SOCK_STREAM, 0);
}

Test(confine, system_calls) {
    if (refused(CONFINE_SECCOMP, mount_it) < 0)
        cr_skip_test("this kernel has no filters of system calls");
    cr_expect_eq(refused(CONFINE_SECCOMP, mount_it), EPERM);
    cr_expect_eq(refused(CONFINE_SECCOMP, use_bpf), EPERM);
    cr_expect_eq(refused(CONFINE_SECCOMP, use_keys), EPERM);
    cr_expect_eq(refused(CONFINE_SECCOMP, write_and_execute), EPERM);
    cr_expect_eq(refused(CONFINE_SECCOMP, then_execute), EPERM);
    cr_expect_eq(refused(CONFINE_SECCOMP, raw_packets), EAFNOSUPPORT);
    cr_expect_eq(refused(CONFINE_SECCOMP, by_other_bits), EAFNOSUPPORT);
    if (!INSTRUMENTED)
        cr_expect_eq(refused(CONFINE_SECCOMP, trace_parent), EPERM);
}

/* What needs CAP_SETPCAP, and no call that the filter knows. */
static long drop_from_bounds(void) {
    return syscall(SYS_prctl, 24 /* PR_CAPBSET_DROP */, 0, 0, 0, 0);
}

Test(confine, capabilities) {
    cr_expect_eq(refused(CONFINE_CAPABILITIES, drop_from_bounds), EPERM);
}
