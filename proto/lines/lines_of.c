/* lines_of.c - see lines.h. */
#include "lines.h"

#include "dwarf.h"

#include <stdlib.h>
#include <string.h>

static int by_address(const void *a, const void *b) {
    const struct query *x = a, *y = b;
    if (x->address != y->address)
        return x->address < y->address ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

/* Notes what is asked for, by ascending address; nothing is known of it yet. 0 without memory. */
static int take_queries(struct dwarf *d, const sm_instruction *at, size_t n) {
    d->query = calloc(n + 1, sizeof *d->query);
    d->out->line = calloc(n + 1, sizeof *d->out->line);
    if (!d->query || !d->out->line)
        return 0;
    for (size_t i = 0; i < n; i++) {
        d->query[i] = (struct query){dwarf_address(d, at[i].section, at[i].offset), (uint32_t)i};
        d->out->line[i] = (sm_line){.scope = SM_LINES_NONE, .file = SM_LINES_NONE};
    }
    qsort(d->query, n, sizeof *d->query, by_address);
    d->queries = d->out->lines = n;
    return 1;
}

/* Reads all units. */
static void read_units(struct dwarf *d) {
    for (size_t at = 0; d->status == SM_OK && dwarf_unit_at(d, at); at = d->unit.end) {
        if (d->unit.entries == d->unit.end)
            continue;
        dwarf_read_lines(d);
        dwarf_read_scopes(d);
    }
}

sm_status sm_lines_of(sm_lines *l, const sm_elf *e, const sm_instruction *at, size_t n) {
    struct dwarf d = {.out = l};
    *l = (sm_lines){0};
    sm_status s = n < SM_LINES_NONE ? dwarf_open(&d, e) : SM_NOMEM;
    if (s == SM_OK)
        s = take_queries(&d, at, n) ? SM_OK : SM_NOMEM;
    if (s == SM_OK && n)
        read_units(&d);
    if (s == SM_OK)
        s = d.status;
    if (s == SM_OK)
        l->text = (char *)sm_buf_take(&d.text, &l->text_len);
    else
        sm_lines_free(l);
    dwarf_close(&d);
    return s == SM_OK ? SM_OK : SM_NOMEM;
}

void sm_lines_free(sm_lines *l) {
    free(l->line);
    free(l->scope);
    free(l->text);
    *l = (sm_lines){0};
}

const char *sm_lines_text(const sm_lines *l, uint32_t text) {
    return text < l->text_len ? l->text + text : NULL;
}

int sm_lines_next(const sm_lines *l, size_t i, sm_line_walk *w, sm_source *out) {
    const sm_line *line = i < l->lines ? &l->line[i] : NULL;
    if (!line)
        return 0;
    if (w->step == 0) {
        if (line->scope == SM_LINES_NONE && line->file == SM_LINES_NONE)
            return 0;
        *out = (sm_source){.file = sm_lines_text(l, line->file), .line = line->line, .column = line->column};
        w->scope = line->scope;
    } else {
        const sm_scope *inner = w->scope == SM_LINES_NONE ? NULL : &l->scope[w->scope];
        if (!inner || inner->outer == SM_LINES_NONE)
            return 0;
        *out = (sm_source){.file = sm_lines_text(l, inner->file), .line = inner->line, .column = inner->column};
        w->scope = inner->outer;
    }
    w->step++;
    if (w->scope != SM_LINES_NONE)
        out->function = sm_lines_text(l, l->scope[w->scope].function);
    return 1;
}
