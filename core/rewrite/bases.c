/* bases.c - GC pointers whose base LLVM's rewrite does not find, alive across a safepoint or given to one.
 *
 * LLVM says of them in assertions that it cannot (RewriteStatepointsForGC.cpp, findBaseDefiningValue). Without
 * assertions, a pointer of another address space that was cast to a GC pointer gets a base that is in no list, or, if
 * it is a stack slot's address or the result of an atomicrmw, makes it crash; values that it does not look through
 * become bases too (see_through.c). So these are looked for before the rewrite, and refused by name.
 *
 * A stack slot's address that was cast to a GC pointer is that of an object which does not move: no record lists it,
 * and what is loaded and stored by way of it after a safepoint gets the cast anew, as the slot is where it was. Where
 * a record would list it, the collector would take the slot for one of its objects: where it is joined with
 * references and alive across a safepoint, given to a call that is one, returned or stored. That is refused.
 *
 * A reference that is stepped from null by a computed number may be any address, and has null for its base: LLVM's rewrite
 * takes it for a constant and lists it nowhere. Alive across a safepoint it is refused. One that is stepped inbounds is
 * where null is, and that is no object: the optimiser derives it so where a pointer was tested, and is null.
 *
 * What the module names itself, as the base of a derived pointer or the object of a slot, is refused if it can be shown
 * to be another object.
 */
#include "analysis.h"
#include "deviations.h"
#include "ir.h"
#include "marks.h"
#include "steps.h"

static const char of_slot[] = "is the address of a stack slot, cast into a GC pointer",
                  only_accesses[] = "; load and store by way of it, give it to leaf functions alone, and keep what "
                                    "others are to know in an object of the heap",
                  of_null[] = "is stepped from null by a computed number",
                  from_slot[] = "is read from a stack slot that derived pointers are stored to",
                  only_inttoptr[] = "; make the number a reference by inttoptr";

/* What the reference V is cast from by addrspacecast, if that is an instruction or parameter and no reference; NULL
 * otherwise. */
static LLVMValueRef cast_from(LLVMValueRef v) {
    enum { STEPS = 100 }; /* in a block that is never reached a value may be its own operand */
    if (!LLVMIsAAddrSpaceCastInst(v) || !is_reference(v))
        return NULL;
    for (int i = 0; LLVMIsAAddrSpaceCastInst(v) || LLVMIsABitCastInst(v) || LLVMIsAGetElementPtrInst(v); i++) {
        v = LLVMGetOperand(v, 0);
        if (is_reference(v) || i == STEPS)
            return NULL;
    }
    return LLVMIsAInstruction(v) || LLVMIsAArgument(v) ? v : NULL;
}

/* 1 if I steps from null, or casts it. */
static int is_null_step(LLVMValueRef i) {
    return flow_at(i, 0) & FLOW_STEPS && LLVMIsNull(LLVMGetOperand(i, 0));
}

/* 1 if V is stepped from null, of any address space and not inbounds, by a number that is no constant. */
static int is_from_null(LLVMValueRef v) {
    enum { STEPS = 100 };
    int is_computed = 0;
    for (int i = 0;
         i < STEPS && (LLVMIsAAddrSpaceCastInst(v) || LLVMIsABitCastInst(v) || LLVMIsAGetElementPtrInst(v)); i++) {
        int bounded = LLVMIsAGetElementPtrInst(v) && LLVMIsInBounds(v);
        for (int k = 1; !bounded && k < LLVMGetNumOperands(v); k++)
            is_computed |= !LLVMIsAConstant(LLVMGetOperand(v, (unsigned)k));
        v = LLVMGetOperand(v, 0);
    }
    return is_computed && LLVMIsNull(v);
}

/* 1 if the pointer FROM, no reference, is that of a slot in F's frame: an alloca, or a byval parameter. */
static int is_on_stack(LLVMValueRef f, LLVMValueRef from) {
    return LLVMIsAAllocaInst(from) || is_parameter_with(f, from, "byval");
}

/* Adds to ALL the instructions that derive a pointer from V: LLVM's rewrite finds its base from that of V. */
static void add_derived(struct set *all, LLVMValueRef v) {
    for (LLVMUseRef use = LLVMGetFirstUse(v); use; use = LLVMGetNextUse(use))
        if (flow_of(LLVMGetUser(use), v) & (FLOW_ADDRESS | FLOW_VECTOR))
            set_add(all, LLVMGetUser(use));
}

/* The safepoint that V is given to; NULL if there is none. The rewrite looks for the bases of what it is given, too. */
static LLVMValueRef given_to(const struct compile *c, LLVMValueRef v) {
    for (LLVMUseRef use = LLVMGetFirstUse(v); use; use = LLVMGetNextUse(use))
        if (is_call(LLVMGetUser(use)) && is_safepoint(c, LLVMGetUser(use)))
            return LLVMGetUser(use);
    return NULL;
}

/* Refuses V if it, or what is derived from it, is alive across a safepoint or (but for a step from null and a
 * load, which LLVM's rewrite follows) given to one. PROBLEM says what is wrong with it, and follows its name. */
static sm_status check_pointer(struct compile *c, LLVMValueRef f, LLVMValueRef v, const char *problem) {
    struct set all = {0};
    LLVMValueRef call = NULL, taker = NULL;
    set_add(&all, v);
    for (size_t i = 0; !call && i < all.count; i++) {
        call = live_across(c, all.item[i]);
        if (!taker && problem != of_null && problem != from_slot)
            taker = given_to(c, all.item[i]);
        add_derived(&all, all.item[i]);
    }
    set_free(&all);
    if (!call && !taker)
        return SM_OK;
    const char *name = value_name(v);
    return fail(c, SM_CANNOT_REWRITE, f, "%s%s %s, and %s the call of %.200s: its base cannot be found%s",
                name[0] ? "%" : "A pointer", name, problem, call ? "stays alive across" : "is given to",
                safepoint_name(call ? call : taker),
                problem == of_slot   ? only_accesses
                : problem == of_null ? only_inttoptr
                                     : "");
}

/* ---- Stack slots that are used as objects -------------------------------------------------------------------- */

/* Adds to ALL what is stepped from V, a cast of a slot's address, by getelementptr and bitcast. */
static void find_steps(struct set *all, LLVMValueRef v) {
    set_add(all, v);
    for (size_t i = 0; i < all->count; i++)
        for (LLVMUseRef use = LLVMGetFirstUse(all->item[i]); use; use = LLVMGetNextUse(use)) {
            LLVMValueRef user = LLVMGetUser(use);
            if ((LLVMIsAGetElementPtrInst(user) || LLVMIsABitCastInst(user)) &&
                LLVMGetOperand(user, 0) == all->item[i])
                set_add(all, user);
        }
}

/* 1 if USER stores V itself, or returns it: then it is where the collector, or another frame, finds it. */
static int hands_on(LLVMValueRef user, LLVMValueRef v) {
    return LLVMIsAReturnInst(user) || (!is_call(user) && flow_access(user).value == v);
}

/* 1 if USER only accesses what V points to, or compares V. */
static int only_accesses_it(const struct compile *c, LLVMValueRef user) {
    return LLVMIsALoadInst(user) || LLVMIsAStoreInst(user) || LLVMIsAAtomicRMWInst(user) ||
           LLVMIsAAtomicCmpXchgInst(user) || LLVMIsAICmpInst(user) ||
           (LLVMIsACallInst(user) && !is_safepoint(c, user));
}

/* Builds before USER again what leads from the cast FIRST to V, and lets USER use that. */
static void step_again_base(struct compile *c, LLVMValueRef first, LLVMValueRef v, LLVMValueRef user) {
    LLVMBuilderRef b = LLVMCreateBuilderInContext(c->context);
    LLVMValueRef before = user, use = v;
    for (LLVMValueRef at = v;; at = LLVMGetOperand(at, 0)) {
        LLVMValueRef created = LLVMInstructionClone(at);
        LLVMPositionBuilderBefore(b, before);
        LLVMInsertIntoBuilder(b, created);
        for (int i = 0; i < LLVMGetNumOperands(before); i++)
            if (LLVMGetOperand(before, (unsigned)i) == use)
                LLVMSetOperand(before, (unsigned)i, created);
        before = created;
        if (at == first)
            break;
        use = LLVMGetOperand(at, 0);
    }
    LLVMDisposeBuilder(b);
    deviate(c, DEVIATION_CASTS_AGAIN);
}

/* Lets users of V behind a safepoint step again from the cast FIRST. Refuses V where it is stored or returned. */
static sm_status repair_step(struct compile *c, LLVMValueRef f, LLVMValueRef first, LLVMValueRef v) {
    struct set users = {0};
    sm_status s = SM_OK;
    add_users(v, NULL, &users);
    for (size_t i = 0; s == SM_OK && i < users.count; i++) {
        LLVMValueRef user = users.item[i], safepoint = NULL;
        if (hands_on(user, v)) {
            s = fail(c, SM_CANNOT_REWRITE, f, "%s%s %s, and '%.200s' hands it on%s",
                     value_name(first)[0] ? "%" : "A pointer", value_name(first), of_slot, value_text(user),
                     only_accesses);
        } else if (only_accesses_it(c, user)) {
            safepoint = crosses(c, v, user);
        }
        if (s == SM_OK && safepoint)
            step_again_base(c, first, v, user);
    }
    set_free(&users);
    return s;
}

/* Lets accesses behind safepoints by way of V, if it is the address of a stack slot, cast it again. */
static sm_status repair_slot(struct compile *c, LLVMValueRef f, LLVMValueRef v) {
    LLVMValueRef from = cast_from(v);
    struct set all = {0};
    if (!from || !is_on_stack(f, from))
        return SM_OK;
    sm_status s = SM_OK;
    find_steps(&all, v);
    for (size_t i = 0; s == SM_OK && i < all.count; i++)
        s = repair_step(c, f, v, all.item[i]);
    set_free(&all);
    return s;
}

/* Lets what accesses a stack slot as an object cast the slot's address again after safepoints. Requires polls placed
 * and regions known, before the rewrite. */
sm_status bases_repair(struct compile *c) {
    assert(c->form == FORM_POLLED);
    return check_values(c, repair_slot);
}

/* ---- What is left -------------------------------------------------------------------------------------------- */

/* What is known of F's values. */
struct bases {
    struct derivations derivations; /* owned */
    int null_steps;                 /* boolean: F has some */
};

/* Refuses V, if it is a reference whose base the rewrite does not find, as check_pointer does. */
static sm_status check_base(struct compile *c, struct bases *known, LLVMValueRef f, LLVMValueRef v) {
    if (is_opaque_derived_among(&known->derivations, v))
        return check_pointer(c, f, v,
                             "may be a derived pointer, by way of what LLVM's rewrite does not look through");
    if (known->null_steps && is_reference(v) && is_from_null(v))
        return check_pointer(c, f, v, of_null);
    LLVMValueRef from = cast_from(v);
    return from
               ? check_pointer(c, f, v,
                               is_on_stack(f, from) ? of_slot
                                                    : "is a pointer of another address space, cast into a GC pointer")
               : SM_OK;
}

/* Refuses references of F whose base the rewrite does not find. */
static sm_status check_bases_of(struct compile *c, LLVMValueRef f) {
    struct bases known = {.null_steps = any_instruction(f, is_null_step)};
    sm_status s = SM_OK;
    for (LLVMValueRef v = first_value(f); s == SM_OK && v; v = next_value(v))
        s = check_base(c, &known, f, v);
    derivations_free(&known.derivations);
    return s;
}

/* Adds to SLOTS the stack slots that F stores derived pointers to. */
static void find_slots_of_derived(LLVMValueRef f, struct set *slots) {
    struct derivations known = {0};
    for (LLVMValueRef i = first_instruction(f); i; i = instruction_after(i)) {
        struct memory_access a = flow_access(i);
        LLVMValueRef v = a.value ? stepped_from(a.value, FLOW_BITS) : NULL; /* see_through.c's exchanges */
        if (v && !is_reference(a.to) && is_reference(v) && is_derived_among(&known, v))
            flow_memory(slots, a.to);
    }
    derivations_free(&known);
}

/* Adds to READS what F reads from SLOTS, and to SLOTS those that it is stored to unchanged. */
static void find_reads_of_derived(LLVMValueRef f, struct set *slots, struct set *reads) {
    for (size_t i = 0, read = 0; i < slots->count; i++) {
        if (LLVMIsAAllocaInst(slots->item[i]))
            flow_reads(slots->item[i], f, reads);
        for (; read < reads->count; read++)
            for (LLVMUseRef use = LLVMGetFirstUse(reads->item[read]); use; use = LLVMGetNextUse(use)) {
                LLVMValueRef user = LLVMGetUser(use);
                struct memory_access a = flow_access(user);
                if (flow_of(user, reads->item[read]) & (FLOW_OUT_OF_STRUCT | FLOW_BITS))
                    set_add(reads, user); /* what an exchange gives */
                if (a.value == reads->item[read] && !is_reference(a.to))
                    flow_memory(slots, a.to);
            }
    }
}

/* Refuses what F reads from stack slots that derived pointers are stored to: it would be its own base. */
static sm_status check_slots_of_derived(struct compile *c, LLVMValueRef f, value_check *check) {
    struct set slots = {0}, reads = {0};
    sm_status s = SM_OK;
    (void)check;
    find_slots_of_derived(f, &slots);
    find_reads_of_derived(f, &slots, &reads);
    for (size_t i = 0; s == SM_OK && i < reads.count; i++)
        if (is_reference(reads.item[i]))
            s = check_pointer(c, f, reads.item[i], from_slot);
    set_free(&slots);
    set_free(&reads);
    return s;
}

/* Refuses references whose base the rewrite does not find. Requires polls placed, before the rewrite. */
sm_status bases_check(struct compile *c) {
    assert(c->form == FORM_POLLED);
    sm_status s = SM_OK;
    for (LLVMValueRef f = first_with_statepoints(c->module); s == SM_OK && f; f = next_with_statepoints(f))
        s = check_bases_of(c, f);
    return s == SM_OK && c->has & HAS_SLOTS && c->options->bases == SM_BASES_EXACT
               ? check_functions(c, check_slots_of_derived, NULL)
               : s;
}

/* ---- Bases and objects that the module names -------------------------------------------------------------------- */

/* 1 if the value is the address of an object that was created in that call. */
static int is_fresh(LLVMValueRef v) {
    return is_call(v) && !intrinsic_name(v) && attribute_of_either(v, LLVMAttributeReturnIndex, "noalias");
}

/* 1 if the value was there before any call of the function. */
static int is_older(LLVMValueRef v) {
    return LLVMIsAArgument(v) || LLVMIsAGlobalVariable(v);
}

/* What the relocation V relocates; V itself if that is not clear. */
static LLVMValueRef relocated_by(LLVMValueRef v) {
    LLVMValueRef token = LLVMGetOperand(v, RELOCATE_TOKEN);
    LLVMValueRef from = is_statepoint(token) ? relocate_names(v, RELOCATE_DERIVED, token) : NULL;
    return from ? from : v;
}

/* The pointer that V was computed from by arithmetic, casts and relocations. */
static LLVMValueRef base_object_of(LLVMValueRef v) {
    enum { STEPS = 100 }; /* in a block that is never reached a value may be computed from itself */
    for (int i = 0; i < STEPS; i++) {
        LLVMValueRef from = stepped_from(v, FLOW_STEP | FLOW_CAST | FLOW_SPACE | FLOW_SAME);
        if (is_relocate(from))
            from = relocated_by(from);
        if (from == v)
            break;
        v = from;
    }
    return v;
}

enum { OBJECT_DEPTH = 8 };

static int are_apart_base(LLVMValueRef a, LLVMValueRef b, int depth);

/* 1 if V is a phi, or a select, whose values are all apart from B. */
static int all_apart(LLVMValueRef v, LLVMValueRef b, int depth) {
    int is_select = LLVMIsASelectInst(v) != NULL, some = 0;
    int n = is_select || LLVMIsAPHINode(v) ? LLVMGetNumOperands(v) : 0;
    for (int i = is_select; i < n; i++) { /* a select's first operand is its condition */
        LLVMValueRef from = base_object_of(LLVMGetOperand(v, (unsigned)i));
        if (from != v && !are_apart_base(from, b, depth + 1))
            return 0;
        some |= from != v;
    }
    return some;
}

/* 1 if A and B are phis of one block, or selects by one condition, and two values that belong together are apart. */
static int any_apart(LLVMValueRef a, LLVMValueRef b, int depth) {
    int phis = LLVMIsAPHINode(a) && LLVMGetInstructionParent(a) == LLVMGetInstructionParent(b);
    for (unsigned i = 0; phis && i < LLVMCountIncoming(a); i++)
        for (unsigned k = 0; k < LLVMCountIncoming(b); k++)
            if (LLVMGetIncomingBlock(a, i) == LLVMGetIncomingBlock(b, k) &&
                are_apart_base(LLVMGetIncomingValue(a, i), LLVMGetIncomingValue(b, k), depth + 1))
                return 1;
    for (unsigned i = 1; !phis && LLVMGetOperand(a, 0) == LLVMGetOperand(b, 0) && i < 3; i++)
        if (are_apart_base(LLVMGetOperand(a, i), LLVMGetOperand(b, i), depth + 1))
            return 1;
    return 0;
}

/* 1 if A and B are addresses in two objects, for certain. */
static int are_apart_base(LLVMValueRef a, LLVMValueRef b, int depth) {
    a = base_object_of(a);
    b = base_object_of(b);
    if (a == b || depth == OBJECT_DEPTH)
        return 0;
    if ((LLVMIsAPHINode(a) && LLVMIsAPHINode(b) && LLVMGetInstructionParent(a) == LLVMGetInstructionParent(b)) ||
        (LLVMIsASelectInst(a) && LLVMIsASelectInst(b)))
        return any_apart(a, b, depth);
    if (all_apart(a, b, depth) || all_apart(b, a, depth))
        return 1;
    return (is_fresh(a) && (is_fresh(b) || is_older(b))) || (is_older(a) && is_fresh(b)) ||
           (LLVMIsAGlobalVariable(a) && LLVMIsAGlobalVariable(b));
}

/* The name of V for a message; OTHERWISE if it has none. */
static const char *name_or(LLVMValueRef v, const char *otherwise) {
    const char *name = value_name(v);
    return name[0] ? name : otherwise;
}

/* Refuses a relocation whose base is another object's, and warns of an address within an object that is its own
 * base. */
static void check_pair(struct compile *c, struct derivations *known, LLVMValueRef f, LLVMValueRef relocate) {
    LLVMValueRef statepoint = statepoint_of_token(LLVMGetOperand(relocate, RELOCATE_TOKEN));
    LLVMValueRef base = statepoint ? relocate_names(relocate, RELOCATE_BASE, statepoint) : NULL,
                 derived = statepoint ? relocate_names(relocate, RELOCATE_DERIVED, statepoint) : NULL;
    int is_base = LLVMGetOperand(relocate, RELOCATE_BASE) == LLVMGetOperand(relocate, RELOCATE_DERIVED);
    if (!base || !derived)
        return;
    if (are_apart_base(derived, base, 0))
        fail(c, SM_CANNOT_REWRITE, f,
             "The statepoint that calls %.200s relocates %%%.200s with the base %%%.200s, which is another object: "
             "its base is what it was derived from",
             safepoint_name(statepoint), name_or(derived, "?"), name_or(base, "?"));
    else if (is_base && c->options->bases == SM_BASES_EXACT && is_derived_among(known, derived))
        advise(
            c,
            "In function '%.200s' the statepoint that calls %.200s relocates %%%.200s, an address within an object, "
            "as its own base: a collector takes it for an object. Give the object's index as its base; with "
            "bases=none there is no such warning",
            value_name(f), safepoint_name(statepoint), name_or(derived, "?"));
}

/* Refuses a gcread or gcwrite whose slot is in another object than it says. */
static void check_slot_base(struct compile *c, LLVMValueRef f, LLVMValueRef call, unsigned object) {
    LLVMValueRef o = LLVMGetOperand(call, object), slot = LLVMGetOperand(call, object + 1);
    if (are_apart_base(slot, o, 0))
        fail(c, SM_CANNOT_REWRITE, f,
             "%s says that the slot %%%.200s is in the object %%%.200s, and it is in another one: give the object "
             "that the slot's address was derived from",
             object ? GC_WRITE : GC_READ, name_or(slot, "?"), name_or(o, "?"));
}

/* Checks what the call says of bases and objects. */
static void check_call_base(struct compile *c, struct derivations *known, LLVMValueRef call) {
    LLVMValueRef f = function_of(call);
    const char *name = called_function(call);
    if (is_relocate(call) && LLVMIsConstant(LLVMGetOperand(call, 0)))
        return;
    if (is_relocate(call))
        check_pair(c, known, f, call);
    else if (strcmp(name, GC_WRITE) == 0 || starts_with(name, OWN_WRITE))
        check_slot_base(c, f, call, 1);
    else if (strcmp(name, GC_READ) == 0 || starts_with(name, OWN_READ))
        check_slot_base(c, f, call, 0);
}

/* Refuses bases of the module's own statepoints, and objects of barriers, that are other objects'. Before the
 * optimiser. */
sm_status bases_check_input(struct compile *c) {
    struct derivations known = {0};
    for (LLVMValueRef call = first_module_call(c->module); call; call = next_module_call(call))
        check_call_base(c, &known, call);
    derivations_free(&known);
    return c->errors ? SM_CANNOT_REWRITE : SM_OK;
}
