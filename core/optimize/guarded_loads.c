/* guarded_loads.c - a reference is loaded only where the module loads it, and not before the test that it stands
 * behind.
 *
 * Memory may hold a reference at one time and an integer at another, and a tag says which. To LLVM a load is a load:
 * if the memory can be read, the optimiser loads first and tests later (LICM, SimplifyCFG, GVN). A poll that is
 * placed between the two then takes an integer for a root.
 *
 * The optimiser may only load earlier where it knows that the memory can be read and that the address is aligned as
 * the load says. So while it runs, such loads say an alignment that no address has. All else it does with them as
 * before: it forwards stores to them, merges them, and takes them out of loops where they are executed anyway. What
 * merges or widens loads keeps the smaller alignment, so what is left of the marks is undone afterwards.
 *
 * Only loads whose address LLVM may know to be readable are marked: of globals, and of what attributes and metadata
 * say it of, also where a function that is given such an address is inlined. Stack slots need no marks: one that
 * holds references and integers is refused where it matters (promote.c).
 *
 * Requires the verified module, before it is optimised.
 */
#include "aggregate_parts.h"
#include "deviations.h"
#include "ir.h"
#include "optimizing.h"

enum {
    SHIFT = 26,                   /* an alignment of 2^n is written as one of 2^(n + SHIFT) */
    MARKED = 1 << SHIFT,          /* and all from here on are marks */
    TRUE_MAX = 1 << (31 - SHIFT), /* the largest alignment that can be written so */
};

struct guards {
    struct compile *c;
    LLVMTargetDataRef data;
    struct set addresses; /* values that are, or have in them, addresses that may be known to be readable */
    struct set loads;     /* of references, from there */
};

/* ---- Addresses that may be known to be readable ---------------------------------------------------------------- */

static void add_address(struct guards *k, LLVMValueRef v) {
    if (holds_pointer(LLVMTypeOf(v)))
        set_add(&k->addresses, v);
}

/* 1 if all parts of the type are references: nobody can take an integer for one of them. */
static int has_only_references(struct guards *k, LLVMTypeRef type) {
    if (LLVMGetTypeKind(type) == LLVMArrayTypeKind)
        return has_only_references(k, LLVMGetElementType(type));
    if (LLVMGetTypeKind(type) != LLVMStructTypeKind)
        return holds_root(k->data, type);
    for (unsigned i = 0; i < LLVMCountStructElementTypes(type); i++)
        if (!has_only_references(k, LLVMStructGetTypeAtIndex(type, i)))
            return 0;
    return 1;
}

/* 1 if a parameter or result with attributes at this INDEX of F is declared to be readable. */
static int is_readable(LLVMValueRef f, unsigned index) {
    return listed_attribute_at(f, index, "dereferenceable,dereferenceable_or_null,byval,sret,byref") != NULL;
}

/* 1 if the result of CALL is declared to be readable, or is allocated with a size that is declared. */
static int gives_readable(LLVMValueRef call) {
    return attribute_of_either(call, 0, "dereferenceable") ||
           attribute_of_either(call, 0, "dereferenceable_or_null") || either_attribute(call, "allocsize") ||
           either_attribute(call, "allockind");
}

/* Adds what I says to be readable: its result, or what an llvm.assume names. */
static void add_source(struct guards *k, LLVMValueRef i) {
    static const char *const kinds[] = {"dereferenceable", "dereferenceable_or_null"};
    for (size_t n = 0; n < sizeof kinds / sizeof *kinds && !is_call(i) && LLVMHasMetadata(i); n++)
        if (LLVMGetMetadata(i, LLVMGetMDKindIDInContext(k->c->context, kinds[n], (unsigned)strlen(kinds[n]))))
            add_address(k, i);
    if (is_call(i) && gives_readable(i))
        add_address(k, i);
    for (unsigned n = 0; is_intrinsic(i, "llvm.assume") && n < LLVMGetNumOperandBundles(i); n++) {
        LLVMOperandBundleRef b = LLVMGetOperandBundleAtIndex(i, n);
        if (LLVMGetNumOperandBundleArgs(b))
            add_address(k, LLVMGetOperandBundleArgAtIndex(b, 0));
        LLVMDisposeOperandBundle(b);
    }
}

static void find_sources(struct guards *k) {
    for (LLVMValueRef g = LLVMGetFirstGlobal(k->c->module); g; g = LLVMGetNextGlobal(g))
        if (!has_only_references(k, LLVMGlobalGetValueType(g)))
            add_address(k, g);
    for (LLVMValueRef f = LLVMGetFirstFunction(k->c->module); f; f = LLVMGetNextFunction(f)) {
        for (unsigned i = 0; i < LLVMCountParams(f); i++)
            if (is_readable(f, i + 1))
                add_address(k, LLVMGetParam(f, i));
        for (LLVMValueRef i = first_instruction(f); i; i = instruction_after(i))
            add_source(k, i);
    }
}

/* ---- Where they go ---------------------------------------------------------------------------------------------- */

/* Adds the addresses that are loaded from MEMORY, where one was stored, or from a place that is stepped to from it. */
static void add_stored(struct guards *k, LLVMValueRef memory) {
    struct set places = {0};
    set_add(&places, stepped_from(memory, FLOW_STEPS));
    for (size_t i = 0; i < places.count; i++)
        for (LLVMUseRef use = LLVMGetFirstUse(places.item[i]); use; use = LLVMGetNextUse(use)) {
            LLVMValueRef user = LLVMGetUser(use);
            if (LLVMIsALoadInst(user))
                add_address(k, user);
            else if (LLVMIsAGetElementPtrInst(user) || LLVMIsAConstantExpr(user) || LLVMIsAAddrSpaceCastInst(user))
                set_add(&places, user);
        }
    set_free(&places);
}

/* Adds what CALL makes of its argument V: the parameter of a function that may be inlined, and the result of one that
 * gives back what it was given. */
static void add_passed(struct guards *k, LLVMValueRef call, LLVMValueRef v) {
    LLVMValueRef callee = LLVMGetCalledValue(call);
    if (intrinsic_name(call) && LLVMTypeOf(call) == LLVMTypeOf(v))
        add_address(k, call);
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
        if (LLVMGetOperand(call, i) != v)
            continue;
        if (argument_has(call, i, "returned"))
            add_address(k, call);
        if (LLVMIsAFunction(callee) && !LLVMIsDeclaration(callee) && i < LLVMCountParams(callee))
            add_address(k, LLVMGetParam(callee, i));
    }
}

/* Adds the results of all calls of the function that returns V by RET. */
static void add_results(struct guards *k, LLVMValueRef ret) {
    LLVMValueRef f = function_of(ret);
    for (LLVMUseRef u = LLVMGetFirstUse(f); u; u = LLVMGetNextUse(u))
        if (is_call(LLVMGetUser(u)) && LLVMGetCalledValue(LLVMGetUser(u)) == f)
            add_address(k, LLVMGetUser(u));
}

/* 1 if ADDRESS is a place in a global whose type has a reference there. */
static int is_place_of_reference(struct guards *k, LLVMValueRef address) {
    LLVMValueRef global = LLVMIsAGlobalVariable(address) ? address : LLVMGetOperand(address, 0);
    LLVMTypeRef type = LLVMIsAGlobalVariable(global) ? LLVMGlobalGetValueType(global) : NULL;
    if (!type || global == address)
        return type && holds_root(k->data, type) && has_only_references(k, type);
    if (LLVMGetNumOperands(address) < 2 || LLVMGetGEPSourceElementType(address) != type ||
        !is_null(LLVMGetOperand(address, 1)))
        return 0;
    for (unsigned i = 2; i < (unsigned)LLVMGetNumOperands(address); i++) {
        LLVMValueRef index = LLVMGetOperand(address, i);
        LLVMTypeKind kind = LLVMGetTypeKind(type);
        if (kind == LLVMStructTypeKind)
            type = LLVMStructGetTypeAtIndex(type, (unsigned)LLVMConstIntGetZExtValue(index));
        else if (kind == LLVMArrayTypeKind)
            type = LLVMGetElementType(type);
        else
            return 0;
    }
    return has_only_references(k, type);
}

/* 1 if V is a step from a constant or a value. */
static int is_step(LLVMValueRef v) {
    return LLVMIsAGetElementPtrInst(v) || (LLVMIsAConstantExpr(v) && LLVMGetConstOpcode(v) == LLVMGetElementPtr);
}

/* Notes LOAD, from V, if the optimiser may move it before a test and it gives references. */
static void note_load(struct guards *k, LLVMValueRef load, LLVMValueRef v) {
    int moves = !LLVMGetVolatile(load) && (LLVMGetOrdering(load) == LLVMAtomicOrderingNotAtomic ||
                                           LLVMGetOrdering(load) == LLVMAtomicOrderingUnordered);
    int is_typed = (LLVMIsAGlobalVariable(v) || is_step(v)) && is_place_of_reference(k, v);
    if (moves && holds_root(k->data, LLVMTypeOf(load)) && !is_typed)
        set_add(&k->loads, load);
}

/* Follows the address V into USER. */
static void follow_address(struct guards *k, LLVMValueRef v, LLVMValueRef user) {
    if (LLVMIsAGlobalVariable(user)) {
        add_stored(k, user);
        return;
    }
    if (!LLVMIsAInstruction(user)) { /* a constant computed from it */
        add_address(k, user);
        return;
    }
    switch (LLVMGetInstructionOpcode(user)) {
    case LLVMLoad:
        note_load(k, user, v);
        break;
    case LLVMStore:
        if (LLVMGetOperand(user, 0) == v)
            add_stored(k, LLVMGetOperand(user, 1));
        break;
    case LLVMRet:
        add_results(k, user);
        break;
    case LLVMCall:
    case LLVMInvoke:
        add_passed(k, user, v);
        break;
    case LLVMICmp:
        break;
    default:
        add_address(k, user);
    }
}

/* Finds the loads of references from addresses that may be known to be readable. */
static void find_loads(struct guards *k) {
    find_sources(k);
    for (size_t i = 0; i < k->addresses.count; i++) {
        LLVMValueRef v = k->addresses.item[i];
        for (LLVMUseRef use = LLVMGetFirstUse(v); use; use = LLVMGetNextUse(use))
            follow_address(k, v, LLVMGetUser(use));
    }
}

/* ---- Marks ------------------------------------------------------------------------------------------------------ */

/* The largest power of two that both are multiples of. */
static unsigned common_alignment(unsigned align, unsigned long long offset) {
    while (align > 1 && offset % align)
        align /= 2;
    return align;
}

/* Tells an alignment of LOAD that nothing has. */
static void mark_load(LLVMValueRef load) {
    unsigned align = LLVMGetAlignment(load);
    LLVMSetAlignment(load, (align > TRUE_MAX ? TRUE_MAX : align) << SHIFT);
}

/* Replaces the load of a struct or an array by loads of its parts, with their places in it, and marks these. What is
 * merged or split later has the alignment of one part. Leaves it, volatile, if it has too many parts. */
static void mark_parts(struct guards *k, LLVMValueRef load) {
    struct leaves parts;
    LLVMTypeRef i32 = LLVMInt32TypeInContext(k->c->context), type = LLVMTypeOf(load);
    if (!leaves_find(&parts, type, 0)) {
        LLVMSetVolatile(load, 1);
        return;
    }
    LLVMBuilderRef b = builder_at(load);
    LLVMValueRef created = LLVMGetPoison(type);
    for (unsigned i = 0; i < parts.count; i++) {
        struct leaf *part = &parts.leaf[i];
        LLVMValueRef index[LEAF_DEPTH_MAX + 1] = {LLVMConstNull(i32)};
        unsigned long long offset = 0;
        LLVMTypeRef at = type;
        for (unsigned n = 0; n < part->depth; n++) {
            int is_struct = LLVMGetTypeKind(at) == LLVMStructTypeKind;
            index[n + 1] = LLVMConstInt(i32, part->path[n], 0);
            offset += is_struct ? LLVMOffsetOfElement(k->data, at, part->path[n])
                                : part->path[n] * LLVMABISizeOfType(k->data, LLVMGetElementType(at));
            at = is_struct ? LLVMStructGetTypeAtIndex(at, part->path[n]) : LLVMGetElementType(at);
        }
        LLVMValueRef place = LLVMBuildGEP2(b, type, LLVMGetOperand(load, 0), index, part->depth + 1, "");
        LLVMValueRef loaded = LLVMBuildLoad2(b, part->type, place, "");
        LLVMSetAlignment(loaded, common_alignment(LLVMGetAlignment(load), offset));
        if (holds_root(k->data, part->type))
            mark_load(loaded);
        created = leaf_insert(b, part, created, loaded);
    }
    LLVMDisposeBuilder(b);
    call_replace(load, created);
}

/* Keeps LOAD where it is executed. One of a vector, whose marks would be torn apart with it, is volatile. */
static void guard(struct guards *k, LLVMValueRef load) {
    LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(load));
    if (kind == LLVMStructTypeKind || kind == LLVMArrayTypeKind)
        mark_parts(k, load);
    else if (kind == LLVMPointerTypeKind)
        mark_load(load);
    else
        LLVMSetVolatile(load, 1);
    deviate(k->c, DEVIATION_GUARDS);
}

/* ---- And afterwards --------------------------------------------------------------------------------------------- */

/* 1 if I accesses memory with an alignment of its own. */
static int has_alignment(LLVMValueRef i) {
    return LLVMIsALoadInst(i) || LLVMIsAStoreInst(i) || LLVMIsAAtomicRMWInst(i) || LLVMIsAAtomicCmpXchgInst(i);
}

/* The number of the operand of CALL that is an alignment; -1 if it has none. */
static int operand_of_alignment(LLVMValueRef call) {
    if (is_intrinsic(call, "llvm.masked.load.") || is_intrinsic(call, "llvm.masked.gather."))
        return 1;
    return is_intrinsic(call, "llvm.masked.store.") || is_intrinsic(call, "llvm.masked.scatter.") ? 2 : -1;
}

/* Puts the true alignments into CALL, of an intrinsic that the optimiser has put in the place of loads. */
static void release_call(struct compile *c, LLVMValueRef call) {
    int at = operand_of_alignment(call);
    unsigned kind = attribute_kind("align");
    if (at >= 0 && LLVMConstIntGetZExtValue(LLVMGetOperand(call, (unsigned)at)) >= MARKED) {
        LLVMValueRef reported = LLVMGetOperand(call, (unsigned)at);
        LLVMSetOperand(call, (unsigned)at,
                       LLVMConstInt(LLVMTypeOf(reported), LLVMConstIntGetZExtValue(reported) >> SHIFT, 0));
    }
    for (unsigned i = 1; is_memory_copy(call) && i <= 2; i++) {
        LLVMAttributeRef reported = LLVMGetCallSiteEnumAttribute(call, i, kind);
        if (reported && LLVMGetEnumAttributeValue(reported) >= MARKED) {
            uint64_t align = LLVMGetEnumAttributeValue(reported) >> SHIFT;
            LLVMRemoveCallSiteEnumAttribute(call, i, kind);
            LLVMAddCallSiteAttribute(call, i, LLVMCreateEnumAttribute(c->context, kind, align));
        }
    }
}

/* Calls EACH for every instruction of the module. */
static void visit_instructions(struct compile *c, void (*each)(struct compile *c, LLVMValueRef i)) {
    for (LLVMValueRef f = LLVMGetFirstFunction(c->module); f; f = LLVMGetNextFunction(f))
        for (LLVMValueRef i = first_instruction(f); i; i = instruction_after(i))
            each(c, i);
}

/* Lowers an alignment of the module's own that looks like a mark. */
static void lower_own(struct compile *c, LLVMValueRef i) {
    (void)c;
    if (has_alignment(i) && LLVMGetAlignment(i) >= MARKED)
        LLVMSetAlignment(i, MARKED / 2);
}

/* Puts the true alignment into I. */
static void release(struct compile *c, LLVMValueRef i) {
    if (has_alignment(i) && LLVMGetAlignment(i) >= MARKED)
        LLVMSetAlignment(i, LLVMGetAlignment(i) >> SHIFT);
    else if (intrinsic_name(i))
        release_call(c, i);
}

/* Before the optimiser: marks loads of references that it might take to places where they are not executed. */
sm_status guards_keep(struct compile *c) {
    assert(c->form == FORM_VERIFIED);
    struct guards k = {.c = c, .data = LLVMGetModuleDataLayout(c->module)};
    if (c->options->opt == SM_OPT_0 || !has_statepoints(c))
        return SM_OK;
    find_loads(&k);
    if (k.loads.count)
        visit_instructions(c, lower_own);
    for (size_t i = 0; i < k.loads.count; i++)
        guard(&k, k.loads.item[i]);
    set_free(&k.addresses);
    set_free(&k.loads);
    return SM_OK;
}

/* After the optimiser: takes the marks away. */
void guards_release(struct compile *c) {
    if (has_deviated(c, DEVIATION_GUARDS))
        visit_instructions(c, release);
}
