/* messages.c - what people read on standard error, in the form that editors and IDEs take from compilers. */
#include "clock.h"
#include "profile.h"
#include "smc.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* 1 if what is written to TO is coloured: by --color, or if it is a terminal. */
int color_on(FILE *to) {
    const char *term = getenv("TERM"), *no_color = getenv("NO_COLOR");
    if (strcmp(common.color, "auto") != 0)
        return strcmp(common.color, "always") == 0;
    return isatty(fileno(to)) && !(no_color && *no_color) && !(term && strcmp(term, "dumb") == 0);
}

/* The escape sequence for a severity's colour; "" without colours. */
static const char *paint(const char *severity) {
    if (!color_on(stderr))
        return "";
    return strcmp(severity, "error") == 0     ? "\033[1;31m"
           : strcmp(severity, "warning") == 0 ? "\033[1;35m"
                                              : "\033[1;36m";
}

/* The escape sequence for bold text; "" without colours. */
static const char *bold(void) {
    return color_on(stderr) ? "\033[1m" : "";
}

/* The escape sequence that ends colours; "" without them. */
static const char *off(void) {
    return color_on(stderr) ? "\033[0m" : "";
}

/* Prints FILE:LINE:COLUMN:, as far as they are known. */
static void put_place(const char *file, uint32_t line, uint32_t column) {
    fputs(bold(), stderr);
    put_text(stderr, file);
    fputc(':', stderr);
    if (line)
        fprintf(stderr, "%" PRIu32 ":", line);
    if (line && column)
        fprintf(stderr, "%" PRIu32 ":", column);
    fputs(off(), stderr);
}

static void put_severity(const char *severity) {
    fprintf(stderr, " %s", paint(severity));
    put_text(stderr, severity);
    fprintf(stderr, ":%s ", off());
}

/* Prints one message about PLACE, after clearing the progress bar. */
static void print_message(const char *place, const char *severity, const char *fmt, va_list ap) {
    char *text = NULL;
    if (vasprintf(&text, fmt, ap) < 0)
        text = NULL;
    progress_end();
    put_place(place, 0, 0);
    put_severity(severity);
    put_text(stderr, text ? text : "out of memory");
    fputc('\n', stderr);
    free(text);
}

void complain(const char *fmt, ...) {
    va_list ap;
    va_start(ap, fmt);
    print_message("smc", "error", fmt, ap);
    va_end(ap);
}

void complain_of(const char *file, const char *fmt, ...) {
    va_list ap;
    va_start(ap, fmt);
    print_message(file, "error", fmt, ap);
    va_end(ap);
}

void warn_of(const char *file, const char *fmt, ...) {
    va_list ap;
    va_start(ap, fmt);
    if (!common.quiet)
        print_message(file, "warning", fmt, ap);
    va_end(ap);
}

/* Prints the line of the module with a caret under its column; tabs stay what they are, so that the caret stands
 * right. */
static void put_source(const char *source, uint32_t column) {
    enum { WIDEST = 1000 }; /* no terminal is that wide */
    fputs("  ", stderr);
    put_text(stderr, source);
    fputs("\n", stderr);
    if (!column || column > WIDEST || column > strlen(source) + 1)
        return;
    fputs("  ", stderr);
    for (uint32_t i = 0; i + 1 < column; i++)
        fputc(source[i] == '\t' ? '\t' : ' ', stderr);
    fprintf(stderr, "%s^%s\n", paint("note"), off());
}

/* Prints one diagnostic, with its line of source if the server sent it. */
static void put_diagnostic(const char *file, const sm_diagnostic *d) {
    put_place(file, d->line, d->column);
    put_severity(d->severity ? d->severity : "error");
    if (d->function && !(d->message && strstr(d->message, d->function))) {
        fputs("in function '", stderr);
        put_text(stderr, d->function);
        fputs("': ", stderr);
    }
    put_text(stderr, d->message ? d->message : "no more is known");
    fputc('\n', stderr);
    if (d->source)
        put_source(d->source, d->column);
}

/* Prints once what to do about an error: where a server is to be had, and how. */
static void put_advice(const sm_error *err) {
    static int given;
    const char *advice =
        err->result == SM_ERR_UNREACHABLE
            ? "./deploy/run starts a server here; --server or SMD_SERVER names another one"
        : err->result == SM_ERR_TLS
            ? "--ca-file FILE names the authority of the server's certificate; a server without TLS is http://"
            : NULL;
    if (!advice || common.quiet || given++)
        return;
    put_place("smc", 0, 0);
    put_severity("note");
    fprintf(stderr, "%s\n", advice);
}

/* Prints the server's own name for an error, if it gave one. */
static void put_code(const sm_error *err) {
    if (!err->code[0])
        return;
    fputs(" [", stderr);
    put_text(stderr, err->code);
    fputc(']', stderr);
}

/* Prints the server's error about a profile, at the line of the first member of its file that the message names. */
static void put_profile_error(const sm_error *err) {
    static const char prefix[] = "'profile': ";
    const char *text = err->message;
    int line = 0;
    if (strncmp(text, prefix, sizeof prefix - 1) == 0)
        text += sizeof prefix - 1;
    for (const char *at = text, *end;
         !line && (at = strchr(at, '\'')) != NULL && (end = strchr(at + 1, '\'')) != NULL; at = end + 1) {
        char name[80];
        snprintf(name, sizeof name, "%.*s", (int)(end - at - 1), at + 1);
        line = sm_profile_line(common.profile_source, name);
    }
    put_place(args_profile_place(), line ? (uint32_t)line : 1, 0);
    put_severity("error");
    put_text(stderr, text);
    put_code(err);
    fputc('\n', stderr);
}

/* Prints the answer's diagnostics, as many as a person reads of errors and of others, and says how many there are
 * beside these. Gives the number of errors. */
static size_t put_diagnostics(const char *file, const sm_answer *answer) {
    enum { SHOWN = 100 };
    size_t count[2] = {0}, left = 0; /* of others, of errors */
    sm_diagnostic d;
    for (size_t i = 0; sm_answer_diagnostic(answer, i, &d); i++) {
        int is_error = !d.severity || strcmp(d.severity, "error") == 0;
        if (!is_error && common.quiet)
            continue;
        if (count[is_error]++ < SHOWN)
            put_diagnostic(file, &d);
        else
            left++;
    }
    if (left) {
        put_place(file, 0, 0);
        put_severity("note");
        fprintf(stderr, "%zu more are not shown\n", left);
    }
    return count[1];
}

void report(const char *file, sm_result result, const sm_answer *answer, const sm_error *err) {
    if (sm_answer_diagnostics(answer) || result != SM_SUCCESS)
        progress_end();
    size_t errors = put_diagnostics(file, answer);
    if (result == SM_SUCCESS || errors)
        return;
    if (common.profile_source && strcmp(err->code, "invalid_profile") == 0) {
        put_profile_error(err);
        return;
    }
    put_place(file, err->line, err->column);
    put_severity("error");
    put_text(stderr, err->message);
    put_code(err);
    if (err->server[0] && server_status(result) == EXIT_SERVER)
        fprintf(stderr, " (%s)", err->server);
    fputc('\n', stderr);
    put_advice(err);
}

/* ---- Progress ----------------------------------------------------------------------------------------------- */

static int is_drawn;

static int is_shown(void) {
    return !common.quiet && isatty(STDERR_FILENO);
}

/* How many characters of a line are left beside so many; at least 0. */
static int room_beside(int others) {
    struct winsize w = {.ws_col = 80};
    ioctl(STDERR_FILENO, TIOCGWINSZ, &w);
    int room = (int)(w.ws_col ? w.ws_col : 80) - others;
    return room > 0 ? room : 0;
}

int progress_ms(void) {
    enum { EVERY_MS = 1000 };
    return is_shown() ? EVERY_MS : -1;
}

void progress(int done, int total, const char *now) {
    enum { BAR = 30 };
    char bar[BAR + 1];
    if (total < 2 || !is_shown())
        return;
    int filled = (int)((long)done * BAR / total);
    memset(bar, '.', BAR);
    memset(bar, '#', (size_t)filled);
    bar[BAR] = 0;
    fprintf(stderr, "\r[%s] %d/%d %.*s\033[K", bar, done, total, room_beside(BAR + 20), now);
    fflush(stderr);
    is_drawn = 1;
}

void progress_wait(const char *file, uint64_t since_us) {
    unsigned seconds = (unsigned)((sm_clock_us() - since_us) / 1000000);
    if (seconds < 1 || !is_shown())
        return;
    const char *stage = stage_now();
    fprintf(stderr, "\r%.*s: compiling, %u s of at most %d s%s%s\033[K", room_beside(60), file, seconds,
            (server_deadline_ms() + 999) / 1000, stage[0] ? ", now: " : "", stage);
    fflush(stderr);
    is_drawn = 1;
}

/* Clears the progress bar, if one is drawn. */
void progress_end(void) {
    if (is_drawn) {
        fputs("\r\033[K", stderr);
        fflush(stderr);
    }
    is_drawn = 0;
}
