; Two marks of one slot that say the same are one root; with other metadata they are refused.
; RUN: opt={0,2} safepoints=none
;--- the same
; ROOTS @f: 1
declare void @work()
declare void @llvm.gcroot(ptr, ptr)
define void @f(ptr %a) gc "erlang" {
  %r = alloca ptr
  call void @llvm.gcroot(ptr %r, ptr null)
  call void @llvm.gcroot(ptr %r, ptr null)
  store ptr %a, ptr %r
  call void @work()
  ret void
}
;--- something else
; STATUS: invalid_gcroot
; ERROR @f: marks one alloca twice, with different metadata
@kind = external global i8
declare void @work()
declare void @llvm.gcroot(ptr, ptr)
define void @f(ptr %a) gc "erlang" {
  %r = alloca ptr
  call void @llvm.gcroot(ptr %r, ptr null)
  call void @llvm.gcroot(ptr %r, ptr @kind)
  store ptr %a, ptr %r
  call void @work()
  ret void
}
