/* decode.c - the object's tables as JSON and as text for a person. */
#include "base.h"
#include "explain.h"
#include "faultmap.h"
#include "gcmap.h"
#include "gcroot.h"
#include "input.h"
#include "memory.h"
#include "report.h"
#include "stackmap_json.h"
#include "stackmap_lines.h"
#include "stackmap_object.h"

#include <string.h>

/* Writes the warnings of LIST as text; control characters in them become "?", as they could steer a terminal. */
static void put_warnings(const json_t *list, sm_buf *out) {
    size_t i;
    json_t *d;
    json_array_foreach(list, i, d) {
        const char *text = json_string_value(json_object_get(d, "message"));
        if (strcmp(json_string_value(json_object_get(d, "severity")), "warning") != 0)
            continue;
        sm_buf_puts(out, "warning: ");
        for (; *text; text++) /* for a terminal, which names could steer */
            sm_buf_put_u8(out, (unsigned char)*text < 0x20 || *text == 0x7f ? '?' : (unsigned char)*text);
        sm_buf_puts(out, "\n\n");
    }
}

/* Writes the decoded stackmap as JSON and, with warnings, as text for a person; the lines of the source where they are
 * asked for, or the object has debug information. */
static sm_status render(struct compile *c) {
    sm_lines lines = {0};
    int has_lines = sm_lines_exist(&c->object.elf);
    sm_status s = has_lines ? xstatus(sm_stackmap_lines(&lines, &c->object.map, &c->object.elf)) : SM_OK;
    if (s == SM_OK)
        s = xstatus(sm_stackmap_to_json(&c->object.map, &c->stackmap));
    if (s == SM_OK && c->options->emit & SM_EMIT_LINES)
        s = xstatus(sm_stackmap_lines_json(&lines, &c->object.map, &c->lines));
    put_warnings(c->diagnostics, &c->explain);
    put_warnings(c->advice, &c->explain);
    if (s == SM_OK)
        s = xstatus(sm_explain(&c->object.map, has_lines ? &lines : NULL, 0, &c->explain));
    sm_lines_free(&lines);
    return s == SM_OK ? s
                      : fail(c, s == SM_TOO_LARGE ? SM_OUTPUT_TOO_LARGE : s, NULL,
                             "The stackmap cannot be written: %s", sm_status_text(s));
}

/* Adds the tables of collectors and faults and the roots' metadata to the decoded stackmap, and writes it. Requires
 * an object of ours. */
sm_status stage_decode(struct compile *c) {
    sm_stackmap_error wrong = {0};
    sm_status s = sm_gcmap_of_object(&c->object.map, &c->object.elf, &wrong);
    if (s == SM_OK)
        s = sm_faultmap_of_object(&c->object.map, &c->object.elf, &wrong);
    if (s != SM_OK)
        return fail(c, unreadable_table(c, s), NULL, "The emitted GC table cannot be read: %s", wrong.message);
    root_sites_read(c);
    return render(c);
}

/* Fails with SM_INVALID_OBJECT, and says what the input seems to be instead. */
static sm_status refuse_foreign(struct compile *c) {
    const char *other = foreign_format(c->input, c->input_len);
    return other ? fail(c, SM_INVALID_OBJECT, NULL, "%s", other)
                 : fail(c, SM_INVALID_OBJECT, NULL,
                        "This is no ELF file; this route takes objects and programs, POST /v1/compile takes modules");
}

/* Decodes the input, an object that was posted, and writes its stackmap; fails with the place if it is not valid. */
sm_status decode_foreign(struct compile *c) {
    struct emitted *e = &c->object;
    sm_stackmap_error wrong = {0};
    char why[200];
    if (c->input_len < 4 || memcmp(c->input, "\177ELF", 4) != 0)
        return refuse_foreign(c);
    sm_status s = sm_elf_open(&e->elf, c->input, c->input_len, why, sizeof why);
    if (xstatus(s) != SM_OK)
        return fail(c, s, NULL, "%s", why);
    s = sm_stackmap_of_object(&e->map, &e->elf, &wrong);
    if (s == SM_OK)
        s = sm_gcmap_of_object(&e->map, &e->elf, &wrong);
    if (s == SM_OK)
        s = sm_faultmap_of_object(&e->map, &e->elf, &wrong);
    if (xstatus(s) != SM_OK)
        return fail(c, s, NULL, "Byte %llu of the table: %s", (unsigned long long)wrong.offset, wrong.message);
    sm_stackmap_guess_kinds(&e->map);
    if (e->map.functions == 0)
        diag_add(c, "warning", NULL, "The object has no stackmap: no function of it has safepoints");
    return render(c);
}
