/* folder.c - see folder.h. */
#include "folder.h"

#include "clock.h"
#include "log.h"
#include "makedir.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#define NAME_MAX_LEN (PATH_MAX + 96)

/* The path of the key's file: FOLDER/first two digits/KEY. */
static void entry_path(const struct folder *f, const struct sm_key *key, char path[NAME_MAX_LEN]) {
    char text[SM_KEY_TEXT];
    sm_key_text(key, text);
    snprintf(path, NAME_MAX_LEN, "%s/%.2s/%s", f->path, text, text);
}

/* ---- The folder itself -------------------------------------------------------------------------------------- */

/* Removes files that an earlier process did not finish. */
static void clear_tmp(struct folder *f) {
    char path[NAME_MAX_LEN];
    snprintf(path, sizeof path, "%s/tmp", f->path);
    DIR *d = opendir(path);
    for (struct dirent *e; d && (e = readdir(d)) != NULL;)
        if (e->d_name[0] != '.')
            unlinkat(dirfd(d), e->d_name, 0);
    if (d)
        closedir(d);
}

/* Makes the folder, opens and locks it. 1: done; 0: another process has it; -1 and errno: it cannot be used. */
static int try_open(struct folder *f) {
    char sub[NAME_MAX_LEN];
    if (!make_folders(f->path))
        return -1;
    int fd = open(f->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return -1;
    if (flock(fd, LOCK_EX | LOCK_NB) != 0) {
        int busy = errno == EWOULDBLOCK;
        close(fd);
        return busy ? 0 : -1;
    }
    snprintf(sub, sizeof sub, "%s/tmp", f->path);
    mkdir(sub, 0700);
    f->lock = fd;
    clear_tmp(f);
    return 1;
}

sm_status folder_open(struct folder *f, const char *path, struct error *err) {
    *f = (struct folder){.lock = -1};
    snprintf(f->path, sizeof f->path, "%s", path);
    int opened = try_open(f);
    if (opened == 0)
        return error_set(err, SM_IO, "cache_dir: another smd has the folder %.200s", path);
    if (opened < 0)
        log_event(LOG_LEVEL_WARNING, "cache_unavailable", "{s:s,s:s}", "folder", path, "error", strerror(errno));
    return SM_OK;
}

void folder_close(struct folder *f) {
    if (f->lock >= 0)
        close(f->lock);
    f->lock = -1;
}

/* Opens the folder anew, as it may have come, gone, or been replaced. 0 and errno on failure. */
static int reopen(struct folder *f) {
    folder_close(f);
    int opened = try_open(f);
    if (opened == 0)
        errno = EBUSY;
    return opened > 0;
}

int folder_may_complain(struct folder *f) {
    enum { NANOSECONDS = 1000000000 };
    uint64_t now = sm_clock_ns();
    if (now < f->quiet_ns)
        return 0;
    f->quiet_ns = now + NANOSECONDS;
    return 1;
}

/* ---- Entries ------------------------------------------------------------------------------------------------ */

/* *New*: the file's bytes; NULL and errno if it is no regular file, larger than MAX, or cannot be read. */
static unsigned char *read_whole(int fd, size_t max, size_t *len) {
    struct stat st;
    if (fstat(fd, &st) != 0)
        return NULL;
    if (!S_ISREG(st.st_mode) || (uint64_t)st.st_size > max) {
        errno = EFBIG;
        return NULL;
    }
    size_t size = (size_t)st.st_size, got = 0;
    unsigned char *bytes = malloc(size ? size : 1);
    while (bytes && got < size) {
        ssize_t n = read(fd, bytes + got, size - got);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0) {
            free(bytes);
            return NULL;
        }
        if (n == 0)
            break;
        got += (size_t)n;
    }
    *len = got;
    return bytes;
}

/* Sets the file's time to now if it is older than an hour, so that the order of use is known after a restart. */
static void touch(int fd) {
    enum { SECONDS = 3600 };
    struct stat st;
    if (fstat(fd, &st) == 0 && st.st_mtime + SECONDS < time(NULL))
        futimens(fd, NULL);
}

int folder_size(struct folder *f, const struct sm_key *key, size_t *size) {
    char path[NAME_MAX_LEN];
    struct stat st;
    entry_path(f, key, path);
    if (lstat(path, &st) != 0)
        return 0;
    *size = (size_t)st.st_size;
    return 1;
}

unsigned char *folder_read(struct folder *f, const struct sm_key *key, size_t max, size_t *len) {
    char path[NAME_MAX_LEN];
    entry_path(f, key, path);
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK); /* a FIFO must not block the thread */
    if (fd < 0)
        return NULL;
    unsigned char *bytes = read_whole(fd, max, len);
    int why = errno;
    if (bytes)
        touch(fd);
    close(fd);
    errno = why;
    return bytes;
}

/* Writes all pieces to FD. 0 and errno on failure. */
static int write_whole(int fd, const sm_slice piece[FOLDER_PIECES]) {
    struct iovec part[FOLDER_PIECES];
    int first = 0;
    for (int i = 0; i < FOLDER_PIECES; i++)
        part[i] = (struct iovec){(void *)piece[i].data, piece[i].len};
    while (first < FOLDER_PIECES) {
        ssize_t n = writev(fd, part + first, FOLDER_PIECES - first);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return 0;
        for (; first < FOLDER_PIECES && (size_t)n >= part[first].iov_len; first++)
            n -= (ssize_t)part[first].iov_len;
        if (first < FOLDER_PIECES) {
            part[first].iov_base = (char *)part[first].iov_base + n;
            part[first].iov_len -= (size_t)n;
        }
    }
    return 1;
}

/* Moves the finished file FROM to the key's place, and makes its subfolder if it is not there. 0 and errno on
 * failure. */
static int rename_into(struct folder *f, const char *from, const struct sm_key *key) {
    char path[NAME_MAX_LEN], sub[NAME_MAX_LEN];
    entry_path(f, key, path);
    if (rename(from, path) == 0)
        return 1;
    if (errno != ENOENT)
        return 0;
    snprintf(sub, sizeof sub, "%s/%02x", f->path, key->byte[0]);
    return mkdir(sub, 0700) == 0 && rename(from, path) == 0;
}

/* Writes the pieces to a file in tmp and moves it to the key's place. 0 and errno on failure. */
static int write_once(struct folder *f, const struct sm_key *key, const sm_slice piece[FOLDER_PIECES]) {
    char beside[NAME_MAX_LEN];
    snprintf(beside, sizeof beside, "%s/tmp/XXXXXX", f->path);
    int fd = mkostemp(beside, O_CLOEXEC); /* new, and of a name that nobody knows before */
    if (fd < 0)
        return 0;
    int ok = write_whole(fd, piece), why = errno;
    if (close(fd) != 0 && ok) {
        why = errno;
        ok = 0;
    }
    if (ok && !rename_into(f, beside, key)) {
        why = errno;
        ok = 0;
    }
    if (!ok)
        unlink(beside);
    errno = why;
    return ok;
}

int folder_write(struct folder *f, const struct sm_key *key, const sm_slice piece[FOLDER_PIECES]) {
    if (f->lock >= 0 && write_once(f, key, piece))
        return 1;
    if (f->lock >= 0 && errno != ENOENT)
        return 0;
    return reopen(f) && write_once(f, key, piece);
}

void folder_remove(struct folder *f, const struct sm_key *key) {
    char path[NAME_MAX_LEN];
    entry_path(f, key, path);
    unlink(path);
}

void folder_quarantine(struct folder *f, const struct sm_key *key) {
    enum { KEPT = 16 };
    char path[NAME_MAX_LEN], aside[NAME_MAX_LEN];
    entry_path(f, key, path);
    snprintf(aside, sizeof aside, "%s/quarantine", f->path);
    mkdir(aside, 0700);
    snprintf(aside, sizeof aside, "%s/quarantine/%u", f->path, f->set_aside++ % KEPT);
    if (rename(path, aside) != 0)
        unlink(path);
}

/* ---- Reading in --------------------------------------------------------------------------------------------- */

/* Adds a file to the list; 0 if out of memory. */
static int list_add(struct folder_list *list, const char *name, const struct stat *st) {
    if (list->count == list->room) {
        size_t room = list->room ? 2 * list->room : 1024;
        struct folder_item *more = realloc(list->item, room * sizeof *more);
        if (!more)
            return 0;
        list->item = more;
        list->room = room;
    }
    struct folder_item *i = &list->item[list->count++];
    sm_key_read(name, strlen(name), &i->key);
    i->bytes = (uint64_t)st->st_size;
    i->modified_ns = (uint64_t)st->st_mtim.tv_sec * 1000000000u + (uint64_t)st->st_mtim.tv_nsec;
    return 1;
}

void folder_scan(struct folder *f, unsigned number, struct folder_list *list) {
    char path[NAME_MAX_LEN], digits[3];
    struct stat st;
    snprintf(digits, sizeof digits, "%02x", number & 255);
    snprintf(path, sizeof path, "%s/%s", f->path, digits);
    DIR *d = opendir(path);
    for (struct dirent *e; d && (e = readdir(d)) != NULL;) {
        if (!sm_key_valid(e->d_name, strlen(e->d_name)) || memcmp(e->d_name, digits, 2) != 0 ||
            fstatat(dirfd(d), e->d_name, &st, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(st.st_mode))
            continue;
        if (!list_add(list, e->d_name, &st))
            break;
    }
    if (d)
        closedir(d);
}

static int newest_first(const void *a, const void *b) {
    const struct folder_item *x = a, *y = b;
    return (x->modified_ns < y->modified_ns) - (x->modified_ns > y->modified_ns);
}

void folder_sort(struct folder_list *list) {
    if (list->count)
        qsort(list->item, list->count, sizeof *list->item, newest_first);
}
