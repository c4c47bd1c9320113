/* map_checks.h - what holds for every decoded stackmap, whatever it came from. */
#ifndef TEST_MAP_CHECKS_H
#define TEST_MAP_CHECKS_H

#include "fuzz.h"

#include "explain.h"
#include "stackmap_json.h"

#include <jansson.h>

/* Every range lies in its array, the JSON is JSON (or does not fit), the text ends. M is changed: kinds are guessed.
 */
static inline void check_map(sm_stackmap *m) {
    sm_buf out;
    for (uint32_t i = 0; i < m->functions; i++) {
        const sm_function *f = &m->function[i];
        must(f->record <= m->records && f->records <= m->records - f->record);
        must(!f->has_frame_map || (f->frame_map.metadatum <= m->metadata &&
                                   f->frame_map.metadata <= m->metadata - f->frame_map.metadatum));
    }
    for (uint32_t i = 0; i < m->records; i++) {
        const sm_record *r = &m->record[i];
        must(r->location <= m->locations && r->locations <= m->locations - r->location);
        must(r->liveout <= m->liveouts && r->liveouts <= m->liveouts - r->liveout);
    }
    sm_stackmap_guess_kinds(m);
    sm_buf_init(&out, 1 << 22);
    sm_status s = sm_stackmap_to_json(m, &out);
    must(s == SM_OK || s == SM_TOO_LARGE);
    json_t *parsed = s == SM_OK ? json_loadb((const char *)out.data, out.len, JSON_REJECT_DUPLICATES, NULL) : NULL;
    must(s != SM_OK || json_array_size(json_object_get(parsed, "functions")) == m->functions);
    json_decref(parsed);
    sm_buf_clear(&out);
    s = sm_explain(m, NULL, 1, &out);
    must(s == SM_OK || s == SM_TOO_LARGE);
    sm_buf_free(&out);
}

#endif
