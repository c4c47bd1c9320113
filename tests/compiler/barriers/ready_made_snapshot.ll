; Ready made snapshot.
; RUN: opt={0,1,2,3} safepoints=none barrier=satb:keep:marking
; IR=1: load volatile i8, ptr @marking
; IR=1: call void @keep(ptr addrspace(1) %old.i)
; RUN: barrier=satb:keep:marking safepoints=none
; SAFEPOINTS callee=keep: 0
; RUN: opt={0,1,2,3} safepoints=none barrier=satb:keep:marking,card:cards:9
; IR=1: store i8 1
; IR=1: call void @keep
declare void @llvm.gcwrite(ptr addrspace(1), ptr addrspace(1), ptr addrspace(1))
define void @set(ptr addrspace(1) %v, ptr addrspace(1) %o) gc "statepoint-example" {
  %s = getelementptr i8, ptr addrspace(1) %o, i64 8
  call void @llvm.gcwrite(ptr addrspace(1) %v, ptr addrspace(1) %o, ptr addrspace(1) %s)
  ret void
}
