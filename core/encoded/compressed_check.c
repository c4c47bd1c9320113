/* compressed_check.c - what is done to compressed references (compressed_input.c) that could not be right: refused, with the
 * instruction.
 */
#include "compressed_input.h"
#include "ir.h"
#include "marks.h"

/* 1 if V has no compressed reference that is a constant other than null, undefined or a global's address; looks into
 * its operands, DEPTH deep. */
static int is_plain_constant(const struct compile *c, LLVMValueRef v, int depth) {
    if (!LLVMIsAConstant(v) || LLVMIsNull(v) || LLVMIsUndef(v) || LLVMIsAGlobalValue(v))
        return 1;
    if (LLVMIsAConstantExpr(v) && spaces_hold(c, LLVMTypeOf(v)))
        return 0;
    for (int i = 0; i < LLVMGetNumOperands(v); i++)
        if (depth == 0 || (LLVMIsAConstantExpr(v) && spaces_hold(c, LLVMTypeOf(LLVMGetOperand(v, (unsigned)i)))) ||
            !is_plain_constant(c, LLVMGetOperand(v, (unsigned)i), depth - 1))
            return 0;
    return 1;
}

enum { CONSTANT_DEPTH = 16 };

/* Refuses globals in an address space of compressed references, and initializers with such references that are not
 * null. */
static sm_status check_globals(struct compile *c) {
    for (LLVMValueRef g = LLVMGetFirstGlobal(c->module); g; g = LLVMGetNextGlobal(g)) {
        if (space_of(c, LLVMTypeOf(g)))
            return fail(c, SM_CANNOT_REWRITE, NULL,
                        "@%.200s lies in an address space of compressed references, where objects are alone",
                        value_name(g));
        if (LLVMGetInitializer(g) && spaces_hold(c, LLVMGlobalGetValueType(g)) &&
            !is_plain_constant(c, LLVMGetInitializer(g), CONSTANT_DEPTH))
            return fail(c, SM_CANNOT_REWRITE, NULL,
                        "@%.200s has a compressed reference that is a constant and not null", value_name(g));
    }
    return SM_OK;
}

/* 1 if the intrinsic may have compressed references as operands and results. */
static int is_allowed_intrinsic(const char *name) {
    return list_begins(GC_VALUE ",llvm.experimental.gc.statepoint,llvm.experimental.gc.result,"
                                "llvm.experimental.deoptimize,llvm.vector.,llvm.masked.,llvm.fake.use,llvm.dbg.",
                       name);
}

/* 1 if an operand bundle of CALL that ends in records lists a compressed reference; *TAG is then that bundle's. */
static int bundle_holds(const struct compile *c, LLVMValueRef call, const char **tag) {
    static const char *const tags[] = {"deopt", "gc-live", "gc-transition"};
    for (size_t t = 0; t < sizeof tags / sizeof *tags; t++) {
        struct operands b = call_operands(call, tags[t]);
        *tag = tags[t];
        for (unsigned i = b.first; i < b.end; i++)
            if (spaces_hold(c, LLVMTypeOf(LLVMGetOperand(call, i))))
                return 1;
    }
    return 0;
}

/* Refuses a call that uses compressed references where they cannot be right: as callee, in assembly, in bundles, as
 * memory passed by value, or of most intrinsics. */
static sm_status check_call_compressed_value(struct compile *c, LLVMValueRef f, LLVMValueRef i) {
    static const char *const by_address[] = {"byval", "sret", "inalloca", "preallocated", "swifterror", "swiftself"};
    const char *name = intrinsic_name(i), *tag;
    LLVMValueRef callee = LLVMGetCalledValue(i);
    if (space_of(c, LLVMTypeOf(callee)))
        return spaces_refuse(c, f, i, "calls by way of a compressed reference: only objects have them");
    if (LLVMIsAInlineAsm(callee) && spaces_hold(c, LLVMTypeOf(i)))
        return spaces_refuse(c, f, i,
                             "makes a compressed reference by assembly: give it an integer, or the object's address");
    if (bundle_holds(c, i, &tag))
        return spaces_refuse(
            c, f, i,
            "lists a compressed reference in an operand bundle, where no record could tell its width: give what an "
            "addrspacecast to address space 1 makes of it");
    for (unsigned a = 0; a < LLVMGetNumArgOperands(i); a++) {
        LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(i, a));
        if (!spaces_hold(c, type))
            continue;
        if (LLVMIsAInlineAsm(callee))
            return spaces_refuse(c, f, i, "gives a compressed reference to assembly: give the object's address");
        if (name && starts_with(name, "llvm.masked.") && LLVMGetTypeKind(type) == LLVMPointerTypeKind)
            return spaces_refuse(
                c, f, i, "accesses memory by way of a compressed reference: cast it to address space 1 first");
        for (size_t k = 0; k < sizeof by_address / sizeof *by_address; k++)
            if (argument_has(i, a, by_address[k]))
                return spaces_refuse(c, f, i, "has memory at a compressed reference as an argument");
    }
    int any = spaces_hold(c, LLVMTypeOf(i));
    for (unsigned a = 0; a < LLVMGetNumArgOperands(i); a++)
        any |= spaces_hold(c, LLVMTypeOf(LLVMGetOperand(i, a)));
    return any && name && !is_allowed_intrinsic(name)
               ? spaces_refuse(
                     c, f, i,
                     "is of an intrinsic that knows no compressed references: cast it to address space 1 first")
               : SM_OK;
}

/* 1 if the comparison I is for equality or inequality. */
static int is_equality(LLVMValueRef i) {
    return LLVMGetICmpPredicate(i) == LLVMIntEQ || LLVMGetICmpPredicate(i) == LLVMIntNE;
}

/* 1 if an operand of I is or contains a compressed reference. */
static int any_operand_holds(const struct compile *c, LLVMValueRef i) {
    for (int k = 0; k < LLVMGetNumOperands(i); k++)
        if (!LLVMIsABasicBlock(LLVMGetOperand(i, (unsigned)k)) &&
            spaces_hold(c, LLVMTypeOf(LLVMGetOperand(i, (unsigned)k))))
            return 1;
    return 0;
}

/* Refuses casts of compressed references other than an addrspacecast of one pointer from or to address space 1, and a
 * bitcast that changes nothing. */
static sm_status check_cast(struct compile *c, LLVMValueRef f, LLVMValueRef i) {
    LLVMTypeRef to = LLVMTypeOf(i), from = LLVMTypeOf(LLVMGetOperand(i, 0));
    if ((!spaces_hold(c, to) && !spaces_hold(c, from)) || c->casts_lowered)
        return SM_OK;
    if (LLVMIsABitCastInst(i) && to == from)
        return SM_OK;
    if (LLVMGetInstructionOpcode(i) != LLVMAddrSpaceCast)
        return spaces_refuse(c, f, i,
                             "makes an integer of a compressed reference, or one of an integer: no collector would "
                             "be told; cast it to address space 1 (addrspacecast) and go on from there");
    LLVMTypeRef other = space_of(c, from) ? to : from;
    if ((!space_of(c, from) && !space_of(c, to)) || LLVMGetTypeKind(other) != LLVMPointerTypeKind ||
        LLVMGetPointerAddressSpace(other) != 1)
        return spaces_refuse(c, f, i,
                             "casts a compressed reference: that is done one by one, to and from address space 1");
    return SM_OK;
}

/* Refuses an instruction that uses a compressed reference as no collector could support. */
static sm_status check_instruction_compressed_value(struct compile *c, LLVMValueRef f, LLVMValueRef i) {
    for (int k = 0; k < LLVMGetNumOperands(i); k++)
        if (!is_plain_constant(c, LLVMGetOperand(i, (unsigned)k), CONSTANT_DEPTH))
            return spaces_refuse(c, f, i, "has a compressed reference that is a constant and not null");
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMAlloca:
        return space_of(c, LLVMTypeOf(i)) ? spaces_refuse(c, f, i, "is a stack slot in an address space of objects")
                                          : SM_OK;
    case LLVMPtrToInt:
    case LLVMIntToPtr:
    case LLVMBitCast:
    case LLVMAddrSpaceCast:
        return check_cast(c, f, i);
    case LLVMICmp:
        return spaces_hold(c, LLVMTypeOf(LLVMGetOperand(i, 0))) && !is_equality(i)
                   ? spaces_refuse(c, f, i,
                                   "orders compressed references, which a collector changes: compare addresses")
                   : SM_OK;
    case LLVMVAArg:
        return spaces_hold(c, LLVMTypeOf(i))
                   ? spaces_refuse(c, f, i, "takes a compressed reference from variable arguments")
                   : SM_OK;
    case LLVMGetElementPtr:
        return LLVMGetTypeKind(LLVMTypeOf(i)) == LLVMVectorTypeKind && spaces_hold(c, LLVMTypeOf(i))
                   ? spaces_refuse(
                         c, f, i,
                         "derives a vector of compressed references: cast them to address space 1, one by one")
                   : SM_OK;
    case LLVMCall:
    case LLVMInvoke:
    case LLVMCallBr:
        return check_call_compressed_value(c, f, i);
    default:
        return SM_OK;
    }
}

/* Checks all instructions of F. Refuses compressed references in functions without statepoints, whose tables have
 * only roots of eight bytes. */
static sm_status check_function_compressed_value(struct compile *c, LLVMValueRef f) {
    const char *gc = LLVMGetGC(f);
    int tracked = !gc || is_statepoint_gc(gc);
    sm_status s = SM_OK;
    if (space_of(c, LLVMTypeOf(f)))
        s = fail(c, SM_CANNOT_REWRITE, f, "The function lies in an address space of compressed references");
    for (LLVMValueRef i = first_instruction(f); s == SM_OK && i; i = instruction_after(i)) {
        if (!tracked && (spaces_hold(c, LLVMTypeOf(i)) || any_operand_holds(c, i)))
            s = fail(c, SM_GC_MISMATCH, f, "Compressed references need a strategy with statepoints, and this is %s",
                     gc);
        else
            s = check_instruction_compressed_value(c, f, i);
    }
    return s;
}

sm_status spaces_check(struct compile *c) {
    sm_status s = check_globals(c);
    for (LLVMValueRef f = LLVMGetFirstFunction(c->module); s == SM_OK && f; f = LLVMGetNextFunction(f))
        s = check_function_compressed_value(c, f);
    return s;
}
