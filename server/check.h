/* check.h - --check-config: what a start with these settings would find. */
#ifndef SMD_CHECK_H
#define SMD_CHECK_H

#include "settings.h"

/* Writes all that is wrong to stderr, and as notes what depends on who asks and what else runs: folders, addresses in
 * use. Changes nothing. 1 if nothing is wrong. */
int check_start(const struct settings *s);

#endif
