/* semispace.h - the heap that the programs of the bench run in: inline bump allocation, a copying collector. */
#ifndef SEMISPACE_H
#define SEMISPACE_H

#include "smclient.h"

/* What a program may refer to, by name: for sm_loader_options.resolve. */
void *semispace_symbol(void *user, const char *name);

/* Takes memory for the heap, before anything else. */
void semispace_init(void);

/* An empty heap of zeros for the code that LOADER has loaded. CHAIN is its llvm_gc_root_chain, or NULL. With STRESS an
 * allocation collects after some hundred others, and every poll is taken, of which some collect; otherwise nothing
 * ever collects, and a full heap ends the program. */
void semispace_begin(const sm_loader *loader, void **chain, int stress);

size_t semispace_allocated(void);          /* bytes since it began, without collections */
unsigned long semispace_collections(void); /* since it began */

#endif
