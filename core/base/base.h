/* base.h - one compile's state, its diagnostics and what they name, and sets: what every room uses.
 *
 *   state.h           struct compile: one compile's options, module and results
 *   diag.c            diagnostics of a compile: errors, warnings, remarks, each with its place
 *   diag_place.c      the line and column of the posted text that a diagnostic is about, where that is
 *                     certain
 *   deviations.c      where a compile does what LLVM's own tools do not do, and the sentence that says so
 *   memory.c          allocations that end the process when memory runs out
 *   capture.c         stderr as a bounded memory file, so that what LLVM prints there can be read back
 *   set.c             a set of LLVM's values or blocks, in the order in which they were added
 *   strategy_names.c  the GC strategies that exist, and what kind each is
 */
#ifndef CORE_BASE_H
#define CORE_BASE_H

#include "state.h"

#include <unistd.h>

/* ---- diag.c ---- */

/* Adds a diagnostic; FUNCTION may be NULL. fail_* give S back, so that a stage can return them. */
sm_status fail(struct compile *c, sm_status s, LLVMValueRef function, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
/* Likewise over an option: OPTION, which is static, becomes the answer's member "option";
 * NULL: it is about none. */
sm_status fail_option(struct compile *c, sm_status s, const char *option, LLVMValueRef function, const char *fmt, ...)
    __attribute__((format(printf, 5, 6)));
void diag_add(struct compile *c, const char *severity, const char *function, const char *message);
void diag_add_place(struct compile *c, const char *message, int line, int column, const char *source);
void remark(struct compile *c, const char *pass, LLVMValueRef function, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
void diag_install(struct compile *c);            /* LLVM's diagnostics of the context become the compile's */
json_t *json_utf8(const char *text, size_t len); /* a JSON string; bytes that are not UTF-8 become U+FFFD */
sm_status json_append(const json_t *value, sm_buf *out);

/* Adds a warning to the compile's advice; none beyond a hundred */
void advise(struct compile *c, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* ---- capture.c ---- */

/* What LLVM writes to stderr while it runs. */
void capture_init(void);                      /* stderr becomes a bounded memory file if it is not one already */
void capture_share(void);                     /* from here on smd learns the stage from the log; see frame.h */
void capture_stage(int stage);                /* enum sm_stage; -1 for none */
size_t capture_text(char *text, size_t size); /* what was written since, terminated; gives its length */

/* Forgets what was written. */
static inline void capture_reset(void) {
    lseek(STDERR_FILENO, 0, SEEK_SET);
}

/* ---- strategy_names.c ---- */

enum { GC_STATEPOINTS = 1, GC_ROOTS = 2, PLUGINS_MAX = 16 };
int gc_features(const char *gc);  /* one of these; 0 if there is no such strategy, or GC is NULL */
int is_plugin_gc(const char *gc); /* LLVM knows it from a library (plugins.c) */

static inline int is_statepoint_gc(const char *gc) {
    return gc_features(gc) == GC_STATEPOINTS;
}

enum { SPACE_MAX = 255 };

/* A bit for each address space up to SPACE_MAX whose pointers are references; NULL if those of 1 alone are. Static. */
const unsigned char *gc_spaces(const char *gc);
void gcs_add(const char *name, int features,
             const unsigned char *spaces); /* there is one more, or one is of another kind */
const char *const *known_strategies(void); /* NULL-terminated */
enum { NAMES_MAX = 1600 };                 /* bytes of all their names */

#endif
