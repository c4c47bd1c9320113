/* inputs.h - modules that were sent before, with their SHA-256 and the keys that they got.
 *
 * Who sends a module again would have its SHA-256 computed only to learn that its result is here. A fast hash under a
 * secret of this process (XXH3-128) finds the module; a comparison of all its bytes proves that it is the same one,
 * and a comparison of all that a key is made of proves the key. Two modules of one hash take each other's place, and
 * cost nothing else. Not thread-safe but for the functions that say so.
 */
#ifndef SMD_INPUTS_H
#define SMD_INPUTS_H

#include "job.h"
#include "lru.h"

struct input;
struct option_set;

enum { INPUT_SETS = 32, INPUT_SECRET = 192 };

struct inputs {
    struct lru modules;                  /* by their hash, 16 bytes and zeros */
    struct option_set *sets[INPUT_SETS]; /* owned references: the options that modules came with lately */
    unsigned next_set;
    size_t sets_bytes; /* of all sets that are referred to */
    unsigned char secret[INPUT_SECRET];
    /* A test may put a worse one here. */
    void (*hash)(const struct inputs *i, const void *bytes, size_t len, unsigned char out[16]);
};

/* 0 if there is no random number for the secret. */
int inputs_init(struct inputs *i);
void inputs_free(struct inputs *i);

/* The hash of an input, as inputs_find takes it. Any thread may call it. */
void inputs_hash(const struct inputs *i, const void *bytes, size_t len, struct sm_key *hash);

/* What was kept with this hash and LEN bytes, whichever they are: a *new* reference, or NULL. */
struct input *inputs_find(struct inputs *i, const struct sm_key *hash, size_t len);

/* 1 if the input has these bytes, as many as inputs_find was asked for; its digest is theirs then. Any thread that
 * has a reference may call these three. */
int input_is(const struct input *in, const void *bytes);
const unsigned char *input_digest(const struct input *in);
void input_unref(struct input *in); /* NULL is fine */

/* The key that was noted for this input with JOB's kind and options under CONTEXT; 0 if none was. */
int input_key(const struct input *in, const struct job *job, const char *context, struct sm_key *key);

/* A copy of JOB's input and of its digest. NULL if out of memory. *new*. Any thread may call it. */
struct input *input_new(const struct sm_key *hash, const struct job *job);

/* Keeps IN (*taken*) if its bytes are not kept yet, in the place of others with its hash, and notes the key that JOB
 * got under CONTEXT.
 */
void inputs_add(struct inputs *i, struct input *in, const struct job *job, const char *context);

/* Bytes of all that is kept; there is an oldest one unless they are the sets' alone. */
size_t inputs_bytes(const struct inputs *i);
void inputs_drop_oldest(struct inputs *i);

#endif
