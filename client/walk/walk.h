/* walk.h - managed frames, from the innermost outwards. */
#ifndef WALK_H
#define WALK_H

#include "loader.h"
#include "map.h"

struct walk {
    const sm_loader *loader;
    sm_registers *registers; /* of the stretch that is walked */
    uintptr_t pc;
    sm_activation frame; /* the current one: its site, and where its registers are */
    const struct row *row;
};

/* A return address without its signature, where the code signs them. */
uintptr_t strip_address(uintptr_t address);

/* Stands at the frame that waits in AT. SM_ERR_NO_SAFEPOINT if AT's pc is none. */
sm_result walk_begin(struct walk *w, const sm_loader *l, sm_registers *at, sm_error *err);

/* Goes on to the caller's frame. *MORE is 0 if that is no managed code and no stretch is after it. */
sm_result walk_next(struct walk *w, int *more, sm_error *err);

/* visit.c: a visit of one frame. */
struct visit {
    const sm_visitor *visitor;
    const sm_activation *frame;
    sm_error *err;
};
sm_result visit_stopped(const struct visit *v);
sm_result visit_unknown_register(const struct visit *v, const sm_slot *s);

/* regions.c */
sm_result visit_regions(const struct visit *v);

#endif
