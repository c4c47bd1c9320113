/* error.h - filling the caller's sm_error. */
#ifndef ERROR_H
#define ERROR_H

#include "smclient.h"

/* Gives RESULT; fills *ERR, if there is one, with it and a sentence. */
sm_result fail(sm_error *err, sm_result result, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

/* Copies a struct of the public header's, which begins with its size, over zeros, so that older and newer callers both
 * fit; FROM may be NULL: zeros alone. SM_ERR_INVALID_ARGUMENT, with NAME, if the size is none: the caller forgot it,
 * and nothing else of the struct would be seen. */
sm_result take_struct(void *to, size_t to_size, const void *from, const char *name, sm_error *err);

#endif
