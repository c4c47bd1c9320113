/* rows.h - the token file as it stands: who there is, how each shows it, and what each may do. */
#ifndef SMD_ROWS_H
#define SMD_ROWS_H

#include "error.h"
#include "jwt.h"
#include "key.h"
#include "scope.h"

#include <stdint.h>
#include <sys/types.h>
#include <time.h>

enum { ACCESS_ROWS = 1024 };

/* How a row's holder shows who it is. */
enum proof { PROOF_TOKEN, PROOF_CERTIFICATE, PROOF_USER, PROOF_JWT };

struct access_row {
    char name[SM_TENANT_NAME], tenant[SM_TENANT_NAME];
    enum proof proof;
    unsigned char sha256[32]; /* of the token's text, or of the certificate */
    uid_t user;
    char subject[JWT_SUBJECT]; /* of a JWT; "*": any that no other row has */
    unsigned scopes;           /* bits: enum sm_scope; of a JWT, those that it may have at most */
    int requests_per_s;        /* 0: as many as it likes */
    int jobs;                  /* requests for compiles at once; 0: likewise */
    int deadline_ms;           /* the largest; 0: the server's */
    int mib_per_day;           /* of bodies, as they come; 0: as many as come */
    int cpu_s_per_day;         /* of workers; 0: likewise */
    int untrusted;             /* boolean: each of its jobs has a process of its own */
    int input_text;            /* boolean: it may send modules as text alone */
    time_t expires;            /* 0: never */
    struct sm_key space;       /* of the cache: what this holder's keys are made of; zeros: the one that all share */
    int shares;                /* boolean: that part was named */
};

/* The space of the cache that a name stands for; of "" the one that all share. SM_NOMEM if libcrypto fails. */
sm_status rows_space(const char *name, struct sm_key *space);

/* Reads the rows of a file, or of TEXT that came from it, into *ROWS, *new* (free), and gives their number. -1, with
 * file, row and member that are wrong in the error. */
int rows_read(const char *path, struct access_row **rows, struct error *err);
int rows_parse(const char *path, sm_slice text, struct access_row **rows, struct error *err);

#endif
