/* router.h - which of the service's routes a request is for. */
#ifndef SMD_ROUTER_H
#define SMD_ROUTER_H

#include "request.h"

/* The route of a request; NULL if there is none. OPERATORS: those that are operators' are there too. */
const struct route *router_find(const struct service *s, const char *method, const char *path, int operators);

/* The path of a route that PATH was perhaps meant to be; NULL if none is near. Borrowed from the table. */
const char *router_nearest(const struct service *s, const char *path);

/* The number of a route in the table; that after the last for NULL. */
size_t router_row(const struct service *s, const struct route *route);

/* The methods that a path takes, for Allow ("GET, HEAD"); NULL if there is no such path. Static storage. */
const char *router_methods(const struct service *s, const char *path, int operators);

#endif
