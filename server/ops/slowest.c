/* slowest.c - see slowest.h. */
#include "slowest.h"

#include "clock.h"

#include <stdlib.h>
#include <string.h>

#define HOUR_NS (3600 * UINT64_C(1000000000))

/* 1 if the place is free, or its compile ended more than an hour ago. */
static int is_old(const struct slow_compile *c, uint64_t now) {
    return !c->at_ns || now - c->at_ns > HOUR_NS;
}

void slowest_note(struct slowest *s, const struct slow_compile *c) {
    uint64_t now = sm_clock_ns();
    pthread_mutex_lock(&s->lock);
    struct slow_compile *place = &s->compile[0];
    for (int i = 0; i < SLOWEST && !is_old(place, now); i++)
        if (is_old(&s->compile[i], now) || s->compile[i].run_us < place->run_us)
            place = &s->compile[i];
    if (is_old(place, now) || place->run_us < c->run_us) {
        *place = *c;
        place->at_ns = now;
    }
    pthread_mutex_unlock(&s->lock);
}

static int slower_first(const void *a, const void *b) {
    const struct slow_compile *x = a, *y = b;
    return x->run_us < y->run_us ? 1 : x->run_us > y->run_us ? -1 : 0;
}

static void put_slow_compile(sm_buf *out, const struct slow_compile *c, uint64_t now) {
    sm_buf_printf(
        out, "{\"key\":\"%s\",\"status\":\"%s\",\"seconds_ago\":%llu,\"input_bytes\":%llu,\"run_us\":%u,\"stages\":{",
        c->key, sm_status_name(c->status), (unsigned long long)((now - c->at_ns) / 1000000000u),
        (unsigned long long)c->input_bytes, c->run_us);
    for (unsigned i = 0; i < SM_STAGES; i++)
        sm_buf_printf(out, "%s\"%s\":%u", i ? "," : "", sm_stage_name(i), c->timings.stage_us[i]);
    sm_buf_puts(out, "}}");
}

void slowest_json(struct slowest *s, sm_buf *out) {
    struct slow_compile list[SLOWEST];
    uint64_t now = sm_clock_ns();
    int shown = 0;
    pthread_mutex_lock(&s->lock);
    memcpy(list, s->compile, sizeof list);
    pthread_mutex_unlock(&s->lock);
    qsort(list, SLOWEST, sizeof *list, slower_first);
    sm_buf_puts(out, "{\"compiles\":[");
    for (int i = 0; i < SLOWEST; i++)
        if (!is_old(&list[i], now)) {
            sm_buf_puts(out, shown++ ? "," : "");
            put_slow_compile(out, &list[i], now);
        }
    sm_buf_puts(out, "]}\n");
}
