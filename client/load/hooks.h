/* hooks.h - functions that an object wants called when it has come, and before it goes. */
#ifndef HOOKS_H
#define HOOKS_H

#include "image.h"

struct hooks;

/* Finds them in a filled image. *OUT is *new* (hooks_free); NULL if there are none. */
sm_result hooks_find(const struct image *im, struct hooks **out);
void hooks_free(struct hooks *h);

void hooks_come(const struct hooks *h);

/* Also calls what was registered with __cxa_atexit for this object. */
void hooks_go(const struct hooks *h);

#endif
