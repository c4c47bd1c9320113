/* The bytes of a stackmap section alone. */
#include "map_checks.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    sm_stackmap m;
    sm_stackmap_error err;
    if (sm_stackmap_decode(&m, size % 2 ? EM_X86_64 : EM_AARCH64, data, size, &err) == SM_OK) {
        check_map(&m);
        sm_stackmap_free(&m);
    }
    return 0;
}
