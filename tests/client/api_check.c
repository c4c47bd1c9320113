/* api_check.c - every function of libsmclient, while allocations and system calls fail, each once.
 *
 *     api_check FOLDER URL [TLS-URL]
 *
 * FOLDER has what api_test.py puts there; URL is a server's. A round uses a part of the library from its beginning to its
 * end. It runs again and again, until each place in it that can fail has failed (failing.h), once, and again when it is
 * come to for the second time. A call that fails says why, and succeeds when it is made again; all that follows is as ever.
 * No descriptor and no code is left behind; of memory, LeakSanitizer says that. With FAIL_TELL=1 each place is told.
 *
 * Exits 0 if all is well, and each function of the header was called while something could fail. */
#include "api.h"

#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { TIMES = 2, CELLS = 4096, FILES = 32, RESULTS = 64 };

const char *folder, *url;
sm_error err;
static const char *round_name = "";
#ifdef __SANITIZE_ADDRESS__
static const int is_sanitized = 1; /* its runtime maps memory, too */
#else
static const int is_sanitized = 0;
#endif
static int excused;

/* What children of this process see, too. */
static struct seen {
    atomic_int calls[API_FUNCTIONS];
    atomic_uint result[RESULTS];
} *seen;

static const char *const function_name[] = {
#define ROW(name) #name,
    API_FUNCTION_MAP(ROW)
#undef ROW
};

void api_note(enum api_function f) {
    atomic_fetch_add(&seen->calls[f], 1);
}

const char *in_folder(const char *name) {
    static char path[8][512];
    static unsigned next;
    char *out = path[next++ % 8];
    snprintf(out, sizeof path[0], "%s/%s", folder, name);
    return out;
}

const void *file_of(const char *name, size_t *len) {
    static struct {
        char name[64];
        void *data;
        size_t len;
    } file[FILES];
    int i = 0;
    while (i < FILES && file[i].data && strcmp(file[i].name, name) != 0)
        i++;
    check(i < FILES, "too many files");
    failing_pause(1);
    if (!file[i].data) {
        enum { LARGEST = 1 << 20 };
        FILE *f = fopen(in_folder(name), "rb");
        check(f && (file[i].data = malloc(LARGEST)), "%s", name);
        file[i].len = fread(file[i].data, 1, LARGEST, f);
        snprintf(file[i].name, sizeof file[i].name, "%s", name);
        fclose(f);
    }
    failing_pause(0);
    *len = file[i].len;
    return file[i].data;
}

void excuse(sm_result r, const sm_error *e, const char *call, int line) {
    check(failing_has(), "%s, line %d: %s gives %s (%s), and nothing has failed", round_name, line, call,
          (sm_result_name)(r), e->message);
    check(!excused++, "%s, line %d: %s gives %s (%s), and something else has failed before", round_name, line, call,
          (sm_result_name)(r), e->message);
    check(r > 0 && (int)r < RESULTS && e->result == r && e->message[0],
          "%s, line %d: %s does not say what failed: %d, %d, '%s'", round_name, line, call, r, e->result, e->message);
    check(r == SM_ERR_NO_MEMORY || r == SM_ERR_SYSTEM || r == SM_ERR_UNREACHABLE || r == SM_ERR_NO_SPACE ||
              (r == SM_ERR_TLS && strcmp(round_name, "TLS") == 0),
          "%s, line %d: %s gives %s (%s), which is not what happened", round_name, line, call, (sm_result_name)(r),
          e->message);
    if (getenv("FAIL_TELL"))
        fprintf(stderr, "failing: %s gives %s, %s\n", call, (sm_result_name)(r), e->message);
    atomic_fetch_add(&seen->result[r], 1);
}

/* ---- Loading ------------------------------------------------------------------------------------------------------ */

extern int __cxa_atexit(void (*f)(void *), void *arg, void *handle);

static int runtime_value = 1234;

static int runtime_add(int a, int b) {
    return a + b;
}

/* The entries of the rounds below. */
void allocate(void), go_on(void), foo(void);
extern _Thread_local int64_t of_program;
_Thread_local int64_t of_program = 3;

static void nothing(void) {
}

static void *resolve(void *user, const char *name) {
    static const struct {
        const char *name;
        void *address;
    } table[] = {{"runtime_add", (void *)runtime_add},
                 {"runtime_value", &runtime_value},
                 {"memset", (void *)memset},
                 {"memcpy", (void *)memcpy},
                 {"abort", (void *)abort},
                 {"allocate", (void *)allocate},
                 {"__cxa_atexit", (void *)__cxa_atexit},
                 {"go_on", (void *)go_on}};
    if (strcmp(name, "of_program") == 0)
        return &of_program;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (strcmp(table[i].name, name) == 0)
            return table[i].address;
    return user ? (void *)nothing : NULL; /* what is looked at alone calls nobody */
}

static sm_loader *new_loader(sm_loader_options o) {
    sm_loader *l;
    o.size = sizeof o;
    o.resolve = resolve;
    COMES(l, sm_loader_new(&o, &err));
    return l;
}

static sm_object *load(sm_loader *l, const char *name) {
    size_t len;
    sm_object *o;
    const void *data = file_of(name, &len);
    WORKS(sm_load(l, data, len, name, &o, &err));
    return o;
}

/* An object's function, called while nothing fails: it is not the library's. */
static int64_t run(const sm_object *o, const char *name, int64_t n) {
    int64_t (*f)(int64_t) = (int64_t (*)(int64_t))sm_object_symbol(o, name);
    check(f, "%s", name);
    failing_pause(1);
    int64_t result = f(n);
    failing_pause(0);
    return result;
}

static void load_model(const char *code, const char *other, const void *near) {
    sm_loader *l = new_loader((sm_loader_options){.near = near, .reserve = near ? 1 << 24 : 0});
    load(l, other);
    sm_object *o = load(l, code);
    int line = (int)run(o, "check", 0);
    check(line == 0, "%s: line %d of code.c", code, line);
    check(sm_loader_symbol(l, "check") == sm_object_symbol(o, "check"), "the loader's symbol");
    sm_unload(o);
    sm_loader_free(l);
}

static void load_models(void) {
    load_model("code-0.o", "other-0.o", &runtime_value);
    load_model("code-1.o", "other-1.o", NULL);
    load_model("code-2.o", "other-2.o", NULL);
}

static int count_symbol(void *user, const sm_symbol *s) {
    *(int *)user += s->is_code;
    return 0;
}

static int look_at(void *user, const sm_site *site) {
    sm_region region;
    sm_field field;
    for (uint32_t i = 0; sm_site_region(site, i, &region); i++)
        *(int *)user += sm_site_field(site, i, 0, &field);
    return 0;
}

static int is_same(void *user, const sm_site *site) {
    return site->address == *(uintptr_t *)user;
}

struct finder {
    sm_loader *loader;
    int sites, lines;
};

static int find(void *user, const sm_site *site) {
    struct finder *f = user;
    sm_source_frame frame[4];
    uintptr_t at = site->address;
    const sm_site *s = sm_find(f->loader, at);
    if (!s) { /* no memory; it has no error to fill */
        strcpy(err.message, "no memory");
        excuse(err.result = SM_ERR_NO_MEMORY, &err, "sm_find", __LINE__);
        s = sm_find(f->loader, at);
    }
    check(s && s->address == at, "a site is not found");
    check(s == sm_find(f->loader, at), "a site is another one");
    check(sm_look(f->loader, at, is_same, &at) == 1, "a site is not looked at");
    check(sm_find_code(f->loader, at - 1) == s->code, "a site's function");
    check(!sm_find_fault(f->loader, at), "a call is a fault");
    f->lines += sm_source_at(f->loader, at - 1, frame, 4) > 0;
    f->sites++;
    return 0;
}

/* With everything for tools, and by every way to look at an object. */
static void look_at_objects(void) {
    unsigned all = SM_LOAD_GDB | SM_LOAD_PERF_MAP | SM_LOAD_JITDUMP | SM_LOAD_LINES | SM_LOAD_ALL_LINES;
    sm_loader *l = new_loader((sm_loader_options){.flags = all, .user = &err});
    sm_object *types = load(l, "types.o"), *lines = load(l, "lines.o");
    int code = 0, fields = 0;
    const void *start;
    struct finder f = {.loader = l};
    check(sm_object_symbols(types, count_symbol, &code) == 0 && code >= 1, "%d functions", code);
    check(sm_object_code(types, &start) > 0 && strcmp(sm_object_name(types), "types.o") == 0, "the object");
    sm_object_sites(types, look_at, &fields);
    check(fields > 0, "no fields");
    sm_object_sites(types, find, &f);
    sm_object_sites(lines, find, &f);
    check(f.sites >= 4 && f.lines >= 1, "%d sites, %d lines", f.sites, f.lines);
    check(sm_loader_trim(l) >= 1, "nothing was kept");
    sm_object_sites(types, find, &f);
    WORKS(sm_patch(l, (uintptr_t)start, (const char[]){(char)0x90}, 0, &err));
    unsigned char copy[16];
    memcpy(copy, start, sizeof copy);
    WORKS(sm_patch(l, (uintptr_t)start, copy, sizeof copy, &err));
    sm_retire(lines);
    check(sm_loader_reclaim(l) == 1, "what is retired is not freed");
    sm_loader_free(l);
}

static sm_loader *lazy;

/* What is loaded here may fail as well: who asks cannot be told, so that it is tried again. */
static void *bind_late(void *user, const char *name) {
    (void)user;
    if (strcmp(name, "counted") == 0)
        return (void *)nothing;
    load(lazy, "late1.o");
    return NULL;
}

static void bind_calls(void) {
    void *stub;
    lazy = new_loader((sm_loader_options){.resolve_call = bind_late});
    sm_object *early = load(lazy, "early.o");
    int (*f)(void) = (int (*)(void))sm_object_symbol(early, "early");
    check(f() == 42 && f() == 42, "a call that is bound");
    COMES(stub, sm_loader_stub(lazy, "version", &err));
    check(((int (*)(void))stub)() == 1, "the stub");
    sm_object *late = load(lazy, "late2.o");
    WORKS(sm_redirect(lazy, "version", sm_object_symbol(late, "version"), &err));
    check(((int (*)(void))stub)() == 2, "where it goes now");
    WORKS(sm_redirect(lazy, "not-yet-known", (void *)nothing, &err));
    sm_unload(late);
    sm_loader_free(lazy);
}

/* Of each model. What has a fixed offset is taken from the process for ever. A thread's own variables come when it uses
 * them, and who uses them cannot be told that there is no memory: nothing fails then. */
static void use_thread_locals(void) {
    static const char *const model[][2] = {{"tls-general.o", "tls-general-user.o"},
                                           {"tls-initial.o", "tls-initial-user.o"}};
    for (int i = 0; i < 2; i++) {
        sm_loader *l = new_loader((sm_loader_options){.size = 0});
        sm_object *first = load(l, model[i][0]), *user = load(l, model[i][1]);
        of_program = 3;
        failing_pause(1);
        int64_t sum = ((int64_t (*)(int64_t, double, double))sm_object_symbol(first, "bump"))(2, 9.0, 4.0);
        check(sum == 11 + 7 + 70 + 500 + 3 + 5 + 10, "%s: %ld", model[i][0], (long)sum);
        check(((int64_t (*)(void))sm_object_symbol(user, "see"))() == 13 + 1000, "another object's variable");
        failing_pause(0);
        sm_unload(user);
        sm_unload(first);
        sm_loader_free(l);
    }
}

static void open_map(void) {
    sm_loader *l = new_loader((sm_loader_options){.size = 0});
    sm_object *map;
    void *function;
    struct finder f = {.loader = l};
    failing_pause(1);
    void *library = dlopen(in_folder("libmap.so"), RTLD_NOW);
    check(library && (function = dlsym(library, "weights")), "%s", dlerror());
    failing_pause(0);
    WORKS(sm_map_open(l, function, &map, &err));
    sm_object_sites(map, find, &f);
    check(f.sites >= 2, "%d sites", f.sites);
    sm_unload(map);
    failing_pause(1);
    dlclose(library);
    failing_pause(0);
    sm_loader_free(l);
}

/* ---- Walking ------------------------------------------------------------------------------------------------------ */

struct cell {
    int64_t value;
    struct cell *moved;
};

static struct cell *cell; /* CELLS of them */
static int cells, frames, values;
static sm_loader *walked;
static sm_object *program;
static sm_watermark *watermark;
static sm_zeal *zeal;

static struct cell *new_cell(int64_t value) {
    check(cells < CELLS, "no cells are left");
    cell[cells] = (struct cell){.value = value};
    return &cell[cells++];
}

static int move(void *user, void **base) {
    struct cell *old = *base;
    (void)user;
    if (!old->moved)
        old->moved = new_cell(old->value);
    *base = old->moved;
    return 0;
}

static int take_frame(void *user, const sm_deopt_frame *given) {
    sm_deopt_frame f = *given;
    sm_deopt_value v;
    (void)user;
    frames++;
    while (sm_deopt_next(&f, &v))
        values++;
    return 0;
}

static int take_activation(void *user, const sm_activation *a) {
    (void)user;
    for (uint32_t i = 0; i < a->site->n_pairs; i++)
        check(sm_slot_address(a, &a->site->pairs[i].base), "a root is nowhere");
    frames = values = 0;
    if (a->depth == 0)
        WORKS(sm_deopt_frames(a, take_frame, NULL, &err));
    return 0;
}

static const sm_visitor mover = {.size = sizeof mover, .root = move, .frame = take_activation};

static void visit_by_zeal(sm_registers *at) {
    enum { SPACE = CELLS * sizeof(struct cell) };
    struct cell *old = cell;
    sm_zeal_due(zeal, at);
    failing_pause(1);
    cell = mmap(NULL, SPACE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    check(cell != MAP_FAILED, "no space");
    cells = 0;
    failing_pause(0);
    WORKS(sm_zeal_visit(zeal, at, &mover, &err));
    WORKS(sm_zeal_close(zeal, old, SPACE, &at, 1, &err));
    check(sm_zeal_fault(zeal, old, NULL) == 1 && sm_zeal_fault(zeal, cell, NULL) == 0, "what is closed");
    WORKS(sm_zeal_open(zeal, old, SPACE, &err));
    munmap(old, SPACE);
}

static void visit(sm_registers *at) {
    sm_visitor v = mover;
    if (zeal) {
        visit_by_zeal(at);
        return;
    }
    v.watermark = watermark;
    WORKS(sm_visit(walked, at, &v, &err));
}

int64_t go_on_now(sm_registers *at);
void *allocate_now(sm_registers *at, int64_t value);
SM_RUNTIME_ENTRY(allocate, allocate_now)
SM_RUNTIME_ENTRY(go_on, go_on_now)

void *allocate_now(sm_registers *at, int64_t value) {
    api_note(API_sm_runtime_entry);
    visit(at);
    return new_cell(value);
}

/* The innermost frame gives up: all walks from here. */
int64_t go_on_now(sm_registers *at) {
    sm_source_frame line[16];
    sm_registers caller;
    const sm_code *code;
    size_t n, freed;
    check(sm_chain_get() == at, "the chain");
    sm_chain_set(at);
    visit(at);
    visit(at);
    WORKS(sm_visit(walked, at, &mover, &err));
    check(frames == 0, "the outermost frame gave up"); /* of the last activation */
    WORKS(sm_backtrace(walked, at, line, 16, &n, &err));
    check(n >= 2 && line[n - 1].function && strcmp(line[n - 1].function, "program") == 0, "%zu frames", n);
    WORKS(sm_frame_at(walked, at->pc - 1, at, &code, &caller));
    sm_object *old = load(walked, "late1.o");
    sm_retire(old);
    sm_retire(program);
    WORKS(sm_loader_reclaim_unused(walked, (sm_registers *[]){at}, 1, &freed, &err));
    check(freed == 1, "%zu are freed: one is retired, and one is on the stack", freed);
    if (watermark) {
        sm_watermark_skipped(watermark);
        sm_watermark_reset(watermark);
        WORKS(sm_watermark_remove(walked, at, watermark, &err));
    }
    return 7;
}

/* PROGRAM gives up at once, and gives this. */
static void walk_program(const char *name) {
    walked = new_loader((sm_loader_options){.flags = SM_LOAD_ALL_LINES});
    program = load(walked, name);
    int64_t (*f)(int64_t) = (int64_t (*)(int64_t))sm_object_symbol(program, "program");
    if (zeal == NULL)
        cells = 0;
    f(3);
    check(!sm_chain_get(), "the chain is not empty");
}

static void walk(void) {
    static struct cell room[CELLS];
    cell = room;
    walk_program("deopt.o");
    sm_loader_free(walked);
    COMES(watermark, sm_watermark_new(&err));
    walk_program("deopt-plain.o");
    sm_loader_free(walked);
    sm_watermark_free(watermark);
    watermark = NULL;
}

static void on_report(void *user, const sm_zeal_report *report) {
    (void)user;
    check(report->text[0], "an empty report");
}

static void walk_with_zeal(void) {
    sm_zeal_options o = {.size = sizeof o, .report = on_report, .function = "program", .words = 64};
    sm_zeal_counters counters;
    sm_loader *l = new_loader((sm_loader_options){.size = 0});
    COMES(zeal, sm_zeal_new(l, &o, &err));
    sm_zeal_free(zeal);
    zeal = NULL;
    sm_loader_free(l);
    /* the zeal's loader is the one that it walks */
    walked = new_loader((sm_loader_options){.flags = SM_LOAD_ALL_LINES});
    program = load(walked, "deopt.o");
    COMES(zeal, sm_zeal_new(walked, &o, &err));
    failing_pause(1);
    cell = mmap(NULL, CELLS * sizeof *cell, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    cells = 0;
    failing_pause(0);
    ((int64_t (*)(int64_t))sm_object_symbol(program, "program"))(3);
    WORKS(sm_zeal_coverage(zeal, SM_ZEAL_JSON, in_folder("coverage.json"), &err));
    WORKS(sm_zeal_coverage(zeal, SM_ZEAL_TEXT, in_folder("coverage.txt"), &err));
    sm_zeal_counters_get(zeal, &counters, sizeof counters);
    check(counters.collections >= 3 && counters.roots >= 1, "%d collections", (int)counters.collections);
    sm_zeal_free(zeal);
    zeal = NULL;
    munmap(cell, CELLS * sizeof *cell);
    sm_loader_free(walked);
}

/* ---- The rest ----------------------------------------------------------------------------------------------------- */

int64_t many_now(sm_registers *at, int64_t a, int64_t b, int64_t c, int64_t d, int64_t e, int64_t f, int64_t g,
                 int64_t h);
int64_t many(int64_t a, int64_t b, int64_t c, int64_t d, int64_t e, int64_t f, int64_t g, int64_t h);
SM_RUNTIME_ENTRY_WIDE(many, many_now, 8, 0)

int64_t many_now(sm_registers *at, int64_t a, int64_t b, int64_t c, int64_t d, int64_t e, int64_t f, int64_t g,
                 int64_t h) {
    api_note(API_sm_runtime_entry_wide);
    return at ? a + b + c + d + e + f + g + h : 0;
}

static void on_signal(int number, siginfo_t *info, void *context) {
    sm_registers r;
    (void)number, (void)info;
    sm_registers_load(&r, context);
    sm_registers_store(&r, context);
}

static void say_what_there_is(void) {
    struct sigaction action = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO}, before;
    check(sm_version() == SM_VERSION, "the version");
    check(strcmp(sm_result_name(SM_ERR_TLS), "ERR_TLS") == 0 && sm_result_text(SM_ERR_TLS)[0], "a result's name");
    check(sm_target_host()->triple[0], "the machine");
    check(many(1, 2, 3, 4, 5, 6, 7, 8) == 36, "a wide entry");
    sigaction(SIGUSR1, &action, &before);
    raise(SIGUSR1);
    sigaction(SIGUSR1, &before, NULL);
    failing_pause(1);
    free(malloc(1)); /* so that the round has something that can fail */
    failing_pause(0);
}

/* ---- Rounds ------------------------------------------------------------------------------------------------------- */

/* Descriptors that are open, and maps that code or a loader's reserve may be in. */
static void count_resources(int *descriptors, int *maps) {
    char line[512];
    DIR *d = opendir("/proc/self/fd");
    FILE *f = fopen("/proc/self/maps", "r");
    *descriptors = *maps = 0;
    check(d && f, "no /proc");
    while (readdir(d))
        ++*descriptors;
    while (fgets(line, sizeof line, f)) {
        unsigned long from, to;
        char rights[8];
        if (sscanf(line, "%lx-%lx %7s", &from, &to, rights) == 3)
            *maps += rights[2] == 'x' || (!is_sanitized && to - from >= 1 << 24 && to - from <= 1 << 28);
    }
    closedir(d);
    fclose(f);
}

/* Runs the round, with a place that fails. 1 if one has. */
static int run_with_failure(void (*use)(void)) {
    excused = 0;
    failing_begin(TIMES);
    use();
    return failing_end();
}

/* The same some times in a child, which keeps what it takes. 1 if a place has failed there. */
static int run_in_child(void (*use)(void)) {
    enum { ROUNDS = 8 };
    int status, n = 0;
    fflush(NULL);
    pid_t child = fork();
    check(child >= 0, "no process");
    if (child == 0) {
        while (n < ROUNDS && run_with_failure(use))
            n++;
        exit(n ? 3 : 4);
    }
    check(waitpid(child, &status, 0) == child && WIFEXITED(status) && (WEXITSTATUS(status) & ~7) == 0 &&
              WEXITSTATUS(status) >= 3,
          "%s: the process ended with %d", round_name, status);
    return WEXITSTATUS(status) == 3;
}

static void run_rounds(const char *name, void (*use)(void), int is_forked) {
    int descriptors, maps, descriptors_now, maps_now;
    round_name = name;
    if (!is_forked)
        use();
    count_resources(&descriptors, &maps);
    unsigned before = failing_count();
    while (is_forked ? run_in_child(use) : run_with_failure(use)) {
        count_resources(&descriptors_now, &maps_now);
        check(descriptors == descriptors_now && maps == maps_now,
              "%s: %d descriptors and %d maps, and before %d and %d", name, descriptors_now, maps_now, descriptors,
              maps);
    }
    printf("%s: %u\n", name, failing_count() - before);
}

int main(int argc, char **argv) {
    static const struct {
        const char *name;
        void (*use)(void);
        int is_forked; /* boolean: what it takes is not given back */
    } rounds[] = {{"thread-local variables", use_thread_locals, 1},
                  {"tools", look_at_objects, 1},
                  {"models", load_models, 0},
                  {"late functions", bind_calls, 0},
                  {"maps of linkers", open_map, 0},
                  {"walks", walk, 0},
                  {"zeal", walk_with_zeal, 0},
                  {"names", say_what_there_is, 0},
                  {"one call", call_once, 0},
                  {"all options", call_with_all_options, 0},
                  {"no answer", call_for_nothing, 0},
                  {"submitted calls", submit, 0},
                  {"tiers", submit_tiers, 0},
                  {"bundles", use_bundles, 0},
                  {"texts", get_texts, 0},
                  {"several servers", call_several_servers, 0},
                  {"TLS", call_by_tls, 0},
                  {"an answer that is loaded", load_an_answer, 0}};
    int missing = 0;
    check(argc >= 3, "usage: api_check FOLDER URL [ROUND]");
    folder = argv[1];
    url = argv[2];
    setvbuf(stdout, NULL, _IOLBF, 0);
    seen = mmap(NULL, sizeof *seen, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    check(seen != MAP_FAILED, "no memory");
    for (size_t i = 0; i < sizeof rounds / sizeof *rounds; i++)
        if (argc == 3 || strcmp(argv[3], rounds[i].name) == 0)
            run_rounds(rounds[i].name, rounds[i].use, rounds[i].is_forked);
    for (int f = 0; f < API_FUNCTIONS && argc == 3; f++)
        if (!atomic_load(&seen->calls[f]) && ++missing)
            printf("%s was not called\n", function_name[f]);
    printf("%u places have failed; %d functions were called;", failing_count(), API_FUNCTIONS - missing);
    for (int r = 0; r < RESULTS; r++)
        if (seen->result[r])
            printf(" %s %u", (sm_result_name)((sm_result)r), seen->result[r]);
    printf("\n");
    return missing != 0;
}
