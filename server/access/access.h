/* access.h - who may ask for what: the table of the token file in force, and those whom an identity provider vouches for.
 * SIGHUP, and any change of a file, replaces what it says while smd runs. Thread-safe.
 */
#ifndef SMD_ACCESS_H
#define SMD_ACCESS_H

#include "holder.h"
#include "settings.h"

struct access;

/* What a request shows. */
struct shown {
    const char *authorization;        /* the header; NULL: there is none */
    const unsigned char *certificate; /* the SHA-256 of the client's, which was checked; NULL: there is none */
    int has_user;                     /* boolean: of a unix socket's peer */
    uid_t user;
    uint64_t client; /* its address's number, for bounds of what is wrong */
};

/* What becomes of it. */
struct verdict {
    sm_status status; /* SM_OK, SM_UNAUTHORISED, SM_TOO_MANY_REQUESTS, SM_OVERLOADED or SM_NOMEM */
    unsigned scopes;  /* what it is for; bits: enum sm_scope */
    const char
        *why; /* it is refused: static storage, without quotes and backslashes; NULL: there is nothing to say */
};

int access_is_wanted(const struct settings *s); /* boolean: somebody is asked who they are */

/* Reads the files of the settings tokens and jwt_keys, where they are set. NULL with an error. The settings are borrowed.
 * *new* */
struct access *access_new(const struct settings *s, struct error *err);
void access_free(struct access *a); /* NULL is fine */

/* The files; one that is not set does not change. */
enum access_file { ACCESS_TOKENS, ACCESS_JWT_KEYS, ACCESS_FILES };

/* Reads a file that is set again; on failure what was read before stays. */
sm_status access_reload(struct access *a, enum access_file file, struct error *err);
int access_has(const struct access *a, enum access_file file);         /* boolean: it is set */
int access_has_changed(const struct access *a, enum access_file file); /* boolean: since it was read */

/* The holder of what is shown, *new* (holder_unref): of a token if there is one, else of the certificate, else of the
 * user. NULL unless the verdict is SM_OK. Takes the same time for every token of the token file. */
struct holder *access_find(struct access *a, const struct shown *shown, struct verdict *v);

/* What names the holder to all servers of the same files, in ACCESS_NAME bytes; and the holder of this name, *new*; NULL
 * if there is none, or out of memory. */
enum { ACCESS_NAME = SM_TENANT_NAME + 4 };
void access_name(const struct holder *h, char name[ACCESS_NAME]);
struct holder *access_named(struct access *a, const char *name);

/* Appends the tenants' metrics, as Prometheus text. */
void access_metrics(struct access *a, sm_buf *out);

#endif
