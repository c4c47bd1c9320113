/* redis.h - a connection to Redis or Valkey on which nothing waits: commands go out, replies come in, in their order.
 *
 * hiredis writes the commands and reads the replies (RESP 2, https://redis.io/docs/latest/develop/reference/protocol-spec);
 * the socket is ours, so that whoever uses the connection waits for it beside other things. A reply is one value: an array,
 * which no command here is answered with, ends the connection. One thread uses a connection.
 */
#ifndef SMD_REDIS_H
#define SMD_REDIS_H

#include "error.h"
#include "status.h"

#include <stddef.h>

enum { REDIS_ADDRESSES = 8 };

/* Where a server is: HOST and PORT, or, with PORT "", a unix socket's path. */
struct redis_address {
    char host[256], port[8];
    char user[64]; /* "": the default one */
    int database;
};

/* Reads addresses that commas separate: redis://[USER@]HOST[:PORT][/DATABASE], or unix:PATH. Gives their number; 0 and
 * the error, which names the SETTING, if one is wrong, or if there are none or too many. */
int redis_addresses_read(const char *setting, const char *text, struct redis_address out[REDIS_ADDRESSES],
                         struct error *err);

/* Appends the address as an operator writes it, for the log. */
void redis_address_text(const struct redis_address *a, char *out, size_t size);

struct redis;

enum redis_type { REDIS_IS_NIL, REDIS_IS_BYTES, REDIS_IS_WORD, REDIS_IS_ERROR, REDIS_IS_NUMBER };

struct redis_reply {
    enum redis_type type;
    unsigned char *bytes; /* owned; of BYTES, WORD and ERROR, with a zero after them */
    size_t len;
};
/* The value of a line of what INFO has answered, which begins with NAME; "" if there is none. */
void redis_info_read(const struct redis_reply *reply, const char *name, char *out, size_t size);
void redis_reply_free(struct redis_reply *reply); /* NULL is fine */

/* Begins to connect. No reply may be larger than LARGEST bytes. NULL, and why in the error, if that fails at once.
 * *new* */
struct redis *redis_connect(const struct redis_address *a, size_t largest, struct error *err);
void redis_close(struct redis *r); /* NULL is fine */

/* What to wait for: the descriptor and its events, as poll(2) has them. */
int redis_fd(const struct redis *r);
short redis_events(const struct redis *r);

/* Adds a command of COUNT words to what is to be sent. 0 if out of memory. */
int redis_send(struct redis *r, int count, const char **words, const size_t *lengths);
size_t redis_unsent(const struct redis *r); /* bytes that are to be sent */

/* Sends and receives what can be without waiting. *MOVED: some bytes came. SM_IO, and why: the connection is over. */
sm_status redis_step(struct redis *r, int *moved, struct error *err);

/* The next reply that has come whole, *new*; NULL if there is none, or, with *BAD, if what came is no reply. */
struct redis_reply *redis_next(struct redis *r, int *bad);

#endif
