/* gcmap.c - see gcmap.h. */
#include "gcmap.h"
