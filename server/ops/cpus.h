/* cpus.h - how many CPUs this process may use. */
#ifndef SMD_CPUS_H
#define SMD_CPUS_H

/* Those of its affinity, and no more than the quota of its control groups pays for; at least 1. */
int cpus_usable(void);

#endif
