/* bundle.h - many artifacts in one piece: the answer of GET /v1/stream, and a bundle, which is the same in a file.
 *
 *     "SMDBNDL1"   64 characters key context
 *     for each artifact: u32 length of its signature   u64 length of the artifact   32 bytes key   signature   artifact
 *     u32 0   u64 0   u64 artifacts before   u64 artifacts that were recorded, and are not there   16 bytes 0
 *
 * Numbers are little-endian. A stream without that end was cut off. An artifact has its own digest; its signature is what
 * the header X-Smd-Signature has.
 */
#ifndef SM_BUNDLE_H
#define SM_BUNDLE_H

#include "buf.h"

#define SM_BUNDLE_MAGIC "SMDBNDL1"
enum {
    SM_BUNDLE_CONTEXT = 64,
    SM_BUNDLE_HEAD = 8 + SM_BUNDLE_CONTEXT,
    SM_BUNDLE_FRAME = 44,
    SM_BUNDLE_SIGNATURE = 255
};

/* The head of a frame. */
typedef struct sm_bundle_frame {
    uint64_t artifact_len;  /* 0: it is the end */
    uint32_t signature_len; /* SM_BUNDLE_SIGNATURE at most */
    unsigned char key[32];
    uint64_t artifacts, missing; /* of the end */
} sm_bundle_frame;

static inline void sm_bundle_write(const sm_bundle_frame *f, unsigned char out[SM_BUNDLE_FRAME]) {
    sm_store_le(out, f->signature_len, 4);
    sm_store_le(out + 4, f->artifact_len, 8);
    memcpy(out + 12, f->key, sizeof f->key);
    if (f->artifact_len)
        return;
    memset(out + 12, 0, sizeof f->key);
    sm_store_le(out + 12, f->artifacts, 8);
    sm_store_le(out + 20, f->missing, 8);
}

/* 0 if it is none that sm_bundle_write writes. */
static inline int sm_bundle_read(const unsigned char in[SM_BUNDLE_FRAME], sm_bundle_frame *f) {
    f->signature_len = (uint32_t)sm_load_le(in, 4);
    f->artifact_len = sm_load_le(in + 4, 8);
    memcpy(f->key, in + 12, sizeof f->key);
    f->artifacts = sm_load_le(in + 12, 8);
    f->missing = sm_load_le(in + 20, 8);
    return f->signature_len <= SM_BUNDLE_SIGNATURE && (f->artifact_len || !f->signature_len);
}

#endif
