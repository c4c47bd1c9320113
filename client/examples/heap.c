/* heap.c - see heap.h. Cheney's algorithm over a ring of spaces, of which one is readable between collections; with a
 * nursery, of which there is a ring as well, where the heap is generational. */
#include "heap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum {
    SPACES = 32,
    POISON = 0xdb,
    CARD_SHIFT = 9,
    FULL_EVERY = 8,
    MARKS_AT_ONCE = 2,
    GRAY_MAX = 1 << 16,
    STAYING_MAX = 64,
    PAGE = 65536
};
#define SPACE_BYTES ((size_t)1 << 20)
#define ALL_BYTES   (2 * SPACES * SPACE_BYTES) /* the spaces, then the nurseries */
#define LOWEST      ((uintptr_t)1 << 28)
#define HIGHEST     (((uintptr_t)1 << 32) - ALL_BYTES)

struct header {
    uint32_t magic, pointers;
    uint64_t bytes;      /* of the object, or its new address once it has moved */
    uint64_t mark;       /* HEAP_MARKING: WHITE or BLACK of those that were alive when marking began; 0 of others */
    uint64_t compressed; /* references after the pointers */
};

enum { LIVE = 0x6c697665, MOVED = 0x6d6f7665, PINNED = 0x70696e6e, WHITE = 1, BLACK = 2 };

struct range {
    char *begin, *end;
};

static enum heap_kind kind;
static char *all; /* of all spaces */
static int current, current_young;
static char *end, *scan; /* of the space that is filled; of what was copied and looked at */
static char *young_end;
static struct range from[2]; /* what is moved out of */
static uint64_t moved, collections;
static unsigned char *cards; /* owned: one for each 512 bytes of all spaces */
static void *gray[GRAY_MAX]; /* still to be looked into; roots */
static size_t grays;
static void *root_at[GRAY_MAX]; /* what the collection was given, where it is now */
static size_t roots;
static int begun;                           /* boolean: what is forwarded is a root */
static char *from_in[2];                    /* where the ranges of FROM begin to be protected */
static struct header *staying[STAYING_MAX]; /* objects in spaces that were left: they are pinned, or were */
static int stays;

void (*heap_on_move)(void *from, void *to);
unsigned char *heap_cards;
uint8_t heap_marking;
uintptr_t heap_base;
static int begins_at_0; /* boolean */

/* Ends the program: the heap has found an error. */
static void die(const char *what, const void *where) {
    fprintf(stderr, "heap: %s: %p\n", what, where);
    exit(3);
}

/* Sets the protection of a whole space. */
static void protect_pages(char *p, int protection) {
    if (mprotect(p, SPACE_BYTES, protection) != 0)
        die("memory cannot be protected", p);
}

/* Where space I begins. */
static char *space(int i) {
    return all + (size_t)i * SPACE_BYTES;
}

/* No card of a space is marked. */
static void clean_cards(const char *in) {
    memset(cards + ((size_t)(in - all) >> CARD_SHIFT), 0, SPACE_BYTES >> CARD_SHIFT);
}

/* Where nursery I begins. */
static char *nursery(int i) {
    return space(SPACES + i);
}

void heap_choose(enum heap_kind k) {
    kind = k;
}

void heap_begin_at_0(void) {
    begins_at_0 = 1;
}

/* Reserves address space for all spaces. Where compressed references count from 0 all of it has to lie below 4 GB. */
static void reserve(void) {
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | (begins_at_0 ? MAP_FIXED_NOREPLACE : 0);
    for (uintptr_t at = LOWEST; all == NULL && at < HIGHEST; at += ALL_BYTES) {
        void *mapped = mmap(begins_at_0 ? (void *)at : NULL, ALL_BYTES, PROT_NONE, flags, -1, 0);
        all = mapped == MAP_FAILED ? NULL : mapped;
    }
    heap_base = begins_at_0 ? 0 : (uintptr_t)all;
}

void heap_init(void) {
    if (!all) {
        reserve();
        cards = calloc(1, ALL_BYTES >> CARD_SHIFT);
        if (!all || !cards)
            die("out of memory", NULL);
        heap_cards = (unsigned char *)((uintptr_t)cards - ((uintptr_t)all >> CARD_SHIFT));
    } else if (mprotect(all, ALL_BYTES, PROT_NONE) != 0) {
        die("memory cannot be protected", all);
    }
    current = current_young = stays = heap_marking = 0;
    collections = grays = roots = 0;
    clean_cards(space(0));
    protect_pages(space(0), PROT_READ | PROT_WRITE);
    protect_pages(nursery(0), PROT_READ | PROT_WRITE);
    end = space(0);
    young_end = nursery(0);
}

/* The size of an object with its header, rounded up. */
static uint64_t whole(uint64_t bytes) {
    return sizeof(struct header) + ((bytes + 15) & ~(uint64_t)15);
}

/* Takes room for an object from *AT on, in the space IN; NULL if there is none. */
static char *take_from_range(char **at, const char *in, uint64_t bytes) {
    if (bytes > SPACE_BYTES || whole(bytes) > SPACE_BYTES - (size_t)(*at - in))
        return NULL;
    char *taken = *at;
    *at += whole(bytes);
    return taken;
}

void *heap_allocate(uint64_t bytes, uint64_t pointers) {
    int young = kind == HEAP_GENERATIONAL;
    char *at = young ? take_from_range(&young_end, nursery(current_young), bytes)
                     : take_from_range(&end, space(current), bytes);
    if (!at)
        return NULL;
    *(struct header *)at =
        (struct header){.magic = LIVE, .pointers = (uint32_t)pointers, .bytes = bytes, .compressed = pointers >> 32};
    return memset(at + sizeof(struct header), 0, bytes);
}

static struct header *header_of(void *object) {
    return (struct header *)object - 1;
}

/* The header after an object's. */
static struct header *next_of(struct header *h) {
    return (struct header *)((char *)(h + 1) + ((h->bytes + 15) & ~(uint64_t)15));
}

/* ---- Pins ----------------------------------------------------------------------------------------------------- */

/* 1 if P lies in the space. */
static int lies_in(const char *space, const void *p) {
    return (const char *)p >= space && (const char *)p < space + SPACE_BYTES;
}

/* 1 if a pinned object lies in the space. */
static int has_staying(const char *space) {
    for (int i = 0; i < stays; i++)
        if (lies_in(space, staying[i]))
            return 1;
    return 0;
}

/* 1 if the object is among those that are, or were, pinned. */
static int is_staying(const struct header *h) {
    for (int i = 0; i < stays; i++)
        if (staying[i] == h)
            return 1;
    return 0;
}

/* 1 if the byte belongs to a pinned object. */
static int is_kept(const char *p) {
    for (int i = 0; i < stays; i++)
        if (p >= (char *)staying[i] && p < (char *)(staying[i] + 1) + staying[i]->bytes)
            return 1;
    return 0;
}

/* Protects a space that was left, but for its pinned objects: what shares a page with one is poisoned, the rest
 * cannot be read. */
static void leave_around(char *space) {
    for (char *page = space; page < space + SPACE_BYTES; page += PAGE) {
        int any = 0;
        for (int i = 0; i < stays; i++)
            any |= (char *)staying[i] < page + PAGE && (char *)(staying[i] + 1) + staying[i]->bytes > page;
        if (!any && mprotect(page, PAGE, PROT_NONE) != 0)
            die("memory cannot be protected", page);
        for (char *p = page; any && p < page + PAGE; p++)
            if (!is_kept(p))
                *p = (char)POISON;
    }
}

/* Forgets objects that were pinned before and are not now: they have moved, or are dead. */
static void drop_unpinned(void) {
    struct header *gone[STAYING_MAX];
    int count = 0, kept = 0;
    for (int i = 0; i < stays; i++)
        if (staying[i]->magic == PINNED)
            staying[kept++] = staying[i];
        else
            gone[count++] = staying[i];
    stays = kept;
    for (int i = 0; i < count; i++)
        leave_around(all + ((uintptr_t)((char *)gone[i] - all) / SPACE_BYTES) * SPACE_BYTES);
}

/* ---- Collections ---------------------------------------------------------------------------------------------- */

/* 1 if this collection moves only objects of the nursery. */
static int is_young_only(void) {
    return kind == HEAP_GENERATIONAL && collections % FULL_EVERY != 0;
}

/* 1 if an object lies in what is moved out of. */
static int is_in(const struct range *r, const void *object) {
    return (char *)object - sizeof(struct header) >= r->begin && (char *)object <= r->end;
}

static void forward_fields(struct header *h);

/* Begins a collection of the nursery: old objects stay where they are, and those on marked cards may lead to young
 * ones. */
static void begin_young(void) {
    struct header *last = (struct header *)end;
    from[0] = (struct range){nursery(current_young), young_end};
    from[1] = (struct range){NULL, NULL};
    scan = end;
    for (struct header *h = (struct header *)space(current); h < last; h = next_of(h))
        if (heap_cards[(uintptr_t)(h + 1) >> CARD_SHIFT])
            forward_fields(h);
}

/* Begins a collection of everything, into the next space that has no pinned object. */
static void begin_full(void) {
    from[0] = (struct range){space(current), end};
    from[1] = kind == HEAP_GENERATIONAL ? (struct range){nursery(current_young), young_end} : (struct range){0};
    from_in[0] = space(current);
    from_in[1] = nursery(current_young);
    for (int i = 0; i < stays; i++)
        staying[i]->magic = LIVE; /* unless it is pinned again */
    do
        current = (current + 1) % SPACES;
    while (has_staying(space(current)));
    protect_pages(space(current), PROT_READ | PROT_WRITE);
    scan = end = space(current);
}

void heap_begin(void) {
    collections++;
    if (is_young_only())
        begin_young();
    else
        begin_full();
    for (size_t i = 0; i < grays; i++)
        heap_forward(&gray[i]);
    roots = 0;
    begun = 1;
}

/* 1 if the object stays where it is as this collection is of the nursery only. */
static int is_old(const void *object) {
    return is_young_only() && (char *)object > space(current) && (char *)object <= end;
}

void heap_pin(void *object) {
    struct header *h = header_of(object);
    if (!object)
        return;
    if (kind != HEAP_MOVING)
        die("this heap has no pins", object);
    if (!is_staying(h)) {
        if ((!is_in(&from[0], object) && !is_in(&from[1], object)) || h->magic != LIVE || stays == STAYING_MAX)
            die("what is pinned is no object, or they are too many", object);
        staying[stays++] = h;
    }
    h->magic = PINNED;
}

void heap_forward(void **root) {
    char *object = *root;
    if (!object || is_old(object))
        return;
    struct header *h = header_of(object);
    if (!is_in(&from[0], object) && !is_in(&from[1], object) && !is_staying(h))
        die("a root is outside the heap, or was moved before", object);
    if (h->magic == PINNED)
        return;
    if (h->magic == LIVE) {
        char *to = take_from_range(&end, space(current), h->bytes);
        if (!to)
            die("the heap is full", object);
        memcpy(to, h, sizeof *h + h->bytes);
        h->magic = MOVED;
        h->bytes = (uint64_t)(uintptr_t)(to + sizeof *h);
        moved++;
        if (heap_on_move)
            heap_on_move(object, to + sizeof *h);
    } else if (h->magic != MOVED) {
        die("a root is no object", object);
    }
    *root = (void *)(uintptr_t)h->bytes;
    if (begun && kind == HEAP_MARKING && roots < GRAY_MAX)
        root_at[roots++] = *root;
}

/* Forwards a compressed reference of an address space that the heap knows (2, or 3 with a shift). */
void heap_forward_compressed(uint32_t *root, unsigned space) {
    enum { SHIFTED = 3 };
    unsigned shift = space == SHIFTED ? 3 : 0;
    void *object = *root ? (void *)(heap_base + ((uintptr_t)*root << shift)) : NULL;
    if (space != 2 && space != SHIFTED)
        die("a root is of another address space", root);
    heap_forward(&object);
    *root = object ? (uint32_t)(((uintptr_t)object - heap_base) >> shift) : 0;
}

/* Forwards all references in an object. */
static void forward_fields(struct header *h) {
    void **field = (void **)(h + 1);
    for (uint32_t i = 0; i < h->pointers; i++) {
        if (kind == HEAP_TAGGED)
            field[i] = (void *)((uintptr_t)field[i] & ~HEAP_TAG);
        heap_forward(&field[i]);
        if (kind == HEAP_TAGGED && field[i])
            field[i] = (void *)((uintptr_t)field[i] | HEAP_TAG);
    }
    for (uint64_t i = 0; i < h->compressed; i++)
        heap_forward_compressed((uint32_t *)(field + h->pointers) + i, 2);
}

/* Dies if an object that was alive when marking began is neither marked nor moved: it was overwritten without the
 * marker being told. */
static void find_lost(const struct range *r) {
    for (struct header *h = (struct header *)r->begin; (char *)h < r->end;) {
        struct header *there = h->magic == MOVED ? header_of((void *)(uintptr_t)h->bytes) : h;
        if (h->magic == LIVE && h->mark == WHITE)
            die("an object of the snapshot is lost", h + 1);
        h = (struct header *)((char *)h + whole(there->bytes));
    }
}

/* Poisons and protects the space IN that RANGE of it was moved out of, but for pinned objects. */
static void leave_range(const struct range *r, char *in) {
    if (!r->begin)
        return;
    if (has_staying(in)) {
        leave_around(in);
        return;
    }
    memset(r->begin, POISON, (size_t)(r->end - r->begin));
    protect_pages(in, PROT_NONE);
}

/* Begins another nursery, of which no old object knows. */
static void begin_nursery(void) {
    current_young = (current_young + 1) % SPACES;
    protect_pages(nursery(current_young), PROT_READ | PROT_WRITE);
    young_end = nursery(current_young);
    clean_cards(space(current)); /* no others are looked at */
}

static void mark_some(void);

/* Ends a collection: forwards what the copied objects refer to, and makes what was moved out of unreadable. */
void heap_finish(void) {
    int was_full = !is_young_only();
    begun = 0;
    for (int i = 0; i < stays; i++)
        if (staying[i]->magic == PINNED)
            forward_fields(staying[i]);
    for (; scan < end; scan = (char *)next_of((struct header *)scan))
        forward_fields((struct header *)scan);
    if (heap_marking)
        find_lost(&from[0]);
    if (was_full) {
        drop_unpinned();
        leave_range(&from[0], from_in[0]);
        leave_range(&from[1], from_in[1]);
    } else {
        leave_range(&from[0], nursery(current_young));
    }
    if (kind == HEAP_GENERATIONAL)
        begin_nursery();
    if (kind == HEAP_MARKING)
        mark_some();
}

void heap_each(void (*visit)(void *user, void *object, uint64_t pointers), void *user) {
    for (struct header *h = (struct header *)space(current); (char *)h < end; h = next_of(h))
        visit(user, h + 1, h->pointers | h->compressed << 32);
    for (int i = 0; i < stays; i++)
        if (!lies_in(space(current), staying[i]))
            visit(user, staying[i] + 1, staying[i]->pointers | staying[i]->compressed << 32);
}

uint64_t heap_bytes(void *object) {
    return header_of(object)->bytes;
}

uint64_t heap_moved(void) {
    return moved;
}

/* ---- Marking -------------------------------------------------------------------------------------------------- */

void heap_keep(void *old) {
    if (!heap_marking || header_of(old)->mark != WHITE)
        return;
    if (grays == GRAY_MAX)
        die("too many objects to mark", old);
    gray[grays++] = old;
}

/* Begins marking: a collection has just copied what is alive, so all of it has to be found from the roots that it
 * was given. */
static void begin_marking(void) {
    for (struct header *h = (struct header *)space(current); (char *)h < end; h = next_of(h))
        h->mark = WHITE;
    heap_marking = 1;
    for (size_t i = 0; i < roots; i++)
        heap_keep(root_at[i]);
}

/* Ends marking; dies if an object of the snapshot was not marked. */
static void end_marking(void) {
    for (struct header *h = (struct header *)space(current); (char *)h < end; h = next_of(h)) {
        if (h->mark == WHITE)
            die("an object of the snapshot was not marked", h + 1);
        h->mark = 0;
    }
    heap_marking = 0;
}

/* Begins marking, or marks a few objects more, and ends it when none is left. */
static void mark_some(void) {
    if (!heap_marking) {
        begin_marking();
        return;
    }
    for (int n = 0; n < MARKS_AT_ONCE && grays;) {
        struct header *h = header_of(gray[--grays]);
        if (h->mark != WHITE)
            continue;
        h->mark = BLACK;
        n++;
        for (uint32_t i = 0; i < h->pointers; i++)
            if (((void **)(h + 1))[i])
                heap_keep(((void **)(h + 1))[i]);
    }
    if (!grays)
        end_marking();
}

/* ---- Tags ----------------------------------------------------------------------------------------------------- */

/* The load barrier of tagged references: removes the tag from the value, also in its slot, and gives it. */
void *heap_heal(void *value, void **slot) {
    value = (void *)((uintptr_t)value & ~HEAP_TAG);
    *slot = value;
    return value;
}
