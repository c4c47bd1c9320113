/* patch_check.c - room at a statepoint gets a call.
 *
 *     patch_check OBJECT
 *
 * f has a call of BYTES nops; a call of helper through a register is written over it. Exits 0 if it is made. */
#include "smclient.h"

#include <stdio.h>
#include <string.h>

static int calls;

static void helper(void) {
    calls++;
}

static void *resolve(void *user, const char *name) {
    (void)user, (void)name;
    return (void *)helper;
}

static int find_room(void *user, const sm_site *site) {
    if (site->patch_bytes)
        *(sm_site *)user = *site;
    return 0;
}

/* Gives how many bytes they are. */
static size_t write_call(unsigned char *code, uintptr_t target) {
#if defined(__x86_64__)
    code[0] = 0x48, code[1] = 0xb8; /* mov rax, target; call rax */
    memcpy(code + 2, &target, 8);
    code[10] = 0xff, code[11] = 0xd0;
    return 12;
#else
    for (uint32_t i = 0; i < 4; i++) { /* movz x16, …; movk x16, …; blr x16 */
        uint32_t word = (i ? 0xf2800010 : 0xd2800010) | i << 21 | (uint32_t)(target >> 16 * i & 0xffff) << 5;
        memcpy(code + 4 * i, &word, 4);
    }
    memcpy(code + 16, &(uint32_t){0xd63f0200}, 4);
    return 20;
#endif
}

int main(int argc, char **argv) {
    static unsigned char object[1 << 16], code[64];
    FILE *f = argc == 2 ? fopen(argv[1], "rb") : NULL;
    sm_loader_options options = {.size = sizeof options, .resolve = resolve};
    sm_error err = {.message = "?"};
    sm_site site = {.address = 0};
    sm_object *o;
    if (!f)
        return 2;
    size_t len = fread(object, 1, sizeof object, f);
    fclose(f);
    sm_loader *loader = sm_loader_new(&options, &err);
    if (!loader || sm_load(loader, object, len, "patch", &o, &err) != SM_SUCCESS) {
        fprintf(stderr, "%s\n", err.message);
        return 2;
    }
    long (*function)(long *) = (long (*)(long *))sm_object_symbol(o, "f");
    long cell = 7;
    sm_object_sites(o, find_room, &site);
    if (site.patch_bytes != 20 || site.kind != SM_SITE_STATEPOINT || function(&cell) != 7 || calls != 0)
        return 3;
    size_t bytes = write_call(code, (uintptr_t)helper);
    uintptr_t at = site.address - site.patch_bytes;
    if (sm_patch(loader, at, code, bytes, &err) != SM_SUCCESS) {
        fprintf(stderr, "%s\n", err.message);
        return 4;
    }
    if (function(&cell) != 7 || calls != 1)
        return 5;
    const void *start;
    size_t all = sm_object_code(o, &start);
    if (sm_patch(loader, (uintptr_t)start + all - 1, code, 2, &err) != SM_ERR_INVALID_ARGUMENT ||
        sm_patch(loader, (uintptr_t)main, code, 1, &err) != SM_ERR_INVALID_ARGUMENT)
        return 6;
    sm_loader_free(loader);
    return 0;
}
