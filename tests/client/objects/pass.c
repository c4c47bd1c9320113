/* pass.c - a function that exceptions pass through, for unwind_check.c. */
extern void count(void);

static void clean(const int *unused) {
    (void)unused;
    count();
}

void pass(void (*f)(void)) {
    __attribute__((cleanup(clean))) int here = 0;
    f();
    (void)here;
}
