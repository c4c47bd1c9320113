/* stackmap_format.c - the object's table in the format that is asked for. Requires an object and its decoded table;
 * the map goes on to say what LLVM's table had, of which the compact one keeps all. */
#include "base.h"
#include "compact.h"
#include "gcmap.h"
#include "gcmap_object.h"
#include "input.h"
#include "memory.h"
#include "report.h"
#include "stackmap_object.h"

#include <assert.h>
#include <stdlib.h>

/* The number of parameters of the module's function NAME; 0 if there is none. */
static uint32_t arity_of(const struct compile *c, const char *name) {
    LLVMValueRef f = name ? LLVMGetNamedFunction(c->module, name) : NULL;
    return f ? LLVMCountParams(f) : 0;
}

/* Writes to OUT the object with the __gcmap_ tables of M. */
static sm_status write_tables(struct compile *c, const sm_stackmap *m, sm_buf *out) {
    char why[300];
    uint32_t *arity = xcalloc(m->functions + 1, sizeof *arity);
    for (uint32_t i = 0; i < m->functions; i++)
        arity[i] = arity_of(c, m->function[i].name);
    sm_status s = xstatus(sm_gcmap_object(&c->object.elf, m, arity, out, why, sizeof why));
    free(arity);
    if (s == SM_INVALID_STACKMAP)
        return fail(c, SM_CODEGEN_FAILED, NULL, "stackmap_format=gcmap: %s", why);
    return s == SM_OK ? s : fail(c, s, NULL, "The __gcmap_ tables cannot be written: %s", sm_status_text(s));
}

/* Writes to OUT the object with __gcmap_ tables: of the statepoints' map or, if that is empty, of the tables that
 * gcroot strategies emitted, which are read here for that. */
static sm_status write_gcmap(struct compile *c, sm_buf *out) {
    sm_stackmap m = c->object.map, roots = {0};
    sm_stackmap_error wrong = {0};
    if (m.functions)
        return write_tables(c, &m, out);
    sm_status s = sm_stackmap_of_object(&roots, &c->object.elf, &wrong);
    if (s == SM_OK)
        s = sm_gcmap_of_object(&roots, &c->object.elf, &wrong);
    s = xstatus(s) == SM_OK
            ? write_tables(c, &roots, out)
            : fail(c, unreadable_table(c, s), NULL, "The emitted GC table cannot be read: %s", wrong.message);
    sm_stackmap_free(&roots);
    return s;
}

/* Writes to OUT the object with the compact table in place of LLVM's. */
static sm_status write_compact(struct compile *c, sm_buf *out) {
    sm_status s = xstatus(sm_compact_object(&c->object.elf, &c->object.map, out));
    return s == SM_OK ? s : fail(c, s, NULL, "The compact table cannot be written: %s", sm_status_text(s));
}

/* Rewrites the object's table into the format of the option stackmap_format; LLVM's own stays as it is. */
sm_status stage_table(struct compile *c) {
    assert(c->form == FORM_OBJECT);
    struct emitted *e = &c->object;
    int format = c->options->stackmap_format;
    sm_buf out;
    if (format == SM_STACKMAP_LLVM || (format == SM_STACKMAP_COMPACT && e->map.functions == 0))
        return SM_OK;
    sm_buf_init(&out, SIZE_MAX / 2);
    sm_status s = format == SM_STACKMAP_COMPACT ? write_compact(c, &out) : write_gcmap(c, &out);
    if (s == SM_OK) {
        e->source = e->bytes;
        e->source_len = e->len;
        e->bytes = sm_buf_take(&out, &e->len);
        if (format == SM_STACKMAP_COMPACT)
            e->map.format = "compact";
    }
    sm_buf_free(&out);
    return s;
}
