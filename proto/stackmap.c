/* stackmap.c - see stackmap.h. */
#include "stackmap.h"
