; An error about a scoped root is at the instruction, not at the function.
; RUN: opt=0 safepoints=none
; STATUS: invalid_gcroot
declare void @llvm.gc.declare(ptr, ptr)
@meta = constant i32 1

;--- a slot whose size is not fixed
; ERROR:
; AT: %d = alloca i8, i64 %n
define void @f(i64 %n) gc "statepoint-example" {
  %d = alloca i8, i64 %n
  call void @llvm.gc.declare(ptr %d, ptr @meta)
  ret void
}

;--- no slot
; ERROR:
; AT: call void @llvm.gc.declare(ptr @meta
define void @f() gc "statepoint-example" {
  call void @llvm.gc.declare(ptr @meta, ptr @meta)
  ret void
}

;--- a type that is no constant
; ERROR: constant pointer
; AT: call void @llvm.gc.declare(ptr %a, ptr %p)
define void @f(ptr %p) gc "statepoint-example" {
  %a = alloca ptr addrspace(1)
  call void @llvm.gc.declare(ptr %a, ptr %p)
  ret void
}
