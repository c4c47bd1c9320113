/* metrics.c - see smc.h. */
#include "smc.h"

#include <stdlib.h>
#include <string.h>

double metrics_value(const char *metrics, const char *name) {
    size_t n = strlen(name);
    for (const char *at = metrics; (at = strstr(at, name)) != NULL; at += n)
        if ((at == metrics || at[-1] == '\n') && at[n] == ' ')
            return strtod(at + n, NULL);
    return 0;
}

double metrics_sum(const char *metrics, const char *name) {
    size_t n = strlen(name);
    double total = 0;
    for (const char *at = metrics; (at = strstr(at, name)) != NULL; at += n)
        if ((at == metrics || at[-1] == '\n') && at[n] == '{')
            total += strtod(at + strcspn(at, " \n"), NULL);
    return total;
}
