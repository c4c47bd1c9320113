/* stackmap_json.c - see stackmap_json.h. */
#include "stackmap_json.h"

#include <jansson.h>
#include <string.h>

static const char *const kinds[] = {"unknown", "statepoint", "stackmap", "patchpoint", "gcroot"};

/* Symbol names are bytes; those that are no UTF-8 are shown as Latin-1, which every byte is. */
static json_t *text(const char *s) {
    json_t *value = s ? json_string(s) : json_null();
    if (value)
        return value;
    sm_buf latin;
    sm_buf_init(&latin, 2 * strlen(s) + 1);
    for (const unsigned char *p = (const unsigned char *)s; *p; p++) {
        if (*p < 0x80) {
            sm_buf_put_u8(&latin, *p);
        } else {
            sm_buf_put_u8(&latin, (uint8_t)(0xc0 | *p >> 6));
            sm_buf_put_u8(&latin, (uint8_t)(0x80 | (*p & 0x3f)));
        }
    }
    value = json_stringn((const char *)latin.data, latin.len);
    sm_buf_free(&latin);
    return value;
}

static json_t *location(const sm_stackmap *m, const sm_location *l) {
    static const char *const names[] = {"", "register", "direct", "indirect", "constant"};
    if (l->kind == SM_LOCATION_CONSTANT)
        return json_pack("{s:s,s:I,s:i}", "kind", "constant", "value", (json_int_t)l->constant, "size", l->size);
    json_t *o = json_pack("{s:s,s:o,s:i}", "kind", names[l->kind], "register",
                          text(sm_register_name(m->machine, l->dwarf)), "dwarf", l->dwarf);
    if (l->kind != SM_LOCATION_REGISTER)
        json_object_set_new(o, "offset", json_integer(l->offset));
    json_object_set_new(o, "size", json_integer(l->size));
    return o;
}

static json_t *location_list(const sm_stackmap *m, uint32_t first, uint32_t count) {
    json_t *list = json_array();
    for (uint32_t i = 0; i < count; i++)
        json_array_append_new(list, location(m, &m->location[first + i]));
    return list;
}

static json_t *root_list(const sm_stackmap *m, const sm_statepoint *s) {
    json_t *list = json_array();
    for (uint32_t i = 0; i < s->roots; i++)
        json_array_append_new(list, json_pack("{s:o,s:o}", "base", location(m, &s->root[i].base), "derived",
                                              location(m, &s->root[i].derived)));
    return list;
}

static json_t *liveout_list(const sm_stackmap *m, const sm_record *r) {
    json_t *list = json_array();
    for (uint32_t i = 0; i < r->liveouts; i++) {
        const sm_liveout *l = &m->liveout[r->liveout + i];
        json_array_append_new(list,
                              json_pack("{s:o,s:i,s:i}", "register", text(sm_register_name(m->machine, l->dwarf)),
                                        "dwarf", l->dwarf, "size", l->size));
    }
    return list;
}

static sm_status add_statepoint(const sm_stackmap *m, const sm_record *r, json_t *o) {
    char buf[24];
    sm_statepoint s;
    sm_status status = sm_statepoint_split(m, r, &s);
    if (status != SM_OK)
        return status;
    if (r->kind == SM_RECORD_STATEPOINT) {
        json_object_set_new(o, "calling_convention",
                            json_pack("{s:i,s:s}", "id", (int)s.calling_convention, "name",
                                      sm_calling_convention_name(s.calling_convention, buf, sizeof buf)));
        json_object_set_new(o, "gc_transition", json_boolean(s.flags & 1));
        json_object_set_new(o, "deopt", location_list(m, s.deopt, s.deopts));
    }
    json_object_set_new(o, "roots", root_list(m, &s));
    if (r->kind == SM_RECORD_STATEPOINT)
        json_object_set_new(o, "regions", location_list(m, s.region, s.regions));
    sm_statepoint_free(&s);
    return SM_OK;
}

static sm_status record(const sm_stackmap *m, const sm_record *r, json_t **out) {
    sm_status s = SM_OK;
    json_t *o = json_object();
    json_object_set_new(o, "id", json_integer((json_int_t)r->id));
    json_object_set_new(o, "offset", json_integer(r->offset));
    json_object_set_new(o, "kind", json_string(kinds[r->kind]));
    json_object_set_new(o, "reason", text(r->reason));
    json_object_set_new(o, "callee", text(r->callee));
    if (r->fault_offset != UINT32_MAX)
        json_object_set_new(o, "fault_offset", json_integer(r->fault_offset));
    if (r->kind == SM_RECORD_STATEPOINT || r->kind == SM_RECORD_GCROOT)
        s = add_statepoint(m, r, o);
    else
        json_object_set_new(o, "locations", location_list(m, r->location, r->locations));
    if (r->kind != SM_RECORD_GCROOT && (r->liveouts || r->kind != SM_RECORD_STATEPOINT))
        json_object_set_new(o, "live_outs", liveout_list(m, r));
    if (s != SM_OK) {
        json_decref(o);
        return s;
    }
    *out = o;
    return SM_OK;
}

static sm_status function(const sm_stackmap *m, const sm_function *f, json_t **out) {
    json_t *list = json_array();
    sm_status s = SM_OK;
    for (uint32_t i = 0; s == SM_OK && i < f->records; i++) {
        json_t *one = NULL;
        s = record(m, &m->record[f->record + i], &one);
        if (s == SM_OK)
            json_array_append_new(list, one);
    }
    json_t *o = json_object();
    json_object_set_new(o, "name", text(f->name));
    json_object_set_new(o, "address",
                        json_pack("{s:o,s:I}", "section", text(f->section), "offset", (json_int_t)f->offset));
    json_object_set_new(o, "size", json_integer((json_int_t)f->size));
    json_object_set_new(o, "frame_size",
                        f->frame_size == UINT64_MAX ? json_null() : json_integer((json_int_t)f->frame_size));
    if (f->format)
        json_object_set_new(o, "format", json_string(f->format));
    json_object_set_new(o, "safepoints", list);
    if (s == SM_OK)
        *out = o;
    else
        json_decref(o);
    return s;
}

static int append(const char *bytes, size_t len, void *arg) {
    return sm_buf_put(arg, bytes, len) == SM_OK ? 0 : -1;
}

sm_status sm_stackmap_to_json(const sm_stackmap *m, sm_buf *out) {
    sm_buf_printf(out, "{\"format\":\"%s\",\"arch\":\"%s\",\"functions\":[", m->format,
                  m->machine == EM_X86_64 ? "x86_64" : "aarch64");
    for (uint32_t i = 0; i < m->functions; i++) {
        json_t *f = NULL;
        sm_status s = function(m, &m->function[i], &f);
        if (s != SM_OK)
            return s;
        if (i)
            sm_buf_puts(out, ",");
        int failed = json_dump_callback(f, append, out, JSON_COMPACT) != 0;
        json_decref(f);
        if (failed)
            return out->status != SM_OK ? out->status : SM_NOMEM;
    }
    return sm_buf_puts(out, "]}");
}
