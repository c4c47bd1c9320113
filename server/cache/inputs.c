/* inputs.c - see inputs.h. */
#include "inputs.h"

#include "container.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <xxhash.h>
#if defined(__x86_64__) && __has_include(<xxh_x86dispatch.h>)
#include <xxh_x86dispatch.h> /* the same by the widest vectors that the machine has */
#endif

/* The options that jobs came with: few are different, and they are large. */
struct option_set {
    int refs;
    sm_options options;
};

/* A key that an input got, and what it was made of beside the input. */
struct known_key {
    struct option_set *set; /* owned reference; NULL: none */
    enum sm_job_kind kind;
    char context[SM_KEY_TEXT];
    struct sm_key key;
};

enum { KEYS = 4 };

struct input {
    struct lru_node node;
    atomic_int refs;
    struct known_key key[KEYS]; /* none of them once it is no longer kept */
    unsigned next_key;
    unsigned char digest[SM_KEY_BYTES];
    size_t len;
    unsigned char bytes[];
};

/* A 128-bit hash under a secret, so that nobody can choose inputs of one hash. */
static void keyed_hash(const struct inputs *i, const void *bytes, size_t len, unsigned char out[16]) {
    XXH128_canonical_t canonical;
    XXH128_canonicalFromHash(&canonical, XXH3_128bits_withSecret(bytes, len, i->secret, sizeof i->secret));
    memcpy(out, canonical.digest, sizeof canonical.digest);
}

int inputs_init(struct inputs *i) {
    *i = (struct inputs){.hash = keyed_hash};
    return getrandom(i->secret, sizeof i->secret, 0) == (ssize_t)sizeof i->secret;
}

void inputs_hash(const struct inputs *i, const void *bytes, size_t len, struct sm_key *hash) {
    *hash = (struct sm_key){{0}};
    i->hash(i, bytes, len, hash->byte);
}

/* ---- Options ------------------------------------------------------------------------------------------------ */

/* Drops a reference to the set of options, which may be NULL. */
static void drop_set(struct inputs *i, struct option_set *set) {
    if (!set || --set->refs)
        return;
    i->sets_bytes -= sizeof *set;
    free(set);
}

/* A reference to the set of these options, *new* if there is none; NULL if out of memory. Bytes after a text's end
 * count too, so equal options may get two sets, which does no harm. */
static struct option_set *set_of(struct inputs *i, const sm_options *options) {
    for (int k = 0; k < INPUT_SETS; k++)
        if (i->sets[k] && memcmp(&i->sets[k]->options, options, sizeof *options) == 0) {
            i->sets[k]->refs++;
            return i->sets[k];
        }
    struct option_set *set = malloc(sizeof *set), **place = &i->sets[i->next_set++ % INPUT_SETS];
    if (!set)
        return NULL;
    set->refs = 2;
    memcpy(&set->options, options, sizeof *options);
    i->sets_bytes += sizeof *set;
    drop_set(i, *place);
    *place = set;
    return set;
}

/* ---- Inputs ------------------------------------------------------------------------------------------------- */

static struct input *input_of(struct lru_node *n) {
    return n ? container_of(n, struct input, node) : NULL;
}

struct input *input_new(const struct sm_key *hash, const struct job *job) {
    struct input *in = malloc(sizeof *in + job->input_len);
    if (!in)
        return NULL;
    memset(in, 0, sizeof *in);
    in->node.key = *hash;
    in->node.bytes = sizeof *in + job->input_len;
    in->len = job->input_len;
    atomic_init(&in->refs, 1);
    memcpy(in->digest, job->digest, sizeof in->digest);
    memcpy(in->bytes, job->input, in->len);
    return in;
}

void input_unref(struct input *in) {
    if (in && atomic_fetch_sub(&in->refs, 1) == 1)
        free(in);
}

struct input *inputs_find(struct inputs *i, const struct sm_key *hash, size_t len) {
    struct input *in = input_of(lru_find(&i->modules, hash));
    if (!in || in->len != len)
        return NULL;
    lru_use(&i->modules, &in->node);
    atomic_fetch_add(&in->refs, 1);
    return in;
}

int input_is(const struct input *in, const void *bytes) {
    return memcmp(in->bytes, bytes, in->len) == 0;
}

const unsigned char *input_digest(const struct input *in) {
    return in->digest;
}

int input_key(const struct input *in, const struct job *job, const char *context, struct sm_key *key) {
    for (int k = 0; k < KEYS; k++) {
        const struct known_key *known = &in->key[k];
        if (known->set && known->kind == job->kind && strcmp(known->context, context) == 0 &&
            memcmp(&known->set->options, &job->options, sizeof job->options) == 0) {
            *key = known->key;
            return 1;
        }
    }
    return 0;
}

/* Notes the job's key with the input, in place of the oldest of KEYS. */
static void note_key(struct inputs *i, struct input *in, const struct job *job, const char *context) {
    struct sm_key there;
    if (input_key(in, job, context, &there))
        return;
    struct option_set *set = set_of(i, &job->options);
    struct known_key *known = &in->key[in->next_key % KEYS];
    if (!set)
        return;
    drop_set(i, known->set);
    *known = (struct known_key){.set = set, .kind = job->kind, .key = job->name};
    snprintf(known->context, sizeof known->context, "%s", context);
    in->next_key++;
}

/* Removes the input from the list and drops its reference. */
static void drop_input(struct inputs *i, struct input *in) {
    lru_remove(&i->modules, &in->node);
    for (int k = 0; k < KEYS; k++) {
        drop_set(i, in->key[k].set);
        in->key[k].set = NULL;
    }
    input_unref(in);
}

void inputs_add(struct inputs *i, struct input *in, const struct job *job, const char *context) {
    struct input *there = input_of(lru_find(&i->modules, &in->node.key));
    if (there && there->len == in->len && input_is(there, in->bytes)) {
        input_unref(in);
        note_key(i, there, job, context);
        return;
    }
    if (there)
        drop_input(i, there);
    if (lru_add(&i->modules, &in->node))
        note_key(i, in, job, context);
    else
        input_unref(in);
}

size_t inputs_bytes(const struct inputs *i) {
    return i->modules.bytes + i->sets_bytes;
}

void inputs_drop_oldest(struct inputs *i) {
    drop_input(i, input_of(i->modules.oldest));
}

void inputs_free(struct inputs *i) {
    while (i->modules.oldest)
        inputs_drop_oldest(i);
    for (int k = 0; k < INPUT_SETS; k++)
        drop_set(i, i->sets[k]);
    lru_free(&i->modules);
    *i = (struct inputs){0};
}
