/* records.c - what was met of each safepoint's record: a hash table to which entries are only added, without a lock. */
#include "map.h"
#include "zeal.h"

#include <stdio.h>
#include <string.h>

int is_place(const sm_slot *s) {
    return s->reserved == SLOT_VISIT;
}

/* The site's distinct places. */
static uint32_t count_places(const sm_site *site) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < site->n_pairs; i++)
        n += (uint32_t)(is_place(&site->pairs[i].base) + is_place(&site->pairs[i].derived));
    return n;
}

/* Goes on with a hash (FNV-1a) over a text, its end included. */
static uint32_t hash_text(uint32_t hash, const char *text) {
    do
        hash = (hash ^ (unsigned char)*text) * 0x01000193;
    while (*text++);
    return hash;
}

/* Who a site is: its object, its function and where it is in that. */
struct key {
    const char *object, *function;
    uint64_t offset;
    uint32_t pairs, hash;
};

static struct key key_of(const sm_site *site) {
    const sm_code *code = site->code;
    struct key k = {.object = code ? sm_object_name(code->object) : NULL, .function = code ? code->name : NULL};
    const void *start = NULL;
    if (code && !code->name)
        sm_object_code(code->object, &start); /* nameless functions differ by where they are in their object */
    k.object = k.object ? k.object : "";
    k.offset = site->address - (start ? (uintptr_t)start : code ? code->address : 0);
    k.pairs = site->n_pairs;
    k.hash = hash_text(hash_text(0x811c9dc5, k.object), k.function ? k.function : "");
    k.hash = (k.hash ^ (uint32_t)k.offset) * 0x9e3779b1;
    return k;
}

static int is_same(const struct record *r, const struct key *k) {
    return r->hash == k->hash && r->offset == k->offset && r->pairs == k->pairs &&
           strcmp(r->object, k->object) == 0 && !r->function == !k->function &&
           (!k->function || strcmp(r->function, k->function) == 0);
}

/* A *new* entry (keep_give); NULL when out of memory. */
static struct record *make_record(sm_zeal *z, const struct key *k, const sm_site *site) {
    size_t object = strlen(k->object) + 1, function = k->function ? strlen(k->function) + 1 : 0;
    size_t places = 2 * (size_t)site->n_pairs;
    struct record *r = keep_take(&z->keep, sizeof *r + places + object + function);
    if (!r)
        return NULL;
    memset(r, 0, sizeof *r + places);
    char *text = (char *)r->place + places;
    r->object = memcpy(text, k->object, object);
    r->function = function ? memcpy(text + object, k->function, function) : NULL;
    r->hash = k->hash;
    r->pairs = k->pairs;
    r->roots = count_places(site);
    r->offset = k->offset;
    r->id = site->id;
    r->address = site->address;
    return r;
}

struct record *record_of(sm_zeal *z, const sm_site *site) {
    struct key k = key_of(site);
    _Atomic(struct record *) *bucket = &z->bucket[k.hash >> 16];
    struct record *made = NULL, *first = atomic_load(bucket), *looked = NULL;
    for (;;) {
        for (struct record *r = first; r != looked; r = r->next)
            if (is_same(r, &k)) /* MADE, if there is one, stays unused: another thread was faster */
                return r;
        if (!made)
            made = make_record(z, &k, site);
        if (!made)
            return NULL;
        made->next = looked = first;
        if (atomic_compare_exchange_strong(bucket, &first, made))
            return made;
    }
}

enum { REGISTER_TEXT = 16 }; /* bytes: a letter and any number */

/* A register's name, "rbx" or "x19": a literal, or written into NAME. */
static const char *register_name(char name[REGISTER_TEXT], unsigned dwarf) {
#if defined(__x86_64__)
    static const char *const names[] = {"rax", "rdx", "rcx", "rbx", "rsi", "rdi", "rbp", "sp"};
    if (dwarf < 8)
        return names[dwarf];
    snprintf(name, REGISTER_TEXT, "r%u", dwarf);
#else
    if (dwarf == REG_SP)
        return "sp";
    snprintf(name, REGISTER_TEXT, "x%u", dwarf);
#endif
    return name;
}

char *slot_text(char text[SLOT_TEXT], const sm_slot *s) {
    char name[REGISTER_TEXT];
    if (s->kind == SM_SLOT_REGISTER)
        snprintf(text, SLOT_TEXT, "%s", register_name(name, s->reg));
    else
        snprintf(text, SLOT_TEXT, "[%s%+lld]", register_name(name, s->reg), (long long)s->value);
    return text;
}

void place_of(const sm_zeal *z, uintptr_t address, const char **file, uint32_t *line) {
    sm_source_frame frame = {0};
    const sm_zeal_options *o = &z->options;
    if (o->place && o->place(o->user, address, file, line))
        return;
    sm_source_at(z->loader, address, &frame, 1);
    *file = frame.file;
    *line = frame.line;
}
