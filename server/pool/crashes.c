/* crashes.c - see crashes.h. */
#include "crashes.h"

#include "container.h"
#include "log.h"
#include "makedir.h"
#include "tasks.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct crash {
    struct task task;
    const char *dir;
    int max; /* crashes that may stay */
    char key[SM_KEY_TEXT];
    sm_buf options;
    struct source *input; /* owned reference */
    char log[];           /* text */
};

struct crashes {
    const char *dir;
    struct tasks *tasks;
};

/* ---- Files -------------------------------------------------------------------------------------------------- */

/* Writes DIR/KEY+SUFFIX anew: a file that was there is removed first, as it could be anything. 0 on failure. */
static int keep_file(const char *dir, const char *key, const char *suffix, const void *bytes, size_t len) {
    char path[PATH_MAX + 80];
    snprintf(path, sizeof path, "%s/%s%s", dir, key, suffix);
    unlink(path);
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd < 0)
        return 0;
    const char *at = bytes;
    size_t left = len;
    while (left) {
        ssize_t n = write(fd, at, left);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            break;
        at += n;
        left -= (size_t)n;
    }
    close(fd);
    return left == 0;
}

/* Removes the files of the crash KEY. */
static void remove_crash(const char *dir, const char *key) {
    static const char *const suffixes[] = {".input", ".options", ".log"};
    char path[PATH_MAX + 400];
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
        snprintf(path, sizeof path, "%s/%s%s", dir, key, suffixes[i]);
        unlink(path);
    }
}

/* Removes the oldest crash if there are more than MAX. 1 if it removed one. */
static int remove_oldest_crash(const char *dir, int max) {
    char path[PATH_MAX + 400], oldest[SM_KEY_TEXT] = "";
    time_t oldest_time = 0;
    int count = 0;
    DIR *d = opendir(dir);
    for (struct dirent *e; d && (e = readdir(d));) {
        struct stat st;
        if (strlen(e->d_name) != SM_KEY_TEXT - 1 + strlen(".log") || strcmp(e->d_name + SM_KEY_TEXT - 1, ".log") != 0)
            continue;
        snprintf(path, sizeof path, "%s/%s", dir, e->d_name);
        if (stat(path, &st) != 0)
            continue;
        count++;
        if (!oldest[0] || st.st_mtime < oldest_time) {
            oldest_time = st.st_mtime;
            memcpy(oldest, e->d_name, SM_KEY_TEXT - 1);
        }
    }
    if (d)
        closedir(d);
    if (count <= max || !oldest[0])
        return 0;
    remove_crash(dir, oldest);
    return 1;
}

/* Writes the files of a crash, or none of them, and removes the oldest crashes beyond the bound. */
static void write_crash(const struct crash *crash) {
    const char *dir = crash->dir;
    int kept = keep_file(dir, crash->key, ".input", crash->input->bytes, crash->input->len) &&
               keep_file(dir, crash->key, ".options", crash->options.data, crash->options.len) &&
               keep_file(dir, crash->key, ".log", crash->log, strlen(crash->log));
    if (!kept) {
        log_event(LOG_LEVEL_WARNING, "crash_not_kept", "{s:s,s:s,s:s}", "key", crash->key, "folder", dir, "error",
                  strerror(errno));
        remove_crash(dir, crash->key);
    }
    for (int i = 0; i < crash->max && remove_oldest_crash(dir, crash->max); i++)
        ;
}

/* ---- What waits --------------------------------------------------------------------------------------------- */

static void free_crash(struct crash *crash) {
    if (!crash)
        return;
    sm_buf_free(&crash->options);
    source_unref(crash->input);
    free(crash);
}

/* The task: writes the crash and frees it. */
static void run_crash(struct task *t) {
    struct crash *crash = container_of(t, struct crash, task);
    write_crash(crash);
    free_crash(crash);
}

struct crashes *crashes_start(const char *dir) {
    struct crashes *c = calloc(1, sizeof *c);
    if (!c)
        return NULL;
    if (!make_folders(dir) || access(dir, W_OK | X_OK) != 0)
        log_event(LOG_LEVEL_WARNING, "crashes_unavailable", "{s:s,s:s}", "folder", dir, "error", strerror(errno));
    c->dir = dir;
    c->tasks = tasks_start(CRASHES_BYTES_MAX);
    if (c->tasks)
        return c;
    free(c);
    return NULL;
}

/* *New*: a crash of the job, whose input it shares; NULL if out of memory. */
static struct crash *make_crash(const char *dir, const struct job *job, const char *log, int max) {
    struct crash *crash = calloc(1, sizeof *crash + strlen(log) + 1);
    if (!crash)
        return NULL;
    crash->task = (struct task){.run = run_crash, .bytes = job->input_len};
    crash->dir = dir;
    crash->max = max;
    sm_key_text(&job->key, crash->key);
    strcpy(crash->log, log);
    sm_buf_init(&crash->options, 8192);
    sm_options_text(&job->options, 0, &crash->options);
    crash->input = source_ref(job->source);
    return crash;
}

void crashes_keep(struct crashes *c, const struct job *job, const char *log, int max) {
    char key[SM_KEY_TEXT];
    struct crash *crash = make_crash(c->dir, job, log, max);
    if (crash && tasks_add(c->tasks, &crash->task))
        return;
    sm_key_text(&job->key, key);
    log_event(LOG_LEVEL_WARNING, "crash_not_kept", "{s:s,s:s,s:s}", "key", key, "folder", c->dir, "error",
              crash ? "the folder is slower than the crashes" : strerror(ENOMEM));
    free_crash(crash);
}

int crashes_stop(struct crashes *c, int patience_s) {
    if (!c)
        return 1;
    if (!tasks_stop_within(c->tasks, patience_s))
        return 0;
    tasks_free(c->tasks);
    free(c);
    return 1;
}
