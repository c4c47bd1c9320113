/* jwt.c - see jwt.h. */
#include "jwt.h"

#include "base64.h"
#include "scope.h"

#include <string.h>
#include <strings.h>

const char *jwt_fault_text(enum jwt_fault f) {
    static const char *const texts[JWT_FAULTS] = {
        [JWT_FINE] = "The token is fine",
        [JWT_NO_TOKEN] = "The token is malformed",
        [JWT_TOO_LONG] = "The token is too long",
        [JWT_WRONG_ALG] = "The token is signed by an algorithm that its key is not for",
        [JWT_WRONG_TYPE] = "The token is of another type",
        [JWT_UNKNOWN_KEY] = "The token is signed by an unknown key",
        [JWT_WRONG_SIGNATURE] = "The signature of the token is wrong",
        [JWT_WRONG_CLAIMS] = "A claim of the token is missing or malformed",
        [JWT_EXPIRED] = "The token has expired",
        [JWT_TOO_EARLY] = "The token is not valid yet",
        [JWT_WRONG_ISSUER] = "The token has a wrong issuer",
        [JWT_WRONG_AUDIENCE] = "The token has a wrong audience",
        [JWT_WRONG_SUBJECT] = "The claim of the token that names the tenant is missing or no name",
        [JWT_TOO_MANY] = "Too many tokens that do not count have come from this address in this second",
    };
    return texts[f];
}

enum jwt_alg jwt_alg_of(const char *name) {
    static const char *const names[JWT_ALGS] = {"RS256", "ES256", "EdDSA"};
    for (int i = 0; i < JWT_ALGS; i++)
        if (strcmp(name, names[i]) == 0)
            return (enum jwt_alg)i;
    return JWT_ALGS;
}

/* ---- JSON ------------------------------------------------------------------------------------------------------ */

/* 1 if nothing in the text is nested deeper than JWT_DEPTH. */
static int is_flat(sm_slice text) {
    int depth = 0, in_string = 0;
    for (size_t i = 0; i < text.len; i++) {
        char c = (char)text.data[i];
        if (in_string && c == '\\')
            i++;
        else if (c == '"')
            in_string = !in_string;
        else if (!in_string && (c == '{' || c == '['))
            depth++;
        else if (!in_string && (c == '}' || c == ']'))
            depth--;
        if (depth > JWT_DEPTH)
            return 0;
    }
    return 1;
}

json_t *jwt_object(sm_slice bytes) {
    json_t *root =
        is_flat(bytes) ? json_loadb((const char *)bytes.data, bytes.len, JSON_REJECT_DUPLICATES, NULL) : NULL;
    if (json_is_object(root))
        return root;
    json_decref(root);
    return NULL;
}

/* ---- Header --------------------------------------------------------------------------------------------------- */

/* 1 if the type says that this is a token for who asks for something: a JWT, or an access token (RFC 9068). */
static int is_right_type(const json_t *type) {
    static const char *const names[] = {"JWT", "at+jwt", "application/jwt", "application/at+jwt"};
    const char *text = json_string_value(type);
    for (size_t i = 0; text && i < sizeof names / sizeof *names; i++)
        if (strcasecmp(text, names[i]) == 0)
            return 1;
    return !type;
}

/* Reads which key and algorithm the token names; keys in it, and addresses of keys, are not looked at. */
static enum jwt_fault read_header(const json_t *header, struct jwt *t) {
    const char *alg = json_string_value(json_object_get(header, "alg"));
    const json_t *kid = json_object_get(header, "kid");
    if (!alg || json_object_get(header, "crit") || (kid && !json_is_string(kid)))
        return JWT_NO_TOKEN;
    t->alg = jwt_alg_of(alg);
    if (t->alg == JWT_ALGS)
        return JWT_WRONG_ALG;
    if (!is_right_type(json_object_get(header, "typ")))
        return JWT_WRONG_TYPE;
    if (kid && (!json_string_length(kid) || json_string_length(kid) >= sizeof t->kid))
        return JWT_UNKNOWN_KEY;
    strcpy(t->kid, kid ? json_string_value(kid) : "");
    return JWT_FINE;
}

/* Decodes a part of the token behind what is decoded already. 0 if it is empty or no base64url. */
static int decode_part(struct jwt *t, size_t *used, const char *text, size_t len, sm_slice *part) {
    long n = sm_base64url_read(text, len, t->bytes + *used);
    *part = (sm_slice){t->bytes + *used, n > 0 ? (size_t)n : 0};
    *used += part->len;
    return n > 0;
}

enum jwt_fault jwt_read(const char *text, struct jwt *t) {
    size_t len = strlen(text), used = 0;
    sm_slice header;
    if (len > JWT_MAX)
        return JWT_TOO_LONG;
    const char *first = strchr(text, '.'), *second = first ? strchr(first + 1, '.') : NULL;
    if (!second || strchr(second + 1, '.'))
        return JWT_NO_TOKEN;
    if (!decode_part(t, &used, text, (size_t)(first - text), &header) ||
        !decode_part(t, &used, first + 1, (size_t)(second - first - 1), &t->claims))
        return JWT_NO_TOKEN;
    if (header.len > JWT_HEADER_MAX)
        return JWT_TOO_LONG;
    int has_signature = decode_part(t, &used, second + 1, strlen(second + 1), &t->signature);
    t->signed_len = (size_t)(second - text);
    json_t *root = jwt_object(header);
    enum jwt_fault f = root ? read_header(root, t) : JWT_NO_TOKEN;
    json_decref(root);
    return f == JWT_FINE && !has_signature ? JWT_NO_TOKEN : f;
}

/* ---- Claims --------------------------------------------------------------------------------------------------- */

/* Reads a time (RFC 7519, 2: NumericDate), which may have a fraction; *TO stays without one if it is no MUST. 0 if it is
 * no time from 1970 to 9999. */
static int read_time(const json_t *claims, const char *name, int must, time_t *to) {
    const json_t *value = json_object_get(claims, name);
    if (!value)
        return !must;
    double seconds = json_number_value(value);
    if (!json_is_number(value) || !(seconds >= 0 && seconds < 253402300800.0))
        return 0;
    *to = (time_t)seconds;
    return 1;
}

/* Checks when the token is valid. */
static enum jwt_fault check_times(const json_t *claims, int leeway_s, time_t now, time_t *expires) {
    time_t from = 0, issued = 0;
    if (!read_time(claims, "exp", 1, expires) || !read_time(claims, "nbf", 0, &from) ||
        !read_time(claims, "iat", 0, &issued) || *expires <= from || *expires <= issued)
        return JWT_WRONG_CLAIMS;
    if (now >= *expires + leeway_s)
        return JWT_EXPIRED;
    return now + leeway_s < from || now + leeway_s < issued ? JWT_TOO_EARLY : JWT_FINE;
}

/* 1 if the value is the text. */
static int is_text(const json_t *value, const char *text) {
    return json_is_string(value) && json_string_length(value) == strlen(text) &&
           strcmp(json_string_value(value), text) == 0;
}

/* 1 if the claim "aud" is the audience, or a list of texts with it. */
static int has_audience(const json_t *claim, const char *audience) {
    size_t i;
    const json_t *one;
    int found = is_text(claim, audience), is_wrong = 0;
    json_array_foreach(claim, i, one) {
        found |= is_text(one, audience);
        is_wrong |= !json_is_string(one);
    }
    return found && !is_wrong;
}

/* Reads the scopes that this server knows among the words of the claim "scope" (RFC 8693, 4.2). 0 if it is no text. */
static int read_scope_claim(const json_t *claim, unsigned *scopes) {
    *scopes = 0;
    if (claim && !json_is_string(claim))
        return 0;
    for (const char *at = claim ? json_string_value(claim) : ""; *at;) {
        size_t len = strcspn(at, " ");
        *scopes |= sm_scope_of(at, len);
        at += len;
        at += *at == ' ';
    }
    return 1;
}

/* Checks who has issued the token and for whom, and reads what it is for. */
static enum jwt_fault check_claims(const json_t *claims, const struct jwt_rules *rules, time_t now,
                                   struct jwt_claims *c) {
    enum jwt_fault f = check_times(claims, rules->leeway_s, now, &c->expires);
    if (f != JWT_FINE)
        return f;
    if (!is_text(json_object_get(claims, "iss"), rules->issuer))
        return JWT_WRONG_ISSUER;
    if (!has_audience(json_object_get(claims, "aud"), rules->audience))
        return JWT_WRONG_AUDIENCE;
    const json_t *subject = json_object_get(claims, rules->subject);
    if (!json_is_string(subject) || !json_string_length(subject) || json_string_length(subject) >= sizeof c->subject)
        return JWT_WRONG_SUBJECT;
    strcpy(c->subject, json_string_value(subject));
    return read_scope_claim(json_object_get(claims, "scope"), &c->scopes) ? JWT_FINE : JWT_WRONG_CLAIMS;
}

enum jwt_fault jwt_read_claims(sm_slice claims, const struct jwt_rules *rules, time_t now, struct jwt_claims *c) {
    json_t *root = jwt_object(claims);
    enum jwt_fault f = root ? check_claims(root, rules, now, c) : JWT_WRONG_CLAIMS;
    json_decref(root);
    return f;
}
