/* profiles.h - collectors that are described in files (proto/options/profile.h): a folder of them, or one in a request.
 *
 * A set is immutable and counted: a job keeps the one that it was submitted with, whatever SIGHUP reads meanwhile. */
#ifndef SMD_PROFILES_H
#define SMD_PROFILES_H

#include "error.h"
#include "key.h"

#include <jansson.h>

enum { PROFILES_MAX = 64 }; /* files of a folder */

struct profiles {
    _Atomic unsigned references;
    char *text; /* owned: as proto/options/profile.h has it; "" if there are none */
    size_t len;
    int has_own;                   /* boolean: the first is a request's own */
    char key_context[SM_KEY_TEXT]; /* what keys of jobs with this set begin with */
    json_t *about;                 /* owned: for /v1/capabilities; only to be read */
};

/* *new*. Reads all *.json of a folder; "" is a set without profiles. NULL, and an error with file and line, if one is
 * wrong, or has the name of another or of a library's strategy; PLUGINS is the setting gc_plugins. */
struct profiles *profiles_read(const char *folder, const char *plugins, struct error *err);

/* Sets the key context, from that of the server. Before the set is shared. */
sm_status profiles_set_context(struct profiles *p, const char *server_context);

/* *new*: that of a request, in front of those of SET (which it hides where names are the same). NULL if memory is
 * out. */
struct profiles *profiles_with(const struct profiles *set, const char *text, size_t len, const char *server_context);

/* One profile -> its text, appended. The error has its line if SOURCE is the JSON that it was read from, NULL for
 * none. */
sm_status profile_resolve(const json_t *profile, const char *source, sm_buf *out, struct error *err);

struct profiles *profiles_ref(struct profiles *p); /* NULL is fine */
void profiles_unref(struct profiles *p);           /* NULL is fine */

/* The set in force, which SIGHUP replaces. */
struct profiles *profiles_now(void);       /* *new* reference; NULL before there is one */
void profiles_replace(struct profiles *p); /* takes the reference */

#endif
