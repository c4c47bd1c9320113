/* request.c - a request as the caller fills it -> the path that asks for it, and the options that its key is made
 * of. */
#include "error.h"
#include "fetch.h"

#include <stdlib.h>
#include <string.h>

enum { PATH_MAX_LEN = 32 << 10, TRACEPARENT_MAX = 128 }; /* of the path with its query: what a server takes; bytes */

/* Adds text percent-encoded, except what RFC 3986 calls unreserved, and the comma and colon of options' values. */
static void put_encoded(sm_buf *b, const char *text, size_t len) {
    static const char plain[] = "-._~,:";
    for (size_t i = 0; i < len; i++) {
        unsigned char ch = (unsigned char)text[i];
        int letter = (ch | 32) >= 'a' && (ch | 32) <= 'z', digit = ch >= '0' && ch <= '9';
        if (letter || digit || (ch && strchr(plain, ch)))
            sm_buf_put_u8(b, ch);
        else
            sm_buf_printf(b, "%%%02X", ch);
    }
}

/* Adds one option to the path; *KEYED becomes NULL if this library does not know it, for then there is no key. */
static sm_result add_option(sm_buf *path, sm_options **keyed, const char *name, size_t name_len, const char *value,
                            sm_error *err) {
    char text[64];
    sm_option_error why;
    sm_buf_put_u8(path, path->len == strlen(COMPILE_PATH) ? '?' : '&');
    put_encoded(path, name, name_len);
    sm_buf_put_u8(path, '=');
    put_encoded(path, value, strlen(value));
    snprintf(text, sizeof text, "%.*s", (int)(name_len < sizeof text ? name_len : sizeof text - 1), name);
    sm_status s = *keyed ? sm_options_set(*keyed, text, value, strlen(value), &why) : SM_OK;
    if (s == SM_INVALID_OPTION) {
        fail(err, SM_ERR_INVALID_INPUT, "%s", why.message);
        if (err)
            snprintf(err->code, sizeof err->code, "%s", sm_status_name(s));
        return SM_ERR_INVALID_INPUT;
    }
    if (s != SM_OK) { /* a newer server may know it */
        free(*keyed);
        *keyed = NULL;
    }
    return SM_SUCCESS;
}

sm_result request_check(const sm_request *given, sm_request *r, sm_error *err) {
    if (!given)
        return fail(err, SM_ERR_INVALID_ARGUMENT, "There is no request");
    if (take_struct(r, sizeof *r, given, "sm_request", err) != SM_SUCCESS)
        return SM_ERR_INVALID_ARGUMENT;
    if (!r->module)
        return fail(err, SM_ERR_INVALID_ARGUMENT, "The request has no module");
    if (r->policy < SM_POLICY_DEFAULT || r->policy > SM_CACHE_ONLY)
        return fail(err, SM_ERR_INVALID_ARGUMENT, "policy is %d, which is none", (int)r->policy);
    if (r->traceparent && (strlen(r->traceparent) > TRACEPARENT_MAX ||
                           strspn(r->traceparent, "0123456789abcdef-") < strlen(r->traceparent)))
        return fail(err, SM_ERR_INVALID_ARGUMENT,
                    "traceparent is not numbers in lower-case hexadecimal with hyphens between them");
    return SM_SUCCESS;
}

/* Reads the value of "tiers", a set of levels. They are asked for one by one, and are no part of the path. */
static sm_result read_tiers(const char *value, unsigned *tiers, sm_error *err) {
    sm_options o;
    sm_option_error why;
    sm_options_init(&o);
    sm_status s = sm_options_set(&o, "tiers", value, strlen(value), &why);
    if (s != SM_OK) {
        fail(err, SM_ERR_INVALID_INPUT, "%s", why.message);
        if (err)
            snprintf(err->code, sizeof err->code, "%s", sm_status_name(s));
        return SM_ERR_INVALID_INPUT;
    }
    *tiers = o.tiers;
    return SM_SUCCESS;
}

/* 1 if the first LEN bytes of NAME are OTHER. */
static int is_named(const char *name, size_t len, const char *other) {
    return len == strlen(other) && memcmp(name, other, len) == 0;
}

sm_result request_read(const sm_request *r, char **path, sm_options **keyed, unsigned *tiers, sm_error *err) {
    int has_target = 0, has_opt = 0;
    sm_buf b;
    sm_result result = SM_SUCCESS;
    *path = NULL;
    *tiers = 0;
    *keyed = calloc(1, sizeof **keyed);
    if (!*keyed)
        return fail(err, SM_ERR_NO_MEMORY, "Out of memory: no room for a call");
    sm_options_init(*keyed);
    sm_buf_init(&b, PATH_MAX_LEN);
    sm_buf_put(&b, COMPILE_PATH, strlen(COMPILE_PATH));
    for (const char *const *o = r->options; o && *o && result == SM_SUCCESS; o++) {
        size_t n = strcspn(*o, "=");
        if ((*o)[n] != '=' || n == 0) {
            result = fail(err, SM_ERR_INVALID_ARGUMENT, "'%s' is no option; those are written name=value", *o);
            break;
        }
        has_target |= is_named(*o, n, "target");
        has_opt |= is_named(*o, n, "opt");
        result = is_named(*o, n, "tiers") ? read_tiers(*o + n + 1, tiers, err)
                                          : add_option(&b, keyed, *o, n, *o + n + 1, err);
    }
    if (result == SM_SUCCESS && *tiers && has_opt)
        result = fail(err, SM_ERR_INVALID_INPUT, "'opt' and 'tiers' exclude each other");
    if (result == SM_SUCCESS && !has_target)
        result =
            add_option(&b, keyed, "target", strlen("target"), r->target ? r->target : sm_target_host()->triple, err);
    sm_buf_put_u8(&b, 0);
    if (result == SM_SUCCESS && b.status != SM_OK)
        result = b.status == SM_TOO_LARGE ? fail(err, SM_ERR_INVALID_ARGUMENT, "The options are too long")
                                          : fail(err, SM_ERR_NO_MEMORY, "Out of memory: no room for a call");
    if (result == SM_SUCCESS) {
        size_t len;
        *path = (char *)sm_buf_take(&b, &len);
        return SM_SUCCESS;
    }
    sm_buf_free(&b);
    free(*keyed);
    *keyed = NULL;
    return result;
}
