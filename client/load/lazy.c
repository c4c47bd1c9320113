/* lazy.c - see lazy.h. */
#include "lazy.h"

#include "error.h"
#include "memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#if defined(__x86_64__)
#include <cpuid.h>
#endif

/* The stub's and lazy_enter's. */
struct slot {
    _Atomic(uintptr_t) target;
    struct lazy *lazy;
};

struct lazy {
    sm_loader *loader;
    struct lazy *next; /* of the same bucket */
    struct slot *slot;
    uintptr_t stub;
    uint32_t hash;
    char name[];
};

enum { BLOCK_BYTES = 4096, STUB_BYTES = 32, STUBS = BLOCK_BYTES / STUB_BYTES };

/* A page of stubs, and one of data. */
struct block_data {
    struct slot slot[STUBS];
    uintptr_t enter; /* lazy_enter */
};

struct stubs {
    struct stubs *next;
    uintptr_t code;
    struct block_data *data;
    size_t used;
};

extern void lazy_enter(void);
uintptr_t lazy_resolve(struct slot *slot); /* lazy_enter's */

/* ---- Machine code ------------------------------------------------------------------------------------------- */

#if defined(__aarch64__)

enum { SLOW = 16 };

/* The instruction adrp REG, TO, for address AT. */
static uint32_t page_of(unsigned reg, uintptr_t at, uintptr_t to) {
    uint64_t pages = (uint64_t)((int64_t)(to >> 12) - (int64_t)(at >> 12));
    return 0x90000000u | (uint32_t)(pages & 3) << 29 | (uint32_t)((pages >> 2 & 0x7ffff) << 5) | reg;
}

/* Writes a stub for address AT: bti c; adrp x16, slot; ldr x17, [x16, slot]; br x17; and its slow entry: add x16,
 * x16, slot; adrp x17, enter; ldr x17, [x17, enter]; br x17 */
static void write_code(unsigned char *out, uintptr_t at, uintptr_t slot, uintptr_t enter) {
    const uint32_t code[STUB_BYTES / 4] = {0xd503245f,
                                           page_of(16, at + 4, slot),
                                           0xf9400211 | (uint32_t)(slot & 0xfff) >> 3 << 10,
                                           0xd61f0220,
                                           0x91000210 | (uint32_t)(slot & 0xfff) << 10,
                                           page_of(17, at + 20, enter),
                                           0xf9400231 | (uint32_t)(enter & 0xfff) >> 3 << 10,
                                           0xd61f0220};
    memcpy(out, code, sizeof code);
}

/* Does nothing: on AArch64 the vector state that lazy_enter saves is always the same. */
void lazy_find_state(void) {
}

#else

enum { SLOW = 10 };

/* Writes a rip-relative displacement: from BEHIND, the end of its instruction, to TO. */
static void write_distance(unsigned char *out, uintptr_t behind, uintptr_t to) {
    int32_t distance = (int32_t)(to - behind);
    memcpy(out, &distance, sizeof distance);
}

/* Writes a stub for address AT: endbr64; jmp *slot(%rip); and its slow entry: endbr64; lea slot(%rip), %r11; jmp
 * *enter(%rip) */
static void write_code(unsigned char *out, uintptr_t at, uintptr_t slot, uintptr_t enter) {
    static const unsigned char code[STUB_BYTES] = {0xf3, 0x0f, 0x1e, 0xfa, 0xff, 0x25, 0,    0,    0,    0,   0xf3,
                                                   0x0f, 0x1e, 0xfa, 0x4c, 0x8d, 0x1d, 0,    0,    0,    0,   0xff,
                                                   0x25, 0,    0,    0,    0,    0xcc, 0xcc, 0xcc, 0xcc, 0xcc};
    memcpy(out, code, sizeof code);
    write_distance(out + 6, at + 10, slot);
    write_distance(out + 17, at + 21, slot);
    write_distance(out + 23, at + 27, enter);
}

/* What lazy_enter keeps of the vector registers: the state's size, and which parts (XCR0); 0: FXSAVE's. */
uint64_t lazy_state_bytes = 512, lazy_state_parts;

/* Finds out which vector state lazy_enter has to save (SSE, AVX, AVX-512), and its size. */
void lazy_find_state(void) {
    enum { XSAVE = 1 << 27, FIRST_BYTES = 576, PARTS = 0xe6 }; /* SSE, AVX, AVX-512 */
    uint32_t a, b, c, d, bytes = FIRST_BYTES;
    if (lazy_state_parts || !__get_cpuid(1, &a, &b, &c, &d) || !(c & XSAVE))
        return;
    for (unsigned part = 2; part < 8; part++)
        if (PARTS >> part & 1 && __get_cpuid_count(13, part, &a, &b, &c, &d) && a + b > bytes)
            bytes = a + b;
    lazy_state_bytes = bytes;
    lazy_state_parts = PARTS;
}

#endif

/* ---- Names -------------------------------------------------------------------------------------------------- */

/* Looks a name up; NULL if it has no stub. */
static struct lazy *find(const struct lazies *z, const char *name, uint32_t hash) {
    struct lazy *l = z->buckets ? z->bucket[hash & (z->buckets - 1)] : NULL;
    while (l && (l->hash != hash || strcmp(l->name, name) != 0))
        l = l->next;
    return l;
}

/* Makes room for one more name in the hash table. 0 if out of memory. */
static int grow(struct lazies *z) {
    size_t buckets = z->buckets ? 2 * z->buckets : 64;
    if (z->count < z->buckets)
        return 1;
    struct lazy **grown = calloc(buckets, sizeof *grown);
    if (!grown)
        return 0;
    for (size_t i = 0; i < z->buckets; i++)
        for (struct lazy *l = z->bucket[i], *next; l; l = next) {
            next = l->next;
            l->next = grown[l->hash & (buckets - 1)];
            grown[l->hash & (buckets - 1)] = l;
        }
    free(z->bucket);
    z->bucket = grown;
    z->buckets = buckets;
    return 1;
}

/* Makes a page of stubs and one of their slots, and puts it first among the loader's. NULL if there is no memory. */
static struct stubs *new_block(sm_loader *l) {
    struct demand d = {.bytes = {[AREA_CODE] = BLOCK_BYTES, [AREA_DATA] = sizeof(struct block_data)},
                       .near = l->options.near};
    struct span span[AREAS];
    struct stubs *b = calloc(1, sizeof *b);
    struct region *r = b ? loader_take(l, &d, span, NULL) : NULL;
    if (!r) {
        free(b);
        return NULL;
    }
    lazy_find_state();
    *b = (struct stubs){l->lazies.block, span[AREA_CODE].start, (struct block_data *)span[AREA_DATA].start, 0};
    b->data->enter = (uintptr_t)lazy_enter;
    for (size_t i = 0; i < STUBS; i++)
        write_code((unsigned char *)b->code + i * STUB_BYTES, b->code + i * STUB_BYTES, (uintptr_t)&b->data->slot[i],
                   (uintptr_t)&b->data->enter);
    if (mprotect((void *)b->code, span[AREA_CODE].bytes, PROT_READ | PROT_EXEC) != 0) {
        region_give(r, span);
        free(b);
        return NULL;
    }
    __builtin___clear_cache((char *)b->code, (char *)b->code + BLOCK_BYTES);
    memory_synchronise();
    l->lazies.block = b;
    return b;
}

/* Lets the next call of the stub resolve its name again. */
static void unbind(struct lazy *z) {
    atomic_store_explicit(&z->slot->target, z->stub + SLOW, memory_order_release);
}

/* The stub of a name, made unbound if there is none. NULL when out of memory. Requires the lock. */
static struct lazy *get(sm_loader *l, const char *name) {
    uint32_t hash = name_hash(name);
    struct lazies *all = &l->lazies;
    struct lazy *z = find(all, name, hash);
    size_t len = strlen(name) + 1;
    if (z)
        return z;
    struct stubs *b = all->block && all->block->used < STUBS ? all->block : new_block(l);
    if (!b || !grow(all) || !(z = calloc(1, sizeof *z + len)))
        return NULL;
    z->loader = l;
    z->hash = hash;
    z->slot = &b->data->slot[b->used];
    z->stub = b->code + b->used++ * STUB_BYTES;
    z->slot->lazy = z;
    memcpy(z->name, name, len);
    z->next = all->bucket[hash & (all->buckets - 1)];
    all->bucket[hash & (all->buckets - 1)] = z;
    all->count++;
    unbind(z);
    return z;
}

uintptr_t lazy_stub(sm_loader *l, const char *name) {
    const struct lazy *z = get(l, name);
    return z ? z->stub : 0;
}

void lazy_forget(sm_object *o) {
    for (size_t i = 0; o->loader->lazies.count && i < o->exports; i++) {
        struct lazy *z = find(&o->loader->lazies, o->export[i].name, o->export[i].hash);
        if (z && atomic_load_explicit(&z->slot->target, memory_order_relaxed) == o->export[i].address)
            unbind(z);
    }
}

void lazy_free(sm_loader *l) {
    for (size_t i = 0; i < l->lazies.buckets; i++)
        for (struct lazy *z = l->lazies.bucket[i], *next; z; z = next) {
            next = z->next;
            free(z);
        }
    for (struct stubs *b = l->lazies.block, *next; b; b = next) {
        next = b->next;
        free(b);
    }
    free(l->lazies.bucket);
}

/* ---- Binding ------------------------------------------------------------------------------------------------ */

/* The address of a symbol that a loaded object exports; 0 if there is none. Takes the lock. */
static uintptr_t find_loaded(sm_loader *l, const char *name) {
    pthread_mutex_lock(&l->lock);
    const struct export *e = names_find(&l->names, name);
    uintptr_t address = e ? e->address : 0;
    pthread_mutex_unlock(&l->lock);
    return address;
}

/* The address of a function: a loaded one's, or the one that the runtime's resolve_call gives or loads. It is
 * called without the lock, as it may load, and wait for threads that do. Aborts if there is none. */
static uintptr_t ask(sm_loader *l, const char *name) {
    uintptr_t address = find_loaded(l, name);
    if (!address)
        address = (uintptr_t)l->options.resolve_call(l->options.user, name);
    if (!address)
        address = find_loaded(l, name);
    if (address)
        return address;
    fprintf(stderr, "libsmclient: '%s' was called, and is not defined\n", name);
    abort();
}

/* Binds the slot of a call that found it unbound, and gives the address to go on at: this one, or the one that
 * another thread has bound it to meanwhile. */
uintptr_t lazy_resolve(struct slot *slot) {
    uintptr_t empty = slot->lazy->stub + SLOW, address = ask(slot->lazy->loader, slot->lazy->name);
    if (atomic_compare_exchange_strong_explicit(&slot->target, &empty, address, memory_order_release,
                                                memory_order_acquire))
        return address;
    return empty; /* what it was bound to */
}

/* Fails if the loader has no resolve_call, without which there are no stubs. */
static sm_result no_calls(const sm_loader *l, sm_error *err) {
    return l && l->options.resolve_call
               ? SM_SUCCESS
               : fail(err, SM_ERR_INVALID_ARGUMENT, "The loader has no resolve_call: calls are bound for good");
}

sm_result sm_redirect(sm_loader *l, const char *name, const void *address, sm_error *err) {
    sm_result r = no_calls(l, err);
    if (r != SM_SUCCESS)
        return r;
    pthread_mutex_lock(&l->lock);
    struct lazy *z = get(l, name);
    if (!z)
        r = fail(err, SM_ERR_NO_MEMORY, "Out of memory: no room for a stub");
    else if (address)
        atomic_store_explicit(&z->slot->target, (uintptr_t)address, memory_order_release);
    else
        unbind(z);
    pthread_mutex_unlock(&l->lock);
    return r;
}

void *sm_loader_stub(sm_loader *l, const char *name, sm_error *err) {
    if (no_calls(l, err) != SM_SUCCESS)
        return NULL;
    pthread_mutex_lock(&l->lock);
    uintptr_t stub = lazy_stub(l, name);
    pthread_mutex_unlock(&l->lock);
    if (!stub)
        fail(err, SM_ERR_NO_MEMORY, "Out of memory: no room for a stub");
    return (void *)stub;
}
