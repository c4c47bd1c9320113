/* Tenants whom an identity provider names, and no row: each has what the row for all others says, and what it has used
 * outlives a new file, though not thousands of others. */
#include "access.h"
#include "issuer.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { GUESTS = 4096 }; /* of access.c */

static struct settings s;
static struct issuer *ours;
static struct access *a;
static char keys[] = "/tmp/smd-access-XXXXXX", tokens[] = "/tmp/smd-access-XXXXXX";

static void write_text(const char *path, const char *text) {
    FILE *f = fopen(path, "w");
    cr_assert(f && fputs(text, f) >= 0 && fclose(f) == 0);
}

static void setup(void) {
    struct error err = {0};
    int fd = mkstemp(keys), other = mkstemp(tokens);
    cr_assert(fd >= 0 && other >= 0 && close(fd) == 0 && close(other) == 0);
    ours = issuer_new("EdDSA");
    char *pem = issuer_pem(ours);
    write_text(keys, pem);
    free(pem);
    write_text(tokens, "{\"tokens\":[{\"name\":\"others\",\"jwt\":\"*\",\"scopes\":[\"read\"],\"jobs\":2}]}");
    snprintf(s.jwt_keys, sizeof s.jwt_keys, "%s", keys);
    snprintf(s.tokens, sizeof s.tokens, "%s", tokens);
    strcpy(s.jwt_issuer, "i");
    strcpy(s.jwt_audience, "a");
    strcpy(s.jwt_tenant_claim, "sub");
    a = access_new(&s, &err);
    cr_assert(a, "%s", err.text);
}

static void teardown(void) {
    access_free(a);
    issuer_free(ours);
    unlink(keys);
    unlink(tokens);
}

TestSuite(access_table, .init = setup, .fini = teardown, .timeout = 300);

/* The holder of a token of the tenant TENANT, *new*, and the verdict; NULL if there is none. */
static struct holder *look(const char *tenant, struct verdict *v) {
    char claims[200], header[9000];
    snprintf(claims, sizeof claims,
             "{\"iss\":\"i\",\"aud\":\"a\",\"exp\":253402300799,\"scope\":\"read admin\",\"sub\":\"%s\"}", tenant);
    char *token = issuer_token(ours, "{\"alg\":\"EdDSA\"}", claims);
    snprintf(header, sizeof header, "Bearer %s", token);
    free(token);
    const struct shown shown = {.authorization = header};
    return access_find(a, &shown, v);
}

/* The same, which there has to be. */
static struct holder *find(const char *tenant) {
    struct verdict v;
    struct holder *h = look(tenant, &v);
    cr_assert(h && v.status == SM_OK, "%s: %d %s", tenant, v.status, v.why ? v.why : "");
    cr_assert_eq(v.scopes, SM_SCOPE_READ, "what both the token and the row have");
    return h;
}

/* Whether the tenant may begin N compiles more; they stay. */
static int begins(const char *tenant, int n) {
    struct holder *h = find(tenant);
    int ok = 1;
    while (n--)
        ok &= holder_begin(h) == SM_OK;
    holder_unref(h);
    return ok;
}

Test(access_table, each_has_its_own) {
    cr_expect(begins("one", 2));
    cr_expect_not(begins("one", 1));
    cr_expect(begins("two", 2));
    struct holder *h = find("one"), *other = find("two");
    cr_expect_str_eq(holder_row(h)->tenant, "one");
    cr_expect_not(sm_key_equal(&holder_row(h)->space, &holder_row(other)->space));
    holder_unref(h);
    holder_unref(other);
}

/* A new file counts at once, and forgets nothing. */
Test(access_table, a_new_file) {
    struct error err = {0};
    cr_expect(begins("one", 2));
    write_text(tokens,
               "{\"tokens\":[{\"name\":\"others\",\"jwt\":\"*\",\"scopes\":[\"read\"],\"jobs\":3,\"cache\":\"\"}]}");
    cr_assert_eq(access_reload(a, ACCESS_TOKENS, &err), SM_OK);
    cr_expect(begins("one", 1));
    cr_expect_not(begins("one", 1));
    struct holder *h = find("one");
    cr_expect(sm_key_equal(&holder_row(h)->space, &(struct sm_key){.byte = {0}}), "the part that all share");
    holder_unref(h);
}

/* The name by which another server finds the same. */
Test(access_table, names) {
    char name[ACCESS_NAME];
    struct holder *h = find("one");
    access_name(h, name);
    cr_expect_str_eq(name, "jwt:one");
    struct holder *same = access_named(a, name), *fresh = access_named(a, "jwt:new"),
                  *row = access_named(a, "others");
    cr_expect(same == h && fresh && row);
    cr_expect_str_eq(holder_row(fresh)->tenant, "new");
    static const char *const wrong[] = {"", "jwt:", "jwt:a b", "one", "jwt:*", "nobody"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        cr_expect_null(access_named(a, wrong[i]), "%s", wrong[i]);
    holder_unref(h);
    holder_unref(same);
    holder_unref(fresh);
    holder_unref(row);
}

/* Of more tenants than smd counts, those go that came least recently and ask for nothing. */
Test(access_table, thousands) {
    char name[ACCESS_NAME];
    struct holder *busy = find("busy");
    cr_expect_eq(holder_begin(busy), SM_OK);
    cr_expect(begins("idle", 2));
    cr_expect(begins("again", 2));
    for (int i = 0; i < GUESTS; i++) {
        snprintf(name, sizeof name, "jwt:t%d", i);
        holder_unref(access_named(a, name));
        if (i % 1000 == 0)
            cr_expect_not(begins("again", 1));
    }
    cr_expect_not(begins("again", 1));
    cr_expect(begins("idle", 2), "it was forgotten");
    struct holder *same = find("busy");
    cr_expect_eq(same, busy);
    holder_unref(same);
    holder_end(busy);
    holder_unref(busy);
}

/* While all that smd counts ask for something, no other may; one that is known goes on. */
Test(access_table, thousands_at_once) {
    static struct holder *all[GUESTS];
    struct verdict v;
    char name[ACCESS_NAME];
    for (int i = 0; i < GUESTS; i++) {
        snprintf(name, sizeof name, "jwt:t%d", i);
        all[i] = access_named(a, name);
        cr_assert(all[i]);
    }
    cr_expect_null(look("new", &v));
    cr_expect_eq(v.status, SM_OVERLOADED);
    holder_unref(find("t7"));
    holder_unref(all[7]);
    holder_unref(find("new"));
    for (int i = 0; i < GUESTS; i++)
        if (i != 7)
            holder_unref(all[i]);
}
