/* slot_pointers.c - slots of several pointers in the tables of erlang and ocaml.
 *
 * These tables list places of one word. LLVM lists a slot's own place once for each mark. So a slot gets as many marks
 * as its type has pointers, and in the object each of these entries becomes the place of one of them.
 *
 * Which slot an entry is of: all entries of one place are, and no other slot has this place. Where slots with as many
 * marks have their pointers elsewhere, the order of the entries tells (root_meta.c).
 */
#include "deviations.h"
#include "gcmap.h"
#include "gcroot.h"
#include "gcroots.h"
#include "ir.h"
#include "slotbase.h"

#include <llvm-c/Target.h>

enum { WORD = 8, POINTERS_MAX = 4096 }; /* of one slot */

/* Where the pointers of a slot are, in bytes from its beginning. */
struct places {
    uint32_t *offset; /* owned */
    size_t count, room;
    const char *wrong; /* static; why a table cannot list them. NULL if it can */
};

static void add_place(struct places *p, uint64_t offset) {
    if (offset % WORD != 0)
        p->wrong = "has a pointer that is not aligned to a word";
    else if (p->count == POINTERS_MAX)
        p->wrong = "has more than 4096 pointers";
    else {
        p->offset = xgrow(p->offset, p->count, &p->room, sizeof *p->offset);
        p->offset[p->count++] = (uint32_t)offset;
    }
}

/* Adds the pointers of TYPE, which stands at OFFSET. */
static void add_places(LLVMTargetDataRef layout, LLVMTypeRef type, uint64_t offset, struct places *p) {
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    if (kind == LLVMPointerTypeKind) {
        if (LLVMABISizeOfType(layout, type) != WORD)
            p->wrong = "has a pointer that is no word";
        else
            add_place(p, offset);
    } else if (kind == LLVMStructTypeKind) {
        for (unsigned i = 0; !p->wrong && i < LLVMCountStructElementTypes(type); i++)
            add_places(layout, LLVMStructGetTypeAtIndex(type, i), offset + LLVMOffsetOfElement(layout, type, i), p);
    } else if (holds_pointer(type)) {
        uint64_t n = kind == LLVMArrayTypeKind ? LLVMGetArrayLength2(type) : LLVMGetVectorSize(type);
        LLVMTypeRef element = LLVMGetElementType(type);
        for (uint64_t i = 0; !p->wrong && i < n; i++)
            add_places(layout, element, offset + i * LLVMABISizeOfType(layout, element), p);
    }
}

/* Where the pointers are in the slot, an alloca: *new* (free OFFSET). One that has the size of a word and no pointer
 * holds one all the same: as a number. */
static struct places places_of(struct compile *c, LLVMValueRef slot) {
    LLVMTargetDataRef layout = LLVMGetModuleDataLayout(c->module);
    LLVMTypeRef type = LLVMGetAllocatedType(slot);
    struct places p = {0};
    if (alloca_count(slot) != 1)
        type = LLVMArrayType2(type, alloca_count(slot));
    add_places(layout, type, 0, &p);
    if (!p.wrong && !p.count && LLVMABISizeOfType(layout, type) == WORD)
        add_place(&p, 0);
    if (!p.wrong && !p.count)
        p.wrong = "has no pointer, and is no word";
    return p;
}

/* 1 if the slot's place is where its only pointer is. */
static int is_one_pointer(LLVMValueRef slot) {
    return alloca_count(slot) == 1 && LLVMGetTypeKind(LLVMGetAllocatedType(slot)) == LLVMPointerTypeKind;
}

/* Marks the slot of MARK once more for each of its pointers but the first. Fails if a table cannot list them. */
static sm_status mark_again(struct compile *c, LLVMValueRef f, LLVMValueRef mark) {
    LLVMValueRef slot = slot_of_mark(mark);
    if (is_one_pointer(slot))
        return SM_OK;
    if (c->options->emit & SM_EMIT_ASM)
        return fail(
            c, SM_CODEGEN_FAILED, f,
            "emit=asm: assembly cannot list the pointers of the root %%%.200s, which is no single pointer; obj "
            "and disasm can",
            value_name(slot));
    struct places p = places_of(c, slot);
    LLVMBuilderRef b = builder_at(mark);
    for (size_t i = 1; !p.wrong && i < p.count; i++)
        LLVMInsertIntoBuilder(b, LLVMInstructionClone(mark));
    LLVMDisposeBuilder(b);
    free(p.offset);
    deviate(c, DEVIATION_SETTLES_ROOTS);
    return p.wrong ? fail(c, SM_INVALID_GCROOT, f,
                          "llvm.gcroot's alloca %%%.200s %s, and a table of strategy \"%s\" lists words: give each "
                          "pointer a word, or use strategy \"shadow-stack\"",
                          value_name(slot), p.wrong, LLVMGetGC(f))
                   : SM_OK;
}

sm_status slot_pointers_mark(struct compile *c) {
    sm_status s = SM_OK;
    for (LLVMValueRef f = LLVMGetFirstFunction(c->module); f; f = LLVMGetNextFunction(f)) {
        struct set marks = {0};
        if (has_word_table(f))
            collect_calls(f, is_gcroot, &marks);
        for (size_t i = 0; s == SM_OK && i < marks.count; i++)
            s = mark_again(c, f, marks.item[i]);
        set_free(&marks);
    }
    return s;
}

/* ---- In the object ---------------------------------------------------------------------------------------------- */

/* An entry of a function's table, and which one it is. */
struct entry {
    int32_t offset;
    size_t number;
};

/* The slots of one function and the entries of its table. */
struct table {
    struct compile *c;
    const sm_location *root; /* as the table has them: N of them */
    size_t n;
    struct set marks;     /* owned; in the order of the entries if that is known */
    int ordered;          /* boolean: it is */
    struct set slots;     /* owned */
    struct places *place; /* owned; of each slot */
    size_t *marked;       /* owned; how many marks each slot has */
    size_t *first;        /* owned; by a number of marks: the first slot that has as many; SLOTS.count if none has */
    char *differ;  /* owned; by a number of marks: 1 if slots that have as many have their pointers elsewhere */
    int32_t *move; /* owned; of each entry, bytes */
};

static int by_entry_offset(const void *a, const void *b) {
    const struct entry *x = a, *y = b;
    int order = (x->offset > y->offset) - (x->offset < y->offset);
    return order ? order : (x->number > y->number) - (x->number < y->number);
}

static int same_places(const struct places *p, const struct places *q) {
    return p->count == q->count && memcmp(p->offset, q->offset, p->count * sizeof *p->offset) == 0;
}

/* Lists the slots, and by how many marks they can be told apart. */
static void find_marked_slots(struct table *t) {
    for (size_t i = 0; i < t->marks.count; i++)
        set_add(&t->slots, slot_of_mark(t->marks.item[i]));
    size_t slots = t->slots.count;
    t->place = xcalloc(slots + 1, sizeof *t->place);
    t->marked = xcalloc(slots + 1, sizeof *t->marked);
    t->first = xcalloc(t->marks.count + 1, sizeof *t->first);
    t->differ = xcalloc(t->marks.count + 1, 1);
    for (size_t i = 0; i < t->marks.count; i++)
        t->marked[set_number(&t->slots, slot_of_mark(t->marks.item[i]))]++;
    for (size_t n = 0; n <= t->marks.count; n++)
        t->first[n] = slots;
    for (size_t i = 0; i < slots; i++) {
        size_t n = t->marked[i];
        t->place[i] = places_of(t->c, t->slots.item[i]);
        if (t->first[n] == slots)
            t->first[n] = i;
        else
            t->differ[n] |= !same_places(&t->place[t->first[n]], &t->place[i]);
    }
}

/* Sets how far the N entries at E, all that have one place, are moved. 0 if that is not known. */
static int set_moves(struct table *t, const struct entry *e, size_t n) {
    size_t slot = t->first[n];
    if (slot < t->slots.count && t->differ[n])
        slot = t->ordered ? set_number(&t->slots, slot_of_mark(t->marks.item[e->number])) : t->slots.count;
    if (slot >= t->slots.count || t->marked[slot] != n || t->place[slot].count != n)
        return 0;
    for (size_t i = 0; i < n; i++)
        t->move[e[i].number] = (int32_t)t->place[slot].offset[i];
    return 1;
}

/* Sets how far each entry is moved. 0 if that is not known. */
static int find_moves(struct table *t) {
    struct entry *e = xcalloc(t->n + 1, sizeof *e);
    int known = t->n == t->marks.count;
    for (size_t i = 0; i < t->n; i++)
        e[i] = (struct entry){t->root[i].offset, i};
    qsort(e, t->n, sizeof *e, by_entry_offset);
    for (size_t i = 0, n; known && i < t->n; i += n) {
        for (n = 1; i + n < t->n && e[i + n].offset == e[i].offset;)
            n++;
        known = set_moves(t, &e[i], n);
    }
    free(e);
    return known;
}

/* Writes the entries of one record, which stand at AT in the object; a unit is SCALE bytes, and an entry at most so many
 * units. 0 if one does not fit. */
static int write_entries(const struct table *t, unsigned char *at, int32_t scale, int32_t most) {
    for (size_t i = 0; i < t->n; i++) {
        int32_t value = (t->root[i].offset + t->move[i]) / scale;
        if (value > most)
            return 0;
        at[2 * i] = (unsigned char)value;
        at[2 * i + 1] = (unsigned char)(value >> 8);
    }
    return 1;
}

static void table_free(struct table *t) {
    for (size_t i = 0; i < t->slots.count; i++)
        free(t->place[i].offset);
    set_free(&t->marks);
    set_free(&t->slots);
    free(t->place);
    free(t->marked);
    free(t->first);
    free(t->differ);
    free(t->move);
}

/* Moves the entries of F's records, which are all alike. */
static sm_status write_function(struct compile *c, LLVMValueRef f, const sm_stackmap *m, const sm_function *of) {
    const sm_record *record = &m->record[of->record];
    struct table t = {.c = c, .root = &m->location[record->location], .n = record->locations};
    int32_t scale = strcmp(LLVMGetGC(f), "erlang") == 0 ? WORD : 1,
            most = sm_slot_is_unsigned(of->frame_size, scale) ? UINT16_MAX : INT16_MAX;
    collect_calls(f, is_gcroot, &t.marks);
    t.move = xcalloc(t.n + 1, sizeof *t.move);
    t.ordered = t.n == t.marks.count && roots_in_order(c, f, t.root, &t.marks);
    find_marked_slots(&t);
    int known = find_moves(&t), fits = 1;
    for (uint32_t i = 0; known && fits && i < of->records; i++)
        if (i == 0 || record[i].at != record[i - 1].at)
            fits = write_entries(&t, c->object.bytes + record[i].at, scale, most);
    table_free(&t);
    if (known && fits)
        return SM_OK;
    return fail(c, SM_CODEGEN_FAILED, f, "%s",
                fits ? "The table does not tell which of the function's roots is which: leave out optnone and stack "
                       "protectors, or give each pointer an alloca and a mark of its own"
                     : "A root is too far from where the frame's offsets count from");
}

/* 1 if a root of F is no single pointer. */
static int has_parts(LLVMValueRef f) {
    struct set marks = {0};
    int has = 0;
    if (has_word_table(f))
        collect_calls(f, is_gcroot, &marks);
    for (size_t i = 0; i < marks.count; i++)
        has |= !is_one_pointer(slot_of_mark(marks.item[i]));
    set_free(&marks);
    return has;
}

sm_status slot_pointers_write(struct compile *c) {
    sm_stackmap m = {0};
    sm_stackmap_error wrong = {0};
    int any = 0;
    for (LLVMValueRef f = LLVMGetFirstFunction(c->module); f && !any; f = LLVMGetNextFunction(f))
        any = has_parts(f);
    if (!any)
        return SM_OK;
    m.machine = c->object.elf.machine;
    sm_status s = xstatus(sm_gcmap_of_object(&m, &c->object.elf, &wrong));
    if (s != SM_OK)
        s = fail(c, SM_INTERNAL, NULL, "The emitted GC table cannot be read: %s", wrong.message);
    for (uint32_t i = 0; s == SM_OK && i < m.functions; i++) {
        const sm_function *of = &m.function[i];
        LLVMValueRef f = of->name ? LLVMGetNamedFunction(c->module, of->name) : NULL;
        if (f && of->records && m.record[of->record].kind == SM_RECORD_GCROOT && has_parts(f))
            s = write_function(c, f, &m, of);
    }
    sm_stackmap_free(&m);
    return s;
}
