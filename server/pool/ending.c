/* ending.c - see ending.h. */
#include "ending.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

/* What to do about a limit; the setting follows. */
#define SMALLER "; a smaller module, or a lower opt, may take less, and the server's operator can raise "

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

/* Copies the line of the log in which LLVM says why it ended; the first line if there is none such, and that is not
 * the beginning of a stack dump. */
static void llvm_words(const char *log, char *out, size_t size) {
    const char *line = strstr(log, "LLVM ERROR:");
    if (!line)
        line = strstr(log, "terminate called");
    if (!line)
        line = strncmp(log, "PLEASE submit", 13) == 0 || strncmp(log, "Stack dump:", 11) == 0 ? "" : log;
    snprintf(out, size, "%.*s", (int)strcspn(line, "\n"), line);
}

/* Writes the stage and the function that the worker was at, as far as they are known, as the end of a sentence. The
 * dump in the log names the function in the last of its lines that has one ("Running pass ... on function '@f'"). */
static void describe_place(const struct worker *w, const char *log, char *out, size_t size) {
    static const char mark[] = "on function '@";
    const char *function = NULL;
    int stage = worker_stage(w->log);
    size_t n = 0;
    out[0] = 0;
    for (const char *at = strstr(log, mark); at; at = strstr(function, mark))
        function = at + sizeof mark - 1;
    if (stage >= 0)
        n = (size_t)snprintf(out, size, " in the stage '%s'", sm_stage_name((unsigned)stage));
    if (function && n < size)
        snprintf(out + n, size - n, "%s the function '%.*s'", n ? ", at" : " at", (int)strcspn(function, "'\n"),
                 function);
}

/* Writes into e->detail by what signal or status the worker ended, where, and LLVM's words. */
static void describe_ending(struct ending *e, const struct worker *w, const char *where, const char *log) {
    char words[400];
    llvm_words(log, words, sizeof words);
    const char *colon = words[0] ? ": " : "";
    if (WIFSIGNALED(w->wait_status)) {
        int sig = WTERMSIG(w->wait_status);
        const char *name = sigabbrev_np(sig);
        snprintf(e->detail, sizeof e->detail, "The compiler's process ended by SIG%s%s%s%s", name ? name : "?", where,
                 colon, words);
    } else {
        snprintf(e->detail, sizeof e->detail, "The compiler's process ended with status %d%s%s%s",
                 WEXITSTATUS(w->wait_status), where, colon, words);
    }
}

struct ending classify_ending(const struct worker *w, const char *log, const struct settings *limits) {
    struct ending e = {.status = SM_COMPILER_CRASHED, .cause = METRIC_EXIT_CRASHED};
    int sig = WIFSIGNALED(w->wait_status) ? WTERMSIG(w->wait_status) : 0;
    char where[400];
    describe_place(w, log, where, sizeof where);
    describe_ending(&e, w, where, log);
    e.unasked = w->killed == KILL_STOPPED || (!w->shot && is_sent_by_others(sig));
    if (w->killed == KILL_RETIRED) {
        e.cause = METRIC_EXIT_RETIRED;
    } else if (w->killed == KILL_ABANDONED) {
        e.cause = METRIC_EXIT_CANCELLED;
    } else if (w->killed == KILL_SLOW) {
        e.cause = METRIC_EXIT_SLOW;
    } else if (w->killed == KILL_PROTOCOL) {
        e.cause = METRIC_EXIT_PROTOCOL;
        snprintf(e.detail, sizeof e.detail, "The compiler's process sent something that is no result");
    } else if (w->killed == KILL_OUTPUT) {
        e.status = SM_OUTPUT_TOO_LARGE;
        e.cause = METRIC_EXIT_MEMORY;
        snprintf(e.detail, sizeof e.detail, "The answer would be larger than %zu bytes", w->payload.max);
    } else if (w->killed == KILL_NO_ROOM) {
        e.status = w->refused;
        e.cause = METRIC_EXIT_MEMORY;
        snprintf(e.detail, sizeof e.detail, "The result is not sent: %s", budget_refusal(w->refused));
    } else if (w->killed == KILL_STOPPED || is_sent_by_others(sig)) {
        e.status = SM_NO_WORKER;
        e.killed_by_others = 1;
        e.cause = METRIC_EXIT_KILLED;
        snprintf(e.detail, sizeof e.detail, "The compiler's process was killed from outside");
    } else if (!sig && WEXITSTATUS(w->wait_status) == SM_EXIT_LOST) {
        e.status = SM_NO_WORKER;
        e.killed_by_others = 1;
        e.cause = METRIC_EXIT_KILLED;
        snprintf(e.detail, sizeof e.detail, "smd-upgrade, which reads typed pointers, was killed from outside");
    } else if (sig == SIGXCPU) {
        e.status = SM_CPU_LIMIT;
        e.cause = METRIC_EXIT_CPU;
        snprintf(e.detail, sizeof e.detail,
                 "The compile took more than the %d s of CPU time that it may have%s" SMALLER "worker_cpu_s",
                 limits->worker_cpu_s, where);
    } else if (tells_of_memory(log)) {
        e.status = SM_OUT_OF_MEMORY;
        e.cause = METRIC_EXIT_MEMORY;
        snprintf(e.detail, sizeof e.detail,
                 "The compile needed more than the %d MiB of memory that it may have%s" SMALLER "worker_memory_mib",
                 limits->worker_memory_mib, where);
    }
    return e;
}
