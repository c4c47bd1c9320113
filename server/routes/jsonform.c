/* jsonform.c - see jsonform.h. */
#include "jsonform.h"

#include "base64.h"
#include "jsontext.h"
#include "optionvalue.h"
#include "profile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Sets the job's options from the object; on failure ERR says why, and err->option which one. */
static sm_status read_options(const json_t *options, struct job *job, struct error *err) {
    const char *name;
    json_t *value;
    sm_option_error wrong;
    sm_status s = SM_OK;
    json_object_foreach((json_t *)options, name, value) {
        sm_buf text;
        sm_buf_init(&text, 2 * SM_OPT_TEXT_MAX);
        snprintf(err->option, sizeof err->option, "%s", name);
        int ok = option_value_spell(value, &text);
        if (ok && json_is_array(value) && json_array_size(value) == 0)
            ok = sm_buf_puts(&text, "none") == SM_OK;
        if (!ok) {
            s = error_set(err, SM_INVALID_OPTION,
                          "The value of '%.60s' has to be a string, an integer, true, false or a list of strings",
                          name);
        } else {
            s = sm_options_set(&job->options, name, (const char *)text.data, text.len, &wrong);
            if (s != SM_OK)
                error_set(err, s, "%s", wrong.message);
        }
        sm_buf_free(&text);
        if (s != SM_OK)
            return s;
    }
    err->option[0] = 0;
    return SM_OK;
}

/* Sets job->profile to the text of the profile that the form has. */
static sm_status read_profile(const json_t *profile, struct job *job, struct error *err) {
    sm_buf text;
    struct error wrong = {0};
    sm_buf_init(&text, SM_PROFILE_TEXT);
    if (profile_resolve(profile, NULL, &text, &wrong) != SM_OK) {
        sm_buf_free(&text);
        return error_set(err, SM_INVALID_PROFILE, "'profile': %s", wrong.text);
    }
    job->profile = sm_buf_take_text(&text);
    return job->profile ? SM_OK : error_set(err, SM_NOMEM, "Out of memory");
}

/* The bytes of the form's module, *new*; its text or its base64 is LEN bytes of TEXT. */
static sm_status copy_module(const char *text, size_t len, int is_text, unsigned char **bytes, size_t *bytes_len,
                             struct error *err) {
    *bytes_len = len;
    *bytes = is_text ? malloc(len ? len : 1) : NULL;
    if (*bytes)
        memcpy(*bytes, text, len);
    sm_status s = !is_text ? sm_base64_get(text, len, bytes, bytes_len) : *bytes ? SM_OK : SM_NOMEM;
    return s == SM_OK      ? s
           : s == SM_NOMEM ? error_set(err, s, "Out of memory")
                           : error_set(err, SM_INVALID_JSON, "'bitcode' is not base64");
}

/* Sets the job's input from the text or the base64 of the form. */
static sm_status read_input(const json_t *ir, const json_t *bitcode, struct job *job, struct budget *b,
                            uint64_t client, struct error *err) {
    const json_t *module = ir ? ir : bitcode;
    struct charge charge = {0};
    unsigned char *bytes = NULL;
    size_t len;
    if (!json_is_string(module))
        return error_set(err, SM_INVALID_JSON, "'%s' has to be a string", ir ? "ir" : "bitcode");
    sm_status s = budget_take(b, &charge, HELD_INPUT, client, json_string_length(module) + sizeof *job);
    if (s != SM_OK)
        return error_set(err, s == SM_TOO_LARGE ? SM_BODY_TOO_LARGE : s, "%s", budget_refusal(s));
    s = copy_module(json_string_value(module), json_string_length(module), ir != NULL, &bytes, &len, err);
    if (s == SM_OK && !job_set_input(job, source_new(bytes, len, &charge)))
        s = error_set(err, SM_NOMEM, "Out of memory");
    budget_give(&charge, 0);
    return s;
}

static const char *const members[] = {"ir", "bitcode", "options", "profile", NULL};

static int is_member(const char *name) {
    for (const char *const *m = members; *m; m++)
        if (strcmp(name, *m) == 0)
            return 1;
    return 0;
}

/* What the members are called elsewhere. */
static const char *const module_names[] = {"module", "source", "code", "text", "input", "llvm", "llvm_ir", NULL};

/* Fails with the name that is no member, and what may be meant. */
static sm_status refuse_member(const char *name, struct error *err) {
    const char *nearest = sm_nearest(name, members);
    for (const char *const *m = module_names; *m; m++)
        if (strcmp(name, *m) == 0)
            return error_set(
                err, SM_INVALID_JSON,
                "There is no member '%s'; the module's text is the member 'ir', and its bitcode, in base64, "
                "the member 'bitcode'",
                name);
    if (sm_option_find(name))
        return error_set(err, SM_INVALID_JSON, "There is no member '%s'; it is an option, and belongs into 'options'",
                         name);
    if (nearest)
        return error_set(err, SM_INVALID_JSON, "There is no member '%.60s'; did you mean '%s'?", name, nearest);
    return error_set(err, SM_INVALID_JSON,
                     "There is no member '%.60s'; there are 'ir', 'bitcode', 'options' and 'profile'", name);
}

sm_status jsonform_read_value(const json_t *root, struct job *job, struct budget *b, uint64_t client,
                              struct error *err) {
    const char *name;
    json_t *value, *ir = json_object_get(root, "ir"), *bitcode = json_object_get(root, "bitcode");
    json_t *options = json_object_get(root, "options"), *profile = json_object_get(root, "profile");
    if (!json_is_object(root))
        return error_set(err, SM_INVALID_JSON, "The body has to be an object with 'ir' or 'bitcode', and 'options'");
    json_object_foreach((json_t *)root, name, value) if (!is_member(name)) return refuse_member(name, err);
    if (!ir == !bitcode)
        return error_set(err, SM_INVALID_JSON,
                         ir ? "'ir' and 'bitcode' exclude each other" : "Neither 'ir' nor 'bitcode' is there");
    if (options && !json_is_object(options))
        return error_set(err, SM_INVALID_JSON, "'options' has to be an object");
    sm_status s = options ? read_options(options, job, err) : SM_OK;
    if (s == SM_OK && profile)
        s = read_profile(profile, job, err);
    return s == SM_OK ? read_input(ir, bitcode, job, b, client, err) : s;
}

/* 1 if the text begins with a brace or a bracket, after spaces. */
static int begins_as_json(const char *text, size_t len) {
    while (len && (*text == ' ' || *text == '\t' || *text == '\r' || *text == '\n')) {
        text++;
        len--;
    }
    return len && (*text == '{' || *text == '[');
}

json_t *jsonform_parse(const void *bytes, size_t len, struct error *err) {
    json_error_t where;
    json_t *root = json_loadb(bytes, len, JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL, &where);
    if (!root) {
        err->line = where.line > 0 ? where.line : 1;
        err->column = where.column > 0 ? where.column : 1;
        error_set(err, SM_INVALID_JSON, "Line %d, column %d: %s%s", err->line, err->column, where.text,
                  begins_as_json(bytes, len)
                      ? ""
                      : ". The body is no JSON, but its Content-Type says so (as curl's --json "
                        "does); IR and bitcode are sent with another, or with none");
    }
    return root;
}

/* ---- Writing ------------------------------------------------------------------------------------------------ */

/* Appends the member "profile", if there is a profile in the text. */
static void put_profile(sm_buf *out, const char *text) {
    const char *at = NULL;
    sm_profile p;
    if (!sm_profile_next(text, strlen(text), &at, &p))
        return;
    sm_buf_puts(out, ",\"profile\":");
    sm_profile_json(&p, out);
}

sm_status jsonform_write(sm_buf *out, sm_slice module, const char *options) {
    const char *comma = "", *line = options;
    sm_buf_puts(out, "{\"bitcode\":\"");
    sm_base64_put(out, module.data, module.len);
    sm_buf_puts(out, "\",\"options\":{");
    for (; *line && strncmp(line, "profile=", 8) != 0;
         line += strcspn(line, "\n") + (line[strcspn(line, "\n")] != 0)) {
        size_t name = strcspn(line, "="), end = strcspn(line, "\n");
        if (name >= end)
            continue;
        sm_buf_printf(out, "%s\"%.*s\":", comma, (int)name, line);
        sm_json_text(out, line + name + 1, end - name - 1);
        comma = ",";
    }
    sm_buf_puts(out, "}");
    put_profile(out, line);
    return sm_buf_puts(out, "}\n");
}
