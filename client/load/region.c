/* region.c - see region.h. */
#include "region.h"

#include "error.h"
#include "memory.h"

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

/* Rounds up to whole pages of the system. */
size_t page_round(size_t bytes) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    return (bytes + page - 1) & ~(page - 1);
}

/* Reserves address space, exactly at ADDRESS unless it is 0. NULL if that is not free. */
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

/* Reserves the first free place between LOW and HIGH; NULL if there is none. */
static void *reserve_between(uintptr_t low, uintptr_t high, size_t bytes) {
    void *p = NULL;
    for (uintptr_t at = low; !p && at < high && bytes <= high - at; at += STEP)
        p = reserve_at(at, bytes);
    return p;
}

/* Reserves the free place nearest to an address, within 2 GiB of it; NULL if there is none. */
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

/* Reserves address space as the demand wants it; NULL if there is none. */
static void *reserve(const struct demand *d, size_t bytes) {
    enum { LOWEST = 1 << 24 };
    if (d->below)
        return reserve_between(LOWEST, d->below, bytes);
    void *p = d->near ? reserve_near((uintptr_t)d->near, bytes) : NULL;
    return p ? p : reserve_at(0, bytes);
}

/* Inserts a hole as number AT of an area's. 0 if out of memory. */
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

/* Sets the size of each area: half of WANTED for code, a quarter each for constants and data, more for what needs
 * more. Gives the sum. */
static size_t split(const struct demand *d, size_t wanted, size_t size[AREAS]) {
    static const unsigned char parts[AREAS] = {2, 4, 4};
    size_t total = 0;
    for (int a = 0; a < AREAS; a++) {
        size_t least = page_round(d->bytes[a] + d->align[a]), share = page_round(wanted / parts[a]);
        size[a] = least > share ? least : share;
        total += size[a];
    }
    return total;
}

/* The size of the table with a word for each 4 KiB of code. */
static size_t page_words(const struct region *r) {
    return ((r->code_bytes >> PAGE_SHIFT) + 1) * sizeof *r->page;
}

/* The size of the table with a word for each 64 bytes of code. */
static size_t piece_words(const struct region *r) {
    return ((r->code_bytes >> PIECE_SHIFT) + 1) * sizeof *r->piece;
}

/* The size of an area's array of users, one for each page. */
static size_t user_words(const struct region *r, enum area a) {
    return (r->area[a].bytes / page_round(1) + 1) * sizeof *r->area[a].users;
}

/* Maps zeros that cost memory only where they are written; NULL if there is no address space. */
static void *sparse(size_t bytes) {
    void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return p == MAP_FAILED ? NULL : p;
}

/* Sets up a region's tables and areas. 0 if out of memory. */
static int fill(struct region *r, const size_t size[AREAS]) {
    uintptr_t at = r->start;
    r->page = sparse(page_words(r));
    r->piece = sparse(piece_words(r));
    for (int a = 0; a < AREAS; at += size[a++]) {
        r->area[a].start = at;
        r->area[a].bytes = size[a];
        r->area[a].users = sparse(user_words(r, a));
        if (!r->page || !r->piece || !r->area[a].users || !add_hole(r, a, 0, at, size[a]))
            return 0;
    }
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

struct region *region_of_linked(uintptr_t start, size_t bytes) {
    struct region *r = calloc(1, sizeof *r);
    if (r) {
        r->start = start;
        r->code_bytes = bytes;
    }
    return r;
}

void region_free(struct region *r) {
    if (!r)
        return;
    if (r->bytes)
        munmap((void *)r->start, r->bytes);
    if (r->page)
        munmap(r->page, page_words(r));
    if (r->piece)
        munmap(r->piece, piece_words(r));
    for (int a = 0; a < AREAS; a++) {
        if (r->area[a].users)
            munmap(r->area[a].users, user_words(r, a));
        free(r->area[a].hole);
    }
    unwinder_free(&r->unwinder);
    free(r);
}

/* ---- Taking and giving -------------------------------------------------------------------------------------- */

enum { SHARED_MAX = 8192 }; /* bytes; what is longer has pages of its own */

static uintptr_t align_up(uintptr_t at, size_t align) {
    return (at + align - 1) & ~(uintptr_t)(align - 1);
}

/* The size that a span for the demand has in this area, and whether it may share pages; *ALIGN is its alignment. */
static struct span shape(const struct demand *d, enum area a, size_t *align) {
    size_t least = a == AREA_CODE ? (size_t)1 << PIECE_SHIFT : 16, page = page_round(1);
    int is_shared = d->may_share && d->bytes[a] <= SHARED_MAX;
    *align = d->align[a] > least ? d->align[a] : least;
    if (is_shared)
        return (struct span){0, align_up(d->bytes[a], least), 1};
    *align = *align > page ? *align : page;
    return (struct span){0, page_round(d->bytes[a]), 0};
}

/* The first hole with room for so many aligned bytes; the number of holes if there is none. */
static size_t find_hole(const struct region *r, enum area a, size_t bytes, size_t align) {
    size_t i = 0;
    const struct hole *h = r->area[a].hole;
    while (i < r->area[a].holes &&
           (h[i].bytes < bytes || align_up(h[i].start, align) - h[i].start > h[i].bytes - bytes))
        i++;
    return i;
}

/* 1 if a region has room for the demand and lies where it should. */
int region_fits(const struct region *r, const struct demand *d) {
    size_t align;
    if ((d->below && r->start + r->bytes > d->below) || (d->within && r->bytes > d->within))
        return 0;
    for (int a = 0; a < AREAS; a++) {
        struct span s = shape(d, a, &align);
        if (s.bytes && find_hole(r, a, s.bytes, align) == r->area[a].holes)
            return 0;
    }
    return 1;
}

/* Makes part of an area a hole, joined with those around it. It stays unused if there is no memory to note it. */
static void give_hole(struct region *r, enum area a, struct span s) {
    size_t i = 0, high = r->area[a].holes;
    struct hole *h = r->area[a].hole;
    while (i < high) {
        size_t middle = i + (high - i) / 2;
        if (h[middle].start < s.start)
            i = middle + 1;
        else
            high = middle;
    }
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

/* The counters of the pages that a span is in, and the number and start of these pages. */
static uint16_t *users_of(const struct region *r, enum area a, struct span s, size_t *pages, uintptr_t *start) {
    size_t page = page_round(1);
    *start = s.start & ~(uintptr_t)(page - 1);
    *pages = (align_up(s.start + s.bytes, page) - *start) / page;
    return r->area[a].users + (*start - r->area[a].start) / page;
}

/* Counts a span's use of its pages; those that nobody used get their protection. 0 if that fails. */
static int enter(struct region *r, enum area a, struct span s) {
    static const int shared[AREAS] = {PROT_READ | PROT_EXEC, PROT_READ, PROT_READ | PROT_WRITE};
    size_t page = page_round(1), pages, end;
    uintptr_t start;
    uint16_t *users = users_of(r, a, s, &pages, &start);
    for (size_t i = 0; i < pages; i = end) {
        for (end = i; end < pages && !users[end]; end++)
            ;
        if (end > i && mprotect((void *)(start + i * page), (end - i) * page,
                                s.is_shared ? shared[a] : PROT_READ | PROT_WRITE) != 0)
            return 0;
        for (; end < pages && users[end]; end++)
            ;
    }
    for (size_t i = 0; i < pages; i++)
        users[i]++;
    return 1;
}

/* Overwrites freed code whose pages others still use with instructions that trap. */
static void fill_with_traps(struct span s) {
    int fd = memory_open();
    unsigned char *traps = fd >= 0 ? malloc(s.bytes) : NULL;
    if (traps) {
#if defined(__aarch64__)
        memset(traps, 0, s.bytes);
#else
        memset(traps, 0xcc, s.bytes);
#endif
        memory_write(fd, s.start, traps, s.bytes);
    }
    free(traps);
    if (fd >= 0)
        close(fd);
}

/* Gives up a span's use of its pages; those that nobody uses any more are replaced by fresh ones, so that the next
 * object there finds zeros. 0 if that fails. */
static int leave(struct region *r, enum area a, struct span s) {
    size_t page = page_round(1), pages, end, left = 0;
    uintptr_t start;
    uint16_t *users = users_of(r, a, s, &pages, &start);
    for (size_t i = 0; i < pages; i++)
        left += --users[i] != 0;
    for (size_t i = 0; i < pages; i = end + 1) {
        for (end = i; end < pages && !users[end]; end++)
            ;
        if (end > i && mmap((void *)(start + i * page), (end - i) * page, PROT_NONE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0) == MAP_FAILED)
            return 0;
    }
    if (left && a == AREA_CODE)
        fill_with_traps(s);
    return 1;
}

void region_give(struct region *r, const struct span span[AREAS]) {
    for (int a = 0; a < AREAS; a++)
        if (span[a].bytes && leave(r, a, span[a]))
            give_hole(r, a, span[a]);
}

/* Takes a span out of a hole of the area. 0 if there is no room. */
static int take_area(struct region *r, enum area a, struct span s, size_t align, struct span *out) {
    size_t i = find_hole(r, a, s.bytes, align);
    if (i == r->area[a].holes)
        return 0;
    struct hole *h = &r->area[a].hole[i], whole = *h;
    s.start = align_up(h->start, align);
    size_t before = s.start - whole.start, behind = whole.bytes - before - s.bytes;
    if (!enter(r, a, s))
        return 0;
    if (before)
        h->bytes = before;
    else if (behind)
        *h = (struct hole){s.start + s.bytes, behind};
    else
        drop_hole(r, a, i);
    if (before && behind)
        add_hole(r, a, i + 1, s.start + s.bytes, behind);
    *out = s;
    return 1;
}

int region_take(struct region *r, const struct demand *d, struct span span[AREAS]) {
    memset(span, 0, AREAS * sizeof *span);
    for (int a = 0; a < AREAS; a++) {
        size_t align;
        struct span s = shape(d, a, &align);
        if (s.bytes && !take_area(r, a, s, align, &span[a])) {
            region_give(r, span);
            return 0;
        }
    }
    return 1;
}

void region_publish(struct region *r, struct span code, const sm_object *o) {
    if (!r->page) {
        atomic_store_explicit(&r->linked, o, memory_order_release);
        return;
    }
    uintptr_t first = code.start - r->start, end = first + code.bytes;
    if (code.is_shared)
        for (size_t i = first >> PIECE_SHIFT; i < end >> PIECE_SHIFT; i++)
            atomic_store_explicit(&r->piece[i], o, memory_order_release);
    for (size_t i = first >> PAGE_SHIFT; i <= (end - 1) >> PAGE_SHIFT; i++)
        atomic_store_explicit(&r->page[i], code.is_shared ? SEVERAL : o, memory_order_release);
}
