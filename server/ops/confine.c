/* confine.c - see confine.h. */
#include "confine.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/landlock.h>
#include <seccomp.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifdef SMD_INSTRUMENTED
enum { INSTRUMENTED = 1 };
#else
enum { INSTRUMENTED = 0 };
#endif

const char *const confine_names[CONFINE_LAYERS] = {"no_new_privs", "capabilities", "landlock", "seccomp"};

/* ---- Landlock ----------------------------------------------------------------------------------------------- */

/* What came after Debian 12's linux/landlock.h: the kernel's interface as of versions 3, 4 and 6. */
#define FS_TRUNCATE     ((uint64_t)1 << 14)
#define NET_BIND_TCP    ((uint64_t)1 << 0)
#define NET_CONNECT_TCP ((uint64_t)1 << 1)
#define SCOPE_SIGNAL    ((uint64_t)1 << 1)
enum { WITH_REFER = 2, WITH_TRUNCATE = 3, WITH_NET = 4, WITH_SCOPES = 6, RULE_NET_PORT = 2 };
struct ruleset {
    uint64_t fs, net, scoped;
};
struct net_port {
    uint64_t access, port;
};

#define FS_FILE                                                                                                      \
    (LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_READ_FILE | FS_TRUNCATE)
#define FS_READ    (LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR)
#define FS_EXECUTE (FS_READ | LANDLOCK_ACCESS_FS_EXECUTE)
#define FS_WRITE                                                                                                     \
    (FS_READ | LANDLOCK_ACCESS_FS_WRITE_FILE | FS_TRUNCATE | LANDLOCK_ACCESS_FS_REMOVE_DIR |                         \
     LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_REG |                    \
     LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_REFER)

/* The rights to paths that this version of Landlock knows. */
static uint64_t known_rights(const struct confine *c) {
    uint64_t all = LANDLOCK_ACCESS_FS_REFER * 2 - 1;
    return c->version >= WITH_TRUNCATE ? all | FS_TRUNCATE : all;
}

void confine_begin(struct confine *c) {
    *c = (struct confine){.rules = -1};
    c->version = (int)syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
    if (c->version < WITH_REFER) /* the cache moves files between folders */
        return;
    struct ruleset r = {.fs = known_rights(c)};
    size_t size = c->version >= WITH_SCOPES ? sizeof r : c->version >= WITH_NET ? 2 * sizeof r.fs : sizeof r.fs;
    if (c->version >= WITH_NET)
        r.net = NET_BIND_TCP | NET_CONNECT_TCP;
    if (c->version >= WITH_SCOPES)
        r.scoped = SCOPE_SIGNAL;
    c->rules = (int)syscall(SYS_landlock_create_ruleset, &r, size, 0);
    if (INSTRUMENTED) { /* reports and counts are written at the end, to where their reader wants them */
        confine_allow(c, "/", CONFINE_EXECUTE);
        confine_allow(c, "/", CONFINE_WRITE);
    }
}

/* Remembers the first rule that failed. */
static void note_failure(struct confine *c, const char *what) {
    if (!c->failed[0])
        snprintf(c->failed, sizeof c->failed, "%.40s: %s", what, strerror(errno));
}

void confine_allow(struct confine *c, const char *path, enum confine_right right) {
    static const uint64_t rights[] = {
        [CONFINE_READ] = FS_READ, [CONFINE_EXECUTE] = FS_EXECUTE, [CONFINE_WRITE] = FS_WRITE};
    struct stat st;
    int fd = c->rules >= 0 ? open(path, O_PATH | O_CLOEXEC) : -1;
    if (c->rules >= 0 && fd < 0 && (errno == EMFILE || errno == ENFILE || errno == ENOMEM))
        note_failure(c, path); /* otherwise there is nothing to allow */
    if (fd < 0)
        return;
    uint64_t allowed = rights[right] & known_rights(c);
    if (fstat(fd, &st) == 0 && !S_ISDIR(st.st_mode))
        allowed &= FS_FILE;
    struct landlock_path_beneath_attr rule = {.allowed_access = allowed, .parent_fd = fd};
    if (syscall(SYS_landlock_add_rule, c->rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0) != 0)
        note_failure(c, path);
    close(fd);
}

static void allow_port(struct confine *c, uint64_t access, int port) {
    struct net_port rule = {.access = access, .port = (uint64_t)port};
    if (c->rules >= 0 && c->version >= WITH_NET &&
        syscall(SYS_landlock_add_rule, c->rules, RULE_NET_PORT, &rule, 0) != 0)
        note_failure(c, "a port");
}

void confine_allow_bind(struct confine *c, int port) {
    c->binds_low |= port > 0 && port < 1024;
    allow_port(c, NET_BIND_TCP, port);
}

void confine_allow_connect(struct confine *c, int port) {
    allow_port(c, NET_CONNECT_TCP, port);
}

static int enter_landlock(struct confine *c) {
    int ok = syscall(SYS_landlock_restrict_self, c->rules, 0) == 0;
    close(c->rules);
    c->rules = -1;
    return ok;
}

/* ---- Capabilities ------------------------------------------------------------------------------------------- */

/* Drops all capabilities but the one that a port under 1024 needs, if there is one; and for all programs that are
 * executed those that root would get. */
static int drop_capabilities(int binds_low) {
    struct __user_cap_header_struct head = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct has[_LINUX_CAPABILITY_U32S_3], keep[_LINUX_CAPABILITY_U32S_3] = {{0}};
    if (syscall(SYS_capget, &head, has) != 0)
        return 0;
    for (unsigned long cap = 0; cap < 64 && prctl(PR_CAPBSET_DROP, cap, 0, 0, 0) == 0; cap++)
        ; /* who may not has none to drop */
    prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
    if (binds_low)
        keep[0].permitted = keep[0].effective = has[0].permitted & 1u << CAP_NET_BIND_SERVICE;
    return syscall(SYS_capset, &head, keep) == 0;
}

/* ---- System calls ------------------------------------------------------------------------------------------- */

/* What neither smd nor its children ever ask for. They get EPERM. */
static const int refused[] = {
    /* the system itself */
    SCMP_SYS(mount), SCMP_SYS(umount2), SCMP_SYS(pivot_root), SCMP_SYS(chroot), SCMP_SYS(fsopen), SCMP_SYS(fsconfig),
    SCMP_SYS(fsmount), SCMP_SYS(fspick), SCMP_SYS(move_mount), SCMP_SYS(open_tree), SCMP_SYS(mount_setattr),
    SCMP_SYS(unshare), SCMP_SYS(setns), SCMP_SYS(reboot), SCMP_SYS(swapon), SCMP_SYS(swapoff), SCMP_SYS(acct),
    SCMP_SYS(quotactl), SCMP_SYS(quotactl_fd), SCMP_SYS(sethostname), SCMP_SYS(setdomainname), SCMP_SYS(settimeofday),
    SCMP_SYS(clock_settime), SCMP_SYS(clock_adjtime), SCMP_SYS(adjtimex), SCMP_SYS(syslog), SCMP_SYS(vhangup),
    SCMP_SYS(iopl), SCMP_SYS(ioperm), SCMP_SYS(modify_ldt),
    /* other code in the kernel */
    SCMP_SYS(init_module), SCMP_SYS(finit_module), SCMP_SYS(delete_module), SCMP_SYS(kexec_load),
    SCMP_SYS(kexec_file_load), SCMP_SYS(bpf), SCMP_SYS(perf_event_open), SCMP_SYS(userfaultfd),
    SCMP_SYS(io_uring_setup), SCMP_SYS(io_uring_enter), SCMP_SYS(io_uring_register), SCMP_SYS(add_key),
    SCMP_SYS(request_key), SCMP_SYS(keyctl), SCMP_SYS(fanotify_init), SCMP_SYS(lookup_dcookie), SCMP_SYS(vmsplice),
    /* other processes, other users */
    SCMP_SYS(process_vm_readv), SCMP_SYS(process_vm_writev), SCMP_SYS(process_madvise), SCMP_SYS(pidfd_getfd),
    SCMP_SYS(kcmp), SCMP_SYS(move_pages), SCMP_SYS(migrate_pages), SCMP_SYS(setuid), SCMP_SYS(setgid),
    SCMP_SYS(setreuid), SCMP_SYS(setregid), SCMP_SYS(setresuid), SCMP_SYS(setresgid), SCMP_SYS(setfsuid),
    SCMP_SYS(setfsgid), SCMP_SYS(setgroups), SCMP_SYS(capset), SCMP_SYS(chown), SCMP_SYS(fchown), SCMP_SYS(lchown),
    SCMP_SYS(fchownat), SCMP_SYS(mknod), SCMP_SYS(mknodat), SCMP_SYS(open_by_handle_at), SCMP_SYS(name_to_handle_at)};

/* What sanitizers need: the search for leaks stops all threads, and addresses are not to be random. */
static const int refused_uninstrumented[] = {SCMP_SYS(ptrace), SCMP_SYS(personality)};

/* Memory that can be written never becomes executable. */
static int refuse_executable(scmp_filter_ctx filter) {
    const scmp_datum_t both = PROT_WRITE | PROT_EXEC;
    int e =
        seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(mmap), 1, SCMP_A2(SCMP_CMP_MASKED_EQ, both, both));
    e |= seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(mprotect), 1,
                          SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, PROT_EXEC));
    e |= seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(pkey_mprotect), 1,
                          SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, PROT_EXEC));
    return e;
}

/* Sockets are local ones and TCP; names are looked up by UDP, and which addresses there are by netlink. The kernel reads
 * 32 bits of these arguments. */
static int refuse_sockets(scmp_filter_ctx filter) {
    const scmp_datum_t bits = 0xffffffff;
    static const scmp_datum_t others[] = {132 /* SCTP */, 262 /* MPTCP, which Landlock does not know */};
    int e = 0;
    for (scmp_datum_t f = 0; f < AF_MAX; f++)
        if (f != AF_UNIX && f != AF_INET && f != AF_INET6 && f != AF_NETLINK)
            e |= seccomp_rule_add(filter, SCMP_ACT_ERRNO(EAFNOSUPPORT), SCMP_SYS(socket), 1,
                                  SCMP_A0(SCMP_CMP_MASKED_EQ, bits, f));
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        e |= seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPROTONOSUPPORT), SCMP_SYS(socket), 1,
                              SCMP_A2(SCMP_CMP_MASKED_EQ, bits, others[i]));
    return e;
}

static int add_rules(scmp_filter_ctx filter) {
    int e = 0;
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        e |= seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), refused[i], 0);
    for (size_t i = 0; i < sizeof refused_uninstrumented / sizeof *refused_uninstrumented && !INSTRUMENTED; i++)
        e |= seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), refused_uninstrumented[i], 0);
    return e | refuse_executable(filter) | refuse_sockets(filter);
}

/* 1: entered; 0: the kernel has no filters; -1: it failed. */
static int enter_seccomp(void) {
    if (prctl(PR_GET_SECCOMP, 0, 0, 0, 0) < 0)
        return 0;
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
    seccomp_attr_set(filter, SCMP_FLTATR_CTL_OPTIMIZE, 2); /* a tree: the rules are many */
    int ok = filter && add_rules(filter) == 0 && seccomp_load(filter) == 0;
    if (filter)
        seccomp_release(filter);
    return ok ? 1 : -1;
}

/* ---- All of them -------------------------------------------------------------------------------------------- */

static sm_status missing(struct confine *c, enum confine_layer layer, struct error *err) {
    int e = errno;
    if (c->rules >= 0)
        close(c->rules);
    c->rules = -1;
    return error_set(err, SM_INTERNAL, "smd cannot be confined, and the setting confinement is on: %s: %s",
                     confine_names[layer], c->failed[0] && layer == CONFINE_LANDLOCK ? c->failed : strerror(e));
}

sm_status confine_enter(struct confine *c, struct error *err) {
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        return missing(c, CONFINE_PRIVILEGES, err);
    c->layers |= 1u << CONFINE_PRIVILEGES;
    if (!drop_capabilities(c->binds_low))
        return missing(c, CONFINE_CAPABILITIES, err);
    c->layers |= 1u << CONFINE_CAPABILITIES;
    if (c->rules >= 0) {
        if (c->failed[0] || !enter_landlock(c))
            return missing(c, CONFINE_LANDLOCK, err);
        c->layers |= 1u << CONFINE_LANDLOCK;
    }
    int filtered = enter_seccomp();
    if (filtered < 0)
        return missing(c, CONFINE_SECCOMP, err);
    if (filtered)
        c->layers |= 1u << CONFINE_SECCOMP;
    return SM_OK;
}
