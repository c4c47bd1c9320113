/* ask.h - smd as the client of itself, for smd --probe. */
#ifndef SMD_ASK_H
#define SMD_ASK_H

#include <stddef.h>

/* Sends the request by TLS on a socket that blocks, and receives up to SIZE bytes of the answer's beginning. Gives how
 * many. Whose certificate is shown is not asked: the daemon is looked for on this machine, and told nothing. */
size_t ask_by_tls(int socket, const char *request, char *answer, size_t size);

#endif
