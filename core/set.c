/* set.c - see set.h. */
#include "set.h"

#include "memory.h"

#include <stdlib.h>

int set_has(const struct set *s, const void *item) {
    for (size_t i = 0; i < s->count; i++)
        if (s->item[i] == item)
            return 1;
    return 0;
}

void set_add(struct set *s, void *item) {
    if (!set_has(s, item))
        set_add_again(s, item);
}

void set_add_again(struct set *s, void *item) {
    if (s->count == s->room) {
        size_t room = s->room ? 2 * s->room : 16;
        void **more = realloc(s->item, room * sizeof *more);
        if (!more) {
            s->failed = 1;
            memory_note_lack();
            return;
        }
        s->item = more;
        s->room = room;
    }
    s->item[s->count++] = item;
}

void set_free(struct set *s) {
    free(s->item);
}
