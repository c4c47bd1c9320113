/* readobj.h - our reading of an object's stackmap beside llvm-readobj-19's. */
#ifndef TEST_READOBJ_H
#define TEST_READOBJ_H

#include "stackmap.h"

/* Aborts the test if M, decoded from the object's bytes, is not what llvm-readobj-19 --stackmap prints: frame sizes
 * and counts of records, ids, offsets, all locations and live-outs. WHAT names the object. */
void compare_with_readobj(const char *what, const sm_stackmap *m, const void *object, size_t len);

#endif
