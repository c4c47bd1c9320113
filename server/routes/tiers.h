/* tiers.h - one upload, several levels: the request is answered with the lowest of them, and those that follow become
 * stored jobs (stored.h), whose places the answer names. Nothing is lost where there is no room for such a job: it is
 * not named then, and a client that wants that level asks for it.
 */
#ifndef SMD_TIERS_H
#define SMD_TIERS_H

#include "request.h"

struct stored;

enum { TIERS_LATER = 3, TIERS_TEXT = 160 };

struct tiers {
    uint64_t client;
    size_t count;
    struct {
        struct stored *place;
        struct job *job;
    } later[TIERS_LATER];
};

/* Turns the option `tiers` into `opt`, the first level, and *LATER, bits of those that follow. 0 if both were given. */
int tiers_take(sm_options *options, unsigned *later);

/* Jobs as the request's, of the levels LATER, and in TEXT where they will be: "2=/v1/jobs/ID, 3=/v1/jobs/ID". */
void tiers_reserve(struct tiers *t, const struct request *r, unsigned later, char text[TIERS_TEXT]);

void tiers_start(struct tiers *t);   /* starts the stored jobs, and forgets them */
void tiers_abandon(struct tiers *t); /* frees them and their places */

#endif
