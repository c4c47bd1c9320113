/* ehframe.c - see ehframe.h. */
#include "ehframe.h"

#include "error.h"

#include <stdlib.h>
#include <string.h>

/* libgcc's: the whole section, up to a word of zeros. */
extern void __register_frame(void *section);
extern void __deregister_frame(void *section);

static int is_frames(const struct image *im, size_t i) {
    return im->section[i].placed && strcmp(im->elf.section[i].name, ".eh_frame") == 0;
}

void unwind_read(const struct image *im, struct frames *f) {
    for (size_t i = 1; i < im->elf.sections; i++)
        if (is_frames(im, i))
            frames_read(f, im->section[i].host, im->elf.section[i].size);
    frames_sort(f);
}

/* libgcc believes what it reads: a section that ours cannot read to the end is kept from it. */
static int is_sound(const struct image *im, size_t i) {
    struct frames f = {0};
    int sound = frames_read(&f, im->section[i].host, im->elf.section[i].size) && f.fdes;
    frames_free(&f);
    return sound;
}

sm_result unwind_register(const struct image *im, struct unwind **u) {
    size_t count = 0;
    *u = NULL;
    for (size_t i = 1; i < im->elf.sections; i++)
        count += is_frames(im, i);
    if (!count)
        return SM_SUCCESS;
    *u = calloc(1, sizeof **u + count * sizeof(*u)->section[0]);
    if (!*u)
        return fail(im->err, SM_ERR_NO_MEMORY, "There is no memory for unwind tables");
    for (size_t i = 1; i < im->elf.sections; i++)
        if (is_frames(im, i) && is_sound(im, i)) {
            __register_frame(im->section[i].host);
            (*u)->section[(*u)->count++] = im->section[i].host;
        }
    return SM_SUCCESS;
}

void unwind_forget(struct unwind *u) {
    for (size_t i = 0; u && i < u->count; i++)
        __deregister_frame(u->section[i]);
    free(u);
}
