/* history.c - see history.h. A reading is the lines of /metrics without its comments, compressed: some 3 KB. */
#include "history.h"

#include "artifact.h"
#include "clock.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <zstd.h>

enum { READING_MAX = 256 << 10, LEVEL = 1 };
#define PERIOD_NS (3600 / HISTORY_READINGS * UINT64_C(1000000000))

/* Takes the first line off TEXT, with its end. */
static sm_slice take_line(sm_slice *text) {
    const char *end = text->len ? memchr(text->data, '\n', text->len) : NULL;
    size_t len = end ? (size_t)(end - (const char *)text->data) + 1 : text->len;
    sm_slice line = {text->data, len};
    *text = (sm_slice){text->data + len, text->len - len};
    return line;
}

/* The bytes of a line up to its value. */
static size_t name_len(sm_slice line) {
    size_t n = line.len;
    while (n && ((const char *)line.data)[n - 1] != ' ')
        n--;
    return n;
}

static int is_same(sm_slice a, sm_slice b) {
    return a.len == b.len && memcmp(a.data, b.data, a.len) == 0;
}

/* Appends the lines of TEXT that BEFORE has not. Rows are only ever added, and their order stays. */
static void put_changes(sm_slice text, sm_slice before, sm_buf *out) {
    sm_slice old = take_line(&before);
    while (text.len) {
        sm_slice line = take_line(&text);
        if (!is_same(line, old))
            sm_buf_put(out, line.data, line.len);
        if (is_same((sm_slice){line.data, name_len(line)}, (sm_slice){old.data, name_len(old)}))
            old = take_line(&before);
    }
}

static void put_rows(sm_slice text, sm_buf *out) {
    while (text.len) {
        sm_slice line = take_line(&text);
        if (line.data[0] != '#')
            sm_buf_put(out, line.data, line.len);
    }
}

/* The reading's rows in OUT; 0 if there are none. */
static int unpack(const struct history_reading *r, sm_buf *out) {
    sm_buf_clear(out);
    if (!r->packed || sm_buf_reserve(out, READING_MAX) != SM_OK)
        return 0;
    size_t n = ZSTD_decompress(out->data, READING_MAX, r->packed, r->len);
    out->len = ZSTD_isError(n) ? 0 : n;
    return out->len > 0;
}

/* Keeps the rows in the place of the oldest reading. Without memory there is a gap. */
static void keep(struct history *h, const sm_buf *rows) {
    size_t most = ZSTD_compressBound(rows->len);
    void *packed = malloc(most);
    size_t len = packed ? ZSTD_compress(packed, most, rows->data, rows->len, LEVEL) : 0;
    if (!packed || ZSTD_isError(len)) {
        free(packed);
        return;
    }
    void *less = realloc(packed, len);
    pthread_mutex_lock(&h->lock);
    struct history_reading *place = &h->reading[h->next];
    h->next = (h->next + 1) % HISTORY_READINGS;
    free(place->packed);
    *place = (struct history_reading){time(NULL), less ? less : packed, len};
    pthread_mutex_unlock(&h->lock);
}

int history_is_due(struct history *h) {
    uint64_t now = sm_clock_coarse_ns();
    if (now < h->due_ns)
        return 0;
    h->due_ns = now + PERIOD_NS;
    return 1;
}

void history_note(struct history *h, const sm_buf *text) {
    sm_buf rows;
    sm_buf_init(&rows, READING_MAX);
    put_rows((sm_slice){text->data, text->len}, &rows);
    if (rows.status == SM_OK)
        keep(h, &rows);
    sm_buf_free(&rows);
}

void history_clear(struct history *h) {
    for (int i = 0; i < HISTORY_READINGS; i++) {
        free(h->reading[i].packed);
        h->reading[i].packed = NULL;
    }
}

void history_text(struct history *h, sm_buf *out) {
    sm_buf rows[2];
    for (int i = 0; i < 2; i++)
        sm_buf_init(&rows[i], READING_MAX);
    pthread_mutex_lock(&h->lock);
    for (int i = 0, turn = 0; i < HISTORY_READINGS; i++) {
        const struct history_reading *r = &h->reading[(h->next + i) % HISTORY_READINGS];
        if (!unpack(r, &rows[turn]))
            continue;
        const sm_buf *now = &rows[turn], *before = &rows[!turn];
        sm_buf_printf(out, "# at %lld\n", r->at);
        put_changes((sm_slice){now->data, now->len}, (sm_slice){before->data, before->len}, out);
        turn = !turn;
    }
    pthread_mutex_unlock(&h->lock);
    for (int i = 0; i < 2; i++)
        sm_buf_free(&rows[i]);
}
