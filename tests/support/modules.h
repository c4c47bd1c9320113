/* modules.h - modules that several tests post. */
#ifndef TEST_MODULES_H
#define TEST_MODULES_H

extern const char module_list[];     /* puts a cell before a list: polls, a call, a live pointer */
extern const char module_crashing[]; /* LLVM 19 ends the process over a register that it does not know */

#endif
