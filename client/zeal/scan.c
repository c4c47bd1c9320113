/* scan.c - words that still point into a space that everything was moved out of.
 *
 * A frame has what lies from its stack pointer to its caller's, but for the registers that it saved, which are values of
 * frames around it. Of the registers it has those that it saved: only these may it have used. So each value is seen in
 * one frame, the one that may read it again. */
#include "walk.h"
#include "zeal.h"

/* A scan of one stack. */
struct scan {
    sm_zeal *zeal;
    const struct walk *walk;
    struct record *record; /* of the frame; NULL until a word is found in it */
    uintptr_t start;
    size_t bytes;
};

/* 1 if the frame's record has a place at this address, in a pair or in a region whose fields it knows. */
static int is_recorded(const sm_activation *frame, const void *address) {
    const sm_site *site = frame->site;
    sm_field field;
    for (uint32_t i = 0; i < site->n_pairs; i++)
        if ((is_place(&site->pairs[i].base) && sm_slot_address(frame, &site->pairs[i].base) == address) ||
            (is_place(&site->pairs[i].derived) && sm_slot_address(frame, &site->pairs[i].derived) == address))
            return 1;
    for (uint32_t i = 0; i < site->n_regions; i++)
        for (uint32_t f = 0; sm_site_field(site, i, f, &field); f++) {
            const char *first = sm_slot_address(frame, &site->regions[i]);
            uintptr_t distance = (uintptr_t)address - (uintptr_t)(first + field.offset);
            if (first && field.stride && distance % field.stride == 0 && distance / field.stride < field.count)
                return 1;
        }
    return 0;
}

/* Looks at one word: notes it if it points into the space. */
static void scan_word(struct scan *s, const uintptr_t *at, sm_slot slot) {
    const sm_activation *frame = &s->walk->frame;
    if (*at - s->start >= s->bytes)
        return;
    if (!s->record)
        s->record = record_of(s->zeal, frame->site);
    const uintptr_t *fp = frame->reg[REG_FP];
    struct word word = {.record = s->record,
                        .slot = slot,
                        .value = *at,
                        .address = frame->site->address,
                        .sp = frame->sp,
                        .cfa = frame->cfa,
                        .fp = fp ? *fp : 0,
                        .depth = frame->depth,
                        .collection = s->zeal->collections,
                        .is_recorded = is_recorded(frame, at)};
    if (word.record)
        note_word(s->zeal, &word);
}

/* 1 if the frame keeps a register of its caller's there. */
static int is_saved_register(const struct walk *w, const uintptr_t *at) {
    for (unsigned r = 0; r < SAVED_REGISTERS; r++)
        if (w->row->saved[r] && (const uintptr_t *)w->frame.cfa + w->row->saved[r] == at)
            return 1;
    return 0;
}

static void scan_frame(struct scan *s) {
    const struct walk *w = s->walk;
    s->record = NULL;
    for (const uintptr_t *at = (const uintptr_t *)w->frame.sp; (uintptr_t)at < w->frame.cfa; at++)
        if (!is_saved_register(w, at))
            scan_word(s, at,
                      (sm_slot){.kind = SM_SLOT_INDIRECT,
                                .reg = REG_SP,
                                .bytes = sizeof *at,
                                .value = (int64_t)((uintptr_t)at - w->frame.sp)});
    for (unsigned r = 0; r < SAVED_REGISTERS; r++)
        if (w->row->saved[r] && is_preserved(r) && w->frame.reg[r])
            scan_word(s, w->frame.reg[r],
                      (sm_slot){.kind = SM_SLOT_REGISTER, .reg = (uint16_t)r, .bytes = sizeof(uintptr_t)});
}

sm_result scan_stack(sm_zeal *z, sm_registers *at, uintptr_t start, size_t bytes, sm_error *err) {
    struct walk w;
    struct scan s = {.zeal = z, .walk = &w, .start = start, .bytes = bytes};
    int more;
    sm_result r = walk_begin(&w, z->loader, at, &more, err);
    while (r == SM_SUCCESS && more) {
        if (w.frame.site)
            scan_frame(&s);
        r = walk_next(&w, &more, err);
    }
    return r;
}

/* ---- What was found --------------------------------------------------------------------------------------------- */

/* Counts the word at its record. Gives 1 if it is the first there. */
static int count_word(sm_zeal *z, const struct word *w) {
    for (struct found *f = w->record->found; f; f = f->next)
        if (f->slot.kind == w->slot.kind && f->slot.reg == w->slot.reg && f->slot.value == w->slot.value) {
            f->count++;
            f->is_recorded |= w->is_recorded;
            return 0;
        }
    struct found *f = keep_take(&z->keep, sizeof *f);
    if (!f)
        return 0;
    *f = (struct found){w->record->found, w->slot, 1, w->is_recorded};
    w->record->found = f;
    return 1;
}

void note_word(sm_zeal *z, const struct word *word) {
    z->word[z->words++ % z->options.words] = *word;
    if (!count_word(z, word) || !z->options.word)
        return;
    sm_zeal_word out = word_of(z, word);
    z->options.word(z->options.user, &out);
}

sm_zeal_word word_of(const sm_zeal *z, const struct word *w) {
    sm_zeal_word out = {.object = w->record->object,
                        .function = w->record->function,
                        .offset = w->record->offset,
                        .id = w->record->id,
                        .collection = w->collection,
                        .depth = w->depth,
                        .slot = w->slot,
                        .value = w->value,
                        .sp = w->sp,
                        .cfa = w->cfa,
                        .is_recorded = w->is_recorded};
    place_of(z, w->address - 1, &out.file, &out.line);
    return out;
}
