/* main.c - smd-upgrade's ways to start: as a server beside smd-worker's fork server, or for one module by hand.
 *
 *     smd-upgrade --serve [--memory-mib=N] [--cpu-seconds=N] [--sandbox=on|off]      smd-worker starts it so
 *     smd-upgrade FILE                                bitcode that LLVM 19 reads, to stdout
 *
 * Exit status of the second: 0 if there is bitcode, 1 if FILE is no module, 2 for wrong usage.
 */
#include "upgrade.h"

#include "sandbox.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define CONTROL 3

static int usage(void) {
    fputs("usage: smd-upgrade FILE\n"
          "       smd-upgrade --serve [--memory-mib=N] [--cpu-seconds=N] [--sandbox=on|off]   (smd-worker starts it "
          "so)\n",
          stderr);
    return 2;
}

/* Writes the file's module to stdout as bitcode that LLVM 19 reads, or its error to stderr. The exit status. */
static int run_once(const char *path) {
    sm_buf input;
    struct upgraded u;
    if (sm_buf_read_file(&input, path) != SM_OK) {
        fprintf(stderr, "smd-upgrade: %s: %s\n", path, strerror(errno));
        return 2;
    }
    sm_status s = upgrade_read(path, sm_buf_cstr(&input), input.len, &u);
    if (s == SM_OK && u.status != SM_OK)
        fprintf(stderr, "%s:%d:%d: error: %s\n", path, u.line, u.column, u.message);
    int ok = s == SM_OK && u.status == SM_OK && fwrite(u.bitcode.data, 1, u.bitcode.len, stdout) == u.bitcode.len &&
             fflush(stdout) == 0;
    upgraded_free(&u);
    sm_buf_free(&input);
    return ok ? 0 : 1;
}

/* Upgrades one file, or serves workers, as the command line says. The exit status. */
int main(int argc, char **argv) {
    struct limits limits = {.memory_mib = 2048, .cpu_seconds = 300, .sandbox = 1};
    if (argc == 2 && argv[1][0] != '-')
        return run_once(argv[1]);
    if (argc < 2 || strcmp(argv[1], "--serve") != 0 || !limits_read(argc, argv, &limits))
        return usage();
    return upgrade_serve(CONTROL, &limits);
}
