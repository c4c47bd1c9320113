/* What else is tested alone, at once: clients that are trusted and not, two workers for each result, two servers with a
 * shared tier and a queue of jobs, levels, batches, recordings and their streams; workers that are killed, a row that goes
 * while its jobs run, and the end in the middle of it. Each answer is right, and nothing is left. */
#include "http.h"
#include "redisserver.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    CLIENTS = 4,
    ROUNDS = 24,
    SERVERS = 2,
    MODULES = 12,
    KILLS = 3
}; /* as KILLS of a job are not laid at its door */

static struct daemon server[SERVERS];
static char tokens[160], header[CLIENTS + 1][200];
static atomic_int kills[SERVERS];

TestSuite(mixed, .init = redis_prepare, .fini = redis_clean, .timeout = 600);

/* A client's: what it does next is its own numbers', whatever the others do. */
struct client {
    int number;
    unsigned seed;
    char wrong[300]; /* "" if nothing was */
    pthread_t thread;
};

static void make_token(int client, const char *flags) {
    char command[400];
    int status;
    snprintf(command, sizeof command, BIN_DIR "/smc token -f %s new t%d %s", tokens, client, flags);
    struct bytes said = run_command(command, "", 0, &status);
    cr_assert_eq(status, 0);
    snprintf(header[client], sizeof header[client], "Authorization: Bearer %.*s",
             (int)strcspn((char *)said.data, "\n"), (char *)said.data);
    bytes_free(said);
}

static unsigned number(struct client *c, unsigned below) {
    return (unsigned)rand_r(&c->seed) % below;
}

static const struct daemon *any(struct client *c) {
    return &server[number(c, SERVERS)];
}

static void is_wrong(struct client *c, const char *what, const struct answer *a) {
    if (!c->wrong[0])
        snprintf(c->wrong, sizeof c->wrong, "%s: %d %.200s", what, a->http, a->body.data ? (char *)a->body.data : "");
}

static struct answer asks(struct client *c, const char *method, const char *path, const char *body) {
    return ask(any(c),
               (struct ask){.method = method,
                            .path = path,
                            .body = body,
                            .len = body ? strlen(body) : 0,
                            .headers = {header[c->number], body && body[0] == '[' ? "Content-Type: application/json"
                                                                                  : "Content-Type: text/plain"}});
}

static const char *numbered(unsigned n, char text[80]) {
    snprintf(text, 80, "define i32 @f() { ret i32 %u }", 1000 + n);
    return text;
}

/* 1 if the JSON of a compile has the code of module N. */
static int has_code(const json_t *answer, unsigned n) {
    char code[40];
    const char *text = json_string_value(json_object_get(answer, "asm"));
    snprintf(code, sizeof code, "movl\t$%u, %%eax", 1000 + n);
    return text && strstr(text, code);
}

static void compiles(struct client *c) {
    char module[80];
    unsigned n = number(c, MODULES);
    struct answer a = asks(c, "POST",
                           number(c, 2) ? "/v1/compile?emit=obj,asm&tiers=0,2&startup=app"
                                        : "/v1/compile?emit=obj,asm&opt=1&startup=other",
                           numbered(n, module));
    if (a.http != 200 || !has_code(a.json, n))
        is_wrong(c, "compile", &a);
    answer_free(a);
}

static void has_a_job(struct client *c) {
    char module[80], path[120];
    unsigned n = number(c, MODULES);
    struct answer a = asks(c, "POST", "/v1/jobs?emit=obj,asm&startup=jobs", numbered(n, module));
    char *job = answer_header(&a, "Location");
    if (a.http != 202 || !job)
        is_wrong(c, "job", &a);
    snprintf(path, sizeof path, "%s?wait=60", job ? job : "/v1/jobs/none");
    free(job);
    do {
        answer_free(a);
        a = asks(c, NULL, path, NULL);
    } while (a.http == 202);
    if (a.http != 200 || !has_code(a.json, n))
        is_wrong(c, "a job's answer", &a);
    answer_free(a);
}

static void has_a_batch(struct client *c) {
    enum { ITEMS = 3 };
    char form[600] = "[", module[80];
    unsigned n = number(c, MODULES);
    for (unsigned i = 0; i < ITEMS; i++)
        sprintf(form + strlen(form), "%s{\"ir\":\"%s\",\"options\":{\"emit\":\"obj,asm\",\"startup\":\"app\"}}",
                i ? "," : "", numbered(n + i, module));
    strcat(form, "]");
    struct answer a = asks(c, "POST", "/v1/batch", form);
    for (unsigned i = 0; i < ITEMS; i++)
        if (!has_code(json_array_get(json_object_get(a.json, "results"), i), n + i))
            is_wrong(c, "batch", &a);
    answer_free(a);
}

/* Has all that was recorded, to its end; there may be none. */
static void has_a_stream(struct client *c) {
    struct answer a = asks(c, NULL, number(c, 2) ? "/v1/stream?startup=app" : "/v1/stream?startup=jobs", NULL);
    static const unsigned char nothing[12];
    if (a.http != 404 &&
        (a.http != 200 || a.body.len < 116 || memcmp(a.body.data + a.body.len - 44, nothing, 12) != 0))
        is_wrong(c, "stream", &a);
    answer_free(a);
}

static void leaves_a_stream(struct client *c) {
    char request[400], piece[16];
    int fd = daemon_connect(any(c));
    int len = snprintf(request, sizeof request,
                       "GET /v1/stream?startup=app HTTP/1.1\r\nHost: localhost\r\n%s\r\n\r\n", header[c->number]);
    if (write(fd, request, (size_t)len) == len && number(c, 2) && read(fd, piece, sizeof piece) < 0)
        c->seed++;
    close(fd);
}

static void forgets(struct client *c) {
    struct answer a = asks(c, "DELETE", "/v1/stream?startup=app", NULL);
    if (a.http != 204 && a.http != 404)
        is_wrong(c, "DELETE", &a);
    answer_free(a);
}

static void kills_a_worker(struct client *c) {
    unsigned s = number(c, SERVERS);
    pid_t pids[16];
    if (atomic_fetch_add(&kills[s], 1) >= KILLS)
        return;
    static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER; /* finds processes at a time */
    pthread_mutex_lock(&one);
    int n = daemon_workers(&server[s], pids, 16);
    if (n > 0)
        kill(pids[number(c, (unsigned)n)], SIGKILL);
    pthread_mutex_unlock(&one);
}

static int has_its_queue(void *d) {
    return daemon_has_logged(d, "job_queue_up");
}

static void *run(void *arg) {
    static void (*const what[])(struct client *c) = {compiles,     compiles,        has_a_job, has_a_batch,
                                                     has_a_stream, leaves_a_stream, forgets,   kills_a_worker};
    struct client *c = arg;
    for (int i = 0; i < ROUNDS && !c->wrong[0]; i++)
        what[number(c, sizeof what / sizeof *what)](c);
    return NULL;
}

/* A client's row goes while its jobs wait and run. */
static void lose_a_row(void) {
    char command[300], module[80];
    int status;
    struct client gone = {.number = CLIENTS, .seed = 1};
    for (unsigned i = 0; i < 6; i++) {
        struct answer a = asks(&gone, "POST", "/v1/jobs?opt=3", numbered(100 + i, module));
        cr_assert_eq(a.http, 202);
        answer_free(a);
    }
    snprintf(command, sizeof command, BIN_DIR "/smc token -f %s revoke t%d", tokens, CLIENTS);
    bytes_free(run_command(command, "", 0, &status));
    cr_assert_eq(status, 0);
    for (int s = 0; s < SERVERS; s++)
        kill(server[s].pid, SIGHUP);
}

Test(mixed, all_at_once) {
    struct client client[CLIENTS] = {0};
    char disk[2][160];
    redis_start(NULL, NULL);
    snprintf(tokens, sizeof tokens, "%s/tokens.json", redis_folder);
    for (int i = 0; i <= CLIENTS; i++)
        make_token(i, i % 2 ? "--scopes compile --untrusted --cpu-s-per-day 80000"
                            : "--scopes compile --cpu-s-per-day 80000 --mib-per-day 1000");
    for (int s = 0; s < SERVERS; s++) {
        snprintf(disk[s], sizeof disk[s], "%s/disk%d", redis_folder, s);
        server[s] = daemon_start((const char *const[]){
            "--tokens", tokens, "--admission", "two", "--cache-memory-mib", "64", "--cache-dir", disk[s], "--shared",
            redis_address, "--job-queue", redis_address, "--mac-key", redis_key_file, "--job-lease-s", "60", NULL});
        await(has_its_queue, &server[s], 60, "the queue of jobs");
    }
    for (int i = 0; i < CLIENTS; i++) {
        client[i].number = i;
        client[i].seed = (unsigned)i + 1;
        cr_assert_eq(pthread_create(&client[i].thread, NULL, run, &client[i]), 0);
    }
    lose_a_row();
    for (int i = 0; i < CLIENTS; i++)
        pthread_join(client[i].thread, NULL);
    for (int i = 0; i < CLIENTS; i++)
        cr_expect_str_empty(client[i].wrong);
    for (int s = 0; s < SERVERS; s++) { /* results wait for their second worker */
        kill(server[s].pid, SIGTERM);
        cr_expect_eq(daemon_wait(&server[s]), 0);
        cr_expect_not(daemon_has_logged(&server[s], "bytes_not_given_back"));
        cr_expect_not(daemon_has_logged(&server[s], "artifact_differs"));
        cr_expect_not(daemon_has_logged(&server[s], "smd stops"), "to stop is no loss of the queue");
        daemon_stop(&server[s]);
    }
}
