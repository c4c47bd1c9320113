/* objects.h - requests to an object store, S3 or WebDAV, by libcurl: a GET, a HEAD or a PUT of what has a key. One thread
 * uses it, and waits for nothing else.
 *
 *     BASE/KEY.smd1    what was compiled, sealed (seal.h)
 *
 * Redirects are not followed, no proxy of the environment is asked, and no more is taken of an answer than LARGEST. Requests
 * to S3 are signed (AWS signature version 4) with the credentials that the file has then.
 */
#ifndef SMD_OBJECTS_H
#define SMD_OBJECTS_H

#include "artifact.h"
#include "error.h"
#include "key.h"
#include "settings.h"

#include <stdint.h>

struct objects;

enum { OBJECT_SHA256_TEXT = 65, OBJECT_WHY = 320 };

/* A request. It lies in what its owner knows of it. */
struct object_ask {
    struct sm_key key;
    /* When it has ended, once, by objects_work. */
    void (*done)(struct object_ask *ask);
    /* Of a GET: may so many more bytes be held? 0: no; the request ends. */
    int (*grow)(struct object_ask *ask, size_t bytes);
    sm_slice content;                /* of a PUT, borrowed until it has ended; {NULL, 0}: a GET or a HEAD */
    int is_head;                     /* boolean: whether there is such an object */
    char sha256[OBJECT_SHA256_TEXT]; /* of the content, in hexadecimal */
    /* Readable in done(): */
    int http;             /* the answer's status; 0: there is none that is whole */
    char why[OBJECT_WHY]; /* for a person, unless it is 200 to 299, or 404 */
    unsigned char *bytes; /* of a GET's answer of 200; owned by the owner from then on */
    size_t len;
    uint64_t moved_ns; /* at any time: when bytes of its answer came last; 0: none */
    /* objects.c's own. */
    struct objects *objects;
    void *easy;
    void *headers;
    size_t room, other, head;
    char error[256];
};

/* Where the settings say, for answers of LARGEST bytes. NULL if a setting is wrong, or out of memory. *new* */
struct objects *objects_new(const struct settings *s, size_t largest, struct error *err);
void objects_free(struct objects *o); /* when no request is under way; NULL is fine */

/* Where it is, as it is logged. Borrowed. */
const char *objects_base(const struct objects *o);

/* The port that it is asked at; 0: the settings are wrong. */
int objects_port(const struct settings *s);

/* Begins a request, whose owner has filled in what stands before `http`. 0: it cannot be begun, and done() will not be
 * called; `why` says why. */
int objects_begin(struct objects *o, struct object_ask *ask);

/* Gives a request up: done() will not be called. Its bytes are freed. */
void objects_cancel(struct objects *o, struct object_ask *ask);

/* Does what can be done, and calls done() of the requests that have ended. */
void objects_work(struct objects *o);

/* Waits until there is something to do, or objects_wake was called, or the time. */
void objects_wait(struct objects *o, uint64_t until_ns);
void objects_wake(struct objects *o); /* from any thread */

#endif
