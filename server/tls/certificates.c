/* certificates.c - see certificates.h. */
#include "certificates.h"

#include <errno.h>
#include <gnutls/gnutls.h>
#include <gnutls/x509.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct certificates {
    pthread_mutex_t lock;
    struct credentials *now;
};

int certificates_wanted(const struct settings *s) {
    return s->tls_certificate[0] || s->tls_key[0] || s->tls_client_ca[0];
}

/* Fails with the setting and the file that are wrong. */
static sm_status refuse(struct error *err, const char *setting, const char *path, const char *why) {
    return error_set(err, SM_INVALID_OPTION, "%s: %s: %s", setting, path, why);
}

/* GnuTLS says of a file that is not there only that it could not be read. */
static sm_status check_readable(const char *setting, const char *path, struct error *err) {
    if (!path[0])
        return error_set(err, SM_INVALID_OPTION, "%s: TLS needs both tls_certificate and tls_key", setting);
    return access(path, R_OK) == 0 ? SM_OK : refuse(err, setting, path, strerror(errno));
}

/* Checks that the server's certificate is valid now: clients would refuse every connection. */
static sm_status check_dates(gnutls_certificate_credentials_t x509, const char *path, struct error *err) {
    gnutls_x509_crt_t *chain = NULL;
    unsigned count = 0;
    time_t now = time(NULL);
    int code = gnutls_certificate_get_x509_crt(x509, 0, &chain, &count);
    if (code < 0 || !count)
        return refuse(err, "tls_certificate", path, gnutls_strerror(code));
    int is_early = now < gnutls_x509_crt_get_activation_time(chain[0]);
    int is_late = now > gnutls_x509_crt_get_expiration_time(chain[0]);
    for (unsigned i = 0; i < count; i++)
        gnutls_x509_crt_deinit(chain[i]);
    gnutls_free(chain);
    if (is_early || is_late)
        return refuse(err, "tls_certificate", path, is_late ? "it has expired" : "it is not valid yet");
    return SM_OK;
}

/* Reads the server's certificate and key. */
static sm_status read_own(gnutls_certificate_credentials_t x509, const struct settings *s, struct error *err) {
    sm_status status = check_readable("tls_certificate", s->tls_certificate, err);
    if (status == SM_OK)
        status = check_readable("tls_key", s->tls_key, err);
    if (status != SM_OK)
        return status;
    int code =
        gnutls_certificate_set_x509_key_file2(x509, s->tls_certificate, s->tls_key, GNUTLS_X509_FMT_PEM, NULL, 0);
    if (code < 0)
        return error_set(err, SM_INVALID_OPTION, "tls_certificate %s and tls_key %s: %s", s->tls_certificate,
                         s->tls_key,
                         code == GNUTLS_E_REQUESTED_DATA_NOT_AVAILABLE || code == GNUTLS_E_BASE64_DECODING_ERROR
                             ? "one of them has no PEM of its kind (BEGIN CERTIFICATE, BEGIN PRIVATE KEY)"
                             : gnutls_strerror(code));
    return check_dates(x509, s->tls_certificate, err);
}

/* Reads whose certificates clients have to show, and which of those are revoked. */
static sm_status read_clients(gnutls_certificate_credentials_t x509, const struct settings *s, struct error *err) {
    sm_status status = check_readable("tls_client_ca", s->tls_client_ca, err);
    if (status == SM_OK && s->tls_client_crl[0])
        status = check_readable("tls_client_crl", s->tls_client_crl, err);
    if (status != SM_OK)
        return status;
    int code = gnutls_certificate_set_x509_trust_file(x509, s->tls_client_ca, GNUTLS_X509_FMT_PEM);
    if (code <= 0)
        return refuse(err, "tls_client_ca", s->tls_client_ca, code ? gnutls_strerror(code) : "it has no certificate");
    if (!s->tls_client_crl[0])
        return SM_OK;
    code = gnutls_certificate_set_x509_crl_file(x509, s->tls_client_crl, GNUTLS_X509_FMT_PEM);
    if (code <= 0)
        return refuse(err, "tls_client_crl", s->tls_client_crl, code ? gnutls_strerror(code) : "it has no list");
    return SM_OK;
}

/* Makes the key of tickets. Not where clients show certificates: who resumes a session shows none, and its own may have
 * been revoked meanwhile. */
static sm_status make_ticket_key(struct credentials *c, struct error *err) {
    gnutls_datum_t key;
    if (c->asks_client)
        return SM_OK;
    if (gnutls_session_ticket_key_generate(&key) < 0)
        return error_set(err, SM_NOMEM, "out of memory");
    c->ticket_key = key.data;
    c->ticket_key_len = key.size;
    return SM_OK;
}

/* Reads all files. NULL on failure. *new* */
static struct credentials *read_files(const struct settings *s, struct error *err) {
    struct credentials *c = calloc(1, sizeof *c);
    if (!c || gnutls_certificate_allocate_credentials(&c->x509) < 0) {
        error_set(err, SM_NOMEM, "out of memory");
        free(c);
        return NULL;
    }
    atomic_init(&c->refs, 1);
    c->asks_client = s->tls_client_ca[0] != 0;
    sm_status status = read_own(c->x509, s, err);
    if (status == SM_OK && c->asks_client)
        status = read_clients(c->x509, s, err);
    if (status == SM_OK && s->tls_client_crl[0] && !c->asks_client)
        status = error_set(err, SM_INVALID_OPTION, "tls_client_crl: it needs tls_client_ca");
    if (status == SM_OK)
        status = make_ticket_key(c, err);
    if (status == SM_OK)
        return c;
    credentials_unref(c);
    return NULL;
}

struct certificates *certificates_new(const struct settings *s, struct error *err) {
    struct certificates *c = calloc(1, sizeof *c);
    if (!c) {
        error_set(err, SM_NOMEM, "out of memory");
        return NULL;
    }
    pthread_mutex_init(&c->lock, NULL);
    c->now = read_files(s, err);
    if (c->now)
        return c;
    certificates_free(c);
    return NULL;
}

void certificates_free(struct certificates *c) {
    if (!c)
        return;
    credentials_unref(c->now);
    pthread_mutex_destroy(&c->lock);
    free(c);
}

sm_status certificates_reload(struct certificates *c, const struct settings *s, struct error *err) {
    struct credentials *fresh = read_files(s, err), *old = c->now;
    if (!fresh)
        return SM_INVALID_OPTION;
    pthread_mutex_lock(&c->lock);
    c->now = fresh;
    pthread_mutex_unlock(&c->lock);
    credentials_unref(old);
    return SM_OK;
}

struct credentials *credentials_now(struct certificates *c) {
    pthread_mutex_lock(&c->lock);
    struct credentials *now = c->now;
    atomic_fetch_add(&now->refs, 1);
    pthread_mutex_unlock(&c->lock);
    return now;
}

void credentials_unref(struct credentials *c) {
    if (!c || atomic_fetch_sub(&c->refs, 1) != 1)
        return;
    if (c->x509)
        gnutls_certificate_free_credentials(c->x509);
    if (c->ticket_key) {
        gnutls_memset(c->ticket_key, 0, c->ticket_key_len);
        gnutls_free(c->ticket_key);
    }
    free(c);
}
