/* TLS: what a client and a server agree on, who is let in, and what becomes of it while smd runs. */
#include "authority.h"
#include "daemon.h"
#include "http.h"
#include "smclient.h"

#include <criterion/criterion.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static char folder[] = "/tmp/smd-tls-XXXXXX";

/* The path of a file in the folder; a few at a time. */
static const char *in_folder(const char *name) {
    static char path[8][160];
    static int turn;
    char *to = path[turn++ % 8];
    snprintf(to, sizeof path[0], "%s/%s", folder, name);
    return to;
}

static void setup(void) {
    cr_assert(mkdtemp(folder));
    authority_new(folder, "ours");
    authority_new(folder, "others");
    authority_sign(folder, "ours", "server", "server", 9);
    authority_sign(folder, "ours", "next", "server", 9);
    authority_sign(folder, "others", "stranger", "client", 9);
    authority_sign(folder, "ours", "friend", "client", 9);
    authority_sign(folder, "ours", "machine", "server", 9);
    authority_sign(folder, "ours", "old", "client", 0);
    authority_sign(folder, "ours", "late", "server", 0);
    authority_sign(folder, "ours", "revoked", "client", 9);
    authority_revoke(folder, "ours", "revoked");
    shell_in(folder, "cp server.pem now.pem; cp server.key now.key");
}

static void teardown(void) {
    shell_in("/", "rm -rf %s", folder);
}

TestSuite(tls, .init = setup, .fini = teardown, .timeout = 600);

/* Starts a daemon that speaks TLS, with two more flags each a name and a value (may be NULL). */
static struct daemon start(const char *flag, const char *value, const char *flag2, const char *value2) {
    struct daemon d = daemon_start((const char *const[]){"--tls-certificate", in_folder("now.pem"), "--tls-key",
                                                         in_folder("now.key"), flag, value, flag2, value2, NULL});
    snprintf(d.url, sizeof d.url, "https://localhost:%d", d.port);
    return d;
}

static struct bytes output;

/* Runs curl with these arguments, the authority, and the URL's path; gives what it prints, and its exit status. */
static const char *curl(const struct daemon *d, const char *arguments, int *status) {
    char command[512];
    snprintf(command, sizeof command, "cd %s && curl -sS -m 60 --cacert ours.pem %s%s 2>&1", folder, arguments,
             d->url);
    bytes_free(output);
    output = run_command(command, "", 0, status);
    return (const char *)output.data;
}

/* What openssl's client says of a connection. */
static const char *s_client(const struct daemon *d, const char *arguments) {
    char command[512];
    int status;
    snprintf(command, sizeof command,
             "cd %s && printf '' | openssl s_client -connect 127.0.0.1:%d -CAfile ours.pem %s 2>&1", folder, d->port,
             arguments);
    bytes_free(output);
    output = run_command(command, "", 0, &status);
    return (const char *)output.data;
}

/* TLS 1.2 and later, HTTP/1.1, forward secrecy, authenticated ciphers: nothing else is agreed on. */
Test(tls, versions_and_ciphers) {
    static const struct {
        const char *arguments, *words;
    } rows[] = {
        {"-tls1_3", "New, TLSv1.3, Cipher is TLS_AES_128_GCM_SHA256"},
        {"-tls1_2", "New, TLSv1.2, Cipher is ECDHE-ECDSA-AES128-GCM-SHA256"},
        {"-tls1_2 -cipher ECDHE-ECDSA-AES256-GCM-SHA384", "New, TLSv1.2"},
        {"-tls1_2 -cipher ECDHE-ECDSA-CHACHA20-POLY1305", "New, TLSv1.2"},
        {"-tls1_2", "Verify return code: 0 (ok)"},
        {"-alpn http/1.1", "ALPN protocol: http/1.1"},
        {"-alpn h2,http/1.1", "ALPN protocol: http/1.1"},
        {"-alpn h2", "alert no application protocol"},
        {"-tls1_1 -cipher ALL:@SECLEVEL=0", "alert protocol version"},
        {"-tls1 -cipher ALL:@SECLEVEL=0", "alert protocol version"},
        {"-tls1_2 -cipher ECDHE-ECDSA-AES128-SHA", "alert handshake failure"},
        {"-tls1_2 -cipher ECDHE-ECDSA-AES128-SHA256", "alert handshake failure"},
        {"-tls1_2 -cipher AES128-GCM-SHA256", "alert handshake failure"},
        {"-tls1_2 -cipher aNULL:@SECLEVEL=0", "alert handshake failure"},
        {"-tls1_2 -sigalgs ECDSA+SHA1:RSA+SHA1 -cipher ALL:@SECLEVEL=0", "alert handshake failure"},
    };
    struct daemon d = start(NULL, NULL, NULL, NULL);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        cr_expect(strstr(s_client(&d, rows[i].arguments), rows[i].words), "%s: %s", rows[i].arguments,
                  (char *)output.data);
    daemon_stop(&d);
}

/* Requests of all sizes by TLS get what others get in clear, on one connection. */
Test(tls, answers_are_the_same) {
    struct bytes comment = repeat("; a line of a module that is large\n", 100000);
    FILE *f = fopen(in_folder("large.ll"), "we");
    fwrite(comment.data, 1, comment.len, f);
    fprintf(f, "define i32 @f() { ret i32 1 }\n");
    for (int i = 0; i < 2000; i++)
        fprintf(f, "@g%d = constant [512 x i8] c\"%0512d\"\n", i, i);
    fclose(f);
    bytes_free(comment);
    struct daemon d = start(NULL, NULL, NULL, NULL), clear = daemon_start(NULL);
    shell_in(folder,
             "post='curl -sS --cacert ours.pem -HAccept:application/octet-stream --data-binary @large.ll' && "
             "$post -o tls.o %s/v1/compile -o again.o %s/v1/compile && $post -o clear.o %s/v1/compile",
             d.url, d.url, clear.url);
    shell_in(folder, "cmp tls.o clear.o && cmp again.o clear.o && test $(stat -c %%s tls.o) -gt 1000000");
    daemon_stop(&clear);
    daemon_stop(&d);
}

static double now_s(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* Sends LEN bytes on a connection of its own and gives all that comes until its end. */
static struct bytes talk(const struct daemon *d, const void *bytes, size_t len) {
    struct bytes answer = {.data = calloc(1, 65536)};
    int fd = daemon_connect(d);
    cr_assert_eq(send(fd, bytes, len, MSG_NOSIGNAL), (ssize_t)len);
    for (ssize_t n; answer.len < 65535 && (n = recv(fd, answer.data + answer.len, 65535 - answer.len, 0)) > 0;)
        answer.len += (size_t)n;
    close(fd);
    return answer;
}

/* Whoever speaks the wrong one is told, and does not wait for a time limit, which is ten seconds and more. */
Test(tls, http_at_a_tls_port_and_the_reverse) {
    static const char request[] = "GET /readyz HTTP/1.1\r\nHost: localhost\r\n\r\n";
    static const unsigned char hello[] = {22, 3, 1, 2, 0, 1, 0, 1, 252, 3, 3, 7};
    struct daemon d = start("--tls-handshake-s", "600", NULL, NULL), clear = daemon_start(NULL);
    struct bytes answer = talk(&d, request, sizeof request - 1);
    cr_expect(strncmp((char *)answer.data, "HTTP/1.1 400 Bad Request\r\n", 26) == 0 &&
                  strstr((char *)answer.data, "https://"),
              "%s", (char *)answer.data);
    bytes_free(answer);
    answer = talk(&clear, hello, sizeof hello);
    cr_expect(strncmp((char *)answer.data, "HTTP/1.1 400", 12) == 0 && strstr((char *)answer.data, "http://"), "%s",
              (char *)answer.data);
    bytes_free(answer);
    daemon_stop(&clear);
    daemon_stop(&d);
}

/* What the gate refuses it refuses by TLS as well. */
Test(tls, requests_are_read_strictly) {
    static const struct {
        const char *request, *answer;
    } rows[] = {
        {"GET /readyz HTTP/1.1\\r\\nHost: localhost\\r\\nConnection: close\\r\\n\\r\\n", "HTTP/1.1 200"},
        {"GET /readyz HTTP/1.1\\nHost: localhost\\n\\n", "does not end with CRLF"},
        {"POST /v1/compile HTTP/1.1\\r\\nHost: localhost\\r\\nContent-Length: 1\\r\\nContent-Length: 2\\r\\n\\r\\nx",
         "more than one Content-Length"},
        {"GET https://localhost/readyz HTTP/1.1\\r\\nHost: localhost\\r\\nConnection: close\\r\\n\\r\\n",
         "HTTP/1.1 200"},
    };
    struct daemon d = start(NULL, NULL, NULL, NULL);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char command[600];
        int status;
        snprintf(command, sizeof command, "printf '%s' | openssl s_client -connect 127.0.0.1:%d -quiet 2>&1",
                 rows[i].request, d.port);
        struct bytes said = run_command(command, "", 0, &status);
        cr_expect(strstr((char *)said.data, rows[i].answer), "%s: %s", rows[i].request, (char *)said.data);
        bytes_free(said);
    }
    daemon_stop(&d);
}

/* smd --probe asks by TLS, and says what it is answered. */
Test(tls, the_probe) {
    struct daemon d = start(NULL, NULL, NULL, NULL);
    shell_in(
        folder,
        "probe() { %s/smd --probe --port %d --tls-certificate now.pem --tls-key now.key | grep -q \"$1\"; }; probe "
        "'HTTP/1.1 200'",
        BIN_DIR, d.port);
    daemon_stop(&d);
}

/* Mutual TLS: the certificate has to be of the authority, for clients, valid now, and not revoked. */
Test(tls, clients_show_who_they_are) {
    struct daemon d = start("--tls-client-ca", in_folder("ours.pem"), "--tls-client-crl", in_folder("ours.crl"));
    static const char *const refused[] = {"stranger", "machine", "old", "revoked"};
    int status;
    curl(&d, "--cert friend.pem --key friend.key ", &status);
    cr_expect_eq(status, 0, "%s", (char *)output.data);
    curl(&d, "", &status);
    cr_expect_neq(status, 0, "who shows none is let in");
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        for (const char *const *version = (const char *const[]){"--tls-max 1.2", "--tlsv1.3", NULL}; *version;
             version++) {
            char arguments[100];
            snprintf(arguments, sizeof arguments, "--cert %s.pem --key %s.key %s ", refused[i], refused[i], *version);
            curl(&d, arguments, &status);
            cr_expect(status != 0 && strstr((char *)output.data, "alert"), "%s, %s: %s", refused[i], *version,
                      (char *)output.data);
        }
    daemon_stop(&d);
}

static const struct daemon *watched;

static int log_says(void *words) {
    struct bytes log = daemon_log(watched);
    int there = strstr((char *)log.data, words) != NULL;
    bytes_free(log);
    return there;
}

/* SIGHUP: connections that stand go on, new ones get the new certificate; a wrong one is refused, and the old stays. */
Test(tls, certificates_are_replaced) {
    struct daemon d = start(NULL, NULL, NULL, NULL);
    char command[300];
    watched = &d;
    snprintf(command, sizeof command,
             "mkfifo in && { openssl s_client -connect 127.0.0.1:%d -quiet <in >out 2>/dev/null & } && exec 3>in && "
             "printf 'GET /readyz HTTP/1.1\\r\\nHost: localhost\\r\\n\\r\\n' >&3 && "
             "while ! grep -q ready out; do sleep 0.01; done && cp next.pem now.pem && cp next.key now.key && "
             "kill -HUP %d && ",
             d.port, (int)d.pid);
    shell_in(
        folder,
        "%s until openssl s_client -connect 127.0.0.1:%d </dev/null 2>&1 | grep -q 'subject=CN = next'; do sleep "
        "0.01; done; printf 'GET /readyz HTTP/1.1\\r\\nHost: localhost\\r\\nConnection: close\\r\\n\\r\\n' >&3; "
        "wait; test $(grep -c '^HTTP/1.1 200' out) = 2",
        command, d.port);
    static const struct {
        const char *change, *words;
    } rows[] = {
        {"cp server.key now.key", "tls_key"},
        {"cp late.pem now.pem; cp late.key now.key", "it has expired"},
        {"echo >now.pem", "tls_certificate"},
        {"rm now.key", "tls_key: "},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        shell_in(folder, "%s; : >%s/log; kill -HUP %d", rows[i].change, d.folder, (int)d.pid);
        await(log_says, "certificates_refused", 60, "the certificate to be refused");
        cr_expect(log_says((void *)rows[i].words), "%s", rows[i].change);
        cr_expect(strstr(s_client(&d, "-tls1_3"), "subject=CN = next"), "%s: %s", rows[i].change,
                  (char *)output.data);
    }
    daemon_stop(&d);
}

/* Who begins and does not go on is closed after its time, keeps nobody out, and is no more than it may be. */
Test(tls, handshakes_have_an_end) {
    enum { SILENT = 40, MOST = 20 };
    struct daemon d = start("--tls-handshake-s", "2", "--client-connections", "20");
    double begun = now_s();
    int fd[SILENT], closed = 0, status;
    for (int i = 0; i < SILENT; i++) {
        fd[i] = daemon_connect(&d);
        send(fd[i], "\x16\x03\x01", (size_t)(i % 4), MSG_NOSIGNAL);
    }
    for (int i = 0; i < SILENT; i++) {
        char byte;
        while (recv(fd[i], &byte, 1, 0) > 0)
            ;
        closed += now_s() - begun < 1;
        close(fd[i]);
    }
    cr_expect(closed <= SILENT - MOST && now_s() - begun >= 1.9, "%d were closed before their time", closed);
    curl(&d, "-o /dev/null ", &status);
    cr_expect_eq(status, 0, "%s", (char *)output.data);
    daemon_stop(&d);
}

static int is_busy(void *d) {
    return metric(d, "smd_workers{state=\"busy\"}") > 0;
}

/* Has curl ask for a compile, and waits until a worker has it. Its answer goes into a file, its process is in NAME.pid. */
static void begin_compile(struct daemon *d, const char *name) {
    shell_in(folder,
             "{ curl -sS --cacert ours.pem --data-binary @small.ll -o %1$s %2$s/v1/compile & echo $! >%1$s.pid; } "
             ">/dev/null 2>&1",
             name, d->url);
    await(is_busy, d, 60, "the compile to begin");
}

/* A client that leaves frees its worker; a drain waits for those whose requests have begun. */
Test(tls, clients_that_leave_and_drains) {
    struct daemon d = start(NULL, NULL, NULL, NULL);
    struct held held = daemon_hold_workers(&d, 2);
    shell_in(folder, "echo 'define void @f() { ret void }' >small.ll");
    begin_compile(&d, "leaves");
    shell_in(folder, "kill $(cat leaves.pid)");
    daemon_await_log(&d, "\"code\":\"cancelled\"");
    daemon_release(&held);
    held = daemon_hold_workers(&d, 2);
    begin_compile(&d, "stays");
    kill(d.pid, SIGTERM);
    daemon_await_log(&d, "\"event\":\"draining\"");
    daemon_release(&held);
    daemon_stop(&d);
    shell_in(folder, "while kill -0 $(cat stays.pid) 2>/dev/null; do sleep 0.01; done; grep -q '\"key\"' stays");
}

/* libsmclient trusts whom it is told to, and shows what it is given. */
Test(tls, libsmclient) {
    struct daemon d = start("--tls-client-ca", in_folder("ours.pem"), NULL, NULL);
    const char *const servers[] = {d.url, NULL};
    const sm_client_options good = {.size = sizeof good,
                                    .servers = servers,
                                    .ca_file = in_folder("ours.pem"),
                                    .cert_file = in_folder("friend.pem"),
                                    .key_file = in_folder("friend.key")};
    sm_client_options wrong = good, silent = good;
    wrong.ca_file = in_folder("others.pem");
    silent.cert_file = silent.key_file = NULL;
    static const char module[] = "define i32 @f() { ret i32 1 }";
    const sm_request request = {.size = sizeof request, .module = module, .module_len = sizeof module - 1};
    const sm_client_options *const options[] = {&good, &wrong, &silent};
    for (int i = 0; i < 3; i++) {
        sm_error err = {.result = SM_SUCCESS};
        sm_answer *answer = NULL;
        sm_client *c = sm_client_new(options[i], &err);
        cr_assert(c, "%s", err.message);
        sm_result result = sm_compile(c, &request, &answer, &err);
        cr_expect_eq(result, i == 0 ? SM_SUCCESS : i == 1 ? SM_ERR_TLS : result, "%d: %s", i, err.message);
        cr_expect(i == 0 || result != SM_SUCCESS, "who shows no certificate is answered");
        sm_answer_free(answer);
        sm_client_free(c);
    }
    daemon_stop(&d);
}

/* An address that others reach needs TLS and to know who asks, or the operator's word. */
Test(tls, open_addresses_are_refused) {
    static const struct {
        const char *flags, *words;
    } rows[] = {
        {"--listen 0.0.0.0", "listen: other machines reach this address, and they would come without TLS"},
        {"--listen ::", "listen: other machines"},
        {"--listen 0.0.0.0 --tls-certificate server.pem --tls-key server.key", "nobody asks who they are"},
        {"--admin-listen 0.0.0.0:0", "admin_listen: other machines"},
        {"--admin-listen 0.0.0.0:0 --tls-certificate server.pem --tls-key server.key --tls-client-ca ours.pem",
         "admin_listen: other machines"},
        {"--tls-certificate server.pem", "tls_key: TLS needs both"},
        {"--tls-certificate server.pem --tls-key /nowhere", "tls_key: /nowhere: No such file"},
        {"--tls-certificate late.pem --tls-key late.key", "it has expired"},
        {"--tls-certificate server.pem --tls-key friend.key", "tls_key friend.key"},
        {"--tls-certificate server.pem --tls-key server.key --tls-client-ca server.key", "tls_client_ca: server.key"},
        {"--tls-certificate server.pem --tls-key server.key --tls-client-crl ours.crl", "tls_client_crl: it needs"},
    };
    char command[400];
    int status;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (int starts = 0; starts < 2; starts++) {
            snprintf(command, sizeof command, "cd %s && %s/smd --port 0 --workers 1 %s %s 2>&1", folder, BIN_DIR,
                     rows[i].flags, starts ? "" : "--check-config");
            struct bytes said = run_command(command, "", 0, &status);
            cr_expect(status == 1 && strstr((char *)said.data, rows[i].words), "%s: %d, %s", command, status,
                      (char *)said.data);
            bytes_free(said);
        }
    struct daemon d = start("--listen", "0.0.0.0", "--tls-client-ca", in_folder("ours.pem"));
    curl(&d, "--cert friend.pem --key friend.key ", &status);
    cr_expect_eq(status, 0, "%s", (char *)output.data);
    daemon_stop(&d);
    d = daemon_start((const char *const[]){"--listen", "0.0.0.0", "--insecure", NULL});
    daemon_stop(&d);
}
