/* passes_shown.c - what each pass of the optimiser changed, for people who want to see it: option after=passes.
 *
 * LLVM prints a function after each pass that has changed it (-print-changed), into the log, which is bounded. No value
 * of that flag switches it off again, so the process does no other job afterwards. The passes are those that run
 * anyway, and the module is the same.
 */
#include "frame.h"
#include "ir.h"
#include "optimize.h"
#include "optimizing.h"

#include <llvm-c/Support.h>

static int is_on; /* boolean: for as long as the process lives */

int passes_were_shown(void) {
    return is_on;
}

void passes_show(struct compile *c) {
    static const char *const argv[] = {"smd-worker", "-print-changed=quiet", "-print-loop-func-scope"};
    if (!(c->options->emit & SM_EMIT_STAGES) || !after_lists(c, "passes"))
        return;
    LLVMParseCommandLineOptions(3, argv, NULL);
    is_on = 1;
    capture_reset();
}

/* Adds the pass that the line *** IR Dump After PASS on UNIT *** names, with the text that follows it. */
static void add_pass(json_t *list, const char *line, const char *text, size_t len) {
    static const char begin[] = "*** IR Dump After ", on[] = " on ", end[] = " ***\n";
    const char *stop = strstr(line, end), *unit = strstr(line, on);
    if (strncmp(line, begin, sizeof begin - 1) != 0 || !stop || !unit || unit > stop)
        return;
    const char *pass = line + sizeof begin - 1, *name = unit + sizeof on - 1;
    json_t *row = json_object();
    json_object_set_new(row, "pass", json_utf8(pass, (size_t)(unit - pass)));
    json_object_set_new(row, "unit", json_utf8(name, (size_t)(stop - name)));
    json_object_set_new(row, "ir", json_utf8(text, len));
    json_array_append_new(list, row);
}

void passes_take(struct compile *c) {
    static const char mark[] = "\n*** IR ";
    if (!is_on)
        return;
    char *log = xmalloc(SM_LOG_SIZE + 1);
    log[0] = '\n';
    size_t len = capture_text(log + 1, SM_LOG_SIZE);
    int is_cut = len + 1 >= SM_LOG_SIZE;
    c->passes = json_array();
    for (const char *at = strstr(log, mark); at;) {
        const char *text = strchr(at + 1, '\n'), *next = text ? strstr(text, mark) : NULL;
        if (text && (next || !is_cut)) /* else its end is missing */
            add_pass(c->passes, at + 1, text + 1, next ? (size_t)(next - text) : strlen(text + 1));
        at = next;
    }
    free(log);
}
