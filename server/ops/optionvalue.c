/* optionvalue.c - see optionvalue.h. */
#include "optionvalue.h"

int option_value_spell(const json_t *value, sm_buf *out) {
    size_t i;
    json_t *word;
    if (json_is_string(value))
        return sm_buf_put(out, json_string_value(value), json_string_length(value)) == SM_OK;
    if (json_is_integer(value))
        return sm_buf_printf(out, "%lld", (long long)json_integer_value(value)) == SM_OK;
    if (json_is_boolean(value))
        return sm_buf_puts(out, json_is_true(value) ? "true" : "false") == SM_OK;
    if (!json_is_array(value))
        return 0;
    json_array_foreach(value, i, word) {
        if (!json_is_string(word))
            return 0;
        sm_buf_printf(out, "%s%s", i ? "," : "", json_string_value(word));
    }
    return out->status == SM_OK;
}
