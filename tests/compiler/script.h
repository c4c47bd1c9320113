/* script.h - a test of the compiler as a text: a module whose comments say how to compile it and what must come out.
 * README.md tells how they are written. */
#ifndef COMPILER_SCRIPT_H
#define COMPILER_SCRIPT_H

#include "buf.h"

/* Which safepoints, function or diagnostics an expectation is about. */
struct selector {
    char function[128], callee[128], reason[64]; /* "" for any */
    long index;                                  /* of the safepoint in its function; -1 for any */
};

enum { THENS_MAX = 16 };

struct directive {
    const struct keyword *keyword;
    int line;
    struct selector of;
    long times;   /* how often the text is there; -1 if the directive does not say */
    int at_least; /* boolean: or more often */
    const char *text;
    const char *at;              /* of the AT behind it; NULL */
    long column;                 /* likewise; 0 if it does not say */
    const char *then[THENS_MAX]; /* of the THENs behind it; the first NULL ends them */
};

enum { EXPECTATIONS_MAX = 100, RUNS_MAX = 200, GROUPS_MAX = 50 };

/* RUN lines, and the expectations behind them: each of the runs has to meet all of them. */
struct group {
    int line;   /* of the first RUN */
    char **run; /* owned: the words of each compile */
    size_t runs;
    struct directive *expectation; /* owned */
    size_t expectations;
};

/* A file, or one module of a file with several. */
struct script {
    const char *path; /* borrowed */
    char *module;     /* owned; its lines have the numbers that they have in the file */
    char *lines;      /* owned: what the texts of directives point into */
    struct group group[GROUPS_MAX];
    size_t groups;
};

/* Reads the next module of a file: *AT is 0 at first. 0 if there is none. What is wrong with its directives is appended
 * to WRONG, a line each. */
int script_next(const char *path, const char *text, size_t *at, struct script *out, sm_buf *wrong);
void script_free(struct script *s);

#endif
