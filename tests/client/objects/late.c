/* late.c - what early.c calls, in version VERSION. */
typedef double wide __attribute__((vector_size(32)));

int version(void) {
    return VERSION;
}

int later(int a, int b, int c, int d, int e, int f, double g, double h, double i, double j, double k, double l,
          double m, double n) {
    int right = a == 1 && b == 2 && c == 3 && d == 4 && e == 5 && f == 6 && g == 1 && h == 2 && i == 3 && j == 4 &&
                k == 5 && l == 6 && m == 7 && n == 8;
    return right ? 41 : 0;
}

wide vectors(wide a, wide b) {
    return a + b;
}
