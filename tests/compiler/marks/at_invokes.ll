; Barriers and typed slots of a function that is inlined where it was invoked: nothing of them is left.
; RUN: opt={0,1,2,3} safepoints=none barrier={module,card:cards:9,satb:keep:marking,load:heal:7}
; UNDEFINED-NOT: /^(smd|llvm)\./
; SAFEPOINT @g: "type":7
declare void @llvm.gcwrite(ptr addrspace(1), ptr addrspace(1), ptr addrspace(1))
declare ptr addrspace(1) @llvm.gcread(ptr addrspace(1), ptr addrspace(1))
declare void @work()
declare i32 @personality(...)

define internal ptr addrspace(1) @swap(ptr addrspace(1) %o, ptr addrspace(1) %v) alwaysinline gc "statepoint-example" {
  %s = getelementptr i8, ptr addrspace(1) %o, i64 8
  %old = call ptr addrspace(1) @llvm.gcread(ptr addrspace(1) %o, ptr addrspace(1) %s)
  call void @llvm.gcwrite(ptr addrspace(1) %v, ptr addrspace(1) %o, ptr addrspace(1) %s)
  call void @work()
  ret ptr addrspace(1) %old
}

define ptr addrspace(1) @f(ptr addrspace(1) %o, ptr addrspace(1) %v) gc "statepoint-example" personality ptr @personality {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %more, %next ]
  %r = invoke ptr addrspace(1) @swap(ptr addrspace(1) %o, ptr addrspace(1) %v) to label %next unwind label %pad

next:
  %more = add i64 %i, 1
  %again = icmp ult i64 %more, 3
  br i1 %again, label %loop, label %out

out:
  ret ptr addrspace(1) %r

pad:
  %l = landingpad { ptr, i32 }
          catch ptr null
  ret ptr addrspace(1) %o
}

define internal i64 @typed(ptr addrspace(1) %a, i64 %i) alwaysinline gc "statepoint-example" {
  %s = alloca [2 x ptr addrspace(1)], !smd.type !0
  %g = getelementptr ptr addrspace(1), ptr %s, i64 %i
  store ptr addrspace(1) %a, ptr %g
  call void @work()
  %p = load ptr addrspace(1), ptr %s
  %x = load i64, ptr addrspace(1) %p
  ret i64 %x
}

define i64 @g(ptr addrspace(1) %a, i64 %i) gc "statepoint-example" personality ptr @personality {
  %r = invoke i64 @typed(ptr addrspace(1) %a, i64 %i) to label %on unwind label %pad

on:
  ret i64 %r

pad:
  %l = landingpad { ptr, i32 }
          catch ptr null
  ret i64 1
}

!0 = !{i64 7}
