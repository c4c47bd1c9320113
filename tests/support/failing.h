/* failing.h - a program says when its own allocations and system calls fail (failing.c). */
#ifndef FAILING_H
#define FAILING_H

/* From here on one call fails: the first at a place, and for the so-manieth time since failing_begin, that none has failed
 * at before, in this process or its parent. Of a place the first TIMES are tried. */
void failing_begin(int times);

/* 1 if it has failed. */
int failing_has(void);

/* While it is paused, no call of this thread fails. */
void failing_pause(int is_paused);

/* Ends what failing_begin has begun; 1 if a call has failed. */
int failing_end(void);

/* How many have failed, in this process and its children. */
unsigned failing_count(void);

#endif
