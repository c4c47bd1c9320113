/* meta.c - what was done: the options in force, the pipeline, and the command line that gives the same bytes. */
#include "base.h"
#include "deviations.h"
#include "emit.h"
#include "jsontext.h"
#include "memory.h"
#include "plugins.h"
#include "report.h"
#include "roots.h"
#include "target.h"

#include <stddef.h>
#include <string.h>

/* 1 if the description has this option: it is part of the key, and not "incremental", which makes no difference to
 * what is compiled. */
static int is_meta_reported(const sm_option_row *row) {
    return row->keyed && row->offset != offsetof(sm_options, incremental);
}

/* Writes the options of the description as a JSON object: numbers and truth values as such. */
static void put_options(const sm_options *o, sm_buf *out) {
    size_t rows;
    const sm_option_row *table = sm_option_table(&rows);
    const char *comma = "{";
    sm_buf text;
    sm_buf_init(&text, 2 * SM_OPT_TEXT_MAX);
    for (size_t i = 0; i < rows; i++) {
        if (!is_meta_reported(&table[i]))
            continue;
        sm_buf_clear(&text);
        sm_option_value(o, &table[i], &text);
        sm_buf_printf(out, "%s\"%s\":", comma, table[i].name);
        int is_word = table[i].words && sm_buf_cstr(&text)[0] > '9';
        if ((table[i].type == SM_OPTION_INT && !is_word) || table[i].type == SM_OPTION_BOOL)
            sm_buf_put(out, text.data, text.len);
        else
            sm_json_text(out, sm_buf_cstr(&text), text.len);
        xstatus(text.status);
        comma = ",";
    }
    sm_buf_free(&text);
    sm_buf_puts(out, "}");
}

/* Writes " FLAGVALUE" as a shell word, quoting the value where it has to be. */
static void put_word(sm_buf *out, const char *flag, const char *value) {
    sm_buf_printf(out, " %s", flag);
    if (strspn(value, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=.,:/@%") == strlen(value)) {
        sm_buf_puts(out, value);
        return;
    }
    sm_buf_puts(out, "'");
    for (size_t n; *value; value += n) {
        n = strcspn(value, "'");
        sm_buf_put(out, value, n);
        if (value[n] == '\'') {
            sm_buf_puts(out, "'\\''");
            n++;
        }
    }
    sm_buf_puts(out, "'");
}

/* Writes the flags that opt and llc both take: target, CPU, features and frame pointers. */
static void put_common(struct compile *c, sm_buf *out) {
    static const char *const frame_pointers[] = {
        [SM_FP_NONE] = "none", [SM_FP_NON_LEAF] = "non-leaf", [SM_FP_ALL] = "all"};
    const sm_options *o = c->options;
    put_word(out, "-mtriple=", c->triple);
    if (o->cpu[0])
        put_word(out, "-mcpu=", o->cpu);
    if (o->features[0])
        put_word(out, "-mattr=", o->features);
    if (o->frame_pointer != SM_FP_MODULE)
        put_word(out, "--frame-pointer=", frame_pointers[o->frame_pointer]);
}

/* Writes opt's passes. Where the option "unwind" asks for tables, opt can add uwtable only without its value, and
 * prints that as uwtable(sync): a sed command corrects it. */
static void put_passes(struct compile *c, sm_buf *out) {
    if (c->options->unwind == SM_UNWIND_MODULE) {
        put_word(out, "-passes=", sm_buf_cstr(&c->pipeline));
        return;
    }
    sm_buf_printf(out, " -passes='%s,forceattrs' -force-attribute=uwtable -S -preserve-ll-uselistorder",
                  sm_buf_cstr(&c->pipeline));
    sm_buf_puts(out, " | sed '/^attributes #/s/ uwtable(sync)/ uwtable/'");
}

/* Writes the opt command that gives the optimised module. */
static void put_opt(struct compile *c, sm_buf *line) {
    sm_buf_puts(line, "opt-19");
    put_common(c, line);
    if (c->layout)
        put_word(line, "--data-layout=", c->layout);
    flags_text(c, 0, line);
    put_passes(c, line);
}

/* 1 if the line of reproduce gives the option: it changes the object. The line's module has its name. */
static int is_reproduced(const sm_option_row *row) {
    return is_meta_reported(row) && row->offset != offsetof(sm_options, emit) &&
           row->offset != offsetof(sm_options, after) && row->offset != offsetof(sm_options, name);
}

/* Writes the smc command that compiles the module with the same options, with TO for its output: every option that
 * is not the default, and the profile. */
static void put_smc(const struct compile *c, const char *to, sm_buf *line) {
    size_t rows;
    const sm_option_row *table = sm_option_table(&rows);
    sm_options defaults;
    const sm_options *options = c->profile_json.len ? c->given : c->options;
    sm_options_init(&defaults);
    sm_buf_printf(line, "smc compile --quiet %s", to);
    if (c->profile_json.len)
        put_word(line, "--profile=", sm_buf_cstr((sm_buf *)&c->profile_json));
    for (size_t i = 0; i < rows; i++) {
        sm_buf value, usual;
        char flag[64];
        sm_buf_init(&value, 2 * SM_OPT_TEXT_MAX);
        sm_buf_init(&usual, 2 * SM_OPT_TEXT_MAX);
        sm_option_value(options, &table[i], &value);
        sm_option_value(&defaults, &table[i], &usual);
        snprintf(flag, sizeof flag, "--%s=", table[i].name);
        if (is_reproduced(&table[i]) && strcmp(sm_buf_cstr(&value), sm_buf_cstr(&usual)) != 0)
            put_word(line, flag, sm_buf_cstr(&value));
        xstatus(value.status);
        xstatus(usual.status);
        sm_buf_free(&value);
        sm_buf_free(&usual);
    }
    sm_buf_puts(line, " -");
}

/* Writes the llc command that makes the object of the module on its standard input. */
static void put_llc(struct compile *c, sm_buf *line) {
    static const char *const models[] = {[SM_CM_TINY] = "tiny",
                                         [SM_CM_SMALL] = "small",
                                         [SM_CM_KERNEL] = "kernel",
                                         [SM_CM_MEDIUM] = "medium",
                                         [SM_CM_LARGE] = "large"};
    static const char levels[] = {
        [SM_OPT_0] = '0', [SM_OPT_1] = '1', [SM_OPT_2] = '2', [SM_OPT_3] = '3', [SM_OPT_S] = '2', [SM_OPT_Z] = '2'};
    const sm_options *o = c->options;
    sm_buf_printf(line, "llc-19 -O%c", levels[o->opt]);
    put_common(c, line);
    put_word(line, "-relocation-model=", o->reloc == SM_RELOC_PIC ? "pic" : "static");
    if (o->code_model != SM_CM_DEFAULT)
        put_word(line, "--code-model=", models[o->code_model]);
    flags_text(c, 1, line);
    if (has_deviated(c, DEVIATION_PLUGINS))
        plugins_put_flags(line);
    if (has_deviated(c, DEVIATION_TYPED_PADS)) /* what landing_pads.c declares is none of LLVM's own */
        sm_buf_puts(line, " -disable-verify");
    sm_buf_puts(line, " -filetype=obj");
}

/* Writes the command where the last steps need the stackmap beside the IR, as the object does not say all that
 * they need: with two files in a temporary folder. */
static void put_with_map(struct compile *c, sm_buf *line) {
    sm_buf_puts(line, "(d=$(mktemp -d) && trap 'rm -r $d' EXIT && ");
    put_smc(c, "--ir=$d/ir --stackmap=$d/map", line);
    sm_buf_puts(line, " && ");
    put_llc(c, line);
    sm_buf_puts(line, " <$d/ir");
    if (c->page)
        sm_buf_puts(line, " | smc page-polls --map=$d/map -");
    if (c->object.source)
        sm_buf_puts(line, " | smc compact --map=$d/map -");
    sm_buf_puts(line, ")");
}

/* Writes in how many parts the code was generated, or why unsplit, if the options let it be split. */
static void put_part_counts(const struct compile *c, sm_buf *out) {
    if (c->options->split == SM_SPLIT_NEVER)
        return;
    sm_buf_printf(out, ",\"parts\":%u", c->parts > 1 ? c->parts : 1);
    if (!c->unsplittable_because)
        return;
    sm_buf_puts(out, ",\"whole_because\":");
    sm_json_text(out, c->unsplittable_because, strlen(c->unsplittable_because));
}

/* Writes, as a JSON string, the command that takes the module on standard input and puts the same object on
 * standard output; null if it is too long. */
static void put_reproduce(struct compile *c, sm_buf *out) {
    sm_buf line;
    sm_buf_init(&line, 65536);
    if (c->parts > 1 || has_deviated(c, DEVIATION_TRANSITIONS) || c->options->stackmap_format == SM_STACKMAP_GCMAP) {
        put_smc(c, "--output=-", &line);
    } else if (c->page || c->object.source) {
        put_with_map(c, &line);
    } else {
        if (beyond_opt(c))
            put_smc(c, "--ir=-", &line);
        else
            put_opt(c, &line);
        sm_buf_puts(&line, " | ");
        put_llc(c, &line);
    }
    if (xstatus(line.status) == SM_OK)
        sm_json_text(out, (const char *)line.data, line.len);
    else
        sm_buf_puts(out, "null");
    sm_buf_free(&line);
}

/* Writes the description of the compile, C->meta. Nothing in it may differ between two equal compiles. */
sm_status stage_meta(struct compile *c) {
    const char *why_not = beyond_opt(c);
    sm_buf *out = &c->meta;
    sm_buf_puts(out, "{\"target\":");
    sm_json_text(out, c->triple, strlen(c->triple));
    sm_buf_puts(out, ",\"options\":");
    put_options(c->options, out);
    sm_buf_puts(out, ",\"pipeline\":");
    sm_json_text(out, sm_buf_cstr(&c->pipeline), c->pipeline.len);
    xstatus(c->pipeline.status);
    sm_buf_puts(out, ",\"reproduce\":");
    put_reproduce(c, out);
    if (why_not) {
        sm_buf_puts(out, ",\"reproduce_note\":");
        sm_json_text(out, why_not, strlen(why_not));
    }
    put_part_counts(c, out);
    sm_buf_printf(out, ",\"input_bytes\":%zu,\"object_bytes\":%zu", c->mark_len + c->input_len, c->object.len);
    sm_status s = globals_put(c, out);
    sm_buf_puts(out, "}");
    if (s != SM_OK)
        return s;
    return xstatus(out->status) == SM_OK ? SM_OK : fail(c, out->status, NULL, "The description cannot be written");
}
