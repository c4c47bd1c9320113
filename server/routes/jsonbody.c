/* jsonbody.c - see jsonbody.h. */
#include "jsonbody.h"

#include <malloc.h>
#include <stdio.h>
#include <string.h>

/* Bytes of a value in jansson's tree, with malloc's own; measured with 2.14: 224, 128, 32, 80. A name costs what a
 * string does. */
enum { OBJECT_BYTES = 256, ARRAY_BYTES = 160, STRING_BYTES = 112, OTHER_BYTES = 48 };

#define TRIM_FROM ((size_t)4 << 20) /* a tree of so many bytes is given back to the system, not kept for the next */

/* Where the string that begins at P ends: after its closing quote, or at END. */
static const char *skip_string(const char *p, const char *end) {
    for (p++; p < end && *p != '"'; p++)
        p += *p == '\\';
    return p < end ? p + 1 : end;
}

/* Where the number or word that begins at P ends. */
static const char *skip_word(const char *p, const char *end) {
    while (p < end && !memchr(" \t\r\n,:[]{}\"", *p, 11))
        p++;
    return p;
}

struct json_measure json_measure(const void *bytes, size_t len) {
    struct json_measure m = {0, 0, 0};
    const char *p = bytes, *end = p + len;
    size_t longest = 0;
    int depth = 0;
    while (p < end && m.values <= JSON_VALUES_MAX && m.depth <= JSON_DEPTH_MAX) {
        const char *from = p;
        switch (*p) {
        case '{':
        case '[':
            m.tree_bytes += *p++ == '{' ? OBJECT_BYTES : ARRAY_BYTES;
            m.depth = ++depth > m.depth ? depth : m.depth;
            m.values++;
            break;
        case '}':
        case ']':
            depth--;
            p++;
            break;
        case ' ':
        case '\t':
        case '\r':
        case '\n':
        case ',':
        case ':':
            p++;
            break;
        case '"':
            p = skip_string(p, end);
            longest = (size_t)(p - from) > longest ? (size_t)(p - from) : longest;
            m.tree_bytes += STRING_BYTES + (size_t)(p - from);
            m.values++;
            break;
        default:
            p = skip_word(p, end);
            m.tree_bytes += OTHER_BYTES;
            m.values++;
        }
    }
    m.tree_bytes += 2 * longest; /* the parser's buffer, which doubles */
    return m;
}

/* Refuses JSON that is too deep, has too many values, or takes more memory than there ever is. */
static sm_status check_measures(const struct json_measure *m, const struct body *body, struct error *err) {
    size_t most = body->budget ? budget_most(body->budget, HELD_JSON) : SIZE_MAX;
    if (m->depth > JSON_DEPTH_MAX)
        return error_set(err, SM_INVALID_JSON, "The JSON is nested deeper than %d", JSON_DEPTH_MAX);
    if (m->values > JSON_VALUES_MAX)
        return error_set(err, SM_BODY_TOO_LARGE, "The JSON has more than %u values", JSON_VALUES_MAX);
    if (m->tree_bytes > most || body->charge.bytes > most - m->tree_bytes)
        return error_set(err, SM_BODY_TOO_LARGE,
                         "The JSON takes %zu MiB to read, which is more than this server may hold",
                         m->tree_bytes >> 20);
    return SM_OK;
}

sm_status jsonbody_parse(struct jsonbody *j, struct body *body, struct error *err) {
    struct json_measure m = json_measure(body->bytes.data, body->bytes.len);
    *j = (struct jsonbody){0};
    sm_status s = check_measures(&m, body, err);
    if (s != SM_OK)
        return s;
    s = budget_take(body->budget, &j->charge, HELD_JSON, body->client, m.tree_bytes);
    if (s != SM_OK)
        return error_set(err, s, "%s", budget_refusal(s));
    j->root = jsonform_parse(body->bytes.data, body->bytes.len, err);
    body_free(body);
    return j->root ? SM_OK : SM_INVALID_JSON;
}

void jsonbody_free(struct jsonbody *j) {
    int is_large = j->charge.bytes >= TRIM_FROM;
    json_decref(j->root);
    j->root = NULL;
    if (is_large)
        malloc_trim(0);
    budget_give(&j->charge, 0);
}
