/* routes.c - the table of routes, and the small ones that need no file of their own. */
#include "routes.h"

#include "answer.h"
#include "artifacts.h"
#include "batch.h"
#include "capabilities.h"
#include "compile.h"
#include "context.h"
#include "deflate.h"
#include "durable.h"
#include "embedded.h"
#include "jobs.h"
#include "manifest.h"
#include "page.h"
#include "process.h"
#include "progress.h"
#include "scope.h"
#include "stream.h"

#include <string.h>
#include <time.h>

enum { METRICS_MAX = 1 << 20, COMPRESSED_FROM = 16 << 10 };

static int get_livez(struct request *r) {
    reply_static(&r->reply, "application/json", "{\"status\":\"ok\"}\n", 16);
    return 1;
}

static int get_readyz(struct request *r) {
    struct pool_state state = pool_state(r->smd->pool);
    int draining = atomic_load(&r->smd->draining), ready = state.ready && !draining;
    sm_buf_printf(&r->reply.text, "{\"status\":\"%s\",\"workers\":%d,\"busy\":%d,\"queued\":%zu}\n",
                  ready      ? "ready"
                  : draining ? "draining"
                             : "no worker",
                  state.workers, state.busy, state.queued);
    r->reply.http = ready ? 200 : 503;
    r->reply.status = ready ? SM_OK : draining ? SM_DRAINING : SM_NO_WORKER;
    reply_text(&r->reply, "application/json");
    return 1;
}

static void put_metrics(struct smd *smd, sm_buf *out); /* names the rows of the table below */

static void write_metrics(struct request *r) {
    put_metrics(r->smd, &r->reply.text);
    reply_text(&r->reply, "text/plain; version=0.0.4; charset=utf-8");
}

static int get_metrics(struct request *r) {
    return answer_later(r, write_metrics);
}

static int get_slowest(struct request *r) {
    slowest_json(&r->smd->metrics.slowest, &r->reply.text);
    reply_text(&r->reply, "application/json");
    return 1;
}

static void write_history(struct request *r) {
    struct reply *reply = &r->reply;
    enum coding coding = accept_coding(request_header(r, "Accept-Encoding"));
    sm_buf_printf(&reply->text, "# now %lld\n", (long long)time(NULL));
    history_text(&r->smd->history, &reply->text);
    reply_header(reply, "Vary", "Accept-Encoding");
    reply_text(reply, "text/plain; charset=utf-8");
    if (coding && reply->text.len >= COMPRESSED_FROM)
        reply_deflate(reply, coding);
}

static int get_history(struct request *r) {
    return answer_later(r, write_history);
}

static int get_openapi(struct request *r) {
    reply_static(&r->reply, "application/yaml", openapi_yaml, openapi_yaml_len);
    return 1;
}

/* Whoever may compile may read what came of it. */
enum {
    COMPILE = SM_SCOPE_COMPILE,
    READ = SM_SCOPE_COMPILE | SM_SCOPE_READ,
    METRICS_OF_ALL = SM_SCOPE_METRICS,
    ADMIN = SM_SCOPE_ADMIN
};

const struct route routes[] = {
    /* the first are found first: those that hits come by */
    {"POST", "/v1/compile", COMPILE, 1, 0, compile_begin, compile_finish, compile_drop, compile_answer},
    {"GET", "/v1/artifacts/", READ, 0, 0, artifacts_begin, artifacts_get, artifacts_drop, artifacts_answer},
    {"GET", "/", 0, 0, 0, NULL, page_index, NULL, NULL},
    {"GET", "/page/", 0, 0, 0, NULL, page_file, NULL, NULL},
    {"GET", "/dashboard", METRICS_OF_ALL, 0, 1, NULL, page_dashboard, NULL, NULL},
    {"GET", "/livez", 0, 0, 0, NULL, get_livez, NULL, NULL},
    {"GET", "/readyz", 0, 0, 0, NULL, get_readyz, NULL, NULL},
    {"GET", "/metrics", METRICS_OF_ALL, 0, 1, NULL, get_metrics, NULL, NULL},
    {"GET", "/v1/slowest", METRICS_OF_ALL, 0, 1, NULL, get_slowest, NULL, NULL},
    {"GET", "/v1/history", METRICS_OF_ALL, 0, 1, NULL, get_history, NULL, NULL},
    {"GET", "/openapi.yaml", 0, 0, 0, NULL, get_openapi, NULL, NULL},
    {"GET", "/v1/capabilities", READ, 0, 0, NULL, capabilities_get, NULL, NULL},
    {"POST", "/v1/artifacts/find-missing", READ, 1, 0, NULL, artifacts_find_missing, artifacts_drop_missing, NULL},
    {"GET", "/v1/stream", READ, 0, 0, NULL, stream_get, NULL, NULL},
    {"DELETE", "/v1/stream", COMPILE, 0, 0, NULL, stream_delete, NULL, NULL},
    {"GET", "/v1/progress/", READ, 0, 0, NULL, progress_get, NULL, NULL},
    {"GET", "/v1/manifest", ADMIN, 0, 1, NULL, manifest_get, NULL, NULL},
    {"GET", "/v1/modules/", ADMIN, 0, 1, modules_begin, modules_get, artifacts_drop, modules_answer},
    {"POST", "/v1/stackmap", COMPILE, 1, 0, stackmap_begin, stackmap_finish, compile_drop, compile_answer},
    {"POST", "/v1/batch", COMPILE, 1, 0, batch_begin, batch_finish, batch_drop, NULL},
    {"POST", "/v1/jobs", COMPILE, 1, 0, compile_begin, jobs_post, compile_drop, jobs_post_answer},
    {"GET", "/v1/jobs/", READ, 0, 0, jobs_get_begin, jobs_get, jobs_get_drop, jobs_get_answer},
    {"DELETE", "/v1/jobs/", READ, 0, 0, NULL, jobs_delete, NULL, NULL},
    {"GET", "/v1/dead-jobs", ADMIN, 0, 1, NULL, durable_list, NULL, NULL},
    {"POST", "/v1/dead-jobs/", ADMIN, 0, 1, NULL, durable_retry, NULL, NULL},
};

#define ROWS (sizeof routes / sizeof *routes)
_Static_assert(ROWS < METRIC_ROUTES, "one more for requests of no route");
const size_t route_count = ROWS;

static void put_metrics(struct smd *smd, sm_buf *out) {
    char text[ROWS][64];
    const char *names[ROWS + 2] = {NULL};
    const char *froms[FROM_KINDS + 2] = {NULL};
    for (int i = 0; i < FROM_KINDS; i++)
        froms[i] = from_word((enum from)i);
    froms[FROM_KINDS] = "none";
    for (size_t i = 0; i < ROWS; i++) {
        snprintf(text[i], sizeof text[i], "%s %s", routes[i].method, routes[i].path);
        names[i] = text[i];
    }
    names[ROWS] = "none";
    sm_buf_puts(out, smd->info);
    metrics_text(&smd->metrics, &(struct metric_names){names, froms}, out);
    if (smd->access)
        access_metrics(smd->access, out);
    process_text(out);
}

void routes_tick(struct smd *smd) {
    startups_tick(smd->startups);
    if (!history_is_due(&smd->history))
        return;
    sm_buf text;
    sm_buf_init(&text, METRICS_MAX);
    put_metrics(smd, &text);
    if (text.status == SM_OK)
        history_note(&smd->history, &text);
    sm_buf_free(&text);
}
