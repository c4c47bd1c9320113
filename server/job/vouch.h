/* vouch.h - the operator's key, with which this server signs what it gives (proto/wire/signature.h). */
#ifndef SMD_VOUCH_H
#define SMD_VOUCH_H

#include "error.h"
#include "result.h"
#include "settings.h"
#include "signature.h"

/* Reads the key (PEM) of the setting sign_key, if there is one, at the start and again while smd runs: what is given
 * from then on is signed with it. On failure the one before stays. What lies on disk has to be sealed: who could
 * forge it could have it signed. */
sm_status vouch_read(const struct settings *s, struct error *err);
void vouch_end(void); /* after all threads */

/* The generation of the key that signs now; 0: nothing is signed. */
unsigned vouch_generation(void);

/* The signature of a success under the key that clients know, made once for each result and key. Gives the generation
 * of the key that has signed; 0 if nothing is signed. */
unsigned vouch_for(struct result *r, const struct sm_key *name, char text[SM_SIGNATURE_TEXT]);

#endif
