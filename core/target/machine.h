/* machine.h - what the files of target/ give one another. */
#ifndef CORE_MACHINE_H
#define CORE_MACHINE_H

#include "state.h"

/* The name of a CPU that NAME probably means; NULL if there is none. Static storage. */
const char *cpu_near(const char *name, uint16_t elf_machine);

/* *new* or kept; NULL if there is none like the one that the options and the triple describe */
LLVMTargetMachineRef machines_take(struct compile *c);
void compiler_may_leave(void); /* ends the process if compiler_leave was called */

#endif
