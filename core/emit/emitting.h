/* emitting.h - the steps of emit.c that are in files of their own. */
#ifndef CORE_EMITTING_H
#define CORE_EMITTING_H

#include "state.h"

void sites_number(struct compile *c);
uint64_t sites_number_from_0(LLVMModuleRef module); /* numbers begin at 0; gives what was taken from each */
void sites_free(struct compile *c);
void sites_restore(struct compile *c, unsigned char *section, sm_stackmap *m);

/* 1 if numbers may have kept LLVM from merging two statepoints of the object */
int merge_candidates_exist(const struct compile *c);

/* Code generation of the module as it stands goes without passes that would find nothing */
void skip_passes(const struct compile *c);

/* Before sites_number; when the object is there; and as JSON */
void links_prepare(struct compile *c);
void links_read(struct compile *c);
void links_free(struct compile *c);

/* 1 if the module's code was generated in parts; then *BYTES, *new*, is its object, and the module is as it
 * was */
int parts_emit(struct compile *c, unsigned char **bytes, size_t *len);

#endif
