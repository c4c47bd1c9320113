/* zeal.h - the map of zeal: a collector under test.
 *
 *   zeal.c       making one, its end, which safepoints are due
 *   records.c    what was met of each safepoint's record
 *   counted.c    sm_visit, counted
 *   spaces.c     memory that is closed and opened
 *   scan.c       words of frames and registers that point into a space that is closed
 *   fault.c      who uses a closed space, and where the pointer had been
 *   coverage.c   what was met, as text and JSON
 */
#ifndef ZEAL_H
#define ZEAL_H

#include "keep.h"
#include "smclient.h"

#include <pthread.h>
#include <stdatomic.h>

/* A word that scans have found at one place of a record. */
struct found {
    struct found *next;
    sm_slot slot;
    uint64_t count;
    int is_recorded; /* boolean */
};

/* What happened to one place of a record. */
enum { PLACE_SEEN = 1, PLACE_MOVED = 2 };

/* What was met of a safepoint. The same for a safepoint whose object was unloaded and loaded again. */
struct record {
    struct record *next; /* of the same bucket */
    uint32_t hash;
    uint32_t pairs, roots; /* of the site; places in them that are visited */
    uint64_t offset, id;
    const char *object, *function;                  /* of the zeal's; FUNCTION may be NULL */
    uintptr_t address;                              /* where it was when it was met first */
    _Atomic(uint64_t) hits;                         /* sm_zeal_due */
    _Atomic(uint64_t) visits;                       /* frames that waited there */
    _Atomic(uint64_t) seen, moved;                  /* roots of these that were not null; of these: changed */
    _Atomic(uint64_t) references, references_moved; /* likewise, in regions */
    struct found *found;                            /* the zeal's lock */
    _Atomic(uint8_t) place[]; /* PLACE_…: of pair I the base at 2 * I, what is derived after it */
};

/* A word that a scan found. */
struct word {
    struct record *record;
    sm_slot slot;
    uintptr_t value, address; /* ADDRESS: the safepoint's */
    uintptr_t sp, cfa, fp;    /* of its frame; FP is 0 if not known */
    uint64_t depth;
    uint32_t collection;
    int is_recorded; /* boolean */
};

/* Closed pages. */
struct closed {
    uintptr_t start, end;
    uint32_t collection;
};

enum { BUCKETS = 1 << 16 };

struct sm_zeal {
    sm_zeal *next; /* of the process's */
    const sm_loader *loader;
    sm_zeal_options options; /* `function` is the zeal's own */
    struct keep keep;        /* what follows is made of it */
    _Atomic(struct record *) *bucket;
    _Atomic(uint64_t) safepoints, due, candidates, visits, frames, roots, moved;
    _Atomic(int) is_visiting; /* boolean: a stack was visited since a space was closed */
    pthread_mutex_t lock;     /* of all that follows */
    uint32_t collections;
    struct word *word; /* the youngest found words: number N is at N modulo options.words */
    uint64_t words;
    struct closed *range; /* ascending, apart */
    size_t ranges, range_cap;
};

/* The record of a safepoint; NULL when out of memory. Takes no lock. */
struct record *record_of(sm_zeal *z, const sm_site *site);

/* 1 if a pair's slot is a place of its own, which the visitor handles. */
int is_place(const sm_slot *s);

/* Adds a found word. Requires the lock. */
void note_word(sm_zeal *z, const struct word *word);

/* Finds the words of the frames of one stack that point into BYTES from START on. Requires the lock. */
sm_result scan_stack(sm_zeal *z, sm_registers *at, uintptr_t start, size_t bytes, sm_error *err);

/* The closed range that an address lies in; NULL if it is in none. */
const struct closed *range_at(const sm_zeal *z, uintptr_t address);

/* A found word as the interface gives it. */
sm_zeal_word word_of(const sm_zeal *z, const struct word *w);

/* The place of an instruction in the source: what the runtime says, or the object's lines. *FILE is NULL if it is not
 * known. */
void place_of(const sm_zeal *z, uintptr_t address, const char **file, uint32_t *line);

/* Writes a slot as text: "[sp+16]", "x19". Gives TEXT. */
enum { SLOT_TEXT = 32 };
char *slot_text(char text[SLOT_TEXT], const sm_slot *s);

/* Adds a zeal to those that the handler of SIGSEGV asks, and takes it out. SM_ERR_SYSTEM if there can be no handler. */
sm_result handler_add(sm_zeal *z, sm_error *err);
void handler_remove(sm_zeal *z);

#endif
