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
                 {BIN_DIR "/mygc-odd.so:mystatepoints", "not the pointers of address space 1 alone"},
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
