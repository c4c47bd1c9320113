/* marks.h - the names of attributes, metadata and functions by which smd marks what is in a module: one table.
 *
 * INPUT marks are the module's, and may stay. LOWERED ones it may come with, and none is left when code is generated. SMD's
 * are private: a module that comes with one is refused, and none is left either. internal_names.c looks at this. A name
 * that ends in a dot begins others.
 *
 * Not here: names that LLVM knows (llvm.gcroot, "gc-leaf-function"), and those of values, which mark nothing.
 */
#ifndef CORE_MARKS_H
#define CORE_MARKS_H

/* clang-format off */

/* Attributes of functions and of calls. */
#define ALLOCATE_ATTRIBUTE      "smd-allocate"      /* the function allocates objects; it is inlined when polls are placed */
#define BARRIERS_ATTRIBUTE      "smd-barriers"      /* auto or off, whatever the option says */
#define DEOPTIMIZE_ATTRIBUTE    "smd-deoptimize"    /* what gives the results of the function's deoptimizations */
#define ELIDE_ATTRIBUTE         "smd-elide"         /* when a barrier's hook need not be called */
#define INTERVAL_ATTRIBUTE      "smd-poll-interval" /* iterations from poll to poll */
#define NO_REFERENCES_ATTRIBUTE "smd-no-references" /* a copy or memset writes none */
#define POLLS_ATTRIBUTE         "smd-safepoints"    /* where the function polls */

#define CALLS_ATTRIBUTE         "smd-kept-calls"    /* the function was not to be changed: deoptimizations */
#define ENTERED_ATTRIBUTE       "smd-entered"       /* the function's entry has its poll */
#define GC_ATTRIBUTE            "smd-kept-gc"       /* the strategy that the function has beside the passes' */
#define HOOK_ATTRIBUTE          "smd-hook"          /* a call to be inlined late; a function that smd has written for one */
#define INFERRED_ATTRIBUTE      "smd-leaf"          /* a leaf by what its callee does, which is looked at again */
#define INLINED_ATTRIBUTE       "smd-inlined"       /* a function or call is to be inlined always, by the optimiser */
#define LINKAGE_ATTRIBUTE       "smd-linkage"       /* the function's own linkage, by its number */
#define LISTED_ATTRIBUTE        "smd-listed"        /* the optimiser leaves the function alone */
#define NO_BUILTINS_ATTRIBUTE   "smd-no-builtins"   /* which attributes forbid the optimiser memset and its like */
#define NO_RETURN_ATTRIBUTE     "smd-noreturn"      /* the function has noreturn */
#define OPTNONE_ATTRIBUTE       "smd-optnone"       /* the function has optnone */
#define PLUGIN_GC_ATTRIBUTE     "smd-plugin-gc"     /* the function's strategy, of a library */
#define REASON_ATTRIBUTE        "smd-reason"        /* why a call is a safepoint; it survives inlining and the rewrite */
#define WORDS_ATTRIBUTE         "smd-deopt-words"   /* 'w' for each deoptimisation value that is the word in the slot given */
#define TAGGED_ATTRIBUTE        "smd-tagged"        /* a scope of a slot with a tagged reference begins */
#define TRANSITION_ATTRIBUTE    "smd-transition"    /* a call is a GC transition, to the function of this name */
#define UNLISTED_ATTRIBUTE      "smd-unlisted"      /* a statepoint came without a list */
#define UNWINDS_ATTRIBUTE       "smd-unwinds"       /* a transition was an invoke */
/* FRAME_ATTRIBUTE, of base/state.h: the function that the frame of a transition was written for. It stays. */

/* Metadata of allocas and of loads. */
#define TYPE_METADATA           "smd.type"          /* the type of a root */
#define ADDRESS_METADATA        "smd.address"       /* a load gives an address as an integer */
#define IMMEDIATE_METADATA      "smd.immediate"     /* a load gives a number */
#define TURN_METADATA           "smd.turn"          /* a condition that is hidden while a loop is unrolled */

/* Functions that are only declared. */
#define TO_INT                  "smd.gc.to_int"
#define FROM_INT                "smd.gc.from_int"
#define TAG_NUMBER              "smd.gc.number"
#define PIN                     "smd.gc.pin"
#define UNPIN                   "smd.gc.unpin"
#define FRAME_STATE             "smd.gc.state"
#define DECLARE                 "llvm.gc.declare"
#define UNDECLARE               "llvm.gc.undeclare"
#define GC_VALUE                "llvm.gc.value"
#define GC_READ                 "llvm.gcread"
#define GC_WRITE                "llvm.gcwrite"

#define OWN_READ                "smd.gcread"        /* llvm.gcread of a function of any type; likewise */
#define OWN_WRITE               "smd.gcwrite"
#define COMPRESS                "smd.space.compress."   /* a cast to a compressed reference, and back */
#define DECOMPRESS              "smd.space.decompress."
#define BITS_OF                 "smd.space.bits."       /* the bits of one, for a load barrier */
#define DEOPT_VALUE             "smd.deopt.value"   /* a derived pointer in a state */
#define HIDDEN_RELOCATE         "smd.llvm.experimental.gc.relocate" /* on landing pads while the module is text */
#define ITERATION               "smd.poll.mark"     /* an iteration begins */
#define LATE_VALUE              "smd.late"          /* llvm.gc.value while polls are placed */
#define LAST_USE                "smd.use"           /* a reference is alive up to here: its scope ends */
#define LISTED                  "smd.listed"        /* what an ordinary call lists */
#define NEXT_OBJECT             "smd.next"          /* the object after one that the module allocates itself */
#define NUMBERED                "smd.numbered."     /* an old statepoint's token, as a number */
#define POLL_DECLARED           "smd.poll.declared" /* the module's own poll, which is only declared, while one that calls it is placed */
#define POLL_PROBE              "smd.poll.probe"    /* called by the stand-in that tells whether a poll would have been needed */
#define SCOPE                   "smd.scope."        /* where scopes begin and end */
#define TAGGED_WORD             "smd.tagged"        /* the tagged reference that it takes, where the optimiser may not lose it */
#define TYPED_SLOT              "smd.typed"         /* a slot and its type */
#define OPAQUE_MASK             "smd.mask."         /* llvm.ptrmask, which the optimiser may not see */
#define OPAQUE_WORD             "smd.word."         /* the integer that it takes, which the optimiser may not see */

/* What smd defines in a module. */
#define CALL_STAND_IN           "smd.call."         /* then the reason, a dot, and the function's own name */
#define CARD_FORMAT             "smd.%s.p%u.p%u"    /* a barrier's kind, and two address spaces */
#define CLEARING_FUNCTION       "smd.clear"         /* stores null in all of a slot */
#define GLOBALS_LIST            "smd.globals"       /* the module's own: globals that are roots */
#define KEPT_SYMBOLS            "smd.kept"          /* uses that the optimiser does not see */
#define PART_PREFIX             "smd.part."         /* how parts find what is internal or has no name */
#define POLL_COUNT              "smd.poll.count"    /* at a backedge */
#define POLL_REST               "smd.poll.rest"     /* before a return */
#define POLL_SLOW               "smd.poll.slow"     /* calls what a flag's poll calls, and saves what that changes */
#define TRANSITION_ENTER        "smd.transition.enter"
#define TRANSITION_LEAVE        "smd.transition.leave"
#define TYPES_TABLE             "smd.types"         /* types of roots that are symbols */

/*  ROW(the name, of what, whose, who sets it, who removes it) */
#define MARKS(ROW) \
    ROW(ALLOCATE_ATTRIBUTE,      ATTRIBUTE, INPUT, "the module, barriers/late_inline.c", "nobody") \
    ROW(BARRIERS_ATTRIBUTE,      ATTRIBUTE, INPUT, "the module", "nobody") \
    ROW(DEOPTIMIZE_ATTRIBUTE,    ATTRIBUTE, INPUT, "the module", "nobody") \
    ROW(ELIDE_ATTRIBUTE,         ATTRIBUTE, INPUT, "the module", "nobody") \
    ROW(INTERVAL_ATTRIBUTE,      ATTRIBUTE, INPUT, "the module, strategy/profiles.c", "nobody") \
    ROW(NO_REFERENCES_ATTRIBUTE, ATTRIBUTE, INPUT, "the module", "nobody") \
    ROW(POLLS_ATTRIBUTE,         ATTRIBUTE, INPUT, "the module, strategy/profiles.c, barriers/transitions.c", "nobody") \
    ROW(FRAME_ATTRIBUTE,         ATTRIBUTE, INPUT, "barriers/transitions.c", "nobody") \
    ROW(CALLS_ATTRIBUTE,         ATTRIBUTE, SMD, "safepoints/deopt.c", "safepoints/deopt.c") \
    ROW(ENTERED_ATTRIBUTE,       ATTRIBUTE, SMD, "safepoints/place.c", "safepoints/place.c") \
    ROW(GC_ATTRIBUTE,            ATTRIBUTE, SMD, "safepoints/place.c", "safepoints/place.c") \
    ROW(HOOK_ATTRIBUTE,          ATTRIBUTE, SMD, "barriers/late_inline.c", "barriers/late_inline.c") \
    ROW(INFERRED_ATTRIBUTE,      ATTRIBUTE, SMD, "safepoints/leaf_calls.c", "safepoints/leaf_calls.c") \
    ROW(INLINED_ATTRIBUTE,       ATTRIBUTE, SMD, "ir/passes.c", "ir/passes.c") \
    ROW(LINKAGE_ATTRIBUTE,       ATTRIBUTE, SMD, "barriers/late_inline.c", "barriers/late_inline.c") \
    ROW(LISTED_ATTRIBUTE,        ATTRIBUTE, SMD, "optimize/live_lists.c", "optimize/live_lists.c") \
    ROW(NO_BUILTINS_ATTRIBUTE,   ATTRIBUTE, SMD, "llvm19/builtins.c", "llvm19/builtins.c") \
    ROW(NO_RETURN_ATTRIBUTE,     ATTRIBUTE, SMD, "rewrite/gc_live_bundles.c", "rewrite/gc_live_bundles.c") \
    ROW(OPTNONE_ATTRIBUTE,       ATTRIBUTE, SMD, "ir/passes.c", "ir/passes.c") \
    ROW(PLUGIN_GC_ATTRIBUTE,     ATTRIBUTE, SMD, "safepoints/place.c", "safepoints/place.c") \
    ROW(REASON_ATTRIBUTE,        ATTRIBUTE, LOWERED, "ir/attributes.c, safepoints/poll.c, rewrite/unlisted_statepoints.c", "emit/record_ids.c") \
    ROW(TAGGED_ATTRIBUTE,        ATTRIBUTE, SMD, "encoded/tags.c", "roots/scope_attach.c, with its call") \
    ROW(TRANSITION_ATTRIBUTE,    ATTRIBUTE, SMD, "barriers/transitions.c", "emit/record_ids.c") \
    ROW(UNLISTED_ATTRIBUTE,      ATTRIBUTE, SMD, "rewrite/unlisted_statepoints.c", "rewrite/unlisted_statepoints.c") \
    ROW(UNWINDS_ATTRIBUTE,       ATTRIBUTE, SMD, "barriers/transitions.c", "barriers/transitions.c") \
    ROW(WORDS_ATTRIBUTE,         ATTRIBUTE, SMD, "roots/value_slots.c", "emit/record_ids.c") \
    ROW(TYPE_METADATA,           METADATA,  INPUT, "the module", "nobody") \
    ROW(ADDRESS_METADATA,        METADATA,  SMD, "optimize/integer_aliases.c", "optimize/integer_aliases.c") \
    ROW(IMMEDIATE_METADATA,      METADATA,  SMD, "optimize/integer_aliases.c", "optimize/integer_aliases.c") \
    ROW(TURN_METADATA,           METADATA,  SMD, "safepoints/unroll.c", "safepoints/unroll.c") \
    ROW(TO_INT,                  FUNCTION,  LOWERED, "the module", "encoded/tags.c") \
    ROW(FROM_INT,                FUNCTION,  LOWERED, "the module", "encoded/tags.c") \
    ROW(TAG_NUMBER,              FUNCTION,  LOWERED, "the module", "encoded/tags.c") \
    ROW(PIN,                     FUNCTION,  LOWERED, "the module", "roots/pins.c") \
    ROW(UNPIN,                   FUNCTION,  LOWERED, "the module", "roots/pins.c") \
    ROW(FRAME_STATE,             FUNCTION,  LOWERED, "the module", "safepoints/frame_state.c") \
    ROW(DECLARE,                 FUNCTION,  LOWERED, "the module", "roots/scopes.c") \
    ROW(UNDECLARE,               FUNCTION,  LOWERED, "the module", "roots/scopes.c") \
    ROW(GC_VALUE,                OVERLOADED, LOWERED, "the module", "roots/value_slots.c") \
    ROW(GC_READ,                 OVERLOADED, LOWERED, "the module", "barriers/barriers.c, or code generation") \
    ROW(GC_WRITE,                OVERLOADED, LOWERED, "the module", "barriers/barriers.c, or code generation") \
    ROW(OWN_READ,                OVERLOADED, SMD, "barriers/barriers.c", "barriers/barriers.c") \
    ROW(OWN_WRITE,               OVERLOADED, SMD, "barriers/barriers.c", "barriers/barriers.c") \
    ROW(COMPRESS,                FUNCTION,  SMD, "encoded/compressed_input.c", "encoded/compressed_slots.c") \
    ROW(DECOMPRESS,              FUNCTION,  SMD, "encoded/compressed_input.c", "encoded/compressed_slots.c") \
    ROW(BITS_OF,                 FUNCTION,  SMD, "barriers/barrier_kinds.c", "encoded/compressed_slots.c") \
    ROW(DEOPT_VALUE,             FUNCTION,  SMD, "rewrite/deopt_state.c", "rewrite/deopt_state.c") \
    ROW(HIDDEN_RELOCATE,         FUNCTION,  SMD, "llvm19/landing_pads.c", "llvm19/landing_pads.c") \
    ROW(ITERATION,               FUNCTION,  SMD, "safepoints/interval.c", "safepoints/interval.c") \
    ROW(LATE_VALUE,              FUNCTION,  SMD, "roots/value_slots.c", "roots/scope_attach.c") \
    ROW(LAST_USE,                FUNCTION,  SMD, "roots/scopes.c", "rewrite/rewrite.c") \
    ROW(LISTED,                  FUNCTION,  SMD, "rewrite/gc_live_bundles.c", "rewrite/gc_live_bundles.c") \
    ROW(NEXT_OBJECT,             FUNCTION,  SMD, "optimize/own_allocations.c", "optimize/own_allocations.c") \
    ROW(NUMBERED,                FUNCTION,  SMD, "input/old_statepoints.c", "input/old_statepoints.c") \
    ROW(POLL_DECLARED,           FUNCTION,  SMD, "safepoints/poll.c", "safepoints/poll.c") \
    ROW(POLL_PROBE,              FUNCTION,  SMD, "safepoints/poll.c", "safepoints/poll.c") \
    ROW(SCOPE,                   FUNCTION,  SMD, "roots/scope_marks.c", "roots/scope_attach.c") \
    ROW(TAGGED_WORD,             FUNCTION,  SMD, "encoded/tags.c", "encoded/tags.c") \
    ROW(TYPED_SLOT,              FUNCTION,  SMD, "roots/typed_roots.c", "roots/typed_roots.c") \
    ROW(OPAQUE_MASK,             FUNCTION,  SMD, "llvm19/pointer_masks.c", "llvm19/pointer_masks.c") \
    ROW(OPAQUE_WORD,             FUNCTION,  SMD, "ir/keep_casts.c", "ir/keep_casts.c") \
    ROW(CALL_STAND_IN,           DEFINITION, SMD, "gcroot/root_sites.c", "nobody: only in a clone") \
    ROW(CARD_FORMAT,             DEFINITION, SMD, "barriers/barrier_kinds.c", "barriers/late_inline.c, once it is inlined") \
    ROW(CLEARING_FUNCTION,       DEFINITION, SMD, "slots/slot_regions.c", "nobody: it is called") \
    ROW(GLOBALS_LIST,            DEFINITION, INPUT, "the module", "nobody") \
    ROW(KEPT_SYMBOLS,            DEFINITION, SMD, "barriers/late_inline.c", "barriers/late_inline.c") \
    ROW(PART_PREFIX,             DEFINITION, SMD, "emit/part.c", "emit/parts.c, from the joined object") \
    ROW(POLL_COUNT,              DEFINITION, SMD, "safepoints/interval.c", "safepoints/poll.c, once it is inlined") \
    ROW(POLL_REST,               DEFINITION, SMD, "safepoints/interval.c", "safepoints/poll.c, once it is inlined") \
    ROW(POLL_SLOW,               DEFINITION, SMD, "safepoints/poll.c", "nobody: it is called") \
    ROW(TRANSITION_ENTER,        DEFINITION, SMD, "barriers/transitions.c", "barriers/late_inline.c, once it is inlined") \
    ROW(TRANSITION_LEAVE,        DEFINITION, SMD, "barriers/transitions.c", "barriers/late_inline.c, once it is inlined") \
    ROW(TYPES_TABLE,             DEFINITION, SMD, "slots/root_types.c", "nobody: it is in the object")
/* clang-format on */

#endif
