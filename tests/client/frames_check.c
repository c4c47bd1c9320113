/* frames_check.c - the walk against another reader of .eh_frame: libgcc's unwinder, which exceptions use.
 *
 *     frames_check FRAMES OBJECT [DUMP]      linked with the functions (LINKED): OBJECT is anything
 *
 * The object's functions (frames_test.c) call one another in any order, some by way of C code, and at the end of each chain
 * they wait in the runtime. There every frame of the walk has to be where the unwinder finds it: return address, stack
 * pointer, the caller's stack pointer, the registers that calls preserve, and each slot of its record. On every other chain some
 * return addresses have been replaced, for a watermark. Ends after so many
 * frames. With DUMP the frames of each chain are written there, and frames_ready is called for gdb to stop in
 * (gdb_frames.py). Exits 0 if all was equal. */
#include "check.h"
#include "smclient.h"

#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unwind.h>

enum { FUNCTIONS = 64, MOST = 4096, DEPTH = 120, STACK = 1 << 28, PAGE = 65536 };

#if defined(__aarch64__)
enum { SP = 31 };
static const int preserved[] = {19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29};
#else
enum { SP = 7 };
static const int preserved[] = {3, 6, 12, 13, 14, 15};
#endif
enum { PRESERVED = sizeof preserved / sizeof *preserved };

typedef int64_t function(int64_t n, uint64_t seed, void *p);

void *table[FUNCTIONS];
static sm_loader *loader;
static sm_error err;
static void *object_of_all[8]; /* what references lead to; its fields lead to itself */
static sm_watermark *watermark;
static long frames, slots, chains, barriers;
static FILE *dump;

/* What the unwinder says of a managed frame. */
struct seen {
    uintptr_t pc, sp, cfa, reg[SM_REGISTERS];
};
static struct seen seen[MOST];
static int count, is_last_ours; /* IS_LAST_OURS: the frame before is SEEN's last, whose caller comes now */
static int at_frame;

static _Unwind_Reason_Code see(struct _Unwind_Context *context, void *user) {
    static uintptr_t last;
    int before;
    uintptr_t pc = _Unwind_GetIPInfo(context, &before), sp = _Unwind_GetCFA(context);
    int is_after_barrier = before && sp == last; /* then the address is the one before the return address */
    (void)user;
    last = sp;
#if defined(__aarch64__)
    if (before &&
        !is_after_barrier) /* a signal's frame lies elsewhere: what it interrupted has its stack pointer among the registers */
        sp = _Unwind_GetGR(context, SP);
#endif
    if (is_last_ours)
        seen[count - 1].cfa = sp;
    is_last_ours = sm_find_code(loader, before ? pc : pc - 1) != NULL;
    if (!is_last_ours)
        return _URC_NO_REASON;
    check(count < MOST, "too many frames");
    seen[count] = (struct seen){.pc = pc + (uintptr_t)is_after_barrier, .sp = sp};
    barriers += is_after_barrier;
    for (int i = 0; i < PRESERVED; i++)
        seen[count].reg[preserved[i]] = _Unwind_GetGR(context, preserved[i]);
    count++;
    return _URC_NO_REASON;
}

/* Compares one slot: where it is by the walk, and by the unwinder's registers. */
static void compare_slot(const sm_activation *frame, const struct seen *s, const sm_slot *slot) {
    const uintptr_t *at = sm_slot_address(frame, slot);
    uintptr_t base = slot->reg == SP ? s->sp : s->reg[slot->reg];
    if (slot->kind == SM_SLOT_CONSTANT)
        return;
    check(at != NULL, "%s: a slot is nowhere", frame->site->code->name);
    if (slot->kind == SM_SLOT_REGISTER)
        check(*at == base, "%s: register %u", frame->site->code->name, slot->reg);
    else
        check((uintptr_t)at == base + (uintptr_t)slot->value, "%s: a slot by register %u", frame->site->code->name,
              slot->reg);
    slots++;
}

static void dump_frame(const sm_activation *frame) {
    const sm_site *site = frame->site;
    fprintf(dump, "frame %s %lx %lx %lx", site->code->name ? site->code->name : "?", (long)site->address,
            (long)frame->sp, (long)frame->cfa);
    for (int i = 0; i < PRESERVED; i++)
        fprintf(dump, " %d:%lx:%lx", preserved[i], (long)*frame->reg[preserved[i]], (long)frame->reg[preserved[i]]);
    fprintf(dump, "\n");
    for (uint32_t i = 0; i < site->n_pairs; i++) {
        const uintptr_t *base = sm_slot_address(frame, &site->pairs[i].base);
        const uintptr_t *derived = sm_slot_address(frame, &site->pairs[i].derived);
        if (base && derived)
            fprintf(dump, "root %lx %lx\n", (long)*base, (long)*derived);
    }
}

static int compare(void *user, const sm_activation *frame) {
    const char *name = frame->site->code->name;
    const struct seen *s = &seen[at_frame++];
    (void)user;
    check(at_frame <= count, "%s: the unwinder does not see its frame", name);
    check(s->pc == frame->site->address || (at_frame == 1 && sm_find_fault(loader, s->pc) == frame->site),
          "%s: waits at 0x%lx, 0x%lx", name, (long)frame->site->address, (long)s->pc);
    check(s->sp == frame->sp && s->cfa == frame->cfa, "%s: its frame is from 0x%lx to 0x%lx, 0x%lx to 0x%lx", name,
          (long)frame->sp, (long)frame->cfa, (long)s->sp, (long)s->cfa);
    for (int i = 0; i < PRESERVED; i++) {
        const uintptr_t *at = frame->reg[preserved[i]];
        check(at && *at == s->reg[preserved[i]], "%s: register %d", name, preserved[i]);
    }
    for (uint32_t i = 0; i < frame->site->n_pairs; i++) {
        compare_slot(frame, s, &frame->site->pairs[i].base);
        compare_slot(frame, s, &frame->site->pairs[i].derived);
    }
    if (dump)
        dump_frame(frame);
    frames++;
    return 0;
}

void frames_ready(void);
__attribute__((noinline)) void frames_ready(void) {
    __asm__ volatile("" ::: "memory");
}

static void compare_all(sm_registers *at) {
    count = is_last_ours = at_frame = 0;
    if (chains++ % 2) {
        sm_watermark_reset(watermark);
        check(sm_visit(loader, at, &(sm_visitor){.size = sizeof(sm_visitor), .watermark = watermark}, &err) ==
                  SM_SUCCESS,
              "%s", err.message);
    }
    _Unwind_Backtrace(see, NULL);
    check(sm_visit(loader, at, &(sm_visitor){.size = sizeof(sm_visitor), .frame = compare}, &err) == SM_SUCCESS, "%s",
          err.message);
    check(at_frame == count, "the walk has %d frames, the unwinder %d", at_frame, count);
    if (!dump)
        return;
    fprintf(dump, "end\n");
    fflush(dump);
    frames_ready();
}

int64_t bottom_now(sm_registers *at, void *p);
int64_t bottom(void *p);
SM_RUNTIME_ENTRY(bottom, bottom_now)

int64_t bottom_now(sm_registers *at, void *p) {
    check(p == object_of_all, "the reference is another");
    compare_all(at);
    return 1;
}

/* A page poll, in a function that has no frame at all perhaps. */
static void on_fault(int number, siginfo_t *info, void *context) {
    sm_registers at;
    (void)info;
    sm_registers_load(&at, context);
    const sm_site *site = sm_find_fault(loader, at.pc);
    if (!site) {
        signal(number, SIG_DFL);
        return;
    }
    at.pc = site->address;
    at.previous = sm_chain_get();
    compare_all(&at);
    sm_registers_store(&at, context);
}

void touch(void *p);
void touch(void *p) {
    __asm__ volatile("" : : "r"(p) : "memory");
}

int64_t through_c(function *f, int64_t n, uint64_t seed, void *p);
__attribute__((noinline)) int64_t through_c(function *f, int64_t n, uint64_t seed, void *p) {
    char room[100];
    touch(room);
    int64_t result = f(n, seed, p);
    touch(room);
    return result + 1;
}

static void *symbol(void *user, const char *name) {
    static void *page;
    (void)user;
    if (strcmp(name, "poll_page") == 0 && !page)
        page = mmap(NULL, PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return strcmp(name, "bottom") == 0      ? (void *)bottom
           : strcmp(name, "touch") == 0     ? (void *)touch
           : strcmp(name, "through_c") == 0 ? (void *)through_c
           : strcmp(name, "table") == 0     ? (void *)table
           : strcmp(name, "poll_page") == 0 ? page
                                            : NULL;
}

static void *run(void *user) {
    long wanted = *(long *)user;
    for (uint64_t seed = 1; frames < wanted; seed = seed * 6364136223846793005u + 1442695040888963407u) {
        uint64_t draw = seed >> 33;
        ((function *)table[draw % FUNCTIONS])((int64_t)(draw / FUNCTIONS % DEPTH), draw, object_of_all);
    }
    return NULL;
}

#if defined(LINKED)

extern void *functions[FUNCTIONS]; /* of the module that is linked with this */

static void load(const char *path) {
    (void)path;
    check(sm_map_open(loader, NULL, NULL, &err) == SM_SUCCESS, "%s", err.message);
    memcpy(table, functions, sizeof table);
}

#else

static void load(const char *path) {
    static unsigned char file[1 << 22];
    sm_object *object;
    FILE *f = fopen(path, "rb");
    size_t len = f ? fread(file, 1, sizeof file, f) : 0;
    check(len && sm_load(loader, file, len, path, &object, &err) == SM_SUCCESS, "%s", err.message);
    for (int i = 0; i < FUNCTIONS; i++) {
        char name[8];
        snprintf(name, sizeof name, "f%d", i);
        table[i] = sm_object_symbol(object, name);
        check(table[i] != NULL, "there is no %s", name);
    }
}

#endif

int main(int argc, char **argv) {
    struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_NODEFER};
    sm_loader_options options = {.size = sizeof options, .resolve = symbol, .flags = SM_LOAD_GDB};
    pthread_attr_t attributes;
    pthread_t thread;
    check(argc > 2, "usage: frames_check FRAMES OBJECT [DUMP]");
    long wanted = atol(argv[1]);
    dump = argc > 3 ? fopen(argv[3], "w") : NULL;
    loader = sm_loader_new(&options, &err);
    check(loader != NULL, "%s", err.message);
    watermark = sm_watermark_new(&err);
    check(watermark != NULL, "%s", err.message);
    load(argv[2]);
    for (int i = 0; i < 8; i++)
        object_of_all[i] = object_of_all;
    sigaction(SIGSEGV, &action, NULL);
    pthread_attr_init(&attributes);
    check(pthread_attr_setstacksize(&attributes, STACK) == 0 &&
              pthread_create(&thread, &attributes, run, &wanted) == 0,
          "there is no thread");
    pthread_join(thread, NULL);
    check(barriers > 0, "no return address was replaced");
    printf("%ld frames, %ld slots, %ld chains, %ld barriers\n", frames, slots, chains, barriers);
    return 0;
}
