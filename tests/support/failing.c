/* failing.c - a library to be preloaded: allocations and system calls of the program, of which one fails, once.
 *
 *     FAIL_LIST=FILE         each place from which the program calls one of them is appended to FILE, a line: a number,
 *                            and what is called
 *     FAIL_AT=NUMBER:TIMES   at this place it fails, when the program comes there for the so-manieth time
 *
 * A place is the calls that lead there in the program itself, and in libsmclient, whatever is between: the number is made of the last
 * return addresses in it. Not those of libcrypto, which does not survive that at its own start. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>
#include <unwind.h>

enum { FRAMES = 6, PLACES = 1 << 14 };

/* The program, and libsmclient. */
static struct {
    uintptr_t base, end;
} code[2];
static uint64_t wanted;
static int times, list = -1;
static _Atomic uint64_t seen[PLACES];
static __thread int is_inside;

struct trace {
    uint64_t hash;
    int frames;
    unsigned long at[FRAMES]; /* in the program */
};

static _Unwind_Reason_Code visit(struct _Unwind_Context *context, void *arg) {
    struct trace *t = arg;
    uintptr_t ip = _Unwind_GetIP(context);
    int which = ip >= code[1].base && ip < code[1].end;
    if (!which && (ip < code[0].base || ip >= code[0].end))
        return _URC_NO_REASON;
    t->at[t->frames] = ip - code[which].base;
    t->hash = ((t->hash ^ t->at[t->frames]) + (unsigned)which) * 0x100000001b3u;
    return ++t->frames == FRAMES ? _URC_END_OF_STACK : _URC_NO_REASON;
}

/* Notes the place, unless it is there already. */
static void note(uint64_t place, const char *what) {
    char line[64];
    for (size_t i = place % PLACES, n = 0; n < PLACES; i = (i + 1) % PLACES, n++) {
        uint64_t none = 0;
        if (atomic_load(&seen[i]) == place)
            return;
        if (!atomic_compare_exchange_strong(&seen[i], &none, place))
            continue;
        int len = snprintf(line, sizeof line, "%016llx %s\n", (unsigned long long)place, what);
        syscall(SYS_write, list, line, len);
        return;
    }
}

/* Says to stderr what fails, for addr2line. */
static void say(const char *what, const struct trace *t) {
    char line[200];
    int len = snprintf(line, sizeof line, "failing: %s, addr2line -fe smd", what);
    for (int i = 0; i < t->frames; i++)
        len += snprintf(line + len, sizeof line - (size_t)len, " %#lx", t->at[i]);
    line[len++] = '\n';
    syscall(SYS_write, STDERR_FILENO, line, len);
}

/* 1 if this call of WHAT has to fail. */
static int fails(const char *what) {
    if (is_inside || !code[0].base || (list < 0 && times <= 0))
        return 0;
    is_inside = 1;
    struct trace t = {.hash = 0xcbf29ce484222325u};
    for (const char *c = what; *c; c++)
        t.hash = (t.hash ^ (unsigned char)*c) * 0x100000001b3u;
    _Unwind_Backtrace(visit, &t);
    int fail = 0;
    if (t.frames && list >= 0)
        note(t.hash, what);
    else if (t.frames && t.hash == wanted)
        fail = __atomic_sub_fetch(&times, 1, __ATOMIC_RELAXED) == 0;
    if (fail)
        say(what, &t);
    is_inside = 0;
    return fail;
}

static int find_code(struct dl_phdr_info *info, size_t size, void *arg) {
    int which = code[0].base != 0; /* the first is the program */
    (void)size;
    (void)arg;
    if (which && !strstr(info->dlpi_name, "libsmclient"))
        return 0;
    for (int i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_LOAD) {
            uintptr_t to = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr + info->dlpi_phdr[i].p_memsz;
            code[which].end = to > code[which].end ? to : code[which].end;
        }
    code[which].base = info->dlpi_addr;
    return which;
}

__attribute__((constructor)) static void begin(void) {
    const char *file = getenv("FAIL_LIST"), *at = getenv("FAIL_AT");
    if (file)
        list = open(file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (at) {
        char *colon;
        wanted = strtoull(at, &colon, 16);
        times = *colon == ':' ? atoi(colon + 1) : 1;
    }
    dl_iterate_phdr(find_code, NULL);
}

#define REAL(type, name, parameters)                                                                                 \
    static type(*real) parameters;                                                                                   \
    if (!real)                                                                                                       \
        real = (type(*) parameters)dlsym(RTLD_NEXT, #name);

/* NAME, which gives -1 and ERROR when it fails. */
#define CALL(type, name, error, parameters, arguments)                                                               \
    type name parameters {                                                                                           \
        REAL(type, name, parameters)                                                                                 \
        if (!fails(#name))                                                                                           \
            return real arguments;                                                                                   \
        errno = error;                                                                                               \
        return -1;                                                                                                   \
    }

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *old, size_t size);

/* 1 if the caller is libcrypto; or the unwinder, which allocates under a lock that finding the place would take, too. */
static int is_spared(const void *caller) {
    Dl_info info;
    if (is_inside || !code[0].base || (list < 0 && times <= 0))
        return 0;
    is_inside = 1;
    int is = dladdr(caller, &info) && info.dli_fname &&
             (strstr(info.dli_fname, "libcrypto") || strstr(info.dli_fname, "libgcc_s"));
    is_inside = 0;
    return is;
}

void *malloc(size_t size) {
    if (is_spared(__builtin_return_address(0)) || !fails("malloc"))
        return __libc_malloc(size);
    errno = ENOMEM;
    return NULL;
}

void *calloc(size_t count, size_t size) {
    if (is_spared(__builtin_return_address(0)) || !fails("calloc"))
        return __libc_calloc(count, size);
    errno = ENOMEM;
    return NULL;
}

void *realloc(void *old, size_t size) {
    if (is_spared(__builtin_return_address(0)) || !fails("realloc"))
        return __libc_realloc(old, size);
    errno = ENOMEM;
    return NULL;
}

int open(const char *path, int flags, ...) {
    REAL(int, open, (const char *, int, ...))
    va_list ap;
    va_start(ap, flags);
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(ap, mode_t) : 0;
    va_end(ap);
    if (!fails("open"))
        return real(path, flags, mode);
    errno = EMFILE;
    return -1;
}

int openat(int folder, const char *path, int flags, ...) {
    REAL(int, openat, (int, const char *, int, ...))
    va_list ap;
    va_start(ap, flags);
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(ap, mode_t) : 0;
    va_end(ap);
    if (!fails("openat"))
        return real(folder, path, flags, mode);
    errno = EMFILE;
    return -1;
}

CALL(int, socket, EMFILE, (int domain, int type, int protocol), (domain, type, protocol))
CALL(int, socketpair, EMFILE, (int domain, int type, int protocol, int fds[2]), (domain, type, protocol, fds))
CALL(int, bind, ENOMEM, (int fd, const struct sockaddr *a, socklen_t len), (fd, a, len))
CALL(int, listen, ENOMEM, (int fd, int backlog), (fd, backlog))
CALL(int, accept4, EMFILE, (int fd, struct sockaddr *a, socklen_t *len, int flags), (fd, a, len, flags))
CALL(int, getsockname, ENOBUFS, (int fd, struct sockaddr *a, socklen_t *len), (fd, a, len))
CALL(int, setsockopt, ENOMEM, (int fd, int level, int name, const void *value, socklen_t len),
     (fd, level, name, value, len))
CALL(int, epoll_create1, EMFILE, (int flags), (flags))
CALL(int, epoll_wait, EINTR, (int epoll, struct epoll_event *e, int max, int ms), (epoll, e, max, ms))
CALL(int, eventfd, EMFILE, (unsigned initial, int flags), (initial, flags))
CALL(ssize_t, read, EIO, (int fd, void *to, size_t size), (fd, to, size))
CALL(ssize_t, pread, EIO, (int fd, void *to, size_t size, off_t at), (fd, to, size, at))
CALL(ssize_t, writev, EIO, (int fd, const struct iovec *parts, int count), (fd, parts, count))
CALL(ssize_t, recvfrom, ENOMEM, (int fd, void *to, size_t size, int flags, struct sockaddr *a, socklen_t *len),
     (fd, to, size, flags, a, len))
CALL(ssize_t, recvmsg, ENOMEM, (int fd, struct msghdr *msg, int flags), (fd, msg, flags))
CALL(ssize_t, sendto, ENOMEM,
     (int fd, const void *from, size_t size, int flags, const struct sockaddr *a, socklen_t len),
     (fd, from, size, flags, a, len))
CALL(ssize_t, recv, ENOMEM, (int fd, void *to, size_t size, int flags), (fd, to, size, flags))
CALL(ssize_t, sendmsg, ENOMEM, (int fd, const struct msghdr *msg, int flags), (fd, msg, flags))
CALL(int, rename, EIO, (const char *from, const char *to), (from, to))
CALL(int, unlink, EIO, (const char *path), (path))
CALL(int, mkdir, EIO, (const char *path, mode_t mode), (path, mode))
CALL(int, fstat, EIO, (int fd, struct stat *st), (fd, st))
CALL(int, stat, EIO, (const char *path, struct stat *st), (path, st))
CALL(int, ftruncate, EIO, (int fd, off_t len), (fd, len))
CALL(int, fsync, EIO, (int fd), (fd))
CALL(pid_t, fork, EAGAIN, (void), ())
CALL(ssize_t, getrandom, ENOSYS, (void *to, size_t size, unsigned flags), (to, size, flags))

/* Only what is added takes memory. */
int epoll_ctl(int epoll, int op, int fd, struct epoll_event *e) {
    REAL(int, epoll_ctl, (int, int, int, struct epoll_event *))
    if (op != EPOLL_CTL_ADD || !fails("epoll_ctl"))
        return real(epoll, op, fd, e);
    errno = ENOMEM;
    return -1;
}

/* Eight bytes are for an eventfd, which takes them. */
ssize_t write(int fd, const void *from, size_t size) {
    REAL(ssize_t, write, (int, const void *, size_t))
    if (size == sizeof(uint64_t) || !fails("write"))
        return real(fd, from, size);
    errno = ENOSPC;
    return -1;
}

/* One byte is for libcurl's wake-up, whose socket takes it. */
ssize_t send(int fd, const void *from, size_t size, int flags) {
    REAL(ssize_t, send, (int, const void *, size_t, int))
    if (size == 1 || !fails("send"))
        return real(fd, from, size, flags);
    errno = ENOMEM;
    return -1;
}

int pthread_create(pthread_t *thread, const pthread_attr_t *a, void *(*run)(void *), void *arg) {
    REAL(int, pthread_create, (pthread_t *, const pthread_attr_t *, void *(*)(void *), void *))
    return fails("pthread_create") ? EAGAIN : real(thread, a, run, arg);
}
