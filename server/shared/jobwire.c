/* jobwire.c - see jobwire.h. */
#include "jobwire.h"

#include "jobscripts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void add_bytes(struct jobwords *w, const void *bytes, size_t len) {
    w->word[w->count] = bytes;
    w->len[w->count++] = len;
}

static void add_word(struct jobwords *w, const char *word) {
    add_bytes(w, word, strlen(word));
}

static void add_number(struct jobwords *w, int which, long long number) {
    snprintf(w->number[which], sizeof w->number[which], "%lld", number);
    add_word(w, w->number[which]);
}

/* Begins the command that runs a script; its arguments follow. */
static struct jobwords *begin_script(struct jobwords *w, const char *script) {
    w->count = 0;
    add_word(w, "EVAL");
    add_word(w, script);
    add_word(w, "0");
    return w;
}

void jobwire_ask(struct jobwords *w, const struct settings *s, const struct jobqueue_ask *ask) {
    w->count = 0;
    switch (ask->what) {
    case JOBQUEUE_ADD:
        add_word(begin_script(w, jobscript_add), ask->id);
        add_bytes(w, ask->bytes, ask->len);
        snprintf(w->number[0], sizeof w->number[0], "%llu", (unsigned long long)ask->client);
        add_word(w, w->number[0]);
        add_number(w, 1, s->job_queue_jobs);
        add_number(w, 2, s->client_jobs);
        break;
    case JOBQUEUE_LOOK:
        snprintf(w->key, sizeof w->key, "smd:job:%s", ask->id);
        add_word(w, "GET");
        add_word(w, w->key);
        break;
    case JOBQUEUE_REMOVE:
    case JOBQUEUE_RETRY:
        add_word(begin_script(w, ask->what == JOBQUEUE_REMOVE ? jobscript_remove : jobscript_retry), ask->id);
        break;
    case JOBQUEUE_LIST:
        add_word(begin_script(w, jobscript_list), "1");
        break;
    }
}

void jobwire_take(struct jobwords *w, const struct settings *s, const char *consumer) {
    add_word(begin_script(w, jobscript_take), consumer);
    add_number(w, 0, 1000LL * s->job_lease_s);
    add_number(w, 1, s->job_deliveries);
}

void jobwire_end(struct jobwords *w, const struct settings *s, const char *consumer,
                 const struct jobqueue_work *work) {
    if (work->result) {
        add_word(begin_script(w, jobscript_end), work->entry);
        add_word(w, work->id);
        add_word(w, work->client);
        add_bytes(w, work->result, work->result_len);
        add_number(w, 0, s->job_ttl_s);
        return;
    }
    long long lease_ms = 1000LL * s->job_lease_s;
    add_word(begin_script(w, jobscript_give_back), consumer);
    add_word(w, work->entry);
    add_number(w, 0, lease_ms > work->delay_ms ? lease_ms - work->delay_ms : 0);
    add_word(w, work->counts ? "1" : "0");
}

void jobwire_count(struct jobwords *w) {
    add_word(begin_script(w, jobscript_list), "0");
}

void jobwire_info(struct jobwords *w, const char *section) {
    w->count = 0;
    add_word(w, "INFO");
    add_word(w, section);
}

void jobwire_renew(struct jobwords *w, const char *consumer) {
    add_word(begin_script(w, jobscript_renew), consumer);
}

void jobwire_renew_also(struct jobwords *w, const struct jobqueue_work *work) {
    if (w->count < JOBWORDS_MOST)
        add_word(w, work->entry);
}

/* ---- Replies ------------------------------------------------------------------------------------------------- */

int jobwire_says(const struct redis_reply *reply, const char *word) {
    return reply->type == REDIS_IS_BYTES && strcmp((const char *)reply->bytes, word) == 0;
}

int jobwire_is_full(const struct redis_reply *reply) {
    const char *text = (const char *)reply->bytes;
    return reply->type == REDIS_IS_ERROR && (strstr(text, "OOM ") || strstr(text, "MISCONF "));
}

/* What the reply, whose bytes the ask takes over, says of a job that was looked for. */
static enum jobqueue_answer read_state(struct jobqueue_ask *ask, struct redis_reply *reply) {
    if (reply->type == REDIS_IS_NIL)
        return JOBQUEUE_UNKNOWN;
    if (reply->type != REDIS_IS_BYTES || !reply->len)
        return JOBQUEUE_DOWN;
    switch (reply->bytes[0]) {
    case 'w':
        return JOBQUEUE_WAITS;
    case 'x':
        return JOBQUEUE_DEAD;
    case 'd':
        ask->len = reply->len - 1;
        ask->bytes = reply->bytes;
        reply->bytes = NULL;
        memmove(ask->bytes, ask->bytes + 1, ask->len);
        return JOBQUEUE_ENDED;
    default:
        return JOBQUEUE_DOWN;
    }
}

enum jobqueue_answer jobwire_answer(struct jobqueue_ask *ask, struct redis_reply *reply) {
    if (reply->type == REDIS_IS_ERROR)
        return JOBQUEUE_REFUSED;
    switch (ask->what) {
    case JOBQUEUE_ADD:
        return jobwire_says(reply, "added")  ? JOBQUEUE_DONE
               : jobwire_says(reply, "full") ? JOBQUEUE_FULL
               : jobwire_says(reply, "many") ? JOBQUEUE_MANY
                                             : JOBQUEUE_DOWN;
    case JOBQUEUE_LOOK:
        return read_state(ask, reply);
    case JOBQUEUE_REMOVE:
    case JOBQUEUE_RETRY:
        return reply->type == REDIS_IS_NIL                                      ? JOBQUEUE_UNKNOWN
               : jobwire_says(reply, "removed") || jobwire_says(reply, "again") ? JOBQUEUE_DONE
                                                                                : JOBQUEUE_DOWN;
    case JOBQUEUE_LIST:
        if (reply->type != REDIS_IS_BYTES)
            return JOBQUEUE_DOWN;
        ask->bytes = reply->bytes;
        ask->len = reply->len;
        reply->bytes = NULL;
        return JOBQUEUE_DONE;
    }
    return JOBQUEUE_DOWN;
}

struct jobqueue_work *jobwire_work(struct redis_reply *reply, long long *waited_ms) {
    const char *text = (const char *)reply->bytes, *line_end = memchr(text, '\n', reply->len);
    struct jobqueue_work *work = line_end ? calloc(1, sizeof *work) : NULL;
    if (!work ||
        sscanf(text, "%47s %d %lld %32s %23s\n", work->entry, &work->deliveries, waited_ms, work->id, work->client) !=
            5 ||
        !job_id_is(work->id)) {
        free(work);
        return NULL;
    }
    size_t head = (size_t)(line_end + 1 - text);
    work->bytes = reply->bytes;
    work->len = reply->len - head;
    reply->bytes = NULL;
    memmove(work->bytes, work->bytes + head, work->len);
    return work;
}
