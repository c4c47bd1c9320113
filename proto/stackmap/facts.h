/* facts.h - what a statepoint's record says of its regions beside where they are: which words in them are references,
 * how wide and of which address space, with which tag bits, of what type, and whether their objects may move.
 *
 * LLVM's table has no room for that, but a record may have any number of deoptimisation values. So the last ones of a
 * record are facts, if the very last is SM_FACTS_MARK with the number of words before it in its low 16 bits. They
 * survive every linker, and a reader that does not know them sees constants. docs/stackmap.md specifies the words.
 */
#ifndef SM_FACTS_H
#define SM_FACTS_H

#include "buf.h"

#define SM_FACTS_MARK UINT64_C(0x534d444600010000) /* "SMDF", version 1 */

enum {
    SM_FACTS_COUNT_MASK = 0xffff,
    SM_FACTS_FIELDS_MAX = 0xffff, /* of one region */
};

/* The first word of a region: these bits, and from bit 8 on the number of its fields, or, of one that is not known,
 * its bytes. Then the words that the bits ask for, in this order: type, mask, bytes; then the fields. */
enum {
    SM_FACT_UNKNOWN = 1, /* what is in the region is known to its frontend alone */
    SM_FACT_PINNED = 2,
    SM_FACT_TYPE = 4,
    SM_FACT_SYMBOL = 8, /* the type is the key of a symbol (SM_TYPES_SECTION) */
    SM_FACT_MASK = 16,
    SM_FACT_LONG = 32,  /* a field has two words: stride, space, width beside offset and count */
    SM_FACT_BYTES = 64, /* a root that was declared as a whole, of so many bytes */
    SM_FACT_BITS = 127,
    SM_FACT_FIELDS_SHIFT = 8,
};

/* Of a field's first word: the offset in the low half, the count in the high one. Of the second: stride in the low
 * half. */
enum { SM_FIELD_SPACE_SHIFT = 32, SM_FIELD_WIDTH_SHIFT = 56 };

/* Pairs of the key and the address of each symbol that is a type. */
#define SM_TYPES_SECTION ".smd_types"
uint64_t sm_type_key(const char *symbol);

/* COUNT references, the first at OFFSET, STRIDE bytes from one to the next. */
typedef struct sm_reference_run {
    uint32_t offset, count, stride; /* bytes; of one reference the stride is its width */
    uint32_t space;
    uint8_t width; /* bytes: 8 or 4 */
} sm_reference_run;

typedef struct sm_region_facts {
    uint8_t bits; /* SM_FACT_… */
    uint32_t runs;
    uint32_t first; /* the word that its fields begin with; for sm_facts_run */
    uint64_t bytes; /* of one that is not known, or with SM_FACT_BYTES; 0 if the record does not say */
    uint64_t type, tag_mask;
} sm_region_facts;

/* The words, wherever they are kept. AT gives number I of N. */
typedef struct sm_facts {
    const void *from;
    uint64_t (*at)(const void *from, uint32_t i);
    uint32_t n;
} sm_facts;

/* Reads the next region's facts at word *AT, and moves it on. Where there are no more words, a region is one reference.
 * SM_INVALID_STACKMAP if the words are none of these. */
sm_status sm_facts_next(const sm_facts *f, uint32_t *at, sm_region_facts *out);

/* Run I (below r->runs) of a region's references. */
sm_status sm_facts_run(const sm_facts *f, const sm_region_facts *r, uint32_t i, sm_reference_run *out);

/* SM_OK if the words are facts of at most REGIONS regions. */
sm_status sm_facts_check(const sm_facts *f, uint32_t regions);

#endif
