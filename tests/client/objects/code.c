/* code.c - what objects are made of, for the loader's tests: compiled by two compilers for two architectures in every
 * code model. check() gives 0, or the line of the first thing that is wrong. */
#include <stddef.h>

#define EXPECT(condition)                                                                                            \
    do {                                                                                                             \
        if (!(condition))                                                                                            \
            return __LINE__;                                                                                         \
    } while (0)

/* In the other object (other.c), and in the runtime (load_check.c). */
extern int other_value;
int count_up(int *counter);
extern const char *const other_names[3];
int other_function(int (*callback)(int), int n);
int runtime_add(int a, int b);
extern int runtime_value;
extern int missing_function(void) __attribute__((weak));

int shared_counter = 40;
static int zeros[5000];
static int ones[3] = {1, 1, 1};
static const double table[4] = {0.5, 1.5, 2.5, 3.5};
static int *const into_ones = &ones[2];
int tentative;
int unused_tentative;
__attribute__((weak)) int chosen(void) {
    return 1;
}
__attribute__((visibility("hidden"))) int hidden_value = 12;
__attribute__((visibility("protected"))) int protected_function(void) {
    return 13;
}
__attribute__((aligned(4096))) static char page[4096] = "page";

static int twice(int n) {
    return 2 * n;
}
static int thrice(int n) {
    return 3 * n;
}
static int (*const functions[])(int) = {twice, thrice, NULL};
int (*exported_pointer)(int) = thrice;

/* Functions that are called before and after; those that go count themselves for load_check. */
extern int __cxa_atexit(void (*f)(void *), void *arg, void *handle);
extern void *__dso_handle __attribute__((visibility("hidden")));
int initialised, began_early, *finalised;
static void leave(void *arg) {
    if (finalised && *finalised == 1 && arg == &initialised)
        *finalised = 2;
}
__attribute__((constructor)) static void begin(void) {
    if (began_early == 2 && __cxa_atexit(leave, &initialised, &__dso_handle) == 0)
        initialised = shared_counter + 2;
}
__attribute__((constructor(200))) static void begin_early(void) {
    began_early *= 2;
}
__attribute__((constructor(101))) static void begin_first(void) {
    began_early = 1;
}
__attribute__((destructor)) static void finish(void) {
    if (finalised && *finalised == 0)
        *finalised = 1;
}
__attribute__((destructor(101))) static void finish_last(void) {
    if (finalised && *finalised == 2)
        *finalised = 3;
}

/* Chosen when it is loaded. */
static int (*choose(void))(int) {
    return functions[1];
}
int picked(int) __attribute__((ifunc("choose")));
int picked_for_others(int) __attribute__((ifunc("choose")));
int (*const to_picked)(int) = picked;

__attribute__((noinline)) static const char *name_of(int n) {
    switch (n) { /* a jump table */
    case 0:
        return "zero";
    case 1:
        return "one";
    case 2:
        return "two";
    case 3:
        return "three";
    case 4:
        return "four";
    case 5:
        return "five";
    case 6:
        return "six";
    default:
        return other_names[n % 3];
    }
}

__attribute__((noinline)) static int letter(const char *text, int at) {
    return text[at];
}

struct big {
    long word[40];
};

__attribute__((noinline)) static struct big filled(long n) {
    struct big b = {{0}}; /* memset, memcpy */
    for (int i = 0; i < 40; i++)
        b.word[i] = n + i;
    return b;
}

int check(int n) {
    EXPECT(shared_counter == 40);
    EXPECT(other_function(twice, 21) == 42 + 7);
    EXPECT(count_up(&shared_counter) == 41 && shared_counter == 41);
    EXPECT(other_value == 77);
    EXPECT(runtime_add(2, 3) == 5);
    EXPECT(runtime_value == 1234);
    EXPECT(missing_function == NULL);
    EXPECT(initialised == 42);
    EXPECT(zeros[n + 4000] == 0);
    zeros[n + 4000] = 5;
    EXPECT(zeros[n + 4000] == 5);
    EXPECT(ones[n] + *into_ones == 2);
    EXPECT(table[n + 1] * 2 == 3.0);
    EXPECT(functions[n](10) == 20 && functions[n + 1](10) == 30 && !functions[n + 2]);
    EXPECT(exported_pointer(5) == 15);
    tentative += 3;
    EXPECT(tentative == 3);
    EXPECT(chosen() == 1);
    EXPECT(picked(n + 4) == 12 && to_picked(n + 5) == 15);
    EXPECT(hidden_value + n == 12);
    EXPECT(protected_function() == 13);
    EXPECT((size_t)page % 4096 == 0 && page[n] == 'p');
    EXPECT(letter(name_of(n + 4), 1) == 'o' && letter(name_of(n + 9), 0) == 'n' && letter(name_of(10), 0) == 's');
    EXPECT(filled(n + 2).word[39] == 41);
    return 0;
}
