/* zeal.c - see zeal.h. */
#include "zeal.h"

#include "error.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { WORDS = 65536 };

/* Maps zeroed memory; NULL if there is none. */
static void *zeros(size_t bytes) {
    void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return p == MAP_FAILED ? NULL : p;
}

static size_t word_bytes(const sm_zeal *z) {
    return (size_t)z->options.words * sizeof *z->word;
}

/* Frees what zeal_new has made of it so far. */
static void zeal_destroy(sm_zeal *z) {
    if (z->bucket)
        munmap(z->bucket, BUCKETS * sizeof *z->bucket);
    if (z->word)
        munmap(z->word, word_bytes(z));
    keep_free(&z->keep);
    pthread_mutex_destroy(&z->lock);
    free((char *)z->options.function);
    free(z);
}

sm_zeal *sm_zeal_new(const sm_loader *loader, const sm_zeal_options *options, sm_error *err) {
    sm_zeal_options o;
    if (!loader) {
        fail(err, SM_ERR_INVALID_ARGUMENT, "There is no loader");
        return NULL;
    }
    if (take_struct(&o, sizeof o, options, "sm_zeal_options", err) != SM_SUCCESS)
        return NULL;
    sm_zeal *z = calloc(1, sizeof *z);
    char *function = z && o.function ? strdup(o.function) : NULL;
    if (!z || (o.function && !function)) {
        free(z);
        fail(err, SM_ERR_NO_MEMORY, "There is no memory for a zeal");
        return NULL;
    }
    pthread_mutex_init(&z->lock, NULL);
    z->loader = loader;
    z->options = o;
    z->options.function = function;
    z->options.every = o.every ? o.every : 1;
    z->options.words = o.words ? o.words : WORDS;
    z->bucket = zeros(BUCKETS * sizeof *z->bucket);
    z->word = zeros(word_bytes(z));
    if (!z->bucket || !z->word)
        fail(err, SM_ERR_NO_MEMORY, "There is no memory for a zeal");
    else if ((o.flags & SM_ZEAL_NO_HANDLER) || handler_add(z, err) == SM_SUCCESS)
        return z;
    zeal_destroy(z);
    return NULL;
}

void sm_zeal_free(sm_zeal *z) {
    if (!z)
        return;
    handler_remove(z);
    zeal_destroy(z);
}

/* ---- Which safepoints are due ----------------------------------------------------------------------------------- */

/* A number that looks random, of number N of a sequence (splitmix64). */
static uint64_t draw(uint64_t seed, uint64_t n) {
    uint64_t x = seed + (n + 1) * 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

/* 1 if the options leave the choice of this safepoint to the count. */
static int is_candidate(const sm_zeal *z, const sm_site *site) {
    const char *name = site->code ? site->code->name : NULL;
    return !z->options.function || (name && strcmp(name, z->options.function) == 0);
}

int sm_zeal_due(sm_zeal *z, const sm_registers *at) {
    const sm_site *site = z && at ? sm_find(z->loader, at->pc) : NULL;
    struct record *r = site ? record_of(z, site) : NULL;
    if (!site)
        return 0;
    atomic_fetch_add(&z->safepoints, 1);
    if (r)
        atomic_fetch_add(&r->hits, 1);
    if (!is_candidate(z, site))
        return 0;
    uint64_t n = atomic_fetch_add(&z->candidates, 1), every = z->options.every;
    int is_due = (z->options.seed ? draw(z->options.seed, n) : n + 1) % every == 0;
    atomic_fetch_add(&z->due, (uint64_t)is_due);
    return is_due;
}
