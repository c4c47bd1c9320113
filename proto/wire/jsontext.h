/* jsontext.h - text as a JSON string. */
#ifndef SMD_JSONTEXT_H
#define SMD_JSONTEXT_H

#include "buf.h"

/* Appends TEXT as a JSON string, quotes included; bytes that are not UTF-8 become U+FFFD. */
sm_status sm_json_text(sm_buf *out, const char *text, size_t len);

/* How many bytes it appends. */
size_t sm_json_text_length(const char *text, size_t len);

#endif
