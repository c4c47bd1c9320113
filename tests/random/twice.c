/* twice.c - the same object twice: compiled again from its own final IR. See trial.h. */
#include "trial.h"

#include <string.h>

/* One compile in EVERY, by its options, so that it is the same one when the seed is run again. */
int is_compiled_twice(const struct variant *v) {
    enum { EVERY = 8 };
    uint32_t hash = 2166136261u;
    for (const char *c = v->text; *c; c++)
        hash = (hash ^ (unsigned char)*c) * 16777619u;
    return (hash >> 8) % EVERY == 0;
}

static void unequal(struct outcome *out, const char *what, const char *why) {
    out->ending = ENDING_UNEQUAL;
    snprintf(out->text, sizeof out->text, "%s%s%.300s", what, why[0] ? ": " : "", why);
}

void round_trip(sm_client *client, const sm_request *first, const sm_answer *answer, struct outcome *out) {
    sm_request request = *first;
    sm_answer *again = NULL;
    sm_error err;
    size_t len, len_again;
    const void *object = sm_answer_object(answer, &len), *object_again;
    request.module = sm_answer_text(answer, "ir", &request.module_len);
    if (!request.module) {
        unequal(out, "the answer has no IR", "");
        return;
    }
    if (sm_compile(client, &request, &again, &err) != SM_SUCCESS) {
        unequal(out, "its final IR is not compiled", err.message);
        goto out;
    }
    object_again = sm_answer_object(again, &len_again);
    if (len != len_again || memcmp(object, object_again, len) != 0)
        unequal(out, "its final IR gives another object", "");
out:
    sm_answer_free(again);
}
