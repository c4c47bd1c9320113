/* explain.c - see explain.h. */
#include "explain.h"

#include <stdio.h>

struct ink {
    const char *name, *number, *dim, *off;
};

static const char *register_text(const sm_stackmap *m, uint16_t dwarf, char *buf, size_t size) {
    const char *name = sm_register_name(m->machine, dwarf);
    if (!name)
        snprintf(buf, size, "dwarf%u", dwarf);
    return name ? name : buf;
}

/* "[rsp+8]", "rbx", "rsp+16" (an address), "42". */
static void put_location(const sm_stackmap *m, const sm_location *l, char *out, size_t size) {
    char buf[16];
    const char *reg = register_text(m, l->dwarf, buf, sizeof buf);
    switch (l->kind) {
    case SM_LOCATION_REGISTER:
        snprintf(out, size, "%s", reg);
        break;
    case SM_LOCATION_DIRECT:
        snprintf(out, size, "%s%+d", reg, l->offset);
        break;
    case SM_LOCATION_INDIRECT:
        snprintf(out, size, "[%s%+d]", reg, l->offset);
        break;
    default:
        snprintf(out, size, "%lld", (long long)l->constant);
        break;
    }
}

static int same_place(const sm_location *a, const sm_location *b) {
    return a->kind == b->kind && a->dwarf == b->dwarf && a->offset == b->offset && a->constant == b->constant;
}

static void put_roots(const sm_stackmap *m, const sm_statepoint *s, const struct ink *ink, sm_buf *out) {
    char base[40], derived[40];
    for (uint32_t i = 0; i < s->roots; i++) {
        const sm_root *r = &s->root[i];
        put_location(m, &r->derived, derived, sizeof derived);
        put_location(m, &r->base, base, sizeof base);
        if (same_place(&r->base, &r->derived))
            sm_buf_printf(out, "           %s%-12s%s live pointer\n", ink->number, derived, ink->off);
        else
            sm_buf_printf(out, "           %s%-12s%s live pointer, derived from %s\n", ink->number, derived, ink->off,
                          base);
    }
}

static void put_list(const sm_stackmap *m, const char *what, uint32_t first, uint32_t count, sm_buf *out) {
    char place[40];
    for (uint32_t i = 0; i < count; i++) {
        const sm_location *l = &m->location[first + i];
        put_location(m, l, place, sizeof place);
        sm_buf_printf(out, "           %-12s %s, %u byte%s\n", place, what, l->size, l->size == 1 ? "" : "s");
    }
}

static sm_status put_statepoint(const sm_stackmap *m, const sm_record *r, const struct ink *ink, sm_buf *out,
                                uint32_t *pointers) {
    char buf[24];
    sm_statepoint s;
    sm_status status = sm_statepoint_split(m, r, &s);
    if (status != SM_OK)
        return status;
    if (s.calling_convention)
        sm_buf_printf(out, "           calling convention %s\n",
                      sm_calling_convention_name(s.calling_convention, buf, sizeof buf));
    if (s.flags & 1)
        sm_buf_puts(out, "           transition between managed and native code\n");
    put_roots(m, &s, ink, out);
    put_list(m, "stack region", s.region, s.regions, out);
    put_list(m, "deopt value", s.deopt, s.deopts, out);
    if (s.roots + s.regions + s.deopts == 0)
        sm_buf_printf(out, "           %snothing is live%s\n", ink->dim, ink->off);
    *pointers += s.roots;
    sm_statepoint_free(&s);
    return SM_OK;
}

static sm_status put_record(const sm_stackmap *m, const sm_record *r, const struct ink *ink, sm_buf *out,
                            uint32_t *pointers) {
    static const char *const kinds[] = {"record", "safepoint", "stackmap", "patchpoint", "safepoint"};
    sm_buf_printf(out, "  %s+0x%04x%s  %s", ink->number, r->offset, ink->off, r->reason ? r->reason : kinds[r->kind]);
    if (r->callee)
        sm_buf_printf(out, " to %s%s%s", ink->name, r->callee, ink->off);
    if (r->kind != SM_RECORD_GCROOT)
        sm_buf_printf(out, "  %sid %llu%s", ink->dim, (unsigned long long)r->id, ink->off);
    sm_buf_puts(out, "\n");
    if (r->kind == SM_RECORD_STATEPOINT || r->kind == SM_RECORD_GCROOT)
        return put_statepoint(m, r, ink, out, pointers);
    put_list(m, "value", r->location, r->locations, out);
    return out->status;
}

static void put_function(const sm_function *f, const struct ink *ink, sm_buf *out) {
    sm_buf_printf(out, "%s%s%s", ink->name, f->name ? f->name : "(no name)", ink->off);
    sm_buf_printf(out, "  %s%s+0x%llx", ink->dim, f->section ? f->section : "", (unsigned long long)f->offset);
    if (f->size)
        sm_buf_printf(out, ", %llu bytes", (unsigned long long)f->size);
    if (f->frame_size == UINT64_MAX)
        sm_buf_puts(out, ", frame of dynamic size");
    else
        sm_buf_printf(out, ", frame of %llu bytes", (unsigned long long)f->frame_size);
    sm_buf_printf(out, "%s\n", ink->off);
}

sm_status sm_explain(const sm_stackmap *m, int color, sm_buf *out) {
    static const struct ink plain = {"", "", "", ""}, colors = {"\033[1;36m", "\033[33m", "\033[2m", "\033[0m"};
    const struct ink *ink = color ? &colors : &plain;
    uint32_t pointers = 0;
    for (uint32_t i = 0; i < m->functions; i++) {
        const sm_function *f = &m->function[i];
        put_function(f, ink, out);
        for (uint32_t j = 0; j < f->records; j++) {
            sm_status s = put_record(m, &m->record[f->record + j], ink, out, &pointers);
            if (s != SM_OK)
                return s;
        }
        if (f->records == 0)
            sm_buf_printf(out, "  %sno safepoint%s\n", ink->dim, ink->off);
        sm_buf_puts(out, "\n");
    }
    return sm_buf_printf(out, "%u function%s, %u safepoint%s, %u live pointer%s (%s, %s)\n", m->functions,
                         m->functions == 1 ? "" : "s", m->records, m->records == 1 ? "" : "s", pointers,
                         pointers == 1 ? "" : "s", m->machine == EM_X86_64 ? "x86-64" : "AArch64", m->format);
}
