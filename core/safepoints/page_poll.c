/* page_poll.c - see page_poll.h: which records are page polls. */
#include "page_poll.h"
#include "base.h"
#include "memory.h"
#include "pagepoll.h"
#include "state.h"

#include <stdlib.h>

/* The section and offset of each page poll in the object, *COUNT of them; *new*. */
static sm_page_place *find_places_page(const struct compile *c, const sm_stackmap *m, size_t *count) {
    sm_page_place *place = xcalloc(m->records + 1u, sizeof *place);
    size_t n = 0;
    for (uint32_t f = 0; f < m->functions; f++)
        for (uint32_t i = 0; i < m->function[f].records; i++) {
            const sm_record *r = &m->record[m->function[f].record + i];
            if (r->id < c->sites && c->site[r->id].is_page)
                place[n++] = (sm_page_place){m->function[f].section_index, m->function[f].offset + r->offset};
        }
    *count = n;
    return place;
}

/* Writes the object with its page polls filled in: *BYTES, *new*, as many as before. */
sm_status page_write(struct compile *c, const struct emitted *e, unsigned char **bytes) {
    size_t places;
    sm_page_place *place = find_places_page(c, &e->map, &places);
    sm_status s = xstatus(sm_page_write(&e->elf, place, places, bytes));
    free(place);
    return s == SM_OK ? s : fail(c, SM_INTERNAL, NULL, "The page polls cannot be written: %s", sm_status_text(s));
}
