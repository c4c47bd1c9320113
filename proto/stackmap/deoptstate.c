/* deoptstate.c - see deoptstate.h. */
#include "deoptstate.h"

/* The mark at place I, without its number, which *NUMBER gets; 0 if there is none of these. */
static uint64_t mark_at(const sm_state *s, uint32_t i, uint32_t *number) {
    uint64_t value, mark;
    if (i >= s->n || !s->constant(s->from, i, &value))
        return 0;
    mark = value & ~SM_MARK_NUMBER;
    *number = (uint32_t)(value & SM_MARK_NUMBER);
    return mark == SM_MARK_FRAME || mark == SM_MARK_OBJECT || mark == SM_MARK_SAME ? mark : 0;
}

int sm_state_has_frames(const sm_state *s) {
    uint32_t number;
    return mark_at(s, 0, &number) == SM_MARK_FRAME;
}

/* Reads a frame's three constants. */
static sm_status read_frame(const sm_state *s, sm_state_cursor *c, sm_state_item *item) {
    if (mark_at(s, c->at, &item->count) != SM_MARK_FRAME || s->n - c->at < 3 || item->count > s->n - c->at - 3 ||
        !s->constant(s->from, c->at + 1, &item->method) || !s->constant(s->from, c->at + 2, &item->bytecode))
        return SM_INVALID_STACKMAP;
    item->kind = SM_STATE_FRAME;
    c->at += 3;
    c->end = c->at + item->count;
    return SM_OK;
}

/* Counts an item for the object that it is a field of; objects that have all theirs are closed. */
static void count_field(sm_state_cursor *c) {
    if (c->nested)
        c->open[c->nested - 1]--;
}

static void close_objects(sm_state_cursor *c) {
    while (c->nested && c->open[c->nested - 1] == 0)
        c->nested--;
}

static sm_status read_object(const sm_state *s, sm_state_cursor *c, sm_state_item *item) {
    if (c->end - c->at < 2 || !s->constant(s->from, c->at + 1, &item->type) || c->nested == SM_STATE_NESTED_MAX)
        return SM_INVALID_STACKMAP;
    item->kind = SM_STATE_OBJECT;
    item->object = c->objects++;
    c->at += 2;
    c->open[c->nested++] = item->count;
    return SM_OK;
}

static sm_status read_value(const sm_state *s, sm_state_cursor *c, sm_state_item *item) {
    uint64_t mark = mark_at(s, c->at, &item->count);
    count_field(c);
    if (mark == SM_MARK_OBJECT)
        return read_object(s, c, item);
    if (mark == SM_MARK_FRAME || (mark == SM_MARK_SAME && (item->count == 0 || item->count > c->objects)))
        return SM_INVALID_STACKMAP;
    item->kind = mark ? SM_STATE_SAME : SM_STATE_VALUE;
    item->object = mark ? c->objects - item->count : 0;
    item->count = 0;
    c->at++;
    return SM_OK;
}

sm_status sm_state_next(const sm_state *s, sm_state_cursor *c, sm_state_item *item) {
    *item = (sm_state_item){.at = c->at};
    close_objects(c);
    if (c->at < c->end)
        return read_value(s, c, item);
    if (c->nested)
        return SM_INVALID_STACKMAP; /* fields are missing */
    return c->at < s->n ? read_frame(s, c, item) : SM_OK;
}

uint32_t sm_state_count(const sm_state *s, sm_status *status) {
    sm_state_cursor c = {0};
    sm_state_item item;
    uint32_t frames = 0;
    while ((*status = sm_state_next(s, &c, &item)) == SM_OK && item.kind)
        frames += item.kind == SM_STATE_FRAME;
    return frames;
}
