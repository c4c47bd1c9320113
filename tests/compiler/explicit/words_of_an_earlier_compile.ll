; A module that smd has emitted, and that was changed: what its states say of slots is kept, and what is added follows.
; RUN: safepoints=none opt={0,1,2,3}
; SAFEPOINT=1 callee=h: "deopt":[{"kind":"constant","value":5,"size":8}]
; SAFEPOINT=1 callee=h: "pinned":true
; SAFEPOINT=1 callee=h: "fields":[{"offset":8,"size":8,"space":1,"count":3,"stride":8}],"bytes":32,"type":7
; SAFEPOINT=1 callee=h: "fields":[{"offset":0,"size":8,"space":1},{"offset":16,"size":8,"space":1}]
; REGIONS: 3
declare token @llvm.experimental.gc.statepoint.p0(i64 immarg, i32 immarg, ptr, i32 immarg, i32 immarg, ...)
declare void @h(ptr, ptr, ptr)

; 2: pinned. 324, 7, 32, 12884901896: a field, a type, bytes; 7; 32; three references from 8 on. Of the third slot, which
; has two references, nothing is said.
define void @f(ptr addrspace(1) %r) gc "statepoint-example" {
  %raw = alloca ptr addrspace(1)
  %d = alloca { i64, [3 x ptr addrspace(1)] }
  %e = alloca { ptr addrspace(1), i64, ptr addrspace(1) }
  store ptr addrspace(1) %r, ptr %raw
  store { i64, [3 x ptr addrspace(1)] } zeroinitializer, ptr %d
  store { ptr addrspace(1), i64, ptr addrspace(1) } zeroinitializer, ptr %e
  %t = call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 0, i32 0, ptr elementtype(void (ptr, ptr, ptr)) @h, i32 3, i32 0, ptr %raw, ptr %d, ptr %e, i32 0, i32 0) [ "gc-live"(ptr %raw, ptr %d, ptr %e), "deopt"(i32 5, i64 2, i64 324, i64 7, i64 32, i64 12884901896, i64 6002528945793204229) ]
  ret void
}
