/* Bad requests and bad modules: the right status, a code, a place, always JSON; and the next request is served. */
#include "http.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct daemon d;

static void start(void) {
    d = daemon_start(NULL);
}

static void stop(void) {
    struct answer a = post(&d, "/v1/compile", "define void @f() {\n  ret void\n}\n");
    cr_assert_eq(a.http, 200, "the daemon serves after all that");
    answer_free(a);
    daemon_stop(&d);
}

TestSuite(errors, .init = start, .fini = stop, .timeout = 600);

static void refuses(const char *path, const char *body, int http, const char *code, const char *hint) {
    struct answer a = post(&d, path, body);
    assert_problem(&a, http, code);
    cr_assert(strstr((char *)a.body.data, hint), "'%s' is not in %s", hint, (char *)a.body.data);
    answer_free(a);
}

static const char fine[] = "define void @f() {\n  ret void\n}\n";

Test(errors, options) {
    refuses("/v1/compile?oppt=2", fine, 400, "unknown_option", "did you mean 'opt'");
    refuses("/v1/compile?opt=9", fine, 400, "invalid_option", "0,1,2,3,s,z");
    refuses("/v1/compile?opt", fine, 400, "invalid_option", "0,1,2,3,s,z");
    refuses("/v1/compile?gc_registers=many", fine, 400, "invalid_option", "integer from 0 to 32");
    refuses("/v1/compile?deadline_ms=0", fine, 400, "invalid_option", "from 1 to 600000");
    refuses("/v1/compile?emit=obj,objj", fine, 400, "invalid_option", "\"option\":\"emit\"");
    refuses("/v1/compile?target=sparc-sun-solaris", fine, 400, "unknown_target", "aarch64-unknown-linux-gnu");
    refuses("/v1/compile?target=x86_64-apple-darwin", fine, 400, "unknown_target", "x86_64-unknown-linux-gnu");
    static const char *const no_elf64[] = {"x86_64-linux-gnux32",
                                           "x86_64-linux-muslx32",
                                           "aarch64-linux-gnu_ilp32",
                                           "x86_64-pc-linux-code16",
                                           "x86_64-unknown-unknown-wasm",
                                           "x86_64-linux-gnu-dxcontainer",
                                           "x86_64-driverkit",
                                           "aarch64-xros"};
    for (size_t i = 0; i < sizeof no_elf64 / sizeof *no_elf64; i++) {
        char path[100], module[200];
        snprintf(path, sizeof path, "/v1/compile?target=%s", no_elf64[i]);
        refuses(path, fine, 400, "unknown_target", no_elf64[i]);
        snprintf(module, sizeof module, "target triple = \"%s\"\n%s", no_elf64[i], fine);
        refuses("/v1/compile", module, 400, "unknown_target", no_elf64[i]);
    }
    refuses("/v1/compile?cpu=pentium-ninety", fine, 400, "invalid_option", "pentium-ninety");
    refuses("/v1/compile?features=%2Bnosuchthing", fine, 400, "invalid_option", "nosuchthing");
    refuses("/v1/compile?features=avx2", fine, 400, "invalid_option", "'avx2' has no sign");
    refuses("/v1/compile?features=-bmi,avx2", fine, 400, "invalid_option", "'avx2' has no sign");
    refuses("/v1/compile?features=+avx2", fine, 400, "invalid_option", "%2Bavx2");
    refuses("/v1/compile?opt=2&opt=3", fine, 400, "invalid_option", "'opt' is given twice");
    refuses("/v1/compile?emit=ir&opt=1&emit=asm", fine, 400, "invalid_option", "separated by commas");
    refuses("/v1/compile?target=aarch64-linux-gnu&code_model=medium", fine, 400, "invalid_option", "code_model");
    refuses("/v1/compile?poll=call", fine, 400, "invalid_option", "call:SYMBOL");
}

/* What was probably meant, and how to say it. */
Test(errors, what_to_say_instead) {
    static const struct {
        const char *path, *module;
        int http;
        const char *code, *hint;
    } cases[] = {
        {"?O=2", fine, 400, "unknown_option", "did you mean 'opt'"},
        {"?optimize=2", fine, 400, "unknown_option", "did you mean 'opt'"},
        {"?cpu=haswel", fine, 400, "invalid_option", "did you mean 'haswell'"},
        {"?cpu=neoverse-n8&target=aarch64-linux-gnu", fine, 400, "invalid_option", "did you mean 'neoverse-n1'"},
        {"?gc=statepoint", fine, 422, "unsupported_gc_strategy", "did you mean 'statepoint-example'"},
        {"?gc=statepoint", fine, 422, "unsupported_gc_strategy",
         "'statepoint-example'? There are statepoint-example, "},
        {"?safepoints=entri", fine, 400, "invalid_option", "did you mean 'entry'? it takes any of entry,backedge"},
        {"?safepoints=loop,entry,Return,", fine, 400, "invalid_option", "did you mean 'return'?"},
        {"?safepoints=entry,elsewhere", fine, 400, "invalid_option", "of 'safepoints'; it takes"},
        {"?emit=object", fine, 400, "invalid_option", "did you mean 'obj'?"},
        {"?emit=obj,stage", fine, 400, "invalid_option", "did you mean 'stages'?"},
        {"?reloc=pie", fine, 400, "invalid_option", "did you mean 'pic'?"},
        {"?target=aarch64", fine, 400, "unknown_target", "did you mean 'aarch64-unknown-linux-gnu'"},
        {"?target=amd64", fine, 400, "unknown_target", "did you mean 'x86_64-unknown-linux-gnu'"},
        {"", "target triple = \"arm64-apple-macosx14.0.0\"\n", 400, "unknown_target",
         "goes before it: target=aarch64-unknown-linux-gnu"},
        {"", "target triple = \"x86_64-pc-windows-msvc\"\n", 400, "unknown_target",
         "goes before it: target=x86_64-unknown-linux-gnu"},
        {"", "target triple = \"riscv64-unknown-linux-gnu\"\n", 400, "unknown_target",
         "or target=aarch64-unknown-linux-gnu"},
        {"", "define void @f() gc \"mygc\" {\n  ret void\n}\n", 422, "unsupported_gc_strategy",
         "smc compile --profile '{\\\"name\\\":\\\"mygc\\\",\\\"base\\\":\\\"statepoint-example\\\"}'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char path[200];
        snprintf(path, sizeof path, "/v1/compile%s", cases[i].path);
        refuses(path, cases[i].module, cases[i].http, cases[i].code, cases[i].hint);
    }
}

/* Whoever finds what is wrong, its name is a member: the table of options, or the compiler; and in a batch too. */
Test(errors, the_option_that_is_wrong_is_a_member) {
    static const char *const cases[][2] = {{"opt", "9"},          {"cpu", "nix"},     {"features", "avx2"},
                                           {"target", "riscv64"}, {"gc", "nix"},      {"poll", "call:"},
                                           {"barrier", "card"},   {"spaces", "1:64"}, {"code_model", "tiny"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char path[100], batch[300];
        snprintf(path, sizeof path, "/v1/compile?%s=%s", cases[i][0], cases[i][1]);
        struct answer a = post(&d, path, fine);
        cr_assert_str_eq(member(&a, "option"), cases[i][0], "%s", (char *)a.body.data);
        answer_free(a);
        snprintf(batch, sizeof batch, "[{\"ir\":\"define void @f() { ret void }\",\"options\":{\"%s\":\"%s\"}}]",
                 cases[i][0], cases[i][1]);
        a = ask(&d, (struct ask){.path = "/v1/batch",
                                 .body = batch,
                                 .len = strlen(batch),
                                 .headers = {"Content-Type: application/json"}});
        const json_t *first = json_array_get(json_object_get(a.json, "results"), 0);
        cr_assert_str_eq(json_string_value(json_object_get(first, "option")), cases[i][0], "%s", (char *)a.body.data);
        answer_free(a);
    }
    refuses("/v1/compile?leaf=f&safepoints=none",
            "declare void @g()\ndefine void @f() gc \"statepoint-example\" {\n  call void @g()\n  ret void\n}\n", 400,
            "invalid_option", "\"option\":\"leaf\"");
    refuses("/v1/compile", "define void @f() gc \"statepoint-example\" {\n  ret void\n}\n", 422,
            "missing_safepoint_poll", "\"option\":\"poll\"");
}

/* The note on what has become of a module on its way, or what of it is too new. */
Test(errors, what_the_module_may_be) {
    static const char whole[] = "define i64 @f(i64 %a) {\n  %b = add i64 %a, 1\n  ret i64 %b\n}\n\n"
                                "define i64 @g(i64 %a) gc \"statepoint-example\" {\n  ret i64 %a\n}\n";
    static const char *const ends[] = {
        "%b = a", "ret i64", "ret i64 %b\n", "gc \"state", "gc \"statepoint-example\" {", "@g(i64 %a"};
    char cut[sizeof whole], bitcode[100] = "BC\xc0\xde";
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        snprintf(cut, sizeof cut, "%.*s", (int)(strstr(whole, ends[i]) + strlen(ends[i]) - whole), whole);
        refuses("/v1/compile", cut, 422, "parse_error", "cut short");
    }
    refuses("/v1/compile", "define i64 @f() {\n  ret i64 %x\n}\n", 422, "parse_error", "%x'\",\"key\"");
    memset(bitcode + 4, 'x', sizeof bitcode - 5);
    refuses("/v1/compile", bitcode, 422, "parse_error", "--data-binary keeps them");
    refuses("/v1/compile", "define i64 @f(i64 %a) {entry:  br label %xx:  ret i64 %a}", 422, "parse_error",
            "--data-binary keeps them");
    refuses("/v1/compile", "define void @f() { oops }\n", 422, "parse_error", "instruction opcode\",\"key\"");
    refuses("/v1/compile", "define i1 @f(i64 %a) {\n  %c = icmp samesign ult i64 %a, 4\n  ret i1 %c\n}\n", 422,
            "parse_error", "'samesign' is of LLVM 20, and this server has LLVM 19: it is a promise");
    refuses("/v1/compile", "define void @f(ptr captures(none) %a) {\n  ret void\n}\n", 422, "parse_error",
            "'captures' is of LLVM 21");
    refuses("/v1/compile", "define i64 @f(ptr %a) {\n  %b = ptrtoaddr ptr %a to i64\n  ret i64 %b\n}\n", 422,
            "parse_error", "'ptrtoaddr' is of LLVM 22, and this server has LLVM 19: it is an operation");
}

/* Whoever can read what smd can read could send it home in an object. */
static void reads_no_files(void) {
    static const char secret[] = "/etc/hostname";
    static const char *const modules[] = {
        "module asm \".incbin \\22%s\\22\"\n",
        "module asm \".include \\22%s\\22\"\n",
        "define void @f() {\n  call void asm sideeffect \".incbin \\22%s\\22\", \"\"()\n  ret void\n}\n",
        "define void @f() {\n  call void asm sideeffect \".include \\22%s\\22\", \"\"()\n  ret void\n}\n",
        "module asm \".macro m x\"\nmodule asm \".inc\\5Cx \\22%s\\22\"\nmodule asm \".endm\"\nmodule asm \"m "
        "bin\"\n",
        "module asm \".irp x, lude\"\nmodule asm \".inc\\5Cx \\22%s\\22\"\nmodule asm \".endr\"\n",
        "@incbin = external dso_local global i8\ndefine void @f() {\n"
        "  call void asm sideeffect \".${0:c} \\22%s\\22\", \"i\"(ptr @incbin)\n  ret void\n}\n"};
    static const char *const paths[] = {"/v1/compile?reloc=static", "/v1/compile?opt=0&emit=asm&reloc=static",
                                        "/v1/compile?target=aarch64-linux-gnu&reloc=static"};
    for (size_t i = 0; i < sizeof modules / sizeof *modules; i++)
        for (size_t j = 0; j < sizeof paths / sizeof *paths; j++) {
            char module[400];
            snprintf(module, sizeof module, modules[i], secret);
            refuses(paths[j], module, 422, "codegen_failed", "neither .incbin nor .include");
        }
    cr_assert_eq(metric(&d, "smd_worker_exits_total{cause=\"crashed\"}"), 0);
}

Test(errors, assembly_reads_no_files) {
    reads_no_files();
}

Test(errors, nor_without_a_sandbox) {
    daemon_stop(&d);
    d = daemon_start((const char *const[]){"--sandbox", "off", NULL});
    reads_no_files();
}

Test(errors, parse_errors_have_a_place) {
    struct answer a = post(&d, "/v1/compile", "define void @f() {\n  %x = add i32 1, %nothing\n  ret void\n}\n");
    assert_problem(&a, 422, "parse_error");
    cr_assert_eq(diagnostic_number(&a, "line"), 2);
    cr_assert_eq(diagnostic_number(&a, "column"), 19);
    cr_assert_str_eq(diagnostic(&a, "source"), "  %x = add i32 1, %nothing");
    cr_assert(strstr(diagnostic(&a, "message"), "%nothing"));
    answer_free(a);
    a = post(&d, "/v1/compile", "what is this\n");
    assert_problem(&a, 422, "parse_error");
    cr_assert_eq(diagnostic_number(&a, "line"), 1);
    cr_assert_eq(diagnostic_number(&a, "column"), 1);
    cr_assert_str_eq(diagnostic(&a, "source"), "what is this");
    answer_free(a);
    refuses("/v1/compile", "BC\xc0\xde garbage", 422, "parse_error", "diagnostics\":[{");
}

Test(errors, verifier_findings_name_the_function) {
    struct answer a = post(&d, "/v1/compile",
                           "define void @good() {\n  ret void\n}\n"
                           "define i32 @bad(i1 %c) {\n  br i1 %c, label %a, label %b\na:\n  %x = add i32 1, 1\n  br "
                           "label %b\nb:\n  ret i32 %x\n}\n");
    assert_problem(&a, 422, "invalid_module");
    cr_assert_str_eq(diagnostic(&a, "function"), "bad");
    cr_assert_eq(diagnostic_number(&a, "line"), 7);
    cr_assert(strstr(diagnostic(&a, "message"), "dominate"));
    answer_free(a);
}

static void has_place(const char *query, const char *body, int line, int column, const char *source) {
    char path[200];
    snprintf(path, sizeof path, "/v1/compile?safepoints=none&%s", query);
    struct answer a = post(&d, path, body);
    assert_problem(&a, 422, "cannot_rewrite");
    cr_expect_eq(diagnostic_number(&a, "line"), line, "%s: %s", query, (char *)a.body.data);
    cr_expect_eq(diagnostic_number(&a, "column"), column);
    cr_expect_str_eq(diagnostic(&a, "source"), source);
    answer_free(a);
}

/* By the names that it has in the text: of a value, of what is called, of the function; not where one is there
 * twice. */
Test(errors, what_the_rewrite_refuses_has_a_place) {
    static const char head[] = "declare void @g()\ndeclare i32 @p(ptr, ...)\n"
                               "define void @other(i64 %s) {\n  %slot = add i64 %s, 1\n  ret void\n}\n";
    static const char call[] = "define void @\"f\"(ptr %s) gc \"statepoint-example\" {\n  call void @g()\n"
                               "  %n = call i32 (ptr, ...) @p(ptr %s, double 1.0)\n  ret void\n}\n";
    static const char twice[] =
        "define void @f(ptr %s) gc \"statepoint-example\" {\n"
        "  %n = call i32 (ptr, ...) @p(ptr %s, double 1.0)\n  %m = call i32 (ptr, ...) @p(ptr %s, double 1.0)\n"
        "  ret void\n}\n";
    static const char value[] =
        "define ptr addrspace(1) @f(ptr addrspace(1) %o, i64 %n) gc \"statepoint-example\" {\n"
        "  %slot = alloca ptr addrspace(1), i64 %n\r\n  store volatile ptr addrspace(1) %o, ptr %slot\n"
        "  call void @g()\n  %v = load volatile ptr addrspace(1), ptr %slot\n"
        "  ret ptr addrspace(1) %v\n}\n";
    char module[2048];
    for (int opt = 0; opt <= 2; opt += 2) {
        char query[20];
        snprintf(query, sizeof query, "opt=%d", opt);
        snprintf(module, sizeof module, "%s%s", head, call);
        has_place(query, module, 9, 3, "  %n = call i32 (ptr, ...) @p(ptr %s, double 1.0)");
        snprintf(module, sizeof module, "%s%s", head, twice);
        has_place(query, module, 7, 1, "define void @f(ptr %s) gc \"statepoint-example\" {");
        snprintf(module, sizeof module, "%s%s", head, value);
        has_place(query, module, 8, 3, "  %slot = alloca ptr addrspace(1), i64 %n");
    }
}

Test(errors, safepoint_verifier) {
    struct answer a =
        post(&d, "/v1/compile?safepoints=none&opt=0",
             "declare void @g()\ndeclare token @llvm.experimental.gc.statepoint.p0(i64, i32, ptr, i32, i32, ...)\n"
             "declare ptr addrspace(1) @llvm.experimental.gc.relocate.p1(token, i32, i32)\n"
             "define ptr addrspace(1) @f(ptr addrspace(1) %p) gc \"statepoint-example\" {\n"
             "  %t = call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 0, i32 0, ptr "
             "elementtype(void ()) @g, i32 0, i32 0, i32 0, i32 0) [ \"gc-live\"(ptr addrspace(1) %p) ]\n"
             "  %r = call ptr addrspace(1) @llvm.experimental.gc.relocate.p1(token %t, i32 0, i32 0)\n"
             "  ret ptr addrspace(1) %p\n}\n");
    assert_problem(&a, 422, "safepoint_violation");
    cr_assert_str_eq(diagnostic(&a, "function"), "f");
    cr_assert(strstr(diagnostic(&a, "message"), "ret ptr addrspace(1) %p"));
    answer_free(a);
}

Test(errors, code_generation) {
    refuses("/v1/compile",
            "define void @f() {\n  call void asm sideeffect \"this is no instruction\", \"\"()\n  ret void\n}\n", 422,
            "codegen_failed", "diagnostics\":[{");
}

Test(errors, routes_and_methods) {
    struct answer a = get(&d, "/v1/compile");
    char *allow = answer_header(&a, "Allow");
    assert_problem(&a, 405, "method_not_allowed");
    cr_assert_str_eq(allow, "POST");
    free(allow);
    answer_free(a);
    a = ask(&d, (struct ask){.method = "DELETE", .path = "/livez"});
    assert_problem(&a, 405, "method_not_allowed");
    answer_free(a);
    a = get(&d, "/v2/compile");
    assert_problem(&a, 404, "not_found");
    answer_free(a);
    refuses("/nowhere", "body", 404, "not_found", "/nowhere");
    a = get(&d, "/v1/artifacts/");
    assert_problem(&a, 404, "not_found");
    cr_assert_null(strstr(member(&a, "detail"), "did you mean"), "what was asked for is proposed: %s",
                   member(&a, "detail"));
    answer_free(a);
}

Test(errors, media_types) {
    struct answer a = ask(
        &d, (struct ask){
                .path = "/v1/compile", .body = fine, .len = strlen(fine), .headers = {"Content-Type: image/png"}});
    assert_problem(&a, 415, "unsupported_media_type");
    answer_free(a);
    a = ask(&d,
            (struct ask){.path = "/v1/compile", .body = fine, .len = strlen(fine), .headers = {"Accept: image/png"}});
    assert_problem(&a, 406, "not_acceptable");
    answer_free(a);
    refuses("/v1/compile", "", 400, "empty_body", "");
}

static void refuses_json(const char *body, const char *code, const char *hint) {
    struct answer a = ask(&d, (struct ask){.path = "/v1/compile",
                                           .body = body,
                                           .len = strlen(body),
                                           .headers = {"Content-Type: application/json"}});
    assert_problem(&a, 400, code);
    cr_assert(strstr((char *)a.body.data, hint), "'%s' is not in %s", hint, (char *)a.body.data);
    answer_free(a);
}

Test(errors, json_form) {
    refuses_json("{\"ir\": \"x\",\n  oops}", "invalid_json", "\"line\":2");
    refuses_json("[]", "invalid_json", "object");
    refuses_json("{}", "invalid_json", "Neither");
    refuses_json("{\"ir\":\"\", \"bitcode\":\"\"}", "invalid_json", "exclude");
    refuses_json("{\"ir\":\"a\", \"ir\":\"b\"}", "invalid_json", "duplicate");
    refuses_json("{\"ir\":1}", "invalid_json", "string");
    refuses_json("{\"irr\":\"x\"}", "invalid_json", "did you mean 'ir'");
    refuses_json("{\"module\":\"x\"}", "invalid_json", "the module's text is the member 'ir'");
    refuses_json("{\"ir\":\"x\",\"opt\":2}", "invalid_json", "belongs into 'options'");
    refuses_json("{\"something\":\"x\"}", "invalid_json", "there are 'ir', 'bitcode', 'options' and 'profile'");
    refuses_json("{\"bitcode\":\"*\"}", "invalid_json", "base64");
    refuses_json("{\"ir\":\"x\",\"options\":{\"oppt\":1}}", "unknown_option", "did you mean 'opt'");
    refuses_json("{\"ir\":\"x\",\"options\":{\"opt\":1.5}}", "invalid_option", "opt");
    refuses_json("{\"ir\":\"x\",\"options\":[]}", "invalid_json", "options");
    refuses_json("{\"ir\":\"\"}", "empty_body", "empty");
}
