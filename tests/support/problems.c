/* problems.c - what every answer that is an error must be. Apart from http.c, which benchmarks use without
 * Criterion. */
#include "http.h"

#include <criterion/criterion.h>
#include <string.h>

void assert_problem(const struct answer *a, int http, const char *code) {
    const char *body = a->body.data ? (char *)a->body.data : "";
    cr_assert(a->http == http, "expected %d %s, got %d: %s", http, code, a->http, body);
    cr_assert_str_eq(a->type, "application/problem+json");
    cr_assert(strcmp(member(a, "code"), code) == 0, "expected %s, got: %s", code, body);
    cr_assert_eq(json_integer_value(json_object_get(a->json, "status")), http);
    cr_assert(json_is_array(json_object_get(a->json, "diagnostics")));
}
