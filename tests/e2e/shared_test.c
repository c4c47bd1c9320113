/* The tier of the cache that servers share: what one has compiled another has, and each fault of Redis is only a miss. */
#include "http.h"
#include "redisserver.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

TestSuite(shared, .init = redis_prepare, .fini = redis_clean, .timeout = 600);

static int is_up(void *arg) {
    return metric(arg, "smd_shared_up") == 1;
}

static int is_down(void *arg) {
    return metric(arg, "smd_shared_up") == 0;
}

/* A server of the tier, with one more setting (may be NULL). A lookup waits as long as it takes on any machine. */
static struct daemon start(const char *name, const char *value) {
    return daemon_start((const char *const[]){"--shared", redis_address, "--mac-key", redis_key_file,
                                              "--shared-wait-ms", "60000", "--shared-claim-ms", "60000",
                                              "--cache-memory-mib", "64", name, value, NULL});
}

static struct daemon start_up(const char *name, const char *value) {
    struct daemon d = start(name, value);
    await(is_up, &d, 60, "the shared tier");
    return d;
}

static const char *numbered(int i) {
    static _Thread_local char module[96];
    snprintf(module, sizeof module, "define i32 @f() {\n  ret i32 %d\n}\n", i);
    return module;
}

/* Compiles module I; the answer is right, and came from there. Gives its key, *new*. */
static char *compiles(const struct daemon *d, int i, const char *from) {
    struct answer a = post(d, "/v1/compile?opt=1&emit=obj,asm", numbered(i));
    char number[24], *where = answer_header(&a, "X-Smd-Cache"), *key = answer_header(&a, "X-Smd-Key");
    snprintf(number, sizeof number, "movl\t$%d, %%eax", i);
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

#define WRITTEN      "smd_shared_written_total"
#define ERRORS(kind) "smd_shared_errors_total{kind=\"" kind "\"}"

Test(shared, what_one_server_has_compiled_another_has) {
    char disk[96];
    snprintf(disk, sizeof disk, "%s/disk", redis_folder);
    redis_start(NULL, NULL);
    struct daemon a = start_up(NULL, NULL), b = start_up("--cache-dir", disk), c = start_up(NULL, NULL);
    char path[160], *key = compiles(&a, 1, "compiled");
    await_count(&a, WRITTEN, 1);
    comes(&b, 1, "shared");
    comes(&b, 1, "memory");
    comes(&a, 1, "memory");
    cr_assert_eq(metric(&b, "smd_artifacts_total{from=\"shared\"}"), 1);
    snprintf(path, sizeof path, "/v1/artifacts/%s", key);
    struct answer found = get(&c, path);
    char *from = answer_header(&found, "X-Smd-Cache");
    cr_assert_eq(found.http, 200);
    cr_assert_str_eq(from, "shared");
    free(from);
    answer_free(found);
    /* It is on the other's disk now. */
    await_count(&b, "smd_cache_entries{tier=\"disk\"}", 1);
    redis_kill();
    daemon_stop(&b);
    b = start("--cache-dir", disk);
    comes(&b, 1, "disk");
    /* What is nowhere is a miss, and no claim is left by who only looks. */
    struct answer missing = get(&c, "/v1/artifacts/0000000000000000000000000000000000000000000000000000000000000000");
    assert_problem(&missing, 404, "artifact_not_found");
    answer_free(missing);
    free(key);
    daemon_stop(&a);
    daemon_stop(&b);
    daemon_stop(&c);
}

static int is_told(void *arg) {
    return daemon_has_logged(arg, "shared_policy");
}

Test(shared, a_redis_that_makes_no_room_is_warned_of) {
    redis_start("--maxmemory-policy", "allkeys-lru"); /* and no bound */
    struct daemon d = start_up(NULL, NULL);
    await(is_told, &d, 60, "the warning");
    cr_assert_eq(metric(&d, "smd_shared_evicts"), 0);
    daemon_stop(&d);
    free(redis_cli("config set maxmemory 64mb"));
    d = start_up(NULL, NULL);
    await_count(&d, "smd_shared_evicts", 1);
    cr_assert_not(is_told(&d));
    free(redis_cli("config set maxmemory-policy noeviction"));
    daemon_stop(&d);
    d = start_up(NULL, NULL);
    await(is_told, &d, 60, "the warning");
    daemon_stop(&d);
}

Test(shared, options_of_the_cache_hold_for_it) {
    redis_start(NULL, NULL);
    struct daemon a = start_up(NULL, NULL), b = start_up(NULL, NULL);
    struct answer only = post(&a, "/v1/compile?opt=1&cache=only", numbered(1));
    assert_problem(&only, 404, "artifact_not_found");
    answer_free(only);
    answer_free(post(&a, "/v1/compile?opt=1&emit=obj,asm&cache=bypass", numbered(1)));
    comes(&b, 1, "compiled");
    await_count(&b, WRITTEN, 1);
    only = post(&a, "/v1/compile?opt=1&emit=obj,asm&cache=only", numbered(1));
    char *from = answer_header(&only, "X-Smd-Cache");
    cr_assert_eq(only.http, 200);
    cr_assert_str_eq(from, "shared");
    free(from);
    answer_free(only);
    daemon_stop(&a);
    daemon_stop(&b);
}

/* smd starts without, and asks again and again. */
Test(shared, a_server_that_is_not_there_costs_nothing) {
    struct daemon d = start(NULL, NULL);
    comes(&d, 1, "compiled");
    comes(&d, 1, "memory");
    cr_assert_eq(metric(&d, "smd_shared_up"), 0);
    await_count(&d, ERRORS("lost"), 3);
    daemon_await_log(&d, "shared_lost");
    struct bytes log = daemon_log(&d);
    const char *line = strstr((const char *)log.data, "shared_lost");
    cr_assert(line && !strstr(line + 1, "shared_lost"), "once, however often it is tried");
    bytes_free(log);
    redis_start(NULL, NULL);
    await(is_up, &d, 120, "the shared tier");
    comes(&d, 2, "compiled");
    await_count(&d, WRITTEN, 1);
    daemon_stop(&d);
}

Test(shared, killed_and_started_again) {
    redis_start(NULL, NULL);
    struct daemon d = start_up(NULL, NULL);
    comes(&d, 1, "compiled");
    redis_kill();
    await(is_down, &d, 60, "the tier to be down");
    comes(&d, 2, "compiled");
    comes(&d, 1, "memory");
    redis_start(NULL, NULL);
    await(is_up, &d, 120, "the shared tier");
    comes(&d, 3, "compiled");
    await_count(&d, WRITTEN, 1);
    daemon_stop(&d);
}

/* Lookups that are not answered in time are misses, and soon nobody asks any more. */
Test(shared, one_that_is_stopped_is_not_waited_for) {
    redis_start(NULL, NULL);
    struct daemon d = start_up("--shared-wait-ms", "20");
    kill(redis_pid, SIGSTOP);
    for (int i = 1; i <= 4; i++)
        comes(&d, i, "compiled");
    await(is_down, &d, 60, "the tier to be down");
    cr_assert(metric(&d, ERRORS("lost")) >= 1 && metric(&d, ERRORS("late")) >= 1);
    comes(&d, 5, "compiled");
    kill(redis_pid, SIGCONT);
    await(is_up, &d, 120, "the shared tier");
    daemon_stop(&d);
}

/* A network that is cut is silent: nothing ends, and nothing comes. */
Test(shared, a_server_that_is_cut_off_works_alone) {
    struct relay way;
    char where[64];
    redis_start(NULL, NULL);
    relay_begin(&way);
    snprintf(where, sizeof where, "redis://127.0.0.1:%d", way.port);
    struct daemon a = start_up(NULL, NULL), b = start_up("--shared", where);
    comes(&a, 1, "compiled");
    await_count(&a, WRITTEN, 1);
    comes(&b, 1, "shared");
    daemon_stop(&b);
    b = daemon_start((const char *const[]){"--shared", where, "--mac-key", redis_key_file, "--shared-wait-ms", "50",
                                           "--cache-memory-mib", "64", NULL});
    await(is_up, &b, 60, "the shared tier");
    atomic_store(&way.is_cut, 1);
    for (int i = 2; i <= 5; i++)
        comes(&b, i, "compiled");
    await(is_down, &b, 60, "the tier to be down");
    comes(&b, 6, "compiled");
    comes(&a, 7, "compiled");
    atomic_store(&way.is_cut, 0);
    await(is_up, &b, 120, "the shared tier");
    comes(&b, 8, "compiled");
    await_count(&b, WRITTEN, 1);
    comes(&a, 8, "shared");
    daemon_stop(&a);
    daemon_stop(&b);
    relay_end(&way);
}

/* While servers are upgraded one after the other, two versions use one Redis: their keys differ, here by the salt. */
Test(shared, versions_share_nothing) {
    redis_start(NULL, NULL);
    struct daemon old = start_up("--cache-salt", "old"), new = start_up("--cache-salt", "new");
    comes(&old, 1, "compiled");
    await_count(&old, WRITTEN, 1);
    comes(&new, 1, "compiled");
    await_count(&new, WRITTEN, 1);
    daemon_stop(&old);
    old = start_up("--cache-salt", "new"); /* it is upgraded now */
    comes(&old, 1, "shared");
    daemon_stop(&old);
    daemon_stop(&new);
}

/* Redis copies what one key has to another, or the last bytes are exchanged: neither is ever an answer. */
Test(shared, an_entry_that_was_altered_is_compiled_again) {
    redis_start(NULL, NULL);
    struct daemon a = start_up(NULL, NULL), b = start_up(NULL, NULL),
                  stranger = start_up("--mac-key", redis_other_key_file);
    char *one = compiles(&a, 1, "compiled"), *two = compiles(&a, 2, "compiled"), *three = compiles(&a, 3, "compiled");
    char *four = compiles(&a, 4, "compiled");
    await_count(&a, WRITTEN, 4);
    free(redis_cli("setrange smd:1:%s 60 altered", one));
    free(redis_cli("copy smd:1:%s smd:1:%s replace", one, two));
    free(redis_cli("copy smd:1:%s smd:1:%s replace", four, three));
    free(redis_cli("set smd:1:%s ''", four));
    for (int i = 1; i <= 4; i++)
        comes(&b, i, "compiled");
    cr_assert_eq(metric(&b, ERRORS("damaged")), 4);
    await_count(&b, WRITTEN, 4);
    comes(&stranger, 3, "compiled"); /* it does not know the key, and nobody will believe it */
    cr_assert_eq(metric(&stranger, ERRORS("damaged")), 1);
    free(one);
    free(two);
    free(three);
    free(four);
    daemon_stop(&a);
    daemon_stop(&b);
    daemon_stop(&stranger);
}

struct posting {
    const struct daemon *d;
    int i;
    const char *from;
    pthread_t thread;
    atomic_int is_over;
};

static void *run_post(void *arg) {
    struct posting *p = arg;
    comes(p->d, p->i, p->from);
    atomic_store(&p->is_over, 1);
    return NULL;
}

static void begin_post(struct posting *p) {
    atomic_init(&p->is_over, 0);
    cr_assert_eq(pthread_create(&p->thread, NULL, run_post, p), 0);
}

static int is_claimed(void *arg) {
    (void)arg;
    char *keys = redis_cli("--scan --pattern 'smd:c:*'");
    int is = keys[0] != 0;
    free(keys);
    return is;
}

static int is_not_claimed(void *arg) {
    return !is_claimed(arg);
}

Test(shared, one_server_of_many_compiles) {
    redis_start(NULL, NULL);
    struct daemon a = start_up(NULL, NULL), b = start_up(NULL, NULL);
    struct held held = daemon_hold_workers(&a, 2);
    struct posting first = {.d = &a, .i = 1, .from = "compiled"}, again = {.d = &a, .i = 1, .from = "flight"};
    struct posting second = {.d = &b, .i = 1, .from = "shared"};
    begin_post(&first);
    await(is_claimed, NULL, 60, "a claim");
    begin_post(&again); /* whoever asks the same server joins the first */
    begin_post(&second);
    await_count(&b, "smd_shared_waited_total", 1);
    await_count(&a, "smd_artifacts_total{from=\"flight\"}", 1);
    cr_assert(!atomic_load(&second.is_over));
    daemon_release(&held);
    pthread_join(first.thread, NULL);
    pthread_join(again.thread, NULL);
    pthread_join(second.thread, NULL);
    cr_assert_eq(metric(&b, "smd_artifacts_total{from=\"compiled\"}"), 0);
    await(is_not_claimed, NULL, 60, "the claim to end with the compile");
    /* Nor is one left by a module that is wrong. */
    struct answer wrong = post(&a, "/v1/compile", "define");
    cr_assert_eq(wrong.http, 422);
    answer_free(wrong);
    comes(&a, 2, "compiled");
    await_count(&a, WRITTEN, 2);
    await(is_not_claimed, NULL, 60, "the claim to end with the failure");
    daemon_stop(&a);
    daemon_stop(&b);
}

/* Who holds a claim and is gone is not waited for longer than shared_claim_ms. */
Test(shared, a_server_that_dies_with_a_claim_costs_a_moment) {
    redis_start(NULL, NULL);
    struct daemon a = start_up(NULL, NULL), b = start_up("--shared-claim-ms", "50");
    char *key = compiles(&a, 1, "compiled"), *there = NULL;
    await_count(&a, WRITTEN, 1);
    free(redis_cli("del smd:1:%s", key));
    free(redis_cli("set smd:c:%s 1", key));
    comes(&b, 1, "compiled");
    cr_assert_eq(metric(&b, "smd_shared_waited_total"), 1);
    await_count(&b, WRITTEN, 1);
    there = redis_cli("exists smd:1:%s", key);
    cr_assert_str_eq(there, "1");
    free(there);
    free(key);
    daemon_stop(&a);
    daemon_stop(&b);
}

/* Redis that is full says so to each write, and goes on to answer. */
Test(shared, one_that_is_full_is_read_from_and_complained_of) {
    redis_start(NULL, NULL);
    struct daemon a = start_up(NULL, NULL), b = start_up(NULL, NULL);
    comes(&a, 1, "compiled");
    await_count(&a, WRITTEN, 1);
    free(redis_cli("config set maxmemory 1"));
    comes(&a, 2, "compiled");
    await_count(&a, ERRORS("write"), 1);
    comes(&b, 1, "shared");
    cr_assert_eq(metric(&a, "smd_shared_up"), 1);
    free(redis_cli("config set maxmemory 0"));
    comes(&a, 3, "compiled");
    await_count(&a, WRITTEN, 2);
    daemon_stop(&a);
    daemon_stop(&b);
}

Test(shared, a_password_is_sent_from_its_file) {
    char right[96], wrong[96];
    snprintf(right, sizeof right, "%s/right", redis_folder);
    snprintf(wrong, sizeof wrong, "%s/wrong", redis_folder);
    cr_assert_eq(shell("echo secret >%s; echo else >%s", right, wrong), 0);
    redis_start("--requirepass", "secret");
    struct daemon in = start_up("--shared-password-file", right), out = start("--shared-password-file", wrong);
    comes(&in, 1, "compiled");
    await_count(&in, WRITTEN, 1);
    await_count(&out, ERRORS("lost"), 2);
    comes(&out, 1, "compiled");
    daemon_await_log(&out, "WRONGPASS");
    cr_assert_not(daemon_has_logged(&out, "else"), "no password is logged");
    daemon_stop(&in);
    daemon_stop(&out);
}

Test(shared, the_next_address_is_tried) {
    char several[256];
    snprintf(several, sizeof several, "unix:%s/nobody,redis://127.0.0.1:1,%s", redis_folder, redis_address);
    redis_start(NULL, NULL);
    struct daemon a = start_up("--shared", several), b = start_up(NULL, NULL);
    comes(&a, 1, "compiled");
    await_count(&a, WRITTEN, 1);
    comes(&b, 1, "shared");
    daemon_stop(&a);
    daemon_stop(&b);
}

static long peak_kib(const struct daemon *d) {
    char path[64], line[128];
    long kib = -1;
    snprintf(path, sizeof path, "/proc/%d/status", (int)d->pid);
    FILE *f = fopen(path, "re");
    while (f && fgets(line, sizeof line, f))
        sscanf(line, "VmHWM: %ld", &kib);
    if (f)
        fclose(f);
    return kib;
}

/* Whatever comes in place of an answer is no answer, and takes no more memory than an entry may. */
Test(shared, a_server_that_lies_is_left) {
    static char page[65536];
    memset(page, 'x', sizeof page - 1);
    const struct liar lies[] = {
        {.reply = "*1000000000\r\n", .repeat = 1}, {.reply = "$999999999999999\r\n", .repeat = 1},
        {.reply = "$-7\r\n", .repeat = 1},         {.reply = ":5\r\n", .repeat = 1},
        {.reply = "-ERR no\r\n", .repeat = 1},     {.reply = "$1\r\nx\r\n", .repeat = 100000},
        {.reply = "\r\n\r\n", .repeat = 1},        {.reply = "", .repeat = 0},
        {.reply = "$536870912\r\n", .repeat = 1},  {.reply = page, .repeat = 10000}};
    for (size_t i = 0; i < sizeof lies / sizeof *lies; i++) {
        struct liar l = lies[i];
        char where[64];
        liar_begin(&l);
        snprintf(where, sizeof where, "redis://127.0.0.1:%d", l.port);
        struct daemon d = start_up("--shared", where);
        long before = peak_kib(&d);
        comes(&d, 1, "compiled");
        comes(&d, 1, "memory");
        comes(&d, 2, "compiled");
        cr_assert(metric(&d, ERRORS("lost")) + metric(&d, ERRORS("damaged")) >= 1, "lie %zu", i);
        cr_assert(peak_kib(&d) - before < 48 << 10, "lie %zu: %ld KiB", i, peak_kib(&d) - before);
        daemon_stop(&d);
        liar_end(&l);
    }
}

Test(shared, settings_that_are_wrong_are_refused) {
    static const struct {
        const char *flags, *says;
    } wrong[] = {{"--shared redis://127.0.0.1", "mac_key has to name a file"},
                 {"--shared redis://127.0.0.1 --mac-key /nowhere", "cannot read /nowhere"},
                 {"--shared redis://127.0.0.1 --mac-key /dev/null", "has to hold 32 to 4096 bytes"},
                 {"--shared 127.0.0.1:6379 --mac-key /dev/null", "'127.0.0.1:6379' is not redis://"},
                 {"--shared redis://h:99999 --mac-key /dev/null", "is not redis://"},
                 {"--shared redis://h:1/x --mac-key /dev/null", "is not redis://"},
                 {"--shared redis://@h --mac-key /dev/null", "is not redis://"},
                 {"--shared redis://[::1 --mac-key /dev/null", "is not redis://"},
                 {"--shared unix: --mac-key /dev/null", "is not redis://"},
                 {"--shared , --mac-key /dev/null", "is not redis://"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        daemon_refuses(wrong[i].flags, wrong[i].says);
}
