/* record.h - a run as a file that smd's page draws (/page/collection.html): at each collection the frames that wait, with
 * their roots and what these held before and after, and the objects, where they were and where they are.
 *
 * The file is JSON: {"format":"smd-run","version":1,"result":N,"collections":[…]}. Of one collection:
 *
 *   frames    the innermost first: {"function","offset" of the return address in it,"sp","roots":[…]}. A root is
 *             {"at","before","after"}, and of a derived pointer "base": where its base is. References in stack slots that
 *             are pinned, tagged or compressed are left out
 *   objects   by address: {"before","bytes","pointers","words"}: the words that it has before, of which the first are
 *             references; and "after", unless nobody has found it
 *
 * Addresses are texts ("0x7f…"), and so are references; other words are numbers. One thread is recorded; with several, or
 * with more roots and objects than there is room for, there is no file. */
#ifndef RECORD_H
#define RECORD_H

#include "smclient.h"

/* Begins a record; the program ends if the file cannot be written. */
void record_to(const char *path);

/* Before a collection moves anything: the thread waits at AT. After it. Neither does anything without a record. */
void record_before(const sm_loader *loader, sm_registers *at);
void record_after(void);

/* The program has ended with this result. */
void record_end(int64_t result);

#endif
