/* encoded.h - references that are no plain pointers: tagged, boxed in doubles, compressed.
 *
 *   tags.c                smd.gc.to_int, smd.gc.from_int: references that are integers with tag bits for a
 *                         while
 *   tag_values.c          what one integer says of itself: tags, an address, a number
 *   tagged_slots.c        stack slots that hold tagged references
 *   nan_boxes.c           doubles that may hold a reference (NaN boxing)
 *   compressed_input.c    compressed references, 32 bits wide: the option spaces; before the optimiser
 *   compressed_slots.c    before the rewrite: those that are alive across a safepoint are kept in slots
 *   compressed_check.c    refuses what could not be right with compressed references
 *   moved_spaces.c        references of a library's strategy in other address spaces than 1
 *   module_text.c         the module is printed, changed as a text, and read again
 *   compressed_to_i32.c   after the rewrite: compressed references become integers of 32 bits
 */
#ifndef CORE_ENCODED_H
#define CORE_ENCODED_H

#include "state.h"

/* ---- tags.c ---- */

/* References that are integers for a while; before the rewrite */
sm_status tags_keep(struct compile *c); /* right before the optimiser */
sm_status tags_to_slots(struct compile *c);

/* ---- compressed_input.c ---- */

sm_status stage_encoded(struct compile *c); /* with what tags.c declares */

/* References of 32 bits. The option; before scopes are attached; after the rewrite */
sm_status spaces_read(struct compile *c);

/* ---- compressed_slots.c ---- */

sm_status spaces_to_slots(struct compile *c);

/* ---- moved_spaces.c ---- */

/* A library's references of other address spaces: into space 1, once all functions have strategies; and back, after the
 * rewrite */
sm_status spaces_move(struct compile *c);
sm_status spaces_move_back(struct compile *c);

/* ---- compressed_to_i32.c ---- */

sm_status spaces_narrow(struct compile *c);

#endif
