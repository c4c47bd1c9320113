; A root's slot may stand behind a call in the first block. A poll of smd's own that splits that block leaves it in the
; first.
;--- shadow-stack
; RUN: opt={0,1,2} safepoints={entry,precall,postcall} poll=flag:flag:slow
; STATUS: ok
declare void @work()
declare ptr addrspace(1) @alloc()
declare void @llvm.gcroot(ptr, ptr)
define i64 @f(i64 %n) gc "shadow-stack" {
entry:
  %a = call ptr addrspace(1) @alloc()
  %s = alloca ptr addrspace(1)
  call void @llvm.gcroot(ptr %s, ptr null)
  store ptr addrspace(1) %a, ptr %s
  call void @work()
  %v = load ptr addrspace(1), ptr %s
  %x = load i64, ptr addrspace(1) %v
  ret i64 %x
}
;--- erlang
; RUN: opt={0,1,2} safepoints={entry,precall,postcall} poll=flag:flag:slow
; STATUS: ok
declare void @work()
declare ptr addrspace(1) @alloc()
declare void @llvm.gcroot(ptr, ptr)
define i64 @f(i64 %n) gc "erlang" {
entry:
  %a = call ptr addrspace(1) @alloc()
  %s = alloca ptr addrspace(1)
  call void @llvm.gcroot(ptr %s, ptr null)
  store ptr addrspace(1) %a, ptr %s
  call void @work()
  %v = load ptr addrspace(1), ptr %s
  %x = load i64, ptr addrspace(1) %v
  ret i64 %x
}
;--- ocaml
; RUN: opt={0,1,2} safepoints={entry,precall,postcall} poll=flag:flag:slow
; STATUS: ok
declare void @work()
declare ptr addrspace(1) @alloc()
declare void @llvm.gcroot(ptr, ptr)
define i64 @f(i64 %n) gc "ocaml" {
entry:
  %a = call ptr addrspace(1) @alloc()
  %s = alloca ptr addrspace(1)
  call void @llvm.gcroot(ptr %s, ptr null)
  store ptr addrspace(1) %a, ptr %s
  call void @work()
  %v = load ptr addrspace(1), ptr %s
  %x = load i64, ptr addrspace(1) %v
  ret i64 %x
}
