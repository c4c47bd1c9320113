/* bundle.c - artifacts that a client has before they are asked for: of a server's stream, or of a file that was one
 * (proto/wire/bundle.h). What a bundle holds is checked when it is used: its digest, and its signature where one is asked
 * for. */
#include "bundle.h"

#include "artifact.h"
#include "digest.h"
#include "error.h"
#include "fetch.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* An artifact in a bundle. */
struct packed {
    struct sm_key key;
    const unsigned char *signature, *artifact;
    uint32_t signature_len;
    size_t artifact_len;
    atomic_int is_bad; /* boolean: it was looked at, and is no answer */
};

struct bundle {
    struct bundle *next;  /* that was there before it */
    unsigned char *bytes; /* owned */
    size_t len;
    char context[SM_KEY_TEXT];
    struct packed *packed; /* owned; so many: */
    size_t count;
    uint64_t missing;
    uint32_t *slots; /* owned: numbers of `packed`, and 1 more; 0: none */
    size_t mask;
};

static void free_bundle(struct bundle *b) {
    if (!b)
        return;
    free(b->bytes);
    free(b->packed);
    free(b->slots);
    free(b);
}

void bundles_free(struct bundle *b) {
    for (struct bundle *next; b; b = next) {
        next = b->next;
        free_bundle(b);
    }
}

/* ---- Reading ------------------------------------------------------------------------------------------------ */

static sm_result damaged(sm_error *err, const char *why) {
    return fail(err, SM_ERR_DAMAGED, "The bundle is damaged: %s", why);
}

/* Adds a frame's artifact, whose signature is at AT. 0 if out of memory. */
static int add_packed(struct bundle *b, const sm_bundle_frame *f, const unsigned char *at, size_t *room) {
    if (b->count == *room) {
        size_t more = *room ? 2 * *room : 64;
        struct packed *grown = realloc(b->packed, more * sizeof *grown);
        if (!grown)
            return 0;
        b->packed = grown;
        *room = more;
    }
    struct packed *p = &b->packed[b->count++];
    *p = (struct packed){.signature = at,
                         .signature_len = f->signature_len,
                         .artifact = at + f->signature_len,
                         .artifact_len = (size_t)f->artifact_len};
    memcpy(p->key.byte, f->key, sizeof f->key);
    return 1;
}

/* Finds the frames of the bundle's bytes. */
static sm_result read_frames(struct bundle *b, sm_error *err) {
    size_t at = SM_BUNDLE_HEAD, room = 0;
    sm_bundle_frame f;
    if (b->len < SM_BUNDLE_HEAD || memcmp(b->bytes, SM_BUNDLE_MAGIC, 8) != 0)
        return damaged(err, "it does not begin as one");
    memcpy(b->context, b->bytes + 8, SM_BUNDLE_CONTEXT);
    if (!sm_key_valid(b->context, strlen(b->context)))
        return damaged(err, "it does not say what its keys are made of");
    for (;;) {
        if (b->len - at < SM_BUNDLE_FRAME)
            return damaged(err, "it is cut off");
        if (!sm_bundle_read(b->bytes + at, &f))
            return damaged(err, "a frame is none");
        at += SM_BUNDLE_FRAME;
        if (!f.artifact_len)
            break;
        if (f.signature_len > b->len - at || f.artifact_len > b->len - at - f.signature_len)
            return damaged(err, "it is cut off");
        if (!add_packed(b, &f, b->bytes + at, &room))
            return fail(err, SM_ERR_NO_MEMORY, "Out of memory: no room for a bundle");
        at += f.signature_len + (size_t)f.artifact_len;
    }
    b->missing = f.missing;
    return f.artifacts == b->count && at == b->len ? SM_SUCCESS : damaged(err, "its end is not that of what it has");
}

static size_t slot_of(const struct bundle *b, const struct sm_key *key) {
    size_t at = sm_key_hash(key) & b->mask;
    while (b->slots[at] && !sm_key_equal(&b->packed[b->slots[at] - 1].key, key))
        at = (at + 1) & b->mask;
    return at;
}

/* Makes the table of its keys; of equal ones the first is found. */
static sm_result index_bundle(struct bundle *b, sm_error *err) {
    size_t size = 16;
    while (size < 2 * b->count)
        size *= 2;
    b->mask = size - 1;
    b->slots = b->count < UINT32_MAX ? calloc(size, sizeof *b->slots) : NULL;
    if (!b->slots)
        return fail(err, SM_ERR_NO_MEMORY, "Out of memory: no room for a bundle");
    for (size_t i = 0; i < b->count; i++) {
        uint32_t *slot = &b->slots[slot_of(b, &b->packed[i].key)];
        if (!*slot)
            *slot = (uint32_t)(i + 1);
    }
    return SM_SUCCESS;
}

/* *New*: the bundle in the bytes, which are *taken*; NULL, with ERR filled, if they are none. */
static struct bundle *new_bundle(unsigned char *bytes, size_t len, sm_error *err) {
    struct bundle *b = calloc(1, sizeof *b);
    if (!b) {
        free(bytes);
        fail(err, SM_ERR_NO_MEMORY, "Out of memory: no room for a bundle");
        return NULL;
    }
    b->bytes = bytes;
    b->len = len;
    if (read_frames(b, err) == SM_SUCCESS && index_bundle(b, err) == SM_SUCCESS)
        return b;
    free_bundle(b);
    return NULL;
}

/* ---- Use: the client's thread ------------------------------------------------------------------------------- */

/* The packed artifact as an answer, *new*: SM_ERR_DAMAGED if it is none, or not signed by who has to have signed it;
 * SM_ERR_NO_MEMORY. */
static sm_result unpack(const sm_client *c, const struct packed *p, sm_answer **out) {
    struct transfer as = {.cache = "bundle"};
    sm_answer *answer = NULL;
    sm_status status = SM_OK;
    sm_error why;
    *out = NULL;
    sm_key_text(&p->key, as.key);
    memcpy(as.signature, p->signature, p->signature_len);
    as.signature[p->signature_len] = 0;
    unsigned char *copy = malloc(p->artifact_len);
    if (!copy)
        return SM_ERR_NO_MEMORY;
    memcpy(copy, p->artifact, p->artifact_len);
    sm_result r = answer_of_artifact(copy, p->artifact_len, &as, &answer, &status, &why);
    if (r == SM_SUCCESS && status == SM_OK &&
        (!c->trusted_count || answer_is_signed(answer, c->trusted, c->trusted_count, as.key))) {
        *out = answer;
        return SM_SUCCESS;
    }
    sm_answer_free(answer);
    return r == SM_ERR_NO_MEMORY ? r : SM_ERR_DAMAGED;
}

/* The artifact of the call in this bundle; NULL if it has none. */
static struct packed *find_packed(const struct bundle *b, sm_call *c) {
    char text[SM_KEY_TEXT];
    struct sm_key key;
    if (!c->has_digest)
        c->has_digest = sm_digest(c->module, c->module_len, c->digest) == SM_OK;
    if (!c->has_digest || sm_key(b->context, SM_JOB_COMPILE, c->options, c->digest, text) != SM_OK ||
        !sm_key_read(text, strlen(text), &key))
        return NULL;
    uint32_t slot = b->slots[slot_of(b, &key)];
    return slot ? &b->packed[slot - 1] : NULL;
}

sm_answer *bundles_find(sm_call *c) {
    if (!c->module || !c->options || c->tiers || !sm_options_read_cache(c->options))
        return NULL;
    pthread_mutex_lock(&c->client->lock);
    const struct bundle *b = c->client->bundles; /* none is removed while the client lives */
    pthread_mutex_unlock(&c->client->lock);
    for (; b; b = b->next) {
        struct packed *p = find_packed(b, c);
        sm_answer *answer = NULL;
        if (p && !atomic_load(&p->is_bad) && unpack(c->client, p, &answer) == SM_ERR_DAMAGED)
            atomic_store(&p->is_bad, 1);
        if (answer)
            return answer;
    }
    return NULL;
}

/* ---- What runtimes call ------------------------------------------------------------------------------------- */

/* Gives the client a bundle, which is *taken*. */
static sm_result add_bundle(sm_client *c, struct bundle *b, sm_error *err) {
    pthread_mutex_lock(&c->lock);
    int fits = b->len <= c->options.bundle_max - c->bundle_bytes;
    if (fits) {
        c->bundle_bytes += b->len;
        b->next = c->bundles;
        c->bundles = b;
    }
    pthread_mutex_unlock(&c->lock);
    if (fits)
        return SM_SUCCESS;
    size_t len = b->len;
    free_bundle(b);
    return fail(err, SM_ERR_NO_MEMORY, "The bundle of %zu bytes is more than bundle_max allows", len);
}

static void say(const struct bundle *b, sm_bundle_info *info) {
    if (info)
        *info = (sm_bundle_info){.artifacts = b->count, .missing = b->missing, .bytes = b->len};
}

/* Asks for the stream of a name. */
static sm_result fetch_bundle(sm_client *c, const char *name, struct bundle **b, sm_error *err) {
    char path[64 + SM_STARTUP_TEXT], *bytes = NULL;
    size_t len = 0;
    *b = NULL;
    if (!name || !sm_startup_valid(name, strlen(name)))
        return fail(err, SM_ERR_INVALID_ARGUMENT, "A startup's name is of letters, digits and ._-, at most %d",
                    SM_STARTUP_TEXT - 1);
    snprintf(path, sizeof path, "/v1/stream?startup=%s", name);
    sm_error why = {.result = SM_SUCCESS};
    sm_result r = blocking_get(c, path, &bytes, &len, &why);
    if (r == SM_SUCCESS && !(*b = new_bundle((unsigned char *)bytes, len, &why)))
        r = why.result;
    if (r != SM_SUCCESS && err)
        *err = why;
    return r;
}

sm_result sm_prefetch(sm_client *c, const char *name, sm_bundle_info *info, sm_error *err) {
    struct bundle *b;
    sm_result r = fetch_bundle(c, name, &b, err);
    if (r != SM_SUCCESS)
        return r;
    say(b, info);
    return add_bundle(c, b, err);
}

/* Reads a file of at most MOST bytes; *new*. NULL, with ERR filled, if that fails. */
static unsigned char *read_file(const char *path, size_t most, size_t *len, sm_error *err) {
    struct stat st;
    unsigned char *bytes = NULL;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    int ok = fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode), e = fd < 0 ? errno : EINVAL;
    if (ok && (uint64_t)st.st_size > most)
        fail(err, SM_ERR_NO_MEMORY, "%s is larger than bundle_max allows", path);
    else if (ok && !(bytes = malloc((size_t)st.st_size + 1)))
        fail(err, SM_ERR_NO_MEMORY, "Out of memory: no room for a bundle");
    else if (!ok)
        fail(err, SM_ERR_SYSTEM, "%s cannot be read: %s", path, strerror(e));
    *len = 0;
    for (ssize_t n = 1; bytes && n > 0 && *len < (size_t)st.st_size; *len += (size_t)(n > 0 ? n : 0))
        if ((n = read(fd, bytes + *len, (size_t)st.st_size - *len)) < 0) {
            fail(err, SM_ERR_SYSTEM, "%s cannot be read: %s", path, strerror(errno));
            free(bytes);
            bytes = NULL;
        }
    if (fd >= 0)
        close(fd);
    return bytes;
}

sm_result sm_bundle_open(sm_client *c, const char *path, sm_bundle_info *info, sm_error *err) {
    size_t len;
    sm_error why = {.result = SM_SUCCESS};
    unsigned char *bytes = read_file(path, c->options.bundle_max, &len, &why);
    struct bundle *b = bytes ? new_bundle(bytes, len, &why) : NULL;
    if (!b) {
        if (err)
            *err = why;
        return why.result;
    }
    say(b, info);
    return add_bundle(c, b, err);
}

/* Checks each artifact, and its signature where one is asked for. */
static sm_result check_all(const sm_client *c, const struct bundle *b, sm_error *err) {
    for (size_t i = 0; i < b->count; i++) {
        sm_answer *answer;
        sm_result r = unpack(c, &b->packed[i], &answer);
        if (r == SM_ERR_NO_MEMORY)
            return fail(err, r, "Out of memory: no room for an artifact");
        if (r != SM_SUCCESS)
            return damaged(err, c->trusted_count ? "an artifact is altered, or not signed by a key that is trusted"
                                                 : "an artifact is altered");
        sm_answer_free(answer);
    }
    return SM_SUCCESS;
}

/* Writes the bytes to a file beside it, and renames that. */
static sm_result write_file(const char *path, const struct bundle *b, sm_error *err) {
    size_t room = strlen(path) + 8, at = 0;
    char *beside = malloc(room);
    if (!beside)
        return fail(err, SM_ERR_NO_MEMORY, "Out of memory: no room for a name");
    snprintf(beside, room, "%s.XXXXXX", path);
    int fd = mkostemp(beside, O_CLOEXEC);
    for (ssize_t n = 1; fd >= 0 && n > 0 && at < b->len; at += (size_t)(n > 0 ? n : 0))
        n = write(fd, b->bytes + at, b->len - at);
    int ok = fd >= 0 && at == b->len && fchmod(fd, 0644) == 0, e = errno;
    if (fd >= 0 && close(fd) != 0 && ok) {
        e = errno;
        ok = 0;
    }
    if (ok && rename(beside, path) != 0) {
        e = errno;
        ok = 0;
    }
    if (!ok && fd >= 0)
        unlink(beside);
    free(beside);
    return ok ? SM_SUCCESS : fail(err, SM_ERR_SYSTEM, "%s cannot be written: %s", path, strerror(e));
}

sm_result sm_bundle_save(sm_client *c, const char *name, const char *path, sm_bundle_info *info, sm_error *err) {
    struct bundle *b;
    sm_result r = fetch_bundle(c, name, &b, err);
    if (r != SM_SUCCESS)
        return r;
    say(b, info);
    r = check_all(c, b, err);
    if (r == SM_SUCCESS)
        r = write_file(path, b, err);
    free_bundle(b);
    return r;
}
