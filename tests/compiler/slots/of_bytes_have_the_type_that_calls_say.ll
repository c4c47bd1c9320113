; Bytes are what the callee takes them for.
; RUN: safepoints=none opt={0,2}
;--- %s = alloca [16 x i8], align 8
; STACKMAP=2: "kind":"direct"
declare void @g()
declare void @fill(ptr sret({ ptr addrspace(1), i64 }))
define ptr addrspace(1) @f() gc "statepoint-example" {
  %s = alloca [16 x i8], align 8
  call void @fill(ptr sret({ ptr addrspace(1), i64 }) %s)
  call void @g()
  %v = load volatile ptr addrspace(1), ptr %s
  ret ptr addrspace(1) %v
}
;--- taken
; STACKMAP=3: "kind":"direct"
declare void @g()
declare void @fill(ptr sret({ ptr addrspace(1), i64 }))
declare void @take(ptr byval({ ptr addrspace(1), i64 }))
define void @f() gc "statepoint-example" {
  %s = alloca i128, align 8
  call void @fill(ptr sret({ ptr addrspace(1), i64 }) %s)
  call void @g()
  call void @take(ptr byval({ ptr addrspace(1), i64 }) %s)
  ret void
}
;--- other
; STATUS: cannot_rewrite
; ERROR: call void @fill
declare void @g()
declare void @out(ptr)
declare void @fill(ptr sret({ ptr addrspace(1), i64 }))
define void @f() gc "statepoint-example" {
  %s = alloca [24 x i8], align 8
  call void @fill(ptr sret({ ptr addrspace(1), i64 }) %s)
  call void @g()
  call void @out(ptr %s)
  ret void
}
