/* An object file: all that is read of one. */
#include "map_checks.h"
#include "stackmap_object.h"

#include "faultmap.h"
#include "gcmap.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    sm_elf e;
    sm_stackmap m;
    sm_stackmap_error err;
    char why[200];
    if (sm_elf_open(&e, data, size, why, sizeof why) != SM_OK)
        return 0;
    if (sm_stackmap_of_object(&m, &e, &err) == SM_OK) {
        if (sm_gcmap_of_object(&m, &e, &err) == SM_OK && sm_faultmap_of_object(&m, &e, &err) == SM_OK)
            check_map(&m);
        sm_stackmap_free(&m);
    }
    sm_elf_close(&e);
    return 0;
}
