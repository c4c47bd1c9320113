; Ready made card.
; RUN: opt={0,1,2,3} safepoints=none barrier=card:cards:9
; IR=1: store ptr addrspace(1) %v, ptr addrspace(1) %s
; IR=1: load ptr, ptr @cards
; IR=1: ptrtoint ptr addrspace(1) %o to i64
; IR=1: lshr i64 %address.i, 9
; IR=1: store i8 1, ptr %card.i
; RUN: opt={0,1,2,3} safepoints=none barrier=card:0x100000:9
; IR=1: inttoptr (i64 1048576 to ptr)
; RUN: barrier=card:cards:9 safepoints=none
; STACKMAP-NOT: "callee"
; META=1: opt knows no barriers
declare void @llvm.gcwrite(ptr addrspace(1), ptr addrspace(1), ptr addrspace(1))
define void @set(ptr addrspace(1) %v, ptr addrspace(1) %o) gc "statepoint-example" {
  %s = getelementptr i8, ptr addrspace(1) %o, i64 8
  call void @llvm.gcwrite(ptr addrspace(1) %v, ptr addrspace(1) %o, ptr addrspace(1) %s)
  ret void
}
