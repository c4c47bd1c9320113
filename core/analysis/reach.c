/* reach.c - does something reach a value, by way of those that it is computed from? Asked of many values, each is visited
 * once. */
#include "analysis.h"
#include "memory.h"
#include "set.h"

#include <stdlib.h>

/* From a value to one that is computed from it, by their numbers. */
struct way {
    size_t from, to, next; /* the next way from the same one, from 1 on */
};

/* The values that are looked at for one question. */
struct search {
    struct set all, reached;
    struct way *way; /* owned */
    size_t ways, room;
};

/* Notes the ways to value number I from FROM, and looks at these as well, but for those that nothing reaches. */
static void add_ways(struct search *s, const struct reach *known, size_t i, const struct set *from) {
    for (size_t k = 0; k < from->count; k++) {
        if (set_has(&known->no, from->item[k]))
            continue;
        set_add(&s->all, from->item[k]);
        s->way = xgrow(s->way, s->ways, &s->room, sizeof *s->way);
        s->way[s->ways++] = (struct way){.from = set_number(&s->all, from->item[k]), .to = i};
    }
}

/* Adds to those that are reached what is computed from them. */
static void spread_from_reached(struct search *s) {
    size_t *first = xcalloc(s->all.count, sizeof *first);
    for (size_t i = 0; i < s->ways; i++) {
        s->way[i].next = first[s->way[i].from];
        first[s->way[i].from] = i + 1;
    }
    for (size_t i = 0; i < s->reached.count; i++)
        for (size_t w = first[set_number(&s->all, s->reached.item[i])]; w; w = s->way[w - 1].next)
            set_add(&s->reached, s->all.item[s->way[w - 1].to]);
    free(first);
}

int reaches(struct reach *known, LLVMValueRef v, reach_visit *visit, void *arg) {
    struct search s = {0};
    struct set from = {0};
    if (set_has(&known->yes, v) || set_has(&known->no, v))
        return set_has(&known->yes, v);
    set_add(&s.all, v);
    for (size_t i = 0; i < s.all.count; i++) {
        set_clear(&from);
        if (set_has(&known->yes, s.all.item[i]) || visit(s.all.item[i], &from, arg))
            set_add(&s.reached, s.all.item[i]);
        else
            add_ways(&s, known, i, &from);
    }
    spread_from_reached(&s);
    for (size_t i = 0; i < s.all.count; i++)
        set_add(set_has(&s.reached, s.all.item[i]) ? &known->yes : &known->no, s.all.item[i]);
    set_free(&from);
    set_free(&s.all);
    set_free(&s.reached);
    free(s.way);
    return set_has(&known->yes, v);
}
