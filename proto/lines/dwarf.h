/* dwarf.h - what the files of lines.h share: DWARF sections that are being read. */
#ifndef SM_DWARF_H
#define SM_DWARF_H

#include "lines.h"

enum dwarf_section {
    DWARF_INFO,
    DWARF_ABBREV,
    DWARF_LINE,
    DWARF_STR,
    DWARF_LINE_STR,
    DWARF_STR_OFFSETS,
    DWARF_ADDR,
    DWARF_RANGES,
    DWARF_RNGLISTS,
    DWARF_SECTIONS,
};

/* An attribute of an abbreviation. */
struct dwarf_attribute {
    uint16_t name, form;
    int64_t constant; /* DW_FORM_implicit_const */
};

struct dwarf_abbrev {
    uint64_t code;
    uint16_t tag;
    uint8_t has_children;
    uint32_t first, count; /* range in dwarf.attribute */
};

/* A unit's header, and what its first entry says of it. */
struct dwarf_unit {
    size_t offset, entries, end; /* in .debug_info: of the header, of the first entry, of what follows */
    uint16_t version;
    uint8_t address_size, type;
    uint64_t abbrev;
    uint64_t low_pc, line, str_offsets, addr, rnglists;
    int has_line;
    const char *comp_dir;
};

/* An attribute's value. */
struct dwarf_value {
    enum { VALUE_NONE, VALUE_NUMBER, VALUE_ADDRESS, VALUE_TEXT, VALUE_REFERENCE, VALUE_LIST_INDEX } kind;
    uint64_t number;  /* of a reference: in .debug_info */
    const char *text; /* borrowed from the sections */
};

/* An instruction that is asked for, by its address. */
struct query {
    uint64_t address;
    uint32_t index;
};

struct dwarf {
    const sm_elf *elf;
    sm_slice section[DWARF_SECTIONS];
    unsigned char *copy[DWARF_SECTIONS]; /* owned: relocated bytes; NULL: the file's are read */
    struct dwarf_unit unit;              /* the current one */
    uint64_t abbrev_at;                  /* what the following were read of; UINT64_MAX: nothing */
    struct dwarf_abbrev *abbrev;         /* owned */
    size_t abbrevs, abbrev_cap;
    struct dwarf_attribute *attribute; /* owned */
    size_t attributes, attribute_cap;
    struct query *query; /* owned, ascending */
    size_t queries;
    sm_lines *out;
    size_t scope_cap;
    sm_buf text;     /* of OUT */
    uint32_t *texts; /* owned: hash table of texts, SM_LINES_NONE: free */
    size_t texts_len, text_slots;
    uint32_t *file; /* owned: texts of the unit's files by number; SM_LINES_NONE: not known */
    size_t files, file_cap;
    sm_status status; /* SM_NOMEM once memory was short */
};

/* dwarf.c */
sm_status dwarf_open(struct dwarf *d, const sm_elf *e);
void dwarf_close(struct dwarf *d);
uint64_t dwarf_address(const struct dwarf *d, uint32_t section, uint64_t offset);
sm_cursor dwarf_cursor(const struct dwarf *d, enum dwarf_section s, uint64_t from);
uint64_t get_uleb(sm_cursor *c);
int64_t get_sleb(sm_cursor *c);
const char *dwarf_string(const struct dwarf *d, enum dwarf_section s, uint64_t at);
const char *get_string(sm_cursor *c);

/* Room for one element more, of SIZE bytes, in an array of N; NULL if there is no memory. */
void *dwarf_grow(struct dwarf *d, void *array, size_t n, size_t *cap, size_t size);

/* The number of a text, which is added if it is new; SM_LINES_NONE of NULL, or without memory. */
uint32_t dwarf_text(struct dwarf *d, const char *text);

/* The queries from FROM up to TO: the first one, and how many. */
size_t dwarf_queries(const struct dwarf *d, uint64_t from, uint64_t to, size_t *first);

/* dwarf_entries.c: reads the unit's header at AT and its first entry; 0 if there is no unit. */
int dwarf_unit_at(struct dwarf *d, size_t at);

/* Reads the abbreviation of the entry at C; NULL at a null entry, and once C has failed. */
const struct dwarf_abbrev *dwarf_entry(struct dwarf *d, sm_cursor *c);

/* Reads a value of this form. C fails over a form that is not known. */
struct dwarf_value dwarf_value(const struct dwarf *d, sm_cursor *c, const struct dwarf_attribute *a);

/* The address behind number I of .debug_addr. */
uint64_t dwarf_indexed_address(const struct dwarf *d, uint64_t i);

/* dwarf_lines.c: gives the queries that the unit's line table knows their file and line; fills d->file. */
void dwarf_read_lines(struct dwarf *d);

/* dwarf_scopes.c: gives the queries that functions of the unit have their scope. */
void dwarf_read_scopes(struct dwarf *d);

#endif
