/* Strings: numbers become text, texts are joined, a buffer grows, words are compared and hashed.
 * sizes: 100000 500 100 */
#include "managed.h"

struct builder {
    uint64_t header;
    struct text REF *text;
    uint64_t used;
};

static NOINLINE void append(struct builder REF *b, struct text REF *t) {
    uint64_t used = b->used, length = t->length;
    if (used + length > b->text->length) {
        struct text REF *grown = new_text(2 * (used + length));
        struct text REF *old = b->text;
        for (uint64_t i = 0; i < used; i++)
            grown->byte[i] = old->byte[i];
        b->text = grown;
    }
    struct text REF *into = b->text;
    for (uint64_t i = 0; i < length; i++)
        into->byte[used + i] = t->byte[i];
    b->used = used + length;
}

static NOINLINE struct text REF *join(struct text REF *a, struct text REF *b) {
    struct text REF *t = new_text(a->length + b->length);
    uint64_t n = a->length;
    for (uint64_t i = 0; i < n; i++)
        t->byte[i] = a->byte[i];
    for (uint64_t i = 0; i < b->length; i++)
        t->byte[n + i] = b->byte[i];
    return t;
}

static NOINLINE struct text REF *decimal(uint64_t v) {
    uint64_t digits = 1;
    for (uint64_t rest = v; rest > 9; rest /= 10)
        digits++;
    struct text REF *t = new_text(digits);
    for (uint64_t i = digits; i > 0; i--, v /= 10)
        t->byte[i - 1] = (uint8_t)('0' + v % 10);
    return t;
}

static NOINLINE uint64_t hash(struct text REF *t) {
    uint64_t h = 14695981039346656037u;
    for (uint64_t i = 0; i < t->length; i++)
        h = (h ^ t->byte[i]) * 1099511628211u;
    return h;
}

static NOINLINE int64_t equal(struct text REF *a, struct text REF *b) {
    if (a->length != b->length)
        return 0;
    for (uint64_t i = 0; i < a->length; i++)
        if (a->byte[i] != b->byte[i])
            return 0;
    return 1;
}

int64_t run(int64_t n) {
    struct builder REF *b = NEW(builder, 1);
    b->text = new_text(16);
    struct text REF *comma = new_text(2);
    struct text REF *last = comma;
    uint64_t x = 1, same = 0, hashes = 0;
    comma->byte[0] = ',';
    comma->byte[1] = ' ';
    for (int64_t i = 0; i < n; i++) {
        x = next_random(x);
        struct text REF *number = decimal(x >> 58);
        same += (uint64_t)equal(number, last);
        last = number;
        struct text REF *word = join(number, comma);
        append(b, word);
        hashes += hash(word);
    }
    uint64_t all = hash(b->text);
    return (int64_t)((all ^ hashes) + same);
}
