/* The cache: what was compiled before comes from memory, from disk, after a restart, by its key; and only what was. */
#include "http.h"
#include "modules.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char fine[] = "define i32 @f(i32 %x) {\n  ret i32 %x\n}\n";
static char folder[32];
static struct daemon d;

static struct daemon start(const char *const *more) {
    const char *flags[24] = {"--cache-memory-mib", "8", "--cache-dir", folder, "--diagnostic-ttl-s", "60"};
    for (int i = 6; more && *more && i < 23; i++)
        flags[i] = *more++;
    return daemon_start(flags);
}

static void init(void) {
    strcpy(folder, "/tmp/smd-cache-XXXXXX");
    cr_assert_not_null(mkdtemp(folder));
    d = start(NULL);
}

static void fini(void) {
    char command[64];
    int status;
    daemon_stop(&d);
    snprintf(command, sizeof command, "rm -rf %s", folder);
    bytes_free(run_command(command, "", 0, &status));
}

TestSuite(cache, .init = init, .fini = fini, .timeout = 600);

static void restart(const char *const *more) {
    daemon_stop(&d);
    d = start(more);
}

#define header_is(a, name, expected)                                                                                 \
    do {                                                                                                             \
        char *value_ = answer_header(a, name);                                                                       \
        cr_assert(value_ &&strcmp(value_, expected) == 0, "%s is %s, not %s", name, value_ ? value_ : "nothing",     \
                  expected);                                                                                         \
        free(value_);                                                                                                \
    } while (0)

static struct answer compile_as(const char *module, const char *query, const char *accept) {
    char path[256], type[80];
    snprintf(path, sizeof path, "/v1/compile%s", query);
    snprintf(type, sizeof type, "Accept: %s", accept);
    return ask(&d, (struct ask){.path = path, .body = module, .len = strlen(module), .headers = {type}});
}

static void comes_from(const char *module, const char *query, const char *from) {
    struct answer a = compile_as(module, query, "*/*");
    cr_assert_eq(a.http, 200, "%d %s", a.http, (char *)a.body.data);
    header_is(&a, "X-Smd-Cache", from);
    answer_free(a);
}

static char *key_of(const char *module, const char *query) {
    struct answer a = compile_as(module, query, "*/*");
    char *key = answer_header(&a, "X-Smd-Key");
    answer_free(a);
    return key;
}

static struct answer artifact(const char *key, const char *accept, const char *header) {
    char path[128], type[80];
    snprintf(path, sizeof path, "/v1/artifacts/%s", key);
    snprintf(type, sizeof type, "Accept: %s", accept);
    return ask(&d, (struct ask){.path = path, .headers = {type, header}});
}

static int is_on_disk(void *arg) {
    return metric(&d, "smd_cache_entries{tier=\"disk\"}") >= *(int *)arg;
}

static void await_disk(int entries) {
    await(is_on_disk, &entries, 20, "the entries to be on disk");
}

static void same_bytes(struct answer *a, const struct answer *b, const char *type) {
    cr_assert_eq(a->http, 200, "%s", type);
    cr_assert_eq(a->body.len, b->body.len, "%s", type);
    cr_assert_eq(memcmp(a->body.data, b->body.data, b->body.len), 0, "%s", type);
    cr_assert_str_eq(a->type, b->type);
    answer_free(*a);
}

/* Compiled, from memory, from disk; by compile and by key; in every media type the same bytes. */
Test(cache, answers_are_the_same_wherever_they_come_from) {
    static const char *const types[] = {"application/json", "application/octet-stream", "multipart/mixed",
                                        "application/vnd.smd.artifact", "text/plain"};
    enum { TYPES = 5 };
    const char *query = "?opt=2&emit=obj,ir,asm,disasm,remarks";
    struct answer compiled[TYPES], a;
    for (int i = 0; i < TYPES; i++) {
        char bypass[80];
        snprintf(bypass, sizeof bypass, "%s&cache=bypass", query);
        compiled[i] = compile_as(module_list, bypass, types[i]);
        header_is(&compiled[i], "X-Smd-Cache", "compiled");
    }
    comes_from(module_list, query, "compiled");
    await_disk(1);
    char *key = key_of(module_list, query);
    for (int tier = 0; tier < 3; tier++) {
        static const char *const from[] = {"memory", "disk", "memory"};
        for (int i = 0; i < TYPES; i++) {
            static const char *const no_memory[] = {"--cache-memory-mib", "0", NULL};
            if (tier == 1 && i == 0)
                restart(no_memory);
            if (tier == 2 && i == 0) {
                restart(NULL);
                comes_from(module_list, query, "disk");
            }
            a = compile_as(module_list, query, types[i]);
            header_is(&a, "X-Smd-Cache", from[tier]);
            same_bytes(&a, &compiled[i], types[i]);
            a = artifact(key, types[i], NULL);
            header_is(&a, "X-Smd-Cache", from[tier]);
            header_is(&a, "X-Smd-Key", key);
            same_bytes(&a, &compiled[i], types[i]);
        }
    }
    for (int i = 0; i < TYPES; i++)
        answer_free(compiled[i]);
    free(key);
}

/* The same compile has the same key, however it is spelled. */
Test(cache, spelling_does_not_matter) {
    static const char json[] =
        "{\"ir\":\"define i32 @f(i32 %x) {\\n  ret i32 %x\\n}\\n\",\"options\":{\"opt\":\"1\"}}";
    comes_from(fine, "?opt=1&safepoints=backedge,entry", "compiled");
    comes_from(fine, "?safepoints=entry,backedge&opt=1&deadline_ms=4000", "memory");
    comes_from(fine, "?opt=1&priority=batch&verify=safepoints", "memory");
    struct answer a = ask(&d, (struct ask){.path = "/v1/compile",
                                           .body = json,
                                           .len = strlen(json),
                                           .headers = {"Content-Type: application/json"}});
    header_is(&a, "X-Smd-Cache", "memory");
    answer_free(a);
    comes_from(fine, "?opt=3", "compiled");
}

/* FINE behind a comment, which makes it as large; its last byte is END. */
static char *large_module(size_t len, char end) {
    char *text = malloc(len + 1);
    cr_assert_not_null(text);
    memset(text, 'x', len);
    memcpy(text, fine, strlen(fine));
    text[strlen(fine)] = ';';
    text[len - 1] = end;
    text[len] = 0;
    return text;
}

/* A module that is sent again is found without its SHA-256: the key and the answer are the same, and those of a
 * module that differs in its last byte, or of other options, are not. The larger one is hashed by another thread. */
Test(cache, what_is_sent_again_is_the_same) {
    static const size_t sizes[] = {100, 20000, 900000, 1200000};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        char *text = large_module(sizes[i], 'a'), *other = large_module(sizes[i], 'b');
        comes_from(text, "?opt=1", "compiled");
        char *key = key_of(text, "?opt=1");
        for (int again = 0; again < 3; again++) {
            comes_from(text, "?opt=1", "memory");
            char *same = key_of(text, "?opt=1");
            cr_assert_str_eq(same, key);
            free(same);
        }
        comes_from(text, "?opt=2", "compiled");
        comes_from(text, "?opt=2", "memory");
        comes_from(other, "?opt=1", "compiled");
        comes_from(other, "?opt=1", "memory");
        comes_from(other, "?opt=1", "memory");
        char *second = key_of(other, "?opt=1");
        cr_assert_str_neq(second, key);
        comes_from(text, "?opt=1", "memory");
        free(key);
        free(second);
        free(text);
        free(other);
    }
    static const char *const no_memory[] = {"--cache-memory-mib", "0", NULL};
    int files = 3 * (int)(sizeof sizes / sizeof *sizes);
    await_disk(files);
    restart(no_memory);
    comes_from(fine, "?opt=1", "compiled");
    await_disk(files + 1);
    for (int i = 0; i < 3; i++)
        comes_from(fine, "?opt=1", "disk");
}

/* Modules that are kept for that count with the rest. */
Test(cache, what_is_sent_again_is_bounded) {
    static const char *const small[] = {"--cache-memory-mib", "1", NULL};
    restart(small);
    for (int i = 0; i < 40; i++) {
        char *text = large_module(60000 + (size_t)i, 'a');
        for (int again = 0; again < 3; again++)
            comes_from(text, "?opt=0", again ? "memory" : "compiled");
        cr_assert_leq(metric(&d, "smd_cache_bytes{tier=\"memory\"}"), 1 << 20);
        free(text);
    }
    cr_assert_gt(metric(&d, "smd_cache_entries{tier=\"memory\"}"), 30); /* modules go before results */
}

Test(cache, the_option_says_what_is_allowed) {
    struct answer a = compile_as(fine, "?cache=only", "*/*");
    assert_problem(&a, 404, "artifact_not_found");
    answer_free(a);
    comes_from(fine, "?cache=bypass", "compiled");
    a = compile_as(fine, "?cache=only", "*/*");
    assert_problem(&a, 404, "artifact_not_found");
    answer_free(a);
    comes_from(fine, "?cache=refresh", "compiled");
    comes_from(fine, "?cache=refresh", "compiled");
    comes_from(fine, "?cache=only", "memory");
    comes_from(fine, "?cache=bypass", "compiled");
    comes_from(fine, "", "memory");
    a = compile_as(fine, "?cache=never", "*/*");
    assert_problem(&a, 400, "invalid_option");
    answer_free(a);
}

Test(cache, by_key) {
    char *key = key_of(fine, ""), tag[96];
    struct answer a = artifact(key, "application/json", NULL);
    cr_assert_eq(a.http, 200);
    snprintf(tag, sizeof tag, "\"%s\"", key);
    header_is(&a, "ETag", tag);
    answer_free(a);
    snprintf(tag, sizeof tag, "If-None-Match: \"other\", W/\"%s\"", key);
    a = artifact(key, "*/*", tag);
    cr_assert_eq(a.http, 304);
    cr_assert_eq(a.body.len, 0);
    answer_free(a);
    a = artifact(key, "*/*", "If-None-Match: \"other\"");
    cr_assert_eq(a.http, 200);
    answer_free(a);
    a = artifact(key, "image/png", NULL);
    assert_problem(&a, 406, "not_acceptable");
    answer_free(a);
    key[0] = key[0] == 'f' ? '0' : 'f';
    a = artifact(key, "*/*", NULL);
    assert_problem(&a, 404, "artifact_not_found");
    answer_free(a);
    a = artifact("../../etc/passwd", "*/*", NULL);
    cr_assert_eq(a.http, 404);
    answer_free(a);
    key[0] = 'Z';
    a = artifact(key, "*/*", NULL);
    assert_problem(&a, 404, "artifact_not_found");
    answer_free(a);
    free(key);
}

Test(cache, head_has_no_body) {
    char *key = key_of(fine, ""), command[256];
    int status;
    snprintf(command, sizeof command,
             "curl -sI %s/v1/artifacts/%s | tr -d '\\r' | grep -c -e '^HTTP/1.1 200' -e ^ETag -e ^X-Smd-Cache", d.url,
             key);
    struct bytes out = run_command(command, "", 0, &status);
    cr_assert_str_eq((char *)out.data, "3\n");
    bytes_free(out);
    free(key);
}

static struct answer missing(const char *body) {
    return ask(&d, (struct ask){.path = "/v1/artifacts/find-missing",
                                .body = body,
                                .len = strlen(body),
                                .headers = {"Content-Type: application/json"}});
}

Test(cache, find_missing) {
    static const char *const no_memory[] = {"--cache-memory-mib", "0", NULL};
    char *key = key_of(fine, ""), body[300], other[65];
    memset(other, 'a', 64);
    other[64] = 0;
    snprintf(body, sizeof body, "{\"keys\":[\"%s\",\"%s\"]}", key, other);
    for (int i = 0; i < 2; i++) {
        struct answer a = missing(body);
        cr_assert_eq(a.http, 200, "%s", (char *)a.body.data);
        json_t *list_ = json_object_get(a.json, "missing");
        cr_assert_eq(json_array_size(list_), 1);
        cr_assert_str_eq(json_string_value(json_array_get(list_, 0)), other);
        answer_free(a);
        await_disk(1);
        if (i == 0)
            restart(no_memory);
        await_disk(1);
    }
    static const char *const wrong[] = {
        "", "{", "{}", "[]", "{\"keys\":3}", "{\"keys\":[\"abc\"]}", "{\"keys\":[1]}"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct answer a = missing(wrong[i]);
        cr_assert_eq(a.http, 400, "%s", wrong[i]);
        answer_free(a);
    }
    free(key);
}

Test(cache, a_miss_is_explained) {
    struct answer a = compile_as(fine, "?explain=1&opt=1", "*/*");
    header_is(&a, "X-Smd-Miss", "nothing has been kept yet");
    answer_free(a);
    a = compile_as(fine, "?explain=1&opt=2&gc_registers=3", "*/*");
    header_is(&a, "X-Smd-Miss", "option opt: not 2; option gc_registers: not 3");
    answer_free(a);
    a = compile_as(module_list, "?explain=1&opt=2", "*/*");
    char *why = answer_header(&a, "X-Smd-Miss");
    cr_assert(why && strncmp(why, "input; ", 7) == 0, "%s", why);
    free(why);
    answer_free(a);
    a = compile_as(fine, "?explain=1&opt=1", "*/*");
    header_is(&a, "X-Smd-Cache", "memory");
    answer_free(a);
}

/* A module's errors are remembered, too; for who asks past the cache they are found again. */
Test(cache, errors_are_remembered) {
    static const char wrong[] = "define void @f() {\n  oops\n}\n";
    for (int i = 0; i < 3; i++) {
        struct answer a = compile_as(wrong, i < 2 ? "" : "?cache=bypass", "*/*");
        assert_problem(&a, 422, "parse_error");
        cr_assert_eq(diagnostic_number(&a, "line"), 2);
        header_is(&a, "X-Smd-Cache", i == 1 ? "memory" : "compiled");
        answer_free(a);
    }
}

static char *numbered(int i) {
    static char module[4096];
    int n = snprintf(module, sizeof module, "@s = constant [2000 x i8] zeroinitializer, align %d\n", 1 << (i & 3));
    snprintf(module + n, sizeof module - (size_t)n, "define i32 @f() {\n  ret i32 %d\n}\n", i);
    return module;
}

static int is_evicted(void *arg) {
    (void)arg;
    return metric(&d, "smd_cache_evictions_total{tier=\"disk\"}") > 0;
}

/* Whether the disk has the key, and all that was to be written before it. */
static int is_listed(void *key) {
    struct answer a = get(&d, "/v1/manifest");
    int there = strstr((char *)a.body.data, key) != NULL;
    answer_free(a);
    return there;
}

Test(cache, bounds_hold) {
    static const char *const small[] = {
        "--cache-memory-mib", "1", "--cache-disk-mib", "1", "--cache-disk-entries", "40", NULL};
    char command[96];
    int status;
    restart(small);
    for (int i = 0; i < 400; i++) {
        comes_from(numbered(i), "?opt=0", "compiled");
        cr_assert_leq(metric(&d, "smd_cache_bytes{tier=\"memory\"}"), 1 << 20);
        cr_assert_leq(metric(&d, "smd_cache_bytes{tier=\"disk\"}"), 1 << 20);
        cr_assert_leq(metric(&d, "smd_cache_entries{tier=\"disk\"}"), 40);
    }
    char *last = key_of(numbered(399), "?opt=0");
    await(is_listed, last, 20, "all to be on disk");
    free(last);
    await(is_evicted, NULL, 20, "some to leave the disk");
    snprintf(command, sizeof command, "find %s -type f | wc -l", folder);
    struct bytes out = run_command(command, "", 0, &status);
    cr_assert_leq(atoi((char *)out.data), 41, "files: %s", (char *)out.data);
    bytes_free(out);
    cr_assert_gt(metric(&d, "smd_cache_evictions_total{tier=\"memory\"}"), 0);
    comes_from(numbered(399), "?opt=0", "memory");
    comes_from(numbered(0), "?opt=0", "compiled");
    restart(small);
    cr_assert_leq(metric(&d, "smd_cache_entries{tier=\"disk\"}"), 40);
    comes_from(numbered(399), "?opt=0", "disk");
}

Test(cache, jobs_and_batches_use_it) {
    static const char batch[] = "[{\"ir\":\"define i32 @f(i32 %x) {\\n  ret i32 %x\\n}\\n\"}]";
    comes_from(fine, "", "compiled");
    struct answer a = ask(&d, (struct ask){.path = "/v1/batch",
                                           .body = batch,
                                           .len = strlen(batch),
                                           .headers = {"Content-Type: application/json"}});
    cr_assert_eq(a.http, 200);
    answer_free(a);
    a = post(&d, "/v1/jobs", fine);
    cr_assert_eq(a.http, 202, "%s", (char *)a.body.data);
    char *where = answer_header(&a, "Location"), path[128];
    snprintf(path, sizeof path, "%s?wait=20", where);
    free(where);
    answer_free(a);
    a = get(&d, path);
    cr_assert_eq(a.http, 200, "%s", (char *)a.body.data);
    answer_free(a);
    cr_assert_eq(metric(&d, "smd_artifacts_total{from=\"compiled\"}"), 1);
    cr_assert_eq(metric(&d, "smd_artifacts_total{from=\"memory\"}"), 2);
}

/* The key of a compile with a profile of the request's own, that says where polls are and of whose pointers. */
static char *key_with_profile(void) {
    static const char form[] =
        "{\"ir\":\"declare void @g()\\ndefine void @f(ptr addrspace(1) %p) gc \\\"mine\\\" "
        "{\\n  call void @g()\\n  ret "
        "void\\n}\\n\",\"options\":{\"opt\":\"1\"},\"profile\":{\"name\":\"mine\",\"base\":"
        "\"statepoint-example\",\"safepoints\":[\"entry\"],\"poll\":\"call:stop\",\"leaf\":[\"g\"],"
        "\"spaces\":[{\"space\":1,\"tag_mask\":7},{\"space\":2,\"width\":32,\"shift\":3,\"base\":\"heap\"}]}}";
    struct answer a = ask(&d, (struct ask){.path = "/v1/compile",
                                           .body = form,
                                           .len = sizeof form - 1,
                                           .headers = {"Content-Type: application/json"}});
    cr_assert_eq(a.http, 200, "%s", (char *)a.body.data);
    char *key = answer_header(&a, "X-Smd-Key");
    answer_free(a);
    return key;
}

/* What one server was asked for another one is asked for: by its keys, with the modules, options and profiles that made
 * them. */
Test(cache, another_server_is_made_warm) {
    char other_folder[] = "/tmp/smd-cache-XXXXXX", command[400], path[128];
    int status;
    cr_assert_not_null(mkdtemp(other_folder));
    struct daemon other =
        daemon_start((const char *const[]){"--cache-memory-mib", "8", "--cache-dir", other_folder, NULL});
    comes_from(fine, "?opt=1", "compiled");
    comes_from(module_list, "?opt=3&gc_registers=2&name=it%27s%20a%20%22list%22", "compiled");
    comes_from(module_list, "?opt=0&target=aarch64-linux-gnu", "compiled");
    char *key = key_of(module_list, "?opt=0&target=aarch64-linux-gnu");
    char *own = key_with_profile();
    await_disk(4);
    struct answer a = get(&d, "/v1/manifest");
    cr_assert_eq(json_array_size(json_object_get(a.json, "keys")), 4);
    cr_assert_str_eq(json_string_value(json_array_get(json_object_get(a.json, "keys"), 0)), own);
    cr_assert_str_eq(json_string_value(json_array_get(json_object_get(a.json, "keys"), 1)), key);
    json_int_t now = json_integer_value(json_object_get(a.json, "now"));
    answer_free(a);
    snprintf(path, sizeof path, "/v1/manifest?since=%lld", (long long)now + 1000);
    a = get(&d, path);
    cr_assert_eq(json_array_size(json_object_get(a.json, "keys")), 0);
    answer_free(a);
    a = get(&d, "/v1/manifest?since=yesterday");
    assert_problem(&a, 400, "invalid_option");
    answer_free(a);
    snprintf(command, sizeof command, "%s/smc prewarm --from %s --server %s 2>&1", BIN_DIR, d.url, other.url);
    for (int i = 0; i < 2; i++) {
        struct bytes out = run_command(command, "", 0, &status);
        cr_assert_eq(status, 0, "%s", (char *)out.data);
        cr_assert_str_eq((char *)out.data, i ? "4 keys: 0 compiled, 4 were there, 0 have no module\n"
                                             : "4 keys: 4 compiled, 0 were there, 0 have no module\n");
        bytes_free(out);
    }
    const char *const keys[] = {key, own};
    for (int i = 0; i < 2; i++) {
        snprintf(path, sizeof path, "/v1/artifacts/%s", keys[i]);
        a = get(&other, path);
        cr_assert_eq(a.http, 200, "it has the same key there");
        answer_free(a);
    }
    daemon_stop(&other);
    snprintf(command, sizeof command, "rm -rf %s", other_folder);
    bytes_free(run_command(command, "", 0, &status));
    free(key);
    free(own);
}

/* A module that is damaged on disk is not given out; one that was not kept is not there. */
Test(cache, modules_on_disk) {
    static const char *const without[] = {"--cache-modules", "off", NULL};
    char *key = key_of(fine, ""), path[128], command[200];
    int status;
    await_disk(1);
    snprintf(path, sizeof path, "/v1/modules/%s", key);
    struct answer a = get(&d, path);
    cr_assert_eq(a.http, 200, "%s", (char *)a.body.data);
    answer_free(a);
    snprintf(command, sizeof command,
             "f=%s/%.2s/%s; printf X | dd of=$f bs=1 conv=notrunc seek=$(($(stat -c %%s $f) - 3)) 2>/dev/null",
             folder, key, key);
    bytes_free(run_command(command, "", 0, &status));
    cr_assert_eq(status, 0);
    a = get(&d, path);
    assert_problem(&a, 404, "artifact_not_found");
    answer_free(a);
    cr_assert_eq(metric(&d, "smd_cache_errors_total{kind=\"damaged\"}"), 1);
    restart(without);
    comes_from(module_list, "", "compiled");
    free(key);
    key = key_of(module_list, "");
    await_disk(1);
    snprintf(path, sizeof path, "/v1/modules/%s", key);
    a = get(&d, path);
    assert_problem(&a, 404, "artifact_not_found");
    answer_free(a);
    cr_assert_eq(metric(&d, "smd_cache_errors_total{kind=\"damaged\"}"), 0);
    comes_from(module_list, "", "memory");
    free(key);
}

static int is_verified(void *arg) {
    (void)arg;
    struct answer a = compile_as(module_list, "", "*/*"); /* a hit while a worker is busy is passed over */
    answer_free(a);
    return metric(&d, "smd_cache_verified_total{result=\"equal\"}") > 0;
}

/* Hits are compiled again and compared: those of memory, and those of disk after a restart. */
Test(cache, a_share_of_the_hits_is_verified) {
    static const char *const all[] = {"--verify-sample", "100", NULL}, *const from_disk[] = {"--verify-sample", "100",
                                                                                             "--cache-memory-mib",
                                                                                             "0", NULL};
    restart(all);
    comes_from(module_list, "", "compiled");
    await(is_verified, NULL, 20, "a hit to be verified");
    await_disk(1);
    restart(from_disk);
    await(is_verified, NULL, 20, "a hit on disk to be verified");
    cr_assert_eq(metric(&d, "smd_artifacts_total{from=\"memory\"}"), 0);
    cr_assert_eq(metric(&d, "smd_cache_verified_total{result=\"different\"}"), 0);
}

Test(cache, a_second_daemon_is_refused) {
    char command[400];
    int status;
    snprintf(command, sizeof command, "%s/smd --port 0 --cache-dir %s 2>&1 >/dev/null", BIN_DIR, folder);
    struct bytes out = run_command(command, "", 0, &status);
    cr_assert_eq(status, 1);
    cr_assert(strstr((char *)out.data, "another smd has the folder"), "%s", (char *)out.data);
    bytes_free(out);
    comes_from(fine, "", "compiled");
}
