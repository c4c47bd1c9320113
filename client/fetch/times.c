/* times.c - the calls under way, by the time at which something is to be done for them. */
#include "fetch.h"

/* Removes a call from the queue of times, if it is there. */
void times_remove(sm_client *c, sm_call *call) {
    heap_remove(&c->times, &call->time);
}

void times_put(sm_client *c, sm_call *call) {
    times_remove(c, call);
    call->time.key = call->wake_us && call->wake_us < call->deadline_us ? call->wake_us : call->deadline_us;
    heap_put(&c->times, &call->time);
}

sm_call *times_due(const sm_client *c, uint64_t now) {
    return c->times && c->times->key <= now ? CALL_OF(c->times, time) : NULL;
}
