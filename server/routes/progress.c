/* progress.c - see progress.h. */
#include "progress.h"

#include "context.h"
#include "pool.h"
#include "problem.h"

#include <string.h>

/* Fills the reply with a problem: there is no such compile. */
static int refuse_progress(struct request *r, const char *detail) {
    problem_reply(r, SM_JOB_NOT_FOUND, detail, (sm_slice){0}, NULL);
    return 1;
}

int progress_get(struct request *r) {
    const char *key = r->path + strlen("/v1/progress/");
    int is_running, stage;
    if (!sm_key_read(key, strlen(key), &r->key))
        return refuse_progress(r, "A key is 64 hexadecimal digits in lower case");
    sm_key_text(&r->key, r->key_text);
    if (!pool_progress(r->smd->pool, &r->key, &is_running, &stage))
        return refuse_progress(r, "No compile of this key waits or runs here");
    sm_buf_printf(&r->reply.text, "{\"key\":\"%s\",\"state\":\"%s\"", r->key_text,
                  is_running ? "running" : "waiting");
    if (stage >= 0)
        sm_buf_printf(&r->reply.text, ",\"stage\":\"%s\"", sm_stage_name((unsigned)stage));
    sm_buf_puts(&r->reply.text, "}\n");
    reply_text(&r->reply, "application/json");
    return 1;
}
