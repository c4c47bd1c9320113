/* api.h - what the rounds of api_check.c share: calls of libsmclient of which each may fail once, by a call of the system's
 * that was made to fail. The library's functions are macros here (api_calls.h, which the build makes of smclient.h): they
 * note what was called. */
#ifndef API_H
#define API_H

#include "api_calls.h"
#include "check.h"
#include "failing.h"

/* Where the test's objects and keys lie; the server. */
extern const char *folder, *url;

/* "FOLDER/NAME", one of the last eight. */
const char *in_folder(const char *name);

/* A file's bytes, kept for the process's life. */
const void *file_of(const char *name, size_t *len);

/* Of the last call. */
extern sm_error err;

/* A call has given R and E: once in a round that is in order, when something was made to fail, and if E says what. */
void excuse(sm_result r, const sm_error *e, const char *call, int line);

/* The call succeeds, or fails for a reason and succeeds when it is repeated. */
#define WORKS(call)                                                                                                  \
    do {                                                                                                             \
        sm_result r_ = (call);                                                                                       \
        if (r_ != SM_SUCCESS) {                                                                                      \
            excuse(r_, &err, #call, __LINE__);                                                                       \
            r_ = (call);                                                                                             \
            check(r_ == SM_SUCCESS, "%s, repeated: %s %s", #call, sm_result_name(r_), err.message);                  \
        }                                                                                                            \
    } while (0)

/* The same of one that gives a pointer, NULL if it fails. */
#define COMES(pointer, call)                                                                                         \
    do {                                                                                                             \
        (pointer) = (call);                                                                                          \
        if (!(pointer)) {                                                                                            \
            excuse(err.result, &err, #call, __LINE__);                                                               \
            (pointer) = (call);                                                                                      \
            check(pointer, "%s, repeated: %s", #call, err.message);                                                  \
        }                                                                                                            \
    } while (0)

/* ---- api_fetch.c: rounds of calls to the server ------------------------------------------------------------------- */

void call_once(void);
void call_with_all_options(void);
void call_for_nothing(void);
void submit(void);
void submit_tiers(void);
void use_bundles(void);
void get_texts(void);
void call_several_servers(void);
void call_by_tls(void);
void load_an_answer(void);

#endif
