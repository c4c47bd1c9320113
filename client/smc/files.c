/* files.c - see smc.h. */
#include "smc.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PIECE = 1 << 16 };
static const size_t longest = (size_t)1 << 30; /* bytes of an input */

/* Reads to the end; *new* and terminated. NULL, with errno set, if that fails or it is too long. */
static char *read_all(int fd, size_t *len) {
    char *text = NULL;
    size_t n = 0, room = 0;
    for (;;) {
        if (n + PIECE + 1 > room) {
            room = 2 * room + PIECE + 1;
            char *larger = realloc(text, room);
            if (!larger)
                break;
            text = larger;
        }
        ssize_t got = read(fd, text + n, PIECE);
        if (got < 0 && errno == EINTR)
            continue;
        if (got == 0) {
            text[n] = 0;
            *len = n;
            return text;
        }
        if (got < 0)
            break;
        n += (size_t)got;
        errno = EFBIG;
        if (n > longest)
            break;
    }
    int why = errno;
    free(text);
    errno = why;
    return NULL;
}

char *file_read(const char *path, size_t *len) {
    int is_stdin = strcmp(path, "-") == 0;
    int fd = is_stdin ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    char *text = fd >= 0 ? read_all(fd, len) : NULL;
    if (!text)
        complain_of(file_name(path), "%s", strerror(errno));
    if (fd >= 0 && !is_stdin)
        close(fd);
    return text;
}

int file_is_object(const void *bytes, size_t len) {
    return len > 4 && memcmp(bytes, "\177ELF", 4) == 0;
}

int file_may_be_module(const char *path, const void *bytes, size_t len) {
    if (len == 0)
        complain_of(file_name(path), "the file is empty");
    else if (file_is_object(bytes, len))
        complain_of(file_name(path),
                    "this is an ELF file, not a module; smc explain and smc stackmap show an object's "
                    "stackmap, smc run loads it");
    else
        return 1;
    return 0;
}

/* Writes all bytes; 0, with errno set, if that fails. */
static int write_bytes(int fd, const char *at, size_t len) {
    while (len) {
        ssize_t n = write(fd, at, len);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return 0;
        at += n;
        len -= (size_t)n;
    }
    return 1;
}

/* 1 if the path is a regular file or none yet: a device or a pipe is written to as it is. */
static int is_plain(const char *path) {
    struct stat st;
    return stat(path, &st) != 0 || S_ISREG(st.st_mode);
}

/* The mode of files that programs make; mkostemp's are for nobody else. */
static mode_t usual_mode(void) {
    mode_t mask = umask(077);
    umask(mask);
    return 0666 & ~mask;
}

/* Writes a temporary file and renames it, so that nobody sees half of it. 0, with errno set, if that fails. */
static int write_beside(const char *path, const void *bytes, size_t len) {
    char *beside = NULL;
    if (asprintf(&beside, "%s.XXXXXX", path) < 0) {
        errno = ENOMEM;
        return 0;
    }
    int fd = mkostemp(beside, O_CLOEXEC);
    int ok = fd >= 0 && fchmod(fd, usual_mode()) == 0 && write_bytes(fd, bytes, len);
    int why = errno;
    if (fd >= 0 && close(fd) != 0 && ok) {
        why = errno;
        ok = 0;
    }
    if (ok && rename(beside, path) != 0) {
        why = errno;
        ok = 0;
    }
    if (!ok && fd >= 0)
        unlink(beside);
    free(beside);
    errno = why;
    return ok;
}

/* Writes into what is there; 0, with errno set, if that fails. */
static int write_into(const char *path, const void *bytes, size_t len) {
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    int ok = fd >= 0 && write_bytes(fd, bytes, len);
    if (fd >= 0)
        ok &= close(fd) == 0;
    return ok;
}

/* Writes to standard output; 0, with errno set, if that fails. */
static int write_out(const void *bytes, size_t len) {
    if (!isatty(STDOUT_FILENO))
        return fflush(stdout) == 0 && write_bytes(STDOUT_FILENO, bytes, len);
    put_lines(stdout, bytes, len);
    return fflush(stdout) == 0;
}

int file_write(const char *path, const void *bytes, size_t len) {
    int ok = strcmp(path, "-") == 0 ? write_out(bytes, len)
             : is_plain(path)       ? write_beside(path, bytes, len)
                                    : write_into(path, bytes, len);
    if (!ok)
        complain_of(strcmp(path, "-") ? path : "<stdout>", "cannot be written: %s", strerror(errno));
    return ok;
}

const char *file_name(const char *path) {
    return strcmp(path, "-") == 0 ? "<stdin>" : path;
}

char *file_beside(const char *dir, const char *input, const char *suffix) {
    const char *base = strcmp(input, "-") == 0 ? "stdin" : strrchr(input, '/') ? strrchr(input, '/') + 1 : input;
    const char *dot = strrchr(base, '.');
    int n = dot && dot > base ? (int)(dot - base) : (int)strlen(base);
    char *out = NULL;
    if (asprintf(&out, "%s%s%.*s.%s", dir ? dir : "", dir ? "/" : "", n, base, suffix) < 0)
        out = NULL;
    return out;
}
