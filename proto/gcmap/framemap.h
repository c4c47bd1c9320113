/* framemap.h - the frame maps of the shadow-stack strategy: __gc_<function>, how many roots a frame holds and their
 * metadata. Layout: LLVM 19, lib/CodeGen/ShadowStackGCLowering.cpp (FrameMap). */
#ifndef SM_FRAMEMAP_H
#define SM_FRAMEMAP_H

#include "stackmap.h"

/* Adds a function to M for each frame map that the object's symbols name. SM_INVALID_OBJECT if symbols or relocations
 * are damaged, SM_NOMEM. What only looks like a frame map by its name is passed over. */
sm_status sm_framemaps_of_object(sm_stackmap *m, const sm_elf *e);

#endif
