/* The bytes of a compact table alone; and what LLVM's table says goes through one and is the same again. The first byte
 * tells which, and the machine. */
#include "map_checks.h"

#include "compact.h"
#include "maps.h"

/* What was read is written, and read again. */
static void goes_through(const sm_stackmap *m) {
    sm_buf bytes;
    sm_compact_field *fields;
    sm_stackmap again = {.machine = m->machine};
    sm_buf_init(&bytes, 1 << 24);
    if (sm_compact_encode(m, &bytes, &fields) == SM_OK &&
        sm_compact_decode(&again, bytes.data, bytes.len, NULL) == SM_OK) {
        must(again.functions == m->functions);
        for (uint32_t i = 0; i < again.functions; i++) {
            again.function[i].offset = m->function[fields[i].function].offset;
            again.function[i].section_index = m->function[fields[i].function].section_index;
        }
        must(!maps_differ(m, &again));
    }
    free(fields);
    sm_stackmap_free(&again);
    sm_buf_free(&bytes);
}

/* A record that is found in place is the one that a pass over the bytes finds. */
static void is_result(const uint8_t *bytes, size_t len, const sm_stackmap *m) {
    sm_compact c;
    sm_stackmap one;
    if (m->records == 0 || sm_compact_open(&c, bytes, len) != SM_OK || c.functions == 0)
        return;
    uintptr_t start = (uintptr_t)bytes + m->function[0].at + m->function[0].offset;
    for (uint32_t i = 0; i < m->function[0].records && i < 100; i++)
        if (sm_compact_find(&c, start + m->record[i].offset, &one) == SM_OK)
            sm_stackmap_free(&one);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    sm_stackmap m = {0};
    sm_stackmap_error err;
    if (size == 0)
        return 0;
    uint16_t machine = data[0] & 1 ? EM_X86_64 : EM_AARCH64;
    if (data[0] & 2) {
        if (sm_stackmap_decode(&m, machine, data + 1, size - 1, &err) == SM_OK) {
            sm_stackmap_guess_kinds(&m);
            goes_through(&m);
        }
    } else {
        m = (sm_stackmap){.format = "compact", .machine = machine};
        sm_buf_init(&m.strings, 0);
        if (sm_compact_decode(&m, data + 1, size - 1, &err) == SM_OK) {
            is_result(data + 1, size - 1, &m);
            goes_through(&m);
            check_map(&m);
        }
    }
    sm_stackmap_free(&m);
    return 0;
}
