/* debug.c - see debug.h. The interface: "Debugging with gdb", chapter "JIT Compilation Interface". */
#include "debug.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* gdb knows these by name and layout. */
struct jit_code_entry {
    struct jit_code_entry *next_entry, *prev_entry;
    const char *symfile_addr;
    uint64_t symfile_size;
};

struct jit_descriptor {
    uint32_t version;
    uint32_t action_flag;
    struct jit_code_entry *relevant_entry, *first_entry;
};

enum { JIT_NOACTION, JIT_REGISTER, JIT_UNREGISTER };

/* gdb finds them in a stripped library only if they are exported; a program that has its own, as one with LLVM in it
 * does, shares them. */
extern SM_API struct jit_descriptor __jit_debug_descriptor;
extern SM_API void __jit_debug_register_code(void);

struct jit_descriptor __jit_debug_descriptor = {1, JIT_NOACTION, NULL, NULL};

/* gdb stops here. */
__attribute__((noinline)) void __jit_debug_register_code(void) {
    __asm__ volatile("" ::: "memory");
}

struct debug {
    struct jit_code_entry entry;
    unsigned char file[];
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of the descriptor, which is the process's */

/* Reports ENTRY to gdb as registered or unregistered (ACTION), by the call at which gdb stops. Requires the lock. */
static void notify_gdb(struct jit_code_entry *entry, uint32_t action) {
    __jit_debug_descriptor.relevant_entry = entry;
    __jit_debug_descriptor.action_flag = action;
    __jit_debug_register_code();
    __jit_debug_descriptor.relevant_entry = NULL;
    __jit_debug_descriptor.action_flag = JIT_NOACTION;
}

struct debug *debug_tell(const struct image *im) {
    struct debug *d = malloc(sizeof *d + im->elf.file.len);
    if (!d)
        return NULL;
    memcpy(d->file, im->elf.file.data, im->elf.file.len);
    Elf64_Ehdr header;
    memcpy(&header, d->file, sizeof header);
    for (size_t i = 1; i < im->elf.sections; i++) {
        Elf64_Shdr s;
        unsigned char *at = d->file + header.e_shoff + i * sizeof s;
        memcpy(&s, at, sizeof s);
        s.sh_addr = im->section[i].placed ? im->section[i].address : s.sh_addr;
        memcpy(at, &s, sizeof s);
    }
    pthread_mutex_lock(&lock);
    d->entry = (struct jit_code_entry){.next_entry = __jit_debug_descriptor.first_entry,
                                       .symfile_addr = (const char *)d->file,
                                       .symfile_size = im->elf.file.len};
    if (d->entry.next_entry)
        d->entry.next_entry->prev_entry = &d->entry;
    __jit_debug_descriptor.first_entry = &d->entry;
    notify_gdb(&d->entry, JIT_REGISTER);
    pthread_mutex_unlock(&lock);
    return d;
}

/* Unregisters an object from gdb and frees its copy of the file; NULL is fine. */
void debug_forget(struct debug *d) {
    if (!d)
        return;
    pthread_mutex_lock(&lock);
    struct jit_code_entry *next = d->entry.next_entry, *last = d->entry.prev_entry;
    if (next)
        next->prev_entry = last;
    if (last)
        last->next_entry = next;
    else
        __jit_debug_descriptor.first_entry = next;
    notify_gdb(&d->entry, JIT_UNREGISTER);
    pthread_mutex_unlock(&lock);
    free(d);
}

/* Appends the functions that have a name to perf's map. A line must reach the file whole, as others write there,
 * too: each is one write. */
void perf_map_write(const struct map *m, size_t code_bytes) {
    char path[64];
    snprintf(path, sizeof path, "/tmp/perf-%d.map", (int)getpid());
    FILE *f = fopen(path, "ae");
    if (!f)
        return;
    for (size_t i = 0; i < m->codes; i++) {
        const sm_code *c = &m->code[i];
        size_t bytes = c->bytes ? c->bytes : code_bytes ? 1 : 0;
        if (c->name)
            fprintf(f, "%lx %zx %s\n", (unsigned long)c->address, bytes, c->name);
    }
    fclose(f);
}
