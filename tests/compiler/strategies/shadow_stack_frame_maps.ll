; Shadow stack frame maps.
; RUN:
; STACKMAP=1: "format":"shadow-stack"
; STACKMAP=1: "symbol":"meta"
declare void @llvm.gcroot(ptr, ptr)
declare void @g()
@meta = constant i32 5
define void @one() gc "shadow-stack" {
  %a = alloca ptr
  %b = alloca ptr
  call void @llvm.gcroot(ptr %a, ptr null)
  call void @llvm.gcroot(ptr %b, ptr @meta)
  store ptr null, ptr %a
  store ptr null, ptr %b
  call void @g()
  call void @g()
  ret void
}
