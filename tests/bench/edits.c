/* edits.c - what the edit of one function costs: the edited module whole, in parts, and with the parts of the module
 * before the edit. */
#include "bench.h"
#include "client.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS_MAX = 15 };

/* Compiles the module with a comment of its own, so that nothing is answered from memory. */
static double compile_ms(struct client *c, const char *url, struct bytes module) {
    static int number;
    struct bytes mine = with_comment(module, number++);
    double begun = now_ms();
    client_compile(c, url, mine);
    double ms = now_ms() - begun;
    bytes_free(mine);
    return ms;
}

/* One function multiplies by another number of as many digits. */
static void edit_function(struct bytes module, int round) {
    static const char place[] = "%times = mul i64 %value, ";
    char *text = (char *)module.data, *at = text + module.len / 100 * (size_t)(10 + 5 * round);
    at = strstr(at, place);
    if (!at) {
        fprintf(stderr, "there is no function to edit\n");
        exit(1);
    }
    at += sizeof place - 1;
    *at = *at == '9' ? '1' : (char)(*at + 1);
}

static void measure_edits(struct client *c, const struct daemon *d, const char *triple, const char *level,
                          size_t size, int rounds) {
    double whole[ROUNDS_MAX], cold[ROUNDS_MAX], warm[ROUNDS_MAX], to_cold[ROUNDS_MAX], to_whole[ROUNDS_MAX];
    char never[256], functions[300], incremental[400];
    struct bytes module = make_module(size);
    char parts[80], key[80];
    snprintf(never, sizeof never, "%s/v1/compile?target=%s&opt=%s&unwind=module&deadline_ms=600000", d->url, triple,
             level);
    snprintf(functions, sizeof functions, "%s&split=functions", never);
    for (int i = 0; i < rounds; i++) {
        compile_ms(c, functions, module);
        client_header(c, "X-Smd-Key", key, sizeof key);
        snprintf(incremental, sizeof incremental, "%s&incremental=%s", functions, key);
        edit_function(module, i);
        whole[i] = compile_ms(c, never, module);
        cold[i] = compile_ms(c, functions, module);
        warm[i] = compile_ms(c, incremental, module);
        client_header(c, "X-Smd-Parts", parts, sizeof parts);
        to_cold[i] = warm[i] / cold[i];
        to_whole[i] = warm[i] / whole[i];
    }
    printf("%-8s %5s %8zu %6d %9.0f %9.0f %9.0f   %5.2f (%.2f to %.2f)   %5.2f (%.2f to %.2f)   %s\n",
           strncmp(triple, "x86", 3) == 0 ? "x86-64" : "AArch64", level, module.len, rounds,
           quantile(whole, rounds, 0.5), quantile(cold, rounds, 0.5), quantile(warm, rounds, 0.5),
           quantile(to_cold, rounds, 0.5), quantile(to_cold, rounds, 0), quantile(to_cold, rounds, 1),
           quantile(to_whole, rounds, 0.5), quantile(to_whole, rounds, 0), quantile(to_whole, rounds, 1), parts);
    fflush(stdout);
    bytes_free(module);
}

void bench_edits(void) {
    static const char *const flags[] = {"--worker-memory-mib", "8192", "--cache-memory-mib", "1024", NULL};
    static const char *const triples[] = {"x86_64-unknown-linux-gnu", "aarch64-unknown-linux-gnu"}, *const levels[] =
                                                                                                        {"2", "0"};
    struct daemon d = daemon_start(flags);
    struct client c = client_open();
    printf("A module of which one function was edited, milliseconds (medians), and ratios taken round by round "
           "(median, least to most)\n\n"
           "target     opt    bytes rounds     whole  in parts   of edit   edit/parts             edit/whole         "
           "    parts\n");
    for (int l = 0; l < 2; l++)
        for (int t = 0; t < 2; t++) {
            measure_edits(&c, &d, triples[t], levels[l], 60000, 15);
            measure_edits(&c, &d, triples[t], levels[l], 300000, 7);
            if (t == 0)
                measure_edits(&c, &d, triples[t], levels[l], 5000000, 1);
        }
    client_close(&c);
    daemon_stop(&d);
}
