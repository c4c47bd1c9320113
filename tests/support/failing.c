/* failing.c - allocations and system calls of the program, of which one fails, once. A library to be preloaded:
 *
 *     FAIL_LIST=FILE         each place from which the program calls one of them is appended to FILE, a line: a number,
 *                            and what is called
 *     FAIL_AT=NUMBER:TIMES   at this place it fails, when the program comes there for the so-manieth time
 *
 * or a part of a program, which says itself when (failing.h).
 *
 * A place is the calls that lead there in the program itself, and in libsmclient, whatever is between: the number is made
 * of the last return addresses in it. Not those of libcrypto, which does not survive that at its own start; nor those of
 * the unwinder, which allocates under a lock that finding the place would take, too; nor of the dynamic linker, which ends
 * the process. */
#include "failing.h"

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

enum { FRAMES = 6, PLACES = 1 << 14, SPARED = 8 };

struct range {
    uintptr_t base, end;
};

/* The program, and libsmclient; and what is spared. */
static struct range code[2], spared[SPARED];
static int n_spared;
static uint64_t wanted;
static int times, list = -1;
static _Atomic uint64_t seen[PLACES];
static __thread int is_inside;

/* What has failed already, for a process and its children; when the program says what fails. */
static struct shared {
    _Atomic uint64_t place[PLACES];
    atomic_uint count;
} *tried;
static _Atomic uint64_t round_seen[PLACES];   /* the places of this round */
static _Atomic unsigned char come_to[PLACES]; /* how often */
static atomic_int is_on, has_one;             /* booleans */
static int most_times = 1, is_told;

struct trace {
    uint64_t hash;
    int frames;
    unsigned long at[FRAMES];
    int which[FRAMES]; /* 0: in the program, 1: in libsmclient */
};

static int is_in(const struct range *r, uintptr_t at) {
    return at >= r->base && at < r->end;
}

static _Unwind_Reason_Code visit(struct _Unwind_Context *context, void *arg) {
    struct trace *t = arg;
    uintptr_t ip = _Unwind_GetIP(context);
    int which = is_in(&code[1], ip);
    if (!which && !is_in(&code[0], ip))
        return _URC_NO_REASON;
    t->which[t->frames] = which;
    t->at[t->frames] = ip - code[which].base;
    t->hash = ((t->hash ^ t->at[t->frames]) + (unsigned)which) * 0x100000001b3u;
    return ++t->frames == FRAMES ? _URC_END_OF_STACK : _URC_NO_REASON;
}

/* Where the place is in a table, or comes now. *IS_NEW: it was not there. */
static size_t find(_Atomic uint64_t *table, uint64_t place, int *is_new) {
    *is_new = 0;
    size_t i = place % PLACES;
    for (size_t n = 0; n < PLACES; i = (i + 1) % PLACES, n++) {
        uint64_t none = 0;
        if (atomic_load(&table[i]) == place)
            return i;
        if (atomic_compare_exchange_strong(&table[i], &none, place)) {
            *is_new = 1;
            return i;
        }
    }
    return i;
}

/* Notes the place, unless it is there already. */
static void note(uint64_t place, const char *what) {
    char line[64];
    int is_new;
    find(seen, place, &is_new);
    if (!is_new)
        return;
    int len = snprintf(line, sizeof line, "%016llx %s\n", (unsigned long long)place, what);
    syscall(SYS_write, list, line, len);
}

/* 1 if this is what fails in this round. */
static int is_next(uint64_t place) {
    int is_new, none = 0;
    unsigned so_often = ++come_to[find(round_seen, place, &is_new)];
    if (so_often > (unsigned)most_times || atomic_load(&has_one))
        return 0;
    find(tried->place, (place ^ so_often * 0x9e3779b97f4a7c15u) | 1, &is_new);
    if (!is_new || !atomic_compare_exchange_strong(&has_one, &none, 1))
        return 0;
    atomic_fetch_add(&tried->count, 1);
    return 1;
}

/* Says to stderr what fails, for addr2line -fe. */
static void say(const char *what, const struct trace *t) {
    char line[320];
    int len = snprintf(line, sizeof line, "failing: %s,", what);
    for (int i = 0; i < t->frames; i++)
        len +=
            snprintf(line + len, sizeof line - (size_t)len, " %s%#lx", t->which[i] ? "libsmclient:" : "", t->at[i]);
    line[len++] = '\n';
    syscall(SYS_write, STDERR_FILENO, line, len);
}

static int is_idle(void) {
    return is_inside || !code[0].base || (list < 0 && times <= 0 && !atomic_load(&is_on));
}

/* 1 if this call of WHAT has to fail. */
static int fails(const char *what) {
    if (is_idle())
        return 0;
    is_inside = 1;
    struct trace t = {.hash = 0xcbf29ce484222325u};
    for (const char *c = what; *c; c++)
        t.hash = (t.hash ^ (unsigned char)*c) * 0x100000001b3u;
    _Unwind_Backtrace(visit, &t);
    int fail = 0;
    if (t.frames && list >= 0)
        note(t.hash, what);
    else if (t.frames && atomic_load(&is_on))
        fail = is_next(t.hash);
    else if (t.frames && t.hash == wanted)
        fail = __atomic_sub_fetch(&times, 1, __ATOMIC_RELAXED) == 0;
    if (fail && (is_told || !atomic_load(&is_on)))
        say(what, &t);
    is_inside = 0;
    return fail;
}

static int find_code(struct dl_phdr_info *info, size_t size, void *arg) {
    static const char *const names[] = {"libcrypto", "libssl", "libgcc_s", "ld-linux"};
    struct range *to = !code[0].base ? &code[0] : strstr(info->dlpi_name, "libsmclient") ? &code[1] : NULL;
    (void)size;
    (void)arg;
    for (size_t i = 0; !to && i < sizeof names / sizeof *names; i++)
        if (strstr(info->dlpi_name, names[i]) && n_spared < SPARED)
            to = &spared[n_spared++];
    for (int i = 0; to && i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_LOAD) {
            uintptr_t end = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr + info->dlpi_phdr[i].p_memsz;
            to->end = end > to->end ? end : to->end;
        }
    if (to)
        to->base = info->dlpi_addr;
    return 0;
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

unsigned failing_count(void) {
    if (!tried)
        tried = mmap(NULL, sizeof *tried, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (tried == MAP_FAILED)
        abort();
    return tried->count;
}

void failing_begin(int so_many_times) {
    failing_count();
    is_told = getenv("FAIL_TELL") != NULL;
    most_times = so_many_times;
    memset(round_seen, 0, sizeof round_seen);
    memset(come_to, 0, sizeof come_to);
    atomic_store(&has_one, 0);
    atomic_store(&is_on, 1);
}

int failing_has(void) {
    return atomic_load(&has_one);
}

void failing_pause(int is_paused) {
    is_inside = is_paused;
}

int failing_end(void) {
    atomic_store(&is_on, 0);
    return failing_has();
}

#define REAL(type, name, parameters)                                                                                 \
    static type(*real) parameters;                                                                                   \
    if (!real)                                                                                                       \
        real = (type(*) parameters)dlsym(RTLD_NEXT, #name);

/* NAME, which gives FAILURE and ERROR when it fails. */
#define GIVES(type, failure, name, error, parameters, arguments)                                                     \
    type name parameters {                                                                                           \
        REAL(type, name, parameters)                                                                                 \
        if (!fails(#name))                                                                                           \
            return real arguments;                                                                                   \
        errno = error;                                                                                               \
        return failure;                                                                                              \
    }

#define CALL(type, name, error, parameters, arguments) GIVES(type, -1, name, error, parameters, arguments)

#ifdef FAILING_SANITIZED
#define REAL_MALLOC(name) __interceptor_##name
#else
#define REAL_MALLOC(name) __libc_##name
#endif
extern void *REAL_MALLOC(malloc)(size_t size);
extern void *REAL_MALLOC(calloc)(size_t count, size_t size);
extern void *REAL_MALLOC(realloc)(void *old, size_t size);

static int is_spared(const void *caller) {
    if (is_idle())
        return 1;
    for (int i = 0; i < n_spared; i++)
        if (is_in(&spared[i], (uintptr_t)caller))
            return 1;
    return 0;
}

void *malloc(size_t size) {
    if (is_spared(__builtin_return_address(0)) || !fails("malloc"))
        return REAL_MALLOC(malloc)(size);
    errno = ENOMEM;
    return NULL;
}

void *calloc(size_t count, size_t size) {
    if (is_spared(__builtin_return_address(0)) || !fails("calloc"))
        return REAL_MALLOC(calloc)(count, size);
    errno = ENOMEM;
    return NULL;
}

void *realloc(void *old, size_t size) {
    if (is_spared(__builtin_return_address(0)) || !fails("realloc"))
        return REAL_MALLOC(realloc)(old, size);
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
CALL(int, connect, ENOBUFS, (int fd, const struct sockaddr *a, socklen_t len), (fd, a, len))
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

/* Memory, files and threads, by the C library's own functions. */
GIVES(void *, MAP_FAILED, mmap, ENOMEM, (void *at, size_t size, int protection, int flags, int fd, off_t from),
      (at, size, protection, flags, fd, from))
CALL(int, mprotect, ENOMEM, (void *at, size_t size, int protection), (at, size, protection))
CALL(ssize_t, pwrite, EIO, (int fd, const void *from, size_t size, off_t at), (fd, from, size, at))
CALL(int, mkostemp, EMFILE, (char *template, int flags), (template, flags))
CALL(int, fchmod, EIO, (int fd, mode_t mode), (fd, mode))
GIVES(FILE *, NULL, fopen, EMFILE, (const char *path, const char *mode), (path, mode))
GIVES(char *, NULL, strdup, ENOMEM, (const char *text), (text))
GIVES(int, ENOMEM, pthread_key_create, ENOMEM, (pthread_key_t * key, void (*end)(void *)), (key, end))

/* Then ferror says so, too. */
size_t fwrite(const void *from, size_t size, size_t count, FILE *f) {
    enum { IO_ERR_SEEN = 0x20 }; /* glibc's */
    REAL(size_t, fwrite, (const void *, size_t, size_t, FILE *))
    if (!fails("fwrite"))
        return real(from, size, count, f);
    f->_flags |= IO_ERR_SEEN;
    errno = ENOSPC;
    return 0;
}

/* What was written last may be lost then; the file is closed. */
int fclose(FILE *f) {
    REAL(int, fclose, (FILE *))
    int fail = fails("fclose"), r = real(f);
    if (!fail)
        return r;
    errno = ENOSPC;
    return EOF;
}
