/* float_addresses.c - addresses that come out of a double, on x86-64.
 *
 * Where LLVM 19 selects instructions fast (at level 0, and in functions with optnone), an address is looked for behind
 * casts, and a bitcast of a double is taken for one that leaves the value where it is: the address becomes the vector
 * register, as in "movq (%xmm0), %rax", which the processor reads as another one (X86FastISel.cpp, X86SelectAddress and
 * X86SelectCallAddress). Nothing looks behind a freeze.
 *
 * No issue of LLVM's was found. tests/process/llvm19/float_addresses.ll fails where it is repaired.
 */
#include "deviations.h"
#include "ir.h"
#include "llvm19.h"

#include <elf.h>

/* 1 if V is a double's bits. */
static int is_from_double(LLVMValueRef v) {
    return LLVMIsABitCastInst(v) && LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMIntegerTypeKind &&
           LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(v, 0))) == LLVMDoubleTypeKind;
}

/* 1 if the integer V becomes a pointer in its block, perhaps after additions. */
static int becomes_address(LLVMValueRef v) {
    struct set all = {0};
    int result = 0;
    set_add(&all, v);
    for (size_t i = 0; i < all.count && !result; i++)
        for (LLVMUseRef use = LLVMGetFirstUse(all.item[i]); use; use = LLVMGetNextUse(use)) {
            LLVMValueRef user = LLVMGetUser(use);
            if (LLVMGetInstructionParent(user) != LLVMGetInstructionParent(v))
                continue;
            result |= LLVMIsAIntToPtrInst(user) != NULL;
            if (LLVMGetInstructionOpcode(user) == LLVMAdd)
                set_add(&all, user);
        }
    set_free(&all);
    return result;
}

/* Freezes the bits of doubles that become addresses in F. */
static void freeze_addresses(struct compile *c, LLVMValueRef f) {
    for (LLVMValueRef i = first_instruction(f); i; i = instruction_after(i))
        if (is_from_double(i) && becomes_address(i)) {
            value_freeze(i);
            deviate(c, DEVIATION_FREEZES_ADDRESSES);
        }
}

/* Freezes the bits of doubles that become addresses, on x86-64 where instructions are selected fast. */
void float_addresses_freeze(struct compile *c) {
    assert(c->form == FORM_REWRITTEN);
    for (LLVMValueRef f = LLVMGetFirstFunction(c->module); c->elf_machine == EM_X86_64 && f;
         f = LLVMGetNextFunction(f))
        if (c->options->opt == SM_OPT_0 || function_attribute(f, "optnone"))
            freeze_addresses(c, f);
}
