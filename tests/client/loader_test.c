/* loader_test.c - what the loader refuses and how it says so; symbols between objects; unloading; gdb and perf. */
#include "files.h"
#include "smclient.h"

#include <criterion/criterion.h>
#include <dlfcn.h>
#include <elf.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static sm_loader *loader;
static sm_error err;
static char folder[64];

extern int __cxa_atexit(void (*f)(void *), void *arg, void *handle);

/* The digits that functions noted when they were called. */
static uint64_t noted;

static void note(int digit) {
    noted = 10 * noted + (uint64_t)digit;
}

static void note_argument(void *digit) {
    note((int)(intptr_t)digit);
}

static void *resolve(void *user, const char *name) {
    (void)user;
    static const struct {
        const char *name;
        void *address;
    } table[] = {{"far_away", (void *)(uintptr_t)0x7000000000001234},
                 {"note", (void *)note},
                 {"note_argument", (void *)note_argument},
                 {"__cxa_atexit", (void *)__cxa_atexit}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (strcmp(table[i].name, name) == 0)
            return table[i].address;
    return NULL;
}

static void start_with(unsigned flags) {
    sm_loader_options options = {.size = sizeof options, .resolve = resolve, .flags = flags};
    loader = sm_loader_new(&options, &err);
    cr_assert_not_null(loader, "%s", err.message);
    strcpy(folder, "/tmp/smd-loader-XXXXXX");
    cr_assert_not_null(mkdtemp(folder));
}

static void start(void) {
    start_with(0);
}

static void finish(void) {
    char command[128];
    sm_loader_free(loader);
    snprintf(command, sizeof command, "rm -r %s", folder);
    cr_assert_eq(system(command), 0);
}

TestSuite(loader, .init = start, .fini = finish, .timeout = 600);

/* Compiles C, with the compiler's name and flags in front. */
static struct bytes compiled(const char *compiler, const char *source) {
    char command[256], path[128];
    int status;
    snprintf(path, sizeof path, "%s/o.o", folder);
    snprintf(command, sizeof command, "%s -x c -c -o %s - 2>&1", compiler, path);
    struct bytes out = run_command(command, source, strlen(source), &status);
    cr_assert_eq(status, 0, "%s: %s", compiler, (char *)out.data);
    bytes_free(out);
    return read_file(path);
}

static struct bytes compiled_ir(const char *ir) {
    char source[128], path[128], command[512];
    int status;
    snprintf(source, sizeof source, "%s/o.ll", folder);
    snprintf(path, sizeof path, "%s/o.o", folder);
    write_file(source, ir, strlen(ir));
    snprintf(command, sizeof command,
             "opt-19 -mtriple=x86_64-linux-gnu -passes=rewrite-statepoints-for-gc %s | llc-19 -relocation-model=pic "
             "-filetype=obj -o %s 2>&1",
             source, path);
    struct bytes out = run_command(command, NULL, 0, &status);
    cr_assert_eq(status, 0, "%s", (char *)out.data);
    bytes_free(out);
    return read_file(path);
}

static sm_object *load(const char *name, const char *source) {
    struct bytes b = compiled("gcc -O1 -fPIC", source);
    sm_object *o;
    cr_assert_eq(sm_load(loader, b.data, b.len, name, &o, &err), SM_SUCCESS, "%s", err.message);
    bytes_free(b);
    return o;
}

static void refused(const char *compiler, const char *source, sm_result result, const char *what) {
    struct bytes b = compiled(compiler, source);
    sm_object *o;
    sm_result r = sm_load(loader, b.data, b.len, "o", &o, &err);
    cr_expect_eq(r, result, "%s: %s (%s)", source, sm_result_name(r), err.message);
    cr_expect(r == SM_SUCCESS || strstr(err.message, what) != NULL, "%s: '%s' does not say '%s'", source, err.message,
              what);
    cr_expect_null(o);
    bytes_free(b);
}

static int call(const sm_object *o, const char *name) {
    int (*f)(void) = (int (*)(void))sm_object_symbol(o, name);
    cr_assert_not_null(f, "%s is not there", name);
    return f();
}

Test(loader, undefined) {
    refused("gcc -fPIC", "int nowhere(void); int f(void) { return nowhere(); }", SM_ERR_UNDEFINED_SYMBOL,
            "'nowhere'");
}

static _Thread_local int of_program;

static void *resolve_thread(void *user, const char *name) {
    return strcmp(name, "of_program") == 0 ? &of_program : strcmp(name, "no_variable") == 0 ? &noted : user;
}

static void *call_f(void *object) {
    return (void *)(intptr_t)call(object, "f");
}

/* As gcc writes it, by calls and by descriptors. Each thread begins with the first values. */
Test(loader, thread_local) {
    static const char *const compilers[] = {"gcc -O1 -fPIC", "gcc -O2 -fPIC -mtls-dialect=gnu2",
                                            "gcc -O1 -fno-pic -mcmodel=large",
                                            "gcc -O1 -fPIC -ftls-model=initial-exec"};
    for (size_t i = 0; i < sizeof compilers / sizeof *compilers; i++) {
        struct bytes b = compiled(compilers[i], "_Thread_local int t; static _Thread_local int u;"
                                                "int f(void) { u += 10; t++; return t + u; }");
        pthread_t id;
        void *result;
        sm_object *o;
        cr_assert_eq(sm_load(loader, b.data, b.len, "t", &o, &err), SM_SUCCESS, "%s", err.message);
        cr_expect_eq(call(o, "f"), 11);
        cr_expect_eq(call(o, "f"), 22);
        cr_expect_eq(*(int *)sm_object_symbol(o, "t"), 2);
        cr_assert_eq(pthread_create(&id, NULL, call_f, o), 0);
        pthread_join(id, &result);
        cr_expect_eq((intptr_t)result, 11, "%s", compilers[i]);
        sm_unload(o);
        bytes_free(b);
    }
}

Test(loader, thread_local_variables_that_are_not_there) {
    refused("gcc -fPIC", "extern _Thread_local int t; int f(void) { return t; }", SM_ERR_UNDEFINED_SYMBOL, "'t'");
    sm_loader_free(loader);
    loader = sm_loader_new(&(sm_loader_options){.size = sizeof(sm_loader_options), .resolve = resolve_thread}, &err);
    refused("gcc -fPIC", "extern _Thread_local int no_variable; int f(void) { return no_variable; }",
            SM_ERR_UNDEFINED_SYMBOL, "'no_variable'");
    load("t", "_Thread_local int t; int u;");
    refused("gcc -fPIC", "extern int t; int f(void) { return t; }", SM_ERR_UNDEFINED_SYMBOL, "'t'");
    refused("gcc -fPIC -ftls-model=initial-exec", "extern _Thread_local int t; int f(void) { return t; }",
            SM_ERR_UNSUPPORTED, "general dynamic");
    refused("gcc -fPIC -ftls-model=initial-exec", "_Thread_local char t[2000]; void *f(void) { return t; }",
            SM_ERR_NO_SPACE, "general dynamic");
}

/* Variables of the program, whatever the model; and of a library that was opened later, by general dynamic alone. */
Test(loader, thread_local_variables_of_others) {
    static const char source[] = "extern _Thread_local int of_program; int f(void) { return of_program; }";
    static const char *const compilers[] = {"gcc -fPIC", "gcc -fPIC -mtls-dialect=gnu2",
                                            "gcc -fPIC -ftls-model=initial-exec", "gcc -fno-pic -mcmodel=large"};
    char command[256], path[128];
    sm_object *o;
    pthread_t id;
    void *result;
    sm_loader_free(loader);
    loader = sm_loader_new(&(sm_loader_options){.size = sizeof(sm_loader_options), .resolve = resolve_thread}, &err);
    of_program = 5;
    for (size_t i = 0; i < sizeof compilers / sizeof *compilers; i++) {
        struct bytes b = compiled(compilers[i], source);
        cr_assert_eq(sm_load(loader, b.data, b.len, "p", &o, &err), SM_SUCCESS, "%s", err.message);
        cr_expect_eq(call(o, "f"), 5);
        cr_assert_eq(pthread_create(&id, NULL, call_f, o), 0);
        pthread_join(id, &result);
        cr_expect_eq((intptr_t)result, 0, "%s", compilers[i]);
        sm_unload(o);
        bytes_free(b);
    }
    snprintf(path, sizeof path, "%s/lib.so", folder);
    snprintf(command, sizeof command,
             "echo '_Thread_local int in_library[999] = {7};' | gcc -x c -shared -fPIC -o %s -", path);
    cr_assert_eq(system(command), 0);
    void *library = dlopen(path, RTLD_NOW);
    cr_assert_not_null(library);
    sm_loader_free(loader);
    loader = sm_loader_new(&(sm_loader_options){.size = sizeof(sm_loader_options),
                                                .resolve = resolve_thread,
                                                .user = dlsym(library, "in_library")},
                           &err);
    *(int *)dlsym(library, "in_library") = 8;
    for (size_t i = 0; i < 2; i++) {
        struct bytes b =
            compiled(compilers[i], "extern _Thread_local int in_library; int f(void) { return in_library; }");
        cr_assert_eq(sm_load(loader, b.data, b.len, "p", &o, &err), SM_SUCCESS, "%s", err.message);
        cr_expect_eq(call(o, "f"), 8);
        cr_assert_eq(pthread_create(&id, NULL, call_f, o), 0);
        pthread_join(id, &result);
        cr_expect_eq((intptr_t)result, 7, "%s", compilers[i]);
        bytes_free(b);
    }
    refused("gcc -fPIC -ftls-model=initial-exec",
            "extern _Thread_local int in_library; int f(void) { return in_library; }", SM_ERR_UNSUPPORTED,
            "'in_library'");
    sm_loader_free(loader);
    loader = NULL;
    dlclose(library);
}

static pthread_barrier_t barrier;

static void *wait_twice(void *arg) {
    pthread_barrier_wait(&barrier);
    pthread_barrier_wait(&barrier);
    return arg;
}

/* Static models cannot give first values to threads that run already; zeros they have. */
Test(loader, thread_local_first_values) {
    pthread_t id;
    pthread_barrier_init(&barrier, NULL, 2);
    cr_assert_eq(pthread_create(&id, NULL, wait_twice, NULL), 0);
    pthread_barrier_wait(&barrier);
    refused("gcc -fPIC -ftls-model=initial-exec", "_Thread_local int t = 4; int f(void) { return t; }",
            SM_ERR_UNSUPPORTED, "before they begin");
    refused("gcc -fPIC -ftls-model=initial-exec", "int v; _Thread_local int *t = &v; int *f(void) { return t; }",
            SM_ERR_UNSUPPORTED, "before they begin");
    load("dynamic", "_Thread_local int t = 4; int f(void) { return t; }");
    pthread_barrier_wait(&barrier);
    pthread_join(id, NULL);
}

Test(loader, chosen_at_run_time) {
    sm_object *o = load("chosen", "static int a(void) { return 1; } static void *pick(void) { return a; }"
                                  "int f(void) __attribute__((ifunc(\"pick\"))); int g(void) { return f(); }"
                                  "void *h(void) { return f; }");
    cr_expect_eq(call(o, "f"), 1);
    cr_expect_eq(call(o, "g"), 1);
    void *(*h)(void) = (void *(*)(void))sm_object_symbol(o, "h");
    cr_expect_eq(h(), sm_object_symbol(o, "f"), "one function has one address");
    refused("gcc -fPIC", "static void *pick(void) { return 0; } int f(void) __attribute__((ifunc(\"pick\")));",
            SM_ERR_UNDEFINED_SYMBOL, "'f'");
}

/* Of both kinds, as linkers order them: 2 to 4 have priorities. The sections' order in the file is another. */
static const char *const hooks =
    "void note(int); extern int __cxa_atexit(void (*)(void *), void *, void *); void note_argument(void *);"
    "extern void *__dso_handle __attribute__((visibility(\"hidden\")));"
    "static void c1(void) { note(5); __cxa_atexit(note_argument, (void *)6, &__dso_handle); } static void c2(void) { "
    "note(7); }"
    "static void c3(void) { note(3); } static void c4(void) { note(2); } static void c5(void) { note(4); }"
    "static void d1(void) { note(1); } static void d2(void) { note(2); } static void d3(void) { note(3); }"
    "static void d4(void) { note(4); }"
    "typedef void (*hook)(void);"
    "__attribute__((section(%s), used)) static hook plain[] = {%s};"
    "__attribute__((section(%s), used)) static hook late = c3;"
    "__attribute__((section(%s), used)) static hook first = c4;"
    "__attribute__((section(%s), used)) static hook latest = c5;"
    "__attribute__((section(%s), used)) static hook last[] = {%s};"
    "__attribute__((section(%s), used)) static hook lasts = d3;"
    "__attribute__((section(%s), used)) static hook very_last = d4;";

Test(loader, initialisers_and_finalisers) {
    static const char *const modern[] = {
        "\".init_array\"", "c1, c2", "\".init_array.00200\"", "\".init_array.101\"",  "\".init_array.65535\"",
        "\".fini_array\"", "d2, d1", "\".fini_array.300\"",   "\".fini_array.00005\""};
    static const char *const old[] = {"\".ctors\"",          "c2, c1",           "\".ctors.65335\"",
                                      "\".ctors.65434\"",    "\".ctors.00000\"", "\".dtors\"",
                                      "(hook)-1, d1, d2, 0", "\".dtors.65235\"", "\".dtors.65530\""};
    const char *const *all[] = {modern, old};
    for (int i = 0; i < 2; i++) {
        char source[2048];
        const char *const *s = all[i];
        snprintf(source, sizeof source, hooks, s[0], s[1], s[2], s[3], s[4], s[5], s[6], s[7], s[8]);
        noted = 0;
        sm_object *o = load("hooks", source);
        cr_expect_eq(noted, 23457, "%lu", noted);
        noted = 0;
        sm_retire(o);
        cr_expect_eq(noted, 0, "what is retired still runs");
        sm_loader_reclaim(loader);
        cr_expect_eq(noted, 12634, "%lu", noted);
    }
}

/* A function that is never reached may have no instructions; others refer to it all the same. */
Test(loader, empty_sections) {
    struct bytes b = compiled_ir("define void @empty() uwtable {\n  unreachable\n}\n");
    sm_object *o;
    cr_assert_eq(sm_load(loader, b.data, b.len, "empty", &o, &err), SM_SUCCESS, "%s", err.message);
    cr_expect_not_null(sm_object_symbol(o, "empty"));
    bytes_free(b);
    load("around", "__asm__(\".section .data.none,\\\"aw\\\"\\n.Lnone: .text\\n.globl f\\n"
                   "f: lea .Lnone(%rip), %rax\\n ret\");");
}

Test(loader, out_of_range) {
    refused("gcc -fno-pic", "extern int far_away; int f(void) { return far_away; }", SM_ERR_OUT_OF_RANGE,
            "'far_away'");
    cr_expect_not_null(strstr(err.message, "R_X86_64_PC32 at .text+0x"), "%s", err.message);
}

Test(loader, other_machine) {
    refused("aarch64-linux-gnu-gcc", "int f(void) { return 1; }", SM_ERR_INVALID_OBJECT, "another machine (183");
    refused("gcc -m32 -fno-pic", "int x;", SM_ERR_INVALID_OBJECT, "");
}

Test(loader, linked) {
    struct bytes b = read_file("/proc/self/exe");
    cr_assert_eq(sm_load(loader, b.data, b.len, NULL, NULL, &err), SM_ERR_INVALID_OBJECT);
    cr_assert_not_null(strstr(err.message, "linked"));
    bytes_free(b);
}

Test(loader, nothing) {
    cr_assert_eq(sm_load(loader, NULL, 0, NULL, NULL, &err), SM_ERR_INVALID_OBJECT);
    cr_assert_eq(sm_load(NULL, "", 0, NULL, NULL, &err), SM_ERR_INVALID_ARGUMENT);
    cr_assert_eq(sm_load(loader, NULL, 5, NULL, NULL, NULL), SM_ERR_INVALID_ARGUMENT);
    sm_unload(NULL);
    sm_retire(NULL);
    sm_loader_free(NULL);
}

/* A struct whose size was forgotten is refused, and not taken for one without fields. */
Test(loader, structs_without_size) {
    int roots = 0;
    sm_answer *answer;
    cr_expect_eq(sm_visit(loader, NULL, &(sm_visitor){.user = &roots}, &err), SM_ERR_INVALID_ARGUMENT);
    cr_expect_not_null(strstr(err.message, "sizeof(sm_visitor)"), "%s", err.message);
    cr_expect_null(sm_loader_new(&(sm_loader_options){.resolve = resolve}, &err));
    cr_expect_not_null(strstr(err.message, "sizeof(sm_loader_options)"), "%s", err.message);
    cr_expect_null(sm_client_new(&(sm_client_options){.deadline_ms = 1}, &err));
    cr_expect_not_null(strstr(err.message, "sizeof(sm_client_options)"), "%s", err.message);
    sm_client *client = sm_client_new(NULL, &err);
    cr_expect_eq(sm_compile(client, &(sm_request){.module = "", .module_len = 0}, &answer, &err),
                 SM_ERR_INVALID_ARGUMENT);
    cr_expect_not_null(strstr(err.message, "sizeof(sm_request)"), "%s", err.message);
    sm_client_free(client);
}

Test(loader, far_calls_go_through_stubs) {
    sm_object *o = load(
        "far", "int far_away(void); int (*p(void))(void) { return far_away; } int f(void) { return far_away(); }");
    void *(*p)(void) = (void *(*)(void))sm_object_symbol(o, "p");
    cr_assert_eq((uintptr_t)p(), 0x7000000000001234);
}

Test(loader, symbols_of_objects_loaded_before) {
    load("one", "int which(void) { return 1; } int __attribute__((weak)) spare(void) { return 10; }");
    sm_object *two = load("two", "int which(void); int spare(void); int f(void) { return which() + spare(); }");
    cr_expect_eq(call(two, "f"), 11);
    sm_object *three = load("three", "int which(void) { return 3; } int g(void) { return which(); }");
    cr_expect_eq(call(three, "g"), 3, "an object's own definition comes first");
    cr_expect_eq(call(two, "f"), 11, "what is loaded later changes nothing");
    sm_object *four = load("four", "int which(void); int f(void) { return which(); }");
    cr_expect_eq(call(four, "f"), 3, "the one loaded last counts");
    sm_unload(four);
    sm_unload(three);
    sm_object *five = load("five", "int which(void); int f(void) { return which(); }");
    cr_expect_eq(call(five, "f"), 1);
    sm_object *six =
        load("six", "int __attribute__((weak)) which(void) { return 6; } int f(void) { return which(); }");
    cr_expect_eq(call(six, "f"), 1, "a weak definition gives way");
    cr_expect_eq(sm_object_symbol(six, "which"), NULL);
}

static const char *count_sites = "; two calls\n"
                                 "declare void @far_away()\n"
                                 "define void @f(ptr addrspace(1) %p) gc \"statepoint-example\" {\n"
                                 "  call void @far_away()\n  call void @far_away()\n"
                                 "  store i8 1, ptr addrspace(1) %p\n  ret void\n}\n";

static int remember(void *user, const sm_site *site) {
    uintptr_t *at = user;
    while (*at)
        at++;
    *at = site->address;
    return 0;
}

static int copy(void *user, const sm_site *site) {
    *(sm_site *)user = *site;
    return 7;
}

Test(loader, safepoints_until_reclaimed) {
    uintptr_t address_of[8] = {0};
    sm_site looked = {0};
    struct bytes b = compiled_ir(count_sites);
    sm_object *o;
    cr_assert_eq(sm_load(loader, b.data, b.len, "sites", &o, &err), SM_SUCCESS, "%s", err.message);
    cr_assert_eq(sm_object_sites(o, remember, address_of), 0);
    cr_assert(address_of[0] && address_of[1] && !address_of[2] && address_of[0] < address_of[1]);
    uintptr_t address = address_of[0];
    const sm_site *site = sm_find(loader, address), *other = sm_find(loader, address_of[1]);
    cr_assert(site && other && site != other);
    cr_expect_eq(sm_find(loader, address), site, "it stays");
    cr_expect_eq(other->address, address_of[1]);
    cr_expect_null(sm_find(loader, address + 1));
    cr_expect_null(sm_find(loader, 0));
    cr_expect_null(sm_find(loader, UINTPTR_MAX));
    cr_expect_str_eq(site->code->name, "f");
    cr_expect_eq(site->n_pairs, 1);
    cr_expect_eq(sm_look(loader, address, copy, &looked), 7);
    cr_expect_eq(looked.address, address);
    cr_expect_eq(sm_look(loader, address + 1, copy, &looked), 0);
    cr_expect_geq(sm_loader_trim(loader), 2);
    cr_expect_eq(sm_loader_trim(loader), 0);
    cr_expect_eq(sm_look(loader, address, copy, &looked), 7, "without keeping it");
    cr_expect_eq(sm_loader_trim(loader), 0);
    site = sm_find(loader, address);
    cr_assert(site && site->address == address && site->n_pairs == 1);
    sm_retire(o);
    cr_expect_eq(sm_find(loader, address), site, "frames of retired objects are still walked");
    cr_expect_null(sm_loader_symbol(loader, "f"), "but nothing new refers to them");
    cr_expect_eq(sm_loader_reclaim(loader), 1);
    cr_expect_null(sm_find(loader, address));
    cr_expect_eq(sm_loader_reclaim(loader), 0);
    bytes_free(b);
}

/* By page tables: what the kernel counts as it goes (VmRSS) is late by some pages for each thread. */
static int resident_kib(void) {
    struct bytes b = read_file("/proc/self/smaps_rollup");
    const char *line = strstr((const char *)b.data, "Rss:");
    int kib = line ? atoi(line + 4) : -1;
    cr_assert_gt(kib, 0);
    bytes_free(b);
    return kib;
}

static int count_site(void *user, const sm_site *site) {
    cr_assert_eq(site->n_pairs, 2);
    ++*(size_t *)user;
    return 0;
}

static int nothing(void *user, const sm_site *site) {
    (void)user, (void)site;
    return 0;
}

static int look_twice(void *user, const sm_site *site) {
    cr_assert_eq(sm_look(user, site->address, nothing, NULL), 0);
    return 0;
}

/* 12 bytes for a safepoint that nobody keeps, whichever table the object has; also when all have been looked at. */
Test(loader, safepoints_are_small) {
    enum { CALLS = 1000, OBJECTS = SANITIZED ? 20 : 200 };
    char *ir = malloc(200 * CALLS), *at = ir, command[512];
    int status;
    at += sprintf(at, "declare void @far_away()\n"
                      "define void @f(ptr addrspace(1) %%p, ptr addrspace(1) %%q) gc \"statepoint-example\" {\n");
    for (int i = 0; i < CALLS; i++)
        at += sprintf(at, "  call void @far_away()\n");
    sprintf(at, "  store i8 1, ptr addrspace(1) %%p\n  store i8 2, ptr addrspace(1) %%q\n  ret void\n}\n");
    struct bytes table[2] = {compiled_ir(ir)};
    snprintf(command, sizeof command, BIN_DIR "/smc compact %s/o.o", folder);
    table[1] = run_command(command, NULL, 0, &status);
    cr_assert_eq(status, 0);
    for (int t = 0; t < 2; t++) {
        size_t sites = 0, code = 0;
        sm_object *o;
        cr_assert_eq(sm_load(loader, table[t].data, table[t].len, "first", &o, &err), SM_SUCCESS, "%s", err.message);
        sm_object_sites(o, look_twice, loader);
        int before = resident_kib();
        for (int i = 0; i < OBJECTS; i++) {
            cr_assert_eq(sm_load(loader, table[t].data, table[t].len, "many", &o, &err), SM_SUCCESS, "%s",
                         err.message);
            code += (sm_object_code(o, NULL) + 4095) & ~(size_t)4095;
            sm_object_sites(o, count_site, &sites);
            sm_object_sites(o, look_twice, loader);
        }
        double each = ((double)(resident_kib() - before) * 1024 - (double)code) / (double)sites;
        cr_expect_eq(sites, CALLS * OBJECTS);
        if (!SANITIZED)
            cr_expect_leq(each, 12, "%.1f bytes a safepoint", each);
        printf("[figures] loader: %.1f bytes a safepoint\n", each);
        bytes_free(table[t]);
    }
    free(ir);
}

/* 1 KB for a small function, and its code. */
Test(loader, small_objects_are_small) {
    enum { OBJECTS = 8000, ROUNDING = 24 }; /* bytes: pages that are in part another's */
    struct bytes b = compiled_ir("declare void @far_away()\n"
                                 "define i64 @f(ptr addrspace(1) %p, i64 %x) gc \"statepoint-example\" {\n"
                                 "  %y = mul i64 %x, 37\n  %z = xor i64 %y, 5\n  %w = add i64 %z, %x\n"
                                 "  %c = icmp sgt i64 %w, 100\n  %q = select i1 %c, i64 %w, i64 %y\n"
                                 "  call void @far_away()\n"
                                 "  %v = load i64, ptr addrspace(1) %p\n  %s = add i64 %v, %q\n  ret i64 %s\n}\n");
    const void *first, *second;
    sm_object *o;
    cr_assert_eq(sm_load(loader, b.data, b.len, "one", &o, &err), SM_SUCCESS, "%s", err.message);
    sm_object_code(o, &first);
    cr_assert_eq(sm_load(loader, b.data, b.len, "two", &o, &err), SM_SUCCESS, "%s", err.message);
    size_t code = sm_object_code(o, &second);
    cr_expect_eq((uintptr_t)first >> 12, (uintptr_t)second >> 12, "they are in one page");
    int before = resident_kib();
    for (int i = 0; i < OBJECTS; i++)
        cr_assert_eq(sm_load(loader, b.data, b.len, "one of many", NULL, &err), SM_SUCCESS, "%s", err.message);
    int each = (int)((resident_kib() - before) * INT64_C(1024) / OBJECTS);
    if (!SANITIZED)
        cr_expect_leq(each, 1024 + (int)code + ROUNDING, "%d bytes for %d of code", each, (int)code);
    printf("[figures] loader: %d bytes for an object of %d bytes of code\n", each, (int)code);
    bytes_free(b);
}

/* What stays in a page that others are in is no code any more. */
Test(loader, freed_code_traps) {
    sm_object *stays = load("stays", "int f(void) { return 1; }"), *goes = load("goes", "int g(void) { return 2; }");
    const unsigned char *code;
    size_t bytes = sm_object_code(goes, (const void **)&code);
    cr_assert_eq(call(goes, "g"), 2);
    sm_unload(goes);
    for (size_t i = 0; i < bytes; i++)
        cr_assert_eq(code[i], 0xcc, "byte %zu", i);
    cr_expect_eq(call(stays, "f"), 1);
    sm_object *next = load("next", "int h(void) { return 3; }");
    const void *start;
    sm_object_code(next, &start);
    cr_expect_eq(start, code, "its place is used again");
    cr_expect_eq(call(next, "h"), 3);
}

/* A child that loads changes nothing in its parent, and the other way round, though both write into the same page. */
Test(loader, processes_do_not_share_code) {
    sm_object *f = load("f", "int f(void) { return 1; }");
    int status, ready[2];
    char byte = 0;
    cr_assert_eq(pipe(ready), 0);
    pid_t child = fork();
    if (child == 0) {
        sm_object *g = load("g", "int g(void) { return 2; }");
        int before = call(g, "g");
        if (read(ready[0], &byte, 1) != 1) /* until the parent has loaded */
            _exit(9);
        _exit(before == 2 && call(g, "g") == 2 && call(f, "f") == 1 ? 0 : 1);
    }
    char parent[64];
    strcpy(parent, folder);
    strcat(folder, "-p"); /* the compilers' files */
    cr_assert_eq(mkdir(folder, 0700), 0);
    sm_object *h = load("h", "int h(void) { return 3; }");
    cr_expect_eq(call(h, "h"), 3);
    cr_assert_eq(write(ready[1], &byte, 1), 1);
    cr_assert_eq(waitpid(child, &status, 0), child);
    cr_expect(WIFEXITED(status) && WEXITSTATUS(status) == 0, "status %x", (unsigned)status);
    cr_expect(call(h, "h") == 3 && call(f, "f") == 1);
    char command[128];
    snprintf(command, sizeof command, "rm -r %s", folder);
    cr_assert_eq(system(command), 0);
    strcpy(folder, parent);
    close(ready[0]);
    close(ready[1]);
}

static int lines_of(const char *path) {
    struct bytes b = read_file(path);
    int lines = 0;
    for (size_t i = 0; i < b.len; i++)
        lines += b.data[i] == '\n';
    bytes_free(b);
    return lines;
}

Test(loader, memory_is_given_back) {
    struct bytes b = compiled_ir(count_sites);
    int before = 0;
    for (int i = 0; i < 2000; i++) {
        sm_object *o;
        cr_assert_eq(sm_load(loader, b.data, b.len, "again", &o, &err), SM_SUCCESS, "%s", err.message);
        sm_unload(o);
        if (i == 100)
            before = lines_of("/proc/self/maps");
    }
    cr_expect_leq(lines_of("/proc/self/maps"), before + 4);
    bytes_free(b);
}

/* Many objects side by side are few mappings: the kernel allows 65,530. */
Test(loader, many_objects_are_few_mappings) {
    struct bytes b = compiled_ir(count_sites);
    int before = lines_of("/proc/self/maps");
    for (int i = 0; i < 2000; i++)
        cr_assert_eq(sm_load(loader, b.data, b.len, "one of many", NULL, &err), SM_SUCCESS, "%s", err.message);
    cr_expect_leq(lines_of("/proc/self/maps"), before + 40);
    bytes_free(b);
}

static int lines_with(const char *path, const char *word) {
    struct bytes b = read_file(path);
    int n = 0;
    for (const char *at = (const char *)b.data; (at = strstr(at, word)) != NULL; at++)
        n++;
    bytes_free(b);
    return n;
}

TestSuite(told, .fini = finish, .timeout = 600);

Test(told, perf_map) {
    char path[64];
    start_with(SM_LOAD_PERF_MAP);
    sm_object *o = load("perf", "int measured(void) { return 1; }");
    snprintf(path, sizeof path, "/tmp/perf-%d.map", (int)getpid());
    struct bytes b = read_file(path);
    unsigned long address;
    cr_expect_eq(sscanf((char *)b.data, "%lx %*x measured", &address), 1, "%s", (char *)b.data);
    cr_expect_eq(address, (unsigned long)sm_object_symbol(o, "measured"));
    bytes_free(b);
    unlink(path);
}

/* perf's view of it, as its jitdump-specification.txt has it. */
struct __attribute__((packed)) dump_record {
    uint32_t id, total;
    uint64_t time;
    union {
        struct {
            uint32_t pid, tid;
            uint64_t vma, address, bytes, index;
            char name[];
        } load;
        struct {
            uint64_t bytes, index_bytes, mapped;
            unsigned char data[];
        } unwind;
    };
};

/* One function, in an ELF file of its own: code at 0, .eh_frame behind it, .eh_frame_hdr at the end of that. */
static void has_frames(const struct dump_record *r, uint64_t code_bytes) {
    int32_t to_frames, start, entry, begin;
    uint32_t count, bytes, range;
    uint64_t base = (code_bytes + 7) & ~7ull, header = r->unwind.bytes - r->unwind.index_bytes;
    const unsigned char *data = r->unwind.data, *h = data + header;
    cr_assert(header < r->unwind.bytes && memcmp(h, "\1\x1b\3\x3b", 4) == 0);
    memcpy(&to_frames, h + 4, 4), memcpy(&count, h + 8, 4), memcpy(&start, h + 12, 4), memcpy(&entry, h + 16, 4);
    cr_expect_eq((int64_t)header + 4 + to_frames, 0, "the section begins at the start");
    cr_expect_eq(count, 1);
    cr_expect_eq((int64_t)(base + header) + start, 0, "the function does");
    const unsigned char *fde = h + entry;
    memcpy(&bytes, fde + 4, 4), memcpy(&begin, fde + 8, 4), memcpy(&range, fde + 12, 4);
    cr_expect_eq(fde + 4 - bytes, data, "its CIE is the first");
    cr_expect_eq((int64_t)base + (fde + 8 - data) + begin, 0);
    cr_expect_eq(range, code_bytes);
}

Test(told, jitdump) {
    char path[128];
    int functions = 0;
    const struct dump_record *unwind = NULL;
    cr_assert_eq(setenv("JITDUMPDIR", "/tmp", 1), 0);
    start_with(SM_LOAD_JITDUMP);
    sm_object *o = load("perf", "int measured(int (*f)(void)) { return 1 + f(); } int other(void) { return 2; }");
    snprintf(path, sizeof path, "/tmp/jit-%d.dump", (int)getpid());
    struct bytes b = read_file(path);
    const uint32_t *h = (const uint32_t *)b.data;
    cr_assert(b.len > 40 && h[0] == 0x4a695444 && h[1] == 1 && h[2] == 40 && h[3] == EM_X86_64 &&
              h[5] == (uint32_t)getpid());
    for (size_t at = 40; at < b.len;) {
        const struct dump_record *r = (const struct dump_record *)(b.data + at);
        cr_assert(r->total >= 40 && r->total <= b.len - at, "record of %u bytes", r->total);
        at += r->total;
        if (r->id == 4) {
            cr_assert_eq(r->total, 40 + r->unwind.bytes);
            unwind = r;
            continue;
        }
        cr_assert_eq(r->id, 0);
        cr_expect_eq((void *)r->load.address, sm_object_symbol(o, r->load.name), "%s", r->load.name);
        const char *code = r->load.name + strlen(r->load.name) + 1;
        cr_expect_eq(memcmp(code, (void *)r->load.address, r->load.bytes), 0, "the code of %s", r->load.name);
        cr_expect_eq((int)r->load.index, functions++);
        cr_assert_not_null(unwind, "%s has no frames", r->load.name);
        has_frames(unwind, r->load.bytes);
        unwind = NULL;
    }
    cr_expect_eq(functions, 2);
    cr_expect_eq(lines_with("/proc/self/maps", path), 1, "perf finds the file by its mapping");
    bytes_free(b);
    unlink(path);
}

/* gdb's view of the process, by the interface that it documents. */
struct jit_code_entry {
    struct jit_code_entry *next, *previous;
    const unsigned char *file;
    uint64_t bytes;
};
extern struct {
    uint32_t version, action;
    struct jit_code_entry *relevant, *first;
} __jit_debug_descriptor;

Test(told, gdb) {
    start_with(SM_LOAD_GDB);
    sm_object *o = load("gdb", "int seen(void) { return 1; }");
    const struct jit_code_entry *e = __jit_debug_descriptor.first;
    cr_assert(e && e->bytes > sizeof(Elf64_Ehdr) && memcmp(e->file, ELFMAG, SELFMAG) == 0);
    const Elf64_Ehdr *h = (const Elf64_Ehdr *)e->file;
    const Elf64_Shdr *s = (const Elf64_Shdr *)(e->file + h->e_shoff);
    uintptr_t seen = (uintptr_t)sm_object_symbol(o, "seen");
    int found = 0;
    for (int i = 0; i < h->e_shnum; i++)
        found |= s[i].sh_flags & SHF_EXECINSTR && seen - s[i].sh_addr < s[i].sh_size;
    cr_expect(found, "no section stands where the function is");
    sm_unload(o);
    cr_expect_null(__jit_debug_descriptor.first);
}

Test(loader, results_have_names) {
    cr_expect_str_eq(sm_result_name(SM_ERR_TLS), "ERR_TLS");
    cr_expect_str_eq(sm_result_name((sm_result)9999), "ERR_UNKNOWN");
    cr_expect(sm_result_text(SM_SUCCESS)[0] && sm_result_text((sm_result)9999)[0]);
    cr_expect_eq(sm_version(), SM_VERSION);
}

/* What the compiler takes for this machine is what LLVM takes for it. */
Test(loader, this_machine) {
    int status;
    char command[1024];
    const sm_host *h = sm_target_host();
    snprintf(command, sizeof command,
             "echo 'define void @f() { ret void }' | llc-19 -mtriple=%s -mcpu=%s -mattr=%s -o /dev/null 2>&1",
             h->triple, h->cpu, h->features);
    struct bytes out = run_command(command, NULL, 0, &status);
    cr_expect(status == 0 && out.len == 0, "%s: %s", command, (char *)out.data);
    bytes_free(out);
}
