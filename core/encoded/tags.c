/* tags.c - references that are integers for a while, with tags in bits that no address needs:
 *
 *     i64 smd.gc.to_int(ptr addrspace(1) OBJECT)
 *     ptr addrspace(1) smd.gc.from_int(i64 VALUE)    the bits of tag_mask are taken out
 *     i64 smd.gc.number(i64 VALUE)                   VALUE, of which its frontend knows that it is no reference
 *
 * An integer between the two is a reference all the same, and so is one that a from_int is going to be computed from,
 * wherever it came from. Where it is alive across a safepoint it is kept in a slot, as the value of llvm.gc.value is
 * (value_slots.c): the record has the slot as a region with the mask, and the collector sees the address without its
 * tags, which are put back.
 *
 * What may be done to it on the way: and, or, xor, add, sub with what changes only the mask's bits; phi, select,
 * freeze. Numbers that were never an address (of smd.gc.number, of fewer bits, of floating-point arithmetic) may join it:
 * the collector tells them by their tags. What else an integer of to_int goes into (a hash) is none any more, and must not come
 * back. Structs and doubles (nan_boxes.c) may hold them.
 *
 * Requires polls placed, before scopes are attached.
 */
#include "aggregates.h"
#include "analysis.h"
#include "deviations.h"
#include "encoded.h"
#include "ir.h"
#include "marks.h"
#include "scopes.h"
#include "tag_values.h"
#include "tagged_slots.h"

#include <errno.h>

/* 1 if V is a call of the function NAME. */
static int calls(LLVMValueRef v, const char *name) {
    return LLVMIsACallInst(v) && strcmp(called_function(v), name) == 0;
}

/* ---- Before the optimiser ------------------------------------------------------------------------------------ */

/* Marks the function NAME and its calls as neither safepoints nor accesses of memory. */
static void declare_tag(struct compile *c, const char *name) {
    LLVMValueRef f = LLVMGetNamedFunction(c->module, name);
    if (f)
        set_function_attributes(f, "memory,nounwind,willreturn");
    for (LLVMUseRef u = f ? LLVMGetFirstUse(f) : NULL; u; u = LLVMGetNextUse(u))
        if (calls(LLVMGetUser(u), name))
            set_call_attribute(c->context, LLVMGetUser(u), LEAF_ATTRIBUTE, "");
}

/* Refuses a function NAME that has a body or another type than RESULT(PARAMETER). */
static sm_status check_type_tag(struct compile *c, const char *name, LLVMTypeRef result, LLVMTypeRef parameter) {
    LLVMValueRef f = LLVMGetNamedFunction(c->module, name);
    if (!f || (LLVMIsDeclaration(f) && LLVMGlobalGetValueType(f) == LLVMFunctionType(result, &parameter, 1, 0)))
        return SM_OK;
    return fail(c, SM_INVALID_GCROOT, NULL, "%s is a declared function: %s (%s)", name,
                LLVMGetTypeKind(result) == LLVMIntegerTypeKind ? "i64" : "ptr addrspace(1)",
                LLVMGetTypeKind(parameter) == LLVMIntegerTypeKind ? "i64" : "ptr addrspace(1)");
}

/* 1 if the module uses the function NAME. */
static int is_used(struct compile *c, const char *name) {
    LLVMValueRef f = LLVMGetNamedFunction(c->module, name);
    return f && LLVMGetFirstUse(f);
}

/* Reads the option tag_mask into c->tag_mask; a diagnostic if it is no mask. */
static sm_status read_mask(struct compile *c) {
    char *end;
    errno = 0;
    c->tag_mask = strtoull(c->options->tag_mask, &end, 0);
    if (errno || *end || end == c->options->tag_mask || c->options->tag_mask[0] == '-' || c->tag_mask == UINT64_MAX)
        return fail(c, SM_INVALID_GCROOT, NULL, "tag_mask=%.30s is no mask: a number, as 7 or 0xffff000000000007",
                    c->options->tag_mask);
    return SM_OK;
}

/* 1 if CALL says that an integer is a tagged reference: a root without a type. */
static int is_untyped_word(LLVMValueRef call) {
    if (!is_intrinsic(call, GC_VALUE) || LLVMGetNumArgOperands(call) != 2 ||
        !is_statepoint_gc(LLVMGetGC(function_of(call))))
        return 0;
    LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(call, 0));
    int is_word = LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) == 64;
    return is_word && LLVMIsNull(LLVMGetOperand(call, 1));
}

/* 1 if a function of the module has a root that is an integer without a type. */
static int has_untyped(const struct compile *c) {
    for (LLVMValueRef call = first_module_call(c->module); call; call = next_module_call(call))
        if (is_untyped_word(call))
            return 1;
    return 0;
}

sm_status tags_declare(struct compile *c) {
    LLVMTypeRef i64 = LLVMInt64TypeInContext(c->context), reference = LLVMPointerTypeInContext(c->context, 1);
    sm_status s = check_type_tag(c, TO_INT, i64, reference);
    if (s == SM_OK)
        s = check_type_tag(c, FROM_INT, reference, i64);
    if (s == SM_OK)
        s = check_type_tag(c, TAG_NUMBER, i64, i64);
    c->tags = is_used(c, TO_INT) || is_used(c, FROM_INT) || is_used(c, TAG_NUMBER) || has_untyped(c);
    if (s == SM_OK && c->tags)
        s = read_mask(c);
    if (s != SM_OK)
        return s;
    declare_tag(c, TO_INT);
    declare_tag(c, FROM_INT);
    declare_tag(c, TAG_NUMBER);
    return SM_OK;
}

/* ---- Which integers are references --------------------------------------------------------------------------- */

struct tags {
    struct compile *c;
    LLVMValueRef function;
    uint64_t mask;
    struct set to, from, numbers; /* calls */
    struct set words;             /* calls of TAGGED_WORD */
    struct set slots;             /* declared integers */
    struct set declared;          /* marks of llvm.gc.value, and loads from those slots */
    struct set needed;            /* what from_int is computed from, and what that is computed from */
    struct set all;               /* those, and what is computed from to_int by changing only tags */
    struct set memory;            /* stack slots that needed ones are read from, and whose stores were looked at */
    int quiet;                    /* boolean: what would be refused is left out */
};

static void tags_free(struct tags *t) {
    struct set *all[] = {&t->to,       &t->from,   &t->numbers, &t->words, &t->slots,
                         &t->declared, &t->needed, &t->all,     &t->memory};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        set_free(all[i]);
}

/* Notes V, unless it is a constant, as an integer that a from_int is computed from. */
static void need(struct tags *t, LLVMValueRef v) {
    if (LLVMIsAConstant(v))
        return;
    set_add(&t->needed, v);
    set_add(&t->all, v);
}

/* Fails the compile at V, whose text WHAT continues: "'V' WHAT". */
static sm_status refuse_tag(struct tags *t, LLVMValueRef v, const char *what) {
    return t->quiet ? SM_INVALID_GCROOT
                    : fail(t->c, SM_INVALID_GCROOT, t->function, "'%.200s' %s", value_text(v), what);
}

/* Refuses PART if the aggregate that it is taken out of, which could not be split, is alive across a safepoint. */
static sm_status check_aggregate_of(struct tags *t, LLVMValueRef part) {
    return live_across(t->c, LLVMGetOperand(part, 0))
               ? refuse_tag(t, part,
                            "is taken out of a value that is alive across a safepoint: take it out after the "
                            "value's definition")
               : SM_OK;
}

/* Notes as needed what of VALUE, which is stored where a needed integer is read, was kept across a safepoint, or was read
 * from another slot. */
static void need_parts(struct tags *t, LLVMValueRef value) {
    struct set all = {0};
    set_add(&all, value);
    for (size_t i = 0; i < all.count; i++) {
        LLVMValueRef v = all.item[i];
        int is_word = LLVMTypeOf(v) == LLVMInt64TypeInContext(t->c->context);
        if (is_word && (tag_is_source(v) || tag_operand(t->mask, v)) && (flow_access(v).from || live_across(t->c, v)))
            need(t, v);
        else if (!is_word)
            flow_sources(&all, v, FLOW_SAME | FLOW_CAST | FLOW_VECTOR | FLOW_STRUCT);
    }
    set_free(&all);
}

/* V is a needed integer: if it is read from a stack slot, what is stored there is needed as well. */
static void need_stored(struct tags *t, LLVMValueRef v) {
    struct set memory = {0}, stores = {0};
    LLVMValueRef read = LLVMIsAExtractValueInst(v) ? LLVMGetOperand(v, 0) : v;
    if (flow_access(read).from)
        flow_memory(&memory, flow_access(read).from);
    for (size_t i = 0; i < memory.count; i++)
        if (LLVMIsAAllocaInst(memory.item[i]) && !set_has(&t->memory, memory.item[i])) {
            set_add(&t->memory, memory.item[i]);
            flow_stored(memory.item[i], &stores);
        }
    for (size_t i = 0; i < stores.count; i++)
        need_parts(t, flow_access(stores.item[i]).value);
    set_free(&memory);
    set_free(&stores);
}

/* Marks as needed what the needed integer V is computed from; refuses V if it is neither a tagged reference nor a
 * number. */
static sm_status visit_origin_tag(struct tags *t, LLVMValueRef v) {
    LLVMValueRef reference = tag_operand(t->mask, v);
    need_stored(t, v);
    if (reference) {
        need(t, reference);
    } else if (flow_at(v, 1) & FLOW_CHOICE || flow_at(v, 0) & (FLOW_SAME | FLOW_CHOICE)) {
        for (int k = 0; k < LLVMGetNumOperands(v); k++)
            if (flow_at(v, (unsigned)k))
                need(t, LLVMGetOperand(v, (unsigned)k));
    } else if (set_has(&t->words, v)) {
        return SM_OK; /* add_tagged_origins */
    } else if (LLVMIsAExtractValueInst(v) && tag_is_source(v)) {
        return check_aggregate_of(t, v);
    } else if (LLVMIsAExtractElementInst(v) ||
               (LLVMIsABitCastInst(v) && LLVMIsAExtractElementInst(LLVMGetOperand(v, 0)))) {
        return refuse_tag(
            t, v,
            "goes into smd.gc.from_int, and is taken out of a vector: tagged references are integers, or "
            "doubles, each by itself");
    } else if (LLVMIsAPtrToIntInst(v)) {
        return refuse_tag(
            t, v, "goes into smd.gc.from_int: smd.gc.to_int makes an integer of a reference that is one still");
    } else if (!tag_is_source(v) && !tag_is_box(v) && !tag_is_integer(v)) {
        return refuse_tag(
            t, v,
            "goes into smd.gc.from_int, and changes other bits than those of tag_mask: a collector could not find "
            "the object by it; give a number that is to join references to smd.gc.number");
    }
    return SM_OK;
}

/* Adds to t->all the users of V that only change its tags or choose it, and so are references as well. */
static void add_tagged_users(struct tags *t, LLVMValueRef v) {
    for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        if (!LLVMIsAInstruction(user))
            continue;
        if (tag_operand(t->mask, user) == v || flow_of(user, v) & (FLOW_SAME | FLOW_CHOICE))
            set_add(&t->all, user);
    }
}

/* Makes USER, which loads a double from an integer's slot or stores one there, do so with the integer that it is cast
 * to. Gives the load, or NULL. */
static LLVMValueRef as_integer(struct tags *t, LLVMValueRef user, LLVMValueRef slot) {
    LLVMTypeRef i64 = LLVMInt64TypeInContext(t->c->context), f64 = LLVMDoubleTypeInContext(t->c->context);
    LLVMBuilderRef b = LLVMCreateBuilderInContext(t->c->context);
    LLVMValueRef load = LLVMIsALoadInst(user) ? user : NULL;
    LLVMPositionBuilderBefore(b, user);
    if (load && LLVMTypeOf(load) == f64) {
        load = LLVMBuildLoad2(b, i64, slot, "");
        LLVMSetVolatile(load, LLVMGetVolatile(user));
        replace_value(user, LLVMBuildBitCast(b, load, f64, ""));
    } else if (LLVMIsAStoreInst(user) && LLVMTypeOf(LLVMGetOperand(user, 0)) == f64) {
        LLVMSetOperand(user, 0, LLVMBuildBitCast(b, LLVMGetOperand(user, 0), i64, ""));
    }
    LLVMDisposeBuilder(b);
    return load;
}

/* Marks SLOT, a declared integer, as one that holds a tagged reference, and collects what is loaded from it. */
static void take_slot(struct tags *t, LLVMValueRef slot) {
    struct set users = {0};
    add_users(slot, NULL, &users);
    for (size_t i = 0; i < users.count; i++) {
        LLVMValueRef user = users.item[i], load = as_integer(t, user, slot);
        if (load)
            set_add(&t->declared, load);
        if (scope_begins(user))
            set_call_attribute(t->c->context, user, TAGGED_ATTRIBUTE, "");
    }
    set_free(&users);
}

/* 1 if V is an alloca of one integer of 64 bits. */
static int is_integer_slot(const struct tags *t, LLVMValueRef v) {
    return LLVMIsAAllocaInst(v) && LLVMGetAllocatedType(v) == LLVMInt64TypeInContext(t->c->context) &&
           alloca_count(v) == 1;
}

/* Collects those of to_int, from_int and number, and what llvm.gc.value and llvm.gc.declare say to be
 * tagged references. */
static void find_tag(struct tags *t, LLVMValueRef call) {
    if (calls(call, TO_INT))
        set_add(&t->to, call);
    else if (calls(call, FROM_INT))
        set_add(&t->from, call);
    else if (calls(call, TAG_NUMBER))
        set_add(&t->numbers, call);
    else if (calls(call, TAGGED_WORD))
        set_add(&t->words, call);
    else if (is_value_mark(call))
        set_add(&t->declared, call);
    else if (scope_begins(call) && is_integer_slot(t, LLVMGetOperand(call, 0)))
        set_add(&t->slots, LLVMGetOperand(call, 0));
}

/* 1 if V may be a tagged reference where another one is chosen in its place. */
static int may_be_word(struct tags *t, LLVMValueRef v) {
    if (LLVMIsAConstant(v) || LLVMTypeOf(v) != LLVMInt64TypeInContext(t->c->context) || tag_is_integer(v))
        return 0;
    return tag_is_source(v) || tag_is_box(v) || tag_operand(t->mask, v) || flow_at(v, 1) & FLOW_CHOICE ||
           flow_at(v, 0) & (FLOW_SAME | FLOW_CHOICE);
}

/* Adds to t->all what V, a tagged reference, is chosen from, or is with other tags. */
static void add_tagged_origins(struct tags *t, LLVMValueRef v) {
    LLVMValueRef of = tag_operand(t->mask, v);
    int is_marked = set_has(&t->words, v);
    for (int k = 0; LLVMIsAInstruction(v) && k < LLVMGetNumOperands(v); k++) {
        LLVMValueRef operand = LLVMGetOperand(v, (unsigned)k);
        if ((operand == of || flow_at(v, (unsigned)k) & (FLOW_SAME | FLOW_CHOICE) || (is_marked && k == 0)) &&
            may_be_word(t, operand))
            set_add(&t->all, operand);
    }
}

/* Adds to t->all what is a tagged reference because others there are. */
static void add_all_around(struct tags *t) {
    for (size_t i = 0; i < t->all.count; i++) {
        add_tagged_users(t, t->all.item[i]);
        add_tagged_origins(t, t->all.item[i]);
    }
}

/* Finds in t->all all integers that are tagged references, backwards from from_int and forwards from all found. */
static sm_status find_all_tag(struct tags *t) {
    LLVMTypeRef i64 = LLVMInt64TypeInContext(t->c->context);
    sm_status s = SM_OK;
    for (size_t i = 0; i < t->from.count; i++)
        need(t, LLVMGetOperand(t->from.item[i], 0));
    for (size_t i = 0; (s == SM_OK || t->quiet) && i < t->needed.count; i++)
        s = visit_origin_tag(t, t->needed.item[i]);
    for (size_t i = 0; i < t->words.count; i++)
        set_add(&t->all, t->words.item[i]);
    for (size_t i = 0; i < t->to.count; i++)
        set_add(&t->all, t->to.item[i]);
    for (size_t i = 0; i < t->declared.count; i++) {
        LLVMValueRef v = t->declared.item[i], declared = LLVMIsACallInst(v) ? LLVMGetOperand(v, 0) : v;
        if (LLVMTypeOf(declared) == i64 && !LLVMIsAConstant(declared))
            set_add(&t->all, declared);
    }
    add_all_around(t);
    return s;
}

/* ---- Across the optimiser ------------------------------------------------------------------------------------- */

/* Where a mark of V can stand, and all uses of V come after it; NULL if nowhere. */
static LLVMValueRef place_of_mark(LLVMBuilderRef b, LLVMValueRef f, LLVMValueRef v) {
    if (LLVMIsAArgument(v))
        return allocas_gather(b, f);
    LLVMValueRef at = is_call(v) ? after_call(v) : LLVMGetNextInstruction(v);
    if (LLVMIsAInvokeInst(v))
        for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u))
            if (LLVMIsAPHINode(LLVMGetUser(u)) &&
                LLVMGetInstructionParent(LLVMGetUser(u)) == LLVMGetInstructionParent(at ? at : LLVMGetUser(u)))
                return NULL;
    return is_call(v) && is_musttail(v) ? NULL : at;
}

/* Gives V's users what a call of TAGGED_WORD gives of V, an integer or a double. */
static void mark_word(struct tags *t, LLVMValueRef v) {
    LLVMTypeRef i64 = LLVMInt64TypeInContext(t->c->context), was = LLVMTypeOf(v);
    LLVMTypeRef type = LLVMFunctionType(i64, &i64, 1, 0);
    LLVMBuilderRef b = LLVMCreateBuilderInContext(t->c->context);
    LLVMValueRef at = place_of_mark(b, t->function, v);
    if (!at)
        goto out;
    LLVMValueRef f = declared_function(t->c->module, TAGGED_WORD, type);
    LLVMPositionBuilderBefore(b, at);
    LLVMValueRef stand_in = LLVMBuildFreeze(b, LLVMGetPoison(was), "");
    LLVMReplaceAllUsesWith(v, stand_in);
    LLVMValueRef word = was == i64 ? v : LLVMBuildBitCast(b, v, i64, "");
    word = LLVMBuildCall2(b, type, f, &word, 1, "");
    replace_value(stand_in, was == i64 ? word : LLVMBuildBitCast(b, word, was, ""));
out:
    LLVMDisposeBuilder(b);
}

/* Adds V to ALL if it comes from where it was kept; of a cast, the doubles that it may be one of. Slots will be values. */
static void add_words(struct set *all, LLVMValueRef v) {
    struct set seen = {0};
    set_add(&seen, LLVMIsABitCastInst(v) ? LLVMGetOperand(v, 0) : v);
    for (size_t i = 0; i < seen.count; i++) {
        LLVMValueRef at = seen.item[i], from = flow_access(at).from;
        if (LLVMIsABitCastInst(v))
            flow_sources(&seen, at, FLOW_SAME | FLOW_CHOICE);
        if (tag_is_source(at) && !tag_is_integer(at) && !calls(at, TO_INT) &&
            !(from && LLVMIsAAllocaInst(stepped_from(from, FLOW_STEP | FLOW_CAST))))
            set_add(all, at);
    }
    set_free(&seen);
}

/* Marks the words of F that from_int is computed from, or that are chosen where to_int is. */
static void keep_words_of(struct compile *c, LLVMValueRef f) {
    struct tags t = {.c = c, .function = f, .mask = c->tag_mask, .quiet = 1};
    struct set words = {0};
    for (LLVMValueRef call = first_call(f); call; call = next_call(call))
        find_tag(&t, call);
    find_all_tag(&t);
    for (size_t i = 0; i < t.all.count; i++)
        add_words(&words, t.all.item[i]);
    for (size_t i = 0; i < words.count; i++)
        if (LLVMGetTypeKind(LLVMTypeOf(words.item[i])) == LLVMDoubleTypeKind ||
            LLVMTypeOf(words.item[i]) == LLVMInt64TypeInContext(c->context))
            mark_word(&t, words.item[i]);
    set_free(&words);
    tags_free(&t);
}

/* Marks the words that a function turns into references, so that they are known as ones wherever the optimiser takes
 * them: a loop's last turn may be the only one that has a from_int then, or there may be none any more. Where the
 * optimiser will do more than it has to. */
sm_status tags_keep(struct compile *c) {
    if (!c->tags || c->options->opt == SM_OPT_0)
        return SM_OK;
    sm_status s = run_folding_everywhere(c, "function(sroa,break-crit-edges)");
    for (LLVMValueRef f = LLVMGetFirstFunction(c->module); s == SM_OK && f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f) && LLVMGetGC(f) && is_statepoint_gc(LLVMGetGC(f)))
            keep_words_of(c, f);
    declare_tag(c, TAGGED_WORD);
    return s;
}

/* ---- What becomes of them ------------------------------------------------------------------------------------- */

/* 1 if the state of a safepoint has V; one that has V cast to a double gets V itself, which is the same bits. */
static int is_in_state_tag(struct tags *t, LLVMValueRef v) {
    struct set calls = {0};
    int result = 0;
    for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        if (is_call(user))
            set_add(&calls, user);
        for (LLVMUseRef k = LLVMIsABitCastInst(user) ? LLVMGetFirstUse(user) : NULL; k; k = LLVMGetNextUse(k))
            if (is_call(LLVMGetUser(k)))
                set_add(&calls, LLVMGetUser(k));
    }
    for (size_t i = 0; i < calls.count; i++) {
        LLVMValueRef call = calls.item[i];
        struct operands state = call_operands(call, "deopt");
        for (unsigned k = state.first; is_safepoint(t->c, call) && k < state.end; k++) {
            LLVMValueRef in = LLVMGetOperand(call, k);
            if (LLVMIsABitCastInst(in) && LLVMGetOperand(in, 0) == v)
                LLVMSetOperand(call, k, v);
            result |= LLVMGetOperand(call, k) == v;
        }
    }
    set_free(&calls);
    return result;
}

/* Keeps V in a tagged slot if it is a tagged reference of 64 bits that is alive across a safepoint, or in its state. */
static sm_status keep_tag(struct tags *t, LLVMValueRef v) {
    if (LLVMTypeOf(v) != LLVMInt64TypeInContext(t->c->context))
        return SM_OK;
    if (!is_in_state_tag(t, v) && !live_across(t->c, v))
        return SM_OK;
    return value_to_slot(t->c, t->function, v, TAGGED_VALUE, NULL);
}

/* Replaces CALL by CREATED in all uses, and erases it. */
static void replace(LLVMValueRef call, LLVMValueRef created) {
    replace_value(call, created);
}

/* Replaces from_int by a store and a load of the address without tags, to_int by ptrtoint, and number by its operand.
 * An inttoptr would be a reference of which LLVM knows no base. */
static void lower_tag(struct tags *t) {
    LLVMTypeRef i64 = LLVMInt64TypeInContext(t->c->context), reference = LLVMPointerTypeInContext(t->c->context, 1);
    LLVMBuilderRef b = builder_at(LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(t->function)));
    LLVMValueRef slot = t->from.count ? LLVMBuildAlloca(b, i64, "smd.cast") : NULL;
    if (slot)
        set_add(&t->c->casts, slot);
    for (size_t i = 0; i < t->from.count; i++) {
        LLVMValueRef call = t->from.item[i];
        LLVMPositionBuilderBefore(b, call);
        LLVMValueRef plain = LLVMBuildAnd(b, LLVMGetOperand(call, 0), LLVMConstInt(i64, ~t->mask, 0), "");
        LLVMBuildStore(b, plain, slot);
        replace(call, LLVMBuildLoad2(b, reference, slot, ""));
    }
    for (size_t i = 0; i < t->to.count; i++) {
        LLVMPositionBuilderBefore(b, t->to.item[i]);
        replace(t->to.item[i], LLVMBuildPtrToInt(b, LLVMGetOperand(t->to.item[i], 0), i64, ""));
    }
    for (size_t i = 0; i < t->numbers.count; i++)
        replace(t->numbers.item[i], LLVMGetOperand(t->numbers.item[i], 0));
    for (size_t i = 0; i < t->words.count; i++)
        replace(t->words.item[i], LLVMGetOperand(t->words.item[i], 0));
    LLVMDisposeBuilder(b);
}

/* Refuses a to_int of a derived pointer. */
static sm_status check_derived_tag(struct tags *t) {
    struct derivations known = {0};
    sm_status s = SM_OK;
    for (size_t i = 0; s == SM_OK && i < t->to.count; i++)
        if (is_derived_among(&known, LLVMGetOperand(t->to.item[i], 0)))
            s = refuse_tag(t, t->to.item[i],
                           "makes an integer of a derived pointer: make one of the object, and add the "
                           "distance when it is a reference again");
    derivations_free(&known);
    return s;
}

/* Replaces phis of tagged references of which one value comes from an invoke (phi_slots.c), then finds all tagged
 * references anew: the loads that replace such phis are among them. */
static sm_status resolve_phis_tag(struct tags *t) {
    struct set loads = {0};
    sm_status s = SM_OK;
    int replaced = 0;
    for (size_t i = 0; s == SM_OK && i < t->all.count; i++) {
        LLVMValueRef v = t->all.item[i], created;
        if (!LLVMIsAPHINode(v) || LLVMTypeOf(v) != LLVMInt64TypeInContext(t->c->context) || !phi_crosses_invoke(v))
            continue;
        s = phi_resolve(t->c, t->function, v, SCOPE_TAG, &created);
        replaced = 1;
        if (LLVMIsALoadInst(created)) /* another phi may be gone before long */
            set_add(&loads, created);
    }
    if (s == SM_OK && replaced) {
        set_free(&t->needed);
        set_free(&t->all);
        set_free(&t->memory);
        t->needed = t->all = t->memory = (struct set){0};
        s = find_all_tag(t);
        for (size_t i = 0; i < loads.count; i++)
            set_add(&t->all, loads.item[i]);
        add_all_around(t);
    }
    set_free(&loads);
    return s;
}

/* Takes structs and doubles apart that may hold T's tagged references, and finds and checks all of these. */
static sm_status find_and_check_tags(struct tags *t) {
    struct compile *c = t->c;
    LLVMValueRef f = t->function;
    size_t casts = t->to.count + t->from.count + t->numbers.count + t->words.count;
    sm_status s = SM_OK;
    if (casts && !is_statepoint_gc(LLVMGetGC(f)))
        return fail(c, SM_GC_MISMATCH, f,
                    TO_INT ", " FROM_INT " and " TAG_NUMBER " need a function whose strategy has statepoints");
    if (casts + t->declared.count) {
        words_split(c, f);
        s = boxed_to_words(c, f);
    }
    if (s != SM_OK || (s = check_derived_tag(t)) != SM_OK || (s = find_all_tag(t)) != SM_OK ||
        (s = resolve_phis_tag(t)) != SM_OK)
        return s;
    return tag_slots_check(c, f, &t->all, &t->needed);
}

/* Keeps F's tagged references that are alive across safepoints in slots, and replaces to_int, from_int and number. */
static sm_status tag_in(struct compile *c, LLVMValueRef f, uint64_t mask) {
    struct tags t = {.c = c, .function = f, .mask = mask};
    for (LLVMValueRef call = first_call(f); call; call = next_call(call))
        find_tag(&t, call);
    for (size_t i = 0; i < t.slots.count; i++)
        take_slot(&t, t.slots.item[i]);
    sm_status s = find_and_check_tags(&t);
    for (size_t i = 0; s == SM_OK && i < t.all.count; i++)
        s = keep_tag(&t, t.all.item[i]);
    if (s != SM_OK || !(t.to.count + t.from.count + t.numbers.count + t.words.count))
        goto out;
    lower_tag(&t);
    deviate(c, DEVIATION_SCOPES);
out:
    tags_free(&t);
    return s;
}

/* 1 if the module has a phi of 64-bit integers or doubles, tagged or not, across an invoke's edge, or an invoke that
 * gives a struct to where others lead as well: those edges need blocks of their own. */
static int has_such_phis(struct compile *c) {
    LLVMTypeRef i64 = LLVMInt64TypeInContext(c->context), f64 = LLVMDoubleTypeInContext(c->context);
    for (LLVMValueRef f = LLVMGetFirstFunction(c->module); f; f = LLVMGetNextFunction(f)) {
        if (gives_aggregate_to_join(f))
            return 1;
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef i = LLVMGetFirstInstruction(b); i && LLVMIsAPHINode(i); i = LLVMGetNextInstruction(i))
                if ((LLVMTypeOf(i) == i64 || LLVMTypeOf(i) == f64) && phi_crosses_invoke(i))
                    return 1;
    }
    return 0;
}

/* Keeps tagged references that are alive across safepoints in slots, and lowers to_int and from_int. */
sm_status tags_to_slots(struct compile *c) {
    assert(c->form == FORM_POLLED);
    sm_status s = SM_OK;
    if (!c->tags)
        return SM_OK;
    if (has_such_phis(c))
        s = run_passes(c, "function(break-crit-edges)");
    for (LLVMValueRef f = LLVMGetFirstFunction(c->module); s == SM_OK && f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f))
            s = tag_in(c, f, c->tag_mask);
    return s;
}
