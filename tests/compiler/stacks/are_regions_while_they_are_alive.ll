; Stacks are regions while they are alive.
; RUN: safepoints=none opt={0,1,2,3,z}
;--- store volatile ref %p, ptr %s
; STACKMAP=2: "kind":"direct"
declare void @g()
@where = global ptr null
@more = global i1 0
define ptr addrspace(1) @f(ptr addrspace(1) %p, i64 %i, i1 %c)  gc "statepoint-example" {
  %s = alloca ptr addrspace(1)
  call void @g()
  store volatile ptr addrspace(1) %p, ptr %s
  call void @g()
  call void @g()
  %v = load volatile ptr addrspace(1), ptr %s
  call void @g()
  ret ptr addrspace(1) %v
}
;--- call void @out(ptr %s)
; STACKMAP=3: "kind":"direct"
declare void @g()
declare void @out(ptr)
@where = global ptr null
@more = global i1 0
define ptr addrspace(1) @f(ptr addrspace(1) %p, i64 %i, i1 %c)  gc "statepoint-example" {
  %s = alloca ptr addrspace(1)
  call void @g()
  call void @out(ptr %s)
  call void @g()
  ret ptr addrspace(1) %p
}
;--- store ptr %s, ptr @where
; STACKMAP=2: "kind":"direct"
declare void @g()
@where = global ptr null
@more = global i1 0
define ptr addrspace(1) @f(ptr addrspace(1) %p, i64 %i, i1 %c)  gc "statepoint-example" {
  %s = alloca ptr addrspace(1)
  store ptr %s, ptr @where
  call void @g()
  call void @g()
  ret ptr addrspace(1) %p
}
;--- call void @llvm.lifetime.start.p0(i64 8, ptr %s)
; STACKMAP=2: "kind":"direct"
declare void @g()
declare void @out(ptr)
declare void @llvm.lifetime.start.p0(i64, ptr)
declare void @llvm.lifetime.end.p0(i64, ptr)
@where = global ptr null
@more = global i1 0
define ptr addrspace(1) @f(ptr addrspace(1) %p, i64 %i, i1 %c)  gc "statepoint-example" {
  %s = alloca ptr addrspace(1)
  call void @g()
  call void @llvm.lifetime.start.p0(i64 8, ptr %s)
  call void @out(ptr %s)
  call void @g()
  call void @llvm.lifetime.end.p0(i64 8, ptr %s)
  call void @g()
  ret ptr addrspace(1) %p
}
;--- br label %loop
; STACKMAP=1: "kind":"direct"
declare void @g()
declare void @out(ptr)
declare void @llvm.lifetime.start.p0(i64, ptr)
declare void @llvm.lifetime.end.p0(i64, ptr)
@where = global ptr null
@more = global i1 0
define ptr addrspace(1) @f(ptr addrspace(1) %p, i64 %i, i1 %c)  gc "statepoint-example" {
  %s = alloca ptr addrspace(1)
  br label %loop
loop:
  call void @g()
  call void @llvm.lifetime.start.p0(i64 8, ptr %s)
  call void @out(ptr %s)
  call void @llvm.lifetime.end.p0(i64 8, ptr %s)
  call void @g()
  %t = load volatile i1, ptr @more
  br i1 %t, label %loop, label %end
end:
  ret ptr addrspace(1) %p
}
;--- %t = alloca ref
; STACKMAP=2: "kind":"direct"
declare void @g()
@where = global ptr null
@more = global i1 0
define ptr addrspace(1) @f(ptr addrspace(1) %p, i64 %i, i1 %c)  gc "statepoint-example" {
  %s = alloca ptr addrspace(1)
  %t = alloca ptr addrspace(1)
  %u = select i1 %c, ptr %s, ptr %t
  store volatile ptr addrspace(1) %p, ptr %u
  call void @g()
  %v = load volatile ptr addrspace(1), ptr %u
  ret ptr addrspace(1) %v
}
