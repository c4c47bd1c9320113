/* elfjoin_parts.h - what the files of elfjoin.h share: a join under way, and its steps in the order in which
 * elfjoin_run.c takes them. */
#ifndef SM_ELFJOIN_PARTS_H
#define SM_ELFJOIN_PARTS_H

#include "elfjoin.h"

enum join_kind {
    JOIN_PLAIN,
    JOIN_ONCE,     /* the same in every part: the first is taken */
    JOIN_STACKMAP, /* .llvm_stackmaps */
    JOIN_FAULTMAP, /* .llvm_faultmaps */
};

#define JOIN_DROPPED UINT32_MAX

/* Where a part's section has gone. */
struct join_place {
    uint32_t
        section; /* of the joined object, an index into join.section; 0: it is no content, JOIN_DROPPED: others are taken */
    uint64_t at;
};

/* A section of the joined object. */
struct join_section {
    const char *name;
    enum join_kind kind;
    uint32_t part;         /* the first that has it */
    uint32_t type, number; /* number: its index in the file, 0 before it has one */
    uint64_t flags, align, entsize, size;
    uint32_t group;       /* index into join.group, 0: none */
    uint32_t symbol;      /* its own; 0: none */
    uint32_t relocations; /* number of the section that has them; 0: none */
    sm_buf bytes, relocs;
};

/* A group of sections, of which a linker keeps one. */
struct join_group {
    uint32_t part, section, number;
    const char *signature;
};

/* A symbol of a part in the joined object. */
struct join_symbol {
    uint32_t number; /* JOIN_DROPPED: it is not there */
    uint64_t shift;  /* what is added to addends that go with it */
};

struct join {
    const sm_elf *part;
    size_t parts;
    const sm_join_local *local;
    size_t locals;
    struct join_place **place;    /* owned: by part and section */
    struct join_symbol **symbol;  /* owned: by part and symbol */
    struct join_section *section; /* owned; [0] is none */
    size_t sections;
    struct join_group *group; /* owned; [0] is none */
    size_t groups;
    sm_buf strings, symtab;
    uint32_t symbols, first_global; /* of the joined object */
    char *why;
    size_t why_size;
};

sm_status join_refuse(struct join *j, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* The offset in .strtab of a text that is put there. */
uint32_t join_string(struct join *j, const char *text);

/* 1 if the part's section has relocations of a section that is kept. */
int join_has_relocations(const struct join *j, size_t part, size_t section);

/* elfjoin_sections.c: refuses a part that is not an object for the same machine as the first, or has sections that
 * are not joined. */
sm_status join_check_part(struct join *j, size_t p);
/* Joins the sections of all parts, but for relocations and symbols. */
sm_status join_sections(struct join *j);

/* elfjoin_write.c: numbers the file's sections: each group before its members, and relocations after what they are
 * of. *COUNT is the number of all. */
sm_status join_number_sections(struct join *j, uint32_t *count);
/* Writes the joined object, of COUNT sections. */
sm_status join_write_file(struct join *j, uint32_t count, sm_buf *out);

/* elfjoin_symbols.c: the joined symbol table, and join.symbol. Requires the sections' places */
sm_status join_symbols(struct join *j);

/* elfjoin_maps.c: the parts' tables as one, the bytes of joined section TO; places tell then how far address fields
 * have moved */
sm_status join_stackmap(struct join *j, uint32_t to);
sm_status join_faultmap(struct join *j, uint32_t to);
/* 1 if a part's table has an address field at this offset. */
int join_is_field(enum join_kind kind, sm_slice table, uint64_t offset);

#endif
