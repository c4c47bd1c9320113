/* slot_layout.c - see slot_layout.h.
 *
 * A collector will look at every field of the slot's layout, at safepoints far from the instructions that fill them.
 * So each access is looked at, with all the offsets that its address may have: constant ones exactly, variable ones
 * within the array that they index, those that phis and selects join together. A reference is stored and loaded at
 * fields only, and what is no reference beside them; zeros are nulls, and copies of bytes are those of entire fields.
 */
#include "slot_layout.h"
#include "analysis.h"
#include "ir.h"
#include "reference_layout.h"
#include "slot_address.h"
#include "slots.h"

#include <llvm-c/Target.h>

enum { BYTES_MAX = 65536, WORK_MAX = 1 << 25, REFERENCE = 8, COMPRESSED = 4, ROUNDS_BEFORE_STRIDE = 8, WITHIN = 255 };

struct contents {
    struct compile *c;
    LLVMValueRef function;
    LLVMTargetDataRef data;
    struct slot *slot;
    struct layout *layout;
    int typed;              /* boolean: the layout is the type's */
    size_t bytes;           /* of the slot */
    unsigned char *field;   /* owned: of each byte, the address space where a field begins, WITHIN within one */
    unsigned char **offset; /* owned: of each address, of each byte: 1 if it may lead there; bytes + 1 each */
    unsigned char *rounds;  /* owned: how often an address has changed */
    uint64_t work;
    struct set sources; /* slots whose contents come into this one, and were looked at */
};

/* Fails with SM_CANNOT_REWRITE: the instruction AT does with the slot WHAT, which cannot be followed; INSTEAD is the
 * advice. Gives that status. */
static sm_status refuse_layout(struct contents *k, LLVMValueRef at, const char *what, const char *instead) {
    return fail(k->c, SM_CANNOT_REWRITE, k->function,
                "The stack slot '%.200s' holds references that a collector has to find, and '%.200s' %s: %s",
                value_text(k->slot->origin), value_text(at), what, instead);
}

/* ---- Offsets ------------------------------------------------------------------------------------------------- */

/* The table of V's possible offsets within the slot, one byte for each; NULL if V is no address within the slot. */
static unsigned char *offsets_of(const struct contents *k, LLVMValueRef v) {
    for (size_t i = 0; i < k->slot->address.count; i++)
        if (k->slot->address.item[i] == v)
            return k->offset[i];
    return NULL;
}

/* Where a getelementptr leads: one distance, and for each variable index how far apart its elements are, and how
 * many. */
struct steps {
    int64_t distance;
    struct {
        uint64_t stride, count; /* 0: as many as there is room for */
    } spread[8];
    unsigned spreads;
    int lost; /* boolean: anywhere */
};

/* Adds one getelementptr index, whose elements are STRIDE bytes apart, to S: a constant to the distance, a variable
 * as a spread of COUNT elements. Where no more spreads fit, S may lead anywhere. */
static void add_step(struct steps *s, LLVMValueRef index, uint64_t stride, uint64_t count) {
    if (LLVMIsAConstantInt(index))
        s->distance += LLVMConstIntGetSExtValue(index) * (int64_t)stride;
    else if (s->spreads == sizeof s->spread / sizeof *s->spread || stride == 0)
        s->lost |= stride != 0;
    else {
        s->spread[s->spreads].stride = stride;
        s->spread[s->spreads++].count = count;
    }
}

/* Splits a getelementptr into its constant distance and the strides of its variable indexes. */
static struct steps steps_of(const struct contents *k, LLVMValueRef gep) {
    struct steps s = {0};
    LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
    for (int i = 1; i < LLVMGetNumOperands(gep); i++) {
        LLVMValueRef index = LLVMGetOperand(gep, (unsigned)i);
        LLVMTypeKind kind = LLVMGetTypeKind(type);
        if (i == 1) {
            add_step(&s, index, LLVMABISizeOfType(k->data, type), 0);
        } else if (kind == LLVMStructTypeKind) {
            unsigned n = (unsigned)LLVMConstIntGetZExtValue(index);
            s.distance += (int64_t)LLVMOffsetOfElement(k->data, type, n);
            type = LLVMStructGetTypeAtIndex(type, n);
        } else {
            uint64_t count = kind == LLVMArrayTypeKind    ? LLVMGetArrayLength2(type)
                             : kind == LLVMVectorTypeKind ? LLVMGetVectorSize(type)
                                                          : 0;
            type = LLVMGetElementType(type);
            add_step(&s, index, LLVMABISizeOfType(k->data, type), count);
        }
    }
    return s;
}

/* Marks in TO that an address may have the offset AT; 1 if that is within the slot (its end included) and new. */
static int set_offset(const struct contents *k, unsigned char *to, int64_t at) {
    if (at < 0 || (uint64_t)at > k->bytes || to[at])
        return 0;
    to[at] = 1;
    return 1;
}

/* Marks in TO every offset FROM + sum of stride times element over the variable indexes I, I+1, ..., plus the
 * constant distance; 1 if one is new. What it does is counted in k->work, and ends at WORK_MAX. */
static int spread_out(struct contents *k, const struct steps *s, unsigned i, int64_t from, unsigned char *to) {
    int changed = 0;
    if (i == s->spreads)
        return set_offset(k, to, from + s->distance);
    int64_t stride = (int64_t)s->spread[i].stride, n = (int64_t)s->spread[i].count, first = 0;
    if (n == 0) {
        first = -((int64_t)k->bytes / stride);
        n = (int64_t)k->bytes / stride + 1;
    }
    for (int64_t e = first; e < n && k->work < WORK_MAX; e++) {
        k->work++;
        if (stride * e <= 2 * (int64_t)k->bytes)
            changed |= spread_out(k, s, i + 1, from + stride * e, to);
    }
    return changed;
}

/* Marks in TO every offset that the getelementptr may lead to, from those of its base; 1 if one is new. */
static int follow_gep(struct contents *k, LLVMValueRef gep, unsigned char *to) {
    const unsigned char *from = offsets_of(k, LLVMGetOperand(gep, 0));
    struct steps s = steps_of(k, gep);
    int changed = 0;
    for (size_t i = 0; from && i <= k->bytes; i++) {
        if (s.lost)
            changed |= set_offset(k, to, (int64_t)i);
        else if (from[i])
            changed |= spread_out(k, &s, 0, (int64_t)i, to);
    }
    k->work += k->bytes / 8;
    return changed;
}

/* Marks in TO all offsets that the value FROM may have, with the bits of MASK alone; 1 if one is new. */
static int mask_layout(struct contents *k, LLVMValueRef from, uint64_t mask, unsigned char *to) {
    const unsigned char *offsets = offsets_of(k, from);
    int changed = 0;
    for (size_t i = 0; offsets && i <= k->bytes; i++)
        if (offsets[i])
            changed |= set_offset(k, to, (int64_t)(i & mask));
    k->work += k->bytes / 8;
    return changed;
}

static size_t common_divisor(size_t a, size_t b) {
    while (b) {
        size_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* Widens a set that keeps growing, as that of a pointer stepped in a loop does: marks all offsets that lie a multiple
 * of the common distance of those in TO apart, so that the fixpoint is reached soon. */
static void fill_stride(struct contents *k, unsigned char *to) {
    size_t first = SIZE_MAX, stride = 0;
    for (size_t i = 0; i <= k->bytes; i++)
        if (to[i] && first == SIZE_MAX)
            first = i;
        else if (to[i])
            stride = common_divisor(i - first, stride);
    for (size_t i = stride ? first % stride : k->bytes + 1; i <= k->bytes; i += stride)
        to[i] = 1;
}

/* Computes the offsets of address N from those of its operands (address 0 is the slot's own: offset 0); 1 if one is
 * new. A set that has changed ROUNDS_BEFORE_STRIDE times is widened. */
static int follow_layout(struct contents *k, size_t n) {
    LLVMValueRef v = k->slot->address.item[n];
    unsigned char *to = k->offset[n];
    uint64_t mask;
    int changed = 0;
    if (n == 0)
        return set_offset(k, to, 0);
    if (slot_masked(k->slot, v, &mask))
        changed = mask_layout(k, LLVMGetOperand(v, 0), mask, to);
    else if (LLVMIsAGetElementPtrInst(v))
        changed = follow_gep(k, v, to);
    else if (LLVMIsAPHINode(v))
        for (unsigned i = 0; i < LLVMCountIncoming(v); i++)
            changed |= mask_layout(k, LLVMGetIncomingValue(v, i), ~(uint64_t)0, to);
    else
        for (int i = 0; i < LLVMGetNumOperands(v); i++)
            changed |= mask_layout(k, LLVMGetOperand(v, (unsigned)i), ~(uint64_t)0, to);
    if (changed && ++k->rounds[n] == ROUNDS_BEFORE_STRIDE) {
        k->rounds[n] = 0;
        fill_stride(k, to);
    }
    return changed;
}

/* Allocates the tables and computes, as a fixpoint, which offsets each address within the slot may have. Refuses
 * slots for which that would take too much work. */
static sm_status find_offsets(struct contents *k) {
    size_t n = k->slot->address.count;
    k->offset = xcalloc(n, sizeof *k->offset);
    k->rounds = xcalloc(n, 1);
    k->field = xcalloc(k->bytes + 1, 1);
    if (n * k->bytes > WORK_MAX)
        return refuse_layout(k, k->slot->origin, "is too large for so many uses of its address",
                             "keep them in an object");
    for (size_t i = 0; i < n; i++)
        k->offset[i] = xcalloc(k->bytes + 1, 1);
    for (int changed = 1; changed && k->work < WORK_MAX;) {
        changed = 0;
        for (size_t i = 0; i < n; i++)
            changed |= follow_layout(k, i);
    }
    return k->work < WORK_MAX
               ? SM_OK
               : refuse_layout(k, k->slot->origin, "is indexed in too many ways", "keep them in an object");
}

/* ---- Fields -------------------------------------------------------------------------------------------------- */

/* The bytes of a reference of address space SPACE. */
static size_t width_of(unsigned space) {
    return space == 1 ? REFERENCE : COMPRESSED;
}

/* Notes a reference field of address space SPACE at offset AT; 0 if it overlaps another field. One that would not fit
 * the slot is ignored. */
static int add_field_layout(struct contents *k, size_t at, unsigned space) {
    size_t width = width_of(space);
    if (at + width > k->bytes)
        return 1; /* outside: nobody gets there */
    if (k->field[at] == space)
        return 1;
    for (size_t i = 0; i < width; i++)
        if (k->field[at + i])
            return 0;
    k->field[at] = (unsigned char)space;
    memset(k->field + at + 1, WITHIN, width - 1);
    return 1;
}

/* Notes as fields all references that the layout L lists. */
static void add_layout(struct contents *k, const struct layout *l) {
    for (size_t i = 0; i < l->runs; i++)
        for (uint32_t e = 0; e < l->run[i].count; e++)
            add_field_layout(k, l->run[i].offset + (size_t)e * l->run[i].stride, l->run[i].space);
}

/* 1 if any of the BYTES from FROM on are those of a reference field. */
static int touches_field(const struct contents *k, size_t from, size_t bytes) {
    for (size_t i = from; i < from + bytes && i < k->bytes; i++)
        if (k->field[i])
            return 1;
    return 0;
}

/* 1 if the range of BYTES from FROM on neither begins nor ends within a reference field. */
static int has_entire_fields(const struct contents *k, size_t from, size_t bytes) {
    size_t end = from + bytes;
    return from <= k->bytes && k->field[from] != WITHIN && (end >= k->bytes || k->field[end] != WITHIN);
}

/* ---- Accesses ------------------------------------------------------------------------------------------------ */

/* 1 if a value of BYTES with the references of L may be loaded from or stored to OFFSET: each of its references meets
 * a field of the same space, and there are no other fields in its range. */
static int fits_layout(const struct contents *k, const struct layout *l, size_t bytes, size_t offset) {
    size_t references = 0, fields = 0;
    for (size_t i = 0; i < l->runs; i++)
        for (uint32_t e = 0; e < l->run[i].count; e++, references++) {
            size_t at = offset + l->run[i].offset + (size_t)e * l->run[i].stride;
            if (at < k->bytes && k->field[at] != l->run[i].space)
                return 0;
        }
    for (size_t i = offset; i < offset + bytes && i < k->bytes; i++)
        fields += k->field[i] && k->field[i] != WITHIN;
    return has_entire_fields(k, offset, bytes) && fields <= references;
}

/* 1 if I gives all that was in memory, and what it may write there is an operand of it: a load, an exchange. */
static int reads_as_it_is(LLVMValueRef i) {
    return LLVMIsALoadInst(i) || LLVMIsAAtomicCmpXchgInst(i) ||
           (LLVMIsAAtomicRMWInst(i) && LLVMGetAtomicRMWBinOp(i) == LLVMAtomicRMWBinOpXchg);
}

/* The instruction that read V from memory, as it is; NULL if none did. */
static LLVMValueRef read_of(LLVMValueRef v) {
    LLVMValueRef pair = LLVMIsAExtractValueInst(v) ? LLVMGetOperand(v, 0) : NULL;
    if (pair)
        return LLVMIsAAtomicCmpXchgInst(pair) && LLVMGetIndices(v)[0] == 0 ? pair : NULL;
    return reads_as_it_is(v) && !LLVMIsAAtomicCmpXchgInst(v) ? v : NULL;
}

/* 1 if USER stores V, exchanges what is in memory for it, or makes a reference of it. */
static int passes_on(LLVMValueRef user, LLVMValueRef v) {
    if (LLVMIsAStoreInst(user))
        return LLVMGetOperand(user, 0) == v;
    return (LLVMIsAIntToPtrInst(user) && is_reference(user)) ||
           (reads_as_it_is(user) && LLVMGetOperand(user, 0) != v);
}

/* 1 if a use of V, of which IS_FINE (NULL: any is) says 1, lies behind a safepoint, or IS_FINE says 0 of one. */
static int is_kept_or_used(struct contents *k, LLVMValueRef v, int (*is_fine)(LLVMValueRef user, LLVMValueRef v)) {
    int result = 0;
    for (LLVMUseRef u = LLVMGetFirstUse(v); !result && u; u = LLVMGetNextUse(u))
        result = (is_fine && !is_fine(LLVMGetUser(u), v)) || crosses(k->c, v, LLVMGetUser(u));
    return result;
}

/* 1 if V was read from memory, and each use passes it on, with no safepoint between: a copy of bytes, whatever its
 * type. */
static int is_copied(struct contents *k, LLVMValueRef v) {
    LLVMValueRef read = read_of(v);
    return read && (read == v || !crosses(k->c, read, v)) && !is_kept_or_used(k, v, passes_on);
}

/* 1 if the exchange I reads a reference as an integer, which is used behind a safepoint. */
static int keeps_old_contents(struct contents *k, LLVMValueRef i) {
    int result = 0;
    if (!LLVMIsAAtomicCmpXchgInst(i))
        return is_kept_or_used(k, i, NULL);
    for (LLVMUseRef u = LLVMGetFirstUse(i); !result && u; u = LLVMGetNextUse(u))
        result = read_of(LLVMGetUser(u))
                     ? crosses(k->c, i, LLVMGetUser(u)) || is_kept_or_used(k, LLVMGetUser(u), NULL)
                     : !LLVMIsAExtractValueInst(LLVMGetUser(u)); /* of whether it was exchanged */
    return result;
}

/* 1 if I writes entire references by the bytes of STORED: null, a copy, or a reference cast to an integer right before, as
 * LLVM writes atomic exchanges of references. An atomic addition writes other bytes. */
static int is_reference_stored(struct contents *k, LLVMValueRef i, LLVMValueRef stored) {
    int is_atomic = LLVMIsAAtomicRMWInst(i) || LLVMIsAAtomicCmpXchgInst(i);
    int is_cast = LLVMIsAPtrToIntInst(stored) && holds_reference(LLVMTypeOf(LLVMGetOperand(stored, 0)));
    if (is_atomic && keeps_old_contents(k, i))
        return 0;
    return is_null(stored) ||
           ((!is_atomic || reads_as_it_is(i)) && (is_cast ? !crosses(k->c, stored, i) : is_copied(k, stored)));
}

/* Checks a load or store I of TYPE (STORED is what is stored, NULL for a load) at each of OFFSETS: references only at
 * fields and other values only beside them; null, copies and references cast to integers need only entire fields. */
static sm_status check_typed(struct contents *k, const unsigned char *offsets, LLVMValueRef i, LLVMTypeRef type,
                             LLVMValueRef stored) {
    struct layout l = {0};
    size_t bytes = LLVMStoreSizeOfType(k->data, type);
    sm_status s = SM_OK;
    layout_add_type(k->c, &l, type, 0);
    int bytewise = !holds_root(k->data, type) && (stored ? is_reference_stored(k, i, stored) : is_copied(k, i));
    for (size_t at = 0; s == SM_OK && at < k->bytes; at++) {
        if (!offsets[at] || at + bytes > k->bytes)
            continue;
        if (l.too_complex || (!bytewise && !fits_layout(k, &l, bytes, at)) ||
            (bytewise && !has_entire_fields(k, at, bytes)))
            s = refuse_layout(k, i,
                              l.runs ? "accesses a reference where there may be something else"
                                     : "accesses something else where there may be a reference",
                              "give references and other values slots of their own");
    }
    layout_free(&l);
    return s;
}

/* Adds to PARTS the values with references that are stored to the stack slots that ADDRESS leads into, unless these
 * were looked at before: the first derived pointer that is found ends the check of the whole slot. */
static void add_contents(struct contents *k, struct set *parts, LLVMValueRef address) {
    struct set memory = {0}, stores = {0};
    flow_memory(&memory, address);
    for (size_t n = 0; n < memory.count; n++)
        if (LLVMIsAAllocaInst(memory.item[n]) && !set_has(&k->sources, memory.item[n])) {
            set_add(&k->sources, memory.item[n]);
            flow_stored(memory.item[n], &stores);
        }
    for (size_t n = 0; n < stores.count; n++) {
        LLVMValueRef v = flow_access(stores.item[n]).value;
        if (v && holds_root(k->data, LLVMTypeOf(v)))
            set_add(parts, v);
    }
    set_free(&memory);
    set_free(&stores);
}

/* 1 if one of PARTS, which hold references, may hold a derived pointer. Frees the set. */
static int may_hold_derived(struct contents *k, struct set *parts) {
    int derived = 0;
    for (size_t n = 0; n < parts->count && !derived; n++) {
        LLVMValueRef part = parts->item[n];
        LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(part));
        if (kind == LLVMPointerTypeKind || kind == LLVMVectorTypeKind)
            derived = is_derived(part) || is_opaque_derived(part);
        for (int o = 0; kind != LLVMPointerTypeKind && LLVMIsAInsertValueInst(part) && o < 2; o++)
            if (holds_reference(LLVMTypeOf(LLVMGetOperand(part, (unsigned)o))))
                set_add(parts, LLVMGetOperand(part, (unsigned)o));
        if (LLVMIsALoadInst(part))
            add_contents(k, parts, LLVMGetOperand(part, 0));
    }
    set_free(parts);
    return derived;
}

static sm_status refuse_derived(struct contents *k, LLVMValueRef i, const char *what) {
    return refuse_layout(k, i, what, "store the object's address, and the distance beside it");
}

/* Refuses a store I of a derived pointer V: a reference in a slot is reported as its own base. An undef is replaced
 * by null, so that the collector finds no garbage. */
static sm_status check_stored_layout(struct contents *k, LLVMValueRef i, LLVMValueRef v) {
    if (!holds_root(k->data, LLVMTypeOf(v)))
        return SM_OK;
    if (LLVMIsUndef(v)) { /* poison is one as well */
        LLVMSetOperand(i, 0, LLVMConstNull(LLVMTypeOf(v)));
        return SM_OK;
    }
    struct set parts = {0};
    set_add(&parts, v);
    return may_hold_derived(k, &parts) ? refuse_derived(k, i, "stores a pointer that is derived from another one")
                                       : SM_OK;
}

/* Refuses a copy I into the slot from memory that a derived pointer is stored to, likewise. */
static sm_status check_copied_in(struct contents *k, LLVMValueRef i) {
    struct set parts = {0};
    add_contents(k, &parts, flow_access(i).from);
    return may_hold_derived(k, &parts) ? refuse_derived(k, i, "copies a pointer that is derived from another one")
                                       : SM_OK;
}

/* Checks an access I to BYTES bytes (SIZE_MAX: unknown) at each of OFFSETS: it must cut no field and, with
 * ONLY_BESIDE, touch none. */
static sm_status check_bytes(struct contents *k, const unsigned char *offsets, LLVMValueRef i, size_t bytes,
                             int only_beside) {
    sm_status s = SM_OK;
    for (size_t at = 0; s == SM_OK && at < k->bytes; at++) {
        size_t n = bytes > k->bytes - at ? k->bytes - at : bytes;
        if (offsets[at] && only_beside && touches_field(k, at, n))
            s = refuse_layout(k, i, "writes bytes over references", "store null");
        else if (offsets[at] && !has_entire_fields(k, at, n))
            s = refuse_layout(k, i, "copies part of a reference", "copy whole ones");
    }
    return s;
}

/* The type of the stack slot that V is an address within, by getelementptr and bitcasts only; NULL if it is of no
 * slot. */
static LLVMTypeRef layout_type_after(LLVMValueRef v) {
    v = stepped_from(v, FLOW_STEP | FLOW_CAST);
    return LLVMIsAAllocaInst(v) ? LLVMGetAllocatedType(v) : NULL;
}

/* Checks the intrinsic I, which accesses the slot through AT: memset, memory copies, masked loads and stores by what
 * they write; refuses other masked and vector-predicated accesses. */
static sm_status check_intrinsic_layout(struct contents *k, const unsigned char *offsets, LLVMValueRef i,
                                        LLVMValueRef at) {
    const char *name = called_function(i);
    LLVMValueRef length = LLVMGetNumArgOperands(i) > 2 ? LLVMGetOperand(i, 2) : NULL;
    size_t bytes = length && LLVMIsAConstantInt(length) ? LLVMConstIntGetZExtValue(length) : SIZE_MAX;
    if (starts_with(name, "llvm.memset."))
        return check_bytes(k, offsets, i, bytes, !is_null(LLVMGetOperand(i, 1)));
    if (is_memory_copy(i)) {
        sm_status s = LLVMGetOperand(i, 0) == at ? check_copied_in(k, i) : SM_OK;
        LLVMTypeRef from = LLVMGetOperand(i, 0) == at ? layout_type_after(LLVMGetOperand(i, 1)) : NULL;
        int beside = from && !holds_root(k->data, from) && holds_root(k->data, k->slot->type) &&
                     LLVMGetTypeKind(from) != LLVMArrayTypeKind;
        return s == SM_OK ? check_bytes(k, offsets, i, bytes, beside) : s;
    }
    if (starts_with(name, "llvm.masked.store.")) {
        sm_status s = check_stored_layout(k, i, LLVMGetOperand(i, 0));
        return s == SM_OK ? check_typed(k, offsets, i, LLVMTypeOf(LLVMGetOperand(i, 0)), LLVMGetOperand(i, 0)) : s;
    }
    if (starts_with(name, "llvm.masked.load."))
        return check_typed(k, offsets, i, LLVMTypeOf(i), NULL);
    if (starts_with(name, "llvm.masked.") || starts_with(name, "llvm.vp.") ||
        starts_with(name, "llvm.experimental.vp."))
        return refuse_layout(k, i, "accesses it in a way that is not followed", "load and store them one by one");
    return SM_OK;
}

/* Refuses an I by which the address of an untyped slot escapes: other code may store references that the inferred
 * layout would lack. A typed slot may escape: its type says where references are. */
static sm_status check_escape(struct contents *k, LLVMValueRef i) {
    int effects = slot_effects(k->c, k->slot, i);
    if (!k->typed && effects & SLOT_ESCAPES)
        return refuse_layout(k, i, "gives its address to others, who may store more of them",
                             "give the alloca the type of what is in it");
    return SM_OK;
}

/* Checks one use I of the address AT, by what kind of access it is: load, store, atomic, intrinsic, or an escape. */
static sm_status check_access(struct contents *k, LLVMValueRef at, const unsigned char *offsets, LLVMValueRef i) {
    LLVMValueRef stored;
    sm_status s;
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMLoad:
        return check_typed(k, offsets, i, LLVMTypeOf(i), NULL);
    case LLVMStore:
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
        if (LLVMIsAStoreInst(i) && LLVMGetOperand(i, 1) != at)
            return check_escape(k, i);
        stored = flow_access(i).value;
        s = check_stored_layout(k, i, stored);
        return s == SM_OK ? check_typed(k, offsets, i, LLVMTypeOf(stored), stored) : s;
    case LLVMCall:
        return intrinsic_name(i) ? check_intrinsic_layout(k, offsets, i, at) : check_escape(k, i);
    default:
        return check_escape(k, i);
    }
}

/* Notes as fields the references of a value of TYPE that is accessed at each of OFFSETS; sets *CLASH if one overlaps
 * another field. */
static void infer_at(struct contents *k, const unsigned char *offsets, LLVMTypeRef type, int *clash) {
    struct layout l = {0};
    layout_add_type(k->c, &l, type, 0);
    for (size_t at = 0; at < k->bytes && holds_root(k->data, type); at++)
        for (size_t r = 0; offsets[at] && r < l.runs; r++)
            for (uint32_t e = 0; e < l.run[r].count; e++)
                *clash |= !add_field_layout(k, at + l.run[r].offset + (size_t)e * l.run[r].stride, l.run[r].space);
    layout_free(&l);
}

/* Infers the fields of an untyped slot from the typed loads and stores through address N. Refuses accesses of
 * references that overlap. */
static sm_status infer(struct contents *k, size_t n) {
    for (LLVMUseRef u = LLVMGetFirstUse(k->slot->address.item[n]); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef i = LLVMGetUser(u);
        int clash = 0;
        if (LLVMIsALoadInst(i) || is_intrinsic(i, "llvm.masked.load."))
            infer_at(k, k->offset[n], LLVMTypeOf(i), &clash);
        else if ((LLVMIsAStoreInst(i) && LLVMGetOperand(i, 1) == k->slot->address.item[n]) ||
                 is_intrinsic(i, "llvm.masked.store.") || LLVMIsAAtomicRMWInst(i) || LLVMIsAAtomicCmpXchgInst(i))
            infer_at(k, k->offset[n], LLVMTypeOf(flow_access(i).value), &clash);
        if (clash)
            return refuse_layout(k, i, "accesses a reference across another one",
                                 "give the alloca the type of what is in it");
    }
    return SM_OK;
}

/* Writes the inferred fields to the layout as runs: equal distances and one address space join fields to one run. */
static void runs_from_fields(struct contents *k) {
    for (size_t i = 0; i < k->bytes; i++) {
        struct layout *l = k->layout;
        if (!k->field[i] || k->field[i] == WITHIN)
            continue;
        unsigned space = k->field[i];
        sm_reference_run *last = l->runs ? &l->run[l->runs - 1] : NULL;
        uint32_t step = last ? (uint32_t)i - last->offset - (last->count - 1) * last->stride : 0;
        if (last && last->space == space && (last->count == 1 || step == last->stride)) {
            last->stride = step;
            last->count++;
        } else {
            layout_add(
                l, (sm_reference_run){(uint32_t)i, 1, (uint32_t)width_of(space), space, (uint8_t)width_of(space)});
        }
    }
}

/* Finds the slot's reference fields: of its type where that has references, else inferred from all accesses. Refuses
 * untyped slots whose references may come or go by unknown paths. */
static sm_status find_fields(struct contents *k) {
    sm_status s = SM_OK;
    if (k->typed) {
        add_layout(k, k->layout);
        return SM_OK;
    }
    if (k->slot->handed_on)
        return refuse_layout(k, k->slot->handed_on, "moves some by way of its address, to places that are not known",
                             "give the alloca the type of what is in it");
    for (size_t n = 0; s == SM_OK && n < k->slot->address.count; n++)
        s = infer(k, n);
    if (s == SM_OK && k->slot->copied_in && k->slot->copied_out)
        s = refuse_layout(k, k->slot->origin, "takes bytes of references as well",
                          "give the alloca the type of what is in it");
    if (s == SM_OK)
        runs_from_fields(k);
    return s;
}

/* Finds the fields and checks every use of each of the slot's addresses against them. */
static sm_status check_all(struct contents *k) {
    sm_status s = find_fields(k);
    for (size_t n = 0; s == SM_OK && n < k->slot->address.count; n++)
        for (LLVMUseRef u = LLVMGetFirstUse(k->slot->address.item[n]), next; s == SM_OK && u; u = next) {
            next = LLVMGetNextUse(u);
            if (LLVMIsAInstruction(LLVMGetUser(u)) && !set_has(&k->slot->address, LLVMGetUser(u)))
                s = check_access(k, k->slot->address.item[n], k->offset[n], LLVMGetUser(u));
        }
    return s;
}

/* Checks that all accesses of the slot in F keep references and other values apart, and gives in LAYOUT where its
 * references are. Refuses what cannot be followed. */
sm_status contents_check(struct compile *c, LLVMValueRef f, struct slot *slot, struct layout *layout) {
    struct contents k = {.c = c, .function = f, .slot = slot, .layout = layout};
    LLVMValueRef count = LLVMIsAAllocaInst(slot->origin) ? LLVMGetOperand(slot->origin, 0) : NULL;
    uint64_t n = count ? LLVMConstIntGetZExtValue(count) : 1;
    k.data = LLVMGetModuleDataLayout(c->module);
    uint64_t each = LLVMABISizeOfType(k.data, slot->type);
    k.typed = holds_root(k.data, slot->type);
    if (each > BYTES_MAX || n > BYTES_MAX || each * n > BYTES_MAX)
        return refuse_layout(&k, slot->origin, "has more than 64 KiB", "keep them in an object");
    k.bytes = each * n;
    if (k.typed)
        layout_add_type(c, layout, LLVMArrayType2(slot->type, n), 0);
    sm_status s = find_offsets(&k);
    if (s == SM_OK)
        s = check_all(&k);
    if (s == SM_OK && layout->too_complex)
        s = refuse_layout(&k, slot->origin, "has them in too much disorder for a record", "keep them in an object");
    for (size_t i = 0; k.offset && i < slot->address.count; i++)
        free(k.offset[i]);
    free(k.offset);
    free(k.rounds);
    free(k.field);
    set_free(&k.sources);
    return s;
}
