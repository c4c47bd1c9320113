/* profiles.h - strategies that are described in files or by a request. */
#ifndef CORE_PROFILES_H
#define CORE_PROFILES_H

#include "state.h"

/* Before anything else is known of strategies. */
sm_status profiles_apply(struct compile *c);

int option_is_default(const sm_options *o, const char *option); /* 1 if it has its default value in O */

#endif
