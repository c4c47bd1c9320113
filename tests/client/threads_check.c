/* threads_check.c - readers find safepoints without a lock while a writer loads and unloads: run with ThreadSanitizer.
 *
 *     threads_check OBJECT-FILE [LOADS]
 *
 * Exits 0 if no reader ever saw a wrong answer. */
#include "smclient.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

enum { READERS = 3, KEPT = 64 };

static sm_loader *loader;
static unsigned char object[1 << 20];
static size_t object_len;
static atomic_uintptr_t kept[KEPT]; /* addresses that stay, as they become known */
static atomic_int done;
static atomic_ulong finds, wrong;

static void *resolve(void *user, const char *name) {
    (void)name;
    return user;
}

static int first(void *user, const sm_site *site) {
    *(uintptr_t *)user = site->address;
    return 1;
}

static int visit_nothing(void *user, void **base) {
    (void)user, (void)base;
    return 0;
}

static void *read_all(void *arg) {
    (void)arg;
    for (unsigned long n = 0; !atomic_load(&done) || n < 1000; n++) {
        uintptr_t address = atomic_load_explicit(&kept[n % KEPT], memory_order_relaxed);
        if (!address)
            continue;
        const sm_site *site = sm_find(loader, address);
        const sm_code *code = sm_find_code(loader, address - 1);
        if (!site || site->address != address || !code || site->code != code)
            atomic_fetch_add(&wrong, 1);
        sm_visitor v = {.size = sizeof v, .root = visit_nothing};
        sm_registers none = {.pc = 1};
        if (sm_visit(loader, &none, &v, NULL) != SM_ERR_NO_SAFEPOINT || sm_find(loader, n))
            atomic_fetch_add(&wrong, 1);
        atomic_fetch_add_explicit(&finds, 1, memory_order_relaxed);
    }
    return NULL;
}

static sm_object *load(void) {
    sm_object *o;
    sm_error err;
    if (sm_load(loader, object, object_len, "o", &o, &err) != SM_SUCCESS) {
        fprintf(stderr, "%s\n", err.message);
        exit(2);
    }
    return o;
}

int main(int argc, char **argv) {
    int loads = argc > 2 ? atoi(argv[2]) : 2000;
    FILE *f = argc > 1 ? fopen(argv[1], "rb") : NULL;
    sm_loader_options options = {.size = sizeof options, .resolve = resolve, .user = &kept, .reserve = 1 << 20};
    pthread_t reader[READERS];
    loader = sm_loader_new(&options, NULL);
    if (!f || !loader)
        return 2;
    object_len = fread(object, 1, sizeof object, f);
    fclose(f);
    for (int i = 0; i < READERS; i++)
        pthread_create(&reader[i], NULL, read_all, NULL);
    for (int i = 0; i < loads; i++) {
        sm_object *o = load();
        if (i % (loads / KEPT + 1) == 0) {
            uintptr_t address = 0;
            sm_object_sites(o, first, &address);
            atomic_store_explicit(&kept[i / (loads / KEPT + 1)], address, memory_order_relaxed);
        } else if (i % 2) {
            sm_unload(o);
        } else {
            sm_retire(o);
            if (i % 16 == 0)
                sm_loader_reclaim(loader);
        }
    }
    atomic_store(&done, 1);
    for (int i = 0; i < READERS; i++)
        pthread_join(reader[i], NULL);
    printf("%lu finds while %d objects were loaded, %lu wrong\n", atomic_load(&finds), loads, atomic_load(&wrong));
    sm_loader_free(loader);
    return atomic_load(&wrong) != 0 || atomic_load(&finds) == 0;
}
