; What is done block by block, pointer by pointer or function by function is done in the module's order, not in that of
; addresses: another process gives the same object. (tests/process/layouts_test.c disturbs the heap before.)
;--- pointers that are read from their roots again behind a poll
; RUN: safepoints=precall poll=call:p
; SAME-AS: fresh
declare void @llvm.gcroot(ptr, ptr)
declare ptr @g(ptr, ptr, ptr)
define ptr @f(ptr %a, ptr %b, ptr %d) gc "shadow-stack" {
  %s = alloca ptr
  %t = alloca ptr
  %u = alloca ptr
  call void @llvm.gcroot(ptr %s, ptr null)
  call void @llvm.gcroot(ptr %t, ptr null)
  call void @llvm.gcroot(ptr %u, ptr null)
  store ptr %a, ptr %s
  store ptr %b, ptr %t
  store ptr %d, ptr %u
  %x = load ptr, ptr %s
  %y = load ptr, ptr %t
  %z = load ptr, ptr %u
  %r = call ptr @g(ptr %x, ptr %y, ptr %z)
  ret ptr %r
}
;--- a slot that is cleared where its scope may begin
; RUN: safepoints=entry poll=flag:q:p
; SAME-AS: fresh
declare void @leaf() "gc-leaf-function"
declare void @work()
declare void @llvm.gc.declare(ptr, ptr)
define void @f(ptr addrspace(1) %a) gc "statepoint-example" {
entry:
  %z = alloca ptr addrspace(1)
  call void @leaf()
  br label %go
go:
  call void @work()
  call void @llvm.gc.declare(ptr %z, ptr null)
  store ptr addrspace(1) %a, ptr %z
  call void @work()
  ret void
}
