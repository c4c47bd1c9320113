; A pin before the first call, with polls: the entry poll is before the pin's slot is filled.
; RUN: opt={0,1,2,3} poll=call:arrive
; REGIONS @f #0: 0
; SAFEPOINT=1 @f callee=fill: "pinned":true
; SAME-AS: ir
declare ptr @smd.gc.pin(ptr addrspace(1))
declare void @smd.gc.unpin(ptr)
declare void @fill(ptr, i64)
define void @f(ptr addrspace(1) %b) gc "statepoint-example" {
  %r = call ptr @smd.gc.pin(ptr addrspace(1) %b)
  call void @fill(ptr %r, i64 1)
  call void @smd.gc.unpin(ptr %r)
  ret void
}
