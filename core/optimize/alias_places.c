/* alias_places.c - places in memory that an alias is written to, and what reads it from there.
 *
 * What reads a place is listed once for each place, however many stores there are. Sorted by where safepoints lie
 * (crossings.c), the reads that no safepoint is before, seen from a store, are neighbours: each further store only takes
 * some away at the ends.
 */
#include "aliases.h"
#include "cfg.h"
#include "ir.h"
#include "reference_layout.h"

#include <stdlib.h>

/* ---- Places ---------------------------------------------------------------------------------------------------- */

struct read {
    size_t enter; /* first, for by_number */
    struct spot spot;
    LLVMValueRef read;
};

/* Of those aliases that are numbers, or of the others: the reads, in their order, up to which none is late. */
struct on_time {
    int begun, all_late; /* booleans: an alias was written there, and one that is late */
    size_t first, end;
};

struct place {
    struct set pointers; /* owned: addresses of it that are alike */
    struct set reads;    /* owned */
    int listed;          /* boolean: READS is complete */
    int each;            /* boolean: each store is looked at by itself, as something reads and writes the place */
    struct read *sorted; /* owned: those reads that a safepoint may be before */
    size_t count;
    struct on_time on_time[2];
};

/* Places by what identifies them: an address, memory, or the steps to a field. */
struct place_table {
    struct set key;
    struct place *place; /* owned: as many as keys */
    size_t room;
};

struct places {
    struct place_table exact;  /* by addresses that begin no group */
    struct place_table fields; /* by the steps to them */
    struct place_table others; /* what reads by intrinsics, or a copy: by memory, or addresses */
    struct set stepped;        /* fields' addresses, and */
    size_t *field, field_room; /* owned: with the same numbers, the number of each one's place */
    struct set bases;          /* of the fields */
};

static struct place *place_at(struct place_table *t, void *key) {
    size_t i = set_number(&t->key, key);
    if (i == t->key.count) {
        t->place = xgrow(t->place, i, &t->room, sizeof *t->place);
        t->place[i] = (struct place){0};
        set_add_again(&t->key, key);
    }
    return &t->place[i];
}

static void free_table(struct place_table *t) {
    for (size_t i = 0; i < t->key.count; i++) {
        set_free(&t->place[i].pointers);
        set_free(&t->place[i].reads);
        free(t->place[i].sorted);
    }
    set_free(&t->key);
    free(t->place);
}

static void free_places(struct places *p) {
    if (!p)
        return;
    free_table(&p->exact);
    free_table(&p->fields);
    free_table(&p->others);
    set_free(&p->stepped);
    set_free(&p->bases);
    free(p->field);
    free(p);
}

void aliases_free(struct aliases *a) {
    set_free(&a->all);
    set_free(&a->values);
    free_places(a->places);
    free(a->followed);
    free(a->alias);
}

/* ---- Fields ---------------------------------------------------------------------------------------------------- */

/* 1 if both are getelementptrs that step alike. */
static int steps_alike(LLVMValueRef a, LLVMValueRef b) {
    int n = LLVMGetNumOperands(a);
    if (LLVMGetNumOperands(b) != n || LLVMGetGEPSourceElementType(a) != LLVMGetGEPSourceElementType(b))
        return 0;
    for (int i = 0; i < n; i++)
        if (LLVMGetOperand(a, (unsigned)i) != LLVMGetOperand(b, (unsigned)i))
            return 0;
    return 1;
}

/* 1 if I is a getelementptr by constants from BASE. *KEY: for the same steps the same, and nearly always another for
 * others. */
static int is_field_of(LLVMValueRef i, LLVMValueRef base, uintptr_t *key) {
    if (!LLVMIsAGetElementPtrInst(i) || LLVMGetOperand(i, 0) != base)
        return 0;
    *key = (uintptr_t)LLVMGetGEPSourceElementType(i);
    for (int k = 0; k < LLVMGetNumOperands(i); k++) {
        if (k && !LLVMIsAConstant(LLVMGetOperand(i, (unsigned)k)))
            return 0;
        *key = (*key ^ (uintptr_t)LLVMGetOperand(i, (unsigned)k)) * (uintptr_t)0x100000001b3;
    }
    *key += !*key;
    return 1;
}

/* Puts the fields of BASE into places, those with the same steps into one. */
static void group_fields(struct aliases *a, LLVMValueRef base) {
    struct places *p = a->places;
    uintptr_t key;
    set_add(&p->bases, base);
    for (LLVMUseRef use = LLVMGetFirstUse(base); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef i = LLVMGetUser(use);
        if (!is_field_of(i, base, &key) || function_of(i) != a->function || set_has(&p->stepped, i))
            continue;
        while (set_has(&p->fields.key, (void *)key) &&
               !steps_alike(i, place_at(&p->fields, (void *)key)->pointers.item[0]))
            key++;
        set_add(&place_at(&p->fields, (void *)key)->pointers, i);
        p->field = xgrow(p->field, p->stepped.count, &p->field_room, sizeof *p->field);
        p->field[p->stepped.count] = set_number(&p->fields.key, (void *)key);
        set_add_again(&p->stepped, i);
    }
}

/* The place that POINTER, and fields alike, are addresses of. */
static struct place *alias_place(struct aliases *a, LLVMValueRef pointer) {
    struct places *p = a->places;
    uintptr_t key;
    if (LLVMIsAGetElementPtrInst(pointer) && is_field_of(pointer, LLVMGetOperand(pointer, 0), &key)) {
        if (!set_has(&p->bases, LLVMGetOperand(pointer, 0)))
            group_fields(a, LLVMGetOperand(pointer, 0));
        size_t i = set_number(&p->stepped, pointer);
        if (i < p->stepped.count)
            return &p->fields.place[p->field[i]];
    }
    struct place *place = place_at(&p->exact, pointer);
    set_add(&place->pointers, pointer);
    return place;
}

/* ---- What reads a place ----------------------------------------------------------------------------------------- */

/* Orders reads, for qsort. */
static int by_spot(const void *x, const void *y) {
    const struct read *a = x, *b = y;
    return a->enter != b->enter ? by_number(x, y) : (a->spot.at > b->spot.at) - (a->spot.at < b->spot.at);
}

/* Sorts the reads of P, which are complete. */
static void sort_reads(struct aliases *a, struct place *p) {
    struct crossings *x = &a->c->optimize.facts->crossings;
    p->listed = 1;
    p->sorted = xcalloc(p->reads.count + 1, sizeof *p->sorted);
    for (size_t i = 0; i < p->reads.count; i++) {
        struct read *r = &p->sorted[p->count];
        *r = (struct read){.read = p->reads.item[i]};
        p->each |= !crossings_spot(x, a->c, r->read, &r->spot);
        r->enter = p->each ? 0 : x->enter[r->spot.segment];
        p->count += r->enter != 0;
    }
    qsort(p->sorted, p->count, sizeof *p->sorted, by_spot);
}

/* 1 if READ may read from POINTER what an alias that was written there has become. Of a place that the collector keeps
 * current it reads a reference, or its bits of now. */
static int may_read_alias(struct aliases *a, LLVMValueRef read, LLVMValueRef pointer, int is_current) {
    if (!LLVMIsAInstruction(read) || flow_access(read).from != pointer || function_of(read) != a->function ||
        is_memory_copy(read))
        return 0;
    return !is_current || (LLVMIsALoadInst(read) && !is_reference(read));
}

/* Lists what reads P by its addresses. */
static void list_reads(struct aliases *a, struct place *p) {
    for (size_t i = 0; i < p->pointers.count; i++) {
        int is_current = alias_is_kept_current(a->c, p->pointers.item[i]);
        for (LLVMUseRef use = LLVMGetFirstUse(p->pointers.item[i]); use; use = LLVMGetNextUse(use))
            if (may_read_alias(a, LLVMGetUser(use), p->pointers.item[i], is_current)) {
                p->each |= flow_access(LLVMGetUser(use)).value != NULL;
                set_add(&p->reads, LLVMGetUser(use));
            }
    }
    sort_reads(a, p);
}

/* 1 if the stack slot is reported to the collector, with the mask of its tags. */
static int is_tagged_slot(const struct compile *c, LLVMValueRef slot) {
    const struct region *r = LLVMIsAAllocaInst(slot) ? region_find(c, slot) : NULL;
    return r && r->bits & SM_FACT_MASK;
}

/* 1 if READ reads with a plain address from one of the places of MEMORY: list_reads looks at it. */
static int is_followed_exactly(LLVMValueRef read, const struct set *memory) {
    struct set own = {0};
    int match = 0;
    flow_memory(&own, flow_access(read).from);
    for (size_t i = 0; i < own.count; i++)
        match |= set_has(memory, own.item[i]);
    set_free(&own);
    return match && alias_reads_memory(read);
}

/* Lists in P what reads MEMORY by an intrinsic, or from where it was copied; or not IS_EXACT, in any way. */
static void list_others(struct aliases *a, struct place *p, const struct set *memory, int is_exact) {
    struct set reads = {0};
    for (size_t i = 0; i < memory->count; i++)
        if (!is_tagged_slot(a->c, memory->item[i]) && !set_has(&a->c->casts, memory->item[i]) &&
            !alias_is_kept_current(a->c, memory->item[i]))
            flow_reads(memory->item[i], a->function, &reads);
    for (size_t i = 0; i < reads.count; i++)
        if (!(is_exact && is_followed_exactly(reads.item[i], memory)))
            set_add(&p->reads, reads.item[i]);
    set_free(&reads);
    sort_reads(a, p);
}

/* The place of what reads in other ways where POINTER leads. */
static struct place *others_of(struct aliases *a, LLVMValueRef pointer) {
    struct set memory = {0};
    int is_exact = !is_vector(LLVMTypeOf(pointer));
    flow_memory(&memory, pointer);
    struct place *p = place_at(&a->places->others, is_exact && memory.count == 1 ? memory.item[0] : pointer);
    if (!p->listed)
        list_others(a, p, &memory, is_exact);
    set_free(&memory);
    return p;
}

/* ---- Stores ------------------------------------------------------------------------------------------------------ */

/* 1 if the block of I can be reached from itself. */
static int is_alias_in_loop(struct aliases *a, LLVMValueRef i) {
    struct loops loops = {0};
    loops_of(&loops, a->function);
    int result = loops_contain(&loops, LLVMGetInstructionParent(i));
    loops_free(&loops);
    return result;
}

/* Adds READ, which reads what the alias FROM was stored as. */
static void add_read(struct aliases *a, const struct alias *from, LLVMValueRef read, struct late late) {
    alias_add(a, (struct alias){read, from->source, from->value, late, from->number});
}

/* The alias FROM is written to P by STORE: adds as aliases all that reads it. An exchange reads what was there before. */
static void add_reads(struct aliases *a, const struct alias *from, LLVMValueRef store, const struct place *p) {
    for (size_t i = 0; i < p->reads.count; i++) {
        LLVMValueRef read = p->reads.item[i];
        struct late late = from->late;
        if (!late.use && crossings_between(&a->c->optimize.facts->crossings, a->c, store, read))
            late = (struct late){store, read};
        if (read != store || flow_access(read).from != flow_access(store).to || is_alias_in_loop(a, read))
            add_read(a, from, read, late);
    }
}

/* STORE writes an alias, too, to P: takes from those reads that were on time the ones that are late from STORE on. */
static void add_late_reads(struct aliases *a, const struct alias *from, LLVMValueRef store, const struct place *p,
                           struct spot spot, struct on_time *t) {
    const struct crossings *x = &a->c->optimize.facts->crossings;
    for (; t->first < t->end && spot_crosses(x, spot, p->sorted[t->first].spot); t->first++)
        add_read(a, from, p->sorted[t->first].read, (struct late){store, p->sorted[t->first].read});
    for (; t->end > t->first && spot_crosses(x, spot, p->sorted[t->end - 1].spot); t->end--)
        add_read(a, from, p->sorted[t->end - 1].read, (struct late){store, p->sorted[t->end - 1].read});
}

/* The alias FROM is written to P by STORE. */
static void follow_place(struct aliases *a, const struct alias *from, LLVMValueRef store, struct place *p) {
    struct on_time *t = &p->on_time[from->number != 0];
    struct spot spot;
    if (!p->reads.count || t->all_late)
        return;
    if (p->each || !crossings_spot(&a->c->optimize.facts->crossings, a->c, store, &spot)) {
        add_reads(a, from, store, p);
        return;
    }
    if (!t->begun || from->late.use)
        add_reads(a, from, store, p);
    t->end = t->begun ? t->end : p->count;
    t->begun = 1;
    t->all_late = from->late.use != NULL;
    if (!t->all_late)
        add_late_reads(a, from, store, p, spot, t);
}

/* The alias FROM is written to P, which the collector keeps current: adds what reads it, as aliases of then. */
static void add_current_reads(struct aliases *a, const struct alias *from, struct place *p) {
    struct on_time *t = &p->on_time[from->number != 0];
    for (size_t i = 0; !t->begun && i < p->reads.count; i++)
        add_read(a, from, p->reads.item[i], (struct late){0});
    t->begun = 1;
}

void alias_follow_memory(struct aliases *a, struct alias from, LLVMValueRef store) {
    LLVMValueRef pointer = flow_access(store).to;
    a->places = a->places ? a->places : xcalloc(1, sizeof *a->places);
    follow_place(a, &from, store, others_of(a, pointer));
    if (is_tagged_slot(a->c, pointer) || set_has(&a->c->casts, pointer))
        return; /* the collector keeps what is in it; what becomes a reference is one from there on */
    struct place *place = alias_place(a, pointer);
    if (!place->listed)
        list_reads(a, place);
    if (alias_is_reference_slot(pointer))
        add_current_reads(a, &from, place);
    else
        follow_place(a, &from, store, place);
}
