/* ownfile.c - see ownfile.h. */
#include "ownfile.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

/* Reads all of the descriptor, which is a regular file. */
static sm_status read_all(int fd, sm_buf *out) {
    for (;;) {
        char piece[4096];
        ssize_t n = read(fd, piece, sizeof piece);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return SM_IO;
        if (n == 0)
            return SM_OK;
        if (sm_buf_put(out, piece, (size_t)n) != SM_OK)
            return out->status;
    }
}

sm_status ownfile_read(const char *setting, const char *path, sm_buf *out, struct error *err) {
    struct stat st;
    sm_buf_init(out, OWNFILE_MAX);
    if (sm_buf_reserve(out, 1) != SM_OK) /* also of an empty file there are bytes to point at */
        return error_set(err, SM_NOMEM, "out of memory");
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0)
        return error_set(err, SM_IO, "%s: %s: %s", setting, path, strerror(errno));
    sm_status s = SM_OK;
    if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode) || st.st_size > OWNFILE_MAX)
        s = error_set(err, SM_INVALID_OPTION, "%s: %s: this is no regular file of at most %d bytes", setting, path,
                      OWNFILE_MAX);
    else if (st.st_mode & S_IWOTH)
        s = error_set(err, SM_INVALID_OPTION, "%s: %s: everybody may write it", setting, path);
    else if ((s = read_all(fd, out)) != SM_OK)
        error_set(err, s, "%s: %s: %s", setting, path, s == SM_IO ? strerror(errno) : sm_status_text(s));
    close(fd);
    return s;
}

struct ownfile_stamp ownfile_stamp(const char *path) {
    struct stat st;
    if (stat(path, &st) != 0)
        return (struct ownfile_stamp){0};
    return (struct ownfile_stamp){.changed = st.st_mtim, .inode = st.st_ino, .size = st.st_size};
}

int ownfile_has_changed(const char *path, const struct ownfile_stamp *stamp) {
    struct ownfile_stamp now = ownfile_stamp(path);
    return now.inode &&
           (now.changed.tv_sec != stamp->changed.tv_sec || now.changed.tv_nsec != stamp->changed.tv_nsec ||
            now.inode != stamp->inode || now.size != stamp->size);
}
