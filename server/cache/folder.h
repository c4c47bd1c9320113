/* folder.h - the files of the cache's disk tier: named by key, written beside and renamed, locked against others. */
#ifndef SMD_FOLDER_H
#define SMD_FOLDER_H

#include "artifact.h"
#include "error.h"
#include "key.h"

#include <limits.h>

struct folder {
    char path[PATH_MAX];
    int lock;           /* the folder, locked; -1 while it cannot be used */
    unsigned set_aside; /* counted, for names in quarantine/ */
    uint64_t quiet_ns;  /* no complaint before this time */
};

/* Makes the folder if need be, and locks it. SM_IO if another process has it; a folder that cannot be used is
 * logged, and opened at a later write. */
sm_status folder_open(struct folder *f, const char *path, struct error *err);
void folder_close(struct folder *f);

/* The size of an entry's file in *SIZE. 0 and errno if there is none. */
int folder_size(struct folder *f, const struct sm_key *key, size_t *size);

/* The bytes of an entry's file, *new*. NULL and errno: ENOENT, EFBIG if there are more than MAX, ENOMEM … */
unsigned char *folder_read(struct folder *f, const struct sm_key *key, size_t max, size_t *len);

/* Writes an entry of three pieces. 0 and errno on failure: nothing is left then. */
#define FOLDER_PIECES 4
int folder_write(struct folder *f, const struct sm_key *key, const sm_slice piece[FOLDER_PIECES]);

void folder_remove(struct folder *f, const struct sm_key *key);

/* Sets a damaged entry aside; the last few are kept. */
void folder_quarantine(struct folder *f, const struct sm_key *key);

/* 1 once a second at most: a full disk fails every write. */
int folder_may_complain(struct folder *f);

struct folder_list {
    struct folder_item {
        struct sm_key key;
        uint64_t bytes, modified_ns;
    } *item; /* owned */
    size_t count, room;
};

/* Adds what lies in the subfolder of this number, 0 to 255. */
void folder_scan(struct folder *f, unsigned number, struct folder_list *list);

/* The last modified first. */
void folder_sort(struct folder_list *list);

#endif
