/* linked_check.c - managed code that a linker has put into a program, or into a library of it: its frames are walked
 * by its own compact table, and every object is moved at every collection.
 *
 * Exits 0 if all is well; says what is not. */
#include "smclient.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

enum { DEPTH = 50, OBJECTS = 2 };

struct object {
    long value;
    struct object *forward;
};

/* MODULE of linked_test.py */
long walk(struct object *a, struct object *b, long n);
long typed(struct object *a); /* in a slot of the type that described() gives */
const void *described(void);
long checked(struct object *a); /* without a branch: null is met by a fault */

static sm_loader *loader;
static sm_object *map;
static int roots, frames, collections, faults, is_typed;
static const void *seen_type;

static void check(int holds, const char *what) {
    if (!holds) {
        fprintf(stderr, "%s\n", what);
        exit(1);
    }
}

static int move(void *user, void **base) {
    struct object *o = *base;
    (void)user;
    roots++;
    if (!o->forward) {
        struct object *to = malloc(sizeof *to);
        *to = (struct object){.value = o->value};
        *o = (struct object){.value = -1000000, .forward = to};
    }
    *base = o->forward;
    return 0;
}

static int see_type(void *user, const sm_activation *frame, sm_reference *reference) {
    (void)frame;
    seen_type = reference->type_symbol;
    return move(user, reference->base);
}

static int count_frame(void *user, const sm_activation *frame) {
    (void)user;
    if (is_typed)
        return 0;
    check(frame->site->code && frame->site->code->address == (uintptr_t)walk, "a frame is of another function");
    check(sm_find(loader, frame->site->address) == frame->site, "a site is another one");
    check(sm_find_code(loader, frame->site->address) == frame->site->code, "an address in it is another's");
    frames++;
    return 0;
}

SM_RUNTIME_ENTRY(collect, collect_now)
void collect_now(sm_registers *at);
void collect_now(sm_registers *at) {
    sm_visitor v = {.size = sizeof v, .root = move, .frame = count_frame, .reference = see_type};
    sm_error err = {.message = "?"};
    collections++;
    check(sm_visit(loader, at, &v, &err) == SM_SUCCESS, err.message);
}

static void handle(int number, siginfo_t *info, void *context) {
    sm_registers r;
    (void)number, (void)info;
    sm_registers_load(&r, context);
    const sm_site *site = sm_find_fault(loader, r.pc);
    if (!site || site->kind != SM_SITE_NULL_CHECK)
        _Exit(9);
    faults++;
    r.pc = site->address;
    sm_registers_store(&r, context);
}

static void check_for_null(struct object *there) {
    struct sigaction action = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO}, before;
    sigaction(SIGSEGV, &action, &before);
    faults = 0;
    check(checked(there) == there->value && faults == 0, "what is there faults");
    check(checked(NULL) == -1 && faults == 1, "null is not met by a fault");
    check(!sm_find_fault(loader, (uintptr_t)check_for_null), "C code has a null check");
    sigaction(SIGSEGV, &before, NULL);
}

static void check_types(void) {
    struct object *o = calloc(1, sizeof *o);
    o->value = 7;
    seen_type = NULL;
    is_typed = 1;
    check(typed(o) == 7 && o->forward, "what is in a slot is not moved");
    check(seen_type && seen_type == described(), "its type is another one");
    is_typed = 0;
}

static int count_site(void *user, const sm_site *site) {
    ++*(int *)user;
    check(site->address > (uintptr_t)site->code->address, "a site is before its function");
    return 0;
}

static void use(void) {
    struct object *a = calloc(1, sizeof *a), *b = calloc(1, sizeof *b);
    int sites = 0;
    a->value = 3;
    b->value = 5;
    frames = roots = collections = 0;
    long sum = walk(a, b, DEPTH);
    check(sum == (DEPTH + 1) * 8, "the sum is wrong");
    check(collections == DEPTH + 1 && frames == (DEPTH + 1) * (DEPTH + 2) / 2, "frames are missing");
    check(roots == 2 * frames, "roots are missing");
    check_for_null(a->forward);
    check_types();
    sm_object_sites(map, count_site, &sites);
    check(sites >= 3, "there are few sites");
    check(!sm_find_code(loader, (uintptr_t)use) && !sm_find(loader, (uintptr_t)use + 1), "C code has a safepoint");
    check(!sm_find(loader, (uintptr_t)walk) && !sm_find(loader, (uintptr_t)walk + 1), "there is one at the start");
}

static int read_site(void *user, const sm_site *site) {
    uint64_t sum = site->id + site->code->bytes;
    for (uint32_t i = 0; i < site->n_pairs; i++)
        sum += site->pairs[i].base.reg + site->pairs[i].derived.bytes;
    for (uint32_t i = 0; i < site->n_deopt; i++)
        sum += site->deopt[i].bytes;
    *(uint64_t *)user += sum;
    return 0;
}

/* Of a table that was damaged: whatever it says, it is read within its bounds. */
static int visit_all(void) {
    const void *code;
    uint64_t sum = 0;
    if (sm_map_open(loader, IS_LIBRARY ? (void *)walk : NULL, &map, NULL) != SM_SUCCESS)
        return 0;
    size_t bytes = sm_object_code(map, &code);
    sm_object_sites(map, read_site, &sum);
    for (size_t i = 0; i < bytes; i++) {
        const sm_site *site = sm_find(loader, (uintptr_t)code + i);
        const sm_code *function = sm_find_code(loader, (uintptr_t)code + i);
        if (site)
            read_site(&sum, site);
        sum += function ? function->frame_size : 0;
        site = sm_find_fault(loader, (uintptr_t)code + i);
        sum += site ? site->address : 0;
    }
    sm_loader_free(loader);
    printf("%llu\n", (unsigned long long)sum);
    return 0;
}

/* A table of LLVM's beside it has functions that no walk would know. */
static int is_refused(void) {
    sm_error err = {.message = "?"};
    check(sm_map_open(loader, NULL, &map, &err) == SM_ERR_UNSUPPORTED && !map, "half of the safepoints are enough");
    puts(err.message);
    return 0;
}

int main(int argc, char **argv) {
    sm_loader_options options = {.size = sizeof options};
    sm_error err = {.message = "?"};
    loader = sm_loader_new(&options, &err);
    check(loader != NULL, err.message);
    if (argc > 1 && argv[1][0] == 'l')
        return visit_all();
    if (argc > 1 && argv[1][0] == 'r')
        return is_refused();
    sm_object *none;
    check(sm_map_open(loader, &(int){0}, &none, &err) == SM_ERR_INVALID_ARGUMENT && !none, "the stack has a map");
    check(sm_map_open(loader, (void *)stdout, &none, &err) != SM_SUCCESS || IS_STATIC, "libc has a map");
    if (IS_STATIC && none)
        sm_unload(none);
    for (int i = 0; i < 3; i++) {
        check(sm_map_open(loader, i || IS_LIBRARY ? (void *)walk : NULL, &map, &err) == SM_SUCCESS, err.message);
        check(sm_map_open(loader, (void *)walk, &none, &err) == SM_ERR_INVALID_ARGUMENT, "it opens twice");
        use();
        if (i == 2)
            sm_loader_trim(loader);
        use();
        if (i < 2)
            sm_unload(map);
        if (i < 2)
            check(!sm_find_code(loader, (uintptr_t)walk), "it is there when it is closed");
    }
    sm_loader_free(loader);
    printf("%d frames, %d roots\n", frames, roots);
    return 0;
}
