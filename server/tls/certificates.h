/* certificates.h - who this server is and whom it lets in, by TLS: read from files, and replaced while smd runs.
 *
 * Sessions that stand keep what they began with. Nobody outside this room uses GnuTLS.
 */
#ifndef SMD_CERTIFICATES_H
#define SMD_CERTIFICATES_H

#include "error.h"
#include "settings.h"

#include <stdatomic.h>

struct gnutls_certificate_credentials_st;

/* What one reading of the files gave. */
struct credentials {
    struct gnutls_certificate_credentials_st *x509; /* owned */
    unsigned char *ticket_key;                      /* owned: of tickets for resumption; NULL: there are none */
    unsigned ticket_key_len;
    int asks_client; /* boolean: a client has to show a certificate */
    atomic_int refs;
};

struct certificates;

/* 1 if the settings ask for TLS. */
int certificates_wanted(const struct settings *s);

/* Reads the files of the settings (tls_...). NULL, with the setting that is wrong in the error, if a file cannot be
 * read, certificate and key do not fit, or the certificate is not valid now. *new* */
struct certificates *certificates_new(const struct settings *s, struct error *err);
void certificates_free(struct certificates *c); /* NULL is fine */

/* Reads them again; on failure what was read before stays. */
sm_status certificates_reload(struct certificates *c, const struct settings *s, struct error *err);

/* A reference to what is in force. Any thread. */
struct credentials *credentials_now(struct certificates *c);
void credentials_unref(struct credentials *c); /* NULL is fine */

#endif
