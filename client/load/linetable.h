/* linetable.h - where in the source an object's code comes from, by its DWARF, at a byte or two for each safepoint.
 *
 * A function has a stream of bytes: for each of its safepoints, in the order of their addresses, or, in a table of all
 * lines, for each place where another line begins:
 *
 *     uv  of these alone: how many bytes the place is after the one before, or after where the function begins
 *     uv  2 * line + changes; `line` is an sv: the line less that of the one before, or less the context's
 *     sv  if it changes: the context, less the one before; both begin as context 0
 *
 * uv and sv are the numbers of docs/compact.md. A context is a function of the source with the file that its lines are in, as
 * it was inlined into another context. Context 0 is of what is not known. A context is:
 *
 *     uv  how many contexts before it the outer one is; 0: it was not inlined
 *     uv  1 + where its function's name is among the texts; 0: not known
 *     uv  likewise of its file
 *     uv  the line that the first of its lines has
 *     sv  if it was inlined: the line of the call, less that of the outer context
 */
#ifndef LINETABLE_H
#define LINETABLE_H

#include "image.h"
#include "object.h"

/* Reads the lines of an image in its place: of all its code, or of its safepoints. *TABLE is *new* (lines_free); NULL if
 * the object has no debug information. Fails only when out of memory. */
sm_result lines_read(struct image *im, const sm_object *o, int all, struct line_table **table);
void lines_free(struct line_table *t);

/* Of a table of all lines: calls EACH for every place in a function where another line begins, with the file and line of
 * the innermost frame there (NULL and 0: not known). */
void lines_each(const sm_object *o, const sm_code *code,
                void (*each)(void *user, uintptr_t address, const char *file, uint32_t line), void *user);

/* The bytes of a table's streams, and of all but its texts. */
void lines_bytes(const struct line_table *t, size_t *streams, size_t *all);

/* Fills FRAME with the frames of the source at an instruction of the object, the innermost first, at most ROOM of them:
 * function, file and line; gives their number. In a table of safepoints INSTRUCTION is the last byte of the call. Takes
 * no lock and no memory. */
size_t lines_at(const sm_object *o, uintptr_t instruction, sm_source_frame *frame, size_t room);

#endif
