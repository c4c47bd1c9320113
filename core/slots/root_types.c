/* root_types.c - what a frontend says of the type of roots: the metadata of scoped roots, "gc-type" bundles (typed_roots.c),
 * and !smd.type on allocas. A constant integer is a number, which a record has as it is. A constant pointer is a
 * symbol, whose key it has; the section of types has the addresses.
 */
#include "ir.h"
#include "marks.h"
#include "reference_layout.h"

/* One step of a hash (FNV-1a) over 64-bit words. */
static uint64_t mix(uint64_t key, uint64_t with) {
    return (key ^ with) * UINT64_C(0x100000001b3);
}

/* The key of a symbol: by its name; of a local one, by the module's text as well, as other modules may have that
 * name. */
static uint64_t key_of(const struct compile *c, LLVMValueRef symbol, uint64_t offset) {
    uint64_t key = sm_type_key(value_name(symbol));
    LLVMLinkage linkage = LLVMGetLinkage(symbol);
    if (linkage == LLVMInternalLinkage || linkage == LLVMPrivateLinkage)
        for (size_t i = 0; i < c->input_len; i++)
            key = mix(key, (unsigned char)c->input[i]);
    return offset ? mix(key, offset) : key;
}

/* Adds to *OFFSET how far a constant getelementptr leads. 0 if that is not known. */
static int step_of(const struct compile *c, LLVMValueRef step, uint64_t *offset) {
    LLVMTargetDataRef data = LLVMGetModuleDataLayout(c->module);
    LLVMTypeRef type = LLVMArrayType2(LLVMGetGEPSourceElementType(step), 1);
    for (int i = 1; i < LLVMGetNumOperands(step); i++) {
        LLVMValueRef index = LLVMGetOperand(step, (unsigned)i);
        LLVMTypeKind kind = LLVMGetTypeKind(type);
        if (!LLVMIsAConstantInt(index) || LLVMGetIntTypeWidth(LLVMTypeOf(index)) > 64)
            return 0;
        if (kind == LLVMStructTypeKind) {
            unsigned n = (unsigned)LLVMConstIntGetZExtValue(index);
            *offset += LLVMOffsetOfElement(data, type, n);
            type = LLVMStructGetTypeAtIndex(type, n);
        } else if (kind == LLVMArrayTypeKind) {
            type = LLVMGetElementType(type);
            *offset += (uint64_t)LLVMConstIntGetSExtValue(index) * LLVMABISizeOfType(data, type);
        } else {
            return 0;
        }
    }
    return 1;
}

/* The global that the constant pointer V is based on, with the *OFFSET from it; NULL if there is none. */
static LLVMValueRef symbol_of(const struct compile *c, LLVMValueRef v, uint64_t *offset) {
    *offset = 0;
    while (LLVMIsAConstantExpr(v) && LLVMGetConstOpcode(v) == LLVMGetElementPtr && step_of(c, v, offset))
        v = LLVMGetOperand(v, 0);
    return LLVMIsAGlobalValue(v) ? v : NULL;
}

/* Adds the key and address to the table of types, unless the key is there. */
static void add_symbol(struct compile *c, uint64_t key, LLVMValueRef address) {
    for (size_t i = 0; i < c->slots.types; i++)
        if (c->slots.type[i].key == key)
            return;
    c->slots.type = xgrow(c->slots.type, c->slots.types, &c->slots.types_room, sizeof *c->slots.type);
    c->slots.type[c->slots.types++] = (struct type_symbol){key, address};
}

/* 1 if V is a constant integer of up to 64 bits, perhaps cast to a pointer; *NUMBER is its value. */
static int is_root_type_number(LLVMValueRef v, uint64_t *number) {
    if (LLVMIsAConstantExpr(v) && LLVMGetConstOpcode(v) == LLVMIntToPtr)
        v = LLVMGetOperand(v, 0);
    if (!LLVMIsAConstantInt(v))
        return 0;
    *number = LLVMGetIntTypeWidth(LLVMTypeOf(v)) <= 64 ? LLVMConstIntGetZExtValue(v) : 0;
    return LLVMGetIntTypeWidth(LLVMTypeOf(v)) <= 64;
}

/* Gives the slot's region the type TYPE, if it has a region and TYPE is not NULL or null. Refuses a second type, and
 * one that no table can hold. */
sm_status region_set_type(struct compile *c, LLVMValueRef f, LLVMValueRef slot, LLVMValueRef type) {
    struct region *r = region_find(c, slot);
    uint64_t number, offset, key;
    if (!r || !type || (LLVMGetTypeKind(LLVMTypeOf(type)) == LLVMPointerTypeKind && LLVMIsNull(type)))
        return SM_OK;
    LLVMValueRef symbol = symbol_of(c, type, &offset);
    unsigned bits = SM_FACT_TYPE | (symbol ? SM_FACT_SYMBOL : 0);
    if (symbol)
        key = key_of(c, symbol, offset);
    else if (is_root_type_number(type, &number))
        key = number;
    else
        return fail(c, SM_INVALID_GCROOT, f,
                    "The type of %%%.200s is neither a number nor the address of a global: no table can have it",
                    value_name(slot));
    if (r->bits & SM_FACT_TYPE && (r->type != key || (r->bits & bits) != bits))
        return fail(c, SM_INVALID_GCROOT, f, "%%%.200s has two types: give each a slot or a value of its own",
                    value_name(slot));
    r->bits |= bits;
    r->type = key;
    if (symbol)
        add_symbol(c, key, type);
    return SM_OK;
}

/* The type that !smd.type gives the instruction I; NULL if it has none, or a wrong one, which is a diagnostic. */
LLVMValueRef type_in_metadata(struct compile *c, LLVMValueRef i) {
    unsigned kind = LLVMGetMDKindIDInContext(c->context, TYPE_METADATA, sizeof TYPE_METADATA - 1);
    LLVMValueRef node = LLVMGetMetadata(i, kind), value = NULL;
    if (node && LLVMGetMDNodeNumOperands(node) == 1)
        LLVMGetMDNodeOperands(node, &value);
    int is_type = value && (LLVMIsAConstantInt(value) ||
                            (LLVMIsAConstant(value) && LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMPointerTypeKind));
    if (node && !is_type)
        fail(c, SM_INVALID_GCROOT, function_of(i),
             "%%%.200s: !smd.type has one operand, a number or the address of a global", value_name(i));
    return is_type ? value : NULL;
}

/* ---- The table ----------------------------------------------------------------------------------------------- */

/* Adds TABLE to llvm.used, so that code generation and linkers keep it. */
static void keep_table(struct compile *c, LLVMValueRef table) {
    LLVMValueRef old = LLVMGetNamedGlobal(c->module, "llvm.used"), list = old ? LLVMGetInitializer(old) : NULL;
    unsigned n = list ? (unsigned)LLVMGetArrayLength2(LLVMTypeOf(list)) : 0;
    LLVMTypeRef ptr = LLVMPointerTypeInContext(c->context, 0);
    LLVMValueRef *all = xcalloc(n + 1, sizeof *all);
    for (unsigned i = 0; i < n; i++)
        all[i] = LLVMGetAggregateElement(list, i);
    all[n] = table;
    LLVMValueRef used = LLVMAddGlobal(c->module, LLVMArrayType2(ptr, n + 1), "");
    LLVMSetInitializer(used, LLVMConstArray2(ptr, all, n + 1));
    LLVMSetLinkage(used, LLVMAppendingLinkage);
    LLVMSetSection(used, "llvm.metadata");
    if (old)
        LLVMDeleteGlobal(old);
    LLVMSetValueName2(used, "llvm.used", 9);
    free(all);
}

/* Builds the section of types, keys with addresses, if the module has type symbols. */
void types_emit(struct compile *c) {
    LLVMTypeRef i64 = LLVMInt64TypeInContext(c->context), ptr = LLVMPointerTypeInContext(c->context, 0);
    LLVMTypeRef members[] = {i64, ptr}, entry = LLVMStructTypeInContext(c->context, members, 2, 0);
    if (!c->slots.types)
        return;
    LLVMValueRef *all = xcalloc(c->slots.types, sizeof *all);
    for (size_t i = 0; i < c->slots.types; i++) {
        LLVMValueRef parts[] = {LLVMConstInt(i64, c->slots.type[i].key, 0), c->slots.type[i].address};
        all[i] = LLVMConstStructInContext(c->context, parts, 2, 0);
    }
    LLVMValueRef table = LLVMAddGlobal(c->module, LLVMArrayType2(entry, c->slots.types), TYPES_TABLE);
    LLVMSetInitializer(table, LLVMConstArray2(entry, all, c->slots.types));
    LLVMSetLinkage(table, LLVMInternalLinkage);
    LLVMSetSection(table, SM_TYPES_SECTION);
    LLVMSetAlignment(table, 8);
    free(all);
    keep_table(c, table);
}
