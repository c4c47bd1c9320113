/* stream.c - see stream.h. A few artifacts at a time are in hand: what memory has, and else what the cache's other tiers give,
 * which are asked for as many at once; the connection waits for the next. What is nowhere, or finds no room, is passed over
 * and counted. */
#include "stream.h"

#include "bundle.h"
#include "cache.h"
#include "container.h"
#include "context.h"
#include "log.h"
#include "problem.h"
#include "profiles.h"
#include "vouch.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { AHEAD = 16 };

/* A key that is looked for. */
struct lookup {
    struct cache_read read;
    struct stream *stream;
    struct result *result; /* owned reference; NULL: there is none */
    int has_ended;         /* boolean */
};

struct stream {
    struct reply_stream reply;
    struct request *request; /* while the connection lives */
    char name[SM_STARTUP_TEXT];
    struct sm_key space;
    struct sm_key *keys; /* owned */
    size_t count;
    size_t next, begun;   /* keys: the first that is not sent; and that is not looked for */
    pthread_mutex_t lock; /* of what the cache's threads touch: */
    struct lookup lookup[AHEAD];
    int waits;    /* boolean: the connection, for the lookup of `next` */
    int users;    /* lookups that have not ended, and the connection */
    int has_left; /* boolean: the connection; keys and results are gone, and no more are taken */
    /* The connection's. */
    struct result *result; /* owned reference: the artifact that is being sent */
    uint64_t artifacts, missing, bytes;
    /* What is to be sent next: a head, then the artifact. */
    unsigned char head[SM_BUNDLE_FRAME + SM_BUNDLE_SIGNATURE + SM_BUNDLE_HEAD];
    size_t head_len, head_at, body_at;
    int has_ended; /* boolean: the last head is the end's */
};

/* The next head is the frame's of the artifact in hand. */
static void begin_frame(struct stream *s, const struct sm_key *name) {
    char signature[SM_SIGNATURE_TEXT] = "";
    vouch_for(s->result, name, signature);
    sm_bundle_frame f = {.artifact_len = s->result->bytes.len, .signature_len = (uint32_t)strlen(signature)};
    memcpy(f.key, name->byte, sizeof f.key);
    sm_bundle_write(&f, s->head);
    memcpy(s->head + SM_BUNDLE_FRAME, signature, f.signature_len);
    s->head_len = SM_BUNDLE_FRAME + f.signature_len;
    s->head_at = s->body_at = 0;
    s->artifacts++;
}

/* The next head is the end. */
static void begin_end(struct stream *s) {
    sm_bundle_write(&(sm_bundle_frame){.artifacts = s->artifacts, .missing = s->missing}, s->head);
    s->head_len = SM_BUNDLE_FRAME;
    s->head_at = 0;
    s->has_ended = 1;
    log_event(LOG_LEVEL_INFO, "stream", "{s:s,s:I,s:I,s:I}", "startup", s->name, "artifacts",
              (json_int_t)s->artifacts, "missing", (json_int_t)s->missing, "bytes", (json_int_t)s->bytes);
}

/* One user less; the last one frees it. */
static void leave(struct stream *s) {
    pthread_mutex_lock(&s->lock);
    int left = --s->users;
    pthread_mutex_unlock(&s->lock);
    if (left)
        return;
    pthread_mutex_destroy(&s->lock);
    free(s);
}

/* The lookup has ended; RESULT is *taken*. */
static void end_lookup(struct lookup *l, struct result *result) {
    struct stream *s = l->stream;
    pthread_mutex_lock(&s->lock);
    struct result *late = s->has_left ? result : NULL;
    l->result = late ? NULL : result;
    l->has_ended = 1;
    int is_due = s->waits && l == &s->lookup[s->next % AHEAD];
    if (is_due)
        s->waits = 0;
    pthread_mutex_unlock(&s->lock);
    if (is_due)
        request_ready(s->request);
    result_unref(late);
}

/* The callback of the cache's threads. */
static void on_read(struct cache_read *read, struct result *result) {
    struct lookup *l = container_of(read, struct lookup, read);
    struct stream *s = l->stream;
    end_lookup(l, result ? result_ref(result) : NULL);
    leave(s);
}

/* Begins to look for the next key. */
static void begin_lookup(struct stream *s) {
    struct cache *cache = s->request->smd->cache;
    const struct sm_key *name = &s->keys[s->begun];
    struct lookup *l = &s->lookup[s->begun++ % AHEAD];
    struct found found;
    *l = (struct lookup){.stream = s, .read = {.done = on_read, .client = s->request->client}};
    if (job_place(&s->space, name, &l->read.key) != SM_OK) {
        end_lookup(l, NULL);
    } else if (cache_find(cache, &l->read.key, CACHE_NO_KIND, s->request->client, &found)) {
        end_lookup(l, found.result);
    } else if (!cache_may_read(cache, &l->read.key)) {
        end_lookup(l, NULL);
    } else {
        pthread_mutex_lock(&s->lock);
        s->users++;
        pthread_mutex_unlock(&s->lock);
        cache_read(cache, &l->read);
    }
}

/* Takes what the lookup of the next key gave. 0: it has not ended, and the connection waits for it if it MAY. */
static int take_next(struct stream *s, int may_wait) {
    struct lookup *l = &s->lookup[s->next % AHEAD];
    while (s->begun < s->count && s->begun < s->next + AHEAD)
        begin_lookup(s);
    pthread_mutex_lock(&s->lock);
    int has_ended = l->has_ended;
    if (has_ended) {
        s->result = l->result;
        l->result = NULL;
        s->next++;
    } else if (may_wait) {
        s->waits = 1;
        request_wait(s->request);
    }
    pthread_mutex_unlock(&s->lock);
    return has_ended;
}

/* Begins the next artifact that there is, or the end. 0: it has to be waited for, which begins if that MAY be. */
static int go_on(struct stream *s, int may_wait) {
    while (s->next < s->count) {
        if (!take_next(s, may_wait))
            return 0;
        if (s->result && s->result->status == SM_OK) {
            begin_frame(s, &s->keys[s->next - 1]);
            return 1;
        }
        s->missing++;
        result_unref(s->result);
        s->result = NULL;
    }
    begin_end(s);
    return 1;
}

/* Moves bytes to *OUT, which has *ROOM. */
static void move(const unsigned char *from, size_t len, size_t *at, unsigned char **out, size_t *room) {
    size_t n = len - *at < *room ? len - *at : *room;
    memcpy(*out, from + *at, n);
    *at += n;
    *out += n;
    *room -= n;
}

/* The reply's callback: fills OUT. */
static long read_more(struct reply_stream *reply, struct request *r, unsigned char *out, size_t max) {
    struct stream *s = container_of(reply, struct stream, reply);
    size_t room = max;
    (void)r;
    while (room) {
        if (s->head_at < s->head_len) {
            move(s->head, s->head_len, &s->head_at, &out, &room);
        } else if (s->has_ended) {
            break;
        } else if (s->result && s->body_at < s->result->bytes.len) {
            move(s->result->bytes.data, s->result->bytes.len, &s->body_at, &out, &room);
        } else {
            /* What is there goes out before anything is waited for. */
            result_unref(s->result);
            s->result = NULL;
            if (!go_on(s, room == max))
                break;
        }
    }
    s->bytes += max - room;
    return max > room ? (long)(max - room) : s->has_ended ? STREAM_END : STREAM_WAITS;
}

/* The reply's other callback: the connection leaves. What it was counted for is given back now, not when the last lookup
 * ends. */
static void free_stream(struct reply_stream *reply) {
    struct stream *s = container_of(reply, struct stream, reply);
    struct result *result[AHEAD];
    pthread_mutex_lock(&s->lock);
    s->has_left = 1;
    for (int i = 0; i < AHEAD; i++) {
        result[i] = s->lookup[i].result;
        s->lookup[i].result = NULL;
    }
    pthread_mutex_unlock(&s->lock);
    for (int i = 0; i < AHEAD; i++)
        result_unref(result[i]);
    result_unref(s->result);
    free(s->keys);
    leave(s);
}

/* ---- The routes --------------------------------------------------------------------------------------------- */

/* request_query's callback: reads the one parameter. 1 if it is another, or wrong. */
static int on_name(void *arg, const char *name, const char *value, size_t len) {
    char *out = arg;
    if (strcmp(name, "startup") != 0 || !value || !sm_startup_valid(value, len))
        return 1;
    memcpy(out, value, len);
    out[len] = 0;
    return 0;
}

/* Reads the name. 0, and the reply is filled, if there is none. */
static int read_name(struct request *r, char name[SM_STARTUP_TEXT]) {
    name[0] = 0;
    if (!request_query(r, on_name, name) && name[0])
        return 1;
    problem_reply(r, SM_INVALID_OPTION, "This route takes 'startup' alone: letters, digits and ._-, at most 67",
                  (sm_slice){0}, "startup");
    return 0;
}

static void refuse_unknown(struct request *r) {
    problem_reply(r, SM_ARTIFACT_NOT_FOUND,
                  "Nothing is recorded under this name: no compile had it as its option startup", (sm_slice){0},
                  NULL);
}

/* *New*: a stream of what was recorded; NULL, with the reply filled, if there is nothing. */
static struct stream *new_stream(struct request *r, const char *name) {
    struct stream *s = calloc(1, sizeof *s);
    if (!s) {
        problem_reply(r, SM_NOMEM, NULL, (sm_slice){0}, NULL);
        return NULL;
    }
    s->reply = (struct reply_stream){read_more, free_stream};
    pthread_mutex_init(&s->lock, NULL);
    s->users = 1;
    s->request = r;
    s->space = *request_space(r);
    snprintf(s->name, sizeof s->name, "%s", name);
    s->keys = startups_list(r->smd->startups, &s->space, name, &s->count);
    memcpy(s->head, SM_BUNDLE_MAGIC, 8);
    struct profiles *set = profiles_now();
    memcpy(s->head + 8, set ? set->key_context : r->smd->key_context, SM_BUNDLE_CONTEXT);
    profiles_unref(set);
    s->head_len = SM_BUNDLE_HEAD;
    if (s->keys)
        return s;
    refuse_unknown(r);
    free_stream(&s->reply);
    return NULL;
}

int stream_get(struct request *r) {
    char name[SM_STARTUP_TEXT];
    struct stream *s = read_name(r, name) ? new_stream(r, name) : NULL;
    sm_status refused = s ? request_count_answer(r, sizeof *s + s->count * sizeof *s->keys, NULL, 0) : SM_OK;
    if (refused != SM_OK) {
        free_stream(&s->reply);
        problem_of_room(r, refused);
    } else if (s) {
        r->reply.http = 200;
        r->reply.content_type = "application/vnd.smd.bundle";
        r->reply.stream = &s->reply;
    }
    return 1;
}

int stream_delete(struct request *r) {
    char name[SM_STARTUP_TEXT];
    if (!read_name(r, name))
        return 1;
    if (startups_forget(r->smd->startups, request_space(r), name))
        r->reply.http = 204;
    else
        refuse_unknown(r);
    return 1;
}
