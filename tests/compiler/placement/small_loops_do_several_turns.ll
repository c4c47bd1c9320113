; A small loop that would poll in each turn does several turns between two polls, of the kinds that smd writes.
;--- over a list
; RUN: opt={2,3} poll={call:collect,flag:stop:collect,page:a_page}
; SAFEPOINTS @f: 1
; IR>=4: load i64, ptr addrspace(1)
; RUN: opt={1,s,z} poll=call:collect
; IR=1: load i64, ptr addrspace(1)
; RUN: opt=2 poll=call:collect all_backedges=true
; IR=1: load i64, ptr addrspace(1)
; RUN: opt=2 poll=call:collect poll_interval=10
; IR=1: load i64, ptr addrspace(1)
define i64 @f(ptr addrspace(1) %l) "smd-safepoints"="backedge" gc "statepoint-example" {
entry:
  br label %turn
turn:
  %at = phi ptr addrspace(1) [ %l, %entry ], [ %next, %turn ]
  %sum = phi i64 [ 0, %entry ], [ %more, %turn ]
  %value = getelementptr i8, ptr addrspace(1) %at, i64 16
  %v = load i64, ptr addrspace(1) %value
  %more = add i64 %sum, %v
  %where = getelementptr i8, ptr addrspace(1) %at, i64 8
  %next = load ptr addrspace(1), ptr addrspace(1) %where
  %end = icmp eq ptr addrspace(1) %next, null
  br i1 %end, label %out, label %turn
out:
  ret i64 %more
}
;--- not as the module says otherwise
; RUN: opt=2 poll=call:collect
; IR=1: load ptr addrspace(1), ptr addrspace(1)
define void @f(ptr addrspace(1) %l) "smd-safepoints"="backedge" gc "statepoint-example" {
entry:
  br label %turn
turn:
  %at = phi ptr addrspace(1) [ %l, %entry ], [ %next, %turn ]
  store i64 1, ptr addrspace(1) %at
  %where = getelementptr i8, ptr addrspace(1) %at, i64 8
  %next = load ptr addrspace(1), ptr addrspace(1) %where
  %end = icmp eq ptr addrspace(1) %next, null
  br i1 %end, label %out, label %turn, !llvm.loop !0
out:
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.unroll.disable"}
;--- nor the module's own poll
; RUN: opt=2
; IR=1: load ptr addrspace(1), ptr addrspace(1)
declare void @collect()
define void @gc.safepoint_poll() {
  call void @collect()
  ret void
}
define void @f(ptr addrspace(1) %l) "smd-safepoints"="backedge" gc "statepoint-example" {
entry:
  br label %turn
turn:
  %at = phi ptr addrspace(1) [ %l, %entry ], [ %next, %turn ]
  store i64 1, ptr addrspace(1) %at
  %where = getelementptr i8, ptr addrspace(1) %at, i64 8
  %next = load ptr addrspace(1), ptr addrspace(1) %where
  %end = icmp eq ptr addrspace(1) %next, null
  br i1 %end, label %out, label %turn
out:
  ret void
}
;--- they run as they did
; RUN: opt={1,2,3} poll=call:collect gc_registers={0,32}
; RESULT: 0 = 0
; RESULT: 1 = 3
; RESULT: 7 = 84
; RESULT: 8 = 108
; RESULT: 9 = 135
; RESULT: 50 = 3825
declare ptr addrspace(1) @allocate(i64, i64)
declare void @collect()
define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  br label %make
make:
  %i = phi i64 [ 0, %entry ], [ %after, %make ]
  %head = phi ptr addrspace(1) [ null, %entry ], [ %object, %make ]
  %object = call ptr addrspace(1) @allocate(i64 16, i64 1)
  store ptr addrspace(1) %head, ptr addrspace(1) %object
  %value = getelementptr i8, ptr addrspace(1) %object, i64 8
  store i64 %i, ptr addrspace(1) %value
  %after = add i64 %i, 1
  %goes = icmp ule i64 %after, %n
  br i1 %goes, label %make, label %reverse
reverse:
  %done = phi ptr addrspace(1) [ null, %make ], [ %this, %reverse ]
  %this = phi ptr addrspace(1) [ %object, %make ], [ %rest, %reverse ]
  %rest = load ptr addrspace(1), ptr addrspace(1) %this
  store ptr addrspace(1) %done, ptr addrspace(1) %this
  %is.last = icmp eq ptr addrspace(1) %rest, null
  br i1 %is.last, label %add, label %reverse
add:
  %at = phi ptr addrspace(1) [ %this, %reverse ], [ %link, %add ]
  %sum = phi i64 [ 0, %reverse ], [ %total, %add ]
  %where = getelementptr i8, ptr addrspace(1) %at, i64 8
  %v = load i64, ptr addrspace(1) %where
  %three = mul i64 %v, 3
  %total = add i64 %sum, %three
  %link = load ptr addrspace(1), ptr addrspace(1) %at
  %last = icmp eq ptr addrspace(1) %link, null
  br i1 %last, label %out, label %add
out:
  ret i64 %total
}
