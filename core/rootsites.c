/* rootsites.c - why each record of erlang and ocaml is there, and what is called there.
 *
 * LLVM's tables have return addresses alone. The code before one says which function is called; the module, why that
 * is called in the record's function. Where one function is called for several reasons (polls of several kinds), a
 * clone is emitted in which each reason has a function of its own: if its records are at the same offsets, those
 * names tell. If not, LLVM has merged such calls, and their reason is not told.
 *
 * Requires the optimised module, with its marks, before they are numbered away; and later the map of the object.
 */
#include "core.h"
#include "gcmap.h"
#include "memory.h"
#include "places.h"

#include <stdlib.h>
#include <string.h>

#define STAND_IN "smd.call." /* in the clone: then the reason, a dot, and the function's own name */

enum { BACK = 4 }; /* bytes from the field that says what is called to the return address, on both targets */

/* A function that another one calls. */
struct root_call {
    char *caller, *callee; /* owned */
    const char *reason;    /* static; NULL: several */
};

/* 1 if calls in F have records in a table of LLVM's. */
static int has_table(LLVMValueRef f) {
    const char *gc = LLVMGetGC(f);
    return gc && (strcmp(gc, "erlang") == 0 || strcmp(gc, "ocaml") == 0);
}

/* *New*: the name of what CALL calls; "indirect" if it is no function. NULL if out of memory. */
static char *name_of_callee(LLVMValueRef call) {
    size_t len;
    LLVMValueRef callee = LLVMGetCalledValue(call);
    return strdup(LLVMIsAFunction(callee) ? LLVMGetValueName2(callee, &len) : "indirect");
}

/* Visitor of calls: notes a call that may have a record of a table. */
static void note_call(void *arg, LLVMValueRef f, LLVMValueRef call) {
    struct compile *c = arg;
    size_t len;
    if (!has_table(f) || intrinsic_name(call) || LLVMIsAInlineAsm(LLVMGetCalledValue(call)))
        return;
    const char *reason = site_reason(call) ? site_reason(call) : "call", *caller = LLVMGetValueName2(f, &len);
    char *callee = name_of_callee(call);
    for (size_t i = 0; callee && i < c->root_calls; i++)
        if (strcmp(c->root_call[i].caller, caller) == 0 && strcmp(c->root_call[i].callee, callee) == 0) {
            if (c->root_call[i].reason != reason)
                c->root_call[i].reason = NULL;
            free(callee);
            return;
        }
    struct root_call *more = realloc(c->root_call, (c->root_calls + 1) * sizeof *more);
    char *own = strdup(caller);
    c->root_call = more ? more : c->root_call;
    if (!more || !own || !callee) {
        memory_note_lack();
        free(own);
        free(callee);
        return;
    }
    more[c->root_calls++] = (struct root_call){own, callee, reason};
}

/* The clone's function that stands for CALLEE where it is called for REASON. */
static LLVMValueRef stand_in(LLVMModuleRef module, LLVMValueRef callee, const char *reason) {
    char name[512];
    size_t len;
    snprintf(name, sizeof name, STAND_IN "%s.%.400s", reason, LLVMGetValueName2(callee, &len));
    LLVMValueRef f = LLVMGetNamedFunction(module, name);
    if (f)
        return f;
    f = LLVMAddFunction(module, name, LLVMGlobalGetValueType(callee));
    LLVMSetFunctionCallConv(f, LLVMGetFunctionCallConv(callee));
    unsigned n = LLVMGetAttributeCountAtIndex(callee, LLVMAttributeFunctionIndex);
    LLVMAttributeRef *all = calloc(n + 1, sizeof *all);
    if (!all)
        memory_note_lack();
    if (all)
        LLVMGetAttributesAtIndex(callee, LLVMAttributeFunctionIndex, all);
    for (unsigned i = 0; all && i < n; i++)
        LLVMAddAttributeAtIndex(f, LLVMAttributeFunctionIndex, all[i]);
    free((void *)all);
    return f;
}

/* Visitor of calls: has a poll's call in the clone call the stand-in for its reason. */
static void tell_apart(void *arg, LLVMValueRef f, LLVMValueRef call) {
    LLVMValueRef callee = LLVMGetCalledValue(call);
    if (has_table(f) && site_reason(call) && LLVMIsAFunction(callee) && !intrinsic_name(call))
        LLVMSetOperand(call, (unsigned)LLVMGetNumOperands(call) - 1, stand_in(arg, callee, site_reason(call)));
}

void root_sites_prepare(struct compile *c) {
    int several = 0;
    visit_module_calls(c->module, note_call, c);
    for (size_t i = 0; i < c->root_calls; i++)
        several |= !c->root_call[i].reason;
    if (!several)
        return;
    c->root_clone = LLVMCloneModule(c->module);
    visit_module_calls(c->root_clone, tell_apart, c->root_clone);
    sites_unmark(c->root_clone);
}

/* ---- Behind the emission ---------------------------------------------------------------------------------------- */

/* What is asked of an object about its calls. */
struct calls_of {
    const sm_elf *elf;
    sm_places places;
    sm_fields fields; /* of the section SECTION; 0: of none */
    uint32_t section;
};

/* Where the function NAME is; NULL if no symbol says. */
static const sm_place *place_of(const struct calls_of *o, const char *name) {
    for (size_t i = 0; name && i < o->places.places; i++)
        if (strcmp(o->places.place[i].name, name) == 0)
            return &o->places.place[i];
    return NULL;
}

/* The function that a direct call's own bytes before the return address AT lead to; NULL if it is no such call. */
static const char *callee_in_code(const struct calls_of *o, uint64_t at) {
    sm_slice code = o->elf->section[o->section].bytes;
    int32_t distance;
    uint64_t from = at;
    if (at < BACK + 1 || at > code.len)
        return NULL;
    memcpy(&distance, code.data + at - BACK, sizeof distance);
    if (o->elf->machine == EM_AARCH64) {
        if ((uint32_t)distance >> 26 != 0x25) /* bl */
            return NULL;
        distance = (int32_t)((uint32_t)distance << 6) >> 4;
        from = at - BACK;
    } else if (code.data[at - BACK - 1] != 0xe8) { /* call */
        return NULL;
    }
    const sm_place *p = sm_place_at(&o->places, o->section, from + (uint64_t)(int64_t)distance);
    return p ? p->name : NULL;
}

/* The name of the function that is called before the return address AT in the section; NULL if that is not to be
 * seen. */
static const char *callee_at(struct calls_of *o, uint32_t section, uint64_t at) {
    sm_target to;
    if (section != o->section) {
        sm_fields_free(&o->fields);
        o->section = sm_fields_of(&o->fields, o->elf, section) == SM_OK ? section : 0;
    }
    if (!o->section || at < BACK)
        return NULL;
    if (!sm_field_target(&o->fields, at - BACK, 0, &to))
        return callee_in_code(o, at);
    if (to.type != STT_SECTION)
        return to.symbol;
    const sm_place *p = sm_place_at(&o->places, to.section, to.offset + (o->elf->machine == EM_X86_64 ? BACK : 0));
    return p ? p->name : NULL;
}

/* Why CALLER calls CALLEE; NULL if for several reasons. Of NULL, an unknown callee: the reason that all calls of the
 * caller have. */
static const char *reason_of(const struct compile *c, const char *caller, const char *callee) {
    const char *reason = NULL;
    for (size_t i = 0; i < c->root_calls; i++) {
        const struct root_call *r = &c->root_call[i];
        if (strcmp(r->caller, caller) != 0)
            continue;
        if (callee && strcmp(r->callee, callee) == 0)
            return r->reason;
        if (!callee && (!r->reason || (reason && reason != r->reason)))
            return NULL;
        reason = r->reason;
    }
    return callee ? NULL : reason;
}

/* "indirect" if CALLER has calls through pointers, which then are those whose callee is not to be seen; NULL where
 * direct ones go through registers, too. */
static const char *unseen(const struct compile *c, const char *caller) {
    for (size_t i = 0; c->options->code_model != SM_CM_LARGE && i < c->root_calls; i++)
        if (strcmp(c->root_call[i].caller, caller) == 0 && strcmp(c->root_call[i].callee, "indirect") == 0)
            return "indirect";
    return NULL;
}

/* Gives the records of F, in the map, what the code says. */
static void tell_function(struct compile *c, struct calls_of *o, const sm_function *f) {
    sm_stackmap *m = &c->object.map;
    const sm_place *p = place_of(o, f->name);
    for (uint32_t i = f->record; p && i < f->record + f->records; i++) {
        sm_record *r = &m->record[i];
        if (r->kind != SM_RECORD_GCROOT)
            continue;
        r->callee = callee_at(o, p->section, p->offset + r->offset);
        r->callee = r->callee ? r->callee : unseen(c, f->name);
        r->reason = reason_of(c, f->name, r->callee);
    }
}

/* 1 if two functions have records at the same places. */
static int same_records(const sm_stackmap *m, const sm_function *a, const sm_stackmap *n, const sm_function *b) {
    int same = a->records == b->records;
    for (uint32_t i = 0; same && i < a->records; i++)
        same = m->record[a->record + i].offset == n->record[b->record + i].offset;
    return same;
}

/* The reason that is in the name of a stand-in, a static text; NULL of another name. */
static const char *reason_in(const char *name) {
    static const char *const reasons[] = {"entry-poll", "backedge-poll", "return-poll", "precall-poll",
                                          "postcall-poll"};
    size_t n = sizeof STAND_IN - 1;
    for (size_t i = 0; name && strncmp(name, STAND_IN, n) == 0 && i < sizeof reasons / sizeof *reasons; i++)
        if (strncmp(name + n, reasons[i], strlen(reasons[i])) == 0 && name[n + strlen(reasons[i])] == '.')
            return reasons[i];
    return NULL;
}

/* Gives the records of F that have no reason the one of the clone's function G. */
static void tell_by_clone(struct compile *c, struct calls_of *o, const sm_function *f, const sm_stackmap *n,
                          const sm_function *g) {
    sm_stackmap *m = &c->object.map;
    const sm_place *p = place_of(o, g->name);
    if (!p || !same_records(m, f, n, g))
        return;
    for (uint32_t i = 0; i < f->records; i++) {
        sm_record *r = &m->record[f->record + i];
        const char *name = r->reason ? NULL : callee_at(o, p->section, p->offset + r->offset),
                   *reason = reason_in(name);
        if (name)
            r->reason = reason ? reason : "call";
    }
}

/* Emits the clone, and takes over what its records tell. Without effect if that fails. */
static void read_clone(struct compile *c) {
    char *message = NULL;
    LLVMMemoryBufferRef buffer = NULL;
    sm_elf elf = {0};
    sm_stackmap map = {0}, *m = &c->object.map;
    sm_stackmap_error wrong;
    if (builtins_lower(c, c->root_clone) != SM_OK)
        return;
    if (LLVMTargetMachineEmitToMemoryBuffer(c->machine, c->root_clone, LLVMObjectFile, &message, &buffer)) {
        LLVMDisposeMessage(message);
        return;
    }
    struct calls_of o = {.elf = &elf};
    if (sm_elf_open(&elf, LLVMGetBufferStart(buffer), LLVMGetBufferSize(buffer), NULL, 0) == SM_OK &&
        sm_stackmap_of_object(&map, &elf, &wrong) == SM_OK && sm_gcmap_of_object(&map, &elf, &wrong) == SM_OK &&
        sm_places_of(&o.places, &elf, SM_FUNCTION_SYMBOLS) == SM_OK)
        for (uint32_t i = 0; i < m->functions; i++)
            for (uint32_t k = 0; k < map.functions; k++)
                if (m->function[i].name && map.function[k].name &&
                    strcmp(m->function[i].name, map.function[k].name) == 0 && m->function[i].records &&
                    m->record[m->function[i].record].kind == SM_RECORD_GCROOT)
                    tell_by_clone(c, &o, &m->function[i], &map, &map.function[k]);
    sm_fields_free(&o.fields);
    sm_places_free(&o.places);
    sm_stackmap_free(&map);
    sm_elf_close(&elf);
    LLVMDisposeMemoryBuffer(buffer);
}

void root_sites_read(struct compile *c) {
    struct calls_of o = {.elf = &c->object.elf};
    if (!c->root_calls || sm_places_of(&o.places, o.elf, SM_FUNCTION_SYMBOLS) != SM_OK)
        return;
    for (uint32_t i = 0; i < c->object.map.functions; i++)
        tell_function(c, &o, &c->object.map.function[i]);
    sm_fields_free(&o.fields);
    sm_places_free(&o.places);
    if (c->root_clone)
        read_clone(c);
}

void root_sites_free(struct compile *c) {
    for (size_t i = 0; i < c->root_calls; i++) {
        free(c->root_call[i].caller);
        free(c->root_call[i].callee);
    }
    free(c->root_call);
    if (c->root_clone)
        LLVMDisposeModule(c->root_clone);
}
