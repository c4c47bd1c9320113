/* plugin_trial.c - what kind a strategy of a plugin is: by what becomes of a small module. */
#include "core.h"
#include "plugins.h"
#include "state.h"

#include <string.h>

enum { SPACES = 256 }; /* that are tried */

/* A function of the strategy with a pointer of each address space that is alive across a call. */
static void write_module(const char *name, unsigned spaces, sm_buf *out) {
    sm_buf_puts(out, "declare void @g()\ndeclare void @use(...) \"gc-leaf-function\"\n"
                     "define void @f(ptr addrspace(1) %p1");
    for (unsigned i = 0; i < spaces; i++)
        if (i != 1)
            sm_buf_printf(out, ", ptr addrspace(%u) %%p%u", i, i);
    sm_buf_printf(out, ") gc \"%s\" {\n  call void @g()\n  call void (...) @use(ptr addrspace(1) %%p1", name);
    for (unsigned i = 0; i < spaces; i++)
        if (i != 1)
            sm_buf_printf(out, ", ptr addrspace(%u) %%p%u", i, i);
    sm_buf_puts(out, ")\n  ret void\n}\n");
}

/* How many roots the call in such a function has; -1 if it is no statepoint, -2 if the module does not compile. */
static int count_roots(const char *name, unsigned spaces) {
    static const char root[] = "\"base\":";
    sm_options o;
    sm_timings timings;
    sm_buf module, out;
    sm_artifact a;
    struct compile *rest;
    int roots = 0;
    sm_options_init(&o);
    o.safepoints = 0;
    sm_buf_init(&module, (size_t)1 << 16);
    sm_buf_init(&out, (size_t)1 << 20);
    write_module(name, spaces, &module);
    if (compile_run(&o, (sm_slice){NULL, 0}, sm_buf_cstr(&module), module.len, NULL, &out, &timings, &rest) !=
            SM_OK ||
        sm_artifact_read(out.data, out.len, &a) != SM_OK || a.status != SM_OK)
        return -2;
    sm_slice map = a.part[SM_PART_STACKMAP];
    if (!map.data || !memmem(map.data, map.len, "\"statepoint\"", 12))
        return -1;
    const char *end = (const char *)map.data + map.len;
    for (const char *at = (const char *)map.data; (at = memmem(at, (size_t)(end - at), root, sizeof root - 1)); at++)
        roots++;
    return roots;
}

/* In a child, which frees nothing: compiles a function of this strategy as if its calls became statepoints, and sees
 * whether they do, and of which pointers they have roots. */
int plugin_try_strategy(const char *name) {
    int roots = count_roots(name, 0);
    if (roots < 0)
        return roots == -1 ? IS_ROOTS : IS_BROKEN;
    return roots == 1 && count_roots(name, SPACES) == 1 ? IS_STATEPOINTS : IS_ELSEWHERE;
}
