/* compile.c - one compile: its stages in order, and its end as an artifact. */
#include "barriers.h"
#include "clock.h"
#include "core.h"
#include "emit.h"
#include "encoded.h"
#include "fatal_errors.h"
#include "gcroot.h"
#include "input.h"
#include "ir.h"
#include "optimize.h"
#include "profile.h"
#include "reference_layout.h"
#include "report.h"
#include "reuse.h"
#include "rewrite.h"
#include "roots.h"
#include "safepoints.h"
#include "strategy.h"
#include "target.h"

#include <sys/resource.h>

#define TEXT_MAX ((size_t)1 << 30) /* of each part; smd bounds the entire answer by its own setting */

/* What the module has that later stages are about. */
static sm_status stage_features(struct compile *c) {
    features_find(c);
    return SM_OK;
}

/* clang-format off */
static const struct stage {
    sm_status (*run)(struct compile *c);
    enum sm_stage time; /* the account that its time goes to */
    const char *shown;  /* how the module after it is called for people; NULL if it is not shown */
    enum module_form gives;    /* FORM_NONE: the module's form stays */
    enum { ALL, NEW, FINAL } of; /* which modules: FINAL ones are those that smd has emitted (final_ir.c), NEW ones all others */
} stages[] = {
    {stage_after, SM_STAGE_PARSE, NULL, FORM_NONE, ALL},
    {stage_parse, SM_STAGE_PARSE, "parse", FORM_READ, ALL},
    {stage_strategy, SM_STAGE_PARSE, NULL, FORM_NONE, ALL},
    {stage_hooks, SM_STAGE_PARSE, NULL, FORM_NONE, NEW},
    {stage_verify_input, SM_STAGE_PARSE, NULL, FORM_VERIFIED, ALL},
    {stage_layout, SM_STAGE_PARSE, NULL, FORM_NONE, NEW},
    {stage_encoded, SM_STAGE_PARSE, NULL, FORM_NONE, NEW},
    {stage_advice, SM_STAGE_PARSE, NULL, FORM_NONE, NEW},
    {stage_features, SM_STAGE_PARSE, NULL, FORM_NONE, NEW},
    {stage_scopes, SM_STAGE_OPTIMIZE, NULL, FORM_NONE, NEW},
    {stage_marked_roots, SM_STAGE_PLACE, NULL, FORM_NONE, NEW},
    {stage_check_statepoints, SM_STAGE_OPTIMIZE, NULL, FORM_NONE, NEW},
    {stage_optimize, SM_STAGE_OPTIMIZE, NULL, FORM_OPTIMISED, NEW},
    {stage_gcroots, SM_STAGE_OPTIMIZE, "optimize", FORM_NONE, NEW},
    {stage_place, SM_STAGE_PLACE, NULL, FORM_POLLED, NEW},
    {stage_barriers, SM_STAGE_PLACE, NULL, FORM_NONE, NEW},
    {stage_transitions, SM_STAGE_PLACE, "place", FORM_NONE, NEW},
    {stage_leaf_check, SM_STAGE_PLACE, NULL, FORM_NONE, NEW},
    {stage_rewrite, SM_STAGE_REWRITE, "rewrite", FORM_REWRITTEN, NEW},
    {stage_final, SM_STAGE_PARSE, NULL, FORM_REWRITTEN, FINAL},
    {stage_emit, SM_STAGE_EMIT, NULL, FORM_OBJECT, ALL},
    {stage_table, SM_STAGE_DECODE, NULL, FORM_NONE, ALL},
    {stage_decode, SM_STAGE_DECODE, NULL, FORM_NONE, ALL},
    {stage_disasm, SM_STAGE_DECODE, NULL, FORM_NONE, ALL},
    {stage_meta, SM_STAGE_DECODE, NULL, FORM_NONE, ALL},
};
/* clang-format on */

/* 1 if the stage is needed: all are, except where only the modernised module is asked for, which needs only two, and
 * those of other modules. */
static int is_stage_needed(const struct compile *c, const struct stage *s) {
    if (s->of != ALL && (s->of == FINAL) != c->final)
        return 0;
    return c->options->emit != SM_EMIT_MODERN || s->run == stage_parse || s->run == stage_meta;
}

/* One stage of a compile, and its status once it has returned. */
struct step {
    struct compile *c;
    const struct stage *stage;
    sm_status status;
};

/* Runs the step's stage (ARG), and shows the module after it. */
static void run_step(void *arg) {
    struct step *step = arg;
    step->status = step->stage->run(step->c);
    if (step->status == SM_OK && step->stage->shown)
        stages_show(step->c, step->stage->shown);
}

/* Runs one stage. What LLVM ends it over is an error of the module: it would end the next attempt as well. */
static sm_status run_stage(struct compile *c, const struct stage *stage) {
    struct step step = {c, stage, SM_OK};
    if (!fatal_guard(run_step, &step))
        return step.status;
    char message[1200];
    const char *function, *words = fatal_words(&function);
    snprintf(message, sizeof message, "LLVM ERROR: %s (in the stage '%s')", words, sm_stage_name(stage->time));
    diag_add(c, "error", *function ? function : NULL, message);
    return c->form == FORM_NONE ? SM_PARSE_ERROR : SM_CODEGEN_FAILED;
}

/* Runs the stages in order up to the first that fails; notes times and the module's form. */
static sm_status run_stages(struct compile *c) {
    sm_status s = SM_OK;
    for (size_t i = 0; s == SM_OK && i < sizeof stages / sizeof *stages; i++) {
        uint64_t start = sm_clock_us();
        capture_stage((int)stages[i].time);
        if (is_stage_needed(c, &stages[i]))
            s = run_stage(c, &stages[i]);
        if (s == SM_OK && stages[i].gives)
            c->form = stages[i].gives;
        c->timings.stage_us[stages[i].time] += (uint32_t)(sm_clock_us() - start);
    }
    return s;
}

/* A compile with empty results. OPTIONS and INPUT have to outlive it. */
static struct compile *new_compile(const sm_options *options, const char *input, size_t len) {
    struct compile *c = xcalloc(1, sizeof *c);
    sm_buf *text[] = {&c->ir,   &c->assembly, &c->disassembly, &c->stackmap,     &c->lines,       &c->explain,
                      &c->meta, &c->pipeline, &c->modern,      &c->global_roots, &c->profile_json};
    reference_space = 1;
    c->options = options;
    c->has = ~0u;
    c->input = input;
    c->input_len = len;
    for (size_t i = 0; i < sizeof text / sizeof *text; i++)
        sm_buf_init(text[i], TEXT_MAX);
    c->diagnostics = json_array();
    c->advice = json_array();
    c->remarks = json_array();
    c->stages = json_array();
    return c;
}

/* Frees the compile (NULL: nothing) with its module, context and results. After a fatal error all stays: the process
 * ends soon. */
void compile_free(struct compile *c) {
    if (!c || fatal_happened())
        return;
    sm_buf *text[] = {&c->ir,   &c->assembly, &c->disassembly, &c->stackmap,     &c->lines,       &c->explain,
                      &c->meta, &c->pipeline, &c->modern,      &c->global_roots, &c->profile_json};
    emit_free(c);
    root_sites_free(c);
    regions_forget(c);
    machines_give_back(c);
    if (c->module)
        LLVMDisposeModule(c->module);
    if (c->context)
        LLVMContextDispose(c->context);
    for (size_t i = 0; i < sizeof text / sizeof *text; i++)
        sm_buf_free(text[i]);
    json_decref(c->diagnostics);
    json_decref(c->advice);
    json_decref(c->remarks);
    json_decref(c->stages);
    json_decref(c->passes);
    free(c->layout);
    free(c);
}

/* Makes the text B a part of the artifact, if it is not empty. *S, if SM_OK, becomes the text's status: a part that
 * is cut off fails the answer. */
static void put_part(sm_artifact *a, enum sm_part part, const sm_buf *b, sm_status *s) {
    if (*s == SM_OK)
        *s = xstatus(b->status);
    if (b->len)
        a->part[part] = (sm_slice){b->data, b->len};
}

/* Writes VALUE to TEXT, and makes that a part of the artifact; *S, if SM_OK, becomes the status. */
static void put_json(sm_artifact *a, enum sm_part part, const json_t *value, sm_buf *text, sm_status *s) {
    if (*s == SM_OK)
        *s = json_append(value, text);
    put_part(a, part, text, s);
}

/* Fills the artifact with what the options ask for of a successful compile. The four texts are the caller's, and have
 * to outlive A. */
static sm_status put_parts(struct compile *c, sm_artifact *a, sm_buf *remarks, sm_buf *stage_texts, sm_buf *links) {
    unsigned emit = c->options->emit;
    sm_status s = SM_OK;
    if (emit & SM_EMIT_STAGES)
        put_json(a, SM_PART_STAGES, c->stages, stage_texts, &s);
    if (emit & SM_EMIT_REMARKS)
        put_json(a, SM_PART_REMARKS, c->remarks, remarks, &s);
    if (emit & SM_EMIT_LINKS)
        links_json(c, links);
    put_part(a, SM_PART_LINKS, links, &s);
    put_part(a, SM_PART_META, &c->meta, &s);
    put_part(a, SM_PART_STACKMAP, &c->stackmap, &s);
    put_part(a, SM_PART_LINES, &c->lines, &s);
    put_part(a, SM_PART_EXPLAIN, &c->explain, &s);
    put_part(a, SM_PART_ASM, &c->assembly, &s);
    put_part(a, SM_PART_DISASM, &c->disassembly, &s);
    if (emit & SM_EMIT_IR)
        put_part(a, SM_PART_IR, &c->ir, &s);
    if (emit & SM_EMIT_MODERN)
        put_part(a, SM_PART_MODERN, &c->modern, &s);
    if (emit & SM_EMIT_OBJ && c->object.bytes)
        a->part[SM_PART_OBJECT] = (sm_slice){c->object.bytes, c->object.len};
    return s;
}

/* 1 if the diagnostic has this severity. */
static int is_of(const json_t *diagnostic, const char *severity) {
    const char *s = json_string_value(json_object_get(diagnostic, "severity"));
    return s && strcmp(s, severity) == 0;
}

/* Writes the first error's message, with a note that follows it, cut to what smd takes: it parses no diagnostics. */
static void put_detail(const struct compile *c, sm_buf *text) {
    size_t i = 0;
    while (i < json_array_size(c->diagnostics) && !is_of(json_array_get(c->diagnostics, i), "error"))
        i++;
    const json_t *next = json_array_get(c->diagnostics, i + 1);
    const char *message = json_string_value(json_object_get(json_array_get(c->diagnostics, i), "message"));
    const char *note = is_of(next, "note") ? json_string_value(json_object_get(next, "message")) : NULL;
    if (message)
        sm_buf_printf(text, "%.*s%s%.*s", (int)SM_DETAIL_MAX / 4, message, note ? ". " : "", (int)SM_DETAIL_MAX / 4,
                      note ? note : "");
}

/* Writes the artifact of a compile that ended with status S: all parts of a success, or only diagnostics. Fails only
 * if it cannot be written. */
static sm_status finish_artifact(struct compile *c, sm_status s, sm_buf *out) {
    sm_buf diagnostics, detail, remarks, stage_texts, links;
    sm_artifact a = {.status = s};
    sm_buf_init(&detail, SM_DETAIL_MAX);
    sm_buf_init(&diagnostics, TEXT_MAX);
    sm_buf_init(&remarks, TEXT_MAX);
    sm_buf_init(&stage_texts, TEXT_MAX);
    sm_buf_init(&links, TEXT_MAX);
    if (s == SM_OK)
        s = put_parts(c, &a, &remarks, &stage_texts, &links);
    if (s != a.status) {
        a = (sm_artifact){.status = s == SM_TOO_LARGE ? SM_OUTPUT_TOO_LARGE : s};
        fail(c, a.status, NULL, "What was asked for is larger than the limit");
    }
    json_array_extend(c->diagnostics, c->advice);
    s = SM_OK;
    put_json(&a, SM_PART_DIAGNOSTICS, c->diagnostics, &diagnostics, &s);
    if (a.status != SM_OK)
        put_detail(c, &detail);
    put_part(&a, SM_PART_DETAIL, &detail, &s);
    if (a.status != SM_OK && c->wrong_option)
        a.part[SM_PART_OPTION] = (sm_slice){(const unsigned char *)c->wrong_option, strlen(c->wrong_option)};
    if (s == SM_OK)
        s = xstatus(sm_artifact_write(out, &a));
    sm_buf_free(&diagnostics);
    sm_buf_free(&detail);
    sm_buf_free(&remarks);
    sm_buf_free(&stage_texts);
    sm_buf_free(&links);
    return s;
}

/* Adds peak memory and parts to the compile's timings, and copies them to TIMINGS. */
static void measure(struct compile *c, sm_timings *timings) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    c->timings.peak_rss_kib = (uint32_t)usage.ru_maxrss;
    c->timings.parts = c->parts;
    c->timings.parts_taken = c->parts_taken;
    *timings = c->timings;
}

/* Runs one compile in a context of its own; gives it, with *STATUS. JOINED: alike safepoints
 * share a number, whatever their reasons (record_ids.c). */
static struct compile *compile_once(const sm_options *options, sm_slice profiles, const char *input, size_t len,
                                    struct reuse *reuse, int joined, sm_status *status) {
    struct compile *c = new_compile(options, input, len);
    c->given = options;
    c->all_profiles = profiles;
    c->own_profile = sm_profile_take_own((const char **)&profiles.data, &profiles.len);
    c->profiles = profiles;
    c->reuse = reuse;
    c->joined = joined;
    c->context = LLVMContextCreate();
    diag_install(c);
    *status = run_stages(c);
    return c;
}

/* Compiles again with joined numbers, as separate ones may have kept LLVM from merging two statepoints: gives that
 * compile if its object differs, else C, whose reasons are more exact. The other one is freed. */
static struct compile *prefer_joined(struct compile *c, sm_status *status) {
    sm_status again;
    struct compile *joined = compile_once(c->given, c->all_profiles, c->input - c->mark_len,
                                          c->input_len + c->mark_len, c->reuse, 1, &again);
    if (again == SM_OK && emit_same(&c->object, &joined->object)) {
        compile_free(joined);
        return c;
    }
    compile_free(c);
    *status = again;
    return joined;
}

/* Compiles, and writes the artifact to OUT; *REST is the compile, which the caller frees. */
sm_status compile_run(const sm_options *options, sm_slice profiles, const char *input, size_t len,
                      struct reuse *reuse, sm_buf *out, sm_timings *timings, struct compile **rest) {
    sm_status s;
    struct compile *c = compile_once(options, profiles, input, len, reuse, 0, &s);
    if (s == SM_OK && c->merge_candidates)
        c = prefer_joined(c, &s);
    *rest = c;
    s = finish_artifact(c, s, out);
    measure(c, timings);
    return s;
}

/* Decodes the stackmap of an object that was posted, and writes the artifact to OUT. */
sm_status stackmap_run(const char *input, size_t len, sm_buf *out, sm_timings *timings) {
    sm_options options;
    sm_options_init(&options);
    options.emit = 0;
    struct compile *c = new_compile(&options, input, len);
    sm_status s = finish_artifact(c, decode_foreign(c), out);
    measure(c, timings);
    compile_free(c);
    return s;
}
