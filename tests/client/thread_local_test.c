/* thread_local_test.c - thread_local_check.c in every model of thread-local variables, for two architectures. */
#include "folder.h"
#include "worker.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

TestSuite(thread_local, .init = folder_make, .fini = folder_remove, .timeout = 600);

static const char *const programs[] = {BIN_DIR "/thread_local_check", QEMU " " BIN_DIR "/thread_local_check-aarch64"};

/* What stands for MODEL in the definitions of one object, and in the declarations of what others define: local models
 * are not for these. */
static const struct model {
    const char *own, *others;
} models[] = {{"", ""},
              {"(localdynamic)", ""},
              {"(initialexec)", "(initialexec)"},
              {"(localexec)", "(initialexec)"},
              {"(initialexec)", ""}};

/* Compiles both modules by llc, and runs the program with them. */
static void runs(int t, const struct model *m, const char *flags) {
    static const char *const arch[] = {"x86_64", "aarch64"};
    static const char *const names[] = {"thread_local", "thread_local_user"};
    char command[2048];
    for (int i = 0; i < 2; i++) {
        snprintf(
            command, sizeof command,
            "sed -e 's/HOSTMODEL/%s/' -e 's/external thread_local MODEL/external thread_local %s/' -e 's/MODEL/%s/' "
            "%s/tests/client/objects/%s.ll | llc-19 -mtriple=%s-linux-gnu %s -filetype=obj -o %s/%s.o 2>&1",
            m->others, m->others, m->own, SOURCE_DIR, names[i], arch[t], flags, folder, names[i]);
        succeeds(command);
    }
    snprintf(command, sizeof command, "%s %s/thread_local.o %s/thread_local_user.o 2>&1", programs[t], folder,
             folder);
    succeeds(command);
}

static void in_every_model(int t, const char *flags) {
    for (size_t i = 0; i < sizeof models / sizeof *models; i++)
        runs(t, &models[i], flags);
}

Test(thread_local, x86_64) {
    in_every_model(0, "-O2 -relocation-model=pic");
    in_every_model(0, "-O0 -relocation-model=static");
    in_every_model(0, "-O2 -relocation-model=pic -code-model=large");
}

Test(thread_local, x86_64_descriptors) {
    in_every_model(0, "-O2 -relocation-model=pic -enable-tlsdesc");
    in_every_model(0, "-O0 -relocation-model=pic -enable-tlsdesc");
}

Test(thread_local, aarch64) {
    in_every_model(1, "-O2 -relocation-model=pic");
    in_every_model(1, "-O0 -relocation-model=static");
    in_every_model(1, "-O2 -relocation-model=pic -aarch64-elf-ldtls-generation");
    runs(1, &models[3], "-O2 -relocation-model=static -tls-size=12");
    runs(1, &models[3], "-O2 -relocation-model=static -tls-size=32");
}

/* The example of LLVM's document, loaded and run. */
Test(thread_local, the_documents_transition) {
    static const char *const options[] = {"opt=0", "opt=2", "opt=3 reloc=static", "opt=2 stackmap_format=compact"};
    struct bytes ir = read_file(SOURCE_DIR "/tests/client/objects/transition.ll");
    for (int t = 0; t < 2; t++)
        for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
            char text[512];
            snprintf(text, sizeof text, "safepoints=none transition=flag %s", options[i]);
            struct compiled c = compile((char *)ir.data, text, targets[t]);
            cr_assert_eq(c.artifact.status, SM_OK, "%s", c.text[SM_PART_DIAGNOSTICS]);
            sm_slice object = c.artifact.part[SM_PART_OBJECT];
            snprintf(text, sizeof text, "%s/transition.o", folder);
            write_file(text, object.data, object.len);
            snprintf(text, sizeof text, "%s %s/transition.o 2>&1", programs[t], folder);
            succeeds(text);
            drop(&c);
        }
    bytes_free(ir);
}
