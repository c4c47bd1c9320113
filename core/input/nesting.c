/* nesting.c - what is nested deeper than LLVM's parser, passes and printers can follow is refused by its depth:
 * brackets in the text before it is parsed; in the module types, constants and assembly, which bitcode nests without
 * brackets, aliases of aliases, and loops. So are zeros of types that have none, over which
 * the parser crashes. So are locations that are inlined at themselves, over which that of LLVM 14 never ends (for LLVM
 * 19's see read.c).
 */
#include "cfg.h"
#include "input.h"
#include "ir.h"
#include "reading.h"

#include <ctype.h>

enum {
    DEPTH_MAX = 1000,
    LOOPS_MAX = 300, /* the time of LLVM's passes over loops grows with the third power of their depth */
};

static const char advice[] = "give the parts names of their own";

/* ---- Text --------------------------------------------------------------------------------------------------- */

/* The place behind a string or a comment that begins at AT; AT itself if none does. */
static const char *skip_quoted(const char *at, const char *end) {
    if (*at != '"' && *at != ';')
        return at;
    const char *last = memchr(at + 1, *at == '"' ? '"' : '\n', (size_t)(end - at - 1));
    return last ? last + 1 : end;
}

/* Refuses brackets of the text that are nested too deep. */
static sm_status check_brackets(struct compile *c) {
    static const char matters[256] = {
        ['('] = 1, ['['] = 1, ['{'] = 1, [')'] = 1, [']'] = 1, ['}'] = 1, ['"'] = 1, [';'] = 1};
    char message[160];
    int depth = 0;
    for (const char *p = c->input, *end = p + c->input_len; p < end; p++) {
        if (!matters[(unsigned char)*p])
            continue;
        const char *next = skip_quoted(p, end);
        if (next != p) {
            p = next - 1;
            continue;
        }
        if (*p == ')' || *p == ']' || *p == '}')
            depth -= depth > 0;
        else if ((*p == '(' || *p == '[' || *p == '{') && ++depth > DEPTH_MAX) {
            snprintf(message, sizeof message, "The text is nested deeper than %d brackets: %s", DEPTH_MAX, advice);
            return text_error(c, p, message);
        }
    }
    return SM_OK;
}

/* The metadata's number in "!NUMBER" at AT; -1 if that stands not there. */
static long node_number(const char *at, const char *end) {
    long number = 0;
    if (at >= end || *at != '!' || at + 1 >= end || !isdigit((unsigned char)at[1]))
        return -1;
    for (at++; at < end && isdigit((unsigned char)*at) && number < 100000000; at++)
        number = 10 * number + (*at - '0');
    return number;
}

/* The first place in [AT, END) of WORD; NULL if there is none. */
static const char *find_word(const char *at, const char *end, const char *word) {
    return memmem(at, (size_t)(end - at), word, strlen(word));
}

/* 1 if the word that ends before AT, with blanks between, is WORD. */
static int stands_before(const char *begin, const char *at, const char *word) {
    size_t n = strlen(word);
    while (at > begin && isspace((unsigned char)at[-1]))
        at--;
    return (size_t)(at - begin) >= n && memcmp(at - n, word, n) == 0;
}

/* Refuses zeros of types that have none: LLVM's parser makes them all the same, of what is in memory by chance. */
static sm_status check_zeros(struct compile *c) {
    static const char *const types[] = {"metadata", "x86_amx", "x86_mmx"};
    const char *end = c->input + c->input_len;
    for (const char *p = c->input; (p = find_word(p, end, "zeroinitializer")); p++)
        for (size_t i = 0; i < sizeof types / sizeof *types; i++)
            if (stands_before(c->input, p, types[i]))
                return text_error(c, p, "Values of this type are no constants, so there is no zeroinitializer of it");
    return SM_OK;
}

struct location {
    long number, at; /* of the node, and of the one that it is inlined at */
    const char *text;
    int state; /* 0: not visited, 1: on the way, 2: ends somewhere */
};

static int by_node(const void *a, const void *b) {
    const struct location *x = a, *y = b;
    return (x->number > y->number) - (x->number < y->number);
}

/* The first byte in [AT, END) that is no blank; END if there is none. */
static const char *skip_blanks(const char *at, const char *end) {
    while (at < end && isspace((unsigned char)*at))
        at++;
    return at;
}

/* The end, in [BEGIN, AT), of what stands before AT and the blanks before it. */
static const char *skip_blanks_back(const char *begin, const char *at) {
    while (at > begin && isspace((unsigned char)at[-1]))
        at--;
    return at;
}

/* Where the definition "!N = distinct" of the node at P begins; P if there is none. */
static const char *definition_of(const char *begin, const char *p) {
    static const char distinct[] = "distinct";
    const size_t n = sizeof distinct - 1;
    const char *at = skip_blanks_back(begin, p);
    if ((size_t)(at - begin) >= n && memcmp(at - n, distinct, n) == 0)
        at = skip_blanks_back(begin, at - n);
    if (at == begin || at[-1] != '=')
        return p;
    at = skip_blanks_back(begin, at - 1);
    while (at > begin && isdigit((unsigned char)at[-1]))
        at--;
    return at > begin && at[-1] == '!' ? at - 1 : p;
}

/* Lists the definitions "!N = ... !DILocation(... inlinedAt: !M ...)" of the text in *LIST, *new*, by number. */
static void list_locations(const struct compile *c, struct location **list, size_t *count) {
    size_t room = 0;
    const char *end = c->input + c->input_len, *next;
    for (const char *p = c->input; (p = find_word(p, end, "!DILocation(")); p = next) {
        next = memchr(p, ')', (size_t)(end - p));
        next = next ? next : end;
        const char *definition = definition_of(c->input, p), *inlined = find_word(p, next, "inlinedAt:");
        if (!inlined)
            continue;
        inlined = skip_blanks(inlined + strlen("inlinedAt:"), next);
        struct location l = {node_number(definition, next), node_number(inlined, next), definition, 0};
        if (l.number < 0 || l.at < 0)
            continue;
        *list = xgrow(*list, *count, &room, sizeof **list);
        (*list)[(*count)++] = l;
    }
    if (*count)
        qsort(*list, *count, sizeof **list, by_node);
}

/* The location of the list from which AT's way comes back to itself; NULL if it ends. */
static struct location *find_cycle(struct location *list, size_t count, struct location *at) {
    struct location *first = at;
    while (at && at->state == 0) {
        struct location key = {.number = at->at};
        at->state = 1;
        at = bsearch(&key, list, count, sizeof *list, by_node);
    }
    if (at && at->state == 1)
        return at;
    while (first && first->state == 1) {
        struct location key = {.number = first->at};
        first->state = 2;
        first = bsearch(&key, list, count, sizeof *list, by_node);
    }
    return NULL;
}

/* Refuses locations of debug information that are inlined at themselves. */
static sm_status check_locations(struct compile *c) {
    struct location *list = NULL, *cycle = NULL;
    size_t count = 0;
    list_locations(c, &list, &count);
    for (size_t i = 0; i < count && !cycle; i++)
        cycle = find_cycle(list, count, &list[i]);
    sm_status s = SM_OK;
    if (cycle) {
        char message[160];
        snprintf(message, sizeof message, "The !DILocation !%ld is inlined at itself, by way of inlinedAt",
                 cycle->number);
        s = text_error(c, cycle->text, message);
    }
    free(list);
    return s;
}

sm_status nesting_check_text(struct compile *c) {
    sm_status s = check_brackets(c);
    if (s == SM_OK)
        s = check_zeros(c);
    return s == SM_OK ? check_locations(c) : s;
}

/* ---- The module --------------------------------------------------------------------------------------------- */

/* Types or constants, each with how deep it is nested itself. */
struct depths {
    struct set known;
    uint16_t *depth; /* owned */
    size_t room;
};

struct walk {
    struct compile *c;
    struct depths types, constants;
    LLVMValueRef where; /* the global that is looked at */
    sm_status status;
};

/* Notes the depth of ITEM, and gives it. */
static int note_depth(struct depths *d, void *item, int depth) {
    d->depth = xgrow(d->depth, d->known.count, &d->room, sizeof *d->depth);
    d->depth[d->known.count] = (uint16_t)depth;
    set_add(&d->known, item);
    return depth;
}

/* The depth of ITEM; -1 if it is not known yet. */
static int known_depth(const struct depths *d, const void *item) {
    size_t number = set_number(&d->known, item);
    return number < d->known.count ? d->depth[number] : -1;
}

/* Refuses what is nested DEPTH deep if that is too much. WHAT it is, for the message. 1 if it is too much. */
static int is_too_deep(struct walk *w, int depth, const char *what) {
    if (depth <= DEPTH_MAX)
        return 0;
    if (w->status == SM_OK)
        w->status =
            fail(w->c, SM_INVALID_MODULE, LLVMIsAFunction(w->where) ? w->where : NULL,
                 "%s of @%.200s is nested deeper than %d levels: %s", what, value_name(w->where), DEPTH_MAX, advice);
    return 1;
}

/* How deep the type is nested itself; OUTER others are around it. */
static int type_depth(struct walk *w, LLVMTypeRef type, int outer) {
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    int is_struct = kind == LLVMStructTypeKind && !LLVMIsOpaqueStruct(type), deepest = 0;
    if (w->status != SM_OK || (!is_struct && kind != LLVMArrayTypeKind))
        return 0;
    int depth = known_depth(&w->types, type);
    if (is_too_deep(w, outer + (depth < 0 ? 1 : depth), "A type") || depth >= 0)
        return depth;
    for (unsigned i = 0; is_struct && i < LLVMCountStructElementTypes(type); i++) {
        depth = type_depth(w, LLVMStructGetTypeAtIndex(type, i), outer + 1);
        deepest = depth > deepest ? depth : deepest;
    }
    if (kind == LLVMArrayTypeKind)
        deepest = type_depth(w, LLVMGetElementType(type), outer + 1);
    return note_depth(&w->types, type, deepest + 1);
}

/* Refuses a signed pointer, which LLVM 19 makes null in each copy of a module. */
static void refuse_signed(struct walk *w, LLVMValueRef v) {
    if (LLVMGetValueKind(v) == LLVMConstantPtrAuthValueKind && w->status == SM_OK)
        w->status =
            fail(w->c, SM_CODEGEN_FAILED, LLVMIsAFunction(w->where) ? w->where : NULL,
                 "A constant of @%.200s is a signed pointer (ptrauth), which is not supported", value_name(w->where));
}

/* How deep the constant is nested itself; OUTER others are around it. Variables and functions stand for themselves,
 * an alias for what is behind it. */
static int constant_depth(struct walk *w, LLVMValueRef v, int outer) {
    int is_alias = LLVMIsAGlobalAlias(v) || LLVMIsAGlobalIFunc(v);
    int is_nest = is_alias || LLVMIsAConstantExpr(v) || LLVMIsAConstantArray(v) || LLVMIsAConstantStruct(v) ||
                  LLVMIsAConstantVector(v);
    int deepest = 0, operands = is_nest ? LLVMGetNumOperands(v) : 0;
    refuse_signed(w, v);
    if (w->status != SM_OK || !operands)
        return 0;
    int depth = known_depth(&w->constants, v);
    if (is_too_deep(w, outer + (depth < 0 ? 1 : depth), is_alias ? "An alias" : "A constant") || depth >= 0)
        return depth;
    size_t number = w->constants.known.count;
    if (is_alias) /* which may come back to itself: LLVM's verifier says so */
        note_depth(&w->constants, v, 1);
    type_depth(w, LLVMTypeOf(v), 0);
    for (int i = 0; i < operands; i++) {
        depth = constant_depth(w, LLVMGetOperand(v, (unsigned)i), outer + 1);
        deepest = depth > deepest ? depth : deepest;
    }
    if (!is_alias)
        return note_depth(&w->constants, v, deepest + 1);
    w->constants.depth[number] = (uint16_t)(deepest + 1);
    return deepest + 1;
}

/* The deepest nesting of parentheses and signs in an expression of the assembly. */
static int assembly_depth(const char *text, size_t len) {
    int depth = 0, signs = 0, deepest = 0;
    for (size_t i = 0; i < len; i++) {
        char at = text[i];
        if (at == '\n') {
            depth = signs = 0;
        } else if (at == '(') {
            depth++;
        } else if (at == ')') {
            depth -= depth > 0;
        } else if (strchr("+-~!", at)) {
            signs++;
        } else if (at != ' ') {
            signs = 0;
        }
        deepest = depth + signs > deepest ? depth + signs : deepest;
    }
    return deepest;
}

/* Visits the loops of F, and the types and constants of its parameters and instructions. */
static void visit_function_body(struct walk *w, LLVMValueRef f) {
    if (loops_depth(f, LOOPS_MAX + 1) > LOOPS_MAX)
        w->status = fail(w->c, SM_INVALID_MODULE, f, "A loop of @%.200s is nested deeper than %d levels",
                         value_name(f), LOOPS_MAX);
    type_depth(w, LLVMGetReturnType(LLVMGlobalGetValueType(f)), 0);
    for (unsigned i = 0; i < LLVMCountParams(f); i++)
        type_depth(w, LLVMTypeOf(LLVMGetParam(f, i)), 0);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b && w->status == SM_OK; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            type_depth(w, LLVMTypeOf(i), 0);
            if (LLVMIsAAllocaInst(i))
                type_depth(w, LLVMGetAllocatedType(i), 0);
            if (LLVMIsAGetElementPtrInst(i))
                type_depth(w, LLVMGetGEPSourceElementType(i), 0);
            for (int k = 0; k < LLVMGetNumOperands(i); k++)
                if (LLVMIsAConstant(LLVMGetOperand(i, (unsigned)k)))
                    constant_depth(w, LLVMGetOperand(i, (unsigned)k), 0);
        }
}

sm_status nesting_check(struct compile *c) {
    struct walk w = {.c = c, .status = SM_OK};
    size_t len;
    const char *assembly = LLVMGetModuleInlineAsm(c->module, &len);
    if (assembly_depth(assembly, len) > DEPTH_MAX)
        w.status = fail(c, SM_INVALID_MODULE, NULL,
                        "An expression of the module's assembly is nested deeper than %d levels", DEPTH_MAX);
    for (LLVMValueRef g = LLVMGetFirstGlobal(c->module); g && w.status == SM_OK; g = LLVMGetNextGlobal(g)) {
        w.where = g;
        type_depth(&w, LLVMGlobalGetValueType(g), 0);
        if (LLVMGetInitializer(g))
            constant_depth(&w, LLVMGetInitializer(g), 0);
    }
    for (LLVMValueRef a = LLVMGetFirstGlobalAlias(c->module); a && w.status == SM_OK; a = LLVMGetNextGlobalAlias(a)) {
        w.where = a;
        constant_depth(&w, a, 0);
    }
    for (LLVMValueRef f = LLVMGetFirstFunction(c->module); f && w.status == SM_OK; f = LLVMGetNextFunction(f)) {
        w.where = f;
        visit_function_body(&w, f);
    }
    set_free(&w.types.known);
    set_free(&w.constants.known);
    free(w.types.depth);
    free(w.constants.depth);
    return w.status;
}
