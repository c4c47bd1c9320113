/* schema.h - a value against the project's JSON schemas. */
#ifndef TEST_SCHEMA_H
#define TEST_SCHEMA_H

#include <jansson.h>

/* NULL if VALUE fits SCHEMA (a whole document); else what does not fit, and where, in static storage. Knows the
 * keywords that the project's schemas use, and aborts at another one. */
const char *schema_breach(const json_t *schema, const json_t *value);

#endif
