/* visit.c - what is live in frames: roots, pointers derived from them, regions, deoptimisation values. */
#include "error.h"
#include "find.h"
#include "walk.h"

#include <string.h>

void *sm_slot_address(const sm_activation *f, const sm_slot *s) {
    return slot_address(f, s);
}

/* Fails with SM_ERR_STOPPED: the visitor wanted the walk to end at this frame. */
sm_result visit_stopped(const struct visit *v) {
    return fail(v->err, SM_ERR_STOPPED, "The visitor stopped the walk at '%s'",
                v->frame && v->frame->site->code->name ? v->frame->site->code->name : "?");
}

/* Fails: the slot needs a register whose value the walk does not know. */
sm_result visit_unknown_register(const struct visit *v, const sm_slot *s) {
    const char *name = v->frame->site->code->name;
    return fail(v->err, SM_ERR_NO_UNWIND, "'%s' keeps a live value in register %u, which the walk does not know",
                name ? name : "?", s->reg);
}

/* Subtracts the base's value from each derived slot, or adds it if BACK: between the two calls a slot holds the
 * distance from its base, which a moving visitor does not change. */
static sm_result shift_derived(const struct visit *v, int back) {
    const sm_site *site = v->frame->site;
    for (uint32_t i = 0; i < site->n_pairs; i++) {
        const sm_pair *p = &site->pairs[i];
        if (p->derived.reserved != SLOT_VISIT)
            continue;
        uintptr_t *derived = slot_address(v->frame, &p->derived);
        const uintptr_t *base = slot_address(v->frame, &p->base);
        if (!derived || !base)
            return visit_unknown_register(v, derived ? &p->base : &p->derived);
        *derived = back ? *derived + *base : *derived - *base;
    }
    return SM_SUCCESS;
}

/* Shows each base once to the visitor's `root`, which may change it. */
static sm_result visit_bases(const struct visit *v) {
    const sm_site *site = v->frame->site;
    for (uint32_t i = 0; i < site->n_pairs; i++) {
        const sm_slot *s = &site->pairs[i].base;
        if (s->reserved != SLOT_VISIT)
            continue;
        void **base = slot_address(v->frame, s);
        if (!base)
            return visit_unknown_register(v, s);
        if (v->visitor->root(v->visitor->user, base))
            return visit_stopped(v);
    }
    return SM_SUCCESS;
}

/* Checks that the walk knows every slot before the first is changed, so that a frame that cannot be visited stays
 * as it was. */
static sm_result check_pairs(const struct visit *v) {
    const sm_site *site = v->frame->site;
    uint64_t left = slots_of(site)->registers;
    while (left && left != SLOTS_UNKNOWN && v->frame->reg[__builtin_ctzll(left)])
        left &= left - 1;
    for (uint32_t i = 0; left && i < 2 * site->n_pairs; i++) {
        const sm_slot *s = i & 1 ? &site->pairs[i / 2].derived : &site->pairs[i / 2].base;
        if (s->reserved == SLOT_VISIT && !slot_address(v->frame, s))
            return visit_unknown_register(v, s);
    }
    return SM_SUCCESS;
}

/* Visits the frame's bases; pointers derived from them move with them. */
static sm_result visit_roots(const struct visit *v) {
    if (!v->visitor->root)
        return SM_SUCCESS;
    sm_result r = check_pairs(v);
    if (r == SM_SUCCESS && !slots_of(v->frame->site)->have_derived)
        return visit_bases(v);
    if (r == SM_SUCCESS)
        r = shift_derived(v, 0);
    if (r != SM_SUCCESS)
        return r;
    r = visit_bases(v);
    sm_result shifted = shift_derived(v, 1); /* also when the visitor stopped: the frame has to be whole */
    return r == SM_SUCCESS ? shifted : r;
}

/* Shows the visitor the frame's deoptimisation values. */
static sm_result visit_deopt(const struct visit *v) {
    const sm_site *site = v->frame->site;
    for (uint32_t i = 0; v->visitor->deopt && i < site->n_deopt; i++)
        if (v->visitor->deopt(v->visitor->user, v->frame, i, &site->deopt[i],
                              sm_slot_address(v->frame, &site->deopt[i])))
            return visit_stopped(v);
    return SM_SUCCESS;
}

/* Visits all of one frame: the frame itself, its roots, regions and deoptimisation values. */
static sm_result visit_frame(const struct visit *v) {
    if (v->visitor->frame && v->visitor->frame(v->visitor->user, v->frame))
        return visit_stopped(v);
    sm_result r = visit_roots(v);
    if (r == SM_SUCCESS)
        r = visit_regions(v);
    return r == SM_SUCCESS ? visit_deopt(v) : r;
}

/* The chain that LLVM's shadow-stack functions keep (lib/CodeGen/ShadowStackGCLowering.cpp). */
struct shadow_map {
    int32_t roots, metadata;
    const void *metadatum[];
};

struct shadow_frame {
    struct shadow_frame *next;
    const struct shadow_map *map;
    void *root[];
};

/* Shows one root of the shadow stack to the visitor: by `shadow_root`, else by `root`. */
static int visit_shadow_root(const sm_visitor *v, void **root, const void *metadatum) {
    if (v->shadow_root)
        return v->shadow_root(v->user, root, metadatum);
    return v->root ? v->root(v->user, root) : 0;
}

/* Finds the chain's entry that lies in the frame; 0 if there is none. Frames come from the innermost outwards, as
 * the chain's entries mostly do: the search goes on where the last one ended. */
static int find_shadow(struct visit *v) {
    const struct shadow_frame *from = v->shadow, *f = from;
    uintptr_t sp = v->frame->sp, bytes = v->frame->cfa - sp;
    while (f && (uintptr_t)f - sp >= bytes)
        f = f->next;
    if (!f)
        for (f = v->visitor->shadow_chain; f != from && (uintptr_t)f - sp >= bytes;)
            f = f->next;
    int found = f && (uintptr_t)f - sp < bytes;
    if (found)
        v->shadow = f;
    return found;
}

/* Passes a frame that has no safepoint. If it is a shadow-stack function's its roots are in the chain: fails if they are
 * asked for, and are not there. */
static sm_result pass_frame(struct visit *v, const struct walk *w) {
    const sm_visitor *visitor = v->visitor;
    if ((!visitor->root && !visitor->shadow_root) || !object_uses_chain(w->object, w->pc - 1) || find_shadow(v))
        return SM_SUCCESS;
    const sm_code *code = sm_find_code(w->loader, w->pc - 1);
    return fail(v->err, SM_ERR_INVALID_ARGUMENT,
                "'%s' has its roots in the shadow stack, and the visitor's shadow_chain has no entry of its frame",
                code && code->name ? code->name : "?");
}

/* Visits the roots of the shadow stack's chain, which the visitor names. */
static sm_result visit_shadow(const struct visit *v) {
    for (struct shadow_frame *f = v->visitor->shadow_chain; f; f = f->next)
        for (int32_t i = 0; i < f->map->roots; i++)
            if (visit_shadow_root(v->visitor, &f->root[i], i < f->map->metadata ? f->map->metadatum[i] : NULL))
                return fail(v->err, SM_ERR_STOPPED, "The visitor stopped the walk in the shadow chain");
    return SM_SUCCESS;
}

sm_result sm_visit(const sm_loader *l, sm_registers *at, const sm_visitor *visitor, sm_error *err) {
    sm_visitor all;
    struct walk w;
    struct mark mark;
    struct visit v = {.visitor = &all, .frame = &w.frame, .err = err};
    int more = 0;
    if (!l || !visitor)
        return fail(err, SM_ERR_INVALID_ARGUMENT, "There is no loader, or no visitor");
    sm_result r = take_struct(&all, sizeof all, visitor, "sm_visitor", err);
    v.shadow = all.shadow_chain;
    mark_begin(&mark, all.watermark);
    if (r == SM_SUCCESS && at)
        r = walk_begin(&w, l, at, &more, err);
    while (r == SM_SUCCESS && more && !mark_is_reached(&mark, &w)) {
        r = w.frame.site ? visit_frame(&v) : pass_frame(&v, &w);
        mark_pass(&mark, &w);
        if (r == SM_SUCCESS)
            r = walk_next(&w, &more, err);
    }
    if (r == SM_SUCCESS)
        mark_end(&mark, at ? &w : NULL);
    return r == SM_SUCCESS ? visit_shadow(&v) : r;
}
