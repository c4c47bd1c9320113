/* root_sites.c - why each record of erlang and ocaml is there, and what is called there.
 *
 * LLVM's tables have return addresses alone. The code before one says which function is called; the module, why that
 * is called in the record's function. Where one function is called for several reasons (polls of several kinds), a
 * clone is emitted in which each reason has a function of its own: if its records are at the same offsets, those
 * names say it. If not, LLVM has merged such calls, and their reason is not reported.
 *
 * Requires the optimised module, with its marks, before they are numbered away; and later the map of the object.
 */
#include "gcmap.h"
#include "gcroot.h"
#include "gcroots.h"
#include "ir.h"
#include "llvm19.h"
#include "marks.h"
#include "places.h"
#include "stackmap_object.h"

enum { BACK = 4 }; /* bytes from the field that says what is called to the return address, on both targets */

/* A function that another one calls; in C->root_call sorted by names, each pair once. */
struct root_call {
    char *caller, *callee; /* owned */
    const char *reason;    /* static; NULL: several */
};

/* One call, of which there may be others like it. The names are the module's. */
struct noted {
    const char *caller, *callee, *reason;
};

struct notes {
    struct noted *call; /* owned */
    size_t count, room;
};

/* The name of what CALL calls; "indirect" if it is no function. */
static const char *name_of_callee(LLVMValueRef call) {
    LLVMValueRef callee = LLVMGetCalledValue(call);
    return LLVMIsAFunction(callee) ? value_name(callee) : "indirect";
}

/* Notes a call that may have a record of a table. */
static void note_call(struct notes *n, LLVMValueRef f, LLVMValueRef call) {
    if (!has_word_table(f) || intrinsic_name(call) || LLVMIsAInlineAsm(LLVMGetCalledValue(call)))
        return;
    n->call = xgrow(n->call, n->count, &n->room, sizeof *n->call);
    const char *reason = site_reason(call);
    n->call[n->count++] = (struct noted){value_name(f), name_of_callee(call), reason ? reason : "call"};
}

/* The order of two pairs of names. */
static int by_names(const char *caller, const char *callee, const char *other_caller, const char *other_callee) {
    int order = strcmp(caller, other_caller);
    return order ? order : strcmp(callee, other_callee);
}

static int by_noted_names(const void *a, const void *b) {
    const struct noted *x = a, *y = b;
    return by_names(x->caller, x->callee, y->caller, y->callee);
}

/* Takes over each pair of names of the notes once, sorted, with its reason if it has but one. */
static void take_notes(struct compile *c, struct notes *n) {
    if (n->count)
        qsort(n->call, n->count, sizeof *n->call, by_noted_names);
    c->gcroot.call = xcalloc(n->count, sizeof *c->gcroot.call);
    for (size_t i = 0; i < n->count; i++) {
        if (i && by_noted_names(&n->call[i - 1], &n->call[i]) == 0) {
            struct root_call *last = &c->gcroot.call[c->gcroot.calls - 1];
            last->reason = last->reason == n->call[i].reason ? last->reason : NULL;
            continue;
        }
        c->gcroot.call[c->gcroot.calls++] =
            (struct root_call){xstrdup(n->call[i].caller), xstrdup(n->call[i].callee), n->call[i].reason};
    }
}

/* The clone's function that stands for CALLEE where it is called for REASON. */
static LLVMValueRef root_site_stand_in(LLVMModuleRef module, LLVMValueRef callee, const char *reason) {
    char name[512];
    snprintf(name, sizeof name, CALL_STAND_IN "%s.%.400s", reason, value_name(callee));
    LLVMValueRef f = LLVMGetNamedFunction(module, name);
    if (f)
        return f;
    f = LLVMAddFunction(module, name, LLVMGlobalGetValueType(callee));
    LLVMSetFunctionCallConv(f, LLVMGetFunctionCallConv(callee));
    unsigned n = LLVMGetAttributeCountAtIndex(callee, LLVMAttributeFunctionIndex);
    LLVMAttributeRef *all = xcalloc(n + 1, sizeof *all);
    LLVMGetAttributesAtIndex(callee, LLVMAttributeFunctionIndex, all);
    for (unsigned i = 0; i < n; i++)
        LLVMAddAttributeAtIndex(f, LLVMAttributeFunctionIndex, all[i]);
    free((void *)all);
    return f;
}

void root_sites_prepare(struct compile *c) {
    int several = 0;
    struct notes n = {0};
    for (LLVMValueRef call = first_module_call(c->module); call; call = next_module_call(call))
        note_call(&n, function_of(call), call);
    take_notes(c, &n);
    free(n.call);
    for (size_t i = 0; i < c->gcroot.calls; i++)
        several |= !c->gcroot.call[i].reason;
    if (!several)
        return;
    LLVMModuleRef clone = c->gcroot.clone = LLVMCloneModule(c->module);
    for (LLVMValueRef call = first_module_call(clone); call; call = next_module_call(call)) {
        LLVMValueRef callee = LLVMGetCalledValue(call);
        const char *reason = has_word_table(function_of(call)) ? site_reason(call) : NULL;
        if (reason && LLVMIsAFunction(callee) && !intrinsic_name(call))
            LLVMSetOperand(call, (unsigned)LLVMGetNumOperands(call) - 1, root_site_stand_in(clone, callee, reason));
    }
    sites_unmark(clone);
}

/* ---- Behind the emission ---------------------------------------------------------------------------------------- */

/* Names of places or functions, to find each by. */
struct named {
    const char *name;
    uint32_t at; /* its index */
};

struct names {
    struct named *item; /* owned */
    size_t count;
};

/* What is asked of an object about its calls. */
struct calls_of {
    const sm_elf *elf;
    sm_places places;
    struct names names; /* of the places */
    sm_fields fields;   /* of the section SECTION; 0: of none */
    uint32_t section;
};

static int by_name_root_site(const void *a, const void *b) {
    const struct named *x = a, *y = b;
    int order = strcmp(x->name, y->name);
    return order ? order : (x->at > y->at) - (x->at < y->at);
}

/* Adds NAME (NULL: none); the list has room for it. */
static void name_add(struct names *n, const char *name, uint32_t at) {
    if (name)
        n->item[n->count++] = (struct named){name, at};
}

/* A list with room for COUNT names. */
static struct names names_begin(size_t count) {
    return (struct names){xcalloc(count + 1, sizeof(struct named)), 0};
}

/* The index of the first that has this name; -1 if there is none. Requires the names sorted. */
static int64_t name_find(const struct names *n, const char *name) {
    size_t low = 0, high = n->count;
    while (name && low < high) {
        size_t middle = low + (high - low) / 2;
        if (strcmp(n->item[middle].name, name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return name && low < n->count && strcmp(n->item[low].name, name) == 0 ? (int64_t)n->item[low].at : -1;
}

/* Lists where the object's functions are, and their names. 0 if that fails. */
static int find_places_root_site(struct calls_of *o) {
    if (xstatus(sm_places_of(&o->places, o->elf, SM_FUNCTION_SYMBOLS)) != SM_OK)
        return 0;
    o->names = names_begin(o->places.places);
    for (uint32_t i = 0; i < o->places.places; i++)
        name_add(&o->names, o->places.place[i].name, i);
    qsort(o->names.item, o->names.count, sizeof *o->names.item, by_name_root_site);
    return 1;
}

/* Frees what is known of the object's calls. */
static void calls_of_free(struct calls_of *o) {
    sm_fields_free(&o->fields);
    sm_places_free(&o->places);
    free(o->names.item);
}

/* Where the function NAME is; NULL if no symbol says. */
static const sm_place *place_of(const struct calls_of *o, const char *name) {
    int64_t at = name_find(&o->names, name);
    return at < 0 ? NULL : &o->places.place[at];
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
        o->section = xstatus(sm_fields_of(&o->fields, o->elf, section)) == SM_OK ? section : 0;
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

/* What is known of one function's calls. */
struct caller {
    const struct root_call *call; /* sorted by callees */
    size_t count;
    const char *reason; /* of all of them; NULL if they have several */
    const char *unseen; /* what a callee is called that is not to be seen: "indirect"; NULL where it may be any */
};

/* The first pair that is not before this one. */
static const struct root_call *lower_bound(const struct root_call *r, size_t count, const char *caller,
                                           const char *callee) {
    while (count) {
        size_t half = count / 2;
        int before = by_names(r[half].caller, r[half].callee, caller, callee) < 0;
        r += before ? half + 1 : 0;
        count = before ? count - half - 1 : half;
    }
    return r;
}

/* The caller's call of CALLEE; NULL if it has none. */
static const struct root_call *call_of(const struct caller *k, const char *callee) {
    const struct root_call *r = k->count ? lower_bound(k->call, k->count, k->call->caller, callee) : NULL;
    return r && r < k->call + k->count && strcmp(r->callee, callee) == 0 ? r : NULL;
}

/* What is known of the calls in the function NAME. Where calls go through pointers, those are the ones whose callee is
 * not to be seen, unless direct ones go through registers, too. */
static struct caller caller_of(const struct compile *c, const char *name) {
    const struct root_call *end = c->gcroot.call + c->gcroot.calls;
    struct caller k = {lower_bound(c->gcroot.call, c->gcroot.calls, name, ""), 0, NULL, NULL};
    while (k.call + k.count < end && strcmp(k.call[k.count].caller, name) == 0)
        k.count++;
    k.reason = k.count ? k.call->reason : NULL;
    for (size_t i = 1; i < k.count; i++)
        k.reason = k.reason == k.call[i].reason ? k.reason : NULL;
    if (c->options->code_model != SM_CM_LARGE && call_of(&k, "indirect"))
        k.unseen = "indirect";
    return k;
}

/* Why CALLEE is called there; NULL if for several reasons. Of NULL, an unknown callee: the reason that all calls of
 * the caller have. */
static const char *root_site_reason_of(const struct caller *k, const char *callee) {
    const struct root_call *r = callee ? call_of(k, callee) : NULL;
    return callee ? (r ? r->reason : NULL) : k->reason;
}

/* Gives the records of F, in the map, what the code says. */
static void report_function(struct compile *c, struct calls_of *o, const sm_function *f) {
    sm_stackmap *m = &c->object.map;
    if (!f->name || !f->records || m->record[f->record].kind != SM_RECORD_GCROOT)
        return;
    const sm_place *p = place_of(o, f->name);
    struct caller k = caller_of(c, f->name);
    for (uint32_t i = f->record; p && i < f->record + f->records; i++) {
        sm_record *r = &m->record[i];
        if (r->kind != SM_RECORD_GCROOT)
            continue;
        r->callee = callee_at(o, p->section, p->offset + r->offset);
        r->callee = r->callee ? r->callee : k.unseen;
        r->reason = root_site_reason_of(&k, r->callee);
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
    size_t n = sizeof CALL_STAND_IN - 1;
    for (size_t i = 0; name && strncmp(name, CALL_STAND_IN, n) == 0 && i < POLL_REASONS; i++)
        if (strncmp(name + n, poll_reasons[i], strlen(poll_reasons[i])) == 0 &&
            name[n + strlen(poll_reasons[i])] == '.')
            return poll_reasons[i];
    return NULL;
}

/* Gives the records of F that have no reason the one of the clone's function G. */
static void distinguish_by_clone(struct compile *c, struct calls_of *o, const sm_function *f, const sm_stackmap *n,
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

/* Gives the records of each function that have no reason those of its clone, in the map N. */
static void distinguish_by_clones(struct compile *c, struct calls_of *o, const sm_stackmap *n) {
    const sm_stackmap *m = &c->object.map;
    struct names clones = names_begin(n->functions);
    for (uint32_t i = 0; i < n->functions; i++)
        name_add(&clones, n->function[i].name, i);
    qsort(clones.item, clones.count, sizeof *clones.item, by_name_root_site);
    for (uint32_t i = 0; i < m->functions; i++) {
        const sm_function *f = &m->function[i];
        int64_t at = f->records && m->record[f->record].kind == SM_RECORD_GCROOT ? name_find(&clones, f->name) : -1;
        if (at >= 0)
            distinguish_by_clone(c, o, f, n, &n->function[at]);
    }
    free(clones.item);
}

/* Emits the clone, and takes over what its records say. Without effect if that fails. */
static void read_clone(struct compile *c) {
    char *message = NULL;
    LLVMMemoryBufferRef buffer = NULL;
    sm_elf elf = {0};
    sm_stackmap map = {0};
    sm_stackmap_error wrong;
    if (builtins_lower(c, c->gcroot.clone) != SM_OK)
        return;
    if (LLVMTargetMachineEmitToMemoryBuffer(c->machine, c->gcroot.clone, LLVMObjectFile, &message, &buffer)) {
        LLVMDisposeMessage(message);
        return;
    }
    struct calls_of o = {.elf = &elf};
    if (xstatus(sm_elf_open(&elf, LLVMGetBufferStart(buffer), LLVMGetBufferSize(buffer), NULL, 0)) == SM_OK &&
        xstatus(sm_stackmap_of_object(&map, &elf, &wrong)) == SM_OK &&
        xstatus(sm_gcmap_of_object(&map, &elf, &wrong)) == SM_OK && find_places_root_site(&o))
        distinguish_by_clones(c, &o, &map);
    calls_of_free(&o);
    sm_stackmap_free(&map);
    sm_elf_close(&elf);
    LLVMDisposeMemoryBuffer(buffer);
}

void root_sites_read(struct compile *c) {
    struct calls_of o = {.elf = &c->object.elf};
    int result = c->gcroot.calls && find_places_root_site(&o);
    for (uint32_t i = 0; result && i < c->object.map.functions; i++)
        report_function(c, &o, &c->object.map.function[i]);
    calls_of_free(&o);
    if (result && c->gcroot.clone)
        read_clone(c);
    root_metadata(c);
}

void root_sites_free(struct compile *c) {
    for (size_t i = 0; i < c->gcroot.calls; i++) {
        free(c->gcroot.call[i].caller);
        free(c->gcroot.call[i].callee);
    }
    free(c->gcroot.call);
    if (c->gcroot.clone)
        LLVMDisposeModule(c->gcroot.clone);
}
