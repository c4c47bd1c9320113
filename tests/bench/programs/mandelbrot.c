/* Mandelbrot's set: floating point in a loop that ends by its result, into rows of bytes.
 * sizes: 300 40 12 */
#include "managed.h"

static NOINLINE int64_t turns_of(double cr, double ci) {
    double r = 0, i = 0;
    int64_t turns = 0;
    while (r * r + i * i < 4 && turns < 60) {
        double next = r * r - i * i + cr;
        i = 2 * r * i + ci;
        r = next;
        turns++;
    }
    return turns;
}

static NOINLINE struct text REF *row_of(int64_t y, int64_t n) {
    struct text REF *row = new_text((uint64_t)n);
    for (int64_t x = 0; x < n; x++)
        row->byte[x] = (uint8_t)turns_of(3.0 * (double)x / (double)n - 2, 2.0 * (double)y / (double)n - 1);
    return row;
}

int64_t run(int64_t n) {
    struct array REF *rows = new_array((uint64_t)n);
    uint64_t sum = 0;
    for (int64_t y = 0; y < n; y++)
        rows->item[y] = row_of(y, n);
    for (int64_t y = 0; y < n; y++)
        for (int64_t x = 0; x < n; x++)
            sum = sum * 31 + ((struct text REF *)rows->item[y])->byte[x];
    return (int64_t)sum;
}
