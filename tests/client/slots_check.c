/* slots_check.c - roots of several pointers, of erlang or ocaml, under a collector that moves everything.
 *
 *     slots_check OBJECT     (objects/slots.ll)
 *
 * Exits 0 if both collections saw each pointer once, and nothing else. */
#include "check.h"
#include "smclient.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { POINTERS = 13, CELLS = POINTERS * 4 };

static sm_loader *loader;
static sm_error err;
static int64_t cell[CELLS];
static int cells, roots;

int64_t *new_cell(int64_t value);

int64_t *new_cell(int64_t value) {
    check(cells < CELLS, "no cells are left");
    cell[cells] = value;
    return &cell[cells++];
}

static int move(void *user, void **base) {
    (void)user;
    int64_t *old = *base;
    if (!old) /* of the slot that is never written */
        return 0;
    check(old >= cell && old < cell + cells && *old > 0, "a root is no live cell, or was seen twice");
    roots++;
    *base = new_cell(*old);
    *old = -1;
    return 0;
}

int64_t enter_now(sm_registers *at, int64_t n);
int64_t enter(int64_t n);
SM_RUNTIME_ENTRY(enter, enter_now)

int64_t enter_now(sm_registers *at, int64_t n) {
    sm_visitor v = {.size = sizeof v, .root = move};
    roots = 0;
    check(sm_visit(loader, at, &v, &err) == SM_SUCCESS, "%s", err.message);
    check(roots == POINTERS, "%d roots", roots);
    return n;
}

static void *resolve(void *user, const char *name) {
    (void)user;
    return strcmp(name, "enter") == 0 ? (void *)enter : strcmp(name, "new_cell") == 0 ? (void *)new_cell : NULL;
}

int main(int argc, char **argv) {
    static unsigned char bytes[1 << 16];
    sm_loader_options options = {.size = sizeof options, .resolve = resolve};
    FILE *file = argc == 2 ? fopen(argv[1], "rb") : NULL;
    check(file, "slots_check OBJECT");
    size_t len = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    loader = sm_loader_new(&options, &err);
    check(loader, "%s", err.message);
    sm_object *code = NULL;
    check(sm_load(loader, bytes, len, argv[1], &code, &err) == SM_SUCCESS, "%s", err.message);
    int64_t (*f)(int64_t) = (int64_t (*)(int64_t))sm_object_symbol(code, "f");
    int64_t want = 7, got = f(7);
    for (int64_t i = 0; i < POINTERS; i++)
        want += (i + 1) << i;
    check(got == want, "the sum is %ld, not %ld", (long)got, (long)want);
    sm_loader_free(loader);
    return 0;
}
