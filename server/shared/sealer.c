/* sealer.c - see sealer.h. */
#include "sealer.h"

#include "container.h"
#include "log.h"
#include "tasks.h"

#include <stdlib.h>
#include <string.h>

enum { NOBODY = 0 };

int sealer_start(struct sealer *s, size_t most) {
    s->seals = tasks_start(most);
    s->opens = s->seals ? tasks_start(SIZE_MAX) : NULL; /* what it opens is charged */
    return s->opens != NULL;
}

/* A result that is to be sealed. */
struct sealing {
    struct task task;
    struct sealer *sealer;
    struct sm_key key;
    struct result *result; /* owned reference */
};

static void run_sealing(struct task *task) {
    struct sealing *e = container_of(task, struct sealing, task);
    struct sealer *s = e->sealer;
    size_t len = 0;
    unsigned char *bytes = seal_close(&s->secret, &e->key, result_with_parts(e->result), &len);
    if (len > s->largest) {
        free(bytes);
        bytes = NULL;
    }
    s->sealed(s->owner, &e->key, bytes, bytes ? len : 0);
    result_unref(e->result);
    free(e);
}

int sealer_seal(struct sealer *s, const struct sm_key *key, struct result *result) {
    size_t len = result_with_parts(result).len;
    struct sealing *e = malloc(sizeof *e);
    if (!e)
        return 0;
    *e = (struct sealing){.task = {.run = run_sealing, .bytes = len, .client = NOBODY, .work = len},
                          .sealer = s,
                          .key = *key,
                          .result = result_ref(result)};
    if (tasks_add(s->seals, &e->task))
        return 1;
    result_unref(e->result);
    free(e);
    return 0;
}

/* An entry that is to be opened. */
struct opening {
    struct task task;
    struct sealer *sealer;
    void *read;
    struct sm_key key;
    unsigned char *bytes; /* owned */
    size_t len;
    struct charge charge; /* of the bytes */
};

static void note_damaged(const struct sealer *s, const struct sm_key *key) {
    char text[SM_KEY_TEXT];
    sm_key_text(key, text);
    metric_add(s->metrics, s->damaged, 1);
    log_event(LOG_LEVEL_WARNING, s->event, "{s:s,s:s}", "key", text, "detail",
              "The entry is not what a server with this mac_key wrote");
}

static void run_opening(struct task *task) {
    struct opening *e = container_of(task, struct opening, task);
    struct sealer *s = e->sealer;
    sm_status refused = SM_OK;
    struct result *r = seal_open_result(&s->secret, &e->key, (sm_slice){e->bytes, e->len}, s->result_most, s->budget,
                                        task->client, &refused);
    if (!r && refused == SM_OK)
        note_damaged(s, &e->key);
    free(e->bytes);
    budget_give(&e->charge, 0);
    s->opened(e->read, r, refused);
    result_unref(r);
    free(e);
}

int sealer_open(struct sealer *s, void *read, const struct sm_key *key, uint64_t client, unsigned char *bytes,
                size_t len, struct charge *charge) {
    struct opening *e = calloc(1, sizeof *e);
    if (!e)
        return 0;
    *e = (struct opening){.task = {.run = run_opening, .client = client, .work = len},
                          .sealer = s,
                          .read = read,
                          .key = *key,
                          .bytes = bytes,
                          .len = len};
    budget_move(&e->charge, charge, HELD_FILE);
    return tasks_add(s->opens, &e->task); /* one of no bytes is never refused */
}

void sealer_stop_sealing(struct sealer *s) {
    tasks_stop(s->seals);
}

void sealer_stop_opening(struct sealer *s) {
    tasks_stop(s->opens);
}

void sealer_free(struct sealer *s) {
    tasks_free(s->seals);
    tasks_free(s->opens);
    explicit_bzero(&s->secret, sizeof s->secret);
}
