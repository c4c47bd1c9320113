/* misses.c - see misses.h. */
#include "misses.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void misses_init(struct misses *m) {
    memset(m, 0, sizeof *m);
    pthread_mutex_init(&m->lock, NULL);
}

void misses_free(struct misses *m) {
    for (size_t i = 0; i < MISSES_KEPT; i++)
        free(m->kept[i]);
    pthread_mutex_destroy(&m->lock);
}

void misses_note(struct misses *m, const struct origin *o) {
    struct origin *copy = malloc(sizeof *copy);
    if (!copy)
        return;
    *copy = *o;
    pthread_mutex_lock(&m->lock);
    size_t i = m->next++ % MISSES_KEPT;
    struct origin *old = m->kept[i];
    m->kept[i] = copy;
    pthread_mutex_unlock(&m->lock);
    free(old);
}

/* 1 if the line is one of the options' text, and not of the profile's after it. */
static int is_option(const char *line) {
    return *line && strncmp(line, "profile=", 8) != 0;
}

/* Calls EACH for the lines in which two canonical texts differ; they have the same names in the same order. Gives how
 * many those are. Profiles are part of the key's context. */
static int differences(const char *a, const char *b, void (*each)(void *arg, const char *mine, const char *other),
                       void *arg) {
    int n = 0;
    while (is_option(a) && is_option(b)) {
        size_t la = strcspn(a, "\n"), lb = strcspn(b, "\n");
        if (la != lb || memcmp(a, b, la) != 0) {
            n++;
            if (each)
                each(arg, a, b);
        }
        a += la + (a[la] != 0);
        b += lb + (b[lb] != 0);
    }
    return n;
}

/* How different two origins are: by each differing option 1, by another input 100, by another compiler 1000. */
static int distance(const struct origin *a, const struct origin *b) {
    enum { INPUT = 100, COMPILER = 1000 };
    return differences(a->options, b->options, NULL, NULL) +
           (memcmp(a->input, b->input, sizeof a->input) ? INPUT : 0) +
           (memcmp(a->context, b->context, sizeof a->context) ? COMPILER : 0);
}

struct sentence {
    char *text;
    size_t size, len;
};

/* Appends a clause to the sentence, after "; " if it is not the first. */
__attribute__((format(printf, 2, 3))) static void say(struct sentence *s, const char *fmt, ...) {
    va_list ap;
    if (s->len + 3 >= s->size)
        return;
    s->len += (size_t)snprintf(s->text + s->len, s->size - s->len, s->len ? "; " : "");
    va_start(ap, fmt);
    int n = vsnprintf(s->text + s->len, s->size - s->len, fmt, ap);
    va_end(ap);
    s->len = s->len + (size_t)n < s->size ? s->len + (size_t)n : s->size - 1;
}

/* Appends the option's name and value in this request; not the other value, which may be another client's. */
static void say_option(void *arg, const char *mine, const char *other) {
    int name = (int)strcspn(mine, "="), len = (int)strcspn(mine, "\n");
    (void)other; /* its value is another client's, perhaps: a name, a path */
    if (name < len)
        say(arg, "option %.*s: not %.*s", name, mine, len - name - 1, mine + name + 1);
}

void misses_explain(struct misses *m, const struct origin *o, char *text, size_t size) {
    const struct origin *nearest = NULL;
    struct sentence s = {text, size, 0};
    int best = 0;
    text[0] = 0;
    pthread_mutex_lock(&m->lock);
    for (size_t i = 0; i < MISSES_KEPT && m->kept[i]; i++) {
        int d = distance(o, m->kept[i]);
        if (!nearest || d < best) {
            nearest = m->kept[i];
            best = d;
        }
    }
    if (!nearest)
        say(&s, "nothing has been kept yet");
    else if (best == 0)
        say(&s, "it was kept, and is no longer");
    if (nearest && memcmp(o->context, nearest->context, sizeof o->context) != 0)
        say(&s, "compiler");
    if (nearest && memcmp(o->input, nearest->input, sizeof o->input) != 0)
        say(&s, "input");
    if (nearest)
        differences(o->options, nearest->options, say_option, &s);
    pthread_mutex_unlock(&m->lock);
}
