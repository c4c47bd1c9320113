/* record_links.c - which call of the emitted IR each record of the stackmap came from, and which of its values each
 * root is.
 *
 * A record does not say it, and the numbers of record_ids.c are shared by calls that are alike. So a clone of the
 * module is emitted once more in which every call has a number of its own; where its map is laid out as the object's,
 * its ids are the answer. Where it is not (LLVM has merged calls), nothing is reported: a link is right or absent.
 *
 * The roots of a statepoint are in the order in which the lowering meets its relocations, which is that of the
 * token's uses. The code generator may fold pairs of a constant offset. If what is left does not fit the record's
 * roots, none is named.
 */
#include "emit.h"
#include "emitting.h"
#include "ir.h"
#include "llvm19.h"
#include "stackmap_object.h"

struct calls {
    LLVMValueRef *call; /* owned */
    size_t calls, capacity;
};

/* Appends CALL to the list in ARG if it will have a record. */
static void collect_records(LLVMModuleRef module, struct calls *list) {
    for (LLVMValueRef call = first_module_call(module); call; call = next_module_call(call))
        if (sites_is_record(call)) {
            list->call = xgrow(list->call, list->calls, &list->capacity, sizeof *list->call);
            list->call[list->calls++] = call;
        }
}

/* 1 if the code generator recomputes the derived pointer instead of recording it, as it is a constant offset from
 * its base. BASE and DERIVED are indexes into the statepoint's "gc-live" operands. */
static int is_folded(LLVMValueRef token, unsigned base, unsigned derived) {
    LLVMOperandBundleRef live = NULL;
    int folded = 0;
    for (unsigned i = 0; !live && i < LLVMGetNumOperandBundles(token); i++) {
        size_t len;
        live = LLVMGetOperandBundleAtIndex(token, i);
        const char *tag = LLVMGetOperandBundleTag(live, &len);
        if (len != 7 || memcmp(tag, "gc-live", 7) != 0) {
            LLVMDisposeOperandBundle(live);
            live = NULL;
        }
    }
    if (live && base != derived && base < LLVMGetNumOperandBundleArgs(live) &&
        derived < LLVMGetNumOperandBundleArgs(live)) {
        LLVMValueRef v = LLVMGetOperandBundleArgAtIndex(live, derived);
        folded = LLVMIsAGetElementPtrInst(v) && LLVMGetOperand(v, 0) == LLVMGetOperandBundleArgAtIndex(live, base);
        for (int i = 1; folded && i < LLVMGetNumOperands(v); i++)
            folded = LLVMIsAConstantInt(LLVMGetOperand(v, (unsigned)i)) != NULL;
    }
    if (live)
        LLVMDisposeOperandBundle(live);
    return folded;
}

/* Appends the pair [BASE, DERIVED], once for each element if TYPE is a vector: a vector is as many roots as it has
 * elements. */
static void add_pair_link(json_t *pairs, json_int_t base, json_int_t derived, LLVMTypeRef type) {
    unsigned elements = LLVMGetTypeKind(type) == LLVMVectorTypeKind ? LLVMGetVectorSize(type) : 1;
    for (unsigned i = 0; i < elements; i++)
        json_array_append_new(pairs, json_pack("[II]", base, derived));
}

/* Appends the pairs [base, derived] that the relocations of TOKEN name, each derived value once. FOLDED: also
 * those that the code generator may fold. */
static void add_pairs(json_t *pairs, LLVMValueRef call, LLVMValueRef token, int folded) {
    for (LLVMUseRef use = LLVMGetFirstUse(token); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef relocate = LLVMGetUser(use);
        if (!is_relocate(relocate))
            continue;
        json_int_t base = (json_int_t)LLVMConstIntGetZExtValue(LLVMGetOperand(relocate, 1));
        json_int_t derived = (json_int_t)LLVMConstIntGetZExtValue(LLVMGetOperand(relocate, 2));
        if (!folded && is_folded(call, (unsigned)base, (unsigned)derived))
            continue;
        size_t i = 0;
        while (i < json_array_size(pairs) &&
               json_integer_value(json_array_get(json_array_get(pairs, i), 1)) != derived)
            i++;
        if (i == json_array_size(pairs))
            add_pair_link(pairs, base, derived, LLVMTypeOf(relocate));
    }
}

/* The pairs [base, derived] that CALL relocates, *new*: by the uses of its token, and of the landing pad if it is
 * an invoke. FOLDED: also those that may be folded. */
static json_t *pairs_of(LLVMValueRef call, int folded) {
    json_t *pairs = json_array();
    add_pairs(pairs, call, call, folded);
    if (LLVMIsAInvokeInst(call)) {
        LLVMValueRef pad = LLVMGetFirstInstruction(LLVMGetUnwindDest(call));
        while (pad && LLVMGetInstructionOpcode(pad) == LLVMPHI)
            pad = LLVMGetNextInstruction(pad);
        if (pad && LLVMIsALandingPadInst(pad))
            add_pairs(pairs, call, pad, folded);
    }
    return pairs;
}

/* A clone of the module in which each of the CALLS calls with a record has its index as id; NULL if it is not so
 * many. */
static LLVMModuleRef numbered_apart(struct compile *c, size_t calls) {
    LLVMModuleRef clone = LLVMCloneModule(c->module);
    struct calls list = {0};
    collect_records(clone, &list);
    if (list.calls != calls) {
        LLVMDisposeModule(clone);
        clone = NULL;
    }
    for (size_t i = 0; clone && i < list.calls; i++)
        LLVMSetOperand(list.call[i], 0, LLVMConstInt(LLVMTypeOf(LLVMGetOperand(list.call[i], 0)), i, 0));
    free(list.call);
    return clone;
}

/* Emits MODULE, which is used up, and keeps of each record of its stackmap the call's number, offset and count of
 * locations. Leaves no records if that fails. */
static void read_numbers(struct compile *c, LLVMModuleRef module) {
    struct links *l = &c->links;
    char *message = NULL, why[200];
    LLVMMemoryBufferRef buffer = NULL;
    struct emitted e = {0};
    sm_stackmap_error wrong;
    if (LLVMTargetMachineEmitToMemoryBuffer(c->machine, module, LLVMObjectFile, &message, &buffer)) {
        LLVMDisposeMessage(message);
        return;
    }
    if (xstatus(sm_elf_open(&e.elf, LLVMGetBufferStart(buffer), LLVMGetBufferSize(buffer), why, sizeof why)) ==
            SM_OK &&
        xstatus(sm_stackmap_of_object(&e.map, &e.elf, &wrong)) == SM_OK && e.map.records) {
        l->record = xcalloc(e.map.records, sizeof *l->record);
        l->records = e.map.records;
        for (uint32_t i = 0; i < e.map.records; i++)
            l->record[i] = (struct link){e.map.record[i].id, e.map.record[i].offset, e.map.record[i].locations};
    }
    sm_stackmap_free(&e.map);
    sm_elf_close(&e.elf);
    LLVMDisposeMemoryBuffer(buffer);
}

/* Collects the pairs of each call with a record, and clones the module with numbered calls, if the options ask for
 * links. Before sites_number. */
void links_prepare(struct compile *c) {
    struct links *l = &c->links;
    struct calls list = {0};
    if (!(c->options->emit & SM_EMIT_LINKS))
        return;
    collect_records(c->module, &list);
    l->pairs = json_array();
    l->plain_pairs = json_array();
    for (size_t i = 0; i < list.calls; i++) {
        json_array_append_new(l->pairs, pairs_of(list.call[i], 1));
        json_array_append_new(l->plain_pairs, pairs_of(list.call[i], 0));
    }
    l->module = numbered_apart(c, list.calls);
    free(list.call);
}

/* Emits the numbered clone and reads from its map which call each record is of. Without effect if that fails:
 * links are then absent. */
void links_read(struct compile *c) {
    if (c->links.module && builtins_lower(c, c->links.module) == SM_OK)
        read_numbers(c, c->links.module);
}

/* The numbers of the IR text's lines on which calls with records are, *new*; empty if they are not as many as the
 * calls. */
static json_t *call_lines(const struct compile *c) {
    static const char *const names[] = {"@llvm.experimental.gc.statepoint.", "@llvm.experimental.patchpoint.",
                                        "@llvm.experimental.stackmap("};
    json_t *lines = json_array();
    const char *text = (const char *)c->ir.data, *end = text + c->ir.len;
    json_int_t number = 1;
    for (const char *next; text < end; text = next, number++) {
        const char *eol = memchr(text, '\n', (size_t)(end - text));
        size_t len = (size_t)((eol ? eol : end) - text);
        next = eol ? eol + 1 : end;
        if (len < 2 || memcmp(text, "  ", 2) != 0 ||
            !(memmem(text, len, "call ", 5) || memmem(text, len, "invoke ", 7)))
            continue;
        for (size_t i = 0; i < sizeof names / sizeof *names; i++)
            if (memmem(text, len, names[i], strlen(names[i]))) {
                json_array_append_new(lines, json_integer(number));
                break;
            }
    }
    if (json_array_size(lines) != json_array_size(c->links.pairs))
        json_array_clear(lines);
    return lines;
}

/* 1 if PAIRS can be the roots of S: they are as many, and where a pair is its own base the record has one location
 * for both. */
static int are_roots(const sm_statepoint *s, const json_t *pairs) {
    int right = s->roots == json_array_size(pairs);
    for (uint32_t i = 0; right && i < s->roots; i++) {
        json_t *pair = json_array_get(pairs, i);
        if (json_integer_value(json_array_get(pair, 0)) == json_integer_value(json_array_get(pair, 1)))
            right = sm_location_same(&s->root[i].base, &s->root[i].derived);
    }
    return right;
}

/* The pairs that are record R's roots, where R is of call number CALL: all of them, or those that are not folded;
 * JSON null if neither fit. */
static json_t *roots_of(const struct compile *c, const sm_record *r, size_t call) {
    const sm_stackmap *m = &c->object.map;
    json_t *all = json_array_get(c->links.pairs, call), *plain = json_array_get(c->links.plain_pairs, call);
    sm_statepoint s;
    if (r->kind != SM_RECORD_STATEPOINT || xstatus(sm_statepoint_split(m, r, &s)) != SM_OK)
        return json_null();
    json_t *roots = are_roots(&s, all) ? all : are_roots(&s, plain) ? plain : NULL;
    sm_statepoint_free(&s);
    return roots ? json_incref(roots) : json_null();
}

/* 1 if the numbered clone's map is laid out as the object's, so that its ids say which call each record is of. */
static int is_linked(const struct compile *c) {
    const struct links *l = &c->links;
    const sm_stackmap *m = &c->object.map;
    if (!l->record || l->records > m->records)
        return 0;
    for (uint32_t i = 0; i < l->records; i++) /* a page poll takes code out, and moves what is after it */
        if (l->record[i].call >= json_array_size(l->pairs) || l->record[i].locations != m->record[i].locations ||
            (!c->page && l->record[i].offset != m->record[i].offset))
            return 0;
    return 1;
}

/* Writes, for each function of the map, a list with the line in the IR and the roots' values of each record; null
 * where no link is known. */
void links_json(struct compile *c, sm_buf *out) {
    const sm_stackmap *m = &c->object.map;
    json_t *functions = json_array(), *lines = call_lines(c);
    int linked = is_linked(c) && json_array_size(lines);
    for (uint32_t f = 0; f < m->functions; f++) {
        json_t *list = json_array();
        for (uint32_t i = m->function[f].record; i < m->function[f].record + m->function[f].records; i++) {
            json_t *link = NULL;
            if (linked && i < c->links.records) {
                size_t call = (size_t)c->links.record[i].call;
                link = json_object();
                json_object_set(link, "line", json_array_get(lines, call));
                json_object_set_new(link, "roots", roots_of(c, &m->record[i], call));
            }
            json_array_append_new(list, link ? link : json_null());
        }
        json_array_append_new(functions, list);
    }
    json_append(functions, out);
    json_decref(functions);
    json_decref(lines);
}

/* Frees all that links of the compile need. */
void links_free(struct compile *c) {
    free(c->links.record);
    json_decref(c->links.pairs);
    json_decref(c->links.plain_pairs);
    if (c->links.module)
        LLVMDisposeModule(c->links.module);
}
