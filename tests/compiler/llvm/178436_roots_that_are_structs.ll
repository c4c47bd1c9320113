; A root of llvm.gcroot that is a struct and is not initialised: LLVM stores null to it as a whole, and its code generation
; crashes. shadow-stack takes the alloca as it is; ocaml lists the pointer.
;--- the shadow stack
; RUN: opt={0,1,2,3}
; ERROR-NOT:
; DEFINED: f
@metadata = constant i32 0
declare void @llvm.gcroot(ptr, ptr)
declare void @g()
define void @f() gc "shadow-stack" {
  %slot = alloca { i64, ptr }
  call void @llvm.gcroot(ptr %slot, ptr @metadata)
  call void @g()
  ret void
}
;--- ocaml
; RUN: opt={0,1,2,3}
; ERROR-NOT:
; DEFINED: f
@metadata = constant i32 0
declare void @llvm.gcroot(ptr, ptr)
declare void @g()
define void @f() gc "ocaml" {
  %slot = alloca { i64, ptr }
  call void @llvm.gcroot(ptr %slot, ptr @metadata)
  call void @g()
  ret void
}
