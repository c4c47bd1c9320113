; Roots that are not needed at one time share a slot of the frame, and with it a word of the frame map; not so with
; scoped_roots=null_init, which makes each a root throughout.
; RUN: safepoints=none opt={0,2}
; IR=1: call void @llvm.gcroot(
; STACKMAP: "roots":1,
; RUN: safepoints=none opt={0,2} scoped_roots=null_init
; IR=2: call void @llvm.gcroot(
; STACKMAP: "roots":2,
declare void @llvm.gc.declare(ptr, ptr)
declare void @llvm.gc.undeclare(ptr)
declare ptr @make()
declare void @use(ptr nocapture)
define void @two() gc "shadow-stack" {
  %a = alloca ptr
  %b = alloca ptr
  %first = call ptr @make()
  store ptr %first, ptr %a
  call void @llvm.gc.declare(ptr %a, ptr null)
  call void @use(ptr %a)
  call void @llvm.gc.undeclare(ptr %a)
  %second = call ptr @make()
  store ptr %second, ptr %b
  call void @llvm.gc.declare(ptr %b, ptr null)
  call void @use(ptr %b)
  call void @llvm.gc.undeclare(ptr %b)
  ret void
}
