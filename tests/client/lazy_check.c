/* lazy_check.c - functions that are called before they are there, and go elsewhere later; on this machine and on
 * AArch64 under an emulator.
 *
 *     lazy_check EARLY-OBJECT LATE-OBJECT NEWER-OBJECT
 *
 * Exits 0 if every call went where it had to. */
#include "check.h"
#include "smclient.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

enum { THREADS = 4, CALLS = 20000 };

static sm_loader *loader;
static sm_error err;
static const char *late_path;
static sm_object *late;
static atomic_int asked;

static sm_object *load(const char *path) {
    static _Thread_local char data[1 << 18];
    sm_object *o;
    FILE *f = fopen(path, "rb");
    check(f, "%s", path);
    size_t len = fread(data, 1, sizeof data, f);
    fclose(f);
    check(sm_load(loader, data, len, path, &o, &err) == SM_SUCCESS, "%s", err.message);
    return o;
}

static int double_of(int x) {
    return 2 * x;
}

static int triple_of(int x) {
    return 3 * x;
}

/* Disturbs what may hold arguments. */
static double noise(double x) {
    char text[64];
    snprintf(text, sizeof text, "%f %d", x * 3.5, (int)x);
    return x + (double)strlen(text);
}

static void *resolve_call(void *user, const char *name) {
    check(user == &loader, "the user's pointer");
    atomic_fetch_add(&asked, 1);
    check(noise(atomic_load(&asked)) > 0, "noise");
    if (strcmp(name, "counted") == 0)
        return (void *)double_of;
    check(strcmp(name, "never_called") != 0, "asked for what is not called");
    late = load(late_path);
    return NULL;
}

typedef int function(void);

static function *of(const sm_object *o, const char *name) {
    function *f = (function *)sm_object_symbol(o, name);
    check(f, "%s", name);
    return f;
}

static void *call_all(void *arg) {
    int (*f)(int) = (int (*)(int))arg;
    for (int i = 0; i < CALLS; i++) {
        int r = f(i);
        check(r == 2 * i + 1 || r == 3 * i + 1, "%d", r);
    }
    return NULL;
}

static void calls_from_threads(sm_object *early) {
    pthread_t id[THREADS];
    int before = asked;
    for (int i = 0; i < THREADS; i++)
        check(pthread_create(&id[i], NULL, call_all, sm_object_symbol(early, "call_counted")) == 0, "no thread");
    for (int i = 0; i < 200; i++)
        check(sm_redirect(loader, "counted",
                          i % 3 == 0   ? NULL
                          : i % 3 == 1 ? (void *)triple_of
                                       : (void *)double_of,
                          &err) == SM_SUCCESS,
              "%s", err.message);
    for (int i = 0; i < THREADS; i++)
        pthread_join(id[i], NULL);
    check(asked >= before, "asked");
}

static void goes_elsewhere(sm_object *early, const char *newer_path) {
    function *which = of(early, "which"), *pointer = *(function **)sm_object_symbol(early, "pointer");
    function *(*which_function)(void) = (function * (*)(void)) sm_object_symbol(early, "which_function");
    int before = asked;
    check(which() == 1 && pointer() == 1 && which_function()() == 1, "version %d", which());
    check(pointer == which_function(), "one name has one address");
    check((void *)pointer == sm_loader_stub(loader, "version", &err), "which is its stub's");
    sm_object *newer = load(newer_path);
    check(which() == 1, "what is loaded later changes nothing");
    check(sm_redirect(loader, "version", sm_object_symbol(newer, "version"), &err) == SM_SUCCESS, "%s", err.message);
    check(which() == 2 && pointer() == 2, "version %d", which());
    check(sm_redirect(loader, "version", NULL, &err) == SM_SUCCESS, "%s", err.message);
    check(which() == 2, "the one loaded last is found");
    sm_unload(newer);
    check(which() == 1, "the one that is left");
    sm_retire(late);
    check(asked == before, "nobody was asked, as there was one");
    check(which() == 1 && asked == before + 1, "now somebody was");
    sm_object *third = load(newer_path);
    sm_unload(late);
    check(which() == 2, "version %d", which());
    sm_unload(third);
}

int main(int argc, char **argv) {
    sm_loader_options options = {.size = sizeof options, .resolve_call = resolve_call, .user = &loader};
    check(argc > 3, "usage");
    late_path = argv[2];
    loader = sm_loader_new(&options, &err);
    sm_object *early = load(argv[1]);
    check(!asked, "asked before the first call");
    check(of(early, "early")() == 42 && asked == 1, "%d", asked);
    check(of(early, "early")() == 42 && asked == 1, "a second call asks again");
    double (*vectors)(void) = (double (*)(void))sm_object_symbol(early, "call_vectors");
    check(vectors() == 110, "%f", vectors());
    check(sm_redirect(loader, "vectors", NULL, &err) == SM_SUCCESS && vectors() == 110, "vectors, bound again");
    goes_elsewhere(early, argv[3]);
    calls_from_threads(early);
    sm_unload(early);
    sm_loader_free(loader);
    options.resolve_call = NULL;
    loader = sm_loader_new(&options, &err);
    check(sm_redirect(loader, "f", (void *)double_of, &err) == SM_ERR_INVALID_ARGUMENT, "redirected without stubs");
    sm_loader_free(loader);
    return 0;
}
