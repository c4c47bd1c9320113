/* linetable.h - where in the source an object's code comes from, by its DWARF, at two bytes for each safepoint or less.
 *
 * A scope is a function of the source, with the file that its lines are in. It has places: those are lines with safepoints
 * (leaves), and lines with calls that were inlined. It is there once, however often it was inlined. A safepoint is a path
 * from scope to scope, by the numbers of places: from the outermost function to a leaf.
 *
 * A function of the code has a stream of bits: the number of the scope that its paths begin in, then a path for each of its
 * safepoints, in the order of their addresses, or, in a table of all lines, for each place where another line begins. If
 * its paths begin in several scopes, or in none that is known, they begin in a hidden scope, which is no frame.
 *
 *     g(3)  of a table of all lines alone: steps from the path before, or from where the function begins; a step is 1 byte
 *           of code on x86-64, 4 on AArch64
 *     s(0)  the place in the first scope, less that of the path before (0 for the first)
 *     n     the place in the scope that the place before calls, and so on until a place is a leaf
 *
 * A scope is:
 *
 *     g(1)  leaves: how many; they are its first places
 *     g(1)  calls: how many; they follow
 *     g(0)  its file: a number; FILES: not known; FILES + 1: the scope is hidden
 *     g(6)  the lowest of the lines that are known
 *     g(2)  if it has leaves: the bits of each
 *           the leaves, by ascending lines; of number I the line, less the lowest one, less I, plus 1; 0: not known
 *     g(2)  if it has calls: the bits of a line
 *     g(2)  likewise: the bits of a scope's number
 *           the calls, likewise; of each the line, less the lowest one, plus 1, and the scope that was inlined there
 *
 * Bits fill bytes from the lowest one. A number of N bits has its lowest bit first; `n` is of as many as the scope's last
 * place needs. g(K) is an exponential Golomb code: v >> K, plus 1, in M bits: M - 1 bits 0, a bit 1, its M - 1 lowest bits;
 * then the K lowest bits of v. s(K) is g(K) of 2v, or of -2v - 1 if v is below 0.
 *
 * Functions, scopes and the names of files stand in groups of LINES_GROUP. A directory says where each group but the first
 * begins. A function's stream begins at a byte, behind its length in bytes: a g(4) up to the next byte. A group of scopes
 * has the bits of all its scopes, up to the next byte, and then their names, each terminated (empty: not known).
 */
#ifndef LINETABLE_H
#define LINETABLE_H

#include "image.h"
#include "object.h"

/* linewrite.c: reads the lines of an image in its place: of all its code, or of its safepoints. *TABLE is *new*
 * (lines_free); NULL if the object has no debug information. Fails only when out of memory. */
sm_result lines_read(struct image *im, const sm_object *o, int all, struct line_table **table);
void lines_free(struct line_table *t);

/* Of a table of all lines: calls EACH for every place in a function where another line begins, with the file and line of
 * the innermost frame there (NULL and 0: not known). */
void lines_each(const sm_object *o, const sm_code *code,
                void (*each)(void *user, uintptr_t address, const char *file, uint32_t line), void *user);

/* The bytes of a table's streams, and of all but its names. */
void lines_bytes(const struct line_table *t, size_t *streams, size_t *all);

/* Fills FRAME with the frames of the source at an instruction of the object, the innermost first, at most ROOM of them:
 * function, file and line; gives their number. In a table of safepoints INSTRUCTION is the last byte of the call. Takes
 * no lock and no memory. */
size_t lines_at(const sm_object *o, uintptr_t instruction, sm_source_frame *frame, size_t room);

#endif
