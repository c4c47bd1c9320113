/* times.c - the calls under way, by the time at which something is to be done for them: a pairing heap, whose links are
 * in the calls, so that nothing can fail. */
#include "fetch.h"

static sm_call *merge(sm_call *a, sm_call *b) {
    if (!a || !b)
        return a ? a : b;
    if (b->at_us < a->at_us) {
        sm_call *earlier = b;
        b = a;
        a = earlier;
    }
    b->above = a;
    b->beside = a->below;
    if (b->beside)
        b->beside->above = b;
    a->below = b;
    return a;
}

/* Of a list of siblings: in pairs from the left, then all of these from the right. */
static sm_call *merge_all(sm_call *list) {
    sm_call *pairs = NULL, *root = NULL;
    while (list) {
        sm_call *a = list, *b = a->beside;
        list = b ? b->beside : NULL;
        a->above = a->beside = NULL;
        if (b)
            b->above = b->beside = NULL;
        a = merge(a, b);
        a->beside = pairs;
        pairs = a;
    }
    while (pairs) {
        sm_call *next = pairs->beside;
        pairs->beside = NULL;
        root = merge(root, pairs);
        pairs = next;
    }
    return root;
}

void times_remove(sm_client *c, sm_call *call) {
    if (c->soonest != call && !call->above)
        return;
    sm_call *below = merge_all(call->below);
    if (c->soonest == call) {
        c->soonest = below;
    } else {
        if (call->above->below == call)
            call->above->below = call->beside;
        else
            call->above->beside = call->beside;
        if (call->beside)
            call->beside->above = call->above;
        c->soonest = merge(c->soonest, below);
    }
    call->above = call->beside = call->below = NULL;
}

void times_put(sm_client *c, sm_call *call) {
    times_remove(c, call);
    call->at_us = call->wake_us && call->wake_us < call->deadline_us ? call->wake_us : call->deadline_us;
    c->soonest = merge(c->soonest, call);
}
