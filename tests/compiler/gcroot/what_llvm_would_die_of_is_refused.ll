; LLVM 19 ends the process over these.
; RUN:
;--- no fixed size
; STATUS: codegen_failed
; ERROR: no fixed size
declare void @foo(ptr)
define void @t(i64 %n) gc "ocaml" {
  %a = alloca i8, i64 %n
  call void @foo(ptr %a)
  ret void
}
;--- no GC strategy
; STATUS: gc_mismatch
; ERROR: no GC strategy
declare void @foo(ptr addrspace(1))
declare ptr addrspace(1) @llvm.experimental.gc.get.pointer.base.p1.p1(ptr addrspace(1))
define void @t(ptr addrspace(1) %p) {
  %b = call ptr addrspace(1) @llvm.experimental.gc.get.pointer.base.p1.p1(ptr addrspace(1) %p)
  call void @foo(ptr addrspace(1) %b)
  ret void
}
