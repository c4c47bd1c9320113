; The safe stack: LLVM means to refuse llvm.gcroot there, and does not. A slot whose address is passed on is moved to the other
; stack, and the record says that it is in the frame. The frames of a shadow stack may be anywhere.
;--- of records
; RUN: opt={0,1,2,3} gc=erlang safepoints=none
; RUN: opt={0,1,2,3} gc=ocaml safepoints=none
; STATUS: codegen_failed
; ERROR @f: attribute safestack has slots moved elsewhere
declare void @llvm.gcroot(ptr, ptr)
declare void @use(ptr)
define void @f() safestack {
  %r = alloca ptr
  store ptr null, ptr %r
  call void @llvm.gcroot(ptr %r, ptr null)
  call void @use(ptr %r)
  ret void
}
;--- of a shadow stack
; RUN: opt={0,1,2,3} safepoints=none target=x86_64-linux-gnu
; DISASM @f: __safestack_unsafe_stack_ptr
declare void @llvm.gcroot(ptr, ptr)
declare void @use(ptr)
define void @f() safestack gc "shadow-stack" {
  %r = alloca ptr
  store ptr null, ptr %r
  call void @llvm.gcroot(ptr %r, ptr null)
  call void @use(ptr %r)
  ret void
}
