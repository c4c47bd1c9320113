/* warm_up.c - a process compiles small modules once, so that no request pays for what LLVM sets up lazily. */
#include "core.h"
#include "state.h"

#include <string.h>

/* Compiles a small module with a poll and a call for TARGET at the level OPT; what it leaves is inherited by workers. */
static void warm_up(const char *target, const char *opt) {
    static const char module[] = "declare void @smd_poll()\n"
                                 "define void @gc.safepoint_poll() {\n  call void @smd_poll()\n  ret void\n}\n"
                                 "define ptr addrspace(1) @f(ptr addrspace(1) %p) gc \"statepoint-example\" {\n"
                                 "  call void @smd_poll()\n  ret ptr addrspace(1) %p\n}\n";
    sm_options o;
    sm_timings timings;
    sm_buf out;
    sm_options_init(&o);
    sm_options_set(&o, "target", target, strlen(target), NULL);
    sm_options_set(&o, "opt", opt, strlen(opt), NULL);
    sm_buf_init(&out, (size_t)1 << 20);
    struct compile *rest;
    compile_run(&o, (sm_slice){NULL, 0}, module, sizeof module - 1, NULL, &out, &timings, &rest);
    compile_free(rest);
    sm_buf_free(&out);
}

/* Compiles for each target at two levels, as a worker of the daemon has before its first job. */
void compiler_warm_up(void) {
    static const char *const targets[] = {"x86_64-unknown-linux-gnu", "aarch64-unknown-linux-gnu"};
    static const char *const levels[] = {"0", "2"};
    for (size_t t = 0; t < sizeof targets / sizeof *targets; t++)
        for (size_t l = 0; l < sizeof levels / sizeof *levels; l++)
            warm_up(targets[t], levels[l]);
}
