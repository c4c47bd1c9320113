/* explain.c - see explain.h. */
#include "explain.h"

#include "stackmap_lines.h"

#include <inttypes.h>
#include <stdio.h>

struct ink {
    const char *name, *number, *dim, *off;
};

struct totals {
    uint64_t pointers, frame_roots;
};

#define INDENT "           "

/* Writes a name for a terminal: control characters, which would steer it, are shown as "?". */
static void put_name(const char *name, sm_buf *out) {
    for (const char *p = name; *p && out->status == SM_OK; p++)
        sm_buf_put_u8(out, (unsigned char)*p < 0x20 || *p == 0x7f ? '?' : (unsigned char)*p);
}

/* A register's name, or its number as text in BUF. */
static const char *register_text(const sm_stackmap *m, uint16_t dwarf, char *buf, size_t size) {
    const char *name = sm_register_name(m->machine, dwarf);
    if (dwarf == SM_REGISTER_UNKNOWN)
        snprintf(buf, size, "?");
    else if (!name)
        snprintf(buf, size, "dwarf%u", dwarf);
    return name ? name : buf;
}

/* Writes an offset with its sign. */
static void put_offset(sm_buf *out, int64_t offset) {
    if (offset >= 0)
        sm_buf_adds(out, "+");
    sm_buf_put_signed(out, offset);
}

/* Writes a location as text: "[rsp+8]", "rbx", "rsp+16" (an address), "42". */
static void put_location(const sm_stackmap *m, const sm_location *l, sm_buf *out) {
    char buf[16];
    if (l->kind == SM_LOCATION_CONSTANT) {
        sm_buf_put_signed(out, l->constant);
        return;
    }
    sm_buf_adds(out, l->kind == SM_LOCATION_INDIRECT ? "[" : "");
    sm_buf_adds(out, register_text(m, l->dwarf, buf, sizeof buf));
    if (l->kind != SM_LOCATION_REGISTER)
        put_offset(out, l->offset);
    sm_buf_adds(out, l->kind == SM_LOCATION_INDIRECT ? "]" : "");
}

/* Fills what was written since START with spaces, up to the width of a line's first column. */
static void end_column(sm_buf *out, size_t start) {
    enum { WIDTH = 12 };
    static const char spaces[WIDTH + 1] = "            ";
    size_t n = out->len - start;
    if (out->status == SM_OK && n < WIDTH)
        sm_buf_add(out, spaces, WIDTH - n);
}

/* Begins a line with a location in its first column. */
static void start_line(const sm_stackmap *m, const sm_location *l, sm_buf *out) {
    sm_buf_adds(out, INDENT);
    size_t start = out->len;
    put_location(m, l, out);
    end_column(out, start);
}

/* Writes a line for each live pointer; most of the text are these. */
static void put_roots(const sm_stackmap *m, const sm_statepoint *s, const struct ink *ink, sm_buf *out) {
    for (uint32_t i = 0; i < s->roots && out->status == SM_OK; i++) {
        const sm_root *r = &s->root[i];
        sm_buf_adds(out, INDENT);
        sm_buf_adds(out, ink->number);
        size_t start = out->len;
        put_location(m, &r->derived, out);
        end_column(out, start);
        sm_buf_adds(out, ink->off);
        sm_buf_adds(out, r->derived.kind == SM_LOCATION_CONSTANT ? " constant pointer" : " live pointer");
        if (!sm_location_same(&r->base, &r->derived)) {
            sm_buf_adds(out, ", derived from ");
            put_location(m, &r->base, out);
        }
        sm_buf_adds(out, "\n");
    }
}

/* Writes a line for each of COUNT values, WHAT they are and their size. */
static void put_value_list(const sm_stackmap *m, const char *what, uint32_t first, uint32_t count, sm_buf *out) {
    for (uint32_t i = 0; i < count && out->status == SM_OK; i++) {
        const sm_location *l = &m->location[first + i];
        start_line(m, l, out);
        sm_buf_printf(out, " %s, %u byte%s\n", what, l->size, l->size == 1 ? "" : "s");
    }
}

/* Writes deoptimisation values by the frames that they are of, the outermost first. The state has been found good. */
static void put_frames(const sm_stackmap *m, const sm_statepoint *s, const sm_state *state, sm_buf *out) {
    sm_state_cursor c = {0};
    sm_state_item item;
    while (out->status == SM_OK && sm_state_next(state, &c, &item) == SM_OK && item.kind) {
        int indent = 2 * (int)c.nested;
        if (item.kind == SM_STATE_FRAME) {
            sm_buf_printf(out, INDENT "frame of method %lld at bytecode %lld\n", (long long)item.method,
                          (long long)item.bytecode);
        } else if (item.kind == SM_STATE_OBJECT) {
            sm_buf_printf(out, INDENT "%*sobject %u of type %lld, %u field%s:\n", indent, "", item.object,
                          (long long)item.type, item.count, item.count == 1 ? "" : "s");
        } else if (item.kind == SM_STATE_SAME) {
            sm_buf_printf(out, INDENT "  %*sobject %u again\n", indent, "", item.object);
        } else {
            sm_buf_printf(out, "  %*s", indent, "");
            put_value_list(m, "deopt value", s->deopt + item.at, 1, out);
        }
    }
}

/* Writes deoptimisation values: by frames, if the state says which ones there are. */
static void put_deopt(const sm_stackmap *m, const sm_statepoint *s, sm_buf *out) {
    sm_state state = sm_statepoint_state(m, s);
    sm_status status = SM_INVALID_STACKMAP;
    if (sm_state_has_frames(&state))
        sm_state_count(&state, &status);
    if (status == SM_OK)
        put_frames(m, s, &state, out);
    else
        put_value_list(m, "deopt value", s->deopt, s->deopts, out);
}

/* Writes a line for each reference in a region; the rest of a long run is one line. */
static void put_references(const sm_stackmap *m, const sm_location *region, const sm_facts *f,
                           const sm_region_facts *r, sm_buf *out) {
    enum { SHOWN = 16 }; /* of a run */
    char place[40], reg[16];
    const char *name = register_text(m, region->dwarf, reg, sizeof reg);
    for (uint32_t i = 0; i < r->runs && out->status == SM_OK; i++) {
        sm_reference_run run;
        sm_facts_run(f, r, i, &run);
        for (uint32_t k = 0; k < run.count && k <= SHOWN; k++) {
            snprintf(place, sizeof place, "[%s%+" PRId64 "]", name,
                     region->offset + (int64_t)run.offset + (int64_t)k * run.stride);
            sm_buf_printf(out, INDENT "%-12s ", place);
            if (k == SHOWN && run.count > SHOWN + 1)
                sm_buf_printf(out, "%u more references in it, each %u bytes after the last\n", run.count - k,
                              run.stride);
            else
                sm_buf_printf(out, "reference in it%s\n", run.width == 4 ? ", 4 bytes" : "");
        }
    }
}

/* Writes what is recorded of one region; gives the number of references in it. */
static uint64_t put_facts(const sm_stackmap *m, const sm_location *region, const sm_facts *f, uint32_t *at,
                          sm_buf *out) {
    sm_region_facts r;
    uint64_t references = 0;
    if (sm_facts_next(f, at, &r) != SM_OK)
        return 0;
    for (uint32_t i = 0; i < r.runs; i++) {
        sm_reference_run run;
        sm_facts_run(f, &r, i, &run);
        references += run.count;
    }
    if (r.bits & SM_FACT_UNKNOWN)
        sm_buf_puts(out, ", of its frontend's");
    else
        sm_buf_printf(out, ", %llu reference%s", (unsigned long long)references, references == 1 ? "" : "s");
    if (r.bits & SM_FACT_BYTES)
        sm_buf_printf(out, " in %llu bytes", (unsigned long long)r.bytes);
    const sm_type_symbol *t = r.bits & SM_FACT_SYMBOL ? sm_stackmap_type(m, r.type) : NULL;
    if (t && t->symbol) {
        sm_buf_puts(out, " of type ");
        put_name(t->symbol, out);
    } else if (r.bits & SM_FACT_TYPE) {
        sm_buf_printf(out, " of type %lld", (long long)r.type);
    }
    if (r.bits & SM_FACT_MASK)
        sm_buf_printf(out, ", tags 0x%llx", (unsigned long long)r.tag_mask);
    if (r.bits & SM_FACT_PINNED)
        sm_buf_puts(out, ", pinned");
    sm_buf_puts(out, "\n");
    put_references(m, region, f, &r, out);
    return references;
}

/* Writes the live stack regions, and what is known to be in them. */
static void put_regions(const sm_stackmap *m, const sm_statepoint *s, sm_buf *out, struct totals *totals) {
    sm_facts facts;
    uint32_t at = 0;
    int has_facts = sm_statepoint_facts(m, s, &facts);
    for (uint32_t i = 0; i < s->regions && out->status == SM_OK; i++) {
        start_line(m, &m->location[s->region + i], out);
        sm_buf_adds(out, " stack region");
        if (has_facts)
            totals->pointers += put_facts(m, &m->location[s->region + i], &facts, &at, out);
        else
            sm_buf_puts(out, "; its size and contents are unknown\n");
    }
}

/* Writes a line for each register that is live out. */
static void put_liveouts(const sm_stackmap *m, const sm_record *r, sm_buf *out) {
    char buf[16];
    for (uint32_t i = 0; i < r->liveouts; i++) {
        const sm_liveout *l = &m->liveout[r->liveout + i];
        sm_buf_printf(out, INDENT "%-12s live out, %u byte%s\n", register_text(m, l->dwarf, buf, sizeof buf), l->size,
                      l->size == 1 ? "" : "s");
    }
}

/* Writes all that is live at a statepoint, and counts the pointers. */
static sm_status put_statepoint(const sm_stackmap *m, const sm_record *r, const struct ink *ink, sm_buf *out,
                                struct totals *totals) {
    char buf[24];
    sm_statepoint s;
    sm_status status = sm_statepoint_split(m, r, &s);
    if (status != SM_OK)
        return status;
    if (s.calling_convention)
        sm_buf_printf(out, INDENT "calling convention %s\n",
                      sm_calling_convention_name(s.calling_convention, buf, sizeof buf));
    if (s.flags & 1)
        sm_buf_puts(out, INDENT "transition between managed and native code\n");
    put_roots(m, &s, ink, out);
    put_regions(m, &s, out, totals);
    put_deopt(m, &s, out);
    if (s.roots + s.regions + s.deopts == 0)
        sm_buf_printf(out, INDENT "%snothing is live%s\n", ink->dim, ink->off);
    totals->pointers += s.roots;
    sm_statepoint_free(&s);
    return SM_OK;
}

/* Writes where in the source a safepoint comes from, a line for each frame. */
static void put_source(const sm_stackmap *m, const sm_lines *lines, const sm_function *f, const sm_record *r,
                       const struct ink *ink, sm_buf *out) {
    sm_line_walk w = {0};
    sm_source frame;
    while (lines && out->status == SM_OK && sm_record_source(lines, m, f, r, &w, &frame)) {
        sm_buf_printf(out, INDENT "%s%s", ink->dim, w.step > 1 ? "inlined into " : "in ");
        put_name(frame.function ? frame.function : "?", out);
        sm_buf_adds(out, ", ");
        put_name(frame.file ? frame.file : "?", out);
        sm_buf_printf(out, ":%u", frame.line);
        if (frame.column)
            sm_buf_printf(out, ":%u", frame.column);
        sm_buf_printf(out, "%s\n", ink->off);
    }
}

/* Writes a safepoint: its heading, where it comes from, and what is live there. */
static sm_status put_record(const sm_stackmap *m, const sm_lines *lines, const sm_function *f, const sm_record *r,
                            const struct ink *ink, sm_buf *out, struct totals *totals) {
    static const char *const kinds[] = {"record", "safepoint", "stackmap", "patchpoint", "safepoint"};
    sm_buf_printf(out, "  %s+0x%04x%s  %s", ink->number, r->offset, ink->off, r->reason ? r->reason : kinds[r->kind]);
    if (r->callee) {
        sm_buf_printf(out, " to %s", ink->name);
        put_name(r->callee, out);
        sm_buf_puts(out, ink->off);
    }
    if (r->fault_offset != UINT32_MAX)
        sm_buf_printf(out, ", faults at +0x%04x", r->fault_offset);
    if (r->patch_bytes)
        sm_buf_printf(out, ", %u bytes to patch at +0x%04x", r->patch_bytes, sm_patch_offset(r));
    if (r->kind != SM_RECORD_GCROOT && r->id != SM_DEFAULT_ID)
        sm_buf_printf(out, "  %sid %llu%s", ink->dim, (unsigned long long)r->id, ink->off);
    sm_buf_puts(out, "\n");
    put_source(m, lines, f, r, ink, out);
    if (r->kind == SM_RECORD_STATEPOINT || r->kind == SM_RECORD_GCROOT)
        return put_statepoint(m, r, ink, out, totals);
    put_value_list(m, "value", r->location, r->locations, out);
    put_liveouts(m, r, out);
    return out->status;
}

/* Writes a root's metadata: "meta", "table+16", "77". */
static void put_metadatum(const sm_metadatum *d, sm_buf *out) {
    if (d->symbol)
        put_name(d->symbol, out);
    if (d->symbol && d->addend)
        sm_buf_printf(out, "%+" PRId64, d->addend);
    else if (!d->symbol)
        sm_buf_printf(out, "%" PRId64, d->addend);
}

/* Writes a function's frame on the shadow stack. */
static void put_frame_map(const sm_stackmap *m, const sm_frame_map *fm, const struct ink *ink, sm_buf *out) {
    sm_buf_printf(out, "  frame of %u root%s on the shadow stack\n", fm->roots, fm->roots == 1 ? "" : "s");
    for (uint32_t i = 0; i < fm->metadata && out->status == SM_OK; i++) {
        sm_buf_printf(out, INDENT "%sroot %-7u%s metadata ", ink->number, i, ink->off);
        put_metadatum(&m->metadatum[fm->metadatum + i], out);
        sm_buf_puts(out, "\n");
    }
}

/* Writes a function's line: name, place, sizes. */
static void put_heading(const sm_stackmap *m, const sm_function *f, const struct ink *ink, sm_buf *out) {
    sm_buf_puts(out, ink->name);
    put_name(f->name ? f->name : "(no name)", out);
    sm_buf_printf(out, "%s  %s", ink->off, ink->dim);
    put_name(f->section ? f->section : "", out);
    sm_buf_printf(out, "%s0x%" PRIx64, m->linked ? " " : "+", f->offset);
    if (f->size)
        sm_buf_printf(out, ", %" PRIu64 " bytes", f->size);
    if (f->frame_size != UINT64_MAX)
        sm_buf_printf(out, ", frame of %" PRIu64 " bytes", f->frame_size);
    else if (!f->has_frame_map && (f->records || !f->faults))
        sm_buf_puts(out, ", frame of dynamic size");
    sm_buf_printf(out, "%s\n", ink->off);
}

/* Writes a function with all its safepoints and null checks. */
static sm_status put_function_text(const sm_stackmap *m, const sm_lines *lines, const sm_function *f,
                                   const struct ink *ink, sm_buf *out, struct totals *totals) {
    sm_status s = out->status;
    put_heading(m, f, ink, out);
    for (uint32_t i = 0; s == SM_OK && i < f->records; i++)
        s = put_record(m, lines, f, &m->record[f->record + i], ink, out, totals);
    for (uint32_t i = 0; i < f->faults && out->status == SM_OK; i++) {
        const sm_fault *fault = &m->fault[f->fault + i];
        sm_buf_printf(out, "  +0x%" PRIx32 "  null check: a fault goes on at +0x%" PRIx32 "\n", fault->offset,
                      fault->handler);
    }
    if (f->has_frame_map)
        put_frame_map(m, &f->frame_map, ink, out);
    else if (f->records == 0 && f->faults == 0)
        sm_buf_printf(out, "  %sno safepoint%s\n", ink->dim, ink->off);
    totals->frame_roots += f->has_frame_map ? f->frame_map.roots : 0;
    sm_buf_puts(out, "\n");
    return s;
}

/* Writes a number with a noun, in the plural unless it is 1. */
static void put_count(sm_buf *out, uint64_t n, const char *what) {
    sm_buf_printf(out, "%" PRIu64 " %s%s", n, what, n == 1 ? "" : "s");
}

sm_status sm_explain(const sm_stackmap *m, const sm_lines *lines, int color, sm_buf *out) {
    static const struct ink plain = {"", "", "", ""}, colors = {"\033[1;36m", "\033[33m", "\033[2m", "\033[0m"};
    struct totals totals = {0};
    sm_status s = out->status;
    for (uint32_t i = 0; s == SM_OK && i < m->functions; i++)
        s = put_function_text(m, lines, &m->function[i], color ? &colors : &plain, out, &totals);
    put_count(out, m->functions, "function");
    sm_buf_puts(out, ", ");
    put_count(out, m->records, "safepoint");
    sm_buf_puts(out, ", ");
    put_count(out, totals.pointers, "live pointer");
    if (totals.frame_roots) {
        sm_buf_puts(out, ", ");
        put_count(out, totals.frame_roots, "root");
        sm_buf_puts(out, " in frames");
    }
    sm_buf_printf(out, " (%s, %s)\n", m->machine == EM_X86_64 ? "x86-64" : "AArch64", m->format);
    return s != SM_OK ? s : out->status;
}
