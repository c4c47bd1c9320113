/* plugin_trial.c - what kind a strategy of a plugin is: by what becomes of small modules. */
#include "base.h"
#include "core.h"
#include "plugins.h"
#include "state.h"

#include <stdlib.h>
#include <string.h>

/* For each address space a function of the strategy with a pointer that is alive across a call: @s0, @s1 and so on. */
static void write_module(const char *name, unsigned spaces, sm_buf *out) {
    sm_buf_puts(out, "declare void @g()\n");
    for (unsigned i = 0; i < spaces; i++)
        sm_buf_printf(out,
                      "declare void @use%u(ptr addrspace(%u)) \"gc-leaf-function\"\n"
                      "define void @s%u(ptr addrspace(%u) %%p) gc \"%s\" {\n  call void @g()\n"
                      "  call void @use%u(ptr addrspace(%u) %%p)\n  ret void\n}\n",
                      i, i, i, i, name, i, i);
}

/* Compiles these functions. The decoded stackmap, *borrowed* from OUT; empty if they have no statepoints, or do not
 * compile (*COMPILES). */
static sm_slice try_spaces(const char *name, unsigned spaces, sm_buf *out, int *compiles) {
    sm_options o;
    sm_timings timings;
    sm_buf module;
    sm_artifact a;
    struct compile *rest;
    sm_options_init(&o);
    o.safepoints = 0;
    o.verify = SM_VERIFY_IR; /* LLVM's verifier of safepoints knows space 1 alone */
    sm_buf_init(&module, (size_t)1 << 20);
    sm_buf_init(out, (size_t)1 << 24);
    write_module(name, spaces, &module);
    *compiles =
        compile_run(&o, (sm_slice){NULL, 0}, sm_buf_cstr(&module), module.len, NULL, out, &timings, &rest) == SM_OK &&
        sm_artifact_read(out->data, out->len, &a) == SM_OK && a.status == SM_OK;
    sm_slice map = *compiles ? a.part[SM_PART_STACKMAP] : (sm_slice){NULL, 0};
    return map.data && memmem(map.data, map.len, "\"statepoint\"", 12) ? map : (sm_slice){NULL, 0};
}

/* Sets the bits of the spaces whose functions have a root in the decoded MAP. */
static void find_spaces(sm_slice map, unsigned char *spaces) {
    static const char name[] = "{\"name\":\"s", root[] = "\"base\":";
    const char *at = (const char *)map.data, *end = at + map.len;
    while ((at = memmem(at, (size_t)(end - at), name, sizeof name - 1)) != NULL) {
        at += sizeof name - 1;
        const char *next = memmem(at, (size_t)(end - at), name, sizeof name - 1);
        unsigned long number = strtoul(at, NULL, 10);
        if (number <= SPACE_MAX && memmem(at, (size_t)((next ? next : end) - at), root, sizeof root - 1))
            spaces[number / 8] |= (unsigned char)(1u << number % 8);
    }
}

/* In a child, which frees nothing: compiles functions of this strategy as if its calls became statepoints, and sees
 * whether they do, and pointers of which address spaces are roots. */
int plugin_try_strategy(const char *name, unsigned char *spaces) {
    sm_buf out;
    int compiles;
    sm_slice map = try_spaces(name, 2, &out, &compiles);
    if (!compiles || !map.data)
        return compiles ? IS_ROOTS : IS_BROKEN;
    map = try_spaces(name, SPACE_MAX + 1, &out, &compiles);
    if (!compiles)
        return IS_BROKEN;
    find_spaces(map, spaces);
    return IS_STATEPOINTS;
}
