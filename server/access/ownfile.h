/* ownfile.h - a file that decides who may ask: bounded, and nobody but its owner and group may write it. */
#ifndef SMD_OWNFILE_H
#define SMD_OWNFILE_H

#include "buf.h"
#include "error.h"

#include <sys/types.h>
#include <time.h>

enum { OWNFILE_MAX = 1 << 20 }; /* bytes */

/* What a file was when it was looked at; {0} begins. */
struct ownfile_stamp {
    struct timespec changed;
    ino_t inode;
    off_t size;
};

/* Reads the file that SETTING names into OUT, which is to be freed either way; its data is not NULL on success. */
sm_status ownfile_read(const char *setting, const char *path, sm_buf *out, struct error *err);

/* The file as it is now; 1 if it is not as STAMP says. A file that is not there is as it was. */
struct ownfile_stamp ownfile_stamp(const char *path);
int ownfile_has_changed(const char *path, const struct ownfile_stamp *stamp);

#endif
