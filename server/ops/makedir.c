/* makedir.c - see makedir.h. */
#include "makedir.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

int make_folders(const char *path) {
    char part[PATH_MAX];
    for (const char *slash = path; (slash = strchr(slash + 1, '/')) != NULL;) {
        snprintf(part, sizeof part, "%.*s", (int)(slash - path), path);
        mkdir(part, 0700);
    }
    return mkdir(path, 0700) == 0 || errno == EEXIST;
}
