/* region.c - see region.h. */
#include "region.h"

#include "error.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define REACH ((size_t)2 << 30)  /* bytes that a signed 32-bit distance spans */
#define STEP  ((size_t)16 << 20) /* between addresses that are tried */

#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000
#endif

struct hole {
    uintptr_t start;
    size_t bytes;
};

size_t page_round(size_t bytes) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    return (bytes + page - 1) & ~(page - 1);
}

static void *reserve_at(uintptr_t address, size_t bytes) {
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | (address ? MAP_FIXED_NOREPLACE : 0);
    void *p = mmap((void *)address, bytes, PROT_NONE, flags, -1, 0);
    if (p == MAP_FAILED)
        return NULL;
    if (!address || p == (void *)address)
        return p;
    munmap(p, bytes); /* a kernel that does not know the flag takes the address as a hint */
    return NULL;
}

/* The first free place among addresses from LOW to HIGH. */
static void *reserve_between(uintptr_t low, uintptr_t high, size_t bytes) {
    void *p = NULL;
    for (uintptr_t at = low; !p && at < high && bytes <= high - at; at += STEP)
        p = reserve_at(at, bytes);
    return p;
}

/* The free place nearest to an address. */
static void *reserve_near(uintptr_t near, size_t bytes) {
    uintptr_t at = near & ~(uintptr_t)(STEP - 1);
    void *p = NULL;
    for (size_t away = STEP; !p && away < REACH - bytes - STEP; away += STEP) {
        p = reserve_at(at + away, bytes);
        if (!p && at > away + bytes)
            p = reserve_at(at - away - bytes, bytes);
    }
    return p;
}

static void *reserve(const struct demand *d, size_t bytes) {
    enum { LOWEST = 1 << 24 };
    if (d->below)
        return reserve_between(LOWEST, d->below, bytes);
    void *p = d->near ? reserve_near((uintptr_t)d->near, bytes) : NULL;
    return p ? p : reserve_at(0, bytes);
}

static int add_hole(struct region *r, enum area a, size_t at, uintptr_t start, size_t bytes) {
    if (r->area[a].holes == r->area[a].cap) {
        size_t cap = r->area[a].cap ? 2 * r->area[a].cap : 8;
        struct hole *grown = realloc(r->area[a].hole, cap * sizeof *grown);
        if (!grown)
            return 0;
        r->area[a].hole = grown;
        r->area[a].cap = cap;
    }
    struct hole *h = &r->area[a].hole[at];
    memmove(h + 1, h, (r->area[a].holes - at) * sizeof *h);
    *h = (struct hole){start, bytes};
    r->area[a].holes++;
    return 1;
}

static void drop_hole(struct region *r, enum area a, size_t at) {
    struct hole *h = &r->area[a].hole[at];
    memmove(h, h + 1, (r->area[a].holes - at - 1) * sizeof *h);
    r->area[a].holes--;
}

/* Half of what is reserved is for code, a quarter each for constants and data; more for what needs more. */
static size_t split(const struct demand *d, size_t wanted, size_t size[AREAS]) {
    static const unsigned char parts[AREAS] = {2, 4, 4};
    size_t total = 0;
    for (int a = 0; a < AREAS; a++) {
        size_t least = page_round(d->bytes[a]), share = page_round(wanted / parts[a]);
        size[a] = least > share ? least : share;
        total += size[a];
    }
    return total;
}

static size_t words_bytes(const struct region *r) {
    return ((r->code_bytes >> PAGE_SHIFT) + 1) * sizeof *r->page;
}

static int fill(struct region *r, const size_t size[AREAS]) {
    uintptr_t at = r->start;
    void *words =
        mmap(NULL, words_bytes(r), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    r->page = words == MAP_FAILED ? NULL : words;
    for (int a = 0; a < AREAS; at += size[a++])
        if (!r->page || !add_hole(r, a, 0, at, size[a]))
            return 0;
    return 1;
}

struct region *region_new(const struct demand *d, size_t wanted, sm_error *err) {
    size_t size[AREAS], bytes = split(d, wanted, size);
    if (bytes >= REACH - STEP) {
        fail(err, SM_ERR_NO_SPACE, "The object needs %zu bytes, more than 32-bit distances span", bytes);
        return NULL;
    }
    struct region *r = calloc(1, sizeof *r);
    if (!r) {
        fail(err, SM_ERR_NO_MEMORY, "Out of memory: no room for a region");
        return NULL;
    }
    void *start = reserve(d, bytes);
    if (!start) {
        fail(err, SM_ERR_NO_SPACE, "%zu bytes of address space%s cannot be reserved: %s", bytes,
             d->below ? " at low addresses" : "", strerror(errno));
        free(r);
        return NULL;
    }
    *r = (struct region){.start = (uintptr_t)start, .bytes = bytes, .code_bytes = size[AREA_CODE]};
    if (!fill(r, size)) {
        fail(err, SM_ERR_NO_MEMORY, "Out of memory: no room for a region");
        region_free(r);
        return NULL;
    }
    return r;
}

void region_free(struct region *r) {
    if (!r)
        return;
    munmap((void *)r->start, r->bytes);
    if (r->page)
        munmap(r->page, words_bytes(r));
    for (int a = 0; a < AREAS; a++)
        free(r->area[a].hole);
    unwinder_free(&r->unwinder);
    free(r);
}

static size_t find_hole(const struct region *r, enum area a, size_t bytes) {
    size_t i = 0;
    while (i < r->area[a].holes && r->area[a].hole[i].bytes < bytes)
        i++;
    return i;
}

int region_fits(const struct region *r, const struct demand *d) {
    if (d->below && r->start + r->bytes > d->below)
        return 0;
    for (int a = 0; a < AREAS; a++)
        if (d->bytes[a] && find_hole(r, a, page_round(d->bytes[a])) == r->area[a].holes)
            return 0;
    return 1;
}

/* An area's pages are given back as a hole, joined with those around it. If there is no memory to note it the pages
 * stay unused. */
static void give_area(struct region *r, enum area a, struct span s) {
    size_t i = 0;
    struct hole *h = r->area[a].hole;
    while (i < r->area[a].holes && h[i].start < s.start)
        i++;
    int joins_last = i > 0 && h[i - 1].start + h[i - 1].bytes == s.start;
    int joins_next = i < r->area[a].holes && s.start + s.bytes == h[i].start;
    if (joins_last) {
        h[i - 1].bytes += s.bytes + (joins_next ? h[i].bytes : 0);
        if (joins_next)
            drop_hole(r, a, i);
    } else if (joins_next) {
        h[i] = (struct hole){s.start, s.bytes + h[i].bytes};
    } else {
        add_hole(r, a, i, s.start, s.bytes);
    }
}

void region_give(struct region *r, const struct span span[AREAS]) {
    for (int a = 0; a < AREAS; a++) {
        if (!span[a].bytes)
            continue;
        /* A fresh mapping, so that the next object there finds zeros; without one the pages stay unused. */
        void *p = mmap((void *)span[a].start, span[a].bytes, PROT_NONE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
        if (p != MAP_FAILED)
            give_area(r, a, span[a]);
    }
}

static int take_area(struct region *r, enum area a, size_t bytes, struct span *out) {
    size_t i = find_hole(r, a, bytes);
    if (i == r->area[a].holes)
        return 0;
    struct hole *h = &r->area[a].hole[i];
    if (mprotect((void *)h->start, bytes, PROT_READ | PROT_WRITE) != 0)
        return 0;
    *out = (struct span){h->start, bytes};
    h->start += bytes;
    h->bytes -= bytes;
    if (h->bytes == 0)
        drop_hole(r, a, i);
    return 1;
}

int region_take(struct region *r, const struct demand *d, struct span span[AREAS]) {
    memset(span, 0, AREAS * sizeof *span);
    for (int a = 0; a < AREAS; a++)
        if (d->bytes[a] && !take_area(r, a, page_round(d->bytes[a]), &span[a])) {
            region_give(r, span);
            return 0;
        }
    return 1;
}

void region_publish(struct region *r, struct span code, const struct table *t) {
    size_t first = (code.start - r->start) >> PAGE_SHIFT, count = code.bytes >> PAGE_SHIFT;
    for (size_t i = first; i < first + count; i++)
        atomic_store_explicit(&r->page[i], t, memory_order_release);
}
