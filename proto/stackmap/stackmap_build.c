/* stackmap_build.c - see stackmap_build.h. */
#include "stackmap_build.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void sm_stackmap_begin(sm_stackmap *m, uint16_t machine) {
    memset(m, 0, sizeof *m);
    m->machine = machine;
    m->format = "llvm-v3";
    sm_buf_init(&m->strings, (size_t)1 << 30);
}

sm_status sm_stackmap_refuse(sm_stackmap_error *err, uint64_t offset, const char *fmt, ...) {
    va_list ap;
    va_start(ap, fmt);
    if (err) {
        err->offset = offset;
        vsnprintf(err->message, sizeof err->message, fmt, ap);
    }
    va_end(ap);
    return SM_INVALID_STACKMAP;
}

/* ARRAY with room for N more, by half as much again at least; as it was, with *S saying why, if that fails. */
static void *grow(void *array, uint32_t *cap, uint32_t len, uint32_t n, size_t size, sm_status *s) {
    *s = n > UINT32_MAX - len ? SM_TOO_LARGE : SM_OK;
    if (*s != SM_OK || len + n <= *cap)
        return array;
    uint32_t wanted = len + n > *cap / 2 * 3 ? len + n : *cap / 2 * 3;
    void *grown = realloc(array, (size_t)wanted * size);
    *s = grown ? SM_OK : SM_NOMEM;
    *cap = grown ? wanted : *cap;
    return grown ? grown : array;
}

sm_status sm_stackmap_more_functions(sm_stackmap *m, uint32_t n) {
    sm_status s;
    m->function = grow(m->function, &m->function_cap, m->functions, n, sizeof *m->function, &s);
    return s;
}

sm_status sm_stackmap_more_records(sm_stackmap *m, uint32_t n) {
    sm_status s;
    m->record = grow(m->record, &m->record_cap, m->records, n, sizeof *m->record, &s);
    return s;
}

sm_status sm_stackmap_more_locations(sm_stackmap *m, uint32_t n) {
    sm_status s;
    m->location = grow(m->location, &m->location_cap, m->locations, n, sizeof *m->location, &s);
    return s;
}

sm_status sm_stackmap_more_faults(sm_stackmap *m, uint32_t n) {
    sm_status s;
    m->fault = grow(m->fault, &m->fault_cap, m->faults, n, sizeof *m->fault, &s);
    return s;
}

sm_status sm_stackmap_more_liveouts(sm_stackmap *m, uint32_t n) {
    sm_status s;
    m->liveout = grow(m->liveout, &m->liveout_cap, m->liveouts, n, sizeof *m->liveout, &s);
    return s;
}

sm_status sm_stackmap_more_metadata(sm_stackmap *m, uint32_t n) {
    sm_status s;
    m->metadatum = grow(m->metadatum, &m->metadata_cap, m->metadata, n, sizeof *m->metadatum, &s);
    return s;
}

void sm_stackmap_free(sm_stackmap *m) {
    free(m->function);
    free(m->record);
    free(m->location);
    free(m->liveout);
    free(m->metadatum);
    free(m->type);
    free(m->fault);
    sm_buf_free(&m->strings);
    memset(m, 0, sizeof *m);
}
