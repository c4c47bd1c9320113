/* barrier.h - the value of the option barrier, taken apart: module, or any of card:BASE:SHIFT, satb:SYMBOL:FLAG and
 * load:SLOW:MASK. */
#ifndef SM_BARRIER_H
#define SM_BARRIER_H

/* What is not asked for is NULL. */
struct sm_barriers {
    char text[256];
    const char *card; /* card:BASE:SHIFT: a variable, or a number */
    unsigned shift;
    const char *satb, *flag; /* satb:SYMBOL:FLAG */
    const char *load, *mask; /* load:SLOW:MASK: a variable, or a number */
};

/* 0 if it is no such value. */
int sm_barriers_read(struct sm_barriers *k, const char *value);

/* 1 if BASE or MASK is a number, of 64 bits, and no variable's name. */
int sm_barrier_is_number(const char *s);

#endif
