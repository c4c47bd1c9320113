/* vouch.h - the operator's key, with which this server signs what it gives (proto/wire/signature.h). */
#ifndef SMD_VOUCH_H
#define SMD_VOUCH_H

#include "error.h"
#include "result.h"
#include "settings.h"
#include "signature.h"

/* Before there are threads: reads the key (PEM) of the setting sign_key, if there is one. What lies on disk has to be
 * sealed then: who could forge it could have it signed. */
sm_status vouch_start(const struct settings *s, struct error *err);
void vouch_end(void);

/* The signature of a success under the key that clients know, made once for each result; 0 if nothing is signed. */
int vouch_for(struct result *r, const struct sm_key *name, char text[SM_SIGNATURE_TEXT]);

#endif
