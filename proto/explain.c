/* explain.c - see explain.h. */
#include "explain.h"
