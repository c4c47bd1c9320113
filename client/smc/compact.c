/* compact.c - smc compact: an object with LLVM's table gets the compact one instead. */
#include "compact.h"
#include "elffile.h"
#include "smc.h"
#include "stackmap_object.h"

#include <stdlib.h>
#include <string.h>

static const char *map_file, *output = "-";

static const struct flag flags[] = {
    {"map", 'm', FLAG_TEXT, &map_file, "FILE",
     "the stackmap that a server gave (smc compile --stackmap): kinds and reasons, which objects do not have"},
    {"output", 'o', FLAG_TEXT, &output, "FILE", "where the object goes (default: standard output)"},
    {0}};

/* A record's kind by its name; unknown if there is none such. */
static uint8_t kind_of(const char *word) {
    for (unsigned i = 0; word && sm_record_kind_name(i); i++)
        if (strcmp(word, sm_record_kind_name(i)) == 0)
            return (uint8_t)i;
    return SM_RECORD_UNKNOWN;
}

/* Fills in what the server's map says of the record; the map must outlive it. 0 if it is of another record. */
static int fill_record(sm_record *r, const json_t *point) {
    const json_t *fault = json_object_get(point, "fault_offset");
    if (r->offset != (uint64_t)json_integer_value(json_object_get(point, "offset")))
        return 0;
    r->kind = kind_of(json_string_value(json_object_get(point, "kind")));
    r->reason = json_string_value(json_object_get(point, "reason"));
    r->patch_bytes = (uint32_t)json_integer_value(json_object_get(json_object_get(point, "patch"), "bytes"));
    r->fault_offset = fault ? (uint32_t)json_integer_value(fault) : UINT32_MAX;
    return 1;
}

/* 1 if none of the safepoints is in LLVM's table: they are of the tables of erlang and ocaml, which stand after it. */
static int are_elsewhere(const json_t *points) {
    size_t k;
    const json_t *point;
    json_array_foreach(points, k, point) {
        if (kind_of(json_string_value(json_object_get(point, "kind"))) != SM_RECORD_GCROOT)
            return 0;
    }
    return 1;
}

/* Fills in what the server's map says of all records. 0 if it is of another object. */
static int fill_map(sm_stackmap *m, const json_t *functions) {
    size_t i, k;
    const json_t *said, *point;
    if (json_array_size(functions) < m->functions)
        return 0;
    json_array_foreach(functions, i, said) {
        const json_t *points = json_object_get(said, "safepoints");
        if (i >= m->functions && are_elsewhere(points))
            continue;
        if (i >= m->functions || json_array_size(points) != m->function[i].records)
            return 0;
        json_array_foreach(points, k, point) if (!fill_record(&m->record[m->function[i].record + k], point)) return 0;
    }
    return 1;
}

/* Writes the object with the compact table; gives the exit status. */
static int write_compact(const char *file, const sm_elf *elf, const sm_stackmap *m) {
    sm_buf out;
    sm_buf_init(&out, SIZE_MAX / 2);
    sm_status s = sm_compact_object(elf, m, &out);
    if (s != SM_OK)
        complain_of(file_name(file), "%s",
                    s == SM_INVALID_OBJECT ? "this is no object with one table of LLVM's" : sm_status_text(s));
    int status = s != SM_OK ? EXIT_INPUT : file_write(output, out.data, out.len) ? EXIT_FINE : EXIT_MACHINE;
    sm_buf_free(&out);
    return status;
}

/* Reads the object and its table, completes it by the server's map (SAID, or NULL), and writes the new object.
 * Gives the exit status. */
static int make_compact(const char *file, const char *object, size_t len, const json_t *said) {
    char why[256] = "";
    sm_elf elf = {0};
    sm_stackmap m = {0};
    sm_stackmap_error err = {0};
    int status = EXIT_INPUT;
    sm_status s = sm_elf_open(&elf, object, len, why, sizeof why);
    if (s == SM_OK)
        s = sm_stackmap_of_object(&m, &elf, &err);
    if (s != SM_OK) {
        complain_of(file_name(file), "%s", why[0] ? why : err.message[0] ? err.message : sm_status_text(s));
    } else if (said && !fill_map(&m, json_object_get(said, "functions"))) {
        complain_of(file_name(file), "%s is not the stackmap of this object", map_file);
    } else {
        if (!said)
            sm_stackmap_guess_kinds(&m);
        status = write_compact(file, &elf, &m);
    }
    sm_stackmap_free(&m);
    sm_elf_close(&elf);
    return status;
}

/* Runs smc compact; gives the exit status. */
static int run(int argc, char **argv) {
    struct args args;
    size_t map_len = 0, len = 0;
    int status;
    if (!args_read(&compact_command, argc, argv, &args, &status))
        return status;
    if (args.files != 1) {
        complain("there has to be one object; see smc help compact");
        args_free(&args);
        return EXIT_USAGE;
    }
    char *map = map_file ? file_read(map_file, &map_len) : NULL;
    char *object = map || !map_file ? file_read(args.file[0], &len) : NULL;
    json_t *said = map ? json_loadb(map, map_len, JSON_ALLOW_NUL, NULL) : NULL;
    status = object ? EXIT_INPUT : EXIT_FILE;
    if (object && map && !said)
        complain_of(map_file, "this is no stackmap");
    else if (object)
        status = make_compact(args.file[0], object, len, said);
    json_decref(said);
    free(object);
    free(map);
    args_free(&args);
    return status;
}

const struct command compact_command = {
    .name = "compact",
    .operands = "OBJECT",
    .help = "give an object the compact stackmap, a few bytes a safepoint, in the place of LLVM's\n"
            "The section .smd_maps of docs/compact.md. Any compiler's object; \"-\" is standard input or output.",
    .run = run,
    .flags = flags};
