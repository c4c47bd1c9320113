/* early.c - calls what is not there yet: for lazy_check.c. */
typedef double wide __attribute__((vector_size(32)));

extern int later(int a, int b, int c, int d, int e, int f, double g, double h, double i, double j, double k, double l,
                 double m, double n);
extern int version(void);
extern int never_called(void);
extern int counted(int x);
extern wide vectors(wide a, wide b);

int (*pointer)(void) = version;

int early(void) {
    return later(1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6, 7, 8) + 1;
}

int which(void) {
    return version();
}

int (*which_function(void))(void) {
    return version;
}

int call_counted(int x) {
    return x > 1000000 ? never_called() : counted(x) + 1;
}

double call_vectors(void) {
    wide r = vectors((wide){1, 2, 3, 4}, (wide){10, 20, 30, 40});
    return r[0] + r[1] + r[2] + r[3];
}
