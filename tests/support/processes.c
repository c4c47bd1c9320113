/* processes.c - see processes.h. */
#include "processes.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct process {
    pid_t pid, parent;
    char name[32], state;
};

/* 1 if there is such a process. */
static int read_one(pid_t pid, struct process *p) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    FILE *f = fopen(path, "re");
    int fields = f ? fscanf(f, "%d (%31[^)]) %c %d", &p->pid, p->name, &p->state, &p->parent) : 0;
    if (f)
        fclose(f);
    return fields == 4;
}

static int read_all(struct process *p, int max) {
    int n = 0;
    DIR *proc = opendir("/proc");
    for (struct dirent *e; (e = readdir(proc)) && n < max;)
        n += atoi(e->d_name) && read_one(atoi(e->d_name), &p[n]);
    closedir(proc);
    return n;
}

static int is_below(const struct process *all, int n, pid_t pid, pid_t root) {
    enum { DEEPEST = 8 };
    for (int depth = 0; depth < DEEPEST && pid > 1; depth++) {
        pid_t parent = 0;
        for (int i = 0; i < n; i++)
            if (all[i].pid == pid)
                parent = all[i].parent;
        if (parent == root)
            return 1;
        pid = parent;
    }
    return 0;
}

int processes_below(pid_t root, const char *name, pid_t *pids, int max) {
    enum { ALL = 8192 };
    static struct process all[ALL];
    int n = read_all(all, ALL), found = 0;
    for (int i = 0; i < n && found < max; i++)
        if (all[i].state != 'Z' && strncmp(all[i].name, name, strlen(name)) == 0 &&
            is_below(all, n, all[i].pid, root))
            pids[found++] = all[i].pid;
    return found;
}

char process_state(pid_t pid) {
    struct process p;
    return read_one(pid, &p) ? p.state : 0;
}

long process_kib(pid_t pid, const char *line) {
    char path[64], text[200];
    long kib = 0;
    snprintf(path, sizeof path, "/proc/%d/status", (int)pid);
    FILE *f = fopen(path, "re");
    while (f && fgets(text, sizeof text, f))
        if (strncmp(text, line, strlen(line)) == 0 && text[strlen(line)] == ':')
            kib = atol(text + strlen(line) + 1);
    if (f)
        fclose(f);
    return kib;
}
