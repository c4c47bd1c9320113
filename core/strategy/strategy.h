/* strategy.h - which function has which GC strategy; what goes with it.
 *
 *   strategy.c     which function has which GC strategy; what does not go together is refused; whether references may
 *                  stay in registers
 *   profiles.c     strategies that are described in files -> builtin ones, and options
 *   plugins.c      strategies of shared libraries
 *   data_layout.c  references are non-integral pointers in the data layout
 */
#ifndef CORE_STRATEGY_H
#define CORE_STRATEGY_H

#include "state.h"

/* ---- strategy.c ---- */

sm_status stage_strategy(struct compile *c);

/* ---- data_layout.c ---- */

sm_status stage_layout(struct compile *c);

#endif
