/* gen.h - the generator's parts. In the order in which they build on one another:
 *
 *     values.c    values in scope: how one is picked, made and used up
 *     straight.c  statements that stay in their block: arithmetic, memory, derived pointers, vectors, aggregates, slots
 *     calls.c     calls, what stands behind them, and what ends a block
 *     roots.c     scoped, typed, pinned and tagged roots, and slots that others know
 *     compressed.c compressed references
 *     closures.c  closures, and unions
 *     rows.c      what passes a value on
 *     kinds.c     what is of another kind than the program's functions: barriers, shadow-stack functions, native code
 *     control.c   branches, loops, exceptions; regions of statements
 *     module.c    functions, and the module around them
 */
#ifndef RANDOM_GEN_H
#define RANDOM_GEN_H

#include "generate.h"
#include "world.h"

enum kind {
    WORD,         /* i64 */
    HALF,         /* i32 */
    BIT,          /* i1 */
    REAL,         /* double, finite or infinite */
    REF,          /* a reference, or null */
    INTERIOR,     /* a pointer to a word of an object */
    FIELD,        /* a pointer to a field of an object that may be null */
    PAIR,         /* a vector of two references */
    INTERIORS,    /* a vector of two pointers to words */
    STRUCT,       /* { reference, i64 } */
    ARRAY,        /* [2 x reference] */
    LANES,        /* a vector of four i32 */
    TAGGED,       /* a reference that is not null, as an i64 with tags */
    SMALL,        /* a compressed reference, or null */
    SMALL_PAIR,   /* a vector of two of them */
    SMALL_STRUCT, /* { compressed reference, i64 } */
    CLOSURE,      /* { reference that is not null, code of one of the last two functions } */
    CELL,         /* a stack slot that holds a reference */
    BOX,          /* a stack slot of AFTER + 1 words, aligned to BEFORE bytes */
    KINDS
};

struct value {
    enum kind kind;
    int nonnull;       /* of a reference, and of a cell's content */
    int before, after; /* of an interior pointer: so many words of the object stand before and behind it */
    char text[24];
};

enum { SCOPE = 2000, PARAMETERS = 10, FUNCTIONS = 6, ROOM = 1 << 20 };

struct function {
    char name[16];
    int id, parameters;
    struct value parameter[PARAMETERS]; /* the first is a reference that is not null */
    enum kind result;
    int throws;           /* boolean: an exception may leave it */
    int deoptimizes;      /* boolean: it may end so; it throws, and is not inlined, as nobody goes on in its caller */
    int is_native;        /* boolean: its call is a GC transition */
    char environment[24]; /* "", or the first argument: NAME is then the text of the callee */
    const char *convention; /* "" or with a space behind it */
};

struct gen {
    uint64_t random;
    uint64_t features;
    struct census *census;
    sm_buf *out;
    struct function function[FUNCTIONS];
    int functions;

    /* Of the function that is made. */
    const struct function *self;
    struct value value[SCOPE];
    size_t values;
    int names;      /* used so far */
    char block[16]; /* the label of the block that is filled */
    int budget;     /* of statements that contain others, so that functions do not grow without end */
    int nesting, loops;
};

/* ---- Chance ---- */
uint64_t any(struct gen *g, uint64_t n);             /* 0 to N - 1 */
int chance(struct gen *g, int percent);              /* boolean */
int has(const struct gen *g, uint64_t feature);      /* boolean; 0 asks for nothing */
const char *one_of(struct gen *g, const char *list); /* one of the words of "a|b|c", in static storage */

/* ---- Text ---- */
void line(struct gen *g, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void label_new(struct gen *g, char label[16]);
void block_start(struct gen *g, const char *label);

/* ---- values.c ---- */
const char *type_of(enum kind kind);
struct value value_new(struct gen *g, enum kind kind); /* a name that nothing defines yet */
void value_add(struct gen *g, struct value v);         /* it is in scope */
struct value pick(struct gen *g, enum kind kind);      /* one in scope, or made here */
struct value pick_object(struct gen *g);               /* a reference that is not null */
struct value pick_interior(struct gen *g, int before, int after);
struct value pick_box(struct gen *g, enum kind kind, int *found);
struct value not_null(struct gen *g, struct value reference);
struct value constant(struct gen *g);
void use_up(struct gen *g, struct value v); /* what it is, or leads to, counts for the program's result */
void add_up(struct gen *g, const char *word);
enum kind any_kind(struct gen *g); /* one that the program's features have and phis can join */
struct value word_at(struct gen *g, struct value object, const char *index); /* the interior pointer */
struct value init_object(struct gen *g, struct value object);

/* ---- Statements. Each adds to the scope what it makes ---- */
typedef void statement(struct gen *g);
statement s_arithmetic, s_compare, s_load, s_store, s_chase, s_link, s_derive, s_advance, s_through, s_field,
    s_select, s_freeze, s_identity, s_use;
statement s_real, s_half, s_lanes, s_lanes_memory;
statement s_pair, s_pair_memory, s_shuffle, s_interiors, s_gather, s_struct, s_struct_take, s_array,
    s_aggregate_memory;
statement s_cell, s_cell_set, s_cell_get, s_box, s_box_dynamic, s_touch, s_cast, s_distance, s_copy, s_fill;
statement s_give_back, s_mask, s_repack, s_lanes_kept, s_exchange;
statement s_statepoint, s_listed;
statement s_new, s_make, s_collect, s_note, s_call, s_call_table, s_helper, s_reenter, s_observe, s_keep, s_kept;
statement s_scope, s_value, s_typed, s_pin, s_tag, s_untag, s_tag_slot, s_compress, s_decompress, s_small_load,
    s_small_same, s_small_pair, s_small_struct, s_small_exchange, s_escape, s_escape_small, s_optional, s_crowded;
statement s_closure_slot, s_closure_call, s_closure_invoke, s_union_set, s_union_get, s_inlined, s_inlined_invoke;
statement s_rooted, s_native, s_late, s_row;
statement s_branch, s_switch, s_loop_fuelled, s_loop_counted, s_loop_walk, s_loop_chase, s_irreducible, s_invoke,
    s_invoke_two;

/* ---- calls.c ---- */
void fuel_take(struct gen *g, char spent[24]); /* SPENT is a bit: there is none left */
/* The text of a call of F from after "call" or "invoke": result, name, arguments; what its arguments are is picked. */
void call_text(struct gen *g, const struct function *f, sm_buf *out);
void deopt_text(struct gen *g, sm_buf *out); /* " [ "deopt"(…) ]", or nothing */
int may_call(const struct gen *g, const struct function *f, int may_throw);
void call_plain(struct gen *g, const struct function *f); /* a call; its result is in scope */
#define RESULT_NAME "llvm.experimental.gc.result.k"       /* and the number of the kind; module.c declares them */
void call_statepoint(struct gen *g, const struct function *f);
const struct function *any_function(struct gen *g, int may_throw);
void block_end(struct gen *g); /* a return, a deoptimization or a throw: nothing follows in this block */
void return_default(struct gen *g);

/* ---- roots.c ---- */
void roots_declare(struct gen *g);
void roots_define(struct gen *g, const char *gc);
void roots_begin(struct gen *g); /* of a function: the slots that it may need */
struct value make_tagged(struct gen *g);
struct value untagged(struct gen *g, struct value tagged);
void pass_time(struct gen *g);                       /* a safepoint, or two */
struct value cell_at(struct gen *g, enum kind kind); /* the address of a slot that others know */

/* ---- compressed.c ---- */
struct value make_small(struct gen *g);
struct value make_small_pair(struct gen *g);
struct value make_small_struct(struct gen *g);
struct value small_in(struct gen *g, struct value of, int index);
struct value whole(struct gen *g, struct value small);

/* ---- closures.c ---- */
void closures_declare(struct gen *g);
void closures_define(struct gen *g, const char *gc);
void closures_begin(struct gen *g); /* of a function: the slot for one */
struct value make_closure(struct gen *g);
void hide_callee(struct gen *g, const struct function *f, char text[24]); /* F's code, of which nothing is known */
int end_musttail(struct gen *g); /* a block's end; 0 if there can be none here */

/* ---- rows.c ---- */
void rows_define(struct gen *g);

/* ---- kinds.c ---- */
void kinds_declare(struct gen *g);
void kinds_define(struct gen *g, const char *gc);
int is_transition(struct gen *g);                 /* boolean: by chance, where the program has them */
void transition_text(struct gen *g, sm_buf *out); /* a bundle; others of the call in it, too */
const char *no_references(const struct gen *g);   /* an attribute of copies, where there are barriers */

/* ---- control.c ---- */
/* Statements up to COUNT; gives 0 if its last block has ended. MAY_END: whether it may. */
int region(struct gen *g, int count, int may_end);
void call_any(struct gen *g,
              const struct function *f); /* an invoke, where an exception must not leave this function */

#endif
