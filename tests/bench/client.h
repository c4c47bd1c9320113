/* client.h - a keep-alive connection that measures: one compile at a time, the object alone as the answer. */
#ifndef BENCH_CLIENT_H
#define BENCH_CLIENT_H

#include "daemon.h"
#include "files.h"

#include <curl/curl.h>

struct client {
    CURL *curl;
    struct curl_slist *headers;
    char head[2048]; /* the last answer's header, as far as there is room */
    size_t head_len;
};

struct client client_open(void);
void client_close(struct client *c);

/* Compiles MODULE; the program ends if the answer is not 200. Gives the object's size. */
size_t client_compile(struct client *c, const char *url, struct bytes module);

/* Copies a header of the last answer to VALUE; "" if it has none of that name. */
void client_header(const struct client *c, const char *name, char *value, size_t size);

/* Waits until the stored job at URL has ended; the program ends if it is unknown. */
void client_await(struct client *c, const char *url);

double now_ms(void);

/* Sorts V and gives the Q-quantile. */
double quantile(double *v, int n, double q);

/* MODULE with a comment that no other has, of the same size each time. *new* */
struct bytes with_comment(struct bytes module, int number);

#endif
