/* ehframe.c - see ehframe.h. */
#include "ehframe.h"

#include "error.h"
#include "region.h"

#include <stdlib.h>
#include <string.h>

/* 1 if section I is an .eh_frame that has a place. */
static int is_frames(const struct image *im, size_t i) {
    return im->section[i].placed && strcmp(im->elf.section[i].name, ".eh_frame") == 0;
}

static sm_result no_memory(const struct image *im) {
    return fail(im->err, SM_ERR_NO_MEMORY, "Out of memory: no room for unwind tables");
}

sm_result unwind_read(const struct image *im, struct frames *f) {
    for (size_t i = 1; i < im->elf.sections; i++)
        if (is_frames(im, i))
            frames_read(f, im->section[i].host, im->elf.section[i].size);
    frames_sort(f);
    return f->no_memory ? no_memory(im) : SM_SUCCESS;
}

/* The number of functions that section I describes; 0 if it cannot be read to its end or describes code outside its
 * object: the C runtime's unwinder would trust it, so it is not registered. SIZE_MAX if there is no memory. */
static size_t sound_entries(const struct image *im, size_t i) {
    struct frames f = {0};
    const struct span *code = &im->span[AREA_CODE];
    int sound = frames_read(&f, im->section[i].host, im->elf.section[i].size);
    for (size_t k = 0; k < f.fdes; k++)
        sound &= f.fde[k].start - code->start < code->bytes && f.fde[k].end - code->start <= code->bytes;
    size_t fdes = f.no_memory ? SIZE_MAX : sound ? f.fdes : 0;
    frames_free(&f);
    return fdes;
}

sm_result unwind_register(const struct image *im, struct unwind **out) {
    size_t count = 0;
    *out = NULL;
    for (size_t i = 1; i < im->elf.sections; i++)
        count += is_frames(im, i);
    if (!count)
        return SM_SUCCESS;
    struct unwind *u = calloc(1, sizeof *u + count * sizeof u->section[0]);
    if (!u)
        goto out_of_memory;
    u->start = im->span[AREA_CODE].start;
    for (size_t i = 1; i < im->elf.sections; i++) {
        size_t fdes = is_frames(im, i) ? sound_entries(im, i) : 0;
        if (fdes == SIZE_MAX)
            goto out_of_memory;
        if (fdes)
            u->section[u->count++] = im->section[i].host;
        u->fdes += fdes;
    }
    if (u->count && !unwinder_add(&im->region->unwinder, u))
        goto out_of_memory;
    *out = u;
    return SM_SUCCESS;
out_of_memory:
    free(u);
    return no_memory(im);
}

/* Unregisters what unwind_register has registered, and frees it; NULL is fine. */
void unwind_forget(struct region *r, struct unwind *u) {
    if (u && u->count)
        unwinder_remove(&r->unwinder, u);
    free(u);
}
