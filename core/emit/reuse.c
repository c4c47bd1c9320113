/* reuse.c - objects of parts by the digest of all that they were computed from. What comes from an earlier compile is
 * another worker's word: it is checked as it is read, and joined as carefully as if it were a stranger's. */
#include "reuse.h"
#include "kept.h"
#include "memory.h"

#include <stdlib.h>
#include <string.h>

struct reused {
    sm_kept_part part;
    LLVMMemoryBufferRef buffer; /* owned: holds the object; NULL: an earlier compile's do */
};

/* Starts an empty table of parts. EARLIER is an earlier compile's, which stays where it is; it is ignored if
 * damaged. */
void reuse_begin(struct reuse *r, sm_slice context, sm_slice earlier) {
    *r = (struct reuse){.context = context};
    if (!earlier.len || sm_kept_read(earlier.data, earlier.len, &r->earlier) != SM_OK)
        r->earlier = (sm_kept){NULL, 0};
}

/* The part of this compile with this key; NULL if there is none. */
static const struct reused *find_reused(const struct reuse *r, const unsigned char key[SM_KEPT_KEY]) {
    for (size_t i = 0; i < r->parts; i++)
        if (memcmp(r->created[i].part.key, key, SM_KEPT_KEY) == 0)
            return &r->created[i];
    return NULL;
}

/* The object of the part with this key, of this compile or an earlier one (*EARLIER is 1 if that has it); {NULL,
 * 0} if there is none. */
sm_slice reuse_find(const struct reuse *r, const unsigned char key[SM_KEPT_KEY], int *earlier) {
    const struct reused *created = find_reused(r, key);
    sm_slice object = sm_kept_find(&r->earlier, key);
    *earlier = object.data != NULL;
    return created ? created->part.object : object;
}

/* Adds an object, which BUFFER holds, under its key; takes BUFFER, and disposes of it if the key is there already. */
void reuse_add(struct reuse *r, const unsigned char key[SM_KEPT_KEY], sm_slice object, LLVMMemoryBufferRef buffer) {
    if (find_reused(r, key)) {
        if (buffer)
            LLVMDisposeMemoryBuffer(buffer);
        return;
    }
    r->created = xgrow(r->created, r->parts, &r->room, sizeof *r->created);
    struct reused *created = &r->created[r->parts++];
    *created = (struct reused){.part = {.object = object}, .buffer = buffer};
    memcpy(created->part.key, key, SM_KEPT_KEY);
}

/* Appends all parts of this compile to OUT, if they take at most MAX bytes; otherwise
 * nothing. */
sm_status reuse_write(struct reuse *r, size_t max, sm_buf *out) {
    sm_kept_part *list = xcalloc(r->parts, sizeof *list);
    sm_status s = SM_OK;
    for (size_t i = 0; i < r->parts; i++)
        list[i] = r->created[i].part;
    if (r->parts && sm_kept_size(list, r->parts) <= max)
        s = xstatus(sm_kept_write(out, list, r->parts));
    free(list);
    return s;
}

/* Frees all parts of this compile's and their buffers; the table is then empty. */
void reuse_end(struct reuse *r) {
    for (size_t i = 0; i < r->parts; i++)
        if (r->created[i].buffer)
            LLVMDisposeMemoryBuffer(r->created[i].buffer);
    free(r->created);
    *r = (struct reuse){0};
}
