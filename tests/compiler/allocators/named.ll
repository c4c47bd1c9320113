; The option allocate names the function that allocates, as "smd-allocate" at it does.
;--- by its name
; RUN: allocate=bump opt={0,1,2,3,s} poll={flag:stop:collect,call:collect}
; SAFEPOINTS @program callee=refill: 2
; SAFEPOINTS @program callee=bump: 0
; WARNING-NOT: allocate
; RESULT: 10 = 55
; RESULT: --leave-out 0 10 != 55
; RUN: allocate=pump poll=call:collect
; WARNING=1: 'allocate' has no effect: the module defines no function of that name
; RUN: allocate=allocate poll=call:collect
; WARNING=1: 'allocate' has no effect: the module defines no function of that name
; RUN: allocate=program poll=call:collect
; STATUS: invalid_module
; ERROR: so is the option allocate
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

define internal ptr addrspace(1) @bump(i64 %bytes, i64 %pointers) gc "statepoint-example" {
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
