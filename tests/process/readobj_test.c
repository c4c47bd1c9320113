/* The reader alone, on objects that llc-19 makes of IR as it stands: stackmaps and patchpoints with their live-outs,
 * statepoints, on both targets. What llc refuses is no object. */
#include "explain.h"
#include "files.h"
#include "gcmap.h"
#include "readobj.h"
#include "schema.h"
#include "stackmap_json.h"
#include "stackmap_object.h"

#include <criterion/criterion.h>
#include <glob.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

static struct {
    unsigned objects, functions, records, liveouts;
} count;

/* The JSON is of the schema and has every record; the text has every function. */
static void renders(const char *what, sm_stackmap *m) {
    sm_buf json, text;
    size_t records = 0, i;
    json_t *function;
    sm_buf_init(&json, (size_t)1 << 28);
    sm_buf_init(&text, (size_t)1 << 28);
    sm_stackmap_guess_kinds(m);
    cr_assert_eq(sm_stackmap_to_json(m, &json), SM_OK, "%s", what);
    cr_assert_eq(sm_explain(m, NULL, 0, &text), SM_OK, "%s", what);
    json_t *parsed = json_loadb((const char *)json.data, json.len, JSON_REJECT_DUPLICATES, NULL);
    cr_assert(parsed, "%s: %s", what, sm_buf_cstr(&json));
    json_t *schema = json_load_file(SOURCE_DIR "/proto/stackmap.schema.json", 0, NULL);
    const char *breach = schema_breach(schema, parsed);
    cr_assert_null(breach, "%s: %s", what, breach);
    json_decref(schema);
    json_array_foreach(json_object_get(parsed, "functions"), i, function) {
        records += json_array_size(json_object_get(function, "safepoints"));
        cr_assert(strstr(sm_buf_cstr(&text), json_string_value(json_object_get(function, "name"))), "%s", what);
    }
    cr_assert_eq(records, m->records, "%s", what);
    json_decref(parsed);
    sm_buf_free(&json);
    sm_buf_free(&text);
}

static void compare(const char *file, const char *options) {
    char command[1024], why[200];
    int status;
    sm_elf e;
    sm_stackmap m;
    sm_stackmap_error err = {0};
    snprintf(command, sizeof command,
             "ulimit -v 8388608; ulimit -S -t 10; llc-19 -relocation-model=pic -filetype=obj %s -o - %s 2>/dev/null",
             options, file);
    struct bytes object = run_command(command, "", 0, &status);
    if (status == 0) {
        cr_assert_eq(sm_elf_open(&e, object.data, object.len, why, sizeof why), SM_OK, "%s: %s", command, why);
        cr_assert_eq(sm_stackmap_of_object(&m, &e, &err), SM_OK, "%s: %s", command, err.message);
        for (uint32_t i = 0; i < m.functions; i++)
            cr_assert(m.function[i].name && m.function[i].size, "%s: function %u has no name or size", command, i);
        if (m.functions)
            compare_with_readobj(command, &m, object.data, object.len);
        count.objects += m.functions > 0;
        count.functions += m.functions;
        count.records += m.records;
        count.liveouts += m.liveouts;
        cr_assert_eq(sm_gcmap_of_object(&m, &e, &err), SM_OK, "%s: %s", command, err.message);
        renders(command, &m);
        sm_stackmap_free(&m);
        sm_elf_close(&e);
    }
    bytes_free(object);
}

static void compare_folder(const char *pattern) {
    glob_t g = {0};
    glob(pattern, 0, NULL, &g);
    for (size_t i = 0; i < g.gl_pathc; i++) {
        compare(g.gl_pathv[i], "-mtriple=x86_64-linux-gnu");
        compare(g.gl_pathv[i], "-mtriple=aarch64-linux-gnu");
        compare(g.gl_pathv[i], "-mtriple=x86_64-linux-gnu -O0 -function-sections -frame-pointer=all");
        compare(g.gl_pathv[i], "-mtriple=aarch64-linux-gnu -max-registers-for-gc-values=4 -fixup-allow-gcptr-in-csr");
    }
    globfree(&g);
}

Test(readobj, maps_are_what_llvm_reads, .timeout = 600) {
    compare_folder(SOURCE_DIR "/tests/corpus/*.ll");
    cr_assert_gt(count.records, 10);
    cr_assert_gt(count.liveouts, 0);
    compare_folder(CORPUS_DIR "/modern/*.ll");
    printf("[figures] readobj: %u objects with stackmaps, %u functions, %u records, %u live-outs, all as "
           "llvm-readobj-19 reads them\n",
           count.objects, count.functions, count.records, count.liveouts);
}

/* The names of calling conventions are those that opt-19 writes. */
Test(readobj, calling_conventions_have_llvms_names) {
    enum { CONVENTIONS = 128 };
    char line[100], buf[24];
    int status;
    sm_buf module;
    sm_buf_init(&module, 1 << 16);
    for (unsigned cc = 0; cc < CONVENTIONS; cc++)
        sm_buf_printf(&module, "declare cc %u void @f%u()\n", cc, cc);
    struct bytes out = run_command("opt-19 -S", module.data, module.len, &status);
    cr_assert_eq(status, 0);
    for (unsigned cc = 1; cc < CONVENTIONS; cc++) {
        const char *name = sm_calling_convention_name(cc, buf, sizeof buf);
        snprintf(line, sizeof line, " @f%u()", cc);
        const char *end = strstr((char *)out.data, line), *start = end;
        while (start && start > (char *)out.data && start[-1] != '\n')
            start--;
        snprintf(line, sizeof line, "declare %s ", name);
        cr_assert(start && strncmp(start, line, strlen(line)) == 0, "%u is not %s", cc, name);
    }
    cr_assert_str_eq(sm_calling_convention_name(0, buf, sizeof buf), "ccc");
    bytes_free(out);
    sm_buf_free(&module);
}
