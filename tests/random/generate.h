/* generate.h - programs that nobody wrote: modules in LLVM's text, made from a seed.
 *
 * A program is well-typed by construction, ends (all its functions draw on one supply of fuel, and its other loops are
 * counted), and has no undefined behaviour: what is loaded was stored, references are tested before they are followed,
 * derived pointers stay in their objects. What it computes depends on no address, so it is the same at every
 * optimisation level, on every target, and under every collector.
 *
 * It defines `i64 @program(i64)`, calls what world.h has, and has no poll of its own: who compiles it chooses one. */
#ifndef RANDOM_GENERATE_H
#define RANDOM_GENERATE_H

#include "buf.h"

#include <stdint.h>

/* What a program may have beside references. Each program has about half of them, as many together hide each other.
 * X(NAME, "name", "what it is") */
#define FEATURE_MAP(X)                                                                                               \
    X(DERIVED, "derived", "pointers into objects, of constant and computed distance")                                \
    X(PHIS, "phis", "branches and switches that join in phis")                                                       \
    X(SELECTS, "selects", "selects of references and derived pointers")                                              \
    X(LOOPS, "loops", "loops that carry references, walk objects, chase lists; irreducible ones")                    \
    X(VECTORS, "vectors", "vectors of references and of pointers derived from them")                                 \
    X(AGGREGATES, "aggregates", "structs and arrays that hold references")                                           \
    X(ALLOCAS, "allocas", "references in stack slots")                                                               \
    X(CASTS, "casts", "references as integers and in another address space")                                         \
    X(INVOKES, "invokes", "exceptions, thrown and caught; landing pads are tokens")                                  \
    X(PADS, "pads", "landing pads give { ptr, i32 } instead; resume")                                                \
    X(DEOPT, "deopt", "deoptimisation values, and deoptimizations")                                                  \
    X(RECURSION, "recursion", "functions that call each other and themselves")                                       \
    X(FRAMES, "frames", "frames of dynamic size and over-aligned slots")                                             \
    X(REENTRY, "reentry", "managed code that C code calls back")                                                     \
    X(INDIRECT, "indirect", "calls by way of a table, and of closures")                                              \
    X(ATTRIBUTES, "attributes", "calling conventions, attributes of functions, parameters and loads")                \
    X(NUMBERS, "numbers", "floating-point values and vectors of integers that are alive across safepoints")          \
    X(MEMORY, "memory", "memcpy and memset of objects' words")                                                       \
    X(HANDLES, "handles", "references that the runtime keeps")                                                       \
    X(OPAQUE, "opaque", "intrinsics, assembly and structs that give back a pointer, derived ones too")               \
    X(ATOMICS, "atomics", "references that are exchanged in memory")                                                 \
    X(LISTS, "lists", "statepoints without a list, and lists on ordinary calls")                                     \
    X(HELPERS, "helpers", "functions that cannot collect, and some alike that do")                                   \
    X(SCOPES, "scopes", "slots that are roots for a while, and values that are")                                     \
    X(TYPES, "types", "references with a type")                                                                      \
    X(PINS, "pins", "objects that are pinned, and raw pointers into them")                                           \
    X(TAGS, "tags", "references as integers with tags")                                                              \
    X(ESCAPES, "escapes", "stack slots of references that others know, and that variables index")                    \
    X(COMPRESSED, "compressed", "references of 32 bits")                                                             \
    X(UNIONS, "unions", "words that are references or numbers, as a tag says")                                       \
    X(INLINED, "inlined",                                                                                            \
      "barriers, typed slots and scopes in functions that are inlined at calls, invokes, in loops")                  \
    X(BARRIERS, "barriers", "what is overwritten in an object is reported")                                          \
    X(SHADOW, "shadow", "functions of the shadow stack among the others")                                            \
    X(TRANSITIONS, "transitions", "GC transitions at calls of C code and of closures")

enum feature_number {
#define X(name, word, what) FEATURE_NUMBER_##name,
    FEATURE_MAP(X) FEATURES
#undef X
};
#define FEATURE(NAME) (UINT64_C(1) << FEATURE_NUMBER_##NAME)
#define FEATURES_ALL  ((UINT64_C(1) << FEATURES) - 1)

const char *feature_name(int number);

/* The bits of a comma-separated list of names; a list that begins with "-" is left out of all. 0 if a name is none. */
uint64_t features_parse(const char *list);

/* Statements of the generator, by kind: what was generated how often. */
#define STATEMENTS_MAX 96
enum { ROWS_MAX = 40, ROW_KINDS = 5 };
struct census {
    uint64_t programs, of_feature[FEATURES], of_statement[STATEMENTS_MAX];
    uint64_t of_row[ROWS_MAX][ROW_KINDS]; /* values of a kind that go through a row of core/ir/flow.c */
};
const char *row_name(int row); /* NULL: there are no more */
const char *row_kind_name(int kind);
int row_takes(int row, int kind);       /* boolean */
const char *statement_name(int number); /* NULL: there are no more */

/* Appends the program of this seed, of some of these features; the same whenever it is called. Gives the features that
 * it was made of. CENSUS may be NULL. */
uint64_t generate(uint64_t seed, uint64_t features, sm_buf *out, struct census *census);

#endif
