/* The end of a daemon: whoever has sent a request before is answered, and nobody else holds it up. */
#include "http.h"

#include <arpa/inet.h>
#include <criterion/criterion.h>
#include <dirent.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { MOST = 16 };

static const char request[] = "GET /livez HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
                  request_and_stay[] = "GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n",
                  begun[] = "GET /livez HTTP/1.1\r\nHo";

TestSuite(drain, .timeout = 600);

static void say(int fd, const char *text) {
    cr_assert_eq(send(fd, text, strlen(text), MSG_NOSIGNAL), (ssize_t)strlen(text));
}

/* Reads until so many answers have come. */
static void are_answered(int fd, int requests) {
    static const char alive[] = "{\"status\":\"ok\"}";
    char bytes[4096] = "";
    const char *at = bytes;
    for (size_t len = 0; requests; requests--) {
        const char *found;
        while (!(found = strstr(at, alive))) {
            ssize_t n = recv(fd, bytes + len, sizeof bytes - 1 - len, 0);
            cr_assert_gt(n, 0, "%d are missing after '%s'", requests, bytes);
            len += (size_t)n;
            bytes[len] = 0;
        }
        at = found + strlen(alive);
    }
}

static void is_answered(int fd) {
    are_answered(fd, 1);
}

/* ---- Threads that do not come to run ------------------------------------------------------------------------ */

/* The threads of libmicrohttpd, by the names that it gives them. */
static int http_threads(pid_t pid, pid_t thread[MOST]) {
    char path[300], name[32];
    int n = 0;
    snprintf(path, sizeof path, "/proc/%d/task", (int)pid);
    DIR *tasks = opendir(path);
    for (struct dirent *e; (e = readdir(tasks)) && n < MOST;) {
        snprintf(path, sizeof path, "/proc/%d/task/%s/comm", (int)pid, e->d_name);
        FILE *f = e->d_name[0] == '.' ? NULL : fopen(path, "re");
        if (f && fgets(name, sizeof name, f) && strncmp(name, "MHD-", 4) == 0)
            thread[n++] = atoi(e->d_name);
        if (f)
            fclose(f);
    }
    closedir(tasks);
    return n;
}

struct frozen {
    pid_t daemon, thread[MOST];
    int threads;
};

/* None of the threads has anything to do: what was answered is also done with. */
static int all_sleep(void *arg) {
    const struct frozen *f = arg;
    int n = 0;
    for (int i = 0; i < f->threads; i++) {
        char path[64], state = 0;
        snprintf(path, sizeof path, "/proc/%d/task/%d/stat", (int)f->daemon, (int)f->thread[i]);
        FILE *file = fopen(path, "re");
        n += file && fscanf(file, "%*d (%*[^)]) %c", &state) == 1 && state == 'S';
        if (file)
            fclose(file);
    }
    return n == f->threads;
}

/* Stops the threads that read and answer requests, as a busy machine does for a while; the others run. */
static struct frozen freeze(const struct daemon *d) {
    struct frozen f = {.daemon = d->pid};
    f.threads = http_threads(d->pid, f.thread);
    cr_assert_gt(f.threads, 0);
    await(all_sleep, &f, 20, "the threads to have nothing to do");
    for (int i = 0; i < f.threads; i++)
        process_hold(f.thread[i]);
    return f;
}

static void thaw(const struct frozen *f) {
    for (int i = 0; i < f->threads; i++)
        process_release(f->thread[i]);
}

static int is_draining(void *arg) {
    struct bytes log = daemon_log(arg);
    int there = strstr((char *)log.data, "\"event\":\"draining\"") != NULL;
    bytes_free(log);
    return there;
}

/* Has the daemon drain for much longer than it does where there is no request. */
static void drain_for_a_while(struct daemon *d) {
    kill(d->pid, SIGTERM);
    await(is_draining, d, 20, "the drain");
    usleep(500000); /* what is tested is that time passes */
}

/* ---- Tests --------------------------------------------------------------------------------------------------- */

/* On a connection that was there, on one that has just come, and one behind another. */
Test(drain, a_request_that_nobody_has_read_is_answered) {
    struct daemon d = daemon_start((const char *const[]){"--http-threads", "2", NULL});
    int old = daemon_connect(&d), both = daemon_connect(&d);
    say(old, request_and_stay);
    is_answered(old);
    say(both, request_and_stay);
    is_answered(both);
    struct frozen f = freeze(&d);
    int fresh = daemon_connect(&d);
    say(old, request);
    say(fresh, request);
    say(both, request_and_stay);
    say(both, request);
    drain_for_a_while(&d);
    thaw(&f);
    is_answered(old);
    is_answered(fresh);
    are_answered(both, 2);
    daemon_stop(&d);
    close(old);
    close(fresh);
    close(both);
}

/* Not even one that comes while the daemon drains already. */
Test(drain, a_request_that_comes_meanwhile_is_answered) {
    struct daemon d = daemon_start(NULL);
    int old = daemon_connect(&d), late = daemon_connect(&d);
    say(old, request_and_stay);
    is_answered(old);
    say(late, request_and_stay);
    is_answered(late);
    struct frozen f = freeze(&d);
    say(old, request);
    drain_for_a_while(&d);
    say(late, request);
    thaw(&f);
    is_answered(old);
    is_answered(late);
    daemon_stop(&d);
    close(old);
    close(late);
}

#define POST "POST /v1/compile HTTP/1.1\r\nHost: localhost\r\n"

/* Sends a byte of its body now and then, until the daemon has closed. */
static void *trickle(void *arg) {
    int fd = *(int *)arg;
    while (send(fd, ";", 1, MSG_NOSIGNAL) == 1)
        usleep(50000);
    return NULL;
}

static void is_told(int fd) {
    char bytes[4096] = "";
    size_t len = 0;
    for (ssize_t n = 1; n > 0 && len < sizeof bytes - 1; len += n > 0 ? (size_t)n : 0)
        n = recv(fd, bytes + len, sizeof bytes - 1 - len, 0);
    cr_expect_eq(strncmp(bytes, "HTTP/1.1 503 ", 13), 0, "%s", bytes);
    cr_expect_not_null(strstr(bytes, "\"draining\""), "%s", bytes);
    close(fd);
}

static int has_bodies(void *arg) {
    return metric(arg, "smd_held_bytes{what=\"body\",setting=\"queue_mib\"}") > 0;
}

/* A request whose body does not come to its end is no job: its client is told, whatever the limits are. */
Test(drain, bodies_that_do_not_go_on_hold_nothing_up) {
    static const char *const stuck[] = {POST "Content-Length: 100000\r\n\r\n; the beginning",
                                        POST "Transfer-Encoding: chunked\r\n\r\n5\r\n; beg",
                                        POST "Content-Encoding: zstd\r\nContent-Length: 100\r\n\r\n\x28\xb5\x2f\xfd",
                                        POST "Content-Length: 100000\r\n\r\n; one that trickles"};
    enum { STUCK = sizeof stuck / sizeof *stuck };
    struct daemon d = daemon_start((const char *const[]){"--drain-timeout-s", "3600", "--idle-timeout-s", "3600",
                                                         "--request-timeout-s", "3600", NULL});
    pthread_t trickles;
    int fd[STUCK];
    for (int i = 0; i < STUCK; i++) {
        fd[i] = daemon_connect(&d);
        say(fd[i], stuck[i]);
    }
    pthread_create(&trickles, NULL, trickle, &fd[STUCK - 1]);
    await(has_bodies, &d, 20, "the bodies to begin");
    daemon_stop(&d);
    pthread_join(trickles, NULL);
    for (int i = 0; i < STUCK - 1; i++)
        is_told(fd[i]);
    close(fd[STUCK - 1]); /* bytes that came later may have cost it the answer */
}

/* A head that does not go on is no request: the end does not wait for its client, whatever the limit is. */
Test(drain, the_beginning_of_a_request_holds_nothing_up) {
    struct daemon d =
        daemon_start((const char *const[]){"--drain-timeout-s", "3600", "--idle-timeout-s", "3600", NULL});
    int fd = daemon_connect(&d);
    say(fd, begun);
    daemon_stop(&d);
    close(fd);
}
