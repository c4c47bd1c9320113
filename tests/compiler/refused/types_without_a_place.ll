; Values of these types have no place in memory or registers.
; RUN: target=x86_64-linux-gnu
; STATUS: codegen_failed
; ERROR: which has no place on this target
;--- a parameter
define void @f(target("spirv.Image") %x) {
  ret void
}
;--- a struct with a tile
define void @f(ptr %p) {
  store { x86_amx } poison, ptr %p
  ret void
}
;--- an argument of what is no intrinsic
declare void @llvm.foo(metadata)
define void @f() {
  call void @llvm.foo(metadata !{})
  ret void
}
