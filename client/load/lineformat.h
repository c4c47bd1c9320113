/* lineformat.h - what the writer and the reader of linetable.h's tables share. */
#ifndef LINEFORMAT_H
#define LINEFORMAT_H

#include <stddef.h>
#include <stdint.h>

enum {
    LINES_GROUP = 8,     /* functions, scopes or files between two that are found at once */
    LINES_PADDING = 16,  /* bytes of 0 behind bits, which are read by more than one */
    LINES_STEP_BITS = 3, /* the Ks of linetable.h */
    LINES_COUNT_BITS = 1,
    LINES_LINE_BITS = 6,
    LINES_WIDTH_BITS = 2,
    LINES_BYTES_BITS = 4,
};

#ifdef __aarch64__
enum { LINES_STEP = 4 }; /* bytes */
#else
enum { LINES_STEP = 1 };
#endif

struct line_table {
    unsigned char *stream; /* owned: groups of functions, numbered as those of the map are */
    size_t stream_len;
    uint32_t *stream_at; /* owned: where function LINES_GROUP, 2 * LINES_GROUP, … is */
    size_t codes;
    unsigned char *scope; /* owned: groups of scopes */
    size_t scope_len;
    uint32_t *scope_at; /* owned */
    uint32_t scopes;
    char *file;        /* owned: groups of files' names, each terminated */
    uint32_t *file_at; /* owned */
    uint32_t files;
    size_t name_len, directories_len; /* bytes: of names, in `scope`; of the three directories */
    int has_all;                      /* boolean: of all code */
};

/* How many bits the numbers from 0 up to LAST take. */
static inline unsigned bits_for(uint64_t last) {
    return last ? 64 - (unsigned)__builtin_clzll(last) : 0;
}

#endif
