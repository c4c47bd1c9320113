/* heap.h - a copying heap that hides nothing: each collection moves every object, and what was there before can no
 * longer be read. A pointer that the collector does not know ends the program at its next use.
 *
 * It can be one that depends on barriers, and ends the program where one is missing:
 *
 *   HEAP_GENERATIONAL   most collections move young objects alone, and look into those old ones whose card is dirty
 *                       (heap_cards; cards of 512 bytes). A reference to a young object that no card is marked for dangles.
 *   HEAP_MARKING        marks what was alive when marking began, some objects at a time, while the program goes on. What is
 *                       overwritten meanwhile has to be reported (heap_marking, heap_keep).
 *   HEAP_TAGGED         a collection tags every reference in the heap with HEAP_TAG; who reads one has to heal it
 *                       (heap_heal).
 *
 * It lies within 4 GB, so that references may be compressed: the distance from heap_base, of address space 3 in words
 * of eight bytes. */
#ifndef HEAP_H
#define HEAP_H

#include <stdint.h>

enum heap_kind { HEAP_MOVING, HEAP_GENERATIONAL, HEAP_MARKING, HEAP_TAGGED };
#define HEAP_TAG ((uintptr_t)1 << 50)

void heap_choose(enum heap_kind kind); /* before heap_init */

extern unsigned char *heap_cards; /* the card of an object is at heap_cards[address >> 9] */
extern uint8_t heap_marking;      /* 1 while what is overwritten has to be given to heap_keep */
void heap_keep(void *old);
void *heap_heal(void *value, void **slot);

extern uintptr_t heap_base; /* what compressed references are added to */
void heap_begin_at_0(void); /* before heap_init: that is 0 */

/* An empty heap, also where there was one before. An object is some bytes, of which the first words are pointers to
 * objects (or null), and the half words after them are compressed ones of address space 2. Pointers lead to its first
 * byte; a header stands before it. */
void heap_init(void);

/* A zeroed object; NULL if the heap is full. In the upper half of POINTERS is how many compressed ones there are. */
void *heap_allocate(uint64_t bytes, uint64_t pointers);

/* A collection: begin, pin what must stay, then forward each root, then finish. Ends the program if a root is no
 * object's address. */
void heap_begin(void);
void heap_pin(void *object); /* before any is forwarded: it does not move in this collection */
void heap_forward(void **root);
void heap_forward_compressed(uint32_t *root, unsigned space);
void heap_finish(void);

/* Each object that is not known to be dead, with its POINTERS as heap_allocate was given them. For checks of a
 * HEAP_MOVING one between collections. */
void heap_each(void (*visit)(void *user, void *object, uint64_t pointers), void *user);

/* Called for each object that moves; NULL: nothing is. Where they were is still readable then. */
extern void (*heap_on_move)(void *from, void *to);

uint64_t heap_bytes(void *object); /* as heap_allocate was given them */
uint64_t heap_moved(void);         /* objects, in all collections */

#endif
