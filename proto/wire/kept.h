/* kept.h - objects of a module's parts that a later compile may take over, each by the digest of all that it was made
 * of.
 *
 * Header, 64 bytes:
 *     "SMDKEPT1"   u32 version   u32 parts   u64 length (of everything, header included)   u64 zero
 *     32 bytes SHA-256 of everything else
 * then for each part, in ascending order of keys: 32 bytes key, u64 offset (from the header's first byte, 8-aligned),
 * u64 length; then the parts' bytes, one after another.
 */
#ifndef SM_KEPT_H
#define SM_KEPT_H

#include "artifact.h" /* sm_slice */
#include "buf.h"

#define SM_KEPT_VERSION 1u
#define SM_KEPT_HEADER  64u
#define SM_KEPT_KEY     32u

typedef struct sm_kept_part {
    unsigned char key[SM_KEPT_KEY];
    sm_slice object; /* borrowed */
} sm_kept_part;

/* Kept parts that were read. All zero: none. */
typedef struct sm_kept {
    const unsigned char *bytes; /* borrowed */
    size_t parts;
} sm_kept;

/* How many bytes sm_kept_write would append. */
size_t sm_kept_size(const sm_kept_part *part, size_t parts);

/* Sorts PART, which has each key once, and appends it to OUT. */
sm_status sm_kept_write(sm_buf *out, sm_kept_part *part, size_t parts);

/* Reads what fills BYTES exactly, and may begin at any address. SM_TRUNCATED, SM_MALFORMED, SM_INCOMPATIBLE (another
 * version), SM_DAMAGED (digest). */
sm_status sm_kept_read(const void *bytes, size_t len, sm_kept *out);

/* The object of this key; {NULL, 0} if there is none. */
sm_slice sm_kept_find(const sm_kept *k, const unsigned char key[SM_KEPT_KEY]);

#endif
