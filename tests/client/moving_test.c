/* moving_test.c - the proof: compiled programs run under a collector that moves every object at every safepoint. A live
 * smd compiles them, libsmclient's loader and walker do the rest, on this machine and on AArch64 under an emulator. */
#include "buf.h"
#include "http.h"
#include "moving.h"

#include <criterion/criterion.h>
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct daemon d;

static void start(void) {
    signal(SIGPIPE, SIG_IGN);
    d = daemon_start(NULL);
}

static void stop(void) {
    daemon_stop(&d);
}

TestSuite(moving, .init = start, .fini = stop, .timeout = 600);

/* A program's first lines: what it is, "; run: ARGUMENT = RESULT", and, if it needs some, "; options: OPTIONS". */
struct program {
    char path[512];
    struct bytes text;
    char argument[32], expected[32], options[128];
};

static struct program read_program(const char *name) {
    struct program p;
    snprintf(p.path, sizeof p.path, "%s/%s", PROGRAMS_DIR, name);
    p.text = read_file(p.path);
    const char *run = strstr((const char *)p.text.data, "; run: ");
    cr_assert(run && sscanf(run, "; run: %31s = %31s", p.argument, p.expected) == 2, "%s: no result is given", name);
    const char *options = strstr((const char *)p.text.data, "; options: ");
    p.options[0] = 0;
    cr_assert(!options || sscanf(options, "; options: %127s", p.options) == 1);
    return p;
}

/* Every program with one set of options; gives how many there were. */
static int each_program(void (*visit)(const struct program *p, const char *options), const char *options) {
    DIR *dir = opendir(PROGRAMS_DIR);
    int count = 0;
    cr_assert_not_null(dir);
    for (struct dirent *e; (e = readdir(dir)) != NULL;)
        if (strstr(e->d_name, ".ll")) {
            struct program p = read_program(e->d_name);
            visit(&p, options);
            bytes_free(p.text);
            count++;
        }
    closedir(dir);
    return count;
}

/* Compiles for an architecture into a file in the daemon's folder, whose path is written. */
static void compile(const struct program *p, const char *arch, const char *options, char *object, size_t room) {
    char path[640];
    snprintf(path, sizeof path, "/v1/compile?target=%s-unknown-linux-gnu&%s&%s", arch, options, p->options);
    struct answer a =
        ask(&d, (struct ask){.path = path,
                             .body = p->text.data,
                             .len = p->text.len,
                             .headers = {"Content-Type: text/plain", "Accept: application/octet-stream"}});
    cr_assert_eq(a.http, 200, "%s: %s %s: %.*s", p->path, arch, options, (int)a.body.len, (char *)a.body.data);
    snprintf(object, room, "%s/program.o", d.folder);
    write_file(object, a.body.data, a.body.len);
    answer_free(a);
}

/* ---- Runs ---- */

/* Runs the example; gives its exit status and what it printed. What cannot be undone has a process of its own. */
static int run(const struct program *p, const char *arch, const char *object, const char *flags, char *line,
               int room) {
    int is_native = strcmp(arch, "x86_64") == 0, is_alone = strstr(flags, "--base") || strstr(flags, "--leave-out");
    char arguments[800];
    snprintf(arguments, sizeof arguments, "%s --expect %s %s %s", flags, p->expected, object, p->argument);
    return (is_alone ? moving_run_alone : moving_run)(is_native, arguments, line, room);
}

static void runs_right(const struct program *p, const char *options) {
    static const char *const archs[] = {"x86_64", "aarch64"};
    for (int i = 0; i < 2; i++) {
        char object[128], line[512];
        compile(p, archs[i], options, object, sizeof object);
        int status = run(p, archs[i], object, "", line, sizeof line);
        cr_expect_eq(status, 0, "%s %s %s: exit %d: %s", p->path, archs[i], options, status, line);
        if (status == 0)
            cr_expect(number_before(line, "collections") >= 3 && number_before(line, "objects moved") >= 1,
                      "%s: hardly anything has moved: %s", p->path, line);
    }
}

static void all_run_right(const char *options) {
    cr_assert_geq(each_program(runs_right, options), 8);
}

Test(moving, unoptimised) {
    all_run_right("opt=0");
}
/* Those that llvm.gc.declare and llvm.gc.value are in, at the levels that the others are not run at. */
static void scoped(const struct program *p, const char *options) {
    if (strstr(p->path, "/scoped"))
        runs_right(p, options);
}
Test(moving, scoped_programs) {
    cr_assert_geq(each_program(scoped, "opt=1&safepoints=entry,backedge,return,precall"), 8);
    each_program(scoped, "opt=2&gc_registers=4&safepoints=none");
}
Test(moving, optimised) {
    all_run_right("opt=2");
}
Test(moving, optimised_most) {
    all_run_right("opt=3&frame_pointer=none");
}
Test(moving, for_size) {
    all_run_right("opt=z&frame_pointer=all");
}
Test(moving, values_in_registers) {
    all_run_right("opt=2&gc_registers=8&frame_pointer=none");
}
Test(moving, every_poll) {
    all_run_right("opt=1&safepoints=entry,backedge,return,precall&all_backedges=1");
}
Test(moving, polls_behind_calls) {
    all_run_right("opt=0&safepoints=postcall"); /* opt=1 and 3: in_profiles */
    all_run_right("opt=2&safepoints=postcall");
    all_run_right("opt=2&safepoints=loop,return,precall,postcall&gc_registers=4");
}
Test(moving, large_code_model) {
    all_run_right("opt=2&code_model=large");
}

static int uses_shadow_stack(const struct program *p) {
    return strstr((const char *)p->text.data, "gc \"shadow-stack\"") != NULL;
}

/* Threads stop at their safepoints until the last one has come to one. */
static void threads_run_right(const struct program *p, const char *options) {
    char object[128], line[512];
    if (uses_shadow_stack(p))
        return; /* LLVM keeps one chain for the whole process */
    compile(p, "x86_64", options, object, sizeof object);
    cr_expect_eq(run(p, "x86_64", object, "--threads 4", line, sizeof line), 0, "%s: %s", p->path, line);
    compile(p, "aarch64", options, object, sizeof object);
    cr_expect_eq(run(p, "aarch64", object, "--threads 3", line, sizeof line), 0, "%s: %s", p->path, line);
}

Test(moving, several_threads) {
    each_program(threads_run_right, "opt=2&gc_registers=4");
}

/* Functions that nothing unwinds through, which LLVM by itself gives no entry in .eh_frame. */
static void make_nounwind(const struct program *p, const char *options,
                          void (*visit)(const struct program *p, const char *options)) {
    static const char strategy[] = " gc \"statepoint-example\" {";
    if (strstr((char *)p->text.data, "landingpad") || uses_shadow_stack(p))
        return;
    struct program changed = *p;
    sm_buf text;
    sm_buf_init(&text, 1 << 20);
    const char *at = (char *)p->text.data;
    for (const char *next; (next = strstr(at, strategy)) != NULL; at = next + 1) {
        sm_buf_put(&text, at, (size_t)(next - at));
        sm_buf_printf(&text, " nounwind");
        sm_buf_put(&text, next, 1);
    }
    sm_buf_put(&text, at, strlen(at));
    changed.text = (struct bytes){text.data, text.len};
    visit(&changed, options);
    sm_buf_free(&text);
}

static void nounwind_runs_right(const struct program *p, const char *options) {
    make_nounwind(p, options, runs_right);
}

Test(moving, nounwind) {
    cr_assert_geq(each_program(nounwind_runs_right, "opt=2&frame_pointer=none&gc_registers=6"), 8);
    cr_assert_geq(each_program(nounwind_runs_right, "opt=0&frame_pointer=all"), 8);
}

/* A frame without a rule is no frame that is guessed at. */
static void is_refused(const struct program *p, const char *options) {
    static const char *const archs[] = {"x86_64", "aarch64"};
    for (int i = 0; i < 2; i++) {
        char object[128], line[512];
        compile(p, archs[i], options, object, sizeof object);
        int status = run(p, archs[i], object, "", line, sizeof line);
        cr_expect_eq(status, 4, "%s %s: exit %d: %s", p->path, archs[i], status, line);
        cr_expect_not_null(strstr(line, "has no rule for it"), "%s %s: %s", p->path, archs[i], line);
    }
}

static void without_tables_is_refused(const struct program *p, const char *options) {
    make_nounwind(p, options, is_refused);
}

Test(moving, no_unwind_tables) {
    cr_assert_geq(each_program(without_tables_is_refused, "opt=2&unwind=module"), 8);
}

/* Constants that spell what saves registers and makes frames: pushes of every register alone and in pairs, growths of
 * the stack, AArch64's stores of pairs. */
static size_t spelling_constants(uint64_t *k, size_t room) {
    static const uint64_t others[] = {0xec8348,   0xec834855, 0x5741ec8348, 0x55e58948, 0xe5894855,
                                      0xa9bf7bfd, 0xa9be4ff4, 0xd10083ff,   0x910003fd, 0xa9bf7bfdd10083ff};
    size_t n = 0;
    for (unsigned first = 0; first < 16; first++) {
        uint64_t a = first < 8 ? 0x50 + first : 0x41 | (0x50 + first - 8) << 8;
        k[n++] = a;
        for (unsigned second = 0; second < 16; second++) {
            uint64_t b = second < 8 ? 0x50 + second : 0x41 | (0x50 + second - 8) << 8;
            cr_assert_lt(n, room);
            k[n++] = a | b << (first < 8 ? 8 : 16);
        }
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        k[n++] = others[i];
    return n;
}

/* For each constant a function that compares with it before its prologue, which shrink-wrapping has moved behind the
 * comparison, and uses it again behind its epilogue; all of them are called across live pointers, which stay in
 * registers if the options say so. IS_DYNAMIC: the caller's frame is of dynamic size. */
static struct program spelling_program(int is_dynamic, sm_buf *text) {
    uint64_t k[320], sum = 42;
    size_t n = spelling_constants(k, sizeof k / sizeof *k);
    struct program p = {.path = "constants that spell prologues", .argument = "5"};
    sm_buf_init(text, 1 << 20);
    sm_buf_puts(text, "declare ptr addrspace(1) @allocate(i64, i64)\ndeclare void @collect()\n");
    for (size_t i = 0; i < n; i++)
        sm_buf_printf(text,
                      "define i64 @skip%zu(i64 %%c) noinline nounwind gc \"statepoint-example\" {\nentry:\n"
                      "  %%is = icmp eq i64 %%c, %lld\n  br i1 %%is, label %%out, label %%go\ngo:\n"
                      "  call void @collect()\n  br label %%out\nout:\n"
                      "  %%r = phi i64 [7, %%entry], [9, %%go]\n  %%x = xor i64 %%r, %lld\n  ret i64 %%x\n}\n",
                      i, (long long)k[i], (long long)k[i]);
    sm_buf_puts(text, "define i64 @program(i64 %n) gc \"statepoint-example\" {\n"
                      "  %a = call ptr addrspace(1) @allocate(i64 16, i64 0)\n  store i64 40, ptr addrspace(1) %a\n"
                      "  %b = call ptr addrspace(1) @allocate(i64 16, i64 0)\n  store i64 2, ptr addrspace(1) %b\n");
    if (is_dynamic)
        sm_buf_puts(text, "  %m = alloca i8, i64 %n\n  store volatile i8 1, ptr %m\n");
    sm_buf_puts(text, "  %s0 = add i64 0, 0\n");
    for (size_t i = 0; i < n; i++) {
        sm_buf_printf(text, "  %%i%zu = call i64 @skip%zu(i64 %%n)\n  %%s%zu = add i64 %%s%zu, %%i%zu\n", i, i, i + 1,
                      i, i);
        sum += 9 ^ k[i];
    }
    sm_buf_printf(text,
                  "  %%x = load i64, ptr addrspace(1) %%a\n  %%y = load i64, ptr addrspace(1) %%b\n"
                  "  %%z = add i64 %%x, %%y\n  %%all = add i64 %%z, %%s%zu\n  ret i64 %%all\n}\n",
                  n);
    snprintf(p.expected, sizeof p.expected, "%lld", (long long)sum);
    p.text = (struct bytes){text->data, text->len};
    return p;
}

Test(moving, constants_that_spell_prologues) {
    static const char *const options[] = {
        "opt=2&safepoints=none", "opt=2&gc_registers=6&safepoints=none&frame_pointer=none",
        "opt=3&gc_registers=2&safepoints=none&frame_pointer=all", "opt=0&safepoints=none"};

    for (int is_dynamic = 0; is_dynamic < 2; is_dynamic++) {
        sm_buf text;
        struct program p = spelling_program(is_dynamic, &text);
        for (size_t i = 0; i < sizeof options / sizeof *options; i++)
            runs_right(&p, options[i]);
        sm_buf_free(&text);
    }
}

/* Without a poll of its own a module polls a page that nobody may read: each poll faults, and is found by where. Its
 * options begin with the poll. */
static void polls_a_page(const struct program *p, const char *options) {
    static const char own[] = "@gc.safepoint_poll()";
    struct program changed = *p;
    struct bytes text = {malloc(p->text.len + 1), p->text.len};
    memcpy(text.data, p->text.data, text.len + 1);
    char *poll = strstr((char *)text.data, own);
    if (poll)
        memcpy(poll, "@no_safepoint_poll()", sizeof own - 1); /* a function like others */
    changed.text = text;
    if (poll && !uses_shadow_stack(p))
        runs_right(&changed, options);
    bytes_free(text);
}

Test(moving, page_polls) {
    cr_assert_geq(each_program(polls_a_page, "poll=page:poll_page&opt=2&gc_registers=4"), 8);
    cr_assert_geq(
        each_program(polls_a_page, "poll=page:poll_page&opt=1&all_backedges=1&frame_pointer=none&code_model=large"),
        8);
    cr_assert_geq(each_program(polls_a_page, "poll=page:poll_page&opt=0&safepoints=entry,backedge,return,precall"),
                  8);
}

/* The same, of a page whose address each thread has in a variable of its own. */
Test(moving, page_polls_of_threads) {
    cr_assert_geq(each_program(polls_a_page, "poll=tls:poll_thread:8&opt=2&gc_registers=32"), 8);
    cr_assert_geq(each_program(polls_a_page, "poll=tls:poll_thread:8&opt=0&all_backedges=1&code_model=large"), 8);
}

/* At every poll the program notes how many iterations it has begun since the one before: no more than the interval,
 * over nested loops, short ones, such with two entries, and over calls. Without an interval it is more. */
static void polled_in_time(const char *options, int interval, int expected) {
    static const char *const archs[] = {"x86_64", "aarch64"};
    struct program p = read_program("interval.ll");
    char all[200];
    snprintf(p.argument, sizeof p.argument, "%d", interval);
    snprintf(all, sizeof all, options, interval);
    for (int i = 0; i < 2; i++) {
        char object[128], line[512];
        compile(&p, archs[i], all, object, sizeof object);
        int status = run(&p, archs[i], object, "", line, sizeof line);
        cr_expect_eq(status == 0, expected, "%s %s: exit %d: %s", archs[i], all, status, line);
    }
    bytes_free(p.text);
}

Test(moving, polls_in_time) {
    static const int intervals[] = {1, 2, 7, 20, 100};
    for (size_t i = 0; i < sizeof intervals / sizeof *intervals; i++) {
        polled_in_time("opt=0&safepoints=backedge&poll_interval=%d", intervals[i], 1);
        polled_in_time("opt=1&safepoints=entry,loop&poll_interval=%d", intervals[i], 1);
        polled_in_time("opt=2&poll_interval=%d&gc_registers=4", intervals[i], 1);
        polled_in_time("opt=3&safepoints=backedge,return,precall,postcall&poll_interval=%d", intervals[i], 1);
    }
    polled_in_time("opt=0&safepoints=backedge&name=%d", 20, 0);
    polled_in_time("opt=2&safepoints=entry,backedge&name=%d", 3, 0);
}

/* Every program with a strategy of its own, which a profile describes. */
static void with_a_profile(const struct program *p, const char *options) {
    static const char builtin[] = "gc \"statepoint-example\"", own[] = "gc \"of.ours\"";
    struct program changed = *p;
    sm_buf text;
    const char *at = (char *)p->text.data;
    sm_buf_init(&text, 1 << 20);
    for (const char *next; (next = strstr(at, builtin)) != NULL; at = next + strlen(builtin)) {
        sm_buf_put(&text, at, (size_t)(next - at));
        sm_buf_puts(&text, own);
    }
    sm_buf_put(&text, at, strlen(at));
    changed.text = (struct bytes){text.data, text.len};
    runs_right(&changed, options);
    sm_buf_free(&text);
}

Test(moving, in_profiles) {
    static const char profile[] =
        "{\"name\": \"of.ours\", \"base\": \"statepoint-example\", \"poll_interval\": 3, \"table\": "
        "\"compact\", \"safepoints\": [\"entry\", \"loop\", \"postcall\"], \"registers\": 4}";
    char file[128];
    snprintf(file, sizeof file, "%s/ours.json", d.folder);
    write_file(file, profile, sizeof profile - 1);
    struct daemon described = daemon_start((const char *const[]){"--profiles", d.folder, NULL}), plain = d;
    d = described;
    cr_assert_geq(each_program(with_a_profile, "opt=1"), 8);
    cr_assert_geq(each_program(with_a_profile, "opt=3"), 8);
    daemon_stop(&d);
    d = plain;
}

static void runs_from_0(const char *name) {
    static const char *const archs[] = {"x86_64", "aarch64"};
    struct program p = read_program(name);
    snprintf(p.options, sizeof p.options, "spaces=2:32,3:32:3");
    for (int opt = 0; opt <= 3; opt++)
        for (int i = 0; i < 2; i++) {
            char options[32], object[128], line[512];
            snprintf(options, sizeof options, "opt=%d", opt);
            compile(&p, archs[i], options, object, sizeof object);
            int status = run(&p, archs[i], object, "--base 0", line, sizeof line);
            cr_expect_eq(status, 0, "%s %s %s: exit %d: %s", name, archs[i], options, status, line);
        }
    bytes_free(p.text);
}

/* Where references of 32 bits are addresses, and, of another space, words. */
Test(moving, compressed_from_0) {
    runs_from_0("compressed.ll");
    runs_from_0("compressed-array.ll");
    runs_from_0("compressed-pads.ll");
    runs_from_0("compressed-slots.ll");
    runs_from_0("compressed-values.ll");
}

/* A profile says so as well, and in the compact table they are the same. */
Test(moving, compressed_in_a_profile) {
    static const char profile[] = "{\"name\": \"of.ours\", \"base\": \"statepoint-example\", \"table\": \"compact\", "
                                  "\"spaces\": [{\"space\": 1}, "
                                  "{\"space\": 2, \"width\": 32, \"base\": \"heap_base\"}, {\"space\": 3, \"width\": "
                                  "32, \"shift\": 3, \"base\": "
                                  "\"heap_base\"}]}";
    char file[128];
    snprintf(file, sizeof file, "%s/ours.json", d.folder);
    write_file(file, profile, sizeof profile - 1);
    struct daemon described = daemon_start((const char *const[]){"--profiles", d.folder, NULL}), plain = d;
    struct program p = read_program("compressed.ll");
    p.options[0] = 0;
    d = described;
    with_a_profile(&p, "opt=2&gc_registers=4");
    with_a_profile(&p, "opt=0");
    daemon_stop(&d);
    d = plain;
    bytes_free(p.text);
}

/* What the options are for is what the objects have: values in registers across safepoints. */
Test(moving, registers_are_used) {
    struct program p = read_program("registers.ll");
    struct answer a = ask(&d, (struct ask){.path = "/v1/compile?opt=2&gc_registers=8",
                                           .body = p.text.data,
                                           .len = p.text.len,
                                           .headers = {"Content-Type: text/plain"}});
    cr_assert_eq(a.http, 200);
    cr_expect_not_null(strstr((char *)a.body.data, "\"kind\":\"register\""));
    answer_free(a);
    bytes_free(p.text);
}

/* The proof that the proof bites: a walk that leaves one root out does not give the right result. */
static void bites(const struct program *p, const char *options) {
    static const char *const archs[] = {"x86_64", "aarch64"};
    for (int i = 0; i < 2; i++) {
        char object[128], line[512];
        compile(p, archs[i], options, object, sizeof object);
        /* The innermost root of the shadow chain is null. */
        const char *flag = uses_shadow_stack(p) ? "--leave-out 1" : "--leave-out 0";
        int status = run(p, archs[i], object, flag, line, sizeof line);
        cr_expect_neq(status, 0, "%s %s: a root was left out and nobody noticed: %s", p->path, archs[i], line);
    }
}

Test(moving, a_root_left_out_is_noticed) {
    each_program(bites, "opt=2");
    each_program(bites, "opt=2&gc_registers=8");
}

/* ---- Collectors that depend on barriers ----------------------------------------------------------------------- */

/* Each ends the program where a barrier is missing (client/examples/heap.h). */
static const struct heap {
    const char *flags, *options;
} heaps[] = {{"--heap generational", "barriers=auto&barrier=card:card_table:9"},
             {"--heap marking", "barriers=auto&barrier=satb:keep:marking"},
             {"--heap tagged", "barriers=auto&barrier=load:heal:0x4000000000000"},
             {"--heap generational", "barriers=auto&barrier=card:card_table:9,satb:keep:marking,load:heal:1"}};
enum { HEAPS = sizeof heaps / sizeof *heaps };

static int has_own_barriers(const struct program *p) {
    return strstr((const char *)p->text.data, "@gc.write_barrier") != NULL;
}

/* Only the heap that moves everything can leave an object where it is. */
static int has_pins(const struct program *p) {
    return strstr((const char *)p->text.data, "@smd.gc.pin") != NULL;
}

/* And barriers=auto knows whole references alone. */
static int is_compressed(const struct program *p) {
    return strstr(p->options, "spaces=") != NULL;
}

/* Of copies into the heap of what is not there yet, barriers=auto cannot tell which slots they overwrite, and
 * refuses. */
static int copies_into_heap(const struct program *p) {
    return strstr((const char *)p->text.data, "@llvm.memcpy.p1.p0") != NULL;
}

static int exit_on(const struct program *p, const char *arch, const char *options, const char *flags, char *line,
                   int room) {
    char object[128];
    compile(p, arch, options, object, sizeof object);
    return run(p, arch, object, flags, line, room);
}

static void loses_nothing(const struct program *p, const char *options) {
    static const char *const archs[] = {"x86_64", "aarch64"};
    int fits =
        !uses_shadow_stack(p) && !has_own_barriers(p) && !has_pins(p) && !is_compressed(p) && !copies_into_heap(p);
    for (int h = 0; h < HEAPS && fits; h++)
        for (int i = 0; i < 2; i++) {
            char all[256], line[512];
            snprintf(all, sizeof all, "%s&%s", options, heaps[h].options);
            int status = exit_on(p, archs[i], all, heaps[h].flags, line, sizeof line);
            cr_expect_eq(status, 0, "%s %s %s %s: exit %d: %s", p->path, archs[i], all, heaps[h].flags, status, line);
        }
}

Test(moving, barriers_unoptimised) {
    cr_assert_geq(each_program(loses_nothing, "opt=0"), 8);
}
Test(moving, barriers_optimised) {
    cr_assert_geq(each_program(loses_nothing, "opt=2&gc_registers=4"), 8);
}
Test(moving, barriers_at_all_levels) {
    static const char *const options[] = {"opt=1&safepoints=entry,backedge,return,precall", "opt=3", "opt=z",
                                          "opt=3&safepoints=none"};
    struct program p = read_program("mutate.ll");
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        loses_nothing(&p, options[i]);
    bytes_free(p.text);
}

/* The frontend's own, and what barriers=auto adds to them. */
Test(moving, barriers_of_the_module) {
    static const char *const options[] =
        {"opt=0", "opt=1", "opt=2", "opt=3", "opt=2&barriers=auto", "opt=0&barriers=auto"},
                             *const archs[] = {"x86_64", "aarch64"};
    struct program p = read_program("barriers.ll");
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        for (int a = 0; a < 2; a++) {
            char line[512];
            int status = exit_on(&p, archs[a], options[i], "--heap generational", line, sizeof line);
            cr_expect_eq(status, 0, "%s %s: exit %d: %s", archs[a], options[i], status, line);
        }
    bytes_free(p.text);
}

/* The proof that this proof bites: without barriers each of the heaps loses something. */
Test(moving, a_barrier_left_out_is_noticed) {
    struct program p = read_program("mutate.ll");
    for (int level = 0; level < 4; level++)
        for (int h = 0; h < 3; h++) {
            char options[32], line[512];
            snprintf(options, sizeof options, "opt=%d", level);
            cr_expect_neq(exit_on(&p, "x86_64", options, heaps[h].flags, line, sizeof line), 0, "%s %s: %s", options,
                          heaps[h].flags, line);
        }
    bytes_free(p.text);
}
