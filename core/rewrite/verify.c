/* verify.c - LLVM's verifiers after the rewrite, as far as the option "verify" asks for them. */
#include "analysis.h"
#include "body.h"
#include "ir.h"
#include "llvm19.h"
#include "optimize.h"
#include "steps.h"

#include <llvm-c/Analysis.h>

/* ---- Is a reference alive across a statepoint? ----------------------------------------------------------------- */

/* May a rewritten function use a reference behind a statepoint without its relocation?
 *
 * LLVM's safepoint verifier says exactly, in a time that grows with the square of the function. Where no reference is
 * alive across a statepoint at all it has nothing to find, and that takes one walk: a reference crosses none if there is
 * none between it and the end of its block, none before its uses in theirs, and none in the blocks between. These are
 * few, as a rewritten reference ends at the next statepoint.
 */

/* Where an instruction stands: in which block, and with how many statepoints of the block before it. */
struct place {
    LLVMValueRef instruction; /* NULL: nothing is here */
    uint32_t block, before;
};

struct walk {
    const struct body *body;
    struct place *places; /* owned: those that may use a reference, by a hash with open addressing */
    size_t mask;          /* how many places there are, a power of two, less one */
    size_t *reached;      /* owned: of each block, the last reference that is alive at its begin; from 1 on */
    size_t *work;         /* owned: room for all blocks */
};

/* How many safepoints block number N has. */
static size_t safepoints_in(const struct body *b, size_t n) {
    return b->first_safepoint[n + 1] - b->first_safepoint[n];
}

/* The instruction's place, or the free one that it would have. */
static struct place *place_in_walk(const struct walk *w, LLVMValueRef i) {
    size_t at = (size_t)(((uintptr_t)i >> 4) * 0x9e3779b97f4a7c15u >> 32) & w->mask;
    while (w->places[at].instruction && w->places[at].instruction != i)
        at = (at + 1) & w->mask;
    return &w->places[at];
}

/* 1 if no operand of I is a reference: it has none, or is a relocation, whose first one is a token. */
static int uses_none(LLVMValueRef i) {
    return LLVMGetNumOperands(i) == 0 || LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(i, 0))) == LLVMTokenTypeKind;
}

/* Goes over all instructions, and counts the statepoints before each: notes where those stand that may use a reference.
 */
static void note_places(struct walk *w) {
    const struct body *b = w->body;
    for (size_t n = 0; n < b->graph.blocks; n++) {
        size_t first = b->first_safepoint[n], k = first;
        for (LLVMValueRef i = LLVMGetFirstInstruction(b->graph.block[n]); i; i = LLVMGetNextInstruction(i)) {
            if (!uses_none(i))
                *place_in_walk(w, i) = (struct place){i, (uint32_t)n, (uint32_t)(k - first)};
            k += k < b->first_safepoint[n + 1] && b->safepoint.item[k] == i;
        }
    }
}

/* Makes the walk's tables. */
static void walk_make(struct walk *w) {
    const struct body *b = w->body;
    size_t users = 0, room = 16;
    for (size_t n = 0; n < b->graph.blocks; n++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(b->graph.block[n]); i; i = LLVMGetNextInstruction(i))
            users += !uses_none(i);
    while (room < 2 * users)
        room *= 2;
    w->mask = room - 1;
    w->places = xcalloc(room, sizeof *w->places);
    w->reached = xcalloc(b->graph.blocks + 1, sizeof *w->reached);
    w->work = xcalloc(b->graph.blocks + 1, sizeof *w->work);
    note_places(w);
}

/* 1 if a block with a statepoint lies on a way from block number FROM to the begin of TO. ID is the reference's. */
static int crosses_between(struct walk *w, size_t id, size_t from, size_t to) {
    const struct graph *g = &w->body->graph;
    size_t works = 0;
    if (w->reached[to] != id)
        w->work[works++] = to;
    w->reached[to] = id;
    while (works) {
        size_t n = w->work[--works];
        for (size_t k = g->first_before[n]; k < g->first_before[n + 1]; k++) {
            size_t before = g->before[k];
            if (before == from || w->reached[before] == id)
                continue;
            if (safepoints_in(w->body, before))
                return 1;
            w->reached[before] = id;
            w->work[works++] = before;
        }
    }
    return 0;
}

/* 1 if a statepoint lies on a way from a reference, which comes in block number FROM with BEHIND statepoints before
 * what follows it, to a use in block number TO with BEFORE statepoints before that. */
static int crosses_to_use(struct walk *w, size_t id, size_t from, size_t behind, size_t to, size_t before) {
    if (from == to)
        return before > behind;
    return before > 0 || safepoints_in(w->body, from) > behind || crosses_between(w, id, from, to);
}

/* 1 if the reference V, number ID, which comes in block number FROM behind so many of its statepoints, is alive across
 * one. */
static int crosses_statepoint(struct walk *w, LLVMValueRef v, size_t id, size_t from, size_t behind) {
    const struct graph *g = &w->body->graph;
    for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        if (!LLVMIsAInstruction(user))
            continue;
        if (!LLVMIsAPHINode(user)) {
            const struct place *to = place_in_walk(w, user);
            if (!to->instruction || crosses_to_use(w, id, from, behind, to->block, to->before))
                return 1;
            continue;
        }
        /* used at the end of the block that it comes from */
        size_t to = graph_number(g, LLVMGetIncomingBlock(user, use_operand(u)));
        if (crosses_to_use(w, id, from, behind, to, safepoints_in(w->body, to)))
            return 1;
    }
    return 0;
}

/* 1 if a reference that block number N defines is alive across a statepoint. *ID: of the last reference so far. */
static int crosses_from(struct walk *w, size_t n, size_t *id) {
    const struct body *b = w->body;
    size_t first = b->first_safepoint[n], k = first;
    for (LLVMValueRef i = LLVMGetFirstInstruction(b->graph.block[n]); i; i = LLVMGetNextInstruction(i)) {
        if (holds_reference(LLVMTypeOf(i)) && crosses_statepoint(w, i, ++*id, n, k - first))
            return 1;
        k += k < b->first_safepoint[n + 1] && b->safepoint.item[k] == i;
    }
    return 0;
}

static int reference_crosses_statepoint(const struct compile *c, LLVMValueRef f) {
    struct body body = {0};
    struct walk w = {.body = &body};
    int crosses = 0;
    size_t id = 0;
    body_of(&body, c, f);
    if (body.safepoint.count) {
        walk_make(&w);
        for (unsigned i = 0; !crosses && i < LLVMCountParams(f); i++)
            crosses = holds_reference(LLVMTypeOf(LLVMGetParam(f, i))) &&
                      crosses_statepoint(&w, LLVMGetParam(f, i), ++id, body.graph.entry, 0);
        for (size_t n = 0; !crosses && n < body.graph.blocks; n++)
            crosses = crosses_from(&w, n, &id);
    }
    free(w.places);
    free(w.reached);
    free(w.work);
    body_free(&body);
    return crosses;
}

/* The text after PREFIX on the line at *AT, ended there; moves *AT to the next line. NULL, with *AT unmoved, if
 * the line does not begin so. */
static const char *take_line(char **at, const char *prefix) {
    size_t n = strlen(prefix);
    char *line = *at, *end = strchr(line, '\n');
    if (strncmp(line, prefix, n) != 0)
        return NULL;
    if (end)
        *end = 0;
    *at = end ? end + 1 : line + strlen(line);
    return line + n;
}

/* Moves *AT to the next line, or to the text's end. */
static void skip_line(char **at) {
    char *end = strchr(*at, '\n');
    *at = end ? end + 1 : *at + strlen(*at);
}

/* The text after the spaces that it begins with. */
static const char *without_spaces(const char *s) {
    return s + strspn(s, " ");
}

/* Turns what LLVM's safepoint verifier printed (SafepointIRVerifier.cpp: "Illegal use of unrelocated value
 * found!", "Def: ", "Use: ", after each function's name) into error diagnostics. Changes TEXT. */
static void read_findings(struct compile *c, char *text) {
    char function[512] = "", message[4096];
    LLVMValueRef f = NULL;
    for (char *at = text; *at;) {
        const char *name = take_line(&at, "Verifying gc pointers in function: ");
        if (name) {
            snprintf(function, sizeof function, "%s", name);
            f = LLVMGetNamedFunction(c->module, function);
        } else if (take_line(&at, "Illegal use of unrelocated value found!")) {
            const char *def = take_line(&at, "Def: "), *use = def ? take_line(&at, "Use: ") : NULL;
            if (f && lists_alone(f))
                continue; /* lists_check has looked */
            snprintf(message, sizeof message,
                     "A pointer is used after a safepoint without having been relocated: %s (defined by: %s)",
                     use ? without_spaces(use) : "?", def ? without_spaces(def) : "?");
            diag_add(c, "error", function[0] ? function : NULL, message);
        } else {
            skip_line(&at);
        }
    }
}

/* Reports the safepoint verifier's findings, which it has written to stderr. SM_SAFEPOINT_VIOLATION if there are
 * errors. */
static sm_status check_findings(struct compile *c) {
    enum { SIZE = 65536 };
    char *text = xmalloc(SIZE);
    if (capture_text(text, SIZE))
        read_findings(c, text);
    capture_reset(); /* the verifier names every function; a crash later on has other last words */
    free(text);
    return c->errors ? SM_SAFEPOINT_VIOLATION : SM_OK;
}

/* Fails with SM_CANNOT_REWRITE if LLVM's verifier finds the rewritten module broken. */
static sm_status verify(struct compile *c) {
    char *message = NULL;
    sm_status s = SM_OK;
    if (LLVMVerifyModule(c->module, LLVMReturnStatusAction, &message))
        s = fail(c, SM_CANNOT_REWRITE, NULL,
                 "The module does not verify after its calls were rewritten into statepoints: %s", message);
    LLVMDisposeMessage(message);
    return s;
}

/* 1 if LLVM's safepoint verifier may find something: a reference is alive across a statepoint. */
static int is_unrelocated(const struct compile *c) {
    int crosses = 0;
    for (LLVMValueRef f = LLVMGetFirstFunction(c->module); f && !crosses; f = LLVMGetNextFunction(f))
        crosses = function_has_statepoints(f) && reference_crosses_statepoint(c, f);
    return crosses;
}

/* Fails with SM_SAFEPOINT_VIOLATION where a pointer is used behind a statepoint that has not relocated it. */
static sm_status verify_safepoints(struct compile *c) {
#ifdef NDEBUG
    if (!is_unrelocated(c))
        return SM_OK;
#endif
    capture_reset();
    sm_status s = run_passes(c, "function(verify<safepoint-ir>)");
    if (s == SM_OK)
        s = check_findings(c);
    assert(s != SM_SAFEPOINT_VIOLATION || is_unrelocated(c));
    return s;
}

/* Verifies the rewritten module as far as the option "verify" says; meanwhile, typed relocations on landing pads
 * are hidden from LLVM's verifier. */
sm_status rewrite_verify(struct compile *c) {
    sm_status s = SM_OK;
    pads_hide(c, 1);
    if (c->options->verify != SM_VERIFY_OFF)
        s = verify(c);
    if (s == SM_OK && c->options->verify == SM_VERIFY_SAFEPOINTS)
        s = verify_safepoints(c);
    pads_hide(c, 0);
    return s;
}
