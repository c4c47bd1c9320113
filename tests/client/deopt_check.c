/* deopt_check.c - from compiled code into an interpreter, which goes on in eight frames that were inlined in one another, when
 * a collection has moved their objects.
 *
 *     deopt_check OBJECT FRAMES
 *
 * The object is tests/client/objects/deopt.ll; FRAMES is how many frames the activation that gives up has. Exits 0 if the
 * result is right. */
#include "check.h"
#include "smclient.h"

#include <stdlib.h>
#include <string.h>

enum { CELLS = 64, GONE = -1000000, METHODS = 8, OBJECT_TYPE = 70 };

struct cell {
    int64_t value;
    struct cell *moved;
};

static struct cell cell[CELLS];
static int cells, moved, interpreted;
static sm_loader *loader;
static sm_error err;

static struct cell *new_cell(int64_t value) {
    check(cells < CELLS, "no cells are left");
    cell[cells] = (struct cell){.value = value};
    return &cell[cells++];
}

static int move(void *user, void **base) {
    struct cell *old = *base;
    (void)user;
    if (!old->moved) {
        old->moved = new_cell(old->value);
        old->value = GONE;
        moved++;
    }
    *base = old->moved;
    return 0;
}

static void collect(sm_registers *at) {
    sm_visitor v = {.size = sizeof v, .root = move};
    check(sm_visit(loader, at, &v, &err) == SM_SUCCESS, "%s", err.message);
}

struct cell *allocate_now(sm_registers *at, int64_t value);
void *allocate(void);
SM_RUNTIME_ENTRY(allocate, allocate_now)

struct cell *allocate_now(sm_registers *at, int64_t value) {
    collect(at);
    return new_cell(value);
}

/* ---- The interpreter ---------------------------------------------------------------------------------------------- */

struct object {
    int64_t number;
    struct cell *reference;
};

/* A frame of the interpreter. */
struct frame {
    uint64_t method, bytecode;
    int64_t n;
    struct cell *p;
    struct object *object; /* of method 3 */
};

static struct frame frame[METHODS];
static int frames;

static struct cell *take_reference(const sm_deopt_value *v) {
    struct cell *c = (struct cell *)(uintptr_t)v->value; /* NOLINT(performance-no-int-to-ptr) */
    check(v->kind == SM_DEOPT_VALUE && v->is_reference && c >= cell && c < cell + cells && !c->moved,
          "no reference to an object that has moved");
    return c;
}

static int64_t take_number(const sm_deopt_value *v) {
    check(v->kind == SM_DEOPT_VALUE && !v->is_reference && v->bytes == 8, "no number");
    return (int64_t)v->value;
}

/* An object of the state comes to be: it is on the heap from here on. */
static struct object *take_object(sm_deopt_frame *f) {
    sm_deopt_value number, reference, again;
    struct object *o = malloc(sizeof *o);
    check(o && sm_deopt_next(f, &number) && sm_deopt_next(f, &reference) && sm_deopt_next(f, &again), "no fields");
    *o = (struct object){take_number(&number), take_reference(&reference)};
    check(again.kind == SM_DEOPT_SAME && again.object == 0, "it is not the same again");
    return o;
}

static int take_frame(void *user, const sm_deopt_frame *given) {
    sm_deopt_frame f = *given;
    sm_deopt_value n, p, v;
    int expected = *(int *)user;
    check(frames < METHODS && (int)f.depth == expected - 1 - frames, "frame %d has depth %u", frames, f.depth);
    check(f.method == f.depth && f.bytecode == (f.method ? 10 * f.method : 5), "method %d at bytecode %d",
          (int)f.method, (int)f.bytecode);
    check(sm_deopt_next(&f, &n) && sm_deopt_next(&f, &p), "no values");
    frame[frames] = (struct frame){f.method, f.bytecode, take_number(&n), take_reference(&p), NULL};
    if (f.method == 3) {
        check(sm_deopt_next(&f, &v) && v.kind == SM_DEOPT_OBJECT && v.type == OBJECT_TYPE && v.n_fields == 2,
              "there is no object");
        frame[frames].object = take_object(&f);
    }
    check(!sm_deopt_next(&f, &v), "there are more values");
    frames++;
    return 0;
}

static int take_activation(void *user, const sm_activation *activation) {
    int damaged = 0;
    if (activation->depth != 0)
        return 0;
    check(sm_deopt_frames(activation, take_frame, user, &err) == SM_SUCCESS, "%s", err.message);
    sm_site site = *activation->site;
    sm_activation other = *activation;
    other.site = &site;
    site.n_deopt--; /* the last value is missing */
    check(sm_deopt_frames(&other, take_frame, &damaged, &err) == SM_ERR_INVALID_STACKMAP, "what is missing?");
    site.n_deopt = 0;
    check(sm_deopt_frames(&other, take_frame, &damaged, &err) == SM_SUCCESS, "no frames are no failure");
    return 0;
}

/* Goes on in a frame; R is what the method returned that it has called. */
static int64_t interpret(const struct frame *f, int64_t r) {
    interpreted++;
    if (f->method == 0)
        return 7 * f->n + f->p->value;
    r = 3 * r + f->n + f->p->value;
    if (f->object)
        r += f->object->number + 2 * f->object->reference->value;
    free(f->object);
    return r;
}

int64_t go_on_now(sm_registers *at);
void *go_on(void);
SM_RUNTIME_ENTRY(go_on, go_on_now)

static int expected_frames;

int64_t go_on_now(sm_registers *at) {
    int64_t result = 0;
    collect(at);
    collect(at);
    frames = 0;
    sm_visitor v = {.size = sizeof v, .user = &expected_frames, .frame = take_activation};
    check(sm_visit(loader, at, &v, &err) == SM_SUCCESS, "%s", err.message);
    check(frames == expected_frames, "%d frames", frames);
    for (int i = frames; i-- > 0;)
        result = interpret(&frame[i], result);
    return result;
}

/* ------------------------------------------------------------------------------------------------------------------- */

static void *symbol(void *user, const char *name) {
    (void)user;
    return strcmp(name, "allocate") == 0 ? (void *)allocate : strcmp(name, "go_on") == 0 ? (void *)go_on : NULL;
}

/* What the program gives, whoever runs it. */
static int64_t expected_result(int64_t n) {
    int64_t r = 7 * (n + 7) + 41;
    for (int k = 1; k < METHODS; k++) {
        int64_t own = n + 7 - k;
        r = 3 * r + own + 41 + (k == 3 ? own + 2 * 41 : 0);
    }
    return r + 41;
}

int main(int argc, char **argv) {
    static unsigned char file[1 << 20];
    sm_object *object;
    check(argc == 3, "usage: deopt_check OBJECT FRAMES");
    FILE *f = fopen(argv[1], "rb");
    size_t len = f ? fread(file, 1, sizeof file, f) : 0;
    expected_frames = atoi(argv[2]);
    loader = sm_loader_new(&(sm_loader_options){.size = sizeof(sm_loader_options), .resolve = symbol}, &err);
    check(loader && sm_load(loader, file, len, argv[1], &object, &err) == SM_SUCCESS, "%s", err.message);
    int64_t (*program)(int64_t) = (int64_t (*)(int64_t))sm_object_symbol(object, "program");
    for (int64_t n = 0; n < 5; n++) {
        int64_t result = program(n);
        check(result == expected_result(n), "%ld, not %ld", (long)result, (long)expected_result(n));
    }
    check(moved >= 10 && interpreted == 5 * expected_frames, "%d moved, %d interpreted", moved, interpreted);
    return 0;
}
