/* routes.h - the table of routes. */
#ifndef SMD_ROUTES_H
#define SMD_ROUTES_H

#include "http.h"

/* The route of a request; NULL if there is none. OPERATORS: those that are operators' are there too. */
const struct route *route_find(const char *method, const char *path, int operators);

/* The path of a route that PATH was perhaps meant to be; NULL if none is near. Static storage. */
const char *route_nearest(const char *path);

/* The number of a route in the table; that behind the last for NULL. */
size_t route_row(const struct route *route);

/* The methods that a path takes, for Allow ("GET, HEAD"); NULL if there is no such path. Static storage. */
const char *route_methods(const char *path, int operators);

#endif
