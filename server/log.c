/* log.c - see log.h. */
#include "log.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const char *now_utc(char *buf, size_t size) {
    struct timespec ts;
    struct tm tm;
    clock_gettime(CLOCK_REALTIME, &ts);
    gmtime_r(&ts.tv_sec, &tm);
    size_t n = strftime(buf, size, "%Y-%m-%dT%H:%M:%S", &tm);
    snprintf(buf + n, size - n, ".%03ldZ", ts.tv_nsec / 1000000);
    return buf;
}

static const char *const levels[] = {"info", "warning", "error"};

void log_begin(sm_buf *line, enum log_level level, const char *event) {
    char time[40];
    sm_buf_printf(line, "{\"time\":\"%s\",\"level\":\"%s\",\"event\":\"%s\"", now_utc(time, sizeof time),
                  levels[level], event);
}

void log_end(sm_buf *line) {
    if (sm_buf_puts(line, "}\n") == SM_OK) {
        ssize_t written = write(STDOUT_FILENO, line->data, line->len); /* one write, no interleaving */
        (void)written; /* a log that cannot be written must not stop the service */
    }
    sm_buf_free(line);
}

void log_event(enum log_level level, const char *event, const char *fmt, ...) {
    char time[40];
    json_t *line =
        json_pack("{s:s,s:s,s:s}", "time", now_utc(time, sizeof time), "level", levels[level], "event", event);
    if (line && fmt) {
        va_list ap;
        va_start(ap, fmt);
        json_t *more = json_vpack_ex(NULL, 0, fmt, ap);
        va_end(ap);
        json_object_update_missing_new(line, more);
    }
    char *text = line ? json_dumps(line, JSON_COMPACT) : NULL;
    json_decref(line);
    if (!text)
        return;
    size_t n = strlen(text);
    text[n] = '\n'; /* in the terminator's place: one write, no interleaving */
    ssize_t written = write(STDOUT_FILENO, text, n + 1);
    (void)written;
    free(text);
}
