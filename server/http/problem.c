/* problem.c - see problem.h. */
#include "problem.h"

#include "jsontext.h"

#include <stdio.h>
#include <string.h>

/* Appends ,"NAME":"TEXT" with TEXT escaped. */
static void put_member(sm_buf *out, const char *name, const char *text) {
    sm_buf_printf(out, ",\"%s\":", name);
    sm_json_text(out, text, strlen(text));
}

void problem_json(sm_buf *out, sm_status status, const char *detail, sm_slice diagnostics, const char *option,
                  const char *key) {
    sm_buf_printf(out, "{\"type\":\"about:blank\",\"title\":\"%s\",\"status\":%d,\"code\":\"%s\"",
                  sm_status_text(status), sm_status_http(status), sm_status_name(status));
    if (detail && *detail)
        put_member(out, "detail", detail);
    if (option)
        put_member(out, "option", option);
    if (key[0])
        put_member(out, "key", key);
    sm_buf_puts(out, ",\"diagnostics\":");
    if (diagnostics.len)
        sm_buf_put(out, diagnostics.data, diagnostics.len);
    else
        sm_buf_puts(out, "[]");
    sm_buf_puts(out, "}");
}

void problem_detail(const struct result *result, char *out, size_t size) {
    sm_slice words = result->artifact.part[SM_PART_DETAIL];
    if (result->detail[0])
        snprintf(out, size, "%s", result->detail);
    else /* the worker's own sentence */
        snprintf(out, size, "%.*s", (int)(words.len < size ? words.len : size - 1),
                 words.data ? (const char *)words.data : "");
}

const char *problem_option(const struct result *result, char out[SM_OPTION_NAME_MAX + 1]) {
    sm_slice name = result->artifact.part[SM_PART_OPTION];
    snprintf(out, SM_OPTION_NAME_MAX + 1, "%.*s", (int)name.len, name.data ? (const char *)name.data : "");
    return out[0] ? out : NULL;
}

void problem_json_of_result(sm_buf *out, const struct result *result, const char *key) {
    char detail[PROBLEM_DETAIL], option[SM_OPTION_NAME_MAX + 1];
    problem_detail(result, detail, sizeof detail);
    problem_json(out, result->status, detail, result->artifact.part[SM_PART_DIAGNOSTICS],
                 problem_option(result, option), key);
}
