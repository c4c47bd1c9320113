/* memory.h - memory that ran out where nothing could be said of it.
 *
 * Lists and attributes are made in many places that have no status to give. Such a place notes it here and goes on;
 * what it makes lacks something then, so the compile fails after that stage, whatever it has come to (compile.c). One
 * flag for the process, as LLVM's state is; only the thread that compiles touches it.
 */
#ifndef CORE_MEMORY_H
#define CORE_MEMORY_H

void memory_note_lack(void);
int memory_ran_out(void); /* 1 if it was noted since the last time that this was asked */

#endif
