/* error.h - filling the caller's sm_error. */
#ifndef ERROR_H
#define ERROR_H

#include "smclient.h"

/* Gives RESULT; fills *ERR, if there is one, with it and a sentence. */
sm_result fail(sm_error *err, sm_result result, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

/* The first SIZE bytes of a struct that the caller filled, over zeros, so that older and newer callers both fit. */
void take_struct(void *to, size_t to_size, const void *from, size_t from_size);

#endif
