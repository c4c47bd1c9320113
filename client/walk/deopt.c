/* deopt.c - the frames that a safepoint's deoptimisation state is of, for an interpreter to go on in. */
#include "deoptstate.h"
#include "error.h"

#include <string.h>

static int slot_constant(const void *from, uint32_t i, uint64_t *value) {
    const sm_slot *s = (const sm_slot *)from + i;
    *value = (uint64_t)s->value;
    return s->kind == SM_SLOT_CONSTANT;
}

static sm_state state_of(const sm_activation *a) {
    return (sm_state){a->site->deopt, slot_constant, a->site->n_deopt};
}

sm_result sm_deopt_frames(const sm_activation *activation, int (*each)(void *user, const sm_deopt_frame *frame),
                          void *user, sm_error *err) {
    if (!activation || !activation->site || !each)
        return fail(err, SM_ERR_INVALID_ARGUMENT, "There is no activation, or nothing to call");
    sm_state state = state_of(activation);
    sm_state_cursor c = {0};
    sm_state_item item;
    sm_status status = SM_OK;
    const char *name = activation->site->code->name;
    if (!sm_state_has_frames(&state))
        return SM_SUCCESS;
    uint32_t frames = sm_state_count(&state, &status);
    if (status != SM_OK)
        return fail(err, SM_ERR_INVALID_STACKMAP, "The deoptimisation state in '%s' is not what its frames say",
                    name ? name : "?");
    while (sm_state_next(&state, &c, &item) == SM_OK && item.kind) {
        if (item.kind != SM_STATE_FRAME)
            continue;
        sm_deopt_frame frame = {.activation = activation,
                                .method = item.method,
                                .bytecode = item.bytecode,
                                .depth = --frames,
                                .next = c.at,
                                .end = c.end,
                                .objects = c.objects};
        if (each(user, &frame))
            return fail(err, SM_ERR_STOPPED, "The frames of '%s' were not all wanted", name ? name : "?");
    }
    return SM_SUCCESS;
}

/* 1 if a collector updates what is in the slot. */
static int is_reference(const sm_site *site, const sm_slot *s) {
    for (uint32_t i = 0; i < 2 * site->n_pairs; i++) {
        const sm_slot *r = i & 1 ? &site->pairs[i / 2].derived : &site->pairs[i / 2].base;
        if (s->kind != SM_SLOT_CONSTANT && r->kind == s->kind && r->reg == s->reg && r->value == s->value)
            return 1;
    }
    return 0;
}

/* Reads a value out of its slot. */
static void read_slot(const sm_activation *a, const sm_slot *s, sm_deopt_value *out) {
    out->slot = s;
    out->bytes = s->bytes;
    out->is_reference = (uint8_t)is_reference(a->site, s);
    out->address = sm_slot_address(a, s);
    if (s->kind == SM_SLOT_CONSTANT)
        out->value = (uint64_t)s->value;
    else if (s->kind == SM_SLOT_DIRECT)
        out->value = (uintptr_t)out->address;
    else if (out->address)
        memcpy(&out->value, out->address, s->bytes < sizeof out->value ? s->bytes : sizeof out->value);
}

int sm_deopt_next(sm_deopt_frame *frame, sm_deopt_value *value) {
    sm_state state = state_of(frame->activation);
    sm_state_cursor c = {.at = frame->next, .end = frame->end, .objects = frame->objects};
    sm_state_item item;
    *value = (sm_deopt_value){0};
    if (frame->next >= frame->end || sm_state_next(&state, &c, &item) != SM_OK)
        return 0;
    frame->next = c.at;
    frame->objects = c.objects;
    value->kind = item.kind == SM_STATE_OBJECT ? SM_DEOPT_OBJECT
                  : item.kind == SM_STATE_SAME ? SM_DEOPT_SAME
                                               : SM_DEOPT_VALUE;
    value->object = item.object;
    value->n_fields = item.count;
    value->type = item.type;
    if (value->kind == SM_DEOPT_VALUE)
        read_slot(frame->activation, &frame->activation->site->deopt[item.at], value);
    return 1;
}
