/* container.h - from a member to the struct that it lies in. */
#ifndef SMD_CONTAINER_H
#define SMD_CONTAINER_H

#include <stddef.h>

#define container_of(ptr, type, member) ((type *)((char *)(ptr) - offsetof(type, member)))

#endif
