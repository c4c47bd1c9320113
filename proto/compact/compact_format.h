/* compact_format.h - numbers of the format of docs/compact.md; for compact_write.c and compact_read.c. */
#ifndef SM_COMPACT_FORMAT_H
#define SM_COMPACT_FORMAT_H

#include "compact.h"

enum {
    COMPACT_MAGIC = 0x4d444d53, /* "SMDM" */
    COMPACT_VERSION = 1,
    COMPACT_HEADER = 32,       /* bytes */
    COMPACT_STREAM_GROUP = 8,  /* functions for each entry of the streams' directory */
    COMPACT_SHAPE_GROUP = 16,  /* shapes for each entry of theirs */
    COMPACT_HAS_IDS = 1,       /* of the header's flags */
    COMPACT_SLOT = 8,          /* bytes of a plain slot */
    COMPACT_BITMAP_SLOTS = 62, /* so many have a bit */
};

/* A shape's first byte: kind, reason << 3, and whether a byte of flags follows. */
enum { COMPACT_KIND = 7, COMPACT_REASON_SHIFT = 3, COMPACT_REASON = 15, COMPACT_MORE = 0x80 };
enum {
    COMPACT_CONVENTION = 1,
    COMPACT_DEOPT = 2,
    COMPACT_REGIONS = 4,
    COMPACT_LIVEOUTS = 8,
    COMPACT_FAULT = 16,
    COMPACT_PATCH = 32
};

/* Of a root that is in no bitmap. */
enum { COMPACT_DERIVED_SLOT = 1, COMPACT_ANYWHERE = 3 };

static inline const char *compact_reason(unsigned number) {
    static const char *const reasons[] = {NULL,           "entry-poll", "backedge-poll", "return-poll",
                                          "precall-poll", "explicit",   "call",          "postcall-poll"};
    return number < sizeof reasons / sizeof *reasons ? reasons[number] : NULL;
}

/* The stack pointer, which plain slots are counted from. */
static inline uint16_t compact_frame_register(uint16_t machine) {
    return machine == EM_X86_64 ? 7 : 31;
}

static inline int compact_is_slot(const sm_location *l, uint16_t machine) {
    return l->kind == SM_LOCATION_INDIRECT && l->size == COMPACT_SLOT &&
           l->dwarf == compact_frame_register(machine) && l->offset >= 0 && l->offset % COMPACT_SLOT == 0;
}

#endif
