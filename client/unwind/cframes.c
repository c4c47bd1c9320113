/* cframes.c - see cframes.h.
 *
 * The C library knows which program or library an address is in (_dl_find_object, which takes no lock), and the linker
 * has sorted that one's entries (.eh_frame_hdr). Where one of these is missing libgcc is asked. */
#include "cframes.h"

#include <dlfcn.h>
#include <string.h>

/* libgcc's. It knows the programs' entries, and those that were registered. */
extern const void *_Unwind_Find_FDE(void *pc, void *bases);

enum { BASES_WORDS = 4 };

#if defined(DLFO_STRUCT_HAS_EH_DBASE)

/* The head of .eh_frame_hdr, and a pair of distances from it: of a function, and of its entry. */
struct index_pair {
    int32_t code, entry;
};
struct index {
    unsigned char format[4];
    int32_t frames;
    uint32_t count;
    struct index_pair pair[];
};

/* The entry of the last function of the index that does not begin after PC; NULL if there is none, or the index has
 * not the format that every linker writes. */
static const unsigned char *find_in_index(const struct index *x, uintptr_t pc) {
    static const unsigned char known[4] = {1, 0x1b, 0x03, 0x3b};
    size_t low = 0, high = x->count;
    if (memcmp(x->format, known, sizeof known) != 0)
        return NULL;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if ((uintptr_t)x + (uintptr_t)(intptr_t)x->pair[middle].code <= pc)
            low = middle + 1;
        else
            high = middle;
    }
    return low ? (const unsigned char *)x + x->pair[low - 1].entry : NULL;
}

/* The program or library that an address is in; 0 if it is in none. */
static int find_module(uintptr_t pc, struct dl_find_object *module) {
    return _dl_find_object((void *)pc, module) == 0; /* NOLINT(performance-no-int-to-ptr) */
}

int cframe_is_code(uintptr_t pc) {
    struct dl_find_object module;
    return find_module(pc, &module);
}

/* The entry of PC's function, or of one before it; NULL if there is none. */
static const unsigned char *find_entry(uintptr_t pc) {
    struct dl_find_object module;
    uintptr_t bases[BASES_WORDS];
    if (!find_module(pc, &module))
        return NULL;
    if (module.dlfo_eh_frame)
        return find_in_index(module.dlfo_eh_frame, pc);
    return _Unwind_Find_FDE((void *)pc, bases); /* NOLINT(performance-no-int-to-ptr) */
}

#else

int cframe_is_code(uintptr_t pc) {
    enum { NO_CODE = 4096 }; /* nothing is mapped below */
    return pc >= NO_CODE;
}

static const unsigned char *find_entry(uintptr_t pc) {
    uintptr_t bases[BASES_WORDS];
    return _Unwind_Find_FDE((void *)pc, bases); /* NOLINT(performance-no-int-to-ptr) */
}

#endif

struct row cframe_row(uintptr_t pc) {
    const unsigned char *entry = find_entry(pc);
    return entry ? entry_row(entry, pc) : (struct row){0};
}
