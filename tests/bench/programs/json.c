/* A parser of JSON, which makes an object of each value, and a walk over what it made.
 * sizes: 3000 12 2 */
#include "managed.h"

enum kind { NUMBER, STRING, LIST, MEMBER };

struct value {
    uint64_t header;
    struct value REF *first, *next; /* of a list or an object; in one */
    struct text REF *text;
    int64_t kind, number;
};

struct parser {
    uint64_t header;
    struct text REF *text;
    uint64_t at;
};

typedef struct value REF *value;

static NOINLINE value parse(struct parser REF *p);

static value new_value(enum kind kind) {
    value v = NEW(value, 3);
    v->kind = kind;
    return v;
}

static uint8_t skip_blanks(struct parser REF *p) {
    while (p->text->byte[p->at] == ' ')
        p->at++;
    return p->text->byte[p->at];
}

static NOINLINE struct text REF *parse_text(struct parser REF *p) {
    uint64_t begin = ++p->at;
    while (p->text->byte[p->at] != '"')
        p->at++;
    struct text REF *t = new_text(p->at - begin);
    for (uint64_t i = 0; i < t->length; i++)
        t->byte[i] = p->text->byte[begin + i];
    p->at++;
    return t;
}

static NOINLINE value parse_number(struct parser REF *p) {
    int64_t number = 0;
    for (uint8_t c = p->text->byte[p->at]; c >= '0' && c <= '9'; c = p->text->byte[p->at]) {
        number = number * 10 + (c - '0');
        p->at++;
    }
    value v = new_value(NUMBER);
    v->number = number;
    return v;
}

static NOINLINE value parse_member(struct parser REF *p) {
    value v = new_value(MEMBER);
    v->text = parse_text(p);
    skip_blanks(p);
    p->at++; /* the colon */
    v->first = parse(p);
    return v;
}

static NOINLINE value parse_list(struct parser REF *p, uint8_t end) {
    value list = new_value(LIST), last = 0, v;
    p->at++;
    while (skip_blanks(p) != end) {
        if (end == '}')
            v = parse_member(p);
        else
            v = parse(p);
        if (last)
            last->next = v;
        else
            list->first = v;
        last = v;
        if (skip_blanks(p) == ',')
            p->at++;
    }
    p->at++;
    return list;
}

static NOINLINE value parse(struct parser REF *p) {
    uint8_t c = skip_blanks(p);
    value v;
    if (c == '[')
        return parse_list(p, ']');
    if (c == '{')
        return parse_list(p, '}');
    if (c != '"')
        return parse_number(p);
    v = new_value(STRING);
    v->text = parse_text(p);
    return v;
}

static NOINLINE int64_t sum_of(value v) {
    int64_t sum = v->number * 3 + v->kind;
    if (v->text)
        sum += (int64_t)v->text->length * 7;
    for (value child = v->first; child; child = child->next) {
        int64_t more = sum_of(child);
        sum = sum * 5 + more;
    }
    return sum;
}

static const char element[] =
    "{\"name\": \"somebody or other\", \"id\": 4711, \"tags\": [\"one\", \"two\", \"three\"], "
    "\"place\": {\"x\": 120, \"y\": 3456}, \"friends\": [1, 22, 333, 4444, 55555]}, ";

int64_t run(int64_t n) {
    uint64_t each = sizeof element - 1, at = 0;
    struct text REF *t = new_text(each * (uint64_t)n + 2);
    t->byte[at++] = '[';
    for (int64_t i = 0; i < n; i++)
        for (uint64_t k = 0; k < each; k++)
            t->byte[at++] = (uint8_t)element[k];
    t->byte[at] = ']';
    int64_t sum = 0;
    for (int i = 0; i < 4; i++) {
        struct parser REF *p = NEW(parser, 1);
        p->text = t;
        p->at = 0;
        value v = parse(p);
        sum = sum * 3 + sum_of(v);
    }
    return sum;
}
