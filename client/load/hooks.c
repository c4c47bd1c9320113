/* hooks.c - see hooks.h.
 *
 * Linkers put arrays with a priority in front of those without, by ascending priority, and keep the order of those that
 * are alike. What comes is called in that order, what goes in the reverse. .ctors.N is what was written before
 * .init_array.(65535-N) was: LLVM does still, unless it is told otherwise. */
#include "hooks.h"

#include "error.h"

#include <stdlib.h>
#include <string.h>

/* libc's: what dlclose calls. */
extern void __cxa_finalize(void *handle);

typedef void hook(void);

struct array {
    uintptr_t start;
    size_t count;
    uint32_t priority;
    uint32_t rank;         /* index of its kind in kinds[] */
    int goes, is_reversed; /* booleans */
    size_t section;
};

struct hooks {
    void *handle; /* the object's __dso_handle; NULL if it does not use it */
    size_t count;
    struct array array[];
};

enum { NO_PRIORITY = 65536, OLD_PRIORITIES = 65535 };

static const struct {
    const char *name;
    uint32_t type; /* the older ones have none */
    int goes, is_reversed, is_old;
} kinds[] = {{".preinit_array", SHT_PREINIT_ARRAY, 0, 0, 0},
             {".init_array", SHT_INIT_ARRAY, 0, 0, 0},
             {".ctors", SHT_NULL, 0, 1, 1},
             {".fini_array", SHT_FINI_ARRAY, 1, 0, 0},
             {".dtors", SHT_NULL, 1, 1, 1}};

enum { KINDS = sizeof kinds / sizeof *kinds };

/* The priority in a section name's suffix (".101" after ".init_array"); NO_PRIORITY if it has none. */
static uint32_t priority_of(const char *suffix, int is_old) {
    char *end;
    if (suffix[0] != '.' || suffix[1] < '0' || suffix[1] > '9')
        return NO_PRIORITY;
    unsigned long n = strtoul(suffix + 1, &end, 10);
    if (*end || n > OLD_PRIORITIES)
        return NO_PRIORITY;
    return (uint32_t)(is_old ? OLD_PRIORITIES - n : n);
}

/* 1, with *A filled, if section I is an array of initialisers or finalisers, by its type or its name. */
static int is_array(const struct image *im, size_t i, struct array *a) {
    const sm_elf_section *s = &im->elf.section[i];
    for (uint32_t k = 0; im->section[i].placed && k < KINDS; k++) {
        size_t n = strlen(kinds[k].name);
        int is_named = strncmp(s->name, kinds[k].name, n) == 0;
        const char *suffix = is_named ? s->name + n : "";
        if ((kinds[k].type == SHT_NULL || s->type != kinds[k].type) && (!is_named || (*suffix && *suffix != '.')))
            continue;
        *a = (struct array){.start = im->section[i].address,
                            .count = s->size / sizeof(hook *),
                            .priority = priority_of(suffix, kinds[k].is_old),
                            .rank = k,
                            .goes = kinds[k].goes,
                            .is_reversed = kinds[k].is_reversed,
                            .section = i};
        return 1;
    }
    return 0;
}

/* Orders arrays as they are called: .preinit_array, which has no priority, first; then by priority, kind and
 * section. */
static int by_turn(const void *a, const void *b) {
    const struct array *x = a, *y = b;
    int x_first = x->rank == 0, y_first = y->rank == 0;
    if (x_first != y_first)
        return y_first - x_first;
    if (x->priority != y->priority)
        return x->priority < y->priority ? -1 : 1;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    return x->section < y->section ? -1 : x->section > y->section;
}

/* The address of the object's __dso_handle; NULL if it does not use it. */
static void *handle_of(const struct image *im) {
    for (size_t i = 1; i < im->elf.symbols; i++)
        if (im->symbol[i].state == SYMBOL_HANDLE)
            return (void *)image_address(im, &im->symbol[i]);
    return NULL;
}

sm_result hooks_find(const struct image *im, struct hooks **out) {
    struct array a;
    size_t count = 0;
    void *handle = handle_of(im);
    *out = NULL;
    for (size_t i = 1; i < im->elf.sections; i++)
        count += is_array(im, i, &a);
    if (!count && !handle)
        return SM_SUCCESS;
    struct hooks *h = calloc(1, sizeof *h + count * sizeof h->array[0]);
    if (!h)
        return fail(im->err, SM_ERR_NO_MEMORY, "Out of memory: no room for the object's initialisers");
    h->handle = handle;
    for (size_t i = 1; i < im->elf.sections; i++)
        if (is_array(im, i, &a))
            h->array[h->count++] = a;
    qsort(h->array, h->count, sizeof h->array[0], by_turn);
    *out = h;
    return SM_SUCCESS;
}

void hooks_free(struct hooks *h) {
    free(h);
}

/* Calls the functions of an array. Some compilers write 0 or -1 where an array begins or ends: these are passed
 * over. */
static void call(const struct array *a, int backwards) {
    for (size_t i = 0; i < a->count; i++) {
        hook *f = ((hook **)a->start)[backwards ? a->count - 1 - i : i];
        if ((uintptr_t)f + 1 > 1)
            f();
    }
}

/* Calls the initialisers of an object that has been loaded; NULL if it has none. */
void hooks_come(const struct hooks *h) {
    for (size_t i = 0; h && i < h->count; i++)
        if (!h->array[i].goes)
            call(&h->array[i], h->array[i].is_reversed);
}

/* Calls __cxa_finalize after the finalisers without a priority and before those with one, which is where linkers
 * put the function that calls it. */
void hooks_go(const struct hooks *h) {
    int is_due = h && h->handle;
    for (size_t i = h ? h->count : 0; i > 0; i--) {
        const struct array *a = &h->array[i - 1];
        if (is_due && a->priority != NO_PRIORITY) {
            __cxa_finalize(h->handle);
            is_due = 0;
        }
        if (a->goes)
            call(a, !a->is_reversed);
    }
    if (is_due)
        __cxa_finalize(h->handle);
}
