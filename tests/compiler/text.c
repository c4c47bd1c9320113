/* text.c - see text.h. */
#include "text.h"

#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A text with its blanks squeezed: each run of blanks is one space, lines begin and end without. Owned. */
static char *squeezed(const char *text) {
    char *out = malloc(strlen(text) + 1), *to = out;
    for (const char *p = text; *p; p++)
        if (*p != ' ' && *p != '\t')
            *to++ = *p;
        else if (to > out && to[-1] != ' ' && to[-1] != '\n' && p[1] != '\n')
            *to++ = ' ';
    *to = 0;
    return out;
}

/* How often the regular expression fits in TEXT; -1 if it is none. */
static long count_regex(const char *text, const char *pattern) {
    regex_t regex;
    regmatch_t match;
    long n = 0;
    int flags = REG_EXTENDED | REG_NEWLINE;
    if (regcomp(&regex, pattern, flags) != 0)
        return -1;
    for (const char *at = text; *at && regexec(&regex, at, 1, &match, at > text ? REG_NOTBOL : 0) == 0; n++)
        at += match.rm_eo > 0 ? match.rm_eo : 1;
    regfree(&regex);
    return n;
}

long text_count(const char *text, const char *pattern) {
    char *in = squeezed(text), *what = squeezed(pattern);
    size_t len = strlen(what);
    long n = 0;
    if (len > 2 && what[0] == '/' && what[len - 1] == '/') {
        what[len - 1] = 0;
        n = count_regex(in, what + 1);
    } else if (len > 0) {
        for (const char *p = in; (p = strstr(p, what)) != NULL; p += len)
            n++;
    }
    free(in);
    free(what);
    return n;
}

/* The lines from that which begins with BEGIN, or has it in it, to that which begins with END. Owned; NULL if there are
 * none. */
static char *lines_between(const char *text, const char *begin, const char *in_it, const char *end) {
    for (const char *line = text, *next; line && *line; line = next) {
        const char *stop = strchr(line, '\n');
        next = stop ? stop + 1 : NULL;
        const char *at = strstr(line, in_it);
        if (strncmp(line, begin, strlen(begin)) == 0 && at && (!stop || at < stop)) {
            const char *last = next ? strstr(next - 1, end) : NULL;
            return last ? strndup(line, (size_t)(last - line)) : strdup(line);
        }
    }
    return NULL;
}

char *text_of_function(enum sm_part part, const char *text, const char *name) {
    char mark[200];
    const char *begin = "", *end = "\n\n";
    switch ((int)part) {
    case SM_PART_IR:
    case SM_PART_MODERN:
        begin = "define ";
        end = "\n}";
        snprintf(mark, sizeof mark, "@%s(", name);
        break;
    case SM_PART_ASM:
        end = "\n.Lfunc_end";
        snprintf(mark, sizeof mark, "%s:", name);
        begin = mark;
        break;
    case SM_PART_EXPLAIN:
        snprintf(mark, sizeof mark, "%s  .", name);
        begin = mark;
        end = "\n\n";
        break;
    default:
        snprintf(mark, sizeof mark, "<%s>:", name);
    }
    return lines_between(text, begin, mark, end);
}

const char *text_out_of_order(const char *text, const char *first, const char *const *then, size_t most) {
    char *in = squeezed(text);
    const char *at = in, *missing = NULL;
    for (size_t i = 0; !missing && i <= most && (i == 0 || then[i - 1]); i++) {
        const char *one = i == 0 ? first : then[i - 1];
        char *what = squeezed(one);
        at = strstr(at, what);
        missing = at ? NULL : one;
        at = at ? at + strlen(what) : in;
        free(what);
    }
    free(in);
    return missing;
}
