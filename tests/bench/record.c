/* record.c - see record.h. */
#include "record.h"

#include "client.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CELLS = 12, TEXT = 48 };

static json_t *tables, *rows, *row; /* of all; of the last table; the one that is being filled */

static struct {
    char head[CELLS][TEXT], text[CELLS][TEXT];
    int width[CELLS], cells, has_head;
} line;

void record_table(const char *name, const char *title) {
    if (!tables)
        tables = json_array();
    rows = json_array();
    json_array_append_new(tables, json_pack("{s:s,s:s,s:o}", "name", name, "title", title, "rows", rows));
    line.has_head = 0;
    printf("\n%s\n\n", title);
}

static void add_cell(const char *column, const char *text, json_t *value) {
    if (!row)
        row = json_object();
    json_object_set_new(row, column, value);
    snprintf(line.head[line.cells], TEXT, "%s", column);
    snprintf(line.text[line.cells], TEXT, "%s", text);
    line.cells++;
}

void record_text(const char *column, const char *text) {
    add_cell(column, text, json_string(text));
}

void record_number(const char *column, double v, int digits) {
    char text[TEXT];
    snprintf(text, sizeof text, "%.*f", digits, v);
    add_cell(column, text, json_real(strtod(text, NULL)));
}

void record_samples(const char *column, double *v, int n, int digits) {
    char text[TEXT];
    double median = quantile(v, n, 0.5);
    snprintf(text, sizeof text, "%.*f (%.*f-%.*f)", digits, median, digits, v[0], digits, v[n - 1]);
    add_cell(column, text,
             json_pack("{s:f,s:f,s:f,s:i}", "median", median, "least", v[0], "most", v[n - 1], "samples", n));
}

static void print_cells(char cells[CELLS][TEXT]) {
    for (int i = 0; i < line.cells; i++)
        printf("  %*s", line.width[i], cells[i]);
    puts("");
}

/* Columns are as wide as their heads and the first row's cells, with room for samples that are larger. */
void record_row(void) {
    for (int i = 0; i < line.cells && !line.has_head; i++) {
        int head = (int)strlen(line.head[i]), text = (int)strlen(line.text[i]);
        int room = strchr(line.text[i], '(') ? 26 : text < 7 ? 7 : text;
        line.width[i] = head > room ? head : room;
    }
    if (!line.has_head)
        print_cells(line.head);
    line.has_head = 1;
    print_cells(line.text);
    fflush(stdout);
    json_array_append_new(rows, row);
    row = NULL;
    line.cells = 0;
}

/* The first line of what a command says. */
static json_t *said_by(const char *command) {
    int status;
    struct bytes out = run_command(command, "", 0, &status);
    out.data[strcspn((char *)out.data, "\n")] = 0;
    json_t *text = json_string((char *)out.data);
    bytes_free(out);
    return text;
}

void record_save(const char *path) {
    json_t *all = json_pack("{s:o,s:o,s:o,s:o,s:o,s:o,s:O}", "processor",
                            said_by("sed -n 's/^model name[^:]*: //p' /proc/cpuinfo"), "cores", said_by("nproc"),
                            "load", said_by("cut -d' ' -f1-3 /proc/loadavg"), "kernel", said_by("uname -sr"), "llvm",
                            said_by("llvm-config-19 --version"), "libmicrohttpd",
                            said_by("pkg-config --modversion libmicrohttpd"), "tables", tables);
    if (!all || json_dump_file(all, path, JSON_INDENT(1) | JSON_REAL_PRECISION(6)) != 0)
        fprintf(stderr, "%s cannot be written\n", path);
    json_decref(all);
}
