/* old_statepoints.c - statepoints as LLVM's documents of 2015 and 2017 have them become those of today.
 *
 *     2017   token statepoint(i64 id, i32 patch bytes, callee, i32 #args, i32 flags, args…,
 *                             i32 #transition, transition…, i32 #deopt, deopt…, gc…)
 *     2015   i32   statepoint(callee, i32 #args, i32 flags, args…, [i32 #transition, transition…,] i32 #deopt, deopt…, gc…)
 *     today  token statepoint(i64 id, i32 patch bytes, elementtype callee, i32 #args, i32 flags, args…, i32 0, i32 0)
 *                             [ "gc-live"(gc…), "deopt"(deopt…), "gc-transition"(transition…) ]
 *
 * gc.relocate of old counts from the statepoint's first operand, of today within "gc-live". In 2015 there is no id; a
 * record gets the one that LLVM gives by default. On an invoke's unwind edge the token is a landing pad of type
 * token, or was taken out of one of type { i8*, i32 } by extractvalue.
 *
 * Requires a module that nobody has verified; what does not fit is a diagnostic of the function.
 */
#include "ir.h"
#include "marks.h"
#include "reading.h"
#include "stackmap.h"

#include <llvm-c/DebugInfo.h>

#define STATEPOINT "llvm.experimental.gc.statepoint"
#define RELOCATE   "llvm.experimental.gc.relocate"
#define RESULT     "llvm.experimental.gc.result"

enum { BUNDLES = 3, TODAY_HEAD = 5, TRANSITION = 1 /* the flag */ };

/* The operands of an old statepoint: where each list begins, and its length. */
struct list {
    unsigned at, count;
};

struct old {
    LLVMValueRef call;
    LLVMTypeRef callee_type;
    unsigned callee; /* its position: 2, or 0 in 2015 */
    struct list args, transition, deopt, gc;
};

/* The same token, seen from its users. */
struct token {
    const struct old *old;
    LLVMValueRef value; /* of the new statepoint, or of its landing pad */
};

/* Declarations whose tokens are numbers have this before their names: LLVM takes whatever is named like its
 * intrinsics for them, in its printer too, which dies of a token that is none. */

/* NAME without the prefix that declarations with numbers for tokens get. */
static const char *plain_name(const char *name) {
    return strncmp(name, NUMBERED, sizeof NUMBERED - 1) == 0 ? name + sizeof NUMBERED - 1 : name;
}

/* 1 if CALL's callee is a function whose name, without our prefix, begins with PREFIX. */
static int name_begins(LLVMValueRef call, const char *prefix) {
    LLVMValueRef callee = LLVMGetCalledValue(call);
    if (!callee || !LLVMIsAFunction(callee))
        return 0;
    return strncmp(plain_name(value_name(callee)), prefix, strlen(prefix)) == 0;
}

/* The elementtype attribute of CALL's argument POSITION; NULL if it has none. */
static LLVMAttributeRef type_attribute(LLVMValueRef call, unsigned position) {
    unsigned kind = attribute_kind("elementtype");
    return LLVMGetCallSiteEnumAttribute(call, position + 1, kind);
}

/* The number of the operand that a statepoint calls: 2, after id and patch bytes, or 0 in the form of 2015. */
static unsigned callee_position(LLVMValueRef call) {
    return LLVMGetNumArgOperands(call) && is_pointer(LLVMGetOperand(call, 0)) ? 0 : 2;
}

/* 1 if CALL is a statepoint without the elementtype of its callee. */
int statepoint_lacks_type(LLVMValueRef call) {
    return name_begins(call, STATEPOINT) && !type_attribute(call, callee_position(call));
}

/* ---- Reading ------------------------------------------------------------------------------------------------ */

/* Reads into LIST the count at operand AT of N and the operands that follow it. 0 if there is no constant count, or
 * fewer operands than it says. */
static int read_list_old(LLVMValueRef call, unsigned at, unsigned n, struct list *list) {
    LLVMValueRef count = at < n ? LLVMGetOperand(call, at) : NULL;
    if (!count || !LLVMIsAConstantInt(count))
        return 0;
    unsigned long long value = LLVMConstIntGetZExtValue(count);
    *list = (struct list){at + 1, (unsigned)value};
    return value <= n - at - 1;
}

/* 1 if CALL's operands FROM to TO - 1 are pointers or vectors of pointers. */
static int all_pointers(LLVMValueRef call, unsigned from, unsigned to) {
    for (unsigned i = from; i < to; i++) {
        LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(call, i));
        if (LLVMGetTypeKind(type) == LLVMVectorTypeKind)
            type = LLVMGetElementType(type);
        if (LLVMGetTypeKind(type) != LLVMPointerTypeKind)
            return 0;
    }
    return 1;
}

/* Reads the lists after the call's arguments: with one of transition arguments or, in the first form of 2015,
 * without. 0 if they do not fit. The two forms of 2015 are distinguished by what follows the lists: it has to be
 * pointers. */
static int read_tail(struct old *o, unsigned at, unsigned n, int with_transition) {
    o->transition = (struct list){at, 0};
    if (with_transition) {
        if (!read_list_old(o->call, at, n, &o->transition))
            return 0;
        at = o->transition.at + o->transition.count;
    }
    if (!read_list_old(o->call, at, n, &o->deopt))
        return 0;
    o->gc.at = o->deopt.at + o->deopt.count;
    o->gc.count = n - o->gc.at;
    return o->callee || all_pointers(o->call, o->gc.at, n);
}

/* The instruction as text. LLVM comments on a gc.relocate by the operands of its statepoint, and dies of those that are
 * not there: then it is printed without its token. */
static char *print_instruction(LLVMValueRef i) {
    LLVMValueRef token = is_call(i) && starts_with(callee_name(i), RELOCATE) ? LLVMGetOperand(i, 0) : NULL;
    int is_relocate_of = token && is_call(token);
    if (is_relocate_of)
        LLVMSetOperand(i, 0, LLVMGetUndef(LLVMTypeOf(token)));
    char *text = LLVMPrintValueToString(i);
    if (is_relocate_of)
        LLVMSetOperand(i, 0, token);
    return text;
}

/* Fails the compile with WHAT and the instruction's text, in which our prefix and LLVM's comment are left out. */
static sm_status wrong(struct compile *c, LLVMValueRef i, const char *what) {
    char *text = print_instruction(i);
    LLVMValueRef f = function_of(i);
    char *comment = strstr(text, " ; ("); /* LLVM's, of a gc.relocate's pointers */
    for (char *at; (at = strstr(text, NUMBERED)) != NULL;)
        memmove(at, at + sizeof NUMBERED - 1, strlen(at + sizeof NUMBERED - 1) + 1);
    if (comment)
        *comment = 0;
    sm_status s = fail(c, SM_INVALID_MODULE, f, "%s:%.600s", what, text);
    LLVMDisposeMessage(text);
    return s;
}

/* Reads the operands of the statepoint CALL into O; a diagnostic if its counts, flags or callee are wrong. */
static sm_status read_old(struct compile *c, LLVMValueRef call, struct old *o) {
    unsigned n = LLVMGetNumArgOperands(call), callee = callee_position(call);
    *o = (struct old){.call = call, .callee = callee};
    LLVMAttributeRef type = n > callee + 2 ? type_attribute(call, callee) : NULL;
    if (!type)
        return wrong(c, call, "gc.statepoint has no callee that is a pointer to a function");
    o->callee_type = LLVMGetTypeAttributeValue(type);
    if (!LLVMIsAConstantInt(LLVMGetOperand(call, callee + 2)))
        return wrong(c, call, "gc.statepoint's flags are no constant");
    if (LLVMConstIntGetZExtValue(LLVMGetOperand(call, callee + 2)) & ~(unsigned long long)TRANSITION)
        return wrong(c, call,
                     "gc.statepoint's flags have a bit set that is reserved: only bit 0, a GC transition, may be");
    o->args.at = callee + 3;
    struct list args;
    if (!read_list_old(call, callee + 1, n, &args) || args.count > n - o->args.at)
        return wrong(c, call, "gc.statepoint has fewer arguments than its count of call arguments says");
    o->args.count = args.count;
    unsigned at = o->args.at + o->args.count;
    if (read_tail(o, at, n, 1) || (callee == 0 && read_tail(o, at, n, 0)))
        return SM_OK;
    return wrong(c, call,
                 "gc.statepoint's counts of transition and deopt arguments do not fit the operands after them");
}

/* 1 if the statepoint has today's form already. LLVM 3.8 had all operands of today, but a number for a token. */
static int is_modern(const struct old *o) {
    return LLVMGetTypeKind(LLVMTypeOf(o->call)) == LLVMTokenTypeKind && o->callee == 2 && !o->transition.count &&
           !o->deopt.count && !o->gc.count;
}

/* ---- Writing ------------------------------------------------------------------------------------------------ */

static LLVMValueRef int_constant_old(struct compile *c, unsigned bits, unsigned long long value) {
    return LLVMConstInt(LLVMIntTypeInContext(c->context, bits), value, 0);
}

/* The declaration of LLVM's intrinsic NAME for the type OVERLOAD, and its *TYPE. */
static LLVMValueRef intrinsic(struct compile *c, const char *name, LLVMTypeRef overload, LLVMTypeRef *type) {
    unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
    assert(id);
    *type = LLVMIntrinsicGetType(c->context, id, &overload, 1);
    return LLVMGetIntrinsicDeclaration(c->module, id, &overload, 1);
}

/* *New*: a bundle TAG with the operands of CALL that LIST names. */
static LLVMOperandBundleRef bundle(const char *tag, LLVMValueRef call, struct list list) {
    LLVMValueRef *values = xcalloc(list.count, sizeof *values);
    for (unsigned i = 0; i < list.count; i++)
        values[i] = LLVMGetOperand(call, list.at + i);
    LLVMOperandBundleRef b = LLVMCreateOperandBundle(tag, strlen(tag), values, list.count);
    free(values);
    return b;
}

/* Fills BUNDLES with those that the call has already and those that its lists become. Gives their number; at most
 * MAX. */
static unsigned make_bundles(const struct old *o, LLVMOperandBundleRef *bundles, unsigned max) {
    unsigned n = 0, has = LLVMGetNumOperandBundles(o->call);
    const struct {
        const char *tag;
        struct list list;
    } created[BUNDLES] = {{"deopt", o->deopt}, {"gc-transition", o->transition}, {"gc-live", o->gc}};
    for (unsigned i = 0; i < has && n < max; i++)
        bundles[n++] = LLVMGetOperandBundleAtIndex(o->call, i);
    for (unsigned i = 0; i < BUNDLES && n < max; i++)
        if (created[i].list.count)
            bundles[n++] = bundle(created[i].tag, o->call, created[i].list);
    return n;
}

/* Copies to the new call the attributes of the old one's arguments. */
static void copy_argument_attributes(struct compile *c, const struct old *o, LLVMValueRef to) {
    unsigned kind = attribute_kind("elementtype");
    for (unsigned i = 0; i < o->args.count; i++)
        call_copy_attributes(o->call, o->args.at + i + 1, to, TODAY_HEAD + i + 1);
    LLVMAddCallSiteAttribute(to, 3, LLVMCreateTypeAttribute(c->context, kind, o->callee_type));
}

/* Builds before the old statepoint the one of today, and gives it. */
static LLVMValueRef build_statepoint(struct compile *c, const struct old *o) {
    unsigned n = TODAY_HEAD + o->args.count + 2, has = LLVMGetNumOperandBundles(o->call);
    LLVMValueRef *args = xcalloc(n, sizeof *args);
    LLVMOperandBundleRef *bundles = xcalloc(has + BUNDLES, sizeof(LLVMOperandBundleRef));
    args[0] = o->callee ? LLVMGetOperand(o->call, 0) : int_constant_old(c, 64, SM_DEFAULT_ID);
    args[1] = o->callee ? LLVMGetOperand(o->call, 1) : int_constant_old(c, 32, 0);
    for (unsigned i = 0; i < 3 + o->args.count; i++)
        args[2 + i] = LLVMGetOperand(o->call, o->callee + i);
    args[n - 2] = args[n - 1] = int_constant_old(c, 32, 0);
    struct call_parts parts = {.args = args, .arg_count = n, .bundles = bundles};
    parts.bundle_count = make_bundles(o, bundles, has + BUNDLES);
    parts.callee = intrinsic(c, STATEPOINT, LLVMTypeOf(args[2]), &parts.type);
    LLVMValueRef created = call_build(o->call, &parts);
    copy_argument_attributes(c, o, created);
    for (unsigned i = 0; i < parts.bundle_count; i++)
        LLVMDisposeOperandBundle(bundles[i]);
    free(args);
    free(bundles);
    return created;
}

/* ---- Users of the token ------------------------------------------------------------------------------------- */

/* Makes *OUT the index within "gc-live" of the old gc.relocate's INDEX, which counts all operands. 0 if that is no gc
 * argument. */
static int live_index(const struct old *o, LLVMValueRef index, LLVMValueRef *out, struct compile *c) {
    if (!LLVMIsAConstantInt(index))
        return 0;
    unsigned long long at = LLVMConstIntGetZExtValue(index);
    if (at < o->gc.at || at - o->gc.at >= o->gc.count)
        return 0;
    *out = int_constant_old(c, 32, at - o->gc.at);
    return 1;
}

/* Replaces OLD by CREATED in all uses, with its name, attributes and debug location, and erases it. */
static void replace_call(LLVMValueRef old, LLVMValueRef created) {
    LLVMSetInstructionCallConv(created, LLVMGetInstructionCallConv(old));
    call_copy_attributes(old, (unsigned)LLVMAttributeFunctionIndex, created, (unsigned)LLVMAttributeFunctionIndex);
    call_copy_attributes(old, (unsigned)LLVMAttributeReturnIndex, created, (unsigned)LLVMAttributeReturnIndex);
    LLVMInstructionSetDebugLoc(created, LLVMInstructionGetDebugLoc(old));
    call_replace(old, created);
}

/* Replaces an old gc.relocate by one of the token T; a diagnostic if its indexes are wrong. */
static sm_status modernize_relocate(struct compile *c, LLVMBuilderRef b, const struct token *t, LLVMValueRef call) {
    LLVMTypeRef type;
    LLVMValueRef args[3] = {t->value, NULL, NULL};
    if (LLVMGetNumArgOperands(call) != 3 || !live_index(t->old, LLVMGetOperand(call, 1), &args[1], c) ||
        !live_index(t->old, LLVMGetOperand(call, 2), &args[2], c))
        return wrong(c, call, "gc.relocate's indexes are not those of gc arguments of its statepoint");
    LLVMPositionBuilderBefore(b, call);
    LLVMValueRef f = intrinsic(c, RELOCATE, LLVMTypeOf(call), &type);
    replace_call(call, LLVMBuildCall2(b, type, f, args, 3, ""));
    return SM_OK;
}

/* Replaces an old gc.result by one of the token T; a diagnostic if its type is not the callee's. */
static sm_status modernize_result(struct compile *c, LLVMBuilderRef b, const struct token *t, LLVMValueRef call) {
    LLVMTypeRef type, result = LLVMTypeOf(call);
    LLVMValueRef token = t->value;
    if (result != LLVMGetReturnType(t->old->callee_type))
        return wrong(c, call, "gc.result is not of the type that the statepoint's callee returns");
    LLVMPositionBuilderBefore(b, call);
    LLVMValueRef f = intrinsic(c, RESULT, result, &type);
    replace_call(call, LLVMBuildCall2(b, type, f, &token, 1, ""));
    return SM_OK;
}

/* Replaces a user of the old token; a diagnostic if it is neither gc.relocate nor gc.result. */
static sm_status modernize_user(struct compile *c, LLVMBuilderRef b, const struct token *t, LLVMValueRef user) {
    if (LLVMIsACallInst(user) && name_begins(user, RELOCATE))
        return modernize_relocate(c, b, t, user);
    if (LLVMIsACallInst(user) && name_begins(user, RESULT))
        return modernize_result(c, b, t, user);
    return wrong(c, user, "A statepoint's token is used by something else than gc.relocate and gc.result");
}

/* Replaces all users of the old token OF. Each is erased when it is done, so the first use is always the next. */
static sm_status modernize_users(struct compile *c, LLVMBuilderRef b, const struct token *t, LLVMValueRef of) {
    sm_status s = SM_OK;
    for (LLVMUseRef u; s == SM_OK && (u = LLVMGetFirstUse(of)) != NULL;)
        s = modernize_user(c, b, t, LLVMGetUser(u));
    return s;
}

/* The landing pad that BLOCK begins with after its phis; NULL if there is none. */
static LLVMValueRef landing_pad(LLVMBasicBlockRef block) {
    LLVMValueRef i = past_phis(block);
    return i && LLVMIsALandingPadInst(i) ? i : NULL;
}

/* 1 if all uses of a landing pad of type { i8*, i32 } take the token out of it, as was done before 2016. */
static int gives_token_only(LLVMValueRef pad) {
    for (LLVMUseRef u = LLVMGetFirstUse(pad); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        if (!LLVMIsAExtractValueInst(user))
            return 0;
        for (LLVMUseRef v = LLVMGetFirstUse(user); v; v = LLVMGetNextUse(v))
            if (!LLVMIsACallInst(LLVMGetUser(v)) || !name_begins(LLVMGetUser(v), RELOCATE))
                return 0;
    }
    return LLVMGetFirstUse(pad) != NULL;
}

/* A gc.relocate whose token was taken out of the pad; NULL if there is none. */
static LLVMValueRef relocates_on(LLVMValueRef pad) {
    for (LLVMUseRef u = LLVMGetFirstUse(pad); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        for (LLVMUseRef v = LLVMIsAExtractValueInst(user) ? LLVMGetFirstUse(user) : NULL; v; v = LLVMGetNextUse(v))
            if (LLVMIsACallInst(LLVMGetUser(v)) && name_begins(LLVMGetUser(v), RELOCATE))
                return LLVMGetUser(v);
    }
    return NULL;
}

/* Builds before PAD one of type token with the same clauses. */
static LLVMValueRef token_pad(struct compile *c, LLVMBuilderRef b, LLVMValueRef pad) {
    unsigned clauses = LLVMGetNumClauses(pad);
    LLVMPositionBuilderBefore(b, pad);
    LLVMValueRef created = LLVMBuildLandingPad(b, LLVMTokenTypeInContext(c->context), NULL, clauses, "");
    for (unsigned i = 0; i < clauses; i++)
        LLVMAddClause(created, LLVMGetClause(pad, i));
    LLVMSetCleanup(created, LLVMIsCleanup(pad));
    return created;
}

/* Replaces a landing pad that only gives a token, and the extractvalue of it, by one of type token. */
static sm_status modernize_struct_pad(struct compile *c, LLVMBuilderRef b, struct token *t, LLVMValueRef pad) {
    sm_status s = SM_OK;
    t->value = token_pad(c, b, pad);
    for (LLVMUseRef u; s == SM_OK && (u = LLVMGetFirstUse(pad)) != NULL;) {
        LLVMValueRef extract = LLVMGetUser(u);
        s = modernize_users(c, b, t, extract);
        if (s == SM_OK)
            LLVMInstructionEraseFromParent(extract);
    }
    if (s == SM_OK)
        LLVMInstructionEraseFromParent(pad);
    return s;
}

/* 1 if more edges lead to BLOCK than those of an old invoke and of its replacement, both of which exist now. */
static int is_shared(LLVMBasicBlockRef block) {
    int edges = 0;
    for (LLVMUseRef u = LLVMGetFirstUse(LLVMBasicBlockAsValue(block)); u; u = LLVMGetNextUse(u))
        edges += LLVMIsATerminatorInst(LLVMGetUser(u)) != NULL;
    return edges > 2;
}

/* Replaces the gc.relocates of an invoke's unwind edge; a diagnostic if the pad's exception is used as well, or
 * others lead to the pad. */
static sm_status modernize_pad(struct compile *c, LLVMBuilderRef b, const struct old *o) {
    LLVMValueRef pad = landing_pad(LLVMGetUnwindDest(o->call));
    struct token t = {o, pad};
    if (!pad)
        return SM_OK;
    if (LLVMGetTypeKind(LLVMTypeOf(pad)) == LLVMStructTypeKind) {
        if (gives_token_only(pad))
            return modernize_struct_pad(c, b, &t, pad);
        LLVMValueRef user = relocates_on(pad);
        return user ? wrong(
                          c, user,
                          "gc.relocate of a landing pad whose exception is used as well: today's gc.relocate takes a "
                          "landing pad of type token, which gives no exception; leave the gc arguments and "
                          "relocations to the rewrite")
                    : SM_OK;
    }
    sm_status s = SM_OK;
    for (LLVMUseRef u = LLVMGetFirstUse(pad), next; s == SM_OK && u; u = next) {
        LLVMValueRef user = LLVMGetUser(u);
        next = LLVMGetNextUse(u); /* what is computed from the user uses the pad too, and comes first */
        if (LLVMIsACallInst(user) && name_begins(user, RELOCATE))
            s = is_shared(LLVMGetUnwindDest(o->call))
                    ? wrong(c, user, "gc.relocate of a landing pad that more than one statepoint leads to")
                    : modernize_relocate(c, b, &t, user);
    }
    return s;
}

/* ---- The module --------------------------------------------------------------------------------------------- */

/* Replaces one old statepoint and all users of its token. */
static sm_status modernize(struct compile *c, LLVMBuilderRef b, const struct old *o) {
    struct token t = {o, build_statepoint(c, o)};
    sm_status s = modernize_users(c, b, &t, o->call);
    if (s == SM_OK && LLVMIsAInvokeInst(o->call))
        s = modernize_pad(c, b, o);
    if (s == SM_OK)
        LLVMInstructionEraseFromParent(o->call);
    return s;
}

/* 1 if NAME is that of a gc.statepoint, gc.relocate or gc.result. */
static int is_old_ours(const char *name) {
    return strncmp(name, STATEPOINT, sizeof STATEPOINT - 1) == 0 ||
           strncmp(name, RELOCATE, sizeof RELOCATE - 1) == 0 || strncmp(name, RESULT, sizeof RESULT - 1) == 0;
}

/* Prefixes the names of declarations whose tokens are numbers (2015), so that today's can be declared under the same
 * names. */
static void rename_declarations(LLVMModuleRef module) {
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        size_t len;
        const char *name = LLVMGetValueName2(f, &len);
        LLVMTypeRef type = LLVMGlobalGetValueType(f), first = NULL;
        if (!is_old_ours(name) || LLVMCountParamTypes(type) == 0 || len > 200)
            continue;
        if (strncmp(name, STATEPOINT, sizeof STATEPOINT - 1) == 0)
            first = LLVMGetReturnType(type);
        else
            first = LLVMTypeOf(LLVMGetParam(f, 0));
        if (LLVMGetTypeKind(first) == LLVMTokenTypeKind)
            continue;
        char old[256];
        snprintf(old, sizeof old, NUMBERED "%s", name);
        LLVMSetValueName2(f, old, strlen(old));
    }
}

/* Deletes declarations of these intrinsics that nothing uses. */
static void remove_unused(LLVMModuleRef module) {
    for (LLVMValueRef f = LLVMGetFirstFunction(module), next; f; f = next) {
        next = LLVMGetNextFunction(f);
        if (is_old_ours(plain_name(value_name(f))) && LLVMIsDeclaration(f) && !LLVMGetFirstUse(f))
            LLVMDeleteFunction(f);
    }
}

struct match {
    struct compile *c;
    struct old *old; /* owned */
    size_t count, capacity;
    sm_status status;
};

/* Adds CALL to the list if it is a statepoint of an old form. */
static void find_old_statepoint(struct match *f, LLVMValueRef call) {
    struct old o;
    if (f->status != SM_OK || !name_begins(call, STATEPOINT))
        return;
    f->status = read_old(f->c, call, &o);
    if (f->status != SM_OK || is_modern(&o))
        return;
    f->old = xgrow(f->old, f->count, &f->capacity, sizeof *f->old);
    f->old[f->count++] = o;
}

/* Replaces all statepoints of 2015 and 2017 by today's. */
sm_status statepoints_modernize(struct compile *c) {
    struct match match = {.c = c};
    rename_declarations(c->module);
    for (LLVMValueRef call = first_module_call(c->module); call; call = next_module_call(call))
        find_old_statepoint(&match, call);
    LLVMBuilderRef b = LLVMCreateBuilderInContext(c->context);
    for (size_t i = 0; match.status == SM_OK && i < match.count; i++)
        match.status = modernize(c, b, &match.old[i]);
    LLVMDisposeBuilder(b);
    free(match.old);
    for (LLVMValueRef call = first_module_call(c->module); call; call = next_module_call(call))
        if (match.status == SM_OK && starts_with(called_function(call), NUMBERED))
            match.status = wrong(c, call, "The number that stands for a token is not what a gc.statepoint gives");
    remove_unused(c->module);
    return match.status;
}
