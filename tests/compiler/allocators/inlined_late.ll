; A function with "smd-allocate" is inlined when polls are placed, at every level: its slow path is its only safepoint.
; Top and limit are loaded for each object though they are not volatile.
;--- its slow path is the safepoint
; RUN: opt={0,1,2,3,s} poll={flag:stop:collect,call:collect}
; SAFEPOINTS @program callee=refill: 2
; SAFEPOINTS @program callee=bump: 0
; RESULT: 10 = 55
; RUN: opt=2 gc_registers=32 poll=tls:poll_thread:8
; SAFEPOINTS @program callee=refill: 2
; RESULT: 10 = 55
; RESULT: --leave-out 0 10 != 55
; RUN: opt=2 poll=flag:stop:collect
; IR=2 @program: load i64, ptr @top
; IR=2 @program: load i64, ptr @limit
; IR-NOT @program: @bump
@stop = global i8 1
@top = global i64 0
@limit = global i64 0
declare ptr addrspace(1) @allocate(i64, i64)
declare void @collect()

; There is no room ever: the test's collector does not know this heap, and the runtime allocates.
define internal ptr addrspace(1) @refill(i64 %bytes, i64 %pointers) noinline gc "statepoint-example" {
  %o = call ptr addrspace(1) @allocate(i64 %bytes, i64 %pointers)
  ret ptr addrspace(1) %o
}

define internal ptr addrspace(1) @bump(i64 %bytes, i64 %pointers) "smd-allocate" gc "statepoint-example" {
entry:
  %at = load i64, ptr @top
  %next = add i64 %at, %bytes
  %end = load i64, ptr @limit
  %fits = icmp ule i64 %next, %end
  br i1 %fits, label %fast, label %slow
fast:
  store i64 %next, ptr @top
  %o = inttoptr i64 %at to ptr addrspace(1)
  ret ptr addrspace(1) %o
slow:
  %p = call ptr addrspace(1) @refill(i64 %bytes, i64 %pointers)
  ret ptr addrspace(1) %p
}

define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  br label %loop
loop:
  %i = phi i64 [ 1, %entry ], [ %j, %loop ]
  %sum = phi i64 [ 0, %entry ], [ %all, %loop ]
  %a = call ptr addrspace(1) @bump(i64 16, i64 1)
  %va = getelementptr i64, ptr addrspace(1) %a, i64 1
  store i64 %i, ptr addrspace(1) %va
  %b = call ptr addrspace(1) @bump(i64 16, i64 1)
  store volatile ptr addrspace(1) %a, ptr addrspace(1) %b
  call void @collect()
  %c = load volatile ptr addrspace(1), ptr addrspace(1) %b
  %vc = getelementptr i64, ptr addrspace(1) %c, i64 1
  %x = load volatile i64, ptr addrspace(1) %vc
  %all = add i64 %sum, %x
  %j = add i64 %i, 1
  %more = icmp ule i64 %j, %n
  br i1 %more, label %loop, label %done
done:
  ret i64 %all
}
;--- without a body
; RUN:
; STATUS: invalid_module
; ERROR: "smd-allocate" is for functions with a body
declare ptr addrspace(1) @bump(i64) "smd-allocate"
define void @f() gc "statepoint-example" {
  ret void
}
;--- no reference
; RUN:
; STATUS: invalid_module
; ERROR: "smd-allocate" is for functions with a body
define i64 @bump(i64 %n) "smd-allocate" {
  ret i64 %n
}
