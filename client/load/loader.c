/* loader.c - objects in memory: loading, unloading, finding what is in them. */
#include "loader.h"

#include "debug.h"
#include "ehframe.h"
#include "error.h"
#include "find.h"
#include "hooks.h"
#include "image.h"
#include "jitdump.h"
#include "lazy.h"
#include "linetable.h"
#include "map.h"
#include "memory.h"

#include <stdlib.h>
#include <string.h>

#define RESERVE ((size_t)256 << 20)

/* Makes a recursive lock. 0 if that fails. */
static int init_lock(pthread_mutex_t *lock) {
    pthread_mutexattr_t attributes;
    if (pthread_mutexattr_init(&attributes) != 0)
        return 0;
    int ok = pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE) == 0 &&
             pthread_mutex_init(lock, &attributes) == 0;
    pthread_mutexattr_destroy(&attributes);
    return ok;
}

sm_loader *sm_loader_new(const sm_loader_options *options, sm_error *err) {
    sm_loader *l = calloc(1, sizeof *l);
    if (!l || !init_lock(&l->lock)) {
        fail(err, SM_ERR_NO_MEMORY, "Out of memory: no room for a loader");
        free(l);
        return NULL;
    }
    if (take_struct(&l->options, sizeof l->options, options, "sm_loader_options", err) != SM_SUCCESS) {
        sm_loader_free(l);
        return NULL;
    }
    if (!l->options.reserve)
        l->options.reserve = RESERVE;
    memory_begin();
    return l;
}

/* ---- Taking an object apart, from any state of its making --------------------------------------------------- */

void loader_destroy(sm_object *o) {
    if (!o)
        return;
    if (o->is_there)
        hooks_go(o->hooks);
    hooks_free(o->hooks);
    unwind_forget(o->region, o->unwind);
    debug_forget(o->debug);
    if (o->is_published)
        region_publish(o->region, o->span[AREA_CODE], NULL);
    if (o->map)
        object_forget_sites(o);
    if (o->region && !o->loader->is_closing) /* with the loader go the regions */
        region_give(o->region, o->span);
    map_free(o->map);
    lines_free(o->lines);
    free(o->export);
    free(o->entry);
    free(o->chain_use);
    tls_free(o->tls);
    free(o->strings);
    free(o->name);
    free(o);
}

/* Takes an object off its list; unless it is retired, its names go too, and stubs bound to it are unbound. */
static void unlink_object(sm_object *o) {
    *o->at = o->next;
    if (o->next)
        o->next->at = o->at;
    if (!o->is_retired) {
        names_remove(&o->loader->names, o->export, o->exports);
        lazy_forget(o);
    }
}

/* Destroys the objects of a list that are not in use; gives their number. As a finaliser may unload others, those
 * in use are moved to another list meanwhile. */
static size_t destroy_all(sm_object **list) {
    size_t count = 0;
    sm_object *used = NULL;
    while (*list) {
        sm_object *o = *list;
        unlink_object(o);
        if (o->is_used) {
            object_link(o, &used);
        } else {
            loader_destroy(o);
            count++;
        }
    }
    *list = used;
    if (used)
        used->at = list;
    return count;
}

size_t loader_free_unused(sm_loader *l) {
    return destroy_all(&l->retired);
}

void sm_loader_free(sm_loader *l) {
    if (!l)
        return;
    l->is_closing = 1;
    destroy_all(&l->objects);
    destroy_all(&l->retired);
    for (struct region *r = atomic_load(&l->regions), *next; r; r = next) {
        next = r->next;
        region_free(r);
    }
    lazy_free(l);
    sites_free(&l->sites);
    sites_free(&l->faults);
    keep_free(&l->keep);
    free(l->names.bucket);
    pthread_mutex_destroy(&l->lock);
    free(l);
}

void sm_unload(sm_object *o) {
    if (!o)
        return;
    sm_loader *l = o->loader;
    pthread_mutex_lock(&l->lock);
    unlink_object(o);
    loader_destroy(o);
    pthread_mutex_unlock(&l->lock);
}

void sm_retire(sm_object *o) {
    if (!o)
        return;
    sm_loader *l = o->loader;
    pthread_mutex_lock(&l->lock);
    unlink_object(o);
    o->is_retired = 1;
    object_link(o, &l->retired);
    pthread_mutex_unlock(&l->lock);
}

size_t sm_loader_reclaim(sm_loader *l) {
    pthread_mutex_lock(&l->lock);
    size_t count = destroy_all(&l->retired);
    pthread_mutex_unlock(&l->lock);
    return count;
}

/* ---- Loading ------------------------------------------------------------------------------------------------ */

/* 1 if other objects can refer to the symbol: it is global, visible, named, and has a place. */
static int is_export(const struct image *im, const sm_elf_symbol *s) {
    int bound = s->bind == STB_GLOBAL || s->bind == STB_WEAK || s->bind == STB_GNU_UNIQUE;
    int seen = s->visibility == STV_DEFAULT || s->visibility == STV_PROTECTED;
    int placed = s->section == SHN_COMMON ||
                 (s->in_section && (im->section[s->section].placed || im->section[s->section].is_thread));
    return bound && seen && placed && s->name[0] && s->type != STT_SECTION;
}

/* Counts the exports and their names' bytes, and fills the object's arrays if they are there. Leaves out weak
 * symbols that gave way to another object's. */
static void collect_exports(struct image *im, sm_object *o, size_t *count, size_t *bytes) {
    *count = *bytes = 0;
    for (size_t i = 1; i < im->elf.symbols; i++) {
        sm_elf_symbol e;
        const struct symbol *s = &im->symbol[i];
        if (sm_elf_symbol_at(&im->elf, i, &e) != SM_OK || !is_export(im, &e) || s->state == SYMBOL_EXTERNAL ||
            (s->state == SYMBOL_THREAD && s->module != im->tls) ||
            (e.section == SHN_COMMON && s->state != SYMBOL_COMMON))
            continue;
        size_t len = strlen(e.name) + 1;
        if (o->strings) {
            int is_thread = e.in_section && im->section[e.section].is_thread;
            uintptr_t address = is_thread                ? im->section[e.section].in_block + e.value
                                : s->state == SYMBOL_NEW ? im->section[e.section].address + e.value
                                                         : image_address(im, s);
            memcpy(o->strings + *bytes, e.name, len);
            o->export[*count] = (struct export){.name = o->strings + *bytes,
                                                .address = address,
                                                .bytes = e.size,
                                                .hash = name_hash(e.name),
                                                .is_code = e.type == STT_FUNC || e.type == STT_GNU_IFUNC,
                                                .module = is_thread ? im->tls : NULL,
                                                .object = o};
        }
        ++*count;
        *bytes += len;
    }
}

static int by_hash(const void *a, const void *b) {
    const struct export *x = a, *y = b;
    return x->hash < y->hash ? -1 : x->hash > y->hash;
}

/* Makes the object's table of exports, by hash, and reserves room for them among the loader's names. */
static sm_result make_exports(struct image *im, sm_object *o) {
    size_t count, bytes;
    collect_exports(im, o, &count, &bytes);
    if (!count)
        return SM_SUCCESS;
    o->export = calloc(count, sizeof *o->export);
    char *strings = malloc(bytes);
    if (!o->export || !strings || !names_reserve(&o->loader->names, count)) {
        free(strings);
        return fail(im->err, SM_ERR_NO_MEMORY, "Out of memory: no room for the object's symbols");
    }
    o->strings = strings;
    collect_exports(im, o, &o->exports, &bytes);
    qsort(o->export, o->exports, sizeof *o->export, by_hash);
    return SM_SUCCESS;
}

/* Takes the memory that the image demands, in a region near enough; on failure nothing is taken. */
static sm_result take_memory(sm_loader *l, struct image *im, sm_object *o) {
    im->demand.near = l->options.near;
    im->memory = memory_works() ? memory_open() : -1;
    im->demand.may_share = im->memory >= 0;
    sm_error err = {0};
    o->region = im->region = loader_take(l, &im->demand, im->span, &err);
    if (!o->region) {
        if (im->err)
            *im->err = err;
        return err.result;
    }
    memcpy(o->span, im->span, sizeof o->span);
    o->code_bytes = im->demand.bytes[AREA_CODE];
    return SM_SUCCESS;
}

/* Makes the index of unwind entries by address, with which a sampler unwinds frames that are at no safepoint. */
static sm_result index_frames(struct image *im, sm_object *o, const struct frames *f) {
    if (!f->fdes)
        return SM_SUCCESS;
    o->entry = malloc(f->fdes * sizeof *o->entry);
    if (!o->entry)
        return fail(im->err, SM_ERR_NO_MEMORY, "Out of memory: no room for unwind tables");
    for (size_t i = 0; i < f->fdes; i++)
        if (f->fde[i].start - o->region->start < o->region->bytes)
            o->entry[o->entries++] = (struct entry_at){(uint32_t)(f->fde[i].start - o->region->start),
                                                       (uint32_t)((uintptr_t)f->fde[i].entry - o->region->start)};
    return SM_SUCCESS;
}

static int by_distance(const void *a, const void *b) {
    const uint32_t *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

/* Makes the list of the places where code refers to the shadow stack's chain. */
static sm_result list_chain_uses(struct image *im, sm_object *o) {
    const struct place *place = (const struct place *)(const void *)im->chain_uses.data;
    size_t count = im->chain_uses.len / sizeof *place;
    if (!count)
        return SM_SUCCESS;
    o->chain_use = malloc(count * sizeof *o->chain_use);
    if (!o->chain_use)
        return fail(im->err, SM_ERR_NO_MEMORY, "Out of memory: no room for the shadow stack's functions");
    for (size_t i = 0; i < count; i++)
        o->chain_use[o->chain_uses++] =
            (uint32_t)(im->section[place[i].section].address + place[i].offset - o->region->start);
    qsort(o->chain_use, count, sizeof *o->chain_use, by_distance);
    return SM_SUCCESS;
}

/* Makes the map of safepoints and the index of unwind entries. */
static sm_result make_map(struct image *im, sm_object *o) {
    struct frames frames = {0};
    sm_result result = unwind_read(im, &frames);
    if (result == SM_SUCCESS)
        result = map_build(im, o, &o->map);
    if (result == SM_SUCCESS)
        result = index_frames(im, o, &frames);
    if (result == SM_SUCCESS)
        result = list_chain_uses(im, o);
    frames_free(&frames);
    return result;
}

/* Does all of loading that can fail, each step after those that it depends on. */
static sm_result build(sm_loader *l, struct image *im, sm_object *o) {
    sm_result result = take_memory(l, im, o);
    if (result == SM_SUCCESS)
        result = image_fill(im);
    if (result == SM_SUCCESS)
        result = image_place(im);
    if (result == SM_SUCCESS)
        result = make_exports(im, o);
    if (result == SM_SUCCESS)
        result = make_map(im, o);
    if (result == SM_SUCCESS && l->options.flags & (SM_LOAD_LINES | SM_LOAD_ALL_LINES))
        result = lines_read(im, o, !!(l->options.flags & SM_LOAD_ALL_LINES), &o->lines);
    if (result == SM_SUCCESS)
        result = hooks_find(im, &o->hooks);
    if (result == SM_SUCCESS && !(l->options.flags & SM_LOAD_NO_UNWIND))
        result = unwind_register(im, &o->unwind);
    return result;
}

/* Makes the object known: to lookups by address and name, and, as the options say, to gdb and perf. Cannot fail. */
static void publish(sm_loader *l, const struct image *im, sm_object *o) {
    memory_synchronise();
    region_publish(o->region, o->span[AREA_CODE], o);
    o->is_published = 1;
    names_add(&l->names, o->export, o->exports);
    object_link(o, &l->objects);
    if (l->options.flags & SM_LOAD_GDB)
        o->debug = debug_tell(im);
    if (l->options.flags & SM_LOAD_PERF_MAP)
        perf_map_write(o->map, o->code_bytes);
    if (l->options.flags & SM_LOAD_JITDUMP)
        jitdump_write(o);
}

/* Gives the object its thread-local variables, and those that it has of libraries: from now on code may use them. */
static void take_thread(struct image *im, sm_object *o) {
    o->tls = im->tls ? im->tls : im->tls_libraries;
    if (im->tls) {
        im->tls->is_published = 1;
        im->tls->next = im->tls_libraries;
    }
    im->tls = im->tls_libraries = NULL;
}

sm_result sm_load(sm_loader *l, const void *object, size_t len, const char *name, sm_object **out, sm_error *err) {
    struct image im;
    sm_object *o = calloc(1, sizeof *o);
    if (out)
        *out = NULL;
    if (!l || (!object && len)) {
        free(o);
        return fail(err, SM_ERR_INVALID_ARGUMENT, "There is no loader, or no object");
    }
    if (o)
        o->name = strdup(name ? name : "");
    if (!o || !o->name) {
        free(o);
        return fail(err, SM_ERR_NO_MEMORY, "Out of memory: no room for the object");
    }
    o->loader = l;
    pthread_mutex_lock(&l->lock);
    sm_result result = image_open(&im, l, object, len, err);
    if (result == SM_SUCCESS)
        result = build(l, &im, o);
    if (result == SM_SUCCESS) {
        publish(l, &im, o);
        take_thread(&im, o);
        o->is_there = 1;
        hooks_come(o->hooks);
        if (out)
            *out = o;
        o = NULL;
    }
    image_close(&im);
    loader_destroy(o);
    pthread_mutex_unlock(&l->lock);
    return result;
}

/* ---- Finding ------------------------------------------------------------------------------------------------ */

/* The address of an export; of a thread-local variable the calling thread's. */
static void *export_address(const struct export *e) {
    struct tls_index at = tls_index_of(e->module, e->address);
    return e->module ? tls_address(&at) : (void *)e->address; /* NOLINT(performance-no-int-to-ptr) */
}

void *sm_object_symbol(const sm_object *o, const char *name) {
    const struct export *e = object_export(o, name);
    return e ? export_address(e) : NULL;
}

void *sm_loader_symbol(sm_loader *l, const char *name) {
    pthread_mutex_lock(&l->lock);
    const struct export *e = names_find(&l->names, name);
    void *address = e ? export_address(e) : NULL;
    pthread_mutex_unlock(&l->lock);
    return address;
}

int sm_object_symbols(const sm_object *o, int (*each)(void *user, const sm_symbol *symbol), void *user) {
    int stopped = 0;
    for (size_t i = 0; !stopped && i < o->exports; i++) {
        const struct export *e = &o->export[i];
        stopped = each(user, &(sm_symbol){e->name, export_address(e), e->bytes, e->is_code});
    }
    return stopped;
}

size_t sm_object_code(const sm_object *o, const void **start) {
    if (start)
        *start = (const void *)o->span[AREA_CODE].start;
    return o->code_bytes;
}

const char *sm_object_name(const sm_object *o) {
    return o->name;
}

const sm_code *sm_find_code(const sm_loader *l, uintptr_t address) {
    const sm_object *o = loader_object_at(l, address);
    return o ? map_find_code(o->map, address) : NULL;
}
