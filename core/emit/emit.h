/* emit.h - the module as object, assembly and text, unsplit or in parts on several threads; which call each record
 * came from.
 *
 *   emit.c          module -> object, assembly, text; page polls are written over the room that LLVM left
 *   emitting.h      the steps of emit.c that are in files of their own
 *   record_ids.c    numbers instead of ids during code generation, to know each record's call
 *   merges.c        could the numbers have changed the code?
 *   skip_passes.c   passes of code generation that would find nothing are left out
 *   record_links.c  which call each record came from, and which value each root is
 *   parts.c         code generation of a large module in parts, on several threads
 *   part.c          one part: read into a context of its own, and emitted; units, whose objects a later
 *                   compile can reuse
 *   partition.c     which function is in which part
 *   unsplittable.c  modules that cannot be compiled in parts, and why
 *   reuse.c         objects of parts by the digest of what they were computed from
 *   helpers.c       the threads of a worker beside its own
 */
#ifndef CORE_EMIT_H
#define CORE_EMIT_H

#include "state.h"

/* ---- emit.c ---- */

sm_status stage_emit(struct compile *c);
void emit_free(struct compile *c); /* all that this room has left in the compile */
int emit_same(const struct emitted *a, const struct emitted *b);

/* ---- unsplittable.c ---- */

/* Why the module's code is not generated in parts: what "it" has. Static; NULL if it can be. */
const char *unsplittable_because(struct compile *c);

/* ---- record_links.c ---- */

void links_json(struct compile *c, sm_buf *out);

#endif
