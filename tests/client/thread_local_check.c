/* thread_local_check.c - thread-local variables of loaded objects: each thread has its own, whatever the model.
 *
 *     thread_local_check OBJECT USER-OBJECT
 *     thread_local_check TRANSITION-OBJECT
 *
 * The objects are of thread_local.ll and thread_local_user.ll, or of transition.ll. Exits 0 if all is as it should be. */
#include "check.h"
#include "smclient.h"

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 5, ROUNDS = 20, MANY = 40 };

typedef int64_t bump_function(int64_t n, double x, double y);

static sm_loader *loader;
static sm_error err;
static bump_function *bump;
static int64_t *(*where)(void);
static int64_t (*see)(void);
static pthread_barrier_t all_there;

_Thread_local int64_t of_program = 3;
static _Thread_local char large[4096]; /* so that the program's variables are many */

void foo(void); /* an entry; see below */

static void *resolve(void *user, const char *name) {
    (void)user;
    return strcmp(name, "of_program") == 0 ? (void *)&of_program : strcmp(name, "foo") == 0 ? (void *)foo : NULL;
}

static sm_object *load(const char *path) {
    static char data[1 << 20];
    sm_object *o;
    FILE *f = fopen(path, "rb");
    check(f, "%s", path);
    size_t len = fread(data, 1, sizeof data, f);
    fclose(f);
    check(sm_load(loader, data, len, path, &o, &err) == SM_SUCCESS, "%s: %s", path, err.message);
    return o;
}

/* What a thread that begins now sees: its variables' first values, then what it has added. */
static void use(int64_t n) {
    large[0] = 1;
    for (int64_t i = 1; i <= ROUNDS; i++) {
        int64_t sum = bump(n, 9.0, 4.0);
        check(sum == 11 + 7 + 70 + 500 + 3 + 5 + 5 * i * n, "round %d: %ld", (int)i, (long)sum);
        check(of_program == 3 + i * n, "the program's variable");
        check(where()[0] == 0 && where()[1] == i * n && (uintptr_t)where() % 32 == 0, "an array");
        check(see() == 11 + i * n + 1000 * i, "another object's variable: %ld", (long)see());
    }
    check(sm_loader_symbol(loader, "zeros") == where(), "the symbol is another thread's");
}

static void *thread(void *arg) {
    static int64_t *seen[THREADS];
    int me = *(int *)arg;
    seen[me] = where();
    pthread_barrier_wait(&all_there);
    for (int i = 0; i < me; i++)
        check(seen[i] != seen[me], "two threads share a variable");
    use(me + 1);
    return NULL;
}

static void *thread_alone(void *arg) {
    (void)arg;
    use(17);
    return NULL;
}

/* ---- GC transitions -------------------------------------------------------------------------------------------- */

static int *(*test1)(int *object);
static _Thread_local int old_place, new_place;

void foo_now(sm_registers *at);
SM_RUNTIME_ENTRY(foo, foo_now)

static int move(void *user, void **base) {
    (void)user;
    check(*base == &old_place, "the root");
    *base = &new_place;
    return 0;
}

void foo_now(sm_registers *at) {
    sm_visitor v = {.size = sizeof v, .root = move};
    check(*(int *)sm_loader_symbol(loader, "flag") == 1, "the flag while native code runs");
    check(sm_visit(loader, at, &v, &err) == SM_SUCCESS, "%s", err.message);
}

static void *transition(void *arg) {
    for (int i = 0; i < ROUNDS; i++) {
        check(test1(&old_place) == &new_place, "the object has not moved");
        check(*(int *)sm_loader_symbol(loader, "flag") == 0, "the flag behind the call");
    }
    return arg;
}

static void transitions(const char *path) {
    pthread_t id[THREADS];
    test1 = (int *(*)(int *))sm_object_symbol(load(path), "test1");
    transition(NULL);
    for (int i = 0; i < THREADS; i++)
        check(pthread_create(&id[i], NULL, transition, NULL) == 0, "no thread");
    for (int i = 0; i < THREADS; i++)
        pthread_join(id[i], NULL);
}

/* --------------------------------------------------------------------------------------------------------------- */

int main(int argc, char **argv) {
    sm_loader_options options = {.size = sizeof options, .resolve = resolve};
    pthread_t id[THREADS];
    int number[THREADS];
    check(argc > 1, "usage");
    loader = sm_loader_new(&options, &err);
    if (argc == 2) {
        transitions(argv[1]);
        sm_loader_free(loader);
        return 0;
    }
    sm_object *first = load(argv[1]), *user = load(argv[2]);
    bump = (bump_function *)sm_object_symbol(first, "bump");
    where = (int64_t *(*)(void))sm_object_symbol(first, "where");
    see = (int64_t (*)(void))sm_object_symbol(user, "see");
    use(100);
    pthread_barrier_init(&all_there, NULL, THREADS);
    for (int i = 0; i < THREADS; i++) {
        number[i] = i;
        check(pthread_create(&id[i], NULL, thread, &number[i]) == 0, "no thread");
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(id[i], NULL);
    for (int i = 0; i < MANY; i++) { /* threads that come and go */
        check(pthread_create(&id[0], NULL, thread_alone, NULL) == 0, "no thread");
        pthread_join(id[0], NULL);
    }
    sm_unload(user);
    sm_unload(first);
    sm_loader_free(loader);
    return 0;
}
