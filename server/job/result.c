/* result.c - see result.h. */
#include "result.h"

#include "kept.h"
#include "slices.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

struct result *result_failure(sm_status status, const char *detail) {
    struct result *r = calloc(1, sizeof *r);
    if (!r)
        return NULL;
    atomic_init(&r->refs, 1);
    r->status = status;
    snprintf(r->detail, sizeof r->detail, "%s", detail);
    return r;
}

void result_give_bytes(struct result *r, unsigned char *memory, size_t offset, size_t len, struct charge *charge) {
    assert(!r->memory);
    r->memory = memory;
    r->bytes = (sm_slice){memory + offset, len};
    r->held.readers = 1;
    if (charge)
        budget_move(&r->held.charge, charge, HELD_RESULT);
}

struct result *result_of_artifact(unsigned char *memory, size_t len, size_t offset, struct charge *charge,
                                  sm_status *status) {
    struct result *r = result_failure(SM_OK, "");
    size_t all = len - offset;
    uint64_t said = sm_artifact_length(memory + offset, all);
    size_t artifact = said && said < all ? (size_t)said : all;
    sm_kept kept;
    *status = r ? sm_artifact_read(memory + offset, artifact, &r->artifact) : SM_NOMEM;
    if (*status == SM_OK && artifact < all)
        *status = sm_kept_read(memory + offset + artifact, all - artifact, &kept);
    if (*status != SM_OK) {
        if (charge)
            budget_give(charge, 0);
        free(memory);
        free(r);
        return NULL;
    }
    r->status = r->artifact.status;
    result_give_bytes(r, memory, offset, artifact, charge);
    if (artifact < all)
        r->kept = (sm_slice){memory + offset + artifact, all - artifact};
    return r;
}

sm_slice result_with_parts(const struct result *r) {
    return (sm_slice){r->bytes.data, r->bytes.len + r->kept.len};
}

size_t result_bytes(const struct result *r) {
    const struct rendered *json = atomic_load(&r->json);
    return result_with_parts(r).len + (json ? sizeof *json + json->len : 0);
}

struct result *result_keep(struct result *r) {
    atomic_fetch_add_explicit(&r->refs, 1, memory_order_relaxed);
    return r;
}

int result_revive(struct result *r) {
    int refs = atomic_load(&r->refs);
    while (refs > 0 && !atomic_compare_exchange_weak(&r->refs, &refs, refs + 1))
        ;
    return refs > 0;
}

struct result *result_ref(struct result *r) {
    if (r->memory)
        budget_lend_again(&r->held);
    return result_keep(r);
}

sm_status result_hold(struct result *r, struct budget *b, uint64_t client) {
    sm_status s = r->memory ? budget_lend(b, &r->held, HELD_RESULT, client, result_bytes(r)) : SM_OK;
    if (s != SM_OK)
        result_drop(r);
    return s;
}

sm_status result_take_room(struct result *r, size_t len) {
    struct budget *b = r->held.charge.budget;
    return b ? budget_lend_more(b, &r->held, result_with_parts(r).len + sizeof(struct rendered) + len) : SM_OK;
}

void result_unref(struct result *r) {
    if (!r)
        return;
    if (r->memory)
        budget_return(&r->held);
    result_drop(r);
}

void result_drop(struct result *r) {
    if (!r || atomic_fetch_sub_explicit(&r->refs, 1, memory_order_acq_rel) != 1)
        return;
    if (r->gone)
        r->gone(r->gone_arg, r);
    slices_free(atomic_load(&r->json));
    slices_free(r->memory);
    free(r);
}
