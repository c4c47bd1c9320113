/* fault.c - somebody uses a closed space: says who, and where the pointer had been when the space was closed.
 *
 * This runs in the handler of SIGSEGV. A thread that faults in the zeal itself may hold its lock, and another one may be
 * in it and never go on: the lock is tried for a while, and what it protects is read all the same. */
#include "error.h"
#include "find.h"
#include "zeal.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { WORDS_TOLD = 16, TEXT = 8192, BEFORE = 64 }; /* BEFORE: so far before an object its header may begin */

/* A fault that is looked into. */
struct fault_view {
    sm_zeal *zeal;
    uintptr_t address;
    sm_registers at;    /* of who faults; valid == 0: not known */
    uintptr_t pc, cfa;  /* of the innermost managed frame; CFA is 0 if not known */
    uintptr_t function; /* where its function begins; 0: there is no frame */
};

/* How well a word explains a fault. */
struct rank {
    int in_register;    /* boolean: who faults has its value in a register */
    uintptr_t distance; /* from the value to what was used */
    int merit;          /* of those that are equal so far */
};

/* ---- Where the fault is ------------------------------------------------------------------------------------------ */

/* Finds the innermost managed frame: the one that faults, or that waits in the innermost entry. */
static void find_frame(struct fault_view *v) {
    const sm_loader *l = v->zeal->loader;
    const sm_registers *entry = sm_chain_get();
    const sm_code *code = v->at.valid ? sm_find_code(l, v->at.pc) : NULL;
    sm_registers caller;
    uintptr_t in = 0;
    if (code) {
        in = v->pc = v->at.pc;
    } else if (entry && (code = sm_find_code(l, entry->pc - 1)) != NULL) {
        v->pc = entry->pc;
        in = entry->pc - 1;
    }
    if (!code)
        return;
    v->function = code->address;
    if (sm_frame_at(l, in, in == v->at.pc ? &v->at : entry, NULL, &caller) == SM_SUCCESS)
        v->cfa = caller.sp;
}

/* ---- Which word it was ------------------------------------------------------------------------------------------- */

/* 1 if a register of who faults has this value: then the address was made of it. */
static int is_in_register(const struct fault_view *v, uintptr_t value) {
    for (int i = 0; i < SM_REGISTERS; i++)
        if (v->at.valid >> i & 1 && v->at.reg[i] == value)
            return 1;
    return 0;
}

/* A question: is the place of a word a root in another record of its function? */
struct usual {
    const struct word *word;
    uintptr_t function;
};

/* 1 if the slot is where the word was, in a frame like the word's. */
static int is_same_place(const struct word *w, const sm_slot *s) {
    if (!is_place(s) || s->kind != w->slot.kind)
        return 0;
    if (s->kind == SM_SLOT_REGISTER)
        return s->reg == w->slot.reg;
    uintptr_t base = s->reg == REG_SP ? w->sp : s->reg == REG_FP ? w->fp : 0;
    return base && base + (uintptr_t)s->value == w->sp + (uintptr_t)w->slot.value;
}

static int has_place(void *user, const sm_site *site) {
    const struct usual *u = user;
    if (!site->code || site->code->address != u->function)
        return 0;
    for (uint32_t i = 0; i < site->n_pairs; i++)
        if (is_same_place(u->word, &site->pairs[i].base) || is_same_place(u->word, &site->pairs[i].derived))
            return 1;
    return 0;
}

/* 1 if other safepoints of the word's function have a root in its place: then it is no leftover of something else. */
static int is_usual(const sm_zeal *z, const struct word *w) {
    const sm_object *o = loader_object_at(z->loader, w->address - 1);
    const sm_code *code = sm_find_code(z->loader, w->address - 1);
    return o && code && sm_object_sites(o, has_place, &(struct usual){w, code->address});
}

enum { MERIT_USUAL = 1, MERIT_RECORDED = 2, MERIT_FRAME = 4 };

/* Ranks a word; 0 if it cannot be what the address was made of. */
static int rank_word(const struct fault_view *v, const struct word *w, struct rank *rank) {
    int is_before = v->address < w->value;
    const sm_code *code = v->function ? sm_find_code(v->zeal->loader, w->address - 1) : NULL;
    *rank = (struct rank){is_in_register(v, w->value), is_before ? w->value - v->address : v->address - w->value, 0};
    if (w->is_recorded)
        rank->merit |= MERIT_RECORDED;
    if (code && code->address == v->function && (!v->cfa || v->cfa == w->cfa))
        rank->merit |= MERIT_FRAME;
    return !is_before || rank->distance <= BEFORE;
}

static int is_better(const struct rank *a, const struct rank *b) {
    if (a->in_register != b->in_register)
        return a->in_register;
    return a->distance != b->distance ? a->distance < b->distance : a->merit > b->merit;
}

/* The best words, the best first. */
struct best {
    const struct word *word[WORDS_TOLD];
    struct rank rank[WORDS_TOLD];
    uint32_t words;
};

static void insert(struct best *b, const struct word *word, const struct rank *rank) {
    uint32_t i = b->words;
    while (i && is_better(rank, &b->rank[i - 1]))
        i--;
    if (i == WORDS_TOLD)
        return;
    b->words += b->words < WORDS_TOLD;
    for (uint32_t j = b->words - 1; j > i; j--) {
        b->word[j] = b->word[j - 1];
        b->rank[j] = b->rank[j - 1];
    }
    b->word[i] = word;
    b->rank[i] = *rank;
}

/* Finds the words that explain the fault best. */
static void find_words(const struct fault_view *v, const struct closed *range, struct best *best) {
    const sm_zeal *z = v->zeal;
    uint64_t from = z->words > z->options.words ? z->words - z->options.words : 0;
    struct best first = {.words = 0};
    struct rank rank;
    for (uint64_t n = from; n < z->words; n++) {
        const struct word *w = &z->word[n % z->options.words];
        if (w->collection == range->collection && w->value >= range->start - BEFORE && w->value < range->end &&
            rank_word(v, w, &rank))
            insert(&first, w, &rank);
    }
    best->words = 0;
    for (uint32_t i = 0; i < first.words; i++) { /* this takes longer, and is asked of these alone */
        if (is_usual(z, first.word[i]))
            first.rank[i].merit |= MERIT_USUAL;
        insert(best, first.word[i], &first.rank[i]);
    }
}

/* ---- Reports ------------------------------------------------------------------------------------------------------ */

/* A text that grows as long as there is room. */
struct text {
    char bytes[TEXT];
    size_t len;
};

static __attribute__((format(printf, 2, 3))) void add(struct text *t, const char *fmt, ...) {
    va_list ap;
    va_start(ap, fmt);
    int n = vsnprintf(t->bytes + t->len, TEXT - t->len, fmt, ap);
    va_end(ap);
    t->len += n < 0 ? 0 : (size_t)n;
    t->len = t->len < TEXT ? t->len : TEXT - 1;
}

/* Adds "function+0x12 (list.o), list.c:7". */
static void add_place(struct text *t, const char *function, uint64_t offset, const char *object, const char *file,
                      uint32_t line) {
    add(t, "%s+0x%llx (%s)", function ? function : "?", (unsigned long long)offset, object ? object : "?");
    if (file)
        add(t, ", %s:%u", file, line);
}

static void add_word(struct text *t, const sm_zeal_word *w) {
    char slot[SLOT_TEXT];
    add(t, "    %s = 0x%llx at the safepoint ", slot_text(slot, &w->slot), (unsigned long long)w->value);
    add_place(t, w->function, w->offset, w->object, w->file, w->line);
    add(t, ": %s\n", w->is_recorded ? "its record has it, and it was not changed" : "its record does not have it");
}

static void write_text(struct text *t, const sm_zeal_report *r) {
    add(t, "zeal: 0x%llx was used, in a space that collection %u has left\n", (unsigned long long)r->address,
        r->collection);
    if (r->object) {
        add(t, r->is_calling ? "  in what was called by " : "  in ");
        add_place(t, r->function, r->offset, r->object, r->file, r->line);
        add(t, "\n");
    }
    add(t, r->words ? "  when the space was closed, what may have led there was in\n"
                    : "  when the space was closed no frame had a pointer there\n");
    for (uint32_t i = 0; i < r->words; i++)
        add_word(t, &r->word[i]);
    if (r->forgotten)
        add(t, "  (%llu words that were found before are forgotten)\n", (unsigned long long)r->forgotten);
}

/* Hands the report to the runtime, or writes it. */
static void hand_over(const sm_zeal *z, const sm_zeal_report *report) {
    if (z->options.report)
        z->options.report(z->options.user, report);
    else
        for (size_t done = 0, len = strlen(report->text); done < len;) {
            ssize_t n = write(STDERR_FILENO, report->text + done, len - done);
            if (n <= 0 && errno != EINTR)
                break;
            done += n > 0 ? (size_t)n : 0;
        }
}

/* Fills in the report's frame. */
static void set_frame(sm_zeal_report *r, const struct fault_view *v) {
    const sm_code *code = v->function ? sm_find_code(v->zeal->loader, v->function) : NULL;
    if (!code)
        return;
    r->object = sm_object_name(code->object);
    r->function = code->name;
    r->offset = v->pc - code->address;
    r->is_calling = v->pc != v->at.pc;
    uintptr_t in = r->is_calling ? v->pc - 1 : v->pc;
    place_of(v->zeal, in, &r->file, &r->line);
}

/* Reports a fault in a range. */
static void report_fault(struct fault_view *v, const struct closed *range) {
    const sm_zeal *z = v->zeal;
    struct best best;
    sm_zeal_word word[WORDS_TOLD];
    struct text text = {.len = 0};
    find_frame(v);
    find_words(v, range, &best);
    for (uint32_t i = 0; i < best.words; i++)
        word[i] = word_of(z, best.word[i]);
    sm_zeal_report report = {.address = v->address,
                             .collection = range->collection,
                             .words = best.words,
                             .word = word,
                             .forgotten = z->words > z->options.words ? z->words - z->options.words : 0,
                             .text = text.bytes};
    set_frame(&report, v);
    write_text(&text, &report);
    hand_over(z, &report);
}

/* Takes the lock, unless its holder does not give it up; 1 if it was taken. */
static int take_lock(sm_zeal *z) {
    enum { PATIENCE = 1000 };
    for (int i = 0; i < PATIENCE; i++) {
        if (pthread_mutex_trylock(&z->lock) == 0)
            return 1;
        sched_yield();
    }
    return 0;
}

int sm_zeal_fault(sm_zeal *z, const void *address, const void *ucontext) {
    if (!z)
        return 0;
    int is_locked = take_lock(z);
    const struct closed *there = range_at(z, (uintptr_t)address);
    struct closed range = there ? *there : (struct closed){0};
    if (is_locked)
        pthread_mutex_unlock(&z->lock); /* the callback may never return */
    if (!there)
        return 0;
    struct fault_view v = {.zeal = z, .address = (uintptr_t)address};
    if (ucontext)
        sm_registers_load(&v.at, ucontext);
    report_fault(&v, &range);
    return 1;
}

/* ---- The handler -------------------------------------------------------------------------------------------------- */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of what follows, but for the handler's reading */
static sm_zeal *_Atomic zeals;
static struct sigaction previous;

/* Hands a fault that is no zeal's on to the handler that was there before. */
static void pass_on(int number, siginfo_t *info, void *context) {
    if (previous.sa_flags & SA_SIGINFO)
        previous.sa_sigaction(number, info, context);
    else if (previous.sa_handler == SIG_DFL || previous.sa_handler == SIG_IGN)
        signal(number, SIG_DFL); /* it comes again, and ends the process */
    else
        previous.sa_handler(number);
}

static void on_fault(int number, siginfo_t *info, void *context) {
    int error = errno;
    for (sm_zeal *z = atomic_load(&zeals); z; z = z->next)
        if (sm_zeal_fault(z, info->si_addr, context)) {
            signal(number, SIG_DFL); /* likewise */
            return;
        }
    pass_on(number, info, context);
    errno = error;
}

sm_result handler_add(sm_zeal *z, sm_error *err) {
    struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_NODEFER | SA_ONSTACK};
    sm_result r = SM_SUCCESS;
    pthread_mutex_lock(&lock);
    if (!atomic_load(&zeals) && sigaction(SIGSEGV, &action, &previous) != 0)
        r = fail(err, SM_ERR_SYSTEM, "There can be no handler of SIGSEGV: %s", strerror(errno));
    if (r == SM_SUCCESS) {
        z->next = atomic_load(&zeals);
        atomic_store(&zeals, z);
    }
    pthread_mutex_unlock(&lock);
    return r;
}

void handler_remove(sm_zeal *z) {
    struct sigaction now;
    pthread_mutex_lock(&lock);
    sm_zeal *first = atomic_load(&zeals), **at = &first;
    while (*at && *at != z)
        at = &(*at)->next;
    int was_there = *at != NULL;
    if (was_there)
        *at = z->next;
    atomic_store(&zeals, first);
    if (was_there && !first && sigaction(SIGSEGV, NULL, &now) == 0 && (now.sa_flags & SA_SIGINFO) &&
        now.sa_sigaction == on_fault)
        sigaction(SIGSEGV, &previous, NULL);
    pthread_mutex_unlock(&lock);
}
