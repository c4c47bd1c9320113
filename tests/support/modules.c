/* modules.c - see modules.h. */
#include "modules.h"

const char module_list[] =
    "declare ptr addrspace(1) @allocate()\ndeclare void @collect()\n"
    "define void @gc.safepoint_poll() {\n  call void @collect()\n  ret void\n}\n"
    "define ptr addrspace(1) @f(ptr addrspace(1) %p) gc \"statepoint-example\" {\n"
    "  %q = call ptr addrspace(1) @allocate()\n  store ptr addrspace(1) %p, ptr addrspace(1) %q\n"
    "  ret ptr addrspace(1) %q\n}\n";

const char module_crashing[] =
    "define i32 @f() {\n  %x = call i32 @llvm.read_register.i32(metadata !0)\n  ret i32 %x\n}\n"
    "declare i32 @llvm.read_register.i32(metadata)\n!0 = !{!\"nosuchregister\"}\n";
