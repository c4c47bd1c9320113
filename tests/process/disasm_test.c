/* What emit=disasm says of jumps and calls: where they lead, in the words of the listing itself. */
#include "worker.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define IR                                                                                                           \
    "declare void @go()\ndeclare void @\"odd\\0aname\"(ptr addrspace(1))\n@there = external global i64\n"            \
    "define internal i64 @local(i64 %x) noinline {\n  %y = mul i64 %x, 77\n  ret i64 %y\n}\n"                        \
    "define ptr addrspace(1) @f(ptr addrspace(1) %p, i64 %n) gc \"statepoint-example\" {\nentry:\n  br label "       \
    "%head\n"                                                                                                        \
    "head:\n  %i = phi i64 [0, %entry], [%j, %back]\n  %t = and i64 %i, 8\n  %z = icmp eq i64 %t, 0\n"               \
    "  br i1 %z, label %one, label %two\none:\n  call void @go()\n  br label %back\n"                                \
    "two:\n  call void @\"odd\\0aname\"(ptr addrspace(1) %p)\n  br label %back\n"                                    \
    "back:\n  %k = call i64 @local(i64 %i)\n  %v = load i64, ptr @there\n  %s = add i64 %k, %v\n"                    \
    "  %j = add i64 %i, %s\n  %c = icmp ult i64 %j, %n\n  br i1 %c, label %head, label %out\n"                       \
    "out:\n  %q = call ptr addrspace(1) @f(ptr addrspace(1) %p, i64 3)\n  ret ptr addrspace(1) %q\n}\n"

/* Where the listing says that function NAME begins. */
static unsigned long long begin_of(const char *text, const char *name) {
    char head[80];
    snprintf(head, sizeof head, " <%s>:\n", name);
    const char *at = strstr(text, head);
    cr_assert(at && at - text >= 16, "%s in %s", name, text);
    return strtoull(at - 16, NULL, 16);
}

/* There is an instruction at AT. */
static void is_line(const char *text, unsigned long long at) {
    char line[32];
    snprintf(line, sizeof line, "\n%8llx:  ", at);
    cr_assert(strstr(text, line), "0x%llx in %s", at, text);
}

/* Each "0x3c <cons+0x1c>" is right, and there are so many. */
static void targets_agree(const char *text, size_t at_least) {
    size_t seen = 0;
    for (const char *p = text; (p = strstr(p, " 0x")); p++) {
        char name[80] = "", *end;
        unsigned long long distance = 0, at = strtoull(p + 3, &end, 16);
        if (strncmp(end, " <", 2) != 0 || strncmp(end, " <-", 3) == 0)
            continue;
        cr_assert_geq(sscanf(end, " <%79[^+>]+0x%llx>", name, &distance), 1);
        cr_assert_eq(begin_of(text, name) + distance, at, "%.40s", p);
        is_line(text, at);
        seen++;
    }
    cr_assert_geq(seen, at_least, "%s", text);
}

Test(disasm, jumps_and_calls_name_their_targets) {
    static const char *const parts[2][4] = {{"callq go  ", "callq odd?name  ", "# there\n", "callq f  "},
                                            {"bl go  ", "bl odd?name  ", "# there\n", "bl f  "}};
    for (int t = 0; t < 2; t++)
        for (const char *const *o = (const char *const[]){"opt=0", "opt=2", "opt=0 reloc=static", NULL}; *o; o++) {
            char options[96];
            snprintf(options, sizeof options, "%s safepoints=none emit=obj,disasm", *o);
            struct compiled c = compile(IR, options, targets[t]);
            cr_assert_eq(c.artifact.status, SM_OK);
            const char *text = c.text[SM_PART_DISASM];
            size_t unoptimised = strstr(options, "opt=0") != NULL; /* f's call of itself becomes a loop otherwise */
            for (size_t i = 0; i < 3 + unoptimised; i++)
                cr_assert(strstr(text, parts[t][i]), "%s: %s in %s", options, parts[t][i], text);
            targets_agree(text, unoptimised ? 4 : 2);
            cr_assert(strstr(text, " <local>") && strstr(text, "<f+0x"), "%s", text);
            cr_assert_eq(count(text, "<- safepoint"), 2 + unoptimised);
            drop(&c);
        }
}
