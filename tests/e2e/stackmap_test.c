/* POST /v1/stackmap: object files made elsewhere. */
#include "http.h"

#include <criterion/criterion.h>
#include <string.h>

static struct daemon d;

static void start(void) {
    d = daemon_start(NULL);
}

static void stop(void) {
    daemon_stop(&d);
}

TestSuite(stackmap, .init = start, .fini = stop, .timeout = 600);

static struct bytes build(const char *command) {
    int status;
    struct bytes source = read_file(SOURCE_DIR "/docs/examples/list.ll"),
                 out = run_command(command, source.data, source.len, &status);
    cr_assert_eq(status, 0, "%s", command);
    bytes_free(source);
    return out;
}

static struct answer decode(struct bytes object) {
    return ask(&d, (struct ask){.path = "/v1/stackmap", .body = object.data, .len = object.len});
}

#define TO_OBJECT(triple)                                                                                            \
    "opt-19 -mtriple=" triple " -passes='default<O2>,function(place-safepoints),rewrite-statepoints-for-gc' | "      \
    "llc-19 -relocation-model=pic -filetype=obj"

static void names_both_functions(struct bytes object, const char *arch, int linked) {
    struct answer a = decode(object);
    cr_assert_eq(a.http, 200, "%s", (char *)a.body.data);
    json_t *map = json_object_get(a.json, "stackmap"), *functions = json_object_get(map, "functions");
    cr_assert_str_eq(json_string_value(json_object_get(map, "arch")), arch);
    cr_assert_eq(json_array_size(functions), 2);
    cr_assert_str_eq(json_string_value(json_object_get(json_array_get(functions, 0), "name")), "cons");
    cr_assert_str_eq(json_string_value(json_object_get(json_array_get(functions, 1), "name")), "sum");
    json_t *point = json_array_get(json_object_get(json_array_get(functions, 0), "safepoints"), 0);
    cr_assert_str_eq(json_string_value(json_object_get(point, "kind")), "statepoint");
    cr_assert(json_is_null(json_object_get(point, "reason")), "nothing in an object tells the reason");
    json_int_t offset =
        json_integer_value(json_object_get(json_object_get(json_array_get(functions, 1), "address"), "offset"));
    cr_assert(linked ? offset > 0x1000 : offset < 0x1000, "%lld", (long long)offset);
    answer_free(a);
}

Test(stackmap, relocatable_objects_of_both_targets) {
    struct bytes o = build(TO_OBJECT("x86_64-linux-gnu"));
    names_both_functions(o, "x86_64", 0);
    bytes_free(o);
    o = build(TO_OBJECT("aarch64-linux-gnu"));
    names_both_functions(o, "aarch64", 0);
    bytes_free(o);
}

Test(stackmap, linked_files) {
    struct bytes o = build(
        "f=$(mktemp -d) && " TO_OBJECT("x86_64-linux-gnu") " >$f/o && ld --unresolved-symbols=ignore-all -e sum "
                                                           "-o $f/linked $f/o && cat $f/linked && rm -r $f");
    names_both_functions(o, "x86_64", 1);
    bytes_free(o);
    o = build("f=$(mktemp -d) && " TO_OBJECT(
        "x86_64-linux-gnu") " >$f/o && ld -shared -o $f/linked $f/o && cat $f/linked && rm -r $f");
    names_both_functions(o, "x86_64", 1);
    bytes_free(o);
}

Test(stackmap, an_object_without_one) {
    struct bytes o = build("cat >/dev/null; echo 'define void @f() { ret void }' | llc-19 -filetype=obj");
    struct answer a = decode(o);
    cr_assert_eq(a.http, 200);
    cr_assert_str_eq(json_string_value(json_object_get(json_object_get(a.json, "stackmap"), "format")), "none");
    answer_free(a);
    bytes_free(o);
}

Test(stackmap, what_is_no_object) {
    struct answer a =
        post(&d, "/v1/stackmap",
             "not an object at all, but long enough to be looked at as if it were one, were it not for its magic");
    assert_problem(&a, 422, "invalid_object");
    cr_assert(strstr(member(&a, "detail"), "ELF"));
    answer_free(a);
    a = post(&d, "/v1/stackmap?opt=2", "x");
    assert_problem(&a, 400, "unknown_option");
    answer_free(a);
    struct bytes o = build(TO_OBJECT("x86_64-linux-gnu"));
    o.len /= 2;
    a = decode(o);
    assert_problem(&a, 422, "invalid_object");
    answer_free(a);
    bytes_free(o);
}
