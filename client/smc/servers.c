/* servers.c - see smc.h. */
#include "clock.h"
#include "smc.h"

#include <stdlib.h>
#include <string.h>

enum { WAIT_MS = 5000 };

/* Copies a label's value of the sample that says what the server is. */
static void read_label(const struct server *s, const char *label, char *out, size_t size) {
    const char *info = s->metrics ? strstr(s->metrics, "\nsmd_build_info{") : NULL;
    const char *line_end = info ? strchr(info + 1, '\n') : NULL, *at = info ? strstr(info, label) : NULL;
    if (at && line_end && at < line_end) {
        at += strlen(label);
        snprintf(out, size, "%.*s", (int)strcspn(at, "\"\n"), at);
    }
    clean_text(out);
}

void server_ask(struct server *s) {
    char *text = NULL;
    s->client = server_client_of(s->url, WAIT_MS, &s->err);
    if (!s->client) {
        if (!s->err.message[0])
            snprintf(s->err.message, sizeof s->err.message, "its token cannot be read");
        return;
    }
    uint64_t began_us = sm_clock_us();
    s->answers = sm_get(s->client, "/livez", &text, &s->err) == SM_SUCCESS;
    s->took_us = sm_clock_us() - began_us;
    sm_text_free(text);
    text = NULL;
    if (s->answers) { /* /readyz last: its 503 has the client leave the server alone for a while */
        sm_error other;
        s->has_metrics = sm_get(s->client, "/metrics", &s->metrics, &other) == SM_SUCCESS;
        s->is_ready = sm_get(s->client, "/readyz", &text, &other) == SM_SUCCESS;
        sm_text_free(text);
    }
    read_label(s, "compiler=\"", s->compiler, sizeof s->compiler);
    read_label(s, "version=\"", s->version, sizeof s->version);
}

int server_shares(const struct server *s) {
    return metrics_value(s->metrics, "smd_shared_up") > 0 ||
           metrics_value(s->metrics, "smd_shared_errors_total{kind=\"lost\"}") > 0;
}

int server_stores(const struct server *s) {
    return metrics_value(s->metrics, "smd_store_up") > 0 ||
           metrics_value(s->metrics, "smd_store_errors_total{kind=\"lost\"}") > 0;
}

int server_queues(const struct server *s) {
    return metrics_value(s->metrics, "smd_job_queue_up") > 0 ||
           metrics_value(s->metrics, "smd_job_queue_errors_total{kind=\"lost\"}") > 0;
}

/* Adds the servers of a list that commas or spaces separate. 0, after a message, if one cannot be taken. */
static int add_servers(struct server **servers, int *count, const char *list) {
    for (const char *at = list; *(at += strspn(at, ", "));) {
        size_t len = strcspn(at, ", ");
        struct server *more = *count < SERVERS_MAX && len < SERVER_TEXT
                                  ? realloc(*servers, ((size_t)*count + 1) * sizeof **servers)
                                  : NULL;
        if (!more) {
            complain("there can be %d servers, with addresses of %d bytes", SERVERS_MAX, SERVER_TEXT - 1);
            return 0;
        }
        *servers = more;
        more += (*count)++;
        *more = (struct server){.metrics = NULL};
        memcpy(more->url, at, len);
        clean_text(more->url);
        at += len;
    }
    return 1;
}

int servers_of(const struct args *args, struct server **servers, int *count) {
    const char *list = common.server ? common.server : getenv("SMD_SERVER");
    for (int i = 0; i < args->files; i++)
        if (!add_servers(servers, count, args->file[i]))
            return 0;
    return args->files || add_servers(servers, count, list && *list ? list : "http://127.0.0.1:8199");
}

void servers_free(struct server *servers, int count) {
    for (int i = 0; i < count; i++) {
        sm_text_free(servers[i].metrics);
        sm_client_free(servers[i].client);
    }
    free(servers);
}
