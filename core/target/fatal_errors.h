/* fatal_errors.h - LLVM's fatal errors: what it ends the process over (fatal_errors.c). */
#ifndef CORE_FATAL_H
#define CORE_FATAL_H

/* Installs the handlers of fatal errors and of crashes. Once in a process, before it has threads. */
void fatal_init(void);

/* Calls WORK(ARG). 1 if LLVM raised a fatal error in it, or used up the stack: WORK did not return then, and what it
 * held is lost. On any thread; one without a stack for signals dies of the latter. Guards nest. */
int fatal_guard(void (*work)(void *arg), void *arg);

/* 1 if a guard has caught an error in this process: LLVM's state is not to be trusted any more, so nothing of it is
 * freed, and the process takes no further job. */
int fatal_happened(void);

/* LLVM's sentence of the last error that was caught, one line, and the function that it was about; "" if that is not
 * known. Both static. */
const char *fatal_words(const char **function);

#endif
