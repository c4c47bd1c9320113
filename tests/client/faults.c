/* faults.c - see faults.h. */
#include "faults.h"

#include "artifact.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

const char add[] = "define i64 @add(i64 %a, i64 %b) {\n  %c = add i64 %a, %b\n  ret i64 %c\n}\n";
sm_error err;

sm_client *client_of(const char *const *servers, sm_client_options o) {
    o.size = sizeof o;
    o.servers = servers;
    o.backoff_ms = o.backoff_ms ? o.backoff_ms : 10;
    o.connect_ms = o.connect_ms ? o.connect_ms : 100000;
    o.deadline_ms = o.deadline_ms ? o.deadline_ms : 600000;
    sm_client *c = sm_client_new(&o, &err);
    cr_assert_not_null(c, "%s", err.message);
    return c;
}

sm_result compile(sm_client *c, sm_policy policy, uint32_t deadline_ms) {
    sm_answer *a;
    sm_request r = {.size = sizeof r, .module = add, .module_len = strlen(add)};
    r.policy = policy;
    r.deadline_ms = deadline_ms;
    sm_result result = sm_compile(c, &r, &a, &err);
    sm_answer_free(a);
    return result;
}

sm_counters counters(sm_client *c) {
    sm_counters n;
    sm_client_counters(c, &n, sizeof n);
    return n;
}

const char *url_of(int port) {
    static char text[8][64];
    static int next;
    char *t = text[next++ % 8];
    snprintf(t, sizeof text[0], "http://127.0.0.1:%d", port);
    return t;
}

double seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* ---- Artifacts, whole and not ------------------------------------------------------------------------------- */

sm_buf artifact(void) {
    sm_buf b;
    sm_artifact a = {.status = SM_OK};
    a.part[SM_PART_META] = (sm_slice){(const unsigned char *)"{}", 2};
    a.part[SM_PART_DIAGNOSTICS] = (sm_slice){(const unsigned char *)"[]", 2};
    a.part[SM_PART_OBJECT] = (sm_slice){(const unsigned char *)"not an object", 13};
    sm_buf_init(&b, 1 << 16);
    cr_assert_eq(sm_artifact_write(&b, &a), SM_OK);
    return b;
}

static struct reply changed(size_t at, unsigned char by) {
    sm_buf b = artifact();
    b.data[at] ^= by;
    struct reply r = reply("200 OK", ARTIFACT, b.data, b.len);
    sm_buf_free(&b);
    return r;
}

static struct reply shortened(size_t by) {
    sm_buf b = artifact();
    struct reply r = reply("200 OK", ARTIFACT, b.data, b.len - by);
    sm_buf_free(&b);
    return r;
}

struct reply reply_text(const char *status, const char *headers, const char *body) {
    return reply(status, headers, body, strlen(body));
}

static struct reply raw(const char *bytes) {
    return (struct reply){strdup(bytes), strlen(bytes), 0};
}

struct reply behave(enum behaviour b) {
    struct reply r = {NULL, 0, 0};
    switch (b) {
    case GOOD:
        return changed(0, 0);
    case GARBAGE:
        return reply_text("200 OK", ARTIFACT, "rubbish");
    case NO_HTTP:
        return raw("SSH-2.0-OpenSSH_9.2\r\n");
    case NOTHING:
        return r;
    case NEVER:
        r.hangs = 1;
        return r;
    case HALF:
        r = changed(0, 0);
        r.len -= 20;
        return r;
    case BIT_FLIPPED:
        return changed(90, 4);
    case CUT:
        return shortened(8);
    case OTHER_VERSION:
        return changed(8, 2);
    case WEB_PAGE:
        return reply_text("200 OK", "Content-Type: text/html\r\n", "<html>It works!</html>");
    case WEB_PAGE_404:
        return reply_text("404 Not Found", "Content-Type: text/html\r\n", "<html>no</html>");
    case REFUSED:
        return reply_text("401 Unauthorized", PROBLEM, "{\"code\":\"unauthorised\",\"detail\":\"No token\"}");
    case OVERLOADED:
        return reply_text("503 Service Unavailable", PROBLEM "Retry-After: 1\r\n", "{\"code\":\"overloaded\"}");
    case BROKEN:
        return reply_text("500 Internal Server Error", "Content-Type: text/plain\r\n", "oops");
    case BROKEN_JSON:
        return reply_text("500 Internal Server Error", PROBLEM, "{\"code\":");
    case LONG:
        r = raw("HTTP/1.1 200 OK\r\n" ARTIFACT "Content-Length: 99999999\r\n\r\n");
        r.data = realloc(r.data, r.len + 16384);
        memset(r.data + r.len, 'x', 16384);
        r.len += 16384;
        return r;
    case SILENT_HEAD:
        r = raw("HTTP/1.1 200 OK\r\nContent-Type: ");
        r.hangs = 1;
        return r;
    case ODD_PROBLEM:
        return reply_text(
            "422 Unprocessable Content", PROBLEM,
            "{\"code\":[],\"detail\":7,\"diagnostics\":[{\"line\":-4,\"column\":\"x\",\"message\":5},8,null]}");
    }
    return r;
}

struct reply act(void *user, const char *head) {
    struct script *s = user;
    (void)head;
    return behave(atomic_fetch_sub(&s->times, 1) > 0 ? s->behaviour : GOOD);
}
