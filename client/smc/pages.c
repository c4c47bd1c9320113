/* pages.c - smc page-polls: writes page polls into an object as smd does, for people who repeat a compile with llc. */
#include "elffile.h"
#include "pagepoll.h"
#include "smc.h"
#include "stackmap.h"
#include "stackmap_object.h"

#include <stdlib.h>
#include <string.h>

static const char *map_file, *output = "-";

static const struct flag flags[] = {
    {"map", 'm', FLAG_TEXT, &map_file, "FILE", "the stackmap that the server gave (smc compile --stackmap)"},
    {"output", 'o', FLAG_TEXT, &output, "FILE", "where the object goes (default: standard output)"},
    {0}};

/* What one call works on. */
struct pages {
    const char *file;
    sm_elf elf;
    sm_stackmap map; /* the object's own: where its records are */
    sm_page_place *place;
    size_t places;
};

/* Function I of the object, if it is the same as the server's; NULL if not. */
static const sm_function *function_of(const struct pages *p, size_t i, const json_t *said) {
    const sm_function *f = i < p->map.functions ? &p->map.function[i] : NULL;
    const char *name = json_string_value(json_object_get(said, "name"));
    size_t points = json_array_size(json_object_get(said, "safepoints"));
    return f && f->records == points && strcmp(f->name ? f->name : "", name ? name : "") == 0 ? f : NULL;
}

/* Finds where each poll of the server's map ends: it is a record of the object, in the same order. 0 if map and
 * object do not belong together. */
static int find_places(struct pages *p, const json_t *functions) {
    size_t i, k;
    const json_t *said, *point;
    json_array_foreach(functions, i, said) {
        const sm_function *f = NULL;
        json_array_foreach(json_object_get(said, "safepoints"), k, point) {
            if (!json_object_get(point, "fault_offset"))
                continue;
            f = f ? f : function_of(p, i, said);
            if (!f || p->places == p->map.records)
                return 0;
            const sm_record *r = &p->map.record[f->record + k];
            if (r->offset != (uint64_t)json_integer_value(json_object_get(point, "offset")))
                return 0;
            p->place[p->places++] = (sm_page_place){f->section_index, f->offset + r->offset};
        }
    }
    return 1;
}

/* Writes the object with the polls; gives the exit status. */
static int write_object(struct pages *p) {
    unsigned char *bytes = NULL;
    sm_status s = sm_page_write(&p->elf, p->place, p->places, &bytes);
    if (s != SM_OK)
        complain_of(file_name(p->file), "%s", sm_status_text(s));
    int status = s != SM_OK ? EXIT_INPUT : file_write(output, bytes, p->elf.file.len) ? EXIT_FINE : EXIT_MACHINE;
    free(bytes);
    return status;
}

/* Reads the object and its stackmap, finds the polls, and writes the new object; gives the exit status. */
static int write_polls(struct pages *p, const char *object, size_t len, const json_t *functions) {
    char why[256] = "";
    sm_stackmap_error err = {0};
    int status = EXIT_INPUT;
    sm_status s = sm_elf_open(&p->elf, object, len, why, sizeof why);
    if (s == SM_OK)
        s = sm_stackmap_of_object(&p->map, &p->elf, &err);
    if (s == SM_OK)
        p->place = calloc(p->map.records + 1u, sizeof *p->place);
    if (s != SM_OK)
        complain_of(file_name(p->file), "%s", why[0] ? why : err.message[0] ? err.message : sm_status_text(s));
    else if (!p->place)
        complain("out of memory");
    else if (!find_places(p, functions))
        complain_of(file_name(p->file), "%s is not the stackmap of this object", map_file);
    else
        status = write_object(p);
    free(p->place);
    sm_stackmap_free(&p->map);
    sm_elf_close(&p->elf);
    return status;
}

/* Runs smc page-polls; gives the exit status. */
static int run_pages(int argc, char **argv) {
    struct args args;
    size_t map_len = 0, len = 0;
    int status;
    if (!args_read(&page_polls_command, argc, argv, &args, &status))
        return status;
    status = EXIT_USAGE;
    if (args.files != 1 || !map_file) {
        complain("there have to be --map and one object; see smc help page-polls");
    } else {
        struct pages p = {.file = args.file[0]};
        char *map = file_read(map_file, &map_len), *object = map ? file_read(p.file, &len) : NULL;
        json_t *said = object ? json_loadb(map, map_len, JSON_ALLOW_NUL, NULL) : NULL;
        status = object ? EXIT_INPUT : EXIT_FILE;
        if (said)
            status = write_polls(&p, object, len, json_object_get(said, "functions"));
        else if (object)
            complain_of(map_file, "this is no stackmap");
        json_decref(said);
        free(object);
        free(map);
    }
    args_free(&args);
    return status;
}

const struct command page_polls_command = {
    .name = "page-polls",
    .operands = "OBJECT",
    .help = "write page polls into an object that llc made\n"
            "What `reproduce` of an answer with poll=page:SYMBOL ends with. \"-\" is standard input or output.",
    .run = run_pages,
    .flags = flags};
