/* Barriers: what llvm.gcread and llvm.gcwrite become, for both targets. */
#include "worker.h"

#include "status.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GC    " gc \"statepoint-example\" "
#define NONE  "safepoints=none "
#define REF   "ptr addrspace(1)"
#define WRITE "declare void @llvm.gcwrite(" REF ", " REF ", " REF ")\n"
#define READ  "declare " REF " @llvm.gcread(" REF ", " REF ")\n"
#define SLOT  "  %s = getelementptr i8, " REF " %o, i64 8\n"
#define SET(gc)                                                                                                      \
    "define void @set(" REF " %v, " REF " %o)" gc "{\n" SLOT "  call void @llvm.gcwrite(" REF " %v, " REF            \
    " %o, " REF " %s)\n  ret void\n}\n"
#define GET(gc)                                                                                                      \
    "define " REF " @get(" REF " %o)" gc "{\n" SLOT "  %v = call " REF " @llvm.gcread(" REF " %o, " REF              \
    " %s)\n  ret " REF " %v\n}\n"
#define BARRIER                                                                                                      \
    "define internal void @gc.write_barrier(" REF " %v, " REF " %o, " REF " %s) {\n  store " REF " %v, " REF " %s\n" \
    "  store volatile i8 7, " REF " %o\n  ret void\n}\n"

static const char *const levels[] = {"opt=0 emit=obj,ir " NONE, "opt=1 emit=obj,ir " NONE, "opt=2 emit=obj,ir " NONE,
                                     "opt=3 emit=obj,ir " NONE};
enum { LEVELS = sizeof levels / sizeof *levels };

static void has_at_all_levels(const char *ir, const char *more, const char *what, size_t times) {
    for (int i = 0; i < LEVELS; i++) {
        char options[256];
        snprintf(options, sizeof options, "%s%s", levels[i], more);
        has(ir, options, SM_PART_IR, what, times);
    }
}

/* The document's two intrinsics, without a barrier: a store and a load. */
Test(barriers, none_is_a_load_and_a_store) {
    has_at_all_levels(WRITE SET(GC), "", "store " REF " %v, " REF " %s", 1);
    has_at_all_levels(READ GET(GC), "", "load " REF ", " REF " %s", 1);
    has_at_all_levels(WRITE READ SET(GC) GET(GC), "", "llvm.gc", 0);
    refuses(WRITE SET(""), NONE, SM_INVALID_MODULE, "needs a function with a GC strategy");
}

Test(barriers, the_module_s_own_is_inlined) {
    has_at_all_levels(BARRIER WRITE SET(GC), "", "store volatile i8 7, " REF " %o", 1);
    has_at_all_levels(BARRIER WRITE SET(GC), "", "@gc.write_barrier", 0);
    has_at_all_levels("define linkonce_odr " REF " @gc.read_barrier(" REF " %o, " REF " %s) noinline {\n"
                      "  %v = load volatile " REF ", " REF " %s\n  ret " REF " %v\n}\n" READ GET(GC),
                      "", "load volatile " REF ", " REF " %s", 1);
}

/* Calls of what is declared to do nothing would go: by level, target and whether the result is used. */
Test(barriers, those_that_the_optimiser_would_drop_are_refused) {
    static const char *const attributes[][2] = {{"memory(none)", "gc.write_barrier is declared memory(none)"},
                                                {"readnone nounwind willreturn", "is declared memory(none)"},
                                                {"readonly", "is declared memory(read)"},
                                                {"speculatable", "is declared speculatable"},
                                                {"noreturn", "is declared noreturn"}};
    static const char use[] = "@flag = external global i8\ndeclare void @llvm.gcwrite(ptr, ptr, ptr)\n"
                              "define void @f(ptr %v, ptr %o) gc \"ocaml\" {\n"
                              "  call void @llvm.gcwrite(ptr %v, ptr %o, ptr %o)\n  ret void\n}\n";
    for (int level = 0; level < LEVELS; level++)
        for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++) {
            char ir[2048], options[200];
            snprintf(ir, sizeof ir, "declare void @gc.write_barrier(" REF ", " REF ", " REF ") %s\n%s",
                     attributes[i][0], WRITE SET(GC));
            refuses(ir, levels[level], SM_BARRIER_CONFLICT, attributes[i][1]);
            snprintf(ir, sizeof ir, "declare " REF " @gc.read_barrier(" REF ", " REF ") %s\n%s", attributes[i][0],
                     READ GET(GC));
            refuses(ir, levels[level], SM_BARRIER_CONFLICT, "gc.read_barrier is declared");
            snprintf(ir, sizeof ir, "declare void @slow(ptr) %s\n%s", attributes[i][0], use);
            snprintf(options, sizeof options, "%sbarrier=satb:slow:flag", levels[level]);
            refuses(ir, options, SM_BARRIER_CONFLICT, "slow is declared");
            snprintf(ir, sizeof ir, "declare ptr @slow(ptr, ptr) %s\n%s", attributes[i][0], use);
            snprintf(options, sizeof options, "%sbarrier=load:slow:1", levels[level]);
            refuses(ir, options, SM_BARRIER_CONFLICT, "slow is declared");
        }
    refuses("declare void @mark(" REF ") memory(none)\ndefine void @gc.write_barrier(" REF " %v, " REF " %o, " REF
            " %s) {\n  store " REF " %v, " REF " %s\n  call void @mark(" REF " %o)\n  ret void\n}\n" WRITE SET(GC),
            NONE, SM_BARRIER_CONFLICT, "mark is declared memory(none)");
    has_at_all_levels("declare void @gc.write_barrier(" REF ", " REF ", " REF
                      ") memory(argmem: readwrite, inaccessiblemem: readwrite) nounwind willreturn\n" WRITE SET(GC),
                      "", "@gc.write_barrier, i32 3", 1);
}

#define EACH(gc)                                                                                                     \
    "declare void @llvm.gcwrite(ptr, ptr, ptr)\ndeclare ptr @llvm.gcread(ptr, ptr)\n"                                \
    "define void @gc.write_barrier(ptr %v, ptr %o, ptr %s) {\n  store ptr %v, ptr %s\n"                              \
    "  store volatile i8 7, ptr %o\n  ret void\n}\n"                                                                 \
    "define ptr @gc.read_barrier(ptr %o, ptr %s) {\n  %v = load volatile ptr, ptr %s\n  ret ptr %v\n}\n"             \
    "define void @f(ptr %v, ptr %o)" gc "{\n  %s = getelementptr i8, ptr %o, i64 8\n"                                \
    "  %r = call ptr @llvm.gcread(ptr %o, ptr %s)\n  call void @llvm.gcwrite(ptr %r, ptr %o, ptr %s)\n"              \
    "  call void @llvm.gcwrite(ptr %v, ptr %o, ptr %s)\n  ret void\n}\n"

Test(barriers, in_all_strategies) {
    static const char *const modules[] = {EACH(" gc \"statepoint-example\""), EACH(" gc \"coreclr\""),
                                          EACH(" gc \"shadow-stack\""), EACH(" gc \"erlang\""),
                                          EACH(" gc \"ocaml\"")};
    for (size_t i = 0; i < sizeof modules / sizeof *modules; i++) {
        has_at_all_levels(modules[i], "", "store volatile i8 7", 3); /* two, and that in the barrier itself */
        has_at_all_levels(modules[i], "", "load volatile ptr", 2);
        has_at_all_levels(modules[i], "", "llvm.gc", 0);
    }
}

/* What a barrier calls is a safepoint like any call, unless it says that it is none. */
#define SLOW(attribute)                                                                                              \
    "declare void @remember(" REF ")" attribute "\ndefine void @gc.write_barrier(" REF " %v, " REF " %o, " REF       \
    " %s) {\n  store " REF " %v, " REF " %s\n  call void @remember(" REF " %o)\n  ret void\n}\n" WRITE "define " REF \
    " @f(" REF " %v, " REF " %o)" GC "{\n" SLOT "  call void @llvm.gcwrite(" REF " %v, " REF " %o, " REF             \
    " %s)\n  ret " REF " %v\n}\n"

Test(barriers, a_slow_path_is_a_safepoint) {
    has(SLOW(""), NONE, SM_PART_STACKMAP, "\"callee\":\"remember\"", 1);
    has(SLOW(""), NONE, SM_PART_STACKMAP, "\"roots\":[{\"base\":", 1);
    has(SLOW(" \"gc-leaf-function\""), NONE, SM_PART_STACKMAP, "\"callee\":\"remember\"", 0);
}

/* No poll comes between a store and its barrier, nor into the barrier. */
Test(barriers, polls_keep_out) {
    static const char ir[] =
        "declare void @stop()\ndefine void @gc.safepoint_poll() {\n  call void @stop()\n  ret void\n}\n"
        "define void @gc.write_barrier(" REF " %v, " REF " %o, " REF " %s)" GC "{\n"
        "  store " REF " %v, " REF " %s\n  store i8 7, " REF " %o\n  ret void\n}\n" WRITE "define void @f(" REF
        " %v, " REF " %o, ptr %p)" GC "{\nentry:\n" SLOT "  br label %loop\nloop:\n"
        "  call void @llvm.gcwrite(" REF " %v, " REF " %o, " REF " %s)\n  %x = load volatile i8, ptr %p\n"
        "  %c = icmp eq i8 %x, 0\n  br i1 %c, label %loop, label %done\ndone:\n  ret void\n}\n";
    static const char *const polls[] = {"safepoints=entry,backedge", "safepoints=entry", "safepoints=backedge",
                                        "safepoints=entry,backedge,return,precall"};
    static const size_t times[] = {2, 1, 1, 3};
    for (int i = 0; i < 4; i++)
        for (int level = 0; level < 4; level++) {
            char options[128];
            snprintf(options, sizeof options, "opt=%d %s", level, polls[i]);
            has(ir, options, SM_PART_STACKMAP, "\"callee\":\"stop\"", times[i]);
        }
}

Test(barriers, ready_made_card) {
    static const char *const parts[] = {"store " REF " %v, " REF " %s", "load ptr, ptr @cards",
                                        "ptrtoint " REF " %o to i64", "lshr i64 %address.i, 9",
                                        "store i8 1, ptr %card.i"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        has_at_all_levels(WRITE SET(GC), "barrier=card:cards:9", parts[i], 1);
    has_at_all_levels(WRITE SET(GC), "barrier=card:0x100000:9", "inttoptr (i64 1048576 to ptr)", 1);
    has(WRITE SET(GC), "barrier=card:cards:9 " NONE, SM_PART_STACKMAP, "\"callee\"", 0);
    has(WRITE SET(GC), "barrier=card:cards:9 " NONE, SM_PART_META, "opt knows no barriers", 1);
}

Test(barriers, ready_made_snapshot) {
    has_at_all_levels(WRITE SET(GC), "barrier=satb:keep:marking", "load volatile i8, ptr @marking", 1);
    has_at_all_levels(WRITE SET(GC), "barrier=satb:keep:marking", "call void @keep(" REF " %old.i)", 1);
    /* A snapshot between what it keeps and the store would lack it: no safepoint. */
    has(WRITE SET(GC), "barrier=satb:keep:marking " NONE, SM_PART_STACKMAP, "\"callee\":\"keep\"", 0);
    has_at_all_levels(WRITE SET(GC), "barrier=satb:keep:marking,card:cards:9", "store i8 1", 1);
    has_at_all_levels(WRITE SET(GC), "barrier=satb:keep:marking,card:cards:9", "call void @keep", 1);
}

Test(barriers, ready_made_load) {
    has_at_all_levels(READ GET(GC), "barrier=load:heal:bad_bits", "load i64, ptr @bad_bits", 1);
    has_at_all_levels(READ GET(GC), "barrier=load:heal:0x3000000000000000", "3458764513820540928", 1);
    has(READ GET(GC), "barrier=load:heal:bad_bits " NONE, SM_PART_STACKMAP, "\"callee\":\"heal\"", 1);
    has("declare " REF " @heal(" REF ", " REF ") \"gc-leaf-function\"\n" READ GET(GC),
        "barrier=load:heal:bad_bits " NONE, SM_PART_STACKMAP, "\"callee\":\"heal\"", 0);
}

Test(barriers, what_does_not_fit_is_refused) {
    static const char *const wrong[] = {"card",          "card:a",     "card:a:b",         "card:a:64",
                                        "card:a:9:1",    "satb:a",     "satb:1:b",         "load:a",
                                        "load:heal:0",   "load:a:b:c", "cards:a:9",        "card:a:9,",
                                        "card:a:9,satb", "card::9",    "load:llvm.trap:a", "card:a:9,card:b:9"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char option[64];
        snprintf(option, sizeof option, "barrier=%s " NONE, wrong[i]);
        if (strcmp(wrong[i], "card:a:9,") != 0)
            refuses(WRITE SET(GC), option, SM_INVALID_OPTION, "card:BASE:SHIFT");
    }
    refuses("define void @gc.write_barrier(" REF " %v) {\n  ret void\n}\n", NONE, SM_BARRIER_CONFLICT, "ptr slot");
    refuses("define i64 @gc.read_barrier(ptr %o, ptr %s) {\n  ret i64 0\n}\n", NONE, SM_BARRIER_CONFLICT, "ptr slot");
    refuses("@gc.write_barrier = global i8 0\n", NONE, SM_BARRIER_CONFLICT, "gc.write_barrier");
    refuses("define internal ptr @pick() {\n  ret ptr null\n}\n@gc.write_barrier = ifunc void (ptr, ptr, ptr), ptr "
            "@pick\n",
            NONE, SM_BARRIER_CONFLICT, "gc.write_barrier");
    refuses("\n@gc.write_barrier = global i8 0\n", NONE, SM_BARRIER_CONFLICT, "\"line\":2,\"column\":1");
    refuses("@gc = global i8 0\n\ndefine void @gc.write_barrier(" REF " %v) {\n  ret void\n}\n", NONE,
            SM_BARRIER_CONFLICT, "\"line\":3,\"column\":1");
    refuses(BARRIER WRITE SET(GC), NONE "barrier=card:cards:9", SM_BARRIER_CONFLICT, "of its own");
    refuses("define void @gc.write_barrier(ptr %v, ptr %o, ptr %s) {\n  ret void\n}\n" WRITE SET(GC), NONE,
            SM_BARRIER_CONFLICT, "void(ptr addrspace(1), ptr addrspace(1), ptr addrspace(1)) is needed");
    refuses("@cards = global i64 0\n" WRITE SET(GC), NONE "barrier=card:cards:9", SM_BARRIER_CONFLICT, "of type ptr");
    refuses("declare void @keep(ptr)\n" WRITE SET(GC), NONE "barrier=satb:keep:marking", SM_BARRIER_CONFLICT,
            "void(ptr)");
    refuses("@bad_bits = global i8 0\n" READ GET(GC), NONE "barrier=load:heal:bad_bits", SM_BARRIER_CONFLICT, "i64");
    refuses("define void @gc.write_barrier(" REF " %v, " REF " %o, " REF " %s) {\n  call void @gc.write_barrier(" REF
            " %v, " REF " %o, " REF " %s)\n  ret void\n}\n" WRITE SET(GC),
            NONE "opt=0", SM_BARRIER_CONFLICT, "calls itself");
    refuses("declare void @llvm.gcwrite.p1(i64)\ndefine void @f()" GC "{\n  call void @llvm.gcwrite.p1(i64 0)\n"
            "  ret void\n}\n",
            NONE, SM_INVALID_MODULE, "ptr slot");
}

/* ---- barriers=auto ---- */

#define AUTO               "barriers=auto emit=obj,ir,remarks safepoints=none "
#define CARDS              AUTO "barrier=card:cards:9 "
#define SATB               AUTO "barrier=satb:keep:marking "
#define LOADS              AUTO "barrier=load:heal:bad_bits "
#define ALLOC              "declare noalias " REF " @allocate(i64)\ndeclare void @collect()\n"
#define F(body)            ALLOC "define void @f(" REF " %v, " REF " %o, i64 %i, ptr %p)" GC "{\n" body "  ret void\n}\n"
#define STORE(value, slot) "  store " REF " " value ", " REF " " slot "\n"
#define SECOND             "  %s = getelementptr i8, " REF " %o, i64 8\n"

static void inserts(const char *ir, const char *options, const char *part, size_t times) {
    static const char *const opts[] = {"opt=0", "opt=1", "opt=2", "opt=3"};
    for (int i = 0; i < 4; i++) {
        char all[256];
        snprintf(all, sizeof all, "%s%s", options, opts[i]);
        has(ir, all, SM_PART_IR, part, times);
    }
}

#define A_CARD "store i8 1, ptr"
#define A_KEEP "call void @keep("

Test(automatic, stores_of_references_into_objects) {
    inserts(F(STORE("%v", "%o")), CARDS, A_CARD, 1);
    inserts(F(STORE("%v", "%o")), SATB, A_KEEP, 1);
    inserts(F("  store i64 %i, " REF " %o\n"), CARDS, A_CARD, 0);
    inserts(F("  store " REF " %v, ptr %p\n"), CARDS, A_CARD, 0); /* no object */
    inserts("define void @f(" REF " %v, " REF " %o) {\n  store " REF " %v, " REF " %o\n  ret void\n}\n", CARDS,
            A_CARD, 0); /* no strategy */
    inserts(F(STORE("%v", "%o")), "barriers=off emit=obj,ir safepoints=none barrier=card:cards:9 ", A_CARD, 0);
}

Test(automatic, a_function_may_say_for_itself) {
    static const char ir[] =
        "define void @f(" REF " %v, " REF " %o) \"smd-barriers\"=\"off\"" GC
        "{\n" STORE("%v", "%o") "  ret void\n}\ndefine void @g(" REF " %v, " REF " %o) \"smd-barriers\"=\"auto\"" GC
                                "{\n" STORE("%v", "%o") "  ret void\n}\n";
    inserts(ir, CARDS, A_CARD, 1);
    inserts(ir, "barriers=off emit=obj,ir safepoints=none barrier=card:cards:9 ", A_CARD, 1);
}

Test(automatic, what_a_card_need_not_tell) {
    static const struct {
        const char *ir, *why;
    } rows[] = {
        {F(STORE("null", "%o")), "it stores null"},
        {"@g = global i8 0\n" F(STORE("addrspacecast (ptr @g to " REF ")", "%o")), "it stores a constant"},
        {F("  %n = call " REF " @allocate(i64 16)\n" STORE("%v", "%n") "  store volatile " REF " %n, ptr %p\n"),
         "the object is fresh"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        inserts(rows[i].ir, CARDS, A_CARD, 0);
        has(rows[i].ir, CARDS, SM_PART_REMARKS, rows[i].why, 1);
    }
    static const char run[] =
        F(SECOND "  store volatile " REF " %v, " REF " %o\n  store volatile " REF " %v, " REF " %s\n");
    inserts(run, CARDS, A_CARD, 1);
    has(run, CARDS, SM_PART_REMARKS, "the object has had its barrier, and there is no safepoint since", 1);
    /* What is overwritten matters in each slot, even where null is stored; not in what is fresh. */
    inserts(run, SATB, A_KEEP, 2);
    inserts(rows[0].ir, SATB, A_KEEP, 1);
    inserts(rows[2].ir, SATB, A_KEEP, 0);
    inserts(F("  store volatile " REF " %v, " REF " %o\n  store volatile " REF " null, " REF " %o\n"), SATB, A_KEEP,
            1);
}

/* A safepoint ends what was known; so does another turn of a loop, in which a name is another object. */
Test(automatic, safepoints_end_what_is_known) {
    inserts(F(STORE("%v", "%o") "  call void @collect()\n" STORE("%o", "%o")), CARDS, A_CARD, 2);
    inserts(F("  %n = call " REF " @allocate(i64 16)\n  call void @collect()\n" STORE(
                "%v", "%n") "  store volatile " REF " %n, ptr %p\n"),
            CARDS, A_CARD, 1);
    inserts(
        "declare void @stop()\n" F("  br label %a\na:\n  %x = load volatile i64, ptr %p\n  %c = icmp eq i64 %x, 0\n"
                                   "  br i1 %c, label %b, label %d\nb:\n"
                                   "  store volatile " REF " %v, " REF " %o\n"
                                   "  br label %e\nd:\n  call void @stop()\n"
                                   "  br label %e\ne:\n  store volatile " REF " %v, " REF " %o\n"),
        CARDS, A_CARD, 2);
    inserts(F("  br label %a\na:\n  %x = load volatile " REF ", ptr %p\n  store volatile " REF " %v, " REF " %x\n"
              "  %c = icmp eq " REF " %x, null\n  br i1 %c, label %a, label %d\nd:\n"),
            CARDS, A_CARD, 1);
    /* A loop that polls marks its object in every turn; one that does not needs to once. */
    static const char loop[] =
        "declare void @arrive()\n" F("  store volatile " REF " %v, " REF " %o\n  br label %a\na:\n"
                                     "  store volatile " REF " %v, " REF " %o\n  %x = load volatile i64, ptr %p\n"
                                     "  %c = icmp eq i64 %x, 0\n  br i1 %c, label %a, label %d\nd:\n");
    inserts(loop, CARDS, A_CARD, 1);
    inserts(loop, "barriers=auto emit=obj,ir safepoints=backedge poll=call:arrive barrier=card:cards:9 ", A_CARD, 2);
}

/* The card is the object's, wherever steps have led. */
Test(automatic, the_object_is_the_one_that_was_stepped_from) {
    inserts(F("  %s = getelementptr i8, " REF " %o, i64 %i\n" STORE("%v", "%s")), CARDS, "ptrtoint " REF " %o to i64",
            1);
    static const char loop[] =
        F("  br label %a\na:\n  %q = phi " REF " [ %o, %0 ], [ %r, %a ]\n  store volatile " REF " %v, " REF
          " %q\n  %r = getelementptr i8, " REF " %q, i64 8\n  %x = load volatile i64, ptr %p\n"
          "  %c = icmp eq i64 %x, 0\n  br i1 %c, label %a, label %d\nd:\n");
    inserts(loop, CARDS, "ptrtoint " REF " %o to i64", 1);
}

Test(automatic, stores_of_many_shapes) {
    static const char vector[] =
        "define void @f(<2 x " REF "> %v, " REF " %o)" GC "{\n  store <2 x " REF "> %v, " REF " %o\n  ret void\n}\n";
    static const char parts[] = "define void @f({ i64, " REF ", [2 x " REF "] } %v, " REF " %o)" GC
                                "{\n  store { i64, " REF ", [2 x " REF "] } %v, " REF " %o\n  ret void\n}\n";
    static const char exchange[] = F("  %x = atomicrmw xchg " REF " %o, " REF " %v seq_cst\n"
                                     "  %y = cmpxchg " REF " %o, " REF " %x, " REF " %v seq_cst seq_cst\n");
    static const char copy[] =
        "declare void @llvm.memcpy.p1.p1.i64(" REF ", " REF
        ", i64, i1)\n" F("  call void @llvm.memcpy.p1.p1.i64(" REF " %o, " REF " %v, i64 64, i1 false)\n");
    inserts(vector, CARDS, A_CARD, 1);
    inserts(vector, SATB, A_KEEP, 2);
    inserts(parts, CARDS, A_CARD, 1);
    inserts(parts, SATB, A_KEEP, 3);
    inserts(exchange, CARDS, A_CARD, 1);
    inserts(exchange, SATB, A_KEEP, 2);
    inserts(copy, CARDS, A_CARD, 1);
    refuses(copy, SATB, SM_BARRIER_CONFLICT, "smd-no-references");
    inserts(F("  store atomic " REF " %v, " REF " %o release, align 8\n"), SATB, "store atomic " REF " %v", 1);
}

#define OWN(body)                                                                                                    \
    "declare void @tell(" REF ")\ndefine internal void @gc.write_barrier(" REF " %v, " REF " %o, " REF               \
    " %s) {\n" body "  ret void\n}\n"
#define OWN_STORE "  store " REF " %v, " REF " %s\n"
#define OWN_MARK  "  store volatile i8 7, " REF " %o\n"
#define A_MARK    "store volatile i8 7, " REF

/* What the module's own barrier does says which it needs to be told. */
Test(automatic, the_module_s_own) {
    static const char run[] = SECOND STORE("%v", "%o") STORE("%v", "%s");
    static const char nulls[] = "  store volatile i8 0, ptr %p\n" STORE("null", "%o");
    char ir[4096];
    static const struct {
        const char *body;
        size_t run, null;
    } rows[] = {
        {OWN(OWN_STORE OWN_MARK), 1, 0},
        {OWN("  %old = load " REF ", " REF " %s\n  store volatile i8 7, " REF " %o\n  call void @tell(" REF
             " %old) \"gc-leaf-function\"\n" OWN_STORE),
         2, 1},
        {OWN(OWN_STORE "  store volatile i8 7, " REF " %o\n  call void @tell(" REF " %s) \"gc-leaf-function\"\n"), 2,
         0},
        {OWN(OWN_STORE "  %young = icmp ugt " REF " %v, %o\n  %b = zext i1 %young to i8\n  store volatile i8 7, " REF
                       " %o\n  store volatile i8 %b, " REF " %o\n"),
         2, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        snprintf(ir, sizeof ir, "%s%s%s%s", rows[i].body,
                 ALLOC "define void @f(" REF " %v, " REF " %o, i64 %i, ptr %p)" GC "{\n", run, "  ret void\n}\n");
        inserts(ir, AUTO, A_MARK, rows[i].run);
        snprintf(ir, sizeof ir, "%s%s%s%s", rows[i].body,
                 ALLOC "define void @f(" REF " %v, " REF " %o, i64 %i, ptr %p)" GC "{\n", nulls, "  ret void\n}\n");
        inserts(ir, AUTO, A_MARK, rows[i].null);
    }
    refuses(OWN(OWN_STORE) F("  store volatile " REF " %v, " REF " %o\n"), AUTO, SM_BARRIER_CONFLICT,
            "volatile or atomic");
    refuses(OWN(OWN_STORE) F("  %x = atomicrmw xchg " REF " %o, " REF " %v seq_cst\n"), AUTO, SM_BARRIER_CONFLICT,
            "exchange");
    refuses(
        "define internal ptr @pick() {\n  ret ptr null\n}\n@old = ifunc void (ptr), ptr @pick\n" F(STORE("%v", "%o")),
        AUTO "barrier=satb:old:flag", SM_BARRIER_CONFLICT, "'old'");
    refuses(
        "define internal ptr @pick() {\n  ret ptr null\n}\n@flag = ifunc void (), ptr @pick\n" F(STORE("%v", "%o")),
        AUTO "barrier=satb:old:flag", SM_BARRIER_CONFLICT, "'flag'");
    refuses("declare void @gc.write_barrier(" REF ", " REF ", " REF ") \"smd-elide\"=\"some\"\n" F(STORE("%v", "%o")),
            AUTO, SM_INVALID_OPTION, "smd-elide");
    has(F(STORE("%v", "%o")), AUTO, SM_PART_DIAGNOSTICS, "barriers=auto inserts none", 1);
    refuses("define void @f(" REF " %o) \"smd-barriers\"=\"on\"" GC "{\n  ret void\n}\n", NONE, SM_INVALID_OPTION,
            "auto and off");
    refuses(F(STORE("%v", "%o")), NONE "barrier=card:18446744073709551616:9 ", SM_INVALID_OPTION, "card:BASE:SHIFT");
    refuses(F(STORE("%v", "%o")), NONE "barrier=load:-heal:1 ", SM_INVALID_OPTION, "load:SLOW:MASK");
    has("@g = addrspace(1) global " REF " null\n" F(STORE("%v", "@g")), AUTO "barrier=card:cards:9 ", SM_PART_IR,
        "@cards", 0);
}

Test(automatic, loads_of_references) {
    static const char load[] =
        "define " REF " @f(" REF " %o)" GC "{\n  %v = load " REF ", " REF " %o\n  ret " REF " %v\n}\n";
    inserts(load, LOADS, "load i64, ptr @bad_bits", 1);
    inserts("define <2 x " REF "> @f(" REF " %o)" GC "{\n  %v = load <2 x " REF ">, " REF " %o\n  ret <2 x " REF
            "> %v\n}\n",
            LOADS "elide=none ", "load i64, ptr @bad_bits", 2);
    inserts("define " REF " @f(ptr %o)" GC "{\n  %v = load " REF ", ptr %o\n  ret " REF " %v\n}\n", LOADS,
            "@bad_bits", 0);
    has("define internal " REF " @gc.read_barrier(" REF " %o, " REF " %s) {\n  %v = load volatile " REF ", " REF
        " %s\n  ret " REF " %v\n}\n"
        "define " REF " @f(" REF " %o)" GC "{\n  %v = load " REF ", " REF " %o\n  ret " REF " %v\n}\n",
        AUTO, SM_PART_IR, "load volatile " REF ", " REF " %o", 1);
    refuses(F("  %x = atomicrmw xchg " REF " %o, " REF " %v seq_cst\n"), LOADS, SM_BARRIER_CONFLICT, "leaf function");
}
