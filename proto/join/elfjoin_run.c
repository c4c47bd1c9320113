/* elfjoin_run.c - see elfjoin.h: the way from the parts to the object, and relocations. */
#include "elfjoin_parts.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Writes why the parts cannot be joined; always SM_INVALID_OBJECT. */
sm_status join_refuse(struct join *j, const char *fmt, ...) {
    va_list ap;
    va_start(ap, fmt);
    if (j->why)
        vsnprintf(j->why, j->why_size, fmt, ap);
    va_end(ap);
    return SM_INVALID_OBJECT;
}

uint32_t join_string(struct join *j, const char *text) {
    uint32_t at = (uint32_t)j->strings.len;
    sm_buf_put(&j->strings, text, strlen(text) + 1);
    return at;
}

int join_has_relocations(const struct join *j, size_t part, size_t section) {
    const sm_elf *e = &j->part[part];
    size_t of = e->section[section].type == SHT_RELA ? e->section[section].info : 0;
    return of && of < e->sections && sm_elf_reloc_count(e, section) && j->place[part][of].section &&
           j->place[part][of].section != JOIN_DROPPED;
}

/* Adds a part's relocation, against the joined symbol and place. */
static sm_status put_relocation(struct join *j, size_t part, size_t target, const sm_elf_reloc *r) {
    const struct join_place *place = &j->place[part][target];
    struct join_section *to = &j->section[place->section];
    const sm_elf_section *from = &j->part[part].section[target];
    if (r->symbol >= j->part[part].symbols || j->symbol[part][r->symbol].number == JOIN_DROPPED)
        return join_refuse(j, "A relocation of %.100s is against what is not there", from->name);
    if (to->kind == JOIN_ONCE || ((to->kind == JOIN_STACKMAP || to->kind == JOIN_FAULTMAP) &&
                                  !join_is_field(to->kind, from->bytes, r->offset)))
        return join_refuse(j, "A relocation of %.100s is not at an address", from->name);
    struct join_symbol s = j->symbol[part][r->symbol];
    Elf64_Rela rela = {r->offset + place->at, ELF64_R_INFO((uint64_t)s.number, (uint64_t)r->type),
                       (int64_t)((uint64_t)r->addend + s.shift)};
    return sm_buf_put(&to->relocs, &rela, sizeof rela);
}

/* Adds the relocations of all parts. */
static sm_status join_relocations(struct join *j) {
    for (size_t p = 0; p < j->parts; p++)
        for (size_t i = 1; i < j->part[p].sections; i++) {
            size_t n = join_has_relocations(j, p, i) ? sm_elf_reloc_count(&j->part[p], i) : 0;
            for (size_t k = 0; k < n; k++) {
                sm_elf_reloc r;
                sm_status s = sm_elf_reloc_at(&j->part[p], i, k, &r);
                if (s == SM_OK)
                    s = put_relocation(j, p, j->part[p].section[i].info, &r);
                if (s != SM_OK)
                    return s == SM_NOMEM                                 ? s
                           : s == SM_INVALID_OBJECT && j->why && *j->why ? s
                                                                         : join_refuse(j, "A relocation is damaged");
            }
        }
    return SM_OK;
}

/* Allocates the maps from the parts' sections and symbols. Fails only when out of memory. */
static sm_status begin(struct join *j) {
    j->place = calloc(j->parts, sizeof *j->place);
    j->symbol = calloc(j->parts, sizeof *j->symbol);
    if (!j->place || !j->symbol)
        return SM_NOMEM;
    for (size_t p = 0; p < j->parts; p++) {
        j->place[p] = calloc(j->part[p].sections + 1, sizeof **j->place);
        j->symbol[p] = calloc(j->part[p].symbols + 1, sizeof **j->symbol);
        if (!j->place[p] || !j->symbol[p])
            return SM_NOMEM;
    }
    sm_buf_init(&j->strings, UINT32_MAX);
    sm_buf_init(&j->symtab, SIZE_MAX / 4);
    return sm_buf_put_u8(&j->strings, 0);
}

/* Frees all that the join has allocated. */
static void end(struct join *j) {
    for (size_t p = 0; p < j->parts; p++) {
        if (j->place)
            free(j->place[p]);
        if (j->symbol)
            free(j->symbol[p]);
    }
    for (size_t i = 1; i < j->sections; i++) {
        sm_buf_free(&j->section[i].bytes);
        sm_buf_free(&j->section[i].relocs);
    }
    sm_buf_free(&j->strings);
    sm_buf_free(&j->symtab);
    free(j->place);
    free(j->symbol);
    free(j->section);
    free(j->group);
}

sm_status sm_elf_join(const sm_elf *part, size_t parts, const sm_join_local *local, size_t locals, sm_buf *out,
                      char *why, size_t why_size) {
    struct join j = {
        .part = part, .parts = parts, .local = local, .locals = locals, .why = why, .why_size = why_size};
    uint32_t count = 0;
    if (why && why_size)
        *why = 0;
    sm_status s = parts ? begin(&j) : join_refuse(&j, "There are no parts");
    for (size_t p = 0; p < parts && s == SM_OK; p++)
        s = join_check_part(&j, p);
    if (s == SM_OK)
        s = join_sections(&j);
    if (s == SM_OK)
        s = join_number_sections(&j, &count);
    if (s == SM_OK)
        s = join_symbols(&j);
    if (s == SM_OK)
        s = join_relocations(&j);
    if (s == SM_OK)
        s = join_write_file(&j, count, out);
    end(&j);
    return s;
}
