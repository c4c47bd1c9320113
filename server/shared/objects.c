/* objects.c - see objects.h. */
#include "objects.h"

#include "clock.h"

#include <assert.h>
#include <ctype.h>
#include <curl/curl.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Of an answer that is no entry: bytes that are kept to say what is wrong, and that are let in. Of any: bytes of its head. */
enum { OTHER_KEPT = 1024, OTHER_MOST = 64 << 10, HEAD_MOST = 64 << 10, FIRST_ROOM = 16 << 10 };

/* In seconds: to connect; without a byte that moves; in all. Connections that are open at once. */
enum { CONNECT_S = 5, SILENT_S = 10, WHOLE_S = 120, CONNECTIONS = 72 };
enum { SECRET_MOST = 2048, BASE_MOST = 2200 };
_Static_assert(sizeof((struct object_ask *)0)->error >= CURL_ERROR_SIZE, "curl writes so much");

struct objects {
    CURLM *multi;
    const struct settings *settings;
    size_t largest;
    char base[BASE_MOST]; /* without a slash at its end */
    char sigv4[128];      /* as libcurl takes it; "": the store is none of S3's kind */
};

/* ---- Settings ----------------------------------------------------------------------------------------------- */

/* 1 if all characters are those that a URL and S3's signature write as they are. */
static int is_plain(const char *text, const char *more) {
    for (; *text; text++)
        if (!isalnum((unsigned char)*text) && !strchr(more, *text))
            return 0;
    return 1;
}

/* Copies a URL that begins with http:// or https:// and has a host, and neither user, query nor fragment; without slashes at
 * its end. 0 otherwise. */
static int copy_url(const char *text, char *out, size_t size) {
    char *user = NULL, *query = NULL, *fragment = NULL;
    int is_http = strncasecmp(text, "http://", 7) == 0 || strncasecmp(text, "https://", 8) == 0;
    CURLU *url = is_http ? curl_url() : NULL;
    int is_url = url && curl_url_set(url, CURLUPART_URL, text, 0) == CURLUE_OK;
    int has_more = is_url && (curl_url_get(url, CURLUPART_USER, &user, 0) == CURLUE_OK ||
                              curl_url_get(url, CURLUPART_QUERY, &query, 0) == CURLUE_OK ||
                              curl_url_get(url, CURLUPART_FRAGMENT, &fragment, 0) == CURLUE_OK);
    curl_free(user);
    curl_free(query);
    curl_free(fragment);
    curl_url_cleanup(url);
    size_t len = strlen(text);
    while (len && text[len - 1] == '/')
        len--;
    return is_url && !has_more && is_plain(text, ":/.-_~[]%") &&
           (size_t)snprintf(out, size, "%.*s", (int)len, text) < size;
}

/* Finds what S3's bucket and prefix are at the endpoint. */
static sm_status read_s3(const struct settings *s, struct objects *o, struct error *err) {
    char endpoint[1100];
    const char *path = s->store + strlen("s3://");
    size_t len = strlen(path);
    while (len && path[len - 1] == '/')
        len--;
    if (!isalnum((unsigned char)*path) || !is_plain(path, "/.-_") || strstr(path, "//") || strstr(path, ".."))
        return error_set(err, SM_INVALID_OPTION,
                         "store: '%s' is not s3://BUCKET[/PREFIX] of letters, digits and /.-_", s->store);
    if (!s->store_region[0] || !is_plain(s->store_region, "-"))
        return error_set(err, SM_INVALID_OPTION, "store_region: '%s' is no name of a region", s->store_region);
    if (!s->store_credentials_file[0])
        return error_set(err, SM_INVALID_OPTION,
                         "store: s3:// needs store_credentials_file, a file with ID:SECRET of an access key");
    if (!s->store_endpoint[0])
        snprintf(endpoint, sizeof endpoint, "https://s3.%s.amazonaws.com", s->store_region);
    else if (!copy_url(s->store_endpoint, endpoint, sizeof endpoint))
        return error_set(err, SM_INVALID_OPTION, "store_endpoint: '%s' is not http://HOST[:PORT] and not https://…",
                         s->store_endpoint);
    snprintf(o->base, sizeof o->base, "%s/%.*s", endpoint, (int)len, path);
    snprintf(o->sigv4, sizeof o->sigv4, "aws:amz:%s:s3", s->store_region);
    return SM_OK;
}

/* Reads what the settings name. */
static sm_status read_settings(const struct settings *s, struct objects *o, struct error *err) {
    if (strncmp(s->store, "s3://", 5) == 0)
        return read_s3(s, o, err);
    if (copy_url(s->store, o->base, sizeof o->base))
        return SM_OK;
    return error_set(err, SM_INVALID_OPTION,
                     "store: '%s' is not s3://BUCKET[/PREFIX], http://HOST[:PORT][/PATH] or https://…", s->store);
}

int objects_port(const struct settings *s) {
    struct objects o = {.settings = s};
    char *text = NULL;
    CURLU *url = read_settings(s, &o, NULL) == SM_OK ? curl_url() : NULL;
    int known = url && curl_url_set(url, CURLUPART_URL, o.base, 0) == CURLUE_OK &&
                curl_url_get(url, CURLUPART_PORT, &text, CURLU_DEFAULT_PORT) == CURLUE_OK;
    int port = known ? atoi(text) : 0;
    curl_free(text);
    curl_url_cleanup(url);
    return port;
}

/* ---- Answers ------------------------------------------------------------------------------------------------ */

/* Appends bytes of an entry, of no more than `largest`. 0: there is no room. */
static int append(struct object_ask *ask, const char *data, size_t n) {
    size_t largest = ask->objects->largest;
    if (n > largest - ask->len) {
        snprintf(ask->why, sizeof ask->why, "its answer is larger than store_entry_mib");
        return 0;
    }
    if (ask->len + n > ask->room) {
        size_t room = ask->room ? 2 * ask->room : FIRST_ROOM;
        while (room < ask->len + n)
            room *= 2;
        if (room > largest)
            room = largest;
        unsigned char *more = ask->grow(ask, room - ask->room) ? realloc(ask->bytes, room) : NULL;
        if (!more) {
            snprintf(ask->why, sizeof ask->why, "there is no room for its answer");
            return 0;
        }
        ask->bytes = more;
        ask->room = room;
    }
    memcpy(ask->bytes + ask->len, data, n);
    ask->len += n;
    return 1;
}

/* Keeps the beginning of what is no entry: it says what is wrong. 0: it is too long. */
static int note_other(struct object_ask *ask, const char *data, size_t n) {
    size_t left = ask->other < OTHER_KEPT ? OTHER_KEPT - ask->other : 0, kept = n < left ? n : left;
    if (!ask->bytes)
        ask->bytes = malloc(OTHER_KEPT + 1);
    if (ask->bytes && kept)
        memcpy(ask->bytes + ask->other, data, kept);
    ask->other += n;
    return ask->other <= OTHER_MOST;
}

/* curl's callback for the answer's body. */
static size_t take(char *data, size_t size, size_t n, void *arg) {
    struct object_ask *ask = arg;
    long http = 0;
    ask->moved_ns = sm_clock_ns();
    curl_easy_getinfo(ask->easy, CURLINFO_RESPONSE_CODE, &http);
    int is_entry = http == 200 && !ask->content.data;
    int ok = is_entry ? append(ask, data, size * n) : note_other(ask, data, size * n);
    return ok ? size * n : 0;
}

/* curl's callback for each line of the answer's head. */
static size_t take_head(char *data, size_t size, size_t n, void *arg) {
    struct object_ask *ask = arg;
    (void)data;
    ask->moved_ns = sm_clock_ns();
    ask->head += size * n;
    return ask->head <= HEAD_MOST ? size * n : 0;
}

/* Copies S3's word for what is wrong, as in <Code>AccessDenied</Code>; "" if there is none. */
static void read_code(const struct object_ask *ask, char out[64]) {
    static const char tag[] = "<Code>";
    size_t have = ask->other < OTHER_KEPT ? ask->other : OTHER_KEPT, len = 0;
    const char *at = ask->bytes && have ? memmem(ask->bytes, have, tag, strlen(tag)) : NULL;
    const char *end = at ? (const char *)ask->bytes + have : NULL;
    for (at = at ? at + strlen(tag) : NULL; at && at < end && len < 62 && isalnum((unsigned char)*at); at++)
        out[len++] = *at;
    out[len] = 0;
}

/* Writes what is wrong with an answer, if anything is. */
static void say_why(struct object_ask *ask, CURLcode code, long http) {
    char word[64];
    if (code != CURLE_OK && !ask->why[0])
        snprintf(ask->why, sizeof ask->why, "%s", ask->error[0] ? ask->error : curl_easy_strerror(code));
    if (code == CURLE_OK && http / 100 != 2 && http != 404) {
        read_code(ask, word);
        snprintf(ask->why, sizeof ask->why, "it has answered with status %ld%s%s%s", http, word[0] ? " (" : "", word,
                 word[0] ? ")" : "");
    }
}

/* Frees what is curl's of a request. */
static void end_easy(struct objects *o, struct object_ask *ask) {
    curl_multi_remove_handle(o->multi, ask->easy);
    curl_easy_cleanup(ask->easy);
    curl_slist_free_all(ask->headers);
    ask->easy = NULL;
    ask->headers = NULL;
}

void objects_cancel(struct objects *o, struct object_ask *ask) {
    end_easy(o, ask);
    free(ask->bytes);
    ask->bytes = NULL;
}

/* The request has ended. */
static void finish(struct objects *o, struct object_ask *ask, CURLcode code) {
    long http = 0;
    curl_easy_getinfo(ask->easy, CURLINFO_RESPONSE_CODE, &http);
    say_why(ask, code, http);
    ask->http = code == CURLE_OK ? (int)http : 0;
    if (ask->http != 200 || ask->content.data) {
        free(ask->bytes);
        ask->bytes = NULL;
    }
    end_easy(o, ask);
    ask->done(ask);
}

void objects_work(struct objects *o) {
    int running, left;
    curl_multi_perform(o->multi, &running);
    for (CURLMsg *m; (m = curl_multi_info_read(o->multi, &left)) != NULL;) {
        char *ask = NULL;
        if (m->msg == CURLMSG_DONE && curl_easy_getinfo(m->easy_handle, CURLINFO_PRIVATE, &ask) == CURLE_OK)
            finish(o, (struct object_ask *)(void *)ask, m->data.result);
    }
}

void objects_wait(struct objects *o, uint64_t until_ns) {
    uint64_t now = sm_clock_ns();
    curl_multi_poll(o->multi, NULL, 0, until_ns <= now ? 0 : (int)((until_ns - now + 999999) / 1000000), NULL);
}

void objects_wake(struct objects *o) {
    curl_multi_wakeup(o->multi);
}

/* ---- Requests ----------------------------------------------------------------------------------------------- */

/* Reads ID:SECRET, and in a second line a session's token, if there is one. 0, and why, if the file is none of these. */
static int read_credentials(const char *path, char text[SECRET_MOST], char **secret, char **token, char *why,
                            size_t size) {
    FILE *f = fopen(path, "re");
    int e = errno;
    size_t len = f ? fread(text, 1, SECRET_MOST - 1, f) : 0;
    text[len] = 0;
    if (f)
        fclose(f);
    char *colon = strchr(text, ':'), *end = text + strcspn(text, "\r\n");
    if (!colon || colon == text || colon + 1 >= end) {
        snprintf(why, size, "store_credentials_file: %.150s: %s", path,
                 f ? "it does not begin with ID:SECRET" : strerror(e));
        return 0;
    }
    *token = end + strspn(end, "\r\n");
    *end = 0;
    (*token)[strcspn(*token, "\r\n")] = 0;
    *colon = 0;
    *secret = colon + 1;
    return 1;
}

/* Appends a header. 0 if out of memory. */
static int add_header(struct object_ask *ask, const char *name, const char *value) {
    char line[SECRET_MOST + 64];
    snprintf(line, sizeof line, "%s: %s", name, value);
    struct curl_slist *more = curl_slist_append(ask->headers, line);
    explicit_bzero(line, sizeof line);
    if (more)
        ask->headers = more;
    return more != NULL;
}

/* The SHA-256 of no bytes. */
static const char nothing_sha256[] = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

/* Has the request say who asks. 0, and why, if that cannot be read. */
static int authorize(struct objects *o, struct object_ask *ask) {
    char text[SECRET_MOST], *secret, *token;
    int ok = 1;
    if (!o->settings->store_credentials_file[0])
        return 1;
    if (!read_credentials(o->settings->store_credentials_file, text, &secret, &token, ask->why, sizeof ask->why))
        return 0;
    curl_easy_setopt(ask->easy, CURLOPT_USERNAME, text);
    curl_easy_setopt(ask->easy, CURLOPT_PASSWORD, secret);
    if (o->sigv4[0])
        curl_easy_setopt(ask->easy, CURLOPT_AWS_SIGV4, o->sigv4);
    else
        curl_easy_setopt(ask->easy, CURLOPT_HTTPAUTH, CURLAUTH_BASIC);
    if (o->sigv4[0] && token[0])
        ok = add_header(ask, "x-amz-security-token", token);
    if (o->sigv4[0])
        ok &= add_header(ask, "x-amz-content-sha256", ask->content.data ? ask->sha256 : nothing_sha256);
    explicit_bzero(text, sizeof text);
    return ok;
}

/* Sets what is the same for all requests. */
static void set_usual(const struct objects *o, struct object_ask *ask) {
    CURL *e = ask->easy;
    char text[SM_KEY_TEXT], url[BASE_MOST + SM_KEY_TEXT + 8];
    sm_key_text(&ask->key, text);
    snprintf(url, sizeof url, "%s/%s.smd1", o->base, text);
    curl_easy_setopt(e, CURLOPT_URL, url);
    curl_easy_setopt(e, CURLOPT_ERRORBUFFER, ask->error);
    curl_easy_setopt(e, CURLOPT_PRIVATE, (char *)(void *)ask);
    curl_easy_setopt(e, CURLOPT_USERAGENT, "smd/" SMD_VERSION);
    curl_easy_setopt(e, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(e, CURLOPT_FOLLOWLOCATION, 0L);
    curl_easy_setopt(e, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
    curl_easy_setopt(e, CURLOPT_PROXY, "");
    curl_easy_setopt(e, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(e, CURLOPT_QUICK_EXIT, 1L); /* who gives up does not wait for a name service */
    curl_easy_setopt(e, CURLOPT_CONNECTTIMEOUT, (long)CONNECT_S);
    curl_easy_setopt(e, CURLOPT_LOW_SPEED_LIMIT, 1L);
    curl_easy_setopt(e, CURLOPT_LOW_SPEED_TIME, (long)SILENT_S);
    curl_easy_setopt(e, CURLOPT_TIMEOUT, (long)WHOLE_S);
    curl_easy_setopt(e, CURLOPT_WRITEFUNCTION, take);
    curl_easy_setopt(e, CURLOPT_WRITEDATA, ask);
    curl_easy_setopt(e, CURLOPT_HEADERFUNCTION, take_head);
    curl_easy_setopt(e, CURLOPT_HEADERDATA, ask);
    if (o->settings->store_ca[0]) {
        curl_easy_setopt(e, CURLOPT_CAINFO, o->settings->store_ca);
        curl_easy_setopt(e, CURLOPT_CAPATH, NULL); /* nor is anybody of the system's believed */
    }
}

/* Makes the request a PUT of its content. It goes out as a POST of that name does: from memory. */
static int set_content(struct object_ask *ask) {
    curl_easy_setopt(ask->easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)ask->content.len);
    curl_easy_setopt(ask->easy, CURLOPT_POSTFIELDS, (const char *)ask->content.data);
    curl_easy_setopt(ask->easy, CURLOPT_CUSTOMREQUEST, "PUT");
    return add_header(ask, "Content-Type", "application/octet-stream");
}

int objects_begin(struct objects *o, struct object_ask *ask) {
    ask->objects = o;
    ask->http = 0;
    ask->why[0] = 0;
    ask->bytes = NULL;
    ask->headers = NULL;
    ask->len = ask->room = ask->other = ask->head = 0;
    ask->moved_ns = 0;
    ask->error[0] = 0;
    ask->easy = curl_easy_init();
    int ok = ask->easy != NULL;
    if (ok) {
        set_usual(o, ask);
        curl_easy_setopt(ask->easy, CURLOPT_NOBODY, (long)ask->is_head);
        ok = (!ask->content.data || set_content(ask)) && authorize(o, ask);
        curl_easy_setopt(ask->easy, CURLOPT_HTTPHEADER, ask->headers);
        ok = ok && curl_multi_add_handle(o->multi, ask->easy) == CURLM_OK;
    }
    if (ok)
        return 1;
    if (!ask->why[0])
        snprintf(ask->why, sizeof ask->why, "out of memory");
    curl_easy_cleanup(ask->easy);
    curl_slist_free_all(ask->headers);
    return 0;
}

/* ---- All of them -------------------------------------------------------------------------------------------- */

/* Refuses credentials that no request could be made with. They may be others by then. */
static sm_status check_credentials(const struct settings *s, struct error *err) {
    char text[SECRET_MOST], *secret, *token, why[256];
    if (!s->store_credentials_file[0])
        return SM_OK;
    int ok = read_credentials(s->store_credentials_file, text, &secret, &token, why, sizeof why);
    explicit_bzero(text, sizeof text);
    return ok ? SM_OK : error_set(err, SM_INVALID_OPTION, "%s", why);
}

struct objects *objects_new(const struct settings *s, size_t largest, struct error *err) {
    struct objects *o = calloc(1, sizeof *o);
    if (!o || curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) {
        free(o);
        error_set(err, SM_NOMEM, "out of memory");
        return NULL;
    }
    o->settings = s;
    o->largest = largest;
    if (read_settings(s, o, err) == SM_OK && check_credentials(s, err) == SM_OK && !(o->multi = curl_multi_init()))
        error_set(err, SM_NOMEM, "out of memory");
    if (!o->multi) {
        objects_free(o);
        return NULL;
    }
    curl_multi_setopt(o->multi, CURLMOPT_MAX_TOTAL_CONNECTIONS, (long)CONNECTIONS);
    curl_multi_setopt(o->multi, CURLMOPT_MAXCONNECTS, (long)CONNECTIONS);
    return o;
}

void objects_free(struct objects *o) {
    if (!o)
        return;
    curl_multi_cleanup(o->multi);
    free(o);
}

const char *objects_base(const struct objects *o) {
    return o->base;
}
