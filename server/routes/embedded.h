/* embedded.h - files that are part of the program. */
#ifndef SMD_EMBEDDED_H
#define SMD_EMBEDDED_H

#include <stddef.h>

extern const char openapi_yaml[]; /* proto/openapi.yaml */
extern const size_t openapi_yaml_len;

#endif
