/* backtrace.c - the frames of the source, from the innermost outwards. */
#include "error.h"
#include "linetable.h"
#include "walk.h"

/* Fills FRAME with one frame of machine code; gives how many it is in the source, at least 1. The outermost has the
 * symbol's name. */
static size_t put_frames(const struct walk *w, sm_source_frame *frame, size_t room) {
    const sm_code *code = w->frame.site ? w->frame.site->code : sm_find_code(w->loader, w->pc - 1);
    size_t n = lines_at(w->object, w->pc - 1, frame, room);
    if (n == 0)
        frame[n++] = (sm_source_frame){0};
    if (!frame[n - 1].is_inlined && code && code->name)
        frame[n - 1].function = code->name;
    for (size_t i = 0; i < n; i++) {
        frame[i].pc = w->pc;
        frame[i].sp = w->frame.sp;
    }
    return n;
}

sm_result sm_backtrace(const sm_loader *l, sm_registers *at, sm_source_frame *frame, size_t room, size_t *frames,
                       sm_error *err) {
    struct walk w;
    size_t n = 0;
    int more = 0;
    if (frames)
        *frames = 0;
    if (!l || !at || (!frame && room))
        return fail(err, SM_ERR_INVALID_ARGUMENT, "There is no loader, no stack, or no room for frames");
    sm_result r = walk_begin(&w, l, at, &more, err);
    while (r == SM_SUCCESS && more && n < room) {
        n += put_frames(&w, frame + n, room - n);
        if (n < room)
            r = walk_next(&w, &more, err);
    }
    if (frames)
        *frames = n;
    return r;
}

size_t sm_source_at(const sm_loader *l, uintptr_t pc, sm_source_frame *frame, size_t room) {
    const sm_object *o = l ? loader_object_at(l, pc) : NULL;
    const sm_code *code = o ? sm_find_code(l, pc) : NULL;
    size_t n = o && room ? lines_at(o, pc, frame, room) : 0;
    if (n && !frame[n - 1].is_inlined && code && code->name)
        frame[n - 1].function = code->name;
    for (size_t i = 0; i < n; i++)
        frame[i].pc = pc;
    return n;
}
