/* world.c - see world.h. One thread; the heap and the exceptions are those of client/examples. */
#include "world.h"

#include "heap.h"
#include "throw.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PAGE = 65536, HANDLES = 4 }; /* bytes, the larger of both architectures; objects that the program keeps */
enum { UNIONS = 4 };                /* as in closures.c */

static struct world {
    sm_loader *loader;
    const sm_object *object;
    enum world_kind kind;
    struct world_figures figures;
    uint64_t digest;
    void *handle[HANDLES], *pending; /* roots: what is kept, and what is thrown */
    sm_registers *outer;             /* of the managed code that called C code that called managed code */
    int64_t deopt;                   /* what the innermost frame's deoptimisation values say */
    uint64_t gap;                    /* a random number: objects do not keep their distances */
} w;

static char poll_page[PAGE] __attribute__((aligned(PAGE)));
static _Thread_local char *poll_thread[2] = {NULL, poll_page}; /* poll=tls:poll_thread:8 */
static uint8_t poll_flag;
static struct {
    uint64_t is_reference;
    void *word;
} united[UNIONS]; /* words that are roots where their tag is 1 */
static long leave_out = -1, root_number;
static void *llvm_gc_root_chain; /* the shadow stack */
static int32_t thread_state;     /* 1 while the thread is in native code */

static void fail(const char *what, const char *why) {
    printf("failed: %s%s%s\n", what, why[0] ? ": " : "", why);
    fflush(stdout);
    _exit(1);
}

static void mix(uint64_t v) {
    w.digest = ((w.digest << 7 | w.digest >> 57) ^ v) * 0x9e3779b97f4a7c15u;
}

/* ---- Collecting --------------------------------------------------------------------------------------------- */

/* Something of another size stands before each object that moves, so that no two keep their distance. */
static void forward(void **root) {
    w.gap = w.gap * 6364136223846793005u + 1442695040888963407u;
    heap_allocate(w.gap >> 59, 0);
    heap_forward(root);
}

static int visit_root(void *user, void **base) {
    (void)user;
    w.figures.roots++;
    if (root_number++ != leave_out)
        forward(base);
    return 0;
}

static int visit_region(void *user, const sm_activation *frame, const sm_slot *slot, void *address) {
    (void)frame;
    for (uint32_t i = 0; i < slot->bytes / 8; i++)
        visit_root(user, (void **)address + i);
    return 0;
}

/* One in a stack slot, where the record says that it is. */
static int visit_reference(void *user, const sm_activation *frame, sm_reference *reference) {
    (void)frame;
    if (reference->bytes != sizeof(uint32_t))
        return visit_root(user, reference->base);
    w.figures.roots++;
    if (root_number++ != leave_out)
        heap_forward_compressed(reference->address, reference->space);
    return 0;
}

/* Before anything moves: what must not. */
static int pin_reference(void *user, const sm_activation *frame, sm_reference *reference) {
    (void)user, (void)frame;
    if (reference->is_pinned)
        heap_pin(*reference->base);
    return 0;
}

/* ---- Barriers ------------------------------------------------------------------------------------------------- */

/* What the objects' references were behind the last collection: each that is another one before the next, and was no
 * null, has to be reported, as a marker of a snapshot needs it. */
static struct {
    struct copied {
        void **object, *field[WORLD_NODE_POINTERS];
    } *copied;
    void **reported;
    size_t objects, reports, room[2];
    int is_on; /* boolean: the program has barriers */
} snapshot;

static uint8_t marking; /* what is overwritten is to be reported */

/* LIST with room for one more item behind COUNT. */
static void *with_room(void *list, size_t count, size_t *room, size_t size) {
    if (count < *room)
        return list;
    *room = *room ? 2 * *room : 64;
    list = realloc(list, *room * size);
    if (!list)
        fail("out of memory", "");
    return list;
}

static void report(void *old) {
    snapshot.reported = with_room(snapshot.reported, snapshot.reports, &snapshot.room[0], sizeof(void *));
    snapshot.reported[snapshot.reports++] = old;
}

static int is_reported(const void *old) {
    for (size_t i = 0; i < snapshot.reports; i++)
        if (snapshot.reported[i] == old)
            return 1;
    return 0;
}

/* Before anything moves. */
static void snapshot_check(void) {
    for (size_t i = 0; i < snapshot.objects; i++)
        for (int k = 0; k < WORLD_NODE_POINTERS; k++) {
            const struct copied *c = &snapshot.copied[i];
            if (c->field[k] && c->object[k] != c->field[k] && !is_reported(c->field[k]))
                fail("a reference was overwritten and not reported", "");
        }
}

static void copy_fields(void *user, void *object, uint64_t pointers) {
    (void)user;
    if (pointers != WORLD_NODE_POINTERS)
        return;
    snapshot.copied = with_room(snapshot.copied, snapshot.objects, &snapshot.room[1], sizeof *snapshot.copied);
    struct copied *c = &snapshot.copied[snapshot.objects++];
    c->object = object;
    memcpy(c->field, object, sizeof c->field);
}

/* Behind a collection. */
static void snapshot_take(void) {
    snapshot.objects = snapshot.reports = 0;
    heap_each(copy_fields, NULL);
}

/* A program's deoptimisation values are groups: DEOPT_MARK, then a constant that says how many there are (eight bits)
 * and what each is (two bits), then the values. An inlined call has its caller's group before its own. */
enum { DEOPT_MARK = 20773, DEOPT_WORD = 0, DEOPT_HALF = 1, DEOPT_OBJECT = 2, DEOPT_INTERIOR = 3 };

struct state {
    size_t depth;
    uint64_t kinds; /* of the values that are left of the group */
    int marked, left;
};

/* What the program itself computes of the same values before the call (calls.c of the generator). */
static uint64_t observed(uint64_t value, unsigned kind) {
    const uint64_t *object = (const uint64_t *)(uintptr_t)value;
    if (kind == DEOPT_HALF)
        return (uint32_t)value;
    if (kind == DEOPT_OBJECT)
        return object ? object[WORLD_NODE_POINTERS] : 1;
    return kind == DEOPT_INTERIOR ? *object : value;
}

static int visit_frame(void *user, const sm_activation *frame) {
    w.figures.frames++;
    *(struct state *)user = (struct state){.depth = frame->depth};
    return 0;
}

static void visit_deopt_value(struct state *s, uint64_t value) {
    if (s->left) {
        uint64_t seen = observed(value, s->kinds & 3);
        s->kinds >>= 2;
        s->left--;
        w.figures.deopts++;
        if (s->depth == 0)
            w.deopt = (int64_t)((uint64_t)w.deopt * 31 + seen);
    } else if (s->marked) {
        s->left = value & 255;
        s->kinds = value >> 8;
        s->marked = 0;
    } else if (value == DEOPT_MARK) {
        s->marked = 1;
        if (s->depth == 0)
            w.deopt = 0; /* the innermost function's group is the last one */
    } else {
        fail("the deoptimisation values are not the program's", "");
    }
}

static int visit_deopt(void *user, const sm_activation *frame, uint32_t index, const sm_slot *slot,
                       const void *address) {
    uint64_t value = 0;
    (void)frame, (void)index;
    if (slot->kind == SM_SLOT_CONSTANT)
        value = (uint64_t)slot->value;
    else if (slot->kind == SM_SLOT_DIRECT || !address)
        fail("a deoptimisation value is nowhere", "");
    else
        memcpy(&value, address, slot->bytes < 8 ? slot->bytes : 8);
    visit_deopt_value(user, value);
    return 0;
}

static void collect_at(sm_registers *at) {
    sm_error err;
    struct state state = {0};
    sm_visitor v = {.size = sizeof v,
                    .user = &state,
                    .frame = visit_frame,
                    .root = visit_root,
                    .region = visit_region,
                    .reference = visit_reference};
    sm_visitor pins = {.size = sizeof pins, .reference = pin_reference};
    w.figures.collections++;
    w.deopt = 0;
    root_number = 0;
    v.shadow_chain = llvm_gc_root_chain;
    if (snapshot.is_on)
        snapshot_check();
    at->previous = w.outer;
    heap_begin();
    if (sm_visit(w.loader, at, &pins, &err) != SM_SUCCESS || sm_visit(w.loader, at, &v, &err) != SM_SUCCESS)
        fail("the stack cannot be walked", err.message);
    for (int i = 0; i < HANDLES; i++)
        forward(&w.handle[i]);
    for (int i = 0; i < UNIONS; i++)
        if (united[i].is_reference)
            forward(&united[i].word);
    forward(&w.pending);
    heap_finish();
    if (snapshot.is_on)
        snapshot_take();
    /* Once more, when all objects are where they will be: deoptimisation values may be references. */
    v = (sm_visitor){.size = sizeof v, .user = &state, .frame = visit_frame, .deopt = visit_deopt};
    if (sm_visit(w.loader, at, &v, &err) != SM_SUCCESS)
        fail("the stack cannot be walked again", err.message);
}

/* ---- What programs call ------------------------------------------------------------------------------------- */

void collect_now(sm_registers *at);
void *allocate_now(sm_registers *at, uint64_t bytes, uint64_t pointers);
void throw_now(sm_registers *at, void *value);
int64_t observe_now(sm_registers *at, int64_t expected);
int64_t reenter_now(sm_registers *at, void *object, int64_t n);
void deoptimize_now(sm_registers *at, int64_t expected, void *value);
int64_t native_now(sm_registers *at, int64_t n);
int64_t collect(void), allocate(void), throw_value(void), observe(void), reenter(void), deoptimize(void),
    native(void); /* by the next lines */

SM_RUNTIME_ENTRY(collect, collect_now)
SM_RUNTIME_ENTRY(allocate, allocate_now)
SM_RUNTIME_ENTRY(throw_value, throw_now)
SM_RUNTIME_ENTRY(observe, observe_now)
SM_RUNTIME_ENTRY(reenter, reenter_now)
SM_RUNTIME_ENTRY(deoptimize, deoptimize_now)
SM_RUNTIME_ENTRY(native, native_now)

void collect_now(sm_registers *at) {
    if (w.kind == WORLD_MOVING)
        collect_at(at);
}

void *allocate_now(sm_registers *at, uint64_t bytes, uint64_t pointers) {
    collect_now(at);
    void *object = heap_allocate(bytes, pointers);
    if (!object)
        fail("the heap is full", "");
    return object;
}

void throw_now(sm_registers *at, void *value) {
    w.pending = value;
    collect_now(at);
    throw_exception();
    fail("nothing caught the exception", "");
}

/* What the caller's deoptimisation values say: EXPECTED where the map is not looked at. */
int64_t observe_now(sm_registers *at, int64_t expected) {
    collect_now(at);
    return w.kind == WORLD_MOVING ? w.deopt : expected;
}

/* A deoptimization does not come back. Here it goes on in a handler, with VALUE. */
void deoptimize_now(sm_registers *at, int64_t expected, void *value) {
    w.pending = value;
    mix((uint64_t)observe_now(at, expected));
    throw_exception();
    fail("nothing caught the deoptimization", "");
}

static void leave(sm_registers **outer) {
    w.outer = *outer;
}

/* Managed code below C code below managed code. An exception may pass. */
int64_t reenter_now(sm_registers *at, void *object, int64_t n) {
    __attribute__((cleanup(leave))) sm_registers *before = w.outer;
    int64_t (*f)(void *, int64_t) = (int64_t (*)(void *, int64_t))sm_object_symbol(w.object, "reentered");
    w.outer = at;
    at->previous = before;
    return f(object, n);
}

/* Native code, which says where it is by the caller. */
int64_t native_now(sm_registers *at, int64_t n) {
    if (thread_state != 1)
        fail("native code runs in a thread that is managed", "");
    collect_now(at);
    return n + 1;
}

static void calm(void) {
    if (thread_state != 0)
        fail("managed code runs in a thread that is native", "");
}

static void *caught(void) {
    void *value = w.pending;
    w.pending = NULL;
    return value;
}

static void note(uint64_t value) {
    mix(value);
}

static uint64_t scatter(uint64_t n) {
    return (n ^ n >> 29) * 0xbf58476d1ce4e5b9u;
}

static void keep(uint64_t n, void *object) {
    w.handle[n % HANDLES] = object;
}

static void *kept(uint64_t n) {
    return w.handle[n % HANDLES];
}

/* The sum of a stack slot's words, after one of them has changed; its address has to be a multiple of ALIGN. */
static uint64_t touch(uint64_t *slot, uint64_t words, uint64_t align) {
    uint64_t sum = (uintptr_t)slot % align ? 1000003 : 0;
    slot[words - 1] += 3;
    for (uint64_t i = 0; i < words; i++)
        sum = sum * 5 + slot[i];
    return sum;
}

/* ---- Page polls --------------------------------------------------------------------------------------------- */

static void on_fault(int number, siginfo_t *info, void *context) {
    sm_registers at;
    sm_registers_load(&at, context);
    const sm_site *site = sm_find_fault(w.loader, at.pc);
    if (!site || (char *)info->si_addr < poll_page || (char *)info->si_addr >= poll_page + PAGE) {
        const sm_code *code = sm_find_code(w.loader, at.pc);
        char where[200];
        snprintf(where, sizeof where, "signal %d in %s", number,
                 code && code->name ? code->name
                 : code             ? "managed code"
                                    : "the runtime");
        fail("memory is touched that is not there", where);
    }
    w.figures.signals++;
    at.pc = site->address;
    collect_now(&at);
    sm_registers_store(&at, context);
}

void world_init(void) {
    struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_NODEFER};
    if (sigaction(SIGSEGV, &action, NULL) != 0 || sigaction(SIGBUS, &action, NULL) != 0)
        fail("there is no handler", "");
}

/* ------------------------------------------------------------------------------------------------------------- */

void *world_symbol(void *user, const char *name) {
    const struct {
        const char *name;
        void *address;
    } table[] = {
        {"collect", (void *)collect},
        {"allocate", (void *)allocate},
        {"throw_value", (void *)throw_value},
        {"caught", (void *)caught},
        {"observe", (void *)observe},
        {"__llvm_deoptimize", (void *)deoptimize},
        {"reenter", (void *)reenter},
        {"note", (void *)note},
        {"scatter", (void *)scatter},
        {"keep", (void *)keep},
        {"kept", (void *)kept},
        {"touch", (void *)touch},
        {"handle_all", (void *)handle_all},
        {"handle_catches", (void *)handle_catches},
        {"_Unwind_Resume", (void *)_Unwind_Resume},
        {"__gcc_personality_v0", (void *)__gcc_personality_v0},
        {"native", (void *)native},
        {"calm", (void *)calm},
        {"report", (void *)report},
        {"marking", &marking},
        {"thread_state", &thread_state},
        {"llvm_gc_root_chain", &llvm_gc_root_chain},
        {"poll_flag", &poll_flag},
        {"heap_base", &heap_base},
        {"poll_page", poll_page},
        {"poll_thread", poll_thread},
        {"united", united},
        {"memcpy", (void *)memcpy},
        {"memmove", (void *)memmove},
        {"memset", (void *)memset},
        {"floor", (void *)floor},
        {"trunc", (void *)trunc},
        {"sqrt", (void *)sqrt},
        {"fmin", (void *)fmin},
    };
    (void)user;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (strcmp(table[i].name, name) == 0)
            return table[i].address;
    return NULL;
}

void world_leave_out(long n) {
    leave_out = n;
}

/* What is reached from an object, to a depth: the shape counts, not the addresses. */
static void mix_object(const uint64_t *object, int depth) {
    if (!object || depth == 0) {
        mix(object != NULL);
        return;
    }
    for (int i = 0; i < WORLD_NODE_WORDS; i++)
        mix(object[WORLD_NODE_POINTERS + i]);
    for (int i = 0; i < WORLD_NODE_POINTERS; i++)
        mix_object((const uint64_t *)(uintptr_t)object[i], depth - 1);
}

uint64_t world_run(sm_loader *loader, const sm_object *object, enum world_kind kind, struct world_figures *figures) {
    int64_t (*program)(int64_t) = (int64_t (*)(int64_t))sm_object_symbol(object, "program");
    uint64_t moved = heap_moved();
    if (!program)
        fail("there is no function 'program'", "");
    w = (struct world){.loader = loader, .object = object, .kind = kind, .digest = 1};
    poll_flag = kind == WORLD_MOVING;
    mprotect(poll_page, PAGE, kind == WORLD_MOVING ? PROT_NONE : PROT_READ);
    heap_init();
    memset(united, 0, sizeof united);
    snapshot.is_on = kind == WORLD_MOVING && sm_object_symbol(object, "has_barriers") != NULL;
    snapshot.objects = snapshot.reports = 0;
    marking = (uint8_t)snapshot.is_on;
    llvm_gc_root_chain = NULL;
    thread_state = 0;
    mix((uint64_t)program(7));
    for (int i = 0; i < HANDLES; i++)
        mix_object(w.handle[i], 4);
    w.figures.moved = heap_moved() - moved;
    *figures = w.figures;
    return w.digest;
}
