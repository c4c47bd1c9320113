/* routes.h - the table of routes. */
#ifndef SMD_ROUTES_H
#define SMD_ROUTES_H

#include "request.h"

/* What main does each second. */
void routes_tick(struct smd *smd);

extern const struct route routes[];
extern const size_t route_count;

#endif
