/* sealer.h - seals and opens the entries of a cache that servers share, on two threads of its own, so that the thread that
 * talks to the cache waits for neither. See seal.h. */
#ifndef SMD_SEALER_H
#define SMD_SEALER_H

#include "metrics.h"
#include "seal.h"

struct sealer {
    /* The owner's, before sealer_start. */
    void *owner;
    struct seal_secret secret;
    size_t largest;     /* bytes of a sealed entry, */
    size_t result_most; /* of a result */
    struct budget *budget;
    struct metrics *metrics;
    enum metric damaged; /* counts entries that are not what a server with this secret wrote, */
    const char *event;   /* which the log calls so */
    /* On the sealing thread: what is to be kept under KEY, *taken*. NULL: it is larger than the largest, or out of memory. */
    void (*sealed)(void *owner, const struct sm_key *key, unsigned char *bytes, size_t len);
    /* On the opening thread: the result of an entry, *borrowed*. NULL: it is damaged, or REFUSED is not SM_OK: there is no
     * room for it. */
    void (*opened)(void *read, struct result *result, sm_status refused);
    /* The sealer's. */
    struct tasks *seals, *opens;
};

/* Starts the threads; results of MOST bytes wait to be sealed. 0 if one cannot be started: sealer_free. */
int sealer_start(struct sealer *s, size_t most);

/* Thread-safe: the result will be sealed. 0 if there is no room for it. */
int sealer_seal(struct sealer *s, const struct sm_key *key, struct result *result);

/* Thread-safe: the entry will be opened for READ, of this client. BYTES, by malloc, are *taken*, and so is what they are
 * charged to. 0, and nothing is taken, if out of memory. */
int sealer_open(struct sealer *s, void *read, const struct sm_key *key, uint64_t client, unsigned char *bytes,
                size_t len, struct charge *charge);

/* Does what was handed in, and takes no more to be sealed; to be opened. */
void sealer_stop_sealing(struct sealer *s);
void sealer_stop_opening(struct sealer *s);

/* After both, when nobody calls any more. */
void sealer_free(struct sealer *s);

#endif
