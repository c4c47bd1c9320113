/* The key of a compile: fixed vectors, which any other implementation has to give too, and what changes a key. */
#include "hex.h"
#include "key.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static const unsigned char empty_sha256[32] = {0xe3, 0xb0, 0xc4, 0x42, 0x98, 0xfc, 0x1c, 0x14, 0x9a, 0xfb, 0xf4,
                                               0xc8, 0x99, 0x6f, 0xb9, 0x24, 0x27, 0xae, 0x41, 0xe4, 0x64, 0x9b,
                                               0x93, 0x4c, 0xa4, 0x95, 0x99, 0x1b, 0x78, 0x52, 0xb8, 0x55};

static char context[SM_KEY_TEXT];

static void start(void) {
    cr_assert_eq(sm_key_context("llvm-test", "", context), SM_OK);
}

TestSuite(key, .init = start);

static void key_with(const char *name, const char *value, char key[SM_KEY_TEXT]) {
    sm_options o;
    sm_options_init(&o);
    if (name)
        cr_assert_eq(sm_options_set(&o, name, value, strlen(value), NULL), SM_OK, "%s=%s", name, value);
    cr_assert_eq(sm_key(context, SM_JOB_COMPILE, &o, empty_sha256, key), SM_OK);
}

Test(key, vectors) {
    char key[SM_KEY_TEXT];
    cr_assert_str_eq(context, "014b5b1b84bf6a54c6405b1bcb5685035578cd8d826ad5a919310f22c2f30d2a");
    key_with(NULL, NULL, key);
    cr_assert_str_eq(key, "77fc2db7b0fe28d1d83259f1a55c29ff873cfb177db1c825caa78e08c295dfb1");
    cr_assert_eq(sm_key(context, SM_JOB_STACKMAP, NULL, empty_sha256, key), SM_OK);
    cr_assert_str_eq(key, "ca19790dc51600f3e065c92663009cd08b075f0f3de97eddeef9374684bb303e");
}

Test(key, keyed_options_alone_change_it) {
    static const struct {
        const char *name, *value;
        int same;
    } cases[] = {{"opt", "2", 1},          {"safepoints", "backedge,entry", 1},
                 {"deadline_ms", "5", 1},  {"remat", "yes", 1},
                 {"priority", "batch", 1}, {"opt", "3", 0},
                 {"cpu", "x", 0},          {"target", "x86_64-linux-gnu", 0},
                 {"emit", "obj,ir", 0},    {"name", "a", 0},
                 {"safepoints", "none", 0}};
    char plain[SM_KEY_TEXT], key[SM_KEY_TEXT];
    key_with(NULL, NULL, plain);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        key_with(cases[i].name, cases[i].value, key);
        cr_assert_eq(strcmp(plain, key) == 0, cases[i].same, "%s=%s", cases[i].name, cases[i].value);
    }
}

Test(key, compiler_salt_and_input_change_it) {
    char plain[SM_KEY_TEXT], other[SM_KEY_TEXT];
    unsigned char input[32] = {0};
    sm_options o;
    sm_options_init(&o);
    key_with(NULL, NULL, plain);
    cr_assert_eq(sm_key(context, SM_JOB_COMPILE, &o, input, other), SM_OK);
    cr_assert_str_neq(plain, other);
    cr_assert_eq(sm_key_context("llvm-other", "", other), SM_OK);
    cr_assert_str_neq(context, other);
    cr_assert_eq(sm_key_context("llvm-test", "tenant", other), SM_OK);
    cr_assert_str_neq(context, other);
}

Test(key, spelling) {
    char key[SM_KEY_TEXT];
    key_with(NULL, NULL, key);
    cr_assert(sm_key_valid(key, strlen(key)));
    cr_assert_not(sm_key_valid(key, 63));
    key[5] = 'A';
    cr_assert_not(sm_key_valid(key, 64));
    key[5] = '/';
    cr_assert_not(sm_key_valid(key, 64));
}

Test(key, as_text_and_back) {
    const char *text = "00ff1a2b3c4d5e6f708192a3b4c5d6e7f8090a1b2c3d4e5f60718293a4b5c6d7";
    struct sm_key raw;
    char back[SM_KEY_TEXT];
    cr_assert(sm_key_read(text, strlen(text), &raw));
    cr_assert_eq(raw.byte[0], 0);
    cr_assert_eq(raw.byte[1], 0xff);
    cr_assert_eq(raw.byte[31], 0xd7);
    sm_key_text(&raw, back);
    cr_assert_str_eq(back, text);
    cr_assert_not(sm_key_read(text, 63, &raw));
    cr_assert_not(sm_key_read("00FF1a2b3c4d5e6f708192a3b4c5d6e7f8090a1b2c3d4e5f60718293a4b5c6d7", 64, &raw));
}

Test(key, hexadecimal_digits) {
    unsigned char byte;
    for (int c = 0; c < 256; c++) {
        const char text[] = {(char)c, '0', 0}, other[] = {'0', (char)c, 0};
        int is_digit = c && strchr("0123456789abcdefABCDEF", c), is_lower = c && strchr("0123456789abcdef", c);
        cr_assert_eq(sm_hex_digit((char)c), is_digit ? (int)strtol((char[]){(char)c, 0}, NULL, 16) : -1);
        cr_assert_eq(sm_hex_get(text, &byte, 1) == text + 2, is_lower);
        cr_assert_eq(sm_hex_get(other, &byte, 1) == other + 2, is_lower);
    }
}
