/* lines.h - where in the source an instruction comes from, by an object's DWARF: file and line, and the calls that were
 * inlined around it.
 *
 * DWARF versions 2 to 5, 64-bit addresses, 32-bit offsets; of a relocatable object as it stands, or a linked file.
 * Compressed sections and split DWARF (.dwo) are not read: what they hold is not known then. So is whatever is
 * damaged: a reader of lines never refuses an object.
 *
 * Source: DWARF Debugging Information Format, Version 5, chapters 2.17, 3.3, 6.2, 7.5.
 */
#ifndef SM_LINES_H
#define SM_LINES_H

#include "elffile.h"

#define SM_LINES_NONE UINT32_MAX

/* An instruction: an offset in a section of a relocatable object; of a linked file the virtual address. */
typedef struct sm_instruction {
    uint32_t section;
    uint64_t offset;
} sm_instruction;

/* A function, or one that was inlined into another. */
typedef struct sm_scope {
    uint32_t outer;    /* index of the scope that it was inlined into; SM_LINES_NONE: into none */
    uint32_t function; /* text: the linkage name, or else the name; SM_LINES_NONE: not known */
    uint32_t file;     /* text: of the call that was inlined; SM_LINES_NONE */
    uint32_t line, column;
} sm_scope;

typedef struct sm_line {
    uint32_t scope;        /* the innermost; SM_LINES_NONE: not known */
    uint32_t file;         /* text; SM_LINES_NONE: not known */
    uint32_t line, column; /* 0: the compiler does not say */
} sm_line;

/* Begins as zeros. */
typedef struct sm_lines {
    sm_line *line; /* owned: one for each instruction asked for, in their order */
    size_t lines;
    sm_scope *scope; /* owned */
    size_t scopes;
    char *text; /* owned: all texts, each terminated; a text is where it begins */
    size_t text_len;
} sm_lines;

/* Fills L with where N instructions come from. SM_NOMEM, with nothing in it. Thread-safe. */
sm_status sm_lines_of(sm_lines *l, const sm_elf *e, const sm_instruction *at, size_t n);
void sm_lines_free(sm_lines *l);

/* 1 if the object has what this reads. */
int sm_lines_exist(const sm_elf *e);

/* A text; NULL for SM_LINES_NONE. */
const char *sm_lines_text(const sm_lines *l, uint32_t text);

/* A frame of the source at an instruction. */
typedef struct sm_source {
    const char *function, *file; /* borrowed; NULL if not known */
    uint32_t line, column;
} sm_source;

/* Where sm_lines_next is; begins as zeros. */
typedef struct sm_line_walk {
    uint32_t scope, step;
} sm_line_walk;

/* The next frame of line I, the innermost first. 0 after the last one, at once if nothing is known. */
int sm_lines_next(const sm_lines *l, size_t i, sm_line_walk *w, sm_source *out);

#endif
