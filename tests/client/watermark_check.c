/* watermark_check.c - stacks that grow and shrink at random under a collector of two generations, with a watermark.
 *
 *     watermark_check OBJECT COLLECTIONS SEED
 *
 * A small collection moves what is young among the roots of frames that have run, and leaves wrong values behind. A frame
 * that ran again and is not visited so has wrong values. The functions (objects/watermark.ll) call one another by way of C
 * code, are left by exceptions and longjmp, and see after each call that their values are right. After each collection a
 * visit without a watermark sees that nothing young is left, and other walks see the same frames. Exits 0 if all is right. */
#include "check.h"
#include "smclient.h"
#include "throw.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

enum { YOUNG = 1 << 12, OLD = 1 << 20, MOST = 100000, LINES = 4096, STACK = 1 << 28, JUMPS = 512, MUTATORS = 4 };

typedef struct cell {
    int64_t value, same; /* the second is for pointers that lead into a cell */
} cell;

typedef void function(int64_t depth, int64_t key);

enum { PLAIN, SAVING, DYNAMIC, CATCHING, TAIL, BY_C, FUNCTIONS };

/* A thread and its stack. */
struct mutator {
    sm_watermark *watermark;
    cell young[YOUNG], *old, *other; /* OLD is in use, of the two halves */
    size_t n_young, n_old;
    uint64_t seed;
    int64_t depth, low, high; /* of the frame that runs; the least and the most since the last collection */
    int64_t goal;             /* where the stack is to grow or shrink to */
    int64_t most;             /* deeper than all stacks */
    char kind[MOST + 1];
    struct jump {
        jmp_buf to;
        int64_t depth;
    } jump[JUMPS];
    int jumps; /* the last is the innermost */
    size_t frames, catching;
    long collections, wanted, ran, skipped, visited;
    int is_pure;                    /* boolean: no C code, exceptions and jumps */
    sm_registers *_Atomic waits_at; /* for another thread that collects */
    atomic_int is_done;
};

static sm_loader *loader;
static function *table[FUNCTIONS];
static _Thread_local struct mutator *self;
static int by_others; /* boolean: other threads collect */

static unsigned draw(struct mutator *m, unsigned below) {
    m->seed = m->seed * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(m->seed >> 33) % below;
}

static int is_in(const cell *from, size_t n, const void *p) {
    return (uintptr_t)p - (uintptr_t)from < n * sizeof *from;
}

/* ---- Collections -------------------------------------------------------------------------------------------- */

static int count_frame(void *user, const sm_activation *frame) {
    (void)frame;
    ((struct mutator *)user)->frames++;
    return 0;
}

static int move(void *user, void **base) {
    struct mutator *m = user;
    cell *from = *base;
    if (!from || is_in(m->old, m->n_old, from))
        return 0;
    check(from->value == from->same, "a root leads to no cell");
    check(m->n_old < OLD, "no room is left");
    m->old[m->n_old] = *from;
    *base = &m->old[m->n_old++];
    return 0;
}

static int see_old(void *user, void **base) {
    const struct mutator *m = user;
    const cell *c = *base;
    check(!c || (is_in(m->old, m->n_old, c) && c->value == c->same), "a root was not visited");
    return 0;
}

static sm_result visit(struct mutator *m, sm_registers *at, int (*root)(void *, void **), sm_watermark *watermark) {
    sm_error err = {.message = ""};
    m->frames = 0;
    sm_visitor v = {.size = sizeof v, .user = m, .frame = count_frame, .root = root, .watermark = watermark};
    sm_result r = sm_visit(loader, at, &v, &err);
    check(r == SM_SUCCESS, "%s", err.message);
    return r;
}

static _Unwind_Reason_Code count_managed(struct _Unwind_Context *context, void *user) {
    int is_exact;
    uintptr_t pc = _Unwind_GetIPInfo(context, &is_exact);
    *(size_t *)user += sm_find_code(loader, pc - !is_exact) != NULL;
    return _URC_NO_REASON;
}

/* Every other walk sees all frames, and no return address that was replaced. */
static void compare_walks(struct mutator *m, sm_registers *at) {
    static _Thread_local sm_source_frame line[LINES];
    size_t all = (size_t)m->depth + 1, seen = 0, lines;
    sm_registers r = *at;
    visit(m, at, see_old, NULL);
    check(m->frames == all, "%zu frames of %zu", m->frames, all);
    check(sm_backtrace(loader, at, line, LINES, &lines, NULL) == SM_SUCCESS, "a trace");
    check(lines == (all < LINES ? all : LINES), "%zu lines of %zu", lines, all);
    if (!by_others) {
        _Unwind_Backtrace(count_managed, &seen);
        check(seen == all, "the unwinder sees %zu frames of %zu", seen, all);
    }
    for (seen = 0; seen < all && sm_frame_at(loader, r.pc - 1, &r, NULL, &r) == SM_SUCCESS;)
        seen++;
    check(seen == all || !m->is_pure, "%zu samples of %zu", seen, all);
}

static void collect_small(struct mutator *m, sm_registers *at) {
    visit(m, at, move, m->watermark);
    size_t ran = (size_t)(m->depth - m->low) + 1, all = (size_t)m->depth + 1;
    check(m->frames + sm_watermark_skipped(m->watermark) == all, "%zu frames and %zu of %zu", m->frames,
          sm_watermark_skipped(m->watermark), all);
    check(m->frames >= ran, "%zu frames have run, and %zu were visited", ran, m->frames);
    m->ran += m->high - m->low + 1;
    m->visited += (long)m->frames;
    m->skipped += (long)sm_watermark_skipped(m->watermark);
}

/* Moves all that there is. */
static void collect_all(struct mutator *m, sm_registers *at) {
    cell *from = m->old;
    size_t n = m->n_old;
    m->old = m->other;
    m->other = from;
    m->n_old = 0;
    sm_watermark_reset(m->watermark);
    visit(m, at, move, m->watermark);
    check(m->frames == (size_t)m->depth + 1, "%zu frames of all", m->frames);
    for (size_t i = 0; i < n; i++)
        from[i] = (cell){-1, -2};
}

static void collect_here(struct mutator *m, sm_registers *at) {
    if (m->n_old > OLD - 4 * (size_t)m->most || draw(m, 64) == 0)
        collect_all(m, at);
    else
        collect_small(m, at);
    for (size_t i = 0; i < m->n_young; i++)
        m->young[i] = (cell){-1, -2};
    m->n_young = 0;
    if (m->most < LINES || draw(m, 16) == 0)
        compare_walks(m, at);
    m->low = m->high = m->depth;
    if (draw(m, 100) == 0) {
        check(sm_watermark_remove(loader, at, m->watermark, NULL) == SM_SUCCESS, "all is not put back");
        m->low = 0;
    }
    m->collections++;
}

static void collect(struct mutator *m, sm_registers *at) {
    if (!by_others) {
        collect_here(m, at);
        return;
    }
    atomic_store(&m->waits_at, at);
    while (atomic_load(&m->waits_at))
        sched_yield();
}

/* ---- What the functions call ----------------------------------------------------------------------------------- */

static void arrive(struct mutator *m, int64_t depth) {
    m->depth = depth;
    m->low = depth < m->low ? depth : m->low;
    m->high = depth > m->high ? depth : m->high;
    while (m->jumps && m->jump[m->jumps - 1].depth > depth)
        m->jumps--;
}

void *fresh_now(sm_registers *at, int64_t depth, int64_t key);
void *fresh(int64_t depth, int64_t key);
SM_RUNTIME_ENTRY(fresh, fresh_now)

void *fresh_now(sm_registers *at, int64_t depth, int64_t key) {
    struct mutator *m = self;
    arrive(m, depth);
    if (m->n_young == YOUNG || draw(m, 40) == 0)
        collect(m, at);
    m->young[m->n_young] = (cell){key, key};
    return &m->young[m->n_young++];
}

static int is_caught(const struct mutator *m) {
    for (int64_t d = m->depth - 1; d >= 0; d--)
        if (m->kind[d] == CATCHING)
            return 1;
    return 0;
}

void *decide_now(sm_registers *at, int64_t depth);
void *decide(int64_t depth);
SM_RUNTIME_ENTRY(decide, decide_now)

void *decide_now(sm_registers *at, int64_t depth) {
    struct mutator *m = self;
    arrive(m, depth);
    if (draw(m, 20) == 0)
        collect(m, at);
    if (!m->is_pure && draw(m, 50) == 0 && is_caught(m))
        throw_exception();
    if (!m->is_pure && draw(m, 50) == 0 && m->jumps && m->jump[m->jumps - 1].depth < depth)
        longjmp(m->jump[m->jumps - 1].to, 1);
    if (depth == m->goal)
        m->goal = draw(m, 4) ? depth + (int64_t)draw(m, 20) - 10 : (int64_t)draw(m, (unsigned)m->most);
    if (m->goal < 0 || m->goal >= m->most)
        m->goal = (int64_t)draw(m, (unsigned)m->most);
    if (m->collections >= m->wanted || (depth > m->goal && depth > 0))
        return NULL;
    int kind = (int)draw(m, m->is_pure ? CATCHING : FUNCTIONS);
    m->kind[depth + 1] = (char)kind;
    return (void *)table[kind];
}

/* C code between, which longjmp goes back to. */
void by_c_now(sm_registers *at, int64_t depth, int64_t key);
void by_c(int64_t depth, int64_t key);
SM_RUNTIME_ENTRY(by_c, by_c_now)

void by_c_now(sm_registers *at, int64_t depth, int64_t key) {
    struct mutator *m = self;
    struct jump *here = &m->jump[m->jumps++];
    check(m->jumps < JUMPS, "too many stretches of C code");
    here->depth = depth;
    m->kind[depth] = SAVING;
    if (setjmp(here->to) == 0)
        table[SAVING](depth, key);
    sm_chain_set(at);
}

void wrong(int64_t depth);
void wrong(int64_t depth) {
    check(0, "a value of frame %ld is wrong", (long)depth);
}

void touch(void *p);
void touch(void *p) {
    __asm__ volatile("" : : "r"(p) : "memory");
}

static void *resolve(void *user, const char *name) {
    (void)user;
    return strcmp(name, "decide") == 0       ? (void *)decide
           : strcmp(name, "fresh") == 0      ? (void *)fresh
           : strcmp(name, "wrong") == 0      ? (void *)wrong
           : strcmp(name, "touch") == 0      ? (void *)touch
           : strcmp(name, "handle_all") == 0 ? (void *)handle_all
                                             : NULL;
}

/* ---- Runs ------------------------------------------------------------------------------------------------------ */

static struct mutator *mutator_new(uint64_t seed, long wanted, int64_t most, int is_pure) {
    struct mutator *m = calloc(1, sizeof *m);
    m->watermark = sm_watermark_new(NULL);
    m->old = calloc(OLD, sizeof *m->old);
    m->other = calloc(OLD, sizeof *m->other);
    m->seed = seed;
    m->wanted = wanted;
    m->most = most;
    m->is_pure = is_pure;
    check(m->watermark && m->old && m->other, "there is no memory");
    return m;
}

static void mutator_free(struct mutator *m) {
    sm_watermark_free(m->watermark);
    free(m->old);
    free(m->other);
    free(m);
}

static void *run(void *arg) {
    struct mutator *m = self = arg;
    while (m->collections < m->wanted) {
        m->goal = (int64_t)draw(m, (unsigned)m->most);
        table[PLAIN](0, 1);
        m->jumps = 0;
        check(!sm_chain_get(), "an entry is left");
    }
    atomic_store(&m->is_done, 1);
    return NULL;
}

static pthread_t start(struct mutator *m) {
    pthread_attr_t attributes;
    pthread_t thread;
    pthread_attr_init(&attributes);
    check(pthread_attr_setstacksize(&attributes, STACK) == 0 && pthread_create(&thread, &attributes, run, m) == 0,
          "there is no thread");
    return thread;
}

static void run_alone(uint64_t seed, long wanted, int64_t most, int is_pure) {
    struct mutator *m = mutator_new(seed, wanted, most, is_pure);
    pthread_join(start(m), NULL);
    printf("%ld collections up to %ld deep: %ld frames ran, %ld were visited, %ld not\n", m->collections, (long)most,
           m->ran, m->visited, m->skipped);
    check(m->visited < 4 * m->ran, "what has not run was visited");
    mutator_free(m);
}

/* Visits the stacks of the threads that wait, each once at a time. */
static struct mutator *all[MUTATORS];
static atomic_flag is_taken[MUTATORS];

static void *collect_for_others(void *arg) {
    int live = MUTATORS;
    (void)arg;
    while (live) {
        live = 0;
        for (int i = 0; i < MUTATORS; i++) {
            live += !atomic_load(&all[i]->is_done);
            if (atomic_flag_test_and_set(&is_taken[i]))
                continue;
            sm_registers *at = atomic_load(&all[i]->waits_at);
            if (at) {
                collect_here(all[i], at);
                atomic_store(&all[i]->waits_at, NULL);
            }
            atomic_flag_clear(&is_taken[i]);
        }
    }
    return NULL;
}

static void run_beside_others(uint64_t seed, long wanted) {
    pthread_t mutator[MUTATORS], collector[2];
    by_others = 1;
    for (int i = 0; i < MUTATORS; i++)
        all[i] = mutator_new(seed + (uint64_t)i, wanted, 200, 0);
    for (int i = 0; i < MUTATORS; i++)
        mutator[i] = start(all[i]);
    for (int i = 0; i < 2; i++)
        pthread_create(&collector[i], NULL, collect_for_others, NULL);
    for (int i = 0; i < MUTATORS; i++)
        pthread_join(mutator[i], NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(collector[i], NULL);
    for (int i = 0; i < MUTATORS; i++)
        mutator_free(all[i]);
    by_others = 0;
}

static void load(const char *path) {
    static const char *const name[] = {"plain", "saving", "dynamic", "catching", "tail"};
    static unsigned char file[1 << 20];
    sm_loader_options options = {.size = sizeof options, .resolve = resolve};
    sm_error err = {.message = ""};
    sm_object *object;
    FILE *f = fopen(path, "rb");
    size_t len = f ? fread(file, 1, sizeof file, f) : 0;
    loader = sm_loader_new(&options, &err);
    check(len && loader && sm_load(loader, file, len, path, &object, &err) == SM_SUCCESS, "%s", err.message);
    for (int i = 0; i < BY_C; i++)
        table[i] = (function *)sm_object_symbol(object, name[i]);
    table[BY_C] = by_c;
}

int main(int argc, char **argv) {
    check(argc > 3, "usage: watermark_check OBJECT COLLECTIONS SEED");
    long wanted = atol(argv[2]);
    uint64_t seed = strtoull(argv[3], NULL, 10);
    load(argv[1]);
    run_alone(seed, wanted, 40, 1);
    run_alone(seed + 1, wanted, 1000, 1);
    run_alone(seed + 2, wanted, 300, 0);
    run_alone(seed + 3, wanted / 10, MOST / 10, 1);
    run_beside_others(seed + 4, wanted / 4);
    return 0;
}
