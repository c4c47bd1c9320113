/* stackmap.h - the stackmap of an object: LLVM's bytes, versions 1 to 3, read into structs, and statepoint records
 * split.
 *
 * Source of the format: LLVM 19, docs/StackMaps.rst ("Stack Map Format") and docs/Statepoints.rst ("Stack Map
 * Format"). All of it little endian; a big-endian blob is refused. Several blobs may stand one after another, as a
 * linker leaves them.
 *
 * Two levels:
 *   sm_stackmap     functions with their records, locations and live-outs as the bytes say (arrays are owned)
 *   sm_statepoint   a view of one statepoint record: convention, flags, deopt, (base, derived) pairs, regions
 *
 * gcmap.h fills the same structs from the gcroot strategies' tables, so that one JSON form serves every strategy.
 */
#ifndef SM_STACKMAP_H
#define SM_STACKMAP_H

#include "deoptstate.h"
#include "elffile.h"
#include "facts.h"

enum sm_location_kind {
    SM_LOCATION_REGISTER = 1, /* the value is in the register */
    SM_LOCATION_DIRECT = 2,   /* the value is register + offset (an alloca's address) */
    SM_LOCATION_INDIRECT = 3, /* the value is spilled at [register + offset] */
    SM_LOCATION_CONSTANT = 4, /* the value itself; a constant-pool entry is already looked up */
};

/* The id of a statepoint whose call has no "statepoint-id" (LLVM 19, RewriteStatepointsForGC): it says nothing, and
 * texts for people leave it out. */
#define SM_DEFAULT_ID 0xABCDEF00u

#define SM_REGISTER_UNKNOWN UINT16_MAX /* of a gcroot slot, where nothing in the object says its register */

typedef struct sm_location {
    uint8_t kind;
    uint8_t from_pool; /* 1 if a constant came from the constant pool */
    uint16_t size;     /* bytes */
    uint16_t dwarf;    /* DWARF register number, as the target's ABI gives it */
    int32_t offset;    /* bytes, for direct and indirect */
    int64_t constant;  /* for constant */
} sm_location;

/* 1 if both are the same register, place in memory or constant. */
static inline int sm_location_same(const sm_location *a, const sm_location *b) {
    return a->kind == b->kind && a->dwarf == b->dwarf && a->offset == b->offset && a->constant == b->constant;
}

typedef struct sm_liveout {
    uint16_t dwarf;
    uint8_t size; /* bytes */
} sm_liveout;

enum sm_record_kind {
    SM_RECORD_UNKNOWN = 0, /* an object from elsewhere does not say; see sm_stackmap_guess_kinds */
    SM_RECORD_STATEPOINT,
    SM_RECORD_STACKMAP,   /* llvm.experimental.stackmap */
    SM_RECORD_PATCHPOINT, /* llvm.experimental.patchpoint */
    SM_RECORD_GCROOT,     /* one safepoint of a gcroot strategy: all its locations are roots */
};

typedef struct sm_record {
    uint64_t id;
    uint64_t at;   /* where its bytes stand in the section; of erlang and ocaml, where its roots stand in the file */
    uint32_t site; /* for the reader's own use; 0 after decoding */
    uint32_t offset; /* of the return address from the function's address, bytes */
    uint8_t kind;
    const char *reason; /* "entry-poll" …; NULL if not known. Static storage or owned by the stackmap's strings */
    const char *callee; /* a symbol, or "indirect"; NULL if not known. Owned by the stackmap's strings */
    uint32_t
        patch_bytes; /* room for code: of a statepoint before its return address, of others after; 0: none is known */
    uint32_t fault_offset;        /* a page poll's load from the function's address; UINT32_MAX if it has none */
    uint32_t location, locations; /* range in sm_stackmap.location */
    uint32_t liveout, liveouts;   /* range in sm_stackmap.liveout */
} sm_record;

/* What a shadow-stack function's entry in the chain of frames points to. Where the collector is called from plays no
 * part in it, so such a function has no records. */
typedef struct sm_frame_map {
    const char *section;          /* where it lies, like a function */
    uint64_t offset;              /* likewise */
    uint32_t roots;               /* how many the frame holds; those with metadata come first */
    uint32_t metadatum, metadata; /* range in sm_stackmap.metadatum */
} sm_frame_map;

/* A symbol that is the type of roots (facts.h). */
typedef struct sm_type_symbol {
    uint64_t key;
    const char *symbol; /* borrowed, or owned by the strings; NULL if nothing names its place */
    int64_t addend;     /* bytes from the symbol */
} sm_type_symbol;

/* The second argument of llvm.gcroot. */
typedef struct sm_metadatum {
    const char *symbol; /* borrowed; a section's name where no symbol is near; NULL for a plain number */
    int64_t addend;     /* bytes from the symbol, or the number */
} sm_metadatum;

enum sm_fault_kind { SM_FAULT_LOAD = 1, SM_FAULT_LOAD_STORE, SM_FAULT_STORE };

/* An instruction that faults instead of a null check, and where it goes on then; from the function's address, bytes. */
typedef struct sm_fault {
    uint32_t offset, handler;
    uint8_t kind;
} sm_fault;

typedef struct sm_function {
    const char
        *name; /* borrowed from the object's string table or owned by the strings; NULL if no symbol names it */
    const char *section;      /* name of the section it lies in; NULL in a linked file without sections */
    uint32_t section_index;   /* of that section; 0 if there is none */
    uint64_t offset;          /* in that section (relocatable) or virtual address (linked) */
    uint64_t size;            /* bytes; 0 if not known */
    uint64_t frame_size;      /* bytes as LLVM says; UINT64_MAX if dynamic or not known */
    uint32_t record, records; /* range in sm_stackmap.record */
    uint32_t fault, faults;   /* range in sm_stackmap.fault */
    uint64_t at;              /* where it stands in the section, bytes; for the reader's own use */
    const char *format;       /* of its table, where an object has tables of several formats; NULL otherwise */
    uint32_t stack_arity;     /* erlang: words of arguments that the caller has left on the stack */
    uint8_t has_stack_arity;
    uint32_t root_metadatum,
        root_metadata;     /* range in sm_stackmap.metadatum: of each root, in the records' order; the
                                               compiler's to fill, as the tables of erlang and ocaml have no place for it */
    uint8_t has_frame_map; /* shadow-stack: */
    sm_frame_map frame_map;
} sm_function;

typedef struct sm_stackmap {
    const char *
        format; /* "llvm-v3" (or of versions 1 and 2), "compact", "shadow-stack", "erlang", "ocaml"; "mixed" of several, "none" of no table */
    uint16_t machine; /* EM_X86_64 or EM_AARCH64 */
    uint8_t linked;   /* offsets of functions are virtual addresses */
    uint8_t version;  /* of LLVM's table; 0 if there is none */
    sm_function *function;
    uint32_t functions;
    sm_record *record;
    uint32_t records;
    sm_location *location;
    uint32_t locations;
    sm_liveout *liveout;
    uint32_t liveouts;
    sm_metadatum *metadatum;
    uint32_t metadata;
    sm_type_symbol *type; /* sorted by key */
    uint32_t types;
    sm_fault *fault;
    uint32_t faults;
    uint32_t function_cap, record_cap, location_cap, liveout_cap, metadata_cap, fault_cap; /* room in the arrays */
    sm_buf strings; /* names that no table of the object holds */
} sm_stackmap;

/* Where reading failed, for a person. */
typedef struct sm_stackmap_error {
    uint64_t offset; /* in the section, bytes */
    char message[200];
} sm_stackmap_error;

/* Decodes SECTION's bytes alone: functions have no names, and their offset is the address field as it stands. M is
 * empty or freed before. SM_INVALID_STACKMAP, SM_NOMEM. No allocation is larger than the bytes warrant. */
sm_status sm_stackmap_decode(sm_stackmap *m, uint16_t machine, const void *bytes, size_t len, sm_stackmap_error *err);

#define SM_STACKMAP_SECTION ".llvm_stackmaps"

/* Where a record's room for code begins, from the function's address, bytes. */
static inline uint32_t sm_patch_offset(const sm_record *r) {
    return r->kind == SM_RECORD_STATEPOINT ? r->offset - r->patch_bytes : r->offset;
}

void sm_stackmap_free(sm_stackmap *m);

/* Marks each UNKNOWN record whose locations have a statepoint's shape as a statepoint, the rest as stackmap: for
 * objects from elsewhere, where there is nothing but the shape to go by. */
void sm_stackmap_guess_kinds(sm_stackmap *m);

/* One (base, derived) pair. */
typedef struct sm_root {
    sm_location base, derived;
} sm_root;

/* A statepoint record's parts; the slices index m->location. */
typedef struct sm_statepoint {
    uint32_t calling_convention, flags; /* flags: bit 0 is gc-transition, bit 1 deopt-live-in */
    uint32_t deopt, deopts;             /* range in m->location */
    uint32_t fact, facts;               /* likewise: what follows, which is said of the regions; without the mark */
    uint32_t deopts_all;                /* how many constants and values there are in both, with the mark */
    sm_root *root;                      /* owned; wider locations are already N pointers */
    uint32_t roots;
    uint32_t region, regions; /* range in m->location: allocas that were in gc-live */
} sm_statepoint;

/* Splits record R of M (kind STATEPOINT or GCROOT). SM_INVALID_STACKMAP if its locations are not of that shape. */
sm_status sm_statepoint_split(const sm_stackmap *m, const sm_record *r, sm_statepoint *out);
void sm_statepoint_free(sm_statepoint *s);

/* The same for who has no memory to spend: of N locations, the parts but for the roots (DEOPT and REGION count from L),
 * and how many locations after the deopt values are pairs. A pair's derived location may hold several pointers. */
sm_status sm_statepoint_parts(const sm_location *l, uint32_t n, sm_statepoint *out, uint32_t *paired);
uint32_t sm_roots_count(const sm_location *l, uint32_t paired, int single);
uint32_t sm_roots_width(const sm_location *derived);
sm_root sm_roots_element(const sm_location *base, const sm_location *derived, uint32_t e);
/* 1 if the record says something of its regions: then FACTS are all words of it, for sm_facts_next. Borrowed from M. */
int sm_statepoint_facts(const sm_stackmap *m, const sm_statepoint *s, sm_facts *facts);

/* A statepoint's deoptimisation values, for sm_state_next. Borrowed from M. */
sm_state sm_statepoint_state(const sm_stackmap *m, const sm_statepoint *s);

/* The symbol of a key; NULL if the object does not say. */
const sm_type_symbol *sm_stackmap_type(const sm_stackmap *m, uint64_t key);

/* LLVM's calling convention name ("ccc", "fastcc", "cc11"…) for a number; writes at most SIZE bytes to BUF if it has
 * none. */
const char *sm_calling_convention_name(uint32_t cc, char *buf, size_t size);

/* What a record's kind is called in JSON ("statepoint"); NULL for a number that is none. Static. */
const char *sm_record_kind_name(unsigned kind);

/* The name of a DWARF register ("rsp", "x29"); NULL if the target has none of this number. */
const char *sm_register_name(uint16_t machine, uint16_t dwarf);

#endif
