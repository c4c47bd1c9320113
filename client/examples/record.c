/* record.c - see record.h. */
#include "record.h"

#include "heap.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROOTS = 4096, OBJECTS = 4096, FRAMES = 1024 };

struct frame {
    const sm_site *site;
    uintptr_t sp;
};

struct root {
    size_t frame;
    void **at, **base; /* base: NULL of one that is no derived pointer */
    void *before;
};

struct object {
    void *before, *after; /* after: NULL if it has not moved */
    uint64_t bytes, pointers;
    uint64_t *words; /* owned */
};

static FILE *file;
static struct frame frame[FRAMES];
static struct root root[ROOTS];
static struct object object[OBJECTS];
static size_t frames, roots, objects, collections;

/* Ends the program: there is no record. */
static void give_up(const char *why) {
    fprintf(stderr, "record: %s\n", why);
    exit(2);
}

/* ---- Before ------------------------------------------------------------------------------------------------- */

/* Adds a root of the innermost frame that was met, unless it is there. */
static void add_root(void **at, void **base) {
    for (size_t i = roots; i > 0 && root[i - 1].frame == frames - 1; i--)
        if (root[i - 1].at == at) {
            root[i - 1].base = root[i - 1].base ? root[i - 1].base : base;
            return;
        }
    if (roots == ROOTS)
        give_up("there are too many roots");
    root[roots++] = (struct root){.frame = frames - 1, .at = at, .base = base, .before = *at};
}

/* Adds a frame, and the pairs of its safepoint. */
static int add_frame(void *user, const sm_activation *a) {
    (void)user;
    if (frames == FRAMES)
        give_up("there are too many frames");
    frame[frames++] = (struct frame){.site = a->site, .sp = a->sp};
    for (uint32_t i = 0; i < a->site->n_pairs; i++) {
        const sm_pair *p = &a->site->pairs[i];
        void **base = sm_slot_address(a, &p->base), **derived = sm_slot_address(a, &p->derived);
        if (base)
            add_root(base, NULL);
        if (derived && derived != base)
            add_root(derived, base);
    }
    return 0;
}

/* Adds a reference that is kept in a stack slot; others than plain ones are not drawn. */
static int add_reference(void *user, const sm_activation *a, sm_reference *r) {
    (void)user, (void)a;
    if (r->base && !r->tag_mask)
        add_root(r->base, NULL);
    return 0;
}

/* Adds an object with what is in it. */
static void add_object(void *user, void *at, uint64_t pointers) {
    struct object o = {.before = at, .bytes = heap_bytes(at), .pointers = pointers};
    (void)user;
    if (objects == OBJECTS || !(o.words = malloc(o.bytes + 8)))
        give_up("there are too many objects");
    memcpy(o.words, at, o.bytes);
    object[objects++] = o;
}

static void note_move(void *from, void *to) {
    for (size_t i = 0; i < objects; i++)
        if (object[i].before == from)
            object[i].after = to;
}

void record_before(const sm_loader *loader, sm_registers *at) {
    sm_error err;
    sm_visitor v = {.size = sizeof v, .frame = add_frame, .reference = add_reference};
    if (!file)
        return;
    frames = roots = objects = 0;
    if (sm_visit(loader, at, &v, &err) != SM_SUCCESS)
        give_up(err.message);
    heap_each(add_object, NULL);
    heap_on_move = note_move;
}

/* ---- After -------------------------------------------------------------------------------------------------- */

static void put_address(const char *before, const char *member, const void *value) {
    fprintf(file, "%s\"%s\":\"0x%" PRIxPTR "\"", before, member, (uintptr_t)value);
}

static void put_frame(size_t f) {
    const sm_site *site = frame[f].site;
    const char *comma = "";
    fprintf(file, "%s\n   {\"function\":\"%s\",\"offset\":%" PRIuPTR, f ? "," : "", site->code->name,
            site->address - site->code->address);
    put_address(",", "sp", (void *)frame[f].sp);
    fprintf(file, ",\"roots\":[");
    for (size_t i = 0; i < roots; i++) {
        const struct root *r = &root[i];
        if (r->frame != f)
            continue;
        fprintf(file, "%s{", comma);
        put_address("", "at", r->at);
        if (r->base)
            put_address(",", "base", r->base);
        put_address(",", "before", r->before);
        put_address(",", "after", *r->at);
        fprintf(file, "}");
        comma = ",";
    }
    fprintf(file, "]}");
}

static void put_object(size_t i) {
    struct object *o = &object[i];
    fprintf(file, "%s\n   {", i ? "," : "");
    put_address("", "before", o->before);
    if (o->after)
        put_address(",", "after", o->after);
    fprintf(file, ",\"bytes\":%" PRIu64 ",\"pointers\":%" PRIu64 ",\"words\":[", o->bytes, o->pointers);
    for (uint64_t w = 0; w < o->bytes / 8; w++)
        fprintf(file, w < o->pointers ? "%s\"0x%" PRIx64 "\"" : "%s%" PRIu64, w ? "," : "", o->words[w]);
    fprintf(file, "]}");
    free(o->words);
}

void record_after(void) {
    if (!file)
        return;
    fprintf(file, "%s\n {\"frames\":[", collections++ ? "," : "");
    for (size_t f = 0; f < frames; f++)
        put_frame(f);
    fprintf(file, "],\n  \"objects\":[");
    for (size_t i = 0; i < objects; i++)
        put_object(i);
    fprintf(file, "]}");
    heap_on_move = NULL;
}

/* ------------------------------------------------------------------------------------------------------------- */

void record_to(const char *path) {
    file = fopen(path, "w");
    if (!file) {
        perror(path);
        exit(2);
    }
    fprintf(file, "{\"format\":\"smd-run\",\"version\":1,\"collections\":[");
}

void record_end(int64_t result) {
    if (!file)
        return;
    fprintf(file, "],\n \"result\":%" PRId64 "}\n", result);
    if (fclose(file) != 0)
        give_up("the file cannot be written");
    file = NULL;
}
