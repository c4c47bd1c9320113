/* __gcmap_ tables of what the worker makes, read by a C program that is linked with them. */
#include "elffile.h"
#include "folder.h"
#include "gcmap_object.h"
#include "worker.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

static const char module[] =
    "declare void @collect()\n"
    "define i64 @f(ptr addrspace(1) %a, ptr addrspace(1) %b, i64 %n) noinline gc \"statepoint-example\" {\n"
    "  call void @collect()\n  %end = icmp eq i64 %n, 0\n  br i1 %end, label %last, label %more\n"
    "more:\n  %m = sub i64 %n, 1\n"
    "  %below = call i64 @f(ptr addrspace(1) %b, ptr addrspace(1) %a, i64 %m)\n  br label %last\n"
    "last:\n  %rest = phi i64 [ 0, %0 ], [ %below, %more ]\n"
    "  %x = load i64, ptr addrspace(1) %a\n  %y = load i64, ptr addrspace(1) %b\n"
    "  call void @collect()\n" /* only %a is alive */
    "  %z = load i64, ptr addrspace(1) %a\n  %xy = add i64 %x, %y\n  %xyz = add i64 %xy, %z\n"
    "  %all = add i64 %xyz, %rest\n  ret i64 %all\n}\n"
    "define i64 @many(ptr addrspace(1) %a, i64 %b, i64 %c, i64 %d, i64 %e, i64 %g, i64 %h, i64 %i) "
    "gc \"statepoint-example\" {\n"
    "  %r = call i64 @inner(ptr addrspace(1) %a)\n  %s = add i64 %r, %i\n  ret i64 %s\n}\n"
    "define internal i64 @inner(ptr addrspace(1) %a) noinline gc \"statepoint-example\" {\n"
    "  call void @collect()\n  %v = load i64, ptr addrspace(1) %a\n  ret i64 %v\n}\n";

/* The program's output. */
static void run(const char *target, const char *options, const char *compiler, const char *emulator) {
    char command[2048];
    int status;
    struct compiled c = compile(module, options, target);
    cr_assert_eq(c.artifact.status, SM_OK, "%s", (const char *)c.artifact.part[SM_PART_DIAGNOSTICS].data);
    sm_slice object = c.artifact.part[SM_PART_OBJECT];
    folder_make();
    snprintf(command, sizeof command, "%s/managed.o", folder);
    write_file(command, object.data, object.len);
    snprintf(command, sizeof command,
             "%s -O1 -Wall -Wextra -Werror " SOURCE_DIR
             "/tests/process/gcmap_check.c %s/managed.o -o %s/program 2>&1 && "
             "%s %s/program 2>&1",
             compiler, folder, folder, emulator, folder);
    struct bytes out = run_command(command, NULL, 0, &status);
    cr_expect_eq(status, 0, "%s %s: %s", target, options, (const char *)out.data);
    bytes_free(out);
    folder_remove();
    drop(&c);
}

Test(gcmap_object, a_collector_reads_it) {
    run(targets[0], "stackmap_format=gcmap safepoints=none", "gcc -pie -fPIE", "");
    run(targets[0], "stackmap_format=gcmap safepoints=none opt=0", "gcc -static", "");
    run(targets[0], "stackmap_format=gcmap safepoints=none", "gcc -fuse-ld=lld -Wl,--gc-sections", "");
    run(targets[1], "stackmap_format=gcmap safepoints=none", "aarch64-linux-gnu-gcc -static", QEMU);
    run(targets[1], "stackmap_format=gcmap safepoints=none opt=0", "aarch64-linux-gnu-gcc -static", QEMU);
}

/* The gcroot strategies', beside their own tables; and an object without safepoints. */
Test(gcmap_object, of_other_strategies) {
    for (int t = 0; t < 2; t++) {
        sm_elf e;
        struct compiled c = compile("declare void @g()\ndeclare void @llvm.gcroot(ptr, ptr)\n"
                                    "define void @f(ptr %p) gc \"erlang\" {\n  %r = alloca ptr\n"
                                    "  call void @llvm.gcroot(ptr %r, ptr null)\n  store ptr %p, ptr %r\n"
                                    "  call void @g()\n  ret void\n}\n",
                                    "stackmap_format=gcmap", targets[t]);
        cr_assert_eq(c.artifact.status, SM_OK, "%s", (const char *)c.artifact.part[SM_PART_DIAGNOSTICS].data);
        sm_slice object = c.artifact.part[SM_PART_OBJECT];
        cr_assert_eq(sm_elf_open(&e, object.data, object.len, NULL, 0), SM_OK);
        size_t table = sm_elf_find(&e, SM_GCMAP_SECTION, 0);
        cr_assert(table && e.section[table].size >= 8 + 8 + 16 && sm_elf_relocs_of(&e, table, 0));
        sm_elf_close(&e);
        drop(&c);
        c = compile("define void @f() {\n  ret void\n}\n", "stackmap_format=gcmap", targets[t]);
        cr_assert_eq(c.artifact.status, SM_OK);
        drop(&c);
    }
}
