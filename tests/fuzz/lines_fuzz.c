/* The lines of an object's code: read from its DWARF, written into a table of all lines, and read back. The table says what
 * the DWARF says of every place: the same frames, in the same order. */
#include "fuzz.h"

#include "lineformat.h"
#include "lines.h"
#include "linetable.h"
#include "map.h"

#include <string.h>

enum { FUNCTIONS = 64, BYTES_MOST = 1 << 16, ROOM = 32, SPACE = 1 << 24 };

/* An object whose sections of code stand in memory, SPACE bytes each, without having been loaded. */
struct object {
    struct image image;
    struct map map;
    sm_object object;
    sm_code code[FUNCTIONS];
    sm_instruction first[FUNCTIONS]; /* where each begins, in the file */
};

static int by_address(const void *a, const void *b) {
    const sm_code *x = a, *y = b;
    return (x->address > y->address) - (x->address < y->address);
}

static void place_sections(struct object *o) {
    const sm_elf *e = &o->image.elf;
    o->image.section = calloc(e->sections, sizeof *o->image.section);
    must(o->image.section);
    for (size_t i = 1; i < e->sections; i++)
        if (e->section[i].flags & SHF_EXECINSTR && e->section[i].bytes.len < SPACE)
            o->image.section[i] = (struct section){
                .area = AREA_CODE, .placed = 1, .bytes = e->section[i].bytes.len, .address = i * SPACE};
}

/* The functions that symbols name; of several in one place the first. */
static void list_functions(struct object *o) {
    sm_elf_symbol s;
    size_t n = 0, kept = 0, room = BYTES_MOST;
    for (size_t i = 1; i < o->image.elf.symbols && n < FUNCTIONS; i++) {
        if (sm_elf_symbol_at(&o->image.elf, i, &s) != SM_OK || s.type != STT_FUNC || !s.in_section)
            continue;
        const struct section *in = &o->image.section[s.section];
        if (in->placed && s.size && s.value < in->bytes && s.size <= in->bytes - s.value && s.size <= room) {
            o->code[n++] = (sm_code){.address = in->address + s.value, .bytes = s.size, .object = &o->object};
            room -= s.size;
        }
    }
    qsort(o->code, n, sizeof *o->code, by_address);
    for (size_t i = 0; i < n; i++)
        if (!kept || o->code[i].address >= o->code[kept - 1].address + o->code[kept - 1].bytes)
            o->code[kept++] = o->code[i];
    for (size_t i = 0; i < kept; i++)
        o->first[i] = (sm_instruction){(uint32_t)(o->code[i].address / SPACE), o->code[i].address % SPACE};
    o->map = (struct map){.object = &o->object, .code = o->code, .codes = kept};
}

static void check_text(const char *got, const char *expected) {
    must((got && *got) == (expected && *expected) && (!got || !expected || strcmp(got, expected) == 0));
}

/* What the table says of one place against what the DWARF says. */
static void check_place(const struct object *o, uintptr_t address, const sm_lines *lines, size_t i) {
    sm_source_frame frame[ROOM];
    sm_line_walk walk = {0};
    sm_source expected;
    size_t n = lines_at(&o->object, address, frame, ROOM), seen = 0;
    must(n <= ROOM);
    for (; sm_lines_next(lines, i, &walk, &expected); seen++) {
        if (seen == ROOM)
            return;
        must(seen < n && frame[seen].line == expected.line);
        check_text(frame[seen].function, expected.function);
        check_text(frame[seen].file, expected.file);
    }
    for (; seen < n; seen++) /* the table knows at most that nothing is known */
        must(!frame[seen].function && !frame[seen].file && !frame[seen].line);
}

/* Every place of every function. All are asked for at once, as the table's writer asks: damaged DWARF may say that a call
 * was inlined into code elsewhere. */
static void check_places(const struct object *o) {
    sm_instruction *at = calloc(BYTES_MOST, sizeof *at);
    sm_lines lines;
    size_t n = 0;
    must(at);
    for (size_t i = 0; i < o->map.codes; i++)
        for (size_t step = 0; step < o->code[i].bytes; step += LINES_STEP)
            at[n++] = (sm_instruction){o->first[i].section, o->first[i].offset + step};
    must(sm_lines_of(&lines, &o->image.elf, at, n) == SM_OK && lines.lines == n);
    for (size_t i = 0; i < n; i++)
        check_place(o, at[i].section * (uintptr_t)SPACE + at[i].offset, &lines, i);
    sm_lines_free(&lines);
    free(at);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct object o = {0};
    struct line_table *table;
    char why[200];
    if (sm_elf_open(&o.image.elf, data, size, why, sizeof why) != SM_OK)
        return 0;
    o.object.map = &o.map;
    place_sections(&o);
    list_functions(&o);
    must(lines_read(&o.image, &o.object, 1, &table) == SM_SUCCESS);
    o.object.lines = table;
    if (table)
        check_places(&o);
    lines_free(table);
    free(o.image.section);
    sm_elf_close(&o.image.elf);
    return 0;
}
