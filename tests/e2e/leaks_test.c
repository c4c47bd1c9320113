/* Options travel safely: requests of differing options, one after another on the same few workers, give what a fresh
 * process gives for each. */
#include "artifact.h"
#include "http.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const options[] = {
    "safepoints=entry",
    "gc_registers=6",
    "safepoints=none",
    "all_backedges=true",
    "opt=0",
    "remat=false",
    "counted_loop_bits=8",
    "split_backedges=true",
    "verify=off",
    "target=aarch64-linux-gnu",
    "frame_pointer=all",
    "gc_registers=0",
    "safepoints=return",
    "cpu=x86-64-v3",
    "features=%2Bavx2",
    "opt=3",
    "target=aarch64-linux-gnu&gc_registers=6",
    "reloc=static",
    "safepoints=backedge",
    "code_model=large",
};
enum { N = sizeof options / sizeof *options };

static struct bytes example;

/* The object that a process gives which has compiled nothing else but its warm-up. */
static struct bytes fresh(const char *query) {
    char command[512], words[256];
    int status;
    snprintf(words, sizeof words, "%s", query);
    for (char *p = words; *p; p++)
        *p = *p == '&' ? ' ' : *p;
    char *plus = strstr(words, "%2B");
    if (plus) {
        *plus = '+';
        memmove(plus + 1, plus + 3, strlen(plus + 3) + 1);
    }
    snprintf(command, sizeof command, BIN_DIR "/smd-worker --compile - %s", words);
    struct bytes out = run_command(command, example.data, example.len, &status);
    cr_assert_eq(status, 0, "%s", command);
    return out;
}

static struct answer served(const struct daemon *d, const char *query) {
    char path[512];
    snprintf(path, sizeof path, "/v1/compile?%s", query);
    struct answer a = ask(d, (struct ask){.path = path,
                                          .body = example.data,
                                          .len = example.len,
                                          .headers = {"Accept: application/vnd.smd.artifact"}});
    cr_assert_eq(a.http, 200, "%s: %s", query, (char *)a.body.data);
    return a;
}

Test(leaks, no_setting_reaches_the_next_request, .timeout = 600) {
    static const char *const flags[] = {"--workers", "1", NULL};
    static struct bytes alone[N];
    example = read_file(SOURCE_DIR "/docs/examples/list.ll");
    struct daemon d = daemon_start(flags);
    for (int i = 0; i < N; i++)
        alone[i] = fresh(options[i]);
    for (int round = 0; round < 3 * N; round++) {
        int i = round * 7 % N; /* each after three different ones */
        struct answer a = served(&d, options[i]);
        cr_assert(a.body.len == alone[i].len && memcmp(a.body.data, alone[i].data, a.body.len) == 0,
                  "%s differs from what a fresh process gives", options[i]);
        answer_free(a);
    }
    for (int i = 0; i < N; i++)
        bytes_free(alone[i]);
    daemon_stop(&d);
    bytes_free(example);
}
