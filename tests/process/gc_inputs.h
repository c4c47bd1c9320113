/* gc_inputs.h - text of modules that several suites use. */
#ifndef TESTS_GC_INPUTS_H
#define TESTS_GC_INPUTS_H

#define POLL   "declare void @stop()\ndefine void @gc.safepoint_poll() {\n  call void @stop()\n  ret void\n}\n"
#define GC     " gc \"statepoint-example\" "
#define CALLEE "declare void @g()\ndeclare ptr addrspace(1) @h(ptr addrspace(1))\n"
#define TWO_CALLS                                                                                                    \
    "define ptr addrspace(1) @f(ptr addrspace(1) %p)" GC                                                             \
    "{\n  call void @g()\n  call void @g()\n  ret ptr addrspace(1) %p\n}\n"
#define NONE "safepoints=none "

#endif
