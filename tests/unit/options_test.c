/* The option table: every row takes its default back, bounds hold, spelling does not matter, errors say what is
 * right. */
#include "options.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

static sm_options o;
static sm_option_error err;

static void defaults(void) {
    sm_options_init(&o);
    memset(&err, 0, sizeof err);
}

TestSuite(options, .init = defaults);

static sm_status set(const char *name, const char *value) {
    return sm_options_set(&o, name, value, strlen(value), &err);
}

static const char *text(int keyed_only) {
    static char out[8192];
    sm_buf b;
    sm_buf_init(&b, sizeof out - 1);
    cr_assert_eq(sm_options_text(&o, keyed_only, &b), SM_OK);
    snprintf(out, sizeof out, "%s", sm_buf_cstr(&b));
    sm_buf_free(&b);
    return out;
}

Test(options, defaults_are_values_of_their_rows) {
    size_t rows;
    const sm_option_row *table = sm_option_table(&rows);
    for (size_t i = 0; i < rows; i++)
        cr_assert_eq(set(table[i].name, table[i].dflt), SM_OK, "%s=%s", table[i].name, table[i].dflt);
}

Test(options, text_is_read_back) {
    set("target", "aarch64-linux-gnu");
    set("emit", "asm,obj");
    set("safepoints", "none");
    set("opt", "z");
    set("remat", "off");
    char before[8192];
    snprintf(before, sizeof before, "%s", text(0));
    cr_assert_eq(sm_options_parse(&o, before, strlen(before), &err), SM_OK);
    cr_assert_str_eq(text(0), before);
    cr_assert_eq(o.opt, SM_OPT_Z);
    cr_assert_eq(o.remat, 0);
    cr_assert_eq(o.safepoints, 0);
}

Test(options, the_last_line_of_an_option_counts) {
    char lines[8192];
    snprintf(lines, sizeof lines, "opt=0\ngc=mine\nremat=off\n%s", text(0)); /* the defaults */
    set("opt", "z");
    cr_assert_eq(sm_options_parse(&o, lines, strlen(lines), &err), SM_OK);
    cr_assert_str_eq(text(0), strstr(lines, "off\n") + 4);
}

Test(options, spelling_and_order_do_not_matter) {
    set("emit", "asm,obj");
    set("remat", "yes");
    char one[8192];
    snprintf(one, sizeof one, "%s", text(1));
    sm_options_init(&o);
    set("remat", "1");
    set("emit", "obj,asm,obj");
    cr_assert_str_eq(text(1), one);
}

Test(options, deadline_is_not_part_of_the_key) {
    char before[8192];
    snprintf(before, sizeof before, "%s", text(1));
    set("deadline_ms", "5");
    set("priority", "batch");
    cr_assert_str_eq(text(1), before);
}

static void refused(const char *name, const char *value, sm_status status, const char *hint) {
    sm_options before = o;
    cr_assert_eq(set(name, value), status, "%s=%s", name, value);
    cr_assert(strstr(err.message, hint), "'%s' does not say '%s'", err.message, hint);
    cr_assert_eq(memcmp(&before, &o, sizeof o), 0, "a refused value changes nothing");
}

Test(options, an_integer_may_have_a_word) {
    char one[8192];
    sm_options again;
    set("gc_registers", "auto");
    cr_assert_eq(o.gc_registers, SM_REGISTERS_AUTO);
    snprintf(one, sizeof one, "%s", text(1));
    cr_assert(strstr(one, "\ngc_registers=auto\n"), "%s", one);
    cr_assert_eq(sm_options_parse(&again, one, strlen(one), NULL), SM_OK);
    cr_assert_eq(again.gc_registers, SM_REGISTERS_AUTO);
    set("gc_registers", "0");
    cr_assert_eq(o.gc_registers, 0);
}

Test(options, refusals) {
    refused("oppt", "2", SM_UNKNOWN_OPTION, "'opt'");
    refused("zzzzzzzz", "2", SM_UNKNOWN_OPTION, "no option");
    refused("opt", "4", SM_INVALID_OPTION, "0,1,2,3,s,z");
    refused("opt", "", SM_INVALID_OPTION, "0,1,2,3,s,z");
    refused("gc_registers", "33", SM_INVALID_OPTION, "from 0 to 32");
    refused("gc_registers", "-1", SM_INVALID_OPTION, "from 0 to 32, or auto");
    refused("gc_registers", "aut", SM_INVALID_OPTION, "or auto");
    refused("gc_registers", "autos", SM_INVALID_OPTION, "or auto");
    refused("poll_interval", "auto", SM_INVALID_OPTION, "from 0 to 1000000000");
    refused("gc_registers", "1x", SM_INVALID_OPTION, "from 0 to 32");
    refused("gc_registers", "99999999999999999999", SM_INVALID_OPTION, "from 0 to 32");
    refused("remat", "maybe", SM_INVALID_OPTION, "true or false");
    refused("safepoints", "entry,,return", SM_INVALID_OPTION, "or none");
    refused("safepoints", "entry,", SM_INVALID_OPTION, "or none");
    refused("emit", "none", SM_INVALID_OPTION, "obj,ir");
    refused("target", "a\nb", SM_INVALID_OPTION, "printable");
    refused("cpu", "0123456789012345678901234567890123456789012345678901234567890123", SM_INVALID_OPTION, "63 bytes");
}
