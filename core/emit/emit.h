/* emit.h - the module as object, assembly and text, unsplit or in parts on several threads; which call each record
 * came from.
 *
 *   emit.c          module -> object, assembly, text
 *   record_ids.c    numbers instead of ids during code generation, to know each record's call
 *   merges.c        could the numbers have changed the code?
 *   skip_passes.c   passes of code generation that would find nothing are left out
 *   record_links.c  which call each record came from, and which value each root is
 *   parts.c         code generation of a large module in parts, on several threads
 *   part.c          one part: read into a context of its own, and emitted
 *   partition.c     which function is in which part
 *   unit.c          a part whose object a later compile can reuse
 *   unsplittable.c  modules that cannot be compiled in parts, and why
 *   reuse.c         objects of parts by the digest of what they were computed from
 *   helpers.c       the threads of a worker beside its own
 */
#ifndef CORE_EMIT_H
#define CORE_EMIT_H

#include "state.h"

/* ---- emit.c ---- */

sm_status stage_emit(struct compile *c);
void emit_free(struct compile *c);
int emit_same(const struct emitted *a, const struct emitted *b);

/* ---- record_ids.c ---- */

void sites_number(struct compile *c);
uint64_t sites_number_from_0(LLVMModuleRef module); /* numbers begin at 0; gives what was taken from each */
void sites_restore(struct compile *c, unsigned char *section, sm_stackmap *m);
void sites_free(struct compile *c);

/* ---- merges.c ---- */

/* 1 if numbers may have kept LLVM from merging two statepoints of the object */
int merge_candidates_exist(const struct compile *c);

/* ---- skip_passes.c ---- */

/* Code generation of the module as it stands goes without passes that would find nothing */
void skip_passes(const struct compile *c);

/* ---- record_links.c ---- */

/* Before sites_number; when the object is there; and as JSON */
void links_prepare(struct compile *c);
void links_read(struct compile *c);
void links_json(struct compile *c, sm_buf *out);
void links_free(struct compile *c);

/* ---- parts.c ---- */

/* 1 if the module's code was generated in parts; then *BYTES, *new*, is its object, and the module is as it
 * was */
int parts_emit(struct compile *c, unsigned char **bytes, size_t *len);

#endif
