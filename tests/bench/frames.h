/* frames.h - visits of a deep stack, measured. */
#ifndef BENCH_FRAMES_H
#define BENCH_FRAMES_H

/* Visits 100,000 frames: all of them, those that ran, none; and walks them with libgcc's unwinder. Prints the times. */
void bench_frames(void);

#endif
