/* body.c - see body.h. */
#include "body.h"
#include "ir.h"

/* Lists each block's safepoints. */
static void list_safepoints(struct body *b, const struct compile *c) {
    b->first_safepoint = xcalloc(b->graph.blocks + 1, sizeof *b->first_safepoint);
    for (size_t i = 0; i < b->graph.blocks; i++) {
        for (LLVMValueRef v = LLVMGetFirstInstruction(b->graph.block[i]); v; v = LLVMGetNextInstruction(v))
            if (is_safepoint(c, v))
                set_add_again(&b->safepoint, v);
        b->first_safepoint[i + 1] = b->safepoint.count;
    }
}

void body_of(struct body *b, const struct compile *c, LLVMValueRef f) {
    if (b->function == f)
        return;
    body_free(b);
    b->function = f;
    graph_make(&b->graph, f);
    list_safepoints(b, c);
}

void body_free(struct body *b) {
    set_free(&b->bundled);
    free(b->bundles);
    graph_free(&b->graph);
    free(b->first);
    set_free(&b->instruction);
    free(b->first_safepoint);
    set_free(&b->safepoint);
    *b = (struct body){0};
}
