; An entry poll is at the entry: not between the load of an allocation's top and the store of the new one, which a
; collector in between would make stale. What is stored back is no part of the object before it.
; RUN: opt={0,2} poll=call:arrive
; ROOTS @number #0: 0
; ROOTS @two #0: 1
; EXPLAIN-NOT @two: derived
; EXPLAIN-NOT @down: derived
; SAME-AS: ir
declare ptr addrspace(1) @refill(ptr, i64)
declare void @work()

define ptr addrspace(1) @number(ptr noalias %th) gc "statepoint-example" {
entry:
  %top = load i64, ptr %th
  %new = add i64 %top, 32
  %ok = icmp ule i64 %new, 4096
  br i1 %ok, label %fast, label %slow
fast:
  store i64 %new, ptr %th
  %o = inttoptr i64 %top to ptr addrspace(1)
  ret ptr addrspace(1) %o
slow:
  %s = call ptr addrspace(1) @refill(ptr %th, i64 32)
  ret ptr addrspace(1) %s
}

define ptr addrspace(1) @two(ptr noalias %th, ptr addrspace(1) %x) gc "statepoint-example" {
entry:
  %top = load ptr addrspace(1), ptr %th
  %next = getelementptr i8, ptr addrspace(1) %top, i64 32
  store ptr addrspace(1) %next, ptr %th
  store ptr addrspace(1) %x, ptr addrspace(1) %top
  %top2 = load ptr addrspace(1), ptr %th
  %next2 = getelementptr i8, ptr addrspace(1) %top2, i64 32
  store ptr addrspace(1) %next2, ptr %th
  store ptr addrspace(1) %top, ptr addrspace(1) %top2
  call void @work()
  store i64 1, ptr addrspace(1) %top
  ret ptr addrspace(1) %top2
}

define ptr addrspace(1) @down(ptr noalias %th) gc "statepoint-example" {
entry:
  %top = load ptr addrspace(1), ptr %th
  %o = getelementptr i8, ptr addrspace(1) %top, i64 -32
  store ptr addrspace(1) %o, ptr %th
  store i64 7, ptr addrspace(1) %o
  call void @work()
  ret ptr addrspace(1) %o
}
