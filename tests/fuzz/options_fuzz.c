/* Options' canonical text, and single options as name=value lines. What is accepted has one spelling: reading it
 * again changes nothing. */
#include "fuzz.h"

#include "options.h"

#include <stdio.h>
#include <string.h>

static void canonical(const sm_options *o) {
    sm_options again;
    sm_buf first, second;
    sm_buf_init(&first, 1 << 16);
    sm_buf_init(&second, 1 << 16);
    must(sm_options_text(o, 0, &first) == SM_OK);
    must(sm_options_parse(&again, (const char *)first.data, first.len, NULL) == SM_OK);
    must(sm_options_text(&again, 0, &second) == SM_OK);
    must(first.len == second.len && memcmp(first.data, second.data, first.len) == 0);
    sm_buf_free(&first);
    sm_buf_free(&second);
}

static void set_each(const char *text, size_t size) {
    sm_options o;
    sm_option_error err;
    sm_options_init(&o);
    while (size) {
        const char *line = text, *end = memchr(text, '\n', size);
        size_t len = end ? (size_t)(end - text) : size;
        const char *equals = memchr(line, '=', len);
        char name[80];
        if (equals && (size_t)(equals - line) < sizeof name) {
            snprintf(name, sizeof name, "%.*s", (int)(equals - line), line);
            if (sm_options_set(&o, name, equals + 1, len - (size_t)(equals + 1 - line), &err) != SM_OK)
                must(memchr(err.message, 0, sizeof err.message) && err.message[0]);
        }
        text += len + (end != NULL);
        size -= len + (end != NULL);
    }
    canonical(&o);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    sm_options o;
    sm_option_error err;
    if (size == 0)
        return 0;
    if (sm_options_parse(&o, (const char *)data, size, &err) == SM_OK)
        canonical(&o);
    set_each((const char *)data, size);
    return 0;
}
