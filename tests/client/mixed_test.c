/* mixed_test.c - mixed_check.c with code of the strategies that it knows, for two architectures. */
#include "folder.h"
#include "worker.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

TestSuite(mixed, .init = folder_make, .fini = folder_remove, .timeout = 600);

/* Compiles a module of tests/client/objects into the folder. */
static void make(const char *name, const char *options, int t) {
    char path[512];
    snprintf(path, sizeof path, SOURCE_DIR "/tests/client/objects/%s.ll", name);
    struct bytes ir = read_file(path);
    struct compiled c = compile((char *)ir.data, options, targets[t]);
    cr_assert_eq(c.artifact.status, SM_OK, "%s: %s", name, c.text[SM_PART_DIAGNOSTICS]);
    sm_slice object = c.artifact.part[SM_PART_OBJECT];
    snprintf(path, sizeof path, "%s/%s.o", folder, name);
    write_file(path, object.data, object.len);
    drop(&c);
    bytes_free(ir);
}

/* Runs all stacks of up to LENGTH frames, on as many threads if THREADS is not 0. */
static void walk(int t, const char *options, int length, int threads) {
    static const char *const programs[] = {BIN_DIR "/mixed_check", QEMU " " BIN_DIR "/mixed_check-aarch64"};
    char command[1024], all[256];
    snprintf(all, sizeof all, "safepoints=none %s", options);
    make("mixed", all, t);
    make("mixed_ocaml", all, t);
    make("mixed_erlang", all, t);
    make("mixed_errors", "safepoints=none opt=2 unwind=module", t);
    snprintf(command, sizeof command,
             "cd %s && THREADS=%d %s %d mixed.o mixed_ocaml.o mixed_erlang.o mixed_errors.o 2>&1", folder, threads,
             programs[t], length);
    succeeds(command);
}

Test(mixed, every_stack_of_every_kind_of_frame) {
    walk(0, "opt=2", 4, 0);
    walk(0, "opt=0", 3, 0);
    walk(0, "opt=3 frame_pointer=all gc_registers=4", 3, 0);
    walk(1, "opt=2", 2, 0);
    walk(1, "opt=0 frame_pointer=all", 2, 0);
}

Test(mixed, threads_with_shadow_stacks_of_their_own) {
    walk(0, "opt=2 shadow_chain=thread_local", 3, 4);
    walk(0, "opt=0 shadow_chain=thread_local", 2, 4);
    walk(1, "opt=2 shadow_chain=thread_local", 1, 3);
    walk(1, "opt=0 shadow_chain=thread_local", 1, 3);
}

/* Two strategies in one linked program, by its compact table. */
Test(mixed, linked) {
    char command[1024];
    make("mixed", "safepoints=none opt=2 stackmap_format=compact", 0);
    snprintf(command, sizeof command,
             "gcc -O1 -D_GNU_SOURCE -DLINKED -fexceptions -I%s/tests/support -I%s/client/include -o %s/linked "
             "%s/tests/client/mixed_check.c %s/mixed.o -L%s -lsmclient -Wl,-rpath,%s -lpthread 2>&1",
             SOURCE_DIR, SOURCE_DIR, folder, SOURCE_DIR, folder, LIBRARY_DIR, LIBRARY_DIR);
    succeeds(command);
    snprintf(command, sizeof command, "%s/linked 5 2>&1", folder);
    succeeds(command);
}

/* Each pointer of roots of several pointers is in the tables of erlang and ocaml. */
Test(mixed, roots_of_several_pointers) {
    static const char *const families[] = {"erlang", "ocaml"};
    static const char *const programs[] = {BIN_DIR "/slots_check", QEMU " " BIN_DIR "/slots_check-aarch64"};
    char command[1024], options[64];
    for (int t = 0; t < 2; t++)
        for (int g = 0; g < 2; g++)
            for (int opt = 0; opt <= 3; opt++) {
                snprintf(options, sizeof options, "gc=%s opt=%d safepoints=none", families[g], opt);
                make("slots", options, t);
                snprintf(command, sizeof command, "%s %s/slots.o 2>&1", programs[t], folder);
                succeeds(command);
            }
}
