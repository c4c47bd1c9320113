/* holder.h - who asks: a row of the token file, with what it has used; and tenants, by whom this is counted. Thread-safe.
 */
#ifndef SMD_HOLDER_H
#define SMD_HOLDER_H

#include "buf.h"
#include "rows.h"

struct tenants;
struct holder;

struct tenants *tenants_new(void); /* *new*; NULL if out of memory */
void tenants_free(struct tenants *t);
void tenants_metrics(struct tenants *t, sm_buf *out); /* appends Prometheus text */

/* A holder of the row, whose tenant is one of T's, which outlive it. What BEFORE (may be NULL), whose row this replaces,
 * has used counts on. NULL if out of memory. *new*, one reference */
struct holder *holder_new(struct tenants *t, const struct access_row *row, const struct holder *before);
struct holder *holder_ref(struct holder *h);
void holder_unref(struct holder *h);        /* NULL is fine */
int holder_is_idle(const struct holder *h); /* boolean: there is one reference */
const struct access_row *holder_row(const struct holder *h);

/* Counts one more request of the holder's. SM_TOO_MANY_REQUESTS if it has asked too often. */
sm_status holder_admit(struct holder *h);

/* A compile of the holder's begins: SM_TOO_MANY_REQUESTS if it has as many as it may; and ends. */
sm_status holder_begin(struct holder *h);
void holder_end(struct holder *h);

/* What the holder may use of a day, UTC. All give the seconds until it may go on, 0 if it may now. */
int holder_await_bytes(struct holder *h, uint64_t bytes); /* a body of so many bytes is to come; */
int holder_take_bytes(struct holder *h, size_t bytes);    /* these of it have come, and count */
int holder_await_cpu(struct holder *h);

/* Workers have spent NS on a job of HOLDER, a struct holder: counts. */
void holder_spend(void *holder, uint64_t ns);

#endif
