/* compressed_input.c - compressed references: pointers of the address spaces that the option `spaces` names, 32 bits wide.
 *
 * LLVM 19 makes no code for such a pointer on x86-64 and AArch64, relocates references of one space only, and has
 * each target's own data layout when it emits. So a compressed reference is a pointer to the optimiser, by the
 * module's data layout, and an integer of 32 bits to code generation:
 *
 *   stage_encoded      before the optimiser: what is loaded from and stored to by way of one goes by way of the object's address;
 *                      that, and an addrspacecast from or to address space 1, becomes a call of a function that reads no memory.
 *   compressed_slots.c       before the rewrite: one that is alive across a safepoint is kept in a slot of four bytes, which is a region;
 *                      the calls become arithmetic.
 *   compressed_to_i32.c           after the rewrite: what is left of them become integers.
 *
 * What could not be right is refused before all of it, with the instruction (compressed_check.c). Nothing is left of it
 * that the optimiser could make wrong; so spaces_check looks again after it.
 */
#include "compressed_input.h"
#include "encoded.h"
#include "ir.h"
#include "marks.h"
#include "tag_values.h"

#include <llvm-c/Target.h>

/* ---- Reads of them as something else --------------------------------------------------------------------------- */

/* A compressed reference that is stored in a stack slot and read there as an integer is a cast not reported
 * to the collector.
 *
 * References of address space 1 are followed through memory after the rewrite (integer_aliases.c), where compressed ones are
 * integers throughout. So reading one as something else is refused, as ptrtoint is, before the optimiser. A slot may
 * hold one or the other at different times: what counts is which store the load can see.
 */

/* The last store to PLACE at or before I in its block; NULL if there is none. */
static LLVMValueRef store_before_pun(LLVMValueRef i, LLVMValueRef place) {
    for (; i; i = LLVMGetPreviousInstruction(i))
        if (LLVMIsAStoreInst(i) && LLVMGetOperand(i, 1) == place)
            return i;
    return NULL;
}

/* 1 if a store of a compressed reference to the load's place may be the one that the load reads, searching
 * backwards. BLOCKS gets the ends of the blocks that were searched. */
static int sees_compressed(struct compile *c, LLVMValueRef load, struct set *blocks) {
    LLVMValueRef place = LLVMGetOperand(load, 0), at = load;
    LLVMTargetDataRef data = LLVMGetModuleDataLayout(c->module);
    for (size_t n = 0;; n++) {
        LLVMValueRef store = store_before_pun(at, place);
        if (store && holds_compressed(data, LLVMTypeOf(LLVMGetOperand(store, 0))))
            return 1;
        LLVMValueRef block = LLVMBasicBlockAsValue(LLVMGetInstructionParent(at));
        for (LLVMUseRef u = store ? NULL : LLVMGetFirstUse(block); u; u = LLVMGetNextUse(u))
            if (LLVMIsATerminatorInst(LLVMGetUser(u)) && !set_has(blocks, LLVMGetUser(u)))
                set_add(blocks, LLVMGetUser(u)); /* the end of a block before this one */
        if (n == blocks->count)
            return 0;
        at = blocks->item[n];
    }
}

/* The first load of F that reads a compressed reference in a stack slot as something else; NULL if there is none. */
static LLVMValueRef find_pun(struct compile *c, LLVMValueRef f) {
    LLVMTargetDataRef data = LLVMGetModuleDataLayout(c->module);
    for (LLVMValueRef i = first_instruction(f); i; i = instruction_after(i)) {
        struct set blocks = {0};
        if (!LLVMIsALoadInst(i) || holds_compressed(data, LLVMTypeOf(i)) ||
            !LLVMIsAAllocaInst(stepped_from(LLVMGetOperand(i, 0), FLOW_STEP | FLOW_CAST)))
            continue;
        int is_one = sees_compressed(c, i, &blocks);
        set_free(&blocks);
        if (is_one)
            return i;
    }
    return NULL;
}

enum { WIDTH = 32, SPACE_FIRST = 2, SPACE_LAST = (1 << 24) - 1, SHIFT_MAX = 8, CHAIN_MAX = 1000 };

/* ---- The option ---------------------------------------------------------------------------------------------- */

/* Reads a decimal number at *AT and moves *AT after it. -1 if there is none. */
static long take_number(const char **at) {
    char *end;
    if (**at < '0' || **at > '9')
        return -1;
    long n = strtol(*at, &end, 10);
    *at = end;
    return n;
}

/* Reads a name up to a comma or the end at *AT and moves *AT after it. 0 if it is empty or too long. */
static int take_symbol(const char **at, char symbol[64]) {
    size_t n = strcspn(*at, ",");
    if (!n || n > 63)
        return 0;
    memcpy(symbol, *at, n);
    symbol[n] = 0;
    *at += n;
    return 1;
}

/* Reads "SPACE:32[:SHIFT[:BASE]]" at *AT into S and moves *AT after it. 0 if it is malformed. */
static int take_space(const char **at, struct space *s) {
    long number = take_number(at), shift = 0;
    if (number < SPACE_FIRST || number > SPACE_LAST || is_targets_space((unsigned)number) || *(*at)++ != ':' ||
        take_number(at) != WIDTH)
        return 0;
    if (**at == ':') {
        ++*at;
        shift = take_number(at);
    }
    if (shift < 0 || shift > SHIFT_MAX)
        return 0;
    *s = (struct space){.number = (unsigned)number, .shift = (unsigned)shift};
    if (**at == ':') {
        ++*at;
        return take_symbol(at, s->base);
    }
    return 1;
}

/* Reads the option `spaces` into c->space. */
sm_status spaces_read(struct compile *c) {
    const char *at = c->options->spaces;
    while (*at) {
        struct space s;
        int good = c->spaces < sizeof c->space / sizeof *c->space && take_space(&at, &s) && (!*at || *at == ',');
        if (!good || names_space(c, s.number))
            return fail_option(
                c, SM_INVALID_OPTION, "spaces", NULL,
                "spaces=%.100s: each of up to %zu is written SPACE:32[:SHIFT[:BASE]], with SPACE from %d to %d (but "
                "none of 256 to 258 and 270 to 272, which are x86's own), SHIFT up to %d, and BASE a variable's name",
                c->options->spaces, sizeof c->space / sizeof *c->space, SPACE_FIRST, SPACE_LAST, SHIFT_MAX);
        c->space[c->spaces++] = s;
        at += *at == ',';
    }
    return SM_OK;
}

/* The space of compressed references that the pointer type T belongs to; NULL if there is none. */
const struct space *space_of(const struct compile *c, LLVMTypeRef t) {
    if (LLVMGetTypeKind(t) != LLVMPointerTypeKind)
        return NULL;
    for (size_t i = 0; i < c->spaces; i++)
        if (c->space[i].number == LLVMGetPointerAddressSpace(t))
            return &c->space[i];
    return NULL;
}

/* ---- What LLVM says only of pointers ------------------------------------------------------------------------- */

static const char of_pointers[] =
    "nonnull,noalias,nocapture,readonly,readnone,writeonly,nofree,nest,align,dereferenceable,dereferenceable_or_null,"
    "writable,dead_on_unwind,allocptr,initializes";

/* Removes from what F, a function or (IS_CALL) a call, has at AT (an index of LLVM's) the attributes that only pointers may
 * have. */
static void strip_attributes(LLVMValueRef f, int is_call, unsigned at) {
    for (const char *name = of_pointers; *name; name += strcspn(name, ",") + (name[strcspn(name, ",")] == ',')) {
        unsigned kind = LLVMGetEnumAttributeKindForName(name, strcspn(name, ","));
        if (kind && is_call)
            LLVMRemoveCallSiteEnumAttribute(f, at, kind);
        else if (kind)
            LLVMRemoveEnumAttributeAtIndex(f, at, kind);
    }
}

/* Removes metadata that only pointers may have from a load of a compressed reference. */
static void strip_load(struct compile *c, LLVMValueRef load) {
    static const char *const kinds[] = {"nonnull", "align", "dereferenceable", "dereferenceable_or_null", "range"};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        LLVMSetMetadata(load, LLVMGetMDKindIDInContext(c->context, kinds[k], (unsigned)strlen(kinds[k])), NULL);
}

/* Removes attributes and metadata that only pointers may have from compressed references, which become integers. */
void spaces_strip(struct compile *c) {
    for (LLVMValueRef f = LLVMGetFirstFunction(c->module); f; f = LLVMGetNextFunction(f)) {
        if (space_of(c, LLVMGetReturnType(LLVMGlobalGetValueType(f))))
            strip_attributes(f, 0, 0);
        for (unsigned i = 0; i < LLVMCountParams(f); i++)
            if (space_of(c, LLVMTypeOf(LLVMGetParam(f, i))))
                strip_attributes(f, 0, i + 1);
        for (LLVMValueRef i = first_instruction(f); i; i = instruction_after(i))
            if (LLVMIsALoadInst(i) && space_of(c, LLVMTypeOf(i)))
                strip_load(c, i);
    }
    for (LLVMValueRef call = first_module_call(c->module); call; call = next_module_call(call)) {
        if (space_of(c, LLVMTypeOf(call)))
            strip_attributes(call, 1, 0);
        for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++)
            if (space_of(c, LLVMTypeOf(LLVMGetOperand(call, i))))
                strip_attributes(call, 1, i + 1);
    }
}

/* ---- Accesses ------------------------------------------------------------------------------------------------- */

/* The function PREFIX + SPACE, which stands for a cast until it is lowered; declared if it is not there yet. It reads
 * no memory and is no safepoint, so equal casts of a reference can be merged. */
static LLVMValueRef declare_space(struct compile *c, const char *prefix, unsigned space, LLVMTypeRef to,
                                  LLVMTypeRef from) {
    char name[64];
    snprintf(name, sizeof name, "%s%u", prefix, space);
    LLVMValueRef f = declared_function(c->module, name, LLVMFunctionType(to, &from, 1, 0));
    set_function_attributes(f, "memory,nounwind,willreturn,speculatable,nosync,nofree");
    return f;
}

/* Builds the call that makes an address of space 1 of the compressed reference V. */
static LLVMValueRef call_cast(struct compile *c, LLVMBuilderRef b, LLVMValueRef v) {
    LLVMTypeRef reference = LLVMPointerTypeInContext(c->context, 1), from = LLVMTypeOf(v);
    const struct space *s = space_of(c, from);
    LLVMValueRef f = declare_space(c, DECOMPRESS, s->number, reference, from);
    LLVMValueRef call = LLVMBuildCall2(b, LLVMGlobalGetValueType(f), f, &v, 1, "");
    set_call_attribute(c->context, call, LEAF_ATTRIBUTE, "");
    return call;
}

/* Builds before BEFORE the address of space 1 for V, a compressed reference or derived from one by up to DEPTH
 * getelementptr. NULL if there are more. */
static LLVMValueRef space_address_of(struct compile *c, LLVMBuilderRef b, LLVMValueRef v, LLVMValueRef before,
                                     int depth) {
    if (!LLVMIsAGetElementPtrInst(v)) {
        LLVMPositionBuilderBefore(b, before);
        return call_cast(c, b, v);
    }
    LLVMValueRef base = depth ? space_address_of(c, b, LLVMGetOperand(v, 0), before, depth - 1) : NULL;
    unsigned n = (unsigned)LLVMGetNumOperands(v) - 1;
    if (!base)
        return NULL;
    LLVMValueRef *index = xcalloc(n + 1, sizeof *index);
    for (unsigned i = 0; i < n; i++)
        index[i] = LLVMGetOperand(v, i + 1);
    LLVMPositionBuilderBefore(b, before);
    LLVMValueRef created = LLVMBuildGEP2(b, LLVMGetGEPSourceElementType(v), base, index, n, "");
    LLVMSetIsInBounds(created, LLVMIsInBounds(v));
    free(index);
    return created;
}

/* The number of the operand that is the address of the memory that I accesses; -1 if I is no access. */
static int address_operand(LLVMValueRef i) {
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMLoad:
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
        return 0;
    case LLVMStore:
        return 1;
    default:
        return -1;
    }
}

/* The type of the value that I loads, stores, exchanges or allocates; NULL for other instructions. */
static LLVMTypeRef accessed_type(LLVMValueRef i) {
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMLoad:
    case LLVMAtomicRMW:
        return LLVMTypeOf(i);
    case LLVMStore:
        return LLVMTypeOf(LLVMGetOperand(i, 0));
    case LLVMAtomicCmpXchg:
        return LLVMTypeOf(LLVMGetOperand(i, 1));
    case LLVMAlloca:
        return LLVMGetAllocatedType(i);
    default:
        return NULL;
    }
}

/* Lowers I's alignment to what the module's layout gives its type: of text without one, the parser took it from the
 * target's layout, where such pointers have eight bytes. */
static void lower_alignment_space(struct compile *c, LLVMValueRef i) {
    LLVMTypeRef type = accessed_type(i);
    if (!type || !spaces_hold(c, type) || !LLVMTypeIsSized(type))
        return;
    unsigned most = LLVMABIAlignmentOfType(LLVMGetModuleDataLayout(c->module), type);
    if (LLVMGetAlignment(i) > most)
        LLVMSetAlignment(i, most);
}

/* Replaces the addrspacecast I, from or to a compressed reference, by calls that stand for it. */
static sm_status open_cast(struct compile *c, LLVMBuilderRef b, LLVMValueRef f, LLVMValueRef i) {
    LLVMValueRef v = LLVMGetOperand(i, 0), created;
    const struct space *to = space_of(c, LLVMTypeOf(i));
    if (space_of(c, LLVMTypeOf(v))) {
        created = space_address_of(c, b, v, i, CHAIN_MAX);
    } else {
        LLVMValueRef g = declare_space(c, COMPRESS, to->number, LLVMTypeOf(i), LLVMTypeOf(v));
        LLVMPositionBuilderBefore(b, i);
        created = LLVMBuildCall2(b, LLVMGlobalGetValueType(g), g, &v, 1, "");
        set_call_attribute(c->context, created, LEAF_ATTRIBUTE, "");
    }
    if (!created)
        return spaces_refuse(c, f, i, "casts an address that is derived too often");
    call_replace(i, created);
    return SM_OK;
}

/* 1 if I is a bitcast of compressed references that changes nothing, as typed pointers leave behind. */
static int is_idle_cast(const struct compile *c, LLVMValueRef i) {
    return LLVMIsABitCastInst(i) && LLVMTypeOf(i) == LLVMTypeOf(LLVMGetOperand(i, 0)) &&
           spaces_hold(c, LLVMTypeOf(i));
}

/* Puts the operand of the bitcast I in its place. Where nothing is reached it may be its own operand. */
static void drop_cast(LLVMValueRef i) {
    LLVMValueRef v = LLVMGetOperand(i, 0);
    replace_value(i, v == i ? LLVMGetPoison(LLVMTypeOf(i)) : v);
}

/* Makes I access memory by an address of space 1 if it does so by a compressed reference, and replaces it if it casts
 * one. */
static sm_status open_instruction(struct compile *c, LLVMBuilderRef b, LLVMValueRef f, LLVMValueRef i) {
    int at = address_operand(i);
    if (is_idle_cast(c, i)) {
        drop_cast(i);
        return SM_OK;
    }
    lower_alignment_space(c, i);
    if (at >= 0 && space_of(c, LLVMTypeOf(LLVMGetOperand(i, (unsigned)at)))) {
        LLVMValueRef address = space_address_of(c, b, LLVMGetOperand(i, (unsigned)at), i, CHAIN_MAX);
        if (!address)
            return spaces_refuse(c, f, i, "accesses memory at an address that is derived too often");
        LLVMSetOperand(i, (unsigned)at, address);
    }
    if (LLVMIsAAddrSpaceCastInst(i) && (space_of(c, LLVMTypeOf(i)) || space_of(c, LLVMTypeOf(LLVMGetOperand(i, 0)))))
        return open_cast(c, b, f, i);
    return SM_OK;
}

/* Erases getelementptrs of compressed references that are no longer used; refuses those that are, since a collector
 * could not find their object. */
static sm_status sweep_derived(struct compile *c, LLVMValueRef f) {
    for (int changed = 1; changed;) {
        changed = 0;
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef i = LLVMGetLastInstruction(b), next; i; i = next) {
                next = LLVMGetPreviousInstruction(i);
                if (LLVMIsAGetElementPtrInst(i) && space_of(c, LLVMTypeOf(i)) && !LLVMGetFirstUse(i)) {
                    LLVMInstructionEraseFromParent(i);
                    changed = 1;
                }
            }
    }
    for (LLVMValueRef i = first_instruction(f); i; i = instruction_after(i))
        if (LLVMIsAGetElementPtrInst(i) && space_of(c, LLVMTypeOf(i)))
            return spaces_refuse(c, f, i,
                                 "derives a compressed reference, which is used for more than loads and stores: cast "
                                 "the object's to address space 1, and derive there");
    return SM_OK;
}

/* Refuses a load in F that reads a compressed reference as a value of another type. */
static sm_status check_puns(struct compile *c, LLVMValueRef f) {
    LLVMValueRef load = find_pun(c, f);
    return load ? spaces_refuse(c, f, load,
                                "reads a compressed reference as something else, which no collector would find: load "
                                "the reference")
                : SM_OK;
}

/* Replaces all of F's accesses and casts of compressed references by those of space 1, and removes derived ones. */
static sm_status open_function(struct compile *c, LLVMValueRef f) {
    LLVMBuilderRef b = LLVMCreateBuilderInContext(c->context);
    sm_status s = SM_OK;
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); s == SM_OK && block;
         block = LLVMGetNextBasicBlock(block))
        for (LLVMValueRef i = LLVMGetFirstInstruction(block), next; s == SM_OK && i; i = next) {
            next = LLVMGetNextInstruction(i);
            s = open_instruction(c, b, f, i);
        }
    LLVMDisposeBuilder(b);
    return s == SM_OK ? sweep_derived(c, f) : s;
}

/* Refuses a base whose symbol is a function, or a variable outside of address space 0. */
static sm_status check_base_space(struct compile *c, const struct space *s) {
    LLVMValueRef g = s->base[0] ? LLVMGetNamedGlobal(c->module, s->base) : NULL;
    if (s->base[0] && (LLVMGetNamedFunction(c->module, s->base) || is_other_name(c->module, s->base) ||
                       (g && LLVMGetPointerAddressSpace(LLVMTypeOf(g)))))
        return fail_option(c, SM_INVALID_OPTION, "spaces", NULL, "spaces: @%s is no variable that holds an address",
                           s->base);
    return SM_OK;
}

/* Checks compressed references, and replaces their accesses and casts by what the optimiser cannot break. Requires
 * the verified module with its data layout; before the optimiser. */
static sm_status open_spaces(struct compile *c) {
    assert(c->form == FORM_VERIFIED);
    if (!c->spaces)
        return SM_OK;
    sm_status s = spaces_check(c);
    for (size_t i = 0; s == SM_OK && i < c->spaces; i++)
        s = check_base_space(c, &c->space[i]);
    if (s == SM_OK)
        spaces_strip(c);
    for (LLVMValueRef f = LLVMGetFirstFunction(c->module), next; s == SM_OK && f; f = next) {
        next = LLVMGetNextFunction(f);
        if (function_has_statepoints(f))
            s = check_puns(c, f);
        if (s == SM_OK && !LLVMIsDeclaration(f))
            s = open_function(c, f);
    }
    return s;
}

/* Compressed references, then tagged ones. */
sm_status stage_encoded(struct compile *c) {
    sm_status s = open_spaces(c);
    return s == SM_OK ? tags_declare(c) : s;
}
