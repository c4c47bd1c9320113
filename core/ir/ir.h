/* ir.h - questions to one value, type, call or block of LLVM's, and the walks over them.
 *
 *   values.h           what one look at a value, type or call answers
 *   ir.c               questions to one value or type that LLVM's C API has no function for; which types hold
 *                      references, plain or compressed
 *   attributes.c       string attributes of functions and calls; a call's copy of what its callee declares; why
 *                      a call is a safepoint
 *   flow.c             what an instruction passes on of its operands, and how
 *   features.c         what a module has: stages and steps that concern nothing of it do not run
 *   visit.c            walks over calls and values; which call is a safepoint
 *   blocks.c           a block becomes two; allocas stand where their function begins
 *   calls.c            calls built anew: LLVM's C API changes neither the bundles of a call nor its callee
 *   aggregate_parts.c  the scalar parts of a struct or an array, at any depth, and the value built of them
 *                      again
 *   cfg.c              a function's blocks by number, their edges in both directions, its backedges, and its
 *                      loops, by Tarjan's strongly connected components
 *   passes.c           runs LLVM's passes, by LLVM's names for them, also for functions with optnone; runs
 *                      LLVM's inliner for calls that smd marks, while the module's own wait
 *   keep_casts.c       runs passes that may move casts, and keeps casts of references where the module has
 *                      them
 *   stages.c           the module after a stage or step, as text
 *   marks.h            the names of all attributes, metadata and functions by which smd marks what is in a
 *                      module: who sets them, who removes them
 *   internal_names.c   marks that a module comes with, and that none of smd's own is left when code is
 *                      generated; functions among them never throw
 */
#ifndef CORE_IR_H
#define CORE_IR_H

/* All of base/ and LLVM's, so that what includes this need not name them. */
#include "base.h"
#include "memory.h"
#include "set.h"
#include "state.h"
#include "values.h"

#include <llvm-c/Core.h>
#include <stdlib.h>

/* ---- ir.c ---- */

/* ---- flow.c ---- */

/* How an instruction passes on an operand. */
enum {
    FLOW_SAME = 1 << 0,       /* freeze, launder, … */
    FLOW_CAST = 1 << 1,       /* bitcast */
    FLOW_SPACE = 1 << 2,      /* addrspacecast */
    FLOW_CHOICE = 1 << 3,     /* phi, and select of one of two */
    FLOW_STEP = 1 << 4,       /* the pointer of a getelementptr */
    FLOW_INDEX = 1 << 5,      /* its indexes */
    FLOW_BITS = 1 << 6,       /* ptrtoint, inttoptr */
    FLOW_WIDER = 1 << 7,      /* zext, sext */
    FLOW_NARROWER = 1 << 8,   /* trunc */
    FLOW_ARITHMETIC = 1 << 9, /* add, sub, and, or, xor */
    FLOW_INTO_VECTOR = 1 << 10,
    FLOW_OUT_OF_VECTOR = 1 << 11,
    FLOW_LANES = 1 << 12, /* shufflevector */
    FLOW_INTO_STRUCT = 1 << 13,
    FLOW_OUT_OF_STRUCT = 1 << 14,
    FLOW_EXTREME = 1 << 15, /* min, max: one of two */
    FLOW_MASK = 1 << 16,    /* ptrmask */
    FLOW_BACK = 1 << 17,    /* an argument that a call says it gives back */
    FLOW_UNKNOWN = 1 << 18, /* bits are elsewhere, or come back so: shifts, mul, bswap, other intrinsics, assembly */
    FLOW_STEPS = FLOW_CAST | FLOW_SPACE | FLOW_STEP,     /* one pointer leads to it, and stays in its object */
    FLOW_ADDRESS = FLOW_STEPS | FLOW_SAME | FLOW_CHOICE, /* an address in the same memory, or one of others */
    FLOW_VECTOR = FLOW_INTO_VECTOR | FLOW_OUT_OF_VECTOR | FLOW_LANES,
    FLOW_STRUCT = FLOW_INTO_STRUCT | FLOW_OUT_OF_STRUCT,
    /* A number in which the value's bits are, perhaps in other places */
    FLOW_NUMBER = FLOW_BITS | FLOW_WIDER | FLOW_NARROWER | FLOW_ARITHMETIC | FLOW_EXTREME | FLOW_UNKNOWN,
};
unsigned flow_at(LLVMValueRef i,
                 unsigned operand); /* of operand number OPERAND; 0: nothing, or I is no instruction */
unsigned flow_of(LLVMValueRef user, LLVMValueRef v); /* of V, which may be several operands */

/* 1 if the call gives back V, an argument, as its callee is a function of the module which returns that parameter. */
int body_gives_back(LLVMValueRef call, LLVMValueRef v);

/* Adds to ALL the operands that V passes on in one of these WAYS. */
static inline void flow_sources(struct set *all, LLVMValueRef v, unsigned ways) {
    for (int k = 0; LLVMIsAInstruction(v) && k < LLVMGetNumOperands(v); k++)
        if (flow_at(v, (unsigned)k) & ways)
            set_add(all, LLVMGetOperand(v, (unsigned)k));
}

/* What I reads and writes: the addresses, and the value that it writes. NULL: none. A copy has both addresses and no
 * value. */
struct memory_access {
    LLVMValueRef from, to, value;
};
struct memory_access flow_access(LLVMValueRef i);

/* Adds to the set the stack slots and global variables that the address may lead into; what F reads from these, or
 * from within them; what writes into MEMORY, which is one of these. Copies are followed from one to another. */
void flow_memory(struct set *memory, LLVMValueRef address);
void flow_reads(LLVMValueRef address, LLVMValueRef f, struct set *reads);
void flow_stored(LLVMValueRef memory, struct set *stores);

/* What V was stepped or cast from, by instructions that pass it on in these ways. Where nothing is reached, a value
 * may be computed from itself: a walk in such a circle ends somewhere in it. */
LLVMValueRef stepped_from(LLVMValueRef v, unsigned ways);

/* 1 if the type is or contains, at any depth, one that is no aggregate and that the test finds. */
typedef int type_test(LLVMTypeRef type, const void *arg);
int type_holds(LLVMTypeRef type, type_test *is_needed, const void *arg);
extern unsigned
    reference_space; /* whose pointers are references: 1, but behind the rewrite a library's (moved_spaces.c) */
int holds_pointer(LLVMTypeRef type);   /* 1 if it is or contains a pointer of any space */
int holds_reference(LLVMTypeRef type); /* 1 if it is or contains a GC pointer, at any depth */

static inline int is_reference(LLVMValueRef v) { /* a GC pointer, or a vector of them */
    return is_pointer(v) && holds_reference(LLVMTypeOf(v));
}

/* What LLVM prints of V, without the blanks before it and cut off at 300 bytes: for messages. It is there until the
 * second call after this one. */
const char *value_text(LLVMValueRef v);

/* Deletes the functions whose names begin with one of LIST's words, and that nothing uses. */
static inline void functions_delete_unused(LLVMModuleRef module, const char *list) {
    for (LLVMValueRef f = LLVMGetFirstFunction(module), next; f; f = next) {
        next = LLVMGetNextFunction(f);
        if (list_begins(list, value_name(f)) && !LLVMGetFirstUse(f))
            LLVMDeleteFunction(f);
    }
}

/* ---- attributes.c ---- */

/* What the code for the processor, and the calling convention, depend on; a function of ours gets them from its
 * caller. */
enum { CODE_ATTRIBUTES = 10 };
extern const char *const code_attributes[CODE_ATTRIBUTES];
void copy_processor(LLVMValueRef from, LLVMValueRef to, LLVMContextRef context_of_to);
/* What it may read (the lower bit) and write (the higher one) of each kind of memory, by the attribute "memory": the
 * lowest two bits are of its arguments, then of inaccessible memory, then of all other. A call says it, or its
 * callee. */
static inline unsigned long long effects_in(LLVMAttributeRef memory) { /* all bits where there is no attribute */
    return memory ? LLVMGetEnumAttributeValue(memory) : ~0ull;
}

static inline unsigned long long effects_of_function(LLVMValueRef f) {
    return effects_in(LLVMGetEnumAttributeAtIndex(f, LLVMAttributeFunctionIndex, attribute_kind("memory")));
}

static inline unsigned long long effects_of_call(LLVMValueRef call) {
    LLVMValueRef callee = LLVMGetCalledValue(call);
    unsigned kind = attribute_kind("memory");
    return effects_in(LLVMGetCallSiteEnumAttribute(call, LLVMAttributeFunctionIndex, kind)) &
           (LLVMIsAFunction(callee) ? effects_of_function(callee) : ~0ull);
}

/* Gives the arguments of CALL, of F, what F's parameters say of where and how they are passed: code generation
 * looks for it at the callee of a call as well, but a statepoint has only what its call has. 1 if something was
 * not there. */
int arguments_as_declared(LLVMValueRef call, LLVMValueRef f);

/* CALL, which smd built of F, passes what F is declared to take, and where: F's convention, and what its parameters
 * say. */
static inline void call_as_declared(LLVMValueRef call, LLVMValueRef f) {
    LLVMSetInstructionCallConv(call, LLVMGetFunctionCallConv(f));
    arguments_as_declared(call, f);
}

/* Functions of the module that smd calls of its own accord (late_inline.h). */
#define READ_BARRIER  "gc.read_barrier"
#define WRITE_BARRIER "gc.write_barrier"
#define ENTER         "gc.transition_enter"
#define LEAVE         "gc.transition_leave"
#define ROOT_ENTER    "gc.root_enter"
#define ROOT_LEAVE    "gc.root_leave"

/* 1 if smd calls F of its own accord: no polls are in it, and no option gives it a strategy */
int is_hook(LLVMValueRef f);
void branch_is_cold(struct compile *c, LLVMValueRef branch); /* its first way is hardly ever taken */

/* 1 if it is or contains a compressed one, which the data layout tells from others; or any of both */
int holds_compressed(LLVMTargetDataRef data, LLVMTypeRef type);

static inline int holds_root(LLVMTargetDataRef data, LLVMTypeRef type) {
    return holds_reference(type) || holds_compressed(data, type);
}

/* ---- attributes.c: safepoints ---- */

int call_has_reason(LLVMValueRef call, const char *reason);
void site_unmark(LLVMValueRef call);    /* removes the attributes that only smd understands */
uint8_t record_kind(LLVMValueRef call); /* enum sm_record_kind: of the record that it leaves */

static inline int sites_is_record(LLVMValueRef call) { /* it leaves a record in the stackmap */
    return record_kind(call) != SM_RECORD_UNKNOWN;
}

enum { POLL_REASONS = 5 };
extern const char *const poll_reasons[POLL_REASONS]; /* such marks of calls in polls */
const char *site_reason(LLVMValueRef call);          /* by its mark, a static text; NULL: none */

/* ---- stages.c ---- */

static inline int after_lists(const struct compile *c, const char *name) { /* the option after has this word */
    return list_has(c->options->after, name, strlen(name));
}

/* The module as it stands becomes the text of a stage, or step, of this name; not where emit leaves stages out */
void stages_show(struct compile *c, const char *name);

/* ---- features.c ---- */

/* Bits of c->has. What makes one of these adds its bit: c->has may have more than the module, and not less. */
enum {
    HAS_STATEPOINTS = 1 << 0, /* of its own: calls of the intrinsic */
    HAS_BUNDLES = 1 << 1,     /* calls with operand bundles */
    HAS_SLOTS = 1 << 2,       /* allocas, and parameters on the stack */
    HAS_AGGREGATES = 1 << 3,  /* values that are structs, arrays or scalable vectors */
    HAS_PADS = 1 << 4,        /* landing pads */
    HAS_INT_TO_PTR = 1 << 5,
    HAS_DEOPTIMIZE = 1 << 6,
    HAS_PATCHPOINTS = 1 << 7,
    HAS_SCOPES = 1 << 8, /* scoped roots, pins, or marks of scopes */
};
void features_find(struct compile *c); /* the module's as it stands, in one walk */

/* ---- visit.c ---- */

static inline int function_has_statepoints(LLVMValueRef f) { /* it has a body, and a strategy of them */
    return !LLVMIsDeclaration(f) && is_statepoint_gc(LLVMGetGC(f));
}

/* The module's functions that have statepoints: the first one, and the one that follows F; NULL: none. */
static inline LLVMValueRef with_statepoints_from(LLVMValueRef f) {
    while (f && !function_has_statepoints(f))
        f = LLVMGetNextFunction(f);
    return f;
}

static inline LLVMValueRef first_with_statepoints(LLVMModuleRef module) {
    return with_statepoints_from(LLVMGetFirstFunction(module));
}

static inline LLVMValueRef next_with_statepoints(LLVMValueRef f) {
    return with_statepoints_from(LLVMGetNextFunction(f));
}

static inline int has_statepoints(const struct compile *c) { /* a function of the module has */
    return first_with_statepoints(c->module) != NULL;
}

/* The calls (call, invoke, callbr) of F, or of a module: the first one, and the one that follows CALL; NULL: none. */
static inline LLVMValueRef call_from(LLVMValueRef i) {
    while (i && !is_call(i))
        i = instruction_after(i);
    return i;
}

static inline LLVMValueRef first_call(LLVMValueRef f) {
    return call_from(first_instruction(f));
}

static inline LLVMValueRef next_call(LLVMValueRef call) {
    return call_from(instruction_after(call));
}

static inline LLVMValueRef call_from_function(LLVMValueRef f) {
    LLVMValueRef call = NULL;
    for (; f && !call; f = LLVMGetNextFunction(f))
        call = first_call(f);
    return call;
}

static inline LLVMValueRef first_module_call(LLVMModuleRef module) {
    return call_from_function(LLVMGetFirstFunction(module));
}

static inline LLVMValueRef next_module_call(LLVMValueRef call) {
    LLVMValueRef next = next_call(call);
    return next ? next : call_from_function(LLVMGetNextFunction(function_of(call)));
}

static inline void sites_unmark(LLVMModuleRef module) { /* all of its calls */
    for (LLVMValueRef call = first_module_call(module); call; call = next_module_call(call))
        site_unmark(call);
}

/* 1 if IS_NEEDED says 1 of a call of F. */
static inline int any_call(LLVMValueRef f, int (*is_needed)(LLVMValueRef call)) {
    LLVMValueRef call = first_call(f);
    while (call && !is_needed(call))
        call = next_call(call);
    return call != NULL;
}

/* Adds to CALLS, in their order, the calls of F of which IS_NEEDED says 1. */
static inline void collect_calls(LLVMValueRef f, int (*is_needed)(LLVMValueRef call), struct set *calls) {
    for (LLVMValueRef call = first_call(f); call; call = next_call(call))
        if (is_needed(call))
            set_add(calls, call);
}

/* Of every parameter and instruction of functions with statepoints, until one is wrong. */
typedef sm_status value_check(struct compile *c, LLVMValueRef function, LLVMValueRef value);
sm_status check_function_values(struct compile *c, LLVMValueRef function, value_check *check);
typedef sm_status function_check(struct compile *c, LLVMValueRef function, value_check *check);
static inline sm_status check_functions(struct compile *c, function_check *each, value_check *check) {
    sm_status s = SM_OK;
    for (LLVMValueRef f = first_with_statepoints(c->module); s == SM_OK && f; f = next_with_statepoints(f))
        s = each(c, f, check);
    return s;
}

static inline sm_status check_values(struct compile *c, value_check *check) { /* of all of them */
    return check_functions(c, check_function_values, check);
}

/* 1 if it will be a statepoint: no intrinsic, assembly, leaf function or musttail call */
int calls_safepoint(LLVMValueRef call);

/* 1 if it is a safepoint in the module as it stands: a statepoint; before the rewrite, what will be one too. */
int is_safepoint(const struct compile *c, LLVMValueRef call);
static inline int has_safepoints(const struct compile *c, LLVMValueRef f) { /* F has one */
    LLVMValueRef call = first_call(f);
    while (call && !is_safepoint(c, call))
        call = next_call(call);
    return call != NULL;
}

/* ---- blocks.c ---- */

/* Moves FIRST, which is no phi, and all that follows it in its block into a new block behind that, to which the old one
 * branches */
void block_split(struct compile *c, LLVMValueRef f, LLVMValueRef first);

/* Moves the allocas of fixed size of F's first block to its begin, and gives what comes behind them */
LLVMValueRef allocas_gather(LLVMBuilderRef b, LLVMValueRef f);

/* ---- calls.c ---- */

LLVMValueRef after_call(LLVMValueRef call); /* what comes next; NULL if others lead there as well */

/* A call built anew before the one that it is LIKE, with what is no operand of that */
struct call_parts {
    LLVMTypeRef type;
    LLVMValueRef callee, *args;
    unsigned arg_count;
    LLVMOperandBundleRef *bundles;
    unsigned bundle_count;
    int is_call; /* boolean: no invoke, though LIKE is one */
};
LLVMValueRef call_build(LLVMValueRef like, const struct call_parts *parts);
void call_replace(LLVMValueRef old, LLVMValueRef created); /* in all its uses, and in its name */
void call_copy_attributes(LLVMValueRef from, unsigned from_index, LLVMValueRef to, unsigned to_index);
LLVMOperandBundleRef call_bundle(LLVMValueRef call, const char *tag); /* *new*; NULL if there is none */

/* The call again, with COUNT more values in this bundle */
LLVMValueRef call_extend(struct compile *c, LLVMValueRef call, const char *tag, LLVMValueRef *more, unsigned count);

/* The call again, as one of a function of TYPE, and without the bundle TAG ("": with all). The old one is erased. */
LLVMValueRef call_rebuild(LLVMValueRef call, LLVMTypeRef type, const char *tag);
/* Which of the call's operands are in its bundle TAG, or in any (NULL), by their numbers, END not among them; none
 * without one. */
struct operands {
    unsigned first, end;
};
struct operands call_operands(LLVMValueRef call, const char *tag);

static inline int operands_have(struct operands o, unsigned operand) {
    return operand >= o.first && operand < o.end;
}

static inline int call_has_bundle(LLVMValueRef call, const char *tag) { /* though it may be empty */
    LLVMOperandBundleRef bundle = call_bundle(call, tag);
    if (bundle)
        LLVMDisposeOperandBundle(bundle);
    return bundle != NULL;
}

static inline unsigned call_bundle_size(LLVMValueRef call, const char *tag) { /* 0 without one */
    struct operands o = call_operands(call, tag);
    return o.end - o.first;
}

static inline int call_bundle_has(LLVMValueRef call, const char *tag, LLVMValueRef v) {
    struct operands o = call_operands(call, tag);
    while (o.first < o.end && LLVMGetOperand(call, o.first) != v)
        o.first++;
    return o.first < o.end;
}

/* What the operand OPERAND of RELOCATE names in the "gc-live" list of STATEPOINT; NULL if that is not clear. */
static inline LLVMValueRef relocate_names(LLVMValueRef relocate, unsigned operand, LLVMValueRef statepoint) {
    struct operands list = call_operands(statepoint, "gc-live");
    LLVMValueRef index = LLVMGetOperand(relocate, operand);
    uint64_t at = LLVMIsAConstantInt(index) ? LLVMConstIntGetZExtValue(index) : UINT64_MAX;
    return at < list.end - list.first ? LLVMGetOperand(statepoint, list.first + (unsigned)at) : NULL;
}

/* *New* ones, all but TAG, into room for as many as the call has. How many they are. */
unsigned call_other_bundles(LLVMValueRef call, const char *tag, LLVMOperandBundleRef *bundles);

/* ---- passes.c ---- */

/* Runs passes by LLVM's names for them */
sm_status run_passes(struct compile *c, const char *passes);

/* They become part of the pipeline that the answer names */
static inline void note_passes(struct compile *c, const char *passes) {
    sm_buf_printf(&c->pipeline, "%s%s", c->pipeline.len ? "," : "", passes);
}

/* Functions with statepoints lose the attribute, or have it again */
void optnone_hide(struct compile *c, int is_hidden);

/* ---- keep_casts.c ---- */

/* Runs passes that may move and fold casts, but those of references they leave in their places */
sm_status run_folding_passes(struct compile *c, const char *passes);

/* Likewise, also in functions with "optnone"; noted */
static inline sm_status run_folding_everywhere(struct compile *c, const char *passes) {
    optnone_hide(c, 1);
    note_passes(c, passes);
    sm_status s = run_folding_passes(c, passes);
    optnone_hide(c, 0);
    return s;
}

/* Inlines the calls that have "alwaysinline" themselves and call what smd calls of its own accord, or has written;
 * and all calls of FUNCTIONS (NULL: none) */
sm_status inline_marked(struct compile *c, const struct set *functions);

/* ---- internal_names.c ---- */

/* Functions that stand for something until they are lowered; before the verifier, before the optimiser, and
 * when code is generated */
sm_status marks_read(struct compile *c);
void marks_keep(struct compile *c);
sm_status marks_check_left(struct compile *c);

#endif
