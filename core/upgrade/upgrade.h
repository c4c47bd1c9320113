/* upgrade.h - the map of smd-upgrade: IR of LLVM 3.7 to 14, with typed pointers, becomes bitcode that LLVM 19 reads.
 *
 * LLVM 14 was the last that knows what a pointer points to. smd-upgrade reads with it, writes down on each old
 * statepoint what type its callee has (the attribute elementtype), and hands the bitcode on; the rest of the way
 * into the modern form is core/input/dialect.c's. It is a program of its own, as no process can hold two LLVMs.
 *
 *   main.c       smd-upgrade --serve (the fork server starts it so), smd-upgrade FILE
 *   serve.c      one child for each request, in the worker's sandbox; a worker is sent how its child ended
 *   oldtext.c    text of before LLVM 3.7: what LLVM 14 no longer takes, rewritten; where an error is in the original
 *   read.c       LLVM 14: text or bitcode -> bitcode, or an error with its place
 *
 * proto/wire/frame.h has the frames that it speaks.
 */
#ifndef UPGRADE_H
#define UPGRADE_H

#include "buf.h"

/* What reading gave: bitcode, or why there is none. */
struct upgraded {
    sm_status status; /* SM_OK or SM_PARSE_ERROR */
    sm_buf bitcode;
    char message[1024]; /* LLVM's words */
    int line, column;   /* of the text as it was given, from 1; 0 where there is no place */
};

/* Reads IR of NAME. Fails itself only when out of memory. */
sm_status upgrade_read(const char *name, const char *ir, size_t len, struct upgraded *out);
void upgraded_free(struct upgraded *u);

/* Answers requests until the control socket closes. LIMITS as the worker's. */
struct limits;
int upgrade_serve(int control, const struct limits *limits);

/* A piece of text that was put in; what stands after it in its line has moved by that much. */
struct insertion {
    int line, column; /* in the new text, of its first byte; from 1 */
    int length;
};

/* Text that LLVM 14 reads, made of text that only LLVM 3.6 and earlier read, or the same text. */
struct oldtext {
    sm_buf text;
    struct insertion *insertion; /* owned; in the order of the text */
    size_t insertions, capacity;
    int callees; /* boolean: the type of a callee was written as a pointer, and is no longer */
};

/* What is rewritten (the LLVM release that dropped the old way stands after it):
 *     call T (A, ...)* @f(…)      call T (A, ...)  @f(…)            3.7; only if CALLEES
 *     load T* %p                  load T, T* %p                     3.7
 *     getelementptr T* %p, …      getelementptr T, T* %p, …         3.7
 *     T* byval, T* sret …         T* byval(T), T* sret(T) …         13
 */
sm_status oldtext_rewrite(const char *text, size_t len, int callees, struct oldtext *out);
void oldtext_free(struct oldtext *o);

/* A column of the new text as the column of the original. */
int oldtext_column(const struct oldtext *o, int line, int column);

#endif
