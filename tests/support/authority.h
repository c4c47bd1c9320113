/* authority.h - certificates for a test: authorities, what they vouch for, and what they revoke. By openssl's tool. */
#ifndef TEST_AUTHORITY_H
#define TEST_AUTHORITY_H

/* Runs a shell command in FOLDER; the test fails unless it ends with 0. */
__attribute__((format(printf, 2, 3))) void shell_in(const char *folder, const char *fmt, ...);

/* Makes NAME.pem and NAME.key in FOLDER: an authority. */
void authority_new(const char *folder, const char *name);

/* Makes NAME.pem and NAME.key: a certificate by the authority BY for "server" (of localhost and 127.0.0.1) or "client",
 * valid from now on for DAYS; 0: it has expired. */
void authority_sign(const char *folder, const char *by, const char *name, const char *use, int days);

/* Makes BY.crl, a list in which the certificates REVOKED (separated by blanks) are. */
void authority_revoke(const char *folder, const char *by, const char *revoked);

#endif
