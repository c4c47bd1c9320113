/* table.c - the object's table in the format that is asked for. Requires an object and its decoded table; the map goes on
 * to say what LLVM's table said. */
#include "core.h"

#include "compact.h"

sm_status stage_table(struct compile *c) {
    struct emitted *e = &c->object;
    sm_buf out;
    if (c->options->stackmap_format != SM_STACKMAP_COMPACT || e->map.functions == 0)
        return SM_OK;
    sm_buf_init(&out, SIZE_MAX / 2);
    sm_status s = sm_compact_object(&e->elf, &e->map, &out);
    if (s == SM_OK) {
        e->source = e->bytes;
        e->source_len = e->len;
        e->bytes = sm_buf_take(&out, &e->len);
    }
    sm_buf_free(&out);
    return s == SM_OK ? s : fail(c, s, NULL, "The compact table cannot be written: %s", sm_status_text(s));
}
