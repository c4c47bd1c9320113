/* modules.c - see modules.h. */
#include "modules.h"

#include "check.h"

#include <string.h>

const char module_list[] =
    "declare ptr addrspace(1) @allocate()\ndeclare void @collect()\n"
    "define void @gc.safepoint_poll() {\n  call void @collect()\n  ret void\n}\n"
    "define ptr addrspace(1) @f(ptr addrspace(1) %p) gc \"statepoint-example\" {\n"
    "  %q = call ptr addrspace(1) @allocate()\n  store ptr addrspace(1) %p, ptr addrspace(1) %q\n"
    "  ret ptr addrspace(1) %q\n}\n";

const char module_crashing[] = "module asm \".cv_filechecksumoffset 1\"\ndefine void @f() {\n  ret void\n}\n";

const char module_endless[] = "define i32 @f(i32 noundef %n) {\n"
                              "  %high = call i32 @llvm.smax.i32(i32 %n, i32 0)\n"
                              "  %short = trunc i32 %high to i16\n"
                              "  %wide = zext i16 %short to i32\n"
                              "  %is_short = icmp eq i32 %n, %wide\n"
                              "  %one = zext i1 %is_short to i32\n"
                              "  %product = mul i32 %high, %one\n"
                              "  %bit = and i32 %product, 1\n"
                              "  ret i32 %bit\n}\n"
                              "declare i32 @llvm.smax.i32(i32, i32)\n";

struct bytes module_endless_large(void) {
    enum { LARGE = 64 << 10 }; /* from 32 KiB on a module is a large one */
    struct bytes b = {malloc(LARGE + sizeof module_endless), LARGE + sizeof module_endless - 1};
    check(b.data, "no memory");
    memcpy(b.data, module_endless, sizeof module_endless - 1);
    memset(b.data + sizeof module_endless - 1, ';', LARGE);
    b.data[b.len] = 0;
    return b;
}

struct bytes module_of_steps(int steps) {
    struct bytes b = {malloc((size_t)steps * 160 + 200), 0};
    check(b.data, "no memory");
    b.len += (size_t)sprintf((char *)b.data, "define i64 @f(ptr %%p) {\n  %%v0 = load i64, ptr %%p\n");
    for (int i = 1; i < steps; i++)
        b.len += (size_t)sprintf((char *)b.data + b.len,
                                 "  %%a%d = getelementptr i64, ptr %%p, i64 %%v%d\n  %%l%d = load volatile i64, ptr "
                                 "%%a%d\n  %%v%d = mul i64 %%l%d, %%v%d\n",
                                 i, i - 1, i, i, i, i, i - 1);
    b.len += (size_t)sprintf((char *)b.data + b.len, "  ret i64 %%v%d\n}\n", steps - 1);
    return b;
}
