/* stackmap_json.c - see stackmap_json.h. */
#include "stackmap_json.h"
