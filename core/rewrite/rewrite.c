/* rewrite.c - calls become statepoints (LLVM's rewrite-statepoints-for-gc): the list of steps before and after it. */
#include "rewrite.h"
#include "aggregates.h"
#include "base.h"
#include "deviations.h"
#include "encoded.h"
#include "ir.h"
#include "llvm19.h"
#include "optimize.h"
#include "reference_layout.h"
#include "roots.h"
#include "safepoints.h"
#include "scopes.h"
#include "slots.h"
#include "state.h"

#include <assert.h>

typedef sm_status step_function(struct compile *c);

/* The steps around LLVM's rewrite, in their order. The file of a step says what it does. Here is why the order is as it is:
 * what it requires of the steps before it, and what it breaks for those after it. */
struct step {
    step_function *run;
    enum {
        FEATURE, /* something of the input's becomes what the rewrite knows */
        REPAIR,  /* what LLVM would get wrong is avoided */
        CHECK,   /* what could not be right is refused, or warned of */
    } kind;
};

/* Runs the steps in order until one fails, and gives its status. */
static sm_status run_steps(struct compile *c, const struct step *steps, size_t count) {
    sm_status s = SM_OK;
    for (size_t i = 0; s == SM_OK && i < count; i++)
        s = steps[i].run(c);
    return s;
}

/* What has no status to give. */
#define ALWAYS(name, function)                                                                                       \
    static sm_status name(struct compile *c) {                                                                       \
        function(c);                                                                                                 \
        return SM_OK;                                                                                                \
    }
ALWAYS(keep_library_names, library_keep)
ALWAYS(swap_shuffles, splats_swap)
ALWAYS(mark_explicit_sites, sites_mark_explicit)
ALWAYS(retype_pads, pads_retype)
ALWAYS(set_edges_apart, edges_set_apart)
ALWAYS(freeze_vectors, vectors_freeze)
ALWAYS(freeze_callees, callees_freeze)
ALWAYS(unmark_null_checks, null_checks_unmark)

/* Checks live lists that relocate nothing, if the option "verify" asks for safepoints. */
static sm_status check_lists(struct compile *c) {
    return c->options->verify == SM_VERIFY_SAFEPOINTS ? lists_check(c) : SM_OK;
}

/* Makes the module one that LLVM's rewrite reads rightly, and refuses what it would misread, drop or crash at. */
static sm_status prepare(struct compile *c) {
    static const struct step steps[] = {
        {scalable_check, CHECK},
        {advise_spaces, CHECK},  /* requires the module's own values: before anything is kept in slots */
        {advise_derived, CHECK}, /* likewise */
        {statepoints_complete,
         FEATURE},                   /* statepoints without a list become calls: breaks "every safepoint is listed" */
        {undefined_to_null, REPAIR}, /* before anything is kept in slots, which the collector reads */
        {tags_to_slots, FEATURE},    /* makes slots, and scopes of them */
        {gctypes_take, FEATURE},     /* takes the marks of types; their values stay noted */
        {spaces_to_slots, FEATURE},  /* makes slots, and scopes of them */
        {scopes_attach, FEATURE},    /* requires all scopes; slots are in "gc-live" lists from here on */
        {stacks_report, FEATURE},    /* requires those lists; adds slots without a scope */
        {gctypes_apply, FEATURE},    /* requires the lists to be complete */
        {aggregates_split, FEATURE}, /* breaks which value a struct's part is: before bases are looked for */
        {unsupported_check, CHECK},  /* requires aggregates split */
        {see_through, REPAIR},       /* replaces values: before casts and bases are followed */
        {aliases_repair, REPAIR},    /* requires values that stand for others replaced */
        {lanes_reload, REPAIR},      /* makes slots that no list needs */
        {aggregates_check, CHECK},   /* what was not split */
        {bases_repair, FEATURE},     /* slots used as objects: casts are made anew */
        {bases_check, CHECK},        /* requires all values that the rewrite will see */
        {deopt_check, CHECK},
        {deopt_state_hide, REPAIR},   /* breaks "deopt" bundles until deopt_state_show */
        {call_forms_repair, REPAIR},  /* requires that no call is built anew after it */
        {keep_library_names, REPAIR}, /* renames functions until regions_take */
        {swap_shuffles, REPAIR},
        {mark_explicit_sites, FEATURE}, /* before the rewrite makes statepoints of its own */
        {regions_mark, REPAIR},         /* the last: the rewrite drops "gc-live" of calls */
    };
    return run_steps(c, steps, sizeof steps / sizeof *steps);
}

/* Completes the rewritten module with what LLVM's rewrite does not know of (slots, facts, large results,
 * compressed references), checks and verifies it, and repairs what code generation would get wrong. */
static sm_status complete(struct compile *c) {
    static const struct step steps[] = {
        {constants_stay, REPAIR},
        {bumps_unmark, FEATURE},    /* allocations of the module's own: their marks are gone */
        {deopt_state_show, REPAIR}, /* "deopt" bundles are whole again */
        {regions_take, REPAIR},     /* "gc-live" lists have their slots again */
        {regions_report, FEATURE},  /* requires those lists; records say what is in the slots */
        {slots_check, CHECK},       /* requires regions reported: what is in no list is refused */
        {stacks_unmark, FEATURE},   /* requires slots checked */
        {aliases_check, CHECK},
        {int_to_ref_check, CHECK},
        {check_lists, CHECK},
        {results_to_slots, REPAIR}, /* builds statepoints anew */
        {retype_pads, REPAIR},      /* breaks LLVM's verifier, unless pads are hidden */
        {spaces_narrow, FEATURE},   /* the module is read anew: breaks all values that were noted */
        {rewrite_verify, CHECK},    /* requires the module as it will be, but for the steps below */
        {lists_record, REPAIR},
        {bases_drop, FEATURE},
        {set_edges_apart, REPAIR}, /* of code generation, from here on; nothing folds it again */
        {freeze_vectors, REPAIR},
        {freeze_callees, REPAIR},
        {patchpoints_end_blocks, REPAIR},
        {unmark_null_checks, REPAIR},
        {swaps_set_apart, REPAIR},
    };
    return run_steps(c, steps, sizeof steps / sizeof *steps);
}

/* Makes statepoints of calls, with LLVM's rewrite, so that each safepoint names the references alive there.
 * Verifies the result as the option says. Requires polls placed. */
sm_status stage_rewrite(struct compile *c) {
    static const char *const passes[] = {[SM_VERIFY_OFF] = "rewrite-statepoints-for-gc",
                                         [SM_VERIFY_IR] = "rewrite-statepoints-for-gc,verify",
                                         [SM_VERIFY_SAFEPOINTS] =
                                             "rewrite-statepoints-for-gc,verify,function(verify<safepoint-ir>)"};
    assert(c->form == FORM_POLLED);
    sm_status s = prepare(c);
    if (s != SM_OK)
        return s;
    sm_buf_printf(&c->pipeline, ",%s", passes[c->options->verify]);
    s = run_passes(c, "rewrite-statepoints-for-gc");
    if (s != SM_OK)
        return s;
    c->form = FORM_REWRITTEN;
    return complete(c);
}
