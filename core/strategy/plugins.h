/* plugins.h - LLVM's own way to other strategies: shared libraries that register a GCStrategy, and a
 * GCMetadataPrinter where it has metadata. LLVM stays linked as a shared library, which theirs is the same as. */
#ifndef CORE_PLUGINS_H
#define CORE_PLUGINS_H

#include "buf.h"

/* What kind of strategy NAME is: small modules are compiled with it. SPACES gets a bit for each address space whose
 * pointers are references (gc_spaces), if it has statepoints. Called in a child. */
typedef int plugin_trial(const char *name, unsigned char *spaces);
enum { IS_STATEPOINTS, IS_ROOTS, IS_BROKEN };

/* LIST is "PATH:NAME,PATH:NAME": loads each library, and finds out what kind of strategy it brings by this name.
 * Requires compiler_init, and a process that may open files and fork. 0, and WHY (static), if one is not in order. */
int plugins_load(const char *list, plugin_trial *try_strategy, const char **why);

/* " -load=PATH" for each library, as llc takes it. */
void plugins_put_flags(sm_buf *out);

/* For the compiler's build, which is part of every key: a digest of the libraries' bytes, if there are any. */
void plugins_put_build(sm_buf *out);

#endif
