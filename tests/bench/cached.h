/* cached.h - what a hit in the cache costs. */
#ifndef BENCH_CACHED_H
#define BENCH_CACHED_H

struct daemon;

/* Prints a table: hits of several kinds, each against libmicrohttpd alone with a constant answer of the same size,
 * under the same load, in turns; then how long a start with 100,000 entries on disk takes. */
void bench_cached(int turns); /* seven at most */

/* Writes so many files into a new folder as a cache on disk has, and gives its name in FOLDER, a template of mkdtemp's. The
 * daemon has read them in when it has counted them. */
void cached_folder_make(char *folder, int entries);
int cached_is_read_in(const struct daemon *d, int entries);
void cached_folder_remove(const char *folder);

#endif
