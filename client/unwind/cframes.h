/* cframes.h - frames of code that no loader has loaded: of the program, of its libraries, and of libc. */
#ifndef CFRAMES_H
#define CFRAMES_H

#include "frames.h"

/* The rule for the instruction at PC, as the .eh_frame of its program or library has it; unknown if that has no entry.
 * Takes no lock, but in a program that was linked without .eh_frame_hdr (gcc -static) libgcc's. */
struct row cframe_row(uintptr_t pc);

/* 1 if PC lies in the program or a library of it, as far as that can be found out. */
int cframe_is_code(uintptr_t pc);

#endif
