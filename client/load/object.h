/* object.h - what a loader and a loaded object are. */
#ifndef OBJECT_H
#define OBJECT_H

#include "keep.h"
#include "names.h"
#include "region.h"
#include "sites.h"

#include <pthread.h>

/* Functions that are bound when they are first called (lazy.h), of one loader; begins as zeros. */
struct lazies {
    struct lazy **bucket; /* by name */
    size_t buckets, count;
    struct stubs *block; /* the one with room comes first */
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
    char *strings;            /* of the exports */
    struct map *map;          /* NULL if it has no safepoints */
    struct unwind *unwind;    /* registered frames; NULL if there are none */
    struct line_table *lines; /* NULL if they are not asked for, or not known */
    struct debug *debug;      /* its entry with gdb; NULL if there is none */
    struct hooks *hooks;      /* what is called when it comes and goes; NULL if nothing is */
    int is_published;         /* boolean: it is found by its addresses */
    int is_there;             /* boolean: what comes has been called */
    int is_retired;           /* boolean: no longer among the names */
    int is_used;              /* boolean: a walk has seen a frame of it */
    struct entry_at *entry;   /* of .eh_frame, by ascending address of their code */
    size_t entries;
    uint32_t
        *chain_use; /* where code refers to llvm_gc_root_chain, as distances from the region's start; ascending */
    size_t chain_uses;
    struct tls_module *tls; /* thread-local variables, its own first; NULL if there are none */
};

void object_link(sm_object *o, sm_object **list);

/* The symbol that an object exports; NULL if there is none of that name. */
struct export *object_export(const sm_object *o, const char *name);

/* Memory in a region that fits, or in a new one. NULL, with *ERR filled, if there is none. Requires the lock. */
struct region *loader_take(sm_loader *l, const struct demand *d, struct span span[AREAS], sm_error *err);

/* The object that an address lies in; NULL if there is none. Takes no lock. */
const sm_object *loader_object_at(const sm_loader *l, uintptr_t address);

#endif
