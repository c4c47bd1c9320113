/* explain.h - a decoded stackmap as text for a person: functions, safepoints, and where each live pointer is. */
#ifndef SM_EXPLAIN_H
#define SM_EXPLAIN_H

#include "lines.h"
#include "stackmap.h"

/* Appends the text to OUT. LINES are of M's records (sm_stackmap_lines); NULL: none is known. COLOR is 1 for ANSI
 * colours. */
sm_status sm_explain(const sm_stackmap *m, const sm_lines *lines, int color, sm_buf *out);

#endif
