/* growth.c - what one function costs, against the bare LLVM C API: by safepoints, by what lives across them, and by what
 * its blocks do. */
#include "growth.h"
#include "bench.h"
#include "client.h"
#include "matrix.h"
#include "record.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A function of CALLS calls that may collect, one behind another, with LIVE references that live across all of them.
 * *new* */
static struct bytes make_calls(int calls, int live) {
    size_t room = (size_t)(calls + live) * 200 + 1000, at = 0;
    char *text = malloc(room);
    at += (size_t)snprintf(text, room,
                           "declare void @work()\ndeclare void @use(ptr addrspace(1))\ndeclare void @collect()\n"
                           "define void @gc.safepoint_poll() {\n  call void @collect()\n  ret void\n}\n"
                           "define void @f(ptr addrspace(1) %%p) gc \"statepoint-example\" {\n");
    for (int i = 0; i < live; i++)
        at += (size_t)snprintf(text + at, room - at,
                               "  %%a%d = getelementptr i8, ptr addrspace(1) %%p, i64 %d\n"
                               "  %%r%d = load ptr addrspace(1), ptr addrspace(1) %%a%d\n",
                               i, 8 * i, i, i);
    for (int i = 0; i < calls; i++)
        at += (size_t)snprintf(text + at, room - at, "  call void @work()\n");
    for (int i = 0; i < live; i++)
        at += (size_t)snprintf(text + at, room - at, "  call void @use(ptr addrspace(1) %%r%d)\n", i);
    at += (size_t)snprintf(text + at, room - at, "  ret void\n}\n");
    return (struct bytes){(unsigned char *)text, at};
}

static void measure_calls(struct client *c, const struct daemon *d) {
    static const int shapes[][2] = {{25, 8},  {50, 8},   {100, 8},  {200, 8}, {400, 8},
                                    {100, 2}, {100, 16}, {100, 32}, {100, 64}};
    static struct turns t;
    record_table("safepoints", "One function of so many calls and references that live across them all, x86-64, O2: "
                               "what LLVM's rewrite and code "
                               "generation take grows faster than either");
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        struct bytes module = make_calls(shapes[i][0], shapes[i][1]);
        take_turns(c, d, bench_triples[0], 2, module, 600, 3, 1, 1, &t);
        record_number("calls", shapes[i][0], 0);
        record_number("live", shapes[i][1], 0);
        record_number("us a relocation", quantile(t.service, t.n, 0.5) * 1e3 / (shapes[i][0] * shapes[i][1]), 2);
        record_turns(&t);
        bytes_free(module);
    }
}

/* What is measured of the SHAPE with so many ARMS. */
static void measure_shape(struct client *c, const struct daemon *d, const struct growth_shape *shape, int arms) {
    static struct turns t;
    struct bytes module = growth_module(shape, arms);
    for (int level = 0; level <= 2; level += 2) {
        char name[8];
        if (level && arms > 2000) /* minutes, of LLVM's optimiser */
            continue;
        snprintf(name, sizeof name, "O%d", level);
        take_turns(c, d, bench_triples[0], level, module, 0, 1, 0, 0, &t);
        record_text("function", shape->what);
        record_number("arms", arms, 0);
        record_text("level", name);
        record_turns(&t);
    }
    bytes_free(module);
}

static void measure_shapes(struct client *c, const struct daemon *d) {
    static const int sizes[] = {250, 500, 2000, 8000};
    enum { ALL = sizeof sizes / sizeof *sizes, FEW = 2 }; /* of more the bare API's verifier takes minutes */
    record_table("shapes",
                 "One function of so many arms: in a row, each with a branch around it, or of a switch in a "
                 "loop (tests/support/growth.c), x86-64");
    for (const struct growth_shape *s = growth_shapes; s < growth_shapes + growth_shape_count; s++)
        for (int i = 0; !s->smd_only && i < (s->form == GROWTH_QUIET ? (int)ALL : (int)FEW); i++)
            measure_shape(c, d, s, sizes[i]);
}

void bench_growth(void) {
    struct daemon d = daemon_start(NULL);
    struct client c = client_open();
    bare_init();
    measure_calls(&c, &d);
    measure_shapes(&c, &d);
    client_close(&c);
    daemon_stop(&d);
}
