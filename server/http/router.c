/* router.c - see router.h. */
#include "router.h"

#include "options.h"

#include <assert.h>
#include <string.h>

enum { ROUTES_MAX = 64 };

size_t router_row(const struct service *s, const struct route *route) {
    return route ? (size_t)(route - s->routes) : s->route_count;
}

/* 1 if the path is the route's, or begins with it if that ends in "/". Paths are matched as they came: no route has a
 * character that has to be encoded. */
static int path_matches(const struct route *route, const char *path) {
    size_t len = strlen(route->path);
    if (len > 1 && route->path[len - 1] == '/')
        return strncmp(route->path, path, len) == 0 && path[len];
    return strcmp(route->path, path) == 0;
}

const struct route *router_find(const struct service *s, const char *method, const char *path, int operators) {
    for (size_t i = 0; i < s->route_count; i++)
        if (strcmp(s->routes[i].method, method) == 0 && s->routes[i].is_operators <= operators &&
            path_matches(&s->routes[i], path))
            return &s->routes[i];
    return NULL;
}

const char *router_nearest(const struct service *s, const char *path) {
    const char *paths[ROUTES_MAX + 1] = {NULL};
    assert(s->route_count <= ROUTES_MAX);
    for (size_t i = 0; i < s->route_count && i < ROUTES_MAX; i++)
        paths[i] = s->routes[i].path;
    const char *nearest = sm_nearest(path, paths);
    int helps = nearest && strcmp(nearest, "/") != 0 && strcmp(nearest, path) != 0;
    return helps ? nearest : NULL;
}

const char *router_methods(const struct service *s, const char *path, int operators) {
    int get = router_find(s, "GET", path, operators) != NULL, post = router_find(s, "POST", path, operators) != NULL;
    int delete = router_find(s, "DELETE", path, operators) != NULL;
    if (get && delete)
        return "GET, HEAD, DELETE";
    if (get && post)
        return "GET, HEAD, POST";
    return get ? "GET, HEAD" : post ? "POST" : NULL;
}
