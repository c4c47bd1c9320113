/* ehframe.h - an object's .eh_frame sections, registered with the C runtime's unwinder. */
#ifndef EHFRAME_H
#define EHFRAME_H

#include "frames.h"
#include "image.h"

/* Reads every .eh_frame of a filled image. An entry that cannot be read is no error: the walk ends at frames of
 * those functions (SM_ERR_NO_UNWIND). SM_ERR_NO_MEMORY. */
sm_result unwind_read(const struct image *im, struct frames *f);

/* Registers them, with the image's region. *OUT is *new* (unwind_forget); NULL if there are none. */
sm_result unwind_register(const struct image *im, struct unwind **out);
void unwind_forget(struct region *r, struct unwind *u);

#endif
