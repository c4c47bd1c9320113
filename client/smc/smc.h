/* smc.h - the map of smc, the command line of smd.
 *
 *     main.c       which command; help
 *     args.c       flags of a command, and the compile options that any of them takes
 *     server.c     a client as the flags describe it; what a failed call means as exit status
 *     servers.c    what several servers say of themselves
 *     files.c      input read whole, output written beside and renamed
 *     messages.c   file:line:column: error: …, and the progress bar
 *     text.c       what others wrote, so that it does not steer a terminal
 *     picture.c    a stackmap's JSON as a picture of frames; sizes.c: what it takes
 *     stage.c      which stage a compile is in
 *     metrics.c    samples of a server's /metrics
 *     a command each: compile.c, explain.c, stackmap.c, run.c, top.c, status.c, capabilities.c, prewarm.c, upgrade.c,
 *     pages.c, compact.c, token.c, verify.c, jobs.c, doctor.c, bundle.c
 */
#ifndef SMC_H
#define SMC_H

#include "smclient.h"
#include "stackmap.h"

#include <jansson.h>
#include <stdio.h>

enum exit_status {
    EXIT_FINE = 0,
    EXIT_INPUT = 1,    /* an input is wrong */
    EXIT_USAGE = 2,    /* the command line is */
    EXIT_SERVER = 3,   /* no server gave an answer */
    EXIT_COMPILER = 4, /* the compiler crashed, or met a limit */
    EXIT_MACHINE = 5,  /* this machine: memory, output, loading */
    EXIT_FILE = 6,     /* an input cannot be read: there is no such file */
    /* Of `run`, whose other statuses are the program's own: as env(1) and timeout(1) have it. */
    EXIT_RUN_SELF = 125,   /* smc: the command line, the server, this machine */
    EXIT_RUN_MODULE = 126, /* there is a module, and it cannot be compiled, loaded or called */
    EXIT_RUN_FILE = 127,   /* there is none */
};

/* ---- args.c ------------------------------------------------------------------------------------------------- */

enum { FILES_MAX = 100000 };

enum flag_kind { FLAG_SWITCH, FLAG_TEXT, FLAG_NUMBER, FLAG_MAYBE }; /* the last: --NAME or --NAME=TEXT */

struct flag {
    const char *name; /* without dashes; a row without a name ends the list */
    char letter;      /* 0: none */
    enum flag_kind kind;
    void *to;            /* int *, const char ** or int * */
    const char *metavar; /* of a text or a number */
    const char *help;
};

struct command {
    const char *name, *operands,
        *help; /* operands: "" if it takes none; help: a sentence, first line; more may follow */
    int (*run)(int argc, char **argv); /* argv[0] is the command's name; gives an exit_status */
    const struct flag *flags;
    int is_remote;   /* takes the flags of a server */
    int has_options; /* takes compile options */
    int is_native;   /* compiles for this machine, whatever the module says */
};

extern const struct command compile_command, explain_command, stackmap_command, run_command, top_command,
    status_command, capabilities_command, prewarm_command, upgrade_command, page_polls_command, compact_command,
    token_command, verify_command, jobs_command, doctor_command, bundle_command;

struct args {
    char **file; /* operands, borrowed from argv */
    int files;
    char **option; /* "name=value", NULL-terminated, *owned* with its texts; the first is the module's name */
    int options, has_name, has_target;
};

/* What every command takes; read by args_read. */
struct common {
    const char *help; /* "": in short; "all"; NULL: none is asked for */
    int quiet;
    const char *color; /* auto, always, never */
    const char *server, *ca_file, *cert_file, *key_file, *token_file, *trusted_keys;
    int deadline_ms; /* 0: the server's default */
    int retry, cache_only;
    const char *profile_file, *profile_text;
    char *profile;        /* its text; NULL */
    char *profile_source; /* as the file has it */
};
extern struct common common;

/* Reads a command's arguments; 0 if they are wrong (and reported) or help was asked for and given. *STATUS is the
 * exit status then. */
int args_read(const struct command *c, int argc, char **argv, struct args *out, int *status);
void args_free(struct args *a);

/* Adds an option, checked by the table; 0: what is wrong is reported. */
int args_option(struct args *out, const char *name, const char *value);

/* The options of a request for FILE, NULL-terminated. Borrowed until the next such call. */
const char *const *args_request(struct args *a, const char *file);

/* What a wrong profile is said of: its file's name. */
const char *args_profile_place(void);

/* Prints a command's help: what is of use every day, or ALL flags and compile options. */
void args_help(const struct command *c, int all, FILE *to);

/* Moves the command of a line "smc -s URL COMMAND ..." before its flags. 0 if what is there is wrong, which is
 * reported. */
int args_command_first(int argc, char **argv);

/* ---- server.c ----------------------------------------------------------------------------------------------- */

/* *new* (sm_client_free); NULL: why is reported, *STATUS is set. */
sm_client *server_client(int *status);
sm_policy server_policy(void);
int server_deadline_ms(void);

/* Compiles, and shows how long that takes. *ANSWER is *new* or NULL. */
sm_result server_compile(sm_client *client, const sm_request *request, const char *file, sm_answer **answer,
                         sm_error *err);

/* Sleeps until a call has ended, or progress is to be drawn again; 0 then. */
int server_wait(sm_client *client);
int server_status(sm_result r);       /* exit_status */
void worst(int *status, int another); /* of several modules the highest status counts */

/* The files of a list with commas, NULL-terminated, at most 16; borrowed until the next such call. */
const char *const *server_split(const char *list);

/* A client of one server, with what the flags say of certificates and the token; *new*, NULL and why. */
sm_client *server_client_of(const char *url, unsigned deadline_ms, sm_error *err);

/* ---- servers.c ---------------------------------------------------------------------------------------------- */

enum { SERVERS_MAX = 64, SERVER_TEXT = 512, COMPILER_TEXT = 256 };

/* What is known of a server. */
struct server {
    char url[SERVER_TEXT], compiler[COMPILER_TEXT], version[32];
    sm_client *client; /* owned; NULL: there can be none */
    char *metrics;     /* *owned*; NULL: it does not give them */
    int answers, is_ready, has_metrics;
    uint64_t took_us; /* for its first answer */
    sm_error err;     /* why it does not answer */
};

/* The servers of the operands, else of --server, else of SMD_SERVER, else this machine's; *new*, by servers_free. 0,
 * after a message, if one cannot be taken. */
int servers_of(const struct args *args, struct server **servers, int *count);
void servers_free(struct server *servers, int count);

void server_ask(struct server *s);

/* 1 if it has a shared tier, an object store, or a queue of jobs, as far as its figures show. */
int server_shares(const struct server *s);
int server_stores(const struct server *s);
int server_queues(const struct server *s);

/* ---- files.c ------------------------------------------------------------------------------------------------ */

/* The whole of a file, or of standard input for "-"; *new*, terminated after its length. NULL: it is reported. */
char *file_read(const char *path, size_t *len);

/* 1 if it is an ELF file, not a module. */
int file_is_object(const void *bytes, size_t len);

/* 0 if this is certainly no module, so that no server need be asked: why is reported. */
int file_may_be_module(const char *path, const void *bytes, size_t len);

/* Writes it whole or not at all; "-" is standard output. 0: it is reported. */
int file_write(const char *path, const void *bytes, size_t len);

/* What LLVM and messages call it: "<stdin>" for "-". */
const char *file_name(const char *path);

/* "DIR/BASE.SUFFIX" of an input's path without its own suffix; *new*. DIR may be NULL: the current one. */
char *file_beside(const char *dir, const char *input, const char *suffix);

/* ---- metrics.c ---------------------------------------------------------------------------------------------- */

/* The sample that is written as NAME, labels included; 0 if it is not there. */
double metrics_value(const char *metrics, const char *name);

/* The sum of all samples of a name, whatever their labels. */
double metrics_sum(const char *metrics, const char *name);

/* ---- text.c ------------------------------------------------------------------------------------------------- */

/* All that comes from a server or an object is printed by these: what would steer a terminal is shown as "?". */
void put_text(FILE *to, const char *text);                /* on a line; a long one is cut */
void put_lines(FILE *to, const void *bytes, size_t len);  /* a whole file */
int put_json(FILE *to, const json_t *json, size_t flags); /* as json_dumpf; 0 if that fails, which is reported */
void clean_text(char *text);                              /* in its place */

/* ---- messages.c --------------------------------------------------------------------------------------------- */

int color_on(FILE *to);
void complain(const char *fmt, ...) __attribute__((format(printf, 1, 2))); /* "smc: error: …" */
void complain_of(const char *file, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void warn_of(const char *file, const char *fmt, ...) __attribute__((format(printf, 2, 3))); /* not if quiet */

/* What the answer and the error say of FILE: of errors, and of all else, so many as a person reads. ANSWER may be
 * NULL. */
void report(const char *file, sm_result result, const sm_answer *answer, const sm_error *err);

/* On standard error, if that is a terminal and quiet was not asked for: a bar; or, if there is a single thing to do and
 * it has taken a second, for how long. */
void progress(int done, int total, const char *now);
void progress_wait(const char *file, uint64_t since_us);
int progress_ms(void); /* after how many milliseconds of waiting to draw again; -1: never */
void progress_end(void);

/* ---- stage.c ------------------------------------------------------------------------------------------------ */

/* Before REQUEST is submitted, if progress is shown: stage_now is about it from now on. */
void stage_watch(const sm_request *request);
void stage_end(void);

/* The stage that it is in, or "waiting"; "" if no server knows. Asks the servers. Static storage. */
const char *stage_now(void);

/* ---- picture.c ---------------------------------------------------------------------------------------------- */

/* Draws a stackmap, with the lines of its safepoints where LINES (of an answer; NULL: none) has them. 0 if the JSON is no
 * stackmap, or memory has run out, which is reported. */
int picture(const json_t *stackmap, const json_t *lines, FILE *to);

/* ---- sizes.c ------------------------------------------------------------------------------------------------ */

/* Bytes by function, as a table. 0 if the map has no compact form. */
int print_sizes(const sm_stackmap *m, FILE *to);

/* ---- stackmap.c --------------------------------------------------------------------------------------------- */

/* The stackmap of an object file as JSON; *new*, NULL if there is none (reported for FILE). *LINES (LINES may be NULL) is
 * *new*, too: the lines of its safepoints as in answers, NULL if it has no debug information. */
json_t *stackmap_of_object(const char *file, const void *object, size_t len, json_t **lines);

#endif
