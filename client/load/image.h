/* image.h - an object file on its way into memory.
 *
 * Its stages (image.c): open (plan which section goes where; scan what the relocations need: GOT entries, stubs, low
 * addresses), fill (copy, relocate), place (write, protect, resolve ifuncs). What stays afterwards is in object.h.
 */
#ifndef IMAGE_H
#define IMAGE_H

#include "elffile.h"
#include "region.h"
#include "smclient.h"

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
    SYMBOL_HANDLE, /* of the object, for __cxa_atexit: where its code begins */
};

struct symbol {
    enum symbol_state state;
    uint32_t section; /* of a local one */
    uint64_t value;   /* offset in its section or area, or address */
    uint64_t size;
    uint32_t got, stub; /* numbers; NOWHERE if it needs none */
    uint32_t chosen;    /* of the GOT entry that its stub jumps to, if a function chooses it (STT_GNU_IFUNC) */
    const char *name;   /* borrowed from the file */
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
    struct demand demand;
    size_t got_offset, stub_offset; /* in constants, in code */
    uintptr_t got, stub;            /* their addresses */
    struct region *region;
    struct span span[AREAS];
    unsigned char *host[AREAS]; /* where each is written; shared ones in a buffer (owned), until they are placed */
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
