/* walk.h - managed frames, from the innermost outwards. */
#ifndef WALK_H
#define WALK_H

#include "barrier.h"
#include "loader.h"
#include "map.h"

struct walk {
    const sm_loader *loader;
    sm_registers *registers; /* the entry that the walk goes on from */
    uintptr_t pc;
    const sm_site *site; /* at PC; NULL if that is no safepoint */
    sm_activation frame; /* the current one: its site, and where its registers are. No site: one of loaded code that
                                has no safepoints, as of a shadow-stack function */
    const sm_object *object; /* whose code the frame is of */
    const struct row *row;
    struct row plain;  /* of a frame without a site */
    uintptr_t low;     /* the stack pointer at the entry: all from there to the frame has been walked */
    uintptr_t crossed; /* likewise where C code was entered that lies within the frame; 0: none does */
    uintptr_t *link;   /* where the return address into the frame is kept; NULL if the walk has not passed it */
    int knows_others;  /* boolean: perhaps where registers are that calls do not preserve */
    int is_plain_link; /* boolean: a frame of loaded code keeps it there, and it is not signed */
    const struct sm_watermark *barrier; /* whose barrier stands instead of it; NULL: nobody's */
};

/* A return address without its signature, where the code signs them. */
uintptr_t strip_address(uintptr_t address);

/* Stands at the innermost frame of loaded code that waits in AT or in an entry before it. *MORE is 0 if there is none.
 * SM_ERR_NO_SAFEPOINT if AT's pc is in loaded code and at no safepoint, or in no code at all. */
sm_result walk_begin(struct walk *w, const sm_loader *l, sm_registers *at, int *more, sm_error *err);

/* Goes on to the next frame of loaded code. C code between is unwound where its .eh_frame is known; otherwise the next
 * entry of the chain says where to go on. *MORE is 0 if there is none. */
sm_result walk_next(struct walk *w, int *more, sm_error *err);

/* watermark.c: the visit of a stack that has a watermark. */
struct mark {
    struct sm_watermark *watermark; /* NULL: it has none */
    uint64_t frames;                /* that were visited */
    uint32_t found;                 /* the barrier that ended the visit; the number of all if none did */
    uint32_t places;                /* where barriers are to stand: */
    struct place_of_barrier {
        struct barrier barrier;
        uintptr_t *link;
        uint64_t depth;
    } place[BARRIERS];
};
void mark_begin(struct mark *m, struct sm_watermark *watermark);

/* 1 if the frames from the walk's on have been visited before, and have not run since. */
int mark_is_reached(struct mark *m, struct walk *w);

/* Notes that the walk's frame is visited. */
void mark_pass(struct mark *m, const struct walk *w);

/* Sets the barriers after a visit in which nothing failed. Goes on with the walk if too many would stand. */
void mark_end(struct mark *m, struct walk *w);

/* sm_slot_address */
static inline void *slot_address(const sm_activation *f, const sm_slot *s) {
    if (s->kind == SM_SLOT_CONSTANT || s->reg >= REG_MAX)
        return NULL;
    if (s->kind == SM_SLOT_REGISTER)
        return f->reg[s->reg];
    if (s->reg == REG_SP)
        return (void *)(f->sp + (uintptr_t)s->value);
    return f->reg[s->reg] ? (void *)(*f->reg[s->reg] + (uintptr_t)s->value) : NULL;
}

/* visit.c: a visit of one frame. */
struct visit {
    const sm_visitor *visitor;
    const sm_activation *frame;
    const struct shadow_frame *shadow; /* of the chain, where the last search ended */
    sm_error *err;
};
sm_result visit_stopped(const struct visit *v);
sm_result visit_unknown_register(const struct visit *v, const sm_slot *s);

/* regions.c */
sm_result visit_regions(const struct visit *v);

#endif
