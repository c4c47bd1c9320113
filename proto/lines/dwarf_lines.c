/* dwarf_lines.c - the line table of a unit (DWARF 5, chapter 6.2): rows of a program that is run, each for the
 * instructions up to the next row. */
#include "dwarf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    LNS_COPY = 1,
    LNS_ADVANCE_PC,
    LNS_ADVANCE_LINE,
    LNS_SET_FILE,
    LNS_SET_COLUMN,
    LNS_NEGATE_STMT,
    LNS_SET_BASIC_BLOCK,
    LNS_CONST_ADD_PC,
    LNS_FIXED_ADVANCE_PC,
    LNE_END_SEQUENCE = 1,
    LNE_SET_ADDRESS,
    LNCT_PATH = 1,
    LNCT_DIRECTORY = 2,
    FORMATS = 16, /* of a path's parts; there are five */
    PATH = 4096,
};

struct program {
    struct dwarf *d;
    sm_cursor c;
    size_t end;
    uint16_t version;
    uint8_t step, line_range, opcode_base;
    int8_t line_base;
    const unsigned char *lengths; /* of standard opcodes */
    const char **directory;       /* owned */
    size_t directories, directory_cap;
};

struct row_state {
    uint64_t address, file;
    int64_t line;
    uint64_t column;
};

/* ---- Files ------------------------------------------------------------------------------------------------------- */

/* Appends NAME to the path in TO, of PATH bytes. */
static void append(char *to, const char *name) {
    size_t n = strlen(to);
    snprintf(to + n, PATH - n, "%s%s", n && to[n - 1] != '/' ? "/" : "", name);
}

/* Adds a file of the unit, by the name and the number of its directory. */
static void add_file(struct program *p, const char *name, uint64_t directory) {
    struct dwarf *d = p->d;
    char path[PATH] = "";
    const char *in = p->version >= 5 ? directory < p->directories ? p->directory[directory] : NULL
                     : directory && directory <= p->directories ? p->directory[directory - 1]
                                                                : NULL;
    uint32_t *grown = dwarf_grow(d, d->file, d->files, &d->file_cap, sizeof *d->file);
    if (!grown)
        return;
    d->file = grown;
    if (name[0] != '/') {
        if (d->unit.comp_dir && (!in || in[0] != '/'))
            append(path, d->unit.comp_dir);
        if (in && !(p->version >= 5 && directory == 0 && d->unit.comp_dir && in[0] != '/'))
            append(path, in);
    }
    append(path, name);
    d->file[d->files++] = dwarf_text(d, path);
}

/* Adds a directory. */
static void add_directory(struct program *p, const char *name) {
    const char **grown = dwarf_grow(p->d, p->directory, p->directories, &p->directory_cap, sizeof *p->directory);
    if (!grown)
        return;
    p->directory = grown;
    p->directory[p->directories++] = name;
}

/* Reads the directories or files of version 5: what their entries have, and the entries. */
static void read_paths(struct program *p, int are_files) {
    struct dwarf_attribute format[FORMATS];
    unsigned formats = sm_get_u8(&p->c);
    for (unsigned i = 0; i < formats; i++) {
        struct dwarf_attribute a = {.name = (uint16_t)get_uleb(&p->c), .form = (uint16_t)get_uleb(&p->c)};
        if (i < FORMATS)
            format[i] = a;
    }
    if (formats > FORMATS)
        p->c.status = SM_MALFORMED;
    uint64_t n = get_uleb(&p->c);
    for (uint64_t i = 0; i < n && formats && p->c.status == SM_OK && p->d->status == SM_OK; i++) {
        const char *path = "";
        uint64_t directory = 0;
        for (unsigned k = 0; k < formats; k++) {
            struct dwarf_value v = dwarf_value(p->d, &p->c, &format[k]);
            if (format[k].name == LNCT_PATH && v.text)
                path = v.text;
            else if (format[k].name == LNCT_DIRECTORY)
                directory = v.number;
        }
        if (p->c.status == SM_OK && are_files)
            add_file(p, path, directory);
        else if (p->c.status == SM_OK)
            add_directory(p, path);
    }
}

/* Reads the directories and files of versions 2 to 4; files are numbered from 1. */
static void read_old_paths(struct program *p) {
    const char *name;
    while (*(name = get_string(&p->c)) && p->d->status == SM_OK)
        add_directory(p, name);
    add_file(p, "", 0);
    if (p->d->files)
        p->d->file[0] = SM_LINES_NONE;
    while (*(name = get_string(&p->c)) && p->d->status == SM_OK) {
        uint64_t directory = get_uleb(&p->c);
        get_uleb(&p->c);
        get_uleb(&p->c);
        add_file(p, name, directory);
    }
}

/* Reads the program's header, up to its first instruction. 0 if it is not read. */
static int read_header(struct program *p) {
    uint32_t length = sm_get_u32(&p->c);
    if (p->c.status != SM_OK || length > sm_cursor_left(&p->c))
        return 0;
    p->end = p->c.pos + length;
    p->version = sm_get_u16(&p->c);
    if (p->version < 2 || p->version > 5)
        return 0;
    if (p->version >= 5 && sm_get_u16(&p->c) != 8) /* of addresses and of segments */
        return 0;
    uint32_t header = sm_get_u32(&p->c);
    size_t start = header <= sm_cursor_left(&p->c) ? p->c.pos + header : p->end;
    p->step = sm_get_u8(&p->c);
    if (p->version >= 4)
        sm_get_u8(&p->c);
    sm_get_u8(&p->c);
    p->line_base = (int8_t)sm_get_u8(&p->c);
    p->line_range = sm_get_u8(&p->c);
    p->opcode_base = sm_get_u8(&p->c);
    p->lengths = p->opcode_base ? sm_get_bytes(&p->c, p->opcode_base - 1u) : NULL;
    if (p->c.status != SM_OK || !p->line_range || !p->opcode_base)
        return 0;
    if (p->version >= 5) {
        read_paths(p, 0);
        read_paths(p, 1);
    } else {
        read_old_paths(p);
    }
    int ok = p->c.status == SM_OK && start <= p->end;
    p->c.pos = start;
    p->c.len = p->end;
    return ok;
}

/* ---- Rows -------------------------------------------------------------------------------------------------------- */

/* The unit's file of this number. */
static uint32_t file_at(const struct dwarf *d, uint64_t i) {
    return i < d->files ? d->file[i] : SM_LINES_NONE;
}

/* A row begins at NEXT: what is from LAST up to it is of the row LAST. */
static void end_row(struct dwarf *d, const struct row_state *last, uint64_t next) {
    size_t first, n = last->address < next ? dwarf_queries(d, last->address, next, &first) : 0;
    for (size_t i = 0; i < n; i++) {
        sm_line *l = &d->out->line[d->query[first + i].index];
        l->file = file_at(d, last->file);
        l->line = last->line > 0 && last->line < UINT32_MAX ? (uint32_t)last->line : 0;
        l->column = last->column < UINT32_MAX ? (uint32_t)last->column : 0;
    }
}

/* The program's state. */
struct machine_state {
    struct row_state now, last;
    int has_last;
};

static void put_row(struct program *p, struct machine_state *m) {
    if (m->has_last)
        end_row(p->d, &m->last, m->now.address);
    m->last = m->now;
    m->has_last = 1;
}

static void reset(struct machine_state *m) {
    *m = (struct machine_state){.now = {.file = 1, .line = 1}};
}

static void run_extended(struct program *p, struct machine_state *m) {
    uint64_t length = get_uleb(&p->c);
    if (!length || length > sm_cursor_left(&p->c)) {
        p->c.status = SM_TRUNCATED;
        return;
    }
    size_t next = p->c.pos + (size_t)length;
    uint8_t op = sm_get_u8(&p->c);
    if (op == LNE_END_SEQUENCE) {
        if (m->has_last)
            end_row(p->d, &m->last, m->now.address);
        reset(m);
    } else if (op == LNE_SET_ADDRESS && length == 9) {
        m->now.address = sm_get_u64(&p->c);
    }
    p->c.pos = next;
}

static void run_standard(struct program *p, struct machine_state *m, uint8_t op) {
    switch (op) {
    case LNS_COPY:
        put_row(p, m);
        break;
    case LNS_ADVANCE_PC:
        m->now.address += get_uleb(&p->c) * p->step;
        break;
    case LNS_ADVANCE_LINE:
        m->now.line = (int64_t)((uint64_t)m->now.line + (uint64_t)get_sleb(&p->c));
        break;
    case LNS_SET_FILE:
        m->now.file = get_uleb(&p->c);
        break;
    case LNS_SET_COLUMN:
        m->now.column = get_uleb(&p->c);
        break;
    case LNS_NEGATE_STMT:
    case LNS_SET_BASIC_BLOCK:
        break;
    case LNS_CONST_ADD_PC:
        m->now.address += (uint64_t)((255 - p->opcode_base) / p->line_range) * p->step;
        break;
    case LNS_FIXED_ADVANCE_PC:
        m->now.address += sm_get_u16(&p->c);
        break;
    default:
        for (unsigned i = 0; i < p->lengths[op - 1]; i++)
            get_uleb(&p->c);
    }
}

static void run(struct program *p) {
    struct machine_state m;
    reset(&m);
    while (p->c.status == SM_OK && sm_cursor_left(&p->c)) {
        uint8_t op = sm_get_u8(&p->c);
        if (op >= p->opcode_base) {
            unsigned n = (unsigned)(op - p->opcode_base);
            m.now.address += (uint64_t)(n / p->line_range) * p->step;
            m.now.line += p->line_base + (int)(n % p->line_range);
            put_row(p, &m);
        } else if (op == 0) {
            run_extended(p, &m);
        } else {
            run_standard(p, &m, op);
        }
    }
}

void dwarf_read_lines(struct dwarf *d) {
    struct program p = {.d = d, .c = dwarf_cursor(d, DWARF_LINE, d->unit.line)};
    d->files = 0;
    if (d->unit.has_line && p.c.data && read_header(&p))
        run(&p);
    free(p.directory);
}
