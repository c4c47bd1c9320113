/* optionvalue.h - an option's value as JSON has it, as text. */
#ifndef SMD_OPTIONVALUE_H
#define SMD_OPTIONVALUE_H

#include "buf.h"

#include <jansson.h>

/* Appends strings as they are, numbers and truth values spelled, lists of strings joined by commas; an empty list is
 * nothing. 0 if VALUE is of another type, or the buffer is full. */
int option_value_spell(const json_t *value, sm_buf *out);

#endif
