; A chain of objects is built while each of them moves at every allocation, and read back.
; RUN: opt={1,2,3} poll=call:collect gc_registers={0,8}
; RUN: opt=0 poll=call:collect
; RESULT: 10 = 55
; RESULT: --threads 2 10 = 55
; RESULT: --leave-out 0 10 != 55
; READOBJ: agrees
; WARNING-NOT:
; DEFINED: program
; UNDEFINED: allocate
; UNDEFINED: collect
; SYMBOL-NOT: /^(smd\.|llvm\.)/
; EXPLAIN @program: call to allocate
; SAME-AS: fresh
; SAME-AS: --threads=4
; SAME-AS-NOT: safepoints=none
declare ptr addrspace(1) @allocate(i64, i64)
declare void @collect()

define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  br label %make
make:
  %i = phi i64 [ 1, %entry ], [ %next, %make ]
  %head = phi ptr addrspace(1) [ null, %entry ], [ %object, %make ]
  %object = call ptr addrspace(1) @allocate(i64 16, i64 1)
  store ptr addrspace(1) %head, ptr addrspace(1) %object
  %value = getelementptr i8, ptr addrspace(1) %object, i64 8
  store i64 %i, ptr addrspace(1) %value
  %next = add i64 %i, 1
  %more = icmp sle i64 %next, %n
  br i1 %more, label %make, label %read
read:
  %at = phi ptr addrspace(1) [ %object, %make ], [ %link, %read ]
  %sum = phi i64 [ 0, %make ], [ %total, %read ]
  %where = getelementptr i8, ptr addrspace(1) %at, i64 8
  %v = load i64, ptr addrspace(1) %where
  %total = add i64 %sum, %v
  %link = load ptr addrspace(1), ptr addrspace(1) %at
  %last = icmp eq ptr addrspace(1) %link, null
  br i1 %last, label %out, label %read
out:
  ret i64 %total
}
