/* scripted.h - an HTTP server that answers as a test says: also half, wrong, or never. */
#ifndef TEST_SCRIPTED_H
#define TEST_SCRIPTED_H

#include <stddef.h>

/* What is sent, byte for byte; then the connection is closed. */
struct reply {
    char *data; /* owned by the server once it is returned; NULL: nothing */
    size_t len;
    int hangs; /* boolean: the connection stays open behind it until the server stops */
};

/* Called on a thread per connection. HEAD is the request's head, terminated; USER as given. */
typedef struct reply scripted_answer(void *user, const char *head);

struct scripted;

/* Listens on a free port of 127.0.0.1. */
struct scripted *scripted_start(scripted_answer *answer, void *user);
void scripted_stop(struct scripted *s);
int scripted_port(const struct scripted *s);
int scripted_requests(struct scripted *s); /* so far */

/* A whole answer: a head with STATUS ("200 OK"), these further header lines (each with its "\r\n"; may be ""), the
 * length, "Connection: close", and the body. */
struct reply reply(const char *status, const char *headers, const void *body, size_t len);

#endif
