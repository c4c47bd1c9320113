/* cpus.c - see cpus.h. A container's quota is in cpu.max (cgroup v2) or cpu.cfs_quota_us (v1); that of each group
 * above counts too, as far as it can be seen. */
#include "cpus.h"

#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>

/* The number of CPUs that this process may run on; 1 if that is unknown. */
static int of_affinity(void) {
    cpu_set_t set;
    return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
}

/* Reads the first line of a file in a folder. 0 if there is none. */
static int read_line(const char *folder, const char *file, char *line, int size) {
    char path[PATH_MAX + 40];
    snprintf(path, sizeof path, "%s/%s", folder, file);
    FILE *f = fopen(path, "re");
    int ok = f && fgets(line, size, f);
    if (f)
        fclose(f);
    return ok;
}

/* The number of CPUs that one group's quota pays for, rounded up; INT_MAX if it has none. */
static int quota_of(const char *folder) {
    char line[64], period_line[64];
    long long quota = -1, period = 0;
    if (read_line(folder, "cpu.max", line, sizeof line)) {
        if (sscanf(line, "%lld %lld", &quota, &period) != 2)
            return INT_MAX; /* "max 100000" */
    } else if (read_line(folder, "cpu.cfs_quota_us", line, sizeof line) &&
               read_line(folder, "cpu.cfs_period_us", period_line, sizeof period_line)) {
        sscanf(line, "%lld", &quota);
        sscanf(period_line, "%lld", &period);
    }
    if (quota <= 0 || period <= 0 || quota / period >= INT_MAX)
        return INT_MAX;
    return (int)((quota + period - 1) / period);
}

/* The least quota of a group and those above it, in CPUs; ROOT is where its hierarchy is mounted. */
static int least_quota(const char *root, const char *group) {
    char folder[PATH_MAX];
    int least = quota_of(root);
    if ((size_t)snprintf(folder, sizeof folder, "%s%s", root, group) >= sizeof folder)
        return least;
    for (size_t end = strlen(root); strlen(folder) > end; *strrchr(folder, '/') = 0) {
        int quota = quota_of(folder);
        least = quota < least ? quota : least;
    }
    return least;
}

/* The least quota of this process's groups, in CPUs. Lines of /proc/self/cgroup are "0::/group" for v2 and
 * "4:cpu,cpuacct:/group" for v1 (cgroups(7)). */
static int of_groups(void) {
    char line[PATH_MAX];
    int least = INT_MAX;
    FILE *f = fopen("/proc/self/cgroup", "re");
    while (f && fgets(line, sizeof line, f)) {
        line[strcspn(line, "\n")] = 0;
        char *controllers = strchr(line, ':'), *group = controllers ? strchr(controllers + 1, ':') : NULL;
        if (!group)
            continue;
        *group++ = 0;
        int quota = controllers[1] == 0                       ? least_quota("/sys/fs/cgroup", group)
                    : strncmp(controllers + 1, "cpu", 3) == 0 ? least_quota("/sys/fs/cgroup/cpu", group)
                                                              : INT_MAX;
        least = quota < least ? quota : least;
    }
    if (f)
        fclose(f);
    return least;
}

int cpus_usable(void) {
    int cpus = of_affinity(), quota = of_groups();
    cpus = quota < cpus ? quota : cpus;
    return cpus < 1 ? 1 : cpus;
}
