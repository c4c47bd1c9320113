/* placing.h - what place.c asks of other files. */
#ifndef CORE_PLACING_H
#define CORE_PLACING_H

#include "state.h"

int poll_is_plain(const struct compile *c); /* a call of it lies in a loop if and only if its place does */
void deopt_repair(struct compile *c);       /* after polls were placed: what they have torn apart is complete again */

#endif
