/* runtime.c - see runtime.h. */
#include "runtime.h"

#include "heap.h"
#include "record.h"
#include "throw.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { NATIVE_DEPTH = 64 };

struct thread {
    pthread_t id;
    sm_registers
        native[NATIVE_DEPTH]; /* where its calls of native code are, which have not returned; outermost first */
    int depth;
    sm_registers *at; /* where it waits */
    void *chain;      /* its shadow stack: of a thread-local llvm_gc_root_chain the thread's own */
    void *pending;    /* the value that it throws: a root */
    int64_t deopt;    /* the sum of the last safepoint's deoptimisation values */
    int64_t n, result;
    struct thread *next;
};

static sm_loader *loader;
static int64_t (*function)(int64_t);
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t resumed = PTHREAD_COND_INITIALIZER;
static struct thread *threads;        /* those that run */
static int running, waiting, natives; /* natives: threads in native code, which nobody waits for */
static uint64_t generation;           /* collections */
static long leave_out = -1, root_number;
static struct runtime_figures figures;
static _Thread_local struct thread *self;

static void die(const char *what, const char *why) {
    fprintf(stderr, "runtime: %s%s%s\n", what, why[0] ? ": " : "", why);
    exit(4);
}

/* ---- Collecting --------------------------------------------------------------------------------------------- */

/* Counts the frames that are visited. */
static int visit_frame(void *user, const sm_activation *frame) {
    (void)user, (void)frame;
    figures.frames++;
    return 0;
}

/* Forwards one root, unless it is the one that a test leaves out. */
static int visit_root(void *user, void **base) {
    (void)user;
    figures.roots++;
    if (root_number++ != leave_out)
        heap_forward(base);
    return 0;
}

/* Forwards all words of an alloca that holds pointers. */
static int visit_region(void *user, const sm_activation *frame, const sm_slot *slot, void *address) {
    (void)frame;
    for (uint32_t i = 0; i < slot->bytes / 8; i++)
        visit_root(user, (void **)address + i);
    return 0;
}

/* Of a type that the programs here declare, visits what is one: a tag, and a word that is a reference if the tag is
 * not 0. Others are visited by their references, or, without any, word by word. */
static int visit_whole(void *user, const sm_activation *frame, sm_region *region, void *address) {
    static const uint64_t UNION = 0x756e696f6e;
    void **word = address;
    (void)frame;
    if (region->has_type && region->type == UNION) {
        region->n_fields = 0;
        return word[0] ? visit_root(user, word + 1) : 0;
    }
    for (uint64_t i = 0; !region->is_known && i < region->bytes / sizeof *word; i++)
        visit_root(user, word + i);
    return 0;
}

/* Forwards one reference in a stack slot, where the map says that it is. */
static int visit_reference(void *user, const sm_activation *frame, sm_reference *reference) {
    enum { NUMBER_SHIFT = 48 }; /* what has tags up there is a number, in a box like a reference's */
    (void)frame;
    if (reference->bytes == sizeof(uint32_t)) {
        figures.roots++;
        if (root_number++ != leave_out)
            heap_forward_compressed(reference->address, reference->space);
        return 0;
    }
    return reference->tags >> NUMBER_SHIFT ? 0 : visit_root(user, reference->base);
}

/* Pins the object of a pinned reference, before anything moves. */
static int pin_reference(void *user, const sm_activation *frame, sm_reference *reference) {
    (void)user, (void)frame;
    if (reference->is_pinned)
        heap_pin(*reference->base);
    return 0;
}

/* Pins what a thread's frames say must not move. */
static void pin_of_thread(struct thread *t) {
    sm_error err;
    sm_visitor v = {.size = sizeof v, .reference = pin_reference};
    if (sm_visit(loader, t->at, &v, &err) != SM_SUCCESS)
        die("the stack cannot be walked", err.message);
}

/* Adds a deoptimisation value of the innermost frame to the thread's sum. */
static int visit_deopt(void *user, const sm_activation *frame, uint32_t index, const sm_slot *slot,
                       const void *address) {
    struct thread *t = user;
    int64_t value = 0;
    (void)index;
    if (frame->depth != 0)
        return 0;
    if (slot->kind == SM_SLOT_CONSTANT)
        value = slot->value;
    else if (slot->kind != SM_SLOT_DIRECT)
        memcpy(&value, address, slot->bytes < 8 ? slot->bytes : 8);
    t->deopt += value;
    return 0;
}

/* Forwards all roots of a thread. */
static void visit_thread(struct thread *t) {
    sm_error err;
    sm_visitor v = {.size = sizeof v,
                    .user = t,
                    .frame = visit_frame,
                    .root = visit_root,
                    .region = visit_region,
                    .deopt = visit_deopt,
                    .reference = visit_reference,
                    .shadow_chain = t->chain,
                    .whole = visit_whole};
    t->deopt = 0;
    root_number = 0;
    if (sm_visit(loader, t->at, &v, &err) != SM_SUCCESS)
        die("the stack cannot be walked", err.message);
    heap_forward(&t->pending);
}

/* Collects, with all other threads waiting or in native code, and lets them go on. Requires the lock. */
static void collect_all(void) {
    figures.collections++;
    record_before(loader, threads->at);
    heap_begin();
    for (struct thread *t = threads; t; t = t->next)
        pin_of_thread(t);
    for (struct thread *t = threads; t; t = t->next)
        visit_thread(t);
    heap_finish();
    record_after();
    generation++;
    waiting = 0;
    pthread_cond_broadcast(&resumed);
}

/* Notes where the thread's frames and its shadow stack are, for whoever collects. */
static void stand_at(sm_registers *at) {
    void **chain = sm_loader_symbol(loader, "llvm_gc_root_chain");
    self->at = at;
    self->chain = chain ? *chain : NULL;
}

/* Waits for a collection; the last thread to come collects for all. Requires the lock. */
static void wait_for_all(sm_registers *at) {
    uint64_t before = generation;
    stand_at(at);
    if (++waiting + natives == running)
        collect_all();
    while (generation == before)
        pthread_cond_wait(&resumed, &lock);
}

/* ---- What managed code calls -------------------------------------------------------------------------------- */

void collect_now(sm_registers *at);
void *allocate_now(sm_registers *at, uint64_t bytes, uint64_t pointers);
void throw_now(sm_registers *at, void *value);
int64_t observe_now(sm_registers *at);
int64_t collect(void), allocate(void), throw_value(void), observe(void); /* defined by the next lines */

SM_RUNTIME_ENTRY(collect, collect_now)
SM_RUNTIME_ENTRY(allocate, allocate_now)
SM_RUNTIME_ENTRY(throw_value, throw_now)
SM_RUNTIME_ENTRY(observe, observe_now)

/* Collects, with managed code waiting at AT. */
void collect_now(sm_registers *at) {
    pthread_mutex_lock(&lock);
    wait_for_all(at);
    pthread_mutex_unlock(&lock);
}

/* Collects, then allocates a zeroed object of BYTES, the first of them so many POINTERS. */
void *allocate_now(sm_registers *at, uint64_t bytes, uint64_t pointers) {
    pthread_mutex_lock(&lock);
    wait_for_all(at);
    void *object = heap_allocate(bytes, pointers);
    pthread_mutex_unlock(&lock);
    if (!object)
        die("the heap is full", "");
    return object;
}

/* Throws VALUE, which waits in the thread, where the collector finds it, until the handler takes it. Does not
 * return. */
void throw_now(sm_registers *at, void *value) {
    self->pending = value;
    collect_now(at);
    throw_exception();
    die("nothing caught the exception", "");
}

/* The value that was thrown, for the handler. */
static void *caught(void) {
    void *value = self->pending;
    self->pending = NULL;
    return value;
}

/* Collects; gives the sum of the deoptimisation values of the call that calls this. */
int64_t observe_now(sm_registers *at) {
    collect_now(at);
    return self->deopt;
}

/* ---- Native code ---------------------------------------------------------------------------------------------- */

void enter_now(sm_registers *at);
void leave_now(sm_registers *at);
void enter_native(void), leave_native(void); /* defined by the next lines */

SM_RUNTIME_ENTRY(enter_native, enter_now)
SM_RUNTIME_ENTRY(leave_native, leave_now)

/* Lets others collect from here on: the thread's frames are found from where it entered, whatever it does
 * meanwhile. Requires the lock. */
static void become_native(void) {
    natives++;
    stand_at(&self->native[self->depth - 1]);
    if (waiting && waiting + natives == running)
        collect_all();
}

/* Ends native code; waits for a collection that has begun, as that holds the lock. */
static void become_managed(void) {
    pthread_mutex_lock(&lock);
    natives--;
    self->at = NULL;
    pthread_mutex_unlock(&lock);
}

/* Begins native code: notes where the thread's managed frames are, and lets others collect. */
void enter_now(sm_registers *at) {
    pthread_mutex_lock(&lock);
    if (self->depth == NATIVE_DEPTH)
        die("too many calls of native code in one another", "");
    sm_registers *kept = &self->native[self->depth++];
    *kept = *at;
    at->previous = kept; /* the first of the chain when this returns */
    become_native();
    pthread_mutex_unlock(&lock);
}

/* Ends native code, and takes back the note of enter_now. */
void leave_now(sm_registers *at) {
    become_managed();
    at->previous = self->native[--self->depth].previous;
}

/* Collects around native code, if nobody runs managed code: others come by themselves. */
static void collect_around(void) {
    pthread_mutex_lock(&lock);
    if (waiting + natives == running)
        collect_all();
    pthread_mutex_unlock(&lock);
}

/* Native code for tests: collects thrice, and doubles its argument. */
static int64_t native_work(int64_t n) {
    for (int i = 0; i < 3; i++)
        collect_around();
    return 2 * n;
}

/* Native code for tests that calls managed code. */
static int64_t native_call(int64_t (*f)(int64_t), int64_t n) {
    collect_around();
    become_managed();
    int64_t result = f(n);
    pthread_mutex_lock(&lock);
    become_native();
    pthread_mutex_unlock(&lock);
    collect_around();
    return result + 1;
}

/* Native code for tests that throws. */
static void native_throw(void) {
    collect_around();
    throw_exception();
    die("nothing caught the exception", "");
}

/* ---- Barriers ------------------------------------------------------------------------------------------------- */

/* The marking barrier's slow path, a leaf: nobody collects while it has the lock. */
static void keep_overwritten(void *old) {
    pthread_mutex_lock(&lock);
    heap_keep(old);
    pthread_mutex_unlock(&lock);
}

/* ---- Page polls --------------------------------------------------------------------------------------------- */

enum { PAGE = 65536 };                                         /* bytes; the largest of both architectures */
static char poll_page[PAGE] __attribute__((aligned(PAGE)));    /* nobody may read it: every poll collects */
static _Thread_local char *poll_thread[2] = {NULL, poll_page}; /* poll=tls:poll_thread:8 */

/* The handler of SIGSEGV: at a page poll it collects, and goes on after the load; other faults end the program. */
static void on_fault(int signal_number, siginfo_t *info, void *context) {
    sm_registers at;
    sm_registers_load(&at, context);
    const sm_site *site = sm_find_fault(loader, at.pc);
    if (!site || (char *)info->si_addr < poll_page || (char *)info->si_addr >= poll_page + PAGE) {
        signal(signal_number, SIG_DFL); /* it comes again, and ends the program */
        return;
    }
    at.pc = site->address; /* after the load */
    at.previous = sm_chain_get();
    collect_now(&at);
    sm_registers_store(&at, context);
}

/* Takes the page away, so that every poll collects; gives VARIABLE, by which polls find it. */
static void *with_page(void *variable) {
    struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_NODEFER};
    if (mprotect(poll_page, PAGE, PROT_NONE) != 0 || sigaction(SIGSEGV, &action, NULL) != 0)
        die("there is no page", "");
    return variable;
}

/* ------------------------------------------------------------------------------------------------------------- */

static uint8_t collection_wanted = 1; /* polls look at it: always */

void *runtime_symbol(void *user, const char *name) {
    static const struct {
        const char *name;
        void *address;
    } table[] = {{"collect", (void *)collect},
                 {"allocate", (void *)allocate},
                 {"throw_value", (void *)throw_value},
                 {"caught", (void *)caught},
                 {"__gcc_personality_v0", (void *)__gcc_personality_v0},
                 {"observe", (void *)observe},
                 {"handle_all", (void *)handle_all},
                 {"handle_catches", (void *)handle_catches},
                 {"_Unwind_Resume", (void *)_Unwind_Resume},
                 {"card_table", &heap_cards},
                 {"heap_base", &heap_base},
                 {"marking", &heap_marking},
                 {"keep", (void *)keep_overwritten},
                 {"heal", (void *)heap_heal},
                 {"enter_native", (void *)enter_native},
                 {"leave_native", (void *)leave_native},
                 {"native_work", (void *)native_work},
                 {"native_call", (void *)native_call},
                 {"native_throw", (void *)native_throw},
                 {"collection_wanted", &collection_wanted}};
    (void)user;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (strcmp(table[i].name, name) == 0)
            return table[i].address;
    if (strcmp(name, "poll_page") == 0)
        return with_page(poll_page);
    return strcmp(name, "poll_thread") == 0 ? with_page(poll_thread) : NULL;
}

/* ---- Threads ------------------------------------------------------------------------------------------------ */

/* Removes a thread that has ended; the others may have waited only for it. */
static void leave_thread(struct thread *t) {
    struct thread **at = &threads;
    pthread_mutex_lock(&lock);
    while (*at != t)
        at = &(*at)->next;
    *at = t->next;
    running--;
    if (waiting && waiting + natives == running)
        collect_all();
    pthread_mutex_unlock(&lock);
}

/* A thread: runs the program and notes its result. */
static void *run_thread(void *arg) {
    struct thread *t = self = arg;
    t->result = function(t->n);
    leave_thread(t);
    return NULL;
}

int64_t runtime_run(sm_loader *with, int64_t (*f)(int64_t), int64_t n, int count) {
    struct thread *t = calloc((size_t)count, sizeof *t);
    if (!t)
        die("out of memory", "");
    loader = with;
    function = f;
    heap_init();
    running = count;
    for (int i = 0; i < count; i++) {
        t[i] = (struct thread){.n = n, .next = threads};
        threads = &t[i];
    }
    for (int i = 0; i < count; i++)
        if (pthread_create(&t[i].id, NULL, run_thread, &t[i]) != 0)
            die("a thread cannot be made", "");
    for (int i = 0; i < count; i++)
        pthread_join(t[i].id, NULL);
    for (int i = 1; i < count; i++)
        if (t[i].result != t[0].result)
            die("two threads have different results", "");
    int64_t result = t[0].result;
    free(t);
    return result;
}

void runtime_leave_out(long n) {
    leave_out = n;
}

struct runtime_figures runtime_figures(void) {
    return figures;
}
