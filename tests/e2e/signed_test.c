/* Code is vouched for: who trusts a key gets nothing that the key's server has not made for this very request. */
#include "authority.h"
#include "daemon.h"
#include "http.h"
#include "smclient.h"

#include <criterion/criterion.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[] = "/tmp/smd-signed-XXXXXX", paths[8][80];
static const char *ours, *next, *others, *our_key, *next_key, *other_key;

/* The path of a file in the folder. */
static const char *in_folder(int i, const char *name) {
    snprintf(paths[i], sizeof paths[i], "%s/%s", folder, name);
    return paths[i];
}

static void setup(void) {
    cr_assert(mkdtemp(folder));
    shell_in(folder,
             "for k in ours next others; do openssl genpkey -algorithm ed25519 -out $k.key && openssl pkey -in "
             "$k.key -pubout -out $k.pem; done; openssl genrsa -out rsa.key 2>/dev/null");
    ours = in_folder(0, "ours.pem");
    next = in_folder(1, "next.pem");
    others = in_folder(2, "others.pem");
    our_key = in_folder(3, "ours.key");
    next_key = in_folder(4, "next.key");
    other_key = in_folder(5, "others.key");
}

static void teardown(void) {
    shell_in("/", "rm -rf %s", folder);
}

TestSuite(signed_code, .init = setup, .fini = teardown, .timeout = 600);

static const char module[] = "define i32 @f() { ret i32 1 }\n", other_module[] = "define i32 @f() { ret i32 2 }\n";

/* Compiles by a client that trusts these keys (NULL: any), from the URL. */
static sm_result compile(const char *url, const char *text, const char *option, const char *key, const char *key2,
                         char signature[256]) {
    const char *const servers[] = {url, NULL}, *const keys[] = {key, key2, NULL}, *const given[] = {option, NULL};
    const sm_client_options o = {
        .size = sizeof o, .servers = servers, .trusted_keys = key ? keys : NULL, .policy = SM_PREFER_REMOTE};
    const sm_request r = {.size = sizeof r, .module = text, .module_len = strlen(text), .options = given};
    sm_error err = {.result = SM_SUCCESS};
    sm_answer *a = NULL;
    sm_client *c = sm_client_new(&o, &err);
    cr_assert(c, "%s", err.message);
    sm_result result = sm_compile(c, &r, &a, &err);
    cr_expect(result == SM_SUCCESS || err.message[0]);
    snprintf(signature, 256, "%s", sm_answer_signature(a));
    sm_answer_free(a);
    sm_client_free(c);
    return result;
}

/* Compiled, from memory, by key, without the cache: always signed, by the key that is trusted, or one of several. */
Test(signed_code, keys_that_are_trusted) {
    char text[256];
    struct daemon d = daemon_start((const char *const[]){"--sign-key", our_key, "--cache-memory-mib", "16", NULL});
    for (int i = 0; i < 3; i++)
        cr_expect_eq(compile(d.url, module, NULL, ours, NULL, text), SM_SUCCESS);
    cr_expect(strncmp(text, "ed25519 ", 8) == 0);
    cr_expect_eq(compile(d.url, module, "cache=bypass", ours, NULL, text), SM_SUCCESS);
    cr_expect_eq(compile(d.url, module, "opt=0", others, ours, text), SM_SUCCESS);
    cr_expect_eq(compile(d.url, module, NULL, others, NULL, text), SM_ERR_DAMAGED);
    cr_expect_eq(compile(d.url, module, NULL, NULL, NULL, text), SM_SUCCESS);
    daemon_stop(&d);
    d = daemon_start((const char *const[]){"--sign-key", next_key, NULL}); /* rotation: clients have both */
    cr_expect_eq(compile(d.url, module, NULL, ours, next, text), SM_SUCCESS);
    cr_expect_eq(compile(d.url, module, NULL, ours, NULL, text), SM_ERR_DAMAGED);
    daemon_stop(&d);
    d = daemon_start(NULL);
    cr_expect_eq(compile(d.url, module, NULL, ours, NULL, text), SM_ERR_DAMAGED, "what is not signed is an answer");
    daemon_stop(&d);
}

static int is_signed_by_next(void *url) {
    char text[256];
    return compile(url, module, NULL, next, NULL, text) == SM_SUCCESS;
}

static int has_refused(void *daemon) {
    struct bytes log = daemon_log(daemon);
    int has = strstr((char *)log.data, "sign_key_refused") != NULL;
    bytes_free(log);
    return has;
}

/* Another key in the file signs what is in the cache, too, once smd was told; a file that is none changes nothing. */
Test(signed_code, the_key_is_replaced) {
    char text[256];
    shell_in(folder, "cp ours.key now.key");
    struct daemon d =
        daemon_start((const char *const[]){"--sign-key", in_folder(6, "now.key"), "--cache-memory-mib", "16", NULL});
    for (int i = 0; i < 3; i++) /* compiled, from memory, as it was sent before */
        cr_expect_eq(compile(d.url, module, NULL, ours, NULL, text), SM_SUCCESS);
    shell_in(folder, "cp next.key now.key.new && mv now.key.new now.key");
    cr_expect_eq(compile(d.url, module, NULL, ours, NULL, text), SM_SUCCESS, "before it was told");
    kill(d.pid, SIGHUP);
    await(is_signed_by_next, d.url, 20, "the next key's signature");
    cr_expect_eq(compile(d.url, module, NULL, ours, NULL, text), SM_ERR_DAMAGED);
    shell_in(folder, "cp rsa.key now.key");
    kill(d.pid, SIGHUP);
    await(has_refused, &d, 20, "the wrong key to be refused");
    cr_expect_eq(compile(d.url, module, NULL, next, NULL, text), SM_SUCCESS);
    daemon_stop(&d);
}

/* A proxy that lies: between the client and a server it does to every answer what the script says. */
static pid_t start_proxy(int port, int to, const char *script) {
    char command[400], text[40];
    int status;
    snprintf(command, sizeof command,
             "cd %s && { python3 %s/tests/support/liar.py %d %d '%s' >/dev/null 2>&1 & echo $!; }", folder,
             SOURCE_DIR, port, to, script);
    struct bytes said = run_command(command, "", 0, &status);
    snprintf(text, sizeof text, "%.30s", (char *)said.data);
    bytes_free(said);
    return (pid_t)atol(text);
}

static struct answer batch(const struct daemon *d, const char *form) {
    return ask(d, (struct ask){.path = "/v1/batch",
                               .body = form,
                               .len = strlen(form),
                               .headers = {"Content-Type: application/json"}});
}

/* Each success of a batch has the signature that its own request has; what fails has none. */
Test(signed_code, items_of_batches) {
    static const char *const text[] = {"define i32 @f() { ret i32 1 }", "oops", "define i32 @f() { ret i32 2 }"};
    char form[400];
    struct daemon d = daemon_start((const char *const[]){"--sign-key", our_key, "--cache-memory-mib", "16", NULL});
    snprintf(form, sizeof form, "[{\"ir\":\"%s\"},{\"ir\":\"%s\"},{\"ir\":\"%s\"}]", text[0], text[1], text[2]);
    for (int turn = 0; turn < 2; turn++) { /* compiled, and from memory */
        struct answer a = batch(&d, form);
        cr_assert_eq(a.http, 200, "%s", (char *)a.body.data);
        const json_t *results = json_object_get(a.json, "results");
        for (size_t i = 0; i < 3; i++) {
            const json_t *signature = json_object_get(json_array_get(results, i), "signature");
            struct answer alone = post(&d, "/v1/compile", text[i]);
            char *expected = answer_header(&alone, "X-Smd-Signature");
            cr_assert((i == 1) == !signature && (i == 1) == !expected, "%s", (char *)a.body.data);
            cr_assert(i == 1 || strcmp(json_string_value(signature), expected) == 0, "%s", expected);
            free(expected);
            answer_free(alone);
        }
        answer_free(a);
    }
    daemon_stop(&d);
    d = daemon_start(NULL);
    struct answer a = batch(&d, form);
    cr_assert_not(strstr((char *)a.body.data, "signature"));
    answer_free(a);
    daemon_stop(&d);
}

/* Whatever a proxy does to key, content and signature, or gives of another module, is no answer. */
Test(signed_code, a_proxy_that_lies) {
    static const struct {
        const char *script;
        sm_result result;
    } rows[] = {
        {"pass", SM_SUCCESS},       {"no-signature", SM_ERR_DAMAGED}, {"other-signature", SM_ERR_DAMAGED},
        {"replay", SM_ERR_DAMAGED}, {"code", SM_ERR_DAMAGED},         {"replay-as-this", SM_ERR_DAMAGED},
    };
    struct daemon d = daemon_start((const char *const[]){"--sign-key", our_key, NULL});
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char url[60], text[256];
        shell_in(folder, "rm -f port");
        pid_t proxy = start_proxy(0, d.port, rows[i].script);
        shell_in(folder, "until test -s port; do sleep 0.01; done");
        struct bytes port = read_file(in_folder(6, "port"));
        snprintf(url, sizeof url, "http://127.0.0.1:%d", atoi((char *)port.data));
        bytes_free(port);
        compile(url, other_module, NULL, NULL, NULL, text); /* what it may replay */
        cr_expect_eq(compile(url, module, NULL, ours, NULL, text), rows[i].result, "%s", rows[i].script);
        kill(proxy, SIGTERM);
    }
    daemon_stop(&d);
}

/* What a compile of the module gave, and from where, by a daemon whose cache lies in the folder. */
static void expect_code(const char *flag, const char *value, int number, const char *from) {
    struct daemon d =
        daemon_start((const char *const[]){"--cache-dir", in_folder(6, "cache"), flag, flag ? value : NULL, NULL});
    struct answer a =
        ask(&d, (struct ask){.path = "/v1/compile",
                             .body = module,
                             .len = strlen(module),
                             .headers = {"Content-Type: text/plain", "Accept: application/octet-stream"}});
    const unsigned char code[] = {0xb8, (unsigned char)number, 0, 0, 0};
    char *cache = answer_header(&a, "X-Smd-Cache");
    cr_expect(a.http == 200 && memmem(a.body.data, a.body.len, code, sizeof code), "not the code of %d", number);
    cr_expect_str_eq(cache, from);
    free(cache);
    answer_free(a);
    daemon_stop(&d); /* which writes what is to be written */
}

/* Alters the code in the cache's file as somebody would who knows its format: all digests are right. */
static void forge(void) {
    shell_in(folder, "python3 -c '\n"
                     "import glob, hashlib\n"
                     "path = glob.glob(\"cache/[0-9a-f]*/*\")[0]\n"
                     "data = bytearray(open(path, \"rb\").read())\n"
                     "data[data.index(bytes([0xb8, 1, 0, 0, 0])) + 1] = 2\n"
                     "at = data.index(b\"SMDARTF1\")\n"
                     "end = at + int.from_bytes(data[at + 24:at + 32], \"little\")\n"
                     "data[at + 32:at + 64] = hashlib.sha256(data[at:at + 32] + data[at + 64:end]).digest()\n"
                     "open(path, \"wb\").write(data)\n'");
}

/* With a MAC, nothing that others have put into the cache's folder is served; without, whoever may write there is the
 * operator. */
Test(signed_code, a_cache_folder_that_lies) {
    const char *key = in_folder(7, "mac.key");
    shell_in(folder, "openssl rand -hex 32 >mac.key; openssl rand -hex 32 >other.key");
    expect_code(NULL, NULL, 1, "compiled");
    forge();
    expect_code(NULL, NULL, 2, "disk");
    expect_code("--mac-key", key, 1, "compiled"); /* no file without a MAC */
    expect_code("--mac-key", key, 1, "disk");
    forge();
    expect_code("--mac-key", key, 1, "compiled");
    expect_code("--mac-key", key, 1, "disk");
    shell_in(folder, "cp other.key mac.key"); /* of another operator */
    expect_code("--mac-key", key, 1, "compiled");
    shell_in(folder, "! %s/smd --check-config --sign-key ours.key --cache-dir cache", BIN_DIR);
}

/* smc writes a signature and checks it again, without a server. */
Test(signed_code, smc_verifies) {
    struct daemon d = daemon_start((const char *const[]){"--sign-key", our_key, NULL});
    shell_in(
        folder,
        "export PATH=%s:$PATH SMD_SERVER=%s && echo '%s' >m.ll && smc compile m.ll --signature m.o.sig "
        "--trusted-keys others.pem,ours.pem && smc verify m.o --trusted-keys ours.pem && ! smc verify m.o "
        "--trusted-keys others.pem && smc verify -q m.o --trusted-keys others.pem,ours.pem && cp m.o n.o && printf x "
        ">>n.o && ! smc verify n.o --signature m.o.sig --trusted-keys ours.pem && sed 's/^./0/' m.o.sig >k.sig && "
        "{ cmp -s k.sig m.o.sig || ! smc verify m.o --signature k.sig --trusted-keys ours.pem; }",
        BIN_DIR, d.url, "define void @f() { ret void }");
    daemon_stop(&d);
    shell_in(folder,
             "%s/smc verify m.o --trusted-keys $(seq -s, 17 | sed 's/[0-9]*/ours.pem/g') 2>&1 | grep 'more than 16'",
             BIN_DIR);
    shell_in(folder, "for k in rsa.key ours.pem /nowhere; do ! %s/smd --check-config --sign-key $k; done", BIN_DIR);
}
