/* values.h - questions to one value, type or call that one look answers. ir.h has all others. */
#ifndef CORE_VALUES_H
#define CORE_VALUES_H

#include "memory.h"
#include "set.h"

#include <assert.h>
#include <llvm-c/Core.h>
#include <stdint.h>
#include <string.h>

static inline int starts_with(const char *text, const char *prefix) {
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

/* 1 if one of the words of LIST, between commas, is NAME, of LEN bytes; or if TEXT begins with one of them. */
static inline int list_has(const char *list, const char *name, size_t len) {
    for (size_t n; *list; list += n + (list[n] == ',')) {
        n = strcspn(list, ",");
        if (n == len && memcmp(list, name, len) == 0)
            return 1;
    }
    return 0;
}

static inline int list_begins(const char *list, const char *text) {
    for (size_t n; *list; list += n + (list[n] == ',')) {
        n = strcspn(list, ",");
        if (strncmp(text, list, n) == 0)
            return 1;
    }
    return 0;
}

/* ---- Types ---- */

static inline int is_vector(LLVMTypeRef type) { /* of a fixed number of elements, or scalable */
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    return kind == LLVMVectorTypeKind || kind == LLVMScalableVectorTypeKind;
}

/* The type of a vector's elements; of another type, that type. */
static inline LLVMTypeRef element_type(LLVMTypeRef type) {
    return is_vector(type) ? LLVMGetElementType(type) : type;
}

/* It, or the elements of a vector: pointers, or integers of 64 bits or more. */
static inline int is_address_wide(LLVMTypeRef type) {
    LLVMTypeRef t = element_type(type);
    LLVMTypeKind kind = LLVMGetTypeKind(t);
    return kind == LLVMPointerTypeKind || (kind == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(t) >= 64);
}

/* An address space that means something to LLVM's x86 itself. */
static inline int is_targets_space(unsigned number) {
    enum { SEGMENTS = 256, SEGMENTS_LAST = 258, MIXED = 270, MIXED_LAST = 272 };
    return (number >= SEGMENTS && number <= SEGMENTS_LAST) || (number >= MIXED && number <= MIXED_LAST);
}

/* ---- Uses ---- */

/* Which operand of its user the use is. An instruction's uses lie one behind another, so that no search among the
 * thousands of a phi is needed for each of its values. */
static inline unsigned use_operand(LLVMUseRef use) {
    LLVMValueRef user = LLVMGetUser(use);
    if (LLVMGetNumOperands(user) < 2)
        return 0;
    const char *first = (const char *)LLVMGetOperandUse(user, 0);
    size_t size = (size_t)((const char *)LLVMGetOperandUse(user, 1) - first);
    unsigned operand = (unsigned)((size_t)((const char *)use - first) / size);
    assert(LLVMGetOperandUse(user, operand) == use);
    return operand;
}

/* Replaces OLD by NEW among the operands of USER. */
static inline void replace_operand(LLVMValueRef user, LLVMValueRef old, LLVMValueRef new) {
    for (int i = 0; i < LLVMGetNumOperands(user); i++)
        if (LLVMGetOperand(user, (unsigned)i) == old)
            LLVMSetOperand(user, (unsigned)i, new);
}

/* 1 if IS_NEEDED says 1 of a user of V. */
static inline int any_user(LLVMValueRef v, int (*is_needed)(LLVMValueRef user)) {
    LLVMUseRef use = LLVMGetFirstUse(v);
    while (use && !is_needed(LLVMGetUser(use)))
        use = LLVMGetNextUse(use);
    return use != NULL;
}

/* Adds to USERS the instructions that use V and of which IS_NEEDED (NULL: all) says 1. */
static inline void add_users(LLVMValueRef v, int (*is_needed)(LLVMValueRef user), struct set *users) {
    for (LLVMUseRef use = LLVMGetFirstUse(v); use; use = LLVMGetNextUse(use))
        if (LLVMIsAInstruction(LLVMGetUser(use)) && (!is_needed || is_needed(LLVMGetUser(use))))
            set_add(users, LLVMGetUser(use));
}

/* Puts BY in the place of the instruction V, and deletes V. */
static inline void replace_value(LLVMValueRef v, LLVMValueRef by) {
    LLVMReplaceAllUsesWith(v, by);
    LLVMInstructionEraseFromParent(v);
}

/* ---- Places ---- */

/* The instructions of F, of all its blocks one after another: the first one, and the one that follows I; NULL: none. */
static inline LLVMValueRef first_of_blocks(LLVMBasicBlockRef block) {
    while (block && !LLVMGetFirstInstruction(block))
        block = LLVMGetNextBasicBlock(block);
    return block ? LLVMGetFirstInstruction(block) : NULL;
}

static inline LLVMValueRef first_instruction(LLVMValueRef f) {
    return first_of_blocks(LLVMGetFirstBasicBlock(f));
}

static inline LLVMValueRef instruction_after(LLVMValueRef i) {
    LLVMValueRef next = LLVMGetNextInstruction(i);
    return next ? next : first_of_blocks(LLVMGetNextBasicBlock(LLVMGetInstructionParent(i)));
}

/* The parameters of F, and then its instructions: the first one, and the one that follows V; NULL: none. */
static inline LLVMValueRef first_value(LLVMValueRef f) {
    return LLVMCountParams(f) ? LLVMGetFirstParam(f) : first_instruction(f);
}

static inline LLVMValueRef next_value(LLVMValueRef v) {
    if (!LLVMIsAArgument(v))
        return instruction_after(v);
    LLVMValueRef next = LLVMGetNextParam(v);
    return next ? next : first_instruction(LLVMGetParamParent(v));
}

/* 1 if IS_NEEDED says 1 of an instruction of F; or adds all of which it does to INSTRUCTIONS, in their order. */
static inline int any_instruction(LLVMValueRef f, int (*is_needed)(LLVMValueRef i)) {
    LLVMValueRef i = first_instruction(f);
    while (i && !is_needed(i))
        i = instruction_after(i);
    return i != NULL;
}

static inline void collect_instructions(LLVMValueRef f, int (*is_needed)(LLVMValueRef i), struct set *instructions) {
    for (LLVMValueRef i = first_instruction(f); i; i = instruction_after(i))
        if (is_needed(i))
            set_add(instructions, i);
}

/* How many of the words that !llvm.loop says of the loop with this backedge are WORD; *OTHERS is how many are not. A node
 * of too many operands has one of those. */
static inline unsigned loop_words(LLVMContextRef context, LLVMValueRef backedge, const char *word, unsigned *others) {
    enum { OPERANDS = 32 };
    LLVMValueRef operand[OPERANDS], first[OPERANDS];
    LLVMValueRef node = LLVMGetMetadata(backedge, LLVMGetMDKindIDInContext(context, "llvm.loop", 9));
    unsigned count = node ? LLVMGetMDNodeNumOperands(node) : 0, len, found = 0;
    *others = count > OPERANDS;
    if (count == 0 || count > OPERANDS)
        return 0;
    LLVMGetMDNodeOperands(node, operand);
    for (unsigned i = 1; i < count; i++) {
        unsigned parts = operand[i] && LLVMIsAMDNode(operand[i]) ? LLVMGetMDNodeNumOperands(operand[i]) : 0;
        if (parts == 0 || parts > OPERANDS)
            continue;
        LLVMGetMDNodeOperands(operand[i], first);
        const char *text = first[0] && LLVMIsAMDString(first[0]) ? LLVMGetMDString(first[0], &len) : NULL;
        if (text && len == strlen(word) && memcmp(text, word, len) == 0)
            found++;
        else if (text)
            ++*others;
    }
    return found;
}

/* Takes I from its place and puts it where the builder is, with the name it has. */
static inline void move_instruction(LLVMBuilderRef b, LLVMValueRef i) {
    size_t len;
    const char *name = LLVMGetValueName2(i, &len);
    char *kept = xstrndup(name, len);
    LLVMInstructionRemoveFromParent(i);
    LLVMInsertIntoBuilderWithName(b, i, kept);
    free(kept);
}

static inline LLVMValueRef function_of(LLVMValueRef i) { /* the one in which the instruction is */
    return LLVMGetBasicBlockParent(LLVMGetInstructionParent(i));
}

static inline LLVMValueRef past_allocas(LLVMValueRef f) { /* the first one that is no alloca */
    LLVMValueRef i = first_instruction(f);
    while (LLVMIsAAllocaInst(i))
        i = LLVMGetNextInstruction(i);
    return i;
}

/* The end of the block that leads to BLOCK by its only edge; NULL if there is another edge, or none. */
static inline LLVMValueRef only_edge_to(LLVMBasicBlockRef block) {
    LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(block));
    return use && !LLVMGetNextUse(use) && LLVMIsATerminatorInst(LLVMGetUser(use)) ? LLVMGetUser(use) : NULL;
}

/* A *new* builder that builds before I, or behind all that is in BLOCK. */
static inline LLVMBuilderRef builder_at(LLVMValueRef i) {
    LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetTypeContext(LLVMTypeOf(i)));
    LLVMPositionBuilderBefore(b, i);
    return b;
}

static inline LLVMBuilderRef builder_at_end(LLVMBasicBlockRef block) {
    LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetTypeContext(LLVMTypeOf(LLVMBasicBlockAsValue(block))));
    LLVMPositionBuilderAtEnd(b, block);
    return b;
}

/* All that uses the instruction V uses a freeze of it: code generation does not compute it again. */
static inline void value_freeze(LLVMValueRef v) {
    LLVMBuilderRef b = builder_at(LLVMGetNextInstruction(v));
    LLVMValueRef frozen = LLVMBuildFreeze(b, v, "");
    LLVMDisposeBuilder(b);
    LLVMReplaceAllUsesWith(v, frozen);
    LLVMSetOperand(frozen, 0, v);
}

/* ---- Attributes: LLVM's by their numbers, those that are text by their names ---- */

static inline unsigned attribute_kind(const char *name) {
    return LLVMGetEnumAttributeKindForName(name, strlen(name));
}

/* LLVM's attribute NAME of the function; NULL if it has none. Likewise of a call. */
static inline LLVMAttributeRef function_attribute(LLVMValueRef f, const char *name) {
    return LLVMGetEnumAttributeAtIndex(f, LLVMAttributeFunctionIndex, attribute_kind(name));
}

static inline void set_function_attribute(LLVMValueRef f, const char *name) {
    LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(f));
    LLVMAddAttributeAtIndex(f, LLVMAttributeFunctionIndex, LLVMCreateEnumAttribute(context, attribute_kind(name), 0));
}

/* Likewise those of LIST, words between commas. */
static inline void set_function_attributes(LLVMValueRef f, const char *list) {
    LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(f));
    for (size_t n; *list; list += n + (list[n] == ',')) {
        n = strcspn(list, ",");
        unsigned kind = LLVMGetEnumAttributeKindForName(list, n);
        LLVMAddAttributeAtIndex(f, LLVMAttributeFunctionIndex, LLVMCreateEnumAttribute(context, kind, 0));
    }
}

/* Gives F, or its parameter or result at this INDEX of attributes, LLVM's attribute NAME with this VALUE. */
static inline void set_attribute_at(LLVMValueRef f, unsigned index, const char *name, uint64_t value) {
    LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(f));
    LLVMAddAttributeAtIndex(f, index, LLVMCreateEnumAttribute(context, attribute_kind(name), value));
}

/* The first of LIST's attributes, words between commas, that F has at this INDEX; NULL: none. */
static inline LLVMAttributeRef listed_attribute_at(LLVMValueRef f, unsigned index, const char *list) {
    LLVMAttributeRef a = NULL;
    for (size_t n; !a && *list; list += n + (list[n] == ',')) {
        n = strcspn(list, ",");
        a = LLVMGetEnumAttributeAtIndex(f, index, LLVMGetEnumAttributeKindForName(list, n));
    }
    return a;
}

/* 1 if V is a parameter of F with LLVM's attribute NAME. */
static inline int is_parameter_with(LLVMValueRef f, LLVMValueRef v, const char *name) {
    unsigned i = 0, count = LLVMCountParams(f);
    while (i < count && LLVMGetParam(f, i) != v)
        i++;
    return i < count && LLVMGetEnumAttributeAtIndex(f, i + 1, attribute_kind(name));
}

/* The attribute of F by which code generation moves slots elsewhere than records say (LLVM's #78937); NULL. */
static inline const char *slot_mover(LLVMValueRef f) {
    return function_attribute(f, "safestack")         ? "safestack"
           : function_attribute(f, "sanitize_memtag") ? "sanitize_memtag"
                                                      : NULL;
}

static inline void remove_function_attribute(LLVMValueRef f, const char *name) {
    LLVMRemoveEnumAttributeAtIndex(f, LLVMAttributeFunctionIndex, attribute_kind(name));
}

static inline LLVMAttributeRef call_enum_attribute(LLVMValueRef call, const char *name) {
    return LLVMGetCallSiteEnumAttribute(call, LLVMAttributeFunctionIndex, attribute_kind(name));
}

static inline void set_call_enum_attribute(LLVMValueRef call, const char *name) {
    LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(call));
    LLVMAddCallSiteAttribute(call, LLVMAttributeFunctionIndex,
                             LLVMCreateEnumAttribute(context, attribute_kind(name), 0));
}

static inline void remove_call_enum_attribute(LLVMValueRef call, const char *name) {
    LLVMRemoveCallSiteEnumAttribute(call, LLVMAttributeFunctionIndex, attribute_kind(name));
}

/* The function's attribute NAME that has text; NULL if it has none. Likewise of a call. */
static inline LLVMAttributeRef text_attribute(LLVMValueRef f, const char *name) {
    return LLVMGetStringAttributeAtIndex(f, LLVMAttributeFunctionIndex, name, (unsigned)strlen(name));
}

static inline LLVMAttributeRef call_attribute(LLVMValueRef call, const char *name) {
    return LLVMGetCallSiteStringAttribute(call, LLVMAttributeFunctionIndex, name, (unsigned)strlen(name));
}

static inline void remove_text_attribute(LLVMValueRef f, const char *name) {
    LLVMRemoveStringAttributeAtIndex(f, LLVMAttributeFunctionIndex, name, (unsigned)strlen(name));
}

static inline void remove_call_attribute(LLVMValueRef call, const char *name) {
    LLVMRemoveCallSiteStringAttribute(call, LLVMAttributeFunctionIndex, name, (unsigned)strlen(name));
}

static inline LLVMAttributeRef new_text_attribute(LLVMContextRef context, const char *name, const char *value) {
    return LLVMCreateStringAttribute(context, name, (unsigned)strlen(name), value, (unsigned)strlen(value));
}

static inline void set_text_attribute(LLVMContextRef context, LLVMValueRef f, const char *name, const char *value) {
    LLVMAddAttributeAtIndex(f, LLVMAttributeFunctionIndex, new_text_attribute(context, name, value));
}

static inline void set_call_attribute(LLVMContextRef context, LLVMValueRef call, const char *name,
                                      const char *value) {
    LLVMAddCallSiteAttribute(call, LLVMAttributeFunctionIndex, new_text_attribute(context, name, value));
}

/* ---- Values: 0, NULL or "" of a value that is none such ---- */

static inline const char *value_name(LLVMValueRef v) { /* as long as V has it */
    size_t len;
    return LLVMGetValueName2(v, &len);
}

static inline int is_pointer(LLVMValueRef v) { /* or a vector of them */
    return LLVMGetTypeKind(element_type(LLVMTypeOf(v))) == LLVMPointerTypeKind;
}

static inline int is_null(LLVMValueRef v) { /* a constant null or zero, which never becomes old */
    return LLVMIsConstant(v) && LLVMIsNull(v);
}

static inline int is_call(LLVMValueRef v) { /* call, invoke, callbr */
    LLVMOpcode op = LLVMIsAInstruction(v) ? LLVMGetInstructionOpcode(v) : LLVMRet;
    return op == LLVMCall || op == LLVMInvoke || op == LLVMCallBr;
}

static inline int leaves_function(LLVMValueRef v) { /* a return, or an exception that goes on to the caller */
    return LLVMIsAReturnInst(v) || LLVMIsAResumeInst(v);
}

/* The name of the function that V calls; "" if V is no call, or an indirect one. */
static inline const char *called_function(LLVMValueRef v) {
    LLVMValueRef callee = is_call(v) ? LLVMGetCalledValue(v) : NULL;
    return callee && LLVMIsAFunction(callee) ? value_name(callee) : "";
}

static inline const char *intrinsic_name(LLVMValueRef v) { /* "llvm.…" */
    const char *name = called_function(v);
    return starts_with(name, "llvm.") && name[5] ? name : NULL;
}

static inline int is_intrinsic(LLVMValueRef v, const char *prefix) { /* the name begins so */
    return starts_with(called_function(v), prefix);
}

/* 1 if NAME is the intrinsic's, or an overload's of it. */
static inline int is_overload(const char *name, const char *intrinsic) {
    size_t n = strlen(intrinsic);
    return strncmp(name, intrinsic, n) == 0 && (!name[n] || name[n] == '.');
}

static inline int is_lifetime_mark(LLVMValueRef v) {
    return is_intrinsic(v, "llvm.lifetime.");
}

static inline int is_statepoint(LLVMValueRef v) {
    return is_intrinsic(v, "llvm.experimental.gc.statepoint");
}

static inline LLVMTypeRef statepoint_callee_type(LLVMValueRef statepoint) { /* NULL: it does not say */
    enum { CALLEE = 2 };
    LLVMAttributeRef a = LLVMGetCallSiteEnumAttribute(statepoint, CALLEE + 1, attribute_kind("elementtype"));
    return a ? LLVMGetTypeAttributeValue(a) : NULL;
}

enum { RELOCATE_TOKEN, RELOCATE_BASE, RELOCATE_DERIVED }; /* operands of llvm.experimental.gc.relocate */

static inline int is_relocate(LLVMValueRef v) {
    return is_intrinsic(v, "llvm.experimental.gc.relocate");
}

static inline int is_result(LLVMValueRef v) {
    return is_intrinsic(v, "llvm.experimental.gc.result");
}

static inline int is_deoptimize(LLVMValueRef v) {
    return is_intrinsic(v, "llvm.experimental.deoptimize.");
}

static inline int is_gcroot(LLVMValueRef v) {
    return strcmp(called_function(v), "llvm.gcroot") == 0;
}

static inline int is_memory_copy(LLVMValueRef v) { /* llvm.memcpy, llvm.memmove; not element by element */
    return is_intrinsic(v, "llvm.memcpy.") || is_intrinsic(v, "llvm.memmove.");
}

static inline int leads_elsewhere(LLVMValueRef gep) { /* it has an index that is not 0 */
    for (int i = 1; i < LLVMGetNumOperands(gep); i++)
        if (!is_null(LLVMGetOperand(gep, (unsigned)i)))
            return 1;
    return 0;
}

/* The first instruction of the block that is no phi, or neither phi nor landing pad; NULL if it has none such yet. */
static inline LLVMValueRef past_phis(LLVMBasicBlockRef block) {
    LLVMValueRef i = LLVMGetFirstInstruction(block);
    while (i && LLVMIsAPHINode(i))
        i = LLVMGetNextInstruction(i);
    return i;
}

static inline LLVMValueRef past_pads(LLVMBasicBlockRef block) {
    LLVMValueRef i = past_phis(block);
    while (i && LLVMIsALandingPadInst(i))
        i = LLVMGetNextInstruction(i);
    return i;
}

/* The statepoint that the token, or landing pad, is of; NULL if that is not clear: several invokes lead to the pad. */
static inline LLVMValueRef statepoint_of_token(LLVMValueRef token) {
    if (!LLVMIsALandingPadInst(token))
        return is_statepoint(token) ? token : NULL;
    LLVMValueRef invoke = only_edge_to(LLVMGetInstructionParent(token));
    return invoke && is_statepoint(invoke) ? invoke : NULL;
}

static inline uint64_t alloca_count(LLVMValueRef slot) { /* of how many values of its type it is; 0 if that varies */
    LLVMValueRef count = LLVMGetOperand(slot, 0);
    return LLVMIsAConstantInt(count) ? LLVMConstIntGetZExtValue(count) : 0;
}

/* 1 if the frame has a fixed size with this alloca in it: its own is fixed, it is in the first block, and the stack's
 * alignment is enough for it. */
static inline int is_in_fixed_frame(LLVMValueRef slot) {
    enum { STACK_ALIGNMENT = 16 };
    LLVMBasicBlockRef block = LLVMGetInstructionParent(slot);
    return LLVMIsAConstantInt(LLVMGetOperand(slot, 0)) && LLVMGetAlignment(slot) <= STACK_ALIGNMENT &&
           block == LLVMGetEntryBasicBlock(LLVMGetBasicBlockParent(block));
}

/* ---- Calls ---- */

#define LEAF_ATTRIBUTE "gc-leaf-function" /* LLVM's, of calls and functions: they become no statepoints */

static inline int is_leaf_call(LLVMValueRef call) { /* it says so itself */
    return call_attribute(call, LEAF_ATTRIBUTE) != NULL;
}

static inline int is_leaf_function(LLVMValueRef f) { /* its attributes say so of all calls of it */
    return text_attribute(f, LEAF_ATTRIBUTE) != NULL;
}

/* F, a mark, is a leaf with the attributes of LIST, and reads and writes memory that nobody sees: calls of it are neither
 * dropped nor merged, and all else may move past them. */
static inline void set_mark_attributes(LLVMValueRef f, const char *list) {
    enum { READ_WRITE = 3 << 2 };
    set_function_attributes(f, list);
    set_attribute_at(f, (unsigned)LLVMAttributeFunctionIndex, "memory", READ_WRITE);
    set_text_attribute(LLVMGetTypeContext(LLVMTypeOf(f)), f, LEAF_ATTRIBUTE, "");
}

/* Builds before BEFORE a call of F; or one that is no safepoint. */
static inline LLVMValueRef call_before(LLVMValueRef before, LLVMValueRef f, LLVMValueRef *args, unsigned count) {
    LLVMBuilderRef b = builder_at(before);
    LLVMValueRef call = LLVMBuildCall2(b, LLVMGlobalGetValueType(f), f, args, count, "");
    LLVMDisposeBuilder(b);
    return call;
}

static inline LLVMValueRef leaf_call_before(LLVMValueRef before, LLVMValueRef f, LLVMValueRef *args, unsigned count) {
    LLVMValueRef call = call_before(before, f, args, count);
    set_call_attribute(LLVMGetTypeContext(LLVMTypeOf(call)), call, LEAF_ATTRIBUTE, "");
    return call;
}

static inline int is_musttail(LLVMValueRef call) {
    return LLVMIsACallInst(call) && LLVMGetTailCallKind(call) == LLVMTailCallKindMustTail;
}

/* LLVM's attribute NAME that the call, or else its callee, has at this INDEX of attributes; NULL. */
static inline LLVMAttributeRef attribute_of_either(LLVMValueRef call, unsigned index, const char *name) {
    unsigned kind = attribute_kind(name);
    LLVMValueRef callee = LLVMGetCalledValue(call);
    LLVMAttributeRef a = LLVMGetCallSiteEnumAttribute(call, index, kind);
    return a || !LLVMIsAFunction(callee) ? a : LLVMGetEnumAttributeAtIndex(callee, index, kind);
}

static inline LLVMAttributeRef either_attribute(LLVMValueRef call, const char *name) { /* of the call itself */
    return attribute_of_either(call, (unsigned)LLVMAttributeFunctionIndex, name);
}

static inline int argument_has(LLVMValueRef call, unsigned index, const char *name) { /* its argument number INDEX */
    return attribute_of_either(call, index + 1, name) != NULL;
}

/* For messages: what is called. */
static inline const char *target_name(LLVMValueRef target) {
    return LLVMIsAGlobalValue(target) ? value_name(target)
           : LLVMIsAInlineAsm(target) ? "inline assembly"
                                      : "an indirect callee";
}

static inline const char *callee_name(LLVMValueRef call) {
    return target_name(LLVMGetCalledValue(call));
}

static inline const char *safepoint_name(LLVMValueRef call) { /* likewise; of a statepoint, what it stands for */
    enum { TARGET = 2 };
    return target_name(is_statepoint(call) ? LLVMGetOperand(call, TARGET) : LLVMGetCalledValue(call));
}

/* 1 if NAME is an alias or an ifunc, which a look for a function or a variable does not find. */
static inline int is_other_name(LLVMModuleRef m, const char *name) {
    size_t len = strlen(name);
    return LLVMGetNamedGlobalAlias(m, name, len) || LLVMGetNamedGlobalIFunc(m, name, len);
}

/* The module's function NAME; declared with TYPE if it is not there yet. */
static inline LLVMValueRef declared_function(LLVMModuleRef m, const char *name, LLVMTypeRef type) {
    LLVMValueRef f = LLVMGetNamedFunction(m, name);
    return f ? f : LLVMAddFunction(m, name, type);
}

/* Whether the module declares a function NAME that something uses. */
static inline int is_function_used(LLVMModuleRef m, const char *name) {
    LLVMValueRef f = LLVMGetNamedFunction(m, name);
    return f && LLVMIsDeclaration(f) && LLVMGetFirstUse(f);
}

/* Adds the module's function or variable NAME, which may be NULL, to the set, if there is one. */
static inline void symbol_add(LLVMModuleRef m, const char *name, struct set *symbols) {
    LLVMValueRef f = name ? LLVMGetNamedFunction(m, name) : NULL, g = name && !f ? LLVMGetNamedGlobal(m, name) : f;
    if (g)
        set_add(symbols, g);
}

/* blocks.c: replaces PHI by an equal one that has the block NOW for the block WAS; NULL: no value from there. */
void phi_redirect(LLVMBuilderRef b, LLVMValueRef phi, LLVMBasicBlockRef was, LLVMBasicBlockRef now);

/* calls.c: the invoke again, as a call; its block then has no end. */
LLVMValueRef call_from_invoke(LLVMValueRef invoke);

/* The variable that LLVM has for the frames of shadow-stack functions, unless the module has one of the name. */
#define SHADOW_CHAIN "llvm_gc_root_chain"

#endif
