/* state.h - one compile's state: what its stages know of the module, and what they leave as results. */
#ifndef CORE_STATE_H
#define CORE_STATE_H

#include "artifact.h"
#include "frame.h"
#include "options.h"
#include "set.h"
#include "stackmap.h"

#include <jansson.h>
#include <llvm-c/Core.h>
#include <llvm-c/TargetMachine.h>

struct reuse;  /* reuse.h */
struct region; /* reference_layout.h */

/* Of a function of ours (transition_roots.c): the one that calls it. */
#define FRAME_ATTRIBUTE "smd-frame-of"

/* What has become of the module: a stage asserts what it requires. */
enum module_form {
    FORM_NONE,
    FORM_READ,
    FORM_VERIFIED,
    FORM_OPTIMISED,
    FORM_POLLED,    /* every safepoint is a call */
    FORM_REWRITTEN, /* every safepoint is a statepoint, whose references are listed */
    FORM_OBJECT,    /* there is an object; the module is used up */
};

/* What smd reports of a statepoint, patchpoint or stackmap call beside what its record says. */
struct site {
    uint64_t id;          /* as the module has it */
    uint8_t kind;         /* enum sm_record_kind */
    const char *reason;   /* static; NULL for none */
    LLVMValueRef target;  /* what is called; only to be compared */
    char *callee;         /* owned: its name */
    char *state;          /* owned: which of its deoptimisation values are references (deopt_state.c); NULL: none */
    size_t alike;         /* the first site of the same function that differs in its reason alone, or itself */
    size_t next;          /* the next site with the same key (record_ids.c); SIZE_MAX: none */
    int ambiguous;        /* boolean: there are others like this one */
    int is_transition;    /* boolean: its flag is to be set (transitions.c) */
    int is_page;          /* boolean: a page poll (emit.c) */
    uint32_t patch_bytes; /* of room that somebody may write code into */
};

/* See record_links.c. */
struct link {
    uint64_t call; /* the call's number in the module */
    uint32_t offset, locations;
};

struct links {
    struct link *record; /* owned: of each record, in the map's order */
    uint32_t records;
    json_t *pairs;        /* array: of each call, the [base, derived] that are relocated */
    json_t *plain_pairs;  /* likewise without those that the code generator folds */
    LLVMModuleRef module; /* owned: the clone with numbers of its own; NULL */
};

struct emitted {
    unsigned char *bytes; /* owned: the object */
    size_t len;
    unsigned char *source; /* owned: what LLVM emitted, if that is not the object any more; elf and map are of it */
    size_t source_len;
    sm_elf elf;
    sm_stackmap map;
};

/* See root_types.c. */
struct type_symbol {
    uint64_t key;
    LLVMValueRef address;
};

/* What one room alone keeps of a compile. */
struct input_state {
    size_t header;         /* bytes that the parser sees before the input's first */
    int names_tables;      /* boolean: the module may define tables of its own (admission.c) */
    int largest_alignment; /* boolean: a function may have one of 2^32 (peek.c) */
};

struct target_state {
    unsigned compiles; /* how many have used the machine before */
    int keeps_frame;   /* boolean: code generation pushes no arguments (llvm_flags.c) */
    int polls_slowly;  /* boolean: polls have a slow path that calls (llvm_flags.c) */
};

struct slots_state {
    struct region *region; /* owned: stack slots that records list (reference_layout.h) */
    size_t regions, room;
    struct set known;         /* owned: their slots, with the same numbers */
    struct type_symbol *type; /* owned: symbols that are types of roots (root_types.c) */
    size_t types, types_room;
};

struct optimize_state {
    int aliases_sound; /* boolean: before the optimiser nothing that a reference was cast to crossed a safepoint */
    struct alias_facts *facts; /* *borrowed*: of the function whose casts are looked at; NULL (aliases.h) */
};

struct barriers_state {
    LLVMValueRef kept; /* what stands for uses that the optimiser does not see (late_inline.c); NULL */
    int hooked;        /* boolean: there are calls for late_inline.c to inline */
};

struct gcroot_state {
    struct root_call *call; /* owned: root_sites.c */
    size_t calls;
    LLVMModuleRef clone; /* owned; NULL */
};

struct compile {
    const sm_options *options; /* in force: as given, or RESOLVED */
    const sm_options *given;   /* by the request */
    const char *wrong_option;  /* static: that the compile fails over; NULL */
    sm_options resolved;       /* with what the module's profiles say (profiles.c) */
    sm_slice profiles;         /* borrowed: their text */
    sm_slice all_profiles;     /* borrowed: as it came */
    int own_profile, own_used; /* booleans: the first profile is the request's own; a function has it */
    sm_buf profile_json;       /* the one profile that is used, if it is one */
    const char *input;         /* borrowed; after its byte order mark */
    size_t input_len;
    size_t mark_len; /* bytes of the byte order mark */

    LLVMContextRef context;
    LLVMModuleRef module;
    enum module_form form;
    uint64_t deviations; /* bits of enum deviation */
    unsigned has;        /* bits HAS_… (features.c): what the module may have */
    LLVMTargetMachineRef machine;
    char triple[160];
    uint16_t elf_machine; /* EM_X86_64 or EM_AARCH64 */
    char *layout;         /* owned: the module's data layout if it is not the one that came; NULL */
    int gc_was_set;       /* boolean: the option gc gave a function its strategy */
    int module_layout;    /* boolean: the module came with a data layout of its own */
    int final;            /* boolean: smd has emitted the module, and nobody changed it since (final_ir.c) */
    int joined;           /* boolean: alike sites share a number (record_ids.c) */
    int merge_candidates; /* boolean: that might make a difference */
    LLVMValueRef page;    /* what page polls load from; NULL if there are none */
    int keeps_lists;      /* boolean: functions were kept from the optimiser (live_lists.c) */
    int no_registers;     /* boolean: references may not stay in registers (strategy.c) */
    int deoptimizes;      /* boolean: functions with statepoints call llvm.experimental.deoptimize */

    struct site *site; /* owned; a record's number is an index into it */
    size_t sites, site_capacity;

    uint64_t tag_mask; /* tags.c */
    struct space {
        unsigned number, shift;
        char base[64]; /* a variable that holds the address that is added; "" for 0 */
    } space[4];        /* of compressed references (compressed_input.c) */
    size_t spaces;
    struct {
        const unsigned char
            *spaces;   /* a bit for each address space: its pointers are references. NULL: those of 1 are */
        char gc[64];   /* the strategy that says so */
        unsigned home; /* what address space 1 is meanwhile */
        int is_back;   /* boolean: all is as it came */
    } moved;           /* moved_spaces.c */
    int casts_lowered; /* boolean: casts between them and references are arithmetic */
    int tags;          /* boolean: the module came with calls that make integers of references */
    struct set
        casts; /* allocas by way of which integers become references, and the other way (tags.c, compressed_slots.c) */
    struct set typed_slots; /* allocas, each followed by its type (typed_roots.c) */

    struct input_state reading;
    struct target_state target;
    struct slots_state slots;
    struct optimize_state optimize;
    struct barriers_state barriers;
    struct gcroot_state gcroot;

    json_t *diagnostics; /* array */
    json_t *advice;      /* array: warnings of ours, which follow the diagnostics */
    json_t *remarks;     /* array */
    json_t *stages;      /* array: stages.c */
    json_t *passes;      /* array: passes_shown.c; NULL: the next stage has none */
    struct links links;
    struct reuse *reuse;  /* borrowed: objects of parts, with split=functions; NULL: none are asked for */
    unsigned parts;       /* how many the object was joined of (parts.c); 1: it was not; 0: nor was it to be */
    unsigned parts_taken; /* of them, those that an earlier compile has created */
    const char *unsplittable_because; /* why it was not, if it was to be; NULL */
    char parts_why[200];              /* the same, where the text depends on what was found */
    int errors;                       /* how many of the diagnostics are errors */

    struct emitted object;
    sm_buf ir, assembly, disassembly, stackmap, lines, explain, meta, pipeline;
    sm_buf global_roots; /* of a module whose compressed references have become integers */
    sm_buf modern; /* the module as it was read, as text of today; only where the input was older, or was asked for */
    sm_timings timings;
};

/* 1 if address space NUMBER is one of compressed references. */
static inline int names_space(const struct compile *c, unsigned number) {
    size_t i = 0;
    while (i < c->spaces && c->space[i].number != number)
        i++;
    return i < c->spaces;
}

#endif
