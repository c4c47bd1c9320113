/* confine.h - what smd itself gives up once it knows what it will need, for its fork server and workers as well: new
 * privileges, capabilities, paths and ports, system calls. What was given up never comes back.
 *
 * Rules are collected first, and then entered together, before there is a second thread. A layer that the kernel does not
 * have is left out. In a build with sanitizers or coverage all paths are allowed, as are the calls that these need.
 */
#ifndef SMD_CONFINE_H
#define SMD_CONFINE_H

#include "error.h"

enum confine_layer { CONFINE_PRIVILEGES, CONFINE_CAPABILITIES, CONFINE_LANDLOCK, CONFINE_SECCOMP, CONFINE_LAYERS };

/* As the log and the metrics name them. */
extern const char *const confine_names[CONFINE_LAYERS];

struct confine {
    int rules; /* the descriptor; -1: the kernel has no Landlock that suits */
    int version;
    int binds_low;   /* boolean: a port under 1024 */
    unsigned layers; /* bits, 1 << enum confine_layer: those that were entered */
    char failed[80]; /* the first rule that could not be made; "": none */
};

/* What may be done to a path, and to all that is below it. */
enum confine_right { CONFINE_READ, CONFINE_EXECUTE, CONFINE_WRITE };

void confine_begin(struct confine *c);
void confine_allow(struct confine *c, const char *path,
                   enum confine_right right);         /* what is not there is passed over */
void confine_allow_bind(struct confine *c, int port); /* 0: any free one */
void confine_allow_connect(struct confine *c, int port);

/* Enters the layers, and says in c->layers which. On failure some may have been entered. */
sm_status confine_enter(struct confine *c, struct error *err);

#endif
