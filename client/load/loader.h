/* loader.h - the map of the loader: what a loader and a loaded object are.
 *
 * load/
 *   region.c      address space: pages for objects, and whose safepoints are where
 *   image.c       an object file's stages on its way into memory
 *   symbols.c     which address a name has
 *   relocate.c    relocations, by the tables (reloc.h) in reloc_x86_64.c and reloc_aarch64.c
 *   lazy.c        functions that calls are bound to when they are first made, and anew (lazy_x86_64.S, lazy_aarch64.S)
 *   loader.c      sm_load and its like; the lock
 *   hooks.c       initialisers and finalisers
 *   map.c         an object's functions and its compact stackmap (decode.c: records of it; pairs.c: which slots are visited)
 *   sites.c       return address -> safepoint, of those that were looked up before
 *   keep.c        memory for these
 *   linked.c      what a linker has put into the program: sm_map_open
 *   find.c        looking safepoints up
 *   memory.c      writing where code runs
 *   patch.c       code over code
 *   ehframe.c     .eh_frame: registered for exceptions (unwind/unwinder.c), and read (unwind/cfi.c) for the walker
 *   debug.c       gdb and perf
 *   jitdump.c     perf again, with all that it can use
 * unwind/
 *   frames.h      how frames are unwound: cfi.c reads .eh_frame, cfi_run.c runs its instructions
 *   unwinder.c    the exceptions' unwinder: objects registered with it
 * walk/
 *   walk.c        frames, from the innermost outwards
 *   visit.c       what is live in them    (regions.c: in stack slots)
 *   chain.c       the entries of a thread (chain.h) that have not returned
 *   reclaim.c     what is retired, and on no stack
 *   sample.c      frames that wait anywhere
 *   registers.c   the registers of an interrupted thread
 *   entry_x86_64.S, entry_aarch64.S   from managed code into the runtime, registers saved
 * beside them
 *   error.c       filling the caller's sm_error
 *   host.c        this machine in LLVM's names
 */
#ifndef LOADER_H
#define LOADER_H

#include "lazy.h"
#include "region.h"
#include "reloc.h"
#include "sites.h"

#include <pthread.h>

/* A symbol that other objects can refer to. */
struct export {
    const char *name; /* in the object's strings */
    uintptr_t address;
    size_t bytes;
    uint32_t hash;
    int is_code; /* boolean */
    sm_object *object;
    struct export *next, **at; /* of the same bucket, younger ones first; AT is what points here */
};

struct names {
    struct export **bucket;
    size_t buckets, count; /* a power of two, or 0 */
};

struct sm_loader {
    sm_loader_options options;
    const struct machine *machine;
    pthread_mutex_t lock;             /* of all that follows; recursive, as resolve may ask for symbols */
    _Atomic(struct region *) regions; /* the list only grows at its head: readers take no lock */
    sm_object *objects;               /* the youngest first */
    sm_object *retired;
    struct names names;
    struct lazies lazies;
    struct sites sites;
    struct sites faults; /* null checks */
    struct keep keep;    /* what sites are made of */
    int is_closing;      /* boolean */
};

/* A function's entry of .eh_frame, both as distances from the region's start. */
struct entry_at {
    uint32_t code, entry;
};

struct sm_object {
    sm_loader *loader;
    sm_object *next, **at; /* in one of the loader's lists; AT is what points here, NULL: in none */
    char *name;
    struct region *region;
    struct span span[AREAS];
    size_t code_bytes;
    struct export *export; /* by ascending hash */
    size_t exports;
    char *strings;          /* of the exports */
    struct map *map;        /* NULL if it has no safepoints */
    struct unwind *unwind;  /* registered frames; NULL if there are none */
    struct debug *debug;    /* what gdb was told; NULL if nothing */
    struct hooks *hooks;    /* what is called when it comes and goes; NULL if nothing is */
    int is_published;       /* boolean: it is found by its addresses */
    int is_there;           /* boolean: what comes has been called */
    int is_retired;         /* boolean: no longer among the names */
    int is_used;            /* boolean: a walk has seen a frame of it */
    struct entry_at *entry; /* of .eh_frame, by ascending address of their code */
    size_t entries;
};

/* loader.c: memory in a region that fits, or in a new one. NULL, with *ERR filled, if there is none. Requires the lock. */
struct region *loader_take(sm_loader *l, const struct demand *d, struct span span[AREAS], sm_error *err);

void link_object(sm_object *o, sm_object **list);
void loader_destroy(sm_object *o); /* from any state of its making; NULL is fine */

/* Once code stands where other code may have stood: every core fetches it anew. */
void synchronise_code(void);

/* Frees those retired objects that are not used; gives their number. Requires the lock. */
size_t loader_free_unused(sm_loader *l);

/* An object's entry of .eh_frame for the function that an address is in, or before; NULL if there is none. */
const unsigned char *object_entry(const sm_object *o, uintptr_t address);

/* The rule for unwinding a frame that waits at an instruction of the object. */
struct row object_row(const sm_object *o, uintptr_t pc);

/* find.c: forgets the sites of an object that were looked up. Requires the lock, and that nobody uses them. */
size_t object_forget_sites(sm_object *o);

/* The object that an address lies in; NULL if there is none. Takes no lock. */
const sm_object *loader_object_at(const sm_loader *l, uintptr_t address);

/* symbols.c */
uint32_t name_hash(const char *name);
struct export *names_find(const struct names *n, const char *name);
int names_reserve(struct names *n, size_t more); /* 0 if out of memory */
void names_add(struct names *n, sm_object *o);   /* requires room */
void names_remove(struct names *n, const sm_object *o);
struct export *object_export(const sm_object *o, const char *name);

#endif
