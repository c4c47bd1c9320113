/* patch.c - writing code over code: into the room that a statepoint or patchpoint has for it. */
#include "error.h"
#include "memory.h"
#include "object.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Writes code by making its pages writable meanwhile. 0 if that fails, or other objects may be in the pages: those
 * are never writable. */
static int unseal_and_write(const struct span *code, uintptr_t address, const void *data, size_t len) {
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), start = address & ~(page - 1), end = address + len;
    size_t bytes = ((end + page - 1) & ~(page - 1)) - start;
    if (code->is_shared || mprotect((void *)start, bytes, PROT_READ | PROT_WRITE) != 0) /* NOLINT */
        return 0;
    memcpy((void *)address, data, len);                                /* NOLINT(performance-no-int-to-ptr) */
    return mprotect((void *)start, bytes, PROT_READ | PROT_EXEC) == 0; /* NOLINT(performance-no-int-to-ptr) */
}

sm_result sm_patch(sm_loader *l, uintptr_t address, const void *code, size_t len, sm_error *err) {
    if (!l || (!code && len))
        return fail(err, SM_ERR_INVALID_ARGUMENT, "There is no loader, or no code");
    pthread_mutex_lock(&l->lock);
    const sm_object *o = loader_object_at(l, address);
    const struct span *span = o ? &o->span[AREA_CODE] : NULL;
    int is_inside = span && span->bytes && address >= span->start && address - span->start <= o->code_bytes &&
                    len <= o->code_bytes - (address - span->start);
    sm_result r = SM_SUCCESS;
    if (!is_inside) {
        r = fail(err, SM_ERR_INVALID_ARGUMENT, "These are not all bytes of one loaded object's code");
    } else if (len) {
        int fd = memory_works() ? memory_open() : -1;
        int is_written = fd >= 0 ? memory_write(fd, address, code, len) : unseal_and_write(span, address, code, len);
        if (fd >= 0)
            close(fd);
        if (!is_written)
            r = fail(err, SM_ERR_SYSTEM, "The code cannot be written");
        __builtin___clear_cache((char *)address, (char *)address + len); /* NOLINT(performance-no-int-to-ptr) */
        memory_synchronise();
    }
    pthread_mutex_unlock(&l->lock);
    return r;
}
