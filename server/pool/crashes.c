/* crashes.c - see crashes.h. */
#include "crashes.h"

#include "log.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/queue.h>
#include <sys/stat.h>
#include <unistd.h>

struct crash {
    STAILQ_ENTRY(crash) next;
    int max; /* crashes that may stay */
    char key[SM_KEY_TEXT];
    sm_buf options;
    unsigned char *input; /* owned */
    size_t input_len;
    char log[]; /* text */
};

struct crashes {
    const char *dir;
    pthread_t thread;
    pthread_mutex_t lock; /* of everything below */
    pthread_cond_t changed;
    STAILQ_HEAD(, crash) waiting; /* the first one may be the one that is being written */
    size_t bytes;                 /* of their inputs */
    int stopping;
};

/* ---- Files -------------------------------------------------------------------------------------------------- */

/* What was there before goes: it could be anything. */
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

static void remove_crash(const char *dir, const char *key) {
    static const char *const suffixes[] = {".input", ".options", ".log"};
    char path[PATH_MAX + 400];
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
        snprintf(path, sizeof path, "%s/%s%s", dir, key, suffixes[i]);
        unlink(path);
    }
}

/* Removes the oldest crash if there are more than MAX. 1 if it removed one. */
static int make_room(const char *dir, int max) {
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

static void write_crash(const char *dir, const struct crash *crash) {
    int kept = keep_file(dir, crash->key, ".input", crash->input, crash->input_len) &&
               keep_file(dir, crash->key, ".options", crash->options.data, crash->options.len) &&
               keep_file(dir, crash->key, ".log", crash->log, strlen(crash->log));
    if (!kept) {
        log_event(LOG_LEVEL_WARNING, "crash_not_kept", "{s:s,s:s,s:s}", "key", crash->key, "folder", dir, "error",
                  strerror(errno));
        remove_crash(dir, crash->key);
    }
    for (int i = 0; i < crash->max && make_room(dir, crash->max); i++)
        ;
}

/* ---- What waits --------------------------------------------------------------------------------------------- */

static void free_crash(struct crash *crash) {
    if (!crash)
        return;
    sm_buf_free(&crash->options);
    free(crash->input);
    free(crash);
}

static void *run_crashes(void *arg) {
    struct crashes *c = arg;
    pthread_mutex_lock(&c->lock);
    for (;;) {
        struct crash *crash = STAILQ_FIRST(&c->waiting);
        if (!crash && c->stopping)
            break;
        if (!crash) {
            pthread_cond_wait(&c->changed, &c->lock);
            continue;
        }
        pthread_mutex_unlock(&c->lock);
        write_crash(c->dir, crash);
        pthread_mutex_lock(&c->lock);
        STAILQ_REMOVE_HEAD(&c->waiting, next);
        c->bytes -= crash->input_len;
        free_crash(crash);
    }
    pthread_mutex_unlock(&c->lock);
    return NULL;
}

struct crashes *crashes_start(const char *dir) {
    struct crashes *c = calloc(1, sizeof *c);
    if (!c)
        return NULL;
    c->dir = dir;
    STAILQ_INIT(&c->waiting);
    pthread_mutex_init(&c->lock, NULL);
    pthread_cond_init(&c->changed, NULL);
    if (pthread_create(&c->thread, NULL, run_crashes, c) != 0) {
        free(c);
        return NULL;
    }
    return c;
}

static struct crash *make_crash(struct job *job, const char *log, int max) {
    struct crash *crash = calloc(1, sizeof *crash + strlen(log) + 1);
    if (!crash)
        return NULL;
    crash->max = max;
    sm_key_text(&job->key, crash->key);
    strcpy(crash->log, log);
    sm_buf_init(&crash->options, 8192);
    sm_options_text(&job->options, 0, &crash->options);
    crash->input = job->input;
    crash->input_len = job->input_len;
    job->input = NULL;
    job->input_len = 0;
    return crash;
}

void crashes_keep(struct crashes *c, struct job *job, const char *log, int max) {
    pthread_mutex_lock(&c->lock);
    int fits =
        STAILQ_EMPTY(&c->waiting) || (c->bytes < CRASHES_BYTES_MAX && job->input_len <= CRASHES_BYTES_MAX - c->bytes);
    struct crash *crash = fits ? make_crash(job, log, max) : NULL;
    if (crash) {
        STAILQ_INSERT_TAIL(&c->waiting, crash, next);
        c->bytes += crash->input_len;
        pthread_cond_signal(&c->changed);
    }
    pthread_mutex_unlock(&c->lock);
    char key[SM_KEY_TEXT];
    sm_key_text(&job->key, key);
    if (!crash)
        log_event(LOG_LEVEL_WARNING, "crash_not_kept", "{s:s,s:s,s:s}", "key", key, "folder", c->dir, "error",
                  fits ? strerror(ENOMEM) : "the folder is slower than the crashes");
}

void crashes_stop(struct crashes *c) {
    if (!c)
        return;
    pthread_mutex_lock(&c->lock);
    c->stopping = 1;
    pthread_cond_signal(&c->changed);
    pthread_mutex_unlock(&c->lock);
    pthread_join(c->thread, NULL);
    pthread_mutex_destroy(&c->lock);
    pthread_cond_destroy(&c->changed);
    free(c);
}
