/* The status table: names and codes are unique, and found again. */
#include "status.h"

#include <criterion/criterion.h>
#include <string.h>

static const unsigned codes[] = {
#define X(code, name, wire, http, text) code,
    SM_STATUS_MAP(X)
#undef X
};

Test(status, every_row_is_found_by_code_and_name) {
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++) {
        cr_assert(sm_status_known(codes[i]));
        cr_assert_eq(sm_status_from_name(sm_status_name((sm_status)codes[i])), (int)codes[i]);
        cr_assert(sm_status_http((sm_status)codes[i]) >= 200 && sm_status_http((sm_status)codes[i]) < 600);
    }
}

Test(status, codes_are_unique) {
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
        for (size_t j = 0; j < i; j++)
            cr_assert_neq(codes[i], codes[j]);
}

Test(status, unknown_numbers_and_names) {
    cr_assert_not(sm_status_known(99));
    cr_assert_str_eq(sm_status_name((sm_status)99), "unknown");
    cr_assert_eq(sm_status_http((sm_status)99), 500);
    cr_assert_eq(sm_status_from_name("no_such_name"), -1);
}
