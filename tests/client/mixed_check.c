/* mixed_check.c - stacks of frames of every kind, in every order: of statepoints, of the shadow stack, of llvm.gcroot's
 * tables, of loaded code without GC, of C code, and of C code that entries call. One walk sees each root once.
 *
 *     mixed_check LENGTH OBJECT...     (built with LINKED: the functions of mixed.ll are linked with it)
 *
 * The objects define functions by the letters below (pick). Every stack of up to LENGTH frames is made; at its end all
 * objects move, twice. With THREADS (environment) as many threads do so at once. Exits 0 if all was seen. */
#include "check.h"
#include "smclient.h"

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unwind.h>

extern void __gcc_personality_v0(void); /* libgcc's: the shadow stack is popped by what an exception passes */

enum { LONGEST = 64, CELLS = 4096 };

typedef int64_t link_function(int64_t depth);

static sm_loader *loader;
static int objects;                      /* how many are loaded */
static const char letters[] = "shpogce"; /* see pick */
static link_function *function[sizeof letters];

/* Of one thread: the stack that it makes, from the innermost frame outwards, and what a walk has seen. */
static _Thread_local struct {
    char script[LONGEST];
    int64_t cell[CELLS];
    int cells;
    int frames, roots;
    sm_result refused; /* what the walks give instead, from the second on; 0: they succeed */
    int walks;
} my;

int64_t *new_cell(int64_t value);

int64_t *new_cell(int64_t value) {
    check(my.cells < CELLS, "no cells are left");
    my.cell[my.cells] = value;
    return &my.cell[my.cells++];
}

static int move(void *user, void **base) {
    (void)user;
    int64_t *old = *base;
    check(old >= my.cell && old < my.cell + my.cells && *old > 0, "a root is no live cell, or was seen twice");
    my.roots++;
    *base = new_cell(*old);
    *old = -1000000;
    return 0;
}

static int see(void *user, const sm_activation *frame) {
    (void)user;
    check(frame->depth == (size_t)my.frames, "the frame's depth");
    my.frames++;
    return 0;
}

#ifdef LINKED

extern link_function f_s, f_h, f_p;
extern void *llvm_gc_root_chain;

static void *shadow_chain(void) {
    return llvm_gc_root_chain;
}

static link_function *find(char letter) {
    return letter == 's' ? f_s : letter == 'h' ? f_h : letter == 'p' ? f_p : NULL;
}

#else

static void *shadow_chain(void) {
    void **chain = sm_loader_symbol(loader, "llvm_gc_root_chain");
    return chain ? *chain : NULL;
}

static link_function *find(char letter) {
    char name[] = {'f', '_', letter, 0};
    return (link_function *)sm_loader_symbol(loader, name);
}

#endif

static int count(const char *kinds) {
    int n = 0;
    for (const char *s = my.script; *s; s++)
        n += strchr(kinds, *s) != NULL;
    return n;
}

static void collect(sm_registers *at) {
    sm_error err;
    sm_visitor v = {.size = sizeof v, .root = move, .frame = see, .shadow_chain = shadow_chain()};
    my.frames = my.roots = 0;
    check(sm_visit(loader, at, &v, &err) == SM_SUCCESS, "%s: %s", my.script, err.message);
    check(my.frames == count("sog"), "%s: %d frames", my.script, my.frames);
    check(my.roots == count("sogh"), "%s: %d roots", my.script, my.roots);
}

/* Without the chain a frame of the shadow stack is an error, unless the walk wants no roots. */
static void leave_chain_out(sm_registers *at) {
    sm_error err;
    sm_visitor v = {.size = sizeof v, .frame = see};
    my.frames = 0;
    check(sm_visit(loader, at, &v, &err) == SM_SUCCESS, "%s: %s", my.script, err.message);
    v = (sm_visitor){.size = sizeof v, .shadow_root = NULL, .root = (int (*)(void *, void **))see};
    if (objects && count("h") && !count("sog"))
        check(sm_visit(loader, at, &v, &err) == SM_ERR_INVALID_ARGUMENT, "%s: %s", my.script, err.message);
}

/* Fails as it has to, or succeeds for once where the function waits at a safepoint first. */
static void expect_refusal(sm_registers *at) {
    sm_error err;
    sm_visitor v = {.size = sizeof v};
    sm_result r = sm_visit(loader, at, &v, &err);
    check(r == (my.walks++ ? my.refused : SM_SUCCESS), "%s", err.message);
}

/* ---- Frames --------------------------------------------------------------------------------------------------- */

int64_t end_now(sm_registers *at, int64_t depth);
int64_t end(int64_t depth);
SM_RUNTIME_ENTRY(end, end_now)

int64_t end_now(sm_registers *at, int64_t depth) {
    (void)depth;
    if (my.refused) {
        expect_refusal(at);
        return 0;
    }
    collect(at);
    collect(at);
    leave_chain_out(at);
    return 0;
}

link_function *pick(int64_t depth);

/* The function of the frame that comes DEPTH frames from the stack's end. */
link_function *pick(int64_t depth) {
    return depth > 0 ? function[strchr(letters, my.script[depth - 1]) - letters] : end;
}

/* C code without an entry. */
static __attribute__((noinline)) int64_t c_frame(int64_t depth) {
    volatile int64_t kept = depth;
    int64_t r = pick(depth - 1)(depth - 1);
    return r + kept - depth;
}

int64_t enter_now(sm_registers *at, int64_t depth);
int64_t enter(int64_t depth);
SM_RUNTIME_ENTRY(enter, enter_now)

int64_t enter_now(sm_registers *at, int64_t depth) {
    int64_t r = pick(depth - 1)(depth - 1);
    check(sm_chain_get() == at, "the chain");
    return r;
}

/* ------------------------------------------------------------------------------------------------------------- */

static void run(void) {
    int64_t sum = 0, depth = (int64_t)strlen(my.script);
    my.cells = 0;
    for (int64_t i = 1; i <= depth; i++)
        sum += strchr("sogh", my.script[i - 1]) ? i : 0;
    int64_t result = pick(depth)(depth);
    check(result == sum, "%s: %ld", my.script, (long)result);
    check(!sm_chain_get() && !shadow_chain(), "%s: a chain is not empty", my.script);
}

static void run_all(int length) {
    run();
    for (size_t i = 0; length > 0 && letters[i]; i++) {
        size_t n = strlen(my.script);
        if (!function[i])
            continue;
        my.script[n] = letters[i];
        run_all(length - 1);
        my.script[n] = 0;
    }
}

static void *thread(void *length) {
    run_all(*(int *)length);
    for (int k = 0; k < 50; k++) { /* some long ones */
        unsigned seed = (unsigned)k;
        for (int i = 0; i < LONGEST - 1;) {
            int l = rand_r(&seed) % (int)(sizeof letters - 1);
            if (function[l])
                my.script[i++] = letters[l];
        }
        run();
        memset(my.script, 0, sizeof my.script);
    }
    return NULL;
}

/* Frames that no walk can pass, of mixed_errors.ll. */
static void refuses(void) {
    link_function *leaf = (link_function *)sm_loader_symbol(loader, "f_l");
    link_function *no_frame = (link_function *)sm_loader_symbol(loader, "f_n");
    my.refused = SM_ERR_NO_SAFEPOINT;
    check(!leaf || (leaf(7) == 7 && my.walks == 2), "%d walks", my.walks);
    my.refused = SM_ERR_NO_UNWIND;
    my.walks = 1;
    check(!no_frame || (no_frame(7) == 7 && my.walks == 2), "%d walks", my.walks);
    my.refused = 0;
}

static void *resolve(void *user, const char *name) {
    (void)user;
    return strcmp(name, "end") == 0                    ? (void *)end
           : strcmp(name, "new_cell") == 0             ? (void *)new_cell
           : strcmp(name, "pick") == 0                 ? (void *)pick
           : strcmp(name, "_Unwind_Resume") == 0       ? (void *)_Unwind_Resume
           : strcmp(name, "__gcc_personality_v0") == 0 ? (void *)__gcc_personality_v0
                                                       : NULL;
}

static void load(const char *path) {
    static char data[1 << 20];
    sm_error err;
    FILE *f = fopen(path, "rb");
    check(f, "%s", path);
    size_t len = fread(data, 1, sizeof data, f);
    fclose(f);
    check(sm_load(loader, data, len, path, NULL, &err) == SM_SUCCESS, "%s: %s", path, err.message);
}

int main(int argc, char **argv) {
    enum { MOST = 8 };
    sm_error err;
    sm_loader_options options = {.size = sizeof options, .resolve = resolve};
    pthread_t id[MOST];
    int length = argc > 1 ? atoi(argv[1]) : 0;
    int threads = getenv("THREADS") ? atoi(getenv("THREADS")) : 0;
    check(argc > 1 && threads <= MOST, "usage");
    loader = sm_loader_new(&options, &err);
    objects = argc - 2;
    if (!objects)
        check(sm_map_open(loader, NULL, NULL, &err) == SM_SUCCESS, "%s", err.message);
    for (int i = 2; i < argc; i++)
        load(argv[i]);
    for (size_t i = 0; letters[i]; i++) {
        function[i] = letters[i] == 'c' ? c_frame : letters[i] == 'e' ? enter : find(letters[i]);
    }
    if (objects)
        refuses();
    if (!threads)
        thread(&length);
    for (int i = 0; i < threads; i++)
        check(pthread_create(&id[i], NULL, thread, &length) == 0, "no thread");
    for (int i = 0; i < threads; i++)
        pthread_join(id[i], NULL);
    sm_loader_free(loader);
    return 0;
}
