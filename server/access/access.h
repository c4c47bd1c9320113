/* access.h - who may ask for what: the table of the token file in force, what each of its rows has used, and the tenants
 * that they are of. SIGHUP, and any change of the file, replaces it while smd runs. Thread-safe.
 */
#ifndef SMD_ACCESS_H
#define SMD_ACCESS_H

#include "buf.h"
#include "rows.h"

struct access;

/* Who asks: a row, with what it has used. */
struct holder;

/* What a request shows. */
struct shown {
    const char *authorization;        /* the header; NULL: there is none */
    const unsigned char *certificate; /* the SHA-256 of the client's, which was checked; NULL: there is none */
    int has_user;                     /* boolean: of a unix socket's peer */
    uid_t user;
};

/* Reads the file. NULL with an error. *new* */
struct access *access_new(const char *path, struct error *err);
void access_free(struct access *a); /* NULL is fine */

/* Reads it again; on failure what was read before stays. */
sm_status access_reload(struct access *a, struct error *err);
int access_has_changed(const struct access *a); /* boolean: the file, since it was read */

/* The holder of what is shown, *new* (holder_unref): of a token if there is one, else of the certificate, else of the
 * user. NULL, and the reason in *WHY (static storage), if there is none. Takes the same time for every token. */
struct holder *access_find(struct access *a, const struct shown *shown, const char **why);
void holder_unref(struct holder *h); /* NULL is fine */
const struct access_row *holder_row(const struct holder *h);

/* Counts one more request of the holder's. SM_TOO_MANY_REQUESTS if it has asked too often. */
sm_status holder_admit(struct holder *h);

/* A compile of the holder's begins: SM_TOO_MANY_REQUESTS if it has as many as it may; and ends. */
sm_status holder_begin(struct holder *h);
void holder_end(struct holder *h);

/* Appends the tenants' metrics, as Prometheus text. */
void access_metrics(struct access *a, sm_buf *out);

#endif
