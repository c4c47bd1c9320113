/* image.h - an object file on its way into memory.
 *
 * Its stages (image.c): open (plan which section goes where; scan what the relocations need: GOT entries, stubs, low
 * addresses), fill (copy, relocate), place (write, protect, resolve ifuncs). What stays afterwards is in object.h.
 */
#ifndef IMAGE_H
#define IMAGE_H

#include "buf.h"
#include "elffile.h"
#include "region.h"
#include "reloc.h"
#include "smclient.h"
#include "tls.h"

#define NOWHERE UINT32_MAX

#if defined(__aarch64__)
enum { HOST_MACHINE = EM_AARCH64 };
#else
enum { HOST_MACHINE = EM_X86_64 };
#endif

enum { STUB_ROOM = 16 };

/* An allocated section of the file. */
struct section {
    enum area area;
    int is_thread;        /* boolean: of thread-local variables; placed is what they begin with */
    size_t in_block;      /* of these: where the section is among them */
    int placed;           /* boolean; the stackmap is not: it is relocated in a buffer of its own */
    size_t offset, bytes; /* in its area; with padding that must follow it */
    unsigned char *host;  /* where it is written; NULL if it is nowhere */
    uintptr_t address;    /* where the code finds it */
};

enum symbol_state {
    SYMBOL_NEW,
    SYMBOL_LOCAL,
    SYMBOL_EXTERNAL,
    SYMBOL_COMMON,
    SYMBOL_ABSOLUTE,
    SYMBOL_GOT,
    SYMBOL_THREAD, /* thread-local */
    SYMBOL_HANDLE, /* of the object, for __cxa_atexit: where its code begins */
};

struct symbol {
    enum symbol_state state;
    uint32_t section;          /* of a local one */
    int needs_offset;          /* boolean: thread-local, and reached at a fixed offset */
    uint64_t value;            /* offset in its section, area or module, or address */
    struct tls_module *module; /* of a thread-local one; NULL: at a fixed offset */
    const void *outside;       /* of a thread-local one outside of the object: this thread's; NULL: it is elsewhere */
    uint64_t size;
    uint32_t got, stub;           /* numbers; NOWHERE if it needs none */
    uint32_t thread_got[ENTRIES]; /* likewise of a thread-local one, by what the entry has */
    uint32_t chosen;  /* of the GOT entry that its stub jumps to, if a function chooses it (STT_GNU_IFUNC) */
    const char *name; /* borrowed from the file */
};

/* A place in a section. */
struct place {
    size_t section;
    uint64_t offset;
};

struct image {
    sm_loader *loader; /* NULL in tests of hostile objects: nothing is resolved */
    sm_error *err;
    sm_elf elf;
    struct section *section; /* by the file's index */
    struct symbol *symbol;   /* likewise */
    uint32_t gots, stubs;
    int needs_low, needs_got, needs_tiny; /* booleans; a GOT may be needed for its address alone */
    size_t stackmap;                      /* section; 0 if there is none */
    unsigned char *stackmap_bytes;        /* owned: the section, relocated */
    size_t compact;                       /* section of the compact stackmap, which has a place; 0 if there is none */
    struct tls_module *tls;               /* owned: of the object's thread-local variables; NULL if there are none */
    struct tls_module *tls_libraries;     /* owned: of variables that are in opened libraries */
    size_t tls_image;                     /* in constants: what they begin with */
    uint32_t module_entry;                /* number of the GOT entry of the first; NOWHERE */
    int tls_needs_offset, tls_is_zero;    /* booleans: they are reached at a fixed offset; begin as zeros */
    struct demand demand;
    size_t got_offset, stub_offset; /* in constants, in code */
    uintptr_t got, stub;            /* their addresses */
    struct region *region;
    struct span span[AREAS];
    unsigned char *host[AREAS]; /* where each is written; shared ones in a buffer (owned), until they are placed */
    sm_buf chain_uses;          /* struct place: where code refers to llvm_gc_root_chain */
    int memory;                 /* descriptor of memory_open; -1 if it is not needed */
};

/* Reads and checks the file, plans, and scans its relocations. Finds what is not in the object, so that it can fail
 * before any memory is taken. */
sm_result image_open(struct image *im, sm_loader *loader, const void *object, size_t len, sm_error *err);

/* Copies the sections, and relocates them for the spans that the caller took. */
sm_result image_fill(struct image *im);

/* Puts all in its place, code executable and constants constant, and asks what chooses functions. From now on each
 * section stands where it is read. */
sm_result image_place(struct image *im);

/* Where an address of an area is written. */
static inline unsigned char *image_host(const struct image *im, enum area a, uintptr_t address) {
    return im->host[a] + (address - im->span[a].start);
}

/* Everything but the spans. */
void image_close(struct image *im);

/* symbols.c: reads symbol I, and finds it if the object does not define it. */
sm_result image_symbol(struct image *im, uint32_t i, struct symbol **out);

/* symbols.c: finds out where the thread-local variables are that resolve gave. Requires that relocations were scanned. */
sm_result find_thread_outside(struct image *im);

/* The address of a symbol once sections are placed; of a chosen function its stub's, which is the same for
 * everybody. */
uintptr_t image_address(const struct image *im, const struct symbol *s);

/* relocate.c: counts what the relocations need; applies them. */
sm_result scan_relocations(struct image *im);
sm_result apply_relocations(struct image *im);

/* Writes what functions are chosen into the entries of their stubs. Requires executable code. */
sm_result choose_functions(struct image *im);

/* Writes to constants that are in their place. 0 if it fails. */
int image_patch(const struct image *im, uintptr_t at, const void *data, size_t len);

#endif
