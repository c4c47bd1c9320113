/* flow.c - the one table of what an instruction passes on of its operands, and of what it moves to and from memory.
 * Whoever follows a value asks it, and says by bits which of these he follows. */
#include "ir.h"

/* Of an intrinsic, by the begin of its name behind "llvm.". The first row that fits holds. */
struct row {
    const char *name;
    unsigned flow;
    unsigned operands; /* bits: those that it passes on in this way */
};

enum { FIRST = 1 << 0, SECOND = 1 << 1, BOTH = FIRST | SECOND, LATER = SECOND | 1 << 2, FOURTH = 1 << 3 };

static const struct row rows[] = {
    /* the same value */
    {"launder.invariant.group.", FLOW_SAME, FIRST},
    {"strip.invariant.group.", FLOW_SAME, FIRST},
    {"ptr.annotation.", FLOW_SAME, FIRST},
    {"annotation.", FLOW_SAME, FIRST},
    {"expect.", FLOW_SAME, FIRST},
    {"arithmetic.fence.", FLOW_SAME, FIRST},
    {"preserve.static.offset", FLOW_SAME, FIRST},
    {"preserve.array.access.index.", FLOW_STEP, FIRST},
    {"preserve.struct.access.index.", FLOW_STEP, FIRST},
    {"preserve.union.access.index.", FLOW_STEP, FIRST},
    {"ptrmask.", FLOW_MASK, FIRST},
    /* one of two */
    {"umax.", FLOW_EXTREME, BOTH},
    {"umin.", FLOW_EXTREME, BOTH},
    {"smax.", FLOW_EXTREME, BOTH},
    {"smin.", FLOW_EXTREME, BOTH},
    {"vp.umax.", FLOW_EXTREME, BOTH},
    {"vp.umin.", FLOW_EXTREME, BOTH},
    {"vp.smax.", FLOW_EXTREME, BOTH},
    {"vp.smin.", FLOW_EXTREME, BOTH},
    {"vp.select.", FLOW_CHOICE, LATER},
    {"vp.merge.", FLOW_CHOICE, LATER},
    {"masked.load.", FLOW_CHOICE, FOURTH}, /* what is in the lanes that are not loaded */
    {"masked.gather.", FLOW_CHOICE, FOURTH},
    {"masked.expandload.", FLOW_CHOICE, 1 << 2},
    /* the bits of an address, and a sum with it */
    {"vp.ptrtoint.", FLOW_BITS, FIRST},
    {"vp.inttoptr.", FLOW_BITS, FIRST},
    {"vp.zext.", FLOW_WIDER, FIRST},
    {"vp.sext.", FLOW_WIDER, FIRST},
    {"vp.trunc.", FLOW_NARROWER, FIRST},
    {"uadd.", FLOW_ARITHMETIC, BOTH}, /* with overflow, and saturating */
    {"sadd.", FLOW_ARITHMETIC, BOTH},
    {"usub.", FLOW_ARITHMETIC, BOTH},
    {"ssub.", FLOW_ARITHMETIC, BOTH},
    {"vp.add.", FLOW_ARITHMETIC, BOTH},
    {"vp.sub.", FLOW_ARITHMETIC, BOTH},
    {"vp.and.", FLOW_ARITHMETIC, BOTH},
    {"vp.or.", FLOW_ARITHMETIC, BOTH},
    {"vp.xor.", FLOW_ARITHMETIC, BOTH},
    /* lanes */
    {"vector.reverse.", FLOW_LANES, FIRST},
    {"vector.splice.", FLOW_LANES, BOTH},
    {"vector.insert.", FLOW_LANES, BOTH},
    {"vector.extract.", FLOW_LANES, FIRST},
    {"vector.interleave2.", FLOW_LANES, BOTH},
    {"vector.deinterleave2.", FLOW_LANES, FIRST},
    {"experimental.vector.compress.", FLOW_LANES, BOTH | 1 << 2},
    {"experimental.vp.reverse.", FLOW_LANES, FIRST},
    {"experimental.vp.splice.", FLOW_LANES, BOTH},
    {"experimental.vp.splat.", FLOW_INTO_VECTOR, FIRST},
    {"vector.reduce.", FLOW_OUT_OF_VECTOR, BOTH},
    /* nothing: too few bits are left, or what is read is no operand */
    {"ctpop.", 0, 0},
    {"ctlz.", 0, 0},
    {"cttz.", 0, 0},
    {"scmp.", 0, 0},
    {"ucmp.", 0, 0},
    {"is.constant.", 0, 0},
    {"is.fpclass.", 0, 0},
    {"objectsize.", 0, 0},
    {"gc", 0, 0}, /* llvm.gcread, llvm.gc.value */
    {"experimental.gc.", 0, 0},
    {"experimental.deoptimize.", 0, 0},
    {"experimental.patchpoint.", 0, 0},
    {"experimental.stackmap", 0, 0},
    {"vp.load.", 0, 0},
    {"vp.gather.", 0, 0},
    {"experimental.vp.strided.load.", 0, 0},
    {"coro.", 0, 0},
    {"eh.", 0, 0},
    {"stacksave", 0, 0},
    {"lifetime.", 0, 0},
    {"dbg.", 0, 0},
};

/* What an intrinsic passes on that has no row. */
static const struct row other = {"", FLOW_UNKNOWN, ~0u};

static const struct row *row_of_intrinsic(const char *name) {
    enum { PREFIX = sizeof "llvm." - 1 };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].name[0] == name[PREFIX] && starts_with(name + PREFIX, rows[i].name))
            return &rows[i];
    return &other;
}

/* What CALL passes on of argument number INDEX in its result. */
static unsigned flow_of_call(LLVMValueRef call, unsigned index) {
    const char *name = intrinsic_name(call);
    if (index >= LLVMGetNumArgOperands(call) || LLVMGetTypeKind(LLVMTypeOf(call)) == LLVMVoidTypeKind)
        return 0;
    if (name) {
        const struct row *row = row_of_intrinsic(name);
        return index < 32 && row->operands >> index & 1 ? row->flow : 0;
    }
    if (LLVMIsAInlineAsm(LLVMGetCalledValue(call)))
        return FLOW_UNKNOWN;
    return argument_has(call, index, "returned") ? FLOW_BACK : 0;
}

unsigned flow_at(LLVMValueRef i, unsigned operand) {
    switch (LLVMIsAInstruction(i) ? LLVMGetInstructionOpcode(i) : 0) {
    case LLVMFreeze:
        return FLOW_SAME;
    case LLVMBitCast:
        return FLOW_CAST;
    case LLVMAddrSpaceCast:
        return FLOW_SPACE;
    case LLVMPHI:
        return FLOW_CHOICE;
    case LLVMSelect:
        return operand ? FLOW_CHOICE : 0; /* the first is its condition */
    case LLVMGetElementPtr:
        return operand ? FLOW_INDEX : FLOW_STEP;
    case LLVMPtrToInt:
    case LLVMIntToPtr:
        return FLOW_BITS;
    case LLVMZExt:
    case LLVMSExt:
        return FLOW_WIDER;
    case LLVMTrunc:
        return FLOW_NARROWER;
    case LLVMAdd:
    case LLVMSub:
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor:
        return FLOW_ARITHMETIC;
    case LLVMMul:
    case LLVMShl:
    case LLVMLShr:
    case LLVMAShr:
    case LLVMUDiv:
    case LLVMSDiv:
    case LLVMURem:
    case LLVMSRem:
    case LLVMFNeg:
    case LLVMFPExt:
    case LLVMFPTrunc:
        return FLOW_UNKNOWN;
    case LLVMInsertElement:
        return operand == 2 ? 0 : FLOW_INTO_VECTOR; /* the third is the lane's number */
    case LLVMExtractElement:
        return operand ? 0 : FLOW_OUT_OF_VECTOR;
    case LLVMShuffleVector:
        return FLOW_LANES;
    case LLVMInsertValue:
        return FLOW_INTO_STRUCT;
    case LLVMExtractValue:
        return FLOW_OUT_OF_STRUCT;
    case LLVMCall:
    case LLVMInvoke:
    case LLVMCallBr:
        return flow_of_call(i, operand);
    default:
        return 0;
    }
}

unsigned flow_of(LLVMValueRef user, LLVMValueRef v) {
    unsigned flow = 0;
    if (LLVMIsAPHINode(user)) /* may have as many operands as V has phis */
        return FLOW_CHOICE;
    for (int k = 0; LLVMIsAInstruction(user) && k < LLVMGetNumOperands(user); k++)
        flow |= LLVMGetOperand(user, (unsigned)k) == v ? flow_at(user, (unsigned)k) : 0;
    return flow;
}

int body_gives_back(LLVMValueRef call, LLVMValueRef v) {
    LLVMValueRef callee = LLVMGetCalledValue(call);
    int is_void = LLVMGetTypeKind(LLVMTypeOf(call)) == LLVMVoidTypeKind;
    unsigned n = LLVMIsAFunction(callee) && !is_void ? LLVMCountParams(callee) : 0;
    for (LLVMBasicBlockRef b = n ? LLVMGetFirstBasicBlock(callee) : NULL; b; b = LLVMGetNextBasicBlock(b)) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
        LLVMValueRef given = end && LLVMIsAReturnInst(end) && LLVMGetNumOperands(end)
                                 ? stepped_from(LLVMGetOperand(end, 0), FLOW_STEP | FLOW_CAST)
                                 : NULL;
        for (unsigned i = 0; given && LLVMIsAArgument(given) && i < n && i < LLVMGetNumArgOperands(call); i++)
            if (LLVMGetOperand(call, i) == v && LLVMGetParam(callee, i) == given)
                return 1;
    }
    return 0;
}

/* ---- Memory -------------------------------------------------------------------------------------------------- */

struct memory_access flow_access(LLVMValueRef i) {
    static const char loads[] = "llvm.masked.load.,llvm.masked.gather.,llvm.masked.expandload.,llvm.vp.load.,"
                                "llvm.vp.gather.,llvm.experimental.vp.strided.load.",
                      stores[] = "llvm.masked.store.,llvm.masked.scatter.,llvm.masked.compressstore.,llvm.vp.store.,"
                                 "llvm.vp.scatter.,llvm.experimental.vp.strided.store.";
    struct memory_access a = {NULL, NULL, NULL};
    const char *name;
    if (LLVMIsALoadInst(i))
        a.from = LLVMGetOperand(i, 0);
    else if (LLVMIsAStoreInst(i))
        a = (struct memory_access){NULL, LLVMGetOperand(i, 1), LLVMGetOperand(i, 0)};
    else if (LLVMIsAAtomicRMWInst(i) || LLVMIsAAtomicCmpXchgInst(i))
        a = (struct memory_access){LLVMGetOperand(i, 0), LLVMGetOperand(i, 0),
                                   LLVMGetOperand(i, LLVMIsAAtomicRMWInst(i) ? 1 : 2)};
    else if ((name = intrinsic_name(i)) == NULL)
        return a;
    else if (starts_with(name, "llvm.memcpy.") || starts_with(name, "llvm.memmove."))
        a = (struct memory_access){LLVMGetOperand(i, 1), LLVMGetOperand(i, 0), NULL};
    else if (list_begins(loads, name))
        a.from = LLVMGetOperand(i, 0);
    else if (list_begins(stores, name))
        a = (struct memory_access){NULL, LLVMGetOperand(i, 1), LLVMGetOperand(i, 0)};
    return a;
}

/* How an address may lead to another one in the same memory. */
enum { LEADS = FLOW_ADDRESS | FLOW_MASK | FLOW_BACK | FLOW_INTO_VECTOR | FLOW_LANES | FLOW_OUT_OF_VECTOR };

void flow_memory(struct set *memory, LLVMValueRef address) {
    struct set all = {0};
    set_add(&all, address);
    for (size_t i = 0; i < all.count; i++)
        if (LLVMIsAAllocaInst(all.item[i]) || LLVMIsAGlobalVariable(all.item[i]))
            set_add(memory, all.item[i]);
        else
            flow_sources(&all, all.item[i], LEADS);
    set_free(&all);
}

/* Adds what reads from MEMORY, or with WRITES what writes there, at any address within; copies are followed from one
 * memory to the other. */
static void add_accesses(LLVMValueRef memory, int writes, struct set *accesses) {
    struct set at = {0};
    set_add(&at, memory);
    for (size_t i = 0; i < at.count; i++)
        for (LLVMUseRef use = LLVMGetFirstUse(at.item[i]); use; use = LLVMGetNextUse(use)) {
            LLVMValueRef user = LLVMGetUser(use);
            struct memory_access a = flow_access(user);
            LLVMValueRef here = writes ? a.to : a.from, there = writes ? a.from : a.to;
            if (!LLVMIsAInstruction(user))
                continue;
            if (flow_of(user, at.item[i]) & LEADS)
                set_add(&at, user);
            if (here == at.item[i] && there && !a.value) /* a copy */
                flow_memory(&at, there);
            else if (here == at.item[i])
                set_add(accesses, user);
        }
    set_free(&at);
}

void flow_reads(LLVMValueRef address, LLVMValueRef f, struct set *reads) {
    struct set memory = {0}, all = {0};
    flow_memory(&memory, address);
    for (size_t i = 0; i < memory.count; i++)
        add_accesses(memory.item[i], 0, &all);
    for (size_t i = 0; i < all.count; i++)
        if (function_of(all.item[i]) == f)
            set_add(reads, all.item[i]);
    set_free(&memory);
    set_free(&all);
}

void flow_stored(LLVMValueRef memory, struct set *stores) {
    add_accesses(memory, 1, stores);
}
