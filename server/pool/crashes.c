/* crashes.c - see crashes.h. */
#include "crashes.h"

#include "log.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int keep_file(const char *dir, const char *key, const char *suffix, const void *bytes, size_t len) {
    char path[PATH_MAX + 80];
    snprintf(path, sizeof path, "%s/%s%s", dir, key, suffix);
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
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
    char path[PATH_MAX + 400], oldest[JOB_KEY_TEXT] = "";
    time_t oldest_time = 0;
    int count = 0;
    DIR *d = opendir(dir);
    for (struct dirent *e; d && (e = readdir(d));) {
        struct stat st;
        if (strlen(e->d_name) != JOB_KEY_TEXT - 1 + strlen(".log") ||
            strcmp(e->d_name + JOB_KEY_TEXT - 1, ".log") != 0)
            continue;
        snprintf(path, sizeof path, "%s/%s", dir, e->d_name);
        if (stat(path, &st) != 0)
            continue;
        count++;
        if (!oldest[0] || st.st_mtime < oldest_time) {
            oldest_time = st.st_mtime;
            memcpy(oldest, e->d_name, JOB_KEY_TEXT - 1);
        }
    }
    if (d)
        closedir(d);
    if (count <= max || !oldest[0])
        return 0;
    remove_crash(dir, oldest);
    return 1;
}

void crash_keep(const char *dir, int max, const struct job *job, const char *log) {
    sm_buf options;
    sm_buf_init(&options, 8192);
    sm_options_text(&job->options, 0, &options);
    int kept = keep_file(dir, job->key, ".input", job->input, job->input_len) &&
               keep_file(dir, job->key, ".options", options.data, options.len) &&
               keep_file(dir, job->key, ".log", log, strlen(log));
    if (!kept) {
        log_event(LOG_LEVEL_WARNING, "crash_not_kept", "{s:s,s:s,s:s}", "key", job->key, "folder", dir, "error",
                  strerror(errno));
        remove_crash(dir, job->key);
    }
    sm_buf_free(&options);
    for (int i = 0; i < max && make_room(dir, max); i++)
        ;
}
