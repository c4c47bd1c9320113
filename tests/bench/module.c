/* module.c - modules to measure with. */
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char head[] =
    "declare ptr addrspace(1) @allocate(i64)\ndeclare void @collect()\n@wanted = external global i8\n"
    "define void @gc.safepoint_poll() {\n  %w = load volatile i8, ptr @wanted\n  %q = icmp eq i8 %w, 0\n"
    "  br i1 %q, label %on, label %stop\nstop:\n  call void @collect()\n  br label %on\non:\n  ret void\n}\n";

/* %1$d is the function's number: it makes the functions differ, so that nothing merges them. */
static const char function[] =
    "define i64 @f%1$d(ptr addrspace(1) %%list, i64 %%n) gc \"statepoint-example\" {\n"
    "entry:\n  %%cell = call ptr addrspace(1) @allocate(i64 %1$d)\n  br label %%loop\n"
    "loop:\n  %%at = phi ptr addrspace(1) [ %%list, %%entry ], [ %%next, %%more ]\n  %%sum = phi i64 [ %1$d, %%entry "
    "], [ %%added, %%more ]\n"
    "  %%end = icmp eq ptr addrspace(1) %%at, null\n  br i1 %%end, label %%done, label %%more\n"
    "more:\n  %%field = getelementptr i8, ptr addrspace(1) %%at, i64 16\n  %%value = load i64, ptr addrspace(1) "
    "%%field\n"
    "  %%times = mul i64 %%value, %1$d\n  %%added = add i64 %%sum, %%times\n  %%link = getelementptr i8, ptr "
    "addrspace(1) %%at, i64 8\n"
    "  %%next = load ptr addrspace(1), ptr addrspace(1) %%link\n  br label %%loop\n"
    "done:\n  store i64 %%sum, ptr addrspace(1) %%cell\n  %%again = load i64, ptr addrspace(1) %%cell\n  ret i64 "
    "%%again\n}\n";

/* One function, one poll. */
static const char tiny[] =
    "declare void @collect()\ndefine void @gc.safepoint_poll() {\n  call void @collect()\n  ret void\n}\n"
    "define ptr addrspace(1) @f(ptr addrspace(1) %p) gc \"statepoint-example\" {\n  ret ptr addrspace(1) %p\n}\n";

/* The same with typed pointers, as LLVM 14 wrote them. */
static const char typed_head[] =
    "declare i64 addrspace(1)* @allocate(i64)\ndeclare void @collect()\n@wanted = external global i8\n"
    "define void @gc.safepoint_poll() {\n  %w = load volatile i8, i8* @wanted\n  %q = icmp eq i8 %w, 0\n"
    "  br i1 %q, label %on, label %stop\nstop:\n  call void @collect()\n  br label %on\non:\n  ret void\n}\n";
static const char typed_function[] =
    "define i64 @f%1$d(i8 addrspace(1)* %%list, i64 %%n) gc \"statepoint-example\" {\n"
    "entry:\n  %%cell = call i64 addrspace(1)* @allocate(i64 %1$d)\n  br label %%loop\n"
    "loop:\n  %%at = phi i8 addrspace(1)* [ %%list, %%entry ], [ %%next, %%more ]\n  %%sum = phi i64 [ %1$d, %%entry "
    "], [ %%added, %%more ]\n"
    "  %%end = icmp eq i8 addrspace(1)* %%at, null\n  br i1 %%end, label %%done, label %%more\n"
    "more:\n  %%field = getelementptr i8, i8 addrspace(1)* %%at, i64 16\n"
    "  %%f = bitcast i8 addrspace(1)* %%field to i64 addrspace(1)*\n  %%value = load i64, i64 addrspace(1)* %%f\n"
    "  %%times = mul i64 %%value, %1$d\n  %%added = add i64 %%sum, %%times\n  %%link = getelementptr i8, i8 "
    "addrspace(1)* %%at, i64 8\n  %%l = bitcast i8 addrspace(1)* %%link to i8 addrspace(1)* addrspace(1)*\n"
    "  %%next = load i8 addrspace(1)*, i8 addrspace(1)* addrspace(1)* %%l\n  br label %%loop\n"
    "done:\n  store i64 %%sum, i64 addrspace(1)* %%cell\n  %%again = load i64, i64 addrspace(1)* %%cell\n  ret i64 "
    "%%again\n}\n";

static struct bytes make(const char *begin, const char *each, size_t functions) {
    size_t one = strlen(each) + 100, len = strlen(begin);
    struct bytes b = {malloc(len + functions * one + 1), len};
    memcpy(b.data, begin, len + 1);
    for (size_t i = 1; i <= functions; i++)
        b.len += (size_t)snprintf((char *)b.data + b.len, one, each, (int)i);
    return b;
}

struct bytes make_typed_pair(size_t functions, struct bytes *typed) {
    *typed = make(typed_head, typed_function, functions);
    return make(head, function, functions);
}

struct bytes make_module(size_t size) {
    if (size == 0)
        return repeat(tiny, 1);
    struct bytes b = {malloc(size + 4096), sizeof head - 1};
    memcpy(b.data, head, sizeof head);
    for (int i = 1; i == 1 || b.len + sizeof function < size; i++)
        b.len += (size_t)sprintf((char *)b.data + b.len, function, i);
    return b;
}
