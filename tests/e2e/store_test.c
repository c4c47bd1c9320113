/* The object store behind the cache's other tiers: what one server has compiled others have, after Redis and all servers
 * were gone; and each fault of the store is only a miss. */
#include "authority.h"
#include "http.h"
#include "modules.h"
#include "processes.h"
#include "redisserver.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* The store's folder is that of the Redis of these tests, of which some have one. */
static int store_port;
static pid_t store_pid;
static char s3[64], endpoint[64], secrets[160], plain[128];

static char *in_folder(const char *name) {
    static _Thread_local char path[4][160];
    static _Thread_local unsigned next;
    char *out = path[next++ % 4];
    snprintf(out, sizeof path[0], "%s/%s", redis_folder, name);
    return out;
}

static void set_mode(const char *mode) {
    shell_in(redis_folder, "echo %s >mode.new && mv mode.new mode", mode);
}

static int has_port(void *arg) {
    (void)arg;
    FILE *f = fopen(in_folder("port"), "re");
    int ok = f && fscanf(f, "%d", &store_port) == 1;
    if (f)
        fclose(f);
    return ok;
}

/* Starts the store, which lets in who signs ("s3"), who says a password ("basic"), or everybody ("open"); at the port that it
 * had, if it had one. CERTIFICATE and KEY are files of the folder, or NULL. */
static void store_begin(const char *kind, const char *certificate, const char *key) {
    char number[16];
    snprintf(number, sizeof number, "%d", store_port);
    unlink(in_folder("port"));
    store_pid = fork();
    if (store_pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL); /* a test that fails leaves nothing behind */
        if (chdir(redis_folder) == 0)
            execlp("python3", "python3", SOURCE_DIR "/tests/support/objectstore.py", number, kind, certificate, key,
                   NULL);
        _exit(127);
    }
    await(has_port, NULL, 60, "the store");
    snprintf(endpoint, sizeof endpoint, "http%s://localhost:%d", certificate ? "s" : "", store_port);
    snprintf(plain, sizeof plain, "%s/dav/artifacts", endpoint);
}

static void store_kill(void) {
    if (store_pid > 0) {
        kill(store_pid, SIGKILL);
        waitpid(store_pid, NULL, 0);
    }
    store_pid = 0;
}

static void prepare(void) {
    redis_prepare();
    snprintf(s3, sizeof s3, "s3://bucket/some/prefix");
    snprintf(secrets, sizeof secrets, "%s", in_folder("secrets"));
    shell_in(redis_folder, "echo 'AKIDEXAMPLE:wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' >secrets");
}

static void clean(void) {
    store_kill();
    redis_clean();
}

TestSuite(store, .init = prepare, .fini = clean, .timeout = 600);

static int is_up(void *arg) {
    return metric(arg, "smd_store_up") == 1;
}

static int is_down(void *arg) {
    return metric(arg, "smd_store_up") == 0;
}

/* A server of the S3 store, with two more settings (may be NULL). A lookup waits as long as it takes on any machine. */
static struct daemon start(const char *name, const char *value, const char *other, const char *with) {
    return daemon_start((const char *const[]){"--store", s3, "--store-endpoint", endpoint, "--store-region", "here-1",
                                              "--store-credentials-file", secrets, "--mac-key", redis_key_file,
                                              "--store-wait-ms", "60000", "--cache-memory-mib", "64", name, value,
                                              other, with, NULL});
}

static struct daemon start_up(const char *name, const char *value) {
    struct daemon d = start(name, value, NULL, NULL);
    await(is_up, &d, 60, "the store");
    return d;
}

/* A server of a store that is plain WebDAV. */
static struct daemon start_plain(const char *where, const char *name, const char *value) {
    struct daemon d =
        daemon_start((const char *const[]){"--store", where, "--mac-key", redis_key_file, "--store-wait-ms", "60000",
                                           "--cache-memory-mib", "64", name, value, NULL});
    await(is_up, &d, 60, "the store");
    return d;
}

static const char *numbered(int i) {
    static _Thread_local char module[96];
    snprintf(module, sizeof module, "define i32 @f() {\n  ret i32 %d\n}\n", i + 1000);
    return module;
}

/* Compiles module I; the answer is right, and came from there. Gives its key, *new*. */
static char *compiles(const struct daemon *d, int i, const char *from) {
    struct answer a = post(d, "/v1/compile?opt=1&emit=obj,asm", numbered(i));
    char number[24], *where = answer_header(&a, "X-Smd-Cache"), *key = answer_header(&a, "X-Smd-Key");
    snprintf(number, sizeof number, "movl\t$%d, %%eax", i + 1000);
    cr_assert_eq(a.http, 200, "%d %s", a.http, a.body.data ? (char *)a.body.data : "");
    cr_assert(strstr(member(&a, "asm"), number), "%s in %s", number, member(&a, "asm"));
    cr_assert(strcmp(where, from) == 0, "from %s, not %s", where, from);
    free(where);
    answer_free(a);
    return key;
}

static void comes(const struct daemon *d, int i, const char *from) {
    free(compiles(d, i, from));
}

/* The file with the entry of a key. */
static const char *entry(const char *key) {
    static _Thread_local char path[2][256];
    static _Thread_local unsigned next;
    char *out = path[next++ % 2];
    snprintf(out, sizeof path[0], "objects/bucket%%2Fsome%%2Fprefix%%2F%s.smd1", key);
    return out;
}

static void no_fault(void) {
    shell_in(redis_folder, "if [ -e faults ]; then cat faults >&2; false; fi");
}

/* What smc doctor finds; it may find something else wrong, as no sandbox. */
static void doctor_says(const struct daemon *d, const char *words) {
    char command[256];
    int status;
    snprintf(command, sizeof command, BIN_DIR "/smc doctor %s", d->url);
    struct bytes said = run_command(command, "", 0, &status);
    cr_assert(strstr((const char *)said.data, words), "%s", (const char *)said.data);
    bytes_free(said);
}

#define WRITTEN      "smd_store_written_total"
#define ERRORS(kind) "smd_store_errors_total{kind=\"" kind "\"}"
#define HELD_RESULTS "smd_held_bytes{what=\"result\",setting=\"queue_mib\"}"

/* Compiled once: the second server has it, and so has the first after it was started again. Every request was signed as
 * Amazon says. */
Test(store, what_one_server_has_compiled_another_has) {
    store_begin("s3", NULL, NULL);
    struct daemon a = start_up(NULL, NULL), b = start_up("--cache-dir", in_folder("disk"));
    char path[160], *key = compiles(&a, 1, "compiled");
    await_count(&a, WRITTEN, 1);
    comes(&b, 1, "store");
    comes(&b, 1, "memory");
    cr_assert_eq(metric(&b, "smd_artifacts_total{from=\"store\"}"), 1);
    doctor_says(&b, "the object store answers");
    await_count(&b, "smd_cache_entries{tier=\"disk\"}", 1);
    daemon_stop(&a);
    a = start_up(NULL, NULL);
    snprintf(path, sizeof path, "/v1/artifacts/%s", key);
    struct answer found = get(&a, path);
    char *from = answer_header(&found, "X-Smd-Cache");
    cr_assert_eq(found.http, 200);
    cr_assert_str_eq(from, "store");
    free(from);
    answer_free(found);
    store_kill();
    daemon_stop(&b);
    b = start("--cache-dir", in_folder("disk"), NULL, NULL);
    comes(&b, 1, "disk");
    no_fault();
    shell_in(redis_folder, "test $(grep -c '^PUT 200' requests) = 1");
    free(key);
    daemon_stop(&a);
    daemon_stop(&b);
}

/* Over a MiB both ways, with a session's token. */
Test(store, what_is_large_is_kept_too) {
    static const char path[] = "/v1/compile?emit=obj&deadline_ms=600000";
    store_begin("s3", NULL, NULL);
    shell_in(redis_folder, "echo 'a/session+token=' >>secrets");
    struct daemon a = start_up(NULL, NULL), b = start_up(NULL, NULL);
    char *text = malloc(12 << 20), *at = text;
    unsigned x = 1;
    at += sprintf(at, "@t = constant [700000 x i32] [");
    for (int i = 0; i < 700000; i++, x = x * 1664525 + 1013904223)
        at += sprintf(at, "%si32 %u", i ? "," : "", x);
    sprintf(at, "]\n");
    struct answer one = post(&a, path, text);
    cr_assert_eq(one.http, 200, "%s", (char *)one.body.data);
    await_count(&a, WRITTEN, 1);
    shell_in(redis_folder, "test $(cat objects/* | wc -c) -gt 2000000");
    struct answer two = post(&b, path, text);
    char *from = answer_header(&two, "X-Smd-Cache");
    cr_assert_str_eq(from, "store");
    cr_assert_str_eq(member(&two, "obj"), member(&one, "obj"));
    cr_assert(one.body.len > 3 << 20);
    no_fault();
    free(from);
    answer_free(one);
    answer_free(two);
    daemon_stop(&a);
    daemon_stop(&b);
    struct daemon small = start_up("--store-entry-mib", "1"); /* neither takes nor keeps it */
    struct answer three = post(&small, path, text);
    from = answer_header(&three, "X-Smd-Cache");
    cr_assert_str_eq(from, "compiled");
    await_count(&small, "smd_store_not_kept_total", 1);
    cr_assert_eq(metric(&small, ERRORS("fault")), 1);
    free(from);
    free(text);
    answer_free(three);
    daemon_stop(&small);
}

/* Plain WebDAV, by a server that others have written. */
Test(store, nginx_keeps_it) {
    store_begin("open", NULL, NULL); /* for a port that is free */
    store_kill();
    shell_in(redis_folder,
             "mkdir -p dav/dav/artifacts tmp && chmod -R 777 . && cat >nginx.conf <<END\n"
             "daemon off; worker_processes 1; pid %s/nginx.pid; error_log %s/error.log;\n"
             "events { worker_connections 128; }\n"
             "http { access_log off; client_body_temp_path %s/tmp; client_max_body_size 64m;\n"
             "  proxy_temp_path %s/tmp; fastcgi_temp_path %s/tmp; uwsgi_temp_path %s/tmp; scgi_temp_path %s/tmp;\n"
             "  server { listen 127.0.0.1:%d; root %s/dav; dav_methods PUT; } }\n"
             "END\n:",
             redis_folder, redis_folder, redis_folder, redis_folder, redis_folder, redis_folder, redis_folder,
             store_port, redis_folder);
    store_pid = fork();
    if (store_pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGTERM);
        execlp("/usr/sbin/nginx", "nginx", "-c", in_folder("nginx.conf"), "-p", redis_folder, NULL);
        _exit(127);
    }
    struct daemon a = start_plain(plain, NULL, NULL), b = start_plain(plain, NULL, NULL);
    char *key = compiles(&a, 1, "compiled");
    await_count(&a, WRITTEN, 1);
    shell_in(redis_folder, "test -s dav/dav/artifacts/%s.smd1", key);
    comes(&b, 1, "store");
    free(key);
    daemon_stop(&a);
    daemon_stop(&b);
    kill(store_pid, SIGTERM); /* nginx ends its own worker */
    waitpid(store_pid, NULL, 0);
    store_pid = 0;
}

/* Over TLS with a password, by an authority of one's own; nobody else is believed. */
Test(store, the_certificate_is_checked) {
    authority_new(redis_folder, "ours");
    authority_new(redis_folder, "theirs");
    authority_sign(redis_folder, "ours", "server", "server", 30);
    store_begin("basic", "server.pem", "server.key");
    shell_in(redis_folder, "echo 'me:secret:word' >secrets; echo 'me:else' >wrong");
    const char *const right[] = {"--store",
                                 plain,
                                 "--mac-key",
                                 redis_key_file,
                                 "--store-wait-ms",
                                 "60000",
                                 "--cache-memory-mib",
                                 "64",
                                 "--store-ca",
                                 in_folder("ours.pem"),
                                 "--store-credentials-file",
                                 secrets,
                                 NULL};
    const char *flags[sizeof right / sizeof *right];
    struct daemon a = daemon_start(right);
    await(is_up, &a, 60, "the store");
    comes(&a, 1, "compiled");
    await_count(&a, WRITTEN, 1);
    for (int i = 0; i < 3; i++) {
        static const char *const says[] = {"certificate", "certificate", "status 403"};
        memcpy(flags, right, sizeof right);
        if (i == 0)
            flags[8] = NULL; /* the system's authorities do not know it */
        if (i == 1)
            flags[9] = in_folder("theirs.pem");
        if (i == 2)
            flags[11] = in_folder("wrong");
        struct daemon d = daemon_start(flags);
        await_count(&d, ERRORS("lost"), 1);
        daemon_await_log(&d, says[i]);
        comes(&d, 1, "compiled");
        cr_assert_eq(metric(&d, "smd_store_up"), 0);
        daemon_stop(&d);
    }
    daemon_stop(&a);
}

/* Entries that were altered, exchanged, shortened, or sealed by others are compiled again; an older one of the same key is as
 * good, as one key has one content. */
Test(store, an_entry_that_was_altered_is_compiled_again) {
    store_begin("s3", NULL, NULL);
    struct daemon a = start_up(NULL, NULL), b = start_up(NULL, NULL),
                  stranger = start_up("--mac-key", redis_other_key_file);
    char *key[7];
    for (int i = 0; i < 7; i++)
        key[i] = compiles(&a, i, "compiled");
    await_count(&a, WRITTEN, 7);
    shell_in(redis_folder, "printf altered | dd of='%s' bs=1 seek=60 conv=notrunc 2>&1", entry(key[0]));
    shell_in(redis_folder, "cp '%s' old && cp '%s' x", entry(key[1]), entry(key[2]));
    shell_in(redis_folder, "mv old '%s' && mv x '%s'", entry(key[2]), entry(key[1]));
    shell_in(redis_folder, "cp '%s' '%s'", entry(key[4]), entry(key[3]));
    shell_in(redis_folder, "truncate -s -1 '%s'", entry(key[4]));
    shell_in(redis_folder, "truncate -s 0 '%s'", entry(key[5]));
    for (int i = 0; i < 6; i++)
        comes(&b, i, "compiled");
    cr_assert_eq(metric(&b, ERRORS("damaged")), 6);
    cr_assert_eq(metric(&b, "smd_store_up"), 1);
    daemon_await_log(&b, "store_damaged");
    await_count(&b, WRITTEN, 6);
    shell_in(redis_folder, "cp '%s' old", entry(key[0]));
    comes(&stranger, 6, "compiled"); /* it does not know the key, and nobody will believe it */
    comes(&stranger, 0, "compiled");
    cr_assert_eq(metric(&stranger, ERRORS("damaged")), 2);
    await_count(&stranger, WRITTEN, 2);
    shell_in(redis_folder, "cp old '%s'", entry(key[0]));
    daemon_stop(&b);
    b = start_up(NULL, NULL);
    comes(&b, 0, "store");
    comes(&b, 6, "compiled");
    for (int i = 0; i < 7; i++)
        free(key[i]);
    daemon_stop(&a);
    daemon_stop(&b);
    daemon_stop(&stranger);
}

/* smd starts without, says so once, and asks again and again; /readyz does not mind. */
Test(store, one_that_is_not_there_costs_nothing) {
    store_begin("s3", NULL, NULL);
    store_kill();
    struct daemon d = start(NULL, NULL, NULL, NULL);
    comes(&d, 1, "compiled");
    comes(&d, 1, "memory");
    await_count(&d, ERRORS("lost"), 3);
    struct answer ready = get(&d, "/readyz");
    cr_assert_eq(ready.http, 200);
    answer_free(ready);
    daemon_await_log(&d, "store_lost");
    struct bytes log = daemon_log(&d);
    const char *line = strstr((const char *)log.data, "store_lost");
    cr_assert(line && !strstr(line + 1, "store_lost"), "once, however often it is tried");
    bytes_free(log);
    store_begin("s3", NULL, NULL);
    await(is_up, &d, 120, "the store");
    comes(&d, 2, "compiled");
    await_count(&d, WRITTEN, 1);
    store_kill();
    for (int i = 3; i <= 6; i++)
        comes(&d, i, "compiled");
    await(is_down, &d, 60, "the store to be down");
    comes(&d, 7, "compiled");
    doctor_says(&d, "the object store is down");
    daemon_stop(&d);
}

/* Lookups that are not answered in time are misses, and soon nobody asks any more. */
Test(store, one_that_is_silent_is_not_waited_for) {
    store_begin("s3", NULL, NULL);
    struct daemon d = start_up("--store-wait-ms", "20");
    set_mode("silent");
    for (int i = 1; i <= 4; i++)
        comes(&d, i, "compiled");
    await(is_down, &d, 60, "the store to be down");
    cr_assert(metric(&d, ERRORS("lost")) >= 1 && metric(&d, ERRORS("late")) >= 3);
    daemon_await_log(&d, "were not answered within store_wait_ms");
    comes(&d, 5, "compiled");
    set_mode("fine");
    await(is_up, &d, 120, "the store");
    daemon_stop(&d);
}

/* Whatever it answers in place of an entry is a miss; after three it is not asked, until it lets in again. */
Test(store, answers_that_are_none) {
    static const struct {
        const char *mode, *says;
    } modes[] = {{"fails", "status 500 (InternalError)"},
                 {"refuses", "status 403 (AccessDenied)"},
                 {"moved", "status 302"},
                 {"truncated", ""},
                 {"oversize", "larger than store_entry_mib"},
                 {"endless", "larger than store_entry_mib"},
                 {"endless-head", ""},
                 {"no-http", ""}};
    store_begin("s3", NULL, NULL);
    struct daemon d = start_up("--store-entry-mib", "1");
    for (size_t m = 0; m < sizeof modes / sizeof *modes; m++) {
        long lost = metric(&d, ERRORS("lost"));
        long before = process_kib(d.pid, "VmHWM");
        set_mode(modes[m].mode);
        for (int i = 0; i < 4; i++)
            comes(&d, (int)m * 10 + i, "compiled");
        cr_assert(metric(&d, ERRORS("lost")) > lost, "%s", modes[m].mode);
        daemon_await_log(&d, modes[m].says);
        cr_assert(process_kib(d.pid, "VmHWM") - before < 48 << 10, "%s", modes[m].mode);
        set_mode("fine");
        await(is_up, &d, 120, "the store");
    }
    shell_in(redis_folder, "! grep elsewhere requests"); /* nobody is sent to another address */
    cr_assert_geq(metric(&d, ERRORS("fault")),
                  3 * (long)(sizeof modes / sizeof *modes)); /* more where it is soon up again */
    for (int i = 0; i < 2; i++) {
        set_mode(i ? "empty" : "garbage");
        comes(&d, 100 + i, "compiled");
    }
    cr_assert_eq(metric(&d, ERRORS("damaged")), 2);
    daemon_stop(&d);
}

/* A store that is full, or may only be read, is complained of, and goes on to be read from. */
Test(store, one_that_is_full_is_read_from) {
    store_begin("s3", NULL, NULL);
    struct daemon a = start_up(NULL, NULL), b = start_up(NULL, NULL);
    comes(&a, 1, "compiled");
    await_count(&a, WRITTEN, 1);
    set_mode("full");
    comes(&a, 2, "compiled");
    await_count(&a, ERRORS("write"), 1);
    daemon_await_log(&a, "store_write");
    daemon_await_log(&a, "status 507 (InsufficientStorage)");
    comes(&b, 1, "store");
    cr_assert_eq(metric(&a, "smd_store_up"), 1);
    set_mode("fine");
    comes(&a, 3, "compiled");
    await_count(&a, WRITTEN, 2);
    daemon_stop(&a);
    daemon_stop(&b);
}

/* A secret that is wrong keeps it down; the file is read for each request. */
Test(store, credentials_are_read_anew) {
    store_begin("s3", NULL, NULL);
    shell_in(redis_folder, "cp secrets right; echo 'AKIDEXAMPLE:somethingelse' >secrets");
    struct daemon d = start(NULL, NULL, NULL, NULL);
    await_count(&d, ERRORS("lost"), 2);
    daemon_await_log(&d, "status 403 (SignatureDoesNotMatch)");
    cr_assert_not(daemon_has_logged(&d, "somethingelse"), "no secret is logged");
    shell_in(redis_folder, "grep -q 'its signature is wrong' faults; mv right secrets");
    await(is_up, &d, 120, "the store");
    shell_in(redis_folder, "mv secrets right");
    for (int i = 0; i < 3; i++)
        comes(&d, i, "compiled");
    await(is_down, &d, 60, "the store to be down");
    daemon_await_log(&d, "store_credentials_file: ");
    daemon_stop(&d);
}

static int is_not_claimed(void *arg) {
    (void)arg;
    char *keys = redis_cli("--scan --pattern 'smd:c:*'");
    int is = keys[0] == 0;
    free(keys);
    return is;
}

/* Behind a Redis that has forgotten everything: it gets what the store had, and no claim is left. */
Test(store, it_outlives_redis) {
    store_begin("s3", NULL, NULL);
    redis_start(NULL, NULL);
    struct daemon a = start("--shared", redis_address, "--shared-wait-ms", "60000");
    await(is_up, &a, 60, "the store");
    await_count(&a, "smd_shared_up", 1);
    comes(&a, 1, "compiled");
    await_count(&a, WRITTEN, 1);
    await_count(&a, "smd_shared_written_total", 1);
    free(redis_cli("flushall"));
    struct daemon b = start("--shared", redis_address, "--shared-wait-ms", "60000"),
                  c = start("--shared", redis_address, "--shared-wait-ms", "60000");
    await(is_up, &b, 60, "the store");
    await_count(&b, "smd_shared_up", 1);
    await_count(&c, "smd_shared_up", 1);
    comes(&b, 1, "store");
    await_count(&b, "smd_shared_written_total", 1);
    await(is_not_claimed, NULL, 60, "the claim to end");
    comes(&c, 1, "shared");
    redis_kill();
    comes(&c, 2, "compiled");
    daemon_stop(&a);
    daemon_stop(&b);
    daemon_stop(&c);
}

/* What the shared tier has, and the store does not, is copied there by who finds it; once. */
Test(store, it_gets_what_only_redis_has) {
    store_begin("s3", NULL, NULL);
    redis_start(NULL, NULL);
    struct daemon a =
        daemon_start((const char *const[]){"--shared", redis_address, "--mac-key", redis_key_file, NULL});
    await_count(&a, "smd_shared_up", 1);
    comes(&a, 1, "compiled");
    await_count(&a, "smd_shared_written_total", 1);
    struct daemon b = start("--shared", redis_address, "--shared-wait-ms", "60000"),
                  c = start("--shared", redis_address, "--shared-wait-ms", "60000");
    await(is_up, &b, 60, "the store");
    await(is_up, &c, 60, "the store");
    await_count(&b, "smd_shared_up", 1);
    await_count(&c, "smd_shared_up", 1);
    comes(&b, 1, "shared");
    await_count(&b, WRITTEN, 1);
    comes(&c, 1, "shared");
    daemon_stop(&c); /* which would write what waits */
    shell_in(redis_folder, "test $(grep -c '^HEAD 404' requests) = 1 && test $(grep -c '^PUT 200' requests) = 1");
    redis_kill();
    struct daemon d = start_up(NULL, NULL);
    comes(&d, 1, "store");
    daemon_stop(&a);
    daemon_stop(&b);
    daemon_stop(&d);
}

struct posting {
    const struct daemon *d;
    int first;
    pthread_t thread;
};

static void *run_posts(void *arg) {
    struct posting *p = arg;
    for (int i = p->first; i < 120; i += 8)
        comes(p->d, i, "store");
    return NULL;
}

/* Many at once. */
Test(store, a_server_that_starts_finds_all) {
    store_begin("s3", NULL, NULL);
    struct daemon a = start_up(NULL, NULL), b = start_up(NULL, NULL);
    struct posting posts[8];
    for (int i = 0; i < 120; i++)
        comes(&a, i, "compiled");
    await_count(&a, WRITTEN, 120);
    for (int i = 0; i < 8; i++) {
        posts[i] = (struct posting){.d = &b, .first = i};
        cr_assert_eq(pthread_create(&posts[i].thread, NULL, run_posts, &posts[i]), 0);
    }
    for (int i = 0; i < 8; i++)
        pthread_join(posts[i].thread, NULL);
    no_fault();
    daemon_stop(&a);
    daemon_stop(&b);
}

static int has_stream(void *arg) {
    struct answer a = get(arg, "/v1/stream?startup=app");
    int has = a.http == 200;
    answer_free(a);
    return has;
}

/* What a runtime asks for when it starts comes from there, too, when a server has nothing else left. */
Test(store, a_start_is_streamed_from_it) {
    enum { FUNCTIONS = 50 };
    store_begin("s3", NULL, NULL);
    struct daemon d = start_up("--cache-dir", in_folder("disk"));
    for (int i = 0; i < FUNCTIONS; i++)
        answer_free(post(&d, "/v1/compile?startup=app", numbered(i)));
    await_count(&d, WRITTEN, FUNCTIONS);
    daemon_stop(&d);
    shell_in(redis_folder, "rm -rf disk/??");
    d = start_up("--cache-dir", in_folder("disk"));
    await(has_stream, &d, 60, "what was recorded");
    struct answer a = get(&d, "/v1/stream?startup=app");
    unsigned long long came, missing;
    cr_assert(a.http == 200 && a.body.len > 44);
    memcpy(&came, a.body.data + a.body.len - 32, sizeof came);
    memcpy(&missing, a.body.data + a.body.len - 24, sizeof missing);
    cr_assert(came == FUNCTIONS && missing == 0, "%llu, %llu", came, missing);
    cr_assert_eq(metric(&d, "smd_artifacts_total{from=\"store\"}"), FUNCTIONS);
    answer_free(a);
    daemon_stop(&d);
}

static void *run_misses(void *arg) {
    struct posting *p = arg;
    comes(p->d, p->first, "compiled");
    return NULL;
}

struct turn {
    const struct daemon *d;
    long lost; /* how often the store had been lost before */
};

static int is_decided(void *arg) {
    const struct turn *t = arg;
    return metric(t->d, ERRORS("busy")) > 0 || metric(t->d, ERRORS("lost")) > t->lost;
}

/* Asks for more entries than may be asked for at once of a store that gives a byte now and then. 1: some have waited for the
 * others as long as each may wait. 0: the bytes came later than that, and the store was lost. */
static int does_not_wait_for_others(const char *wait_ms) {
    enum { MANY = 70 };
    struct daemon d = start_up("--store-wait-ms", wait_ms);
    struct posting posts[MANY];
    struct turn t = {&d, metric(&d, ERRORS("lost"))};
    set_mode("trickles");
    for (int i = 0; i < MANY; i++) {
        posts[i] = (struct posting){.d = &d, .first = i};
        cr_assert_eq(pthread_create(&posts[i].thread, NULL, run_misses, &posts[i]), 0);
    }
    await(is_decided, &t, 300, "a lookup that has waited too long");
    int has_waited = metric(&d, ERRORS("busy")) > 0;
    set_mode("fine");
    for (int i = 0; i < MANY; i++)
        pthread_join(posts[i].thread, NULL);
    daemon_stop(&d);
    shell_in(redis_folder, "rm -rf objects/*");
    return has_waited;
}

/* Of more lookups than may be asked for at once the others wait for their turn, for no longer than each. How long the bytes
 * take depends on the machine, so the wait grows until they come in time. */
Test(store, who_waits_for_others_is_not_held_up) {
    static const char *const waits[] = {"3000", "12000", "48000", NULL};
    int i = 0;
    store_begin("s3", NULL, NULL);
    while (!does_not_wait_for_others(waits[i]))
        cr_assert_not_null(waits[++i]);
}

/* 1 if the store has taken what a server had for it when that stopped. */
static int is_taken_at_the_end(int i) {
    struct daemon d = start_up(NULL, NULL);
    comes(&d, i, "compiled");
    daemon_stop(&d);
    d = start_up(NULL, NULL);
    struct answer a = post(&d, "/v1/compile?opt=1&emit=obj,asm&cache=only", numbered(i));
    int is_taken = a.http == 200;
    answer_free(a);
    daemon_stop(&d);
    return is_taken;
}

/* A server that stops writes what waits, if the store takes it within a second, as it does sooner or later on any machine;
 * one that is silent does not hold it up. */
Test(store, a_server_that_stops_does_not_wait_for_it) {
    enum { TRIES = 200 };
    int i = 0;
    store_begin("s3", NULL, NULL);
    while (!is_taken_at_the_end(i))
        cr_assert_lt(++i, TRIES, "nothing that waits is written at the end");
    struct daemon d = start_up(NULL, NULL);
    set_mode("silent");
    daemon_stop(&d);
    d = start(NULL, NULL, NULL, NULL); /* it asks whether it is up, in vain */
    comes(&d, 2, "compiled");
    daemon_stop(&d);
}

static int is_nothing_held(void *arg) {
    return metric(arg, HELD_RESULTS) == 0;
}

/* A client of /v1/stream that leaves gives back what was found for it, though the store still has to say about others. */
Test(store, who_leaves_a_stream_holds_nothing) {
    enum { LARGE = 8, WORDS = 500000 }; /* more together than sockets hold */
    static const char request[] = "GET /v1/stream?startup=app HTTP/1.1\r\nHost: localhost\r\n\r\n";
    store_begin("open", NULL, NULL);
    struct daemon d = start_plain(plain, NULL, NULL);
    for (int n = 0; n < LARGE; n++) {
        char module[80];
        snprintf(module, sizeof module, "@t%d = constant [%d x i32] zeroinitializer, section \".data\"\n", n, WORDS);
        struct answer a = post(&d, "/v1/compile?startup=app", module);
        cr_assert_eq(a.http, 200);
        answer_free(a);
    }
    struct answer a = post(&d, "/v1/compile?startup=app&cache=bypass", numbered(1)); /* recorded, and not kept */
    cr_assert_eq(a.http, 200);
    answer_free(a);
    set_mode("trickles");
    int fd = daemon_connect(&d), small = 4096;
    char piece[100];
    setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &small, sizeof small);
    cr_assert_eq(write(fd, request, sizeof request - 1), (ssize_t)sizeof request - 1);
    cr_assert(read(fd, piece, sizeof piece) > 0);
    await_count(&d, HELD_RESULTS, LARGE / 2 * 4L * WORDS);
    close(fd);
    await(is_nothing_held, &d, 30, "the results to be given back");
    static const char *const ends[] = {ERRORS("late"), ERRORS("lost"), ERRORS("fault"), ERRORS("damaged")};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        cr_assert_eq(metric(&d, ends[i]), 0, "the store has still to answer: %s", ends[i]);
    set_mode("fine");
    daemon_stop(&d);
}

Test(store, settings_that_are_wrong_are_refused) {
    static const struct {
        const char *flags, *says;
    } wrong[] = {
        {"--store http://localhost:1", "mac_key has to name a file"},
        {"--store http://localhost:1 --mac-key /nowhere", "cannot read /nowhere"},
        {"--store ftp://localhost", "is not s3://BUCKET"},
        {"--store localhost:80", "is not s3://BUCKET"},
        {"--store http://", "is not s3://BUCKET"},
        {"--store http://me:word@localhost", "is not s3://BUCKET"},
        {"--store http://localhost?x", "is not s3://BUCKET"},
        {"--store s3://b", "needs store_credentials_file"},
        {"--store s3://", "is not s3://BUCKET[/PREFIX]"},
        {"--store s3://b/../c", "is not s3://BUCKET[/PREFIX]"},
        {"--store s3://b/a%20b", "is not s3://BUCKET[/PREFIX]"},
        {"--store s3://b --store-region 'x y'", "is no name of a region"},
        {"--store s3://b --store-credentials-file /dev/null --store-endpoint x", "store_endpoint: 'x' is not"},
        {"--store s3://b --store-credentials-file /dev/null", "/dev/null: it does not begin with ID:SECRET"},
        {"--store s3://b --store-credentials-file /nowhere", "store_credentials_file: /nowhere: No such file"},
        {"--store http://localhost:1 --store-credentials-file /dev/null", "it does not begin with ID:SECRET"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        daemon_refuses(wrong[i].flags, wrong[i].says);
}
