/* null_check.c - implicit null checks fault and go on at their handlers.
 *
 *     null_check OBJECT FUNCTIONS CHECKS
 *
 * Calls f0, f1, … with an object and with null. Exits 0 if each gave what it should, and CHECKS instructions
 * faulted. */
#include "smclient.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST = 1000 };

static sm_loader *loader;
static uintptr_t seen[MOST];
static int faulted, null_calls;

static void handle(int number, siginfo_t *info, void *context) {
    sm_registers r;
    (void)number, (void)info;
    sm_registers_load(&r, context);
    const sm_site *site = sm_find_fault(loader, r.pc);
    if (!site || site->kind != SM_SITE_NULL_CHECK || site != sm_find_fault(loader, r.pc) || !site->code ||
        sm_find(loader, site->address) == site)
        _exit(9);
    int i = 0;
    while (i < faulted && seen[i] != r.pc)
        i++;
    if (i == faulted && faulted < MOST)
        seen[faulted++] = r.pc;
    r.pc = site->address;
    sm_registers_store(&r, context);
}

static void was_null(void) {
    null_calls++;
}

static long minus_one(void) {
    return -1;
}

static void *resolve(void *user, const char *name) {
    (void)user;
    if (strcmp(name, "minus_one") == 0)
        return (void *)minus_one;
    return strcmp(name, "was_null") == 0 ? (void *)was_null : NULL;
}

int main(int argc, char **argv) {
    static unsigned char object[1 << 20];
    FILE *f = argc == 4 ? fopen(argv[1], "rb") : NULL;
    sm_loader_options options = {.size = sizeof options, .resolve = resolve};
    sm_error err = {.message = "?"};
    struct sigaction action = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO | SA_NODEFER};
    sm_object *o;
    if (!f)
        return 2;
    size_t len = fread(object, 1, sizeof object, f);
    fclose(f);
    loader = sm_loader_new(&options, &err);
    sigaction(SIGSEGV, &action, NULL);
    if (!loader || sm_load(loader, object, len, "null", &o, &err) != SM_SUCCESS) {
        fprintf(stderr, "%s\n", err.message);
        return 2;
    }
    for (int round = 0; round < 2; round++)
        for (int i = 0; i < atoi(argv[2]); i++) {
            char name[16];
            long cell[64];
            snprintf(name, sizeof name, "f%d", i);
            long (*function)(long *) = (long (*)(long *))sm_object_symbol(o, name);
            for (int k = 0; k < 64; k++)
                cell[k] = 7;
            int calls = null_calls;
            if (!function || function(NULL) != -1 || null_calls != calls + 1 || function(cell) != 7 ||
                null_calls != calls + 1) {
                fprintf(stderr, "%s is wrong\n", name);
                return 1;
            }
        }
    printf("%d instructions faulted\n", faulted);
    if (faulted != atoi(argv[3]) || sm_find_fault(loader, (uintptr_t)main))
        return 3;
    sm_unload(o);
    if (faulted && sm_find_fault(loader, seen[0]))
        return 4;
    sm_loader_free(loader);
    return 0;
}
