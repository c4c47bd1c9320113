/* The token file. What is read of it is what a row may be; what is not is refused with its place. */
#include "fuzz.h"

#include "rows.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct error err = {0};
    struct access_row *rows;
    int n = rows_parse("FILE", (sm_slice){data, size}, &rows, &err);
    must(n >= -1 && n <= ACCESS_ROWS && (n >= 0) == (rows != NULL));
    must(n >= 0 ? !err.text[0] : strstr(err.text, "FILE") != NULL);
    for (int i = 0; i < n; i++) {
        const struct access_row *row = &rows[i];
        must(sm_tenant_valid(row->name) && sm_tenant_valid(row->tenant));
        must(row->scopes && row->scopes < 1u << SM_SCOPES && row->proof <= PROOF_JWT);
        must(row->requests_per_s >= 0 && row->jobs >= 0 && row->deadline_ms >= 0);
        must(row->mib_per_day >= 0 && row->cpu_s_per_day >= 0);
        must((row->proof == PROOF_JWT) == (row->subject[0] != 0) && memchr(row->subject, 0, sizeof row->subject));
        for (int k = 0; k < i; k++)
            must(strcmp(rows[k].name, row->name) != 0);
    }
    free(rows);
    return 0;
}
