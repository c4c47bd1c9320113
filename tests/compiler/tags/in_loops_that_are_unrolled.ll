; A loop hands tagged references from call to call. Unrolled, only its last turn turns one into a reference: those of the
; other turns are tagged references all the same, and so is one whose from_int nobody uses.
;--- a loop
; RUN: opt={1,2,3,s,z} poll=call:collect safepoints={precall,postcall}
; RESULT: 5 = 1005
; RESULT: --leave-out 0 5 != 1005
; SYMBOL-NOT: /smd\./
declare ptr addrspace(1) @allocate(i64, i64)
declare void @collect()
declare i64 @smd.gc.to_int(ptr addrspace(1))
declare ptr addrspace(1) @smd.gc.from_int(i64)
declare i32 @handle_all(...)

define internal i64 @pass(i64 %w) noinline gc "statepoint-example" {
  call void @collect()
  %o = call ptr addrspace(1) @smd.gc.from_int(i64 %w)
  %z = call i64 @smd.gc.to_int(ptr addrspace(1) %o)
  %tagged = or i64 %z, 3
  ret i64 %tagged
}

define internal i64 @keep(i64 %w) noinline gc "statepoint-example" {
  call void @collect()
  %unused = call ptr addrspace(1) @smd.gc.from_int(i64 %w)
  call void @collect() [ "deopt"(i64 %w) ]
  ret i64 %w
}

define i64 @program(i64 %n) gc "statepoint-example" personality ptr @handle_all {
entry:
  %o = call ptr addrspace(1) @allocate(i64 8, i64 0)
  %v = add i64 %n, 1000
  store i64 %v, ptr addrspace(1) %o
  %i = call i64 @smd.gc.to_int(ptr addrspace(1) %o)
  %t = add i64 %i, 2
  br label %loop

loop:
  %w = phi i64 [ %t, %entry ], [ %next, %passed ]
  %k = phi i64 [ 0, %entry ], [ %more, %passed ]
  %passed.on = invoke i64 @pass(i64 %w)
          to label %passed unwind label %pad

passed:
  %plain = and i64 %passed.on, -8
  %next = or i64 %plain, 2
  %more = add i64 %k, 1
  %again = icmp ult i64 %more, 3
  br i1 %again, label %loop, label %out

out:
  %kept = call i64 @keep(i64 %next)
  %q = call ptr addrspace(1) @smd.gc.from_int(i64 %kept)
  %x = load i64, ptr addrspace(1) %q
  ret i64 %x

pad:
  %l = landingpad { ptr, i32 }
          catch ptr null
  ret i64 -1
}

;--- the word of a state alone
; RUN: opt={1,2,3} safepoints=none
; REGIONS @keep: 1
declare void @collect()
declare ptr addrspace(1) @smd.gc.from_int(i64)

define i64 @keep(i64 %w) gc "statepoint-example" {
  %unused = call ptr addrspace(1) @smd.gc.from_int(i64 %w)
  call void @collect() [ "deopt"(i64 %w) ]
  ret i64 0
}
