/* result.c - see result.h. */
#include "result.h"

#include "kept.h"

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

struct result *result_of_artifact(unsigned char *memory, size_t len, size_t offset, sm_status *status) {
    struct result *r = result_failure(SM_OK, "");
    size_t all = len - offset;
    uint64_t said = sm_artifact_length(memory + offset, all);
    size_t artifact = said && said < all ? (size_t)said : all;
    sm_kept kept;
    *status = r ? sm_artifact_read(memory + offset, artifact, &r->artifact) : SM_NOMEM;
    if (*status == SM_OK && artifact < all)
        *status = sm_kept_read(memory + offset + artifact, all - artifact, &kept);
    if (*status != SM_OK) {
        free(memory);
        free(r);
        return NULL;
    }
    r->status = r->artifact.status;
    r->memory = memory;
    r->bytes = (sm_slice){memory + offset, artifact};
    if (artifact < all)
        r->kept = (sm_slice){memory + offset + artifact, all - artifact};
    return r;
}

sm_slice result_with_parts(const struct result *r) {
    return (sm_slice){r->bytes.data, r->bytes.len + r->kept.len};
}

struct result *result_ref(struct result *r) {
    atomic_fetch_add_explicit(&r->refs, 1, memory_order_relaxed);
    return r;
}

void result_unref(struct result *r) {
    if (!r || atomic_fetch_sub_explicit(&r->refs, 1, memory_order_acq_rel) != 1)
        return;
    free(atomic_load(&r->json));
    free(r->memory);
    free(r);
}
