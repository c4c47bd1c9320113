/* gcmap.c - see gcmap.h. */
#include "gcmap.h"

sm_status sm_gcmap_of_object(sm_stackmap *m, const sm_elf *e, sm_stackmap_error *err) {
    (void)m;
    (void)e;
    (void)err;
    return SM_OK;
}
