/* elfjoin_sections.c - see elfjoin_parts.h: which sections of the parts are one section, of which only one is kept,
 * and where each goes. */
#include "elfjoin_parts.h"

#include "faultmap.h"
#include "stackmap.h"

#include <stdlib.h>
#include <string.h>

#ifndef SHF_GNU_RETAIN
#define SHF_GNU_RETAIN (1u << 21)
#endif

#define SIZE_LIMIT ((uint64_t)1 << 40) /* of a section without bytes: far from where sums overflow */

/* ---- Which sections there are ----------------------------------------------------------------------------------- */

/* A part's section that has content. */
struct content {
    uint32_t part, section, group;
    enum join_kind kind;
};

/* How sections of a name are joined: tables entry by entry, some once for all parts, others one after another. */
static enum join_kind kind_of(const char *name) {
    static const struct {
        const char *name;
        enum join_kind kind;
    } kinds[] = {{SM_STACKMAP_SECTION, JOIN_STACKMAP},
                 {SM_FAULTMAP_SECTION, JOIN_FAULTMAP},
                 {".comment", JOIN_ONCE},
                 {".note.GNU-stack", JOIN_ONCE},
                 {".note.gnu.property", JOIN_ONCE}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kinds[i].name, name) == 0)
            return kinds[i].kind;
    return JOIN_PLAIN;
}

/* 1 if a section is joined, 0 if it is made anew (symbols, strings, relocations, groups). */
static int is_content(const sm_elf_section *s) {
    return s->type != SHT_NULL && s->type != SHT_SYMTAB && s->type != SHT_STRTAB && s->type != SHT_RELA &&
           s->type != SHT_GROUP;
}

/* Refuses sections of types or with flags that are not joined, or with impossible sizes. */
static sm_status check_section(struct join *j, const sm_elf *e, const sm_elf_section *s) {
    static const uint32_t types[] = {SHT_PROGBITS,      SHT_NOBITS, SHT_INIT_ARRAY, SHT_FINI_ARRAY,
                                     SHT_PREINIT_ARRAY, SHT_NOTE,   SHT_NULL,       SHT_SYMTAB,
                                     SHT_STRTAB,        SHT_RELA,   SHT_GROUP};
    uint64_t known = SHF_WRITE | SHF_ALLOC | SHF_EXECINSTR | SHF_MERGE | SHF_STRINGS | SHF_INFO_LINK | SHF_GROUP |
                     SHF_TLS | SHF_GNU_RETAIN;
    if (e->machine == EM_X86_64)
        known |= 0x10000000; /* SHF_X86_64_LARGE */
    size_t i = 0;
    while (i < sizeof types / sizeof *types && types[i] != s->type)
        i++;
    if (i == sizeof types / sizeof *types && !(e->machine == EM_X86_64 && s->type == SHT_X86_64_UNWIND))
        return join_refuse(j, "The section %.100s is of the type %x", s->name, s->type);
    if (s->flags & ~known)
        return join_refuse(j, "The section %.100s has the flags %llx", s->name, (unsigned long long)s->flags);
    if (s->align & (s->align - 1) || s->size > SIZE_LIMIT || s->align > SIZE_LIMIT)
        return join_refuse(j, "The section %.100s has no size or alignment", s->name);
    if (is_content(s) && s->type != SHT_NOBITS && s->bytes.len != s->size)
        return join_refuse(j, "The section %.100s has not its bytes", s->name);
    return SM_OK;
}

sm_status join_check_part(struct join *j, size_t p) {
    const sm_elf *e = &j->part[p];
    const Elf64_Ehdr *h = (const void *)e->file.data, *first = (const void *)j->part[0].file.data;
    size_t tables = 0;
    if (e->type != ET_REL || e->machine != j->part[0].machine || h->e_flags != first->e_flags)
        return join_refuse(j, "The parts are not objects for one machine");
    if (e->extended || e->sections >= SHN_LORESERVE)
        return join_refuse(j, "A part has too many sections");
    for (size_t i = 1; i < e->sections; i++) {
        sm_status s = check_section(j, e, &e->section[i]);
        if (s != SM_OK)
            return s;
        tables += e->section[i].type == SHT_SYMTAB;
    }
    return tables <= 1 && e->symbols < UINT32_MAX ? SM_OK : join_refuse(j, "A part has several tables of symbols");
}

/* ---- Groups ----------------------------------------------------------------------------------------------------- */

/* Orders groups by signature, then by part. */
static int by_signature(const void *a, const void *b) {
    const struct join_group *x = a, *y = b;
    int order = strcmp(x->signature, y->signature);
    if (order == 0)
        order = (x->part > y->part) - (x->part < y->part);
    return order ? order : (x->section > y->section) - (x->section < y->section);
}

/* Lists the groups of all parts, sorted by signature. */
static sm_status list_groups(struct join *j) {
    size_t all = 0;
    for (size_t p = 0; p < j->parts; p++)
        for (size_t i = 1; i < j->part[p].sections; i++)
            all += j->part[p].section[i].type == SHT_GROUP;
    j->group = calloc(all + 1, sizeof *j->group);
    if (!j->group)
        return SM_NOMEM;
    j->groups = 1;
    for (size_t p = 0; p < j->parts; p++)
        for (size_t i = 1; i < j->part[p].sections; i++) {
            const sm_elf_section *s = &j->part[p].section[i];
            sm_elf_symbol signature;
            if (s->type != SHT_GROUP)
                continue;
            if (sm_elf_symbol_at(&j->part[p], s->info, &signature) != SM_OK || signature.type == STT_SECTION ||
                s->bytes.len < 4 || s->bytes.len % 4)
                return join_refuse(j, "A group is damaged");
            j->group[j->groups++] =
                (struct join_group){.part = (uint32_t)p, .section = (uint32_t)i, .signature = signature.name};
        }
    qsort(j->group + 1, j->groups - 1, sizeof *j->group, by_signature);
    return SM_OK;
}

/* Notes the group of each section, in GROUP_OF by part and section. Members of a group that an earlier part has
 * already are dropped, as a linker would. */
static sm_status note_members(struct join *j, uint32_t **group_of) {
    for (size_t g = 1; g < j->groups; g++) {
        const struct join_group *group = &j->group[g], *before = g > 1 ? group - 1 : NULL;
        const sm_elf *e = &j->part[group->part];
        sm_slice list = e->section[group->section].bytes;
        int again = before && strcmp(before->signature, group->signature) == 0;
        if (again && (before->part == group->part || sm_load_le(list.data, 4) != GRP_COMDAT))
            return join_refuse(j, "Two groups have the name %.100s", group->signature);
        for (size_t at = 4; at < list.len; at += 4) {
            uint64_t member = sm_load_le(list.data + at, 4);
            if (!member || member >= e->sections || group_of[group->part][member])
                return join_refuse(j, "The group %.100s is damaged", group->signature);
            group_of[group->part][member] = again ? JOIN_DROPPED : (uint32_t)g;
        }
    }
    return SM_OK;
}

/* ---- Where they go ---------------------------------------------------------------------------------------------- */

/* The part's section that a content is. */
static const sm_elf_section *section_of(const struct join *j, const struct content *c) {
    return &j->part[c->part].section[c->section];
}

/* 1 if nothing of another part joins the section: a linker keeps or drops it on its own. */
static int is_alone(const struct join *j, const struct content *c) {
    return c->group || section_of(j, c)->flags & SHF_GNU_RETAIN;
}

/* Compares sections by all that must be equal for them to be joined. */
static int compare_contents(const struct join *j, const struct content *a, const struct content *b) {
    const sm_elf_section *x = section_of(j, a), *y = section_of(j, b);
    int order = strcmp(x->name, y->name);
    if (order == 0)
        order = (x->type > y->type) - (x->type < y->type);
    if (order == 0)
        order = (x->flags > y->flags) - (x->flags < y->flags);
    if (order == 0)
        order = (x->entsize > y->entsize) - (x->entsize < y->entsize);
    return order ? order : is_alone(j, a) - is_alone(j, b);
}

/* Orders sections so that those that can be joined stand together, by part. */
static int by_likeness(const void *a, const void *b, void *join) {
    const struct content *x = a, *y = b;
    int order = compare_contents(join, x, y);
    if (order == 0)
        order = (x->part > y->part) - (x->part < y->part);
    return order ? order : (x->section > y->section) - (x->section < y->section);
}

/* Finds, for each of the sorted LIST, the index of the one that it joins (HEAD). In one part sections that are
 * alike are apart for a reason: only the first of a part joins the first of all. */
static void find_heads(const struct join *j, const struct content *list, size_t n, size_t *head) {
    size_t first = 0;
    for (size_t i = 0; i < n; i++) {
        if (i && compare_contents(j, &list[i - 1], &list[i]) != 0)
            first = i;
        int joins = i != first && !is_alone(j, &list[i]) && list[i - 1].part != list[i].part;
        head[i] = joins ? first : i;
    }
}

static uint64_t align_up(uint64_t n, uint64_t alignment) {
    return alignment > 1 ? (n + alignment - 1) & ~(alignment - 1) : n;
}

/* Fills a section up to SIZE: with nops between two parts' code, which are never run; with zeros in data, where
 * readers pass over them. */
static sm_status pad(struct join *j, struct join_section *to, uint64_t size) {
    size_t n = (size_t)(size - to->bytes.len);
    unsigned char *at = n ? sm_buf_extend(&to->bytes, n) : NULL;
    if (at)
        memset(at, to->flags & SHF_EXECINSTR && j->part[0].machine == EM_X86_64 ? 0x90 : 0, n);
    return to->bytes.status;
}

/* Appends a part's section to the joined one; *PLACE gets where it begins. Refuses what would leave a gap in
 * .eh_frame. */
static sm_status append(struct join *j, struct join_section *to, const sm_elf_section *s, struct join_place *place) {
    place->at = align_up(to->size, s->align);
    if (place->at != to->size && strcmp(s->name, ".eh_frame") == 0)
        return join_refuse(j, "A part's .eh_frame ends where another's cannot begin"); /* zeros would end the table */
    to->align = s->align > to->align ? s->align : to->align;
    to->size = place->at + s->size;
    if (to->size > SIZE_LIMIT)
        return join_refuse(j, "The section %.100s is too large", s->name);
    if (s->type == SHT_NOBITS)
        return SM_OK;
    sm_status status = pad(j, to, place->at);
    return status == SM_OK ? sm_buf_put(&to->bytes, s->bytes.data, s->bytes.len) : status;
}

/* Refuses a section that is kept once if the parts' bytes of it differ. */
static sm_status take_once(struct join *j, struct join_section *to, const sm_elf_section *s) {
    if (to->bytes.len == s->bytes.len && (!s->bytes.len || memcmp(to->bytes.data, s->bytes.data, s->bytes.len) == 0))
        return SM_OK;
    return join_refuse(j, "The parts have not the same %.100s", s->name);
}

/* Adds a joined section with the properties of a part's. */
static struct join_section *new_section(struct join *j, const sm_elf_section *s, const struct content *c) {
    struct join_section *to = &j->section[j->sections++];
    *to = (struct join_section){.name = s->name,
                                .kind = c->kind,
                                .part = c->part,
                                .type = s->type,
                                .flags = s->flags,
                                .align = s->align,
                                .entsize = s->entsize,
                                .group = c->group};
    sm_buf_init(&to->bytes, SIZE_MAX / 4);
    sm_buf_init(&to->relocs, SIZE_MAX / 4);
    return to;
}

/* Orders sections as they stand in the parts. */
static int by_place(const void *a, const void *b) {
    const struct content *x = a, *y = b;
    if (x->part != y->part)
        return x->part < y->part ? -1 : 1;
    return (x->section > y->section) - (x->section < y->section);
}

/* Puts each section of LIST, in the order of the file, into the joined one of HEAD_OF (by part and section). Tables
 * only get their place: join_tables fills them. */
static sm_status place_contents(struct join *j, const struct content *list, size_t n,
                                struct content *const *head_of) {
    for (size_t i = 0; i < n; i++) {
        const struct content *c = &list[i], *head = &head_of[c->part][c->section];
        const sm_elf_section *s = section_of(j, c);
        struct join_place *place = &j->place[c->part][c->section];
        int is_new = head->part == c->part && head->section == c->section;
        struct join_section *to =
            is_new ? new_section(j, s, c) : &j->section[j->place[head->part][head->section].section];
        sm_status status = SM_OK;
        place->section = (uint32_t)(to - j->section);
        if (c->kind == JOIN_PLAIN || (c->kind == JOIN_ONCE && is_new))
            status = append(j, to, s, place);
        else if (c->kind == JOIN_ONCE)
            status = take_once(j, to, s);
        else if (!is_new && list[i - 1].part == c->part && kind_of(section_of(j, &list[i - 1])->name) == c->kind)
            status = join_refuse(j, "A part has several tables");
        if (status != SM_OK)
            return status;
    }
    return SM_OK;
}

/* Lists the sections that have content and are not dropped; gives their number. */
static size_t list_contents(struct join *j, uint32_t *const *group_of, struct content *list) {
    size_t n = 0;
    for (size_t p = 0; p < j->parts; p++)
        for (size_t i = 1; i < j->part[p].sections; i++) {
            const sm_elf_section *s = &j->part[p].section[i];
            uint32_t group = group_of[p][i];
            if (!is_content(s))
                continue;
            if (group == JOIN_DROPPED)
                j->place[p][i].section = JOIN_DROPPED;
            else
                list[n++] = (struct content){(uint32_t)p, (uint32_t)i, group, group ? JOIN_PLAIN : kind_of(s->name)};
        }
    return n;
}

/* Decides which sections of the parts join, and joins them. */
static sm_status place_sections(struct join *j, uint32_t *const *group_of, size_t all) {
    struct content *list = calloc(all + 1, sizeof *list), **head_of = calloc(j->parts, sizeof *head_of);
    size_t *head = calloc(all + 1, sizeof *head), n = 0;
    int ok = list && head_of && head;
    for (size_t p = 0; ok && p < j->parts; p++)
        ok = (head_of[p] = calloc(j->part[p].sections + 1, sizeof **head_of)) != NULL;
    if (ok) {
        n = list_contents(j, group_of, list);
        qsort_r(list, n, sizeof *list, by_likeness, j);
        find_heads(j, list, n, head);
        for (size_t i = 0; i < n; i++)
            head_of[list[i].part][list[i].section] = list[head[i]];
        qsort(list, n, sizeof *list, by_place);
    }
    sm_status s = ok ? place_contents(j, list, n, head_of) : SM_NOMEM;
    for (size_t p = 0; head_of && p < j->parts; p++)
        free(head_of[p]);
    free(head_of);
    free(head);
    free(list);
    return s;
}

/* Fills the joined stackmap and fault map. */
static sm_status join_tables(struct join *j) {
    sm_status s = SM_OK;
    for (size_t i = 1; i < j->sections && s == SM_OK; i++) {
        if (j->section[i].kind == JOIN_STACKMAP)
            s = join_stackmap(j, (uint32_t)i);
        else if (j->section[i].kind == JOIN_FAULTMAP)
            s = join_faultmap(j, (uint32_t)i);
    }
    return s;
}

sm_status join_sections(struct join *j) {
    uint32_t **group_of = calloc(j->parts, sizeof *group_of);
    size_t all = 0;
    int ok = group_of != NULL;
    for (size_t p = 0; ok && p < j->parts; p++) {
        all += j->part[p].sections;
        ok = (group_of[p] = calloc(j->part[p].sections + 1, sizeof **group_of)) != NULL;
    }
    j->section = calloc(all + 1, sizeof *j->section);
    j->sections = 1;
    sm_status s = ok && j->section ? list_groups(j) : SM_NOMEM;
    if (s == SM_OK)
        s = note_members(j, group_of);
    if (s == SM_OK)
        s = place_sections(j, group_of, all);
    if (s == SM_OK)
        s = join_tables(j);
    for (size_t p = 0; group_of && p < j->parts; p++)
        free(group_of[p]);
    free(group_of);
    return s;
}
