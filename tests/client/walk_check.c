/* walk_check.c - walks over more than one stretch of managed code, on this machine and on AArch64 under an emulator.
 *
 *     walk_check FRAMES-OBJECT LEAF-OBJECT
 *
 * Every object moves at every collection, and leaves a wrong value behind. Exits 0 if all was seen. */
#include "check.h"
#include "smclient.h"

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>
#include <unwind.h>

enum { CELLS = 4096 };

static sm_loader *loader;
static sm_error err;
static int64_t cell[CELLS];
static int cells;
static size_t frames, roots;

static int64_t *new_cell(int64_t value) {
    check(cells < CELLS, "no cells are left");
    cell[cells] = value;
    return &cell[cells++];
}

static int move(void *user, void **base) {
    (void)user;
    int64_t *old = *base;
    roots++;
    *base = new_cell(*old);
    *old = -1000000;
    return 0;
}

static int see(void *user, const sm_activation *frame) {
    (void)user, (void)frame;
    frames++;
    return 0;
}

static void collect(sm_registers *at) {
    frames = roots = 0;
    sm_visitor v = {.size = sizeof v, .root = move, .frame = see};
    check(sm_visit(loader, at, &v, &err) == SM_SUCCESS, "%s", err.message);
}

/* ---- Through C code ----------------------------------------------------------------------------------------- */

typedef int64_t outer_function(int64_t *p, int64_t depth);

static outer_function *outer;
static void (*at_end)(sm_registers *at);

int64_t enter_now(sm_registers *at, int64_t depth);
int64_t enter(int64_t depth);
SM_RUNTIME_ENTRY(enter, enter_now)

int64_t enter_now(sm_registers *at, int64_t depth) {
    check(sm_chain_get() == at, "the chain begins elsewhere");
    if (depth > 0)
        return outer(new_cell(depth), depth - 1);
    at_end(at);
    return 0;
}

static int64_t run_outer(int64_t depth) {
    int64_t sum = outer(new_cell(1000), depth);
    check(!sm_chain_get(), "the chain is not empty");
    return sum;
}

static void collect_twice(sm_registers *at) {
    collect(at);
    collect(at);
}

static void walks_through(void) {
    at_end = collect_twice;
    int64_t sum = run_outer(10);
    check(sum == 1000 + 55, "%ld", (long)sum);
    check(frames == 11 && roots == 11, "%zu frames, %zu roots", frames, roots);
}

/* C code calls an entry, too: that has no roots, and hides nobody's. */
static void enter_from_c(sm_registers *at) {
    at_end = collect;
    check(enter(0) == 0 && sm_chain_get() == at, "an entry called by C code");
}

static void walks_past_c(void) {
    at_end = enter_from_c;
    check(run_outer(3) == 1000 + 6 && frames == 4, "%zu frames", frames);
}

static jmp_buf target;

static _Unwind_Reason_Code stop(int version, _Unwind_Action actions, _Unwind_Exception_Class class,
                                struct _Unwind_Exception *exception, struct _Unwind_Context *context, void *arg) {
    (void)version, (void)class, (void)exception;
    if (actions & _UA_END_OF_STACK || _Unwind_GetCFA(context) > (uintptr_t)arg)
        longjmp(target, 1);
    return _URC_NO_REASON;
}

static uintptr_t frame_of_catcher;

static void throw(sm_registers * at) {
    static struct _Unwind_Exception exception;
    (void)at;
    memset(&exception, 0, sizeof exception);
    _Unwind_ForcedUnwind(&exception, stop, (void *)frame_of_catcher);
    check(0, "the exception found no frames");
}

static __attribute__((noinline)) void exceptions_leave_the_chain(void) {
    at_end = throw;
    frame_of_catcher = (uintptr_t)__builtin_dwarf_cfa();
    if (setjmp(target) == 0)
        run_outer(7);
    check(!sm_chain_get(), "an exception left entries behind");
    walks_through();
}

/* ---- Many arguments ----------------------------------------------------------------------------------------- */

int64_t many_now(sm_registers *at, int64_t a, int32_t b, double x, int64_t c, int64_t d, void *q, int64_t f, int8_t g,
                 int64_t h, int64_t i, double y1, double y2, double y3, double y4, double y5, double y6, double y7,
                 double y8, double y9);
int64_t many(int64_t a, int32_t b, double x, int64_t c, int64_t d, void *q, int64_t f, int8_t g, int64_t h, int64_t i,
             double y1, double y2, double y3, double y4, double y5, double y6, double y7, double y8, double y9);
SM_RUNTIME_ENTRY_WIDE(many, many_now, 9, 10)

int64_t many_now(sm_registers *at, int64_t a, int32_t b, double x, int64_t c, int64_t d, void *q, int64_t f, int8_t g,
                 int64_t h, int64_t i, double y1, double y2, double y3, double y4, double y5, double y6, double y7,
                 double y8, double y9) {
    const double y[] = {x, y1, y2, y3, y4, y5, y6, y7, y8, y9};
    check(a == 1 && b == 2 && c == 3 && d == 4 && q == (void *)&target && f == 6 && g == 7 && h == 8 && i == 9,
          "%ld %d %ld %ld %p %ld %d %ld %ld", (long)a, b, (long)c, (long)d, q, (long)f, g, (long)h, (long)i);
    for (int k = 0; k < 10; k++)
        check(y[k] == 1.5 + k, "float %d is %f", k, y[k]);
    collect(at);
    return 5;
}

static void passes_many_arguments(sm_object *o) {
    int64_t (*wide)(int64_t *, void *) = (int64_t (*)(int64_t *, void *))sm_object_symbol(o, "wide");
    check(wide(new_cell(37), &target) == 42 && roots == 1, "%zu roots", roots);
}

/* ---- Coroutines --------------------------------------------------------------------------------------------- */

static ucontext_t here, there;
static sm_registers *suspended;
static int64_t (*generator)(int64_t *);
static int64_t generated;

int64_t suspend_now(sm_registers *at, int64_t n);
int64_t suspend(int64_t n);
SM_RUNTIME_ENTRY(suspend, suspend_now)

int64_t suspend_now(sm_registers *at, int64_t n) {
    suspended = sm_chain_get();
    check(suspended == at, "the chain begins elsewhere");
    swapcontext(&there, &here);
    return n;
}

static void generate(void) {
    generated = generator(new_cell(100));
}

static void go_on(void) {
    sm_registers *mine = sm_chain_get();
    sm_chain_set(suspended);
    swapcontext(&here, &there);
    sm_chain_set(mine);
}

static void resume_within(sm_registers *at) {
    collect(at);
    check(frames == 3 && roots == 3, "%zu frames", frames);
    go_on();
    collect(suspended);
    check(frames == 1 && roots == 1, "%zu frames of the coroutine", frames);
    check(sm_chain_get() == at, "the chain is the coroutine's");
}

static void coroutines_are_walked(sm_object *o) {
    static char stack[65536];
    generator = (int64_t (*)(int64_t *))sm_object_symbol(o, "generator");
    getcontext(&there);
    there.uc_stack.ss_sp = stack;
    there.uc_stack.ss_size = sizeof stack;
    there.uc_link = &here;
    makecontext(&there, generate, 0);
    suspended = NULL;
    go_on();
    collect(suspended);
    check(frames == 1 && roots == 1, "%zu frames of the coroutine", frames);
    at_end = resume_within;
    check(run_outer(2) == 1000 + 3, "the sum");
    go_on();
    check(generated == 103, "%ld", (long)generated);
}

/* ---- Reclaiming --------------------------------------------------------------------------------------------- */

static sm_object *running, *idle;

static void reclaim_others(sm_registers *at) {
    size_t count;
    sm_registers *stack[] = {NULL, at}, unknown = {.pc = (uintptr_t)reclaim_others};
    sm_registers *bad[] = {&unknown};
    sm_retire(running);
    sm_retire(idle);
    check(sm_loader_reclaim_unused(loader, bad, 1, &count, &err) == SM_ERR_NO_SAFEPOINT && count == 0, "a bad stack");
    check(sm_loader_reclaim_unused(loader, stack, 2, &count, &err) == SM_SUCCESS, "%s", err.message);
    check(count == 1, "%zu objects were freed", count);
    collect(at);
}

static int count_symbol(void *user, const sm_symbol *s) {
    check(s->is_code && s->bytes && s->address, "%s", s->name);
    *(int *)user += strcmp(s->name, "outer") == 0 ? 100 : 1;
    return 0;
}

static void reclaims_what_is_unused(void) {
    size_t count;
    int symbols = 0;
    sm_object_symbols(running, count_symbol, &symbols);
    check(symbols == 102, "%d symbols", symbols);
    at_end = reclaim_others;
    check(run_outer(4) == 1000 + 10 && frames == 5, "the sum");
    check(sm_loader_reclaim_unused(loader, NULL, 0, &count, &err) == SM_SUCCESS && count == 1, "%zu", count);
}

/* ---- Samples ------------------------------------------------------------------------------------------------ */

static long (*top)(long);
static atomic_int samples, deep, wrong, sampled;
static atomic_uintptr_t caller_pc, caller_sp;

/* The frames, from wherever the signal came; the last one returns to where top was called. */
static void sample(const void *context) {
    static const char *const names[] = {"leaf", "middle", "top"};
    sm_registers at;
    const sm_code *code = NULL;
    sm_registers_load(&at, context);
    uintptr_t pc = at.pc;
    int n = 0, level = -1;
    for (; sm_frame_at(loader, pc, &at, &code, &at) == SM_SUCCESS; n++, pc = at.pc - 1) {
        int k = 0;
        while (k < 3 && strcmp(names[k], code->name) != 0)
            k++;
        if (k == 3 || k <= level)
            atomic_fetch_add(&wrong, 1);
        level = k;
    }
    if (!n)
        return;
    uintptr_t expected = 0;
    atomic_compare_exchange_strong(&caller_pc, &expected, at.pc);
    expected = 0;
    atomic_compare_exchange_strong(&caller_sp, &expected, at.sp);
    if (code || level != 2 || at.pc != caller_pc || at.sp != caller_sp)
        atomic_fetch_add(&wrong, 1);
    atomic_fetch_add(&samples, 1);
    atomic_fetch_add(&deep, n == 3);
}

static void on_signal(int number, siginfo_t *info, void *context) {
    (void)number, (void)info;
    sample(context);
    atomic_store(&sampled, 1);
}

static void *call_top(void *arg) {
    (void)arg;
    for (long i = 0; atomic_load(&samples) < 300 && !atomic_load(&wrong); i++)
        top(i);
    return NULL;
}

static void samples_are_whole(sm_object *o) {
    struct sigaction action = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO | SA_RESTART};
    pthread_t thread;
    top = (long (*)(long))sm_object_symbol(o, "top");
    sigaction(SIGUSR1, &action, NULL);
    sigaction(SIGTRAP, &action, NULL);
#if defined(__x86_64__)
    /* Every instruction of a call, by the processor's trap flag. */
    __asm__ volatile(
        "pushfq; orq $0x100, (%%rsp); popfq; movl $3, %%edi; call *%0; pushfq; andq $~0x100, (%%rsp); popfq"
        :
        : "r"(top)
        : "rax", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", "memory", "cc");
    check(samples > 300 && !wrong, "%d of %d instructions", wrong, samples);
    caller_pc = caller_sp = 0;
    samples = 0;
#endif
    check(pthread_create(&thread, NULL, call_top, NULL) == 0, "no thread");
    while (atomic_load(&samples) < 300 && !atomic_load(&wrong)) {
        atomic_store(&sampled, 0);
        pthread_kill(thread, SIGUSR1);
        while (!atomic_load(&sampled))
            sched_yield();
    }
    pthread_join(thread, NULL);
    check(!wrong && deep, "%d of %d samples are wrong, %d deep", wrong, samples, deep);
}

/* ------------------------------------------------------------------------------------------------------------- */

static void *resolve(void *user, const char *name) {
    (void)user;
    return strcmp(name, "enter") == 0     ? (void *)enter
           : strcmp(name, "many") == 0    ? (void *)many
           : strcmp(name, "suspend") == 0 ? (void *)suspend
                                          : NULL;
}

static sm_object *load(const char *path) {
    static char data[1 << 20];
    sm_object *o;
    FILE *f = fopen(path, "rb");
    check(f, "%s", path);
    size_t len = fread(data, 1, sizeof data, f);
    fclose(f);
    check(sm_load(loader, data, len, path, &o, &err) == SM_SUCCESS, "%s", err.message);
    return o;
}

int main(int argc, char **argv) {
    sm_loader_options options = {.size = sizeof options, .resolve = resolve};
    check(argc > 2, "usage");
    loader = sm_loader_new(&options, &err);
    idle = load(argv[1]);
    running = load(argv[1]);
    outer = (outer_function *)sm_object_symbol(running, "outer");
    walks_through();
    walks_past_c();
    exceptions_leave_the_chain();
    passes_many_arguments(running);
    coroutines_are_walked(running);
    samples_are_whole(load(argv[2]));
    reclaims_what_is_unused();
    sm_loader_free(loader);
    return 0;
}
