/* sizes.c - what the safepoints of a program's functions take, and what they would take in the compact table. */
#include "compact.h"
#include "smc.h"

#include <inttypes.h>
#include <stdlib.h>

/* The size of a record in LLVM's table (StackMaps.rst), by the table's version. */
static uint64_t record_bytes(const sm_stackmap *m, const sm_record *r) {
    enum { HEAD = 16, OLD_LOCATION = 8, LOCATION = 12, LIVEOUTS = 4, LIVEOUT = 4 };
    uint64_t bytes = HEAD + (uint64_t)r->locations * (m->version && m->version < 3 ? OLD_LOCATION : LOCATION);
    bytes = (bytes + 7) & ~UINT64_C(7);
    return (bytes + LIVEOUTS + (uint64_t)r->liveouts * LIVEOUT + 7) & ~UINT64_C(7);
}

/* The size of a function and its records in LLVM's table. */
static uint64_t llvm_bytes(const sm_stackmap *m, const sm_function *f) {
    enum { FUNCTION = 24, OLD_FUNCTION = 16 };
    uint64_t bytes = m->version == 1 ? OLD_FUNCTION : FUNCTION;
    for (uint32_t i = 0; i < f->records; i++)
        bytes += record_bytes(m, &m->record[f->record + i]);
    return bytes;
}

/* The size of each function in the compact table, without what it shares with others; *TOTAL is the whole table's.
 * *new*; NULL if the table cannot be made. */
static uint64_t *compact_bytes(const sm_stackmap *m, size_t *total) {
    enum { FIELD = 4 };
    sm_buf table;
    sm_compact_field *field = NULL;
    uint64_t *bytes = calloc(m->functions + 1, sizeof *bytes);
    sm_buf_init(&table, UINT32_MAX);
    int ok = bytes && sm_compact_encode(m, &table, &field) == SM_OK;
    for (size_t at = 0, n = 0; ok && at < table.len;) {
        sm_compact c;
        ok = sm_compact_open(&c, table.data + at, table.len - at) == SM_OK;
        for (uint32_t i = 0; ok && i < c.functions; i++) {
            sm_compact_walk w = sm_compact_begin(&c, i);
            bytes[field[n++].function] = FIELD + 1 + sm_cursor_left(&w.in);
        }
        at += ok ? c.size : 0;
    }
    *total = table.len;
    free(field);
    sm_buf_free(&table);
    if (!ok) {
        free(bytes);
        return NULL;
    }
    return bytes;
}

int print_sizes(const sm_stackmap *m, FILE *to) {
    size_t compact;
    uint64_t *bytes = compact_bytes(m, &compact), llvm = m->functions ? 16 : 0;
    if (!bytes)
        return 0;
    fprintf(to, "safepoints  LLVM's bytes  compact  function\n");
    for (uint32_t i = 0; i < m->functions; i++) {
        const sm_function *f = &m->function[i];
        uint64_t own = f->records ? llvm_bytes(m, f) : 0;
        llvm += own;
        if (!f->records)
            continue;
        fprintf(to, "%10" PRIu32 "  %12" PRIu64 "  %7" PRIu64 "  ", f->records, own, bytes[i]);
        put_text(to, f->name ? f->name : "(no name)");
        fputc('\n', to);
    }
    fprintf(to, "%10" PRIu32 "  %12" PRIu64 "  %7zu  all, and what they share", m->records, llvm, compact);
    if (m->records)
        fprintf(to, "; %.1f and %.1f bytes a safepoint, %.1f %% less", (double)llvm / m->records,
                (double)compact / m->records, 100 - 100 * (double)compact / (double)llvm);
    fprintf(to, "\n");
    free(bytes);
    return 1;
}
