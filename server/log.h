/* log.h - one JSON object a line, on stdout. Thread-safe: a line is one write. */
#ifndef SMD_LOG_H
#define SMD_LOG_H

#include "buf.h"

#include <jansson.h>

enum log_level { LOG_LEVEL_INFO, LOG_LEVEL_WARNING, LOG_LEVEL_ERROR };

/* Writes {"time","level","event", …}. FMT and what follows are jansson's json_pack arguments for an object
 * ("{s:s,s:i}", …), or NULL for none. */
void log_event(enum log_level level, const char *event, const char *fmt, ...);

/* The same in two steps, for lines that come often: begins LINE, a buffer that the caller has initialised; the caller
 * appends members, each with a comma before it; log_end writes and frees it. */
void log_begin(sm_buf *line, enum log_level level, const char *event);
void log_end(sm_buf *line);

#endif
