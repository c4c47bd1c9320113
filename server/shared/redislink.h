/* redislink.h - the connection to the first of some servers of Redis that answers. When it is lost, the next address
 * is tried, after 0.1 to 10 s, again and again. One thread uses a link: it waits for redis_fd(l->redis) and until
 * link_due, and calls link_tick and link_work then. */
#ifndef SMD_REDISLINK_H
#define SMD_REDISLINK_H

#include "redis.h"

#include <stdint.h>
#include <sys/queue.h>

/* A command whose reply has not come. It lies in what the owner knows of it. */
struct link_ask {
    STAILQ_ENTRY(link_ask) next;
    uint64_t sent_ns;
    int greets; /* boolean: the link's own */
};

struct link {
    /* The owner's. */
    struct redis_address address[REDIS_ADDRESSES];
    int addresses;
    const char *password_file, *password_setting; /* the file's path, "" for none; the setting that names it */
    size_t largest;                               /* bytes of a reply */
    const char *bound;                            /* the setting that bounds them */
    int is_closing;                               /* boolean: no connection is begun any more */
    /* The link is up. */
    void (*up)(struct link *l);
    /* The reply to a command; both are *taken*. 0: it is none of those that may come, and the connection is no good. */
    int (*reply)(struct link *l, struct link_ask *ask, struct redis_reply *reply);
    /* No reply will come; the command is *taken*. */
    void (*drop)(struct link *l, struct link_ask *ask);
    /* The link is down, after all commands were dropped. IS_FIRST: for the first time since it was up. */
    void (*lost)(struct link *l, const char *address, const char *why, int is_first);
    /* The link's own, to be read: */
    struct redis *redis; /* NULL while there is no connection */
    int is_up;
    uint64_t moved_ns; /* when bytes came last */
    STAILQ_HEAD(link_asks, link_ask) sent;
    /* and what nobody else reads. */
    int at;        /* the address in use */
    int greetings; /* replies that are to come before it is up */
    int is_told;   /* boolean: lost() was called since it was up */
    unsigned retry_ms;
    uint64_t retry_ns, greet_due_ns;
};

/* Prepares what is the link's own. */
void link_init(struct link *l);

/* The address in use, as an operator writes it. */
void link_address(const struct link *l, char *out, size_t size);

/* Sends a command of COUNT words; the reply will come with ASK. 0, and ASK stays the caller's, if out of memory. */
int link_send(struct link *l, struct link_ask *ask, int count, const char **words, const size_t *lengths);

/* The server is well: the next that is lost is tried again soon. */
void link_praise(struct link *l);

/* Waits for the connection, for who writes to the eventfd WAKE, or for the time. */
void link_await(struct link *l, int wake, uint64_t until_ns);

/* Connects if it is time; gives up what is silent. */
void link_tick(struct link *l);
/* Sends and receives what can be, and has the owner do what the replies ask for. */
void link_work(struct link *l);
/* When link_tick has something to do at the latest; NOW_NS and a second if there is nothing. */
uint64_t link_due(const struct link *l, uint64_t now_ns);

/* The connection is over: the next address is tried later. */
void link_lose(struct link *l, const char *why);

/* Ends it without a word to the owner. */
void link_close(struct link *l);

#endif
