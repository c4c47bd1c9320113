/* variants.c - see variants.h. Modules are changed as text, line by line. */
#include "variants.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STATEPOINTS "gc=statepoint-example "
#define FLAG        STATEPOINTS "poll=flag:poll_flag:poll_stop "
#define PAGE        STATEPOINTS "poll=page:poll_page "
#define THREAD      STATEPOINTS "poll=tls:poll_thread:8 "

const struct variant variants[VARIANTS] = {
    {"no GC", "", FORM_PLAIN},
    {"shadow stack", "gc=shadow-stack safepoints=none", FORM_ROOTS},
    {"no polls, 0", STATEPOINTS "safepoints=none gc_registers=0", FORM_PLAIN},
    {"no polls, 4", STATEPOINTS "safepoints=none gc_registers=4", FORM_PLAIN},
    {"no polls, 32", STATEPOINTS "safepoints=none gc_registers=32", FORM_PLAIN},
    {"flag, 0", FLAG "gc_registers=0", FORM_PLAIN},
    {"flag, 4", FLAG "gc_registers=4", FORM_PLAIN},
    {"flag, 32", FLAG "gc_registers=32", FORM_PLAIN},
    {"page, 0", PAGE "gc_registers=0", FORM_PLAIN},
    {"page, 4", PAGE "gc_registers=4", FORM_PLAIN},
    {"page, 32", PAGE "gc_registers=32", FORM_PLAIN},
    {"tls, 0", THREAD "gc_registers=0", FORM_PLAIN},
    {"tls, 32", THREAD "gc_registers=32", FORM_PLAIN},
    {"call, 0", STATEPOINTS "poll=call:poll_call gc_registers=0", FORM_PLAIN},
    {"call, 32", STATEPOINTS "poll=call:poll_call gc_registers=32", FORM_PLAIN},
    {"flag, backedges", FLAG "gc_registers=0 all_backedges=true", FORM_PLAIN},
    {"flag, turns", FLAG "gc_registers=32 counted_loop_turns=1000", FORM_PLAIN},
    {"page, turns", PAGE "gc_registers=32 counted_loop_turns=1000", FORM_PLAIN},
    {"tls, turns", THREAD "gc_registers=32 counted_loop_turns=1000", FORM_PLAIN},
    {"flag, interval", FLAG "gc_registers=32 poll_interval=1000", FORM_PLAIN},
    {"flag, elide=none", FLAG "gc_registers=32 elide=none", FORM_PLAIN},
    {"flag, remat=false", FLAG "gc_registers=0 remat=false", FORM_PLAIN},
    {"flag, compact", FLAG "gc_registers=0 stackmap_format=compact", FORM_PLAIN},
    {"flag, deopt", FLAG "gc_registers=0", FORM_DEOPT},
    {"flag, card", FLAG "gc_registers=0 barriers=auto barrier=card:heap_cards:9", FORM_PLAIN},
    {"flag, satb", FLAG "gc_registers=0 barriers=auto barrier=satb:heap_keep:heap_marking", FORM_PLAIN},
    {"flag, load", FLAG "gc_registers=0 barriers=auto barrier=load:heap_heal:heap_mask", FORM_PLAIN},
    {"flag, scoped", FLAG "gc_registers=0", FORM_SCOPED},
    {"flag, typed", FLAG "gc_registers=0", FORM_TYPED},
    {"flag, slots", FLAG "gc_registers=0", FORM_SLOTS},
    {"flag, compressed", FLAG "gc_registers=32 spaces=2:32", FORM_COMPRESSED},
    {"flag, own card", FLAG "gc_registers=0 barriers=auto", FORM_BARRIER},
    {"flag, allocate", FLAG "gc_registers=32", FORM_ALLOCATE},
    {"default", STATEPOINTS "poll=flag:poll_flag:poll_stop", FORM_PLAIN},
};

int variant_number(const char *name) {
    for (int i = 0; i < VARIANTS; i++)
        if (strcmp(variants[i].name, name) == 0)
            return i;
    abort();
}

/* ---- Forms ---------------------------------------------------------------------------------------------------- */

enum { LOCALS = 8, NAME = 32 };

struct rewriting {
    FILE *out;
    enum form form;
    char local[LOCALS][NAME], type[LOCALS][NAME]; /* of the function */
    int locals, values, casts;
    int is_allocator; /* boolean: the function's references are addresses where no object is yet */
};

static int begins_with(const char *line, const char *text) {
    return strncmp(line, text, strlen(text)) == 0;
}

/* Notes a local variable, and marks it if it is a root. */
static void add_local(struct rewriting *r, const char *line) {
    char name[NAME], type[NAME];
    if (sscanf(line, " %31s = alloca %31[^,\n]", name, type) != 2)
        return;
    int is_root = strcmp(type, "ptr addrspace(1)") == 0 && !r->is_allocator;
    if (r->form == FORM_ROOTS && is_root)
        fprintf(r->out, "  call void @llvm.gcroot(ptr %s, ptr null)\n", name);
    if ((r->form == FORM_SCOPED || r->form == FORM_TYPED) && is_root)
        fprintf(r->out, "  call void @llvm.gc.declare(ptr %s, ptr %s)\n", name,
                r->form == FORM_TYPED ? "inttoptr (i64 7 to ptr)" : "null");
    if (r->locals < LOCALS && (is_root || strcmp(type, "i64") == 0)) {
        strcpy(r->local[r->locals], name);
        strcpy(r->type[r->locals++], type);
    }
}

/* Writes a call with the function's variables as deoptimisation values. */
static void write_call(struct rewriting *r, const char *line) {
    int first = r->values;
    size_t end = strcspn(line, "\n");
    for (int i = 0; i < r->locals; i++)
        fprintf(r->out, "  %%deopt%d = load %s, ptr %s\n", r->values++, r->type[i], r->local[i]);
    fprintf(r->out, "%.*s [ \"deopt\"(", (int)end, line);
    for (int i = 0; i < r->locals; i++)
        fprintf(r->out, "%s%s %%deopt%d", i ? ", " : "", r->type[i], first + i);
    fputs(") ]\n", r->out);
}

/* Writes an access of an object's reference as one of a reference of 32 bits, with its cast; 0 if the line is none. */
static int write_compressed(struct rewriting *r, const char *line) {
    static const char load[] = " = load ptr addrspace(1), ptr addrspace(1) ", store[] = "  store ptr addrspace(1) ";
    const char *is_load = strstr(line, load), *to = strstr(line, ", ptr addrspace(1) ");
    char name[NAME];
    if (is_load && sscanf(line, " %31s", name) == 1) {
        fprintf(r->out, "  %%cast%d = load ptr addrspace(2), ptr addrspace(1) %s", r->casts, is_load + strlen(load));
        fprintf(r->out, "  %s = addrspacecast ptr addrspace(2) %%cast%d to ptr addrspace(1)\n", name, r->casts++);
        return 1;
    }
    if (!begins_with(line, store) || !to)
        return 0;
    const char *value = line + strlen(store);
    if (begins_with(value, "null")) {
        fprintf(r->out, "  store ptr addrspace(2) null%s", to);
        return 1;
    }
    fprintf(r->out, "  %%cast%d = addrspacecast ptr addrspace(1) %.*s to ptr addrspace(2)\n", r->casts,
            (int)(to - value), value);
    fprintf(r->out, "  store ptr addrspace(2) %%cast%d%s", r->casts++, to);
    return 1;
}

/* Writes a line of the allocator: its head with the attribute, all else without "volatile". */
static void write_allocator(struct rewriting *r, const char *line) {
    const char *is_head = begins_with(line, "define ") ? strstr(line, " #") : NULL;
    const char *word = is_head ? is_head : strstr(line, " volatile");
    int before = word ? (int)(word - line) : 0;
    if (word)
        fprintf(r->out, "%.*s%s", before, line, is_head ? " \"smd-allocate\"" : "");
    fputs(word && !is_head ? word + strlen(" volatile") : line + before, r->out);
}

static void write_line(struct rewriting *r, const char *line) {
    int is_call = strstr(line, " call ") && begins_with(line, "  ") && !strstr(line, "@llvm.");
    if (begins_with(line, "define ")) {
        r->locals = 0;
        r->is_allocator = strstr(line, "@allocate(") != NULL;
    }
    if (r->form == FORM_ALLOCATE && r->is_allocator)
        write_allocator(r, line);
    else if (r->form == FORM_SLOTS && !r->is_allocator && strstr(line, " = alloca ptr addrspace(1)"))
        fprintf(r->out, "%.*s, !smd.type !123456\n", (int)strcspn(line, "\n"), line);
    else if (r->form == FORM_COMPRESSED && write_compressed(r, line))
        ;
    else if (r->form == FORM_DEOPT && is_call)
        write_call(r, line);
    else
        fputs(line, r->out);
    if (strstr(line, " = alloca "))
        add_local(r, line);
}

/* What a module of each form has besides. */
static const char *const beside[] = {
    [FORM_ROOTS] = "declare void @llvm.gcroot(ptr, ptr)\n",
    [FORM_SCOPED] = "declare void @llvm.gc.declare(ptr, ptr)\n",
    [FORM_TYPED] = "declare void @llvm.gc.declare(ptr, ptr)\n",
    [FORM_SLOTS] = "!123456 = !{i64 7}\n",
    [FORM_BARRIER] = "@heap_cards = external global ptr\n"
                     "define internal void @gc.write_barrier(ptr addrspace(1) %v, ptr addrspace(1) %o, "
                     "ptr addrspace(1) %s) {\n"
                     "  store ptr addrspace(1) %v, ptr addrspace(1) %s\n"
                     "  %base = load ptr, ptr @heap_cards\n"
                     "  %n = ptrtoint ptr addrspace(1) %o to i64\n"
                     "  %k = lshr i64 %n, 9\n"
                     "  %c = getelementptr i8, ptr %base, i64 %k\n"
                     "  store i8 1, ptr %c\n"
                     "  ret void\n"
                     "}\n",
    [FORM_COMPRESSED] = NULL,
};

struct bytes module_in_form(struct bytes ir, enum form form) {
    struct bytes b;
    struct rewriting r = {.out = open_memstream((char **)&b.data, &b.len), .form = form};
    FILE *in = fmemopen(ir.data, ir.len, "r");
    char *line = NULL;
    size_t room = 0;
    while (getline(&line, &room, in) > 0)
        write_line(&r, line);
    fputs(beside[form] ? beside[form] : "", r.out);
    free(line);
    fclose(in);
    fclose(r.out);
    return b;
}
