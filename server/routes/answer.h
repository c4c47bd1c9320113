/* answer.h - what a job gave, as the media type that was asked for. */
#ifndef SMD_ANSWER_H
#define SMD_ANSWER_H

#include "request.h"

/* The media types of a compile's answer, the default first; NULL ends them. */
extern const char *const answer_types[];

/* What the request's headers Accept and Accept-Encoding want most: an answer's KIND, which is one of OFFERS (some of
 * answer_types) and how it is compressed, if at all. -1 if it is none of them. */
int answer_choose(struct request *r, const char *const *offers);

/* 1 if the answer of RESULT as KIND takes long to make, and has not been made yet. */
int answer_is_long(const struct result *result, int kind);

/* 1, and the reply is a refusal, if nobody gets what the request waits for: its client has left, or smd ends. Asked
 * before what takes long. */
int answer_is_in_vain(struct request *r);

/* The request, which waits, is ready: at once, or, if the answer is long, when the renderer's thread has made it; the
 * route's answer() then asks for it as for others. RESULT is borrowed, and NULL is fine. From any thread. */
void answer_when_ready(struct request *r, struct result *result, int kind);

/* For a route's finish(): the renderer's thread calls WRITE, which fills the reply, and the request is ready. Gives 0. */
int answer_later(struct request *r, void (*write)(struct request *r));

/* Renders RESULT (borrowed) into the reply as KIND (as it is, if it is short), or as a problem if it is a failure;
 * nothing, if that has been done. */
void answer_result(struct request *r, struct result *result, int kind);

/* Likewise for a result that may be asked for again (a job's, or a hit's on disk): its JSON is made once and stays
 * with it. */
void answer_kept(struct request *r, struct result *result, int kind);

/* Likewise for a result that the cache has in memory: the cache keeps the whole reply, to give it again
 * (answer_shared). */
void answer_cached(struct request *r, struct result *result, int kind);

/* KIND, if the cache may give such a reply again as it was sent (cache_find); none for a request that has an id of its
 * own. */
int answer_kind(struct request *r, int kind);

/* The reply is one that was sent before; *taken*. */
void answer_shared(struct request *r, struct shared *shared);

/* Appends the JSON answer of a success: one object, with the object file inside if it was asked for. *MEMBERS, unless
 * NULL: how many of its bytes come before that and the closing brace. */
sm_status answer_json(sm_buf *out, const char *key, const sm_artifact *a, size_t *members);

/* How many bytes that will be: known before any of them is made. */
size_t answer_json_length(const char *key, const sm_artifact *a, size_t *members);

#endif
