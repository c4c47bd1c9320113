/* Fannkuch: permutations, and how often their beginning can be flipped. Loops over arrays of numbers.
 * sizes: 8 7 5 */
#include "managed.h"

struct numbers {
    uint64_t header;
    int32_t at[];
};

typedef struct numbers REF *numbers;

static numbers new_numbers(int64_t n) {
    return (numbers)allocate(0, (sizeof(struct numbers) + (uint64_t)n * sizeof(int32_t) + 7) & ~(uint64_t)7);
}

static NOINLINE int64_t flips_of(numbers p, numbers q, int64_t n) {
    int64_t flips = 0;
    for (int64_t i = 0; i < n; i++)
        q->at[i] = p->at[i];
    for (int32_t first = q->at[0]; first; first = q->at[0]) {
        for (int64_t i = 0, j = first; i < j; i++, j--) {
            int32_t other = q->at[i];
            q->at[i] = q->at[j];
            q->at[j] = other;
        }
        flips++;
    }
    return flips;
}

int64_t run(int64_t n) {
    numbers p = new_numbers(n), q = new_numbers(n), count = new_numbers(n);
    int64_t most = 0, sum = 0, sign = 1, r = n;
    for (int64_t i = 0; i < n; i++)
        p->at[i] = (int32_t)i;
    for (;;) {
        for (; r > 1; r--)
            count->at[r - 1] = (int32_t)r;
        int64_t flips = flips_of(p, q, n);
        most = flips > most ? flips : most;
        sum += sign * flips;
        sign = -sign;
        for (;;) {
            if (r == n)
                return sum * 1000 + most;
            int32_t first = p->at[0];
            for (int64_t i = 0; i < r; i++)
                p->at[i] = p->at[i + 1];
            p->at[r] = first;
            if (--count->at[r] > 0)
                break;
            r++;
        }
    }
}
