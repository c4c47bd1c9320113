/* startups.h - what runtimes ask for when they start: for a tenant and a name, the keys that were answered under it, in
 * the order of their first answers (the option `startup`). In the folder of the cache they outlive smd: startup/FILE, one
 * for each.
 *
 * A tenant has STARTUPS_OF_TENANT at most, all together STARTUPS_MOST, each of STARTUP_KEYS: then the one that was used
 * least lately goes, of the tenant that has most. Later keys of a full one are not recorded. Any thread may call this.
 */
#ifndef SMD_STARTUPS_H
#define SMD_STARTUPS_H

#include "key.h"
#include "settings.h"

enum { STARTUPS_OF_TENANT = 16, STARTUPS_MOST = 64, STARTUP_KEYS = 4096 };

struct startups;

/* Begins to read what is on disk, if there is a folder. NULL if out of memory or threads. *new* */
struct startups *startups_new(const struct settings *s);

/* KEY, as text and as the tenant of SPACE knows it, was given to who asked under NAME. Nothing if NAME is empty, or KEY no
 * key. */
void startups_note(struct startups *all, const struct sm_key *space, const char *name, const char *key);

/* The keys, *new* by free, and their number; NULL if there are none, or out of memory. */
struct sm_key *startups_list(struct startups *all, const struct sm_key *space, const char *name, size_t *count);

/* Forgets what was recorded under the name; 0 if nothing was. While the folder is still being read, it forgets what may
 * be there, too. */
int startups_forget(struct startups *all, const struct sm_key *space, const char *name);

/* Once a second: has written what has changed. */
void startups_tick(struct startups *all);

/* Writes what has changed. 0: the disk does not answer, and the process's end alone helps. NULL is fine. */
int startups_stop(struct startups *all);
void startups_free(struct startups *all); /* after startups_stop has given 1; NULL is fine */

#endif
