/* Code generation in parts: the object is the one that the whole gives, for all who use it. Each shape of module that
 * could make a difference is compiled both ways, among functions enough for several parts, half of it before them and
 * half behind; what cannot be divided is compiled whole, and says why. */
#include "elffile.h"
#include "folder.h"
#include "stackmap.h"
#include "stackmap_object.h"
#include "worker.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

TestSuite(parts, .init = folder_make, .fini = folder_remove, .timeout = 800);

/* ---- Modules of several parts ------------------------------------------------------------------------------------ */

#define GC " gc \"statepoint-example\" "

static const char head[] =
    "declare ptr addrspace(1) @allocate(i64)\ndeclare void @collect()\n@wanted = external global i8\n"
    "define void @gc.safepoint_poll() {\n  %w = load volatile i8, ptr @wanted\n"
    "  %q = icmp eq i8 %w, 0\n  br i1 %q, label %on, label %stop\nstop:\n  call void @collect()\n"
    "  br label %on\non:\n  ret void\n}\n";
static const char filler[] =
    "define i64 @f%1$d(ptr addrspace(1) %%list, i64 %%n)" GC "{\nentry:\n"
    "  %%cell = call ptr addrspace(1) @allocate(i64 %1$d)\n  br label %%loop\n"
    "loop:\n  %%at = phi ptr addrspace(1) [ %%list, %%entry ], [ %%next, %%more ]\n"
    "  %%sum = phi i64 [ %1$d, %%entry ], [ %%added, %%more ]\n  %%end = icmp eq ptr addrspace(1) %%at, null\n"
    "  br i1 %%end, label %%done, label %%more\n"
    "more:\n  %%field = getelementptr i8, ptr addrspace(1) %%at, i64 16\n"
    "  %%value = load i64, ptr addrspace(1) %%field\n  %%times = mul i64 %%value, %1$d\n"
    "  %%added = add i64 %%sum, %%times\n  %%link = getelementptr i8, ptr addrspace(1) %%at, i64 8\n"
    "  %%next = load ptr addrspace(1), ptr addrspace(1) %%link\n  br label %%loop\n"
    "done:\n  store i64 %%sum, ptr addrspace(1) %%cell\n  ret i64 %%sum\n}\n";
enum { FILLERS = 44, TEXT_MAX = 200000 };

static char module[TEXT_MAX];

static const char *module_of(const char *first, const char *last, int fillers) {
    int n = snprintf(module, sizeof module, "%s%s", head, first);
    for (int i = 1; i <= fillers; i++)
        n += snprintf(module + n, sizeof module - (size_t)n, filler, i);
    snprintf(module + n, sizeof module - (size_t)n, "%s", last);
    return module;
}

/* ---- The same object --------------------------------------------------------------------------------------------- */

struct object {
    struct compiled compiled;
    sm_elf elf;
    sm_stackmap map;
};

static struct object object_of(const char *ir, const char *options, const char *target) {
    char why[200];
    sm_stackmap_error err;
    struct object o = {.compiled = compile(ir, options, target)};
    sm_slice bytes = o.compiled.artifact.part[SM_PART_OBJECT];
    cr_assert_eq(o.compiled.artifact.status, SM_OK, "%s: %s", options, o.compiled.text[SM_PART_DIAGNOSTICS]);
    cr_assert_eq(sm_elf_open(&o.elf, bytes.data, bytes.len, why, sizeof why), SM_OK, "%s", why);
    cr_assert_eq(sm_stackmap_of_object(&o.map, &o.elf, &err), SM_OK);
    return o;
}

static void drop_object(struct object *o) {
    sm_stackmap_free(&o->map);
    sm_elf_close(&o->elf);
    drop(&o->compiled);
}

static uint32_t roots_of(const sm_stackmap *m, const sm_record *r) {
    sm_statepoint s;
    if (sm_statepoint_split(m, r, &s) != SM_OK)
        return r->locations;
    uint32_t roots = s.roots;
    sm_statepoint_free(&s);
    return roots;
}

/* The same functions in the same order, with the same records, of as many roots. */
static void same_maps(const struct object *a, const struct object *b, const char *what) {
    cr_assert_eq(a->map.functions, b->map.functions, "%s", what);
    cr_assert_eq(a->map.records, b->map.records, "%s", what);
    for (uint32_t i = 0; i < a->map.functions; i++) {
        const sm_function *f = &a->map.function[i], *g = &b->map.function[i];
        cr_assert(f->name && g->name ? strcmp(f->name, g->name) == 0 : f->name == g->name, "%s: function %u", what,
                  i);
        cr_assert(f->records == g->records && f->frame_size == g->frame_size, "%s: %s", what, f->name);
    }
    for (uint32_t i = 0; i < a->map.records; i++) {
        const sm_record *r = &a->map.record[i], *s = &b->map.record[i];
        cr_assert(r->id == s->id && r->locations == s->locations && roots_of(&a->map, r) == roots_of(&b->map, s),
                  "%s: record %u", what, i);
    }
}

/* Labels of code generation's own are numbered by part. */
static int is_compared(const sm_elf_symbol *s) {
    return s->type != STT_SECTION && s->type != STT_FILE && strncmp(s->name, ".L", 2) != 0 && s->name[0] != '$' &&
           strncmp(s->name, "GCC_except_table", 16) != 0;
}

static size_t count_like(const sm_elf *e, const sm_elf_symbol *like) {
    size_t n = 0;
    for (size_t i = 1; i < e->symbols; i++) {
        sm_elf_symbol s;
        cr_assert_eq(sm_elf_symbol_at(e, i, &s), SM_OK);
        n += strcmp(s.name, like->name) == 0 && s.bind == like->bind && s.type == like->type &&
             s.visibility == like->visibility && s.in_section == like->in_section;
    }
    return n;
}

/* Every symbol of A is one of B. */
static void same_symbols(const struct object *a, const struct object *b, const char *what) {
    for (size_t i = 1; i < a->elf.symbols; i++) {
        sm_elf_symbol s;
        cr_assert_eq(sm_elf_symbol_at(&a->elf, i, &s), SM_OK);
        if (is_compared(&s))
            cr_assert_eq(count_like(&b->elf, &s), count_like(&a->elf, &s), "%s: %s, bind %u, visibility %u", what,
                         s.name, s.bind, s.visibility);
    }
}

static void same_bytes(const struct object *a, const struct object *b, const char *what) {
    sm_slice x = a->compiled.artifact.part[SM_PART_OBJECT], y = b->compiled.artifact.part[SM_PART_OBJECT];
    cr_assert(x.len == y.len && memcmp(x.data, y.data, x.len) == 0, "%s", what);
}

static void is_equal(const struct object *whole, const struct object *parts, const char *what) {
    cr_assert(strstr(parts->compiled.text[SM_PART_META], "\"parts\":") &&
                  !strstr(parts->compiled.text[SM_PART_META], "\"parts\":1,"),
              "%s: %s", what, parts->compiled.text[SM_PART_META]);
    same_maps(whole, parts, what);
    same_symbols(whole, parts, what);
    same_symbols(parts, whole, what);
}

/* The module's object, in parts on one thread and on several; with split=functions the second time parts are those of
 * the first. */
static void is_divided_so(const char *split, const struct object *whole, const char *ir, const char *options,
                          const char *target, const char *what) {
    char with[600];
    int functions = strcmp(split, "functions") == 0,
        n = snprintf(with, sizeof with, "--threads=1 split=%s %s", split, options);
    if (functions)
        snprintf(with + n, sizeof with - (size_t)n, " --keep=%s/kept", folder);
    struct object one = object_of(ir, with, target);
    n = snprintf(with, sizeof with, "--threads=4 split=%s %s", split, options);
    if (functions)
        snprintf(with + n, sizeof with - (size_t)n, " --kept=%s/kept", folder);
    struct object four = object_of(ir, with, target);
    is_equal(whole, &one, what);
    same_bytes(&one, &four, what);
    drop_object(&one);
    drop_object(&four);
}

/* The module's object in parts, of both kinds, and whole. */
static void is_divided(const char *ir, const char *options, const char *what) {
    char with[200];
    for (int t = 0; t < 2; t++) {
        snprintf(with, sizeof with, "split=never %s", options);
        struct object whole = object_of(ir, with, targets[t]);
        cr_assert(!strstr(whole.compiled.text[SM_PART_META], "\"parts\":"), "%s", what);
        if (!strstr(options, "opt=0"))
            is_divided_so("auto", &whole, ir, options, targets[t], what);
        is_divided_so("functions", &whole, ir, options, targets[t], what);
        drop_object(&whole);
    }
}

/* SPLITS: NULL-terminated. */
static void is_whole_so(const char *const *splits, const char *ir, const char *options, const char *because) {
    char with[200];
    for (int t = 0; t < 2; t++) {
        snprintf(with, sizeof with, "split=never %s", options);
        struct object whole = object_of(ir, with, targets[t]);
        for (size_t i = 0; splits[i]; i++) {
            snprintf(with, sizeof with, "--threads=2 split=%s %s", splits[i], options);
            struct object same = object_of(ir, with, targets[t]);
            const char *meta = same.compiled.text[SM_PART_META];
            cr_assert(strstr(meta, "\"parts\":1,\"whole_because\":") && strstr(meta, because), "'%s' is not in %s",
                      because, meta);
            same_bytes(&whole, &same, because);
            drop_object(&same);
        }
        drop_object(&whole);
    }
}

static const char *const automatic[] = {"auto", NULL};
static const char *const functions[] = {"functions", NULL};
static const char *const both[] = {"auto", "functions", NULL};

static void is_complete(const char *ir, const char *options, const char *because) {
    is_whole_so(both, ir, options, because);
}

/* Linked with MAIN and run on this machine, the module in parts does what it does whole: main gives 0. */
static void does_the_same(const char *ir, const char *main_text, const char *what) {
    static const char *const ways[] = {"split=never",
                                       "split=auto --threads=2",
                                       "split=auto reloc=static",
                                       "split=auto opt=3 code_model=large",
                                       "split=functions",
                                       "split=functions opt=0 --threads=2"};
    char object[200], source[200], command[800];
    snprintf(object, sizeof object, "%s/module.o", folder);
    snprintf(source, sizeof source, "%s/main.c", folder);
    write_file(source, main_text, strlen(main_text));
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        int status;
        struct object o = object_of(ir, ways[i], "x86_64-linux-gnu");
        sm_slice bytes = o.compiled.artifact.part[SM_PART_OBJECT];
        write_file(object, bytes.data, bytes.len);
        snprintf(command, sizeof command,
                 "cc -w %s -o %s/program %s %s -include %s/tests/process/parts_main.h -ldl -lstdc++ 2>&1 && "
                 "%s/program 2>&1",
                 strstr(ways[i], "static") ? "-no-pie" : "", folder, source, object, SOURCE_DIR, folder);
        struct bytes out = run_command(command, NULL, 0, &status);
        cr_assert_eq(status, 0, "%s, %s: %d: %.*s", what, ways[i], status, (int)out.len, (char *)out.data);
        bytes_free(out);
        drop_object(&o);
    }
}

/* ---- Shapes ------------------------------------------------------------------------------------------------------ */

struct shape {
    const char *what, *first, *last;
    const char *main; /* C; NULL: it is not run */
};

static void all_are_divided(const struct shape *shapes, size_t n) {
    for (size_t i = 0; i < n; i++) {
        const char *ir = module_of(shapes[i].first, shapes[i].last, FILLERS);
        is_divided(ir, "", shapes[i].what);
        if (shapes[i].main)
            does_the_same(ir, shapes[i].main, shapes[i].what);
    }
}

#define COUNT(a) (sizeof(a) / sizeof *(a))

Test(parts, what_is_internal_is_one_thing_and_stays_internal) {
    static const struct shape shapes[] = {
        {"variables and functions",
         "@counter = internal global i64 5\n@table = internal constant [2 x ptr] [ptr @helper, ptr @last]\n"
         "define internal i64 @helper(i64 %x) noinline {\n  %v = load i64, ptr @counter\n  %n = add i64 %v, %x\n"
         "  store i64 %n, ptr @counter\n  ret i64 %n\n}\n"
         "define i64 @first(i64 %x) {\n  %r = call i64 @helper(i64 %x)\n  ret i64 %r\n}\n",
         "define i64 @last(i64 %x) {\n  %r = call i64 @helper(i64 %x)\n  %v = load i64, ptr @counter\n"
         "  %s = add i64 %r, %v\n  ret i64 %s\n}\n"
         "define ptr @pick(i64 %i) {\n  %p = getelementptr [2 x ptr], ptr @table, i64 0, i64 %i\n"
         "  %f = load ptr, ptr %p\n  ret ptr %f\n}\n",
         "long first(long), last(long); void *pick(long); long counter = 1, helper = 2;\n"
         "int main(void) { return !(first(2) == 7 && last(3) == 20 && pick(1) == (void *)last &&\n"
         "    ((long (*)(long))pick(0))(1) == 11 && counter == 1 && helper == 2); }\n"},
        {"private and nameless ones",
         "@.str = private unnamed_addr constant [6 x i8] c\"hello\\00\", align 1\n"
         "@0 = private unnamed_addr constant [6 x i8] c\"world\\00\", align 1\n@n = internal global i32 7\n"
         "define private i64 @hid(i64 %x) noinline {\n  %v = load i32, ptr @n\n  %w = sext i32 %v to i64\n"
         "  %s = add i64 %w, %x\n  ret i64 %s\n}\n"
         "define ptr @s1() {\n  ret ptr @.str\n}\ndefine i64 @c1(i64 %x) {\n  %r = call i64 @hid(i64 %x)\n  ret i64 "
         "%r\n}\n",
         "define ptr @s2() {\n  ret ptr @.str\n}\ndefine ptr @s3() {\n  ret ptr @0\n}\n"
         "define i64 @c2(i64 %x) {\n  %r = call i64 @hid(i64 %x)\n  store i32 9, ptr @n\n  ret i64 %r\n}\n"
         "define ptr @fp() {\n  ret ptr @hid\n}\n",
         "#include <string.h>\nchar *s1(void), *s2(void), *s3(void); long c1(long), c2(long); void *fp(void);\n"
         "int main(void) { return !(s1() == s2() && !strcmp(s1(), \"hello\") && !strcmp(s3(), \"world\") && c1(1) == "
         "8 &&\n"
         "    c2(2) == 9 && c1(0) == 9 && ((long (*)(long))fp())(1) == 10); }\n"},
    };
    all_are_divided(shapes, COUNT(shapes));
}

Test(parts, other_linkages_keep_their_meaning) {
    static const struct shape shapes[] = {
        {"groups and weak ones",
         "$one = comdat any\n$two = comdat any\n$shared = comdat any\n@var = linkonce_odr global i32 4, "
         "comdat($shared)\n"
         "define linkonce_odr i64 @one(i64 %x) noinline comdat {\n  ret i64 %x\n}\n"
         "define i64 @use1(i64 %x) {\n  %r = call i64 @one(i64 %x)\n  ret i64 %r\n}\n",
         "define linkonce_odr i64 @two(i64 %x) noinline comdat {\n  %y = add i64 %x, 1\n  ret i64 %y\n}\n"
         "define linkonce_odr i64 @shared(i64 %x) noinline comdat {\n  %v = load i32, ptr @var\n  %w = sext i32 %v "
         "to i64\n"
         "  %s = add i64 %w, %x\n  ret i64 %s\n}\n"
         "define weak i64 @weak(i64 %x) noinline {\n  ret i64 3\n}\n"
         "define i64 @use2(i64 %x) {\n  %r = call i64 @one(i64 %x)\n  %s = call i64 @two(i64 %r)\n"
         "  %t = call i64 @shared(i64 %s)\n  %u = call i64 @weak(i64 %t)\n  %v = add i64 %t, %u\n  ret i64 %v\n}\n",
         "long use1(long), use2(long); long weak(long x) { return 100; }\n"
         "int main(void) { return !(use1(5) == 5 && use2(1) == 106); }\n"},
        {"common, large and missing ones",
         "@com = common global [8 x i64] zeroinitializer\n@big = global [100000 x i8] zeroinitializer\n"
         "@ext = extern_weak global i32\ndefine i64 @rc() {\n  %a = load i64, ptr @com\n  ret i64 %a\n}\n",
         "define i64 @rc2() {\n  %a = load i64, ptr getelementptr ([8 x i64], ptr @com, i64 0, i64 3)\n"
         "  %c = icmp eq ptr @ext, null\n  %z = zext i1 %c to i64\n  %s = add i64 %a, %z\n  ret i64 %s\n}\n",
         "long rc(void), rc2(void); extern long com[8];\n"
         "int main(void) { com[0] = 4; com[3] = 7; return !(rc() == 4 && rc2() == 8); }\n"},
        {"thread-local ones",
         "@t = thread_local global i32 3\n@ti = internal thread_local global i32 4\n"
         "define i32 @g1() {\n  %a = load i32, ptr @ti\n  %b = load i32, ptr @t\n  %c = add i32 %a, %b\n"
         "  store i32 %c, ptr @ti\n  ret i32 %c\n}\n",
         "define i32 @g2() {\n  %p = call ptr @llvm.threadlocal.address.p0(ptr @ti)\n  %a = load i32, ptr %p\n"
         "  %b = load i32, ptr @t\n  %c = add i32 %a, %b\n  store i32 %c, ptr %p\n  ret i32 %c\n}\n"
         "declare ptr @llvm.threadlocal.address.p0(ptr)\n",
         "int g1(void), g2(void); extern __thread int t;\n"
         "int main(void) { t = 10; return !(g1() == 14 && g2() == 24 && g1() == 34); }\n"},
        {"those that are kept",
         "@llvm.used = appending global [3 x ptr] [ptr @keep, ptr @kd, ptr @keepi]\n"
         "@llvm.compiler.used = appending global [1 x ptr] [ptr @kc]\n@kd = internal global i32 1\n"
         "@kc = internal global i32 2\ndefine void @keep() {\n  ret void\n}\n",
         "define internal void @keepi() {\n  ret void\n}\n", NULL},
        {"sections, prefixes, prologues",
         "@s1 = global i32 4, section \"mine\"\ndefine void @in1() section \"code.mine\" {\n  ret void\n}\n",
         "define void @in2() section \"code.mine\" {\n  ret void\n}\n@s2 = internal global i32 4, section \"mine\"\n"
         "define i32 @rd() {\n  %a = load i32, ptr @s2\n  %b = load i32, ptr @s1\n  %c = add i32 %a, %b\n"
         "  store i32 %c, ptr @s2\n  ret i32 %c\n}\n"
         "define void @pref() prefix i32 77 {\n  ret void\n}\n",
         "int rd(void); void pref(void), in1(void), in2(void); extern int s1;\n"
         "int main(void) { in1(); in2(); s1 = 5; return !(rd() == 9 && rd() == 14 && ((int *)pref)[-1] == 77); }\n"},
    };
    all_are_divided(shapes, COUNT(shapes));
}

Test(parts, constructors_run_once_in_their_order) {
    static const struct shape shapes[] = {
        {"constructors",
         "@llvm.global_ctors = appending global [3 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 65535, ptr @init2, "
         "ptr null }, "
         "{ i32, ptr, ptr } { i32 200, ptr @init1, ptr null }, { i32, ptr, ptr } { i32 65535, ptr @init3, ptr null "
         "}]\n"
         "@llvm.global_dtors = appending global [1 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 65535, ptr @fini, "
         "ptr null }]\n"
         "@order = global i32 0\ndefine internal void @init1() {\n  store volatile i32 1, ptr @order\n  ret "
         "void\n}\n",
         "define internal void @init2() {\n  %o = load volatile i32, ptr @order\n  %p = mul i32 %o, 10\n  %q = add "
         "i32 %p, 2\n"
         "  store volatile i32 %q, ptr @order\n  ret void\n}\n"
         "define internal void @init3() {\n  %o = load volatile i32, ptr @order\n  %p = mul i32 %o, 10\n  %q = add "
         "i32 %p, 3\n"
         "  store volatile i32 %q, ptr @order\n  ret void\n}\ndefine internal void @fini() {\n  ret void\n}\n",
         "extern int order; int main(void) { return order != 123; }\n"},
    };
    all_are_divided(shapes, COUNT(shapes));
}

Test(parts, tables_beside_the_code_are_found) {
#define SWITCH(name)                                                                                                 \
    "define i32 @" name                                                                                              \
    "(i32 %x) {\n  switch i32 %x, label %d [ i32 0, label %a\n i32 1, label %b\n i32 2, label %c\n"                  \
    " i32 3, label %e\n i32 4, label %g\n i32 5, label %h ]\na:\n  call void @collect()\n  ret i32 5\n"              \
    "b:\n  call void @other()\n  ret i32 9\nc:\n  call void @collect()\n  ret i32 17\ne:\n  call void @other()\n"    \
    "  ret i32 19\ng:\n  call void @collect()\n  ret i32 25\nh:\n  call void @other()\n  ret i32 77\nd:\n  ret i32 " \
    "0\n}\n"
#define THROWS(name, type)                                                                                           \
    "define i32 @" name "() personality ptr @__gxx_personality_v0 {\n  invoke void @thrower() to label %ok unwind "  \
    "label %lp\nok:\n  ret i32 0\nlp:\n  %l = landingpad { ptr, i32 } catch ptr " type "\n"                          \
    "  %e = extractvalue { ptr, i32 } %l, 0\n  %b = call ptr @__cxa_begin_catch(ptr %e)\n  call void "               \
    "@__cxa_end_catch()\n"                                                                                           \
    "  ret i32 1\n}\n"
    static const struct shape shapes[] = {
        {"switches, constants of vectors and floats",
         SWITCH("sw1") "declare void @other()\ndefine double @d1(double %x) {\n  %y = fmul double %x, 3.25\n  ret "
                       "double %y\n}\n",
         SWITCH("sw2") "define double @d2(double %x) {\n  %y = fmul double %x, 3.5\n  ret double %y\n}\n",
         "int sw1(int), sw2(int); double d1(double), d2(double); void other(void) {}\n"
         "int main(void) { return !(sw1(3) == 19 && sw2(5) == 77 && sw2(0) == 5 && d1(2) == 6.5 && d2(2) == 7); }\n"},
        {"landing pads",
         "declare i32 @__gxx_personality_v0(...)\ndeclare void @thrower()\ndeclare ptr @__cxa_begin_catch(ptr)\n"
         "declare void @__cxa_end_catch()\n@_ZTIi = external constant ptr\n" THROWS("t1", "null"),
         THROWS("t2", "@_ZTIi"),
         "int t1(void), t2(void); extern void *_ZTIi; void *__cxa_allocate_exception(long);\n"
         "void __cxa_throw(void *, void *, void *);\n"
         "void thrower(void) { int *p = __cxa_allocate_exception(4); *p = 3; __cxa_throw(p, &_ZTIi, 0); }\n"
         "int main(void) { return !(t1() == 1 && t2() == 1); }\n"},
        {"constants of records",
         "declare void @dd()\ndefine void @q1()" GC "{\n"
         "  call void @dd() [ \"deopt\"(i64 81985529216486895, i64 1311768467463790320, i32 5) ]\n  ret void\n}\n",
         "define void @q2()" GC "{\n"
         "  call void @dd() [ \"deopt\"(i64 -1311768467463790320, i64 81985529216486895, i32 7) ]\n  ret void\n}\n",
         NULL},
        {"records of other kinds",
         "declare void @llvm.experimental.stackmap(i64, i32, ...)\ndefine void @sm(i64 %x) {\n"
         "  call void (i64, i32, ...) @llvm.experimental.stackmap(i64 77, i32 8, i64 %x, i64 99999999999)\n  ret "
         "void\n}\n",
         "declare void @llvm.experimental.patchpoint.void(i64, i32, ptr, i32, ...)\ndefine void @pp(i64 %x) {\n"
         "  call void (i64, i32, ptr, i32, ...) @llvm.experimental.patchpoint.void(i64 78, i32 20, ptr null, i32 0, "
         "i64 %x, "
         "i64 88888888888)\n  ret void\n}\n",
         NULL},
        {"what is said of the module",
         "!llvm.ident = !{!0}\n!0 = !{!\"a compiler\"}\n!llvm.module.flags = !{!1,!2}\n"
         "!1 = !{i32 8, !\"cf-protection-branch\", i32 1}\n!2 = !{i32 8, !\"cf-protection-return\", i32 1}\n",
         "", NULL},
        {"inline assembly",
         "define internal void @callee() noinline {\n  ret void\n}\ndefine void @b0() {\n  call void @callee()\n  "
         "ret void\n}\n",
         "define void @a0() {\n  call void asm sideeffect \"nop\", \"\"()\n  call void @callee()\n  ret void\n}\n",
         "void a0(void), b0(void); int main(void) { a0(); b0(); return 0; }\n"},
    };
    all_are_divided(shapes, COUNT(shapes));
}

/* Values of constants in the answer are those of the records, not of another part's. */
Test(parts, constants_of_records_are_their_own) {
    static const char dd[] =
        "declare void @dd()\ndefine void @q1()" GC "{\n  call void @dd() [ \"deopt\"(i64 81985529216486895) ]\n"
        "  ret void\n}\n";
    static const char last[] =
        "define void @q2()" GC "{\n  call void @dd() [ \"deopt\"(i64 1311768467463790320) ]\n  ret void\n}\n";
    const char *ir = module_of(dd, last, FILLERS);
    has(ir, "split=auto", SM_PART_STACKMAP, "81985529216486895", 1);
    has(ir, "split=auto", SM_PART_STACKMAP, "1311768467463790320", 1);
    has(ir, "split=auto stackmap_format=compact", SM_PART_STACKMAP, "1311768467463790320", 1);
}

Test(parts, all_levels_and_formats) {
    static const char *const options[] = {"opt=0",
                                          "opt=1",
                                          "opt=3",
                                          "opt=s",
                                          "opt=z",
                                          "stackmap_format=compact",
                                          "stackmap_format=gcmap",
                                          "unwind=module frame_pointer=all",
                                          "gc_registers=4"};
    const char *ir = module_of("", "", FILLERS);
    for (size_t i = 0; i < COUNT(options); i++)
        is_divided(ir, options[i], options[i]);
}

/* ---- What stays whole -------------------------------------------------------------------------------------------- */

Test(parts, what_cannot_be_divided_is_compiled_whole_and_says_why) {
    static const struct {
        const char *because, *first, *last;
    } shapes[] = {
        {"assembly of its own", "module asm \".globl foo\"\nmodule asm \"foo: nop\"\n", ""},
        {"aliases", "@al = alias i64 (ptr addrspace(1), i64), ptr @f3\n", ""},
        {"ifuncs", "@if = ifunc i64 (i64), ptr @res\ndefine ptr @res() {\n  ret ptr @f1\n}\n", ""},
        {"addresses of blocks", "@ba = global ptr blockaddress(@jump, %b)\n",
         "define i32 @jump(ptr %p) {\n  indirectbr ptr %p, [label %a, label %b]\na:\n  ret i32 1\nb:\n  ret i32 "
         "2\n}\n"},
        {"directives or labels", "",
         "define void @a() {\n  call void asm sideeffect \"foo: nop\", \"\"()\n  ret void\n}\n"},
        {"belong to groups",
         "$k = comdat any\n@k = linkonce_odr global i32 0, comdat\n"
         "@llvm.global_ctors = appending global [1 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 65535, ptr @init, "
         "ptr @k }]\n",
         "define internal void @init() {\n  store i32 5, ptr @k\n  ret void\n}\n"},
        {"The section foo has the flags",
         "@a1 = global i32 1, section \"foo\", !associated !0\n@a2 = global i32 2\n!0 = !{ptr @a2}\n", ""},
        {"metadata that makes sections", "!llvm.dependent-libraries = !{!0}\n!0 = !{!\"foo\"}\n", ""},
        {"not what its symbol is called",
         "@\"\\01esc\" = internal global i32 4\ndefine ptr @esc2() {\n  ret ptr @\"\\01esc\"\n}\n", ""},
        {"begins with smd.part.", "@smd.part.f1 = global i32 4\n", ""},
        {"has a table of the module", "",
         "declare void @llvm.gcroot(ptr, ptr)\ndefine void @g() gc \"shadow-stack\" {\n  %r = alloca ptr\n"
         "  store ptr null, ptr %r\n  call void @llvm.gcroot(ptr %r, ptr null)\n  call void @collect()\n  ret "
         "void\n}\n"},
    };
    for (size_t i = 0; i < COUNT(shapes); i++)
        is_complete(module_of(shapes[i].first, shapes[i].last, FILLERS), "", shapes[i].because);
}

Test(parts, small_modules_and_answers_of_one_piece_are_whole) {
    is_whole_so(automatic, module_of("", "", 5), "", "it is small");
    is_whole_so(functions, module_of("", "", 1), "", "it is small");
    is_whole_so(automatic, module_of("", "", FILLERS), "opt=0", "more than one function");
    is_complete(module_of("", "", FILLERS), "emit=obj,asm", "the assembly is of one piece");
    is_complete(module_of("", "", FILLERS), "emit=obj,links", "links are of the calls");
}

/* What LLVM says of a part it says of the whole. */
Test(parts, diagnostics_are_those_of_the_whole) {
    const char *ir = module_of(
        "", "define void @bad() {\n  call void asm sideeffect \"nosuchinstruction\", \"\"()\n  ret void\n}\n",
        FILLERS);
    for (int t = 0; t < 2; t++) {
        struct compiled whole = compile(ir, "split=never", targets[t]),
                        same = compile(ir, "split=auto --threads=2", targets[t]);
        cr_assert_eq(whole.artifact.status, SM_CODEGEN_FAILED);
        cr_assert_eq(same.artifact.status, SM_CODEGEN_FAILED);
        cr_assert_str_eq(same.text[SM_PART_DIAGNOSTICS], whole.text[SM_PART_DIAGNOSTICS]);
        drop(&whole);
        drop(&same);
    }
}

/* What smc would be asked for is what reproduces it. */
Test(parts, the_way_is_told) {
    const char *ir = module_of("", "", FILLERS);
    has(ir, "split=auto", SM_PART_META, "smc compile --quiet --output=- ", 1);
    has(ir, "split=auto", SM_PART_META, "--split=auto", 1);
    has(ir, "split=auto", SM_PART_META, "in parts, which were joined", 1);
}
