/* probe.h - smd --probe: asks the daemon of these settings whether it is ready, for a container's health check. */
#ifndef SMD_PROBE_H
#define SMD_PROBE_H

#include "settings.h"

/* GET /readyz at the address that the settings listen on. 0 if it says 200, 1 otherwise; a line on stdout says
 * which. */
int probe(const struct settings *s);

#endif
