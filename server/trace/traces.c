/* traces.c - see traces.h.
 *
 * As in log.c there are two halves: one is filled while the other is sent.
 */
#include "traces.h"

#include "clock.h"
#include "log.h"
#include "otlp.h"

#include <curl/curl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

/* Requests in each half; what becomes of one is at most SPANS_BYTES long. In seconds: how long they gather, how long a
 * collector may take, and how long it may take when smd stops. */
enum { HALF = 1024, SPANS_BYTES = 8192, GATHER_S = 1, PATIENCE_S = 5, LAST_S = 1 };

struct half {
    struct traced request[HALF];
    size_t count;
};

struct traces {
    const struct settings *settings;
    struct metrics *metrics;
    char url[sizeof((struct settings *)0)->otlp + 16];
    char instance[128];
    CURL *curl;
    struct curl_slist *headers;
    int is_failing; /* boolean: the log has it; the thread's own */
    pthread_t thread;
    _Atomic uint64_t ended_ns; /* when smd began to stop; 0 before */
    pthread_mutex_t lock;      /* of what follows */
    pthread_cond_t wake;
    struct half half[2], *filling;
};

/* ---- Sending: the thread's own ------------------------------------------------------------------------------ */

/* curl's callback for the answer's body, of which nothing is used. */
static size_t drop(char *data, size_t size, size_t n, void *arg) {
    (void)data;
    (void)arg;
    return size * n;
}

/* curl's callback, about once a second: whether to give up. */
static int is_over(void *arg, curl_off_t down, curl_off_t downs, curl_off_t up, curl_off_t ups) {
    struct traces *t = arg;
    uint64_t ended = atomic_load(&t->ended_ns);
    (void)down, (void)downs, (void)up, (void)ups;
    return ended && sm_clock_ns() > ended + LAST_S * UINT64_C(1000000000);
}

/* The log has it when the collector begins to fail, and when it works again. */
static void note_outcome(struct traces *t, const char *why) {
    if (why && !t->is_failing)
        log_event(LOG_LEVEL_WARNING, "traces_lost", "{s:s,s:s}", "collector", t->settings->otlp, "detail", why);
    if (!why && t->is_failing)
        log_event(LOG_LEVEL_INFO, "traces_taken", "{s:s}", "collector", t->settings->otlp);
    t->is_failing = why != NULL;
}

/* Posts the message, and counts what becomes of its requests. */
static void post(struct traces *t, const sm_buf *message, size_t requests) {
    char why[CURL_ERROR_SIZE] = "";
    long http = 0;
    curl_easy_setopt(t->curl, CURLOPT_ERRORBUFFER, why);
    curl_easy_setopt(t->curl, CURLOPT_POSTFIELDS, (char *)message->data);
    curl_easy_setopt(t->curl, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)message->len);
    CURLcode code = curl_easy_perform(t->curl);
    curl_easy_getinfo(t->curl, CURLINFO_RESPONSE_CODE, &http);
    curl_easy_setopt(t->curl, CURLOPT_ERRORBUFFER, NULL);
    if (code == CURLE_OK && http / 100 != 2)
        snprintf(why, sizeof why, "it has answered with status %ld", http);
    else if (code != CURLE_OK && !why[0])
        snprintf(why, sizeof why, "%s", curl_easy_strerror(code));
    int is_taken = code == CURLE_OK && http / 100 == 2;
    metric_add(t->metrics, is_taken ? METRIC_TRACES_TAKEN : METRIC_TRACES_LOST, (long long)requests);
    note_outcome(t, is_taken ? NULL : why);
}

/* Sends what has gathered in a half, and empties it. */
static void send_half(struct traces *t, struct half *h) {
    struct otlp otlp;
    sm_buf message;
    sm_buf_init(&message, (size_t)HALF * SPANS_BYTES);
    otlp_begin(&otlp, &message, SMD_VERSION, t->instance);
    for (size_t i = 0; i < h->count; i++)
        otlp_request(&otlp, &h->request[i]);
    otlp_end(&otlp);
    if (message.status == SM_OK)
        post(t, &message, h->count);
    else
        metric_add(t->metrics, METRIC_TRACES_LOST, (long long)h->count);
    sm_buf_free(&message);
    h->count = 0;
}

/* Waits until requests have gathered for a while. Gives the half with them; 0 in *GOES_ON at the end. */
static struct half *take_half(struct traces *t, int *goes_on) {
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += GATHER_S;
    pthread_mutex_lock(&t->lock);
    while (!atomic_load(&t->ended_ns) && t->filling->count < HALF / 2 &&
           pthread_cond_timedwait(&t->wake, &t->lock, &until) == 0) {
    }
    struct half *h = t->filling;
    t->filling = h == t->half ? t->half + 1 : t->half;
    *goes_on = !atomic_load(&t->ended_ns);
    pthread_mutex_unlock(&t->lock);
    return h;
}

/* The thread. */
static void *send_traces(void *arg) {
    struct traces *t = arg;
    int goes_on = 1;
    while (goes_on) {
        struct half *h = take_half(t, &goes_on);
        if (h->count)
            send_half(t, h);
    }
    return NULL;
}

/* ---- Requests ----------------------------------------------------------------------------------------------- */

int traces_place(struct traces *t, const char *header, struct trace_place *place) {
    unsigned char random;
    if (trace_read(header, place))
        return t && place->is_sampled && trace_begin_span(place);
    if (!t || !trace_new(place))
        return 0;
    memcpy(&random, place->trace + sizeof place->trace - 1, 1);
    place->is_sampled = random * 100 < atomic_load(&t->settings->otlp_sample) * 256;
    if (!place->is_sampled)
        memset(place, 0, sizeof *place);
    return place->is_sampled && trace_begin_span(place);
}

void traces_add(struct traces *t, const struct traced *request) {
    pthread_mutex_lock(&t->lock);
    struct half *h = t->filling;
    int has_room = h->count < HALF;
    if (has_room)
        h->request[h->count++] = *request;
    if (h->count == HALF / 2)
        pthread_cond_signal(&t->wake);
    pthread_mutex_unlock(&t->lock);
    if (!has_room)
        metric_add(t->metrics, METRIC_TRACES_LOST, 1);
}

/* ---- Start and stop ----------------------------------------------------------------------------------------- */

sm_status traces_check(const char *otlp, struct error *err) {
    CURLU *url = curl_url();
    int is_http = strncasecmp(otlp, "http://", 7) == 0 || strncasecmp(otlp, "https://", 8) == 0;
    int is_valid = url && is_http && curl_url_set(url, CURLUPART_URL, otlp, 0) == CURLUE_OK;
    curl_url_cleanup(url);
    return is_valid || !otlp[0] ? SM_OK
                                : error_set(err, SM_INVALID_OPTION,
                                            "otlp: '%s' is not http://HOST[:PORT][/PATH] and not https://…", otlp);
}

int traces_port(const char *otlp) {
    char *text = NULL;
    CURLU *url = curl_url();
    int known = url && curl_url_set(url, CURLUPART_URL, otlp, 0) == CURLUE_OK &&
                curl_url_get(url, CURLUPART_PORT, &text, CURLU_DEFAULT_PORT) == CURLUE_OK;
    int port = known ? atoi(text) : 0;
    curl_free(text);
    curl_url_cleanup(url);
    return port;
}

/* Makes the URL of the collector's traces (https://opentelemetry.io/docs/specs/otlp/#otlphttp-request). */
static void make_url(struct traces *t) {
    const char *base = t->settings->otlp;
    size_t len = strlen(base);
    while (len && base[len - 1] == '/')
        len--;
    snprintf(t->url, sizeof t->url, "%.*s/v1/traces", (int)len, base);
}

/* Prepares what all posts have in common. 0 if out of memory. */
static int prepare_curl(struct traces *t) {
    t->curl = curl_easy_init();
    t->headers = curl_slist_append(NULL, "Content-Type: application/json");
    if (!t->curl || !t->headers)
        return 0;
    curl_easy_setopt(t->curl, CURLOPT_URL, t->url);
    curl_easy_setopt(t->curl, CURLOPT_HTTPHEADER, t->headers);
    curl_easy_setopt(t->curl, CURLOPT_USERAGENT, "smd/" SMD_VERSION);
    curl_easy_setopt(t->curl, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(t->curl, CURLOPT_PROXY, "");
    curl_easy_setopt(t->curl, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(t->curl, CURLOPT_TIMEOUT, (long)PATIENCE_S);
    curl_easy_setopt(t->curl, CURLOPT_NOPROGRESS, 0L);
    curl_easy_setopt(t->curl, CURLOPT_XFERINFOFUNCTION, is_over);
    curl_easy_setopt(t->curl, CURLOPT_XFERINFODATA, t);
    curl_easy_setopt(t->curl, CURLOPT_WRITEFUNCTION, drop);
    curl_easy_setopt(t->curl, CURLOPT_POST, 1L);
    return 1;
}

static void free_traces(struct traces *t) {
    curl_easy_cleanup(t->curl);
    curl_slist_free_all(t->headers);
    pthread_mutex_destroy(&t->lock);
    pthread_cond_destroy(&t->wake);
    free(t);
}

sm_status traces_start(const struct settings *s, struct metrics *m, const char *instance, struct traces **out,
                       struct error *err) {
    pthread_condattr_t clock;
    *out = NULL;
    if (!s->otlp[0])
        return SM_OK;
    sm_status status = traces_check(s->otlp, err);
    if (status != SM_OK)
        return status;
    struct traces *t = calloc(1, sizeof *t);
    if (!t)
        return error_set(err, SM_NOMEM, "out of memory");
    t->settings = s;
    t->metrics = m;
    t->filling = t->half;
    snprintf(t->instance, sizeof t->instance, "%s", instance);
    pthread_mutex_init(&t->lock, NULL);
    pthread_condattr_init(&clock);
    pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
    pthread_cond_init(&t->wake, &clock);
    pthread_condattr_destroy(&clock);
    make_url(t);
    if (curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK || !prepare_curl(t) ||
        pthread_create(&t->thread, NULL, send_traces, t) != 0) {
        free_traces(t);
        return error_set(err, SM_NOMEM, "no thread could be started for otlp");
    }
    *out = t;
    return SM_OK;
}

void traces_stop(struct traces *t) {
    if (!t)
        return;
    pthread_mutex_lock(&t->lock);
    atomic_store(&t->ended_ns, sm_clock_ns());
    pthread_cond_signal(&t->wake);
    pthread_mutex_unlock(&t->lock);
    pthread_join(t->thread, NULL);
    free_traces(t);
}
