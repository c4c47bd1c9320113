/* An object file: all that is read of one. */
#include "map_checks.h"
#include "stackmap_object.h"

#include "faultmap.h"
#include "gcmap.h"
#include "stackmap_lines.h"

#include <stdlib.h>

/* What DWARF says of the map's records: as many lines as these, and texts that end. */
static void check_lines(const sm_stackmap *m, const sm_elf *e) {
    sm_lines lines;
    sm_buf out;
    sm_buf_init(&out, (size_t)1 << 24);
    if (sm_stackmap_lines(&lines, m, e) == SM_OK) {
        if (lines.lines != m->records || (lines.text_len && lines.text[lines.text_len - 1]))
            abort();
        sm_stackmap_lines_json(&lines, m, &out);
    }
    sm_lines_free(&lines);
    sm_buf_free(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    sm_elf e;
    sm_stackmap m;
    sm_stackmap_error err;
    char why[200];
    if (sm_elf_open(&e, data, size, why, sizeof why) != SM_OK)
        return 0;
    if (sm_stackmap_of_object(&m, &e, &err) == SM_OK) {
        if (sm_gcmap_of_object(&m, &e, &err) == SM_OK && sm_faultmap_of_object(&m, &e, &err) == SM_OK) {
            check_map(&m);
            check_lines(&m, &e);
        }
        sm_stackmap_free(&m);
    }
    sm_elf_close(&e);
    return 0;
}
