/* stackmap_lines.c - see stackmap_lines.h. */
#include "stackmap_lines.h"

#include "jsontext.h"

#include <stdlib.h>

/* The instruction that record R of F is about: of a statepoint the last byte of the call. */
static sm_instruction instruction_of(const sm_function *f, const sm_record *r) {
    int is_before = r->kind == SM_RECORD_STATEPOINT || r->kind == SM_RECORD_GCROOT || r->kind == SM_RECORD_UNKNOWN;
    return (sm_instruction){f->section_index, f->offset + r->offset - (is_before && r->offset ? 1 : 0)};
}

sm_status sm_stackmap_lines(sm_lines *l, const sm_stackmap *m, const sm_elf *e) {
    sm_instruction *at = calloc((size_t)m->records + 1, sizeof *at);
    *l = (sm_lines){0};
    if (!at)
        return SM_NOMEM;
    for (uint32_t i = 0; i < m->functions; i++) {
        const sm_function *f = &m->function[i];
        for (uint32_t k = f->record; k < f->record + f->records; k++)
            at[k] = instruction_of(f, &m->record[k]);
    }
    sm_status s = sm_lines_of(l, e, at, m->records);
    free(at);
    return s;
}

int sm_record_source(const sm_lines *l, const sm_stackmap *m, const sm_function *f, const sm_record *r,
                     sm_line_walk *w, sm_source *out) {
    if (!sm_lines_next(l, (size_t)(r - m->record), w, out))
        return 0;
    if (f->name && (w->scope == SM_LINES_NONE || l->scope[w->scope].outer == SM_LINES_NONE))
        out->function = f->name;
    return 1;
}

static void put_text(const char *name, const char *text, sm_buf *out) {
    sm_buf_adds(out, name);
    if (text)
        sm_json_text(out, text, strlen(text));
    else
        sm_buf_adds(out, "null");
}

/* Writes a record's frames as a list, or null. */
static void put_frames(const sm_lines *l, const sm_stackmap *m, const sm_function *f, const sm_record *r,
                       sm_buf *out) {
    sm_line_walk w = {0};
    sm_source frame;
    while (out->status == SM_OK && sm_record_source(l, m, f, r, &w, &frame)) {
        put_text(w.step > 1 ? ",{\"function\":" : "[{\"function\":", frame.function, out);
        put_text(",\"file\":", frame.file, out);
        sm_buf_printf(out, ",\"line\":%u,\"column\":%u}", frame.line, frame.column);
    }
    sm_buf_adds(out, w.step ? "]" : "null");
}

sm_status sm_stackmap_lines_json(const sm_lines *l, const sm_stackmap *m, sm_buf *out) {
    sm_buf_adds(out, "[");
    for (uint32_t i = 0; i < m->functions && out->status == SM_OK; i++) {
        const sm_function *f = &m->function[i];
        sm_buf_adds(out, i ? ",[" : "[");
        for (uint32_t k = 0; k < f->records && out->status == SM_OK; k++) {
            sm_buf_adds(out, k ? "," : "");
            put_frames(l, m, f, &m->record[f->record + k], out);
        }
        sm_buf_adds(out, "]");
    }
    sm_buf_adds(out, "]");
    return out->status;
}
