/* leaf.c - functions of several frames, for a sampler: walk_check.c. */
static volatile long sink;

__attribute__((noinline)) long leaf(long n) {
    for (long i = 0; i < 20; i++)
        sink += n * i;
    return n + 1;
}

__attribute__((noinline)) long middle(long a, long b, long c) {
    long x = leaf(a), y = leaf(b);
    return x * y + leaf(c) + a + b + c;
}

long top(long n) {
    char room[200];
    room[n & 127] = (char)n;
    long x = middle(n, n + 1, n + 2);
    __asm__ volatile("" : : "r"(room) : "memory");
    return x + middle(x, n, x) + room[n & 127];
}
