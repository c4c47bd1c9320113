/* stackmap_object.c - the stackmap of an object or a program: the tables of all its sections, functions named. */
#include "stackmap_object.h"
#include "compact.h"
#include "stackmap_build.h"
#include "stackmap_names.h"

/* Reads one section's table, and names its functions. */
static sm_status read_section(sm_stackmap *m, const sm_elf *e, size_t section, int is_compact,
                              sm_stackmap_error *err) {
    const sm_elf_section *table = &e->section[section];
    uint32_t first = m->functions;
    sm_status s = is_compact ? sm_compact_decode(m, table->bytes.data, table->bytes.len, err)
                             : sm_stackmap_read_llvm(m, table->bytes.data, table->bytes.len, err);
    if (is_compact && m->linked) /* its fields hold distances */
        for (uint32_t i = first; i < m->functions; i++)
            m->function[i].offset += table->address + m->function[i].at;
    return s == SM_OK ? sm_stackmap_name_functions(m, first, e, section, err) : s;
}

/* Notes that the functions from FIRST on are of a table of FORMAT. */
static void add_format(sm_stackmap *m, uint32_t first, const char *format) {
    if (first == m->functions)
        return;
    for (uint32_t i = 0; first && i < m->functions; i++) /* those before are of another table */
        m->function[i].format = i < first ? m->format : format;
    m->format = first ? "mixed" : format;
}

sm_status sm_stackmap_of_object(sm_stackmap *m, const sm_elf *e, sm_stackmap_error *err) {
    static const char *const sections[] = {SM_STACKMAP_SECTION, SM_COMPACT_SECTION};
    static const char *const versions[] = {"llvm-v3", "llvm-v1", "llvm-v2", "llvm-v3"};
    sm_status s = SM_OK;
    sm_stackmap_begin(m, e->machine);
    m->linked = e->type != ET_REL;
    m->format = "none";
    for (int t = 0; t < 2; t++) {
        uint32_t before = m->functions;
        for (size_t i = sm_elf_find(e, sections[t], 0); i && s == SM_OK; i = sm_elf_find(e, sections[t], i))
            s = read_section(m, e, i, t == 1, err);
        add_format(m, before, t == 1 ? "compact" : versions[m->version]);
    }
    if (s == SM_OK)
        s = sm_stackmap_name_types(m, e);
    if (s != SM_OK)
        sm_stackmap_free(m);
    return s;
}
