/* artifact.h - what one compile gave, as one piece of bytes: it travels, is cached and is checked whole.
 *
 * Header, 64 bytes:
 *     "SMDARTF1"   u32 version   u32 status   u32 parts   u32 zero   u64 length (of everything, header included)
 *     32 bytes SHA-256 of everything else
 * then for each part: u32 kind, u32 zero, u64 offset (from the header's first byte, 8-aligned), u64 length;
 * then the parts' bytes. Parts are in ascending order of kind, at most one of each, and do not overlap.
 */
#ifndef SM_ARTIFACT_H
#define SM_ARTIFACT_H

#include "buf.h"

#define SM_ARTIFACT_VERSION 1u
#define SM_ARTIFACT_HEADER  64u

enum sm_part {
    SM_PART_META = 1, /* JSON object: target, pipeline, reproduce … : nothing that differs between equal compiles */
    SM_PART_DIAGNOSTICS = 2, /* JSON array of {severity, message, line?, column?, source?, function?}; may be empty */
    SM_PART_OBJECT = 3,      /* ELF64 relocatable */
    SM_PART_STACKMAP = 4,    /* JSON object of stackmap.schema.json */
    SM_PART_IR = 5,          /* text */
    SM_PART_ASM = 6,         /* text */
    SM_PART_DISASM = 7,      /* text */
    SM_PART_REMARKS = 8,     /* JSON array */
    SM_PART_EXPLAIN = 9,     /* text: the stackmap for a person */
    SM_PART_MODERN = 10,     /* text: the module as it was read, in today's LLVM's syntax */
    SM_PART_STAGES = 11,     /* JSON array of {stage, ir}: the module after each */
    SM_PART_LINKS =
        12, /* JSON array: of each function, of each safepoint, its line in the IR and its roots' values */
    SM_PART_DETAIL =
        13, /* text, of a failure alone: what is wrong, in a sentence or two; for smd, which parses nothing */
    SM_PART_OPTION = 14, /* text, of a failure alone: the name of the option that is wrong; likewise */
    SM_PART_LINES = 15,  /* JSON array: of each function, of each safepoint, its frames in the source */
    SM_PART_KINDS = 16,  /* one more than the last */
};

/* Bytes of parts that smd puts into answers as they are. */
#define SM_META_MAX        ((size_t)1 << 20)
#define SM_DIAGNOSTICS_MAX ((size_t)4 << 20)
#define SM_DETAIL_MAX      ((size_t)4 << 10)
#define SM_OPTION_NAME_MAX ((size_t)63)

typedef struct sm_slice {
    const unsigned char *data; /* borrowed; NULL if there is no such part */
    size_t len;
} sm_slice;

typedef struct sm_artifact {
    sm_status status;             /* SM_OK, or why there is no object */
    sm_slice part[SM_PART_KINDS]; /* indexed by enum sm_part; borrowed from the bytes that were read */
} sm_artifact;

/* Appends an artifact of the given status and parts to OUT. The digest is computed. */
sm_status sm_artifact_write(sm_buf *out, const sm_artifact *a);

/* Reads an artifact that fills BYTES exactly. SM_TRUNCATED, SM_MALFORMED, SM_INCOMPATIBLE (another version),
 * SM_DAMAGED (digest). */
sm_status sm_artifact_read(const void *bytes, size_t len, sm_artifact *out);

/* How long an artifact that begins BYTES says it is; 0 if it does not say. */
uint64_t sm_artifact_length(const void *bytes, size_t len);

/* The name of a part as in answers ("obj", "stackmap", …). Static storage. */
const char *sm_part_name(unsigned part);

#endif
