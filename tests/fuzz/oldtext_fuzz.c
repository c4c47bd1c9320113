/* Text of before LLVM 3.7, as smd-upgrade rewrites it before LLVM reads it. What has nothing old in it stays as it is. */
#include "fuzz.h"

#include "upgrade.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *text = malloc(size ? size : 1); /* its end is watched */
    must(text);
    if (size)
        memcpy(text, data, size);
    for (int callees = 0; callees < 2; callees++) {
        struct oldtext out, again;
        must(oldtext_rewrite(text, size, callees, &out) == SM_OK);
        for (int line = 0; line < 8; line++)
            must(oldtext_column(&out, line, 1 + line * 5) >= 0);
        must(oldtext_rewrite((const char *)out.text.data, out.text.len, callees, &again) == SM_OK);
        oldtext_free(&again);
        oldtext_free(&out);
    }
    free(text);
    return 0;
}
