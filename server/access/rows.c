/* rows.c - see rows.h. */
#include "rows.h"

#include "digest.h"
#include "hex.h"
#include "ownfile.h"

#include <jansson.h>
#include <limits.h>
#include <pwd.h>
#include <stdlib.h>

struct reader {
    const char *path;
    size_t at; /* the row */
    const char *member;
    struct error *err;
};

/* Adds what is wrong, with its place, to the error. Gives 0. */
static int wrong(const struct reader *r, const char *why) {
    return error_add(r->err, "tokens: %s: tokens[%zu].%s: %s", r->path, r->at, r->member, why);
}

static int read_name(const struct reader *r, const json_t *value, char to[SM_TENANT_NAME]) {
    const char *text = json_string_value(value);
    if (!text || !sm_tenant_valid(text))
        return wrong(r, "it has to be 1 to 63 letters, digits, '-', '_' and '.'");
    strcpy(to, text);
    return 1;
}

/* Reads a digest, which colons may separate, as openssl prints those of certificates. */
static int read_digest(const struct reader *r, const json_t *value, unsigned char to[32]) {
    const char *text = json_string_value(value);
    size_t n = 0;
    for (; text && *text && n < 64; text++) {
        int digit = sm_hex_digit(*text);
        if (*text == ':' && n % 2 == 0)
            continue;
        if (digit < 0)
            break;
        to[n / 2] = (unsigned char)(to[n / 2] << 4 | digit);
        n++;
    }
    return text && !*text && n == 64 ? 1 : wrong(r, "it has to be a SHA-256: 64 hexadecimal digits");
}

static int read_scopes(const struct reader *r, const json_t *value, unsigned *to) {
    size_t i;
    const json_t *word;
    *to = 0;
    if (!json_is_array(value) || !json_array_size(value))
        return wrong(r, "it has to be a list of compile, read, metrics, admin");
    json_array_foreach(value, i, word) {
        const char *text = json_string_value(word);
        unsigned scope = text ? sm_scope_of(text, strlen(text)) : 0;
        if (!scope)
            return wrong(r, "a word of it is none of compile, read, metrics, admin");
        *to |= scope;
    }
    return 1;
}

static int read_number(const struct reader *r, const json_t *value, int *to) {
    json_int_t n = json_integer_value(value);
    if (!json_is_integer(value) || n < 1 || n > 1000000)
        return wrong(r, "it has to be an integer from 1 to 1000000");
    *to = (int)n;
    return 1;
}

static int read_boolean(const struct reader *r, const json_t *value, int *to) {
    *to = json_is_true(value);
    return json_is_boolean(value) ? 1 : wrong(r, "it has to be true or false");
}

static int read_date(const struct reader *r, const json_t *value, time_t *to) {
    const char *text = json_string_value(value);
    if (!text || !sm_expiry_read(text, to))
        return wrong(r, "it has to be a date, 2027-01-31 or 2027-01-31T12:00:00Z, in UTC");
    return 1;
}

/* Reads a user: a number, or a name that this machine knows. */
static int read_user(const struct reader *r, const json_t *value, uid_t *to) {
    if (json_is_integer(value) && json_integer_value(value) >= 0 && json_integer_value(value) < UINT_MAX) {
        *to = (uid_t)json_integer_value(value);
        return 1;
    }
    const struct passwd *p = json_is_string(value) ? getpwnam(json_string_value(value)) : NULL;
    if (!p)
        return wrong(r, "it has to be a user's number, or the name of one that there is");
    *to = p->pw_uid;
    return 1;
}

/* Reads whose JWTs: the value of the claim that names the tenant. */
static int read_subject(const struct reader *r, const json_t *value, char to[JWT_SUBJECT]) {
    const char *text = json_string_value(value);
    if (!text || !text[0] || strlen(text) >= JWT_SUBJECT)
        return wrong(r, "it has to be a text of 1 to 255 bytes");
    strcpy(to, text);
    return 1;
}

sm_status rows_space(const char *name, struct sm_key *space) {
    char text[SM_TENANT_NAME + 16];
    int n = snprintf(text, sizeof text, "smd tenant %s", name);
    memset(space, 0, sizeof *space);
    return name[0] ? sm_digest(text, (size_t)n, space->byte) : SM_OK;
}

static int read_space(const struct reader *r, const char *name, struct sm_key *to) {
    if (name[0] && !sm_tenant_valid(name))
        return wrong(r, "it has to be a name, or empty");
    return rows_space(name, to) == SM_OK ? 1 : wrong(r, "out of memory");
}

/* Reads one member of a row; *SPACE is the name of its part of the cache, and *PROOFS counts how it is shown. */
static int read_member(struct reader *r, const char *name, const json_t *value, struct access_row *row,
                       const char **space, int *proofs) {
    r->member = name;
    if (strcmp(name, "name") == 0)
        return read_name(r, value, row->name);
    if (strcmp(name, "tenant") == 0)
        return read_name(r, value, row->tenant);
    if (strcmp(name, "scopes") == 0)
        return read_scopes(r, value, &row->scopes);
    if (strcmp(name, "requests_per_s") == 0)
        return read_number(r, value, &row->requests_per_s);
    if (strcmp(name, "jobs") == 0)
        return read_number(r, value, &row->jobs);
    if (strcmp(name, "deadline_ms") == 0)
        return read_number(r, value, &row->deadline_ms);
    if (strcmp(name, "mib_per_day") == 0)
        return read_number(r, value, &row->mib_per_day);
    if (strcmp(name, "cpu_s_per_day") == 0)
        return read_number(r, value, &row->cpu_s_per_day);
    if (strcmp(name, "untrusted") == 0)
        return read_boolean(r, value, &row->untrusted);
    if (strcmp(name, "input_text") == 0)
        return read_boolean(r, value, &row->input_text);
    if (strcmp(name, "expires") == 0)
        return read_date(r, value, &row->expires);
    if (strcmp(name, "cache") == 0) {
        *space = json_string_value(value);
        return *space ? 1 : wrong(r, "it has to be a name, or empty");
    }
    *proofs += 1;
    if (strcmp(name, "sha256") == 0) {
        row->proof = PROOF_TOKEN;
        return read_digest(r, value, row->sha256);
    }
    if (strcmp(name, "certificate") == 0) {
        row->proof = PROOF_CERTIFICATE;
        return read_digest(r, value, row->sha256);
    }
    if (strcmp(name, "user") == 0) {
        row->proof = PROOF_USER;
        return read_user(r, value, &row->user);
    }
    if (strcmp(name, "jwt") == 0) {
        row->proof = PROOF_JWT;
        return read_subject(r, value, row->subject);
    }
    return wrong(r, "there is no such member");
}

/* 1 if the two rows are shown by the same. */
static int is_same_proof(const struct access_row *a, const struct access_row *b) {
    if (a->proof != b->proof)
        return 0;
    return a->proof == PROOF_USER  ? a->user == b->user
           : a->proof == PROOF_JWT ? strcmp(a->subject, b->subject) == 0
                                   : memcmp(a->sha256, b->sha256, sizeof a->sha256) == 0;
}

/* Reads the members of the row at R->at. */
static int read_members(struct reader *r, const json_t *object, struct access_row *row, const char **space,
                        int *proofs) {
    const char *name;
    json_t *value;
    int ok = 1;
    json_object_foreach((json_t *)object, name, value) {
        if (name[0] != '_') /* a comment */
            ok &= read_member(r, name, value, row, space, proofs);
    }
    return ok;
}

/* Reads the row at R->at, behind those in ROWS. */
static int read_row(struct reader *r, const json_t *object, struct access_row *rows) {
    struct access_row *row = &rows[r->at];
    const char *space = NULL;
    int proofs = 0;
    r->member = "name";
    if (!json_is_object(object))
        return wrong(r, "the row is no object");
    if (!read_members(r, object, row, &space, &proofs))
        return 0;
    r->member = "name";
    if (!row->name[0])
        return wrong(r, "it is missing");
    for (size_t i = 0; i < r->at; i++)
        if (strcmp(rows[i].name, row->name) == 0)
            return wrong(r, "there are two of this name");
    r->member = "sha256";
    if (proofs != 1)
        return wrong(r, "a row has one of sha256, certificate, user and jwt");
    for (size_t i = 0; i < r->at; i++)
        if (is_same_proof(&rows[i], row))
            return wrong(r, "another row is shown by the same");
    r->member = "scopes";
    if (!row->scopes)
        return wrong(r, "it is missing");
    r->member = "tenant";
    if (strcmp(row->subject, "*") == 0 && row->tenant[0])
        return wrong(r, "of others' JWTs, each has its own");
    if (!row->tenant[0])
        strcpy(row->tenant, row->name);
    r->member = "cache";
    row->shares = space != NULL;
    return read_space(r, space ? space : row->tenant, &row->space);
}

int rows_parse(const char *path, sm_slice text, struct access_row **rows, struct error *err) {
    struct reader r = {.path = path, .err = err};
    json_error_t e;
    json_t *root = json_loadb((const char *)text.data, text.len, JSON_REJECT_DUPLICATES, &e);
    const json_t *list = json_object_get(root, "tokens");
    size_t n = json_array_size(list);
    *rows = NULL;
    if (!root)
        error_set(err, SM_INVALID_OPTION, "tokens: %s:%d:%d: %s", path, e.line < 0 ? 0 : e.line,
                  e.column < 0 ? 0 : e.column, e.text);
    else if (!json_is_array(list) || n > ACCESS_ROWS)
        error_set(err, SM_INVALID_OPTION, "tokens: %s: it has to be {\"tokens\": [...]} with at most %d rows", path,
                  ACCESS_ROWS);
    else if (!(*rows = calloc(n + 1, sizeof **rows)))
        error_set(err, SM_NOMEM, "out of memory");
    int ok = *rows != NULL;
    for (; *rows && r.at < n; r.at++)
        ok &= read_row(&r, json_array_get(list, r.at), *rows);
    json_decref(root);
    if (ok)
        return (int)n;
    free(*rows);
    *rows = NULL;
    return -1;
}

int rows_read(const char *path, struct access_row **rows, struct error *err) {
    sm_buf text;
    *rows = NULL;
    int n = -1;
    if (ownfile_read("tokens", path, &text, err) == SM_OK)
        n = rows_parse(path, (sm_slice){text.data, text.len}, rows, err);
    sm_buf_free(&text);
    return n;
}
