/* disk.h - the cache's tier on disk: one file an entry, in a folder of its own, behind one thread.
 *
 *     DIR/aa/KEY       an entry (entry.h); aa are the key's first two digits
 *     DIR/tmp/         entries while they are written; renamed when they are whole
 *     DIR/quarantine/  the last damaged ones
 *
 * It is a cache: whatever fails is a miss or an entry that is not kept, a metric and a line in the log, never an error
 * to the user. Nothing is synced; a file that a power cut left half is found by its digest. Bytes (in blocks of 4 KiB)
 * and entries are bounded at all times. The folder is locked: a second daemon is refused.
 *
 * The thread does all work on files. The folder is read when it starts, which takes about a second for 100,000 entries;
 * reads are served meanwhile, writes wait.
 *
 * A disk that does not answer holds up that thread alone: reads have a deadline (reads.h), writes a bounded queue.
 *
 * What is read is taken from the budget before, and is there once: who reads an entry that somebody still holds gets
 * that.
 */
#ifndef SMD_DISK_H
#define SMD_DISK_H

#include "entry.h"
#include "error.h"
#include "lru.h"
#include "reads.h"
#include "settings.h"
#include "source.h"

struct disk;

/* Appends the request that asks for a module with these options, which are canonical text. */
typedef sm_status disk_form(sm_buf *out, sm_slice module, const char *options);

/* The tier in the folder that the settings name. NULL if another daemon has it, or out of memory. A folder that
 * cannot be used is logged, and tried again at each write. FORM writes what disk_read's wants_form asks for. *new* */
struct disk *disk_start(const struct settings *s, struct metrics *m, struct budget *b, disk_form *form,
                        struct error *err);

/* 1 if a read may find it: it is known to be there, or the folder has not been read yet. */
int disk_may_have(struct disk *d, const struct sm_key *key);

/* Begins a read; done() will be called. */
void disk_begin_read(struct disk *d, struct disk_read *read);

/* Keeps an entry, with its module (may be NULL), if there is room in the queue of those that are to be written. RESULT,
 * which the caller holds, and MODULE are shared until then. */
void disk_write(struct disk *d, const struct origin *o, struct result *result, struct source *module);

/* Fills in the next piece of a listing, as lru_list does. */
int disk_list(struct disk *d, struct listing *x);

#define DISK_PATIENCE_S 3 /* seconds that a daemon that stops gives the disk */

/* Ends the reads, and writes what is queued, for a second at most. A read that is begun later finds nothing. 0: the disk
 * has not answered in these seconds, and the thread goes on to use all that it was given: only the process's end helps.
 * NULL is fine. */
int disk_stop(struct disk *d, int patience_s);

/* After disk_stop has given 1, when nobody calls any more: lets go of the folder. NULL is fine. */
void disk_free(struct disk *d);

#endif
