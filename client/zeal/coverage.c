/* coverage.c - which records were met, and which of their roots were visited and moved.
 *
 * Records of objects that are loaded are read from their tables, so that those that were never met are there too; those
 * of objects that have gone are known as far as they were met. */
#include "buf.h"
#include "error.h"
#include "jsontext.h"
#include "object.h"
#include "zeal.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A record, and its site while its object is loaded. */
struct entry {
    struct record *record;
    const char *file; /* what `place` says */
    uint32_t line;
    int is_loaded; /* boolean */
    char *unmoved; /* *new* (free): slots that have never been moved, as JSON's strings without quotes; may be NULL */
};

/* All records that there are. */
struct list {
    sm_zeal *zeal;
    struct entry *entry; /* owned */
    size_t count, cap;
    int is_short; /* boolean: memory ran out */
};

/* ---- Collecting them ---------------------------------------------------------------------------------------------- */

static struct entry *add_entry(struct list *l, struct record *r) {
    if (l->count == l->cap) {
        size_t cap = l->cap ? 2 * l->cap : 256;
        struct entry *more = realloc(l->entry, cap * sizeof *more);
        if (!more) {
            l->is_short = 1;
            return NULL;
        }
        l->entry = more;
        l->cap = cap;
    }
    l->entry[l->count] = (struct entry){.record = r};
    return &l->entry[l->count++];
}

/* Writes the slots of places that have not been moved, apart by commas; *new* (free), NULL if there are none. */
static char *list_unmoved(const struct record *r, const sm_site *site) {
    sm_buf b;
    char text[SLOT_TEXT];
    sm_buf_init(&b, 1 << 20);
    for (uint32_t i = 0; i < 2 * site->n_pairs; i++) {
        const sm_slot *s = i & 1 ? &site->pairs[i / 2].derived : &site->pairs[i / 2].base;
        if (is_place(s) && !(atomic_load(&r->place[i]) & PLACE_MOVED))
            sm_buf_printf(&b, "%s%s", b.len ? "," : "", slot_text(text, s));
    }
    if (b.len)
        return sm_buf_take_text(&b);
    sm_buf_free(&b);
    return NULL;
}

static int add_site(void *user, const sm_site *site) {
    struct list *l = user;
    struct record *r = record_of(l->zeal, site);
    struct entry *e = r ? add_entry(l, r) : NULL;
    if (!e) {
        l->is_short = 1;
        return 1;
    }
    e->is_loaded = 1;
    e->unmoved = list_unmoved(r, site);
    place_of(l->zeal, site->address - 1, &e->file, &e->line);
    return 0;
}

/* By object, function and offset; of equal records the loaded one first. */
static int by_name(const void *x, const void *y) {
    const struct entry *a = x, *b = y;
    const char *f = a->record->function, *g = b->record->function;
    int order = strcmp(a->record->object, b->record->object);
    if (!order)
        order = strcmp(f ? f : "", g ? g : "");
    if (!order)
        order = (a->record->offset > b->record->offset) - (a->record->offset < b->record->offset);
    if (!order)
        order = (a->record > b->record) - (a->record < b->record);
    return order ? order : b->is_loaded - a->is_loaded;
}

static void list_free(struct list *l) {
    for (size_t i = 0; i < l->count; i++)
        free(l->entry[i].unmoved);
    free(l->entry);
}

/* Adds the records of loaded objects, then those that were met; sorts them, each once. */
static void list_make(struct list *l, sm_zeal *z) {
    sm_loader *loader = (sm_loader *)z->loader;
    *l = (struct list){.zeal = z};
    pthread_mutex_lock(&loader->lock);
    for (sm_object *o = loader->objects; o; o = o->next)
        sm_object_sites(o, add_site, l);
    for (sm_object *o = loader->retired; o; o = o->next)
        sm_object_sites(o, add_site, l);
    pthread_mutex_unlock(&loader->lock);
    for (size_t i = 0; i < BUCKETS; i++)
        for (struct record *r = atomic_load(&z->bucket[i]); r; r = r->next)
            if (atomic_load(&r->hits) || atomic_load(&r->visits))
                add_entry(l, r);
    if (l->count)
        qsort(l->entry, l->count, sizeof *l->entry, by_name);
    size_t kept = 0;
    for (size_t i = 0; i < l->count; i++)
        if (kept && l->entry[kept - 1].record == l->entry[i].record)
            free(l->entry[i].unmoved);
        else
            l->entry[kept++] = l->entry[i];
    l->count = kept;
}

/* ---- Sums --------------------------------------------------------------------------------------------------------- */

/* How many of the record's places have all bits of MASK. */
static uint32_t count_places(const struct record *r, unsigned mask) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < 2 * r->pairs; i++)
        n += (atomic_load(&r->place[i]) & mask) == mask;
    return n;
}

static sm_zeal_counters sums_of(const struct list *l) {
    sm_zeal *z = l->zeal;
    pthread_mutex_lock(&z->lock);
    sm_zeal_counters c = {.collections = z->collections, .words = z->words};
    pthread_mutex_unlock(&z->lock);
    c.safepoints = atomic_load(&z->safepoints);
    c.due = atomic_load(&z->due);
    c.visits = atomic_load(&z->visits);
    c.frames = atomic_load(&z->frames);
    c.roots = atomic_load(&z->roots);
    c.moved = atomic_load(&z->moved);
    c.records = l->count;
    for (size_t i = 0; i < l->count; i++) {
        const struct record *r = l->entry[i].record;
        c.records_visited += atomic_load(&r->visits) != 0;
        c.places += r->roots;
        c.places_seen += count_places(r, PLACE_SEEN);
        c.places_moved += count_places(r, PLACE_MOVED);
    }
    return c;
}

void sm_zeal_counters_get(sm_zeal *z, sm_zeal_counters *out, size_t size) {
    struct list l;
    list_make(&l, z);
    sm_zeal_counters c = sums_of(&l);
    memcpy(out, &c, size < sizeof c ? size : sizeof c);
    list_free(&l);
}

/* ---- Text --------------------------------------------------------------------------------------------------------- */

typedef unsigned long long number;

static number load(const _Atomic(uint64_t) *n) {
    return atomic_load(n);
}

static void text_place(sm_buf *b, const struct entry *e) {
    const struct record *r = e->record;
    sm_buf_printf(b, "%s+0x%llx (%s)", r->function ? r->function : "?", (number)r->offset, r->object);
    if (e->file)
        sm_buf_printf(b, ", %s:%u", e->file, e->line);
    if (!e->is_loaded)
        sm_buf_puts(b, ", unloaded");
}

static void text_unreached(sm_buf *b, const struct entry *e) {
    if (load(&e->record->visits))
        return;
    sm_buf_puts(b, "  ");
    text_place(b, e);
    sm_buf_printf(b, ": %u roots\n", e->record->roots);
}

static void text_unmoved(sm_buf *b, const struct entry *e) {
    if (!load(&e->record->visits) || !e->unmoved)
        return;
    sm_buf_puts(b, "  ");
    text_place(b, e);
    sm_buf_printf(b, ": %s\n", e->unmoved);
}

static void text_entry(sm_buf *b, const struct entry *e) {
    const struct record *r = e->record;
    sm_buf_puts(b, "  ");
    text_place(b, e);
    sm_buf_printf(b, ": %llu hits, %llu visits, %u roots, %u seen, %u moved", load(&r->hits), load(&r->visits),
                  r->roots, count_places(r, PLACE_SEEN), count_places(r, PLACE_MOVED));
    if (load(&r->references))
        sm_buf_printf(b, "; in slots %llu seen, %llu moved", load(&r->references), load(&r->references_moved));
    sm_buf_puts(b, "\n");
}

static void text_found(sm_buf *b, const struct entry *e) {
    char slot[SLOT_TEXT];
    for (const struct found *f = e->record->found; f; f = f->next) {
        sm_buf_puts(b, "  ");
        text_place(b, e);
        sm_buf_printf(b, ": %s, %llu times%s\n", slot_text(slot, &f->slot), (number)f->count,
                      f->is_recorded ? ", although the record has it" : "");
    }
}

/* Writes a heading, and what WRITE has to say of each record. */
static void text_part(sm_buf *b, const struct list *l, const char *heading,
                      void (*write)(sm_buf *b, const struct entry *e)) {
    sm_buf_printf(b, "\n%s:\n", heading);
    for (size_t i = 0; i < l->count; i++)
        write(b, &l->entry[i]);
}

static void write_text(sm_buf *b, const struct list *l) {
    sm_zeal_counters c = sums_of(l);
    sm_buf_printf(b, "%llu of %llu safepoints were visited; of their %llu roots %llu were seen, %llu moved\n",
                  (number)c.records_visited, (number)c.records, (number)c.places, (number)c.places_seen,
                  (number)c.places_moved);
    sm_buf_printf(
        b, "%llu collections at %llu of %llu safepoints that were come to; %llu frames, %llu roots, %llu moved\n",
        (number)c.collections, (number)c.due, (number)c.safepoints, (number)c.frames, (number)c.roots,
        (number)c.moved);
    text_part(b, l, "never visited", text_unreached);
    text_part(b, l, "visited, with roots that never moved", text_unmoved);
    text_part(b, l, "still pointed to where an object had been (nothing reads it again, or a root was missed)",
              text_found);
    text_part(b, l, "all", text_entry);
}

/* ---- JSON --------------------------------------------------------------------------------------------------------- */

static void json_text(sm_buf *b, const char *name, const char *text) {
    sm_buf_printf(b, "\"%s\":", name);
    if (text)
        sm_json_text(b, text, strlen(text));
    else
        sm_buf_puts(b, "null");
}

/* Adds a list of slots that are apart by commas. */
static void json_slots(sm_buf *b, const char *slots) {
    sm_buf_puts(b, "[");
    for (const char *at = slots ? slots : ""; *at;) {
        size_t len = strcspn(at, ",");
        sm_buf_printf(b, "%s\"%.*s\"", at == slots ? "" : ",", (int)len, at);
        at += len + (at[len] == ',');
    }
    sm_buf_puts(b, "]");
}

static void json_found(sm_buf *b, const struct found *f) {
    char slot[SLOT_TEXT];
    sm_buf_puts(b, "[");
    for (const char *comma = ""; f; f = f->next, comma = ",")
        sm_buf_printf(b, "%s{\"slot\":\"%s\",\"count\":%llu,\"recorded\":%s}", comma, slot_text(slot, &f->slot),
                      (number)f->count, f->is_recorded ? "true" : "false");
    sm_buf_puts(b, "]");
}

static void json_entry(sm_buf *b, const struct entry *e) {
    const struct record *r = e->record;
    sm_buf_puts(b, "{");
    json_text(b, "object", r->object);
    sm_buf_puts(b, ",");
    json_text(b, "function", r->function);
    if (e->file) {
        sm_buf_puts(b, ",");
        json_text(b, "file", e->file);
        sm_buf_printf(b, ",\"line\":%u", e->line);
    }
    sm_buf_printf(b,
                  ",\"offset\":%llu,\"id\":%llu,\"loaded\":%s,\"hits\":%llu,\"visits\":%llu,\"roots\":%u,\"seen\":%u,"
                  "\"moved\":%u,\"references\":%llu,\"references_moved\":%llu,\"unmoved\":",
                  (number)r->offset, (number)r->id, e->is_loaded ? "true" : "false", load(&r->hits), load(&r->visits),
                  r->roots, count_places(r, PLACE_SEEN), count_places(r, PLACE_MOVED), load(&r->references),
                  load(&r->references_moved));
    json_slots(b, e->unmoved);
    sm_buf_puts(b, ",\"words\":");
    json_found(b, r->found);
    sm_buf_puts(b, "}");
}

static void write_json(sm_buf *b, const struct list *l) {
    sm_zeal_counters c = sums_of(l);
    sm_buf_printf(b,
                  "{\"safepoints\":%llu,\"due\":%llu,\"collections\":%llu,\"visits\":%llu,\"frames\":%llu,"
                  "\"roots\":%llu,\"moved\":%llu,\"words\":%llu,\"records\":%llu,\"records_visited\":%llu,"
                  "\"places\":%llu,\"places_seen\":%llu,\"places_moved\":%llu,\"each\":[",
                  (number)c.safepoints, (number)c.due, (number)c.collections, (number)c.visits, (number)c.frames,
                  (number)c.roots, (number)c.moved, (number)c.words, (number)c.records, (number)c.records_visited,
                  (number)c.places, (number)c.places_seen, (number)c.places_moved);
    for (size_t i = 0; i < l->count; i++) {
        sm_buf_puts(b, i ? ",\n" : "\n");
        json_entry(b, &l->entry[i]);
    }
    sm_buf_puts(b, "]}\n");
}

/* ------------------------------------------------------------------------------------------------------------------- */

/* Writes the bytes to a file, or to stderr. */
static sm_result write_file(const char *path, const sm_buf *b, sm_error *err) {
    FILE *f = path ? fopen(path, "we") : stderr;
    int is_written = f && fwrite(b->data, 1, b->len, f) == b->len;
    if (f && f != stderr)
        is_written &= fclose(f) == 0;
    return is_written ? SM_SUCCESS
                      : fail(err, SM_ERR_SYSTEM, "%s cannot be written: %s", path ? path : "stderr", strerror(errno));
}

sm_result sm_zeal_coverage(sm_zeal *z, sm_zeal_format format, const char *path, sm_error *err) {
    struct list l;
    sm_buf b;
    sm_result r;
    if (!z || (format != SM_ZEAL_TEXT && format != SM_ZEAL_JSON))
        return fail(err, SM_ERR_INVALID_ARGUMENT, "There is no zeal, or no such format");
    list_make(&l, z);
    sm_buf_init(&b, (size_t)1 << 30);
    (format == SM_ZEAL_JSON ? write_json : write_text)(&b, &l);
    r = l.is_short || b.status != SM_OK ? fail(err, SM_ERR_NO_MEMORY, "There is no memory to list the safepoints")
                                        : write_file(path, &b, err);
    sm_buf_free(&b);
    list_free(&l);
    return r;
}
