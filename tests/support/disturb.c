/* disturb.c - a library to be preloaded: before the program begins it takes and frees memory, so that what the program
 * allocates later comes to lie in another order. DISTURB is the order's number; without one, or with 0, nothing is
 * done. */
#include <stdint.h>
#include <stdlib.h>

enum { PIECES = 60000, SMALLEST = 8, RANGE = 400 };

/* The next number of a sequence that STATE, not 0, goes through. */
static uint64_t next(uint64_t *state) {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

__attribute__((constructor)) static void disturb(void) {
    static void *piece[PIECES];
    const char *number = getenv("DISTURB");
    uint64_t state = number ? strtoull(number, NULL, 10) * 0x9e3779b97f4a7c15u : 0;
    if (!state)
        return;
    for (size_t i = 0; i < PIECES; i++)
        piece[i] = malloc(SMALLEST + next(&state) % RANGE);
    for (size_t i = PIECES - 1; i > 0; i--) {
        size_t other = next(&state) % (i + 1);
        void *moved = piece[i];
        piece[i] = piece[other];
        piece[other] = moved;
    }
    for (size_t i = 0; i < PIECES / 10 * 9; i++) /* the rest stays where it is */
        free(piece[i]);
}
