/* barrier.c - see barrier.h. */
#include "barrier.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* 1 if the text is a number of 64 bits; one below zero stands for the same bits. */
int sm_barrier_is_number(const char *s) {
    char *end;
    const char *digits = s + (s[0] == '-');
    if (digits[0] < '0' || digits[0] > '9')
        return 0;
    errno = 0;
    strtoull(s, &end, 0);
    return *end == 0 && errno == 0;
}

/* Reads a number from 0 to 63; 0 if it is none. */
static int read_shift(const char *s, unsigned *shift) {
    size_t n = strlen(s);
    if (!n || n > 2 || strspn(s, "0123456789") != n)
        return 0;
    *shift = (unsigned)strtoul(s, NULL, 10);
    return *shift < 64;
}

/* 1 if the text is a symbol that a runtime can define, and no number. */
static int is_name(const char *s) {
    return s && s[0] && strncmp(s, "llvm.", 5) != 0 && !strchr("-0123456789", s[0]) && !strpbrk(s, " \t\"");
}

/* Reads one barrier, "card:BASE:SHIFT" and so on, cutting ONE up; 0 if it is none, or the second of its kind. */
static int read_one(struct sm_barriers *k, char *one) {
    char *save = NULL;
    const char *kind = strtok_r(one, ":", &save), *first = strtok_r(NULL, ":", &save),
               *second = strtok_r(NULL, ":", &save);
    if (!kind || !second || strtok_r(NULL, ":", &save))
        return 0;
    if (strcmp(kind, "card") == 0 && !k->card && (is_name(first) || sm_barrier_is_number(first))) {
        k->card = first;
        return read_shift(second, &k->shift);
    }
    if (strcmp(kind, "satb") == 0 && !k->satb && is_name(first) && is_name(second)) {
        k->satb = first;
        k->flag = second;
        return 1;
    }
    if (strcmp(kind, "load") == 0 && !k->load && is_name(first) &&
        (is_name(second) ||
         (sm_barrier_is_number(second) && strtoull(second, NULL, 0) != 0))) { /* no bit: no barrier */
        k->load = first;
        k->mask = second;
        return 1;
    }
    return 0;
}

int sm_barriers_read(struct sm_barriers *k, const char *value) {
    char *save = NULL;
    *k = (struct sm_barriers){0};
    if (strlen(value) >= sizeof k->text)
        return 0;
    snprintf(k->text, sizeof k->text, "%s", value);
    if (strcmp(k->text, "module") == 0)
        return 1;
    int count = 0, good = 1;
    for (char *one = strtok_r(k->text, ",", &save); one && good; one = strtok_r(NULL, ",", &save), count++)
        good = read_one(k, one);
    return good && count;
}
