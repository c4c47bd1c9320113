/* maps.h - stackmaps compared. */
#ifndef TEST_MAPS_H
#define TEST_MAPS_H

#include "stackmap.h"

/* A static sentence if the maps differ in what the compact table keeps: functions in the order of their addresses, with
 * frames, and their records with ids, kinds, reasons, fault offsets, locations and live-outs. NULL if they do not. */
const char *maps_differ(const sm_stackmap *a, const sm_stackmap *b);

#endif
