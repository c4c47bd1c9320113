/* watermark.c - which frames of a stack have not run since they were visited.
 *
 * A visit ends at the first barrier (barrier.h) that still stands. It sets new ones among the frames that it has
 * visited, at growing distances from the innermost, so that in the long run at most four times as many frames are
 * visited as run. When there are too many the walk goes on, without a visit, and takes those away that stand too
 * close. */
#include "error.h"
#include "walk.h"

#include <stdlib.h>
#include <string.h>

enum { CONVENTION_C = 0, CONVENTION_FAST = 8 }; /* by LLVM's number: their results leave the stubs registers */

void mark_begin(struct mark *m, struct sm_watermark *watermark) {
    m->watermark = watermark;
    m->frames = 0;
    m->places = 0;
    m->found = watermark ? watermark->barriers : 0;
}

/* Puts the return address back where the walk has met the barrier. */
static void remove_barrier(struct walk *w) {
    sm_registers *at = w->registers;
    w->barrier = NULL;
    if (w->link) {
        *w->link = w->pc;
        return;
    }
    at->pc = w->pc; /* an entry that was called in the place of a frame */
#if defined(__aarch64__)
    at->reg[REG_LINK] = w->pc;
#else
    ((uintptr_t *)at->sp)[-1] = w->pc;
#endif
}

int mark_is_reached(struct mark *m, struct walk *w) {
    const struct sm_watermark *mine = m->watermark;
    if (!w->barrier || w->barrier != mine)
        return 0;
    if (mine->is_reset) {
        remove_barrier(w);
        return 0;
    }
    for (m->found = 0; mine->barrier[m->found].sp != w->frame.sp;)
        m->found++;
    return 1;
}

/* 1 if a barrier can stand before the walk's frame. */
static int is_place(const struct walk *w) {
    if (!w->frame.site || !w->link || !w->is_plain_link || w->barrier)
        return 0;
    unsigned convention = w->frame.site->calling_convention;
    return convention == CONVENTION_C || convention == CONVENTION_FAST;
}

void mark_pass(struct mark *m, const struct walk *w) {
    if (!m->watermark)
        return;
    uint64_t depth = m->frames++, next = m->places ? 2 * m->place[m->places - 1].depth : 1;
    if (depth >= next && m->places < BARRIERS && is_place(w))
        m->place[m->places++] = (struct place_of_barrier){{w->frame.sp, w->pc}, w->link, depth};
}

/* Takes barriers away from the one that the walk has reached on, until half of all have room. The others are moved to
 * the front; gives their number. TOTAL is the number of frames. */
static uint32_t thin(const struct mark *m, struct walk *w, uint64_t total) {
    struct sm_watermark *mine = m->watermark;
    uint64_t last = m->places ? m->place[m->places - 1].depth : 0;
    uint32_t left = 0, i = m->found, all = mine->barriers;
    int more = 1;
    while (i < all && more && m->places + left + (all - i) > BARRIERS / 2) {
        if (w->barrier == mine && mine->barrier[i].sp == w->frame.sp) {
            uint64_t distance = total - mine->frames[i];
            if (distance < 2 * last) {
                remove_barrier(w);
            } else {
                last = distance;
                mine->frames[left] = mine->frames[i];
                mine->barrier[left++] = mine->barrier[i];
            }
            i++;
        }
        if (walk_next(w, &more, NULL) != SM_SUCCESS)
            more = 0;
    }
    for (; i < all; i++) {
        mine->frames[left] = mine->frames[i];
        mine->barrier[left++] = mine->barrier[i];
    }
    return left;
}

/* Moves the barriers from the one that was reached on to the front; gives their number. */
static uint32_t keep_outer(const struct mark *m, struct walk *w, uint64_t total) {
    struct sm_watermark *mine = m->watermark;
    uint32_t left = mine->barriers - m->found;
    if (left && m->places + left > BARRIERS)
        return thin(m, w, total);
    memmove(mine->barrier, mine->barrier + m->found, left * sizeof *mine->barrier);
    memmove(mine->frames, mine->frames + m->found, left * sizeof *mine->frames);
    return left;
}

void mark_end(struct mark *m, struct walk *w) {
    struct sm_watermark *mine = m->watermark;
    if (!mine)
        return;
    mine->skipped = m->found < mine->barriers ? mine->frames[m->found] : 0;
    uint64_t total = m->frames + mine->skipped;
    uint32_t left = keep_outer(m, w, total), places = m->places;
    if (places > BARRIERS - left) /* the walk did not get far enough */
        places = BARRIERS - left;
    memmove(mine->barrier + places, mine->barrier, left * sizeof *mine->barrier);
    memmove(mine->frames + places, mine->frames, left * sizeof *mine->frames);
    mine->barriers = places + left;
    mine->barrier[mine->barriers] = (struct barrier){0};
    for (uint32_t i = 0; i < places; i++) {
        mine->barrier[i] = m->place[i].barrier;
        mine->frames[i] = total - m->place[i].depth;
        *m->place[i].link = barrier_address(mine);
    }
    mine->is_reset = 0;
}

sm_watermark *sm_watermark_new(sm_error *err) {
    sm_watermark *m = calloc(1, sizeof *m);
    if (!m)
        fail(err, SM_ERR_NO_MEMORY, "Out of memory: no room for a watermark");
    else if (barrier_is_forbidden())
        fail(err, SM_ERR_SYSTEM, "Shadow stacks are in force: return addresses cannot be replaced");
    else if (!barrier_take(m))
        fail(err, SM_ERR_SYSTEM, "There are %d watermarks, and can be no more", BARRIER_STUBS);
    else
        return m;
    free(m);
    return NULL;
}

void sm_watermark_free(sm_watermark *m) {
    if (m)
        barrier_give(m);
    free(m);
}

void sm_watermark_reset(sm_watermark *m) {
    m->is_reset = 1;
}

size_t sm_watermark_skipped(const sm_watermark *m) {
    return m->skipped;
}

/* A walk that meets every barrier, and leaves none. */
sm_result sm_watermark_remove(const sm_loader *l, sm_registers *at, sm_watermark *m, sm_error *err) {
    struct walk w;
    int more = 0;
    if (!l || !m)
        return fail(err, SM_ERR_INVALID_ARGUMENT, "There is no loader, or no watermark");
    sm_result r = at ? walk_begin(&w, l, at, &more, err) : SM_SUCCESS;
    while (r == SM_SUCCESS && more) {
        if (w.barrier == m)
            remove_barrier(&w);
        r = walk_next(&w, &more, err);
    }
    m->is_reset = 1;
    if (r == SM_SUCCESS) {
        m->barriers = 0;
        m->barrier[0] = (struct barrier){0};
    }
    return r;
}
