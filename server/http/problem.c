/* problem.c - see problem.h. */
#include "problem.h"

#include "jsontext.h"

#include <jansson.h>
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

/* 1 if the diagnostic has this severity. */
static int is_of(const json_t *diagnostic, const char *severity) {
    const char *s = json_string_value(json_object_get(diagnostic, "severity"));
    return s && strcmp(s, severity) == 0;
}

/* The first error's message, with a note that follows it: the problem's detail where the result has none of its own.
 * */
static void first_message(const sm_artifact *a, char *out, size_t size) {
    size_t i = 0;
    out[0] = 0;
    json_t *list = a->part[SM_PART_DIAGNOSTICS].data ? json_loadb((const char *)a->part[SM_PART_DIAGNOSTICS].data,
                                                                  a->part[SM_PART_DIAGNOSTICS].len, 0, NULL)
                                                     : NULL;
    while (i < json_array_size(list) && !is_of(json_array_get(list, i), "error"))
        i++;
    const json_t *next = json_array_get(list, i + 1);
    const char *message = json_string_value(json_object_get(json_array_get(list, i), "message"));
    const char *note = is_of(next, "note") ? json_string_value(json_object_get(next, "message")) : NULL;
    if (message)
        snprintf(out, size, "%s%s%s", message, note ? ". " : "", note ? note : "");
    json_decref(list);
}

void problem_detail(const struct result *result, char *out, size_t size) {
    if (result->detail[0])
        snprintf(out, size, "%s", result->detail);
    else
        first_message(&result->artifact, out, size);
}

void problem_json_of_result(sm_buf *out, const struct result *result, const char *key) {
    char detail[PROBLEM_DETAIL];
    problem_detail(result, detail, sizeof detail);
    problem_json(out, result->status, detail, result->artifact.part[SM_PART_DIAGNOSTICS], NULL, key);
}
