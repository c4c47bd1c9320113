/* set.c - see set.h. Few items are looked at one by one; of more, a hash table with open addressing, twice as large as
 * the room for items, has their numbers. */
#include "set.h"
#include "memory.h"

#include <assert.h>

enum { FEW = 16 };

static size_t table_mask(const struct set *s) {
    return 2 * s->room - 1;
}

/* Where in the table the item would be, if it were the only one. */
static size_t place_alone(const struct set *s, const void *item) {
    return (size_t)(((uintptr_t)item >> 4) * 0x9e3779b97f4a7c15u >> 32) & table_mask(s);
}

/* Where in the table the item is, or the free place that it would have. Requires the table. */
static size_t find_item(const struct set *s, const void *item) {
    size_t at = place_alone(s, item);
    while (s->place[at] && s->item[s->place[at] - 1] != item)
        at = (at + 1) & table_mask(s);
    return at;
}

/* Notes that the item of this number is in the table; the first of equal ones stays. */
static void index_item(struct set *s, size_t i) {
    size_t at = find_item(s, s->item[i]);
    if (!s->place[at])
        s->place[at] = (uint32_t)(i + 1);
}

/* Takes the item of this number out of the table. Those behind it that found no place nearer to their first one move
 * up. */
static void unindex_item(struct set *s, size_t i) {
    size_t mask = table_mask(s), gap = find_item(s, s->item[i]);
    for (size_t at = (gap + 1) & mask; s->place[at]; at = (at + 1) & mask) {
        size_t first = place_alone(s, s->item[s->place[at] - 1]);
        if (((at - first) & mask) >= ((at - gap) & mask)) {
            s->place[gap] = s->place[at];
            gap = at;
        }
    }
    s->place[gap] = 0;
}

size_t set_number(const struct set *s, const void *item) {
    if (s->place) {
        uint32_t place = s->place[find_item(s, item)];
        return place ? place - 1 : s->count;
    }
    size_t i = 0;
    while (i < s->count && s->item[i] != item)
        i++;
    return i;
}

/* Makes room for more items, and the table if they are no longer few. */
static void grow(struct set *s) {
    s->item = xgrow(s->item, s->count, &s->room, sizeof *s->item);
    if (s->room > UINT32_MAX / 2)
        memory_exhausted();
    free(s->place);
    s->place = NULL;
    if (s->room > FEW)
        s->place = xcalloc(2 * s->room, sizeof *s->place);
    for (size_t i = 0; s->place && i < s->count; i++)
        index_item(s, i);
}

void set_add_again(struct set *s, void *item) {
    if (s->count == s->room)
        grow(s);
    s->item[s->count++] = item;
    if (s->place)
        index_item(s, s->count - 1);
}

void set_remove(struct set *s, size_t i) {
    assert(i < s->count);
    if (s->place)
        unindex_item(s, i);
    s->item[i] = s->item[--s->count];
    if (s->place && i < s->count)
        s->place[find_item(s, s->item[i])] = (uint32_t)(i + 1);
}
