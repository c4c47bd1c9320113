/* fuzz.h - what every fuzz target is made of: libFuzzer's entry point, and an assertion. */
#ifndef TEST_FUZZ_H
#define TEST_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What must hold for every input; a breach ends the process, which both libFuzzer and a replay report. */
#define must(condition)                                                                                              \
    do {                                                                                                             \
        if (!(condition))                                                                                            \
            abort();                                                                                                 \
    } while (0)

#endif
