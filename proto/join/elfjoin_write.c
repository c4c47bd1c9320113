/* elfjoin_write.c - see elfjoin_parts.h: the joined object's file. */
#include "elfjoin_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

sm_status join_number_sections(struct join *j, uint32_t *count) {
    uint32_t n = 1;
    unsigned char *relocated = calloc(j->sections, 1);
    if (!relocated)
        return SM_NOMEM;
    for (size_t p = 0; p < j->parts; p++)
        for (size_t i = 1; i < j->part[p].sections; i++)
            if (join_has_relocations(j, p, i))
                relocated[j->place[p][j->part[p].section[i].info].section] = 1;
    for (size_t i = 1; i < j->sections; i++) {
        struct join_section *s = &j->section[i];
        if (s->group && !j->group[s->group].number)
            j->group[s->group].number = n++;
        s->number = n++;
        s->relocations = relocated[i] ? n++ : 0;
    }
    free(relocated);
    *count = n + 2; /* .symtab, .strtab */
    return *count < SHN_LORESERVE ? SM_OK : join_refuse(j, "There are too many sections");
}

/* Writes a group's flag word and the numbers of its members. */
static sm_status write_group(struct join *j, const struct join_group *g, size_t index, sm_buf *out) {
    sm_slice list = j->part[g->part].section[g->section].bytes;
    sm_buf_put_u32(out, (uint32_t)sm_load_le(list.data, 4));
    for (size_t i = 1; i < j->sections; i++) {
        if (j->section[i].group != index)
            continue;
        sm_buf_put_u32(out, j->section[i].number);
        if (j->section[i].relocations)
            sm_buf_put_u32(out, j->section[i].relocations);
    }
    return out->status;
}

/* Writes a section's bytes, aligned, and into its header where they are. */
static void write_bytes(sm_buf *out, Elf64_Shdr *h, const sm_buf *bytes, size_t start) {
    sm_buf_align(out, h->sh_addralign && h->sh_addralign <= 4096 ? h->sh_addralign : 1);
    h->sh_offset = out->len - start;
    if (h->sh_type == SHT_NOBITS)
        return;
    h->sh_size = bytes->len;
    sm_buf_put(out, bytes->data, bytes->len);
}

/* Writes a section and its relocations, with their headers. */
static sm_status write_section(struct join *j, const struct join_section *s, Elf64_Shdr *headers, uint32_t symtab,
                               sm_buf *out, size_t start) {
    char name[300];
    Elf64_Shdr *h = &headers[s->number];
    *h = (Elf64_Shdr){.sh_name = join_string(j, s->name),
                      .sh_type = s->type,
                      .sh_flags = s->flags,
                      .sh_size = s->size,
                      .sh_addralign = s->align,
                      .sh_entsize = s->entsize};
    write_bytes(out, h, &s->bytes, start);
    if (!s->relocations)
        return out->status;
    if ((size_t)snprintf(name, sizeof name, ".rela%s", s->name) >= sizeof name)
        return join_refuse(j, "The name of the section %.100s is too long", s->name);
    h = &headers[s->relocations];
    *h = (Elf64_Shdr){.sh_name = join_string(j, name),
                      .sh_type = SHT_RELA,
                      .sh_flags = SHF_INFO_LINK | (s->flags & SHF_GROUP),
                      .sh_link = symtab,
                      .sh_info = s->number,
                      .sh_addralign = 8,
                      .sh_entsize = sizeof(Elf64_Rela)};
    write_bytes(out, h, &s->relocs, start);
    return out->status;
}

/* Writes all groups that are kept. */
static sm_status write_groups(struct join *j, Elf64_Shdr *headers, uint32_t symtab, sm_buf *out, size_t start) {
    sm_status s = SM_OK;
    for (size_t g = 1; g < j->groups && s == SM_OK; g++) {
        const struct join_group *group = &j->group[g];
        sm_buf list;
        if (!group->number)
            continue; /* it was dropped, or is empty */
        uint32_t name = j->symbol[group->part][j->part[group->part].section[group->section].info].number;
        if (!name || name == JOIN_DROPPED)
            return join_refuse(j, "The group %.100s has lost its symbol", group->signature);
        Elf64_Shdr *h = &headers[group->number];
        *h = (Elf64_Shdr){.sh_name = join_string(j, ".group"),
                          .sh_type = SHT_GROUP,
                          .sh_link = symtab,
                          .sh_info = name,
                          .sh_addralign = 4,
                          .sh_entsize = 4};
        sm_buf_init(&list, UINT32_MAX);
        s = write_group(j, group, g, &list);
        write_bytes(out, h, &list, start);
        sm_buf_free(&list);
    }
    return s;
}

/* 1 if a part is marked as using GNU extensions. */
static int is_gnu(const struct join *j) {
    for (size_t p = 0; p < j->parts; p++)
        if (j->part[p].file.data[EI_OSABI] == ELFOSABI_GNU)
            return 1;
    return 0;
}

/* Writes the file: header, sections, groups, symbols, strings, section headers. */
static sm_status write_all(struct join *j, Elf64_Shdr *headers, uint32_t count, sm_buf *out) {
    Elf64_Ehdr h;
    size_t start = out->len;
    uint32_t symtab = count - 2, strings = count - 1;
    sm_status s = SM_OK;
    memcpy(&h, j->part[0].file.data, sizeof h);
    sm_buf_put(out, &h, sizeof h);
    for (size_t i = 1; i < j->sections && s == SM_OK; i++)
        s = write_section(j, &j->section[i], headers, symtab, out, start);
    if (s == SM_OK)
        s = write_groups(j, headers, symtab, out, start);
    headers[symtab] = (Elf64_Shdr){.sh_name = join_string(j, ".symtab"),
                                   .sh_type = SHT_SYMTAB,
                                   .sh_link = strings,
                                   .sh_info = j->first_global,
                                   .sh_addralign = 8,
                                   .sh_entsize = sizeof(Elf64_Sym)};
    write_bytes(out, &headers[symtab], &j->symtab, start);
    headers[strings] = (Elf64_Shdr){.sh_name = join_string(j, ".strtab"), .sh_type = SHT_STRTAB, .sh_addralign = 1};
    write_bytes(out, &headers[strings], &j->strings, start);
    sm_buf_align(out, 8);
    h.e_ident[EI_OSABI] = is_gnu(j) ? ELFOSABI_GNU : h.e_ident[EI_OSABI];
    h.e_shoff = out->len - start;
    h.e_shnum = (uint16_t)count;
    h.e_shstrndx = (uint16_t)strings;
    sm_buf_put(out, headers, count * sizeof *headers);
    if (s == SM_OK && j->strings.status != SM_OK)
        s = j->strings.status;
    if (s == SM_OK)
        s = out->status;
    if (s == SM_OK)
        memcpy(out->data + start, &h, sizeof h);
    return s;
}

sm_status join_write_file(struct join *j, uint32_t count, sm_buf *out) {
    Elf64_Shdr *headers = calloc(count, sizeof *headers);
    sm_status s = headers ? write_all(j, headers, count, out) : SM_NOMEM;
    free(headers);
    return s;
}
