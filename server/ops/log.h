/* log.h - one JSON object a line, on stdout, in the order in which they came. Thread-safe.
 *
 * A thread writes the lines, many at once, a few milliseconds after they came, so that no other thread waits for the
 * log's reader. If the reader falls behind by a megabyte, lines are lost, and a line "log_lines_lost" says how many.
 */
#ifndef SMD_LOG_H
#define SMD_LOG_H

#include "buf.h"

#include <jansson.h>

enum log_level { LOG_LEVEL_INFO, LOG_LEVEL_WARNING, LOG_LEVEL_ERROR };

/* Starts the thread. What comes before is written at once, as is everything if it cannot be started. */
void log_start(void);

/* Ends the thread when everything is written, or when the reader has taken nothing for a second. Lines that come
 * later are written at once. */
void log_stop(void);

/* Writes {"time","level","event", …}. FMT and what follows are jansson's json_pack arguments for an object
 * ("{s:s,s:i}", …), or NULL for none. */
void log_event(enum log_level level, const char *event, const char *fmt, ...);

/* The same in two steps, for lines that come often: begins LINE, a buffer that the caller has initialised; the caller
 * appends members, each with a comma before it; log_end writes and frees it. */
void log_begin(sm_buf *line, enum log_level level, const char *event);
void log_end(sm_buf *line);

#endif
