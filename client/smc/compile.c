/* compile.c - smc compile: modules into object files, many at once. */
#include "clock.h"
#include "smc.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char *output, *emit = "obj", *stackmap, *ir, *assembly, *disassembly, *remarks, *signature;
static int at_once = 16;

static const struct flag flags[] = {
    {"output", 'o', FLAG_TEXT, &output, "FILE",
     "the object, or what --emit names; a folder if there are several modules"},
    {"emit", 0, FLAG_TEXT, &emit, "WHAT", "what -o gets: obj, ir, asm, disasm or remarks (default obj)"},
    {"stackmap", 0, FLAG_TEXT, &stackmap, "FILE", "the decoded stackmap, as JSON; likewise"},
    {"ir", 0, FLAG_TEXT, &ir, "FILE", "the IR with its statepoints; likewise"},
    {"asm", 0, FLAG_TEXT, &assembly, "FILE", "the assembly; likewise"},
    {"disasm", 0, FLAG_TEXT, &disassembly, "FILE", "the object disassembled; likewise"},
    {"remarks", 0, FLAG_TEXT, &remarks, "FILE", "what was placed where, as JSON; likewise"},
    {"signature", 0, FLAG_TEXT, &signature, "FILE", "the server's signature, for smc verify; likewise"},
    {"jobs", 'j', FLAG_NUMBER, &at_once, "N", "modules under way at once (default 16)"},
    {0}};

/* What can be written, in the answer's terms. The first is what -o takes: the object, or what --emit names. */
static struct output {
    const char **to;
    const char *part, *suffix;
} outputs[] = {{&output, "obj", "o"},           {&stackmap, "stackmap", "stackmap.json"},
               {&ir, "ir", "safe.ll"},          {&assembly, "asm", "s"},
               {&disassembly, "disasm", "dis"}, {&remarks, "remarks", "remarks.json"}};

enum { OUTPUTS = sizeof outputs / sizeof *outputs };

/* ---- Outputs ------------------------------------------------------------------------------------------------ */

static int is_folder(const char *path) {
    struct stat st;
    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

/* 0, after a message, if there are several modules and an output is no folder. */
static int outputs_fit(int files) {
    if (files > 1 && signature && !is_folder(signature)) {
        complain("there are %d modules, and %s is no folder for their signatures", files, signature);
        return 0;
    }
    for (int i = 0; i < OUTPUTS; i++)
        if (files > 1 && *outputs[i].to && !is_folder(*outputs[i].to)) {
            complain("there are %d modules, and %s is no folder for what becomes of them", files, *outputs[i].to);
            return 0;
        }
    return 1;
}

/* Writes the value of "emit": all parts that are to be written, "obj,asm,...". */
static void wanted(char *to, size_t size) {
    size_t n = (size_t)snprintf(to, size, "%s", outputs[0].part);
    for (int i = 0; i < OUTPUTS; i++)
        if (*outputs[i].to && i > 1 && n < size)
            n += (size_t)snprintf(to + n, size - n, ",%s", outputs[i].part);
}

/* Lets -o stand for what --emit names: with --emit=asm assembly is compiled to, as in other compilers. 0, after a
 * message, if that is unknown; several need a file each. */
static int take_emit(void) {
    for (int i = 0; i < OUTPUTS; i++)
        if (strcmp(outputs[i].part, emit) == 0) {
            outputs[0].part = outputs[i].part;
            outputs[0].suffix = outputs[i].suffix;
            return 1;
        }
    complain("--emit takes one of obj, ir, asm, disasm and remarks; for several there are --ir FILE, --asm FILE and "
             "so on");
    return 0;
}

/* Writes one part of the answer, if it is wanted, to its file or into its folder. 0, after a message, if that
 * fails. */
static int write_part(const struct output *o, const char *file, const sm_answer *a, int has_object) {
    size_t len;
    const void *bytes = strcmp(o->part, "obj") == 0        ? sm_answer_object(a, &len)
                        : strcmp(o->part, "stackmap") == 0 ? sm_answer_stackmap(a, &len)
                                                           : sm_answer_text(a, o->part, &len);
    const char *to = *o->to;
    if (!to && !(has_object && o == outputs))
        return 1;
    char *path = !to || is_folder(to) ? file_beside(to, file, o->suffix) : strdup(to);
    int ok = path && file_write(path, bytes ? bytes : "", bytes ? len : 0);
    if (!path)
        complain("out of memory");
    free(path);
    return ok;
}

/* Writes what smc verify reads, if it is wanted: key and signature on a line. 0, after a message, if that fails. */
static int write_signature(const char *file, const sm_answer *a) {
    char line[512];
    if (!signature)
        return 1;
    if (!sm_answer_signature(a)[0]) {
        complain_of(file, "the server signs nothing (its setting sign_key)");
        return 0;
    }
    int n = snprintf(line, sizeof line, "%s %s\n", sm_answer_key(a), sm_answer_signature(a));
    char *path = is_folder(signature) ? file_beside(signature, file, "o.sig") : strdup(signature);
    int ok = path && file_write(path, line, (size_t)n);
    free(path);
    return ok;
}

/* Writes all parts that are wanted. Without -o the object goes beside the module, unless only something else was
 * asked for. 0 if one cannot be written. */
static int write_outputs(const char *file, const sm_answer *a) {
    int others = 0, ok = 1;
    for (int i = 2; i < OUTPUTS; i++)
        others |= *outputs[i].to != NULL;
    for (int i = 0; i < OUTPUTS && ok; i++)
        ok = write_part(&outputs[i], file, a, !others);
    return ok && write_signature(file, a);
}

/* ---- Calls -------------------------------------------------------------------------------------------------- */

struct state {
    sm_client *client;
    struct args *args;
    int next, running, done, status;
    uint64_t since_us;
};

/* Reads module I and begins its compile; counts it as done if that fails. */
static void submit(struct state *s, int i) {
    sm_error err;
    size_t len;
    const char *file = s->args->file[i];
    char *module = file_read(file, &len);
    if (!module) {
        worst(&s->status, EXIT_FILE);
        s->done++;
        return;
    }
    if (!file_may_be_module(file, module, len)) {
        worst(&s->status, EXIT_INPUT);
        s->done++;
        free(module);
        return;
    }
    sm_request r = {.size = sizeof r,
                    .module = module,
                    .module_len = len,
                    .options = args_request(s->args, file),
                    .profile = common.profile};
    if (s->args->files == 1)
        stage_watch(&r);
    sm_result result = sm_submit(s->client, &r, NULL, &s->args->file[i], NULL, &err);
    free(module);
    if (result == SM_SUCCESS) {
        s->running++;
        return;
    }
    report(file_name(file), result, NULL, &err);
    worst(&s->status, server_status(result));
    s->done++;
}

/* Reports one compile's end and writes its outputs. */
static void finish_compile(struct state *s, sm_completion *c) {
    const char *file = *(char **)c->user;
    report(file_name(file), c->result, c->answer, &c->error);
    if (c->result != SM_SUCCESS)
        worst(&s->status, server_status(c->result));
    else if (!write_outputs(file, c->answer))
        worst(&s->status, EXIT_MACHINE);
    sm_answer_free(c->answer);
    s->running--;
    s->done++;
    progress(s->done, s->args->files, file);
}

/* Compiles all modules, so many at once. */
static void compile_all(struct state *s) {
    sm_completion c;
    s->since_us = sm_clock_us();
    while (s->done < s->args->files) {
        while (s->next < s->args->files && s->running < at_once)
            submit(s, s->next++);
        if (s->running && !server_wait(s->client) && s->args->files == 1)
            progress_wait(file_name(s->args->file[0]), s->since_us);
        while (sm_client_next(s->client, &c))
            finish_compile(s, &c);
    }
    progress_end();
    stage_end();
}

/* Runs smc compile; gives the exit status. */
static int run_compile(int argc, char **argv) {
    char parts[64];
    struct args args;
    struct state s = {.args = &args};
    int status;
    if (!args_read(&compile_command, argc, argv, &args, &status))
        return status;
    s.status = EXIT_USAGE;
    if (args.files == 0)
        complain("there is no module to compile; see smc help compile");
    int fits = take_emit();
    wanted(parts, sizeof parts);
    if (args.files && fits && outputs_fit(args.files) && args_option(&args, "emit", parts))
        s.client = server_client(&s.status);
    if (s.client) {
        s.status = EXIT_FINE;
        compile_all(&s);
    }
    sm_client_free(s.client);
    args_free(&args);
    return s.status;
}

const struct command compile_command = {
    .name = "compile",
    .operands = "MODULE...",
    .help = "turn modules (IR text or bitcode) into object files\n"
            "The object of f.ll is f.o, unless -o names another. \"-\" is standard input or output.",
    .run = run_compile,
    .flags = flags,
    .is_remote = 1,
    .has_options = 1};
