/* sending.c - see sending.h. The count is METRIC_ANSWER_BYTES, which changes only under the lock. */
#include "sending.h"

#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

int sending_begin(struct metrics *m, size_t most, size_t own, struct lent *lent, size_t shared) {
    pthread_mutex_lock(&lock);
    size_t now = (size_t)metric_get(m, METRIC_ANSWER_BYTES);
    size_t counted = lent && lent->readers ? lent->bytes : 0; /* more may have been made of it since then */
    size_t grown = lent && shared > counted ? shared - counted : 0, more = own + grown;
    int fits = now == 0 || more == 0 || (more <= most && now <= most - more);
    if (fits && lent) {
        lent->readers++;
        lent->bytes = counted + grown;
    }
    if (fits)
        metric_add(m, METRIC_ANSWER_BYTES, (long long)more);
    pthread_mutex_unlock(&lock);
    return fits;
}

void sending_end(struct metrics *m, size_t own, struct lent *lent) {
    pthread_mutex_lock(&lock);
    assert(!lent || lent->readers > 0);
    if (lent && !--lent->readers)
        own += lent->bytes;
    assert(metric_get(m, METRIC_ANSWER_BYTES) >= (long long)own);
    metric_add(m, METRIC_ANSWER_BYTES, -(long long)own);
    pthread_mutex_unlock(&lock);
}
