/* about.c - what this compiler is, for /v1/capabilities and for the key of every artifact. */
#include "base.h"
#include "plugins.h"
#include "process.h"
#include "rewrite.h"

#include <link.h>
#include <llvm-c/Core.h>
#include <string.h>

/* Appends the GNU build-id note of a loaded object (elf(5), NT_GNU_BUILD_ID) as hexadecimal text. */
static void put_build_id(const struct dl_phdr_info *info, sm_buf *out) {
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *p = &info->dlpi_phdr[i];
        if (p->p_type != PT_NOTE)
            continue;
        const char *at = (const char *)(info->dlpi_addr + p->p_vaddr), *end = at + p->p_memsz;
        while (at + sizeof(ElfW(Nhdr)) < end) {
            const ElfW(Nhdr) *n = (const ElfW(Nhdr) *)at;
            const char *name = at + sizeof *n, *desc = name + ((n->n_namesz + 3) & ~3u);
            if (n->n_type == NT_GNU_BUILD_ID && n->n_namesz == 4 && memcmp(name, "GNU", 4) == 0)
                for (unsigned b = 0; b < n->n_descsz; b++)
                    sm_buf_printf(out, "%02x", (unsigned char)desc[b]);
            at = desc + ((n->n_descsz + 3) & ~3u);
        }
    }
}

struct build {
    sm_buf *text;
    const char *object; /* part of its name; "" is the program */
};

/* Appends the build-id of the object if it is the one asked for in ARG; 1 then, which ends the search. */
static int visit_object(struct dl_phdr_info *info, size_t size, void *arg) {
    const struct build *b = arg;
    (void)size;
    if (b->object[0] ? !strstr(info->dlpi_name, b->object) : info->dlpi_name[0] != 0)
        return 0;
    put_build_id(info, b->text);
    return 1;
}

/* The strings of LIST, which ends in NULL, as a JSON array. */
static json_t *names(const char *const *list) {
    json_t *array = json_array();
    for (; *list; list++)
        json_array_append_new(array, json_string(*list));
    return array;
}

/* What this compiler is and can do, as JSON, *new*: LLVM's version, build, targets, dialects, strategies, sandbox
 * layers, steps of the rewrite. */
json_t *about(void) {
    static const char *const targets[] = {"x86_64-unknown-linux-gnu", "aarch64-unknown-linux-gnu", NULL};
    static const char *const dialects[] = {"typed", "modern", NULL};
    static const char *const layers[] = {"no_new_privs", "rlimits", "seccomp", NULL, NULL};
    const char *possible[5];
    unsigned major, minor, patch;
    char version[40];
    sm_buf build;
    memcpy(possible, layers, sizeof layers);
    if (sandbox_has_landlock())
        possible[3] = "landlock";
    LLVMGetVersion(&major, &minor, &patch);
    snprintf(version, sizeof version, "%u.%u.%u", major, minor, patch);
    sm_buf_init(&build, 1024);
    sm_buf_printf(&build, "llvm-%s-", version);
    dl_iterate_phdr(visit_object, &(struct build){&build, "LLVM"});
    sm_buf_printf(&build, "-smd-%s-", SMD_VERSION);
    dl_iterate_phdr(visit_object, &(struct build){&build, ""});
    if (upgrader_exists())
        sm_buf_puts(&build, "-upgrade");
    plugins_put_build(&build);
    json_t *o = json_pack("{s:{s:s,s:s},s:o,s:o,s:o,s:o,s:o}", "llvm", "version", version, "build",
                          sm_buf_cstr(&build), "targets", names(targets), "dialects",
                          names(upgrader_exists() ? dialects : dialects + 1), "gc_strategies",
                          names(known_strategies()), "sandbox_layers", names(possible), "steps", steps_about());
    sm_buf_free(&build);
    return o;
}
