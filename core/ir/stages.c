/* stages.c - the module after a stage or step, as text, for people who want to see what a stage does.
 *
 * Only when the option emit asks for it. What is printed is a clone without the marks of ours, so that the compile goes
 * on as if nobody had looked.
 */
#include "ir.h"

void stages_show(struct compile *c, const char *name) {
    if (!(c->options->emit & SM_EMIT_STAGES) || !c->module)
        return;
    LLVMModuleRef plain = LLVMCloneModule(c->module);
    sites_unmark(plain);
    char *text = LLVMPrintModuleToString(plain);
    json_t *stage = json_object();
    json_object_set_new(stage, "stage", json_string(name));
    json_object_set_new(stage, "ir", json_utf8(text, strlen(text)));
    if (c->passes)
        json_object_set_new(stage, "passes", c->passes);
    c->passes = NULL;
    json_array_append_new(c->stages, stage);
    LLVMDisposeMessage(text);
    LLVMDisposeModule(plain);
}
