/* gc_inputs.h - text of modules that several suites use. */
#ifndef TESTS_GC_INPUTS_H
#define TESTS_GC_INPUTS_H

#define GC     " gc \"statepoint-example\" "
#define CALLEE "declare void @g()\ndeclare ptr addrspace(1) @h(ptr addrspace(1))\n"
#define NONE   "safepoints=none "

#endif
