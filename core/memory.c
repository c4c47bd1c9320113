/* memory.c - see memory.h. */
#include "memory.h"

static int lacks;

void memory_note_lack(void) {
    lacks = 1;
}

int memory_ran_out(void) {
    int did = lacks;
    lacks = 0;
    return did;
}
