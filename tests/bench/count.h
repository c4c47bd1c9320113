/* count.h - counts the instructions that code runs, by qemu's log of translated and executed blocks. */
#ifndef BENCH_COUNT_H
#define BENCH_COUNT_H

#include <stdint.h>

struct blocks;

/* Runs "QEMU … COMMAND", with the command's output in the file OUTPUT, and counts. *new* (blocks_free) */
struct blocks *blocks_of(const char *qemu, const char *command, const char *output);

/* How many instructions were run that begin within the range. */
uint64_t blocks_within(const struct blocks *b, uint64_t from, uint64_t bytes);

void blocks_free(struct blocks *b);

#endif
