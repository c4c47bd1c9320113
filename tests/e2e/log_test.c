/* The log: a line for each request that says what became of it; and nobody waits for whoever reads it. */
#include "exchange.h"
#include "http.h"
#include "modules.h"

#include <arpa/inet.h>
#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

static const char module[] = "define void @f() {\n  ret void\n}\n";

/* The line of the request with this id, as JSON; NULL while it is not there. */
static json_t *line_of(const char *text, const char *id) {
    json_t *found = NULL;
    for (const char *at = text, *end; !found && (end = strchr(at, '\n')); at = end + 1) {
        json_t *line = json_loadb(at, (size_t)(end - at), 0, NULL);
        const char *its = json_string_value(json_object_get(line, "id"));
        cr_assert(line, "no JSON: %.*s", (int)(end - at), at);
        if (its && strcmp(its, id) == 0)
            found = json_incref(line);
        json_decref(line);
    }
    return found;
}

struct search {
    const struct daemon *daemon;
    const char *id;
    json_t *line;
};

static int is_logged(void *arg) {
    struct search *s = arg;
    struct bytes log = daemon_log(s->daemon);
    s->line = line_of((char *)log.data, s->id);
    bytes_free(log);
    return s->line != NULL;
}

/* Asks with an id and waits for its line. */
static json_t *logged(const struct daemon *d, const char *id, struct ask a) {
    char header[100];
    struct search s = {d, id, NULL};
    snprintf(header, sizeof header, "X-Request-Id: %s", id);
    a.headers[0] = header;
    answer_free(ask(d, a));
    await(is_logged, &s, 20, id);
    return s.line;
}

static void expect(json_t *line, const char *members) {
    json_t *expected = json_loads(members, 0, NULL), *value;
    const char *name;
    json_object_foreach(expected, name, value) {
        json_t *its = json_object_get(line, name);
        char *text = json_dumps(line, 0);
        cr_assert(json_equal(its, value), "%s is not as in %s: %s", name, members, text);
        free(text);
    }
    json_decref(expected);
    json_decref(line);
}

static const struct ask compile = {.path = "/v1/compile", .body = module, .len = sizeof module - 1};

Test(log, a_line_for_each_request) {
    struct daemon d = daemon_start((const char *const[]){"--cache-memory-mib", "8", NULL});
    json_t *first = logged(&d, "first", compile);
    const char *key = json_string_value(json_object_get(first, "key"));
    char path[100];
    snprintf(path, sizeof path, "/v1/artifacts/%s", key);
    cr_assert_gt(json_integer_value(json_object_get(first, "compile_us")), 0);
    cr_assert_gt(json_integer_value(json_object_get(first, "emit_us")), 0);
    expect(first,
           "{\"method\":\"POST\",\"path\":\"/v1/compile\",\"status\":200,\"code\":\"ok\",\"cache\":\"compiled\","
           "\"client\":\"127.0.0.1\",\"received_bytes\":32,\"level\":\"info\"}");
    json_t *again = logged(&d, "again", compile);
    cr_assert_null(json_object_get(again, "compile_us"));
    expect(again, "{\"status\":200,\"cache\":\"memory\",\"received_bytes\":32}");
    expect(logged(&d, "key", (struct ask){.path = path}),
           "{\"method\":\"GET\",\"status\":200,\"cache\":\"memory\",\"received_bytes\":0}");
    expect(logged(&d, "probe", (struct ask){.path = "/livez"}), "{\"status\":200,\"code\":\"ok\",\"sent_bytes\":16}");
    expect(logged(&d, "nothing", (struct ask){.path = "/a\"b"}), "{\"status\":404,\"path\":\"/a\\\"b\"}");
    json_t *wrong = logged(&d, "wrong", (struct ask){.path = "/v1/compile", .body = "oops", .len = 4});
    cr_assert_gt(json_integer_value(json_object_get(wrong, "compile_us")), 0);
    expect(wrong, "{\"status\":422,\"code\":\"parse_error\"}");
    daemon_stop(&d);
}

/* What is shared among all who ask is logged for each of them. */
Test(log, shared_answers_too) {
    struct daemon d = daemon_start((const char *const[]){"--cache-memory-mib", "8", NULL});
    char id[40] = "";
    for (int i = 0; i < 3; i++)
        answer_free(ask(&d, compile));
    snprintf(id, sizeof id, "%x-2", (unsigned)d.pid);
    struct search s = {&d, id, NULL};
    await(is_logged, &s, 20, "the third request's line");
    expect(s.line, "{\"status\":200,\"cache\":\"memory\",\"code\":\"ok\"}");
    daemon_stop(&d);
}

Test(log, hits_only_if_wanted) {
    struct daemon d = daemon_start((const char *const[]){"--cache-memory-mib", "8", "--log-hits", "off", NULL});
    json_decref(logged(&d, "first", compile));
    struct ask again = compile;
    again.headers[0] = "X-Request-Id: again";
    answer_free(ask(&d, again));
    answer_free(ask(&d, (struct ask){.path = "/livez", .headers = {"X-Request-Id: probe"}}));
    json_decref(logged(&d, "error", (struct ask){.path = "/nothing"})); /* comes after the others would have */
    cr_assert_not(is_logged(&(struct search){&d, "again", NULL}));
    cr_assert_not(is_logged(&(struct search){&d, "probe", NULL}));
    daemon_stop(&d);
}

/* ---- A reader who does not read ------------------------------------------------------------------------------ */

enum { REQUESTS = 1000, PATH_LENGTH = 3500 }; /* lines of more than 3 MB */

/* A folder whose smd writes its log into a pipe; gives the end that reads. */
static int start_with_pipe(char *folder, struct daemon *d) {
    char path[100], script[400];
    cr_assert(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/pipe", folder);
    cr_assert_eq(mkfifo(path, 0600), 0);
    int reader = open(path, O_RDONLY | O_NONBLOCK);
    const char *other = getenv("TEST_BIN_DIR");
    snprintf(script, sizeof script, "#!/bin/sh\nexec %s/smd \"$@\" > %s\n", other ? other : BIN_DIR, path);
    snprintf(path, sizeof path, "%s/smd", folder);
    write_file(path, script, strlen(script));
    chmod(path, 0700);
    char *before = other ? strdup(other) : NULL;
    setenv("TEST_BIN_DIR", folder, 1);
    *d = daemon_start(NULL);
    if (before)
        setenv("TEST_BIN_DIR", before, 1);
    else
        unsetenv("TEST_BIN_DIR");
    free(before);
    return reader;
}

static void remove_folder(const char *folder) {
    char command[100];
    int status;
    snprintf(command, sizeof command, "rm -r %s", folder);
    bytes_free(run_command(command, "", 0, &status));
}

static void ask_much(const struct daemon *d) {
    static char path[PATH_LENGTH];
    memset(path, 'x', sizeof path - 1);
    path[0] = '/';
    for (int i = 0; i < REQUESTS; i++) {
        struct answer a = get(d, path);
        cr_assert_eq(a.http, 404);
        answer_free(a);
    }
}

struct counted {
    int fd;
    size_t len; /* of the line so far */
    char line[2 * PATH_LENGTH];
    long requests, lost;
};

/* Reads what is there; 1 once every request has been accounted for. */
static int read_on(void *arg) {
    struct counted *c = arg;
    char piece[65536];
    for (ssize_t n; (n = read(c->fd, piece, sizeof piece)) > 0;)
        for (ssize_t i = 0; i < n; i++) {
            if (piece[i] != '\n') {
                cr_assert_lt(c->len + 1, sizeof c->line);
                c->line[c->len++] = piece[i];
                continue;
            }
            json_t *line = json_loadb(c->line, c->len, 0, NULL);
            cr_assert(line, "no JSON: %.*s", (int)c->len, c->line);
            const char *event = json_string_value(json_object_get(line, "event"));
            c->requests += strcmp(event, "request") == 0;
            if (strcmp(event, "log_lines_lost") == 0)
                c->lost += json_integer_value(json_object_get(line, "count"));
            json_decref(line);
            c->len = 0;
        }
    return c->requests + c->lost == REQUESTS;
}

Test(log, nobody_waits_for_its_reader) {
    char folder[] = "/tmp/smd-test-XXXXXX";
    struct daemon d;
    static struct counted c;
    c.fd = start_with_pipe(folder, &d);
    ask_much(&d);
    await(read_on, &c, 30, "all lines, or the number of those that were lost");
    cr_assert_gt(c.lost, 0);
    cr_assert_gt(c.requests, 0);
    daemon_stop(&d);
    close(c.fd);
    remove_folder(folder);
}

Test(log, stops_without_its_reader) {
    char folder[] = "/tmp/smd-test-XXXXXX";
    struct daemon d;
    int reader = start_with_pipe(folder, &d);
    ask_much(&d);
    daemon_stop(&d); /* fails unless it ends with 0 */
    close(reader);
    remove_folder(folder);
}

Test(log, a_start_in_order_warns_of_nothing) {
    char admin[80];
    snprintf(admin, sizeof admin, "unix:/tmp/smd-log-%d", (int)getpid());
    struct daemon d = daemon_start((const char *const[]){"--admin-listen", admin, "--http-threads", "1", NULL});
    json_decref(logged(&d, "first", (struct ask){.path = "/livez"}));
    struct bytes log = daemon_log(&d);
    cr_assert_null(strstr((char *)log.data, "\"warning\""), "%s", (char *)log.data);
    bytes_free(log);
    daemon_stop(&d);
}

/* A proxy that is trusted says who asks, at the end of the list; what clients write themselves does not count. */
Test(log, a_trusted_proxy_says_who_asks) {
    static const struct {
        const char *header, *another, *client;
    } rows[] = {
        {"X-Forwarded-For: 203.0.113.7", NULL, "203.0.113.7"},
        {"X-Forwarded-For: 198.51.100.1, 203.0.113.7:4711", NULL, "203.0.113.7"},
        {"X-Forwarded-For: 198.51.100.1", "x-forwarded-for: 203.0.113.7", "203.0.113.7"},
        {"X-Forwarded-For: 203.0.113.7, 10.1.2.3, 127.0.0.1", NULL, "203.0.113.7"},
        {"X-Forwarded-For: 10.1.2.3", NULL, "10.1.2.3"},
        {"X-Forwarded-For: [2001:db8::5]:80", NULL, "2001:db8::5"},
        {"X-Forwarded-For: 203.0.113.7, unknown", NULL, "127.0.0.1"},
        {"X-Forwarded-For: nobody, 10.1.2.3", NULL, "10.1.2.3"},
        {"Forwarded: for=203.0.113.7", NULL, "127.0.0.1"},
        {NULL, NULL, "127.0.0.1"},
    };
    for (int trusting = 0; trusting < 2; trusting++) {
        struct daemon d = daemon_start((const char *const[]){
            "--trusted-proxies", trusting ? "127.0.0.1, 10.0.0.0/8" : "192.0.2.0/24,unix", NULL});
        for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
            char id[16];
            snprintf(id, sizeof id, "row-%zu", i);
            json_t *line =
                logged(&d, id, (struct ask){.path = "/livez", .headers = {NULL, rows[i].header, rows[i].another}});
            cr_assert_str_eq(json_string_value(json_object_get(line, "client")),
                             trusting ? rows[i].client : "127.0.0.1", "%s", rows[i].header);
            json_decref(line);
        }
        daemon_stop(&d);
    }
}

/* The same by Forwarded, where the setting says so; then the other header does not count. */
Test(log, a_trusted_proxy_says_who_asks_by_forwarded) {
    static const char *const rows[][2] = {
        {"Forwarded: for=198.51.100.1, for=203.0.113.7;proto=https", "203.0.113.7"},
        {"Forwarded: for=\"[2001:db8::5]:80\", for=10.1.2.3", "2001:db8::5"},
        {"Forwarded: for=\"203.0.113.7", "127.0.0.1"},
        {"X-Forwarded-For: 203.0.113.7", "127.0.0.1"},
    };
    struct daemon d = daemon_start(
        (const char *const[]){"--trusted-proxies", "127.0.0.1, 10.0.0.0/8", "--client-from", "forwarded", NULL});
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char id[16];
        snprintf(id, sizeof id, "row-%zu", i);
        json_t *line = logged(&d, id, (struct ask){.path = "/livez", .headers = {NULL, rows[i][0]}});
        cr_assert_str_eq(json_string_value(json_object_get(line, "client")), rows[i][1], "%s", rows[i][0]);
        json_decref(line);
    }
    daemon_stop(&d);
}

/* Sends BEGIN, in two pieces cut AT a place, and a request; gives its status, 0 if the connection is closed instead, and
 * expects CLIENT in its line of the log. */
static int request_behind(const struct daemon *d, struct bytes begin, size_t at, const char *client) {
    static int number;
    char id[32], header[64];
    int fd = daemon_connect_from(d, "127.0.0.2");
    snprintf(id, sizeof id, "behind-%d", ++number);
    snprintf(header, sizeof header, "X-Request-Id: %s\r\n", id);
    cr_assert_eq(send(fd, begin.data, at, MSG_NOSIGNAL), (ssize_t)at);
    usleep(at ? 20000 : 0); /* so that it mostly comes in two pieces; either way has to do */
    send(fd, begin.data + at, begin.len - at, MSG_NOSIGNAL);
    struct bytes request = exchange_request("GET /livez", header, (struct bytes){0});
    struct exchanged r = exchange(fd, request, 0);
    int http = r.http;
    close(fd);
    bytes_free(request);
    exchanged_free(r);
    if (http) {
        struct search s = {d, id, NULL};
        await(is_logged, &s, 20, id);
        cr_expect_str_eq(json_string_value(json_object_get(s.line, "client")), client);
        json_decref(s.line);
    }
    return http;
}

/* Connections of a trusted proxy begin with the PROXY protocol, those of others do not. */
Test(log, a_trusted_proxy_says_who_asks_by_the_proxy_protocol) {
#define BYTES(text) ((struct bytes){(unsigned char *)(text), sizeof(text) - 1})
    static char line[] = "PROXY TCP4 203.0.113.7 127.0.0.1 4711 8199\r\n";
    static char local[] = "\r\n\r\n\0\r\nQUIT\n\x20\0\0\0";
    char head[] = "\r\n\r\n\0\r\nQUIT\n\x21\x11\x20\0\xcb\0\x71\x08\x7f\0\0\x01\x12\x67\x20\x07",
         many[16 + 8192] = "";
    struct daemon d = daemon_start((const char *const[]){"--trusted-proxies", "127.0.0.2", "--client-from", "proxy",
                                                         "--request-timeout-s", "2", NULL});
    for (size_t at = 0; at < sizeof line; at += 11)
        cr_expect_eq(request_behind(&d, BYTES(line), at, "203.0.113.7"), 200, "%zu", at);
    memcpy(many, head, sizeof head - 1); /* what follows the addresses is read over */
    cr_expect_eq(request_behind(&d, (struct bytes){(unsigned char *)many, sizeof many}, 5, "203.0.113.8"), 200);
    cr_expect_eq(request_behind(&d, BYTES(local), 13, "127.0.0.2"), 200);
    cr_expect_eq(request_behind(&d, BYTES(""), 0, ""), 0);
    cr_expect_eq(request_behind(&d, BYTES("PROXY TCP4 203.0.113.7\r\n"), 3, ""), 0);
    /* One that says nothing is closed in time. */
    int silent = daemon_connect_from(&d, "127.0.0.2");
    char byte;
    cr_expect_eq(read(silent, &byte, 1), 0);
    close(silent);
    expect(logged(&d, "other", (struct ask){.path = "/livez"}), "{\"client\":\"127.0.0.1\"}");
    int left = daemon_connect_from(&d, "127.0.0.2"); /* nor does it keep the daemon from its end */
    daemon_stop(&d);
    close(left);
}

/* The answer's status to a job that does not end, from a client with this header. */
static int submit_endless(const struct daemon *d, const char *header, int number) {
    char path[100];
    snprintf(path, sizeof path, "/v1/jobs?name=%d&cache=bypass", number);
    struct answer a = ask(
        d, (struct ask){.path = path, .body = module_endless, .len = strlen(module_endless), .headers = {header}});
    int http = a.http;
    answer_free(a);
    return http;
}

/* One client's share is not another's, though both come by the same proxy. */
Test(log, clients_of_a_proxy_have_shares_of_their_own) {
    enum { MOST = 20 };
    struct daemon d = daemon_start(
        (const char *const[]){"--trusted-proxies", "127.0.0.1", "--workers", "1", "--client-jobs", "2", NULL});
    int n = 0;
    while (n < MOST && submit_endless(&d, "X-Forwarded-For: 203.0.113.7", n) == 202)
        n++;
    cr_assert_lt(n, MOST);
    cr_assert_eq(submit_endless(&d, "X-Forwarded-For: 203.0.113.7", MOST), 429);
    cr_assert_eq(submit_endless(&d, "X-Forwarded-For: 203.0.113.8", MOST), 202);
    daemon_stop(&d);
}

/* Nobody gets a share for a token that nobody checks: each request has another one, all come from one address. */
Test(log, unchecked_tokens_have_one_share) {
    enum { MOST = 20 };
    struct daemon d = daemon_start((const char *const[]){"--workers", "1", "--client-jobs", "2", NULL});
    int n = 0, http = 202;
    for (; n < MOST && http == 202; n++) {
        char header[64];
        snprintf(header, sizeof header, "Authorization: Bearer %d", n);
        http = submit_endless(&d, header, n);
    }
    cr_assert_eq(http, 429, "%d jobs", n);
    daemon_stop(&d);
}
