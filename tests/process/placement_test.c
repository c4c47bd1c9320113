/* Polls: where they are put, what they are, where there are none. Each compiles a module for both targets and says
 * what has to be in the answer. */
#include "gc_inputs.h"
#include "worker.h"

#include "status.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LOOP                                                                                                         \
    "define void @f(ptr %p)" GC                                                                                      \
    "{\nentry:\n  br label %loop\nloop:\n  %v = load volatile i8, ptr %p\n  %c = icmp eq i8 %v, 0\n"                 \
    "  br i1 %c, label %loop, label %done\ndone:\n  ret void\n}\n"

Test(placement, each_kind_of_poll_has_its_reason) {
    has(POLL LOOP, "safepoints=entry", SM_PART_STACKMAP, "\"reason\":\"entry-poll\",\"callee\":\"stop\"", 1);
    has(POLL LOOP, "safepoints=entry", SM_PART_STACKMAP, "\"reason\"", 1);
    has(POLL LOOP, "safepoints=backedge", SM_PART_STACKMAP, "\"reason\":\"backedge-poll\"", 1);
    has(POLL LOOP, "safepoints=entry,backedge", SM_PART_STACKMAP, "\"reason\"", 2);
    has(POLL LOOP, "safepoints=return", SM_PART_STACKMAP, "\"reason\":\"return-poll\"", 1);
    has(POLL CALLEE TWO_CALLS, "safepoints=precall", SM_PART_STACKMAP, "\"reason\":\"precall-poll\"", 2);
    has(POLL CALLEE TWO_CALLS, "safepoints=precall", SM_PART_STACKMAP, "\"reason\":\"call\",\"callee\":\"g\"", 2);
    has(POLL LOOP, "safepoints=none", SM_PART_STACKMAP, "\"reason\"", 0);
}

/* What smd calls for a collector is called as the module declares it: a runtime's binary interface. */
Test(placement, conventions_are_the_declarations) {
    static const char stop[] = "declare preserve_mostcc void @stop()\n" LOOP,
                      load[] = "declare preserve_mostcc ptr addrspace(1) @heal(ptr addrspace(1), ptr addrspace(1))\n"
                               "define ptr addrspace(1) @f(ptr addrspace(1) %o)" GC
                               "{\n  %v = load ptr addrspace(1), ptr addrspace(1) %o\n  ret ptr addrspace(1) %v\n}\n",
                      native[] = "declare preserve_mostcc void @gc.transition_enter()\ndeclare void @g()\n"
                                 "define void @f()" GC "{\n  call void @g() [ \"gc-transition\"() ]\n  ret void\n}\n",
                      roots[] = "declare preserve_mostcc void @stop()\ndeclare void @g(ptr)\n"
                                "declare void @llvm.gcroot(ptr, ptr)\n"
                                "define void @f(ptr %p) gc \"ocaml\" {\n  %r = alloca ptr\n"
                                "  call void @llvm.gcroot(ptr %r, ptr null)\n  store ptr %p, ptr %r\n"
                                "  call void @g(ptr %p)\n  ret void\n}\n";
    static const char fast[] = "declare fastcc void @gc.safepoint_poll()\ndeclare void @g(ptr)\n"
                               "declare void @llvm.gcroot(ptr, ptr)\n"
                               "define void @f(ptr %p) gc \"ocaml\" {\n  %r = alloca ptr\n"
                               "  call void @llvm.gcroot(ptr %r, ptr null)\n  store ptr %p, ptr %r\n"
                               "  call void @g(ptr %p)\n  ret void\n}\n";
    static const char most[] = "\"calling_convention\":{\"id\":14,\"name\":\"preserve_mostcc\"}";
    for (int level = 0; level < 4; level++) {
        char options[200];
        snprintf(options, sizeof options, "opt=%d safepoints=entry,backedge poll=call:stop", level);
        has(stop, options, SM_PART_STACKMAP, most, 2);
        snprintf(options, sizeof options, "opt=%d safepoints=entry,backedge poll=flag:asked:stop", level);
        has(stop, options, SM_PART_STACKMAP, most, 2);
        snprintf(options, sizeof options, "opt=%d safepoints=none barriers=auto barrier=load:heal:1", level);
        has(load, options, SM_PART_STACKMAP, most, 1);
        snprintf(options, sizeof options, "opt=%d safepoints=none", level);
        has(native, options, SM_PART_STACKMAP, most, 1);
        snprintf(options, sizeof options, "opt=%d safepoints=entry poll=call:stop emit=obj,ir", level);
        has(roots, options, SM_PART_IR, "call preserve_mostcc void @stop()", 1);
        snprintf(options, sizeof options, "opt=%d safepoints=entry emit=obj,ir", level);
        has(fast, options, SM_PART_IR, "call fastcc void @gc.safepoint_poll()", 1);
    }
}

/* A poll of the module's own without a body is called, at every level, for the reason of its place. */
Test(placement, declared_polls_are_called) {
    static const char module[] = "declare void @gc.safepoint_poll()\n" LOOP,
                      roots[] = "declare void @gc.safepoint_poll()\ndefine ptr @f(ptr %p) gc \"ocaml\" {\n"
                                "  ret ptr null\n}\n";
    for (int level = 0; level < 4; level++) {
        char options[200];
        snprintf(options, sizeof options, "opt=%d safepoints=entry,backedge", level);
        has(module, options, SM_PART_STACKMAP, "\"callee\":\"gc.safepoint_poll\"", 2);
        has(module, options, SM_PART_STACKMAP, "\"reason\":\"entry-poll\"", 1);
        has(module, options, SM_PART_STACKMAP, "\"reason\":\"backedge-poll\"", 1);
        snprintf(options, sizeof options, "opt=%d safepoints=return poll_interval=3", level);
        has(module, options, SM_PART_STACKMAP, "\"reason\":\"return-poll\"", 1);
        snprintf(options, sizeof options, "opt=%d safepoints=entry", level);
        has(roots, options, SM_PART_STACKMAP, "\"reason\":\"entry-poll\"", 1);
    }
}

/* What a poll calls must not be said to do nothing: its calls would go, by level and place. */
Test(placement, polls_that_the_optimiser_would_drop_are_refused) {
    static const char *const attributes[] = {"memory(none)", "memory(none) nounwind willreturn",
                                             "memory(read) nounwind willreturn", "memory(argmem: readwrite)",
                                             "speculatable"};
    for (int level = 0; level < 4; level++)
        for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++) {
            char ir[2048], options[100];
            snprintf(ir, sizeof ir, "declare void @stop() %s\n%s", attributes[i], LOOP);
            snprintf(options, sizeof options, "opt=%d poll=call:stop", level);
            refuses(ir, options, SM_POLL_CONFLICT, "stop is declared");
            snprintf(options, sizeof options, "opt=%d poll=flag:asked:stop", level);
            refuses(ir, options, SM_POLL_CONFLICT, "stop is declared");
            snprintf(ir, sizeof ir,
                     "declare void @stop() %s\ndefine void @gc.safepoint_poll() {\n  call void @stop()\n  ret void\n"
                     "}\n%s",
                     attributes[i], LOOP);
            snprintf(options, sizeof options, "opt=%d", level);
            refuses(ir, options, SM_POLL_CONFLICT, "stop is declared");
            snprintf(ir, sizeof ir, "declare void @gc.safepoint_poll() %s\n%s", attributes[i], LOOP);
            refuses(ir, options, SM_POLL_CONFLICT, "gc.safepoint_poll is declared");
        }
    refuses("declare void @stop() memory(inaccessiblemem: readwrite)\n"
            "define ptr @f(ptr %p) gc \"ocaml\" {\n  ret ptr null\n}\n",
            "safepoints=entry poll=call:stop", SM_POLL_CONFLICT, "inaccessible memory alone");
}

/* Where a parameter is passed its attributes say, and a statepoint has none but its call's. */
Test(placement, parameters_are_where_the_declarations_say) {
    static const char stores[] = "define void @f(ptr addrspace(1) %o, ptr addrspace(1) %v)" GC
                                 "{\n  store ptr addrspace(1) %v, ptr addrspace(1) %o\n  ret void\n}\n",
                      loads[] =
                          "declare swiftcc ptr addrspace(1) @heal(ptr addrspace(1), ptr addrspace(1) swiftself)\n"
                          "define ptr addrspace(1) @f(ptr addrspace(1) %o)" GC
                          "{\n  %v = load ptr addrspace(1), ptr addrspace(1) %o\n  ret ptr addrspace(1) %v\n}\n";
    char own[1024];
    snprintf(
        own, sizeof own,
        "declare swiftcc void @gc.write_barrier(ptr addrspace(1), ptr addrspace(1), ptr addrspace(1) swiftself)\n%s",
        stores);
    for (int level = 0; level < 4; level++) {
        char options[200];
        snprintf(options, sizeof options, "opt=%d safepoints=none barriers=auto emit=obj,ir", level);
        has(own, options, SM_PART_IR, "ptr addrspace(1) swiftself %o", 1);
        snprintf(options, sizeof options, "opt=%d safepoints=none barriers=auto barrier=load:heal:1 emit=obj,ir",
                 level);
        has(loads, options, SM_PART_IR, "ptr addrspace(1) swiftself %o", 1);
    }
}

/* The same of calls that are the module's. */
Test(placement, arguments_are_passed_as_the_callee_takes_them) {
    static const char ir[] = "declare void @g(ptr sret(i64), ptr nest, i8 signext, i16 zeroext)\n"
                             "define void @f(ptr %o, i8 %x, i16 %y)" GC
                             "{\n  call void @g(ptr %o, ptr %o, i8 %x, i16 %y)\n  ret void\n}\n";
    for (int level = 0; level < 4; level++) {
        char options[200];
        snprintf(options, sizeof options, "opt=%d safepoints=none emit=obj,ir", level);
        has(ir, options, SM_PART_IR, "ptr sret(i64) %o, ptr nest %o, i8 signext %x, i16 zeroext %y, i32 0, i32 0)",
            1);
    }
}

Test(placement, a_function_may_say_for_itself) {
    static const char ir[] =
        POLL "define void @plain() gc \"statepoint-example\" {\n  ret void\n}\n"
             "define void @none() \"smd-safepoints\"=\"none\" gc \"statepoint-example\" {\n  ret void\n}\n"
             "define void @return() \"smd-safepoints\"=\"return\" gc \"statepoint-example\" {\n  ret void\n}\n";
    has(ir, "safepoints=entry", SM_PART_STACKMAP, "\"reason\":\"entry-poll\"", 1);
    has(ir, "safepoints=entry", SM_PART_STACKMAP, "\"reason\":\"return-poll\"", 1);
    refuses(POLL "define void @f() \"smd-safepoints\"=\"sometimes\" gc \"statepoint-example\" {\n  ret void\n}\n", "",
            SM_INVALID_OPTION, "sometimes");
}

/* Behind calls that come back, invokes as well; neither behind polls nor where nothing follows. */
Test(placement, polls_behind_calls) {
    static const char ir[] = POLL CALLEE
        "declare void @end() noreturn\ndeclare i32 @handler(...)\n"
        "define void @i(i1 %c)" GC "personality ptr @handler {\n  invoke void @g() to label %on unwind label %pad\n"
        "on:\n  br i1 %c, label %fine, label %bad\nfine:\n  ret void\nbad:\n  call void @end()\n  unreachable\n"
        "pad:\n  %p = landingpad { ptr, i32 } cleanup\n  resume { ptr, i32 } %p\n}\n";
    for (int opt = 0; opt <= 3; opt++) {
        char options[100];
        snprintf(options, sizeof options, "safepoints=postcall opt=%d", opt);
        has(POLL CALLEE TWO_CALLS, options, SM_PART_STACKMAP, "\"reason\":\"postcall-poll\"", 2);
        has(POLL CALLEE TWO_CALLS, options, SM_PART_STACKMAP, "\"reason\":\"call\"", 2);
        has(ir, options, SM_PART_STACKMAP, "\"reason\":\"postcall-poll\"", 1);
        snprintf(options, sizeof options, "safepoints=precall,postcall,loop,return opt=%d", opt);
        has(POLL CALLEE TWO_CALLS, options, SM_PART_STACKMAP, "\"reason\":\"precall-poll\"", 2);
        has(POLL CALLEE TWO_CALLS, options, SM_PART_STACKMAP, "\"reason\":\"postcall-poll\"", 2);
        has(POLL CALLEE TWO_CALLS, options, SM_PART_STACKMAP, "\"reason\":\"return-poll\"", 1);
    }
    has(POLL CALLEE TWO_CALLS, "safepoints=postcall stackmap_format=compact", SM_PART_STACKMAP,
        "\"reason\":\"postcall-poll\"", 2);
    has(POLL CALLEE TWO_CALLS, "stackmap_format=compact", SM_PART_STACKMAP, "\"format\":\"compact\"", 1);
}

Test(placement, iterations_are_counted) {
    static const char
        counted[] = POLL "define void @f(ptr %p)" GC
                         "{\nentry:\n  br label %loop\nloop:\n  %i = phi i32 [ 0, %entry ], [ %n, %loop ]\n"
                         "  store volatile i32 %i, ptr %p\n  %n = add nuw nsw i32 %i, 1\n  %c = icmp ult i32 %n, 8\n"
                         "  br i1 %c, label %loop, label %done\ndone:\n  ret void\n}\n",
        filling[] = /* the optimiser would make a memset of it */
        POLL "define void @f(ptr %p, i64 %m)" GC
             "{\nentry:\n  br label %loop\nloop:\n  %i = phi i64 [ 0, %entry ], [ %n, %loop ]\n"
             "  %q = getelementptr i64, ptr %p, i64 %i\n  store i64 0, ptr %q\n  %n = add nuw nsw i64 %i, 1\n"
             "  %c = icmp ult i64 %n, %m\n  br i1 %c, label %loop, label %done\ndone:\n  ret void\n}\n";
    for (int opt = 0; opt <= 3; opt++) {
        char options[100];
        snprintf(options, sizeof options, "poll_interval=5 emit=obj,remarks opt=%d", opt);
        has(counted, options, SM_PART_STACKMAP, "\"reason\":\"backedge-poll\"", 1);
        has(counted, options, SM_PART_STACKMAP, "\"reason\":\"return-poll\"", 1);
        has(counted, options, SM_PART_REMARKS, "1 loop(s) count their iterations: a poll after 5", 1);
        has(counted, options, SM_PART_REMARKS, "no backedge poll", 0);
        snprintf(options, sizeof options, "poll_interval=5 safepoints=return opt=%d", opt);
        has(counted, options, SM_PART_STACKMAP, "\"reason\":\"backedge-poll\"", 0);
        snprintf(options, sizeof options, "poll_interval=5 emit=obj,ir opt=%d", opt);
        has(filling, options, SM_PART_STACKMAP, "\"reason\":\"backedge-poll\"", 1);
        has(filling, options, SM_PART_IR, "no-builtin", 0);
    }
    has(POLL "define void @f(ptr %p) \"smd-poll-interval\"=\"0\" " GC "{\n  ret void\n}\n", "poll_interval=4",
        SM_PART_STACKMAP, "\"reason\"", 1);
    refuses(POLL "define void @f() \"smd-poll-interval\"=\"-1\" " GC "{\n  ret void\n}\n", "", SM_INVALID_OPTION,
            "smd-poll-interval");
}

Test(placement, no_poll_between_a_musttail_call_and_its_return) {
    has(POLL "declare void @g()\ndefine void @f()" GC "{\n  musttail call void @g()\n  ret void\n}\n",
        "safepoints=return emit=obj,remarks opt=0", SM_PART_REMARKS, "musttail", 1);
}

Test(placement, elisions_are_tunable) {
    static const char counted[] =
        POLL "define void @f(ptr %p)" GC
             "{\nentry:\n  br label %loop\nloop:\n  %i = phi i32 [ 0, %entry ], [ %n, %loop ]\n"
             "  store volatile i32 %i, ptr %p\n  %n = add nuw nsw i32 %i, 1\n  %c = icmp ult i32 %n, 5000\n"
             "  br i1 %c, label %loop, label %done\ndone:\n  ret void\n}\n";
    has(counted, "safepoints=backedge opt=1", SM_PART_STACKMAP, "\"reason\"", 0);
    has(counted, "safepoints=backedge opt=1 counted_loop_bits=8", SM_PART_STACKMAP, "\"reason\":\"backedge-poll\"",
        1);
    has(counted, "safepoints=backedge opt=1 all_backedges=true", SM_PART_STACKMAP, "\"reason\":\"backedge-poll\"", 1);
    has(POLL LOOP, "safepoints=backedge split_backedges=true", SM_PART_STACKMAP, "\"reason\":\"backedge-poll\"", 1);
}

Test(placement, polls_that_smd_writes) {
    has(LOOP, "poll=call:arrive", SM_PART_STACKMAP, "\"callee\":\"arrive\"", 2);
    has(LOOP, "poll=flag:wanted:arrive", SM_PART_STACKMAP, "\"callee\":\"arrive\"", 2);
    has(LOOP, "poll=flag:wanted:arrive emit=obj,ir", SM_PART_IR, "load volatile i8, ptr @wanted", 2);
    has(LOOP, "poll=call:arrive", SM_PART_META, "\"reproduce\":\"smc compile --quiet --ir=- --target=", 1);
    refuses(LOOP, "", SM_MISSING_POLL, "gc.safepoint_poll");
    refuses(LOOP, "poll=call", SM_INVALID_OPTION, "call:SYMBOL");
    refuses(LOOP, "poll=flag:only", SM_INVALID_OPTION, "flag:SYMBOL:SLOW");
    refuses(POLL LOOP, "poll=call:arrive", SM_POLL_CONFLICT, "of its own");
    refuses("@arrive = global i8 0\n" LOOP, "poll=call:arrive", SM_POLL_CONFLICT, "void()");
    refuses("declare void @wanted()\n" LOOP, "poll=flag:wanted:arrive", SM_POLL_CONFLICT, "i8");
    refuses(LOOP, "poll=page", SM_INVALID_OPTION, "page:SYMBOL");
    refuses(LOOP, "poll=page:a:b", SM_INVALID_OPTION, "page:SYMBOL");
    refuses("declare void @a_page()\n" LOOP, "poll=page:a_page", SM_POLL_CONFLICT, "a variable");
    refuses(POLL LOOP, "poll=page:a_page", SM_POLL_CONFLICT, "of its own");
    refuses(LOOP, "poll=call:llvm.donothing", SM_POLL_CONFLICT, "LLVM's own");
    refuses(LOOP, "poll=flag:wanted:llvm.trap", SM_POLL_CONFLICT, "LLVM's own");
    refuses(LOOP, "poll=page:llvm.used", SM_POLL_CONFLICT, "LLVM's own");
    refuses("@a_page = external thread_local global i8\n" LOOP, "poll=page:a_page", SM_POLL_CONFLICT,
            "at one address");
    refuses("@a_page = external addrspace(3) global i8\n" LOOP, "poll=page:a_page", SM_POLL_CONFLICT,
            "at one address");
}

/* Names that are an alias's or an ifunc's, which no look for a function finds: refused, and not taken for free. */
Test(placement, polls_that_are_no_functions) {
    static const char other[] =
        "define internal void @body() {\n  ret void\n}\ndefine internal ptr @pick() {\n  ret ptr "
        "@body\n}\n";
    static const char *const kinds[] = {"alias void (), ptr @body", "ifunc void (), ptr @pick"};
    static const char *const asked[][2] = {{"gc.safepoint_poll", ""},
                                           {"arrive", "poll=call:arrive"},
                                           {"arrive", "poll=flag:wanted:arrive"},
                                           {"wanted", "poll=flag:wanted:arrive"},
                                           {"a_page", "poll=page:a_page"}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        for (size_t k = 0; k < sizeof asked / sizeof *asked; k++) {
            char ir[8192];
            snprintf(ir, sizeof ir, "%s@%s = %s\n%s", other, asked[k][0], kinds[i], LOOP);
            refuses(ir, asked[k][1], SM_POLL_CONFLICT, asked[k][0]);
        }
}

/* Where LLVM has left a backedge without a poll, the remarks say why. */
Test(placement, polls_that_were_left_out) {
    static const char ir[] = POLL CALLEE
        "define void @f(ptr %p)" GC "{\nentry:\n  br label %counted\ncounted:\n"
        "  %i = phi i32 [ 0, %entry ], [ %j, %counted ]\n  store volatile i32 %i, ptr %p\n"
        "  %j = add nuw nsw i32 %i, 1\n  %c = icmp ult i32 %j, 100\n  br i1 %c, label %counted, label %calls\n"
        "calls:\n  call void @g()\n  %v = load volatile i8, ptr %p\n  %d = icmp eq i8 %v, 0\n"
        "  br i1 %d, label %calls, label %spin\nspin:\n  %w = load volatile i8, ptr %p\n"
        "  %e = icmp eq i8 %w, 0\n  br i1 %e, label %spin, label %done\ndone:\n  ret void\n}\n";
    static const char counted[] = "no backedge poll in loop 'counted': its turns can be counted in 32 bits",
                      calls[] = "no backedge poll in loop 'calls': every turn makes a call";
    has(ir, "opt=1 emit=obj,remarks", SM_PART_REMARKS, counted, 1);
    has(ir, "opt=1 emit=obj,remarks", SM_PART_REMARKS, calls, 1);
    has(ir, "opt=1 emit=obj,remarks", SM_PART_REMARKS, "no backedge poll", 2);
    has(ir, "opt=1 emit=obj,remarks split_backedges=true", SM_PART_REMARKS, "no backedge poll", 2);
    has(ir, "opt=1 emit=obj,remarks counted_loop_bits=4", SM_PART_REMARKS, "no backedge poll", 1);
    has(ir, "opt=1 emit=obj,remarks all_backedges=true", SM_PART_REMARKS, "no backedge poll", 0);
    has(ir, "opt=1 emit=obj,remarks safepoints=backedge,return", SM_PART_REMARKS, "no backedge poll", 2);
}

/* A load where the poll is, of the page that the symbol names; the record says where it faults. */
Test(placement, a_page_that_is_taken_away) {
    has(LOOP, "poll=page:a_page", SM_PART_STACKMAP, "\"callee\":\"a_page\",\"fault_offset\":", 2);
    has(LOOP, "poll=page:a_page reloc=static opt=0", SM_PART_STACKMAP, "\"fault_offset\":", 2);
    has(LOOP, "poll=page:a_page", SM_PART_META, "smc page-polls --map=", 1);
    has("@a_page = global [4096 x i8] zeroinitializer\n" LOOP, "poll=page:a_page", SM_PART_STACKMAP,
        "\"fault_offset\":", 2);
    disassembles(LOOP, "poll=page:a_page", targets[0], "testl\t%eax, (%r11)", 2);
    disassembles(LOOP, "poll=page:a_page", targets[0], "R_X86_64_REX_GOTPCRELX\ta_page-0x4", 2);
    disassembles(LOOP, "poll=page:a_page reloc=static", targets[0], "R_X86_64_PC32\ta_page-0x4", 2);
    disassembles(LOOP, "poll=page:a_page code_model=large", targets[0], "R_X86_64_64\ta_page", 2);
    disassembles(LOOP, "poll=page:a_page", targets[1], "R_AARCH64_LD64_GOT_LO12_NC\ta_page", 2);
    disassembles(LOOP, "poll=page:a_page reloc=static", targets[1], "R_AARCH64_LDST32_ABS_LO12_NC\ta_page", 2);
    disassembles(LOOP, "poll=page:a_page reloc=static", targets[1], "ldr\twzr, [x16]", 2);
}

/* Functions in sections of their own, of which some have no relocations otherwise. */
Test(placement, a_page_polled_from_many_sections) {
    static const char ir[] =
        "$k = comdat any\n"
        "define void @f(ptr %p) section \"one\" gc \"statepoint-example\" {\n  ret void\n}\n"
        "define void @g(ptr %p) section \"two\" gc \"statepoint-example\" {\n  ret void\n}\n"
        "define linkonce_odr void @k(ptr %p) comdat gc \"statepoint-example\" {\n  ret void\n}\n"
        "define void @h(ptr %p) gc \"statepoint-example\" {\n  call void @k(ptr %p)\n  ret void\n}\n";
    for (int i = 0; i < 2; i++) {
        disassembles(ir, "poll=page:a_page reloc=static opt=0 safepoints=entry", targets[i],
                     i ? "R_AARCH64_ADR_PREL_PG_HI21\ta_page" : "R_X86_64_PC32\ta_page-0x4", 4);
        has(ir, "poll=page:a_page opt=0 safepoints=entry", SM_PART_STACKMAP, "\"fault_offset\":", 4);
    }
}
