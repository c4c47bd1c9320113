/* Whatever a text holds, its JSON string is one that a parser reads. */
#include "jsontext.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

static void becomes(const char *text, size_t len, const char *json) {
    sm_buf out;
    sm_buf_init(&out, 1000);
    cr_assert_eq(sm_json_text(&out, text, len), SM_OK);
    cr_assert_str_eq(sm_buf_cstr(&out), json);
    sm_buf_free(&out);
}

#define BECOMES(text, json) becomes(text, sizeof text - 1, json)

Test(jsontext, plain_and_escaped) {
    BECOMES("", "\"\"");
    BECOMES("/v1/compile", "\"/v1/compile\"");
    BECOMES("a\"b\\c\nd", "\"a\\\"b\\\\c\\nd\"");
    BECOMES("\x01\t\0\x1f", "\"\\u0001\\u0009\\u0000\\u001f\"");
    BECOMES("\x7f", "\"\x7f\"");
}

/* Texts are read eight bytes at once: what has to be escaped is seen at each place, beside whatever stands there. */
Test(jsontext, each_byte_at_each_place) {
    enum { PLACES = 24 };
    static const unsigned char beside[] = {' ', '!', '#', '[', ']', '0', 0x7f};
    for (int byte = 0; byte < 0x80; byte++)
        for (size_t i = 0; i < PLACES * sizeof beside; i++) {
            char text[PLACES], json[PLACES + 8], escape[8];
            size_t at = i % PLACES;
            memset(text, beside[i / PLACES], sizeof text);
            text[at] = (char)byte;
            int is_escaped = byte < ' ' || byte == '"' || byte == '\\';
            int n = !is_escaped    ? snprintf(escape, sizeof escape, "%c", byte)
                    : byte == '\n' ? snprintf(escape, sizeof escape, "\\n")
                    : byte < ' '   ? snprintf(escape, sizeof escape, "\\u%04x", byte)
                                   : snprintf(escape, sizeof escape, "\\%c", byte);
            snprintf(json, sizeof json, "\"%.*s%.*s%.*s\"", (int)at, text, n, escape, (int)(PLACES - at - 1),
                     text + at + 1);
            becomes(text, sizeof text, json);
        }
}

Test(jsontext, utf8) {
    BECOMES("é€😀", "\"é€😀\"");
    BECOMES("x\xffy", "\"x\\ufffdy\"");                   /* no such byte */
    BECOMES("\xc3", "\"\\ufffd\"");                       /* cut short */
    BECOMES("\xc0\x80", "\"\\ufffd\\ufffd\"");            /* overlong */
    BECOMES("\xe0\x80\x80", "\"\\ufffd\\ufffd\\ufffd\""); /* likewise */
    BECOMES("\xed\xa0\x80", "\"\\ufffd\\ufffd\\ufffd\""); /* a surrogate */
    BECOMES("\xf4\x90\x80\x80", "\"\\ufffd\\ufffd\\ufffd\\ufffd\"");
}

Test(jsontext, keeps_to_its_bound) {
    sm_buf out;
    sm_buf_init(&out, 4);
    cr_assert_eq(sm_json_text(&out, "12345", 5), SM_TOO_LARGE);
    cr_assert_leq(out.len, 4);
    sm_buf_free(&out);
}
