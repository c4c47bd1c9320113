/* stackmap_json.c - see stackmap_json.h. Written straight into the buffer: a stackmap may have millions of locations,
 * and what does not fit or find memory shows in the buffer's status, never as a location that is missing. */
#include "stackmap_json.h"

#include "faultmap.h"
#include "utf8.h"

#include <inttypes.h>
#include <string.h>

static int is_utf8(const char *s) {
    size_t left = strlen(s), n = 1;
    for (; left && n; s += n, left -= n)
        n = sm_utf8_length(s, left);
    return n != 0;
}

/* 1 if a byte stands for itself in a JSON string; LATIN: of a text that is not UTF-8. */
static int is_plain(unsigned char c, int latin) {
    return c >= 0x20 && c != '"' && c != '\\' && (c < 0x80 || !latin);
}

/* Writes a JSON string, or null. Symbol names are bytes: those that are not UTF-8 are written as Latin-1, which
 * every byte is. */
static void put_text(sm_buf *out, const char *s) {
    if (!s) {
        sm_buf_puts(out, "null");
        return;
    }
    int latin = !is_utf8(s);
    sm_buf_put_u8(out, '"');
    for (const unsigned char *p = (const unsigned char *)s; *p && out->status == SM_OK; p++) {
        size_t plain = 0;
        while (is_plain(p[plain], latin))
            plain++;
        if (plain) {
            sm_buf_put(out, p, plain);
            p += plain - 1;
        } else if (*p < 0x20)
            sm_buf_printf(out, "\\u%04x", *p);
        else if (*p >= 0x80)
            sm_buf_printf(out, "%c%c", 0xc0 | *p >> 6, 0x80 | (*p & 0x3f));
        else
            sm_buf_printf(out, "\\%c", *p);
    }
    sm_buf_put_u8(out, '"');
}

/* Writes a register by its name, which needs no escapes, and DWARF number. */
static void put_register(sm_buf *out, const sm_stackmap *m, uint16_t dwarf) {
    const char *name = sm_register_name(m->machine, dwarf);
    sm_buf_adds(out, name ? "\"register\":\"" : "\"register\":null");
    if (name) {
        sm_buf_adds(out, name);
        sm_buf_adds(out, "\"");
    }
    sm_buf_adds(out, ",\"dwarf\":");
    sm_buf_put_decimal(out, dwarf);
}

/* Writes a location up to the brace that closes it; most of a map are these. */
static void start_location(sm_buf *out, const sm_stackmap *m, const sm_location *l) {
    static const char *const names[] = {"", "register", "direct", "indirect", "constant"};
    sm_buf_adds(out, "{\"kind\":\"");
    sm_buf_adds(out, names[l->kind]);
    sm_buf_adds(out, "\",");
    if (l->kind == SM_LOCATION_CONSTANT) {
        sm_buf_adds(out, "\"value\":");
        sm_buf_put_signed(out, l->constant);
    } else {
        put_register(out, m, l->dwarf);
    }
    if (l->kind == SM_LOCATION_DIRECT || l->kind == SM_LOCATION_INDIRECT) {
        sm_buf_adds(out, ",\"offset\":");
        sm_buf_put_signed(out, l->offset);
    }
    sm_buf_adds(out, ",\"size\":");
    sm_buf_put_decimal(out, l->size);
}

static void put_location(sm_buf *out, const sm_stackmap *m, const sm_location *l) {
    start_location(out, m, l);
    sm_buf_puts(out, "}");
}

/* Writes "fields":[...]: where references are in a region. */
static void put_fields(sm_buf *out, const sm_facts *f, const sm_region_facts *r) {
    sm_buf_puts(out, ",\"fields\":[");
    for (uint32_t i = 0; i < r->runs && out->status == SM_OK; i++) {
        sm_reference_run run;
        sm_facts_run(f, r, i, &run);
        sm_buf_printf(out, "%s{\"offset\":%u,\"size\":%u,\"space\":%u", i ? "," : "", run.offset, run.width,
                      run.space);
        if (run.count > 1)
            sm_buf_printf(out, ",\"count\":%u,\"stride\":%u", run.count, run.stride);
        sm_buf_puts(out, "}");
    }
    sm_buf_puts(out, "]");
}

/* Writes a region's type: its symbol, or else its number. */
static void put_type(sm_buf *out, const sm_stackmap *m, const sm_region_facts *r) {
    const sm_type_symbol *t = r->bits & SM_FACT_SYMBOL ? sm_stackmap_type(m, r->type) : NULL;
    if (!t || !t->symbol) {
        sm_buf_printf(out, ",\"type\":%" PRId64, (int64_t)r->type);
        return;
    }
    sm_buf_puts(out, ",\"type\":{\"symbol\":");
    put_text(out, t->symbol);
    sm_buf_printf(out, ",\"addend\":%" PRId64 "}", t->addend);
}

/* Writes what the record says of the next region; *AT, the index of its first word, moves on. */
static void put_facts(sm_buf *out, const sm_stackmap *m, const sm_facts *f, uint32_t *at) {
    sm_region_facts r;
    if (sm_facts_next(f, at, &r) != SM_OK)
        return;
    if (!(r.bits & SM_FACT_UNKNOWN))
        put_fields(out, f, &r);
    if (r.bytes)
        sm_buf_printf(out, ",\"bytes\":%" PRIu64, r.bytes);
    if (r.bits & SM_FACT_TYPE)
        put_type(out, m, &r);
    if (r.bits & SM_FACT_MASK)
        sm_buf_printf(out, ",\"tag_mask\":%" PRId64, (int64_t)r.tag_mask);
    if (r.bits & SM_FACT_PINNED)
        sm_buf_puts(out, ",\"pinned\":true");
}

/* Writes "regions":[...], each with what is known to be in it. */
static void put_regions(sm_buf *out, const sm_stackmap *m, const sm_statepoint *s) {
    sm_facts facts;
    uint32_t at = 0;
    int has_facts = sm_statepoint_facts(m, s, &facts);
    sm_buf_puts(out, ",\"regions\":[");
    for (uint32_t i = 0; i < s->regions && out->status == SM_OK; i++) {
        sm_buf_puts(out, i ? "," : "");
        start_location(out, m, &m->location[s->region + i]);
        if (has_facts)
            put_facts(out, m, &facts, &at);
        sm_buf_puts(out, "}");
    }
    sm_buf_puts(out, "]");
}

/* Writes "NAME":[...] with COUNT locations. */
static void put_locations(sm_buf *out, const sm_stackmap *m, const char *name, uint32_t first, uint32_t count) {
    sm_buf_printf(out, ",\"%s\":[", name);
    for (uint32_t i = 0; i < count && out->status == SM_OK; i++) {
        sm_buf_puts(out, i ? "," : "");
        put_location(out, m, &m->location[first + i]);
    }
    sm_buf_puts(out, "]");
}

/* Deoptimisation state that is written. */
struct state_writer {
    sm_buf *out;
    const sm_stackmap *m;
    const sm_location *value;
    sm_state state;
    sm_state_cursor at;
};

/* Writes a frame's next value; of an object its fields, too, at most SM_STATE_NESTED_MAX in one another. */
static void put_value(struct state_writer *w) { // NOLINT(misc-no-recursion)
    sm_state_item item;
    sm_state_next(&w->state, &w->at, &item);
    if (item.kind == SM_STATE_VALUE)
        put_location(w->out, w->m, &w->value[item.at]);
    if (item.kind == SM_STATE_SAME)
        sm_buf_printf(w->out, "{\"kind\":\"same\",\"object\":%u}", item.object);
    if (item.kind != SM_STATE_OBJECT)
        return;
    sm_buf_printf(w->out, "{\"kind\":\"object\",\"object\":%u,\"type\":%" PRId64 ",\"fields\":[", item.object,
                  (int64_t)item.type);
    for (uint32_t i = 0; i < item.count && w->out->status == SM_OK; i++) {
        sm_buf_puts(w->out, i ? "," : "");
        put_value(w);
    }
    sm_buf_puts(w->out, "]}");
}

/* Writes "frames":[...], if the deoptimisation state says whose values they are; null if what it says is damaged. */
static void put_frames(sm_buf *out, const sm_stackmap *m, const sm_statepoint *s) {
    struct state_writer w = {
        .out = out, .m = m, .value = s->deopts ? &m->location[s->deopt] : NULL, .state = sm_statepoint_state(m, s)};
    sm_state_item frame;
    sm_status status;
    if (!sm_state_has_frames(&w.state))
        return;
    uint32_t frames = sm_state_count(&w.state, &status);
    sm_buf_puts(out, status == SM_OK ? ",\"frames\":[" : ",\"frames\":null");
    if (status != SM_OK)
        return;
    for (uint32_t i = 0; i < frames && out->status == SM_OK; i++) {
        sm_state_next(&w.state, &w.at, &frame);
        sm_buf_printf(out, "%s{\"method\":%" PRId64 ",\"bytecode\":%" PRId64 ",\"values\":[", i ? "," : "",
                      (int64_t)frame.method, (int64_t)frame.bytecode);
        for (uint32_t first = w.at.at; w.at.at < w.at.end && out->status == SM_OK;) {
            sm_buf_puts(out, w.at.at == first ? "" : ",");
            put_value(&w);
        }
        sm_buf_puts(out, "]}");
    }
    sm_buf_puts(out, "]");
}

/* Writes a root's metadata as symbol and distance. */
static void put_metadatum(sm_buf *out, const sm_metadatum *d) {
    sm_buf_puts(out, "{\"symbol\":");
    put_text(out, d->symbol);
    sm_buf_printf(out, ",\"addend\":%" PRId64 "}", d->addend);
}

/* Writes a root's metadata, unless it is null. */
static void put_root_metadata(sm_buf *out, const sm_stackmap *m, const sm_function *f, uint32_t root) {
    const sm_metadatum *d = root < f->root_metadata ? &m->metadatum[f->root_metadatum + root] : NULL;
    if (!d || (!d->symbol && !d->addend))
        return;
    sm_buf_puts(out, ",\"metadata\":");
    put_metadatum(out, d);
}

/* Writes "roots":[...]: base and derived pointer of each, and its metadata. */
static void put_roots(sm_buf *out, const sm_stackmap *m, const sm_function *f, const sm_statepoint *s) {
    sm_buf_puts(out, ",\"roots\":[");
    for (uint32_t i = 0; i < s->roots && out->status == SM_OK; i++) {
        sm_buf_puts(out, i ? ",{\"base\":" : "{\"base\":");
        put_location(out, m, &s->root[i].base);
        sm_buf_puts(out, ",\"derived\":");
        put_location(out, m, &s->root[i].derived);
        put_root_metadata(out, m, f, i);
        sm_buf_puts(out, "}");
    }
    sm_buf_puts(out, "]");
}

static void put_liveouts(sm_buf *out, const sm_stackmap *m, const sm_record *r) {
    sm_buf_puts(out, ",\"live_outs\":[");
    for (uint32_t i = 0; i < r->liveouts && out->status == SM_OK; i++) {
        const sm_liveout *l = &m->liveout[r->liveout + i];
        sm_buf_puts(out, i ? ",{" : "{");
        put_register(out, m, l->dwarf);
        sm_buf_printf(out, ",\"size\":%u}", l->size);
    }
    sm_buf_puts(out, "]");
}

/* Writes a statepoint's parts: convention, deoptimisation values, roots, regions. */
static sm_status put_parts(sm_buf *out, const sm_stackmap *m, const sm_function *f, const sm_record *r) {
    char buf[24];
    sm_statepoint s;
    sm_status status = sm_statepoint_split(m, r, &s);
    if (status != SM_OK)
        return status;
    if (r->kind == SM_RECORD_STATEPOINT) {
        sm_buf_printf(out, ",\"calling_convention\":{\"id\":%u,\"name\":\"%s\"},\"gc_transition\":%s",
                      s.calling_convention, sm_calling_convention_name(s.calling_convention, buf, sizeof buf),
                      s.flags & 1 ? "true" : "false");
        put_locations(out, m, "deopt", s.deopt, s.deopts);
        put_frames(out, m, &s);
    }
    put_roots(out, m, f, &s);
    if (r->kind == SM_RECORD_STATEPOINT)
        put_regions(out, m, &s);
    sm_statepoint_free(&s);
    return out->status;
}

/* Writes a record as an object. Fails if its locations are not a statepoint's though it is one. */
static sm_status put_record(sm_buf *out, const sm_stackmap *m, const sm_function *f, const sm_record *r) {
    int has_parts = r->kind == SM_RECORD_STATEPOINT || r->kind == SM_RECORD_GCROOT;
    sm_status s = SM_OK;
    sm_buf_printf(out, "{\"id\":%" PRId64 ",\"offset\":%" PRIu32 ",\"kind\":\"%s\",\"reason\":", (int64_t)r->id,
                  r->offset, sm_record_kind_name(r->kind));
    put_text(out, r->reason);
    sm_buf_puts(out, ",\"callee\":");
    put_text(out, r->callee);
    if (r->fault_offset != UINT32_MAX)
        sm_buf_printf(out, ",\"fault_offset\":%" PRIu32, r->fault_offset);
    if (r->patch_bytes)
        sm_buf_printf(out, ",\"patch\":{\"offset\":%" PRIu32 ",\"bytes\":%" PRIu32 "}", sm_patch_offset(r),
                      r->patch_bytes);
    if (has_parts)
        s = put_parts(out, m, f, r);
    else
        put_locations(out, m, "locations", r->location, r->locations);
    if (!has_parts || r->liveouts)
        put_liveouts(out, m, r);
    sm_buf_puts(out, "}");
    return s != SM_OK ? s : out->status;
}

/* Writes "address": section and offset. */
static void put_address(sm_buf *out, const char *section, uint64_t offset) {
    sm_buf_puts(out, "\"address\":{\"section\":");
    put_text(out, section);
    sm_buf_printf(out, ",\"offset\":%" PRId64 "}", (int64_t)offset);
}

/* Writes "frame_map": a function's frame on the shadow stack. */
static void put_frame_map(sm_buf *out, const sm_stackmap *m, const sm_frame_map *fm) {
    sm_buf_puts(out, ",\"frame_map\":{");
    put_address(out, fm->section, fm->offset);
    sm_buf_printf(out, ",\"roots\":%" PRIu32 ",\"metadata\":[", fm->roots);
    for (uint32_t i = 0; i < fm->metadata && out->status == SM_OK; i++) {
        sm_buf_puts(out, i ? "," : "");
        put_metadatum(out, &m->metadatum[fm->metadatum + i]);
    }
    sm_buf_puts(out, "]}");
}

/* Writes "null_checks":[...]. */
static void put_faults(sm_buf *out, const sm_stackmap *m, const sm_function *f) {
    sm_buf_puts(out, ",\"null_checks\":[");
    for (uint32_t i = 0; i < f->faults && out->status == SM_OK; i++) {
        const sm_fault *fault = &m->fault[f->fault + i];
        sm_buf_printf(out, "%s{\"kind\":\"%s\",\"offset\":%" PRIu32 ",\"handler\":%" PRIu32 "}", i ? "," : "",
                      sm_fault_kind_name(fault->kind), fault->offset, fault->handler);
    }
    sm_buf_puts(out, "]");
}

/* Writes a function as an object, with its safepoints. */
static sm_status put_function_json(sm_buf *out, const sm_stackmap *m, const sm_function *f) {
    sm_status s = SM_OK;
    sm_buf_puts(out, "{\"name\":");
    put_text(out, f->name);
    sm_buf_puts(out, ",");
    put_address(out, f->section, f->offset);
    sm_buf_printf(out, ",\"size\":%" PRId64 ",\"frame_size\":", (int64_t)f->size);
    if (f->frame_size == UINT64_MAX)
        sm_buf_puts(out, "null");
    else
        sm_buf_printf(out, "%" PRId64, (int64_t)f->frame_size);
    if (f->format)
        sm_buf_printf(out, ",\"format\":\"%s\"", f->format);
    if (f->has_stack_arity)
        sm_buf_printf(out, ",\"stack_arity\":%u", f->stack_arity);
    sm_buf_puts(out, ",\"safepoints\":[");
    for (uint32_t i = 0; s == SM_OK && i < f->records; i++) {
        sm_buf_puts(out, i ? "," : "");
        s = put_record(out, m, f, &m->record[f->record + i]);
    }
    sm_buf_puts(out, "]");
    if (f->faults)
        put_faults(out, m, f);
    if (f->has_frame_map)
        put_frame_map(out, m, &f->frame_map);
    sm_buf_puts(out, "}");
    return s != SM_OK ? s : out->status;
}

sm_status sm_stackmap_to_json(const sm_stackmap *m, sm_buf *out) {
    sm_status s = out->status;
    sm_buf_printf(out, "{\"format\":\"%s\",\"arch\":\"%s\",\"functions\":[", m->format,
                  m->machine == EM_X86_64 ? "x86_64" : "aarch64");
    for (uint32_t i = 0; s == SM_OK && i < m->functions; i++) {
        sm_buf_puts(out, i ? "," : "");
        s = put_function_json(out, m, &m->function[i]);
    }
    sm_buf_puts(out, "]}");
    return s != SM_OK ? s : out->status;
}
