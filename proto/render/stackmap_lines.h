/* stackmap_lines.h - where in the source the safepoints of a stackmap come from. */
#ifndef SM_STACKMAP_LINES_H
#define SM_STACKMAP_LINES_H

#include "lines.h"
#include "stackmap.h"

/* Fills L with the lines of all records of M, in their order, by the DWARF of E, the object that M was read from. A
 * call's is the line of the call, not of where it returns to. SM_NOMEM. */
sm_status sm_stackmap_lines(sm_lines *l, const sm_stackmap *m, const sm_elf *e);

/* Appends, for each function of M, a list with an item for each record: the list of its frames, the innermost first, or
 * null where nothing is known. OUT's status. */
sm_status sm_stackmap_lines_json(const sm_lines *l, const sm_stackmap *m, sm_buf *out);

/* The next frame of the source of record R of function F, as sm_lines_next; the outermost has the symbol's name. */
int sm_record_source(const sm_lines *l, const sm_stackmap *m, const sm_function *f, const sm_record *r,
                     sm_line_walk *w, sm_source *out);

#endif
