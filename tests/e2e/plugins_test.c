/* Strategies in shared libraries: what docs/compiler/plugins.md shows is built as it stands there, and compiled
 * with. */
#include "http.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char folder[] = "/tmp/smd-plugins-XXXXXX";

static int run_here(const char *command, char *said, size_t size) {
    char all[1024];
    int status;
    snprintf(all, sizeof all, "cd %s && { %s; } 2>&1", folder, command);
    struct bytes out = run_command(all, NULL, 0, &status);
    snprintf(said, size, "%s", (char *)out.data);
    bytes_free(out);
    return status;
}

/* Beside its source. */
static void copy_library(void) {
    char said[2000];
    cr_assert_not_null(mkdtemp(folder));
    int status = run_here("cp " BIN_DIR "/mygc.cpp " BIN_DIR "/mygc.so .", said, sizeof said);
    cr_assert_eq(status, 0, "%s", said);
}

static void clean(void) {
    char said[100];
    run_here("rm -r \"$PWD\"", said, sizeof said);
}

TestSuite(plugins, .init = copy_library, .fini = clean, .timeout = 600);

static const char roots[] = "declare void @g()\ndeclare void @llvm.gcroot(ptr, ptr)\n"
                            "define void @rooted(ptr %p) gc \"mygc\" {\n  %s = alloca ptr\n"
                            "  %t = alloca { i64, ptr }\n  call void @llvm.gcroot(ptr %t, ptr @g)\n"
                            "  call void @llvm.gcroot(ptr %s, ptr null)\n  store ptr %p, ptr %s\n  call void @g()\n"
                            "  ret void\n}\n";
/* Barriers are loads and stores, nothing is told of. */
static const char empty[] =
    "declare void @g()\ndeclare void @llvm.gcroot(ptr, ptr)\ndeclare void @llvm.gcwrite(ptr, ptr, ptr)\n"
    "define void @plain(ptr %p) gc \"myemptygc\" {\n  %s = alloca ptr\n  call void @llvm.gcroot(ptr %s, ptr null)\n"
    "  store ptr %p, ptr %s\n  call void @llvm.gcwrite(ptr %p, ptr %p, ptr %p)\n  call void @g()\n  ret void\n}\n";
static const char statepoints[] =
    "declare void @g()\n"
    "define ptr addrspace(1) @f(ptr addrspace(1) %p, i64 %n) gc \"mystatepoints\" {\nentry:\n  br label %l\n"
    "l:\n  %i = phi i64 [ 0, %entry ], [ %j, %l ]\n  %v = load atomic i64, ptr addrspace(1) %p monotonic, align 8\n"
    "  %j = add i64 %i, %v\n  %c = icmp slt i64 %j, %n\n  br i1 %c, label %l, label %d\n"
    "d:\n  call void @g()\n  ret ptr addrspace(1) %p\n}\n";

static size_t times(const struct bytes *b, const char *what) {
    size_t n = 0;
    for (const char *at = (char *)b->data; (at = strstr(at, what)) != NULL; at++)
        n++;
    return n;
}

static struct answer compile(const struct daemon *d, const char *module, const char *target, int opt) {
    char path[200];
    snprintf(path, sizeof path, "/v1/compile?poll=call:stop&opt=%d&target=%s-unknown-linux-gnu&emit=obj,asm", opt,
             target);
    struct answer a = post(d, path, module);
    cr_assert_eq(a.http, 200, "%s: %s", path, (char *)a.body.data);
    return a;
}

Test(plugins, the_documents_strategy_and_its_printer) {
    static const char *const targets[] = {"x86_64", "aarch64"};
    char list[300];
    snprintf(list, sizeof list, "%s/mygc.so:mygc,%s/mygc.so:mystatepoints,%s/mygc.so:myemptygc", folder, folder,
             folder);
    struct daemon d = daemon_start((const char *const[]){"--gc-plugins", list, NULL}), plain = daemon_start(NULL);
    for (int t = 0; t < 2; t++)
        for (int opt = 0; opt <= 3; opt++) {
            struct answer a = compile(&d, roots, targets[t], opt);
            cr_expect_not_null(strstr(member(&a, "asm"), "__gcmap_rooted:"), "%s", member(&a, "asm"));
            answer_free(a);
            a = compile(&d, empty, targets[t], opt);
            cr_expect_null(strstr(member(&a, "asm"), "gcmap"), "%s", member(&a, "asm"));
            cr_expect_not_null(strstr(member(&a, "asm"), "plain:"));
            answer_free(a);
            a = compile(&d, statepoints, targets[t], opt);
            cr_expect_eq(times(&a.body, "\"reason\":\"entry-poll\""), 1, "%s", (char *)a.body.data);
            cr_expect_eq(times(&a.body, "\"reason\":\"backedge-poll\""), 1, "%s", (char *)a.body.data);
            cr_expect_eq(times(&a.body, "\"reason\":\"call\""), 1, "%s", (char *)a.body.data);
            cr_expect_eq(times(&a.body, "\"base\""), 3, "%s", (char *)a.body.data);
            answer_free(a);
        }
    struct answer a = get(&d, "/v1/capabilities"), b = get(&plain, "/v1/capabilities"),
                  c = post(&plain, "/v1/compile", roots);
    cr_expect_not_null(strstr((char *)a.body.data, "\"ocaml\",\"mygc\",\"mystatepoints\",\"myemptygc\"]"));
    cr_expect_str_neq(member(&a, "key_context"), member(&b, "key_context"), "the library is part of the key");
    assert_problem(&c, 422, "unsupported_gc_strategy");
    answer_free(a);
    answer_free(b);
    answer_free(c);
    daemon_stop(&d);
    daemon_stop(&plain);
}

/* Each by the kind that it is of: gcroot belongs to one, gc-live to the other. */
Test(plugins, are_of_a_kind) {
    char list[300];
    snprintf(list, sizeof list, "%s/mygc.so:mygc,%s/mygc.so:mystatepoints", folder, folder);
    struct daemon d = daemon_start((const char *const[]){"--gc-plugins", list, NULL});
    char swapped[sizeof roots + 16];
    const char *at = strstr(roots, "mygc");
    snprintf(swapped, sizeof swapped, "%.*smystatepoints%s", (int)(at - roots), roots, at + 4);
    struct answer a = post(&d, "/v1/compile", swapped);
    assert_problem(&a, 422, "gc_mismatch");
    cr_expect_not_null(strstr((char *)a.body.data, "belongs to shadow-stack, erlang, ocaml and mygc; this function"),
                       "%s", (char *)a.body.data);
    answer_free(a);
    a = post(&d, "/v1/compile?gc=mygcs", "define void @f() {\n  ret void\n}\n");
    assert_problem(&a, 422, "unsupported_gc_strategy");
    cr_expect_not_null(strstr((char *)a.body.data, "erlang, ocaml, mygc and mystatepoints"), "%s",
                       (char *)a.body.data);
    answer_free(a);
    daemon_stop(&d);
}

/* No profile has the name of a library's strategy: not a file's, and not a request's own. */
Test(plugins, are_not_hidden_by_profiles) {
    static const char profile[] = "{\"name\":\"mygc\",\"base\":\"coreclr\"}";
    char list[300], command[700], said[2000], form[700];
    snprintf(list, sizeof list, "%s/mygc.so:mygc", folder);
    snprintf(command, sizeof command, "mkdir profiles && echo '%s' >profiles/p.json", profile);
    cr_assert_eq(run_here(command, said, sizeof said), 0, "%s", said);
    snprintf(command, sizeof command, "timeout 600 %s/smd --check-config --profiles profiles --gc-plugins %s",
             BIN_DIR, list);
    int status = run_here(command, said, sizeof said);
    cr_expect(status == 1 && strstr(said, "profiles/p.json: the strategy 'mygc' is one of a library's"), "%d: %s",
              status, said);
    struct daemon d = daemon_start((const char *const[]){"--gc-plugins", list, NULL});
    snprintf(form, sizeof form, "{\"ir\":\"define void @f() gc \\\"mygc\\\" { ret void }\",\"profile\":%s}", profile);
    struct answer a = ask(&d, (struct ask){.path = "/v1/compile",
                                           .body = form,
                                           .len = strlen(form),
                                           .headers = {"Content-Type: application/json"}});
    assert_problem(&a, 400, "invalid_profile");
    cr_expect_not_null(strstr((char *)a.body.data, "give it another"), "%s", (char *)a.body.data);
    answer_free(a);
    daemon_stop(&d);
}

/* With the settings libraries are checked, too. */
Test(plugins, are_checked_with_the_settings) {
    char command[700], said[2000];
    snprintf(command, sizeof command, "timeout 600 %s/smd --check-config --gc-plugins $PWD/mygc.so:mygc", BIN_DIR);
    cr_expect_eq(run_here(command, said, sizeof said), 0, "%s", said);
    snprintf(command, sizeof command, "timeout 600 %s/smd --check-config --gc-plugins $PWD/nothing.so:mygc", BIN_DIR);
    int status = run_here(command, said, sizeof said);
    cr_expect(status == 1 && strstr(said, "nothing.so: cannot open shared object file"), "%d: %s", status, said);
}

Test(plugins, a_wrong_one_is_named) {
    static const struct {
        const char *list, *why;
    } wrong[] = {{"$PWD/mygc.so:another", "LLVM can compile nothing with a strategy of this name"},
                 {BIN_DIR "/mygc-all.so:mystatepoints", "pointers of address space 0 are references"},
                 {"$PWD/nothing.so:a", "cannot open shared object file"},
                 {"$PWD/mygc.cpp:a", "invalid ELF header"},
                 {"mygc.so:mygc", "with an absolute path"},
                 {"$PWD/mygc.so", "is not PATH:NAME"},
                 {"$PWD/mygc.so:coreclr", "another one's"},
                 {"$PWD/mygc.so:my gc", "no name that a strategy can have"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char command[600], said[2000];
        snprintf(command, sizeof command,
                 "echo >m.ll && timeout 600 %s/smd-worker --compile m.ll --gc-plugins=\"%s\"", BIN_DIR,
                 wrong[i].list);
        int status = run_here(command, said, sizeof said);
        cr_expect(status == 2 && strstr(said, wrong[i].why), "%s: %d: %s", wrong[i].list, status, said);
    }
}

/* The same code as old_check runs with a stackmap of older LLVMs; of this strategy, with references in SPACE. */
static char *in_space(const char *before, const char *space) {
    struct bytes ir = read_file(SOURCE_DIR "/tests/client/objects/old.ll");
    char *text = malloc(2 * ir.len + strlen(before) + 1), *to = stpcpy(text, before);
    for (const char *at = (char *)ir.data; *at;) {
        int is_space = strncmp(at, "addrspace(1)", 12) == 0, is_gc = strncmp(at, "statepoint-example", 18) == 0;
        if (is_space)
            to += sprintf(to, "addrspace(%s)", space);
        else if (is_gc)
            to = stpcpy(to, "mystatepoints");
        else
            *to++ = *at;
        at += is_space ? 12 : is_gc ? 18 : 1;
    }
    *to = 0;
    bytes_free(ir);
    return text;
}

/* Compiles MODULE with the library, at each level for both machines, and runs it under a collector that moves
 * everything. In the emitted IR references are pointers of space HOME, and it gives the same object again. */
static void runs_from(const char *library, const char *module, const char *home) {
    static const char *const targets[] = {"x86_64", "aarch64"};
    static const char *const programs[] = {BIN_DIR "/old_check", QEMU " " BIN_DIR "/old_check-aarch64"};
    char list[300], path[300], type[64], said[2000];
    snprintf(list, sizeof list, "%s:mystatepoints", library);
    snprintf(type, sizeof type, "ptr addrspace(%s) @llvm.experimental.gc.relocate", home);
    struct daemon d = daemon_start((const char *const[]){"--gc-plugins", list, NULL});
    for (int t = 0; t < 2; t++)
        for (int opt = 0; opt <= 3; opt++) {
            snprintf(path, sizeof path, "/v1/compile?safepoints=none&opt=%d&target=%s-unknown-linux-gnu&emit=obj,ir",
                     opt, targets[t]);
            struct answer a = post(&d, path, module);
            cr_assert_eq(a.http, 200, "%s", (char *)a.body.data);
            cr_expect_null(strstr((char *)a.body.data, "\"warning\""), "%s", (char *)a.body.data);
            cr_expect_not_null(strstr(member(&a, "ir"), type), "%s", member(&a, "ir"));
            struct answer again = post(&d, path, member(&a, "ir"));
            cr_expect_eq(again.http, 200, "%s", (char *)again.body.data);
            cr_expect_str_eq(member(&again, "obj"), member(&a, "obj"), "%s", path);
            snprintf(path, sizeof path, "%s/code", folder);
            write_file(path, member(&a, "obj"), strlen(member(&a, "obj")));
            snprintf(path, sizeof path, "base64 -d code >code.o && %s code.o", programs[t]);
            int status = run_here(path, said, sizeof said);
            cr_expect_eq(status, 0, "%s", said);
            answer_free(again);
            answer_free(a);
        }
    daemon_stop(&d);
}

Test(plugins, references_in_another_space) {
    char *module = in_space("@not_one = global ptr addrspace(1) null\n", "3");
    runs_from(BIN_DIR "/mygc-three.so", module, "3");
    free(module);
}

/* They go from space to space: of these casts nothing is left. */
Test(plugins, references_in_several_spaces) {
    static const char casting[] = "define i64 @casting(ptr addrspace(9) %p, i64 %n) gc \"mystatepoints\" {\n"
                                  "  %q = addrspacecast ptr addrspace(9) %p to ptr addrspace(5)\n"
                                  "  %r = call i64 @sum(ptr addrspace(5) %q, i64 %n)\n"
                                  "  %v = load i64, ptr addrspace(9) %p\n  %s = add i64 %r, %v\n  ret i64 %s\n}\n"
                                  "@root = global ptr addrspace(1) addrspacecast (ptr addrspace(9) @object to ptr "
                                  "addrspace(1))\n@object = addrspace(9) global i64 0\n";
    char *module = in_space(casting, "5");
    runs_from(BIN_DIR "/mygc-odd.so", module, "1");
    free(module);
}

/* What belongs to strategies with references in different spaces is in modules of its own. */
Test(plugins, strategies_of_different_spaces) {
    char *module = in_space("define void @other() gc \"coreclr\" {\n  ret void\n}\n", "3");
    struct daemon d =
        daemon_start((const char *const[]){"--gc-plugins", BIN_DIR "/mygc-three.so:mystatepoints", NULL});
    struct answer a = post(&d, "/v1/compile?safepoints=none", module);
    assert_problem(&a, 422, "gc_mismatch");
    cr_expect_not_null(strstr((char *)a.body.data, "compile them in modules of their own"), "%s",
                       (char *)a.body.data);
    answer_free(a);
    a = post(&d, "/v1/compile?safepoints=none&spaces=3:32", strchr(module, '}') + 2);
    assert_problem(&a, 400, "invalid_option");
    cr_expect_not_null(strstr((char *)a.body.data, "are whole references of strategy"), "%s", (char *)a.body.data);
    answer_free(a);
    free(module);
    daemon_stop(&d);
}
