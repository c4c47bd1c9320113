/* report.h - what is reported of the object: tables as JSON and text, and advice.
 *
 *   decode.c           the object's tables -> JSON and text
 *   stackmap_format.c  the object's table in the format that is asked for
 *   disasm.c           the object's code as text, with a mark at every safepoint
 *   meta.c             options in force, pipeline, and the command line that does the same
 *   advice.c           warnings: what may not have been meant
 */
#ifndef CORE_REPORT_H
#define CORE_REPORT_H

#include "state.h"

/* ---- decode.c ---- */

sm_status stage_decode(struct compile *c);
sm_status decode_foreign(struct compile *c); /* the input is an object */

/* ---- stackmap_format.c ---- */

sm_status stage_table(struct compile *c);

/* ---- disasm.c ---- */

sm_status stage_disasm(struct compile *c);

/* ---- meta.c ---- */

sm_status stage_meta(struct compile *c);

/* ---- advice.c ---- */

sm_status stage_advice(struct compile *c);

#endif
