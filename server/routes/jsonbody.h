/* jsonbody.h - a body as JSON, within bounds that are known before it is parsed.
 *
 * A parsed tree takes up to a hundred times the bytes it was made of. So those bytes are measured in one pass first:
 * too many values or too deep a nesting are refused, and what the tree will take is counted with the bodies
 * (queue_mib) for as long as it lives.
 */
#ifndef SMD_JSONBODY_H
#define SMD_JSONBODY_H

#include "body.h"
#include "error.h"
#include "jsonform.h"

#define JSON_TINY       ((size_t)4 << 10) /* bytes; larger ones are parsed on the parser thread */
#define JSON_VALUES_MAX 200000u           /* a batch of 1000 forms, 100000 keys: names count as values do */
#define JSON_DEPTH_MAX  32

struct json_measure {
    size_t values; /* at most one more than JSON_VALUES_MAX: nothing is measured beyond */
    int depth;
    size_t tree_bytes; /* what parsing takes, from above */
};

/* What BYTES become, whether they are JSON or not. */
struct json_measure json_measure(const void *bytes, size_t len);

struct jsonbody {
    json_t *root;
    struct charge charge; /* what the tree takes */
};

/* Parses the body's bytes and frees them. The tree is in J until jsonbody_free, which is fine on failure too, and after
 * the body has gone. */
sm_status jsonbody_parse(struct jsonbody *j, struct body *body, struct error *err);
void jsonbody_free(struct jsonbody *j);

#endif
