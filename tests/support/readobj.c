/* readobj.c - see readobj.h. Our structs are printed as llvm/tools/llvm-readobj/StackMapPrinter.h prints, and the
 * texts compared. */
#include "readobj.h"

#include "check.h"
#include "files.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void print_location(sm_buf *out, const sm_location *l, uint32_t index) {
    sm_buf_printf(out, "      #%u: ", index + 1);
    if (l->kind == SM_LOCATION_REGISTER)
        sm_buf_printf(out, "Register R#%u", l->dwarf);
    else if (l->kind == SM_LOCATION_DIRECT)
        sm_buf_printf(out, "Direct R#%u + %d", l->dwarf, l->offset);
    else if (l->kind == SM_LOCATION_INDIRECT)
        sm_buf_printf(out, "Indirect [R#%u + %d]", l->dwarf, l->offset);
    else if (!l->from_pool)
        sm_buf_printf(out, "Constant %u", (uint32_t)l->constant);
    else
        sm_buf_printf(out, "ConstantIndex #0 (%llu)", (unsigned long long)l->constant);
    sm_buf_printf(out, ", size: %u\n", l->size);
}

static void print_record(sm_buf *out, const sm_stackmap *m, const sm_record *r) {
    sm_buf_printf(out, "  Record ID: %llu, instruction offset: %u\n    %u locations:\n", (unsigned long long)r->id,
                  r->offset, r->locations);
    for (uint32_t l = 0; l < r->locations; l++)
        print_location(out, &m->location[r->location + l], l);
    sm_buf_printf(out, "    %u live-outs: [ ", r->liveouts);
    for (uint32_t l = 0; l < r->liveouts; l++)
        sm_buf_printf(out, "R#%u (%u-bytes) ", m->liveout[r->liveout + l].dwarf, m->liveout[r->liveout + l].size);
    sm_buf_puts(out, "]\n");
}

static void print_map(sm_buf *out, const sm_stackmap *m) {
    for (uint32_t f = 0; f < m->functions; f++)
        sm_buf_printf(out, ", stack size: %llu, callsite record count: %u\n",
                      (unsigned long long)m->function[f].frame_size, m->function[f].records);
    for (uint32_t f = 0; f < m->functions; f++)
        for (uint32_t i = 0; i < m->function[f].records; i++)
            print_record(out, m, &m->record[m->function[f].record + i]);
}

/* A line of llvm-readobj's, without what our structs do not keep: a function's unrelocated address, and the index in
 * "ConstantIndex #3 (". */
static void keep(sm_buf *out, char *line) {
    char *size = strstr(line, ", stack size:"), *index = strstr(line, "ConstantIndex #");
    if (size && strstr(line, "Function address:")) {
        sm_buf_printf(out, "%s\n", size);
    } else if (index) {
        index += strlen("ConstantIndex #");
        sm_buf_printf(out, "%.*s0%s\n", (int)(index - line), line, index + strspn(index, "0123456789"));
    } else if (strstr(line, "Record ID:") || strstr(line, " locations:") || strstr(line, "live-outs:") ||
               strstr(line, "size: ")) {
        sm_buf_printf(out, "%s\n", line);
    }
}

static void run_readobj(const void *object, size_t len, sm_buf *out) {
    char path[] = "/tmp/smd-readobj-XXXXXX", command[200], *rest = NULL;
    int status, fd = mkstemp(path);
    check(fd >= 0, "no temporary file");
    close(fd);
    write_file(path, object, len);
    snprintf(command, sizeof command, "llvm-readobj-19 --stackmap %s", path);
    struct bytes text = run_command(command, "", 0, &status);
    unlink(path);
    check(status == 0, "%s: %d", command, status);
    for (char *line = strtok_r((char *)text.data, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
        keep(out, line);
    bytes_free(text);
}

void compare_with_readobj(const char *what, const sm_stackmap *m, const void *object, size_t len) {
    sm_buf ours, theirs;
    sm_buf_init(&ours, (size_t)1 << 28);
    sm_buf_init(&theirs, (size_t)1 << 28);
    print_map(&ours, m);
    run_readobj(object, len, &theirs);
    check(strcmp(sm_buf_cstr(&ours), sm_buf_cstr(&theirs)) == 0, "%s: the maps differ\nours:\n%s\nllvm-readobj:\n%s",
          what, sm_buf_cstr(&ours), sm_buf_cstr(&theirs));
    sm_buf_free(&ours);
    sm_buf_free(&theirs);
}
