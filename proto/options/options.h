/* options.h - the compile options: one table that every reader and writer of options uses.
 *
 * A row of the table gives an option's name, type, bounds, default and help. The query parser, the JSON
 * parser, the canonical text, /v1/capabilities and the documentation come from it. Options arrive as
 * name and text; the canonical text names every keyed option once, in the table's order, in one spelling,
 * so that the same compile has the same text and thereby the same key.
 */
#ifndef SM_OPTIONS_H
#define SM_OPTIONS_H

#include "buf.h"

/* Bytes of a startup's name, with its terminator: a multiple of four, as options are compared as bytes. */
#define SM_STARTUP_TEXT 68

#define SM_OPT_TEXT_MAX 1024 /* bytes of the longest text value, with its terminator */

/* Bits of `emit`. */
enum {
    SM_EMIT_OBJ = 1,
    SM_EMIT_IR = 2,
    SM_EMIT_ASM = 4,
    SM_EMIT_DISASM = 8,
    SM_EMIT_REMARKS = 16,
    SM_EMIT_MODERN = 32,
    SM_EMIT_STAGES = 64,
    SM_EMIT_LINKS = 128,
    SM_EMIT_INTEL = 256, /* the disassembly, of x86 in Intel's syntax */
    SM_EMIT_LINES = 512,
};
/* Bits of `safepoints`; `none` is 0. */
enum { SM_SP_ENTRY = 1, SM_SP_BACKEDGE = 2, SM_SP_RETURN = 4, SM_SP_PRECALL = 8, SM_SP_POSTCALL = 16 };
/* Bits of `elide`: which calls are no safepoints. */
enum { SM_ELIDE_LEAF = 1, SM_ELIDE_READNONE = 2, SM_ELIDE_NORETURN = 4, SM_ELIDE_ARGUMENTS = 8 };
/* Values of the choices, in the order of their words in the table. */
enum { SM_OPT_0, SM_OPT_1, SM_OPT_2, SM_OPT_3, SM_OPT_S, SM_OPT_Z };
enum { SM_RELOC_PIC, SM_RELOC_STATIC };
enum { SM_CM_DEFAULT, SM_CM_TINY, SM_CM_SMALL, SM_CM_KERNEL, SM_CM_MEDIUM, SM_CM_LARGE };
enum { SM_FP_MODULE, SM_FP_NONE, SM_FP_NON_LEAF, SM_FP_ALL };
enum { SM_NULL_EXPLICIT, SM_NULL_IMPLICIT };
enum { SM_SPLIT_NEVER, SM_SPLIT_AUTO, SM_SPLIT_FUNCTIONS };
enum { SM_STACKMAP_LLVM, SM_STACKMAP_COMPACT, SM_STACKMAP_GCMAP };
enum { SM_UNWIND_ALWAYS, SM_UNWIND_MODULE };
enum { SM_REGISTERS_AUTO = -1 };
enum { SM_BASES_EXACT, SM_BASES_NONE };
enum { SM_CHAIN_GLOBAL, SM_CHAIN_THREAD_LOCAL };
enum { SM_TRANSITION_MODULE, SM_TRANSITION_FLAG };
enum { SM_VERIFY_OFF, SM_VERIFY_IR, SM_VERIFY_SAFEPOINTS };
enum { SM_SCOPED_STRICT, SM_SCOPED_NULL_INIT };
enum { SM_DIALECT_AUTO, SM_DIALECT_MODERN, SM_DIALECT_TYPED };
enum { SM_CACHING_USE, SM_CACHING_BYPASS, SM_CACHING_REFRESH, SM_CACHING_ONLY };
enum { SM_PRIORITY_INTERACTIVE, SM_PRIORITY_BATCH };

typedef struct sm_options {
    char name[256];   /* the module's name: what LLVM takes for its file name */
    char target[128]; /* a triple; "" is the module's own, or x86_64-unknown-linux-gnu if it names none */
    char cpu[64];     /* "" is LLVM's generic CPU of the target */
    char features[SM_OPT_TEXT_MAX]; /* LLVM's form: "+avx2,-bmi" */
    char gc[64];                    /* the strategy for functions that have none */
    char barrier[256];              /* module | card:BASE:SHIFT | satb:SYMBOL:FLAG | load:SLOW:MASK, with commas */
    char poll[256];                 /* module | call:SYMBOL | flag:SYMBOL:SLOW | page:SYMBOL | tls:SYMBOL:OFFSET */
    int opt, reloc, code_model, frame_pointer, unwind, verify, priority, stackmap_format, null_checks, split;
    char leaf[SM_OPT_TEXT_MAX];         /* functions that never collect, comma-separated */
    char after[SM_OPT_TEXT_MAX];        /* steps that the module is shown after, comma-separated */
    unsigned emit, safepoints;          /* bits */
    unsigned tiers;                     /* bits: 1 << SM_OPT_0 and so on, 0 for `opt` alone */
    unsigned elide;                     /* bits */
    int gc_registers;                   /* how many values may stay in callee-saved registers across a statepoint, or
                                           SM_REGISTERS_AUTO */
    int remat;                          /* boolean */
    int all_backedges, split_backedges; /* booleans */
    int counted_loop_bits;
    int counted_loop_turns; /* between two polls of a counted loop; 0: none, or one at each, by counted_loop_bits */
    int poll_interval;      /* iterations between polls at backedges; 0: as LLVM places them */
    int deadline_ms;
    int cache, explain;
    int dialect;
    int scoped_roots;
    char tag_mask[32];  /* a number */
    char spaces[256];   /* SPACE:32[:SHIFT[:BASE]], comma-separated */
    char allocate[128]; /* the name of a function; "" is none */
    int transition, barriers, shadow_chain, bases;
    char incremental
        [68]; /* the key of an artifact whose parts may be taken over; "" is none. Of a size that needs no padding, since
                             options are compared as bytes */
    char startup[SM_STARTUP_TEXT]; /* the name that what is asked for is recorded under; "": it is not */
} sm_options;

enum sm_option_type { SM_OPTION_TEXT, SM_OPTION_CHOICE, SM_OPTION_SET, SM_OPTION_INT, SM_OPTION_BOOL };

typedef struct sm_option_row {
    const char *name;
    enum sm_option_type type;
    size_t offset;     /* of the field in sm_options */
    size_t size;       /* of a text's field */
    int min, max;      /* of an integer */
    const char *words; /* of a choice or a set: comma-separated; a set's n-th word is bit n; a set also takes "none"
                          if MIN is 0. Of an integer: one word, which stands for MIN - 1; NULL: none */
    const char *dflt;  /* the default, as text */
    int keyed;         /* does it change what the compile gives? */
    const char *help;
} sm_option_row;

/* The table, and its number of rows. */
const sm_option_row *sm_option_table(size_t *rows);
const sm_option_row *sm_option_find(const char *name); /* the option's row; NULL if there is none */

/* What was wrong with an option, for the caller to show. */
typedef struct sm_option_error {
    char option[64];   /* its name as given, shortened if need be */
    char message[512]; /* one sentence */
} sm_option_error;

/* All defaults. */
void sm_options_init(sm_options *o);

/* Sets one option from text. VALUE need not be terminated. SM_UNKNOWN_OPTION (the message names the nearest known
 * name) or SM_INVALID_OPTION (the message names the bounds or the words); *o is unchanged then. ERR may be NULL. */
sm_status sm_options_set(sm_options *o, const char *name, const char *value, size_t value_len, sm_option_error *err);

/* 1 if what was compiled before is an answer: with cache=use and cache=only. */
static inline int sm_options_read_cache(const sm_options *o) {
    return o->cache == SM_CACHING_USE || o->cache == SM_CACHING_ONLY;
}

/* Appends one option's value in its canonical spelling. */
sm_status sm_option_value(const sm_options *o, const sm_option_row *row, sm_buf *out);

/* Appends the canonical text: a line "name=value\n" for each row, in the table's order; only keyed rows if
 * KEYED_ONLY. */
sm_status sm_options_text(const sm_options *o, int keyed_only, sm_buf *out);

/* Reads canonical text (all rows or some) over the defaults. */
sm_status sm_options_parse(sm_options *o, const char *text, size_t len, sm_option_error *err);

/* The entry of a NULL-terminated list that NAME probably means: the nearest by edit distance, if near enough, or the
 * only one of the same beginning; NULL if there is none. */
const char *sm_nearest(const char *name, const char *const *list);

/* 1 if it can be a startup's name (the option `startup`). */
int sm_startup_valid(const char *name, size_t len);

#endif
