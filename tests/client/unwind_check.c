/* unwind_check.c - exceptions through thousands of objects that come and go.
 *
 *     unwind_check OBJECT-FILE [OBJECTS [THREADS]]
 *
 * The object's pass(f) calls f, and its cleanup counts. Loads it so often, unwinds through each, unloads all in random
 * order, unwinding through some that stay; then threads unwind while objects are loaded and unloaded around theirs.
 * Prints what it took; exits 0 if no exception was lost. One that is ends the program. */
#include "smclient.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unwind.h>

typedef void pass_function(void (*f)(void));

extern _Unwind_Reason_Code __gcc_personality_v0(int, _Unwind_Action, _Unwind_Exception_Class,
                                                struct _Unwind_Exception *, struct _Unwind_Context *);

static _Thread_local unsigned long passed;
static _Thread_local jmp_buf target;
static _Thread_local uintptr_t target_frame;
static sm_loader *loader;
static unsigned char object[1 << 20];
static size_t object_len;
static atomic_int done;

static void count(void) {
    passed++;
}

static void *resolve(void *user, const char *name) {
    (void)user;
    return strcmp(name, "count") == 0                  ? (void *)count
           : strcmp(name, "__gcc_personality_v0") == 0 ? (void *)__gcc_personality_v0
           : strcmp(name, "_Unwind_Resume") == 0       ? (void *)_Unwind_Resume
                                                       : NULL;
}

static _Unwind_Reason_Code stop(int version, _Unwind_Action actions, _Unwind_Exception_Class class,
                                struct _Unwind_Exception *exception, struct _Unwind_Context *context, void *arg) {
    (void)version, (void)class, (void)exception, (void)arg;
    if (actions & _UA_END_OF_STACK || _Unwind_GetCFA(context) > target_frame)
        longjmp(target, 1);
    return _URC_NO_REASON;
}

static void throw(void) {
    static _Thread_local struct _Unwind_Exception exception;
    memset(&exception, 0, sizeof exception);
    _Unwind_ForcedUnwind(&exception, stop, NULL);
    fprintf(stderr, "an exception found no frames\n");
    exit(1);
}

/* Unwinds from within the object's function. */
__attribute__((noinline)) static void check(pass_function *f) {
    unsigned long before = passed;
    target_frame = (uintptr_t)__builtin_dwarf_cfa();
    if (setjmp(target) == 0)
        f(throw);
    if (passed != before + 1) {
        fprintf(stderr, "the cleanup ran %lu times\n", passed - before);
        exit(1);
    }
}

static sm_object *load(void) {
    sm_object *o;
    sm_error err;
    if (sm_load(loader, object, object_len, "o", &o, &err) != SM_SUCCESS) {
        fprintf(stderr, "%s\n", err.message);
        exit(2);
    }
    return o;
}

static pass_function *function_of(const sm_object *o) {
    return (pass_function *)sm_object_symbol(o, "pass");
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t); /* others use the machine, too */
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static size_t random_below(size_t n) {
    static uint64_t state = 88172645463325252u;
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return state % n;
}

static double note(const char *what, double since) {
    double t = now();
    printf("%-36s %7.1f ms\n", what, 1e3 * (t - since));
    return t;
}

static void many(size_t n) {
    sm_object **o = calloc(n, sizeof *o);
    double t = now();
    for (size_t i = 0; i < n; i++)
        o[i] = load();
    t = note("loading", t);
    check(function_of(o[n / 2]));
    t = note("the first exception", t);
    for (size_t i = 0; i < n; i++)
        check(function_of(o[i]));
    t = note("an exception through each", t);
    for (size_t left = n; left; left--) {
        size_t i = random_below(left);
        sm_unload(o[i]);
        o[i] = o[left - 1];
        if (left > 1 && left % 64 == 0)
            check(function_of(o[random_below(left - 1)]));
    }
    t = note("unloading, an exception every 64", t);
    for (size_t i = 0; i < n; i++) {
        o[i] = load();
        if (i % 8 == 0)
            check(function_of(o[i]));
    }
    note("loading, an exception every 8", t);
    sm_loader_free(loader);
    free(o);
}

static void *throw_all(void *arg) {
    pass_function *const *f = arg;
    unsigned long n = 0;
    for (; !atomic_load(&done); n++)
        check(f[n % 16]);
    return (void *)n;
}

static void together(int threads, size_t loads) {
    pthread_t id[8];
    pass_function *f[16];
    sm_object *o[256] = {NULL};
    void *thrown;
    unsigned long sum = 0;
    for (int i = 0; i < 16 * 16; i++) {
        sm_object *kept = load();
        if (i % 16 == 0)
            f[i / 16] = function_of(kept);
    }
    for (int i = 0; i < threads; i++)
        pthread_create(&id[i], NULL, throw_all, f);
    for (size_t i = 0; i < loads; i++) {
        size_t at = random_below(256);
        sm_unload(o[at]);
        o[at] = i % 3 ? load() : NULL;
    }
    atomic_store(&done, 1);
    for (int i = 0; i < threads; i++) {
        pthread_join(id[i], &thrown);
        sum += (unsigned long)thrown;
    }
    printf("%lu exceptions on %d threads during %zu loads and unloads\n", sum, threads, loads);
    sm_loader_free(loader);
}

int main(int argc, char **argv) {
    size_t objects = argc > 2 ? strtoul(argv[2], NULL, 10) : 20000;
    int threads = argc > 3 ? atoi(argv[3]) : 2;
    sm_loader_options options = {.size = sizeof options, .resolve = resolve};
    FILE *f = argc > 1 ? fopen(argv[1], "rb") : NULL;
    if (!f)
        return 2;
    object_len = fread(object, 1, sizeof object, f);
    fclose(f);
    loader = sm_loader_new(&options, NULL);
    many(objects);
    loader = sm_loader_new(&options, NULL);
    together(threads, objects);
    return 0;
}
