/* What comes back: every media type, both targets, capabilities, health. */
#include "artifact.h"
#include "http.h"
#include "key.h"
#include "modules.h"

#include <criterion/criterion.h>
#include <openssl/sha.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct daemon d;
static struct bytes example;

static void start(void) {
    d = daemon_start(NULL);
    example = read_file(SOURCE_DIR "/docs/examples/list.ll");
}

static void stop(void) {
    daemon_stop(&d);
    bytes_free(example);
}

TestSuite(answers, .init = start, .fini = stop, .timeout = 600);

static struct answer compile(const char *query, const char *accept) {
    char path[512];
    snprintf(path, sizeof path, "/v1/compile%s", query);
    return ask(&d, (struct ask){.path = path, .body = example.data, .len = example.len, .headers = {accept}});
}

static json_t *functions(const struct answer *a) {
    return json_object_get(json_object_get(a->json, "stackmap"), "functions");
}

Test(answers, json_names_every_safepoint) {
    struct answer a = compile("", "Accept: */*");
    cr_assert_eq(a.http, 200, "%s", (char *)a.body.data);
    cr_assert_str_eq(a.type, "application/json");
    cr_assert_eq(json_array_size(functions(&a)), 2);
    json_t *sum = json_array_get(functions(&a), 1), *points = json_object_get(sum, "safepoints");
    cr_assert_str_eq(json_string_value(json_object_get(sum, "name")), "sum");
    cr_assert_eq(json_array_size(points), 2);
    int entry = 0, backedge = 0;
    size_t i;
    json_t *point;
    json_array_foreach(points, i, point) {
        const char *reason = json_string_value(json_object_get(point, "reason"));
        entry += strcmp(reason, "entry-poll") == 0;
        backedge += strcmp(reason, "backedge-poll") == 0;
        cr_assert_str_eq(json_string_value(json_object_get(point, "callee")), "collect");
        cr_assert_eq(json_integer_value(json_object_get(point, "id")), 2882400000);
        cr_assert_eq(json_array_size(json_object_get(point, "roots")), 1);
    }
    cr_assert(entry == 1 && backedge == 1);
    char *key = answer_header(&a, "X-Smd-Key"), *cache = answer_header(&a, "X-Smd-Cache");
    cr_assert_str_eq(key, member(&a, "key"));
    cr_assert_str_eq(cache, "compiled");
    free(key);
    free(cache);
    answer_free(a);
}

/* What a client does that asks before it sends. */
Test(answers, a_client_computes_the_key) {
    char key[SM_KEY_TEXT];
    unsigned char digest[32];
    sm_options o;
    sm_options_init(&o);
    sm_options_set(&o, "opt", "3", 1, NULL);
    SHA256(example.data, example.len, digest);
    struct answer about = get(&d, "/v1/capabilities");
    cr_assert_eq(sm_key(member(&about, "key_context"), SM_JOB_COMPILE, &o, digest, key), SM_OK);
    struct answer a = compile("?deadline_ms=30000&opt=3", NULL);
    cr_assert_str_eq(member(&a, "key"), key);
    answer_free(about);
    answer_free(a);
}

Test(answers, object_is_an_elf_file_that_tools_take) {
    static const char *const targets[] = {"x86_64", "aarch64"};
    for (int i = 0; i < 2; i++) {
        char query[64], command[256];
        int status;
        snprintf(query, sizeof query, "?target=%s-linux-gnu&opt=2", targets[i]);
        struct answer a = compile(query, "Accept: application/octet-stream");
        cr_assert_eq(a.http, 200);
        cr_assert_str_eq(a.type, "application/octet-stream");
        snprintf(command, sizeof command,
                 "cat > /tmp/e2e-%d.o && %s-linux-gnu-ld -r -o /tmp/e2e-%d.ld /tmp/e2e-%d.o && llvm-readobj-19 "
                 "--stackmap /tmp/e2e-%d.ld | "
                 "grep -c 'Record ID'; rm -f /tmp/e2e-%d.o /tmp/e2e-%d.ld",
                 (int)d.pid, targets[i], (int)d.pid, (int)d.pid, (int)d.pid, (int)d.pid, (int)d.pid);
        struct bytes out = run_command(command, a.body.data, a.body.len, &status);
        cr_assert_str_eq((char *)out.data, "4\n");
        bytes_free(out);
        answer_free(a);
    }
}

Test(answers, multipart_holds_json_and_object) {
    struct answer object = compile("", "Accept: application/octet-stream"),
                  a = compile("", "Accept: multipart/mixed");
    cr_assert_eq(a.http, 200);
    const char *boundary = strstr(a.type, "boundary=\"");
    cr_assert(boundary, "%s", a.type);
    char mark[80], *second;
    snprintf(mark, sizeof mark, "--%.*s", (int)strcspn(boundary + 10, "\""), boundary + 10);
    cr_assert_eq(memcmp(a.body.data, mark, strlen(mark)), 0);
    second = strstr((char *)a.body.data + strlen(mark), mark);
    cr_assert(second);
    char *bytes = strstr(second, "\r\n\r\n") + 4;
    cr_assert_eq(memcmp(bytes, object.body.data, object.body.len), 0);
    cr_assert_eq(memcmp(bytes + object.body.len, "\r\n--", 4), 0);
    answer_free(a);
    answer_free(object);
}

Test(answers, artifact_reads_and_has_the_same_object) {
    struct answer object = compile("", "Accept: application/octet-stream"),
                  a = compile("", "Accept: application/vnd.smd.artifact");
    sm_artifact artifact;
    cr_assert_eq(sm_artifact_read(a.body.data, a.body.len, &artifact), SM_OK);
    cr_assert_eq(artifact.part[SM_PART_OBJECT].len, object.body.len);
    cr_assert_eq(memcmp(artifact.part[SM_PART_OBJECT].data, object.body.data, object.body.len), 0);
    answer_free(a);
    answer_free(object);
}

Test(answers, text_is_for_a_person) {
    struct answer a = compile("", "Accept: text/plain");
    cr_assert_eq(a.http, 200);
    cr_assert(strstr((char *)a.body.data, "backedge-poll to collect"));
    cr_assert(strstr((char *)a.body.data, "2 functions, 4 safepoints, 4 live pointers"));
    answer_free(a);
}

Test(answers, emit_gives_what_it_names) {
    static const char *const parts[] = {"obj", "ir", "asm", "disasm"};
    struct answer a = compile("?emit=obj,ir,asm,disasm,remarks", "Accept: */*"), plain = compile("", "Accept: */*");
    cr_assert_eq(a.http, 200);
    for (int i = 0; i < 4; i++)
        cr_assert(member(&a, parts[i])[0], "%s is missing", parts[i]);
    cr_assert(json_is_array(json_object_get(a.json, "remarks")));
    cr_assert_str_eq(member(&a, "obj"), member(&plain, "obj"), "what else is emitted does not change the object");
    cr_assert(strstr(member(&a, "ir"), "gc.statepoint"));
    cr_assert(strstr(member(&a, "ir"), "2882400000"), "the ids are the module's own");
    cr_assert(strstr(member(&a, "disasm"), "<- safepoint"));
    cr_assert_null(json_object_get(plain.json, "ir"));
    answer_free(a);
    struct answer none = compile("?emit=ir", "Accept: application/octet-stream");
    assert_problem(&none, 406, "not_acceptable");
    answer_free(none);
    answer_free(plain);
}

Test(answers, equal_requests_have_equal_answers_and_keys) {
    struct answer a = compile("?opt=2&gc_registers=0", "Accept: */*"), b = compile("", "Accept: */*"),
                  c = compile("?opt=1", "Accept: */*");
    cr_assert_eq(a.body.len, b.body.len);
    cr_assert_eq(memcmp(a.body.data, b.body.data, a.body.len), 0);
    cr_assert_str_neq(member(&a, "key"), member(&c, "key"));
    answer_free(a);
    answer_free(b);
    answer_free(c);
}

Test(answers, capabilities_agree_with_the_option_table) {
    struct answer a = get(&d, "/v1/capabilities");
    size_t rows;
    const sm_option_row *table = sm_option_table(&rows);
    json_t *options = json_object_get(a.json, "options");
    cr_assert_eq(a.http, 200);
    cr_assert_eq(json_array_size(options), rows);
    for (size_t i = 0; i < rows; i++) {
        json_t *o = json_array_get(options, i);
        cr_assert_str_eq(json_string_value(json_object_get(o, "name")), table[i].name);
        cr_assert_str_eq(json_string_value(json_object_get(o, "default")), table[i].dflt);
    }
    cr_assert_eq(json_array_size(json_object_get(a.json, "targets")), 2);
    cr_assert_eq(json_array_size(json_object_get(a.json, "gc_strategies")), 5);
    cr_assert(strncmp(json_string_value(json_object_get(json_object_get(a.json, "llvm"), "version")), "19.", 3) == 0);
    cr_assert(json_object_get(json_object_get(a.json, "limits"), "body_bytes"));
    answer_free(a);
}

Test(answers, health_metrics_and_head) {
    static const char *const paths[] = {"/livez", "/readyz", "/metrics", "/openapi.yaml", "/"};
    for (int i = 0; i < 5; i++) {
        struct answer a = get(&d, paths[i]), head = ask(&d, (struct ask){.method = "HEAD", .path = paths[i]});
        cr_assert_eq(a.http, 200, "%s", paths[i]);
        cr_assert_gt(a.body.len, 0);
        cr_assert_eq(head.http, 200);
        cr_assert_eq(head.body.len, 0);
        answer_free(a);
        answer_free(head);
    }
}

Test(answers, a_module_of_many_functions) {
    enum { N = 400 };
    struct bytes b = {malloc(N * 600), 0};
    b.len += (size_t)sprintf((char *)b.data, "declare void @g(ptr addrspace(1))\n");
    for (int i = 0; i < N; i++)
        b.len += (size_t)sprintf(
            (char *)b.data + b.len,
            "define ptr addrspace(1) @f%d(ptr addrspace(1) %%p, ptr addrspace(1) %%q) gc \"statepoint-example\" {\n"
            "  call void @g(ptr addrspace(1) %%q)\n  call void @g(ptr addrspace(1) %%p)\n"
            "  ret ptr addrspace(1) %%q\n}\n",
            i);
    struct answer a = ask(&d, (struct ask){.path = "/v1/compile?safepoints=none", .body = b.data, .len = b.len});
    cr_assert_eq(a.http, 200, "%s", (char *)a.body.data);
    cr_assert_eq(json_array_size(functions(&a)), N);
    answer_free(a);
    bytes_free(b);
}

/* What the passes of the optimiser changed is shown where it is asked for; the object is the same, and the worker does
 * no other job. */
Test(answers, of_passes) {
    struct answer with = post(&d, "/v1/compile?cache=bypass&emit=obj,stages&after=passes", module_list);
    struct answer without = post(&d, "/v1/compile?cache=bypass&emit=obj,stages", module_list);
    size_t i, count = 0, found = 0;
    json_t *stage, *pass;
    cr_assert_eq(with.http, 200);
    cr_assert_str_eq(member(&with, "obj"), member(&without, "obj"));
    json_array_foreach(json_object_get(with.json, "stages"), i, stage) {
        size_t j;
        int is_optimize = strcmp(json_string_value(json_object_get(stage, "stage")), "optimize") == 0;
        cr_expect_eq(json_object_get(stage, "passes") != NULL, is_optimize);
        json_array_foreach(json_object_get(stage, "passes"), j, pass) {
            count++;
            found += strcmp(json_string_value(json_object_get(pass, "pass")), "TailCallElimPass") == 0 &&
                     strstr(json_string_value(json_object_get(pass, "ir")), "tail call") != NULL;
        }
    }
    cr_expect(count > 2 && found > 0, "%zu passes, %zu", count, found);
    json_array_foreach(json_object_get(without.json, "stages"), i, stage)
        cr_expect_null(json_object_get(stage, "passes"));
    answer_free(with);
    answer_free(without);
}
