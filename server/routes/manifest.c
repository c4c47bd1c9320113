/* manifest.c - see manifest.h. */
#include "manifest.h"

#include "answer.h"
#include "cache.h"
#include "context.h"
#include "problem.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { KEYS_MAX = 100000 };

/* request_query's callback: reads the option 'since' into *ARG. 1 if it is something else, or wrong. */
static int on_since(void *arg, const char *name, const char *value, size_t len) {
    char *end = NULL;
    uint32_t *since = arg;
    (void)len;
    unsigned long long v = value && *value ? strtoull(value, &end, 10) : 0;
    if (strcmp(name, "since") != 0 || !end || *end || value[0] == '-' || v > UINT32_MAX)
        return 1;
    *since = (uint32_t)v;
    return 0;
}

/* Fills the reply. */
static void list_keys(struct request *r) {
    uint32_t since = 0;
    if (request_query(r, on_since, &since)) {
        problem_reply(r, SM_INVALID_OPTION, "This route takes 'since', seconds since 1970, alone", (sm_slice){0},
                      "since");
        return;
    }
    sm_buf_printf(&r->reply.text, "{\"now\":%lld,\"compiler\":\"%s\",\"keys\":", (long long)time(NULL),
                  r->smd->compiler);
    cache_list(r->smd->cache, since, &r->reply.text, KEYS_MAX);
    sm_buf_puts(&r->reply.text, "}\n");
    reply_text(&r->reply, "application/json");
}

int manifest_get(struct request *r) {
    return answer_later(r, list_keys);
}
