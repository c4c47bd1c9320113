/* debug.h - loaded code is registered with gdb, and written down for perf. */
#ifndef DEBUG_H
#define DEBUG_H

#include "image.h"
#include "map.h"

/* Registers an object with gdb (its JIT interface): a copy of the file with each section's address. *new*
 * (debug_forget); NULL if out of memory for it, which is no reason not to load. */
struct debug *debug_tell(const struct image *im);
void debug_forget(struct debug *d);

/* Appends an object's functions to /tmp/perf-PID.map. What cannot be written is left out. */
void perf_map_write(const struct map *m, size_t code_bytes);

#endif
