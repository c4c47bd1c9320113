; A linked list in a garbage-collected heap. Pointers into the heap are of address space 1; the collector may move what they
; point to at every safepoint, so that each live one has to be found, and relocated, there.
;
;   curl -H 'Accept: text/plain' --data-binary @docs/examples/list.ll http://127.0.0.1:8199/v1/compile
; gives: backedge-poll to collect

declare ptr addrspace(1) @allocate(i64)
declare void @collect()

@collection_wanted = external global i8

; What smd puts wherever a poll is needed: a test of a flag, and a call that is rarely made.
define void @gc.safepoint_poll() {
entry:
  %wanted = load volatile i8, ptr @collection_wanted
  %quiet = icmp eq i8 %wanted, 0
  br i1 %quiet, label %done, label %stop, !prof !0

stop:
  call void @collect()
  br label %done

done:
  ret void
}

; Puts a number before a list: a safepoint at the call, across which the old list stays alive.
define ptr addrspace(1) @cons(i64 %number, ptr addrspace(1) %rest) gc "statepoint-example" {
entry:
  %cell = call ptr addrspace(1) @allocate(i64 16)
  store i64 %number, ptr addrspace(1) %cell
  %next = getelementptr i8, ptr addrspace(1) %cell, i64 8
  store ptr addrspace(1) %rest, ptr addrspace(1) %next
  ret ptr addrspace(1) %cell
}

; Adds a list up: a loop that makes no call, so that it needs a poll of its own.
define i64 @sum(ptr addrspace(1) %list) gc "statepoint-example" {
entry:
  br label %loop

loop:
  %at = phi ptr addrspace(1) [ %list, %entry ], [ %next, %more ]
  %total = phi i64 [ 0, %entry ], [ %added, %more ]
  %end = icmp eq ptr addrspace(1) %at, null
  br i1 %end, label %done, label %more

more:
  %number = load i64, ptr addrspace(1) %at
  %added = add i64 %total, %number
  %link = getelementptr i8, ptr addrspace(1) %at, i64 8
  %next = load ptr addrspace(1), ptr addrspace(1) %link
  br label %loop

done:
  ret i64 %total
}

!0 = !{!"branch_weights", i32 1000000, i32 1}
