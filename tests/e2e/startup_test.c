/* What runtimes ask for when they start: recorded under a name, and given at once, by a server and by a file. */
#include "authority.h"
#include "http.h"
#include "scripted.h"
#include "smclient.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[64];

static void prepare(void) {
    strcpy(folder, "/tmp/smd-startup-XXXXXX");
    cr_assert_not_null(mkdtemp(folder));
}

static void clean(void) {
    shell_in("/tmp", "rm -rf %s", folder);
}

TestSuite(startup, .init = prepare, .fini = clean, .timeout = 600);

static const char *in_folder(const char *name) {
    static char path[4][128];
    static unsigned next;
    char *out = path[next++ % 4];
    snprintf(out, sizeof path[0], "%s/%s", folder, name);
    return out;
}

static const char *numbered(int i) {
    static char module[96];
    snprintf(module, sizeof module, "define i32 @f() {\n  ret i32 %d\n}\n", i + 1000);
    return module;
}

static sm_client *new_client(const struct daemon *d, const char *trusted) {
    sm_error err;
    const char *const servers[] = {d->url, NULL}, *const keys[] = {trusted, NULL};
    sm_client *c = sm_client_new(&(sm_client_options){.size = sizeof(sm_client_options),
                                                      .servers = servers,
                                                      .deadline_ms = 300000,
                                                      .trusted_keys = trusted ? keys : NULL},
                                 &err);
    cr_assert(c, "%s", err.message);
    return c;
}

/* Compiles module I, under NAME if it is not NULL; it came from there, and is right. */
static void comes(sm_client *c, int i, const char *name, const char *from) {
    char startup[96], number[24];
    snprintf(startup, sizeof startup, "startup=%s", name ? name : "");
    const char *const options[] = {"emit=obj,asm", "opt=1", name ? startup : NULL, NULL};
    const char *module = numbered(i);
    sm_answer *a = NULL;
    sm_error err;
    sm_result r = sm_compile(
        c,
        &(sm_request){.size = sizeof(sm_request), .module = module, .module_len = strlen(module), .options = options},
        &a, &err);
    cr_assert_eq(r, SM_SUCCESS, "%s", err.message);
    cr_assert(strcmp(sm_answer_cache(a), from) == 0, "%d: from %s, not %s", i, sm_answer_cache(a), from);
    snprintf(number, sizeof number, "movl\t$%d, %%eax", i + 1000);
    cr_assert(strstr(sm_answer_text(a, "asm", NULL), number));
    sm_answer_free(a);
}

static sm_bundle_info prefetches(sm_client *c, const char *name) {
    sm_bundle_info info;
    sm_error err;
    cr_assert_eq(sm_prefetch(c, name, &info, &err), SM_SUCCESS, "%s", err.message);
    return info;
}

enum { FUNCTIONS = 40 };

static struct daemon start(const char *name, const char *value, const char *other, const char *with) {
    return daemon_start((const char *const[]){"--cache-memory-mib", "64", name, value, other, with, NULL});
}

/* Records all functions, some of them twice, and others under another name and none. */
static void record(const struct daemon *d, const char *trusted) {
    sm_client *c = new_client(d, trusted);
    for (int i = FUNCTIONS - 1; i >= 0; i--)
        comes(c, i, "app", "compiled");
    comes(c, 3, "app", "memory");
    comes(c, 500, "other", "compiled");
    comes(c, 501, NULL, "compiled");
    sm_client_free(c);
}

static struct answer stream(const struct daemon *d, const char *name) {
    char path[128];
    snprintf(path, sizeof path, "/v1/stream?startup=%s", name);
    return get(d, path);
}

/* The key of frame I of a bundle's bytes, as text. */
static void frame_key(const struct bytes *b, int i, char text[65]) {
    size_t at = 72;
    for (;; i--) {
        unsigned signature;
        unsigned long long artifact;
        memcpy(&signature, b->data + at, 4);
        memcpy(&artifact, b->data + at + 4, 8);
        if (i == 0)
            break;
        at += 44 + signature + artifact;
    }
    for (int k = 0; k < 32; k++)
        sprintf(text + 2 * k, "%02x", b->data[at + 12 + k]);
}

/* One request, and a runtime has all of them: in the order of their first use, each once, without the server from then on. */
Test(startup, a_runtime_that_starts_has_all_of_them) {
    struct daemon d = start(NULL, NULL, NULL, NULL);
    record(&d, NULL);
    struct answer a = stream(&d, "app");
    cr_assert_eq(a.http, 200);
    cr_assert_str_eq(a.type, "application/vnd.smd.bundle");
    sm_client *c = new_client(&d, NULL);
    sm_bundle_info info = prefetches(c, "app");
    cr_assert(info.artifacts == FUNCTIONS && info.missing == 0 && info.bytes == a.body.len);
    sm_counters before, after;
    sm_client_counters(c, &before, sizeof before);
    for (int i = 0; i < FUNCTIONS; i++)
        comes(c, i, NULL, "bundle");
    sm_client_counters(c, &after, sizeof after);
    cr_assert_eq(after.requests, before.requests);
    cr_assert_eq(after.bundle_hits, FUNCTIONS);
    comes(c, 500, NULL, "memory");
    comes(c, 600, NULL, "compiled");
    sm_client_free(c);
    answer_free(a);
    daemon_stop(&d);
}

/* The order is that in which they were first asked for. */
Test(startup, the_order_is_that_of_first_use) {
    struct daemon d = start(NULL, NULL, NULL, NULL);
    char *key[6];
    for (int i = 0; i < 6; i++) {
        struct answer a = post(&d, "/v1/compile?startup=app", numbered(i * 7 % 6));
        key[i] = answer_header(&a, "X-Smd-Key");
        answer_free(a);
    }
    answer_free(post(&d, "/v1/compile?startup=app", numbered(0)));
    answer_free(post(&d, "/v1/jobs?startup=app", "oops")); /* recorded, and not there */
    struct answer a = stream(&d, "app");
    for (int i = 0; i < 6; i++) {
        char text[65];
        frame_key(&a.body, i, text);
        cr_assert_str_eq(text, key[i]);
        free(key[i]);
    }
    answer_free(a);
    sm_client *c = new_client(&d, NULL);
    cr_assert_eq(prefetches(c, "app").missing, 1);
    sm_client_free(c);
    daemon_stop(&d);
}

/* A key that a client looks up is recorded, and so are those of batches and of jobs. */
Test(startup, whoever_asks_is_recorded) {
    struct daemon d = start(NULL, NULL, NULL, NULL);
    char path[160];
    struct answer a = post(&d, "/v1/compile", numbered(0));
    char *key = answer_header(&a, "X-Smd-Key");
    answer_free(a);
    snprintf(path, sizeof path, "/v1/artifacts/%s?startup=app", key);
    answer_free(get(&d, path));
    free(key);
    static const char form[] = "[{\"ir\":\"define void @a() { ret void }\",\"options\":{\"startup\":\"app\"}}]";
    answer_free(ask(&d, (struct ask){.path = "/v1/batch",
                                     .body = form,
                                     .len = strlen(form),
                                     .headers = {"Content-Type: application/json"}}));
    answer_free(post(&d, "/v1/jobs?startup=app", numbered(2)));
    await_count(&d, "smd_artifacts_total{from=\"compiled\"}", 3);
    sm_client *c = new_client(&d, NULL);
    sm_bundle_info info = prefetches(c, "app");
    cr_assert_eq(info.artifacts + info.missing, 3);
    sm_client_free(c);
    daemon_stop(&d);
}

/* What is refused, or fails, is not. */
Test(startup, what_comes_to_nothing_is_not_recorded) {
    struct daemon d = start(NULL, NULL, NULL, NULL);
    static const char form[] = "[{\"ir\":\"oops\",\"options\":{\"startup\":\"app\"}}]";
    struct answer a = post(&d, "/v1/compile?startup=app&cache=only", numbered(0));
    assert_problem(&a, 404, "artifact_not_found");
    answer_free(a);
    a = post(&d, "/v1/compile?startup=app", "oops");
    assert_problem(&a, 422, "parse_error");
    answer_free(a);
    a = post(&d, "/v1/compile?startup=app&tiers=0,2&opt=1", numbered(0));
    assert_problem(&a, 400, "invalid_option");
    answer_free(a);
    a = ask(&d, (struct ask){.path = "/v1/batch",
                             .body = form,
                             .len = strlen(form),
                             .headers = {"Content-Type: application/json"}});
    cr_assert_eq(a.http, 200);
    answer_free(a);
    a = stream(&d, "app");
    assert_problem(&a, 404, "artifact_not_found");
    answer_free(a);
    daemon_stop(&d);
}

static int is_recorded(void *arg) {
    struct answer a = stream(arg, "app");
    int has = a.http == 200;
    answer_free(a);
    return has;
}

/* A server that is started again has what was recorded, and the artifacts from disk; a file that is damaged is passed over. */
Test(startup, it_outlives_the_server) {
    const char *disk = in_folder("disk");
    struct daemon d = start("--cache-dir", disk, NULL, NULL);
    record(&d, NULL);
    await_count(&d, "smd_cache_entries{tier=\"disk\"}", FUNCTIONS + 2);
    daemon_stop(&d);
    shell_in(folder, "test $(ls disk/startup | wc -l) = 2 && echo no >disk/startup/xyz");
    d = start("--cache-dir", disk, NULL, NULL);
    await(is_recorded, &d, 60, "what was recorded");
    sm_client *c = new_client(&d, NULL);
    cr_assert_eq(prefetches(c, "app").artifacts, FUNCTIONS);
    comes(c, 0, NULL, "bundle");
    struct answer gone = ask(&d, (struct ask){.method = "DELETE", .path = "/v1/stream?startup=app"});
    cr_assert_eq(gone.http, 204);
    answer_free(gone);
    gone = stream(&d, "app");
    assert_problem(&gone, 404, "artifact_not_found");
    answer_free(gone);
    gone = ask(&d, (struct ask){.method = "DELETE", .path = "/v1/stream?startup=app"});
    assert_problem(&gone, 404, "artifact_not_found");
    answer_free(gone);
    sm_client_free(c);
    daemon_stop(&d);
    shell_in(folder, "test $(ls disk/startup | wc -l) = 1"); /* that of the other name */
    shell_in(folder, "f=$(ls disk/startup/*); printf x | dd of=$f bs=1 seek=20 conv=notrunc 2>&1");
    d = start("--cache-dir", disk, NULL, NULL);
    comes(c = new_client(&d, NULL), 0, "third", "disk");
    gone = stream(&d, "other");
    assert_problem(&gone, 404, "artifact_not_found");
    answer_free(gone);
    sm_client_free(c);
    daemon_stop(&d);
}

/* Artifacts that are larger than any piece, from disk, to a client that reads slowly. */
Test(startup, what_is_large_comes_in_pieces) {
    struct daemon d = start("--cache-dir", in_folder("disk"), "--cache-memory-mib", "1");
    enum { LARGE = 3, WORDS = 250000 };
    for (int n = 0; n < LARGE; n++) {
        char *text = malloc(16 * WORDS), *at = text;
        at += sprintf(at, "@t%d = constant [%d x i32] [", n, WORDS);
        for (int i = 0; i < WORDS; i++)
            at += sprintf(at, "%si32 %d", i ? "," : "", i * 31 + n);
        sprintf(at, "]\n");
        struct answer a = post(&d, "/v1/compile?startup=app", text);
        cr_assert_eq(a.http, 200);
        answer_free(a);
        free(text);
    }
    await_count(&d, "smd_cache_entries{tier=\"disk\"}", LARGE);
    static const char request[] =
        "GET /v1/stream?startup=app HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    int fd = daemon_connect(&d);
    char piece[4096];
    size_t all = 0;
    cr_assert_eq(write(fd, request, sizeof request - 1), (ssize_t)sizeof request - 1);
    for (ssize_t n; (n = read(fd, piece, sizeof piece)) > 0; all += (size_t)n)
        ;
    close(fd);
    sm_client *c = new_client(&d, NULL);
    sm_bundle_info info = prefetches(c, "app");
    cr_assert(info.artifacts == LARGE && info.bytes > LARGE * 4 * WORDS);
    cr_assert(all > info.bytes, "%zu of %llu", all, (unsigned long long)info.bytes);
    sm_client_free(c);
    fd = daemon_connect(&d); /* who leaves in its middle leaves nothing behind */
    cr_assert_eq(write(fd, request, sizeof request - 1), (ssize_t)sizeof request - 1);
    cr_assert(read(fd, piece, sizeof piece) > 0);
    close(fd);
    daemon_stop(&d);
}

Test(startup, names_are_bounded) {
    struct daemon d = start(NULL, NULL, NULL, NULL);
    char path[160];
    static const char *const wrong[] = {"a/b", "a%20b", "%00",
                                        "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct answer a = stream(&d, wrong[i]);
        cr_assert_eq(a.http, 400);
        answer_free(a);
        snprintf(path, sizeof path, "/v1/compile?startup=%s", wrong[i]);
        a = post(&d, path, numbered(0));
        cr_assert_eq(a.http, 400);
        answer_free(a);
    }
    struct answer none = get(&d, "/v1/stream");
    assert_problem(&none, 400, "invalid_option");
    answer_free(none);
    for (int i = 0; i < 20; i++) { /* the first of them make room for the last */
        snprintf(path, sizeof path, "/v1/compile?startup=n%d", i);
        answer_free(post(&d, path, numbered(0)));
    }
    none = stream(&d, "n3");
    assert_problem(&none, 404, "artifact_not_found");
    answer_free(none);
    for (int i = 4; i < 20; i++) {
        snprintf(path, sizeof path, "n%d", i);
        struct answer a = stream(&d, path);
        cr_assert_eq(a.http, 200);
        answer_free(a);
    }
    daemon_stop(&d);
}

/* Tenants of one name have each their own. */
Test(startup, another_tenants_name_is_another) {
    char header[2][160];
    for (int i = 0; i < 2; i++) {
        char command[300];
        int status;
        snprintf(command, sizeof command, BIN_DIR "/smc token -f %s new %s", in_folder("tokens"), i ? "b" : "a");
        struct bytes said = run_command(command, "", 0, &status);
        cr_assert_eq(status, 0);
        snprintf(header[i], sizeof header[i], "Authorization: Bearer %.*s", (int)strcspn((char *)said.data, "\n"),
                 (char *)said.data);
        bytes_free(said);
    }
    struct daemon d = start("--tokens", in_folder("tokens"), NULL, NULL);
    struct answer a = ask(&d, (struct ask){.path = "/v1/compile?startup=app",
                                           .body = numbered(1),
                                           .len = strlen(numbered(1)),
                                           .headers = {header[0]}});
    cr_assert_eq(a.http, 200, "%s", (char *)a.body.data);
    answer_free(a);
    for (int i = 0; i < 2; i++) {
        a = ask(&d, (struct ask){.path = "/v1/stream?startup=app", .headers = {header[i]}});
        cr_assert_eq(a.http, i ? 404 : 200);
        answer_free(a);
        a = ask(&d, (struct ask){.method = "DELETE", .path = "/v1/stream?startup=app", .headers = {header[1]}});
        cr_assert_eq(a.http, 404);
        answer_free(a);
    }
    daemon_stop(&d);
}

/* A bundle as a file: what is wrong with it is noticed when it is opened, or, of one artifact, when that is used. */
Test(startup, a_file_that_lies) {
    shell_in(folder, "for k in ours next; do openssl genpkey -algorithm ed25519 -out $k.key && "
                     "openssl pkey -in $k.key -pubout -out $k.pem; done");
    struct daemon d = start("--sign-key", in_folder("ours.key"), NULL, NULL);
    char command[256];
    int status;
    record(&d, in_folder("ours.pem"));
    snprintf(command, sizeof command, BIN_DIR "/smc bundle --server %s app -o %s 2>&1", d.url,
             in_folder("app.bundle"));
    struct bytes said = run_command(command, "", 0, &status);
    cr_assert(status == 0 && strstr((char *)said.data, "40 artifacts"), "%s", (char *)said.data);
    bytes_free(said);
    struct bytes fine = read_file(in_folder("app.bundle"));
    size_t first_artifact = 72 + 44 + fine.data[72];
    static const struct {
        const char *what;
        long at; /* from the beginning; below 0: from the end */
        int value;
    } lies[] = {{"a beginning", 0, 'x'},
                {"a context", 10, 'G'},
                {"a signature's length", 75, 1},
                {"an artifact's length", 76 + 7, 0x7f},
                {"a count", -32, 1}};
    for (size_t i = 0; i < sizeof lies / sizeof *lies + 3; i++) {
        struct bytes b = {malloc(fine.len + 1), fine.len};
        memcpy(b.data, fine.data, fine.len);
        if (i < sizeof lies / sizeof *lies)
            b.data[lies[i].at < 0 ? fine.len - (size_t)-lies[i].at : (size_t)lies[i].at] =
                (unsigned char)lies[i].value;
        else
            b.len = i % 3 == 0 ? fine.len - 1 : i % 3 == 1 ? fine.len / 2 : 3; /* cut off */
        write_file(in_folder("lie"), b.data, b.len);
        sm_client *c = new_client(&d, NULL);
        sm_error err;
        cr_assert_eq(sm_bundle_open(c, in_folder("lie"), NULL, &err), SM_ERR_DAMAGED, "%zu", i);
        comes(c, 0, NULL, "memory");
        sm_client_free(c);
        bytes_free(b);
    }
    for (int i = 0; i < 5; i++) {
        struct bytes b = {malloc(fine.len), fine.len};
        memcpy(b.data, fine.data, fine.len);
        sm_client *c = new_client(&d, i == 3 ? in_folder("next.pem") : i == 4 ? NULL : in_folder("ours.pem"));
        sm_error err;
        if (i == 1 || i == 4)
            b.data[first_artifact + 200] ^= 1;
        if (i == 2)
            b.data[72 + 44 + 70] ^= 1; /* in the signature's base64 */
        write_file(in_folder("lie"), b.data, b.len);
        cr_assert_eq(sm_bundle_open(c, in_folder("lie"), NULL, &err), SM_SUCCESS, "%d: %s", i, err.message);
        if (i == 3) { /* nobody's: nor is the server's answer */
            sm_answer *a = NULL;
            const char *m = numbered(1);
            cr_assert_eq(sm_compile(c,
                                    &(sm_request){.size = sizeof(sm_request), .module = m, .module_len = strlen(m)},
                                    &a, &err),
                         SM_ERR_DAMAGED);
            sm_answer_free(a);
        } else {
            comes(c, FUNCTIONS - 1, NULL, i == 0 ? "bundle" : "memory"); /* the first that was used */
            comes(c, 0, NULL, "bundle");
        }
        sm_client_free(c);
        bytes_free(b);
    }
    /* Two artifacts in each other's place: with signatures neither is taken. */
    struct bytes b = {malloc(fine.len), fine.len};
    memcpy(b.data, fine.data, fine.len);
    unsigned char one[32];
    unsigned long long len;
    memcpy(&len, fine.data + 76, 8);
    unsigned char *second = b.data + first_artifact + len + 12;
    memcpy(one, b.data + 72 + 12, 32);
    memcpy(b.data + 72 + 12, second, 32);
    memcpy(second, one, 32);
    write_file(in_folder("lie"), b.data, b.len);
    sm_client *c = new_client(&d, in_folder("ours.pem"));
    sm_error err;
    cr_assert_eq(sm_bundle_open(c, in_folder("lie"), NULL, &err), SM_SUCCESS);
    comes(c, FUNCTIONS - 1, NULL, "memory");
    comes(c, FUNCTIONS - 2, NULL, "memory");
    comes(c, FUNCTIONS - 3, NULL, "bundle");
    cr_assert_eq(sm_bundle_open(c, in_folder("nowhere"), NULL, &err), SM_ERR_SYSTEM);
    cr_assert_eq(sm_bundle_open(c, folder, NULL, &err), SM_ERR_SYSTEM);
    cr_assert_eq(sm_prefetch(c, "a b", NULL, &err), SM_ERR_INVALID_ARGUMENT);
    cr_assert_eq(sm_prefetch(c, "nobody", NULL, &err), SM_ERR_NOT_CACHED);
    cr_assert_eq(sm_bundle_save(c, "app", "/nowhere/x", NULL, &err), SM_ERR_SYSTEM);
    sm_client_free(c);
    bytes_free(b);
    /* A whole file, without a server, and no more of it than the client has room for. */
    const char *const servers[] = {"http://127.0.0.1:1", NULL};
    c = sm_client_new(&(sm_client_options){.size = sizeof(sm_client_options), .servers = servers}, &err);
    cr_assert_eq(sm_bundle_open(c, in_folder("app.bundle"), NULL, &err), SM_SUCCESS);
    for (int i = 0; i < FUNCTIONS; i++)
        comes(c, i, NULL, "bundle");
    sm_client_free(c);
    c = sm_client_new(
        &(sm_client_options){.size = sizeof(sm_client_options), .servers = servers, .bundle_max = fine.len}, &err);
    cr_assert_eq(sm_bundle_open(c, in_folder("app.bundle"), NULL, &err), SM_SUCCESS);
    cr_assert_eq(sm_bundle_open(c, in_folder("app.bundle"), NULL, &err), SM_ERR_NO_MEMORY);
    sm_client_free(c);
    bytes_free(fine);
    daemon_stop(&d);
}

/* ---- A server that lies ------------------------------------------------------------------------------------- */

/* A whole bundle, and what becomes of it on its way. */
struct script {
    struct bytes bundle;
    const char *lie;
};

static struct reply lie_to(void *user, const char *head) {
    const struct script *s = user;
    static const char huge[44] = {0, 0, 0, 0, -1, -1, -1, -1, -1, -1, -1, 127};
    static const char cut[] = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n48\r\n";
    if (!strstr(head, "GET /v1/stream?startup=app "))
        return reply("404 Not Found", "", "", 0);
    struct reply r = {.len = 0};
    if (strcmp(s->lie, "a chunk is cut off") == 0) {
        r.len = sizeof cut - 1 + 72;
        r.data = malloc(r.len);
        memcpy(r.data, cut, sizeof cut - 1);
        memcpy(r.data + sizeof cut - 1, s->bundle.data, 72);
        return r;
    }
    struct bytes b = {malloc(s->bundle.len + sizeof huge), s->bundle.len};
    memcpy(b.data, s->bundle.data, b.len);
    if (strcmp(s->lie, "it is cut off") == 0)
        b.len -= 44;
    else if (strcmp(s->lie, "more follows its end") == 0)
        b.data[b.len++] = 0;
    else if (strcmp(s->lie, "a frame is huge") == 0)
        memcpy(b.data + 72, huge, sizeof huge);
    else if (strcmp(s->lie, "it is empty") == 0)
        b.len = 0;
    else if (strcmp(s->lie, "it is a page") == 0)
        b.len = (size_t)sprintf((char *)b.data, "<html></html>");
    r = reply("200 OK", "Content-Type: application/vnd.smd.bundle\r\n", b.data, b.len);
    bytes_free(b);
    return r;
}

Test(startup, a_stream_that_lies) {
    static const char *const lies[] = {"",
                                       "it is cut off",
                                       "more follows its end",
                                       "a frame is huge",
                                       "it is empty",
                                       "it is a page",
                                       "a chunk is cut off"};
    struct daemon d = start(NULL, NULL, NULL, NULL);
    record(&d, NULL);
    struct answer a = stream(&d, "app");
    for (size_t i = 0; i < sizeof lies / sizeof *lies; i++) {
        struct script script = {a.body, lies[i]};
        struct scripted *s = scripted_start(lie_to, &script);
        struct daemon liar = d;
        sm_error err = {.result = SM_SUCCESS};
        snprintf(liar.url, sizeof liar.url, "http://127.0.0.1:%d", scripted_port(s));
        sm_client *c = new_client(&liar, NULL);
        sm_result r = sm_prefetch(c, "app", NULL, &err);
        if (i == 0)
            cr_assert_eq(r, SM_SUCCESS, "%s", err.message);
        else if (i + 1 < sizeof lies / sizeof *lies)
            cr_assert_eq(r, SM_ERR_DAMAGED, "%s: %s", lies[i], err.message);
        else
            cr_assert_eq(r, SM_ERR_UNREACHABLE, "%s: %s", lies[i], sm_result_name(r));
        if (i == 0)
            comes(c, 0, NULL, "bundle");
        sm_client_free(c);
        scripted_stop(s);
    }
    answer_free(a);
    daemon_stop(&d);
}
