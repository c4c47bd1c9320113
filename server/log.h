/* log.h - one JSON object a line, on stdout. Thread-safe: a line is one write. */
#ifndef SMD_LOG_H
#define SMD_LOG_H

#include <jansson.h>

enum log_level { LOG_LEVEL_INFO, LOG_LEVEL_WARNING, LOG_LEVEL_ERROR };

/* Writes {"time","level","event", …}. FMT and what follows are jansson's json_pack arguments for an object
 * ("{s:s,s:i}", …), or NULL for none. */
void log_event(enum log_level level, const char *event, const char *fmt, ...);

#endif
