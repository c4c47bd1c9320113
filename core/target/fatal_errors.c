/* fatal_errors.c - what LLVM ends the process over: an error in its own words becomes one of the compile, as does a
 * recursion that uses up the stack; another crash leaves the name of its function in the log.
 *
 * LLVM calls the handler of fatal errors from deep inside and does not expect it to return. The handler jumps back to
 * the guard, as LLVM's own CrashRecoveryContext does. A lack of memory is none of the module's errors: it ends the
 * process. LLVM keeps a list of what it is at ("Running pass ... on function ..."), and prints it in its handler of
 * signals; that is the only way to it by the C API.
 */
#include "fatal_errors.h"
#include "base.h"
#include "machine.h"
#include "memory.h"

#include <llvm-c/ErrorHandling.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

static const int crashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT};

enum { CRASHES = sizeof crashes / sizeof *crashes };

enum {
    RECURSION = 1 << 20, /* a stack that is used up has more than this */
    FRAME_MAX = 1 << 20, /* a frame whose first access is beyond the end of the stack has less */
    RED_ZONE = 64 << 10, /* what may be touched below the stack pointer, and what is above it */
};

static void (*llvm_handler)(int);       /* LLVM's, of all signals in `crashes`; NULL: there is none */
static _Thread_local jmp_buf *way_back; /* of the innermost guard, in its frame; NULL outside */

static struct {
    pthread_mutex_t lock; /* parts are compiled on several threads */
    int happened;
    char words[1024], function[300];
} last = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* 1 if the error says that memory ran out, which says nothing of the module. */
static int is_about_memory(const char *reason) {
    static const char *const signs[] = {"out of memory", "Allocation failed", "bad_alloc"};
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (strstr(reason, signs[i]))
            return 1;
    return 0;
}

/* Copies the first line of REASON without addresses in memory ("0x55d0c8: "), which differ from process to process. */
static void copy_words(const char *reason, char *out, size_t size) {
    size_t n = 0;
    while (*reason && *reason != '\n' && n + 1 < size) {
        size_t digits = strncmp(reason, "0x", 2) == 0 ? strspn(reason + 2, "0123456789abcdef") : 0;
        if (digits < 8) {
            out[n++] = *reason++;
            continue;
        }
        reason += 2 + digits;
        reason += strncmp(reason, ": ", 2) == 0 ? 2 : 0;
    }
    out[n] = 0;
}

/* Copies the text between the last BEGIN in TEXT and the next END to OUT; leaves OUT if there is none. */
static void copy_between(const char *text, const char *begin, const char *end, char *out, size_t size) {
    const char *at = NULL;
    for (const char *next = strstr(text, begin); next; next = strstr(at, begin))
        at = next + strlen(begin);
    if (at && size)
        snprintf(out, size, "%.*s", (int)strcspn(at, end), at);
}

/* Notes the error: LLVM's words, and the function that it is at. LLVM prints what it is at once in a process; after a
 * jump its list has entries of frames that are gone. */
static void note_error(const char *reason) {
    char text[8192];
    pthread_mutex_lock(&last.lock);
    copy_words(reason, last.words, sizeof last.words);
    if (!last.happened && llvm_handler) {
        capture_reset();
        llvm_handler(SIGABRT);
        capture_text(text, sizeof text);
        copy_between(text, "on function '@", "'\n", last.function, sizeof last.function);
    }
    copy_between(reason, "In function: ", "\n", last.function, sizeof last.function);
    last.happened = 1;
    pthread_mutex_unlock(&last.lock);
}

/* LLVM's handler of fatal errors: jumps back to the guard; outside of one, or without memory, it ends the process. */
static void on_fatal_error(const char *reason) {
    compiler_may_leave();
    if (way_back && !is_about_memory(reason)) {
        note_error(reason);
        longjmp(*way_back, 1);
    }
    fprintf(stderr, "LLVM ERROR: %s\n", reason);
    _exit(EXIT_LLVM_ERROR);
}

/* The stack pointer of what was interrupted. */
static uintptr_t stack_pointer(const ucontext_t *context) {
#if defined __x86_64__
    return (uintptr_t)context->uc_mcontext.gregs[REG_RSP];
#elif defined __aarch64__
    return (uintptr_t)context->uc_mcontext.sp;
#else
#error "x86-64 or AArch64"
#endif
}

/* 1 if the fault is the end of the stack: an access near the stack pointer, deep below the guard's frame. */
static int is_end_of_stack(int sig, const siginfo_t *info, const ucontext_t *context) {
    uintptr_t at = (uintptr_t)info->si_addr, stack = stack_pointer(context), guard = (uintptr_t)way_back;
    return sig == SIGSEGV && info->si_code > 0 && guard > stack && guard - stack > RECURSION &&
           at + FRAME_MAX > stack && at < stack + RED_ZONE;
}

/* Jumps back to the guard, from a handler of signals that runs on a stack of its own. */
static void leave_recursion(void) {
    sigset_t fault;
    note_error("Its recursion uses up the stack: something in the module is nested too deep, or in a circle");
    sigemptyset(&fault);
    sigaddset(&fault, SIGSEGV);
    pthread_sigmask(SIG_UNBLOCK, &fault, NULL);
    longjmp(*way_back, 1);
}

/* The process has crashed. A recursion of LLVM's without end is an error of the module. Else LLVM writes what it was at
 * to the log, and the signal does what it does by default: a fault comes again, and one that was sent is sent again. */
static void on_crash(int sig, siginfo_t *info, void *context) {
    if (way_back && is_end_of_stack(sig, info, context))
        leave_recursion();
    llvm_handler(sig); /* takes all handlers away */
    signal(sig, SIG_DFL);
    if (info->si_code <= 0)
        raise(sig);
}

/* Has LLVM install its handlers, and keeps them for crashes alone: other signals end a process without a word. */
static void watch_crashes(void) {
    struct sigaction before[_NSIG], llvms, ours = {.sa_sigaction = on_crash, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    for (int sig = 1; sig < _NSIG; sig++)
        sigaction(sig, NULL, &before[sig]);
    LLVMEnablePrettyStackTrace();
    sigaction(crashes[0], NULL, &llvms);
    for (int sig = 1; sig < _NSIG; sig++)
        if (sig != SIGKILL && sig != SIGSTOP)
            sigaction(sig, &before[sig], NULL);
    if (llvms.sa_handler == SIG_DFL || llvms.sa_handler == before[crashes[0]].sa_handler)
        return;
    llvm_handler = llvms.sa_handler;
    for (int i = 0; i < CRASHES; i++)
        sigaction(crashes[i], &ours, NULL);
}

void fatal_init(void) {
    LLVMInstallFatalErrorHandler(on_fatal_error);
    watch_crashes();
}

int fatal_guard(void (*work)(void *arg), void *arg) {
    jmp_buf here, *volatile outer = way_back;
    if (setjmp(here)) {
        way_back = outer;
        return 1;
    }
    way_back = &here;
    work(arg);
    way_back = outer;
    return 0;
}

int fatal_happened(void) {
    pthread_mutex_lock(&last.lock);
    int happened = last.happened;
    pthread_mutex_unlock(&last.lock);
    return happened;
}

const char *fatal_words(const char **function) {
    *function = last.function;
    return last.words;
}
