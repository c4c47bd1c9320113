/* tls.h - thread-local variables of loaded objects, as the ABIs' "ELF Handling For Thread-Local Storage" has them.
 *
 * An object's variables form a block. In the dynamic models (general and local dynamic, with __tls_get_addr or
 * descriptors) each thread gets its block when it first asks for it; it goes with the thread or with the object. The
 * static models (initial and local exec) want the block at one distance from every thread's pointer: it is then a piece
 * of a reserve that each thread has. What has been given of that is never given again, as other threads may have
 * written there.
 *
 * Variables of the program and its libraries are found by the address that the runtime's callback gives on the loading
 * thread.
 */
#ifndef TLS_H
#define TLS_H

#include "smclient.h"

#include <stddef.h>
#include <stdint.h>

enum { TLS_RESERVE = 1024 };

/* The variables of one object, or of a library that the process has opened. */
struct tls_module {
    uint64_t slot;            /* in each thread's table; these two are read by tls_x86_64.S and tls_aarch64.S, too */
    uint64_t id;              /* never given again */
    struct tls_module *next;  /* of those that an object owns; the object's own is the first */
    struct tls_block *blocks; /* of the threads that have one */
    const void *image;        /* what a block begins with, borrowed; zeros follow */
    size_t image_bytes, bytes, align;
    size_t library;   /* the C library's number of an opened library: its variables are found there; 0: none */
    intptr_t offset;  /* from the thread pointer; if IS_STATIC */
    int is_static;    /* boolean */
    int is_published; /* boolean: code has run that may have written there */
};

/* Where a variable is: what __tls_get_addr and the descriptors are given. Lies in the GOT. */
struct tls_index {
    struct tls_module *module; /* NULL: OFFSET is from the thread pointer */
    uintptr_t offset;
};

/* A *new* module without variables (tls_free); NULL if out of memory. */
struct tls_module *tls_new(void);

/* Frees a list of modules, with the blocks of all threads. Requires that no thread uses them; NULL is fine. */
void tls_free(struct tls_module *m);

/* Gives the module a piece of the reserve; IS_ZERO: its variables begin as zeros. Fails if there is no room, or if
 * they do not, and other threads run. */
sm_result tls_place(struct tls_module *m, int is_zero, sm_error *err);

/* Writes the initial values of a module that has its piece: for this thread, and for those that begin later. */
sm_result tls_fill(struct tls_module *m, sm_error *err);

/* Where the variable at OFFSET of a module is. */
static inline struct tls_index tls_index_of(struct tls_module *m, uintptr_t offset) {
    int is_static = m && m->is_static;
    return (struct tls_index){is_static ? NULL : m, is_static ? (uintptr_t)m->offset + offset : offset};
}

/* Where ADDRESS, which the calling thread has of a variable, is for all threads. IS_STATIC: the caller needs an offset
 * from the thread pointer. A library's module is put into *LIST. Fails if the address is no thread's variable, or its
 * library's variables are at no fixed offset. */
sm_result tls_find_outside(const void *address, int is_static, struct tls_module **list, struct tls_index *out,
                           const char *name, sm_error *err);

/* The calling thread's address of a variable. What loaded code calls as __tls_get_addr. Aborts if out of memory. */
void *tls_address(const struct tls_index *index);

/* What descriptors begin with: {function, argument}, where the argument is the address of a struct tls_index, or the
 * offset from the thread pointer. They are called with the descriptor's address in rax or x0, give the offset there, and
 * change no other register (but x1). */
void tls_descriptor(void);
void tls_static_descriptor(void);

#endif
