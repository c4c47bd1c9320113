/* layout.h - a relocatable object laid out anew, with other bytes in the place of some sections'. Everything else is
 * as before: sections keep their numbers, bytes and alignment. For compact_object.c and gcmap_object.c. */
#ifndef SM_LAYOUT_H
#define SM_LAYOUT_H

#include "elffile.h"

#ifndef SHF_GNU_RETAIN
#define SHF_GNU_RETAIN (1u << 21)
#endif

/* What a section is to have instead of its bytes. */
struct change {
    size_t section; /* 0: none */
    sm_buf bytes;
};

enum { TABLE, RELOCATIONS, NAMES, STRINGS, SYMBOLS, CHANGES };

struct layout {
    const sm_elf *e;
    sm_buf *out;
    Elf64_Shdr *shdr; /* owned: the new section headers, with room for two more */
    size_t sections;
    struct change change[CHANGES];
    size_t *symbol_of; /* owned: by section, its own symbol; 0 for none */
};

/* TABLE is a section and its relocations, which are to be replaced; 0: two are added. SM_INVALID_OBJECT for an object
 * whose headers are of the extended kind; SM_NOMEM. To be ended either way. */
sm_status layout_begin(struct layout *l, const sm_elf *e, size_t table, sm_buf *out);

/* The names of the table's two sections, its flags and alignment. */
void layout_name(struct layout *l, const char *table, const char *relocations, uint64_t flags, uint64_t align);

/* Gives sections of one name more flags. */
void layout_add_flags(struct layout *l, const char *section, uint64_t flags);

/* Gives symbols of one name another one. */
void layout_rename(struct layout *l, const char *from, const char *to);

/* A global symbol of the table, AT bytes from its start. */
void layout_add_symbol(struct layout *l, const char *name, unsigned bind, unsigned visibility, uint64_t at,
                       uint64_t size);

/* Appends a relocation of the table. */
sm_status layout_add_relocation(struct layout *l, uint64_t at, uint32_t type, size_t symbol, int64_t addend);

/* Writes the file, if S is SM_OK and nothing has failed, and frees all. */
sm_status layout_end(struct layout *l, sm_status s);

#endif
