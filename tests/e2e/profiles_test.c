/* Strategies described in files: a folder's and a request's own work as builtin ones do, are part of the key, and are
 * read again on SIGHUP; what is wrong is named with file and line. */
#include "buf.h"
#include "http.h"

#include <criterion/criterion.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define POINTER "ptr addrspace(1)"
#define MODULE                                                                                                       \
    "declare void @g()\ndeclare void @quiet()\n"                                                                     \
    "define " POINTER " @f(" POINTER " %p) gc \"mygc\" {\n  call void @quiet()\n  call void @g()\n  ret " POINTER    \
    " %p\n}\n"
#define PROFILE                                                                                                      \
    "{\"name\": \"mygc\",\n\"base\": \"statepoint-example\",\n\"poll\": \"call:mygc_stop\",\n\"leaf\": [\"quiet\"]"

static char folder[] = "/tmp/smd-profiles-XXXXXX";
static struct daemon *watched;

static void put(const char *name, const char *text) {
    char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    write_file(path, text, strlen(text));
}

static void drop(const char *name) {
    char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    unlink(path);
}

static void init(void) {
    cr_assert_not_null(mkdtemp(folder));
    put("mygc.json", PROFILE "}\n");
}

static void fini(void) {
    int status;
    char command[128];
    snprintf(command, sizeof command, "rm -r %s", folder);
    bytes_free(run_command(command, NULL, 0, &status));
}

TestSuite(profiles, .init = init, .fini = fini, .timeout = 600);

static struct daemon start(void) {
    return daemon_start((const char *const[]){"--profiles", folder, NULL});
}

static int log_says(void *what) {
    struct bytes log = daemon_log(watched);
    int says = strstr((char *)log.data, what) != NULL;
    bytes_free(log);
    return says;
}

static size_t times(const struct bytes *b, const char *what) {
    size_t n = 0;
    for (const char *at = (char *)b->data; (at = strstr(at, what)) != NULL; at++)
        n++;
    return n;
}

/* The key, and how many records are of a poll and of a call. */
static void compiles(const struct daemon *d, const char *query, size_t polls, size_t calls, char key[80]) {
    char path[300];
    snprintf(path, sizeof path, "/v1/compile?%s", query);
    struct answer a = post(d, path, MODULE);
    cr_assert_eq(a.http, 200, "%s: %s", query, (char *)a.body.data);
    cr_expect_eq(times(&a.body, "\"callee\":\"mygc_stop\""), polls, "%s: %s", query, (char *)a.body.data);
    cr_expect_eq(times(&a.body, "\"reason\":\"call\""), calls, "%s: %s", query, (char *)a.body.data);
    if (key)
        snprintf(key, 80, "%s", member(&a, "key"));
    answer_free(a);
}

Test(profiles, work_as_a_builtin_does) {
    static const char *const targets[] = {"x86_64", "aarch64"};
    struct daemon d = start();
    for (int t = 0; t < 2; t++)
        for (int opt = 0; opt <= 3; opt++) {
            char query[100];
            snprintf(query, sizeof query, "opt=%d&target=%s-unknown-linux-gnu", opt, targets[t]);
            compiles(&d, query, 1, 1, NULL);
        }
    compiles(&d, "safepoints=return", 1, 1, NULL); /* what the request says goes before */
    compiles(&d, "safepoints=none", 0, 1, NULL);
    struct answer a =
        post(&d, "/v1/compile?gc=mygc", "define " POINTER " @f(" POINTER " %p) {\n  ret " POINTER " %p\n}\n");
    cr_assert_eq(a.http, 200, "%s", (char *)a.body.data);
    cr_expect_eq(times(&a.body, "\"callee\":\"mygc_stop\""), 1);
    answer_free(a);
    daemon_stop(&d);
}

/* What it says of safepoints and intervals is of its functions alone; other things a module has once. */
Test(profiles, two_in_one_module) {
    static const char module[] =
        "define void @a() gc \"mygc\" {\n  ret void\n}\ndefine void @b() gc \"other\" {\n  ret void\n}\n"
        "define void @c() \"smd-safepoints\"=\"none\" gc \"mygc\" {\n  ret void\n}\n";
    put("other.json", "{\"name\": \"other\", \"base\": \"coreclr\", \"poll\": \"call:mygc_stop\", \"leaf\": \"x\", "
                      "\"safepoints\": []}");
    struct daemon d = start();
    struct answer a = post(&d, "/v1/compile", module);
    cr_assert_eq(a.http, 200, "%s", (char *)a.body.data);
    cr_expect_eq(times(&a.body, "\"callee\":\"mygc_stop\""), 1, "%s", (char *)a.body.data);
    answer_free(a);
    put("other.json", "{\"name\": \"other\", \"base\": \"coreclr\", \"poll\": \"call:another\"}");
    watched = &d;
    kill(d.pid, SIGHUP);
    await(log_says, "profiles_read", 20, "the profiles to be read");
    a = post(&d, "/v1/compile", module);
    assert_problem(&a, 400, "invalid_profile");
    cr_expect_not_null(strstr((char *)a.body.data, "do not say the same of 'poll'"), "%s", (char *)a.body.data);
    answer_free(a);
    daemon_stop(&d);
}

Test(profiles, are_read_again) {
    char first[80], second[80], third[80];
    struct daemon d = start();
    watched = &d;
    compiles(&d, "", 1, 1, first);
    put("mygc.json", PROFILE ",\n\"safepoints\": [\"entry\", \"return\"]}\n");
    kill(d.pid, SIGHUP);
    await(log_says, "\"event\":\"profiles_read\"", 20, "the profiles to be read again");
    compiles(&d, "", 2, 1, second);
    cr_expect_str_neq(first, second, "the profile is part of the key");
    put("mygc.json", "{\"name\": \"mygc\",\n\"base\": \"statepoint-example\",\n\"safepoint\": []}\n");
    kill(d.pid, SIGHUP);
    await(log_says, "mygc.json:3: There is no member 'safepoint'; did you mean 'safepoints'?", 20,
          "a wrong one to be refused");
    compiles(&d, "", 2, 1, third);
    cr_expect_str_eq(second, third, "what was in force stays");
    drop("mygc.json");
    put("empty.json.off", "not looked at");
    kill(d.pid, SIGHUP);
    for (int gone = 0; !gone;) {
        struct answer a = get(&d, "/v1/capabilities");
        gone = strstr((char *)a.body.data, "\"profiles\":[]") != NULL;
        answer_free(a);
    }
    struct answer a = post(&d, "/v1/compile", MODULE);
    assert_problem(&a, 422, "unsupported_gc_strategy");
    answer_free(a);
    daemon_stop(&d);
}

Test(profiles, are_told) {
    struct daemon plain = daemon_start(NULL), d = start();
    struct answer a = get(&d, "/v1/capabilities"), b = get(&plain, "/v1/capabilities");
    const json_t *p = json_array_get(json_object_get(a.json, "profiles"), 0);
    cr_expect_str_eq(json_string_value(json_object_get(p, "name")), "mygc");
    cr_expect_str_eq(json_string_value(json_object_get(p, "base")), "statepoint-example");
    cr_expect_eq(strlen(json_string_value(json_object_get(p, "digest"))), 64);
    cr_expect_str_eq(json_string_value(json_object_get(json_object_get(p, "options"), "leaf")), "quiet");
    cr_expect_eq(json_array_size(json_object_get(b.json, "profiles")), 0);
    cr_expect_str_neq(member(&a, "key_context"), member(&b, "key_context"));
    int status;
    char command[300];
    snprintf(command, sizeof command, "%s/smc capabilities --server %s 2>&1", BIN_DIR, d.url);
    struct bytes said = run_command(command, NULL, 0, &status);
    cr_expect(status == 0 && strstr((char *)said.data, "mygc"), "%s", (char *)said.data);
    bytes_free(said);
    answer_free(a);
    answer_free(b);
    daemon_stop(&d);
    daemon_stop(&plain);
}

static struct answer post_json(const struct daemon *d, const char *profile, const char *options) {
    sm_buf body;
    json_t *ir = json_string(MODULE);
    char *text = json_dumps(ir, JSON_ENCODE_ANY);
    sm_buf_init(&body, 1 << 20);
    sm_buf_printf(&body, "{\"ir\":%s,\"profile\":%s,\"options\":%s}", text, profile, options);
    struct answer a = ask(d, (struct ask){.path = "/v1/compile",
                                          .body = body.data,
                                          .len = body.len,
                                          .headers = {"Content-Type: application/json"}});
    sm_buf_free(&body);
    free(text);
    json_decref(ir);
    return a;
}

Test(profiles, of_a_request) {
    struct daemon d = daemon_start(NULL);
    struct answer a = post_json(&d, PROFILE "}", "{}"),
                  b = post_json(&d, PROFILE ",\"safepoints\":\"return\"}", "{}");
    struct answer again = post_json(&d, PROFILE ",\"comment\":\"the same\"}", "{}");
    cr_assert(a.http == 200 && b.http == 200 && again.http == 200, "%s", (char *)a.body.data);
    cr_expect_str_neq(member(&a, "key"), member(&b, "key"));
    cr_expect_str_eq(member(&a, "key"), member(&again, "key"));
    cr_expect_not_null(strstr((char *)b.body.data, "\"reason\":\"return-poll\""));
    answer_free(a);
    answer_free(b);
    answer_free(again);
    a = post(&d, "/v1/compile", MODULE); /* it was of that request alone */
    assert_problem(&a, 422, "unsupported_gc_strategy");
    answer_free(a);
    daemon_stop(&d);
}

/* One that no function has is said to do nothing; of a folder's each module needs some alone. */
Test(profiles, of_a_request_that_nobody_has) {
    struct daemon d = start();
    struct answer a = post_json(&d, "{\"name\":\"another\",\"base\":\"coreclr\"}", "{}"),
                  b = post_json(&d, PROFILE "}", "{}"), c = post(&d, "/v1/compile", MODULE);
    cr_expect(a.http == 200 && strstr((char *)a.body.data, "The profile 'another' has no effect"), "%s",
              (char *)a.body.data);
    cr_expect(b.http == 200 && !strstr((char *)b.body.data, "has no effect"), "%s", (char *)b.body.data);
    cr_expect(c.http == 200 && !strstr((char *)c.body.data, "has no effect"), "%s", (char *)c.body.data);
    answer_free(a);
    answer_free(b);
    answer_free(c);
    daemon_stop(&d);
}

/* The line that gives the object again has the profile in it: another server need not know it. */
Test(profiles, are_in_the_line_that_reproduces) {
    static const char *const profiles[] = {
        PROFILE "}", PROFILE ",\"safepoints\":[\"entry\",\"return\"],\"remat\":false,\"registers\":3}",
        PROFILE ",\"spaces\":[{\"tag_mask\":7},{\"space\":2,\"width\":32},{\"space\":3,\"width\":32,\"shift\":3,"
                "\"base\":\"heap\"}],\"registers\":\"auto\",\"allocate\":\"bump\",\"barrier\":[\"card:c:9\",\"load:"
                "heal:7\"]}"};
    struct daemon d = daemon_start(NULL);
    for (size_t i = 0; i < sizeof profiles / sizeof *profiles; i++) {
        struct answer a = post_json(&d, profiles[i], "{\"emit\":\"obj\"}");
        char command[4000];
        int status;
        size_t len = 0;
        cr_assert_eq(a.http, 200, "%s", (char *)a.body.data);
        const char *line = member(&a, "reproduce");
        cr_expect_not_null(strstr(line, "--profile='{\"name\":\"mygc\""), "%s", line);
        snprintf(command, sizeof command, "export SMD_SERVER=%s PATH=" BIN_DIR ":$PATH; %s | base64 -w0", d.url,
                 line);
        struct bytes again = run_command(command, MODULE, strlen(MODULE), &status);
        const char *object = json_string_value(json_object_get(a.json, "obj"));
        len = object ? strlen(object) : 0;
        cr_expect(status == 0 && len && again.len == len && memcmp(again.data, object, len) == 0, "%d: %s", status,
                  line);
        bytes_free(again);
        answer_free(a);
    }
    daemon_stop(&d);
}

/* What has no effect with the base is refused; a default says nothing. */
Test(profiles, fit_their_base) {
    static const char *const idle[] = {"\"poll_interval\":4",   "\"bases\":\"none\"",
                                       "\"table\":\"compact\"", "\"leaf\":\"g\"",
                                       "\"barriers\":\"auto\"", "\"spaces\":[{\"tag_mask\":3}]"};
    static const char *const fine[] = {"\"poll_interval\":0", "\"bases\":\"exact\"", "\"poll\":\"call:p\"",
                                       "\"safepoints\":[]", "\"spaces\":[{}]"};
    struct daemon d = daemon_start(NULL);
    char profile[200];
    for (size_t i = 0; i < sizeof idle / sizeof *idle; i++) {
        snprintf(profile, sizeof profile, "{\"name\":\"mygc\",\"base\":\"erlang\",%s}", idle[i]);
        struct answer a = post_json(&d, profile, "{}");
        assert_problem(&a, 400, "invalid_profile");
        cr_expect_not_null(strstr(member(&a, "detail"), "has no effect with the base 'erlang'"), "%s",
                           member(&a, "detail"));
        answer_free(a);
    }
    for (size_t i = 0; i < sizeof fine / sizeof *fine; i++) {
        snprintf(profile, sizeof profile, "{\"name\":\"another\",\"base\":\"erlang\",%s}", fine[i]);
        struct answer a = post_json(&d, profile, "{\"gc\":\"mygc\"}");
        cr_expect_null(strstr((char *)a.body.data, "invalid_profile"), "%s", (char *)a.body.data);
        answer_free(a);
    }
    daemon_stop(&d);
}

#define SPACES(list) "{\"name\":\"a\",\"base\":\"coreclr\",\"spaces\":[" list "]}"

/* Its spaces are options: which references are compressed, and which bits of others are tags. */
Test(profiles, have_spaces) {
    struct daemon d = daemon_start(NULL);
    struct answer a = post_json(
        &d,
        "{\"name\":\"mygc\",\"base\":\"coreclr\",\"spaces\":[{\"space\":1,\"tag_mask\":7},{\"space\":5,\"width\":32,"
        "\"shift\":3,\"base\":\"heap\"},{\"space\":6,\"width\":32}]}",
        "{\"safepoints\":\"none\"}");
    cr_expect_eq(a.http, 200, "%s", (char *)a.body.data);
    cr_expect_not_null(strstr((char *)a.body.data, "\"spaces\":\"5:32:3:heap,6:32\""), "%s", (char *)a.body.data);
    cr_expect_not_null(strstr((char *)a.body.data, "\"tag_mask\":\"0x7\""), "%s", (char *)a.body.data);
    answer_free(a);
    daemon_stop(&d);
}

/* Options of the answer are those in force, of functions as well, where all of a module have one profile. */
Test(profiles, change_the_options_that_are_told) {
    struct daemon d = daemon_start(NULL);
    struct answer a = post_json(&d, PROFILE ",\"safepoints\":\"return\",\"poll_interval\":9,\"bases\":\"none\"}",
                                "{}"),
                  b = post_json(&d, PROFILE ",\"safepoints\":\"return\"}", "{\"safepoints\":\"none\"}");
    const json_t *in_force = json_object_get(a.json, "options"), *asked = json_object_get(b.json, "options");
    cr_assert(a.http == 200 && b.http == 200, "%s", (char *)a.body.data);
    cr_expect_str_eq(json_string_value(json_object_get(in_force, "safepoints")), "return");
    cr_expect_eq(json_integer_value(json_object_get(in_force, "poll_interval")), 9);
    cr_expect_str_eq(json_string_value(json_object_get(in_force, "bases")), "none");
    cr_expect_str_eq(json_string_value(json_object_get(asked, "safepoints")), "none");
    answer_free(a);
    answer_free(b);
    daemon_stop(&d);
}

static void smc_says(const struct daemon *d, const char *file, const char *profile, int expected, const char *what) {
    char command[700], path[300];
    int status;
    snprintf(path, sizeof path, "%s/given.json", d->folder);
    write_file(path, profile, strlen(profile));
    snprintf(command, sizeof command, "%s/smc compile --server %s --profile-file %s -o %s/out.o %s 2>&1", BIN_DIR,
             d->url, path, d->folder, file);
    struct bytes said = run_command(command, NULL, 0, &status);
    cr_expect(status == expected && strstr((char *)said.data, what), "%s: %d: %s", profile, status,
              (char *)said.data);
    bytes_free(said);
}

Test(profiles, are_sent_by_smc) {
    struct daemon d = daemon_start(NULL);
    char file[300];
    snprintf(file, sizeof file, "%s/module.ll", d.folder);
    write_file(file, MODULE, strlen(MODULE));
    smc_says(&d, file, PROFILE "}", 0, "");
    smc_says(&d, file, PROFILE ",\"polls\":1}", 1,
             "given.json:4: error: There is no member 'polls'; did you mean 'poll'?");
    smc_says(&d, file, PROFILE ",\n\n\"poll_interval\":\"7\"}", 1,
             "given.json:6: error: The value of 'poll_interval' has to be an integer from 0 to 1000000000");
    smc_says(&d, file, PROFILE ",\n\"poll\":\"call\"}", 6, "given.json:5: duplicate");
    smc_says(&d, file, PROFILE ",\n\"barrier\":\"card\"}", 1,
             "given.json:5: error: 'card' is not a value of 'barrier'; it takes module, or card:BASE:SHIFT");
    smc_says(&d, file, PROFILE ",\n\"spaces\":[{},\n{\"space\":2}]}", 1, "given.json:6: error: 'spaces[1]': 'width'");
    smc_says(&d, file, PROFILE ",\n\"zzzz\":0}", 1,
             "given.json:5: error: There is no member 'zzzz'; there are name, base");
    smc_says(&d, file, "{\n\n,", 6, "given.json:3:");
    smc_says(&d, file, "[]", 6, "given.json:1: a profile is an object");
    daemon_stop(&d);
}

/* Of its profile, a request's answer says what is wrong. */
Test(profiles, of_a_request_are_checked) {
    static const struct {
        const char *profile, *why;
    } wrong[] = {
        {"null", "has to be an object"},
        {"[]", "has to be an object"},
        {"{}", "'name' has to be"},
        {"{\"name\":\"a b\",\"base\":\"ocaml\"}", "'name' has to be"},
        {"{\"name\":\"ocaml\",\"base\":\"ocaml\"}", "'name' has to be"},
        {"{\"name\":\"a\",\"base\":\"a\"}", "'base' has to be"},
        {"{\"name\":\"a\",\"base\":\"ocaml\",\"polls\":1}", "did you mean 'poll'?"},
        {"{\"name\":\"a\",\"base\":\"ocaml\",\"poll\":\"call\"}", "'call' is not a value of 'poll'"},
        {"{\"name\":\"a\",\"base\":\"ocaml\",\"poll\":\"call:x\\nbase=y\"}", "printable text"},
        {"{\"name\":\"a\",\"base\":\"ocaml\",\"barrier\":\"card:x\"}", "is not a value of 'barrier'"},
        {"{\"name\":\"a\",\"base\":\"ocaml\",\"table\":\"bitmap\"}", "it takes one of llvm,compact"},
        {"{\"name\":\"a\",\"base\":\"ocaml\",\"leaf\":[1]}", "list of strings"},
        {SPACES("{\"space\":2}"), "'width' has to be 32"},
        {SPACES("{\"space\":255,\"width\":32}"), "from 2 to 254"},
        {SPACES("{\"space\":1,\"width\":32}"), "has width 64"},
        {SPACES("{\"space\":2,\"width\":32,\"tag_mask\":7}"), "can only be 0 of compressed"},
        {SPACES("{\"space\":2,\"width\":32,\"shift\":9}"), "'shift' has to be from 0 to 8"},
        {SPACES("{\"space\":2,\"width\":32,\"base\":\"a,b\"}"), "'base' has to be 0, or the name"},
        {SPACES("{\"space\":2,\"width\":32},{\"space\":2,\"width\":32}"), "is there twice"},
        {SPACES("{\"space\":2,\"width\":32,\"bits\":1}"), "has no member 'bits'"},
        {SPACES("7"), "a list of objects"},
        {SPACES(""), "a list of 1 to 4 objects"},
        {"{\"name\":\"a\",\"base\":\"ocaml\",\"registers\":33}", "from 0 to 32"},
        {"{\"name\":\"a\",\"base\":\"ocaml\",\"allocate\":[]}", "'allocate' has to be a string"},
        {"{\"name\":\"a\",\"base\":\"ocaml\",\"registers\":\"all\"}", "from 0 to 32, or auto"},
        {"{\"name\":\"a\",\"base\":\"ocaml\",\"poll_interval\":\"auto\"}", "an integer from 0 to 1000000000"},
        {"{\"name\":\"a\",\"base\":\"ocaml\",\"poll_interval\":\"7\"}", "has to be an integer from 0 to 1000000000"},
        {"{\"name\":\"a\",\"base\":\"ocaml\",\"poll\":\"calls:x\"}",
         "module, call:SYMBOL, flag:SYMBOL:SLOW, page:SYMBOL and tls:"},
        {"{\"name\":\"a\",\"base\":\"ocaml\",\"bases\":7}", "a string: exact,none"},
        {"{\"name\":\"a\",\"base\":\"ocaml\",\"elide\":{}}", "a list of strings: leaf,readnone,noreturn,arguments"},
        {"{\"name\":\"a\",\"base\":\"ocaml\",\"remat\":\"yes\"}", "'remat' has to be true or false"},
        {"{\"name\":\"a\",\"base\":\"ocaml\",\"table\":[\"llvm\"]}", "'table' has to be a string"},
        {"{\"name\":\"a\",\"base\":\"ocaml\",\"comment\":3}", "'comment' has to be a string"},
        {"{\"name\":\"a\",\"base\":\"ocaml\",\"globals\":\"all\"}", "There is no member 'globals'"},
        {"{\"name\":\"a\",\"base\":\"ocaml\",\"barrier\":\"card:x:64\"}", "is not a value of 'barrier'"},
        {"{\"name\":\"a\",\"base\":\"ocaml\",\"barrier\":[\"card:x:9\",\"card:y:9\"]}", "of 'barrier'"},
    };
    struct daemon d = daemon_start(NULL);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct answer a = post_json(&d, wrong[i].profile, "{}");
        assert_problem(&a, 400, "invalid_profile");
        cr_expect_not_null(strstr(member(&a, "detail"), wrong[i].why), "%s: %s", wrong[i].profile,
                           member(&a, "detail"));
        answer_free(a);
    }
    daemon_stop(&d);
}

/* A daemon does not start with what is wrong, and says where. */
static void refuses_to_start(const char *text, const char *why) {
    char command[300];
    int status;
    put("wrong.json", text);
    snprintf(command, sizeof command, "timeout 600 %s/smd --check-config --profiles %s 2>&1", BIN_DIR, folder);
    struct bytes out = run_command(command, NULL, 0, &status);
    cr_expect(status == 1 && strstr((char *)out.data, why), "%s: %d: %s", text, status, (char *)out.data);
    bytes_free(out);
    drop("wrong.json");
}

Test(profiles, are_checked_with_the_settings) {
    char large[20000];
    refuses_to_start("{", "wrong.json:1: ");
    refuses_to_start("{\"name\": \"a\",\n \"name\": \"b\"}", "wrong.json:2: duplicate");
    refuses_to_start("{\"name\": \"a\",\n\n \"base\": \"other\"}", "wrong.json:3: 'base'");
    refuses_to_start(
        "{\"name\": \"a\", \"base\": \"ocaml\",\n\"comment\": \"\\\"safepoints\\\": {[\",\n\"safepoints\": [\"x\"]}",
        "wrong.json:3: 'x' is not");
    refuses_to_start("{\"name\": \"a\", \"base\": \"ocaml\",\n\"barrier\": \"card:cards:nine\"}",
                     "wrong.json:2: 'card:cards:nine' is not a value of 'barrier'");
    refuses_to_start("{\"name\": \"a\", \"base\": \"ocaml\",\n\n\"poll_interval\": \"7\"}",
                     "wrong.json:3: The value of");
    refuses_to_start("{\"name\": \"a\", \"base\": \"ocaml\",\n\n\"poll_interval\": []}",
                     "an integer from 0 to 1000000000");
    refuses_to_start("{\"name\": \"mygc\", \"base\": \"ocaml\"}", "a profile 'mygc' is in mygc.json, too");
    refuses_to_start("{\"name\": \"a\", \"base\": \"coreclr\", \"spaces\": [{\"space\": 1},\n"
                     "{\"space\": 2, \"width\": 32},\n{\"space\": 3,\n\"width\": 33}]}",
                     "wrong.json:3: 'spaces[2]': 'width' has to be 32");
    refuses_to_start("{\"name\": \"a\", \"base\": \"coreclr\", \"spaces\":\n[\n{\"space\": 300}]}",
                     "wrong.json:3: 'spaces[0]': 'space' has to be 1, or from 2 to 254");
    memset(large, ' ', sizeof large);
    large[sizeof large - 1] = 0;
    refuses_to_start(large, "wrong.json: is larger than");
    char command[300];
    int status;
    snprintf(command, sizeof command,
             "cd %s && mkfifo pipe.json && timeout 600 %s/smd --check-config --profiles . 2>&1", folder, BIN_DIR);
    struct bytes out = run_command(command, NULL, 0, &status);
    cr_expect(status == 1 && strstr((char *)out.data, "not a regular file"), "%d: %s", status, (char *)out.data);
    bytes_free(out);
    snprintf(command, sizeof command,
             "cd %s && rm pipe.json && for i in $(seq 64); do echo '{}' >$i.json; done; timeout 600 %s/smd "
             "--check-config --profiles . 2>&1",
             folder, BIN_DIR);
    out = run_command(command, NULL, 0, &status);
    cr_expect(status == 1 && strstr((char *)out.data, "more than 64 profiles"), "%d: %s", status, (char *)out.data);
    bytes_free(out);
}

/* What the schema allows is there: each of its words is taken, and each member has an option. */
Test(profiles, are_as_their_schema_says) {
    json_error_t err;
    json_t *schema = json_load_file(SOURCE_DIR "/proto/profile.schema.json", 0, &err);
    struct daemon d = daemon_start(NULL);
    const char *name;
    json_t *value, *word;
    size_t i;
    cr_assert_not_null(schema, "%s:%d", err.text, err.line);
    json_object_foreach(json_object_get(schema, "properties"), name, value) {
        json_array_foreach(json_object_get(value, "enum"), i, word) {
            char profile[200];
            if (strcmp(name, "base") == 0)
                snprintf(profile, sizeof profile, "{\"name\":\"mygc\",\"base\":\"%s\"}", json_string_value(word));
            else
                snprintf(profile, sizeof profile, "{\"name\":\"mygc\",\"base\":\"coreclr\",\"%s\":\"%s\"}", name,
                         json_string_value(word));
            struct answer a = post_json(&d, profile, "{\"safepoints\":\"none\"}");
            cr_expect_eq(a.http, 200, "%s: %s", profile, (char *)a.body.data);
            answer_free(a);
        }
        if (strcmp(name, "name") != 0 && !json_object_get(value, "enum")) {
            char profile[200];
            snprintf(profile, sizeof profile, "{\"name\":\"a\",\"base\":\"coreclr\",\"%s\":{}}", name);
            struct answer a = post_json(&d, profile, "{}");
            cr_expect_null(strstr((char *)a.body.data, "There is no member"), "%s", (char *)a.body.data);
            cr_expect_null(strstr((char *)a.body.data, "not there in this version"), "%s", (char *)a.body.data);
            answer_free(a);
        }
    }
    json_decref(schema);
    daemon_stop(&d);
}

/* LLVM's documents call their collector hypothetical-gc. With a profile of that name their examples compile as they
 * stand. */
Test(profiles, the_documents_strategy) {
    static const char *const examples[] = {"007-transition.ll", "107-transition.ll", "207-transition.ll"};
    put("hypothetical.json", "{\"name\": \"hypothetical-gc\", \"base\": \"statepoint-example\", \"safepoints\": []}");
    struct daemon d = start();
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++)
        for (int opt = 0; opt <= 3; opt++) {
            char path[300];
            snprintf(path, sizeof path, SOURCE_DIR "/docs/examples/documents/%s", examples[i]);
            struct bytes text = read_file(path);
            snprintf(path, sizeof path, "/v1/compile?opt=%d", opt);
            struct answer a = post(&d, path, (char *)text.data);
            cr_expect(a.http == 200 && strstr((char *)a.body.data, "\"gc_transition\":true"), "%s: %s", examples[i],
                      (char *)a.body.data);
            answer_free(a);
            bytes_free(text);
        }
    daemon_stop(&d);
}

/* The example is in order, and a schema's reader would say so. */
Test(profiles, the_example_compiles) {
    struct daemon d = daemon_start((const char *const[]){"--profiles", SOURCE_DIR "/docs/examples/profiles", NULL});
    struct bytes module = read_file(SOURCE_DIR "/docs/examples/profile.ll");
    struct answer a = post(&d, "/v1/compile?emit=remarks", (char *)module.data);
    cr_assert_eq(a.http, 200, "%s", (char *)a.body.data);
    cr_expect_not_null(strstr((char *)a.body.data, "the strategy 'mygc' is a profile on statepoint-example"));
    cr_expect_not_null(strstr((char *)a.body.data, "no statepoint at the call of mygc_clock"));
    answer_free(a);
    bytes_free(module);
    daemon_stop(&d);
}

/* LLVM's examples of GC transitions, as they stand: the store, the call, the store. */
Test(profiles, the_documents_transitions) {
    static const char *const names[] = {"007", "107", "207"}, *const archs[] = {"x86_64", "aarch64"},
                             *const parts[2][3] = {{"movl $0x1, %fs:", "callq foo", "movl $0x0, %fs:"},
                                                   {"mov w8, #0x1", "bl foo", "str wzr"}};
    struct daemon d = daemon_start((const char *const[]){"--profiles", SOURCE_DIR "/docs/examples/profiles", NULL});
    for (size_t i = 0; i < 6; i++) {
        char path[512];
        snprintf(path, sizeof path, SOURCE_DIR "/docs/examples/documents/%s-transition.ll", names[i % 3]);
        struct bytes text = read_file(path);
        snprintf(path, sizeof path, "/v1/compile?emit=disasm&reloc=static&target=%s-linux-gnu", archs[i / 3]);
        struct answer a = post(&d, path, (char *)text.data);
        cr_assert_eq(a.http, 200, "%s: %s", names[i % 3], (char *)a.body.data);
        const char *at = member(&a, "disasm");
        for (int k = 0; k < 3; k++) {
            at = strstr(at, parts[i / 3][k]);
            cr_assert_not_null(at, "%s %s: no '%s' in\n%s", names[i % 3], archs[i / 3], parts[i / 3][k],
                               member(&a, "disasm"));
        }
        cr_expect_not_null(strstr((char *)a.body.data, "\"gc_transition\":true"));
        answer_free(a);
        bytes_free(text);
    }
    daemon_stop(&d);
}
