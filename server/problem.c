/* problem.c - see problem.h. */
#include "problem.h"

#include <stdio.h>
#include <string.h>

/* Those that stand for themselves in JSON. */
static const unsigned char is_plain[256] = {[' ' ... '!'] = 1, ['#' ... '['] = 1, [']' ... 0x7f] = 1};

/* The length of the UTF-8 sequence at P (RFC 3629), 0 if there is none. */
static size_t utf8_length(const unsigned char *p, size_t left) {
    size_t n = p[0] < 0x80                   ? 1
               : p[0] >= 0xc2 && p[0] < 0xe0 ? 2
               : (p[0] & 0xf0) == 0xe0       ? 3
               : p[0] >= 0xf0 && p[0] < 0xf5 ? 4
                                             : 0;
    if (n == 0 || n > left)
        return 0;
    for (size_t i = 1; i < n; i++)
        if ((p[i] & 0xc0) != 0x80)
            return 0;
    int surrogate = p[0] == 0xed && p[1] >= 0xa0,
        overlong = (p[0] == 0xe0 && p[1] < 0xa0) || (p[0] == 0xf0 && p[1] < 0x90);
    int too_high = p[0] == 0xf4 && p[1] >= 0x90;
    return n > 2 && (surrogate || overlong || too_high) ? 0 : n;
}

static void put_escaped(sm_buf *out, const unsigned char *p, size_t n) {
    if (n == 0)
        sm_buf_puts(out, "\\ufffd");
    else if (n > 1)
        sm_buf_put(out, p, n);
    else if (*p == '\n')
        sm_buf_puts(out, "\\n");
    else if (*p == '"' || *p == '\\')
        sm_buf_printf(out, "\\%c", *p);
    else
        sm_buf_printf(out, "\\u%04x", *p);
}

sm_status json_text(sm_buf *out, const char *text, size_t len) {
    const unsigned char *p = (const unsigned char *)text, *end = p + len;
    sm_buf_put(out, "\"", 1);
    while (p < end) {
        const unsigned char *plain = p;
        while (p < end && is_plain[*p])
            p++;
        sm_buf_put(out, plain, (size_t)(p - plain));
        if (p == end)
            break;
        size_t n = utf8_length(p, (size_t)(end - p));
        put_escaped(out, p, n);
        p += n ? n : 1;
    }
    return sm_buf_put(out, "\"", 1);
}

static void put_member(sm_buf *out, const char *name, const char *text) {
    sm_buf_printf(out, ",\"%s\":", name);
    json_text(out, text, strlen(text));
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

void problem_reply(struct request *r, sm_status status, const char *detail, sm_slice diagnostics,
                   const char *option) {
    struct reply *reply = &r->reply;
    int http = sm_status_http(status);
    sm_buf_clear(&reply->text);
    reply->parts = 0;
    problem_json(&reply->text, status, detail, diagnostics, option, r->key);
    sm_buf_puts(&reply->text, "\n");
    reply->http = http;
    reply->status = status;
    reply_text(reply, "application/problem+json");
    if (http == 503 || http == 429)
        reply_header(reply, "Retry-After", "%d", pool_retry_after(r->smd->pool));
}

/* The first diagnostic's message stands for the whole where the result has no sentence of its own. */
static void first_message(const sm_artifact *a, char *out, size_t size) {
    out[0] = 0;
    json_t *list = a->part[SM_PART_DIAGNOSTICS].data ? json_loadb((const char *)a->part[SM_PART_DIAGNOSTICS].data,
                                                                  a->part[SM_PART_DIAGNOSTICS].len, 0, NULL)
                                                     : NULL;
    const char *message = json_string_value(json_object_get(json_array_get(list, 0), "message"));
    if (message)
        snprintf(out, size, "%s", message);
    json_decref(list);
}

static void detail_of(const struct result *result, char *out, size_t size) {
    if (result->detail[0])
        snprintf(out, size, "%s", result->detail);
    else
        first_message(&result->artifact, out, size);
}

void problem_json_of_result(sm_buf *out, const struct result *result, const char *key) {
    char detail[1024];
    detail_of(result, detail, sizeof detail);
    problem_json(out, result->status, detail, result->artifact.part[SM_PART_DIAGNOSTICS], NULL, key);
}

void problem_of_result(struct request *r, const struct result *result) {
    char detail[1024];
    detail_of(result, detail, sizeof detail);
    problem_reply(r, result->status, detail, result->artifact.part[SM_PART_DIAGNOSTICS], NULL);
}
