/* An object file: loaded, looked into, and unloaded. Its code does not run, so objects with initialisers, and with
 * functions that choose others, are left out. */
#include "fuzz.h"

#include "elffile.h"
#include "smclient.h"

#include <string.h>

/* 1 if the loader would call what a section of this name has. */
static int is_called(const char *name) {
    static const char *const names[] = {".preinit_array", ".init_array", ".fini_array", ".ctors", ".dtors"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strncmp(name, names[i], strlen(names[i])) == 0)
            return 1;
    return 0;
}

static int has_initialisers(const uint8_t *data, size_t size) {
    sm_elf e;
    int found = 0;
    if (sm_elf_open(&e, data, size, NULL, 0) != SM_OK)
        return 0;
    for (size_t i = 1; i < e.sections; i++)
        found |= e.section[i].type == SHT_INIT_ARRAY || e.section[i].type == SHT_FINI_ARRAY ||
                 is_called(e.section[i].name);
    for (size_t i = 1; i < e.symbols; i++) {
        sm_elf_symbol s;
        found |= sm_elf_symbol_at(&e, i, &s) == SM_OK && s.type == STT_GNU_IFUNC;
    }
    sm_elf_close(&e);
    return found;
}

static void *resolve(void *user, const char *name) {
    return strcmp(name, "missing_function") ? user : NULL; /* so that there are undefined ones, too */
}

/* What is known of the source at a safepoint: texts that end. */
static void read_source(const sm_loader *loader, const sm_site *site) {
    enum { ROOM = 8 };
    sm_source_frame frame[ROOM];
    size_t n = sm_source_at(loader, site->address - 1, frame, ROOM), read = 0;
    must(n <= ROOM);
    for (size_t i = 0; i < n; i++)
        read += (frame[i].function ? strlen(frame[i].function) : 0) + (frame[i].file ? strlen(frame[i].file) : 0);
    must(read < SIZE_MAX);
}

static int visit_one(void *user, const sm_site *site) {
    const sm_loader *loader = user;
    const sm_site *kept = sm_find(loader, site->address);
    must(kept && kept->address == site->address && kept->n_pairs == site->n_pairs && kept->n_deopt == site->n_deopt);
    must(kept == sm_find(loader, site->address));
    must(!site->code || site->code->address <= site->address);
    uint64_t sum = 0;
    for (uint32_t i = 0; i < site->n_pairs; i++)
        sum += site->pairs[i].base.reg + site->pairs[i].derived.bytes;
    for (uint32_t i = 0; i < site->n_deopt; i++)
        sum += site->deopt[i].kind;
    for (uint32_t i = 0; i < site->n_regions; i++)
        sum += site->regions[i].kind;
    read_source(loader, site);
    return sum == UINT64_MAX;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static sm_loader *loader;
    sm_error err = {.result = SM_SUCCESS};
    sm_object *object;
    sm_loader_options options = {
        .size = sizeof options, .resolve = resolve, .user = &loader, .near = &loader, .flags = SM_LOAD_LINES};
    if (!loader)
        loader = sm_loader_new(&options, NULL);
    must(loader);
    if (has_initialisers(data, size))
        return 0;
    sm_result r = sm_load(loader, data, size, "fuzz", &object, &err);
    must((r == SM_SUCCESS) == (object != NULL));
    must(r == SM_SUCCESS || (err.result == r && err.message[0]));
    if (object) {
        must(sm_object_sites(object, visit_one, loader) == 0);
        sm_unload(object);
    }
    return 0;
}
