/* refusal.c - see refusal.h. */
#include "refusal.h"

#include "problem.h"

#include <stdio.h>
#include <sys/socket.h>

static const char *reason(int http) {
    return http == 400   ? "Bad Request"
           : http == 408 ? "Request Timeout"
           : http == 429 ? "Too Many Requests"
           : http == 503 ? "Service Unavailable"
                         : "Error";
}

void refusal_send(int socket, sm_status s, const char *detail) {
    sm_buf body, text;
    int http = sm_status_http(s);
    sm_buf_init(&body, 4096);
    sm_buf_init(&text, 8192);
    problem_json(&body, s, detail, (sm_slice){0}, NULL, "");
    sm_buf_puts(&body, "\n");
    sm_buf_printf(&text,
                  "HTTP/1.1 %d %s\r\nConnection: close\r\nContent-Type: "
                  "application/problem+json\r\nX-Content-Type-Options: nosniff\r\n%sContent-Length: %zu\r\n\r\n",
                  http, reason(http), http == 429 || http == 503 ? "Retry-After: 1\r\n" : "", body.len);
    sm_buf_put(&text, body.data, body.len);
    if (text.status == SM_OK)
        send(socket, text.data, text.len, MSG_DONTWAIT | MSG_NOSIGNAL);
    sm_buf_free(&body);
    sm_buf_free(&text);
}
