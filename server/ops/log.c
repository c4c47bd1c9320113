/* log.c - see log.h. */
#include "log.h"

#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { ROOM = 1 << 20, GATHER_US = 4000 };

static char room[2][ROOM]; /* one half is filled while the other is written */

static struct {
    pthread_mutex_t lock;
    pthread_cond_t wake; /* there are lines now, or the end has come */
    char *lines;         /* that wait: one half of `room` */
    size_t len;
    unsigned long lost; /* lines for which there was no room, and that no line has reported yet */
    int runs, ends;     /* booleans */
    pthread_t thread;
} to = {.lock = PTHREAD_MUTEX_INITIALIZER, .wake = PTHREAD_COND_INITIALIZER, .lines = room[0]};

/* ---- A line's beginning ------------------------------------------------------------------------------------- */

/* The time to the second as text, which is kept, since many lines have the same. */
static const char *second_of(time_t now) {
    static _Thread_local struct {
        time_t second;
        char text[32];
    } last;
    struct tm tm;
    if (now != last.second) {
        last.second = now;
        strftime(last.text, sizeof last.text, "%Y-%m-%dT%H:%M:%S.", gmtime_r(&now, &tm));
    }
    return last.text;
}

/* Appends the time, to the millisecond in UTC. */
static void put_time(sm_buf *line) {
    struct timespec ts;
    clock_gettime(CLOCK_REALTIME, &ts);
    long ms = ts.tv_nsec / 1000000;
    char digits[] = {(char)('0' + ms / 100), (char)('0' + ms / 10 % 10), (char)('0' + ms % 10), 'Z'};
    sm_buf_adds(line, second_of(ts.tv_sec));
    sm_buf_add(line, digits, sizeof digits);
}

static const char *const levels[] = {"info", "warning", "error"};

void log_begin(sm_buf *line, enum log_level level, const char *event) {
    sm_buf_adds(line, "{\"time\":\"");
    put_time(line);
    sm_buf_adds(line, "\",\"level\":\"");
    sm_buf_adds(line, levels[level]);
    sm_buf_adds(line, "\",\"event\":\"");
    sm_buf_adds(line, event);
    sm_buf_adds(line, "\"");
}

/* ---- Writing ------------------------------------------------------------------------------------------------ */

/* A log that cannot be written must not stop the service: what fails is left out. */
static void write_whole(const char *text, size_t len) {
    while (len) {
        ssize_t n = write(STDOUT_FILENO, text, len);
        if (n < 0 && errno != EINTR)
            return;
        if (n > 0) {
            text += n;
            len -= (size_t)n;
        }
    }
}

/* Appends a line to those that wait. 0 if there is no room. Under the lock. */
static int append_locked(const void *line, size_t len) {
    if (len > ROOM - to.len)
        return 0;
    memcpy(to.lines + to.len, line, len);
    to.len += len;
    if (to.len == len)
        pthread_cond_signal(&to.wake);
    return 1;
}

/* Begins the half that is now empty with a line that says how many lines the other had no room for. Under the lock.
 * */
static void tell_of_losses(void) {
    sm_buf line;
    sm_buf_init(&line, 1000);
    log_begin(&line, LOG_LEVEL_WARNING, "log_lines_lost");
    sm_buf_printf(&line, ",\"count\":%lu}\n", to.lost);
    if (append_locked(line.data, line.len))
        to.lost = 0;
    sm_buf_free(&line);
}

/* Waits for lines, gathers for a moment, and takes them; the other half is filled from then on. 0 at the end. */
static int take_lines(char **lines, size_t *len) {
    pthread_mutex_lock(&to.lock);
    while (!to.len && !to.ends)
        pthread_cond_wait(&to.wake, &to.lock);
    int ends = to.ends;
    pthread_mutex_unlock(&to.lock);
    if (!ends)
        usleep(GATHER_US);
    pthread_mutex_lock(&to.lock);
    *lines = to.lines;
    *len = to.len;
    to.lines = to.lines == room[0] ? room[1] : room[0];
    to.len = 0;
    if (to.lost)
        tell_of_losses();
    pthread_mutex_unlock(&to.lock);
    return *len > 0 || !ends;
}

/* The log's thread: writes lines until the log is stopped. */
static void *write_lines(void *arg) {
    char *lines;
    size_t len;
    while (take_lines(&lines, &len))
        write_whole(lines, len);
    return arg;
}

void log_start(void) {
    pthread_mutex_lock(&to.lock);
    to.runs = pthread_create(&to.thread, NULL, write_lines, NULL) == 0;
    pthread_mutex_unlock(&to.lock);
}

void log_stop(void) {
    struct timespec until;
    pthread_mutex_lock(&to.lock);
    int ran = to.runs;
    to.runs = 0;
    to.ends = 1;
    pthread_cond_signal(&to.wake);
    pthread_mutex_unlock(&to.lock);
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec++;
    if (ran)
        pthread_timedjoin_np(to.thread, NULL, &until);
}

/* Leaves the line to the log's thread, or writes it if that does not run. */
static void put_line(const void *line, size_t len) {
    pthread_mutex_lock(&to.lock);
    int later = to.runs;
    if (later && !append_locked(line, len))
        to.lost++;
    pthread_mutex_unlock(&to.lock);
    if (!later)
        write_whole(line, len);
}

/* ---- Whole lines -------------------------------------------------------------------------------------------- */

/* Ends the line and writes it, or leaves it to the log's thread. */
void log_end(sm_buf *line) {
    sm_buf_adds(line, "}\n");
    if (line->status == SM_OK)
        put_line(line->data, line->len);
    sm_buf_free(line);
}

/* Appends the members of an object of jansson's. */
static void put_members(sm_buf *line, const json_t *members) {
    char *text = members ? json_dumps(members, JSON_COMPACT) : NULL;
    size_t len = text ? strlen(text) : 0;
    if (len > 2) {
        sm_buf_puts(line, ",");
        sm_buf_put(line, text + 1, len - 2);
    }
    free(text);
}

void log_event(enum log_level level, const char *event, const char *fmt, ...) {
    enum { LINE_MAX_BYTES = 1 << 16 };
    sm_buf line;
    sm_buf_init(&line, LINE_MAX_BYTES);
    log_begin(&line, level, event);
    if (fmt) {
        va_list ap;
        va_start(ap, fmt);
        json_t *members = json_vpack_ex(NULL, 0, fmt, ap);
        va_end(ap);
        put_members(&line, members);
        json_decref(members);
    }
    log_end(&line);
}
