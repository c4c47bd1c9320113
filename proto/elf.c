/* elf.c - see elf.h. */
#include "elf.h"
