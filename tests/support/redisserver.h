/* redisserver.h - a Redis of the test's own, on a socket in a folder of its own, with keys to seal with. */
#ifndef TEST_REDISSERVER_H
#define TEST_REDISSERVER_H

#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/types.h>

extern char redis_folder[64], redis_address[128], redis_key_file[128], redis_other_key_file[128];
extern pid_t redis_pid; /* 0: none runs */

/* For a suite's init and fini: makes the folder and two keys; ends Redis and removes the folder. */
void redis_prepare(void);
void redis_clean(void);

/* Starts Redis, with one more setting (may be NULL), and waits until it answers. */
void redis_start(const char *name, const char *value);
void redis_kill(void);

/* redis-cli; gives the first line that it prints, *new*. */
char *redis_cli(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* A server that lets one in, says nothing of itself (INFO), then answers each command with the same bytes, and ends. */
struct liar {
    int listener, port;
    const char *reply;
    size_t repeat; /* how often the reply is sent, once asked */
    pthread_t thread;
    atomic_int stop;
    atomic_long sent;
};
void liar_begin(struct liar *l);
void liar_end(struct liar *l);

/* The way to Redis of one server, which can be cut: from then on nothing comes or goes, and no connection ends. */
struct relay {
    int listener, port;
    pthread_t thread;
    atomic_int is_cut, stop;
};
void relay_begin(struct relay *r);
void relay_end(struct relay *r);

/* Runs a command; gives its status. */
int shell(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

#endif
