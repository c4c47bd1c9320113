/* elfjoin_symbols.c - the symbols of the parts as one table: local ones first, as they come; global ones once for
 * each name, as they come, with what the part says of them that defines them. */
#include "elfjoin_parts.h"

#include <stdlib.h>
#include <string.h>

/* A symbol that has a name, in a part. */
struct named {
    const char *name;
    uint32_t part, index;
    sm_elf_symbol symbol;
};

/* All of one name. */
struct name {
    struct named *first;
    size_t count;
    struct named *definition;         /* NULL: it is not of the module */
    const sm_join_local *local;       /* NULL: it stays global */
    unsigned bind, visibility;        /* as the joined object has them */
    uint32_t first_part, first_index; /* where it comes first */
};

struct table {
    struct join *j;
    struct named *named; /* owned */
    size_t nameds;
    struct name *name; /* owned */
    size_t names;
};

static int is_local(const sm_elf_symbol *s) {
    return s->bind == STB_LOCAL;
}

/* 1 if the part defines the symbol, maybe as common or absolute. */
static int is_defined(const sm_elf_symbol *s) {
    return s->in_section || s->section != SHN_UNDEF;
}

/* 1 if the symbol's section is of a group that an earlier part has already. */
static int is_dropped(const struct join *j, size_t part, const sm_elf_symbol *s) {
    return s->in_section && j->place[part][s->section].section == JOIN_DROPPED;
}

/* Orders symbols by name, then as they come in the parts. */
static int by_name(const void *a, const void *b) {
    const struct named *x = a, *y = b;
    int order = strcmp(x->name, y->name);
    if (order == 0)
        order = (x->part > y->part) - (x->part < y->part);
    return order ? order : (x->index > y->index) - (x->index < y->index);
}

/* Orders names by where they appear first. */
static int by_appearance(const void *a, const void *b) {
    const struct name *x = a, *y = b;
    if (x->first_part != y->first_part)
        return x->first_part < y->first_part ? -1 : 1;
    return (x->first_index > y->first_index) - (x->first_index < y->first_index);
}

/* bsearch's comparison of a name with a symbol that becomes local. */
static int compare_symbol(const void *key, const void *local) {
    return strcmp(key, ((const sm_join_local *)local)->symbol);
}

/* ---- What there is ---------------------------------------------------------------------------------------------- */

/* Refuses symbols of kinds that are not joined. */
static sm_status check_symbol(struct join *j, size_t part, const sm_elf_symbol *s) {
    if (s->bind != STB_LOCAL && s->bind != STB_GLOBAL && s->bind != STB_WEAK)
        return join_refuse(j, "The symbol %.100s has the binding %u", s->name, s->bind);
    if (!s->in_section && s->section != SHN_UNDEF && s->section != SHN_ABS && s->section != SHN_COMMON)
        return join_refuse(j, "The symbol %.100s is in section %u", s->name, s->section);
    if (s->in_section && s->section >= j->part[part].sections)
        return join_refuse(j, "The symbol %.100s is in no section", s->name);
    return SM_OK;
}

/* Lists the named symbols of all parts, sorted by name, and checks all of them. */
static sm_status list_symbols(struct table *t) {
    struct join *j = t->j;
    size_t all = 0;
    for (size_t p = 0; p < j->parts; p++)
        all += j->part[p].symbols;
    t->named = calloc(all + 1, sizeof *t->named);
    t->name = calloc(all + 1, sizeof *t->name);
    if (!t->named || !t->name)
        return SM_NOMEM;
    for (size_t p = 0; p < j->parts; p++)
        for (size_t i = 1; i < j->part[p].symbols; i++) {
            sm_elf_symbol s;
            if (sm_elf_symbol_at(&j->part[p], i, &s) != SM_OK)
                return join_refuse(j, "A symbol is damaged");
            sm_status status = check_symbol(j, p, &s);
            if (status != SM_OK)
                return status;
            if (s.type != STT_SECTION && s.type != STT_FILE)
                t->named[t->nameds++] = (struct named){s.name, (uint32_t)p, (uint32_t)i, s};
        }
    qsort(t->named, t->nameds, sizeof *t->named, by_name);
    return SM_OK;
}

/* ---- One name --------------------------------------------------------------------------------------------------- */

/* Decides what one name's global symbol is: its definition, binding and visibility, and whether it becomes local.
 * Refuses names that two parts define. LOCALS: some part has a local one of the name, which another part's text
 * would have found if they were one. */
static sm_status resolve(struct table *t, struct name *n, int locals) {
    struct join *j = t->j;
    unsigned strongest = STB_WEAK;
    int dropped = 0;
    n->first_part = UINT32_MAX;
    for (size_t i = 0; i < n->count; i++) {
        struct named *m = &n->first[i];
        if (is_local(&m->symbol))
            continue;
        if (n->first_part == UINT32_MAX) {
            n->first_part = m->part;
            n->first_index = m->index;
        }
        if (m->symbol.bind == STB_GLOBAL)
            strongest = STB_GLOBAL;
        if (m->symbol.visibility && (!n->visibility || m->symbol.visibility < n->visibility))
            n->visibility = m->symbol.visibility;
        dropped |= is_dropped(j, m->part, &m->symbol);
        if (!is_defined(&m->symbol) || is_dropped(j, m->part, &m->symbol))
            continue;
        if (n->definition)
            return join_refuse(j, "Two parts define %.100s", n->first->name);
        n->definition = m;
    }
    if (dropped && !n->definition)
        return join_refuse(j, "The groups of %.100s differ", n->first->name);
    if (locals)
        return join_refuse(j, "%.100s is local to one part, and not to another", n->first->name);
    n->bind = n->definition ? n->definition->symbol.bind : strongest;
    n->local = !j->locals ? NULL : bsearch(n->first->name, j->local, j->locals, sizeof *j->local, compare_symbol);
    if (n->local && (!n->definition || n->definition->symbol.section == SHN_COMMON))
        return join_refuse(j, "No part defines %.100s", n->first->name);
    if (n->local && !n->local->name && !n->definition->symbol.in_section)
        return join_refuse(j, "%.100s is in no section", n->first->name);
    return SM_OK;
}

/* Resolves every name of which a part has a global symbol, and orders these names by appearance. */
static sm_status resolve_all(struct table *t) {
    sm_status s = SM_OK;
    for (size_t i = 0, next; i < t->nameds && s == SM_OK; i = next) {
        size_t locals = 0;
        for (next = i; next < t->nameds && strcmp(t->named[next].name, t->named[i].name) == 0; next++)
            locals += is_local(&t->named[next].symbol);
        if (locals == next - i)
            continue;
        struct name *n = &t->name[t->names++];
        *n = (struct name){.first = &t->named[i], .count = next - i};
        s = resolve(t, n, locals != 0);
    }
    qsort(t->name, t->names, sizeof *t->name, by_appearance);
    return s;
}

/* ---- The joined table ------------------------------------------------------------------------------------------- */

/* Adds a symbol to the joined table; gives its number. */
static uint32_t put(struct join *j, const char *name, unsigned bind, unsigned type, unsigned visibility,
                    uint16_t section, uint64_t value, uint64_t size) {
    Elf64_Sym sym = {.st_name = *name ? join_string(j, name) : 0,
                     .st_info = (unsigned char)ELF64_ST_INFO(bind, type),
                     .st_other = (unsigned char)visibility,
                     .st_shndx = section,
                     .st_value = value,
                     .st_size = size};
    sm_buf_put(&j->symtab, &sym, sizeof sym);
    return j->symbols++;
}

/* Adds a part's symbol, at its place in the joined object; gives its number. */
static uint32_t put_symbol(struct join *j, size_t part, const sm_elf_symbol *s, const char *name, unsigned bind,
                           unsigned visibility) {
    struct join_place none = {0}, *place = s->in_section ? &j->place[part][s->section] : &none;
    uint32_t section = s->in_section ? j->section[place->section].number : s->section;
    return put(j, name, bind, s->type, visibility, (uint16_t)section, s->value + place->at, s->size);
}

/* The number of a joined section's own symbol, added at its first use. */
static uint32_t symbol_of_section(struct join *j, uint32_t section) {
    struct join_section *to = &j->section[section];
    if (!to->symbol)
        to->symbol = put(j, "", STB_LOCAL, STT_SECTION, STV_DEFAULT, (uint16_t)to->number, 0, 0);
    return to->symbol;
}

/* Adds a part's local symbol. Sections' symbols become that of the joined section. File names, and symbols in
 * tables that become one, are kept only of the first part that has them; the others are dropped. */
static struct join_symbol put_local(struct join *j, size_t part, const sm_elf_symbol *s) {
    struct join_symbol gone = {JOIN_DROPPED, 0};
    struct join_place *place = s->in_section ? &j->place[part][s->section] : NULL;
    if (s->type == STT_FILE && part > 0)
        return gone;
    if (place && (place->section == JOIN_DROPPED || !place->section))
        return gone;
    if (place && j->section[place->section].kind != JOIN_PLAIN &&
        (part > j->section[place->section].part || s->value))
        return gone;
    if (place && s->type == STT_SECTION)
        return (struct join_symbol){symbol_of_section(j, place->section), place->at};
    return (struct join_symbol){put_symbol(j, part, s, s->name, STB_LOCAL, s->visibility), 0};
}

/* Adds the signatures of groups that no symbol of the module has: LLVM makes them local, in the group's section. */
static void put_signatures(struct join *j) {
    for (size_t g = 1; g < j->groups; g++) {
        const struct join_group *group = &j->group[g];
        const sm_elf *e = &j->part[group->part];
        uint32_t i = e->section[group->section].info;
        sm_elf_symbol s;
        if (group->number && sm_elf_symbol_at(e, i, &s) == SM_OK && is_local(&s) && s.in_section &&
            s.section == group->section)
            j->symbol[group->part][i].number =
                put(j, s.name, STB_LOCAL, s.type, s.visibility, (uint16_t)group->number, s.value, s.size);
    }
}

/* Adds the other local symbols of all parts. */
static void put_locals(struct join *j) {
    for (size_t p = 0; p < j->parts; p++)
        for (size_t i = 1; i < j->part[p].symbols; i++) {
            sm_elf_symbol s;
            sm_elf_symbol_at(&j->part[p], i, &s);
            if (is_local(&s) && !j->symbol[p][i].number)
                j->symbol[p][i] = put_local(j, p, &s);
        }
}

/* Maps every part's symbols of a name to SYMBOL. */
static void give(struct join *j, const struct name *n, struct join_symbol symbol) {
    for (size_t i = 0; i < n->count; i++)
        j->symbol[n->first[i].part][n->first[i].index] = symbol;
}

/* Adds a symbol that becomes local: under its own name, or as a distance from its section's symbol. */
static void put_module_local(struct join *j, const struct name *n) {
    const struct named *d = n->definition;
    struct join_symbol to = {0, 0};
    if (n->local->name) {
        to.number = put_symbol(j, d->part, &d->symbol, n->local->name, STB_LOCAL, STV_DEFAULT);
    } else {
        struct join_place *place = &j->place[d->part][d->symbol.section];
        to = (struct join_symbol){symbol_of_section(j, place->section), place->at + d->symbol.value};
    }
    give(j, n, to);
}

/* Adds a symbol that stays global, undefined if no part defines it. */
static void put_global(struct join *j, const struct name *n) {
    const struct named *d = n->definition ? n->definition : n->first;
    struct join_symbol to = {0, 0};
    if (n->definition)
        to.number = put_symbol(j, d->part, &d->symbol, d->name, n->bind, n->visibility);
    else
        to.number = put(j, d->name, n->bind, d->symbol.type, n->visibility, SHN_UNDEF, 0, 0);
    give(j, n, to);
}

sm_status join_symbols(struct join *j) {
    struct table t = {.j = j};
    sm_status s = list_symbols(&t);
    if (s == SM_OK)
        s = resolve_all(&t);
    if (s == SM_OK) {
        Elf64_Sym null = {0};
        sm_buf_put(&j->symtab, &null, sizeof null);
        j->symbols = 1;
        put_signatures(j);
        put_locals(j);
        for (size_t i = 0; i < t.names; i++)
            if (t.name[i].local)
                put_module_local(j, &t.name[i]);
        j->first_global = j->symbols;
        for (size_t i = 0; i < t.names; i++)
            if (!t.name[i].local)
                put_global(j, &t.name[i]);
        s = j->symtab.status;
    }
    free(t.name);
    free(t.named);
    return s;
}
