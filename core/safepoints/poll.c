/* poll.c - what a safepoint poll is: the module's own gc.safepoint_poll, or a body that smd writes.
 *
 * LLVM's placement pass inlines a function of that name, void(), wherever it wants a poll. A body of ours is there
 * while polls are placed, and gone after.
 */
#include "cfg.h"
#include "deviations.h"
#include "effects.h"
#include "ir.h"
#include "marks.h"
#include "pagepoll.h"
#include "placing.h"
#include "safepoints.h"
#include "target.h"

#include <elf.h>

#define POLL "gc.safepoint_poll"

/* The type of a poll, void(). */
static LLVMTypeRef poll_type(struct compile *c) {
    return LLVMFunctionType(LLVMVoidTypeInContext(c->context), NULL, 0, 0);
}

/* The void() function of this name, declared if it is not there; NULL if the name is another thing's. */
static LLVMValueRef void_function(struct compile *c, const char *name) {
    LLVMValueRef f = LLVMGetNamedFunction(c->module, name);
    if (!f && (LLVMGetNamedGlobal(c->module, name) || is_other_name(c->module, name)))
        return NULL;
    if (!f)
        return LLVMAddFunction(c->module, name, poll_type(c));
    return LLVMGlobalGetValueType(f) == poll_type(c) ? f : NULL;
}

/* Makes an internal gc.safepoint_poll with one empty block, and puts the builder at its end. */
static LLVMValueRef begin_body(struct compile *c, LLVMBuilderRef b) {
    LLVMValueRef poll = LLVMAddFunction(c->module, POLL, poll_type(c));
    LLVMSetLinkage(poll, LLVMInternalLinkage);
    LLVMPositionBuilderAtEnd(b, LLVMAppendBasicBlockInContext(c->context, poll, "entry"));
    return poll;
}

/* Fails with SM_POLL_CONFLICT: SYMBOL is in the module and is not WHAT the option "poll" needs. */
static sm_status conflict_poll(struct compile *c, const char *symbol, const char *what) {
    return fail(c, SM_POLL_CONFLICT, NULL, "poll: '%s' is in the module, but is not %s", symbol, what);
}

/* 1 if nothing has this name, or RESULT does and is of this type. */
static int is_free_or(struct compile *c, const char *name, LLVMValueRef result, LLVMTypeRef type) {
    if (result)
        return LLVMGlobalGetValueType(result) == type;
    return !LLVMGetNamedFunction(c->module, name) && !LLVMGetNamedGlobal(c->module, name) &&
           !is_other_name(c->module, name);
}

/* Builds a call of CALLEE, by the convention that the module declares it with. */
static void build_call(struct compile *c, LLVMBuilderRef b, LLVMValueRef callee) {
    LLVMSetInstructionCallConv(LLVMBuildCall2(b, poll_type(c), callee, NULL, 0, ""), LLVMGetFunctionCallConv(callee));
}

/* Writes a poll that calls SYMBOL, void(). SM_POLL_CONFLICT if that is another thing. */
static sm_status write_call(struct compile *c, LLVMBuilderRef b, const char *symbol) {
    LLVMValueRef callee = void_function(c, symbol);
    if (!callee)
        return conflict_poll(c, symbol, "a function void()");
    begin_body(c, b);
    build_call(c, b, callee);
    LLVMBuildRetVoid(b);
    return SM_OK;
}

/* The byte variable of this name, declared if it is not there; NULL if the name is another thing's. */
static LLVMValueRef byte_variable(struct compile *c, const char *name) {
    LLVMTypeRef byte = LLVMInt8TypeInContext(c->context);
    LLVMValueRef g = LLVMGetNamedGlobal(c->module, name);
    if (g || LLVMGetNamedFunction(c->module, name))
        return g && LLVMGlobalGetValueType(g) == byte ? g : NULL;
    return LLVMAddGlobal(c->module, byte, name);
}

/* 1 if references may stay in registers across a poll, and no unwind table tells where its slow path keeps them. */
static int loses_registers(const struct compile *c) {
    return gc_registers_of(c) > 0 && c->options->unwind != SM_UNWIND_ALWAYS;
}

/* A function that calls SLOW, and preserves all general registers: so nothing is saved around a poll but references,
 * and those only where the flag is set. With gc_registers they stay in registers, too: a walk finds them where this
 * function has saved them. SLOW itself where that is not possible: the module says how it is called, or roots are no
 * statepoints'. */
static LLVMValueRef saving_function(struct compile *c, LLVMValueRef slow) {
    enum { C = 0, PRESERVE_MOST = 14 };
    LLVMValueRef polled = c->form == FORM_OPTIMISED ? first_with_statepoints(c->module) : NULL;
    if (!polled || c->options->opt == SM_OPT_0 || loses_registers(c) || LLVMGetFunctionCallConv(slow) != C)
        return slow;
    LLVMBuilderRef b = LLVMCreateBuilderInContext(c->context);
    LLVMValueRef f = LLVMAddFunction(c->module, POLL_SLOW, poll_type(c));
    LLVMSetLinkage(f, LLVMInternalLinkage);
    LLVMSetFunctionCallConv(f, PRESERVE_MOST);
    LLVMSetGC(f, LLVMGetGC(polled));
    copy_processor(polled, f, c->context);
    set_text_attribute(c->context, f, POLLS_ATTRIBUTE, "none");
    LLVMPositionBuilderAtEnd(b, LLVMAppendBasicBlockInContext(c->context, f, "entry"));
    build_call(c, b, slow);
    LLVMBuildRetVoid(b);
    LLVMDisposeBuilder(b);
    return f;
}

/* Writes a poll that loads the byte FLAG_NAME and calls SLOW_NAME if it is not 0. SM_POLL_CONFLICT if one of them
 * is another thing. */
static sm_status write_flag(struct compile *c, LLVMBuilderRef b, const char *flag_name, const char *slow_name) {
    LLVMTypeRef byte = LLVMInt8TypeInContext(c->context);
    LLVMValueRef flag = byte_variable(c, flag_name), slow = void_function(c, slow_name);
    if (!flag)
        return conflict_poll(c, flag_name, "a variable of type i8");
    if (!slow)
        return conflict_poll(c, slow_name, "a function void()");
    LLVMValueRef poll = begin_body(c, b);
    LLVMBasicBlockRef cold = LLVMAppendBasicBlockInContext(c->context, poll, "slow");
    LLVMBasicBlockRef on = LLVMAppendBasicBlockInContext(c->context, poll, "on");
    LLVMValueRef load = LLVMBuildLoad2(b, byte, flag, "flag");
    LLVMSetVolatile(load, 1);
    LLVMValueRef set = LLVMBuildICmp(b, LLVMIntNE, load, LLVMConstInt(byte, 0, 0), "set");
    branch_is_cold(c, LLVMBuildCondBr(b, set, cold, on));
    LLVMPositionBuilderAtEnd(b, cold);
    build_call(c, b, saving_function(c, slow));
    LLVMBuildBr(b, on);
    LLVMPositionBuilderAtEnd(b, on);
    LLVMBuildRetVoid(b);
    return SM_OK;
}

/* 1 if the option "poll" is "module": the module's own gc.safepoint_poll is used. */
static int is_module_poll(const struct compile *c) {
    return strcmp(c->options->poll, "module") == 0;
}

enum {
    POLL_TEXT = 256,     /* bytes of the option, at most */
    OFFSET_MAX = 1 << 20 /* of a thread's page, in its variable */
};

/* The option taken apart. */
struct poll {
    char text[POLL_TEXT];
    const char *call;        /* call:SYMBOL */
    const char *flag, *slow; /* flag:SYMBOL:SLOW */
    const char *page;        /* page:SYMBOL */
    const char *thread;      /* tls:SYMBOL:OFFSET */
    unsigned offset;
};

/* Reads the offset of poll=tls: a decimal number of bytes, a multiple of a pointer's, in bounds. 0 if it is none. */
static int read_offset(const char *text, unsigned *offset) {
    char *end;
    if (!text || text[0] < '0' || text[0] > '9')
        return 0;
    unsigned long n = strtoul(text, &end, 10);
    *offset = (unsigned)n;
    return *end == 0 && n <= OFFSET_MAX && n % 8 == 0;
}

/* Takes the option "poll" apart into *P. 0 if it is none of the five forms. */
static int take_apart(const struct compile *c, struct poll *p) {
    char *save = NULL;
    snprintf(p->text, sizeof p->text, "%s", c->options->poll);
    const char *kind = strtok_r(p->text, ":", &save), *first = strtok_r(NULL, ":", &save),
               *second = strtok_r(NULL, ":", &save);
    int more = strtok_r(NULL, ":", &save) != NULL;
    p->call = p->flag = p->slow = p->page = p->thread = NULL;
    if (is_module_poll(c))
        return 1;
    if (kind && strcmp(kind, "call") == 0 && !second)
        p->call = first;
    else if (kind && strcmp(kind, "page") == 0 && !second)
        p->page = first;
    else if (kind && strcmp(kind, "tls") == 0 && !more && read_offset(second, &p->offset))
        p->thread = first;
    else if (kind && strcmp(kind, "flag") == 0 && second && !more) {
        p->flag = first;
        p->slow = second;
    }
    return p->call || p->page || p->flag || p->thread;
}

/* The same; SM_INVALID_OPTION if it is none of the five forms. */
static sm_status read_option(struct compile *c, struct poll *p) {
    if (take_apart(c, p))
        return SM_OK;
    return fail_option(
        c, SM_INVALID_OPTION, "poll", NULL,
        "'%s' is not a value of 'poll'; it takes module, call:SYMBOL, flag:SYMBOL:SLOW, page:SYMBOL or "
        "tls:SYMBOL:OFFSET (bytes, a multiple of 8, at most %d)",
        c->options->poll, OFFSET_MAX);
}

/* Refuses symbols that begin with "llvm.": a call of an intrinsic of LLVM's would stop no thread, and such a name
 * is no symbol that a runtime can define. */
static sm_status refuse_intrinsics(struct compile *c, const struct poll *p) {
    const char *const symbols[] = {p->call, p->flag, p->slow, p->page, p->thread};
    for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++)
        if (symbols[i] && strncmp(symbols[i], "llvm.", 5) == 0)
            return fail(c, SM_POLL_CONFLICT, NULL,
                        "poll: '%s' is one of LLVM's own names, and no symbol that a runtime can define", symbols[i]);
    return SM_OK;
}

/* 1 if NAME may be a page's, or a thread-local variable's that has a page's address: nothing has it, or such a variable
 * of address space 0. */
static int is_page(struct compile *c, const char *name, int is_thread_local) {
    LLVMValueRef g = LLVMGetNamedGlobal(c->module, name);
    if (g)
        return LLVMIsThreadLocal(g) == is_thread_local && LLVMGetPointerAddressSpace(LLVMTypeOf(g)) == 0;
    return !LLVMGetNamedFunction(c->module, name) && !is_other_name(c->module, name);
}

void poll_symbols(const struct compile *c, struct set *symbols) {
    struct poll p;
    LLVMValueRef poll = LLVMGetNamedFunction(c->module, POLL);
    if (poll && LLVMIsDeclaration(poll))
        set_add(symbols, poll);
    if (!take_apart(c, &p))
        return;
    symbol_add(c->module, p.call, symbols);
    symbol_add(c->module, p.flag, symbols);
    symbol_add(c->module, p.slow, symbols);
    symbol_add(c->module, p.page, symbols);
    symbol_add(c->module, p.thread, symbols);
}

/* Checks what the module says of the function that poll=call or poll=flag calls. */
static sm_status check_callee(struct compile *c, enum writes needed) {
    struct poll p;
    const char *name = take_apart(c, &p) ? p.call ? p.call : p.slow : NULL;
    LLVMValueRef callee = name ? LLVMGetNamedFunction(c->module, name) : NULL;
    return callee ? effects_check(c, callee, needed, SM_POLL_CONFLICT) : SM_OK;
}

/* Checks that the module has nothing that clashes with the poll asked for. Before the module is optimised, which
 * may drop what clashes. */
sm_status poll_check(struct compile *c) {
    struct poll p;
    sm_status s = read_option(c, &p);
    LLVMValueRef poll = LLVMGetNamedFunction(c->module, POLL);
    if (s == SM_OK)
        s = refuse_intrinsics(c, &p);
    if (s != SM_OK)
        return s;
    if (LLVMGetNamedGlobal(c->module, POLL) || is_other_name(c->module, POLL) ||
        (poll && LLVMGlobalGetValueType(poll) != poll_type(c)))
        return conflict_poll(c, POLL, "a function void()");
    if (poll && !is_module_poll(c))
        return fail(c, SM_POLL_CONFLICT, NULL, "The module has a " POLL " of its own, and poll=%s asks for another",
                    c->options->poll);
    if (p.call && !is_free_or(c, p.call, LLVMGetNamedFunction(c->module, p.call), poll_type(c)))
        return conflict_poll(c, p.call, "a function void()");
    if (p.slow && !is_free_or(c, p.slow, LLVMGetNamedFunction(c->module, p.slow), poll_type(c)))
        return conflict_poll(c, p.slow, "a function void()");
    if (p.flag && !is_free_or(c, p.flag, LLVMGetNamedGlobal(c->module, p.flag), LLVMInt8TypeInContext(c->context)))
        return conflict_poll(c, p.flag, "a variable of type i8");
    if (p.page && !is_page(c, p.page, 0))
        return conflict_poll(c, p.page, "a variable that all threads have at one address");
    if (p.thread && !is_page(c, p.thread, 1))
        return conflict_poll(c, p.thread, "a thread-local variable of address space 0");
    s = poll ? effects_check(c, poll, WRITES_BEYOND_ARGUMENTS, SM_POLL_CONFLICT) : SM_OK;
    return s == SM_OK ? check_callee(c, WRITES_BEYOND_ARGUMENTS) : s;
}

/* The model of a thread-local variable that the module does not declare: one without a call, that libraries may have,
 * too. AArch64's large code has no other than that of the program's own variables. */
static LLVMThreadLocalMode thread_model(const struct compile *c) {
    int is_large = c->elf_machine == EM_AARCH64 && c->options->code_model == SM_CM_LARGE;
    return is_large ? LLVMLocalExecTLSModel : LLVMInitialExecTLSModel;
}

/* What a page poll loads from or, of a thread-local one, where it finds the page: the variable SYMBOL, declared if it
 * is not there. */
static LLVMValueRef page_variable(struct compile *c, const char *symbol, int is_thread_local) {
    LLVMValueRef g = LLVMGetNamedGlobal(c->module, symbol);
    if (g)
        return g;
    g = LLVMAddGlobal(c->module, LLVMInt8TypeInContext(c->context), symbol);
    if (is_thread_local)
        LLVMSetThreadLocalMode(g, thread_model(c));
    return g;
}

/* Loads the address of the thread's page, OFFSET bytes into the thread-local variable. Volatile: each poll asks. */
static LLVMValueRef load_page(struct compile *c, LLVMBuilderRef b, LLVMValueRef variable, unsigned offset) {
    LLVMTypeRef byte = LLVMInt8TypeInContext(c->context);
    LLVMValueRef bytes = LLVMConstInt(LLVMInt32TypeInContext(c->context), offset, 0);
    LLVMValueRef at = LLVMBuildInBoundsGEP2(b, byte, variable, &bytes, 1, "");
    LLVMValueRef page = LLVMBuildLoad2(b, LLVMPointerTypeInContext(c->context, 0), at, "page");
    LLVMSetVolatile(page, 1);
    return page;
}

/* Writes a poll that is a statepoint which calls nothing, with room for a load from a page (emit/emit.c), which is what
 * the poll is given. That is P->page itself, or what P->thread has at P->offset. The variable becomes C->page. */
static sm_status write_page(struct compile *c, LLVMBuilderRef b, const struct poll *p) {
    LLVMTypeRef pointer = LLVMPointerTypeInContext(c->context, 0);
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(c->context), &pointer, 1, 0);
    unsigned attribute = attribute_kind(sm_page_poll_attribute((uint16_t)c->elf_machine));
    char bytes[16];
    c->page = page_variable(c, p->page ? p->page : p->thread, p->page == NULL);
    begin_body(c, b);
    LLVMValueRef page = p->page ? c->page : load_page(c, b, c->page, p->offset);
    LLVMValueRef call = LLVMBuildCall2(b, type, c->page, &page, 1, "");
    LLVMSetInstructionCallConv(call, SM_PAGE_POLL_CONVENTION);
    LLVMAddCallSiteAttribute(call, 1, LLVMCreateEnumAttribute(c->context, attribute, 0));
    snprintf(bytes, sizeof bytes, "%u", sm_page_poll_bytes((uint16_t)c->elf_machine));
    set_call_attribute(c->context, call, "statepoint-num-patch-bytes", bytes);
    LLVMBuildRetVoid(b);
    return SM_OK;
}

/* Writes the gc.safepoint_poll that the option "poll" describes. */
static sm_status write_body(struct compile *c, LLVMBuilderRef b) {
    struct poll p;
    sm_status s = read_option(c, &p);
    if (s != SM_OK)
        return s;
    if (p.call)
        return write_call(c, b, p.call);
    return p.flag ? write_flag(c, b, p.flag, p.slow) : write_page(c, b, &p);
}

/* Polls in functions whose roots are slots: what was read from them must not be taken for what they hold after one. */
static sm_status check_poll_of_roots(struct compile *c) {
    LLVMValueRef poll = LLVMGetNamedFunction(c->module, POLL);
    sm_status s = poll ? effects_check(c, poll, WRITES_ALL_MEMORY, SM_POLL_CONFLICT) : SM_OK;
    return s == SM_OK ? check_callee(c, WRITES_ALL_MEMORY) : s;
}

/* Makes sure that there is a gc.safepoint_poll that LLVM's pass can inline: the module's own, one that calls it where
 * it is only declared, one by the option, or a stand-in that calls PROBE and so tells later whether a poll was
 * needed. */
sm_status poll_prepare(struct compile *c, int roots) {
    LLVMValueRef poll = LLVMGetNamedFunction(c->module, POLL);
    sm_status s = roots ? check_poll_of_roots(c) : SM_OK;
    if (s != SM_OK)
        return s;
    if (poll && !LLVMIsDeclaration(poll))
        return SM_OK;
    if (poll)
        LLVMSetValueName2(poll, POLL_DECLARED, sizeof POLL_DECLARED - 1);
    LLVMBuilderRef b = LLVMCreateBuilderInContext(c->context);
    s = is_module_poll(c) ? write_call(c, b, poll ? POLL_DECLARED : POLL_PROBE) : write_body(c, b);
    if (!is_module_poll(c) || poll)
        deviate(c, DEVIATION_OWN_POLLS);
    LLVMDisposeBuilder(b);
    return s;
}

/* Fails with SM_MISSING_POLL if the stand-in was inlined somewhere: a poll was needed that the module does not
 * have. */
static sm_status check_probe_poll(struct compile *c) {
    LLVMValueRef probe = LLVMGetNamedFunction(c->module, POLL_PROBE);
    sm_status s = SM_OK;
    LLVMUseRef use = probe ? LLVMGetFirstUse(probe) : NULL;
    if (use) {
        LLVMValueRef f = function_of(LLVMGetUser(use));
        s = fail_option(c, SM_MISSING_POLL, "poll", f,
                        "A safepoint poll is needed here, and the module has no function void @" POLL
                        "(); define one, say poll=call:SYMBOL, "
                        "poll=flag:SYMBOL:SLOW or poll=page:SYMBOL, or place none with safepoints=none");
    } else if (probe) {
        LLVMDeleteFunction(probe);
    }
    return s;
}

/* ---- How early polls stand in their blocks ------------------------------------------------------------------------
 *
 * LLVM's pass polls before the branch that leads back, so that a poll lies between the branch and what its condition
 * is computed from. Code generation works on a block at a time: a flag's poll ends the block, and then no load is
 * folded into the comparison, and what one register would count takes several. So what need not be done before the
 * poll is done after it. Only what computes, compares, and loads from objects is moved: no store, as the object may
 * still be incomplete, nothing of the runtime's memory, and nothing that depends on where an object is. */

/* 1 if I gives the same after a poll as before it. */
static int may_wait(LLVMValueRef i) {
    if (LLVMIsALoadInst(i))
        return !LLVMGetVolatile(i) && LLVMGetOrdering(i) == LLVMAtomicOrderingNotAtomic &&
               is_reference(LLVMGetOperand(i, 0));
    if (LLVMIsAICmpInst(i))
        return !is_reference(LLVMGetOperand(i, 0)) || LLVMGetICmpPredicate(i) == LLVMIntEQ ||
               LLVMGetICmpPredicate(i) == LLVMIntNE;
    if (LLVMIsACastInst(i))
        return !LLVMIsAIntToPtrInst(i) && !LLVMIsAPtrToIntInst(i) && !LLVMIsAAddrSpaceCastInst(i);
    return LLVMIsABinaryOperator(i) || LLVMIsAGetElementPtrInst(i) || LLVMIsASelectInst(i) || LLVMIsAFCmpInst(i) ||
           LLVMIsAUnaryOperator(i) || LLVMIsAShuffleVectorInst(i);
}

/* 1 if F casts a reference to its address: what is computed from it may have to be done before the poll. */
static int casts_references(LLVMValueRef f) {
    for (LLVMValueRef i = first_instruction(f); i; i = instruction_after(i))
        if ((LLVMIsAPtrToIntInst(i) || LLVMIsAAddrSpaceCastInst(i)) && is_reference(LLVMGetOperand(i, 0)))
            return 1;
    return 0;
}

/* The branch of a flag's poll whose slow path CALL is; NULL if it is none. */
static LLVMValueRef flag_branch(LLVMValueRef call) {
    LLVMBasicBlockRef slow = LLVMGetInstructionParent(call);
    LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(slow));
    LLVMValueRef branch = use && !LLVMGetNextUse(use) ? LLVMGetUser(use) : NULL;
    if (!branch || !LLVMIsABranchInst(branch) || !LLVMIsConditional(branch) || LLVMGetSuccessor(branch, 0) != slow ||
        call != LLVMGetFirstInstruction(slow))
        return NULL;
    LLVMValueRef test = LLVMGetPreviousInstruction(branch);
    LLVMValueRef load = test ? LLVMGetPreviousInstruction(test) : NULL;
    int is_flag = load && test == LLVMGetCondition(branch) && LLVMIsAICmpInst(test) && LLVMIsALoadInst(load) &&
                  load == LLVMGetOperand(test, 0) && LLVMGetVolatile(load);
    return is_flag ? branch : NULL;
}

/* The first instruction of the poll that makes CALL. */
static LLVMValueRef begin_of_poll(LLVMValueRef call, LLVMValueRef branch) {
    LLVMValueRef before = LLVMGetPreviousInstruction(call);
    if (branch)
        return LLVMGetPreviousInstruction(LLVMGetPreviousInstruction(branch));
    return before && LLVMIsALoadInst(before) && LLVMGetOperand(call, 0) == before ? before : call;
}

/* Moves I before TO, behind the poll. */
static void move_behind(LLVMBuilderRef b, LLVMValueRef i, LLVMValueRef to) {
    LLVMPositionBuilderBefore(b, to);
    LLVMSetCurrentDebugLocation2(b, NULL); /* it has its own */
    move_instruction(b, i);
}

/* Moves what may wait behind the poll that makes CALL, if its block's end leads back on a condition. */
static void raise_poll(LLVMBuilderRef b, LLVMValueRef call) {
    LLVMValueRef branch = flag_branch(call);
    LLVMValueRef to = branch ? past_phis(LLVMGetSuccessor(branch, 1)) : LLVMGetNextInstruction(call);
    if (!LLVMIsACallInst(call) || LLVMGetNumOperandBundles(call) ||
        LLVMGetNumSuccessors(LLVMGetBasicBlockTerminator(LLVMGetInstructionParent(to))) < 2)
        return;
    for (LLVMValueRef i = LLVMGetPreviousInstruction(begin_of_poll(call, branch)), before; i && may_wait(i);
         i = before) {
        before = LLVMGetPreviousInstruction(i);
        move_behind(b, i, to);
        to = i;
    }
}

/* Has the polls at backedges that smd has written stand as early in their blocks as they can. */
static void polls_raise(struct compile *c) {
    LLVMBuilderRef b = LLVMCreateBuilderInContext(c->context);
    for (LLVMValueRef f = first_with_statepoints(c->module); f; f = next_with_statepoints(f)) {
        int known = 0;
        for (LLVMValueRef call = first_call(f); call && known >= 0; call = next_call(call)) {
            if (!call_has_reason(call, "backedge-poll"))
                continue;
            if (!known)
                known = casts_references(f) ? -1 : 1;
            if (known > 0)
                raise_poll(b, call);
        }
    }
    LLVMDisposeBuilder(b);
}

/* Removes the gc.safepoint_poll that poll_prepare wrote, and gives a declared one its name back. SM_MISSING_POLL if
 * only a stand-in was there and a poll was needed. */
sm_status poll_finish(struct compile *c) {
    LLVMValueRef poll = LLVMGetNamedFunction(c->module, POLL),
                 declared = LLVMGetNamedFunction(c->module, POLL_DECLARED),
                 slow = LLVMGetNamedFunction(c->module, POLL_SLOW);
    int ours = poll && LLVMGetLinkage(poll) == LLVMInternalLinkage &&
               (!is_module_poll(c) || declared || LLVMGetNamedFunction(c->module, POLL_PROBE));
    if (!is_module_poll(c) && c->options->opt != SM_OPT_0)
        polls_raise(c);
    if (ours && declared)
        LLVMReplaceAllUsesWith(poll, declared);
    if (ours && !LLVMGetFirstUse(poll))
        LLVMDeleteFunction(poll);
    if (slow && !LLVMGetFirstUse(slow))
        LLVMDeleteFunction(slow);
    if (declared)
        LLVMSetValueName2(declared, POLL, sizeof POLL - 1);
    return check_probe_poll(c);
}

/* ---- Marks ---- */

/* Gives the calls in gc.safepoint_poll this reason, which the calls that are inlined from it then have. */
void poll_mark(struct compile *c, const char *reason) {
    LLVMValueRef poll = LLVMGetNamedFunction(c->module, POLL);
    for (LLVMValueRef call = poll ? first_call(poll) : NULL; call; call = next_call(call))
        set_call_attribute(c->context, call, REASON_ATTRIBUTE, reason);
}

/* 1 if a block of F is in a loop. */
static int has_loop(const struct loops *l, LLVMValueRef f) {
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
        if (loops_contain(l, b))
            return 1;
    return 0;
}

/* 1 if, wherever the poll is inlined, its blocks are in the loops of that place and in no others: it has no loop
 * of its own, and every block of it leads on to its end. */
int poll_is_plain(const struct compile *c) {
    LLVMValueRef poll = LLVMGetNamedFunction(c->module, POLL);
    struct loops l;
    if (!poll || LLVMIsDeclaration(poll))
        return 0;
    loops_of(&l, poll);
    int plain = loops_all_return(&l) && !has_loop(&l, poll);
    loops_free(&l);
    return plain;
}
