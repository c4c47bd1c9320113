/* semispace.c - see semispace.h. Cheney's algorithm; objects as tests/bench/programs/managed.h has them. */
#include "semispace.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { PAGE = 65536, CARD_SHIFT = 9, STEP = 1 << 14, POLLS_BETWEEN = 251, MOVED = 1 };
#define SPACE_BYTES ((size_t)1 << 26)
#define LOW         ((uintptr_t)1 << 30) /* where the heap is: references may have 32 bits */

typedef uint64_t
    header; /* bytes; in the upper half how many references follow. Or the object's new address + MOVED */

static char *space[2], *poll_page;
static _Thread_local char *poll_thread[2]; /* poll=tls:poll_thread:8 */
static unsigned char *cards;               /* owned: one for each 512 bytes of both spaces */
static int current, under_stress;
static char *scan_limit; /* of the space that is collected: where its objects end */
static const sm_loader *loader;
static void **chain;
static unsigned long collections, polls;

/* What compiled code refers to by name. */
char *heap_top, *heap_limit;
unsigned char *heap_cards;
uint64_t heap_mask;                 /* load barriers: no bit is wrong */
uint8_t heap_marking, poll_flag;    /* flags of barriers and polls */
void *heap_refill(uint64_t header); /* defined by SM_RUNTIME_ENTRY */
void poll_stop(void);               /* likewise */
void *refill_now(sm_registers *at, uint64_t wanted);
void stop_now(sm_registers *at);

SM_RUNTIME_ENTRY(heap_refill, refill_now)
SM_RUNTIME_ENTRY(poll_stop, stop_now)

static void die(const char *what, const char *why) {
    fprintf(stderr, "semispace: %s%s%s\n", what, *why ? ": " : "", why);
    exit(4);
}

/* ---- Collecting ----------------------------------------------------------------------------------------------- */

static size_t bytes_of(header h) {
    return (uint32_t)h;
}

/* 1 if an object begins in the space that is collected. */
static int is_there(const char *object) {
    return object >= space[current] && object < scan_limit;
}

/* Gives the object's new place; copies it if it is the first time. */
static char *forward(char *object) {
    header h = *(header *)(void *)object;
    if (h & MOVED)
        return (char *)(uintptr_t)(h - MOVED);
    char *to = heap_top;
    memcpy(to, object, bytes_of(h));
    heap_top += bytes_of(h);
    *(header *)(void *)object = (uintptr_t)to + MOVED;
    return to;
}

static int visit_root(void *user, void **root) {
    (void)user;
    if (*root && !is_there(*root))
        die("a root is no object", "");
    if (*root)
        *root = forward(*root);
    return 0;
}

/* The same of a reference in a stack slot, which may have 32 bits. In objects those have eight bytes' room, and the
 * heap lies so low that they are whole references. */
static int visit_reference(void *user, const sm_activation *frame, sm_reference *reference) {
    void *whole = NULL;
    (void)frame;
    if (reference->bytes != sizeof(uint32_t))
        return visit_root(user, reference->base);
    whole = (void *)(uintptr_t)*(uint32_t *)reference->address;
    visit_root(user, &whole);
    *(uint32_t *)reference->address = (uint32_t)(uintptr_t)whole;
    return 0;
}

/* Forwards the references in objects from SCAN on, which are new there. */
static void forward_fields(char *scan) {
    while (scan < heap_top) {
        header h = *(header *)(void *)scan;
        void **field = (void **)(void *)(scan + sizeof h);
        for (uint64_t i = 0; i < h >> 32; i++)
            visit_root(NULL, &field[i]);
        scan += bytes_of(h);
    }
}

/* Moves all that is alive, and forgets the rest. What was moved out of is overwritten. */
static void collect(sm_registers *at) {
    sm_error err;
    sm_visitor v = {
        .size = sizeof v, .root = visit_root, .reference = visit_reference, .shadow_chain = chain ? *chain : NULL};
    char *to = space[!current];
    scan_limit = heap_top;
    heap_top = to;
    if (sm_visit(loader, at, &v, &err) != SM_SUCCESS)
        die("the stack cannot be walked", err.message);
    forward_fields(to);
    memset(space[current], 0xdb, (size_t)(scan_limit - space[current]));
    current = !current;
    collections++;
}

/* Lets the program allocate some KiB, of zeros, until the next collection. */
static void open_room(size_t wanted) {
    size_t left = (size_t)(space[current] + SPACE_BYTES - heap_top), room = wanted + STEP;
    if (room > left)
        die("the heap is full", "");
    memset(heap_top, 0, room);
    heap_limit = heap_top + room;
}

void *refill_now(sm_registers *at, uint64_t wanted) {
    if (!under_stress)
        die("the heap is too small for this run", "");
    collect(at);
    open_room(bytes_of(wanted));
    char *object = heap_top;
    heap_top += bytes_of(wanted);
    *(header *)(void *)object = wanted;
    return object;
}

/* ---- Polls ---------------------------------------------------------------------------------------------------- */

void stop_now(sm_registers *at) {
    if (++polls % POLLS_BETWEEN)
        return;
    collect(at);
    open_room(0);
}

/* What poll=call calls. */
static void poll_call(void) {
    if (poll_flag)
        poll_stop();
}

/* The handler of SIGSEGV: a page poll stops, and goes on after its load. */
static void on_fault(int number, siginfo_t *info, void *context) {
    sm_registers at;
    sm_registers_load(&at, context);
    const sm_site *site = sm_find_fault(loader, at.pc);
    if (!site || (char *)info->si_addr < poll_page || (char *)info->si_addr >= poll_page + PAGE) {
        signal(number, SIG_DFL); /* it comes again, and ends the program */
        return;
    }
    at.pc = site->address;
    at.previous = sm_chain_get();
    stop_now(&at);
    sm_registers_store(&at, context);
}

/* ---- Barriers ------------------------------------------------------------------------------------------------- */

/* Slow paths that are never reached: nothing is marked, and no reference is wrong. */
static void heap_keep(void *old) {
    (void)old;
    die("a barrier's slow path was reached", "");
}

static void *heap_heal(void *value, void **slot) {
    (void)slot;
    heap_keep(value);
    return value;
}

/* ------------------------------------------------------------------------------------------------------------- */

void *semispace_symbol(void *user, const char *name) {
    const struct {
        const char *name;
        void *address;
    } table[] = {
        {"heap_top", &heap_top},          {"heap_limit", &heap_limit},      {"heap_refill", (void *)heap_refill},
        {"heap_cards", &heap_cards},      {"heap_marking", &heap_marking},  {"heap_keep", (void *)heap_keep},
        {"heap_heal", (void *)heap_heal}, {"heap_mask", &heap_mask},        {"poll_flag", &poll_flag},
        {"poll_stop", (void *)poll_stop}, {"poll_call", (void *)poll_call}, {"poll_page", poll_page},
        {"poll_thread", poll_thread},     {"memset", (void *)memset},       {"memcpy", (void *)memcpy},
        {"memmove", (void *)memmove}};
    (void)user;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (strcmp(table[i].name, name) == 0)
            return table[i].address;
    return NULL;
}

/* New memory; within the first 4 GiB if there is room at LOW. */
static char *map(size_t bytes, uintptr_t low) {
    void *p = mmap((void *)low, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED)
        die("out of memory", "");
    return p;
}

void semispace_init(void) {
    struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_NODEFER};
    space[0] = map(2 * SPACE_BYTES, LOW);
    if ((uintptr_t)space[0] + 2 * SPACE_BYTES > UINT32_MAX)
        die("there is no room for the heap below 4 GiB", "");
    space[1] = space[0] + SPACE_BYTES;
    poll_thread[1] = poll_page = map(PAGE, 0);
    cards = calloc(1, 2 * SPACE_BYTES >> CARD_SHIFT);
    if (!cards || sigaction(SIGSEGV, &action, NULL) != 0)
        die("out of memory", "");
    heap_cards = (unsigned char *)((uintptr_t)cards - ((uintptr_t)space[0] >> CARD_SHIFT));
    heap_top = space[0];
}

void semispace_begin(const sm_loader *with, void **chain_of_it, int stress) {
    memset(space[current], 0, (size_t)(heap_top - space[current]));
    loader = with;
    chain = chain_of_it;
    current = 0;
    collections = polls = 0;
    heap_top = space[0];
    heap_limit = space[0] + SPACE_BYTES;
    under_stress = stress;
    poll_flag = stress != 0;
    mprotect(poll_page, PAGE, stress ? PROT_NONE : PROT_READ);
    if (stress)
        open_room(0);
}

size_t semispace_allocated(void) {
    return (size_t)(heap_top - space[0]);
}

unsigned long semispace_collections(void) {
    return collections;
}
