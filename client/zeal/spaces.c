/* spaces.c - memory that nobody may use any more, until it is opened again. */
#include "error.h"
#include "zeal.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { POISON = 0xdb };

/* The first range that ends after ADDRESS. */
static size_t first_after(const sm_zeal *z, uintptr_t address) {
    size_t low = 0, high = z->ranges;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (z->range[middle].end <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

const struct closed *range_at(const sm_zeal *z, uintptr_t address) {
    size_t i = first_after(z, address);
    return i < z->ranges && z->range[i].start <= address ? &z->range[i] : NULL;
}

/* Makes room for two ranges more. 0 when out of memory. */
static int make_room(sm_zeal *z) {
    if (z->ranges + 2 <= z->range_cap)
        return 1;
    size_t cap = z->range_cap ? 2 * z->range_cap : 64;
    struct closed *more = keep_take(&z->keep, cap * sizeof *more);
    if (!more)
        return 0;
    if (z->ranges)
        memcpy(more, z->range, z->ranges * sizeof *more);
    if (z->range)
        keep_give(&z->keep, z->range, z->range_cap * sizeof *more);
    z->range = more;
    z->range_cap = cap;
    return 1;
}

/* Puts COUNT ranges in the place of ranges FROM to TO. Requires room. */
static void replace(sm_zeal *z, size_t from, size_t to, const struct closed *with, size_t count) {
    memmove(z->range + from + count, z->range + to, (z->ranges - to) * sizeof *z->range);
    memcpy(z->range + from, with, count * sizeof *with);
    z->ranges = z->ranges - (to - from) + count;
}

/* Takes START to END out of the ranges, and puts WITH there, if it is one. Requires room. */
static void cut(sm_zeal *z, uintptr_t start, uintptr_t end, const struct closed *with) {
    struct closed parts[3];
    size_t from = first_after(z, start), to = from, count = 0;
    while (to < z->ranges && z->range[to].start < end)
        to++;
    if (from < to && z->range[from].start < start)
        parts[count++] = (struct closed){z->range[from].start, start, z->range[from].collection};
    if (with)
        parts[count++] = *with;
    if (from < to && z->range[to - 1].end > end)
        parts[count++] = (struct closed){end, z->range[to - 1].end, z->range[to - 1].collection};
    replace(z, from, to, parts, count);
}

/* Makes the whole pages of a space inaccessible, and poisons the rest. */
static sm_result close_pages(sm_zeal *z, uintptr_t from, size_t bytes, sm_error *err) {
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), end = from + bytes;
    struct closed closed = {(from + page - 1) & ~(page - 1), end & ~(page - 1), z->collections};
    if (closed.start >= closed.end) {
        memset((void *)from, POISON, bytes);
        return SM_SUCCESS;
    }
    memset((void *)from, POISON, closed.start - from);
    memset((void *)closed.end, POISON, end - closed.end);
    if (!make_room(z))
        return fail(err, SM_ERR_NO_MEMORY, "There is no memory to note a closed space");
    if (mprotect((void *)closed.start, closed.end - closed.start, PROT_NONE) != 0)
        return fail(err, SM_ERR_SYSTEM, "The space at 0x%llx cannot be made inaccessible: %s",
                    (unsigned long long)from, strerror(errno));
    madvise((void *)closed.start, closed.end - closed.start, MADV_DONTNEED);
    cut(z, closed.start, closed.end, &closed);
    return SM_SUCCESS;
}

sm_result sm_zeal_close(sm_zeal *z, void *from, size_t bytes, sm_registers *const *stack, size_t stacks,
                        sm_error *err) {
    uintptr_t start = (uintptr_t)from;
    sm_result r = SM_SUCCESS;
    if (!z)
        return SM_SUCCESS;
    if (bytes > UINTPTR_MAX - start || (stacks && !stack))
        return fail(err, SM_ERR_INVALID_ARGUMENT, "The space is no memory, or there is no array of stacks");
    pthread_mutex_lock(&z->lock);
    if (atomic_exchange(&z->is_visiting, 0))
        z->collections++;
    for (size_t i = 0; r == SM_SUCCESS && i < stacks && !(z->options.flags & SM_ZEAL_NO_SCAN); i++)
        if (stack[i])
            r = scan_stack(z, stack[i], start, bytes, err);
    sm_result closed = close_pages(z, start, bytes, r == SM_SUCCESS ? err : NULL);
    pthread_mutex_unlock(&z->lock);
    return r == SM_SUCCESS ? closed : r;
}

/* Opens what is closed between two addresses, page by page as it was closed. */
static sm_result open_pages(sm_zeal *z, uintptr_t start, uintptr_t end, sm_error *err) {
    for (size_t i = first_after(z, start); i < z->ranges && z->range[i].start < end; i++) {
        uintptr_t from = z->range[i].start > start ? z->range[i].start : start;
        uintptr_t to = z->range[i].end < end ? z->range[i].end : end;
        if (mprotect((void *)from, to - from, PROT_READ | PROT_WRITE) != 0)
            return fail(err, SM_ERR_SYSTEM, "The space at 0x%llx cannot be opened: %s", (unsigned long long)from,
                        strerror(errno));
    }
    cut(z, start, end, NULL);
    return SM_SUCCESS;
}

sm_result sm_zeal_open(sm_zeal *z, void *space, size_t bytes, sm_error *err) {
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), start = (uintptr_t)space & ~(page - 1);
    if (!z || !bytes)
        return SM_SUCCESS;
    if (bytes > UINTPTR_MAX - page - (uintptr_t)space)
        return fail(err, SM_ERR_INVALID_ARGUMENT, "The space is no memory");
    uintptr_t end = ((uintptr_t)space + bytes + page - 1) & ~(page - 1);
    pthread_mutex_lock(&z->lock);
    sm_result r = make_room(z) ? open_pages(z, start, end, err)
                               : fail(err, SM_ERR_NO_MEMORY, "There is no memory to note an opened space");
    pthread_mutex_unlock(&z->lock);
    return r;
}
