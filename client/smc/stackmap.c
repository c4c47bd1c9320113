/* stackmap.c - smc stackmap: the decoded stackmap of object files, as JSON, without a server. */
#include "elffile.h"
#include "faultmap.h"
#include "gcmap.h"
#include "smc.h"
#include "stackmap_json.h"
#include "stackmap_lines.h"
#include "stackmap_object.h"

#include <stdlib.h>

static int as_picture, compact, sizes;

static const struct flag flags[] = {
    {"picture", 'p', FLAG_SWITCH, &as_picture, NULL, "frames as text, like smc explain"},
    {"sizes", 's', FLAG_SWITCH, &sizes, NULL,
     "bytes by function: LLVM's table, and the compact one, whichever the file has"},
    {"compact", 'c', FLAG_SWITCH, &compact, NULL, "JSON on one line"},
    {0}};

/* What is done with a map that was read. 0 if it cannot be. */
typedef int use_map(const sm_stackmap *m, const sm_elf *e, void *user);

/* Reads all tables of an object and calls USE with them. 0, after a message about FILE, if they cannot be read or
 * USE fails. */
static int with_stackmap(const char *file, const void *object, size_t len, use_map *use, void *user) {
    sm_elf elf;
    sm_stackmap m = {0};
    sm_stackmap_error err = {0};
    char why[256] = "";
    int ok = 0;
    sm_status s = sm_elf_open(&elf, object, len, why, sizeof why);
    if (s != SM_OK) {
        complain_of(file, "%s%s", why[0] ? why : sm_status_text(s),
                    file_is_object(object, len) ? "" : "; smc explain takes modules as well");
        return 0;
    }
    s = sm_stackmap_of_object(&m, &elf, &err);
    if (s == SM_OK)
        s = sm_gcmap_of_object(&m, &elf, &err);
    if (s == SM_OK)
        s = sm_faultmap_of_object(&m, &elf, &err);
    if (s == SM_OK) {
        sm_stackmap_guess_kinds(&m);
        ok = use(&m, &elf, user);
    }
    if (!ok)
        complain_of(file, "%s", err.message[0] ? err.message : s != SM_OK ? sm_status_text(s) : "it cannot be shown");
    else if (m.functions == 0)
        warn_of(file, "this object has no stackmap: no function of it has safepoints");
    sm_stackmap_free(&m);
    sm_elf_close(&elf);
    return ok;
}

/* What is made of an object: JSON. */
struct decoded {
    json_t *map, **lines; /* LINES: NULL if nobody asks for them */
};

/* The lines of an object's safepoints as JSON; NULL if it has none. */
static json_t *make_lines(const sm_stackmap *m, const sm_elf *e) {
    sm_lines lines = {0};
    sm_buf out;
    json_t *root = NULL;
    sm_buf_init(&out, (size_t)1 << 30);
    if (sm_lines_exist(e) && sm_stackmap_lines(&lines, m, e) == SM_OK &&
        sm_stackmap_lines_json(&lines, m, &out) == SM_OK)
        root = json_loadb((char *)out.data, out.len, JSON_ALLOW_NUL, NULL);
    sm_lines_free(&lines);
    sm_buf_free(&out);
    return root;
}

/* Makes JSON of a stackmap, for *USER (struct decoded); 0 if that fails. */
static int make_json(const sm_stackmap *m, const sm_elf *e, void *user) {
    sm_buf out;
    struct decoded *to = user;
    sm_buf_init(&out, (size_t)1 << 30);
    if (sm_stackmap_to_json(m, &out) == SM_OK)
        to->map = json_loadb((char *)out.data, out.len, JSON_ALLOW_NUL, NULL);
    sm_buf_free(&out);
    if (to->map && to->lines)
        *to->lines = make_lines(m, e);
    return to->map != NULL;
}

json_t *stackmap_of_object(const char *file, const void *object, size_t len, json_t **lines) {
    struct decoded decoded = {.lines = lines};
    if (lines)
        *lines = NULL;
    with_stackmap(file, object, len, make_json, &decoded);
    return decoded.map;
}

/* Prints the sizes of a stackmap's functions to the file USER. */
static int show_sizes(const sm_stackmap *m, const sm_elf *e, void *user) {
    (void)e;
    return print_sizes(m, user);
}

/* Prints one file's stackmap, as the flags say; gives the exit status. */
static int show_file(const char *file) {
    size_t len;
    char *bytes = file_read(file, &len);
    json_t *lines = NULL, *map = NULL;
    if (bytes && !sizes)
        map = stackmap_of_object(file_name(file), bytes, len, as_picture ? &lines : NULL);
    int ok = 0, could_read = bytes != NULL;
    if (bytes && sizes) {
        ok = with_stackmap(file_name(file), bytes, len, show_sizes, stdout);
    } else if (map && as_picture) {
        ok = picture(map, lines, stdout);
    } else if (map) {
        ok = put_json(stdout, map, compact ? JSON_COMPACT : JSON_INDENT(2));
        putchar('\n');
    }
    json_decref(map);
    json_decref(lines);
    free(bytes);
    return ok ? EXIT_FINE : could_read ? EXIT_INPUT : EXIT_FILE;
}

/* Runs smc stackmap; gives the exit status. */
static int run_stackmap(int argc, char **argv) {
    struct args args;
    int status;
    if (!args_read(&stackmap_command, argc, argv, &args, &status))
        return status;
    status = EXIT_FINE;
    if (args.files == 0) {
        complain("there is no object; see smc help stackmap");
        status = EXIT_USAGE;
    }
    for (int i = 0; i < args.files; i++)
        worst(&status, show_file(args.file[i]));
    args_free(&args);
    return status;
}

const struct command stackmap_command = {
    .name = "stackmap",
    .operands = "OBJECT...",
    .help = "decode the stackmaps of object files, programs and shared libraries, without a server",
    .run = run_stackmap,
    .flags = flags};
