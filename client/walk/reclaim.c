/* reclaim.c - retired objects are freed when no frame is in them. */
#include "error.h"
#include "walk.h"

/* Marks as used the objects of all frames of one thread. Fails if the walk does. */
static sm_result mark_stack(const sm_loader *l, sm_registers *at, sm_error *err) {
    struct walk w;
    int more;
    sm_result r = walk_begin(&w, l, at, &more, err);
    while (r == SM_SUCCESS && more) {
        ((sm_object *)w.object)->is_used = 1;
        r = walk_next(&w, &more, err);
    }
    return r;
}

sm_result sm_loader_reclaim_unused(sm_loader *l, sm_registers *const *stack, size_t stacks, size_t *count,
                                   sm_error *err) {
    sm_result r = SM_SUCCESS;
    size_t freed = 0;
    if (!l || (stacks && !stack))
        return fail(err, SM_ERR_INVALID_ARGUMENT, "There is no loader, or no array of stacks");
    pthread_mutex_lock(&l->lock);
    for (size_t i = 0; r == SM_SUCCESS && i < stacks; i++)
        if (stack[i])
            r = mark_stack(l, stack[i], err);
    if (r == SM_SUCCESS)
        freed = loader_free_unused(l);
    for (sm_object *o = l->retired; o; o = o->next)
        o->is_used = 0;
    for (sm_object *o = l->objects; o; o = o->next)
        o->is_used = 0;
    pthread_mutex_unlock(&l->lock);
    if (count)
        *count = freed;
    return r;
}
