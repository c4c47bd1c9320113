/* What beginners are told: warnings about what may not have been meant, and hints about what is no module. */
#include "http.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

static struct daemon d;

static void start(void) {
    d = daemon_start(NULL);
}

static void stop(void) {
    daemon_stop(&d);
}

TestSuite(advice, .init = start, .fini = stop, .timeout = 600);

/* ---- Warnings ------------------------------------------------------------------------------------------------ */

/* The answer's warnings as one text, a line each, *new* in *A until answer_free. */
static const char *warnings(const struct answer *a) {
    static char text[8192];
    size_t i, n = 0;
    json_t *one;
    text[0] = 0;
    json_array_foreach(json_object_get(a->json, "diagnostics"), i, one) {
        cr_assert_str_eq(json_string_value(json_object_get(one, "severity")), "warning");
        n += (size_t)snprintf(text + n, sizeof text - n, "%s\n", json_string_value(json_object_get(one, "message")));
    }
    return text;
}

static struct answer compiled(const char *query, const char *module) {
    char path[300];
    snprintf(path, sizeof path, "/v1/compile?%s", query);
    struct answer a = post(&d, path, module);
    cr_assert_eq(a.http, 200, "%s: %s", query, (char *)a.body.data);
    return a;
}

/* The module is compiled, with one warning, which contains HINT, in JSON and in text. */
static void warns(const char *query, const char *module, const char *hint) {
    char path[300];
    struct answer a = compiled(query, module);
    const char *said = warnings(&a);
    cr_expect(strstr(said, hint), "%s: '%s' is not in: %s", query, hint, said);
    cr_expect_eq(json_array_size(json_object_get(a.json, "diagnostics")), 1, "%s: %s", query, said);
    answer_free(a);
    snprintf(path, sizeof path, "/v1/compile?%s", query);
    a = ask(&d, (struct ask){.path = path, .body = module, .len = strlen(module), .headers = {"Accept: text/plain"}});
    const char *text = (const char *)a.body.data, *line = strstr(text, hint);
    cr_expect_eq(strncmp(text, "warning: ", strlen("warning: ")), 0, "%s", text);
    cr_expect(line && memmem(text, strcspn(text, "\n"), hint, strlen(hint)), "'%s' is not in: %s", hint, text);
    answer_free(a);
}

static void is_silent(const char *query, const char *module) {
    struct answer a = compiled(query, module);
    cr_expect_str_eq(warnings(&a), "", "%s", query);
    answer_free(a);
}

static const char plain[] = "define i32 @f(i32 %x) {\n  ret i32 %x\n}\n";

/* Other warnings are in tests/compiler/advice. */
Test(advice, a_module_that_is_a_comment) {
    warns("", "; nothing", "--data-binary");
    warns("", "; define void @f() { ret void }\n", "defines nothing");
}

/* A warning on a function has its line. */
Test(advice, warnings_have_places) {
    struct answer a = compiled("poll=call:p&safepoints=return",
                               "declare void @llvm.gcroot(ptr, ptr)\ndeclare ptr @make()\n\n"
                               "define ptr @f() gc \"shadow-stack\" {\n  %r = alloca ptr\n"
                               "  call void @llvm.gcroot(ptr %r, ptr null)\n  store ptr null, ptr %r\n"
                               "  %o = call ptr @make()\n  ret ptr %o\n}\n");
    const json_t *one = json_array_get(json_object_get(a.json, "diagnostics"), 0);
    cr_expect(strstr(warnings(&a), "No return poll"), "%s", warnings(&a));
    cr_expect_eq(json_integer_value(json_object_get(one, "line")), 8, "%s", (char *)a.body.data);
    answer_free(a);
}

Test(advice, comes_after_an_error) {
    struct answer a =
        post(&d, "/v1/compile?code_model=kernel&gc_registers=3",
             "define void @f() {\n  call void asm sideeffect \"no instruction\", \"\"()\n  ret void\n}\n");
    assert_problem(&a, 422, "codegen_failed");
    cr_expect_str_eq(diagnostic(&a, "severity"), "error");
    cr_expect(strstr((char *)a.body.data, "'gc_registers' has no effect"), "%s", (char *)a.body.data);
    cr_expect(!strstr(member(&a, "detail"), "gc_registers"), "%s", member(&a, "detail"));
    answer_free(a);
}

/* ---- Hints --------------------------------------------------------------------------------------------------- */

static void hints_of(const char *path, const char *type, const void *body, size_t len, const char *hint) {
    struct answer a = ask(&d, (struct ask){.path = path, .body = body, .len = len, .headers = {type}});
    cr_expect_geq(a.http, 400);
    cr_expect(strstr(member(&a, "detail"), hint), "'%s' is not in: %s", hint, (char *)a.body.data);
    answer_free(a);
}

static void hints(const char *body, const char *hint) {
    hints_of("/v1/compile", "Content-Type: text/plain", body, strlen(body), hint);
}

Test(advice, what_is_no_module) {
    hints("\177ELF\2\1\1", "/v1/stackmap");
    hints("\x1f\x8b\x08 and so on", "Content-Encoding");
    hints("\x28\xb5\x2f\xfd and so on", "Content-Encoding");
    hints("\xff\xfe; U", "UTF-16");
    hints("{\"ir\": \"define void @f() { ret void }\"}", "Content-Type: application/json");
    hints("<!DOCTYPE html>\n<html></html>\n", "HTML");
    hints("#include <stdio.h>\nint main(void) { return 0; }\n", "clang-19 -S -emit-llvm");
    hints("\n  int main(void) { return 0; }\n", "clang-19 -S -emit-llvm");
    hints("\t.text\n\t.file\t\"a.c\"\n\t.globl\tf\n", "assembly");
    hints("fn main() {\n}\n", "rustc");
    hints("module {\n  func.func @f() { return }\n}\n", "MLIR");
    hints("define void @f() {\n  ret void ; the end of", "inside a comment: it may have been cut short");
    hints("define void @f() {\n  call void @g()\n  ret void\n}\n; what @g d", "inside a comment: it may have been");
    hints("define i32 @f() {\n  %a = add i32 1,\n", "ends too early: it may have been cut short");
    hints("list.ll", "--data-binary @FILE");
    hints("ir=define void @f() { ret void }", "field of a form");
    hints("--- |\n  define void @f() {\n", "MIR");
    hints("#!/usr/bin/env python3\nprint(1)\n", "No module begins like this");
    hints("package main\nfunc main() {}\n", "No module begins like this");
    hints("!<arch>\nlist.o/", "archive");
    hints("\xff\xfe;", "UTF-16");
    hints_of("/v1/compile", "Content-Type: text/plain", ";\0 \0U\0T\0F\0", 10, "UTF-16");
    hints_of("/v1/compile", "Content-Type: text/plain", "\0;\0 \0U\0T\0F", 10, "UTF-16");
    hints_of("/v1/compile", "Content-Type: text/plain", "\xff\xfe\0\0;\0\0", 8, "UTF-32");
    char tar[512] = "list.ll";
    memcpy(tar + 257, "ustar", 5);
    hints_of("/v1/compile", "Content-Type: text/plain", tar, sizeof tar, "tar archive");
    hints_of("/v1/stackmap", "Content-Type: text/plain", "!<arch>\nlist.o/", 15, "one by one");
    hints("ir=define%20void%20%40f()%20%7B%0A", "--data-binary");
    hints("define i32 @f() { ; begins  ret i32 1}", "--data-binary");
    hints("; define void @f() { ret void }", "--data-binary");
    hints("; ModuleID = 'list.c'source_filename = \"list.c\"@g = global i32 1", "--data-binary");
    hints("declare void @g() ; the callerdefine void @f() {  call void @g()  ret void}", "--data-binary");
    hints_of("/v1/stackmap", "Content-Type: text/plain", plain, strlen(plain), "POST /v1/compile");
    hints_of("/v1/compile", "Content-Type: application/json", plain, strlen(plain), "is no JSON");
    hints_of("/v1/compile", "Content-Type: multipart/form-data; boundary=b", plain, strlen(plain), "--data-binary");
    hints_of("/v1/compile", "Content-Type: text/plain", "", 0, "--data-binary");
    hints_of("/compile", "Content-Type: text/plain", plain, strlen(plain), "did you mean /v1/compile?");
}

/* A comment in the only line of a module is no reason to refuse it. */
Test(advice, a_line_with_a_comment_compiles) {
    static const char *const lines[] = {"define void @f() { ret void } ; the end",
                                        "define void @f() { ret void } ; define nothing\n",
                                        "define void @\"a;define \"() { ret void }"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        is_silent("", lines[i]);
}

Test(advice, errors_that_need_no_hint_have_none) {
    static const char *const beginnings[] = {"",
                                             "; a comment\n",
                                             "source_filename = \"a\"\n",
                                             "target triple = \"\"\n",
                                             "$c = comdat any\n",
                                             "@x = global i32 1\n",
                                             "%t = type { i32 }\n",
                                             "declare void @g()\n",
                                             "attributes #0 = { cold }\n",
                                             "!0 = !{}\n",
                                             "module asm \"\"\n"};
    for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++) {
        char module[200];
        snprintf(module, sizeof module, "%sdefine void @f() {\n  %%x = add i32 1, %%nothing\n  ret void\n}\n",
                 beginnings[i]);
        struct answer a = post(&d, "/v1/compile", module);
        cr_expect_eq(json_array_size(json_object_get(a.json, "diagnostics")), 1, "%s", (char *)a.body.data);
        answer_free(a);
    }
}

Test(advice, bitcode_that_is_cut_off) {
    struct answer a = ask(&d, (struct ask){.path = "/v1/compile", .body = "BC\xc0\xde", .len = 4});
    assert_problem(&a, 422, "parse_error");
    cr_expect(strstr(member(&a, "detail"), "cut short"), "%s", (char *)a.body.data);
    answer_free(a);
}

Test(advice, an_object_without_a_stackmap) {
    struct answer object = ask(&d, (struct ask){.path = "/v1/compile",
                                                .body = plain,
                                                .len = strlen(plain),
                                                .headers = {"Accept: application/octet-stream"}});
    struct answer a = ask(&d, (struct ask){.path = "/v1/stackmap", .body = object.body.data, .len = object.body.len});
    cr_assert_eq(a.http, 200);
    cr_expect_str_eq(warnings(&a), "The object has no stackmap: no function of it has safepoints\n");
    answer_free(a);
    answer_free(object);
}

Test(advice, text_of_a_newer_llvm) {
    hints("define i1 @f(i32 %x) {\n  %c = icmp samesign ult i32 %x, 5\n  ret i1 %c\n}\n", "LLVM 20");
    hints("define void @f(ptr captures(none) %x) {\n  ret void\n}\n", "LLVM 21");
    hints("define void @f() {\n  oops\n}\n!0 = !{!\"clang version 42.1.0\"}\n", "LLVM 42");
}

static int bit(const struct bytes *b, size_t at) {
    return b->data[at / 8] >> (at % 8) & 1;
}

/* Bitcode spells the version of its producer in characters of six bits (LLVM BitCodeFormat, "char6"). */
static unsigned char6(char c) {
    static const char order[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._";
    return (unsigned)(strchr(order, c) - order);
}

static int stands_at(const struct bytes *b, size_t at, const char *text) {
    for (size_t i = 0; text[i]; i++)
        for (unsigned k = 0; k < 6; k++)
            if (bit(b, at + 6 * i + k) != (int)(char6(text[i]) >> k & 1))
                return 0;
    return 1;
}

static void put(struct bytes *b, size_t at, const char *text) {
    for (size_t i = 0; text[i]; i++)
        for (unsigned k = 0; k < 6; k++) {
            size_t n = at + 6 * i + k;
            b->data[n / 8] = (unsigned char)((b->data[n / 8] & ~(1u << n % 8)) | (char6(text[i]) >> k & 1u) << n % 8);
        }
}

Test(advice, bitcode_of_a_newer_llvm) {
    int status;
    size_t at = 0;
    struct bytes b = run_command("llvm-as-19", plain, strlen(plain), &status);
    cr_assert_eq(status, 0);
    while (at + 48 < 8 * b.len && !stands_at(&b, at, "LLVM19."))
        at++;
    cr_assert(stands_at(&b, at, "LLVM19."));
    put(&b, at, "LLVM42.");
    /* its symbol table cut off, it is no bitcode that LLVM 19 reads */
    hints_of("/v1/compile", "Content-Type: application/octet-stream", b.data, b.len - 28, "LLVM 42");
    bytes_free(b);
}

/* ---- What is taken ------------------------------------------------------------------------------------------- */

Test(advice, a_byte_order_mark_is_skipped) {
    is_silent("", "\xef\xbb\xbf; a comment\ndefine void @f() {\n  ret void\n}\n");
    struct answer a = post(&d, "/v1/compile",
                           "\xef\xbb\xbf"
                           "define void @f() { oops }\n");
    assert_problem(&a, 422, "parse_error");
    cr_expect_eq(diagnostic_number(&a, "line"), 1);
    cr_expect_eq(diagnostic_number(&a, "column"), 20);
    cr_expect_str_eq(diagnostic(&a, "source"), "define void @f() { oops }");
    answer_free(a);
    static const char with_triple[] =
        "\xef\xbb\xbftarget triple = \"aarch64-unknown-linux-gnu\"\ndefine void @f() {\n  ret void\n}\n";
    a = compiled("", with_triple);
    cr_expect_str_eq(member(&a, "target"), "aarch64-unknown-linux-gnu");
    cr_expect_eq(json_integer_value(json_object_get(a.json, "input_bytes")), (json_int_t)strlen(with_triple));
    answer_free(a);
}

Test(advice, media_types_of_ir) {
    static const char *const types[] = {"Content-Type: text/plain; charset=utf-8",
                                        "Content-Type: text/x-llvm-ir",
                                        "Content-Type: text/markdown",
                                        "Content-Type: application/x-llvm",
                                        "Content-Type: application/x-llvm-ir",
                                        "Content-Type: application/x-llvm-bitcode",
                                        "Content-Type: application/octet-stream",
                                        "Content-Type: application/x-www-form-urlencoded"};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        struct answer a =
            ask(&d, (struct ask){.path = "/v1/compile", .body = plain, .len = strlen(plain), .headers = {types[i]}});
        cr_expect_eq(a.http, 200, "%s: %s", types[i], (char *)a.body.data);
        answer_free(a);
    }
}
