/* ending.c - see ending.h. */
#include "ending.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

/* 1 if SIG is a signal that no compiler raises against itself. */
static int is_sent_by_others(int sig) {
    return sig == SIGKILL || sig == SIGTERM || sig == SIGINT || sig == SIGHUP || sig == SIGQUIT || sig == SIGSTOP ||
           sig == SIGTSTP;
}

/* 1 if the log says that memory ran out. */
static int tells_of_memory(const char *log) {
    static const char *const signs[] = {"std::bad_alloc", "out of memory", "std::length_error", "Allocation failed"};
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (strstr(log, signs[i]))
            return 1;
    return 0;
}

/* 1 if LLVM's error line says that it cannot compile something: then the module has to change. LLVM has no other way
 * to say so. */
static int tells_of_module(const char *log) {
    static const char *const signs[] = {
        "Unsupported ",      "unsupported ",          "not supported",      "Cannot select",
        "cannot be lowered", "Do not know how to",    "Don't know how to",  "COMDAT",
        "nline asm",         "64-bit code requested", "unable to allocate", "out of registers",
        "alias cannot be",   "Cannot emit",           "Can't generate",     "may not be called directly"};
    const char *line = strstr(log, "LLVM ERROR:");
    for (size_t i = 0; line && i < sizeof signs / sizeof *signs; i++) {
        const char *sign = strstr(line, signs[i]);
        if (sign && sign < line + strcspn(line, "\n"))
            return 1;
    }
    return 0;
}

/* Copies the line of the log in which LLVM says why it ended, without a stack dump that may follow; the first line if
 * there is none such. */
static void llvm_words(const char *log, char *out, size_t size) {
    const char *line = strstr(log, "LLVM ERROR:");
    if (!line)
        line = strstr(log, "terminate called");
    if (!line)
        line = log;
    snprintf(out, size, "%.*s", line ? (int)strcspn(line, "\n") : 0, line ? line : "");
}

/* Writes into e->detail by what signal or status the worker ended, and LLVM's words. */
static void describe_ending(struct ending *e, const struct worker *w, const char *log) {
    char words[600];
    llvm_words(log, words, sizeof words);
    const char *colon = words[0] ? ": " : "";
    if (WIFSIGNALED(w->wait_status)) {
        int sig = WTERMSIG(w->wait_status);
        const char *name = sigabbrev_np(sig);
        snprintf(e->detail, sizeof e->detail, "The compiler's process ended by SIG%s%s%s", name ? name : "?", colon,
                 words);
    } else {
        snprintf(e->detail, sizeof e->detail, "The compiler's process ended with status %d%s%s",
                 WEXITSTATUS(w->wait_status), colon, words);
    }
}

struct ending classify_ending(const struct worker *w, const char *log) {
    struct ending e = {.status = SM_COMPILER_CRASHED, .cause = METRIC_EXIT_CRASHED};
    int sig = WIFSIGNALED(w->wait_status) ? WTERMSIG(w->wait_status) : 0;
    describe_ending(&e, w, log);
    e.unasked = w->killed == KILL_STOPPED || (!w->shot && is_sent_by_others(sig));
    if (w->killed == KILL_ABANDONED || w->killed == KILL_RETIRED) {
        e.cause = w->killed == KILL_RETIRED ? METRIC_EXIT_RETIRED : METRIC_EXIT_CANCELLED;
    } else if (w->killed == KILL_PROTOCOL) {
        e.cause = METRIC_EXIT_PROTOCOL;
        snprintf(e.detail, sizeof e.detail, "The compiler's process sent something that is no result");
    } else if (w->killed == KILL_OUTPUT) {
        e.status = SM_OUTPUT_TOO_LARGE;
        e.cause = METRIC_EXIT_MEMORY;
        snprintf(e.detail, sizeof e.detail, "The answer would be larger than %zu bytes", w->payload.max);
    } else if (w->killed == KILL_STOPPED || is_sent_by_others(sig)) {
        e.status = SM_NO_WORKER;
        e.killed_by_others = 1;
        e.cause = METRIC_EXIT_KILLED;
        snprintf(e.detail, sizeof e.detail, "The compiler's process was killed from outside");
    } else if (sig == SIGXCPU) {
        e.status = SM_CPU_LIMIT;
        e.cause = METRIC_EXIT_CPU;
        snprintf(e.detail, sizeof e.detail, "The compile took more CPU time than it may have");
    } else if (tells_of_memory(log)) {
        e.status = SM_OUT_OF_MEMORY;
        e.cause = METRIC_EXIT_MEMORY;
        snprintf(e.detail, sizeof e.detail, "The compile needed more memory than it may have");
    } else if (tells_of_module(log)) {
        e.status = SM_CODEGEN_FAILED;
        llvm_words(log, e.detail, sizeof e.detail);
    }
    return e;
}
