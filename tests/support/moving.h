/* moving.h - compiled programs under the collector of client/examples, which moves every object at every safepoint and
 * poisons where it was: natively, and for AArch64 under the emulator. */
#ifndef TEST_MOVING_H
#define TEST_MOVING_H

/* Runs client/examples/moving with ARGUMENTS ("--expect 385 program.o 10") in a process that is kept for later runs
 * (tests/client/moving_server.c), and gives its exit status, or 128 + the signal. What it said is in SAID. */
int moving_run(int is_native, const char *arguments, char *said, int room);

/* The same in a process of its own: for what cannot be undone. */
int moving_run_alone(int is_native, const char *arguments, char *said, int room);

/* The number that stands before a word in a line; -1 if there is none. */
long number_before(const char *line, const char *word);

#endif
