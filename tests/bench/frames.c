/* frames.c - see frames.h.
 *
 * Functions of 0 to 7 references call one another, each the next. At the bottom the stack is visited in several ways, in
 * turns; each time is the median, and beside it stands the ratio to that of all frames, by the same turns. */
#include "frames.h"

#include "artifact.h"
#include "bench.h"
#include "client.h"
#include "smclient.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unwind.h>

enum { FUNCTIONS = 64, DEPTH = 100000, STACK = 1 << 28, TURNS = 21, ROOM = 1 << 18 };
enum { ALL, FIRST, UNCHANGED, TEN, UNWINDER, WAYS };

static const char *const name[WAYS] = {"all frames", "all, and a new watermark", "nothing ran", "ten frames ran",
                                       "libgcc's unwinder"};
static sm_loader *loader;
static sm_watermark *watermark;
static double ns[WAYS][TURNS], ratio[WAYS][TURNS];
static size_t roots, frames;
static int turn;
static void *object[8];

/* Function I has I % 8 references alive in its frame. *new* */
static char *functions(void) {
    char *text = malloc(ROOM), *at = text;
    at += sprintf(at, "declare void @bottom(i64)\n");
    for (int i = 0; i < FUNCTIONS; i++) {
        at += sprintf(at, "define i64 @f%d(i64 %%n, ptr addrspace(1) %%p) gc \"statepoint-example\" {\n", i);
        for (int k = 0; k < i % 8; k++)
            at += sprintf(at,
                          "  %%g%d = getelementptr i8, ptr addrspace(1) %%p, i64 %d\n"
                          "  %%r%d = load volatile ptr addrspace(1), ptr addrspace(1) %%g%d\n",
                          k, 8 * k, k, k);
        at += sprintf(at,
                      "  %%end = icmp eq i64 %%n, 0\n  br i1 %%end, label %%now, label %%on\n"
                      "now:\n  call void @bottom(i64 0)\n  br label %%back\n"
                      "on:\n  %%m = sub i64 %%n, 1\n"
                      "  %%x = call i64 @f%d(i64 %%m, ptr addrspace(1) %%p)\n",
                      (i + 1) % FUNCTIONS);
        at += sprintf(at,
                      "  %%ten = icmp eq i64 %%n, 10\n  br i1 %%ten, label %%again, label %%back\n"
                      "again:\n  %%y = call i64 @f%d(i64 9, ptr addrspace(1) %%p)\n  br label %%back\n"
                      "back:\n  %%s0 = phi i64 [ 0, %%now ], [ %%x, %%on ], [ %%y, %%again ]\n",
                      (i + 1) % FUNCTIONS);
        for (int k = 0; k < i % 8; k++)
            at += sprintf(at,
                          "  %%v%d = ptrtoint ptr addrspace(1) %%r%d to i64\n"
                          "  %%s%d = xor i64 %%s%d, %%v%d\n",
                          k, k, k + 1, k, k);
        at += sprintf(at, "  ret i64 %%s%d\n}\n", i % 8);
    }
    return text;
}

static int see(void *user, void **base) {
    (void)user;
    roots += *base != NULL;
    return 0;
}

static double visit(sm_registers *at, sm_watermark *w) {
    sm_error err = {.message = "?"};
    sm_visitor v = {.size = sizeof v, .root = see, .watermark = w};
    roots = 0;
    double start = now_ms();
    if (sm_visit(loader, at, &v, &err) != SM_SUCCESS) {
        fprintf(stderr, "%s\n", err.message);
        exit(1);
    }
    return (now_ms() - start) * 1e6;
}

static _Unwind_Reason_Code count(struct _Unwind_Context *context, void *user) {
    (void)context, (void)user;
    frames++;
    return _URC_NO_REASON;
}

void bottom_now(sm_registers *at, int64_t unused);
void bottom(int64_t unused);
SM_RUNTIME_ENTRY(bottom, bottom_now)

/* Comes twice: ten frames have run before the second time. */
void bottom_now(sm_registers *at, int64_t unused) {
    static int has_run;
    (void)unused;
    if (has_run) {
        for (int i = 0; i < WAYS; i++)
            ratio[i][turn] = ns[i][turn] / ns[ALL][turn];
        ns[TEN][turn] = visit(at, watermark);
        ratio[TEN][turn] = ns[TEN][turn] / ns[ALL][turn];
        sm_watermark_remove(loader, at, watermark, NULL);
    } else {
        ns[ALL][turn] = visit(at, NULL);
        ns[FIRST][turn] = visit(at, watermark);
        ns[UNCHANGED][turn] = visit(at, watermark);
        double start = now_ms();
        frames = 0;
        _Unwind_Backtrace(count, NULL);
        ns[UNWINDER][turn] = (now_ms() - start) * 1e6;
    }
    has_run = !has_run;
}

static void *resolve(void *user, const char *symbol) {
    (void)user;
    return strcmp(symbol, "bottom") == 0 ? (void *)bottom : NULL;
}

static void *run(void *arg) {
    int64_t (*first)(int64_t, void *) = (int64_t (*)(int64_t, void *))arg;
    for (turn = 0; turn < TURNS; turn++)
        first(DEPTH - 1, object);
    return NULL;
}

static void print(void) {
    size_t all;
    printf("%d frames of %d functions with 0 to 7 references\n\n%-26s %12s %10s %10s\n", DEPTH, FUNCTIONS, "visited",
           "us", "ns a frame", "of all");
    for (int i = 0; i < WAYS; i++) {
        double t = quantile(ns[i], TURNS, 0.5);
        all = i == UNCHANGED || i == TEN ? 0 : DEPTH;
        printf("%-26s %12.1f ", name[i], t / 1000);
        if (all)
            printf("%10.1f", t / DEPTH);
        else
            printf("%10s", "");
        printf(" %10.5f\n", quantile(ratio[i], TURNS, 0.5));
    }
}

void bench_frames(void) {
    int status;
    sm_artifact a;
    sm_error err = {.message = "?"};
    sm_object *o;
    pthread_attr_t attributes;
    pthread_t thread;
    sm_loader_options options = {.size = sizeof options, .resolve = resolve};
    char *module = functions();
    struct bytes out =
        run_command(BIN_DIR "/smd-worker --compile - safepoints=none opt=2", module, strlen(module), &status);
    loader = sm_loader_new(&options, NULL);
    watermark = sm_watermark_new(NULL);
    if (status != 0 || sm_artifact_read(out.data, out.len, &a) != SM_OK || !watermark ||
        sm_load(loader, a.part[SM_PART_OBJECT].data, a.part[SM_PART_OBJECT].len, "frames", &o, &err) != SM_SUCCESS) {
        fprintf(stderr, "the module does not compile, or load: %s\n", err.message);
        exit(1);
    }
    for (int i = 0; i < 8; i++)
        object[i] = object;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, STACK);
    pthread_create(&thread, &attributes, run, sm_object_symbol(o, "f0"));
    pthread_join(thread, NULL);
    print();
    sm_watermark_free(watermark);
    sm_loader_free(loader);
    bytes_free(out);
    free(module);
}
