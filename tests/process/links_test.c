/* What emit=links tells: which call and values a record is about. */
#include "worker.h"

#include <criterion/criterion.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#define GC     " gc \"statepoint-example\" "
#define CALLEE "declare void @g()\n"

/* Each safepoint is linked with its line in the printed IR, and each root with a value of its gc-live bundle: B is
 * stored before its interior pointer, whose base it is. */
Test(links, lines_and_values) {
    static const char ir[] =
        CALLEE "define ptr addrspace(1) @f(ptr addrspace(1) %a, ptr addrspace(1) %b, i64 %n)" GC "{\n"
               "  %i = getelementptr i8, ptr addrspace(1) %b, i64 %n\n  call void @g()\n"
               "  store ptr addrspace(1) %a, ptr addrspace(1) %b\n  call void @g()\n  ret ptr addrspace(1) %i\n}\n";
    static const char none[] = "opt=0 safepoints=none remat=false emit=obj,ir,links",
                      asm_of[] = "opt=0 safepoints=none remat=false emit=asm,links";
    struct compiled c = compile(ir, none, "x86_64-linux-gnu");
    cr_assert_eq(c.artifact.status, SM_OK);
    json_t *links = json_loads(c.text[SM_PART_LINKS], 0, NULL);
    json_t *first = json_array_get(json_array_get(links, 0), 0),
           *second = json_array_get(json_array_get(links, 0), 1);
    const char *text = c.text[SM_PART_IR];
    for (json_int_t line = json_integer_value(json_object_get(first, "line")); line > 1; line--)
        text = strchr(text, '\n') + 1;
    text = strndup(text, strcspn(text, "\n"));
    cr_assert(strstr(text, "gc.statepoint") && strstr(text, "@g"), "%s", text);
    /* what the numbers mean */
    const char *live = strstr(text, "\"gc-live\"(");
    cr_assert(live && strstr(live, "%i") && strstr(live, "%b") && strstr(live, "%a"), "%s", text);
    json_t *roots = json_object_get(first, "roots");
    cr_assert_eq(json_array_size(roots), 3);
    int derived = 0;
    for (size_t i = 0; i < 3; i++) {
        json_t *pair = json_array_get(roots, i);
        derived += json_integer_value(json_array_get(pair, 0)) != json_integer_value(json_array_get(pair, 1));
    }
    cr_assert_eq(derived, 1);
    cr_assert_gt(json_integer_value(json_object_get(second, "line")),
                 json_integer_value(json_object_get(first, "line")));
    free((char *)text);
    json_decref(links);
    drop(&c);
    has(ir, none, SM_PART_LINKS, "\"roots\":null", 0);
    has(ir, asm_of, SM_PART_IR, "define", 0); /* what is not asked for is not there */
}
