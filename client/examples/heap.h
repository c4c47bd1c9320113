/* heap.h - a copying heap that hides nothing: each collection moves every object, and what was there before can no
 * longer be read. A pointer that the collector was not told of ends the program at its next use. */
#ifndef HEAP_H
#define HEAP_H

#include <stdint.h>

/* An empty heap, also where there was one before. An object is some bytes, of which the first words are pointers to
 * objects (or null). Pointers lead to its first byte; a header stands before it. */
void heap_init(void);

/* A zeroed object; NULL if the heap is full. */
void *heap_allocate(uint64_t bytes, uint64_t pointers);

/* A collection: begin, then forward each root, then finish. Ends the program if a root is no object's address. */
void heap_begin(void);
void heap_forward(void **root);
void heap_finish(void);

uint64_t heap_moved(void); /* objects, in all collections */

#endif
