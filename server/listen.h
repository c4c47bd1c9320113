/* listen.h - the listening socket: an address and port, a unix socket, or one that a service manager hands over. */
#ifndef SMD_LISTEN_H
#define SMD_LISTEN_H

#include "settings.h"

/* A listening socket; -1 and one line in WHY on failure. *PORT is the port it has, 0 for a unix socket, whose path,
 * if smd made it, goes into UNIX_PATH for the caller to unlink. With LISTEN_PID and LISTEN_FDS in the environment
 * (sd_listen_fds(3)) the first socket handed over is used, and the settings are not; *SHARED is 1 then. */
int listen_open(const struct settings *s, int *port, int *shared, char *unix_path, size_t size, char *why,
                size_t why_size);

#endif
