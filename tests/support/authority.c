/* authority.c - see authority.h. */
#include "authority.h"

#include "check.h"
#include "files.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void shell_in(const char *folder, const char *fmt, ...) {
    char text[2048], command[2200];
    int status;
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    snprintf(command, sizeof command, "cd %s && { %s; } 2>&1", folder, text);
    struct bytes output = run_command(command, "", 0, &status);
    check(status == 0, "%s: %d, %s", command, status, (char *)output.data);
    bytes_free(output);
}

void authority_new(const char *folder, const char *name) {
    shell_in(
        folder,
        "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 9 -subj /CN=%s -keyout %s.key "
        "-out %s.pem && : >%s.index && echo 01 >%s.number",
        name, name, name, name, name);
}

/* The part of openssl-ca's configuration that all calls share. */
#define CONFIG                                                                                                       \
    "printf '[ca]\\ndefault_ca=a\\n[a]\\ndatabase=%s.index\\ndefault_md=sha256\\npolicy=p\\nserial=%s.number\\n"     \
    "default_crl_days=9\\nunique_subject=no\\nnew_certs_dir=.\\n[p]\\ncommonName=supplied\\n[x]\\n"                  \
    "extendedKeyUsage=%sAuth\\nsubjectAltName=DNS:localhost,IP:127.0.0.1\\n' >%s.conf && "

void authority_sign(const char *folder, const char *by, const char *name, const char *use, int days) {
    char dates[80] = "-startdate 20200101000000Z -enddate 20200102000000Z";
    if (days)
        snprintf(dates, sizeof dates, "-days %d", days);
    shell_in(folder,
             CONFIG
             "openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=%s -keyout %s.key -out "
             "%s.csr && openssl ca -batch -config %s.conf -extensions x -cert %s.pem -keyfile %s.key -in %s.csr "
             "-out %s.pem -notext %s",
             by, by, use, by, name, name, name, by, by, by, name, name, dates);
}

void authority_revoke(const char *folder, const char *by, const char *revoked) {
    shell_in(folder,
             CONFIG "for c in %s; do openssl ca -config %s.conf -cert %s.pem -keyfile %s.key -revoke $c.pem; done && "
                    "openssl ca -config %s.conf -cert %s.pem -keyfile %s.key -gencrl -out %s.crl",
             by, by, "client", by, revoked, by, by, by, by, by, by, by);
}
