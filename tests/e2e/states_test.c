/* What a worker keeps from one job to the next (target machines, LLVM's flags and tables) changes no answer: jobs of
 * all kinds in a mixed order, again and again on one worker, each against a process of its own. */
#include "daemon.h"
#include "http.h"
#include "worker.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

/* Functions for other processors than the module's; below, sections that LLVM numbers. */
static const char processors[] =
    "declare void @callee()\n"
    "define <8 x float> @a(<8 x float> %x) \"target-cpu\"=\"haswell\" \"target-features\"=\"+avx512f\" section "
    "\".text.own\" {\n"
    "  %y = fmul <8 x float> %x, %x\n  ret <8 x float> %y\n}\n"
    "define ptr addrspace(1) @b(ptr addrspace(1) %p) gc \"statepoint-example\" {\n  call void @callee()\n"
    "  ret ptr addrspace(1) %p\n}\n";
static const char list[] =
    "define i64 @sum(ptr addrspace(1) %p, i64 %n) gc \"statepoint-example\" {\nentry:\n  br label %loop\nloop:\n"
    "  %i = phi i64 [ 0, %entry ], [ %j, %loop ]\n  %s = phi i64 [ 0, %entry ], [ %t, %loop ]\n"
    "  %q = getelementptr i64, ptr addrspace(1) %p, i64 %i\n  %v = load i64, ptr addrspace(1) %q\n  %t = add i64 %s, "
    "%v\n"
    "  %j = add i64 %i, 1\n  %e = icmp ult i64 %j, %n\n  br i1 %e, label %loop, label %done\ndone:\n  ret i64 "
    "%t\n}\n"
    "@m = unnamed_addr constant i64 5, section \".own\"\n@n = unnamed_addr constant i32 7, section \".own\"\n";
static const char thrown[] =
    "declare void @callee()\ndeclare i32 @personality(...)\n"
    "define ptr addrspace(1) @f(ptr addrspace(1) %p) gc \"statepoint-example\" personality ptr @personality {\n"
    "  invoke void @callee() to label %fine unwind label %pad\nfine:\n  ret ptr addrspace(1) %p\npad:\n"
    "  %l = landingpad { ptr, i32 } cleanup\n  ret ptr addrspace(1) %p\n}\n";

static const char *const modules[] = {processors, list, thrown};
static const char *const options[] = {"emit=obj",
                                      "emit=obj opt=0",
                                      "emit=obj opt=3 reloc=static",
                                      "emit=obj,asm,ir",
                                      "emit=obj poll=call:arrive",
                                      "emit=obj frame_pointer=all opt=0 unwind=module",
                                      "emit=obj gc_registers=4 opt=s",
                                      "emit=obj code_model=large"};
static const char *const processor[][3] = {{"", "cpu=x86-64-v3", "features=+avx512f,-bmi"},
                                           {"", "cpu=apple-m1", "features=+dotprod,-lse"}};

enum {
    MODULES = sizeof modules / sizeof *modules,
    OPTIONS = sizeof options / sizeof *options,
    KINDS = MODULES * OPTIONS * 2 * 3
};

static struct compiled alone[KINDS];

static void describe(int kind, int *target, char *text, size_t size) {
    *target = kind / (MODULES * OPTIONS) % 2;
    snprintf(text, size, "%s%s %s", options[kind / MODULES % OPTIONS],
             strstr(options[kind / MODULES % OPTIONS], "poll=") ? "" : " safepoints=none",
             processor[*target][kind / (MODULES * OPTIONS * 2)]);
}

static void same_again(const struct daemon *d, int kind) {
    char text[256], path[512];
    int target;
    describe(kind, &target, text, sizeof text);
    snprintf(path, sizeof path, "/v1/compile?target=%s&%s", targets[target], text);
    for (char *p = path; *p; p++)
        *p = *p == ' ' ? '&' : *p;
    for (char *plus; (plus = strchr(path, '+'));) { /* "+" in a query is a space */
        memmove(plus + 3, plus + 1, strlen(plus));
        memcpy(plus, "%2B", 3);
    }
    size_t len = strlen(path);
    if (path[len - 1] == '&')
        path[len - 1] = 0;
    const char *module = modules[kind % MODULES];
    struct answer a =
        ask(d, (struct ask){.path = path,
                            .body = module,
                            .len = strlen(module),
                            .headers = {"Accept: application/vnd.smd.artifact", "Content-Type: text/plain"}});
    sm_artifact again;
    cr_assert_eq(a.http, 200, "%s: %d %.*s", path, a.http, (int)a.body.len, (char *)a.body.data);
    cr_assert_eq(sm_artifact_read(a.body.data, a.body.len, &again), SM_OK);
    static const enum sm_part parts[] = {SM_PART_OBJECT, SM_PART_ASM, SM_PART_IR, SM_PART_STACKMAP};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        sm_slice before = alone[kind].artifact.part[parts[i]], now = again.part[parts[i]];
        cr_assert(before.len == now.len && (now.len == 0 || memcmp(before.data, now.data, now.len) == 0),
                  "part %d of module %d with %s is another one", (int)parts[i], kind % MODULES, path);
    }
    answer_free(a);
}

Test(states, mixed_jobs_on_one_worker) {
    static const char *const flags[] = {"--workers=1", NULL};
    struct daemon d = daemon_start(flags);
    unsigned random = 1;
    for (int kind = 0; kind < KINDS; kind++) {
        char text[256];
        int target;
        describe(kind, &target, text, sizeof text);
        alone[kind] = compile(modules[kind % MODULES], text, targets[target]);
        cr_assert_eq(alone[kind].artifact.status, SM_OK, "%s: %s", text, alone[kind].text[SM_PART_DIAGNOSTICS]);
    }
    for (int i = 0; i < 4 * KINDS; i++) {
        random = random * 1103515245u + 12345u;
        same_again(&d, (int)(random >> 8) % KINDS);
    }
    for (int i = 0; i < 200; i++) /* longer than any machine is kept */
        same_again(&d, 1);
    for (int kind = 0; kind < KINDS; kind++)
        drop(&alone[kind]);
    daemon_stop(&d);
}
