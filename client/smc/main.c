/* main.c - smc: which command is meant, and help. */
#include "options.h"
#include "smc.h"

#include <string.h>
#include <unistd.h>

static const struct command *const commands[] = {
    &compile_command, &explain_command,    &stackmap_command,     &run_command,
    &top_command,     &status_command,     &capabilities_command, &prewarm_command,
    &upgrade_command, &page_polls_command, &compact_command,      &token_command,
    &verify_command,  &jobs_command,       &doctor_command,       &bundle_command};

enum { COMMANDS = sizeof commands / sizeof *commands };

static void usage(FILE *to) {
    fputs("usage: smc COMMAND [FLAGS] ...\n\nCompiles LLVM IR for garbage-collected languages with a server of "
          "smd.\n\n",
          to);
    for (int i = 0; i < COMMANDS; i++)
        fprintf(to, "  %-14s %.*s\n", commands[i]->name, (int)strcspn(commands[i]->help, "\n"), commands[i]->help);
    fputs("\n  help COMMAND   its flags; COMMAND --help=all: with all compile options\n  --version      this "
          "program's version\n\n"
          "The server is http://127.0.0.1:8199, or what SMD_SERVER or --server says.\n",
          to);
}

/* The command of a name; NULL, after a message with the nearest one, if there is none. */
static const struct command *find_command(const char *name) {
    const char *names[COMMANDS + 1] = {NULL};
    for (int i = 0; i < COMMANDS; i++) {
        if (strcmp(commands[i]->name, name) == 0)
            return commands[i];
        names[i] = commands[i]->name;
    }
    const char *nearest = sm_nearest(name, names);
    if (nearest)
        complain("there is no command '%s'; did you mean '%s'?", name, nearest);
    else
        complain("there is no command '%s'; see smc help", name);
    return NULL;
}

/* 1 for the words that ask for help. */
static int is_help(const char *word) {
    return strcmp(word, "help") == 0 || strcmp(word, "--help") == 0 || strcmp(word, "--help=all") == 0 ||
           strcmp(word, "-h") == 0;
}

/* Prints the help of a command, or the list of all; gives the exit status. */
static int help(const char *name) {
    if (!name || is_help(name)) {
        usage(stdout);
        return EXIT_FINE;
    }
    const struct command *c = find_command(name);
    if (c)
        args_help(c, 0, stdout);
    return c ? EXIT_FINE : EXIT_USAGE;
}

/* 0, after a message, if there are variables such as SMD_SERVERS and SMD_SERVER_URL, which would have no effect.
 * Other SMD_ variables are the daemon's. */
static int environment_is_right(void) {
    static const char ours[] = "SMD_SERVER", begins[] = "SMD_SERV";
    for (char **e = environ; *e; e++) {
        int n = (int)strcspn(*e, "=");
        if (strncmp(*e, begins, strlen(begins)) != 0 || (n == (int)strlen(ours) && strncmp(*e, ours, (size_t)n) == 0))
            continue;
        complain("there is no variable %.*s; did you mean %s?", n, *e, ours);
        return 0;
    }
    return 1;
}

/* --help-all is --help=all, wherever a flag may stand. */
static void spell_help(int argc, char **argv) {
    static char all[] = "--help=all";
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (strcmp(argv[i], "--help-all") == 0)
            argv[i] = all;
}

int main(int argc, char **argv) {
    spell_help(argc, argv);
    setvbuf(stderr, NULL, _IOLBF, BUFSIZ); /* a line at a time, not a character */
    const char *name = argc > 1 ? argv[1] : "";
    if (!*name) {
        usage(stderr);
        return EXIT_USAGE;
    }
    if (is_help(name))
        return help(argc > 2 ? argv[2] : NULL);
    if (strcmp(name, "--version") == 0 || strcmp(name, "-V") == 0) {
        puts("smc " SMD_VERSION);
        return EXIT_FINE;
    }
    if (!args_command_first(argc, argv))
        return EXIT_USAGE;
    name = argv[1];
    if (is_help(name))
        return help(NULL);
    const struct command *c = environment_is_right() ? find_command(name) : NULL;
    int status = c ? c->run(argc - 1, argv + 1) : EXIT_USAGE;
    if ((fflush(stdout) != 0 || ferror(stdout)) && status == EXIT_FINE) {
        complain("standard output cannot be written");
        status = EXIT_MACHINE;
    }
    return status;
}
