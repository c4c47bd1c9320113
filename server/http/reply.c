/* reply.c - see reply.h. */
#include "reply.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>

void reply_header(struct reply *reply, const char *name, const char *fmt, ...) {
    assert(reply->headers < REPLY_HEADERS);
    if (reply->headers == REPLY_HEADERS)
        return;
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(reply->header[reply->headers].value, sizeof reply->header[0].value, fmt, ap);
    va_end(ap);
    reply->header[reply->headers++].name = name;
}

void reply_part(struct reply *reply, const void *data, size_t len) {
    assert(reply->parts < REPLY_PARTS);
    if (reply->parts < REPLY_PARTS)
        reply->part[reply->parts++] = (sm_slice){data, len};
}

void reply_static(struct reply *reply, const char *content_type, const char *text, size_t len) {
    reply->http = 200;
    reply->content_type = content_type;
    reply_part(reply, text, len);
}

/* The reply, whose text is not whole, is that memory has run out. */
static void reply_no_memory(struct reply *reply) {
    static const char problem[] = "{\"type\":\"about:blank\",\"title\":\"Out of memory\",\"status\":500,"
                                  "\"code\":\"no_memory\",\"diagnostics\":[]}";
    reply->status = SM_NOMEM;
    reply->http = sm_status_http(SM_NOMEM);
    reply->content_type = "application/problem+json";
    reply->parts = 0;
    reply_part(reply, problem, sizeof problem - 1);
}

void reply_text(struct reply *reply, const char *content_type) {
    if (reply->text.status != SM_OK) {
        reply_no_memory(reply);
        return;
    }
    if (!reply->http)
        reply->http = 200;
    reply->content_type = content_type;
    reply->parts = 0;
    reply_part(reply, reply->text.data, reply->text.len);
}
