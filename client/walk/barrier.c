/* barrier.c - see barrier.h. */
#include "barrier.h"

#include <stdatomic.h>
#include <stddef.h>

_Static_assert(sizeof(struct barrier) == BARRIER_BYTES, "as barrier_*.S has it");
_Static_assert(offsetof(struct barrier, pc) == BARRIER_PC, "as barrier_*.S has it");
_Static_assert(BARRIER_GROUP << BARRIER_STUB_SHIFT == 256 && 1 << BARRIER_STUB_SHIFT == sizeof(void *), "likewise");
_Static_assert(offsetof(struct sm_watermark, barrier) == 0, "as barrier_*.S has it");

_Atomic(struct sm_watermark *) barrier_watermark[BARRIER_PLACES] __attribute__((visibility("hidden")));

int barrier_take(struct sm_watermark *m) {
    for (uint32_t i = 0; i < BARRIER_PLACES; i++) {
        struct sm_watermark *none = NULL;
        if (i % BARRIER_GROUP == 0 || atomic_load_explicit(&barrier_watermark[i], memory_order_relaxed))
            continue;
        m->number = i;
        if (atomic_compare_exchange_strong(&barrier_watermark[i], &none, m))
            return 1;
    }
    return 0;
}

void barrier_give(const struct sm_watermark *m) {
    atomic_store(&barrier_watermark[m->number], NULL);
}

uintptr_t barrier_address(const struct sm_watermark *m) {
    return (uintptr_t)barrier_stub[m->number];
}

const struct sm_watermark *barrier_replaced(uintptr_t *pc, uintptr_t sp) {
    size_t number = (*pc - (uintptr_t)barrier_stub) >> BARRIER_STUB_SHIFT;
    const struct sm_watermark *m = atomic_load(&barrier_watermark[number]);
    const struct barrier *b = m ? m->barrier : NULL;
    while (b && b->sp && b->sp != sp)
        b++;
    *pc = b ? b->pc : 0;
    return b && b->sp ? m : NULL;
}

int barrier_is_forbidden(void) {
#if defined(__aarch64__)
    register uint64_t feature __asm__("x16") = 1; /* guarded control stack */
    __asm__ volatile("hint #40" : "+r"(feature)); /* chkfeat x16: clears it if it is in force */
    return feature == 0;
#else
    uint64_t pointer = 0;
    __asm__ volatile("rdsspq %0" : "+r"(pointer)); /* does nothing if there is none */
    return pointer != 0;
#endif
}
