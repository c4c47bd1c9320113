/* profile.h - a collector described in a file: a strategy of its own name, what it rests on, and options.
 *
 * The daemon reads profiles from JSON (profile.schema.json) and resolves them to text, which is part of every key and
 * goes to the worker with each job: for each profile, by name, the lines "profile=NAME", "base=STRATEGY" and then
 * "OPTION=VALUE" in the order of sm_profile_members, and those of "spaces" last, each option in its canonical
 * spelling.
 */
#ifndef SM_PROFILE_H
#define SM_PROFILE_H

#include "buf.h"
#include "options.h"

#define SM_PROFILE_NAME  64               /* bytes of a name, with its terminator */
#define SM_PROFILE_TEXT  ((size_t)16384)  /* bytes of one profile, as JSON and as text, at most */
#define SM_PROFILES_TEXT ((size_t)262144) /* of all together */

/* A member of a profile and the compile option of the same meaning. */
struct sm_profile_member {
    const char *member, *option;
};
const struct sm_profile_member *sm_profile_members(size_t *count);

/* The strategies that a profile can rest on. NULL-terminated */
const char *const *sm_profile_bases(void);

/* 1 if it can be a profile's name: letters, digits, "_", "-", ".", a letter or "_" first, and no builtin strategy's. */
int sm_profile_name_valid(const char *name, size_t len);

typedef struct sm_profile {
    char name[SM_PROFILE_NAME], base[SM_PROFILE_NAME];
    const char *options; /* borrowed: lines "OPTION=VALUE\n" */
    size_t options_len;
} sm_profile;

/* The next of a text; *AT is NULL at first. 0 at its end, or where it is no such text. */
int sm_profile_next(const char *text, size_t len, const char **at, sm_profile *p);

/* The one of this name; 0 if there is none. */
int sm_profile_find(const char *text, size_t len, const char *name, sm_profile *p);

/* In front of a text whose first profile is a request's own, where a worker is sent it. */
#define SM_PROFILE_OWN "own\n"

/* Takes that off. 1 if it was there. */
int sm_profile_take_own(const char **text, size_t *len);

/* Appends the profile as JSON, as profile.schema.json has it. */
sm_status sm_profile_json(const sm_profile *p, sm_buf *out);

/* The line of a profile's JSON on which its member begins, or with "MEMBER[N]" the N-th entry of its list; 0 if there
 * is none, and for JSON of NULL. */
int sm_profile_line(const char *json, const char *member);

/* The next line of P's options; *AT is NULL at first. The value is borrowed. 0 at the end. */
int sm_profile_option(const sm_profile *p, const char **at, char name[64], const char **value, size_t *value_len);

#endif
