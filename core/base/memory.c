/* memory.c - see memory.h. */
#include "memory.h"

static int lacks;

/* Notes that memory has run out, for memory_ran_out. */
void memory_note_lack(void) {
    lacks = 1;
}

/* 1 if memory has run out since this was last asked. */
int memory_ran_out(void) {
    int did = lacks;
    lacks = 0;
    return did;
}
