/* Profiles as a worker reads them: what is found lies in the text, and is found by its name, too. */
#include "fuzz.h"

#include "profile.h"

#include <string.h>

static int is_within(const char *at, size_t len, const char *text, size_t all) {
    return at >= text && len <= all && (size_t)(at - text) <= all - len;
}

static void read_options(const sm_profile *p, const char *text, size_t len) {
    char name[64];
    const char *at = NULL, *value;
    size_t value_len, lines = 0;
    while (sm_profile_option(p, &at, name, &value, &value_len)) {
        must(is_within(value, value_len, text, len) && memchr(name, 0, sizeof name));
        must(++lines <= len);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *copy = malloc(size ? size : 1); /* its end is watched */
    must(copy);
    if (size)
        memcpy(copy, data, size);
    const char *text = copy, *at = NULL;
    size_t len = size, profiles = 0;
    sm_profile p, same;
    sm_buf json;
    sm_profile_take_own(&text, &len);
    must(is_within(text, len, copy, size));
    while (sm_profile_next(text, len, &at, &p)) {
        must(++profiles <= len && memchr(p.name, 0, sizeof p.name) && memchr(p.base, 0, sizeof p.base));
        must(is_within(p.options, p.options_len, text, len));
        must(sm_profile_find(text, len, p.name, &same) && strcmp(same.name, p.name) == 0);
        read_options(&p, text, len);
        sm_buf_init(&json, 1 << 20);
        sm_profile_json(&p, &json);
        sm_buf_free(&json);
    }
    free(copy);
    return 0;
}
